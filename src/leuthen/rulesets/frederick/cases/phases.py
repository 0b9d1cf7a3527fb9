"""Where in the sequence of play a case begins (`c04_sequence`)."""

from __future__ import annotations

from typing import Final

from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.rules import c04_sequence as sequence

PLAYER_PHASES: Final = (
    *("reinforcement", "morale", "depot", "march", "", "force-march", "", "combat", "", "siege", "attrition"),
)
"""The steps of a player turn in their order, those that are no phase without a word. The side named with one is that
which acts, which in 5 and 8 is not phasing (O4.2)."""
WINTER_PHASES: Final = (
    *("years-end", "victory", "final", "rally", "diplomacy", "increment", "commitment", "redeployment", "subsidy"),
)
OTHER_PHASES: Final = ("setup", "turn", "turn-end", "initiation")
PHASES: Final = (*filter(None, PLAYER_PHASES), *WINTER_PHASES, *OTHER_PHASES)


def phasing_at(phase: str, side: Side) -> Side:
    """The side that is phasing while `side` acts in a phase of a player turn (O4.2, O4.3)."""
    return OTHER[side] if phase in ("force-march", "attrition") else side


def frames_at(phase: str, side: Side) -> tuple[Decision, ...]:
    """The decisions in progress, so that play goes on by itself after the phase."""
    year = sequence.War(True), sequence.Campaign(True)
    if phase in PLAYER_PHASES:
        phasing = phasing_at(phase, side)
        return *year, sequence.GameTurn(2 + phasing), sequence.PlayerTurn(phasing, PLAYER_PHASES.index(phase))
    if phase in WINTER_PHASES:
        return sequence.NextYear(), sequence.GrandStrategy(WINTER_PHASES.index(phase))
    if phase == "initiation":
        return (sequence.NextYear(),)
    return *year, sequence.GameTurn(0 if phase == "turn" else len(sequence.GAME_TURN))
