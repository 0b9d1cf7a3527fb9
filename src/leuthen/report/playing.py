"""Plays positions on in thought: the staff leads both sides for a while, dice fall by what they are for."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import partial
from typing import Final

from leuthen.bots.guard import GuardedBot
from leuthen.engine.choice import Action
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, SIDES, Ruleset, Side
from leuthen.engine.seat import Thinker
from leuthen.load import analyst_of, believed_world, general_of, value_of
from leuthen.report.course import Position
from leuthen.wargame.search import Stream, seed_of
from leuthen.wargame.staff import Staff, lines_of

OFFICER: Final = "captain"
SEED: Final = 0
"""The staff's own: by it they choose among what is nearly equal."""
METHOD: Final = 4
"""The version of how wars are judged: counted up when a captain answers otherwise or a report is made otherwise."""
MOST: Final = 2_000
"""Answers in one playing on: more is a fault of the rule set."""


class WorldDice:
    """Dice for one world. The n-th of a kind in a turn is the same, whatever else has been rolled in between."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._fallen: Counter[tuple[tuple[int, int], str]] = Counter()

    def answer(self, date: tuple[int, int], decision: str, odds: tuple[tuple[Action, Fraction], ...]) -> Action:
        """The answer of chance to a decision of that name."""
        key = date, decision
        self._fallen[key] += 1
        return Stream(seed_of(self._seed, *date, decision, self._fallen[key])).pick(odds)


def evaluator_of(name: str) -> str:
    """The version of who judges wars: the learned value and the method. Raises Invalid for a rule set without one."""
    return f"{value_of(name).digest}-{METHOD}"


def _itself(staff: Thinker) -> Thinker:
    return staff


class Headquarters:
    """The staffs of both sides in thought, and who gives the chances."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.analyst = analyst_of(ruleset.name)
        self.value = value_of(ruleset.name)
        self.horizon = self.analyst.horizon
        self._staffs = [general_of(ruleset.name, OFFICER, side, SEED) for side in SIDES]
        self._bots = [GuardedBot(OFFICER, partial(_itself, staff)) for staff in self._staffs]

    def chance(self, state: Position) -> float:
        """The first side's chance to win, from 0 to 1, a draw as half; of a finished game what it scored."""
        return self.value.chance(self.analyst.settled(state))

    def world(self, view: Position, mark: int) -> Position:
        """A world of a side's view, near what is usual in such wars; the same for the same mark."""
        return believed_world(self.ruleset, view, Stream(mark))

    def staff(self, side: Side, thought: bytes) -> Thinker:
        """The staff of a side with a thought of its own."""
        staff = self._staffs[side]
        staff.thought = thought
        return staff

    def tell(self, side: Side, thought: bytes, view: Position) -> list[str]:
        """The staff's plan in words."""
        staff = self.staff(side, thought)
        return lines_of(staff.missions(view).assignments()) if isinstance(staff, Staff) else []

    def order(self, side: Side, state: Position, view: Position) -> Action:
        """What the staff of a side orders, with the thought that it has. Raises BotFailed."""
        pending = next(one for one in self.ruleset.pending(state) if one.actor == side)
        return self._bots[side].choose(lambda: view, self.ruleset.legal_actions(state, side), pending)

    def chance_after(self, state: Position, side: Side, thought: bytes, seed: int) -> float:
        """A side's winning chance when its staff and the other's have played on for a while."""
        for one in SIDES:
            self.staff(one, thought if one == side else b"")
        reached = self._play_on(state, WorldDice(seed))
        chance = self.chance(reached)
        return chance if side == 0 else 1 - chance

    def _play_on(self, state: Position, fates: WorldDice) -> Position:
        ruleset, begun = self.ruleset, self.analyst.turn(state)
        until = begun + self.horizon
        for _ in range(MOST):
            awaited = ruleset.pending(state)
            if not awaited or self.analyst.turn(state) >= until:
                return state
            actor = awaited[0].actor
            if actor == CHANCE:
                action = fates.answer(ruleset.date(state), awaited[0].decision, ruleset.chances(state))
            else:
                action = self.order(actor, state, ruleset.view(state, actor))
            state = ruleset.apply(state, actor, action).state
        raise Invalid(f"a playing on does not end; it awaits «{ruleset.pending(state)[0].text}»")
