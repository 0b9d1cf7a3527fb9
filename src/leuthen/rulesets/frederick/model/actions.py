"""Actions: the answers of players and of chance to decisions, in the rulebook's words.

Powers and leaders are numbers of the data, hexes numbers of the board; strengths are bags (`wargame.strength`).
"""

from typing import Any, TypeAlias

from leuthen.engine.decision import Done as Done
from leuthen.engine.decision import Roll as Roll
from leuthen.wargame.board import Hex
from leuthen.wargame.ruleset import StrengthAction, WargameAction
from leuthen.wargame.strength import EMPTY, NO_LEADER, Bag, LeaderId, PowerId


class Place(StrengthAction):
    """Put SP and leaders of a power on a hex: set-up, re-deployment (from `start`), reinforcements."""

    power: PowerId
    hex: Hex
    inside: bool
    leaders: tuple[LeaderId, ...] = ()
    sp: Bag = EMPTY
    start: int = -1
    """In a re-deployment, the key of the stack they leave; else -1."""


class HexAction(WargameAction):
    hex: Hex


class PlaceDepot(HexAction, tag="depot-at"):
    """Put the depot of the set-up on a hex (C2.1)."""


class Seal(WargameAction):
    """Seal a secret choice; it may be reopened until the other side has sealed too."""


class Reopen(WargameAction):
    """Reopen a sealed choice."""


class Clear(WargameAction):
    """Take back everything placed in the set-up."""


class Envoys(WargameAction):
    """Diplomacy Points by minor power, in the order of the table (C5.1)."""

    points: tuple[int, ...]


class Raise(WargameAction):
    """Resource Points spent on new SP this year (C6.2)."""

    points: int


class Quarter(HexAction):
    """Put a stack into winter quarters (O14.1)."""

    inside: bool


class Build(HexAction):
    """Begin a depot (O10.4)."""


class Remove(HexAction):
    """Remove a depot of one's own (O10.5)."""


class March(StrengthAction):
    """Set out with companions and SP; `path` is the first leg (O5). `overwhelm`: declared on its last hex."""

    leader: LeaderId
    companions: tuple[LeaderId, ...] = ()
    sp: Bag = EMPTY
    path: tuple[Hex, ...] = ()
    overwhelm: bool = False

    def doubt(self, view: Any) -> str:
        """Return a warning if the leader leaves the SP of his stack behind."""
        left = any(self.leader in (stack.leaders or ()) and stack.sp for stack in view.stacks)
        return "The leader marches without SP: the SP in his hex stay behind." if left and not self.sp else ""


class Go(WargameAction):
    """March a further leg."""

    path: tuple[Hex, ...]
    overwhelm: bool = False


class Drop(StrengthAction):
    """Leave leaders and SP in the hex, in the field or inside (O5.7)."""

    inside: bool
    leaders: tuple[LeaderId, ...] = ()
    sp: Bag = EMPTY


class Take(StrengthAction):
    """Pick up leaders and SP in the hex (O5.7)."""

    inside: bool
    leaders: tuple[LeaderId, ...] = ()
    sp: Bag = EMPTY


class Halt(WargameAction, idle=True):
    """End the march here, in the field or inside."""

    inside: bool = False


class Shift(StrengthAction):
    """Move leaders and SP into or out of a fortress without a march (O5.20). `inside`: where they end."""

    hex: Hex
    inside: bool
    leaders: tuple[LeaderId, ...] = ()
    sp: Bag = EMPTY


class Attack(HexAction):
    """Declare an attack in a hex (O9.2)."""


class Besiege(HexAction):
    """Spend the depot and roll for the siege in a hex (O13.1)."""


class Garrison(StrengthAction):
    """Put leaders and SP of the besieger inside the fallen fortress (O13.5)."""

    leaders: tuple[LeaderId, ...] = ()
    sp: Bag = EMPTY


class Retreat(HexAction):
    """Retreat to the next hex (O9.15)."""


class Shelter(WargameAction):
    """End the retreat here, inside the fortress or not (O9.15, O9.16)."""

    inside: bool


class Follow(StrengthAction):
    """Follow into the first hex of the retreat (O9.8)."""

    leaders: tuple[LeaderId, ...] = ()
    sp: Bag = EMPTY


class Refuge(HexAction):
    """Choose among places equally near (O2.8)."""

    inside: bool = False


class Lose(WargameAction):
    """Remove `points` SP of a power from the stack with key `start` (C7.5, O6.1)."""

    start: int
    power: PowerId
    points: int


class Sack(WargameAction):
    """Remove a leader for good (C8.3)."""

    leader: LeaderId


class Free(WargameAction):
    """Return exchanged prisoners to a fortress: `points` SP of a power, or a leader (C11.1)."""

    power: PowerId
    points: int
    hex: Hex
    leader: LeaderId = NO_LEADER


class Offer(WargameAction):
    """Offer a captive leader in exchange (C11.1)."""

    leader: LeaderId


class Draw(WargameAction):
    """Chance draws a leader from a pool (C8.2)."""

    leader: LeaderId


PhaseAction: TypeAlias = March | Shift | Done
MarchAction: TypeAlias = Go | Halt | Drop | Take
SetupAction: TypeAlias = Place | PlaceDepot | Clear | Seal
