"""Numbers and rolls as text: signs, modifiers, probabilities, tables of the game, and log entries with their rolls."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Final, TypeAlias

import msgspec

from leuthen.engine.events import Event
from leuthen.engine.ruleset import SIDES
from leuthen.screen.values import (
    Hints,
    LogEntry,
    Luck,
    OddsResult,
    ScenarioCard,
    Spot,
    Spread,
    TableCard,
    TheatreCard,
    Town,
)
from leuthen.wargame.board import Board, Hex, hex_name, hexes_of, rows_of
from leuthen.wargame.names import simplify
from leuthen.wargame.war import THEATRES, theatre_of

Rows: TypeAlias = Iterable[tuple[object, ...]]
Values: TypeAlias = Iterable[tuple[int, Fraction]]  # numbers, each with its probability
SURE: Final = Fraction(1)


def signed(number: int) -> str:
    """Return a number with a true minus sign: "−1"."""
    return str(number).replace("-", "−")


def plus(number: int) -> str:
    """Return a modifier with its sign: "+1", "−2", "0"."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def result_now(lead: int, level: str, sides: tuple[str, str]) -> str:
    """Return the result if the game ended now: "substantial victory (Prussia +25)". `lead` is the first side's."""
    who = f"{sides[lead < 0]} {plus(abs(lead))}" if lead else "even"
    return f"{level if level == 'draw' else f'{level} victory'} ({who})"


def percent_text(chance: Fraction) -> str:
    """Return a probability in whole per cent; "<1 %" and ">99 %" mark what is neither impossible nor certain."""
    if 0 < chance < Fraction(1, 100):
        return "<1 %"
    if Fraction(99, 100) < chance < 1:
        return ">99 %"
    return f"{round(100 * chance)} %"


def part(label: str, chance: Fraction, value: int | None = None) -> OddsResult:
    return OddsResult(label, str(chance), float(chance), value)


def parts(words: Iterable[str], chances: Iterable[Fraction]) -> tuple[OddsResult, ...]:
    return tuple([part(word, chance) for word, chance in zip(words, chances, strict=True)])


def yes_no_results(yes: str, chance: Fraction, no: str) -> tuple[OddsResult, ...]:
    return part(yes, chance), part(no, SURE - chance)


def loss_or_none(unit: str, loss: Values) -> tuple[OddsResult, ...]:
    """Return the chances of a loss and of no loss, without a result of probability 0."""
    none = sum((chance for value, chance in loss if not value), Fraction(0))
    return tuple([result for result in yes_no_results("no loss", none, f"loses {unit}") if result.chance])


def spread_of(label: str, side: int, values: Values) -> Spread:
    return Spread(label, side, tuple(part(str(value), chance, value) for value, chance in values))


def make_card(ident: str, title: str, rule: str, columns: Iterable[str], rows: Rows, *notes: str) -> TableCard:
    return TableCard(ident, title, rule, tuple(columns), tuple([tuple(map(str, row)) for row in rows]), notes)


DRAWN: Final = 5  # largest distance from par that is a draw (C14.5, R16.4)


def _wins(lead: int) -> str:
    return f"lead by {lead} VP or more" if lead > 0 else f"trail by at most {-lead} VP" if lead else "trail by no VP"


def scenario_card(
    name: str, text: str, begins: tuple[int, int], ends: tuple[int, int], year: int, par: int | None, pace: int,
    hints: Hints = ((), ()), wins: tuple[str, str] = ("", ""),
) -> ScenarioCard:  # fmt: skip
    """Return the card of a scenario, from its first and last turn (year and number), the turns of a `year`, and the
    minutes that a turn takes (`pace`). `wins` is made from par if there is one."""
    years = ends[0] - begins[0] + 1
    turns = (years - 1) * year + ends[1] - begins[1] + 1
    kind = "war" if years > 1 else "evening" if 2 * turns <= year else "year"
    if par is not None:
        wins = (_wins(DRAWN + 1 + par), _wins(DRAWN + 1 - par))
    return ScenarioCard(name, text, kind, years, turns, par, turns * pace, ends, wins, hints)


def towns_of(named: Iterable[tuple[str, Hex]]) -> list[Town]:
    """Return every name once per hex, in the order given."""
    found: dict[tuple[str, Hex], str] = {}
    for name, here in named:
        if name:
            found.setdefault((simplify(name), here), name)
    return [Town(name, hex_name(here)) for (_, here), name in found.items()]


def theatre_cards(board: Board) -> tuple[TheatreCard, ...]:
    found: dict[str, list[Hex]] = {word: [] for word in THEATRES}
    for here in hexes_of(board.land):
        found[theatre_of(board.territory[here])].append(here)
    return tuple([TheatreCard(THEATRES[word], rows_of(map(hex_name, hexes))) for word, hexes in found.items()])


# --- log entries ------------------------------------------------------------------------------------------------------


Parts: TypeAlias = tuple[tuple[int, str], ...]
ONE_DIE: Final = range(1, 7)
TWO_DICE: Final = range(2, 13)


class DiceCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A roll of one die, or of two as their sum, with its modifiers.

    `counts` is the result after the limits of a table, `need` the number that was needed or the effect, `spot` the
    table cell. `worth` rates a face for `side`, more is better; without it the roll has no luck. `is_shared` means that
    the other side's luck is the opposite.
    """

    side: int
    die: int
    parts: Parts = ()
    counts: int | None = None
    need: str = ""
    spot: Spot | None = None
    worth: Callable[[int], float] | None = None
    is_shared: bool = False
    is_sum: bool = False

    @property
    def total(self) -> int:
        return self.die + sum(number for number, _ in self.parts)

    def steps(self) -> Iterator[str]:
        """Yield the steps from the die to the total: modifiers with reasons, the counted result, the need."""
        counting = [(number, reason) for number, reason in self.parts if number]
        yield f"{'dice' if self.is_sum else 'die'} {self.die}"
        yield from (f"{plus(number)} {reason}" for number, reason in counting)
        if counting:
            yield f"= {signed(self.total)}"
        if self.counts not in (None, self.total):
            yield f"counts as {signed(self.counts or 0)}"
        if self.need:
            yield self.need

    def luck(self) -> tuple[Luck, ...]:
        """Return the luck of the roll for its side, and for the other side if it is shared: the probability of a worse
        face plus half that of an equal one (0 to 1); none if all faces are equal.
        """
        faces = TWO_DICE if self.is_sum else ONE_DIE
        if self.worth is None or self.side not in SIDES or self.die not in faces:
            return ()
        mine, worths = self.worth(self.die), [self.worth(face) for face in faces]
        if min(worths) == max(worths):
            return ()
        ways = [6 - abs(7 - face) for face in faces] if self.is_sum else [1] * len(faces)
        less = sum(way for worth, way in zip(worths, ways, strict=True) if worth < mine)
        equal = sum(way for worth, way in zip(worths, ways, strict=True) if worth == mine)
        value = round((less + equal / 2) / sum(ways), 4)
        own = Luck(self.side, value)
        return (own, Luck(1 - self.side, round(1 - value, 4))) if self.is_shared else (own,)


def die_of(event: Event) -> int:
    """Return the die of an event, or the sum of two; 0 if nothing was rolled."""
    found: int = getattr(event, "die", 0) or getattr(event, "dice", 0)
    return found


def check_roll(event: Any, worth: Callable[[int], float] | None = None, **more: Any) -> DiceCheck:
    """Return the roll of an event with its `modifiers` (reason and number), unless other `parts` are given; `worth`
    rates the sum."""
    parts: Parts = more.pop("parts", tuple((number, reason) for reason, number in getattr(event, "modifiers", ())))
    added = sum(number for number, _ in parts)
    return DiceCheck(
        **{"side": event.side, "is_sum": hasattr(event, "dice"), **more},
        die=die_of(event),
        parts=parts,
        worth=(lambda face: worth(face + added)) if worth else None,
    )


def make_entry(event: Event, text: str, check: DiceCheck | None, **more: Any) -> LogEntry:
    """Return the log entry of an event with its roll; `more` are fields that the rule set adds."""
    return LogEntry(
        event=str(event.__struct_config__.tag),
        text=text,
        rule=event.rule,
        side=event.side,
        hurts=event.hurts,
        is_small=event.IS_SMALL,
        path=tuple(map(hex_name, event.way)),
        topic=event.topic,
        dice=(check.die,) if check else (),
        steps=tuple(check.steps()) if check else (),
        spot=check.spot if check else None,
        luck=check.luck() if check else (),
        is_sum=check is not None and check.is_sum,
        **more,
    )
