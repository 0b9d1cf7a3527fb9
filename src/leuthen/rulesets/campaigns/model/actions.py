"""What players and chance answer to decisions: commands, in the rulebook's words.

Leaders and wagons are numbers of the data, hexes numbers of the board, TP of several nations are bags.
"""

from __future__ import annotations

from typing import ClassVar, Final, TypeAlias

from leuthen.engine.decision import Done as Done
from leuthen.engine.decision import Roll as Roll
from leuthen.engine.ruleset import Side
from leuthen.wargame.actions import Action, StrengthAction
from leuthen.wargame.board import Hex
from leuthen.wargame.names import NO_LEADER, LeaderId
from leuthen.wargame.strength import EMPTY, Bag, PowerId

GARRISON: Final = 1000
"""Added to a hex, it stands for the garrison there."""


class March(Action, frozen=True, tag="march"):
    """A leader sets out with companions and wagons; `path` is the first leg. `forage`: without paying (V3.5)."""

    leader: LeaderId
    companions: tuple[LeaderId, ...] = ()
    forage: bool = False
    path: tuple[Hex, ...] = ()


class Go(Action, frozen=True, tag="go"):
    """A further leg of the march, or the move of a reaction or a forced march."""

    path: tuple[Hex, ...]
    forage: bool = False


class Halt(Action, frozen=True, tag="halt"):
    """The move ends here, in the field or inside."""

    IDLE: ClassVar[bool] = True

    inside: bool = False


class Out(Action, frozen=True, tag="out"):
    """The group comes out of a stronghold into the field of its hex (R10.3)."""


class Seize(Action, frozen=True, tag="seize"):
    """The group takes an undefended stronghold (R5.6)."""


class Absorb(Action, frozen=True, tag="absorb"):
    """The group takes SP from a wagon (V3.4), or with `wagon` -1 from the fort it is at."""

    wagon: LeaderId
    points: int


class Fill(Action, frozen=True, tag="fill"):
    """The group loads from a depot in passing (R9.5)."""


class Leave(Action, frozen=True, tag="leave"):
    """A leader leaves TP in the garrison (R10.4)."""

    leader: LeaderId
    points: int


class Take(Action, frozen=True, tag="take"):
    """A leader takes TP of his nation out of the garrison (R10.4); a wagon freed men (V7.4)."""

    leader: LeaderId
    points: int


class Drop(Action, frozen=True, tag="drop"):
    """Companions and wagons stay behind, in the field or inside (R4.4)."""

    inside: bool
    companions: tuple[LeaderId, ...]


class Sortie(Action, frozen=True, tag="sortie"):
    """A besieged leader attacks the besieger with companions (R10.7)."""

    leader: LeaderId
    companions: tuple[LeaderId, ...] = ()


class Force(Action, frozen=True, tag="force"):
    """A leader tries a forced march (R8)."""

    leader: LeaderId


class Attack(Action, frozen=True, tag="attack"):
    """Attacks the enemy in the hex (R6.1)."""


class Hold(Action, frozen=True, tag="hold"):
    """Does not attack, or does not leave a battle: stays as it is."""

    IDLE: ClassVar[bool] = True


class React(Action, frozen=True, tag="react"):
    """A leader tries to react with companions (R7.2)."""

    leader: LeaderId
    companions: tuple[LeaderId, ...] = ()


class Move(Action, frozen=True, tag="move"):
    """The way of a reaction, and whether it ends inside (R7.4)."""

    path: tuple[Hex, ...] = ()
    inside: bool = False


class Join(Action, frozen=True, tag="join"):
    """Leaders inside join in a battle (R6.3)."""

    leaders: tuple[LeaderId, ...]


class Declare(Action, frozen=True, tag="declare"):
    """Concentration and high intensity for a battle (R12.2)."""

    concentrate: bool = False
    intense: bool = False


class Lose(Action, frozen=True, tag="lose"):
    """Losses by leader, in the order in which they are asked (R12.6)."""

    points: tuple[int, ...]


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Breaks a battle off (R12.8)."""


class Retreat(Action, frozen=True, tag="retreat"):
    """The way of a retreat, and whether it ends inside (R12.9)."""

    path: tuple[Hex, ...] = ()
    inside: bool = False


class Besiege(Action, frozen=True, tag="besiege"):
    """Rolls for the siege in a hex (R11.1)."""

    hex: Hex


class Assign(Action, frozen=True, tag="assign"):
    """TP of a nation that arrive go to a leader, or with `leader` -1 to the garrison, in a hex."""

    nation: PowerId
    points: int
    hex: Hex
    leader: LeaderId = NO_LEADER


class Appear(Action, frozen=True, tag="appear"):
    """A leader arrives in a hex (R14.3)."""

    leader: LeaderId
    hex: Hex


class Load(Action, frozen=True, tag="load"):
    """A leader loads SP from a wagon in his hex (R9.5)."""

    leader: LeaderId
    wagon: LeaderId
    points: int


class Build(Action, frozen=True, tag="build"):
    """A depot is made of a wagon (R9.1)."""

    wagon: LeaderId


class Remove(Action, frozen=True, tag="remove"):
    """The owner removes a depot (R9.1)."""

    hex: Hex


class Create(Action, frozen=True, tag="create"):
    """A nation makes a full wagon at a depot (R9.3)."""

    hex: Hex


class Feed(Action, frozen=True, tag="feed"):
    """The force pays what it needs (R9.7)."""


class Starve(Action, frozen=True, tag="starve"):
    """The force does not pay."""


class Arrange(Action, frozen=True, tag="arrange"):
    """TP of one nation in a force, by leader in order of seniority and then the garrison (R3.2, V2.1)."""

    hex: Hex
    inside: bool
    nation: PowerId
    points: tuple[int, ...]


class Hand(Action, frozen=True, tag="hand"):
    """SP pass from one to another in a force (R3.2)."""

    giver: LeaderId
    taker: LeaderId
    points: int


class Name(StrengthAction, frozen=True, tag="name"):
    """Which prisoners are to be freed, by nation (R14.2, V7.2)."""

    tp: Bag = EMPTY


class Claim(Action, frozen=True, tag="claim"):
    """Which captured leader is to return (R14.3)."""

    leader: LeaderId


class Propose(Action, frozen=True, tag="propose"):
    """Prisoners to be exchanged one for one (R14.2)."""

    points: int


class Ransom(Action, frozen=True, tag="ransom"):
    """Asks a captured leader back against five prisoners (R14.3)."""

    leader: LeaderId


class Agree(Action, frozen=True, tag="agree"):
    """Consents."""


class Refuse(Action, frozen=True, tag="refuse"):
    """Does not consent."""


class Quarter(Action, frozen=True, tag="quarter"):
    """A force goes into winter quarters at a stronghold, in the field or inside (R17.8)."""

    hex: Hex
    inside: bool = False


class Transfer(Action, frozen=True, tag="transfer"):
    """TP of a nation pass between leaders and garrisons in winter (R17.8); garrisons are GARRISON + hex."""

    giver: int
    taker: int
    points: int


class Found(Action, frozen=True, tag="found"):
    """A depot is set up in winter (R17.8)."""

    hex: Hex


class Bring(Action, frozen=True, tag="bring"):
    """An unused leader comes in winter (R17.8)."""

    leader: LeaderId
    hex: Hex


class Dismiss(Action, frozen=True, tag="dismiss"):
    """A leader is removed in winter (R17.8)."""

    leader: LeaderId


class Chit(Action, frozen=True, tag="chit"):
    """Chance: the chit drawn from the cup (R4.1)."""

    side: Side
    command: int


HexAction: TypeAlias = Seize | Fill | Absorb | Leave | Take | Transfer
"""What a group does in a hex of its way."""
MarchAction: TypeAlias = Go | Halt | Out | Drop | HexAction
"""What a group on its march does next."""
SupplyAction: TypeAlias = Create | Build | Remove | Load | Done
"""What is done in the step of supply."""
CouncilAction: TypeAlias = Transfer | Found | Remove | Bring | Dismiss | Done
"""What is done in the council of winter."""
