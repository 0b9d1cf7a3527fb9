"""R4.4, V3.4: an activation and the march in it: its group, battles, and actions in a hex."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

import msgspec

from leuthen.engine.choice import Script, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.ruleset import OTHER, ActorId, Side, ViewerId
from leuthen.rulesets.campaigns.model.actions import HexAction, Leave, MarchAction, Take, Transfer
from leuthen.rulesets.campaigns.model.events import MarchEnded
from leuthen.rulesets.campaigns.model.forces import is_friendly, strength, wagons_at
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.model.state import Draft, Position, SideDecision, innermost
from leuthen.rulesets.campaigns.rules import r05_hex_actions as hex_actions
from leuthen.rulesets.campaigns.rules.r05_walk import MARCH
from leuthen.wargame.board import NOWHERE, Hex, hex_name
from leuthen.wargame.strength import LeaderId


class Activation(SideDecision, rule="R4.4", name="Activation", leaderless=True):
    """An activation; at its end the whole group is flipped (R4.4). `fought`: members that have been in a battle."""

    group: tuple[LeaderId, ...]
    fought: tuple[LeaderId, ...] = ()

    def mask_for(self, pos: Position, viewer: ViewerId) -> Self:
        seen = super().mask_for(pos, viewer)
        return seen.with_values(fought=tuple(n for n in seen.fought if n in seen.group))

    def step(self, draft: Draft) -> None:
        """Mark all as moved, those dropped on the way too."""
        draft.pop()
        draft.give_away(self.side)  # who of those who are seen went along
        for number in self.group:
            if number in draft.units:
                draft.change(number, moved=True)

    @staticmethod
    def members_fought(pos: Position) -> tuple[LeaderId, ...]:
        return tuple(n for frame in pos.frames if isinstance(frame, Activation) for n in frame.fought)


class OpenMarch(SideDecision[MarchAction]):
    lead: LeaderId
    group: tuple[LeaderId, ...]
    left: int  # MP
    forced: bool = False
    origin: Hex = NOWHERE
    origin_inside: bool = False
    gone: bool = False  # it has entered a hex
    came: Hex = NOWHERE  # the previous hex
    stopped: bool = False
    tried: tuple[LeaderId, ...] = ()  # leaders who have tried to react to it (R7.2)

    def mask_for(self, pos: Position, viewer: ViewerId) -> Self:
        """The opponent sees its leader and its commander; the MP left would reveal its load (R1.11)."""
        if viewer == self.side:
            return self.with_values(tried=())
        tried = self.tried if viewer == OTHER[self.side] else ()
        return super().mask_for(pos, viewer).with_values(left=MARCH, tried=tried)

    def members(self, pos: Position) -> tuple[LeaderId, ...]:
        units = pos.units
        if self.lead not in units:
            return ()
        here = units[self.lead].hex
        found: tuple[LeaderId, ...] = ()
        for number in self.group:
            if number in units and units[number].hex == here:
                found = (*found, number)
        return found


def report_halt(
    draft: Draft, side: Side, lead: LeaderId, group: Sequence[LeaderId], *, inside: bool, by: str = ""
) -> None:
    units = tuple([number for number in group if number in draft.units])
    here, tp = draft.units[lead].hex, strength([draft.units[number] for number in units])
    draft.emit(MarchEnded(side=side, lead=lead, hex=here, inside=inside, units=units, tp=tp, by=by))


def open_march(pos: Position) -> OpenMarch | None:
    return innermost(pos.frames, OpenMarch)


def note_battle(draft: Draft, numbers: Sequence[LeaderId]) -> None:
    """Stop units that were in a battle: they neither march on nor force their march (R4.4, R4.5)."""
    frames = []
    for frame in draft.frames:
        if isinstance(frame, Activation):
            frame = msgspec.structs.replace(frame, fought=(*frame.fought, *(n for n in frame.group if n in numbers)))
        elif isinstance(frame, OpenMarch) and set(frame.group) & set(numbers):
            frame = msgspec.structs.replace(frame, stopped=True)
        frames.append(frame)
    draft.frames = tuple(frames)


FIRST: Final = ("seize", "absorb", "fill")  # before a reaction (R4.4)
LAST: Final = (*FIRST, "leave", "take")  # where the enemy stops the march (R4.4, R5.3)
REACTING: Final = ("absorb",)  # V3.4


class Passing(SideDecision[HexAction | Done], rule="R4.4", name="On the way", neutral=Done()):
    """A group takes a place, loads or exchanges TP in a hex of its move; `does`: which of these it may (R4.4)."""

    group: tuple[LeaderId, ...]
    does: tuple[str, ...]

    def units(self, pos: Position) -> list[Unit]:
        there = [pos.units[number] for number in self.group if number in pos.units]
        return [unit for unit in there if unit.hex == there[0].hex]

    def able(self, pos: Position) -> list[str]:
        units = self.units(pos)
        march = open_march(pos)
        left = march.left if march is not None and self.does != REACTING else 0
        found = hex_actions.kinds(pos, self.side, units, left, self.group[0]) if units else []
        return [str(kind) for kind in found if kind in self.does]

    def has_public_reason(self, pos: Position) -> bool:
        """Return whether both sides can see a reason to ask: an own or open place, or a wagon (R1.11)."""
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
        """Return the owner while there is a choice; with `hidden` until the answer is done."""
        if pos.options.hidden:
            return (self.side,) if self.group[0] in pos.units else ()
        return (self.side,) if self.able(pos) else ()

    def script(self, pos: Position, actor: Side) -> Script[HexAction | Done]:
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
            members = [unit.number for unit in self.units(draft)]
            cost = hex_actions.apply_passing_action(draft, self.side, members, action)
            march = open_march(draft)
            if cost and march is not None:
                draft.amend(march, left=march.left - cost)

    def prompt(self, pos: Position, actor: Side) -> str:
        units = self.units(pos)
        return f"{pos.leader(self.group[0]).name} at {hex_name(units[0].hex)}: {', '.join(self.able(pos))}"


def pause(draft: Draft, side: Side, group: tuple[LeaderId, ...], does: tuple[str, ...]) -> None:
    """Ask the group for actions in its hex, if there are any; with `hidden`, if the opponent could expect some."""
    draft.give_away(side)  # which wagons are in the group
    passing = Passing(side, group, does)
    if passing.has_public_reason(draft) if draft.options.hidden else passing.able(draft):
        draft.push(passing)
