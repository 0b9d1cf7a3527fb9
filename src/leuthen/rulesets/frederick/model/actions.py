"""What players and chance answer to decisions: commands, in the rulebook's words.

Powers and leaders are numbers of the data, hexes numbers of the board; strengths are bags (`wargame.strength`).
"""

from __future__ import annotations

from typing import Any, TypeAlias

from leuthen.engine.decision import Done as Done
from leuthen.engine.decision import Roll as Roll
from leuthen.wargame.board import Hex
from leuthen.wargame.encodings import StrengthAction, WargameAction
from leuthen.wargame.strength import EMPTY, NO_LEADER, Bag, LeaderId, PowerId


class Place(StrengthAction):
    """Puts SP and leaders of a power on a hex: set-up, re-deployment (from `start`), reinforcements."""

    power: PowerId
    hex: Hex
    inside: bool
    leaders: tuple[LeaderId, ...] = ()
    sp: Bag = EMPTY
    start: int = -1
    """Of a re-deployment, the key of the stack that they leave; else -1."""


class PlaceDepot(WargameAction, tag="depot-at"):
    """Puts the depot of the set-up on a hex (C2.1)."""

    hex: Hex


class Seal(WargameAction):
    """A secret choice is made; it may be opened again until the other side has made its own."""


class Reopen(WargameAction):
    """Takes a sealed choice back."""


class Clear(WargameAction):
    """Takes back all that was placed in the set-up so far."""


class Envoys(WargameAction):
    """Diplomacy Points by minor power, in the order of the table (C5.1)."""

    points: tuple[int, ...]


class Raise(WargameAction):
    """Resource Points spent on new SP this year (C6.2)."""

    points: int


class Quarter(WargameAction):
    """A stack goes into winter quarters (O14.1)."""

    hex: Hex
    inside: bool


class Build(WargameAction):
    """A stack begins a depot (O10.4)."""

    hex: Hex


class Remove(WargameAction):
    """The owner removes a depot (O10.5)."""

    hex: Hex


class March(StrengthAction):
    """A leader sets out with companions and SP; `path` is the first leg (O5). `overwhelm`: declared on its last hex."""

    leader: LeaderId
    companions: tuple[LeaderId, ...] = ()
    sp: Bag = EMPTY
    path: tuple[Hex, ...] = ()
    overwhelm: bool = False

    def doubt(self, view: Any) -> str:
        """Leaders alone march where SP stand with them: those stay behind."""
        left = any(self.leader in (stack.leaders or ()) and stack.sp for stack in view.stacks)
        return "The leader marches without SP: those that stand with him stay behind." if left and not self.sp else ""


class Go(WargameAction):
    """A further leg of the march."""

    path: tuple[Hex, ...]
    overwhelm: bool = False


class Drop(StrengthAction):
    """Leaves leaders and SP in the hex, in the field or inside (O5.7)."""

    inside: bool
    leaders: tuple[LeaderId, ...] = ()
    sp: Bag = EMPTY


class Take(StrengthAction):
    """Picks leaders and SP up in the hex (O5.7)."""

    inside: bool
    leaders: tuple[LeaderId, ...] = ()
    sp: Bag = EMPTY


class Halt(WargameAction, idle=True):
    """The march ends here, in the field or inside."""

    inside: bool = False


class Shift(StrengthAction):
    """Leaders and SP go inside a fortress or come out, without a march (O5.20). `inside`: where they end."""

    hex: Hex
    inside: bool
    leaders: tuple[LeaderId, ...] = ()
    sp: Bag = EMPTY


class Attack(WargameAction):
    """Declares an attack in a hex (O9.2)."""

    hex: Hex


class Besiege(WargameAction):
    """Spends the depot and rolls for the siege in a hex (O13.1)."""

    hex: Hex


class Garrison(StrengthAction):
    """Leaders and SP of the besieger go inside the fortress that fell (O13.5)."""

    leaders: tuple[LeaderId, ...] = ()
    sp: Bag = EMPTY


class Retreat(WargameAction):
    """The next hex of a retreat (O9.15)."""

    hex: Hex


class Shelter(WargameAction):
    """The retreat ends here, inside the fortress or not (O9.15, O9.16)."""

    inside: bool


class Follow(StrengthAction):
    """The victor follows into the first hex of the retreat (O9.8)."""

    leaders: tuple[LeaderId, ...] = ()
    sp: Bag = EMPTY


class Refuge(WargameAction):
    """Where somebody goes who may choose among places equally near (O2.8)."""

    hex: Hex
    inside: bool = False


class Lose(WargameAction):
    """SP of a power are removed from a stack (C7.5, O6.1): `points` from the stack with that key."""

    start: int
    power: PowerId
    points: int


class Sack(WargameAction):
    """A leader is removed for good (C8.3)."""

    leader: LeaderId


class Free(WargameAction):
    """One kind of exchanged prisoners returns: `points` SP of a power, or a leader, to a fortress (C11.1)."""

    power: PowerId
    points: int
    hex: Hex
    leader: LeaderId = NO_LEADER


class Offer(WargameAction):
    """The captor offers a captive leader in exchange (C11.1)."""

    leader: LeaderId


class Draw(WargameAction):
    """Chance: the leader drawn from a pool (C8.2)."""

    leader: LeaderId


PhaseAction: TypeAlias = March | Shift | Done
"""What is done in a phase of marches."""
MarchAction: TypeAlias = Go | Halt | Drop | Take
"""What a force on its march does next."""
SetupAction: TypeAlias = Place | PlaceDepot | Clear | Seal
"""What is done in the secret set-up."""
