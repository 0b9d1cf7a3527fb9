"""What a seat is shown of a game: all of it built from views and from events as its viewer got them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeAlias

import msgspec

from leuthen.bots import LEVELS
from leuthen.engine.codec import JSON
from leuthen.engine.ruleset import CHANCE, EVERYTHING, WATCHER, SeatSide, Side, ViewerId, is_side
from leuthen.screen.standing import dead_clauses, sentence_of
from leuthen.screen.values import LogEntry, Scene
from leuthen.server.session import messages
from leuthen.server.session.history import GameHistory, Notification
from leuthen.server.session.messages import StaffCard
from leuthen.server.session.players import introduced
from leuthen.server.session.proposals import Proposals, shown
from leuthen.server.session.seal import GameSeal
from leuthen.server.session.staff import StaffState
from leuthen.storage.rows import GameRow, SeatRow

Patch: TypeAlias = dict[str, JSON]
"""A JSON merge patch (RFC 7396)."""


class ShownGame(Protocol):
    """The parts of a game that its seats are shown something of."""

    row: GameRow
    seats: tuple[SeatRow, ...]
    history: GameHistory
    proposals: Proposals
    staffs: dict[Side, StaffState]
    seal: GameSeal | None


class SeatView:
    """What the seats of a game are shown. Side 2 is the gallery, which knows all once the game has ended."""

    def __init__(self, game: ShownGame) -> None:
        self.game = game
        self.ruleset = game.history.ruleset
        self._seen: dict[SeatSide, tuple[object, str, Scene]] = {}
        """By side, the scene that it was shown last, with the position and the result of which it was made."""

    def forget(self) -> None:
        """Nothing that was shown before is taken for what is there now."""
        self._seen.clear()

    def viewer(self, side: SeatSide) -> ViewerId:
        """With whose eyes a seat looks."""
        return EVERYTHING if side == WATCHER and self.game.history.outcome is not None else side

    def view(self, side: SeatSide) -> Any:
        viewer = self.viewer(side)
        return self.ruleset.view(self.game.history.position(viewer), viewer)

    def scene(self, side: SeatSide) -> Scene:
        """The position as a seat sees it now."""
        viewer, row = self.viewer(side), self.game.row
        position, result = self.game.history.position(viewer), row.result if row.has_ended else ""
        seen = self._seen.get(side)
        if seen is None or seen[0] is not position or seen[1] != result:
            seen = self._seen[side] = position, result, self.scene_of(position, viewer, result)
        return seen[2]

    def last_scene(self, side: SeatSide) -> Scene:
        """The position as it was last shown to a seat."""
        return self._seen[side][2] if side in self._seen else self.scene(side)

    def scene_of(self, position: object, viewer: ViewerId, result: str = "") -> Scene:
        """A position as a viewer sees it; `result` where the players ended the game."""
        scene = self.ruleset.presenter.scene(self.ruleset.view(position, viewer))
        return msgspec.structs.replace(scene, result=result) if result and not scene.result else scene

    def awaited(self, side: SeatSide) -> tuple[messages.Awaited, ...]:
        """The decisions that are awaited, as a seat may know them."""
        if self.game.history.outcome is not None or self.game.history.stranded:
            return ()
        asked, sides = self.ruleset.presenter.asked, self.ruleset.sides
        return tuple(
            messages.Awaited(asks.actor, sides[asks.actor], seen.decision, seen.rule, seen.text, asks.actor == side)
            for asks in self.ruleset.pending(self.game.history.position(side))
            if asks.actor != CHANCE
            for seen in (asked(asks, side),)
        )

    def is_asked(self, side: SeatSide) -> bool:
        history = self.game.history
        if history.outcome is not None or history.stranded or not is_side(side):
            return False
        return any(asks.actor == side for asks in self.ruleset.pending(history.position(side)))

    def can_undo(self, side: SeatSide) -> bool:
        """Whether a seat may take back its last action, also one whose die waits."""
        table, history = self.game.history.table, self.game.history
        if not is_side(side) or history.outcome is not None or history.stranded:
            return False
        last = len(table.log) - 1
        is_waiting = self.is_die_awaited and table.is_waiting_order(side, last) and not table.spent(side, last)
        return table.can_undo(side) or is_waiting

    @property
    def is_die_awaited(self) -> bool:
        """Whether a die waits for somebody's link."""
        return self.game.seal is not None and self.game.seal.waiting >= 0

    def redo(self, side: SeatSide) -> str:
        """The order that a seat took back last and may give again, or ""."""
        history = self.game.history
        is_on = is_side(side) and history.outcome is None and not history.stranded
        return history.redo[side][-1] if is_on and history.redo[side] else ""

    def told(self, what: object) -> LogEntry:
        """A line of the chronicle: an event of the rule set, or a sentence of the table's own."""
        return what if isinstance(what, LogEntry) else self.ruleset.presenter.present_event(what)

    def proposals_for(self, side: SeatSide) -> tuple[messages.Proposal, ...]:
        return shown(self.game.history, self.game.proposals, side, self.told, self.called)

    def called(self, side: Side) -> str:
        """Whoever leads a side, at the head of a sentence: «Anna (Prussia)», «Prussia» for who has no name."""
        name = self.ruleset.sides[side].capitalize()
        player = next((seat.player for seat in self.game.seats if seat.side == side), "")
        return f"{player} ({name})" if player else name

    def standing(self, side: SeatSide) -> messages.StandingInstruction | None:
        """The standing instruction of a seat, for nobody else; None where it can give none."""
        rules = self.ruleset.standing
        if rules is None or not is_side(side):
            return None
        given = self.game.history.table.instructions[side]
        if not given.lines:
            return messages.StandingInstruction()
        view = self.view(side)
        dead = dead_clauses(rules, view, given.lines)
        lines = tuple(
            messages.ClauseLine(line, sentence_of(rules, view, line), why)
            for line, why in zip(given.lines, dead, strict=True)
        )
        return messages.StandingInstruction(lines, given.is_armed, given.stopped)

    def staff(self, side: SeatSide) -> StaffCard | None:
        """What the staff of a seat is at, for nobody else; None where it has none."""
        return (
            self.game.staffs[side].card if is_side(side) and side in self.game.staffs and self.game.row.helps else None
        )

    def sealed(self, side: SeatSide) -> messages.SealStatus | None:
        return None if self.game.seal is None else self.game.seal.told(side)

    def now(self, side: SeatSide) -> messages.News:
        """What every message of a seat's stream tells beside what happened, as it stands now."""
        return messages.News(
            self.game.history.logs[side].n,
            awaited=self.awaited(side),
            can_undo=self.can_undo(side),
            redo=self.redo(side),
            proposals=self.proposals_for(side),
            standing=self.standing(side),
            staff=self.staff(side),
        )

    def news(self, side: SeatSide, notification: Notification, patch: Patch, now: messages.News) -> messages.News:
        """A message of a seat's stream; `now` is what it tells beside what happened."""
        entries = tuple(map(self.told, notification.told))
        return msgspec.structs.replace(
            now, n=notification.n, entries=entries, dropped=notification.dropped, patch=patch, seal=self.sealed(side)
        )

    def fresh(self, side: SeatSide, own: Iterable[str]) -> messages.Fresh:
        """All that a seat has to know. `own` are the public ids that this browser knows anyway."""
        game, mine = self.game.row, set(own)
        return messages.Fresh(
            game=game.id,
            title=game.title,
            ruleset=game.ruleset,
            scenario=game.scenario,
            options=game.options,
            side=side,
            n=self.game.history.logs[side].n,
            scene=self.scene(side),
            awaited=self.awaited(side),
            can_undo=self.can_undo(side),
            redo=self.redo(side),
            proposals=self.proposals_for(side),
            seats=tuple(seat_line(self.ruleset.sides, seat, seat.id in mine) for seat in self.game.seats),
            since=game.since,
            has_ended=game.has_ended,
            helps=game.helps,
            stranded=self.game.history.stranded,
            takebacks=game.takebacks,
            standing=self.standing(side),
            seal=None if self.game.seal is None else self.game.seal.card(side),
            staff=self.staff(side),
        )


def seat_line(sides: tuple[str, str], seat: SeatRow, is_own: bool) -> messages.SeatLine:
    """A seat as everybody may see it; its public id only for who sits there."""
    who = "watcher" if seat.side == WATCHER else who_sits(seat)
    name = "" if seat.side == WATCHER else sides[seat.side]
    is_bot = who in LEVELS
    player = LEVELS[who][0] if is_bot else seat.player
    return messages.SeatLine(
        seat.side, name, who, seat.id if is_own else "", player, seat.colour, introduced(who) if is_bot else ""
    )


def who_sits(seat: SeatRow) -> str:
    """`person`, `open` (a link that nobody has taken yet), or a bot's name."""
    if seat.who != "person":
        return seat.who
    return "person" if seat.is_taken else "open"
