"""Where in the sequence of play a case begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.rules.c04_sequence import (
    GAME_TURN,
    PLAYER_TURN,
    WINTER,
    Campaign,
    GameTurn,
    GrandStrategy,
    NextYear,
    PlayerTurn,
    War,
)
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import DiplomacyPhase
from leuthen.rulesets.frederick.rules.c06_increments import ForceIncrementPhase
from leuthen.rulesets.frederick.rules.c07_commitment import CommitmentPhase
from leuthen.rulesets.frederick.rules.c08_redeployment.redeployment import RedeploymentPhase
from leuthen.rulesets.frederick.rules.c10_subsidy import SubsidyPhase
from leuthen.rulesets.frederick.rules.c12_victory import VictoryCheck
from leuthen.rulesets.frederick.rules.c13_end import FinalVictory
from leuthen.rulesets.frederick.rules.o05_march.phase import MarchPhase
from leuthen.rulesets.frederick.rules.o06_force_march import ForceMarchPhase
from leuthen.rulesets.frederick.rules.o09_combat.combat import CombatPhase
from leuthen.rulesets.frederick.rules.o10_supply.depots import DepotPhase
from leuthen.rulesets.frederick.rules.o11_morale import MoraleRecoveryPhase, Rally
from leuthen.rulesets.frederick.rules.o13_siege import SiegePhase
from leuthen.rulesets.frederick.rules.o14_winter.attrition import AttritionPhase, ReinforcementPhase, YearsEndAttrition

PLAYER_PHASES: Final[Mapping[str, type[Decision]]] = {
    "reinforcement": ReinforcementPhase,
    "morale": MoraleRecoveryPhase,
    "depot": DepotPhase,
    "march": MarchPhase,
    "force-march": ForceMarchPhase,
    "combat": CombatPhase,
    "siege": SiegePhase,
    "attrition": AttritionPhase,
}
"""The phases of a player turn; the side named is the one that acts, which in 5 and 8 is not phasing (O4.2)."""
WINTER_PHASES: Final[Mapping[str, type[Decision]]] = {
    "years-end": YearsEndAttrition,
    "victory": VictoryCheck,
    "final": FinalVictory,
    "rally": Rally,
    "diplomacy": DiplomacyPhase,
    "increment": ForceIncrementPhase,
    "commitment": CommitmentPhase,
    "redeployment": RedeploymentPhase,
    "subsidy": SubsidyPhase,
}
OTHER_PHASES: Final = ("setup", "turn", "turn-end", "initiation")


def phasing_at(phase: str, side: Side) -> Side:
    """The side that is phasing while `side` acts in a phase of a player turn (O4.2, O4.3)."""
    return OTHER[side] if phase in ("force-march", "attrition") else side


def frames_at(phase: str, side: Side) -> tuple[Decision, ...]:
    """The decisions in progress, so that play goes on by itself after the phase."""
    if phase in PLAYER_PHASES:
        kind = PLAYER_PHASES[phase]
        phasing = phasing_at(phase, side)
        done = next(number for number, make in enumerate(PLAYER_TURN) if isinstance(make(0), kind))
        return War(True), Campaign(True), GameTurn(2 + phasing), PlayerTurn(phasing, done)
    if phase in WINTER_PHASES:
        kind = WINTER_PHASES[phase]
        return NextYear(), GrandStrategy(next(n for n, make in enumerate(WINTER) if isinstance(make(), kind)))
    if phase == "initiation":
        return (NextYear(),)
    return War(True), Campaign(True), GameTurn(0 if phase == "turn" else len(GAME_TURN))
