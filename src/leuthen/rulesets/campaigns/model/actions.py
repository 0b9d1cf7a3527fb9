"""What players and chance answer to decisions: commands, in the rulebook's words.

Leaders and wagons are numbers of the data, hexes numbers of the board, TP of several nations are bags.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from leuthen.engine.decision import Done as Done
from leuthen.engine.decision import Roll as Roll
from leuthen.engine.ruleset import Side
from leuthen.wargame.actions import Action, StrengthAction
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import EMPTY, NO_LEADER, Bag, LeaderId, PowerId

GARRISON: Final = 1000
"""Added to a hex, it stands for the garrison there."""


class March(Action):
    """A leader sets out with companions and wagons; `path` is the first leg. `forage`: without paying (V3.5)."""

    leader: LeaderId
    companions: tuple[LeaderId, ...] = ()
    forage: bool = False
    path: tuple[Hex, ...] = ()


class Go(Action):
    """A further leg of the march, or the move of a reaction or a forced march."""

    path: tuple[Hex, ...]
    forage: bool = False


class Halt(Action, idle=True):
    """The move ends here, in the field or inside."""

    inside: bool = False


class Out(Action):
    """The group comes out of a stronghold into the field of its hex (R10.3)."""


class Seize(Action):
    """The group takes an undefended stronghold (R5.6)."""


class Absorb(Action):
    """The group takes SP from a wagon (V3.4), or with `wagon` -1 from the fort it is at."""

    wagon: LeaderId
    points: int


class Fill(Action):
    """The group loads from a depot in passing (R9.5)."""


class Leave(Action):
    """A leader leaves TP in the garrison (R10.4)."""

    leader: LeaderId
    points: int


class Take(Action):
    """A leader takes TP of his nation out of the garrison (R10.4); a wagon freed men (V7.4)."""

    leader: LeaderId
    points: int


class Drop(Action):
    """Companions and wagons stay behind, in the field or inside (R4.4)."""

    inside: bool
    companions: tuple[LeaderId, ...]


class Sortie(Action):
    """A besieged leader attacks the besieger with companions (R10.7)."""

    leader: LeaderId
    companions: tuple[LeaderId, ...] = ()


class Force(Action):
    """A leader tries a forced march (R8)."""

    leader: LeaderId


class Attack(Action):
    """Attacks the enemy in the hex (R6.1)."""


class Hold(Action, idle=True):
    """Does not attack, or does not leave a battle: stays as it is."""


class React(Action):
    """A leader tries to react with companions (R7.2)."""

    leader: LeaderId
    companions: tuple[LeaderId, ...] = ()


class Move(Action):
    """The way of a reaction, and whether it ends inside (R7.4)."""

    path: tuple[Hex, ...] = ()
    inside: bool = False


class Join(Action):
    """Leaders inside join in a battle (R6.3)."""

    leaders: tuple[LeaderId, ...]


class Declare(Action):
    """Concentration and high intensity for a battle (R12.2)."""

    concentrate: bool = False
    intense: bool = False


class Lose(Action):
    """Losses by leader, in the order in which they are asked (R12.6)."""

    points: tuple[int, ...]


class Withdraw(Action):
    """Breaks a battle off (R12.8)."""


class Retreat(Action):
    """The way of a retreat, and whether it ends inside (R12.9)."""

    path: tuple[Hex, ...] = ()
    inside: bool = False


class Besiege(Action):
    """Rolls for the siege in a hex (R11.1)."""

    hex: Hex


class Assign(Action):
    """TP of a nation that arrive go to a leader, or with `leader` -1 to the garrison, in a hex."""

    nation: PowerId
    points: int
    hex: Hex
    leader: LeaderId = NO_LEADER


class Appear(Action):
    """A leader arrives in a hex (R14.3)."""

    leader: LeaderId
    hex: Hex


class Load(Action):
    """A leader loads SP from a wagon in his hex (R9.5)."""

    leader: LeaderId
    wagon: LeaderId
    points: int


class Build(Action):
    """A depot is made of a wagon (R9.1)."""

    wagon: LeaderId


class Remove(Action):
    """The owner removes a depot (R9.1)."""

    hex: Hex


class Create(Action):
    """A nation makes a full wagon at a depot (R9.3)."""

    hex: Hex


class Feed(Action):
    """The force pays what it needs (R9.7)."""


class Starve(Action):
    """The force does not pay."""


class Arrange(Action):
    """TP of one nation in a force, by leader in order of seniority and then the garrison (R3.2, V2.1)."""

    hex: Hex
    inside: bool
    nation: PowerId
    points: tuple[int, ...]


class Hand(Action):
    """SP pass from one to another in a force (R3.2)."""

    giver: LeaderId
    taker: LeaderId
    points: int


class Name(StrengthAction):
    """Which prisoners are to be freed, by nation (R14.2, V7.2)."""

    tp: Bag = EMPTY


class Claim(Action):
    """Which captured leader is to return (R14.3)."""

    leader: LeaderId


class Propose(Action):
    """Prisoners to be exchanged one for one (R14.2)."""

    points: int


class Ransom(Action):
    """Asks a captured leader back against five prisoners (R14.3)."""

    leader: LeaderId


class Agree(Action):
    """Consents."""


class Refuse(Action):
    """Does not consent."""


class Quarter(Action):
    """A force goes into winter quarters at a stronghold, in the field or inside (R17.8)."""

    hex: Hex
    inside: bool = False


class Transfer(Action):
    """TP of a nation pass between leaders and garrisons in winter (R17.8); garrisons are GARRISON + hex."""

    giver: int
    taker: int
    points: int


class Found(Action):
    """A depot is set up in winter (R17.8)."""

    hex: Hex


class Bring(Action):
    """An unused leader comes in winter (R17.8)."""

    leader: LeaderId
    hex: Hex


class Dismiss(Action):
    """A leader is removed in winter (R17.8)."""

    leader: LeaderId


class Chit(Action):
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
