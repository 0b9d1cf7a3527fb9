"""The views of a game's seats, and the streams that send them: subscribers, messages, and limits of their number.

The views are built only from views of the position and from events as each viewer received them.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Final, TypeAlias

import msgspec

from leuthen.bots import LEVELS, bots_for
from leuthen.engine.codec import JSON
from leuthen.engine.ruleset import CHANCE, EVERYTHING, OTHER, SEATS, SIDES, WATCHER, SeatSide, Side, ViewerId, is_side
from leuthen.screen.presenter import explain_dead_clauses, sentence_of
from leuthen.screen.values import LogEntry, Scene
from leuthen.server.session import messages, proposals
from leuthen.server.session.history import GameHistory, Notification
from leuthen.server.session.limits import charge_request_time, is_local_address
from leuthen.server.session.messages import TOO_MANY, DisplayName, StaffCard
from leuthen.server.session.players import GREETINGS
from leuthen.server.session.proposals import Proposals, is_open
from leuthen.server.session.seal import GameSeal
from leuthen.server.session.staff import OFFICER, decode
from leuthen.storage.rows import ProposalRow, SeatRow, StoredGame

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


class SeatView:
    """The views of a game's seats. Side 2 is the spectators' seat, which sees everything once the game has ended."""

    def __init__(self, history: GameHistory, found: StoredGame, seal: GameSeal | None) -> None:
        self.history = history
        self.seal = seal
        self.ruleset = history.ruleset
        self.scenes: dict[SeatSide, tuple[object, str, Scene]] = {}
        """By side: the scene shown last, with the position and result from which it was made."""
        self._take(found)

    def _take(self, found: StoredGame) -> None:
        self.row, self.seats = found.game, found.seats
        self.proposals: Proposals = {offer.side: offer for offer in found.proposals}
        has_officer = OFFICER in bots_for(self.row.ruleset)
        led = [side for side in SIDES if has_officer and self.seats[side].who == "person"]
        self.staffs = {side: decode(found.thoughts.get(side, b"")) for side in led}

    def viewer(self, side: SeatSide) -> ViewerId:
        return EVERYTHING if side == WATCHER and self.history.outcome is not None else side

    def view(self, side: SeatSide) -> Any:
        viewer = self.viewer(side)
        return self.ruleset.view(self.history.position(viewer), viewer)

    def scene(self, side: SeatSide) -> Scene:
        viewer, row = self.viewer(side), self.row
        position, result = self.history.position(viewer), row.result if row.has_ended else ""
        seen = self.scenes.get(side)
        if seen is None or seen[0] is not position or seen[1] != result:
            seen = self.scenes[side] = position, result, self.scene_of(position, viewer, result)
        return seen[2]

    def scene_of(self, position: object, viewer: ViewerId, result: str = "") -> Scene:
        scene = self.ruleset.presenter.scene(self.ruleset.view(position, viewer))
        return msgspec.structs.replace(scene, result=result) if result and not scene.result else scene

    def awaited(self, side: SeatSide) -> tuple[messages.Awaited, ...]:
        if not self.history.goes_on:
            return ()
        asked, sides = self.ruleset.presenter.asked, self.ruleset.sides
        return tuple(
            messages.Awaited(asks.actor, sides[asks.actor], seen.decision, seen.rule, seen.text, asks.actor == side)
            for asks in self.ruleset.pending(self.history.position(side))
            if asks.actor != CHANCE
            for seen in (asked(asks, side),)
        )

    def is_asked(self, side: SeatSide) -> bool:
        history = self.history
        asked = self.ruleset.pending(history.position(side)) if is_side(side) and history.goes_on else ()
        return any(asks.actor == side for asks in asked)

    def can_undo(self, side: SeatSide) -> bool:
        """Return whether a seat may take back its last action, including one whose die is pending."""
        table = self.history.table
        if not is_side(side) or not self.history.goes_on:
            return False
        last = len(table.log) - 1
        is_waiting = self.is_die_awaited and table.is_waiting_order(side, last) and not table.revealed_since(side, last)
        return table.can_undo(side) or is_waiting

    @property
    def is_die_awaited(self) -> bool:
        return self.seal is not None and self.seal.waiting >= 0

    def redo(self, side: SeatSide) -> str:
        """Return the order that a seat took back last and may give again, or ""."""
        history = self.history
        return "".join(history.redo[side][-1:]) if is_side(side) and history.goes_on else ""

    def entry_of(self, what: object) -> LogEntry:
        return what if isinstance(what, LogEntry) else self.ruleset.presenter.present_event(what)

    def capitalized_name(self, side: Side) -> str:
        """Return a side's name for the start of a sentence, such as "Anna (Prussia)"."""
        name = self.ruleset.sides[side].capitalize()
        player = next((seat.player for seat in self.seats if seat.side == side), "")
        return f"{player} ({name})" if player else name

    def _proposal(self, offer: ProposalRow, side: SeatSide) -> messages.Proposal:
        """Return an offer as a seat sees it; a takeback lists entries of the seat's own chronicle."""
        name = self.capitalized_name(offer.side if is_open(offer) else OTHER[offer.side])
        if offer.kind in proposals.WORDS:
            return messages.Proposal(offer.kind, offer.side, f"{name} {proposals.WORDS[offer.kind]}")
        lines, first = proposals.voided_entries(self.history, offer, side)
        uncovers = tuple(self.entry_of(line.what).text for line in lines[: proposals.MOST_UNCOVERED])
        what = f"{len(lines)} lines of the chronicle" if len(lines) > 1 else "one line of the chronicle"
        text = f"{name} asks to take back {what if lines else 'an order that you have not seen'}."
        return messages.Proposal(proposals.TAKEBACK, offer.side, text, uncovers, first)

    def standing(self, side: SeatSide) -> messages.StandingInstruction | None:
        rules = self.ruleset.standing
        if rules is None or not is_side(side):
            return None
        given = self.history.table.instructions[side]
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
        state = self.staffs.get(side) if is_side(side) and self.row.helps else None
        return state.card if state is not None else None

    def _current(self, side: SeatSide) -> dict[str, JSON]:
        """Return the current state that accompanies everything that a seat is sent."""
        offers = (  # only the offering side sees that its offer was declined
            self._proposal(offer, side) for offer in self.proposals.values() if is_open(offer) or offer.side == side
        )
        return {
            "n": self.history.logs[side].n,
            "awaited": self.awaited(side),
            "can_undo": self.can_undo(side),
            "redo": self.redo(side),
            "proposals": tuple(offers),
            "standing": self.standing(side),
            "staff": self.staff(side),
            "since": self.row.since,
        }

    def now(self, side: SeatSide) -> messages.SeatUpdate:
        return messages.SeatUpdate(**self._current(side))

    def fresh(self, side: SeatSide, own: Iterable[str]) -> messages.SeatSnapshot:
        """Return the complete state of a seat. `own` are the public seat ids that this browser knows."""
        game, mine = self.row, set(own)
        return messages.SeatSnapshot(
            game=game.id,
            title=game.title,
            ruleset=game.ruleset,
            scenario=game.scenario,
            options=game.options,
            side=side,
            scene=self.scene(side),
            seats=tuple(seat_line(self.ruleset.sides, seat, seat.id in mine) for seat in self.seats),
            has_ended=game.has_ended,
            helps=game.helps,
            unplayable=self.history.unplayable,
            takebacks=game.takebacks,
            seal=None if self.seal is None else self.seal.card(side),
            **self._current(side),
        )


def seat_line(sides: tuple[str, str], seat: SeatRow, is_own: bool) -> messages.SeatLine:
    """Return the public description of a seat; its id only for its own browser."""
    who = "watcher" if seat.side == WATCHER else occupant_of(seat)
    name = "" if seat.side == WATCHER else sides[seat.side]
    player = LEVELS[who][0] if who in LEVELS else seat.player
    return messages.SeatLine(
        seat.side, name, who, seat.id if is_own else "", player, seat.colour, GREETINGS.get(who, "")
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


@dataclass(eq=False)
class Subscriber:
    """An open stream of a seat.

    `own` are the public seat ids that its browser knows; `device` identifies the browser, or the program on this seat;
    `watcher` is the spectator's name, if it has one.
    """

    seat: str
    side: SeatSide
    device: str
    own: frozenset[str]
    address: str = ""
    watcher: DisplayName | None = None
    fell_behind: bool = False
    _queue: asyncio.Queue[bytes | None] = field(default_factory=asyncio.Queue)

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

    def __init__(self, game: SeatView) -> None:
        self.game = game
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
        """Add a subscriber who knows everything up to number `after`; return the first messages.

        The presence is sent to others only if its side was empty.
        """
        side, log = subscriber.side, self.game.history.logs[subscriber.side]
        is_first = side not in self.present
        self.subscribers.add(subscriber)
        if is_first:
            self._send_presence()
        else:
            subscriber.send(self._presence(side))
            self.send_spectator_names()
        for seen in self._seen.values():
            if seen.side != side:
                subscriber.send(message("seen", seen))
        now = self.game.now(side)
        self._last[side] = now, self._sealed
        self.game.scene(side)
        if not log.n - MOST_MISSED <= after <= log.n or after < 0:
            return [self.fresh(subscriber)]
        if after == log.n and not self.game.history.has_unseen_change(side):
            return [self._news(side, Notification(log.n, -1, 0), now)]
        missed = (self._news(side, notification, now) for notification in log.news[after + 1 :])
        return [*missed, self.fresh(subscriber)]

    def note_seen(self, seen: messages.LastSeenBlock) -> None:
        if self._seen.get(seen.side) != seen:
            self._seen[seen.side] = seen
            self._tell_seen[seen.side]()

    def _send_seen(self, side: int) -> None:
        self.broadcast(message("seen", self._seen[side]), {*SEATS} - {side})

    def leave(self, subscriber: Subscriber) -> None:
        if subscriber not in self.subscribers:
            return
        self.subscribers.discard(subscriber)
        if subscriber.side in self.present:
            self.send_spectator_names()
        else:
            self._send_presence()

    def fresh(self, subscriber: Subscriber) -> bytes:
        fresh = self.game.fresh(subscriber.side, subscriber.own)
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
            charge_request_time(SEND_COST + BYTE_COST * len(made[key]))

    def broadcast(self, data: bytes, to: Iterable[int] = SEATS) -> None:
        found = [subscriber for subscriber in self.subscribers if subscriber.side in to]
        for subscriber in found:
            subscriber.send(data)
        charge_request_time((SEND_COST + BYTE_COST * len(data)) * len(found))

    def publish(self, news: Mapping[ViewerId, Sequence[Notification]]) -> None:
        """Send each subscribed side its updates as one message, so that no client acts on half a change."""
        for side in self.present:
            if side in news and (data := b"".join(self._messages(side, news[side]))):
                self.broadcast(data, (side,))

    def _messages(self, side: SeatSide, news: Sequence[Notification]) -> list[bytes]:
        """Return one message per number; the last one carries the change of the scene."""
        shown, scene = self.game.scenes.get(side), self.game.scene(side)
        patch = difference(shown[2], scene) if shown else {}
        now = self.game.now(side)
        before, self._last[side] = self._last.get(side), (now, self._sealed)
        if not (news or patch) and before == self._last[side]:
            return []
        *first, last = news or [Notification(now.n, -1, 0)]
        return [*(self._news(side, notification, now) for notification in first), self._news(side, last, now, patch)]

    @property
    def _sealed(self) -> object:
        """Changes whenever seats need a new status of the proof."""
        return self.game.seal and self.game.seal.shown

    def _news(
        self, side: SeatSide, notification: Notification, now: messages.SeatUpdate, patch: Mapping[str, JSON] = {}
    ) -> bytes:
        n, _, _, entries, dropped, _ = notification
        seal = self.game.seal
        told, sealed = tuple(map(self.game.entry_of, entries)), seal.status(side) if seal is not None else None
        news = msgspec.structs.replace(now, n=n, entries=told, dropped=dropped, patch=patch, seal=sealed)
        return message("news", news, n)


# --- what has changed of a scene --------------------------------------------------------------------------------------


def difference(before: msgspec.Struct, after: msgspec.Struct) -> Patch:
    """Return the JSON merge patch between two structs of one type whose defaults are omitted."""
    defaults = _defaults(type(after))
    changed = [name for name in defaults if getattr(before, name) != getattr(after, name)]
    old, new = (
        {name: msgspec.to_builtins(value) for name in changed if (value := getattr(one, name)) != defaults[name]}
        for one in (before, after)
    )
    return _patch(old, new)


@cache
def _defaults(kind: type[msgspec.Struct]) -> Patch:
    return {
        one.name: one.default if one.default_factory is msgspec.NODEFAULT else one.default_factory()
        for one in msgspec.structs.fields(kind)
    }


def _patch(old: Patch, new: Patch) -> Patch:
    patch: Patch = dict.fromkeys(key for key in old if key not in new)
    for key, value in new.items():
        before = old.get(key)
        if isinstance(value, dict) and isinstance(before, dict) and value != before:
            patch[key] = _patch(before, value)
        elif key not in old or before != value:
            patch[key] = value
    return patch


# --- how many there may be --------------------------------------------------------------------------------------------


class ConnectionLimits:
    """All open streams. The oldest stream of a device gives way to its newest."""

    def __init__(self, **most: int) -> None:
        """`most` sets other limits by kind: for a `device`, a `seat`, an `address`, and for `all`."""
        self._most = {"all": IN_ALL, "seat": PER_SEAT, "device": PER_DEVICE, "address": PER_ADDRESS} | most
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
