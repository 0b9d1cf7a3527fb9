"""The story of a war: each year in a few sentences, its news, and the records of the commanders.

It is made only from the viewer's chronicle and scores, so it reveals nothing else.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from leuthen.engine.ruleset import NOBODY
from leuthen.screen.values import (
    UNLED,
    BattleReport,
    BattleSide,
    CommanderRecord,
    LogEntry,
    LostForce,
    Story,
    Tidings,
    YearStory,
    begun,
)

FATES: Final = {"killed": "Killed", "captured": "Captured", "freed": "Back from captivity"}
SIDES: Final = (0, 1)
COUNTS: Final = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
NAMED: Final = 8  # the most places or news that a year lists one by one


class Moment(NamedTuple):
    """The beginning of a turn, with the scores by name."""

    year: int
    date: str
    scores: Mapping[str, tuple[int, int]]


class DatedEntry(NamedTuple):
    """A line of the chronicle; `turn` is its index into the moments."""

    turn: int
    entry: LogEntry


def make_story(
    sides: tuple[str, str], moments: Sequence[Moment], lines: Sequence[DatedEntry], label: str, *, is_over: bool = True
) -> Story:
    """Return the story of a game. `moments` are its turns and, last, the present; `label` names the score `vp`."""
    sides = _named(sides[0]), _named(sides[1])
    years = sorted({moment.year for moment in moments})
    reports = [line.entry.battle for line in lines if line.entry.battle is not None]
    return Story(
        tuple([_year(year, sides, moments, lines, label, is_over or year < years[-1]) for year in years]),
        commanders(reports, [line.entry.lost for line in lines if line.entry.lost is not None]),
        reports[0].unit if reports else "",
        _war(sides, moments, lines) if len(years) > 1 else (),
    )


def _war(sides: tuple[str, str], moments: Sequence[Moment], lines: Sequence[DatedEntry]) -> tuple[str, str]:
    dated = [moment._replace(date=f"{moment.date} {moment.year}") for moment in moments]
    first = {line.entry.gained: line.entry.side for line in reversed(lines)}
    last = {line.entry.gained: line.entry.side for line in lines}
    lasting = [line for line in lines if first[line.entry.gained] == last[line.entry.gained]]
    return _battles(sides, dated, lines), _fortresses(sides, lasting)


def _named(side: str) -> str:
    return f"the {side}" if side.endswith((" side", "Coalition")) else side


def _year(
    year: int, sides: tuple[str, str], moments: Sequence[Moment], lines: Sequence[DatedEntry], label: str, is_over: bool
) -> YearStory:
    turns = [at for at, moment in enumerate(moments) if moment.year == year]
    told = [line for line in lines if turns[0] <= line.turn <= turns[-1]]
    after = moments[min(turns[-1] + 1, len(moments) - 1)]
    told_so = (
        _battles(sides, moments, told),
        *_lost_forces(sides, moments, told),
        _fortresses(sides, told),
        _balance(sides, moments[turns[0]], after, label, is_over),
    )
    return YearStory(year, told_so, tuple(_news(moments, told)))


def _battles(sides: tuple[str, str], moments: Sequence[Moment], told: Sequence[DatedEntry]) -> str:
    fights = [(line.turn, line.entry.battle) for line in told if line.entry.battle is not None]
    if not fights:
        return "No battle was fought."
    won = Counter(report.winner for _, report in fights)
    turn, great = max(fights, key=lambda fight: sum(_cost(host) for host in fight[1].sides))
    if len(fights) == 1:
        return f"One battle was fought: {_fight(great, moments[turn].date)}."
    many, bloodiest = _count(len(fights)).capitalize(), _fight(great, moments[turn].date)
    return f"{many} battles were fought{_won(sides, won)}. The bloodiest was {bloodiest}."


def _lost_forces(sides: tuple[str, str], moments: Sequence[Moment], told: Sequence[DatedEntry]) -> Iterator[str]:
    lost = [(line.turn, line.entry.lost) for line in told if line.entry.lost is not None]
    if not lost:
        return
    turn, great = max(lost, key=lambda one: one[1].strength)
    where = f"{great.strength} {great.unit} {great.place} in {moments[turn].date}"
    if len(lost) == 1:
        yield begun(f"{sides[great.side]} lost a whole force, {where}, which {great.how}.")
        return
    sums = Counter(force.side for _, force in lost)
    each = [f"{sides[side]} lost {_count(sums[side])} whole force{'s' * (sums[side] > 1)}" for side in sorted(sums)]
    whose = f" was lost by {sides[great.side]} and" if len(sums) > 1 else ""
    yield begun(f"{' and '.join(each)}; the largest, {where},{whose} {great.how}.")


def _won(sides: tuple[str, str], won: Counter[int]) -> str:
    if len(won) == 1:
        (winner,) = won
        whole = ", both" if won.total() == 2 else ", all of them"
        return f"{whole} without a winner" if winner == NOBODY else f"{whole} won by {sides[winner]}"
    first, second = (_count(won[side]) if won[side] else "none" for side in SIDES)
    wins, drawn = (f"{sides[0]} won {first}", f"{sides[1]} {second}"), won[NOBODY]
    return f": {', '.join(wins)}, and {_count(drawn)} had no winner" if drawn else f": {' and '.join(wins)}"


def _fight(report: BattleReport, date: str) -> str:
    cost = sum(_cost(host) for host in report.sides)
    first, second = report.sides
    if report.winner == NOBODY:
        done = f"{_led(first)} and {_led(second)} fought to a draw"
    else:
        winner, loser = report.sides[report.winner], report.sides[1 - report.winner]
        done = f"{_led(winner)} beat {_led(loser)}"
    return f"{report.name} in {date}, where {done}, at a combined cost of {cost} {report.unit}"


def _led(host: BattleSide) -> str:
    if host.commander == UNLED:
        return "a force without a leader"
    is_nameless = host.commander.split()[-1].islower()
    article = "an" if host.commander[:1] in "AEIOU" else "a"
    return f"{article} {host.commander}" if is_nameless else host.commander


def _cost(host: BattleSide) -> int:
    return host.lost + host.taken


def _fortresses(sides: tuple[str, str], told: Sequence[DatedEntry]) -> str:
    last = {line.entry.gained: line.entry.side for line in told if line.entry.gained}
    taken = list[str]()
    for side in SIDES:
        names = [name for name, holder in last.items() if holder == side]
        if (more := len(names) - NAMED) >= 2:
            names[NAMED:] = [f"{_count(more)} more places"]
        taken += [f"{_listed(names)} fell to {sides[side]}"] if names else []
    return f"{', and '.join(taken)}." if taken else "No fortress changed hands."


def _balance(sides: tuple[str, str], before: Moment, after: Moment, label: str, is_over: bool) -> str:
    first, last = (moment.scores.get("vp", (0, 0)) for moment in (before, after))
    changes = [now - then for then, now in zip(first, last, strict=True)]
    moved = [(name, change) for name, change in zip(sides, changes, strict=True) if change]
    whose = ", ".join(f"{name} {'gained' if change > 0 else 'lost'} {abs(change)}" for name, change in moved)
    swing = changes[0] - changes[1]
    if all(changes) and swing:
        whose = f"{whose}, a swing of {abs(swing)} to {sides[swing < 0]}"
    points, when = f"{last[0]} to {last[1]}", "at the end of the year" if is_over else "now"
    if first == (0, 0):  # before anybody was set up
        return f"{label}: {points} {when}."
    start = f"{label}: {first[0]} to {first[1]} at the start of the year"
    return f"{start}, {points} {when}; {whose or 'neither side gained'}."


def _news(moments: Sequence[Moment], told: Sequence[DatedEntry]) -> Iterator[Tidings]:
    politics = [line.entry for line in told if line.entry.topic in ("politics", "attempt")]
    changed = tuple([entry.text for entry in politics if entry.topic == "politics"])
    rolls = tuple([entry.text for entry in politics])
    if politics:
        yield Tidings("Diplomacy and alliances", changed or ("Nothing changed",), rolls if rolls != changed else ())
    leaders = list[tuple[str, str]]()
    for turn, entry in told:
        others = [entry.text] if entry.topic == "leaders" else []
        leaders += [(moments[turn].date, text) for text in [fate.sentence for fate in entry.fates] or others]
    if len(leaders) > NAMED:
        sums = tuple(_sums([line.entry for line in told]))
        yield Tidings("Leaders", sums, tuple([f"{begun(date)}: {text}" for date, text in leaders]))
    elif leaders:
        yield Tidings("Leaders", tuple([text for _, text in leaders]))
    if strength := tuple([line.entry.text for line in told if line.entry.topic == "strength"]):
        yield Tidings("New forces", strength)


def _sums(entries: Sequence[LogEntry]) -> Iterator[str]:
    for fate, word in FATES.items():
        names = Counter(one.leader for entry in entries for one in entry.fates if one.fate == fate)
        if names:
            counts = {1: "", 2: " (twice)"}
            listed = [name + counts.get(number, f" ({_count(number)} times)") for name, number in names.items()]
            yield f"{word}: {_listed(listed)}"
    others = [entry.text for entry in entries if entry.topic == "leaders" and not entry.fates]
    yield from others if len(others) <= NAMED else [f"Arrived, left or changed command: {_count(len(others))}"]


def commanders(reports: Iterable[BattleReport], lost: Iterable[LostForce] = ()) -> tuple[CommanderRecord, ...]:
    """Return the records of all who commanded in a battle or lost a whole force, those with most battles first."""
    sums: dict[tuple[int, str], list[int]] = {}

    def add(side: int, name: str, *facts: int) -> None:
        record = sums.setdefault((side, name), [0] * len(facts))
        sums[side, name] = [old + new for old, new in zip(record, facts, strict=True)]

    for report in reports:
        for side in SIDES:
            own, other = report.sides[side], report.sides[1 - side]
            if own.commander != UNLED:
                won = report.winner == side, report.winner == 1 - side
                add(side, own.commander, 1, *won, _cost(own), _cost(other), 0)
    for force in lost:
        if force.commander:
            add(force.side, force.commander, 0, 0, 0, force.strength, 0, 1)
    found = [CommanderRecord(name, side, *record) for (side, name), record in sums.items()]
    return tuple(sorted(found, key=lambda one: (-one.battles, -one.won, one.side, one.name)))


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _count(number: int) -> str:
    return COUNTS[number] if number < len(COUNTS) else str(number)
