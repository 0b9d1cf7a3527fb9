"""The messages of the wire: every request, every answer, and the events of a seat's stream.

OpenAPI and the client's types are made from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from leuthen.engine.codec import JSON
from leuthen.load import DEFAULT
from leuthen.play.record import TAKEBACKS
from leuthen.play.table import LONGEST, MOST
from leuthen.report.values import WarReport
from leuthen.screen.values import Left, LogEntry, Place, Scene
from leuthen.storage.rows import ChatRow

Key: TypeAlias = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9_-]{8,64}$", description="made by the client, once a request")
]
Text: TypeAlias = Annotated[str, Meta(max_length=2000)]
PLAIN: Final = r"^[^\x00-\x08\x0b-\x1f\x7f]*$"
"""What others read holds no control characters, which could move the cursor of a terminal."""
Takebacks: TypeAlias = Annotated[str, Meta(pattern=f"^({'|'.join(TAKEBACKS)})$")]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=80)]


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request or an answer."""


Word: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", description="a hash in hexadecimal digits")]


class Share(Message, frozen=True):
    """The part of a device in the dice: link `number` of its chain `chain` (both count from 1), and the number and head
    of the last block that it has seen. How they are made: docs/proof.md."""

    chain: Annotated[int, Meta(ge=1, le=1000)]
    number: Annotated[int, Meta(ge=1, le=65536)]
    link: Word
    seen: Annotated[int, Meta(ge=0, le=2**31)]
    head: Word


class SeenBlock(Message, frozen=True):
    """The number and head of the last block that a device has seen, for the others at the table."""

    blocks: Annotated[int, Meta(ge=0, le=2**31)]
    head: Word


class NewChain(Message, frozen=True):
    """A device begins to take part in the dice: the top and length of a chain that it has made, and why it makes one:
    `first` of the seat, another `device`, the one before is `lost` or `used-up`."""

    top: Word
    length: Annotated[int, Meta(ge=1, le=65536)] = 4096
    why: Annotated[str, Meta(pattern="^(first|device|lost|used-up)$")] = "device"


class Sitter(Message, frozen=True):
    """How a player, or who watches, is called at a table, and his colour; "" for neither.

    A name that could be taken for the machine, the umpire or a player is refused.
    """

    name: Annotated[str, Meta(max_length=80)] = ""
    colour: Annotated[str, Meta(pattern="^(blue|red|green|gold|violet|brown|teal|grey)?$")] = ""


class Rename(Sitter, frozen=True):
    """Another name and colour. `was` is how the sender saw himself called: if that has changed since, it is refused."""

    was: Sitter | UnsetType = UNSET


class NewGame(Message, frozen=True):
    """Makes a game. A player is `me` (this browser), `link` (whoever gets the seat's link), or a bot's name.

    Two times `me` is a game at one screen.
    """

    players: tuple[Name, Name]
    ruleset: Name = DEFAULT
    scenario: Name = "campaign"
    options: dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=40)]] = {}
    title: Annotated[str, Meta(max_length=80, pattern=PLAIN)] = ""
    helps: bool = True
    """Whether players may ask the machine for advice."""
    takebacks: Takebacks = "consent"
    """What may be taken back that stands: nothing after a die, whatever the other side agrees to, or all, free."""
    sitting: tuple[Sitter, Sitter] = (Sitter(), Sitter())
    """How those are called who sit here: of each side that is `me`."""
    strict: bool = False
    """Whether each die waits for the other seat's part in it: against a machine, those that its orders bring about."""
    chain: NewChain | UnsetType = UNSET
    """Of this browser, where it leads one side: so no die falls before it has a part, though a machine moves first."""


class Learn(Message, frozen=True):
    """Makes a game of a lesson, or of a drill."""

    name: Annotated[str, Meta(min_length=1, max_length=400)]


class TakeSeat(Message, frozen=True):
    """Takes a seat by the secret of an invitation, which stands in the fragment of its link and works once.

    A browser sits by its cookie from then on, a program by the `key` that it has made for itself: a secret too, which
    it sends as bearer. Sent again by the same browser, or with the same key, it is answered as before.
    """

    secret: Annotated[str, Meta(max_length=80)]
    key: Annotated[str, Meta(pattern=r"^([A-Za-z0-9_-]{22,80})?$")] = ""
    sitter: Sitter = Sitter()
    """How whoever takes it is called, unless the seat has a name already."""


class NewLink(Message, frozen=True):
    """Makes a link to a seat: without `side` to one's own; else to a seat that nobody has taken, or to the gallery (2).

    An older link to a seat opens nothing any more; links to the gallery go on working unless `ends`. With `ends` the
    other devices that sit there are signed out.
    """

    side: Annotated[int, Meta(ge=-1, le=2)] = -1
    ends: bool = True


class Acquainted(Message, frozen=True):
    """The owner has been shown the devices of his seat up to this number."""

    number: Annotated[int, Meta(ge=0, le=2**31)]


class Order(Message, frozen=True):
    """An action in the record's notation. `seen` is the last number of the seat's own news that the client has.

    `halt` is an answer that leaves things as they are, a march's «halt» for one, and is given at once if nothing comes
    between: nobody else's answer, no die, nothing hidden that is shown, no fighting. Else the seat is asked.
    """

    seen: int
    key: Key
    order: Text
    halt: Text | UnsetType = UNSET
    share: Share | UnsetType = UNSET


class TableMove(Message, frozen=True):
    """Something that is no action of the rules: undo, go on, resign, offer a draw, ask for a takeback, answer either.

    `do` is `undo`, `go-on`, `resign`, `offer-draw`, `offer-rematch`, `ask-takeback`, `accept`, `decline`, `withdraw`.
    `to` is, of a takeback, the number of the seat's news before which the game shall stand again. `offer` is the kind
    of the offer that is accepted or declined: with it an offer is answered only if it is still that one, of a takeback
    with `to` as its `Proposal` says. `until` is what ends the going on: the `phase`, the `turn`, or any `event`; with
    `theatre` it lasts for the turn and leaves only what is asked of the `theatres` named.
    """

    seen: int
    key: Key
    do: Annotated[
        str,
        Meta(pattern="^(undo|go-on|resign|offer-draw|offer-rematch|ask-takeback|accept|decline|withdraw)$"),
    ]
    to: int = 0
    offer: Annotated[str, Meta(max_length=20)] = ""
    until: Annotated[str, Meta(pattern="^(phase|turn|theatre|event)$")] = "phase"
    theatres: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=20)] = ()
    share: Share | UnsetType = UNSET


class Ask(Message, frozen=True):
    """Asks for the form of an order of which this is chosen."""

    partial_order: dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=40)]] = {}


class Instruct(Message, frozen=True):
    """Gives the seat's standing instruction: all its clauses, each a line; none take it back."""

    seen: int
    key: Key
    clauses: Annotated[tuple[Annotated[str, Meta(max_length=LONGEST)], ...], Meta(max_length=MOST)] = ()
    share: Share | UnsetType = UNSET


class GiveMission(Message, frozen=True):
    """Gives an army a mission, «Daun besiege Dresden», or takes it away, «drop Daun»."""

    mission: Annotated[str, Meta(min_length=1, max_length=120, pattern=PLAIN)]


class SignPlan(Message, frozen=True):
    """Lets the staff carry on with the plan. `asks` is the question of the staff that the player has seen, "" of none:
    he lets it do what it proposes then."""

    seen: int
    asks: Text = ""


class Say(Message, frozen=True):
    """A line of chat."""

    key: Key
    text: Annotated[str, Meta(min_length=1, max_length=500, pattern=PLAIN)]


class Notes(Message, frozen=True):
    """A seat's private notes and plans: text, and arrows and pins on the map.

    `version` counts how often they were saved. To save them, send the version that they were made from: they have the
    next one then. If others were saved meanwhile, they are refused (409).
    """

    text: Annotated[str, Meta(max_length=20000)] = ""
    arrows: Annotated[tuple[tuple[Place, ...], ...], Meta(max_length=200)] = ()
    pins: Annotated[tuple[tuple[Place, str], ...], Meta(max_length=200)] = ()
    version: Annotated[int, Meta(ge=0, le=2**31)] = 0


class StaffMission(Message, frozen=True):
    """What an army is to do by the staff's plan: who commands it, all its leaders, its men and where it stands; what,
    where ("" in no place), and why: the goal, what it rests on, the rule, the odds in per cent (null: none). `is_yours`
    says that the player gave it; `path` is the way that the army goes this turn; `price` what men the mission costs by
    the rules, "" if that is not known beforehand."""

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
    """An order that the staff would give: its line, what it does in words, the rule, and the way if it is a march.
    `asks` is why the player is asked before."""

    order: str
    text: str
    rule: str
    path: tuple[Place, ...] = ()
    asks: str = ""


class StaffPlan(Message, frozen=True):
    """The staff's plan for the turn: what each army is to do; the orders to the end of the turn, tried in a world that
    the seat's view allows; the missions that there are; what is to be said of an earlier plan that could not be
    kept, or ""."""

    missions: tuple[StaffMission, ...]
    steps: tuple[StaffStep, ...]
    kinds: tuple[str, ...]
    word: str = ""


class StaffCard(Message, frozen=True):
    """What a seat's staff is at. It carries out the plan while `is_at_work`; else, if the plan is signed, it `asks`:
    why, with the order that it would give, its line and in words. `affair` is what it would see to as a whole if it is
    told to carry on, "" for no more than the order."""

    is_at_work: bool = False
    is_signed: bool = False
    asks: str = ""
    affair: str = ""
    order: str = ""
    text: str = ""
    word: str = ""


class Advice(Message, frozen=True):
    """What the machine would order in the seat's place, knowing what the seat may know: the order, a sentence, and
    reasons: two if the order belongs to a mission of the staff's plan, else what the staff goes by.

    `partial_order` has what is chosen in the form of the order, so that it can be shown and changed.
    """

    order: str
    text: str
    partial_order: Mapping[str, str] = {}
    reasons: tuple[str, ...] = ()


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

    `signature` is of the text that docs/proof.md calls a checkpoint. `waiting` is the side for whose
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
    return ChatLine(said.number, said.side, said.at, said.text)


class LessonCard(Message, frozen=True):
    """A lesson on the list: what it is about, and how many minutes it takes.

    `begun` is one's own seat at the last game of it that goes on, or "".
    """

    name: str
    ruleset: str
    title: str
    about: str
    minutes: int
    begun: str = ""


class School(Message, frozen=True):
    """The lessons, in the order in which they are taken."""

    lessons: tuple[LessonCard, ...]


class Schooling(Message, frozen=True):
    """Where a pupil stands in a lesson: `done` of its `steps`, what is said now, and what to point at.

    `stray` is said of another way that he has gone, `remark` of a rule that bites for the first time.

    `press` is the kind of order to point at, `point` are places. `partial_order` has what a model order would choose in
    the form, if it is legal now; `order` is its line. `back` is the number of the pupil's news of his last order,
    for a takeback to it, or 0. When all is done `say` is the ending, and `next` the lesson that comes next.
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
    """A drill on the list: the name to ask for, its title, and the rules that it is about."""

    name: str
    title: str
    rules: tuple[str, ...]


class DrillChapter(Message, frozen=True):
    """The drills on one subject, in the order in which they are learned."""

    title: str
    drills: tuple[DrillLine, ...]


class Drills(Message, frozen=True):
    """The drills of a rule set, by chapter."""

    chapters: tuple[DrillChapter, ...]


class DrillOrder(Message, frozen=True):
    """An order that a drill asks about: its line, and in words."""

    order: str
    text: str


class Drilling(Message, frozen=True):
    """A drill at the table: its rules, what is asked, the orders that it is about, the places that they name.

    Once it is answered: whether that `is_right`, what the rule means for the player (`lesson`), which of the orders are
    `allowed`, and what `came` in the case of the one that is `done` there, in words. `next` is the name of the next
    drill, "" where there is none.
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


class Reported(Message, frozen=True):
    """The report on a game that has ended, or how far it is: `done` of `total` decisions of a stage.

    `stage` is "" as long as nobody has asked for it, then `begun`, `decisions`, `doubtful decisions`, and `done`; or
    `failed`, and `said` tells why; or `none`, where there can be none, and why. `news` are the numbers of the seat's
    news at which each moment begins.
    """

    stage: str = ""
    done: int = 0
    total: int = 0
    report: WarReport | None = None
    news: tuple[int, ...] = ()
    said: str = ""
