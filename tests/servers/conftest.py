"""Two servers on one PostgreSQL, each with the toy rule set and a port of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from leuthen.storage.postgres import Postgres
from tests.server.conftest import Guest, call, hang_up, new_game, take
from tests.server.house import House
from tools.postgres import TempPostgres


def database_of(address: str) -> str:
    """The name of a database at an address."""
    return address.partition("@/")[2].partition("?")[0]


class Pair(NamedTuple):
    """Two servers, and the name of their database."""

    one: House
    other: House
    database: str
    postgres: TempPostgres

    def ask(self, query: str) -> list[str]:
        """Asks the database itself."""
        return self.postgres.ask(self.database, query)

    def id_of(self, house: House) -> str:
        """The id under which a server is known now."""
        return id_of(house)


def id_of(house: House) -> str:
    """The id under which a server is known now."""
    assert house.cluster is not None
    return house.cluster.directory.own.id


@pytest.fixture
def pair(shelf: Path, tmp_path: Path, postgres: TempPostgres, address: str) -> Iterator[Pair]:
    houses = [House(tmp_path / name, shared=Postgres(address)) for name in ("one", "other")]
    for house in houses:
        house.start()
    yield Pair(houses[0], houses[1], database_of(address), postgres)
    hang_up()
    for house in houses:
        house.stop()


class Crossed(NamedTuple):
    """A game that the first server leads, with Prussia sitting there and Austria and the gallery at the other one."""

    game: str
    prussia: Guest
    austria: Guest
    watcher: Guest
    pair: Pair


@pytest.fixture
def crossed(pair: Pair) -> Crossed:
    _, made = new_game(pair.one, ("link", "link"))
    links = [*(seat["link"] for seat in made["seats"]), made["watch"]]
    houses = (pair.one, pair.other, pair.other)
    prussia, austria, watcher = (take(*who, side) for side, who in enumerate(zip(houses, links, strict=True)))
    return Crossed(made["game"], prussia, austria, watcher, pair)


def at(house: House, guest: Guest) -> Guest:
    """The same guest at another server."""
    caller = call(house.port)
    caller.cookies = dict(guest.caller.cookies)
    return Guest(caller, guest.seat, guest.side)
