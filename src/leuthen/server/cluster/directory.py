"""Which server leads the game of a seat: asked of the database once, and remembered until that server is no more."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection
from typing import Final, Generic, TypeVar

from leuthen.server.session.problems import Fault, fault
from leuthen.server.session.registry import hash_of
from leuthen.storage import leads, seats
from leuthen.storage.leads import KnownServer
from leuthen.storage.store import SqlRows, Store

V = TypeVar("V")
MOST: Final = 20_000
"""Seats, and games, that are remembered."""


class Recent(OrderedDict[str, V], Generic[V]):
    """The newest entries of a dictionary."""

    def __setitem__(self, key: str, value: V) -> None:
        super().__setitem__(key, value)
        while len(self) > MOST:
            self.popitem(last=False)


class Directory:
    """Where the seats of games are to be asked for."""

    def __init__(self, store: Store, own: KnownServer) -> None:
        self.own = own
        self._store = store
        self._games: Recent[str] = Recent()
        """By seat."""
        self._holders: Recent[KnownServer] = Recent()
        """By game."""

    async def game_of(self, seat: str) -> str | None:
        """The game of a seat; None if there is no such seat."""
        if (game := self._games.get(seat)) is None:
            found = await self._store.read(lambda connection: seats.find_seat(SqlRows(connection), seat))
            if found is None:
                return None
            game = self._games[seat] = found.game
        return game

    async def game_of_invitation(self, secret: str) -> str | None:
        """The game to a seat of which a secret invites, or did."""
        lock = hash_of(secret)
        found = await self._store.read(lambda connection: seats.find_invited(SqlRows(connection), lock))
        return found.game if found else None

    async def holder_of(self, game: str) -> KnownServer:
        """Who leads a game; this server from now on if nobody did. Raises StorageError."""
        if (holder := self._holders.get(game)) is None:
            own = self.own
            holder = await self._store.write(lambda connection: leads.claim(connection, game, own.id))
            if own is self.own:
                self._holders[game] = holder
        return holder

    async def expect(self, game: str) -> None:
        """Raises Fault if another server leads a game."""
        if (await self.holder_of(game)).id != self.own.id:
            raise elsewhere()

    async def free_of(self, games: Collection[str]) -> list[str]:
        """Those of some games that nobody leads."""
        return await self._store.read(lambda connection: leads.free_of(connection, games))

    def doubt(self, game: str) -> None:
        """Who leads a game is asked again."""
        self._holders.pop(game, None)

    def forget(self, is_gone: Callable[[KnownServer], bool]) -> None:
        """Some servers lead nothing any more."""
        for game in [game for game, holder in self._holders.items() if is_gone(holder)]:
            del self._holders[game]


def elsewhere() -> Fault:
    """What is answered where another server leads the game."""
    detail = "Another server has just taken this game over. Nothing was changed; send the same once more."
    return fault(503, "The game moves", detail, wait=1)
