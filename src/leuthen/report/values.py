"""The values of a report. Chances are the first side's, from 0 to 1; points are hundredths of a chance."""

from typing import Final, Literal, TypeAlias

import msgspec

Grade: TypeAlias = Literal["none", "small", "medium", "large"]
GRADES: Final[tuple[tuple[float, Grade], ...]] = ((0.5, "none"), (3.0, "small"), (7.0, "medium"))
"""Upper bounds of the grades, in points; above the last an error is large."""


def grade_of(cost: float) -> Grade:
    return next((name for bound, name in GRADES if cost < bound), "large")


class ChanceAt(msgspec.Struct, frozen=True):
    """The first side's winning chance at the beginning of a turn, after a line of the record (0: before the first).

    `known` is the mean over worlds of each side's view, `open` the chance in the true position.
    """

    line: int
    date: tuple[int, int]
    known: tuple[float, float]
    open: float


class Judgement(msgspec.Struct, frozen=True):
    """A decision compared with the staff's, by the side's own knowledge.

    `cost` is the advantage of the staff's order in points, `error` its standard error over `worlds` with the same dice
    for both. `why` is the staff's plan for the army.
    """

    line: int
    side: int
    date: tuple[int, int]
    decision: str
    order: str
    staff: str
    why: tuple[str, ...]
    cost: float
    error: float
    worlds: int
    grade: Grade


class DieLuck(msgspec.Struct, frozen=True):
    """A roll, with the first side's gain in chance against the expectation."""

    line: int
    date: tuple[int, int]
    decision: str
    answer: str
    gain: float


class ChanceAccount(msgspec.Struct, frozen=True):
    """The changes of the first side's winning chance: `final - initial` is the sum of the rest.

    `luck` sums the dice, `decisions` each side's errors as gains of the first side, `evaluator` the unexplained rest.
    """

    initial: float
    final: float
    luck: float
    decisions: tuple[float, float]
    evaluator: float


class Belief(msgspec.Struct, frozen=True):
    """A belief about the strength of an enemy force: mean and bounds over worlds of the view, and the truth."""

    force: str
    mean: float
    least: int
    most: int
    truth: int


class KeyMoment(msgspec.Struct, frozen=True):
    """A decision or a die that mattered, with the side's beliefs beside the truth."""

    line: int
    points: float
    judged: Judgement | None = None
    luck: DieLuck | None = None
    beliefs: tuple[Belief, ...] = ()


class SideReport(msgspec.Struct, frozen=True):
    """The report of one side: a function of its views and its orders alone."""

    side: int
    chances: tuple[float, ...]
    judged: tuple[Judgement, ...]
    alike: int  # decisions equal to the staff's
    tried: int
    """Other decisions; `judged` are those that a first look found doubtful."""


class WarReport(msgspec.Struct, frozen=True):
    ruleset: str
    sides: tuple[str, str]
    evaluator: str  # the version of the evaluator: a report of another version is made again
    seed: str
    outcome: str
    chances: tuple[ChanceAt, ...]
    account: ChanceAccount
    years: tuple[tuple[int, ChanceAccount], ...]
    known: tuple[SideReport, ...]
    luck: tuple[DieLuck, ...]
    moments: tuple[KeyMoment, ...]
