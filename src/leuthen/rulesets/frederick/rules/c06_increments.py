"""C6: Resource Points, and the new SP that the majors raise with them."""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.engine.choice import Script, Slot, Token
from leuthen.engine.decision import never
from leuthen.engine.ruleset import WATCHER, ActorId, OwnerId, Side
from leuthen.rulesets.frederick.model.actions import Raise
from leuthen.rulesets.frederick.model.data import GameOptions
from leuthen.rulesets.frederick.model.decisions import Decision, Secret, SecretChoice, keep_secret
from leuthen.rulesets.frederick.model.events.grand import ForcesRaised, PointsGranted
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES, UNKNOWN
from leuthen.rulesets.frederick.model.stacks import on_map
from leuthen.rulesets.frederick.model.state import Draft, Position, enemy_of
from leuthen.rulesets.frederick.rules.c02_setup import FIRST_YEAR, MAJORS
from leuthen.wargame.strength import bag, of

PRUSSIAN_POINTS: Final = 22
AUSTRIAN_POINTS: Final = 30
"""Resource Points after 1756, if no others are chosen (C6.1)."""


def granted(options: GameOptions) -> tuple[int, int]:
    """The Resource Points that both majors receive once, after 1756, by side (C6.1)."""
    chosen = options.austrian_points
    return PRUSSIAN_POINTS, AUSTRIAN_POINTS if chosen is msgspec.UNSET else chosen


def share_of(sp: int, percent: int) -> int:
    """A percentage of some SP, any fraction rounded up (C6.3, C7.4)."""
    return -(-sp * percent // 100)


def new_sp(pos: Position, side: OwnerId, points: int) -> int:
    """The SP that Resource Points raise: 10 % each of the major's own SP on the map, rounded up once (C6.3)."""
    return min(share_of(on_map(pos, MAJORS[side]), 10 * points), counters_left(pos, side))


def counters_left(pos: Position, side: OwnerId) -> int:
    """The major's unused SP counters: those on the map, waiting and in enemy hands are in use (C6.5)."""
    if pos.options.counters == "unlimited":
        return UNKNOWN
    power = MAJORS[side]
    used = on_map(pos, power) + of(pos.waiting, power) + of(pos.prisoners[enemy_of(side)], power)
    return max(0, pos.data.powers[power].counters - used)


class RaiseSealed(Secret, frozen=True, gc=False, tag="raise-sealed"):
    """The Resource Points that a side spends this year."""

    points: int = 0


class ForceIncrementPhase(Decision, rule="C6.1", name="Force Increment Phase"):
    """The Force Increment Phase (C6)."""

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
    """A side has so many Resource Points more."""
    rp = list(draft.rp)
    rp[side] += points
    draft.rp = (rp[0], rp[1])


class RaiseChoice(SecretChoice[Raise], rule="C6.2", name="Resource Points", neutral=Raise(0)):
    """Both majors decide in secret and at the same time how many Resource Points they spend (C6.2)."""

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The sides that have points and have not sealed."""
        return tuple(side for side in SecretChoice.actors(self, pos) if pos.rp[side])

    def choose(self, pos: Position, side: OwnerId) -> Script[Raise]:
        """As many of its points as the side likes (C6.2), though they may raise fewer SP than they cost (C6.5)."""
        yield Slot("do", ("raise",), never("C6.2", "«{}» is not for now: Resource Points are to be allocated"))
        have = pos.rp[side]
        refuse = never("C6.2", "{} RP: there are only {}", have)
        points = yield Slot("points", range(have + 1), refuse, price=lambda token: self._price(pos, side, token))
        return Raise(int(points))

    def _price(self, pos: Position, side: OwnerId, token: Token) -> str:
        return f"{new_sp(pos, side, int(token))} new SP, {pos.rp[side] - int(token)} RP left"

    def chosen(self, draft: Draft, side: OwnerId, action: Raise) -> None:
        keep_secret(draft, side, RaiseSealed(True, action.points))

    def reveal(self, draft: Draft) -> None:
        """The points are spent and shown; how many SP they make only the owner sees (C6.4, C6.5)."""
        secrets = draft.sealed
        draft.sealed = (None, None)
        draft.pop()
        for side in SIDES:
            secret = secrets[side]
            if isinstance(secret, RaiseSealed):
                raise_forces(draft, side, secret.points)
        draft.learn(PRUSSIAN, AUSTRIAN, WATCHER)

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Force Increment: spend any of your {pos.rp[actor]} RP in secret"


def raise_forces(draft: Draft, side: OwnerId, points: int) -> None:
    """The points are gone; the new SP wait for the Re-deployment Phase (C6.4)."""
    power = MAJORS[side]
    raised = new_sp(draft, side, points)
    grant(draft, side, -points)
    draft.waiting += bag(power, raised)
    had = on_map(draft, power)
    draft.emit(ForcesRaised(side=side, power=power, points=points, had=had, raised=raised))
