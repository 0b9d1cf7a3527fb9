"""Printed output: plain text, rules set from Markdown, odds as lines, and the situation in 80 to 100 columns.

The situation is made from the same values that a browser draws.
"""

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rich.text import Text

from leuthen.engine.refusal import Ambiguous, Invalid, require
from leuthen.load import Rule, Rulebook
from leuthen.screen.figures import percent_text
from leuthen.screen.front import front_in_words
from leuthen.screen.presenter import TableRuleset
from leuthen.screen.values import MusterEntry, Odds, OddsResult, Piece, Place, Scene, Setting, Spread
from leuthen.wargame.board import MOUNTAIN, WATER, WIDTH, Board, Hex, hex_name, parse_hex
from leuthen.wargame.names import Index, simplify
from leuthen.wargame.strength import NO_BOUND

if TYPE_CHECKING:
    from rich.console import Console

COLOURS: Final = ("bold bright_blue", "bold bright_red")
_COLUMN: Final = re.compile(r"\s*\S.{0,30}?\s{2,}(?=\S)")  # the head of a list line, with the gap after it
_LISTED: Final = 8  # the most rules that are quoted whole
_CLEAR_ALL: Final = "\x1b[H\x1b[2J\x1b[3J"


class Page:
    """A console that prints every text literally."""

    def __init__(self, console: "Console") -> None:
        self._console = console

    def say(self, text: str = "", style: str = "") -> None:
        """Print a text; on a terminal its lines are broken between words."""
        if self._console.is_terminal:
            text = "\n".join(wrap_line(line, self._console.width) for line in text.split("\n"))
        self._print(text, style)

    def draw(self, text: str, sides: Sequence[str] = ()) -> None:
        """Print a character map, with each side's pieces (a letter of `sides` before a strength) in its colour."""
        drawn = Text(text)
        for letter, colour in zip(sides, COLOURS, strict=False):
            drawn.highlight_regex(rf"\b{letter}(?=[\d(<>?l])[\d()<>?l]*", colour)
        self._print(drawn)

    def _print(self, text: str | Text, style: str = "") -> None:
        self._console.print(text, style=style or None, markup=False, highlight=False, emoji=False, soft_wrap=True)

    def print_lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.say(line)

    def wipe(self) -> None:
        self._console.file.write(_CLEAR_ALL)
        self._console.file.flush()

    def quote(self, rule: Rule) -> None:
        """Print a rule: set on a terminal, as plain text elsewhere."""
        self.say(rule.chapter, "dim")
        if not self._console.is_terminal:
            self.say(f"{rule.text}\n")
            return
        from rich.markdown import Markdown

        self._console.print(Markdown(rule.text))

    def print_rules(self, rulebook: Rulebook, query: str) -> None:
        """Print the rules that a query finds: whole, or only their first lines if there are many; without a query, the
        chapters.

        Raises Invalid if nothing is found.
        """
        if not query:
            self.print_lines(rulebook.chapters)
            return
        found = rulebook.find(query)
        require(found, f'no rule contains "{query}"')
        if len(found) > _LISTED:
            self.print_lines(rule.opening for rule in found)
            self.say(f"{len(found)} rules. Type help and a number to read one.", "dim")
            return
        for rule in found:
            self.quote(rule)


def get_page() -> Page:
    from rich.console import Console

    return Page(Console())


def wrap_line(line: str, width: int) -> str:
    """Return a line broken between words, with the rest indented under its text."""
    if len(line) <= width:
        return line
    column = _COLUMN.match(line)
    indent = column.end() if column else len(line) - len(line.lstrip()) + 2
    indent = indent if indent < width * 2 // 3 else 2
    lines = textwrap.wrap(
        line, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False, tabsize=4
    )
    return "\n".join(lines)


def odds_lines(odds: Odds) -> Iterator[str]:
    """Yield the lines of a sheet of odds; of many cases only the first and the last are shown die by die."""
    yield f"{odds.title} ({odds.rule})"
    for case in odds.cases:
        yield f"  {case.label}: {', '.join(map(_part, case.results))}"
        for spread in case.spreads:
            yield f"    {spread.label}: {_spread(spread)}"
        if case in (odds.cases[0], odds.cases[-1]):
            yield from (f"    {roll}" for roll in case.rolls)
    yield from (f"  {note}" for note in odds.notes)


def _part(part: OddsResult) -> str:
    return f"{part.label} {percent_text(Fraction(part.odds))}"


def _spread(spread: Spread) -> str:
    if any(part.value is None for part in spread.parts):
        return ", ".join(map(_part, spread.parts))
    mean = sum(Fraction(part.odds) * (part.value or 0) for part in spread.parts)
    return f"{float(mean):.1f} on average, {spread.parts[0].value} to {spread.parts[-1].value}"


# --- the map and the situation ----------------------------------------------------------------------------------------


CELL: Final = 8
HALF: Final = CELL // 2
MOST: Final = 12
PAGE: Final = 96
LEGEND: Final = (
    "12 strength in the field  (5) inside  ? unknown  <9 below 9  >4 above 4  l leaders only",
    "~ river  # ridge  = pass  ^ mountain  : sea and lake  . out of play",
)


class Sheet:
    def __init__(self, board: Board, setting: Setting, scene: Scene) -> None:
        self.board = board
        self.scene = scene
        self.letters = (*(name[0].upper() for name in setting.sides), "n")
        self.marks = {marker.place: marker.mark for marker in reversed(list(scene.markers.values()))}
        self.pieces: dict[str, list[Piece]] = {}
        for piece in sorted(scene.pieces.values(), key=lambda piece: (not piece.inside, piece.side)):
            self.pieces.setdefault(piece.place, []).append(piece)

    def upper(self, here: Hex) -> str:
        """Return the first line of a hex: number, terrain or a marker, a fortress and its owner."""
        if not self.board.is_in_play(here):
            return self._outside(here)
        place = hex_name(here)
        ground = "^" if self.board.terrain[here] == MOUNTAIN else " "
        fort = self.scene.holdings.get(place)
        owner = "" if fort is None else f"*{self.letters[fort.side] if fort.side < 2 else 'o'}"
        return f"{place}{self.marks.get(place, ground) + owner:<3}"

    def lower(self, here: Hex) -> str:
        """Return the second line of a hex: the pieces inside and in the field."""
        if not self.board.is_in_play(here):
            return self._outside(here)
        text = "".join(map(self._piece, self.pieces.get(hex_name(here), ())))
        return f"{text[: CELL - 2]}…" if len(text) >= CELL else f"{text:<{CELL - 1}}"

    def _piece(self, piece: Piece) -> str:
        return f"({strength(piece)})" if piece.inside else f"{self.letters[piece.side]}{strength(piece)}"

    def _outside(self, here: Hex) -> str:
        if here not in self.board.terrain:
            return " " * (CELL - 1)
        return (":" if self.board.terrain[here] == WATER else ".") * (CELL - 1)

    def mark(self, here: Hex, there: Hex) -> str:
        if not (self.board.is_in_play(here) and self.board.is_in_play(there)):
            return " "
        side = self.board.side(here, there)
        if side.water:
            return ":"
        if side.pass_:
            return "="
        return "#" if side.ridge else "~" if side.river else " "

    def border(self, here: Hex) -> str:
        """Return the upper hexsides of a hex, half a cell each."""
        row = here // WIDTH
        west = Hex(here + WIDTH - row % 2)
        return self.mark(here, west) * HALF + self.mark(here, Hex(west + 1)) * HALF


def strength(piece: Piece) -> str:
    if piece.strength == "–":
        return "l"
    if piece.low == piece.high:
        return str(piece.low)
    if piece.high < NO_BOUND:
        return f"<{piece.high + 1}"
    return f">{piece.low - 1}" if piece.low > 1 else "?"


def draw_map(board: Board, setting: Setting, scene: Scene, place: str, radius: int) -> str:
    """Return the map around a hex, with the names of its towns."""
    sheet, center, size = Sheet(board, setting, scene), parse_hex(place), max(1, min(MOST, radius))
    towns = setting.names_by_place
    head = f"{place} {towns.get(place, '')}".strip()
    shown = (hex_name(here) for row in range(-size, size + 1) for here in _row(center, center // WIDTH + row, size))
    names = ", ".join(f"{place} {towns[place]}" for place in shown if place in towns)
    lines = textwrap.wrap(names, PAGE, break_on_hyphens=False)
    found = [f"{head} · {scene.title}", *_rows(sheet, center, size), *lines]
    letters = [f"{letter} {name}" for letter, name in zip(sheet.letters, (*setting.sides, "neutral"), strict=True)]
    marks = dict.fromkeys(f"{marker.mark} {marker.kind}" for marker in scene.markers.values())
    legend = "  ".join([*letters, "* fortress and its owner (o none)", *marks])
    return "\n".join(line.rstrip() for line in [*found, legend, *LEGEND])


def _rows(sheet: Sheet, center: Hex, size: int) -> Iterator[str]:
    for row in range(center // WIDTH + size, center // WIDTH - size - 1, -1):
        cells = _row(center, row, size)
        if not cells:
            continue
        shift = " " * (HALF if row % 2 == 0 else 0)
        yield shift + " " + "".join(map(sheet.border, cells))
        yield shift + "".join(sheet.mark(here, Hex(here - 1)) + sheet.upper(here) for here in cells)
        yield shift + "".join(sheet.mark(here, Hex(here - 1)) + sheet.lower(here) for here in cells)


def _row(center: Hex, row: int, size: int) -> list[Hex]:
    column = center % WIDTH
    columns = range(max(0, column - size), min(WIDTH - 1, column + size) + 1)
    return [Hex(row * WIDTH + there) for there in columns] if row >= 0 else []


_RATINGS: Final = re.compile(r" (?=\d+(?:-\d+)+)")


def fill(text: str, indent: int = 0) -> str:
    """Return a text in lines, indented after the first; a name stays with its ratings."""
    kept = _RATINGS.sub("\u00a0", text)
    return textwrap.fill(kept, PAGE, subsequent_indent=" " * indent, break_on_hyphens=False).replace("\u00a0", " ")


def list_lines(head: str, names: Iterable[str]) -> str:
    """Return a heading followed by a list, over several lines if it is long."""
    return fill(f"{head}: {', '.join(names) or 'none'}", len(head) + 2)


def with_title(text: str, rule: str) -> str:
    return f"{text} ({rule})" if rule else text


def known(value: int) -> str:
    """Return a number of a score; below 0 it is unknown to the viewer."""
    return "?" if value < 0 else str(value)


class SeenPosition:
    def __init__(self, ruleset: TableRuleset, setting: Setting, view: object) -> None:
        self.presenter = ruleset.presenter
        self.view = view
        self.setting = setting
        self.scene: Scene = ruleset.presenter.scene(view)
        self._towns = setting.names_by_place

    def render(self, topic: str = "") -> str:
        """Return the whole situation, one topic, or a place, leader or power. Raises Invalid or Ambiguous."""
        text = simplify(topic)
        if not text:
            return "\n".join(self._all())
        if text in TOPICS:
            return "\n".join(TOPICS[text](self))
        return "\n\n".join("\n".join(lines) for lines in self._named(topic.strip()))

    def _named(self, text: str) -> list[Iterable[str]]:
        leaders = Index("leader", ((card.name, number) for number, card in enumerate(self.setting.leaders)))
        powers = Index("power", ((card.name, number) for number, card in enumerate(self.setting.powers)))
        looks = (powers, self._power), (leaders, self._leader)
        for is_exact in (True, False):
            found: list[Iterable[str]] = [
                render(index.find(text))
                for index, render in looks
                if (index.find_exact(text) if is_exact else index.find_by_prefix(text))
            ]
            if place := self._place(text, is_exact):
                found.append(place)
            if found:
                return found
        raise Invalid(f'"{text}" is not a place, leader or power. Topics: {", ".join(TOPICS)}')

    def _place(self, text: str, is_exact: bool) -> list[str]:
        if is_exact and not any(simplify(text) in (simplify(town.name), town.place) for town in self.setting.towns):
            return []
        try:
            about = self.presenter.about(self.view, text)
        except Ambiguous:
            raise
        except Invalid:
            return []
        return [about.title, *(fill(f"  {line}", 4) for line in about.lines)]

    def _all(self) -> Iterator[str]:
        scene = self.scene
        yield " · ".join(filter(None, (scene.title, scene.phase)))
        yield ""
        yield from self._score_lines()
        yield from self._power_lines()
        for side in (0, 1, 2):
            pieces = [piece for piece in scene.pieces.values() if piece.side == side]
            yield from ["", (*self.setting.sides, "Neutral")[side].upper()] if pieces else ()
            yield from map(self._piece, pieces)
        beside = [*self._marker_lines(), *self._widgets(), *(fill(note, 2) for note in scene.notes)]
        yield from ["", *beside] if beside else []
        if scene.result:
            yield scene.result

    def _score_lines(self) -> Iterator[str]:
        first, second = self.setting.sides
        width = max((len(score.label) for score in self.scene.scores), default=0)
        wide = max(len(first), len(second), 4) + 2
        yield f"{'':{width}}{first:>{wide}}{second:>{wide}}"
        for score in self.scene.scores:
            values = "".join(f"{known(value):>{wide}}" for value in score.values)
            yield f"{score.label:{width}}{values}"

    def _power_lines(self) -> Iterator[str]:
        cards = list(zip(self.setting.powers, self.scene.powers, strict=False))
        for side, name in enumerate((*self.setting.sides, "On neither side")):
            if names := [card.name for card, status in cards if status.side == side]:
                yield list_lines(name, names)
        for card, status in cards:
            if status.text:
                yield fill(f"{card.name}: {status.text}", 2)

    def at(self, place: Place) -> str:
        return f"{place} {self._towns.get(place, '')}".strip()

    def _piece(self, piece: Piece) -> str:
        head = f"  {self.at(piece.place) + (', inside' if piece.inside else ''):<25} {piece.strength:>5}  "
        leaders = ", ".join(f"{chip.name} {chip.ratings}".strip() for chip in piece.leaders)
        words = [leaders or piece.title, *(badge.code for badge in piece.badges)]
        return fill(head + "; ".join([*words, *([f"seen {piece.since}"] if piece.since else [])]), len(head))

    def _marker_lines(self) -> Iterator[str]:
        return (fill(marker.text, 2) for marker in self.scene.markers.values())

    def _widgets(self) -> Iterator[str]:
        for tray in self.scene.trays:
            yield list_lines(f"{tray.title}, {tray.text}", (token.text for token in tray.tokens))
        if (versus := self.scene.versus) is not None:
            yield with_title(f"{versus.title}, round {versus.round}: {versus.part}", versus.rule)
            for side in versus.sides:
                strength = f"{known(side.now)} of {known(side.began)} {versus.unit}"
                yield fill(f"  {side.title} {side.ratings} {side.role}: {'; '.join([strength, *side.states])}", 4)
        for meter in self.scene.meters:
            yield fill(with_title(f"{self.at(meter.place)}: {'; '.join([meter.text, *meter.lines])}", meter.rule), 2)

    def _scores(self) -> Iterator[str]:
        for score in self.scene.scores:
            first, second = map(known, score.values)
            yield fill(with_title(f"{score.label}: {first} to {second}. {score.text}".rstrip(), score.rule), 2)

    def _fortresses(self) -> Iterator[str]:
        return (fill(f"{place} {holding.text}", 5) for place, holding in sorted(self.scene.holdings.items()))

    def _sieges(self) -> Iterator[str]:
        found = [fill(f"{place} {one.text}", 5) for place, one in sorted(self.scene.holdings.items()) if one.siege]
        yield from found or ["No place is besieged."]

    def _armies(self) -> Iterator[str]:
        for muster in self.scene.musters:
            if muster.entries:
                yield self.setting.powers[muster.power].name
                yield from map(self._entry, muster.entries)

    def _entry(self, entry: MusterEntry) -> str:
        return fill(f"  {entry.name:<25} {entry.strength:>5}  {entry.text}", 34)

    def _stages(self) -> Iterator[str]:
        for stage in self.scene.stages:
            yield with_title(f"{'>' if stage.when == 'now' else ' '} {stage.name}", stage.rule)

    def _power(self, power: int) -> Iterator[str]:
        for status, card in zip(self.scene.powers[power : power + 1], self.setting.powers[power:], strict=False):
            side = self.setting.sides[status.side] if status.side < 2 else ""
            yield fill(f"{card.name}: {'; '.join(filter(None, (side, status.text)))}", 2)
        for muster in self.scene.musters:
            if muster.power == power:
                yield from map(self._entry, muster.entries)

    def _leader(self, number: int) -> Iterator[str]:
        card = self.setting.leaders[number]
        facts = ", ".join(f"{name} {value}" for name, value in card.facts)
        yield fill(f"{card.name} ({self.setting.powers[card.power].name}): {facts}", 2)
        own = [
            entry
            for muster in self.scene.musters
            for entry in muster.entries
            if re.fullmatch(rf"{re.escape(card.name)}( \d.*)?", entry.name)
        ]
        yield from map(self._entry, own)
        for piece in self.scene.pieces.values():
            if number in (chip.id for chip in piece.leaders):
                yield self._piece(piece)


TOPICS: Final[Mapping[str, Callable[[SeenPosition], Iterator[str]]]] = {
    "front": lambda shown: iter([fill(front_in_words(shown.setting, shown.scene))]),
    "scores": SeenPosition._scores,
    "armies": SeenPosition._armies,
    "fortresses": SeenPosition._fortresses,
    "sieges": SeenPosition._sieges,
    "markers": SeenPosition._marker_lines,
    "sequence": SeenPosition._stages,
}
