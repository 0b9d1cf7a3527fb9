"""All games of a server: made, loaded when they are first needed, put away when nobody needs them."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final
from weakref import WeakValueDictionary

from leuthen.load import is_known, load_with
from leuthen.play.dice import Key
from leuthen.server.course import Course
from leuthen.server.drivers import Drivers
from leuthen.server.gate import Gate
from leuthen.server.health import Health
from leuthen.server.problems import GONE, Fault, fault, unknown
from leuthen.server.room import Room
from leuthen.server.session import Visitor
from leuthen.server.sessions import Sessions, Taken
from leuthen.server.slow import Lane, Places, Run, Waiting, address_now, end_processes, in_process
from leuthen.server.stranded import bring_back, why_not
from leuthen.storage import store as kept
from leuthen.storage.rows import GameRow, Kept
from leuthen.storage.store import Store

MEMORY: Final = 192 * 1024**2
"""Bytes for games in memory. Beyond that games go to which nobody listens, the one needed longest ago first."""
WORKERS: Final = 2
"""Processes for one kind of slow work."""
_log = logging.getLogger(__name__)


def now() -> str:
    """The time in ISO 8601, to the second, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def new_secret() -> str:
    """A secret of 144 random bits that may stand in a URL's fragment."""
    return secrets.token_urlsafe(18)


def new_id() -> str:
    """A public id."""
    return secrets.token_urlsafe(9)


def hash_of(secret: str) -> str:
    """What is kept of a secret. Secrets are random and long, so one round is enough."""
    return sha256(secret.encode()).hexdigest()


class Hall:
    """The games of a server."""

    def __init__(
        self,
        store: Store,
        drivers: Drivers,
        clock: Callable[[], str] = now,
        new_key: Callable[[], Key] = Key.fresh,
        run: Run = in_process,
        memory: int = MEMORY,
    ) -> None:
        """`new_key` makes the key of a new game's dice, which is kept with it.

        `run` does slow work elsewhere; `memory` is for games to which nobody listens.
        """
        self.store = store
        self.clock = clock
        self.new_key = new_key
        self.rooms: OrderedDict[str, Room] = OrderedDict()
        self._alive: WeakValueDictionary[str, Room] = WeakValueDictionary()
        """Games that were put away while somebody still had them in hand: there must be no second one of them."""
        self._memory = memory
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self.sessions = Sessions(store, clock)
        self.drivers = drivers
        self.gate = Gate()
        self.health = Health(store)
        self.looking = Lane(WORKERS, 20, Places(), run)
        self.bringing = Lane(1, 30, Places(2, 2, 16), run)
        self.drawing = Lane(1, 120, Places(), run)
        self.replaying = Lane(1, 60, Places(4, 8), run)
        self.advising = Waiting(Places(2, 8))

    async def room(self, game: str) -> Room:
        """The game of that id, loaded if need be. Raises Fault if it cannot be."""
        if room := self.rooms.get(game):
            self.rooms.move_to_end(game)
            return room
        if room := self._alive.get(game):
            return self.add(room)
        loading = self._loading.get(game)
        if loading is None:
            loading = self._loading[game] = asyncio.ensure_future(self._load(game))
            loading.add_done_callback(lambda _: self._loading.pop(game, None))
        return await asyncio.shield(loading)

    async def _load(self, game: str) -> Room:
        found, course = await self._replayed(game)
        room = Room(self.store, course, found.game, found.seats, self.clock, Key(found.key))
        room.glance.offers = {offer.side: offer for offer in found.proposals}
        return self.add(room)

    def stranded(self, game: GameRow) -> str:
        """Why a game cannot go on here, as far as is known without playing it again; "" if it can or has ended."""
        if game.has_ended:
            return ""
        if room := self.rooms.get(game.id):
            return room.course.stranded
        if not is_known(game.ruleset):
            return f"This game cannot go on here: the rule set {game.ruleset} is not here."
        return why_not(load_with(game.ruleset, game.data), game)

    async def _replayed(self, game: str) -> tuple[Kept, Course]:
        """A game as the database has it now. Raises Fault if it cannot be shown in any way, or there is no room."""
        with self.replaying.place(game):
            found = await self.store.read(lambda connection: kept.find_game(connection, game))
            if found is None:
                raise unknown("game")
            try:
                course, steps = bring_back(found)
                await self.replaying.gently(address_now.get(), steps)
            except Fault:
                raise
            except Exception as error:
                _log.exception("the game %s cannot be shown", game)
                detail = "This game cannot be shown by the rules that are here. Its record can still be fetched."
                raise fault(GONE, "This game cannot be shown", detail) from error
        return found, course

    def add(self, room: Room) -> Room:
        """A game that is in memory now; others that nobody needs may be put away for it."""
        self.rooms[room.id] = self._alive[room.id] = room
        room.on_change, room.look_again = self.drivers.wake, self._replayed
        self.drivers.wake(room)
        self._put_away(room)
        return room

    def _put_away(self, needed: Room) -> None:
        """Lets go of idle games, the one first that was needed longest ago, until there is room."""
        held = sum(room.weight for room in self.rooms.values())
        for game, room in list(self.rooms.items()):
            if held <= self._memory:
                return
            if room.is_idle and room is not needed and not self.drivers.is_busy(game):
                held -= room.weight
                del self.rooms[game]

    async def resume(self, bots: list[str]) -> None:
        """Goes on with all games that wait for a machine: one that was thinking thinks again."""
        for game in await self.store.read(lambda connection: kept.unfinished_with(connection, bots)):
            try:
                await self.room(game)
            except Exception:
                _log.exception("the game %s cannot be gone on with", game)

    def end_slow_work(self) -> None:
        """Who waits for what takes long is told so: the server is about to end."""
        for lane in (self.looking, self.bringing, self.drawing, self.replaying):
            lane.end()

    async def close(self) -> None:
        """Ends what is going on in the background."""
        await self.drivers.close()
        await end_processes()

    async def take(self, visitor: Visitor, secret: str, way_back: str) -> Taken:
        """A visitor takes the seat of a secret; `way_back` is the secret of a link that lets him in again."""
        taken = await self.sessions.take(visitor, hash_of(secret), hash_of(way_back))
        if taken.seat.game in self.rooms and not taken.seat.is_taken:
            self.rooms[taken.seat.game].take_seat(taken.seat.id)
        return taken
