"""What a table shows of a game, in words that every rule set shares.

A rule set turns views, events and decisions into these values; a client draws them and knows no rule. Everything that
shows a position is made from a `view`, so that it can show no secret. Hexes stand here as players write them («1623»).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol, TypeAlias

import msgspec

from leuthen.core.ruleset import Pending

Place: TypeAlias = str
"""A hex, as players write it: row and column, «1623»."""
NO_BOUND: Final = 999
"""The upper bound of a strength of which nothing is known."""


class Shown(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A value that is shown. What is at its default is left out of the JSON."""


class Reason(Shown, frozen=True):
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


class Holding(Shown, frozen=True):
    """A fortress as it stands: whose, whether held by SP, its VP now, and a track of its siege where there is one."""

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


class Standing(Shown, frozen=True):
    """A power: its side (2: neutral), and a word where it has surrendered or may not fight."""

    side: int
    text: str


class Entry(Shown, frozen=True):
    """A line of the order of battle: leader or troops, where (a hex or a word), and as much as is known."""

    name: str
    text: str
    place: Place = ""
    strength: str = ""


class Muster(Shown, frozen=True):
    """The order of battle of a power."""

    power: int
    side: int
    entries: tuple[Entry, ...]


class Chit(Shown, frozen=True):
    """A chit that decides who acts: its mark, and whether it is out already (past), out now, or in the cup (next)."""

    side: int
    mark: str
    when: str


class Contestant(Shown, frozen=True):
    """A side of a battle that goes on: who commands, how strong it began and is now, how much of it is engaged.

    `share` is in per cent, `engaged` what that comes to, both 0 before the first round. Numbers are -1 where the viewer
    does not know them. `states` are words («concentrated»), `troops` its leaders with what each has.
    """

    role: str
    title: str
    ratings: str
    began: int
    now: int
    share: int = 0
    engaged: int = 0
    lost: int = 0
    states: tuple[str, ...] = ()
    troops: tuple[Entry, ...] = ()


class Contest(Shown, frozen=True):
    """A battle that goes on round by round, side 0 first; `part` of the round is what is done now."""

    place: Place
    title: str
    rule: str
    round: int
    part: str
    sides: tuple[Contestant, Contestant]


class SiegeTrack(Shown, frozen=True):
    """A siege as it stands: breaches of how many, and what the next rolls have to be, with their modifiers.

    `side` is the besieger. `numbers` has a line for each roll («breach at 3 or less: −1 four to one»).
    """

    place: Place
    side: int
    title: str
    rule: str
    breaches: int
    most: int
    numbers: tuple[str, ...] = ()


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
    holdings: Mapping[str, Holding]
    scores: tuple[Score, ...]
    stages: tuple[Stage, ...]
    powers: tuple[Standing, ...]
    musters: tuple[Muster, ...]
    notes: tuple[str, ...] = ()
    """What else the viewer should see: his sealed plan so far, SP that wait, prisoners by name."""
    place: Place = ""
    """Where the decision that is awaited belongs to, if to one hex."""
    chits: tuple[Chit, ...] = ()
    contest: Contest | None = None
    sieges: tuple[SiegeTrack, ...] = ()
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


class Told(Shown, frozen=True):
    """An event in the chronicle: its sentence with dice and modifiers, its rule, and what on the map it is about.

    `hurts` is the side to which something was done, or 2; `is_small` leaves it out of a terse chronicle. `steps` are
    the modifiers one by one, from the die to the total. `topic` is «opening» where a battle begins, «battle» or «siege»
    where an event settles one, so that they can be listed; else empty. `round` is the round of a battle that it opens.
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
    reason: Reason
    place: Place = ""


class Field(Shown, frozen=True):
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

    `order` is the finished order in the record's notation. `wishes` that could not be granted are in `refused`.
    `summary` says who will command with which ratings and what the order does; `reach` where the force may go;
    `odds` what the order may bring.
    """

    fields: tuple[Field, ...]
    order: str = ""
    refused: tuple[Reason, ...] = ()
    summary: tuple[str, ...] = ()
    start: Place = ""
    reach: Mapping[str, Reached] = {}
    odds: Odds | None = None


class Shade(Shown, frozen=True):
    """How a layer marks a hex: level 1 (faint) to 4, side (2: none), and a text."""

    level: int
    side: int = 2
    text: str = ""


class Line(Shown, frozen=True):
    """A line of a layer, hex by hex."""

    path: tuple[Place, ...]
    side: int = 2
    text: str = ""


class Layer(Shown, frozen=True):
    """Something laid over the map, from what the viewer may know; `notes` say so, and what it rests on."""

    id: str
    title: str
    shades: Mapping[str, Shade]
    lines: tuple[Line, ...] = ()
    notes: tuple[str, ...] = ()


class Left(Shown, frozen=True):
    """Something left undone before a phase ends, and what it will cost by the rules."""

    text: str
    rule: str
    place: Place = ""


class Part(Shown, frozen=True):
    """A result and how probable it is: exact, and as a number."""

    label: str
    odds: str
    chance: float
    value: int | None = None


class Spread(Shown, frozen=True):
    """How a number is distributed: «SP that we lose», from the lowest up."""

    label: str
    side: int
    parts: tuple[Part, ...]


class Case(Shown, frozen=True):
    """The odds for one strength of the enemy: results, spreads, and what each die brings."""

    label: str
    results: tuple[Part, ...]
    spreads: tuple[Spread, ...] = ()
    rolls: tuple[str, ...] = ()


class Odds(Shown, frozen=True):
    """Exact odds, from one end of what is not known to the other."""

    title: str
    rule: str
    cases: tuple[Case, ...]
    notes: tuple[str, ...] = ()
    spots: tuple[Spot, ...] = ()


class About(Shown, frozen=True):
    """All that a viewer may know of a place."""

    place: Place
    title: str
    lines: tuple[str, ...]


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
    """A scenario."""

    name: str
    text: str


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


Wishes: TypeAlias = Mapping[str, str]
"""What a player has chosen of an order so far: token by key of the field."""


class Showing(Protocol):
    """How a rule set shows itself. Everything about a position is made from a view; a form from the legal set,
    which is the same in every world that the actor's view allows."""

    def setting(self) -> Setting:
        """What never changes."""
        ...

    def scene(self, view: Any) -> Scene:
        """A position as its viewer may see it."""
        ...

    def told(self, event: Any) -> Told:
        """An event, as its viewer got it."""
        ...

    def asked(self, pending: Pending, viewer: int) -> Pending:
        """A decision that is awaited, as a viewer may know it: of another side only what and by which rule."""
        ...

    def form(self, state: Any, actor: int, wishes: Wishes) -> Form:
        """An order in the making. A wish that cannot be granted is answered with the rule; never raises."""
        ...

    def layer(self, view: Any, name: str, place: Place = "") -> Layer:
        """A layer over the map. Raises Invalid for an unknown layer or place."""
        ...

    def left_undone(self, view: Any) -> tuple[Left, ...]:
        """What the viewer leaves undone if he ends the phase now, and what it will cost."""
        ...

    def odds(self, view: Any, text: str) -> Odds:
        """The exact odds of what `text` names, as `Ruleset.odds` reads it. Raises Invalid or Ambiguous."""
        ...

    def about(self, view: Any, place: str) -> About:
        """A hex or a town and all that the viewer may know of it. Raises Invalid or Ambiguous."""
        ...
