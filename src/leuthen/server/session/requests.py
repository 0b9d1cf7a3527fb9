"""What goes over the wire from a client: every request. OpenAPI and the client's types are made from this."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from leuthen.load import DEFAULT
from leuthen.play.instruction import LONGEST, MOST
from leuthen.play.record import TAKEBACKS
from leuthen.screen import Place

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
    of the last block that it has seen. How they are made: docs/decisions/accountable.md."""

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
