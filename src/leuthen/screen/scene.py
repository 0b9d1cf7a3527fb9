"""A position as its viewer may see it: pieces, markers, holdings, scores, stages, orders of battle."""

from __future__ import annotations

from collections.abc import Mapping

from leuthen.screen.basics import Place, Shown


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
