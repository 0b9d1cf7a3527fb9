"""The views of a game's seats, and the streams that send them: subscribers, messages, and limits of their number.

The views are built only from views of the position and from events as each viewer received them.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, Protocol, TypeAlias

import msgspec

from leuthen.bots import LEVELS
from leuthen.engine.codec import JSON
from leuthen.engine.ruleset import CHANCE, EVERYTHING, SIDES, WATCHER, SeatSide, Side, ViewerId, is_side
from leuthen.screen.presenter import explain_dead_clauses, sentence_of
from leuthen.screen.values import LogEntry, Scene
from leuthen.server.session import messages
from leuthen.server.session.history import GameHistory, Notification
from leuthen.server.session.limits import charge_request_time, is_local_address
from leuthen.server.session.messages import TOO_MANY, DisplayName, StaffCard
from leuthen.server.session.players import greeting_of
from leuthen.server.session.proposals import Proposals, is_open, proposal_of
from leuthen.server.session.seal import GameSeal
from leuthen.server.session.staff import StaffState
from leuthen.storage.rows import GameRow, SeatRow

Patch: TypeAlias = dict[str, JSON]
DEPTH: Final = 64
"""Maximum number of queued messages; a slower reader gets a snapshot instead."""
MOST_NAMED: Final = 12
"""Maximum number of named spectators."""
MOST_MISSED: Final = 300
"""Maximum number of missed updates that are resent; beyond it only a snapshot is sent."""
SEND_COST: Final = 0.0001
"""Seconds charged per subscriber and message, which is sent after its request."""
BYTE_COST: Final = 1e-8
"""Seconds charged per byte."""
PAUSE: float = 1.0
"""Minimum interval in seconds between two messages about names, seats, or seen blocks."""
PER_DEVICE: Final = 4
"""Browsers open six connections to a host; the rest is left for pages."""
PER_ADDRESS: Final = 128
"""Does not apply to this machine."""
PER_SEAT: Final = 500
IN_ALL: Final = 5000
_BACK, _SPREAD, _APART = 1000, 4000, 10
"""Milliseconds before the first reconnection after a restart, the period over which reconnections are spread, and
the interval between two of them."""
_ALL: Final = ("all", "")
_LATER: Final = b"retry: 30000\n"
_ELSEWHERE: Final = messages.Problem(
    TOO_MANY,
    "Open elsewhere",
    "This browser has too many open pages. This one pauses until you return to it.",
)


# --- what a seat is shown ---------------------------------------------------------------------------------------------


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
        if not self.game.history.goes_on:
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
        asked = self.ruleset.pending(history.position(side)) if is_side(side) and history.goes_on else ()
        return any(asks.actor == side for asks in asked)

    def can_undo(self, side: SeatSide) -> bool:
        """Return whether a seat may take back its last action, including one whose die is pending."""
        table = self.game.history.table
        if not is_side(side) or not self.game.history.goes_on:
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
        return "".join(history.redo[side][-1:]) if is_side(side) and history.goes_on else ""

    def entry_of(self, what: object) -> LogEntry:
        return what if isinstance(what, LogEntry) else self.ruleset.presenter.present_event(what)

    def capitalized_name(self, side: Side) -> str:
        """Return a side's name for the start of a sentence, such as "Anna (Prussia)"."""
        name = self.ruleset.sides[side].capitalize()
        player = next((seat.player for seat in self.game.seats if seat.side == side), "")
        return f"{player} ({name})" if player else name

    def standing(self, side: SeatSide) -> messages.StandingInstruction | None:
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
        state = self.game.staffs.get(side) if is_side(side) and self.game.row.helps else None
        return state.card if state is not None else None

    def _current(self, side: SeatSide) -> dict[str, JSON]:
        """Return the current state that accompanies everything that a seat is sent."""
        offers = (  # only the offering side sees that its offer was declined
            proposal_of(self.game.history, offer, side, self.entry_of, self.capitalized_name)
            for offer in self.game.proposals.values()
            if is_open(offer) or offer.side == side
        )
        return {
            "n": self.game.history.logs[side].n,
            "awaited": self.awaited(side),
            "can_undo": self.can_undo(side),
            "redo": self.redo(side),
            "proposals": tuple(offers),
            "standing": self.standing(side),
            "staff": self.staff(side),
            "since": self.game.row.since,
        }

    def now(self, side: SeatSide) -> messages.SeatUpdate:
        return messages.SeatUpdate(**self._current(side))

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
            scene=self.scene(side),
            seats=tuple(seat_line(self.ruleset.sides, seat, seat.id in mine) for seat in self.game.seats),
            has_ended=game.has_ended,
            helps=game.helps,
            unplayable=self.game.history.unplayable,
            takebacks=game.takebacks,
            seal=None if self.game.seal is None else self.game.seal.card(side),
            **self._current(side),
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


# --- its streams ------------------------------------------------------------------------------------------------------


def message(event: str, data: object, n: int | None = None) -> bytes:
    mark = b"" if n is None else b"id: %d\n" % n
    return b"event: %b\n%bdata: %b\n\n" % (event.encode(), mark, msgspec.json.encode(data))


class Subscriber:
    """An open stream of a seat.

    `own` are the public seat ids that its browser knows; `device` identifies the browser, or the program on this seat.
    """

    watcher: DisplayName | None = None
    """The spectator's name, if it has one."""

    def __init__(self, seat: str, side: SeatSide, device: str, own: frozenset[str], address: str = "") -> None:
        self.seat = seat
        self.side = side
        self.device = device
        self.address = address
        self.own = own
        self.fell_behind = False
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()

    def send(self, data: bytes) -> None:
        """Queue a message, or note that a snapshot is needed."""
        if self.fell_behind:
            return
        if self._queue.qsize() < DEPTH:
            self._queue.put_nowait(data)
            return
        self.fell_behind = True
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(b"")

    def end(self, data: bytes = b"", *, is_now: bool = False) -> None:
        """End the stream with a last message; with `is_now` queued messages are dropped."""
        while is_now and not self._queue.empty():
            self._queue.get_nowait()
        if data:
            self.fell_behind = False
            self._queue.put_nowait(data)
        self._queue.put_nowait(None)

    async def next(self, patience: float) -> bytes | None:
        """Return the next message, None at the end. Raise TimeoutError after `patience` seconds of silence."""
        return await asyncio.wait_for(self._queue.get(), patience)


class Throttled:
    """Calls a function at most once per `PAUSE`: at once if the last call is long ago, else when the pause ends."""

    def __init__(self, send: Callable[[], None]) -> None:
        self._send = send
        self._again = 0.0
        """Loop time from which the next call is allowed."""
        self._is_due = False

    def __call__(self) -> None:
        if self._is_due:
            return
        loop = asyncio.get_running_loop()
        wait = self._again - loop.time()
        if wait <= 0:
            self._go()
        else:
            self._is_due = True
            loop.call_later(wait, self._go)

    def _go(self) -> None:
        self._is_due, self._again = False, asyncio.get_running_loop().time() + PAUSE
        self._send()


class Broadcaster:
    """The subscribers of a game. A message is made once per side, and only if that side has subscribers."""

    def __init__(self, seat_view: SeatView) -> None:
        self.seat_view = seat_view
        self.subscribers: set[Subscriber] = set()
        self._last: dict[int, object] = {}
        """By side: the state sent with the last update."""
        self._watching: tuple[DisplayName, ...] = ()
        """The spectators that players were told of last."""
        self._seen: dict[int, messages.LastSeenBlock] = {}
        """By side: the last block that its devices have seen."""
        self.refresh = Throttled(self._refresh)
        """Sends everyone a snapshot after a change of seats."""
        self._tell_seen: dict[int, Throttled] = {side: Throttled(partial(self._send_seen, side)) for side in SIDES}
        self._tell_names = Throttled(self._send_names)

    def join(self, subscriber: Subscriber, after: int) -> list[bytes]:
        """Add a subscriber who knows everything up to number `after`; return the first messages."""
        side, log = subscriber.side, self.seat_view.game.history.logs[subscriber.side]
        self._enter(subscriber)
        now = self.seat_view.now(side)
        self._last[side] = now, self._sealed
        self.seat_view.scene(side)
        if not log.n - MOST_MISSED <= after <= log.n or after < 0:
            return [self.fresh(subscriber)]
        if after == log.n and not self.seat_view.game.history.has_unseen_change(side):
            return [self._news(side, Notification(log.n, -1, 0), now)]
        missed = (self._news(side, notification, now) for notification in log.news[after + 1 :])
        return [*missed, self.fresh(subscriber)]

    def _enter(self, subscriber: Subscriber) -> None:
        """Send the presence to the new subscriber; to others only if its side was empty."""
        is_first = subscriber.side not in self.present
        self.subscribers.add(subscriber)
        if is_first:
            self._send_presence()
        else:
            subscriber.send(self._presence(subscriber.side))
            self.send_spectator_names()
        for seen in self._seen.values():
            if seen.side != subscriber.side:
                subscriber.send(message("seen", seen))

    def note_seen(self, seen: messages.LastSeenBlock) -> None:
        if self._seen.get(seen.side) != seen:
            self._seen[seen.side] = seen
            self._tell_seen[seen.side]()

    def _send_seen(self, side: int) -> None:
        self.broadcast(message("seen", self._seen[side]), {0, 1, WATCHER} - {side})

    def leave(self, subscriber: Subscriber) -> None:
        if subscriber not in self.subscribers:
            return
        self.subscribers.discard(subscriber)
        if subscriber.side in self.present:
            self.send_spectator_names()
        else:
            self._send_presence()

    def fresh(self, subscriber: Subscriber) -> bytes:
        fresh = self.seat_view.fresh(subscriber.side, subscriber.own)
        return message("fresh", fresh, fresh.n)

    @property
    def present(self) -> tuple[SeatSide, ...]:
        return tuple(sorted({subscriber.side for subscriber in self.subscribers}))

    def send_spectator_names(self) -> None:
        """Send players the names of spectators, if they have changed."""
        if self._watching != self._spectator_names():
            self._tell_names()

    def _send_names(self) -> None:
        self._watching = self._spectator_names()
        self.broadcast(self._presence(0), SIDES)

    def _send_presence(self) -> None:
        self._send_names()
        self.broadcast(self._presence(WATCHER), (WATCHER,))

    def _presence(self, side: SeatSide) -> bytes:
        """Spectators do not see each other."""
        watching = self._watching if side != WATCHER else ()
        return message("presence", messages.Presence(self.present, watching))

    def _spectator_names(self) -> tuple[DisplayName, ...]:
        found = {subscriber.watcher for subscriber in self.subscribers if subscriber.watcher is not None}
        return tuple(sorted(found, key=lambda watcher: (watcher.name.casefold(), watcher.colour))[:MOST_NAMED])

    def end(self) -> None:
        for subscriber in self.subscribers:
            subscriber.end()

    def _refresh(self) -> None:
        """Subscribers with equal knowledge share a message."""
        made: dict[tuple[int, frozenset[str]], bytes] = {}
        for subscriber in self.subscribers:
            key = subscriber.side, subscriber.own
            if key not in made:
                made[key] = self.fresh(subscriber)
            subscriber.send(made[key])
            _bill(made[key])

    def broadcast(self, data: bytes, to: Iterable[int] = (0, 1, WATCHER)) -> None:
        found = [subscriber for subscriber in self.subscribers if subscriber.side in to]
        for subscriber in found:
            subscriber.send(data)
        _bill(data, len(found))

    def publish(self, news: Mapping[ViewerId, Sequence[Notification]]) -> None:
        """Send each subscribed side its updates as one message, so that no client acts on half a change."""
        for side in self.present:
            if side in news and (data := b"".join(self._messages(side, news[side]))):
                self.broadcast(data, (side,))

    def _messages(self, side: SeatSide, news: Sequence[Notification]) -> list[bytes]:
        """Return one message per number; the last one carries the change of the scene."""
        patch = difference(self.seat_view.last_scene(side), self.seat_view.scene(side))
        now = self.seat_view.now(side)
        before, self._last[side] = self._last.get(side), (now, self._sealed)
        if not news:
            is_same = not patch and before == self._last[side]
            return [] if is_same else [self._news(side, Notification(now.n, -1, 0), now, patch)]
        first = (self._news(side, notification, now) for notification in news[:-1])
        return [*first, self._news(side, news[-1], now, patch)]

    @property
    def _sealed(self) -> object:
        """Changes whenever seats need a new status of the proof."""
        return self.seat_view.game.seal and self.seat_view.game.seal.shown

    def _news(
        self, side: SeatSide, notification: Notification, now: messages.SeatUpdate, patch: Mapping[str, JSON] = {}
    ) -> bytes:
        n, _, _, entries, dropped, _ = notification
        view, seal = self.seat_view, self.seat_view.game.seal
        told, sealed = tuple(map(view.entry_of, entries)), seal.status(side) if seal is not None else None
        news = msgspec.structs.replace(now, n=n, entries=told, dropped=dropped, patch=patch, seal=sealed)
        return message("news", news, n)


def _bill(data: bytes, listeners: int = 1) -> None:
    charge_request_time((SEND_COST + BYTE_COST * len(data)) * listeners)


# --- what has changed of a scene --------------------------------------------------------------------------------------


def difference(before: msgspec.Struct, after: msgspec.Struct) -> Patch:
    """Return the JSON merge patch between two structs of one type whose defaults are omitted.

    Equal parts are not compared further, so a small change of a large value is cheap.
    """
    patch: Patch = {}
    for name, default in _defaults(type(after)).items():
        old, new = getattr(before, name), getattr(after, name)
        if old is not new and old != new:
            patch |= _patch(
                _plain(name, default, *_changed_part(old, new)), _plain(name, default, *_changed_part(new, old))
            )
    return patch


@cache
def _defaults(kind: type[msgspec.Struct]) -> Patch:
    found = msgspec.structs.fields(kind)
    return {
        field.encode_name: field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        for field in found
    }


def _changed_part(value: object, other: object) -> tuple[JSON, JSON]:
    """Return the value for comparison with its default, and the part that differs from the other value."""
    if not (isinstance(value, Mapping) and isinstance(other, Mapping)):
        return value, value
    return value, {key: part for key, part in value.items() if key not in other or other[key] != part}


def _plain(name: str, default: object, whole: object, part: object) -> Patch:
    return {} if whole == default else {name: msgspec.to_builtins(part)}


def _patch(old: Mapping[str, JSON], new: Mapping[str, JSON]) -> Patch:
    patch: Patch = dict.fromkeys(key for key in old if key not in new)
    for key, value in new.items():
        before = old.get(key)
        if isinstance(value, dict) and isinstance(before, dict):
            if inner := _patch(before, value):
                patch[key] = inner
        elif key not in old or before != value:
            patch[key] = value
    return patch


# --- how many there may be --------------------------------------------------------------------------------------------


class ConnectionLimits:
    """All open streams. The oldest stream of a device gives way to its newest."""

    def __init__(
        self,
        per_device: int = PER_DEVICE,
        per_seat: int = PER_SEAT,
        in_all: int = IN_ALL,
        per_address: int = PER_ADDRESS,
    ) -> None:
        self._most = {"all": in_all, "seat": per_seat, "device": per_device, "address": per_address}
        self._open: defaultdict[tuple[str, str], dict[Subscriber, None]] = defaultdict(dict)
        """By kind of limit and its key: the subscribers, oldest first."""

    @property
    def count(self) -> int:
        return len(self._open[_ALL])

    def enter(self, subscriber: Subscriber) -> bytes:
        """Admit a subscriber; return a message if it is refused."""
        same, keys = list(self._open.get(("device", subscriber.device), ())), self._keys(subscriber)
        for oldest in same[: max(0, len(same) + 1 - self._most["device"])]:
            oldest.end(_LATER + message("problem", _ELSEWHERE))
            self.leave(oldest)
        if any(len(self._open.get(key, ())) >= self._most[key[0]] for key in keys):
            detail = "The server has too many connections. Try again later."
            return _LATER + message("problem", messages.Problem(503, "Too many connections", detail))
        for key in keys:
            self._open[key][subscriber] = None
        return b""

    def leave(self, subscriber: Subscriber) -> None:
        for key in self._keys(subscriber):
            self._open[key].pop(subscriber, None)
            if not self._open[key]:
                del self._open[key]

    def close(self) -> None:
        """End all streams; reconnections are spread over time."""
        for number, subscriber in enumerate(self._open[_ALL]):
            wait = _BACK + number * _APART % _SPREAD
            subscriber.end(b"retry: %d\n" % wait + message("again", messages.Reconnect(wait)))

    def _keys(self, subscriber: Subscriber) -> list[tuple[str, str]]:
        address = "" if is_local_address(subscriber.address) else subscriber.address
        kinds = {"seat": subscriber.seat, "device": subscriber.device, "address": address}
        return [_ALL, *((kind, key) for kind, key in kinds.items() if key)]
