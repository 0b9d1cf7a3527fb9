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
