"""The answers of players and chance to decisions: commands, in the rulebook's words.

Leaders and wagons are numbers of the data, hexes numbers of the board, TP of several nations are bags.
"""

from typing import Final, TypeAlias

from leuthen.engine.decision import Done
from leuthen.engine.ruleset import Side
from leuthen.rulesets.campaigns.model.data import NO_NATION
from leuthen.wargame.board import Hex
from leuthen.wargame.ruleset import StrengthAction, WargameAction
from leuthen.wargame.strength import EMPTY, NO_LEADER, Bag, LeaderId, PowerId

GARRISON: Final = 1000  # plus a hex: the garrison there


class March(WargameAction):
    """A leader sets out with companions and wagons; `path` is the first leg. `forage`: without paying (V3.5)."""

    leader: LeaderId
    companions: tuple[LeaderId, ...] = ()
    forage: bool = False
    path: tuple[Hex, ...] = ()


class Go(WargameAction):
    """A further leg of the march, or the move of a reaction or a forced march."""

    path: tuple[Hex, ...]
    forage: bool = False


class Halt(WargameAction, idle=True):
    """The move ends here, in the field or inside."""

    inside: bool = False


class Out(WargameAction):
    """The group comes out of a stronghold into the field of its hex (R10.3)."""


class Seize(WargameAction):
    """The group takes an undefended stronghold (R5.6)."""


class Absorb(WargameAction):
    """The group takes SP from a wagon (V3.4), or with `wagon` -1 from the fort it is at."""

    wagon: LeaderId
    points: int


class Fill(WargameAction):
    """The group loads from a depot in passing (R9.5)."""


class Leave(WargameAction):
    """A leader leaves TP in the garrison (R10.4); `nation`: theirs, if a wagon carries men of several (V7.4)."""

    leader: LeaderId
    points: int
    nation: PowerId = NO_NATION


class Take(WargameAction):
    """A leader takes TP of his nation from the garrison (R10.4); a wagon takes freed men of any nation (V7.4).

    `nation`: theirs, if freed men of several nations are there.
    """

    leader: LeaderId
    points: int
    nation: PowerId = NO_NATION


class Drop(WargameAction):
    """Companions and wagons stay behind, in the field or inside (R4.4)."""

    inside: bool
    companions: tuple[LeaderId, ...]


class Sortie(WargameAction):
    """A besieged leader attacks the besieger with companions (R10.7)."""

    leader: LeaderId
    companions: tuple[LeaderId, ...] = ()


class Force(WargameAction):
    """A leader tries a forced march (R8)."""

    leader: LeaderId


class Attack(WargameAction):
    """Attack the enemy in the hex (R6.1)."""


class Hold(WargameAction, idle=True):
    """Stay: neither attack nor break off."""


class React(WargameAction):
    """A leader with companions tries to react (R7.2)."""

    leader: LeaderId
    companions: tuple[LeaderId, ...] = ()


class Move(WargameAction):
    """The way of a reaction, and whether it ends inside (R7.4)."""

    path: tuple[Hex, ...] = ()
    inside: bool = False


class Join(WargameAction):
    """Leaders inside join a battle (R6.3)."""

    leaders: tuple[LeaderId, ...]


class Declare(WargameAction):
    """Concentration and high intensity for a battle (R12.2)."""

    concentrate: bool = False
    intense: bool = False


class Lose(WargameAction):
    """Losses by leader, in the order of the questions (R12.6)."""

    points: tuple[int, ...]


class Withdraw(WargameAction):
    """Break a battle off (R12.8)."""


class Retreat(WargameAction):
    """The way of a retreat, and whether it ends inside (R12.9)."""

    path: tuple[Hex, ...] = ()
    inside: bool = False


class Besiege(WargameAction):
    """Roll for the siege in a hex (R11.1)."""

    hex: Hex


class Assign(WargameAction):
    """TP of a nation that arrive go to a leader, or with `leader` -1 to the garrison, in a hex."""

    nation: PowerId
    points: int
    hex: Hex
    leader: LeaderId = NO_LEADER


class Appear(WargameAction):
    """A leader arrives in a hex (R14.3)."""

    leader: LeaderId
    hex: Hex


class Load(WargameAction):
    """A leader loads SP from a wagon in his hex (R9.5)."""

    leader: LeaderId
    wagon: LeaderId
    points: int


class Build(WargameAction):
    """A wagon becomes a depot (R9.1)."""

    wagon: LeaderId


class Remove(WargameAction):
    """The owner removes a depot (R9.1)."""

    hex: Hex


class Create(WargameAction):
    """A nation builds a full wagon at a depot (R9.3)."""

    hex: Hex


class Feed(WargameAction):
    """The force pays what it needs (R9.7)."""


class Starve(WargameAction):
    """The force does not pay (R9.7)."""


class Arrange(WargameAction):
    """TP of one nation in a force, by leader in order of seniority and then the garrison (R3.2, V2.1)."""

    hex: Hex
    inside: bool
    nation: PowerId
    points: tuple[int, ...]


class Hand(WargameAction):
    """SP pass between two units of a force (R3.2)."""

    giver: LeaderId
    taker: LeaderId
    points: int


class Name(StrengthAction):
    """Prisoners to be freed, by nation (R14.2, V7.2)."""

    tp: Bag = EMPTY


class Claim(WargameAction):
    """The captured leader who is to return (R14.3)."""

    leader: LeaderId


class Propose(WargameAction):
    """Prisoners to be exchanged one for one (R14.2)."""

    points: int


class Ransom(WargameAction):
    """Offer five prisoners for a captured leader (R14.3)."""

    leader: LeaderId


class Agree(WargameAction):
    """Agree to the proposal of the other side (R14.2, R14.3)."""


class Refuse(WargameAction):
    """Refuse the proposal of the other side (R14.2, R14.3)."""


class Quarter(WargameAction):
    """A force goes into winter quarters at a stronghold, in the field or inside (R17.8)."""

    hex: Hex
    inside: bool = False


class Transfer(WargameAction):
    """TP of a nation pass between leaders and garrisons in winter (R17.8); garrisons are GARRISON + hex."""

    giver: int
    taker: int
    points: int


class Found(WargameAction):
    """A depot is set up in winter (R17.8)."""

    hex: Hex


class Bring(WargameAction):
    """An unused leader comes in winter (R17.8)."""

    leader: LeaderId
    hex: Hex


class Dismiss(WargameAction):
    """A leader is removed in winter (R17.8)."""

    leader: LeaderId


class Chit(WargameAction):
    """Chance: the chit drawn from the cup (R4.1)."""

    side: Side
    command: int


HexAction: TypeAlias = Seize | Fill | Absorb | Leave | Take | Transfer
MarchAction: TypeAlias = Go | Halt | Out | Drop | HexAction
SupplyAction: TypeAlias = Create | Build | Remove | Load | Done
CouncilAction: TypeAlias = Transfer | Found | Remove | Bring | Dismiss | Done
