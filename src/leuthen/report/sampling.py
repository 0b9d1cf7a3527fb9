"""The cost of a decision: its order compared with the staff's in the same sampled worlds with the same dice.

In each world the staff plays both sides for a while. A judgement uses nothing that the side could not know.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import compress
from typing import Final

import msgspec

from leuthen.bots import GuardedBot
from leuthen.engine.choice import Action
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, SIDES, Side, Thinker
from leuthen.load import analyst_of, make_level, sample_likely_state, value_of
from leuthen.report.course import Act, Course, Position
from leuthen.report.values import Judgement, SideReport, grade_of
from leuthen.screen.presenter import TableRuleset
from leuthen.wargame.bot.commander import Commander
from leuthen.wargame.missions import lines_of
from leuthen.wargame.search import Stream, mean, seed_of, standard_error

OFFICER: Final = "captain"
SEED: Final = 0  # the staff's seed, for choices between nearly equal orders
METHOD: Final = 4  # the version of the method: increase it when the captain's answers or the reports change
MOST: Final = 2_000  # the most answers in one playing on; more is a fault of the rule set
SLIGHT: Final = 0.1  # the least difference of two orders in a world, in points
SAID: Final = 3  # the most lines of the staff's plan
DOUBT: Final = 0.5  # the least cost or gain, with its standard error, of a decision that is tried again


class WorldDice:
    """Dice for one world. The n-th roll of a kind in a turn is the same, whatever else is rolled in between."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._fallen: Counter[tuple[tuple[int, int], str]] = Counter()

    def answer(self, date: tuple[int, int], decision: str, odds: tuple[tuple[Action, Fraction], ...]) -> Action:
        key = date, decision
        self._fallen[key] += 1
        return Stream(seed_of(self._seed, *date, decision, self._fallen[key])).pick(odds)


def evaluator_of(name: str) -> str:
    """Return the version of the evaluator: learned value and method. Raises Invalid for a rule set without one."""
    return f"{value_of(name).digest}-{METHOD}"


def _guarded(staff: Thinker) -> GuardedBot:
    return GuardedBot(OFFICER, lambda: staff)


class Headquarters:
    """The staffs of both sides, with the evaluator of positions."""

    def __init__(self, ruleset: TableRuleset) -> None:
        self.ruleset = ruleset
        self.analyst = analyst_of(ruleset.name)
        self.value = value_of(ruleset.name)
        self._staffs = [make_level(ruleset.name, OFFICER, side, SEED) for side in SIDES]
        self._bots = [_guarded(staff) for staff in self._staffs]

    def chance(self, state: Position) -> float:
        """Return the first side's chance to win, from 0 to 1, a draw as half; for a finished game its score."""
        return self.value.chance(self.analyst.settled(state))

    def world(self, view: Position, mark: int) -> Position:
        """Return a world that fits a side's view, near what is usual in such wars; the same for the same mark."""
        return sample_likely_state(self.ruleset, view, Stream(mark))

    def staff(self, side: Side, thought: bytes) -> Thinker:
        staff = self._staffs[side]
        staff.thought = thought
        return staff

    def tell(self, side: Side, thought: bytes, view: Position) -> list[str]:
        staff = self.staff(side, thought)
        return lines_of(staff.missions(view).assignments()) if isinstance(staff, Commander) else []

    def order(self, side: Side, state: Position, view: Position) -> Action:
        """Return the order of a side's staff. Raises BotFailed."""
        pending = next(one for one in self.ruleset.pending(state) if one.actor == side)
        return self._bots[side].choose(lambda: view, self.ruleset.legal_actions(state, side), pending)

    def chance_after(self, state: Position, side: Side, thought: bytes, seed: int) -> float:
        """Return a side's winning chance after the staffs have played on for a while."""
        for one in SIDES:
            self.staff(one, thought if one == side else b"")
        ruleset, fates, until = self.ruleset, WorldDice(seed), self.analyst.turn(state) + self.analyst.horizon
        for _ in range(MOST):
            awaited = ruleset.pending(state)
            if not awaited or self.analyst.turn(state) >= until:
                chance = self.chance(state)
                return chance if side == 0 else 1 - chance
            actor = awaited[0].actor
            if actor == CHANCE:
                action = fates.answer(ruleset.date(state), awaited[0].decision, ruleset.chances(state))
            else:
                action = self.order(actor, state, ruleset.view(state, actor))
            state = ruleset.apply(state, actor, action).state
        raise Invalid(f'the game played on does not end; it awaits "{ruleset.pending(state)[0].text}"')


# --- what a side could know -------------------------------------------------------------------------------------------


class Effort(msgspec.Struct, frozen=True):
    """The numbers of worlds that are sampled: for the chance at the beginning of a turn, for the first look at a
    decision (only `enough` if hardly anything differs), and for the doubtful ones (`more`, all of them new worlds)."""

    chance: int = 16
    enough: int = 4
    first: int = 8
    more: int = 64


class Sampling(msgspec.Struct, frozen=True):
    seed: str
    effort: Effort = Effort()


class Disagreement(msgspec.Struct, frozen=True):
    """A decision that differs from the staff's, with everything that the judgement may use."""

    line: int
    side: Side
    date: tuple[int, int]
    decision: str
    view: bytes
    thought: bytes
    order: str
    staff: str


class SideKnowledge(msgspec.Struct, frozen=True):
    """A side's chance at each turn, its decisions that differ from the staff's, and the number of those that do not."""

    chances: tuple[float, ...]
    questions: tuple[Disagreement, ...]
    alike: int


def gather_knowledge(headquarters: Headquarters, course: Course, side: Side, trial: Sampling) -> SideKnowledge:
    """Return the knowledge of a side in the course of a game, whose staff plans along with it.

    An action of a side that was not asked (reopening a sealed choice) is not compared with its staff's.
    """
    ruleset, thought, found, alike = headquarters.ruleset, b"", [], 0
    for act in course.acts:
        own = ruleset.pending(act.before) if act.actor == side else ()
        asked = next((one for one in own if one.actor == side), None)
        if asked is None:
            continue
        view, staff = ruleset.view(act.before, side), headquarters.staff(side, thought)
        advice = ruleset.format_action(view, side, headquarters.order(side, act.before, view))
        order, thought = ruleset.format_action(view, side, act.action), staff.thought
        if advice == order:
            alike += 1
            continue
        date, text = ruleset.date(act.before), ruleset.encode_view(view)
        found.append(Disagreement(act.line, side, date, asked.decision, text, thought, order, advice))
    chances = []  # of the first side, as this side could know it: the mean over worlds of its view
    for turn in turns_of(ruleset, course):
        view = ruleset.view(turn.before, side)
        marks = (seed_of(trial.seed, ruleset.encode_view(view), n, "chance") for n in range(trial.effort.chance))
        chances.append(mean([headquarters.chance(headquarters.world(view, mark)) for mark in marks]))
    return SideKnowledge(tuple(chances), tuple(found), alike)


def turns_of(ruleset: TableRuleset, course: Course) -> list[Act]:
    dates = [ruleset.date(act.before) for act in course.acts]
    return list(compress(course.acts, (at == 0 or dates[at] != dates[at - 1] for at in range(len(dates)))))


# --- what was tried ---------------------------------------------------------------------------------------------------


class WorldTask(msgspec.Struct, frozen=True):
    """A question with the numbers of the worlds to try it in; `enough` may stop it early."""

    question: Disagreement
    worlds: tuple[int, ...]
    enough: int | None = None


class TrialResult(msgspec.Struct, frozen=True):
    """The result of a task: by world, the advantage of the staff's order in points."""

    gains: tuple[float, ...]

    @property
    def cost(self) -> float:
        """The mean advantage of the staff's order; 0 if nothing could be tried."""
        return mean(self.gains) if self.gains else 0.0

    @property
    def error(self) -> float:
        """The standard error of the cost; 0 if nothing differs."""
        return standard_error(self.gains) if len(self.gains) > 1 else 0.0


def compare_orders(
    headquarters: Headquarters, question: Disagreement, worlds: Sequence[int], seed: str, enough: int | None = None
) -> TrialResult:
    """Try both orders in numbered worlds; stop after `enough` if hardly anything differs in them."""
    view = headquarters.ruleset.decode_view(question.view)
    gains: list[float] = []
    for number in worlds:
        if len(gains) == enough and max(map(abs, gains), default=0.0) < SLIGHT:
            break
        mark = seed_of(seed, question.view, number)
        world = headquarters.world(view, seed_of(mark, "world"))
        ruleset, side, dice = headquarters.ruleset, question.side, seed_of(mark, "dice")
        try:
            actions = [ruleset.parse_action(world, side, text) for text in (question.staff, question.order)]
            states = [ruleset.apply(world, side, action).state for action in actions]
            staff, own = (headquarters.chance_after(state, side, question.thought, dice) for state in states)
        except (Illegal, Invalid):
            continue
        gains.append(100 * (staff - own))
    return TrialResult(tuple(gains))


def about(told: Sequence[str], *orders: str) -> tuple[str, ...]:
    """Return the lines of a plan that concern a leader named in an order."""
    words = {word for order in orders for word in order.replace(",", " ").split()}
    return tuple([line for line in told if line.split(",")[0].split(" ")[0] in words][:SAID])


def first_tasks(told: Iterable[SideKnowledge], effort: Effort) -> list[WorldTask]:
    return [
        WorldTask(question, tuple(range(effort.first)), effort.enough) for one in told for question in one.questions
    ]


def doubtful_tasks(tasks: Iterable[WorldTask], looks: Iterable[TrialResult], effort: Effort) -> list[WorldTask]:
    """Return the tasks to try again: every decision that may have cost or gained half a point."""
    doubtful = [task for task, look in zip(tasks, looks, strict=True) if abs(look.cost) + look.error >= DOUBT]
    worlds = tuple(range(effort.first, effort.first + effort.more))
    return [WorldTask(task.question, worlds) for task in doubtful]


def side_reports(
    headquarters: Headquarters, told: Sequence[SideKnowledge], tasks: Sequence[WorldTask], looks: Sequence[TrialResult]
) -> list[SideReport]:
    judged: tuple[list[Judgement], list[Judgement]] = [], []
    for asked, look in zip([task.question for task in tasks], looks, strict=True):
        plan = headquarters.tell(asked.side, asked.thought, headquarters.ruleset.decode_view(asked.view))
        why = about(plan, asked.staff, asked.order)
        verdict = Judgement(
            asked.line, asked.side, asked.date, asked.decision, asked.order, asked.staff,
            why, look.cost, look.error, len(look.gains), grade_of(look.cost),
        )  # fmt: skip
        judged[asked.side].append(verdict)
    return [
        SideReport(side, one.chances, tuple(judged[side]), one.alike, len(one.questions))
        for side, one in enumerate(told)
    ]
