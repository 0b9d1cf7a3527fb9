"""The views of a game's seats, built only from views of the position and from events as each viewer received them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeAlias

import msgspec

from leuthen.bots import LEVELS
from leuthen.engine.codec import JSON
from leuthen.engine.ruleset import CHANCE, EVERYTHING, WATCHER, SeatSide, Side, ViewerId, is_side
from leuthen.screen.standing import explain_dead_clauses, sentence_of
from leuthen.screen.values import LogEntry, Scene
from leuthen.server.session import messages
from leuthen.server.session.history import GameHistory, Notification
from leuthen.server.session.messages import StaffCard
from leuthen.server.session.players import greeting_of
from leuthen.server.session.proposals import Proposals, proposals_for
from leuthen.server.session.seal import GameSeal
from leuthen.server.session.staff import StaffState
from leuthen.storage.rows import GameRow, SeatRow

Patch: TypeAlias = dict[str, JSON]


class ShownGame(Protocol):
    """The parts of a game from which its seats' views are built."""

    row: GameRow
    seats: tuple[SeatRow, ...]
    history: GameHistory
    proposals: Proposals
    staffs: dict[Side, StaffState]
    seal: GameSeal | None


class SeatView:
    """The views of a game's seats. Side 2 is the spectators' seat, which sees everything once the game has ended."""

    def __init__(self, game: ShownGame) -> None:
        self.game = game
        self.ruleset = game.history.ruleset
        self._seen: dict[SeatSide, tuple[object, str, Scene]] = {}
        """By side: the scene shown last, with the position and result from which it was made."""

    def forget(self) -> None:
        self._seen.clear()

    def viewer(self, side: SeatSide) -> ViewerId:
        return EVERYTHING if side == WATCHER and self.game.history.outcome is not None else side

    def view(self, side: SeatSide) -> Any:
        viewer = self.viewer(side)
        return self.ruleset.view(self.game.history.position(viewer), viewer)

    def scene(self, side: SeatSide) -> Scene:
        viewer, row = self.viewer(side), self.game.row
        position, result = self.game.history.position(viewer), row.result if row.has_ended else ""
        seen = self._seen.get(side)
        if seen is None or seen[0] is not position or seen[1] != result:
            seen = self._seen[side] = position, result, self.scene_of(position, viewer, result)
        return seen[2]

    def last_scene(self, side: SeatSide) -> Scene:
        return self._seen[side][2] if side in self._seen else self.scene(side)

    def scene_of(self, position: object, viewer: ViewerId, result: str = "") -> Scene:
        scene = self.ruleset.presenter.scene(self.ruleset.view(position, viewer))
        return msgspec.structs.replace(scene, result=result) if result and not scene.result else scene

    def awaited(self, side: SeatSide) -> tuple[messages.Awaited, ...]:
        if self.game.history.outcome is not None or self.game.history.unplayable:
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
        if history.outcome is not None or history.unplayable or not is_side(side):
            return False
        return any(asks.actor == side for asks in self.ruleset.pending(history.position(side)))

    def can_undo(self, side: SeatSide) -> bool:
        """Return whether a seat may take back its last action, including one whose die is pending."""
        table, history = self.game.history.table, self.game.history
        if not is_side(side) or history.outcome is not None or history.unplayable:
            return False
        last = len(table.log) - 1
        is_waiting = self.is_die_awaited and table.is_waiting_order(side, last) and not table.revealed_since(side, last)
        return table.can_undo(side) or is_waiting

    @property
    def is_die_awaited(self) -> bool:
        return self.game.seal is not None and self.game.seal.waiting >= 0

    def redo(self, side: SeatSide) -> str:
        """Return the order that a seat took back last and may give again, or ""."""
        history = self.game.history
        is_on = is_side(side) and history.outcome is None and not history.unplayable
        return history.redo[side][-1] if is_on and history.redo[side] else ""

    def entry_of(self, what: object) -> LogEntry:
        return what if isinstance(what, LogEntry) else self.ruleset.presenter.present_event(what)

    def proposals_for(self, side: SeatSide) -> tuple[messages.Proposal, ...]:
        return proposals_for(self.game.history, self.game.proposals, side, self.entry_of, self.capitalized_name)

    def capitalized_name(self, side: Side) -> str:
        """Return a side's name for the start of a sentence, such as "Anna (Prussia)"."""
        name = self.ruleset.sides[side].capitalize()
        player = next((seat.player for seat in self.game.seats if seat.side == side), "")
        return f"{player} ({name})" if player else name

    def standing(self, side: SeatSide) -> messages.StandingInstruction | None:
        """Return the seat's own standing instruction; None if the rule set has none."""
        rules = self.ruleset.standing
        if rules is None or not is_side(side):
            return None
        given = self.game.history.table.instructions[side]
        if not given.lines:
            return messages.StandingInstruction()
        view = self.view(side)
        dead = explain_dead_clauses(rules, view, given.lines)
        lines = tuple(
            messages.ClauseLine(line, sentence_of(rules, view, line), why)
            for line, why in zip(given.lines, dead, strict=True)
        )
        return messages.StandingInstruction(lines, given.is_armed, given.stopped)

    def staff(self, side: SeatSide) -> StaffCard | None:
        """Return the seat's own staff; None if it has none."""
        return (
            self.game.staffs[side].card if is_side(side) and side in self.game.staffs and self.game.row.helps else None
        )

    def sealed(self, side: SeatSide) -> messages.SealStatus | None:
        return None if self.game.seal is None else self.game.seal.status(side)

    def now(self, side: SeatSide) -> messages.SeatUpdate:
        """Return the current state that accompanies every update of a seat."""
        return messages.SeatUpdate(
            self.game.history.logs[side].n,
            awaited=self.awaited(side),
            can_undo=self.can_undo(side),
            redo=self.redo(side),
            proposals=self.proposals_for(side),
            standing=self.standing(side),
            staff=self.staff(side),
            since=self.game.row.since,
        )

    def news(
        self, side: SeatSide, notification: Notification, patch: Patch, now: messages.SeatUpdate
    ) -> messages.SeatUpdate:
        entries = tuple(map(self.entry_of, notification.entries))
        return msgspec.structs.replace(
            now, n=notification.n, entries=entries, dropped=notification.dropped, patch=patch, seal=self.sealed(side)
        )

    def fresh(self, side: SeatSide, own: Iterable[str]) -> messages.SeatSnapshot:
        """Return the complete state of a seat. `own` are the public seat ids that this browser knows."""
        game, mine = self.game.row, set(own)
        return messages.SeatSnapshot(
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
            unplayable=self.game.history.unplayable,
            takebacks=game.takebacks,
            standing=self.standing(side),
            seal=None if self.game.seal is None else self.game.seal.card(side),
            staff=self.staff(side),
        )


def seat_line(sides: tuple[str, str], seat: SeatRow, is_own: bool) -> messages.SeatLine:
    """Return the public description of a seat; its id only for its own browser."""
    who = "watcher" if seat.side == WATCHER else occupant_of(seat)
    name = "" if seat.side == WATCHER else sides[seat.side]
    is_bot = who in LEVELS
    player = LEVELS[who][0] if is_bot else seat.player
    return messages.SeatLine(
        seat.side, name, who, seat.id if is_own else "", player, seat.colour, greeting_of(who) if is_bot else ""
    )


def occupant_of(seat: SeatRow) -> str:
    """Return `person`, `open` (an unused invitation), or a bot's name."""
    if seat.who != "person":
        return seat.who
    return "person" if seat.is_taken else "open"
