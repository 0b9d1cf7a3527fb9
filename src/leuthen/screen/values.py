"""The display values that all rule sets share. A client draws them and knows no rule.

A rule set makes them from views, events and decisions. Hexes are written as players write them: "1623".
"""

from collections.abc import Mapping
from typing import Final, TypeAlias

import msgspec

from leuthen.engine.ruleset import NOBODY

Place: TypeAlias = str


class Shown(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Base class of display values. Fields at their default are left out of the JSON."""


class Objection(Shown, frozen=True):
    """The reason why something is not allowed: rule, sentence, and the hex if it is about one."""

    rule: str
    text: str
    place: Place = ""


class Badge(Shown, frozen=True):
    """A state of a piece: a short code (demoralized, quartered, besieged, besieging, unsupplied, moving…), a letter or
    two for the counter, a sentence and the rule."""

    code: str
    mark: str
    text: str
    rule: str


class Chip(Shown, frozen=True):
    """A leader on a counter, with ratings such as "3-2-1"."""

    id: int
    name: str
    ratings: str


class Piece(Shown, frozen=True):
    """A counter: a side's stack in a hex, in the field or inside, as the viewer knows it.

    `side` is 0, 1, or 2 for neutrals. `strength` is the text on the counter: "12", "4–9", "10+", "?", "–" for leaders
    alone, "W4" for a train. `load` is the supply carried. `low` and `high` bound the strength; `high` may be NO_BOUND.
    `sp` has pairs of power and number where they are known. `lines` are the details for hovering, `spoken` is one
    sentence for a screen reader.
    """

    place: Place
    side: int
    inside: bool
    power: int
    title: str
    ratings: str
    strength: str
    low: int
    high: int
    is_known: bool
    spoken: str
    since: str = ""
    badges: tuple[Badge, ...] = ()
    lines: tuple[str, ...] = ()
    leaders: tuple[Chip, ...] = ()
    sp: tuple[tuple[int, int], ...] = ()
    load: str = ""


class Marker(Shown, frozen=True):
    """Another object on the map, such as a depot or a wagon. `mark` is its letter."""

    place: Place
    side: int
    kind: str
    mark: str
    text: str
    power: int = -1


class HeldFortress(Shown, frozen=True):
    """A fortress: owner, whether SP hold it, its present VP, and the state of its siege."""

    side: int
    is_held: bool
    points: int
    text: str
    siege: str = ""


class Score(Shown, frozen=True):
    """A pair of numbers, side 0 first, such as VP or prisoners; −1 if the viewer does not know it. `is_ratio` means
    that the ratio counts, not the difference. `now` is the result if the game ended now: "draw (Prussia +5)"."""

    id: str
    label: str
    values: tuple[int, int]
    text: str
    rule: str
    is_ratio: bool = False
    now: str = ""


class Stage(Shown, frozen=True):
    """A line of the sequence of play; `when` is past, now or next, `group` the part of the sequence."""

    name: str
    rule: str
    when: str
    side: int = 2
    group: str = ""


class PowerStatus(Shown, frozen=True):
    """A power: its side (2: neutral), and a text if it has surrendered or may not fight."""

    side: int
    text: str


class MusterEntry(Shown, frozen=True):
    """A line of the order of battle: a leader or troops, with place and strength as they are known."""

    name: str
    text: str
    place: Place = ""
    strength: str = ""


class Muster(Shown, frozen=True):
    power: int
    side: int
    entries: tuple[MusterEntry, ...]


class Token(Shown, frozen=True):
    """A token in a tray: `when` is past (already out), now, or next (still in)."""

    side: int
    mark: str
    when: str
    text: str


class Tray(Shown, frozen=True):
    """Tokens beside the map, such as a cup of chits."""

    title: str
    text: str
    tokens: tuple[Token, ...]


class Contender(Shown, frozen=True):
    """A side of a battle: commander, strength at the beginning and now, and the part that is engaged.

    Numbers are -1 if the viewer does not know them. `troops` are its leaders with their strengths.
    """

    role: str
    title: str
    ratings: str
    began: int
    now: int
    engaged: int = 0
    engagement: str = ""
    lost: int = 0
    states: tuple[str, ...] = ()
    troops: tuple[MusterEntry, ...] = ()


class Versus(Shown, frozen=True):
    """A battle in progress, side 0 first; `part` is the present part of the round, `unit` the unit of strength."""

    place: Place
    title: str
    rule: str
    round: int
    part: str
    unit: str
    sides: tuple[Contender, Contender]


class Meter(Shown, frozen=True):
    """The progress of a siege: a value, of `most` where there is a last one; `text` says it ("1 of 3 breaches"),
    `lines` give what the next rolls need."""

    place: Place
    side: int
    title: str
    rule: str
    value: int
    text: str
    most: int = 0
    lines: tuple[str, ...] = ()


class Scene(Shown, frozen=True):
    """A position as a table shows it to one viewer. The keys of pieces, markers and holdings are stable.

    A piece's key is hex, side and f(ield) or i(nside), as in "1623-0f"; m for a force on the move, pf and pi for a
    planned one. A marker's key is hex, side and kind; a holding's key is its hex.
    """

    viewer: int
    title: str
    phase: str
    year: int
    turn: int
    phasing: int
    pieces: Mapping[str, Piece]
    markers: Mapping[str, Marker]
    holdings: Mapping[str, HeldFortress]
    scores: tuple[Score, ...]
    stages: tuple[Stage, ...]
    powers: tuple[PowerStatus, ...]
    musters: tuple[Muster, ...]
    notes: tuple[str, ...] = ()
    place: Place = ""  # the hex of the present decision, if it has one
    trays: tuple[Tray, ...] = ()
    versus: Versus | None = None
    meters: tuple[Meter, ...] = ()
    result: str = ""  # the end of the game as a sentence; "" while it goes on


class Spot(Shown, frozen=True):
    """A cell of a table of the game, by the headings of its row and column."""

    table: str
    row: str
    column: str = ""


class Luck(Shown, frozen=True):
    """The luck of a roll for a side: the probability of a worse result, plus half that of an equal one (0 to 1)."""

    side: int
    value: float


class Fate(Shown, frozen=True):
    """The fate of a leader: `killed`, `captured` or `freed`, and the words, "is captured at Kolin"."""

    leader: str
    fate: str
    how: str

    @property
    def sentence(self) -> str:
        return f"{self.leader} {self.how}"


class LogEntry(Shown, frozen=True):
    """An event in the chronicle: its sentence, dice, rule, and the hexes it is about.

    `side` acts and `hurts` suffers (2: neither). `is_small` hides the entry in a terse chronicle. `steps` lead from the
    die to the total. `topic` is "turn" or "opening" where a turn or battle begins, "battle" or "siege" where an event
    settles one, "politics", "leaders" or "strength" for news of the year, "attempt" for a roll that may bring such
    news, "declined" where a side lets something pass. `battle` is the report of a finished battle, `gained` the
    fortress that passes to `side`, `round` the round of battle that it opens. `losses` has, for each side, its first
    strength and its losses. `is_sum` marks the sum of two dice. `brief` is the text without the side. `lost` is a force
    that it destroys; `fates` are those of leaders.
    """

    event: str
    text: str
    rule: str
    side: int = 2
    hurts: int = 2
    is_small: bool = False
    places: tuple[Place, ...] = ()
    path: tuple[Place, ...] = ()
    dice: tuple[int, ...] = ()
    steps: tuple[str, ...] = ()
    spot: Spot | None = None
    luck: tuple[Luck, ...] = ()
    topic: str = ""
    round: int = 0
    losses: tuple[tuple[int, int], ...] = ()
    is_sum: bool = False
    brief: str = ""
    battle: "BattleReport | None" = None
    gained: str = ""
    lost: "LostForce | None" = None
    fates: tuple[Fate, ...] = ()

    @property
    def sentence(self) -> str:
        return f"{self.text} ({self.rule})" if self.rule else self.text


UNLED: Final = "no leader"


class BattleSide(Shown, frozen=True):
    """A side of a battle: commander, strength (−1: unknown), losses, and prisoners taken from it besides."""

    commander: str
    strength: int
    lost: int
    taken: int = 0


class BattleReport(Shown, frozen=True):
    """A battle, side 0 before side 1. `winner` is 2 if neither won, `unit` the unit of strength, `history` a sentence
    on the real war at this place."""

    name: str
    place: Place
    attacker: int
    winner: int
    unit: str
    sides: tuple[BattleSide, BattleSide]
    history: str = ""

    @property
    def sentence(self) -> str:
        """The battle in one sentence: "Kolin: Daun (22 SP) beats Frederick (14 SP); lost 3 and 6 SP"."""
        first, second = self.sides if self.winner != 1 else (self.sides[1], self.sides[0])
        word = "and" if self.winner == NOBODY else "beats"
        end = ", without a winner" if self.winner == NOBODY else ""
        lost = f"lost {first.lost} and {second.lost + second.taken} {self.unit}"
        return f"{self.name}: {_who(first, self.unit)} {word} {_who(second, self.unit)}{end}; {lost}"


class LostForce(Shown, frozen=True):
    """A force that was lost whole without a battle, with the first of the leaders captured with it, or ""."""

    side: int
    place: str  # such as "at Kolin" or "near Kolin"
    strength: int
    unit: str
    how: str
    commander: str = ""


def _who(host: BattleSide, unit: str) -> str:
    return f"{host.commander} ({host.strength} {unit})"


class Choice(Shown, frozen=True):
    """A legal answer: its token, label and price. `is_hopeless` means that it cannot succeed, or gains nothing."""

    token: str
    label: str
    price: str = ""
    place: Place = ""
    is_hopeless: bool = False


class Barred(Shown, frozen=True):
    token: str
    label: str
    reason: Objection
    place: Place = ""


class FormField(Shown, frozen=True):
    """One question of a form, with its answer so far.

    `key` names it ("leader", "companions.0", "sp.3"); questions of one `name` belong together. `kind` is the input
    control: `word` (the action), `leader`, `count`, `hex`, `path`, `flag` (no or yes), `power`. `value` is the present
    token, "" for none; `is_given` means that the player chose it.
    """

    key: str
    name: str
    kind: str
    label: str
    choices: tuple[Choice, ...]
    barred: tuple[Barred, ...] = ()
    value: str = ""
    is_given: bool = False


class Reached(Shown, frozen=True):
    """A hex in reach: the hex before it, the price of the last step, MP left and spent, and whether the leg ends."""

    before: Place
    price: str
    left: int
    spent: int
    stops: bool = False


class Form(Shown, frozen=True):
    """An order in the making: its questions in turn, the last one open unless `order` is set.

    `order` is the finished order in the record's notation. `refused` has the refused choices. `summary` describes the
    effect of the order, `reach` the hexes in reach, `odds` its chances, `halts` the ways to end its march in the same
    order. `neutral` is the order that changes nothing, "" if every answer is final.
    """

    fields: tuple[FormField, ...]
    order: str = ""
    refused: tuple[Objection, ...] = ()
    summary: tuple[str, ...] = ()
    start: Place = ""
    reach: Mapping[str, Reached] = {}
    odds: "Odds | None" = None
    halts: tuple[Choice, ...] = ()
    neutral: str = ""


PartialOrder: TypeAlias = Mapping[str, str]


class OrderLine(Shown, frozen=True):
    """A typed line: replacements of its last word, and the `order` that it stands for in the record's notation.

    `partial_order` has the choices that make the order; `doubt` is a warning to confirm. Without an order, `refused`
    is the reason.
    """

    words: tuple[Choice, ...] = ()
    order: str = ""
    partial_order: PartialOrder = {}
    doubt: str = ""
    refused: Objection | None = None


class OddsResult(Shown, frozen=True):
    """A result with its probability, as an exact fraction and as a number."""

    label: str
    odds: str
    chance: float
    value: int | None = None


class Spread(Shown, frozen=True):
    """The distribution of a number, from the lowest value up."""

    label: str
    side: int
    parts: tuple[OddsResult, ...]


class OddsCase(Shown, frozen=True):
    """The odds for one strength of the enemy: results, distributions, and the effect of each die."""

    label: str
    results: tuple[OddsResult, ...]
    spreads: tuple[Spread, ...] = ()
    rolls: tuple[str, ...] = ()


class Odds(Shown, frozen=True):
    """Exact odds, for every strength that the enemy may have."""

    title: str
    rule: str
    cases: tuple[OddsCase, ...]
    notes: tuple[str, ...] = ()
    spots: tuple[Spot, ...] = ()


class About(Shown, frozen=True):
    place: Place
    title: str
    lines: tuple[str, ...]


class Shade(Shown, frozen=True):
    """The mark of a layer on a hex: level 1 (faint) to 4, side (2: none), and a text. `value` is the number in the
    text, if any."""

    level: int
    side: int = 2
    text: str = ""
    value: int | None = None


class Trace(Shown, frozen=True):
    """A line of a layer, hex by hex."""

    path: tuple[Place, ...]
    side: int = 2
    text: str = ""


class Layer(Shown, frozen=True):
    """A layer over the map, made from the viewer's knowledge; `notes` state its assumptions."""

    id: str
    title: str
    shades: Mapping[str, Shade]
    lines: tuple[Trace, ...] = ()
    notes: tuple[str, ...] = ()


class Left(Shown, frozen=True):
    """A warning before a phase ends, with its rule."""

    text: str
    rule: str
    place: Place = ""


class PowerCard(Shown, frozen=True):
    """A power of the game; `side` is 2 if its side may change."""

    name: str
    letters: str
    side: int
    is_major: bool


class LeaderCard(Shown, frozen=True):
    """A leader, with ratings such as "3-2-1" and each rating by name."""

    name: str
    power: int
    ratings: str
    facts: tuple[tuple[str, str], ...]


class FortressCard(Shown, frozen=True):
    name: str
    place: Place
    province: str
    power: int
    kind: str
    points: int
    is_great: bool


class Town(Shown, frozen=True):
    """A name to jump to, historical or modern."""

    name: str
    place: Place


class TheatreCard(Shown, frozen=True):
    """A theatre of the war; `rows` are its hexes in rows from the south, "08:13-15,17-17 09:14-14"."""

    name: str
    rows: str


class TableCard(Shown, frozen=True):
    """A table of the game; the first cell of each row and the first column are headings."""

    id: str
    title: str
    rule: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


class LayerCard(Shown, frozen=True):
    """A layer that can be laid over the map, with its key on the keyboard."""

    id: str
    key: str
    title: str
    text: str
    needs_place: bool = False


class OptionCard(Shown, frozen=True):
    """An option of the game: its values, the default first, and its effect."""

    name: str
    values: tuple[str, ...]
    text: str


Hints: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]


class ScenarioCard(Shown, frozen=True):
    """A scenario: a whole `war`, a single `year`, or for an `evening`. `turns` is the most turns (0: unknown), `par`
    the first side's lead in even play, `minutes` the time that it takes against a machine (0: unknown), `ends` the year
    and number of its last turn, `wins` how each side wins, and `hints` its advice for beginners."""

    name: str
    text: str
    kind: str = "evening"
    years: int = 1
    turns: int = 0
    par: int | None = None
    minutes: int = 0
    ends: tuple[int, int] = (0, 0)
    wins: tuple[str, str] = ("", "")
    hints: Hints = ((), ())


class Setting(Shown, frozen=True):
    """The constant data of a rule set that a client needs before it draws."""

    ruleset: str
    title: str
    version: str
    sides: tuple[str, str]
    powers: tuple[PowerCard, ...]
    leaders: tuple[LeaderCard, ...]
    fortresses: tuple[FortressCard, ...]
    towns: tuple[Town, ...]
    tables: tuple[TableCard, ...]
    layers: tuple[LayerCard, ...]
    scenarios: tuple[ScenarioCard, ...]
    options: tuple[OptionCard, ...]
    years: tuple[int, int]
    turns: tuple[str, ...]
    winter: tuple[int, ...] = ()  # indexes into `turns`
    rulings: tuple[str, ...] = ()
    theatres: tuple[TheatreCard, ...] = ()

    @property
    def names_by_place(self) -> dict[Place, str]:
        """The first name of each place, a fortress's before a town's."""
        named = {town.place: town.name for town in reversed(self.towns)}
        return named | {fort.place: fort.name for fort in self.fortresses}


class Tidings(Shown, frozen=True):
    """News of a year of one kind, a line each; `details` lists it one by one where `lines` sum it up."""

    heading: str
    lines: tuple[str, ...]
    details: tuple[str, ...] = ()


class YearStory(Shown, frozen=True):
    year: int
    sentences: tuple[str, ...]
    news: tuple[Tidings, ...] = ()


class CommanderRecord(Shown, frozen=True):
    """The record of a commander: battles, victories, defeats, losses suffered and inflicted, and forces lost whole
    (`overrun`)."""

    name: str
    side: int
    battles: int
    won: int
    lost: int
    suffered: int
    inflicted: int
    overrun: int = 0


class Story(Shown, frozen=True):
    """The story of a war as one viewer may know it: its years in order, and its commanders."""

    years: tuple[YearStory, ...]
    commanders: tuple[CommanderRecord, ...]
    unit: str = ""
    war: tuple[str, ...] = ()  # a summary of a war of several years


def begun(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]
