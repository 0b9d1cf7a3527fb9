"""What goes over the wire to a client: every answer of the interface, and the messages of a seat's stream."""

from __future__ import annotations

from collections.abc import Mapping

from leuthen.engine.codec import JSON
from leuthen.screen import Left, LogEntry, Place, Scene
from leuthen.server.session.requests import Message, Sitter
from leuthen.server.session.staff_answers import StaffCard
from leuthen.storage.rows import ChatRow


class SeatLine(Message, frozen=True):
    """A seat: its public id if it is this browser's (else ""), side (2: watcher), side's name, and who sits there:
    `person`, `open` (a link that nobody took yet), `watcher`, or a bot's name.

    `player` is how a person calls himself, with his `colour` (each "" if he has given none), or the title of a machine,
    which introduces itself with the sentence `greeting`.
    """

    side: int
    name: str
    who: str
    seat: str = ""
    player: str = ""
    colour: str = ""
    greeting: str = ""


class GameLine(Message, frozen=True):
    """A game on the home page. `since` is when the present decision began to wait, in ISO 8601; `stranded` is why it
    cannot go on by the rules that are here."""

    game: str
    title: str
    ruleset: str
    date: str
    waiting: tuple[str, ...]
    since: str
    is_your_turn: bool
    seats: tuple[SeatLine, ...]
    result: str = ""
    stranded: str = ""


class Home(Message, frozen=True):
    """The games of this browser, those that wait for it first."""

    games: tuple[GameLine, ...]


class BotLine(Message, frozen=True):
    """A machine player: its name, its title, how it plays and what that is worth, and how it introduces itself."""

    name: str
    title: str
    text: str
    greeting: str


class RulesetLine(Message, frozen=True):
    """A rule set by its name and its title, and the machines that play it, those who make plans first."""

    name: str
    title: str
    bots: tuple[BotLine, ...]


class MadeSeat(Message, frozen=True):
    """A seat of a new game. `link` invites to it, once; only whoever made the game is told of it."""

    side: int
    name: str
    who: str
    seat: str
    link: str = ""


class Made(Message, frozen=True):
    """A new game: its seats, and the links of the seats and of the watchers' gallery to pass on."""

    game: str
    seats: tuple[MadeSeat, ...]
    watch: str


class ImportProgress(Message, frozen=True):
    """How many lines were played of a record that is being brought in; 0 of 0 while it is read, and of none."""

    done: int
    total: int


class Link(Message, frozen=True):
    """A new link to a seat. It is told once."""

    link: str


class Known(Message, frozen=True):
    """The browser has its key; among the devices of a seat it is called so."""

    what: str


class TakenSeat(Message, frozen=True):
    """A seat that was taken: its public id and its page. `link` leads back to it from another device, once; nobody else
    is told of it. It is "" in the gallery, and for a device that sat there already."""

    seat: str
    page: str
    link: str = ""


class Device(Message, frozen=True):
    """A browser or program that sits on one's seat: what it is, since when, when it was last seen (to ten minutes).

    `is_new` says that this device's owner has not been shown it yet. `since` is "" if that was not kept.
    """

    number: int
    what: str
    since: str
    seen: str
    is_this: bool = False
    is_new: bool = False


class Devices(Message, frozen=True):
    """All devices on one's seat, and whether there is a link that still leads to it."""

    devices: tuple[Device, ...]
    has_link: bool


class Awaited(Message, frozen=True):
    """A decision that is awaited, as the seat may know it."""

    side: int
    name: str
    decision: str
    rule: str
    text: str
    is_yours: bool


class Proposal(Message, frozen=True):
    """A draw or a takeback that is offered; `uncovers` is what a takeback would undo, as the one asked knows it."""

    kind: str
    side: int
    text: str
    uncovers: tuple[str, ...] = ()
    to: int = 0


class ClauseLine(Message, frozen=True):
    """A clause of a standing instruction: its line, what it says as a sentence, and why it can never answer, or ""."""

    text: str
    label: str
    dead: str = ""


class StandingInstruction(Message, frozen=True):
    """A seat's standing instruction. `stopped` is the surprise since which it is in force no longer, until it is given
    anew."""

    clauses: tuple[ClauseLine, ...] = ()
    is_armed: bool = False
    stopped: str = ""


class SealStatus(Message, frozen=True):
    """Where the proof of a game stands, signed: how many blocks there are and the head of the last; its body, and for
    whose link chance waits behind it (`place side`, or ""); how many requests of the seat count, and its own head.

    `signature` is of the text that docs/decisions/accountable.md calls a checkpoint. `waiting` is the side for whose
    link chance waits now, or -1; `shares` says which sides have a part of their own in the dice.
    """

    blocks: int
    head: str
    body: str
    waits: str
    own: int
    own_head: str
    signature: str
    waiting: int
    shares: tuple[bool, bool]


class OwnChain(Message, frozen=True):
    """A chain of the seat: its number, its length, how many links were given, and the last of them (first its top)."""

    number: int
    length: int
    given: int
    last: str


class SealCard(Message, frozen=True):
    """What a seat has to know of the proof: what the server's secret is bound by, its public key, whether the table is
    strict, the record's words for the sides, the seat's chains, and where the proof stands."""

    commit: str
    key: str
    sides: tuple[str, str]
    is_strict: bool
    chains: tuple[OwnChain, ...]
    now: SealStatus


class LastSeenBlock(Message, frozen=True):
    """What the devices of a side have last seen of the proof: the number and head of a block. It goes from device to
    device, and the table adds nothing to it."""

    side: int
    blocks: int
    head: str


class ProofBlock(Message, frozen=True):
    """What everybody is told of a block of the proof; its head follows from it."""

    body: str
    waits: str


class Blocks(Message, frozen=True):
    """Blocks of the proof in their order."""

    blocks: tuple[ProofBlock, ...]


class News(Message, frozen=True):
    """A message of a seat's stream. `n` is its number, the seat's own.

    `entries` are what happened, `dropped` is how many of its last chronicle lines are void.
    `patch` changes the scene (a JSON merge patch, RFC 7396); the rest stands as it is now. `redo` is the seat's order
    that was taken back last and may be given again, or "".
    """

    n: int
    entries: tuple[LogEntry, ...] = ()
    dropped: int = 0
    patch: Mapping[str, JSON] = {}
    awaited: tuple[Awaited, ...] = ()
    can_undo: bool = False
    redo: str = ""
    proposals: tuple[Proposal, ...] = ()
    standing: StandingInstruction | None = None
    seal: SealStatus | None = None
    staff: StaffCard | None = None


class Fresh(Message, frozen=True):
    """All that a seat has to know: for a page that has just come, or that missed too much.

    `standing` is its standing instruction; null where it can give none. `stranded` is why the game cannot go on by the
    rules that are here; empty if it can. `seal` is null where nothing is proved. `takebacks` is what may be taken back
    that stands: `never` anything after a die, what the other side agrees to by `consent`, or all, `free`.
    `staff` is what its staff is at; null where it has none.
    """

    game: str
    title: str
    ruleset: str
    scenario: str
    options: Mapping[str, str]
    side: int
    n: int
    scene: Scene
    awaited: tuple[Awaited, ...]
    can_undo: bool
    redo: str
    proposals: tuple[Proposal, ...]
    seats: tuple[SeatLine, ...]
    since: str
    has_ended: bool
    helps: bool
    takebacks: str
    standing: StandingInstruction | None = None
    stranded: str = ""
    seal: SealCard | None = None
    staff: StaffCard | None = None


class ChronicleLine(Message, frozen=True):
    """A line of the chronicle: the number of the news that it came with, its turn (an index into `Turns`), what."""

    n: int
    turn: int
    entry: LogEntry


class ChroniclePage(Message, frozen=True):
    """Lines of the chronicle, oldest first, and whether there are earlier ones."""

    lines: tuple[ChronicleLine, ...]
    more: bool


class TurnMark(Message, frozen=True):
    """A turn on the timeline: its date and the number of the news with which it began; scores as they stood then."""

    n: int
    year: int
    turn: int
    scores: Mapping[str, tuple[int, int]]


class Turns(Message, frozen=True):
    """The turns so far, as the seat saw them."""

    turns: tuple[TurnMark, ...]


class Past(Message, frozen=True):
    """The scene as it stood after the seat's news number `n`, as the seat saw it then."""

    n: int
    scene: Scene


class Acted(Message, frozen=True):
    """An action that is on disk; `n` is the number of the seat's news that tells of it, `seal` the receipt."""

    n: int
    seal: SealStatus | None = None


class LeftUndone(Message, frozen=True):
    """What is left undone before a phase ends."""

    left: tuple[Left, ...]


class RuleLine(Message, frozen=True):
    """A rule by its number: as Markdown, and as HTML in which `data-rule` marks the numbers of others."""

    number: str
    text: str
    html: str


class Chapter(Message, frozen=True):
    """A chapter of the rulebook."""

    title: str
    rules: tuple[RuleLine, ...]


class RulebookPage(Message, frozen=True):
    """The rulebook of a rule set."""

    chapters: tuple[Chapter, ...]


class ChatLine(Message, frozen=True):
    """A line of chat."""

    n: int
    side: int
    at: str
    text: str


class Chat(Message, frozen=True):
    """The chat of a game."""

    lines: tuple[ChatLine, ...]


class Presence(Message, frozen=True, omit_defaults=True):
    """Who is at the table now, by side; to those who play also who watches, of those who have given a name."""

    sides: tuple[int, ...]
    watchers: tuple[Sitter, ...] = ()


class Again(Message, frozen=True):
    """The server is about to end: after how many milliseconds it is worth coming back."""

    wait: int


class Problem(Message, frozen=True):
    """An error (RFC 9457): what went wrong and what to do. `rule` and `place` where a rule refuses; `n` is the number
    of the present news if the client had not seen everything."""

    status: int
    title: str
    detail: str
    rule: str = ""
    place: Place = ""
    n: int = -1


def chat_line(said: ChatRow) -> ChatLine:
    """A line of chat as it is told."""
    return ChatLine(said.number, said.side, said.at, said.text)
