"""The messages of the HTTP interface: requests, answers, the events of a seat's stream, and errors.

The OpenAPI document and the client's types are generated from them. Errors contain no secret.
"""

from collections.abc import Mapping
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from leuthen.engine.codec import JSON
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.load import DEFAULT, UnreadableFile
from leuthen.play.record import TAKEBACKS
from leuthen.play.table import LONGEST, MOST
from leuthen.report.values import WarReport
from leuthen.screen.values import Left, LogEntry, Place, Scene
from leuthen.storage import rows
from leuthen.wargame.board import hex_name

Key: TypeAlias = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9_-]{8,64}$", description="made by the client, once a request")
]
Text: TypeAlias = Annotated[str, Meta(max_length=2000)]
PLAIN: Final = r"^[^\x00-\x08\x0b-\x1f\x7f]*$"
"""Text for others contains no control characters, which could move a terminal's cursor."""
Takebacks: TypeAlias = Annotated[str, Meta(pattern=f"^({'|'.join(TAKEBACKS)})$")]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=80)]


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request or an answer."""


Word: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", description="a hash in hexadecimal digits")]


class Share(Message, frozen=True):
    """A device's contribution to the dice: link `number` of its chain `chain` (both from 1), and the number and head
    of the last block that it has seen. See docs/proof.md."""

    chain: Annotated[int, Meta(ge=1, le=1000)]
    number: Annotated[int, Meta(ge=1, le=65536)]
    link: Word
    seen: Annotated[int, Meta(ge=0, le=2**31)]
    head: Word


class SeenBlock(Message, frozen=True):
    """The number and head of the last block that a device has seen."""

    blocks: Annotated[int, Meta(ge=0, le=2**31)]
    head: Word


class NewChain(Message, frozen=True):
    """Registers a device for the dice: the top and length of its chain, and the reason for the chain: `first` of the
    seat, another `device`, or the previous one is `lost` or `used-up`."""

    top: Word
    length: Annotated[int, Meta(ge=1, le=65536)] = 4096
    why: Annotated[str, Meta(pattern="^(first|device|lost|used-up)$")] = "device"


class DisplayName(Message, frozen=True):
    """The display name and colour of a player or spectator; "" for none.

    A name that resembles a bot, the umpire or a player is refused.
    """

    name: Annotated[str, Meta(max_length=80)] = ""
    colour: Annotated[str, Meta(pattern="^(blue|red|green|gold|violet|brown|teal|grey)?$")] = ""


class Rename(DisplayName, frozen=True):
    """A new name and colour. The request is refused if the name is no longer `was`."""

    was: DisplayName | UnsetType = UNSET


_MOVES: Final = "undo|go-on|resign|offer-draw|offer-rematch|ask-takeback|ask-pace|roll-alone|accept|decline|withdraw"
Pace: TypeAlias = Annotated[str, Meta(pattern="^(live|correspondence)$")]


class NewGame(Message, frozen=True):
    """Creates a game. A player is `me` (this browser), `link` (invited by link), or a bot's name.

    Twice `me` is a game at one screen.
    """

    players: tuple[Name, Name]
    ruleset: Name = DEFAULT
    scenario: Name = "campaign"
    options: dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=40)]] = {}
    title: Annotated[str, Meta(max_length=80, pattern=PLAIN)] = ""
    helps: bool = True
    """Whether players may ask for a bot's advice."""
    takebacks: Takebacks = "consent"
    """`never` after a die, with the opponent's `consent`, or `free`."""
    sitting: tuple[DisplayName, DisplayName] = (DisplayName(), DisplayName())
    """The names of this browser's players, by side."""
    pace: Pace = "correspondence"
    """`live`: each die waits for both browsers; `correspondence`: none waits."""
    chain: NewChain | UnsetType = UNSET
    """The chain of this browser if it leads one side, so that even the first die includes it."""


class Learn(Message, frozen=True):
    """Creates a game of a lesson or a drill."""

    name: Annotated[str, Meta(min_length=1, max_length=400)]


class TakeSeat(Message, frozen=True):
    """Accepts an invitation by its secret, which is the fragment of its link and works once.

    A browser is identified by its cookie afterwards, a program by the secret `key` that it chooses and sends as a
    bearer token. A repeated request gets the same answer.
    """

    secret: Annotated[str, Meta(max_length=80)]
    key: Annotated[str, Meta(pattern=r"^([A-Za-z0-9_-]{22,80})?$")] = ""
    sitter: DisplayName = DisplayName()
    """The player's name, unless the seat has one."""


class NewLink(Message, frozen=True):
    """Creates an invitation: without `side` to one's own seat, else to an open seat or for spectators (2).

    Older invitations to a seat become void; those for spectators remain valid unless `ends` is set. With `ends` the
    other devices of the seat are signed out.
    """

    side: Annotated[int, Meta(ge=-1, le=2)] = -1
    ends: bool = True


class DevicesSeen(Message, frozen=True):
    """Marks the devices of the seat up to this number as seen by the owner."""

    number: Annotated[int, Meta(ge=0, le=2**31)]


class Order(Message, frozen=True):
    """An action in the record's notation. `seen` is the last number of the seat that the client has.

    `halt` is a neutral follow-up answer, such as the "halt" of a march. It is given at once unless something comes
    between: another player's answer, a die, a revelation, or fighting.
    """

    seen: int
    key: Key
    order: Text
    halt: Text | UnsetType = UNSET
    share: Share | UnsetType = UNSET


class TableMove(Message, frozen=True):
    """An action outside the rules.

    `do` is `undo`, `go-on`, `resign`, `offer-draw`, `offer-rematch`, `ask-takeback`, `ask-pace` (the other one), `roll-
    alone` (the die that waits for the opponent's browser), `accept`, `decline` or `withdraw`.
    For a takeback, `to` is the seat's number before which the game resumes. `offer` is the kind of the offer that is
    answered; the request is refused if the offer has changed (for a takeback also if `to` differs). `until` ends `go-
    on`: the `phase`, the `turn`, or the next `event`; with `theatre` it lasts for the turn and covers only questions
    about the named `theatres`.
    """

    seen: int
    key: Key
    do: Annotated[str, Meta(pattern=f"^({_MOVES})$")]
    to: int = 0
    offer: Annotated[str, Meta(max_length=20)] = ""
    until: Annotated[str, Meta(pattern="^(phase|turn|theatre|event)$")] = "phase"
    theatres: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=20)] = ()
    share: Share | UnsetType = UNSET


class FormRequest(Message, frozen=True):
    """Requests the form of an order with these choices."""

    partial_order: dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=40)]] = {}


class Instruct(Message, frozen=True):
    """Replaces the seat's standing instruction by these clauses; none revoke it."""

    seen: int
    key: Key
    clauses: Annotated[tuple[Annotated[str, Meta(max_length=LONGEST)], ...], Meta(max_length=MOST)] = ()
    share: Share | UnsetType = UNSET


class GiveMission(Message, frozen=True):
    """Gives an army a mission ("Daun besiege Dresden") or removes it ("drop Daun")."""

    mission: Annotated[str, Meta(min_length=1, max_length=120, pattern=PLAIN)]


class SignPlan(Message, frozen=True):
    """Lets the staff continue its plan. `asks` is the staff's question that the player has seen, or ""; signing
    approves its proposal."""

    seen: int
    asks: Text = ""


class Say(Message, frozen=True):
    """A chat line."""

    key: Key
    text: Annotated[str, Meta(min_length=1, max_length=500, pattern=PLAIN)]


class Notes(Message, frozen=True):
    """A seat's private notes: text, and arrows and pins on the map.

    `version` counts the saves. Send the version that was edited; if others were saved in the meantime, the request is
    refused (409).
    """

    text: Annotated[str, Meta(max_length=20000)] = ""
    arrows: Annotated[tuple[tuple[Place, ...], ...], Meta(max_length=200)] = ()
    pins: Annotated[tuple[tuple[Place, str], ...], Meta(max_length=200)] = ()
    version: Annotated[int, Meta(ge=0, le=2**31)] = 0


class StaffMission(Message, frozen=True):
    """An army's mission in the staff's plan: commander, all leaders, strength and position; kind and place ("" for
    none); goal, reasons, rule, and odds in per cent (null: none).

    `is_yours` marks a mission given by the player; `path` is this turn's way; `price` the strength that it costs, or ""
    if unknown.
    """

    leader: str
    names: tuple[str, ...]
    men: str
    at: Place
    kind: str
    place: Place
    goal: str
    reasons: tuple[str, ...]
    rule: str
    odds: int | None
    is_yours: bool
    path: tuple[Place, ...] = ()
    price: str = ""


class StaffStep(Message, frozen=True):
    """An order that the staff would give: its line, text, rule, and the path of a march. `asks` is the reason to ask
    the player first."""

    order: str
    text: str
    rule: str
    path: tuple[Place, ...] = ()
    asks: str = ""


class StaffPlan(Message, frozen=True):
    """The staff's plan for the turn: missions, the orders until the end of the turn (tried in a sampled world), the
    kinds of missions, and a note on an earlier plan, or ""."""

    missions: tuple[StaffMission, ...]
    steps: tuple[StaffStep, ...]
    kinds: tuple[str, ...]
    word: str = ""


class StaffCard(Message, frozen=True):
    """The state of a seat's staff. It carries out the plan while `is_at_work`; else, if the plan is signed, it
    `asks` a question about the `order` with this `text`. `topic` is the topic that a signature delegates, or "" for
    this order only."""

    is_at_work: bool = False
    is_signed: bool = False
    asks: str = ""
    topic: str = ""
    order: str = ""
    text: str = ""
    word: str = ""


class Advice(Message, frozen=True):
    """An order that the bot recommends from the seat's knowledge, with a sentence and reasons.

    `partial_order` has its choices in the form, so that it can be shown and changed.
    """

    order: str
    text: str
    partial_order: Mapping[str, str] = {}
    reasons: tuple[str, ...] = ()


class SeatLine(Message, frozen=True):
    """A seat: its public id for its own browser (else ""), side (2: spectators), the side's name, and `who`: `person`,
    `open` (an unused invitation), `watcher`, or a bot's name.

    `player` is a person's name with its `colour` (each may be ""), or a bot's title; a bot introduces itself with
    `greeting`.
    """

    side: int
    name: str
    who: str
    seat: str = ""
    player: str = ""
    colour: str = ""
    greeting: str = ""


class GameLine(Message, frozen=True):
    """A game on the home page. `scenario` describes its scenario ("" for a lesson), `since` is when the current
    decision began, in ISO 8601; `unplayable` the reason why the game cannot go on."""

    game: str
    title: str
    ruleset: str
    date: str
    waiting: tuple[str, ...]
    since: str
    is_your_turn: bool
    seats: tuple[SeatLine, ...]
    result: str = ""
    unplayable: str = ""
    scenario: str = ""


class Home(Message, frozen=True):
    """The games of this browser, those that wait for it first."""

    games: tuple[GameLine, ...]


class BotLine(Message, frozen=True):
    """A bot: name, title, strength and style, and greeting."""

    name: str
    title: str
    text: str
    greeting: str


class RulesetLine(Message, frozen=True):
    """A rule set: name, title, and its bots, the default first."""

    name: str
    title: str
    bots: tuple[BotLine, ...]


class CreatedSeat(Message, frozen=True):
    """A seat of a new game. `link` is its invitation, shown only to the creator."""

    side: int
    name: str
    who: str
    seat: str
    link: str = ""


class CreatedGame(Message, frozen=True):
    """A new game: its seats and the invitation for spectators."""

    game: str
    seats: tuple[CreatedSeat, ...]
    watch: str


class ImportProgress(Message, frozen=True):
    """The number of replayed lines of an import; 0 of 0 while the record is read, and for an unknown import."""

    done: int
    total: int


class Link(Message, frozen=True):
    """A new invitation, shown once."""

    link: str


class BrowserLabel(Message, frozen=True):
    """The description of this browser among the devices of a seat."""

    what: str


class TakenSeat(Message, frozen=True):
    """The seat of an accepted invitation: its public id and its page. `link` is an invitation for another device of
    the same player, shown once; "" for spectators and for a device that had the seat already."""

    seat: str
    page: str
    link: str = ""


class Device(Message, frozen=True):
    """A browser or program on one's seat: description, start, and last use (to ten minutes).

    `is_new` marks a device that the owner has not seen in the list yet. `since` may be "".
    """

    number: int
    what: str
    since: str
    seen: str
    is_this: bool = False
    is_new: bool = False


class Devices(Message, frozen=True):
    """All devices of one's seat, and whether an open invitation leads to it."""

    devices: tuple[Device, ...]
    has_link: bool


class Awaited(Message, frozen=True):
    """A pending decision, as the seat may know it."""

    side: int
    name: str
    decision: str
    rule: str
    text: str
    is_yours: bool


class Proposal(Message, frozen=True):
    """An offered draw, takeback, pace (`pace-live`, `pace-correspondence`) or rematch. `uncovers` lists what a takeback
    would undo, to the seat's knowledge."""

    kind: str
    side: int
    text: str
    uncovers: tuple[str, ...] = ()
    to: int = 0


class ClauseLine(Message, frozen=True):
    """A clause of a standing instruction: its line, its sentence, and why it can never apply, or ""."""

    text: str
    label: str
    dead: str = ""


class StandingInstruction(Message, frozen=True):
    """A seat's standing instruction. `stopped` is the surprise that suspended it until it is given again."""

    clauses: tuple[ClauseLine, ...] = ()
    is_armed: bool = False
    stopped: str = ""


class SealStatus(Message, frozen=True):
    """The signed status of a game's proof: number of blocks and last head; that block's body and pending links (`place
    side`, or ""); the seat's own count and head.

    `signature` covers the checkpoint of docs/proof.md. `waiting` is the side whose link is awaited, or -1; `shares`
    tells which sides contribute to the dice, `pace` the present pace, and `alone` how many dice a side rolled without
    the other.
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
    pace: Pace
    alone: int


class OwnChain(Message, frozen=True):
    """A chain of the seat: number, length, number of used links, and the last of them (at first its top)."""

    number: int
    length: int
    given: int
    last: str


class SealCard(Message, frozen=True):
    """The proof's parameters for a seat: the commitment to the server's secret, the public key, the pace with which the
    game began and whether it can be switched, the record's names of the sides, the seat's chains, and the status."""

    commit: str
    key: str
    sides: tuple[str, str]
    pace: Pace
    can_switch: bool
    chains: tuple[OwnChain, ...]
    now: SealStatus


class LastSeenBlock(Message, frozen=True):
    """The last block that the devices of a side have seen, forwarded between devices unchanged."""

    side: int
    blocks: int
    head: str


class ProofBlock(Message, frozen=True):
    """The public part of a block of the proof; its head follows from it."""

    body: str
    waits: str


class Blocks(Message, frozen=True):
    """Consecutive blocks of the proof."""

    blocks: tuple[ProofBlock, ...]


class SeatUpdate(Message, frozen=True):
    """An update of a seat's stream. `n` is the seat's own number.

    `entries` are new log entries, `dropped` the number of void ones before them. `patch` changes the scene (JSON merge
    patch, RFC 7396); the other fields are complete. `redo` is the order that was taken back last and may be given
    again, or ""; `since` is when the present decision or wait began.
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
    since: str = ""


class SeatSnapshot(Message, frozen=True):
    """The complete state of a seat, for a page that opens or has missed too much.

    `standing` is null if the rule set has no instructions, `seal` if nothing is proved, `staff` if the seat has none.
    `unplayable` is the reason why the game cannot go on, or "". `takebacks` is `never`, `consent` or `free`.
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
    unplayable: str = ""
    seal: SealCard | None = None
    staff: StaffCard | None = None


class ChronicleLine(Message, frozen=True):
    """A line of the chronicle: its number, its turn (an index into `Turns`), and the log entry."""

    n: int
    turn: int
    entry: LogEntry


class ChroniclePage(Message, frozen=True):
    """Lines of the chronicle, oldest first, and whether there are earlier ones."""

    lines: tuple[ChronicleLine, ...]
    more: bool


class TurnMark(Message, frozen=True):
    """A turn on the timeline: its date, the number with which it began, and the scores at that time."""

    n: int
    year: int
    turn: int
    scores: Mapping[str, tuple[int, int]]


class Turns(Message, frozen=True):
    """The turns so far, as the seat saw them."""

    turns: tuple[TurnMark, ...]


class PastScene(Message, frozen=True):
    """The scene after the seat's number `n`, as the seat saw it then."""

    n: int
    scene: Scene


class OrderResult(Message, frozen=True):
    """The result of a stored action: the seat's number that reports it, and the receipt `seal`."""

    n: int
    seal: SealStatus | None = None


class Front(Message, frozen=True):
    """The front as a seat knows it, in words."""

    text: str


class LeftUndone(Message, frozen=True):
    """The tasks that remain in this phase."""

    left: tuple[Left, ...]


class RuleLine(Message, frozen=True):
    """A rule: number, Markdown, and HTML in which `data-rule` marks the numbers of other rules."""

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
    """A chat line."""

    n: int
    side: int
    at: str
    text: str


class Chat(Message, frozen=True):
    """The chat of a game."""

    lines: tuple[ChatLine, ...]


class Presence(Message, frozen=True, omit_defaults=True):
    """The sides that are online; for players also the named spectators."""

    sides: tuple[int, ...]
    watchers: tuple[DisplayName, ...] = ()


class Reconnect(Message, frozen=True):
    """The server stops: reconnect after this many milliseconds."""

    wait: int


class Problem(Message, frozen=True):
    """An error (RFC 9457): what went wrong and what to do. `rule` and `place` are set when a rule refuses; `n` is
    the current number if the client had not seen everything."""

    status: int
    title: str
    detail: str
    rule: str = ""
    place: Place = ""
    n: int = -1


def chat_line(said: rows.ChatRow) -> ChatLine:
    return ChatLine(said.number, said.side, said.at, said.text)


class LessonCard(Message, frozen=True):
    """A lesson in the list: its subject and duration in minutes.

    `begun` is one's own seat in the latest unfinished game of it, or "".
    """

    name: str
    ruleset: str
    title: str
    about: str
    minutes: int
    begun: str = ""


class School(Message, frozen=True):
    """The lessons in their recommended order."""

    lessons: tuple[LessonCard, ...]


class LessonState(Message, frozen=True):
    """The progress of a lesson: `done` of its `steps`, the text to show, and what to highlight.

    `stray` comments on an unexpected action, `remark` on a rule that matters for the first time. `press` is the kind of
    order to highlight, `point` are places. `partial_order` has the form choices of a model order, if it is legal now,
    and `order` its line. `back` is the pupil's number of the last order, for a takeback to it, or 0. At the end, `say`
    is the closing text and `next` the following lesson.
    """

    name: str
    title: str
    goal: str
    done: int
    steps: int
    say: str
    stray: str = ""
    remark: str = ""
    point: tuple[Place, ...] = ()
    press: str = ""
    order: str = ""
    partial_order: Mapping[str, str] = {}
    back: int = 0
    next: str = ""
    plain: bool = False


class DrillLine(Message, frozen=True):
    """A drill in the list: name, title, and the rules that it covers."""

    name: str
    title: str
    rules: tuple[str, ...]


class DrillChapter(Message, frozen=True):
    """The drills on one subject, in learning order."""

    title: str
    drills: tuple[DrillLine, ...]


class Drills(Message, frozen=True):
    """The drills of a rule set, by chapter."""

    chapters: tuple[DrillChapter, ...]


class DrillOrder(Message, frozen=True):
    """An order that a drill asks about: its line and its text."""

    order: str
    text: str


class DrillProgress(Message, frozen=True):
    """A drill at the table: its rules, question, orders, and the places to highlight.

    After the answer: `is_right`, the meaning of the rule (`lesson`), the `allowed` orders, and the sentences about the
    effects (`came`) of the order that the case carries out (`done`). `next` is the name of the next drill, or "".
    """

    name: str
    rules: tuple[str, ...]
    say: str
    orders: tuple[DrillOrder, ...]
    is_answered: bool = False
    is_right: bool = False
    lesson: str = ""
    allowed: tuple[str, ...] = ()
    done: str = ""
    came: tuple[str, ...] = ()
    point: tuple[Place, ...] = ()
    next: str = ""


class ReportStatus(Message, frozen=True):
    """The report on an ended game, or its progress: `done` of `total` decisions in a stage.

    `stage` is "" before the first request, then `begun`, `decisions`, `doubtful decisions` and `done`; or `failed` or
    `none`, with the reason in `said`. `news` are the seat's numbers at which the highlights begin.
    """

    stage: str = ""
    done: int = 0
    total: int = 0
    report: WarReport | None = None
    news: tuple[int, ...] = ()
    said: str = ""


# --- errors: a status, a sentence, and what helps ---------------------------------------------------------------------


BAD: Final = 400
FOREIGN: Final = 403
UNKNOWN: Final = 404
STALE: Final = 409
GONE: Final = 410
SIGNED_OUT: Final = 401
ILLEGAL: Final = 422
TOO_MANY: Final = 429


class Fault(Exception):
    """A request that is refused. `wait` is the number of seconds after which it may be repeated, or 0."""

    def __init__(self, problem: Problem, wait: int = 0) -> None:
        super().__init__(problem.title)
        self.problem = problem
        self.wait = wait


def fault(status: int, title: str, detail: str, *, n: int = -1, wait: int = 0) -> Fault:
    return Fault(Problem(status, title, detail, n=n), wait)


def unknown(what: str = "seat") -> Fault:
    """Return the error for something that does not exist or belongs to others, without telling which."""
    return fault(UNKNOWN, f"No such {what}", f"There is no such {what}, or it is not yours.")


def stale(n: int) -> Fault:
    return fault(STALE, "The game has changed", "The game has changed since you looked. Check it and try again.", n=n)


def problem_of(error: Exception) -> Fault | None:
    """Return the answer to an error that a request may cause; None for a fault of the server."""
    if isinstance(error, Fault):
        return error
    if isinstance(error, Illegal):
        refusal = error.refusal
        place = hex_name(refusal.place) if refusal.place >= 0 else ""
        return Fault(Problem(ILLEGAL, "The rules forbid it", refusal.text, refusal.rule, place))
    if isinstance(error, Invalid) and not isinstance(error, UnreadableFile):
        return fault(BAD, "Not understood", str(error)[:1000])  # it may quote the request
    if isinstance(error, rows.StorageError):
        kind = type(error) if type(error) in _ANSWERS else rows.StorageBroken
        status, title, wait = _ANSWERS[kind]
        return fault(status, title, _DETAILS[kind], wait=wait)
    return None


_NOTHING: Final = "Nothing was changed or lost."
_ANSWERS: Final[Mapping[type, tuple[int, str, int]]] = {
    rows.StorageFull: (507, "The disk is full", 10),
    rows.StorageBusy: (503, "The database is busy", 2),
    rows.StorageGone: (503, "The games are missing", 60),
    rows.LockLost: (503, "Another server takes over", 1),
    rows.StorageAway: (503, "No database connection", 2),
    rows.Unfit: (BAD, "Not understood", 0),
    rows.StorageBroken: (503, "The database is damaged", 60),
}
"""The status, the title, and the seconds before a retry."""
_DETAILS: Final[Mapping[type, str]] = {
    rows.StorageFull: f"The server's disk is full. {_NOTHING}",
    rows.StorageBusy: f"Another program has locked the server's database. {_NOTHING} Try again.",
    rows.StorageGone: "The server cannot find its games. It accepts no orders until they are back.",
    rows.LockLost: f"Another server may have taken over the games. {_NOTHING} Send it again.",
    rows.StorageAway: "The server's database cannot be reached. Send it again: it counts only once.",
    rows.Unfit: f"The database cannot store this text. {_NOTHING}",
    rows.StorageBroken: "The server cannot use its database. Nothing was changed. The host can restore a backup.",
}
