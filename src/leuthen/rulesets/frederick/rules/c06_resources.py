"""C6, C10: Resource Points, the new SP that the majors raise with them, and the British Subsidy."""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.engine.choice import Script, Slot, Token
from leuthen.engine.decision import refuse_with
from leuthen.engine.ruleset import NOBODY, OTHER, WATCHER, ActorId, OwnerId, Side
from leuthen.rulesets.frederick.model.actions import Raise
from leuthen.rulesets.frederick.model.data import HANOVER, GameOptions
from leuthen.rulesets.frederick.model.decisions import Decision, DieRoll, Secret, SecretChoice, keep_secret
from leuthen.rulesets.frederick.model.events import ForcesRaised, Modifiers, PointsGranted, SubsidyRolled
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES, UNKNOWN
from leuthen.rulesets.frederick.model.stacks import on_map
from leuthen.rulesets.frederick.model.state import Draft, Position
from leuthen.rulesets.frederick.rules.c02_setup import FIRST_YEAR, MAJORS
from leuthen.wargame.strength import bag, of

PRUSSIAN_POINTS: Final = 22
AUSTRIAN_POINTS: Final = 30
"""Default Resource Points after 1756 (C6.1)."""


def granted(options: GameOptions) -> tuple[int, int]:
    """Return the Resource Points that both majors receive once, after 1756, by side (C6.1)."""
    chosen = options.austrian_points
    return PRUSSIAN_POINTS, AUSTRIAN_POINTS if chosen is msgspec.UNSET else chosen


def share_of(sp: int, percent: int) -> int:
    """Return a percentage of some SP, any fraction rounded up (C6.3, C7.4)."""
    return -(-sp * percent // 100)


def new_sp(pos: Position, side: OwnerId, points: int) -> int:
    """Return the SP raised by Resource Points: 10 % each of the major's own SP on the map, rounded up once (C6.3)."""
    return min(share_of(on_map(pos, MAJORS[side]), 10 * points), counters_left(pos, side))


def counters_left(pos: Position, side: OwnerId) -> int:
    """Return the major's unused SP counters: those on the map, waiting and in enemy hands are in use (C6.5)."""
    if pos.options.counters == "unlimited":
        return UNKNOWN
    power = MAJORS[side]
    used = on_map(pos, power) + of(pos.waiting, power) + of(pos.prisoners[OTHER[side]], power)
    return max(0, pos.data.powers[power].counters - used)


class RaiseSealed(Secret, frozen=True, gc=False, tag="raise-sealed"):
    points: int = 0


class ForceIncrementPhase(Decision, rule="C6.1", name="Force Increment Phase"):
    def step(self, draft: Draft) -> None:
        """Both majors receive their points once, after 1756; then they spend some (C6.1, C6.2)."""
        if draft.year == FIRST_YEAR:
            for side in SIDES:
                points = granted(draft.options)[side]
                grant(draft, side, points)
                draft.emit(PointsGranted(side=side, points=points, now=draft.rp[side]))
        draft.pop()
        if any(draft.rp):  # else everybody sees that there is nothing to spend
            draft.push(RaiseChoice())


def grant(draft: Draft, side: OwnerId, points: int) -> None:
    one, two = draft.rp
    draft.rp = (one + points, two) if side == PRUSSIAN else (one, two + points)


class RaiseChoice(SecretChoice[Raise], rule="C6.2", name="Resource Points", neutral=Raise(0)):
    """Both majors decide in secret and at the same time how many Resource Points they spend (C6.2)."""

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return tuple(side for side in SecretChoice.actors(self, pos) if pos.rp[side])

    def choose(self, pos: Position, side: OwnerId) -> Script[Raise]:
        """Even no points may be spent (C6.2), though they may raise fewer SP than they cost (C6.5)."""
        yield Slot("do", ("raise",), refuse_with("C6.2", '"{}" is not possible now: allocate Resource Points'))
        have = pos.rp[side]

        def price(token: Token) -> str:
            return f"{new_sp(pos, side, int(token))} new SP, {have - int(token)} RP left"

        refuse = refuse_with("C6.2", "{} RP: you have only {}", have)
        return Raise(int((yield Slot("points", range(have + 1), refuse, price=price))))

    def chosen(self, draft: Draft, side: OwnerId, action: Raise) -> None:
        keep_secret(draft, side, RaiseSealed(True, action.points))

    def reveal(self, draft: Draft) -> None:
        """Spent points are open; only the owner sees the number of SP (C6.4, C6.5)."""
        secrets = draft.sealed
        draft.sealed = (None, None)
        draft.pop()
        for side, secret in zip(SIDES, secrets, strict=True):
            if isinstance(secret, RaiseSealed):  # the new SP wait for the Re-deployment Phase (C6.4)
                power, points = MAJORS[side], secret.points
                raised, had = new_sp(draft, side, points), on_map(draft, power)
                grant(draft, side, -points)
                draft.waiting += bag(power, raised)
                draft.emit(ForcesRaised(side=side, power=power, points=points, had=had, raised=raised))
        draft.learn(PRUSSIAN, AUSTRIAN, WATCHER)

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Force Increment: spend any of your {pos.rp[actor]} RP in secret"


MODIFIERS: Final = {1758: -1, 1759: -1, 1760: -2, 1761: -2}
"""By the year just ended (C10.2)."""


class SubsidyPhase(Decision, rule="C10.2", name="British Subsidy Phase"):
    def step(self, draft: Draft) -> None:
        draft.pop()
        if draft.side_of(HANOVER) != NOBODY:  # C10.2: no roll while it is neutral or has surrendered
            draft.push(SubsidyRoll())


class SubsidyRoll(DieRoll, rule="C10.1", name="British Subsidy"):
    def rolled(self, draft: Draft, die: int) -> None:
        """The RP may be used from the next sequence on, because this phase follows the increment (C10.1)."""
        side = draft.side_of(HANOVER)
        row, points = subsidy(draft, die)
        grant(draft, side, points)
        modifiers = subsidy_modifiers(draft)
        draft.emit(SubsidyRolled(side=side, die=die, modifiers=modifiers, row=row, points=points, now=draft.rp[side]))


def subsidy_modifiers(pos: Position) -> Modifiers:
    """Return −1 after 1758 and 1759, −2 after 1760 and 1761 (C10.2)."""
    points = MODIFIERS.get(pos.year, 0)
    return ((f"after {pos.year}", points),) if points else ()


def subsidy(pos: Position, die: int) -> tuple[int, int]:
    """Return the row of the table, never below 1 (C10.2), and its Resource Points (C10.1)."""
    row = max(1, die + sum(points for _, points in subsidy_modifiers(pos)))
    return row, pos.data.subsidy[row - 1]
