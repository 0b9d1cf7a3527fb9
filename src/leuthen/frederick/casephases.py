"""Where in the sequence of play a case begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leuthen.frederick.decisions import Decision
from leuthen.frederick.rules.combat import CombatPhase
from leuthen.frederick.rules.commitment import CommitmentPhase
from leuthen.frederick.rules.depots import DepotPhase
from leuthen.frederick.rules.diplomacy import DiplomacyPhase
from leuthen.frederick.rules.force_march import ForceMarchPhase
from leuthen.frederick.rules.increments import ForceIncrementPhase
from leuthen.frederick.rules.march import MarchPhase
from leuthen.frederick.rules.morale import MoraleRecoveryPhase, Rally
from leuthen.frederick.rules.redeployment import RedeploymentPhase
from leuthen.frederick.rules.sequence import (
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
from leuthen.frederick.rules.siege import SiegePhase
from leuthen.frederick.rules.subsidy import SubsidyPhase
from leuthen.frederick.rules.victory import FinalVictory, VictoryCheck
from leuthen.frederick.rules.winter import AttritionPhase, ReinforcementPhase, YearsEndAttrition

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


def phasing_at(phase: str, side: int) -> int:
    """The side that is phasing while `side` acts in a phase of a player turn (O4.2, O4.3)."""
    return 1 - side if phase in ("force-march", "attrition") else side


def frames_at(phase: str, side: int) -> tuple[Decision, ...]:
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
