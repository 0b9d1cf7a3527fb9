"""What a table shows of a game, as values that every rule set shares: a client draws them and knows no rule.

A rule set makes them from views, events and decisions. What shows a position is made from a `view`, so that it can show
no secret. Hexes are written as players write them: «1623».
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

import msgspec

from leuthen.engine.ruleset import NOBODY

Place: TypeAlias = str
"""A hex, as players write it: row and column, «1623»."""


class Shown(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A value that is shown. What is at its default is left out of the JSON."""


class Objection(Shown, frozen=True):
    """Why something may not be done: the rule, the sentence with its numbers, and the hex if it is about one."""

    rule: str
    text: str
    place: Place = ""


class Badge(Shown, frozen=True):
    """A state of a piece: a short code (demoralized, quartered, besieged, besieging, unsupplied, moving…), its letter
    or two for the counter, a sentence, and the rule."""

    code: str
    mark: str
    text: str
    rule: str


class Chip(Shown, frozen=True):
    """A leader of a piece: number, name, ratings as «3-2-1»."""

    id: int
    name: str
    ratings: str


class Piece(Shown, frozen=True):
    """A counter: a side's stack in a hex, in the field or inside, as far as the viewer may know it.

    `side` is 0, 1, or 2 for neutrals. `strength` is what stands on the counter: «12», «4–9», «10+», «?», or «–» for
    leaders alone, «W4» for a train; `load` is the supply that it carries, "" of none. `low` and `high` are its bounds,
    `high` NO_BOUND where there is none. `sp` has pairs of power and number where they are known. `lines` is all that
    the viewer may know, for hovering; `spoken` one sentence for a screen reader.
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
    """Something else on the map: a depot, a depot under construction, a wagon. `mark` is its letter."""

    place: Place
    side: int
    kind: str
    mark: str
    text: str
    power: int = -1


class HeldFortress(Shown, frozen=True):
    """A fortress as it stands: whose, whether held by SP, its VP now, and how its siege stands, if there is one."""

    side: int
    is_held: bool
    points: int
    text: str
    siege: str = ""


class Score(Shown, frozen=True):
    """A pair of numbers, side 0 first: VP, great fortresses, RP, prisoners; −1 where the viewer does not know it.

    `is_ratio`: what counts is how many times the other's one's own is.
    """

    id: str
    label: str
    values: tuple[int, int]
    text: str
    rule: str
    is_ratio: bool = False


class Stage(Shown, frozen=True):
    """A line of the sequence of play; `when` is past, now, or next. `side` acts; `group` is the part it belongs to."""

    name: str
    rule: str
    when: str
    side: int = 2
    group: str = ""


class PowerStatus(Shown, frozen=True):
    """A power: its side (2: neutral), and a word where it has surrendered or may not fight."""

    side: int
    text: str


class MusterEntry(Shown, frozen=True):
    """A line of the order of battle: leader or troops, where (a hex or a word), and as much as is known."""

    name: str
    text: str
    place: Place = ""
    strength: str = ""


class Muster(Shown, frozen=True):
    """The order of battle of a power."""

    power: int
    side: int
    entries: tuple[MusterEntry, ...]


class Token(Shown, frozen=True):
    """Something in a tray: its mark, whether it is out already (past), out now, or still to come (next), and a text."""

    side: int
    mark: str
    when: str
    text: str


class Tray(Shown, frozen=True):
    """Tokens beside the map, such as a cup of chits; `text` says how many are left."""

    title: str
    text: str
    tokens: tuple[Token, ...]


class Contender(Shown, frozen=True):
    """A side of a contest: who commands, how strong it began and is now, how much of it is engaged.

    Numbers are -1 where the viewer does not know them. `states` are words («concentrated»), `engagement` what is to be
    said of what is engaged, `troops` its leaders with what each has.
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
    """A contest that goes on round by round, side 0 first; `part` of the round is what is done now.

    `unit` is what its strengths are counted in.
    """

    place: Place
    title: str
    rule: str
    round: int
    part: str
    unit: str
    sides: tuple[Contender, Contender]


class Meter(Shown, frozen=True):
    """How far something has come: a value, of `most` where there is a last one; `text` says it («1 of 3 breaches»).

    `side` is whose it is. `lines` say what the next steps need («breach at 3 or less: −1 four to one»).
    """

    place: Place
    side: int
    title: str
    rule: str
    value: int
    text: str
    most: int = 0
    lines: tuple[str, ...] = ()


class Scene(Shown, frozen=True):
    """A position as a table shows it to one viewer. Pieces, markers and holdings stand by keys that keep.

    A piece's key is hex, side and f(ield) or i(nside): «1623-0f»; m for a force on the move, pf and pi for what is only
    planned. A marker's key is hex, side and kind; a holding's its hex.
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
    """What else the viewer should see: his sealed plan so far, SP that wait, prisoners by name."""
    place: Place = ""
    """Where the decision that is awaited belongs to, if to one hex."""
    trays: tuple[Tray, ...] = ()
    versus: Versus | None = None
    meters: tuple[Meter, ...] = ()
    result: str = ""
    """How the game ended, as a sentence; empty while it goes on."""


class Spot(Shown, frozen=True):
    """A cell of a table of the game: table, row and column by their headings; the column may be left out."""

    table: str
    row: str
    column: str = ""


class Luck(Shown, frozen=True):
    """How lucky a roll was for a side: the probability of a worse result, plus half that of an equal one (0 to 1)."""

    side: int
    value: float


class Fate(Shown, frozen=True):
    """What befalls a leader: his name, `killed`, `captured` or `freed`, and how in words, «is captured at Kolin»."""

    leader: str
    fate: str
    how: str

    @property
    def sentence(self) -> str:
        """«Keith is captured at Kolin»"""
        return f"{self.leader} {self.how}"


class LogEntry(Shown, frozen=True):
    """An event in the chronicle: its sentence with dice and modifiers, its rule, and what on the map it is about.

    `hurts` is the side to which something was done, or 2; `is_small` leaves it out of a terse chronicle. `steps` are
    the modifiers one by one, from the die to the total. `topic` is «turn» or «opening» where a turn or a battle
    begins, «battle» or «siege» where an event settles one, «politics», «leaders» or «strength» where it is news of
    the year, so that they can be listed, «attempt» at a roll from which such news may come, «declined» where a side
    lets something pass; else empty. `battle` is the report of a battle that ends, `gained` the fortress that passes to
    `side`. `round` is the round of a battle that it opens; `losses` has, where one ends, what each side began with and
    has lost. `is_sum`: what `dice` has is the sum of two. `brief` is the text without the side, where there is another,
    for a column of its own. `lost` is a force that it destroys, `fates` says who of the leaders is killed, captured or
    comes back by it.
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
    battle: BattleReport | None = None
    gained: str = ""
    lost: LostForce | None = None
    fates: tuple[Fate, ...] = ()

    @property
    def sentence(self) -> str:
        """The text with its rule."""
        return f"{self.text} ({self.rule})" if self.rule else self.text


UNLED: Final = "no leader"
"""In place of a commander's name."""


class BattleSide(Shown, frozen=True):
    """A side of a battle: who commanded, how strong it was, what it lost, and how many of its men were taken besides.

    A strength of −1 is not known.
    """

    commander: str
    strength: int
    lost: int
    taken: int = 0


class BattleReport(Shown, frozen=True):
    """A battle: its name, where, which side attacked and which won (2: neither), and side 0 before side 1.

    `unit` is what strengths are counted in, `history` a sentence on what the war did in this place.
    """

    name: str
    place: Place
    attacker: int
    winner: int
    unit: str
    sides: tuple[BattleSide, BattleSide]
    history: str = ""

    @property
    def sentence(self) -> str:
        """«Kolin: Daun (22 SP) beats Frederick (14 SP), who loses 6; he loses 3.»"""
        first, second = self.sides if self.winner != 1 else (self.sides[1], self.sides[0])
        word = "and" if self.winner == NOBODY else "beats"
        end = ", without a victor" if self.winner == NOBODY else ""
        lost = f"lost {first.lost} and {second.lost + second.taken} {self.unit}"
        return f"{self.name}: {_who(first, self.unit)} {word} {_who(second, self.unit)}{end}; {lost}"


class LostForce(Shown, frozen=True):
    """A force of a side that was lost to the last man without a battle of its own: where, how strong, `how`, and the
    first of the leaders who were captured with it, or ""."""

    side: int
    place: str
    """«at Kolin», «near Kolin»"""
    strength: int
    unit: str
    how: str
    """«was overrun», «laid down its arms»"""
    commander: str = ""


def _who(host: BattleSide, unit: str) -> str:
    return f"{host.commander} ({host.strength} {unit})"


class Choice(Shown, frozen=True):
    """A value that may be answered: the token that stands for it, its label, and what it costs."""

    token: str
    label: str
    price: str = ""
    place: Place = ""


class Barred(Shown, frozen=True):
    """A value that may not be answered, and why."""

    token: str
    label: str
    reason: Objection
    place: Place = ""


class FormField(Shown, frozen=True):
    """One question of an order in the making, with its answer so far.

    `key` names it («leader», «companions.0», «sp.3»); questions of one `name` belong together. `kind` tells a client
    how to ask: `word` (what to do), `leader`, `count`, `hex`, `path`, `flag` (no or yes), `power`. `value` is the token
    that stands, "" where nothing does yet; `is_given` whether the player chose it.
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
    """A hex that a force can reach: from which hex, what the last step costs, what is left, and whether a leg ends."""

    before: Place
    price: str
    left: int
    spent: int
    stops: bool = False


class Form(Shown, frozen=True):
    """An order in the making: its questions in turn, the last one open unless `order` is there.

    `order` is the finished order in the record's notation. Choices that could not be granted are in `refused`.
    `summary` says who will command with which ratings and what the order does; `reach` where the force may go;
    `odds` what the order may bring; `halts` how its march may end at once (`Order.halt`). `neutral` is the order that
    leaves everything as it is, "" where every answer decides something for good.
    """

    fields: tuple[FormField, ...]
    order: str = ""
    refused: tuple[Objection, ...] = ()
    summary: tuple[str, ...] = ()
    start: Place = ""
    reach: Mapping[str, Reached] = {}
    odds: Odds | None = None
    halts: tuple[Choice, ...] = ()
    neutral: str = ""


PartialOrder: TypeAlias = Mapping[str, str]
"""What a player has chosen of an order so far: token by key of the field."""


class OddsResult(Shown, frozen=True):
    """A result and how probable it is: exact, and as a number."""

    label: str
    odds: str
    chance: float
    value: int | None = None


class Spread(Shown, frozen=True):
    """How a number is distributed: «SP that we lose», from the lowest up."""

    label: str
    side: int
    parts: tuple[OddsResult, ...]


class OddsCase(Shown, frozen=True):
    """The odds for one strength of the enemy: results, spreads, and what each die brings."""

    label: str
    results: tuple[OddsResult, ...]
    spreads: tuple[Spread, ...] = ()
    rolls: tuple[str, ...] = ()


class Odds(Shown, frozen=True):
    """Exact odds, from one end of what is not known to the other."""

    title: str
    rule: str
    cases: tuple[OddsCase, ...]
    notes: tuple[str, ...] = ()
    spots: tuple[Spot, ...] = ()


class About(Shown, frozen=True):
    """All that a viewer may know of a place."""

    place: Place
    title: str
    lines: tuple[str, ...]


class Shade(Shown, frozen=True):
    """How a layer marks a hex: level 1 (faint) to 4, side (2: none), and a text.

    `value` is what the text tells, as a number, where the layer is one of numbers: the MP of a reach.
    """

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
    """Something laid over the map, from what the viewer may know; `notes` say so, and what it rests on."""

    id: str
    title: str
    shades: Mapping[str, Shade]
    lines: tuple[Trace, ...] = ()
    notes: tuple[str, ...] = ()


class Left(Shown, frozen=True):
    """Something left undone before a phase ends, and what it will cost by the rules."""

    text: str
    rule: str
    place: Place = ""


class PowerCard(Shown, frozen=True):
    """A power of the game: name, letters for its counters, the side it belongs to if it never changes (else 2)."""

    name: str
    letters: str
    side: int
    is_major: bool


class LeaderCard(Shown, frozen=True):
    """A leader: name, power, ratings as «3-2-1», and each rating by name."""

    name: str
    power: int
    ratings: str
    facts: tuple[tuple[str, str], ...]


class FortressCard(Shown, frozen=True):
    """A fortress: name, hex, province, power, kind, VP, and whether it is one of the great ones."""

    name: str
    place: Place
    province: str
    power: int
    kind: str
    points: int
    is_great: bool


class Town(Shown, frozen=True):
    """A name to jump to, of then or of now."""

    name: str
    place: Place


class TheatreCard(Shown, frozen=True):
    """A theatre of the war: its name, and its hexes in rows from the south, «08:13-15,17-17 09:14-14»."""

    name: str
    rows: str


class TableCard(Shown, frozen=True):
    """A table of the game; `rows` begin with their heading, and so does `columns`."""

    id: str
    title: str
    rule: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


class LayerCard(Shown, frozen=True):
    """A layer that can be laid over the map: its key on the keyboard, and whether it is about one hex."""

    id: str
    key: str
    title: str
    text: str
    needs_place: bool = False


class OptionCard(Shown, frozen=True):
    """An option of the game: its values, the default first, and what it does."""

    name: str
    values: tuple[str, ...]
    text: str


class ScenarioCard(Shown, frozen=True):
    """A scenario: a whole `war`, a single `year`, or for an `evening`; how many years it touches, and how many turns it
    has at most (0: not told); by how much more the first side scores than the second in even play, if known; about how
    many minutes it takes against a machine (0: not told). `ends`: the year and the number of its last turn."""

    name: str
    text: str
    kind: str = "evening"
    years: int = 1
    turns: int = 0
    par: int | None = None
    minutes: int = 0
    ends: tuple[int, int] = (0, 0)


class Setting(Shown, frozen=True):
    """What never changes in a rule set: what a client has to know before it draws."""

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
    """The dates of a year's turns: «early April»."""
    winter: tuple[int, ...] = ()
    """Which of them lie in winter, by their place in `turns`."""
    rulings: tuple[str, ...] = ()
    theatres: tuple[TheatreCard, ...] = ()
    """The theatres of its war, in which what is asked can be left as it is; a game may have none."""


class Tidings(Shown, frozen=True):
    """Tidings of a year of one kind, a line each; `details` has them one by one where `lines` sum them up."""

    heading: str
    lines: tuple[str, ...]
    details: tuple[str, ...] = ()


class YearStory(Shown, frozen=True):
    """A year: what it was about, and its news."""

    year: int
    sentences: tuple[str, ...]
    news: tuple[Tidings, ...] = ()


class CommanderRecord(Shown, frozen=True):
    """What a commander did: battles that he fought, won and lost, forces of his that were lost whole without one, what
    he lost in all that and what the enemy did."""

    name: str
    side: int
    battles: int
    won: int
    lost: int
    suffered: int
    inflicted: int
    overrun: int = 0


class Story(Shown, frozen=True):
    """A war so far, as one viewer may know it: its years, the first of them first, and its commanders."""

    years: tuple[YearStory, ...]
    commanders: tuple[CommanderRecord, ...]
    unit: str = ""
    """What strengths and losses are counted in."""
    war: tuple[str, ...] = ()
    """The whole of a war of more than one year in a few sentences."""


def begun(text: str) -> str:
    """A text as it begins a sentence: with a capital."""
    return text[:1].upper() + text[1:]
