"""R4.4, V3.4: what a group does in a hex before anybody reacts there, where the enemy stops it, and in a reaction."""

from __future__ import annotations

from typing import Final, Self

import msgspec

from leuthen.engine.choice import Script, Slot, Token
from leuthen.engine.ruleset import ActorId, Side, ViewerId
from leuthen.rulesets.campaigns.model.actions import Done, HexAction, Leave, Take, Transfer
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.forces import is_friendly, wagons_at
from leuthen.rulesets.campaigns.model.knowledge import give_away, heads
from leuthen.rulesets.campaigns.model.state import Draft, Position, Unit
from leuthen.rulesets.campaigns.rules.r04_command.activation import open_march, replace_march
from leuthen.rulesets.campaigns.rules.r05_movement import hex_actions
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import LeaderId

FIRST: Final = ("seize", "absorb", "fill")
"""What comes before a reaction (R4.4)."""
LAST: Final = (*FIRST, "leave", "take")
"""What may be done too where the enemy stops the march (R4.4, R5.3)."""
REACTING: Final = ("absorb",)
"""What may be done in a reaction (V3.4)."""


class Passing(Decision[HexAction | Done], rule="R4.4", name="On the way", neutral=Done()):
    """A group takes a place, loads or exchanges TP in a hex of its move; `does`: which of these it may (R4.4)."""

    side: Side
    group: tuple[LeaderId, ...]
    does: tuple[str, ...]

    def covered(self, pos: Position, viewer: ViewerId) -> Self:
        """Its leader, and who commands (R1.11)."""
        return self if viewer == self.side else msgspec.structs.replace(self, group=heads(pos, self.group))

    def units(self, pos: Position) -> list[Unit]:
        """Those of the group who are here."""
        there = [pos.units[number] for number in self.group if number in pos.units]
        return [unit for unit in there if unit.hex == there[0].hex]

    def able(self, pos: Position) -> list[str]:
        """What there is to do."""
        units = self.units(pos)
        march = open_march(pos)
        left = march.left if march is not None and self.does != REACTING else 0
        found = hex_actions.kinds(pos, self.side, units, left, self.group[0]) if units else []
        return [str(kind) for kind in found if kind in self.does]

    def could(self, pos: Position) -> bool:
        """Whether by what both sides can see there is anything: a place of its own or to be taken, a wagon (R1.11)."""
        units = self.units(pos)
        if not units:
            return False
        here = units[0].hex
        if any(wagon.number not in self.group for wagon in wagons_at(pos, here, self.side)):
            return True
        if here not in pos.data.strongholds:
            return False
        if is_friendly(pos, here, self.side):
            return "leave" in self.does or here in pos.depots or pos.data.kind_at(here).inside
        return "seize" in self.does and not hex_actions.why_not_seize(pos, here, self.side, units)

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The owner, while there is anything; with `hidden` until he says done."""
        if pos.options.hidden:
            return (self.side,) if self.group[0] in pos.units else ()
        return (self.side,) if self.able(pos) else ()

    def script(self, pos: Position, actor: Side) -> Script[HexAction | Done]:
        """One thing after another, or no more."""
        units = self.units(pos)
        kinds: list[Token] = ["done", *self.able(pos)]
        kind = yield Slot("do", kinds, lambda token: hex_actions.no_kind(pos, units, token))
        if kind == "done":
            return Done()
        return (yield from hex_actions.script(pos, self.side, units, self.group[0], str(kind)))

    def answer(self, draft: Draft, actor: Side, action: HexAction | Done) -> None:
        if isinstance(action, Done):
            draft.pop()
        elif isinstance(action, Leave | Take | Transfer):
            hex_actions.exchange(draft, action)
        else:
            cost = hex_actions.on_the_way(draft, self.side, [unit.number for unit in self.units(draft)], action)
            if cost:
                _spend(draft, cost)

    def prompt(self, pos: Position, actor: Side) -> str:
        units = self.units(pos)
        return f"{pos.leader(self.group[0]).name} at {hex_name(units[0].hex)}: {', '.join(self.able(pos))}"


def _spend(draft: Draft, cost: int) -> None:
    """The march in progress has so many MP less."""
    march = open_march(draft)
    assert march is not None
    replace_march(draft, march, msgspec.structs.replace(march, left=march.left - cost))


def pause(draft: Draft, side: Side, group: tuple[LeaderId, ...], does: tuple[str, ...]) -> None:
    """A group is asked, if there is anything that it could do in its hex; with `hidden`, if there might be."""
    give_away(draft, side)  # which wagons are in the group
    passing = Passing(side, group, does)
    if passing.could(draft) if draft.options.hidden else passing.able(draft):
        draft.push(passing)
