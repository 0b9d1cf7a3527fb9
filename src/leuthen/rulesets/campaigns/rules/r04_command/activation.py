"""R4.4: an activation and the march in it, as other chapters look at them: who goes along, who has fought."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import msgspec

from leuthen.engine.ruleset import OTHER, Side, ViewerId
from leuthen.rulesets.campaigns.model.actions import MarchAction
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.events.moving import MarchEnded
from leuthen.rulesets.campaigns.model.forces import strength
from leuthen.rulesets.campaigns.model.knowledge import give_away, heads
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.rules.r05_movement.walk import MARCH
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.strength import LeaderId

_OF_IT = ("group", "fought")
"""The lists of an activation."""


class Activation(Decision, rule="R4.4", name="Activation"):
    """An activation: at its end the whole group is flipped (R4.4). `fought`: who was in a battle meanwhile."""

    side: Side
    group: tuple[LeaderId, ...]
    fought: tuple[LeaderId, ...] = ()

    def covered(self, pos: Position, viewer: ViewerId) -> Self:
        """Its leader, and who commands (R1.11)."""
        group = self.group if viewer == self.side else heads(pos, self.group)
        return msgspec.structs.replace(self, group=group, fought=tuple(n for n in self.fought if n in group))

    def kept(self, pos: Position) -> Self | None:
        return self.with_values({name: tuple(n for n in getattr(self, name) if n in pos.units) for name in _OF_IT})

    def step(self, draft: Draft) -> None:
        """All have moved, those dropped on the way too."""
        draft.pop()
        give_away(draft, self.side)  # who of those who are seen went along
        for number in self.group:
            if number in draft.units:
                draft.change(number, moved=True)

    @staticmethod
    def fought_in(pos: Position) -> tuple[LeaderId, ...]:
        """Who was in a battle in the activation in progress."""
        return tuple(n for frame in pos.frames if isinstance(frame, Activation) for n in frame.fought)


class OpenMarch(Decision[MarchAction]):
    """A march in progress: where its group has come from, and what is left to it."""

    side: Side
    lead: LeaderId
    group: tuple[LeaderId, ...]
    left: int
    """MP left."""
    forced: bool = False
    origin: Hex = NOWHERE
    origin_inside: bool = False
    gone: bool = False
    """Whether it has entered a hex."""
    came: Hex = NOWHERE
    """The hex from which it entered the one where it is."""
    stopped: bool = False
    tried: tuple[LeaderId, ...] = ()
    """Who has tried to react to it (R7.2)."""

    def covered(self, pos: Position, viewer: ViewerId) -> Self:
        """Its leader, and who commands; what is left to it depends on what it carries (R1.11)."""
        if viewer == self.side:
            return msgspec.structs.replace(self, tried=())
        march = msgspec.structs.replace(self, group=heads(pos, self.group), left=MARCH)
        return march if viewer == OTHER[self.side] else msgspec.structs.replace(march, tried=())

    def kept(self, pos: Position) -> Self | None:
        """Whoever is left marches on if its leader does."""
        if self.lead not in pos.units:
            return None
        there = {name: tuple(n for n in getattr(self, name) if n in pos.units) for name in ("group", "tried")}
        return self.with_values(there)

    def members(self, pos: Position) -> tuple[LeaderId, ...]:
        """Those of the group who are still with its leader."""
        lead = pos.units.get(self.lead)
        if lead is None:
            return ()
        units = pos.units
        return tuple([n for n in self.group if n in units and units[n].hex == lead.hex])


def report_halt(
    draft: Draft, side: Side, lead: LeaderId, group: Sequence[LeaderId], *, inside: bool, by: str = ""
) -> None:
    """Emit the event that a group has ended its move where its leader is."""
    units = tuple([number for number in group if number in draft.units])
    here, tp = draft.units[lead].hex, strength([draft.units[number] for number in units])
    draft.emit(MarchEnded(side=side, lead=lead, hex=here, inside=inside, units=units, tp=tp, by=by))


def open_march(pos: Position) -> OpenMarch | None:
    """The march in progress, if there is one."""
    return next((frame for frame in reversed(pos.frames) if isinstance(frame, OpenMarch)), None)


def replace_march(draft: Draft, march: OpenMarch, after: OpenMarch) -> None:
    """The march in progress goes on in another way."""
    draft.frames = tuple(after if frame is march else frame for frame in draft.frames)


def note_battle(draft: Draft, numbers: Sequence[LeaderId]) -> None:
    """Who was in a battle does not march on, nor force his march (R4.4, R4.5)."""
    frames = []
    for frame in draft.frames:
        if isinstance(frame, Activation):
            frame = msgspec.structs.replace(frame, fought=(*frame.fought, *(n for n in frame.group if n in numbers)))
        elif isinstance(frame, OpenMarch) and set(frame.group) & set(numbers):
            frame = msgspec.structs.replace(frame, stopped=True)
        frames.append(frame)
    draft.frames = tuple(frames)
