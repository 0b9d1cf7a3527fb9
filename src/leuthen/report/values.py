"""What a report says, as values. Chances are the first side's, from 0 to 1; points are hundredths of a chance."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

Grade: TypeAlias = Literal["none", "small", "medium", "large"]
GRADES: Final[tuple[tuple[float, Grade], ...]] = ((0.5, "none"), (3.0, "small"), (7.0, "medium"))
"""Below how many points of winning chance an error is called so; from the last on it is large."""


def grade_of(cost: float) -> Grade:
    """What an error is called that cost so many points."""
    return next((name for bound, name in GRADES if cost < bound), "large")


class ChanceAt(msgspec.Struct, frozen=True):
    """The first side's winning chance when a turn began, after a line of the record (0: before the first).

    `known` is what each side could know: the mean over worlds of its view; `open` that of the true position.
    """

    line: int
    date: tuple[int, int]
    known: tuple[float, float]
    open: float


class Judgement(msgspec.Struct, frozen=True):
    """A decision beside what the staff would have done, by what its side could know.

    `cost` is how many points the staff's order is better by, less than 0 if it is worse; `error` the standard error of
    that, over so many `worlds` with the same dice for both. `why` is the staff's plan for the army.
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
    """An answer of chance, and what it brought the first side against what was to be expected, in chance."""

    line: int
    date: tuple[int, int]
    decision: str
    answer: str
    gain: float


class ChanceAccount(msgspec.Struct, frozen=True):
    """Where the first side's winning chance went: `final - initial` is the sum of the four.

    `luck` is that of all dice, `decisions` what each side's errors gave to the first side, `evaluator` what neither
    explains: the error of whoever gives the chances.
    """

    initial: float
    final: float
    luck: float
    decisions: tuple[float, float]
    evaluator: float


class Belief(msgspec.Struct, frozen=True):
    """How strong an enemy force was taken to be: the mean and the bounds over worlds of the view, and the truth."""

    force: str
    mean: float
    least: int
    most: int
    truth: int


class KeyMoment(msgspec.Struct, frozen=True):
    """One of the moments that mattered: a decision or a die, by its line of the record; beliefs beside the truth."""

    line: int
    points: float
    judged: Judgement | None = None
    luck: DieLuck | None = None
    beliefs: tuple[Belief, ...] = ()


class SideReport(msgspec.Struct, frozen=True):
    """The report of one side as it could know it: a function of its views and its orders, and of nothing else."""

    side: int
    chances: tuple[float, ...]
    judged: tuple[Judgement, ...]
    alike: int
    """Decisions in which the side did as its staff would have done."""
    tried: int
    """Decisions in which it did not; `judged` are those of them that a first look found doubtful."""


class WarReport(msgspec.Struct, frozen=True):
    """The report on a war."""

    ruleset: str
    sides: tuple[str, str]
    evaluator: str
    """Version of what gives the chances: a report of another one is made anew."""
    seed: str
    outcome: str
    chances: tuple[ChanceAt, ...]
    account: ChanceAccount
    years: tuple[tuple[int, ChanceAccount], ...]
    known: tuple[SideReport, ...]
    luck: tuple[DieLuck, ...]
    """The dice that brought half a point or more."""
    moments: tuple[KeyMoment, ...]
