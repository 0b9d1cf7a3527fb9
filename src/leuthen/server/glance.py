"""What a seat sees of a game: all of it built from views and from events as its viewer got them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from leuthen.engine.ruleset import CHANCE, EVERYTHING, RULINGS, WATCHER
from leuthen.engine.standing import sentence_of
from leuthen.screen import LogEntry, Scene
from leuthen.server import wire
from leuthen.server.course import Course
from leuthen.server.offers import Offers, shown
from leuthen.server.track import Heard
from leuthen.storage.rows import GameRow, SeatRow


class Glance:
    """A game as its seats see it. Side 2 is the gallery, which knows all once the game has ended."""

    def __init__(self, course: Course, game: GameRow) -> None:
        self.course = course
        self.ruleset = course.ruleset
        self.game = game
        self.offers: Offers = {}
        self._seen: dict[int, tuple[Any, str, Scene]] = {}

    def forget(self) -> None:
        """Nothing that was shown before is taken for what is there now."""
        self._seen.clear()

    def viewer(self, side: int) -> int:
        """With whose eyes a seat looks."""
        return EVERYTHING if side == WATCHER and self.course.outcome is not None else side

    def view(self, side: int) -> Any:
        """The view that a seat has now."""
        viewer = self.viewer(side)
        return self.ruleset.view(self.course.position(viewer), viewer)

    def scene(self, side: int) -> Scene:
        """The position as a seat sees it now."""
        position, result = self.course.position(self.viewer(side)), self.game.result
        seen = self._seen.get(side)
        if seen is None or seen[0] is not position or seen[1] != result:
            seen = self._seen[side] = position, result, self.scene_of(position, self.viewer(side), result)
        return seen[2]

    def last_scene(self, side: int) -> Scene:
        """The position as it was last shown to a seat."""
        return self._seen[side][2] if side in self._seen else self.scene(side)

    def scene_of(self, position: Any, viewer: int, result: str = "") -> Scene:
        """A position as a viewer sees it; `result` where the players ended the game."""
        scene = self.ruleset.presenter.scene(self.ruleset.view(position, viewer))
        return msgspec.structs.replace(scene, result=result) if result and not scene.result else scene

    def awaited(self, side: int) -> tuple[wire.Awaited, ...]:
        """The decisions that are awaited, as a seat may know them."""
        if self.course.outcome is not None or self.course.stranded:
            return ()
        asked, sides = self.ruleset.presenter.asked, self.ruleset.sides
        return tuple(
            wire.Awaited(asks.actor, sides[asks.actor], seen.decision, seen.rule, seen.text, asks.actor == side)
            for asks in self.ruleset.pending(self.course.position(side))
            if asks.actor != CHANCE
            for seen in (asked(asks, side),)
        )

    def is_asked(self, side: int) -> bool:
        """Whether a decision waits for a side."""
        return any(awaited.is_yours for awaited in self.awaited(side))

    def can_undo(self, side: int) -> bool:
        """Whether a seat may take back its last action."""
        course = self.course
        is_on = course.outcome is None and not course.stranded
        return side != WATCHER and is_on and self.course.table.can_undo(side)

    def told(self, what: Any) -> LogEntry:
        """A line of the chronicle: an event of the rule set, or a sentence of the table's own."""
        return what if isinstance(what, LogEntry) else self.ruleset.presenter.present_event(what)

    def proposals(self, side: int) -> tuple[wire.Proposal, ...]:
        """What is offered, as a seat may know it."""
        return shown(self.course, self.offers, side, self.told)

    def standing(self, side: int) -> wire.Instruction | None:
        """The standing instruction of a seat, for nobody else; None where it can give none."""
        rules = self.ruleset.standing
        if rules is None or side == WATCHER:
            return None
        given = self.course.table.instructions[side]
        if not given.lines:
            return wire.Instruction()
        view = self.view(side)
        lines = tuple(wire.ClauseLine(line, sentence_of(rules, view, line)) for line in given.lines)
        return wire.Instruction(lines, given.is_armed, given.stopped)

    def news(self, side: int, heard: Heard, patch: Mapping[str, Any]) -> wire.News:
        """A message of a seat's stream."""
        told = tuple(map(self.told, heard.told))
        rest = self.awaited(side), self.can_undo(side), self.proposals(side), self.standing(side)
        return wire.News(heard.n, told, heard.dropped, patch, *rest)

    def _rulings(self, side: int) -> Mapping[str, str]:
        """The rulings by which the game is played now, which the sides may have agreed on since it began."""
        is_known = RULINGS in self.ruleset.options
        return {RULINGS: str(self.ruleset.ruling_of(self.course.position(side)))} if is_known else {}

    def fresh(self, side: int, seats: Iterable[SeatRow], own: Iterable[str]) -> wire.Fresh:
        """All that a seat has to know. `own` are the public ids that this browser knows anyway."""
        game, mine = self.game, set(own)
        return wire.Fresh(
            game=game.id,
            title=game.title,
            ruleset=game.ruleset,
            scenario=game.scenario,
            options={**game.options, **self._rulings(side)},
            side=side,
            n=self.course.tracks[side].n,
            scene=self.scene(side),
            awaited=self.awaited(side),
            can_undo=self.can_undo(side),
            proposals=self.proposals(side),
            seats=tuple(seat_line(self.ruleset.sides, seat, seat.id in mine) for seat in seats),
            since=game.since,
            has_ended=game.has_ended,
            helps=game.helps,
            stranded=self.course.stranded,
            takebacks=game.takebacks,
            standing=self.standing(side),
        )


def seat_line(sides: tuple[str, str], seat: SeatRow, is_own: bool) -> wire.SeatLine:
    """A seat as everybody may see it; its public id only for who sits there."""
    who = "watcher" if seat.side == WATCHER else who_sits(seat)
    name = "" if seat.side == WATCHER else sides[seat.side]
    return wire.SeatLine(seat.side, name, who, seat.id if is_own else "")


def who_sits(seat: SeatRow) -> str:
    """`person`, `open` (a link that nobody has taken yet), or a bot's name."""
    if seat.who != "person":
        return seat.who
    return "person" if seat.is_taken else "open"
