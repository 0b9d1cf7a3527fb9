"""All games of a server: created, loaded on demand, and unloaded when idle."""

from __future__ import annotations

import asyncio
import gc
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final, Protocol
from weakref import WeakValueDictionary

from leuthen.engine.refusal import Invalid
from leuthen.load import is_known, load_with
from leuthen.play.dice import Key
from leuthen.server.session import lookback, messages
from leuthen.server.session.device_sessions import AcceptedInvitation, DeviceCaller, DeviceSession, DeviceSessions
from leuthen.server.session.game_session import GameSession, LoadedGame
from leuthen.server.session.history import MAY, GameHistory, bare_record, mark_unplayable, restore_stored, why_not
from leuthen.server.session.limits import Imports, QueueLimits, Run, WorkLimit, WorkQueue, address_now, charge_steps
from leuthen.server.session.lookback import Reports
from leuthen.server.session.problems import GONE, Fault, fault, unknown
from leuthen.server.session.seal import GameSeal
from leuthen.server.session.seal import restore_stored as restore_seal
from leuthen.server.session.staff import games_with_active_staff
from leuthen.server.session.streams import ConnectionLimits
from leuthen.storage import games as game_rows
from leuthen.storage.faults import StorageError
from leuthen.storage.rows import GameRow, SeatRow, Storage, StoredGame

MEMORY: Final = 192 * 1024**2
"""Bytes for games in memory. Above it, idle games are unloaded, least recently used first."""
WORKERS: Final = 2
"""Processes for each kind of slow work."""
_log = logging.getLogger(__name__)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def new_secret() -> str:
    """Return a secret of 144 random bits that may be used in a URL's fragment."""
    return secrets.token_urlsafe(18)


def new_id() -> str:
    return secrets.token_urlsafe(9)


def hash_of(secret: str) -> str:
    """Return the stored form of a secret. Secrets are random and long, so one round is enough."""
    return sha256(secret.encode()).hexdigest()


class Drivers(Protocol):
    """Players that are not people."""

    def wake(self, session: GameSession, /) -> None:
        """Start answering in a game, unless that is under way."""

    def is_busy(self, game: str, /) -> bool: ...

    async def close(self) -> None: ...


class GameRegistry:
    """The games of a server."""

    def __init__(
        self,
        storage: Storage,
        drivers: Drivers,
        run: Run,
        clock: Callable[[], str] = now,
        new_key: Callable[[], Key] = Key.fresh,
        memory: int = MEMORY,
    ) -> None:
        """`new_key` makes the dice key of a new game; `run` does slow work in another process."""
        self.storage = storage
        self.clock = clock
        self.new_key = new_key
        self.sessions: OrderedDict[str, GameSession] = OrderedDict()
        self._alive: WeakValueDictionary[str, GameSession] = WeakValueDictionary()
        """Unloaded games that are still referenced, so that a game never exists twice."""
        self._memory = memory
        self._loading: dict[str, asyncio.Task[GameSession]] = {}
        self.changes = 0
        """Number of stored changes since the server began."""
        self.devices = DeviceSessions(storage, clock)
        self.drivers = drivers
        self.connection_limits = ConnectionLimits()
        self.looking = WorkQueue(WORKERS, 20, QueueLimits(), run)
        self.bringing = WorkQueue(1, 30, QueueLimits(2, 2, 16), run)
        self.imports = Imports()
        self.replaying = WorkQueue(1, 60, QueueLimits(4, 8), run)
        self.advising = WorkLimit(QueueLimits(2, 8))
        self.reporting = WorkQueue(1, 120, QueueLimits(1, 2, 8), run)
        self.reports = Reports(storage, self.reporting)

    @property
    def work_queues(self) -> dict[str, WorkLimit]:
        slow = {"looking": self.looking, "bringing": self.bringing}
        return {**slow, "replaying": self.replaying, "advising": self.advising, "reporting": self.reporting}

    async def session(self, game: str) -> GameSession:
        """Return a game, loaded if need be. Raise Fault if it cannot be."""
        if session := self.sessions.get(game):
            self.sessions.move_to_end(game)
            return session
        if session := self._alive.get(game):
            return self.add(session)
        loading = self._loading.get(game)
        if loading is None:
            loading = self._loading[game] = asyncio.ensure_future(charge_steps(self._load(game)))
            loading.add_done_callback(lambda _: self._loading.pop(game, None))
        return await asyncio.shield(loading)

    async def _load(self, game: str) -> GameSession:
        found, history, seal = await self._load_replayed(game)
        return self.add(
            GameSession(
                self.storage,
                history,
                found.game,
                found.seats,
                self.clock,
                Key(found.key),
                seal,
                found.proposals,
                found.thoughts,
            )
        )

    async def record(self, device: DeviceSession) -> bytes:
        """Return the record that a seat may have, even of a game that cannot be shown any more."""
        seat = device.seat
        try:
            session = await self.session(seat.game)
        except Fault as error:
            found = await self.storage.read(lambda rows: game_rows.find_game(rows, seat.game))
            if error.problem.status != GONE or found is None:
                raise
            return bare_record(found).encode()
        return await lookback.record(session, seat.side, self.replaying)

    def unplayable(self, game: GameRow) -> str:
        """Return the reason why a game is unplayable, as known without replaying it; "" if it is playable or over."""
        if game.has_ended:
            return ""
        if session := self.sessions.get(game.id):
            return session.history.unplayable
        if not is_known(game.ruleset):
            return f"This game cannot continue here: the rule set {game.ruleset} is not installed."
        return why_not(load_with(game.ruleset, game.data), game)

    async def _load_replayed(self, game: str) -> LoadedGame:
        """Load and replay a game. Raise Fault if it cannot be shown at all, or the queue is full."""
        with self.replaying.place(game):
            found = await self.storage.read(lambda rows: game_rows.find_game(rows, game))
            if found is None:
                raise unknown("game")
            try:
                history, steps = restore_stored(found)
                await self.replaying.run_in_slices(address_now.get(), steps)
                seal = _seal(found, history)
            except Fault:
                raise
            except Exception as error:
                _log.exception("the game %s cannot be shown", game)
                detail = "The rules installed here cannot show this game. You can still download its record."
                raise fault(GONE, "This game cannot be shown", detail) from error
        return found, history, seal

    def add(self, session: GameSession) -> GameSession:
        """Register a game in memory, unloading others if there is no room."""
        self.sessions[session.id] = self._alive[session.id] = session
        session.on_change, session.reload = self._note_change, self._load_replayed
        session.on_watched = self._wake
        self._wake(session)
        self._put_away(session)
        return session

    def _note_change(self, session: GameSession) -> None:
        self.changes += 1
        self._wake(session)

    def _wake(self, session: GameSession) -> None:
        if session.is_machine_due:
            self.drivers.wake(session)

    def _put_away(self, needed: GameSession) -> None:
        held = sum(session.weight for session in self.sessions.values())
        for game, session in list(self.sessions.items()):
            if held <= self._memory:
                return
            if session.is_idle and session is not needed and not self.drivers.is_busy(game):
                held -= session.weight
                del self.sessions[game]
                gc.unfreeze()

    async def resume(self, bots: list[str]) -> None:
        """Load all games that wait for a bot or for a staff at work."""
        seats = await self.storage.read(lambda rows: game_rows.seats_asked(rows, bots))
        waiting = {seat.game for seat in seats} | await games_with_active_staff(self.storage)
        for game in sorted(waiting):
            try:
                await self.session(game)
            except (Fault, StorageError) as error:
                _log.warning("the game %s is not gone on with for now: %s", game, error)
            except Exception:
                _log.exception("the game %s cannot be gone on with", game)

    def end_slow_work(self) -> None:
        """End slow work; its requesters get an error."""
        for lane in (self.looking, self.bringing, self.replaying, self.reporting):
            lane.end()

    async def close(self) -> None:
        await self.drivers.close()
        await self.reports.close()

    async def take(
        self, visitor: DeviceCaller, secret: str, way_back: str, sitter: messages.DisplayName
    ) -> AcceptedInvitation:
        """Give a visitor the seat of a secret. Raise Fault as `DeviceSessions.take` does."""
        taken = await self.devices.take(visitor, hash_of(secret), hash_of(way_back), sitter)
        if taken.is_new:
            self._update_seat(taken.seat)
        return taken

    async def rename(self, device: DeviceSession, sitter: messages.Rename) -> None:
        self._update_seat(await self.devices.rename(device, sitter))

    def _update_seat(self, seat: SeatRow) -> None:
        if seat.game in self.sessions:
            self.sessions[seat.game].update_seat(seat)


def _seal(found: StoredGame, history: GameHistory) -> GameSeal | None:
    """Return the seal of a game, if it has one. A proof that does not fit makes the game unplayable."""
    try:
        return restore_seal(found, history.ruleset.sides)
    except Invalid as error:
        _log.error("the proof of the game %s does not fit its record: %s", found.game.id, error)
        if not history.unplayable:
            why = f"This game cannot continue here: its proof does not match its record. {MAY}"
            mark_unplayable(history, [], why, None)
        return None
