"""The clauses of a standing instruction: what may be said beforehand of each decision that an activity waits for."""

from __future__ import annotations

from typing import Final

from leuthen.engine.standing import Clause
from leuthen.rulesets.campaigns.rules.r05_movement.walk import REACTION
from leuthen.wargame.board import Hex

ANY: Final = 200
"""TP: of any strength."""
NEVER: Final = 101
"""Per cent of losses that no battle has."""
ATTACK, GO, INSIDE = "attack", "to", "inside"
"""Where a reaction goes: into the mover's hex, to a hex in the field, or inside a stronghold (R7.4)."""
NONE, ALL, THESE = "never", "always", "these"
"""Who joins in a battle (R6.3)."""


class AgainstForce(Clause, frozen=True, kw_only=True):
    """What a clause says of the enemy force that it is about: under one of these leaders (none named: any), in one of
    these hexes (none named: any), at least and at most so many TP by what one sees."""

    movers: tuple[int, ...] = ()
    hexes: tuple[Hex, ...] = ()
    least: int = 0
    most: int = ANY


class ReactClause(AgainstForce, frozen=True, kw_only=True, tag="react"):
    """A leader reacts with companions (R7.2) to who comes within so many MP of him, and goes there (R7.4).

    `goals`: the first of these hexes that he can reach. `odds`: per cent to win with which he attacks at least.
    """

    leader: int
    companions: tuple[int, ...] = ()
    way: str = ATTACK
    goals: tuple[Hex, ...] = ()
    within: int = REACTION
    odds: int = 0


class IgnoreClause(AgainstForce, frozen=True, kw_only=True, tag="ignore"):
    """Nobody reacts (R7.1)."""


class AttackClause(AgainstForce, frozen=True, kw_only=True, tag="attack"):
    """Tries to attack an enemy who has come into the hex and has not attacked (R6.1), from such odds on."""

    odds: int = 0


class ShareClause(AgainstForce, frozen=True, kw_only=True, tag="share"):
    """Shares the hex with him."""


class JoinClause(Clause, frozen=True, kw_only=True, tag="join"):
    """Who comes out and joins in a battle (R6.3): nobody, all, or these as far as they are there."""

    who: str = NONE
    leaders: tuple[int, ...] = ()


class ConcentrateClause(Clause, frozen=True, kw_only=True, tag="concentrate"):
    """What is declared in battle as far as it can be paid (R12.2, V3.3)."""

    concentrate: bool
    intense: bool = False


class BreakOffClause(Clause, frozen=True, kw_only=True, tag="break-off"):
    """From which losses on, in per cent of the TP with which it began, a battle is broken off (R12.8)."""

    at: int = NEVER


class FeedClause(Clause, frozen=True, kw_only=True, tag="feed"):
    """Whether forces that can pay are fed (R9.7, V3.5)."""

    feed: bool


class LossesClause(Clause, frozen=True, kw_only=True, tag="losses"):
    """Losses are spread as the rules would, by the largest remainder (R12.6, V6.1)."""


class HoldClause(Clause, frozen=True, kw_only=True, tag="hold"):
    """Whatever no other clause is about is answered by what commits least."""
