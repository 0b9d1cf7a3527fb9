from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from itertools import count
from typing import Any, TypeVar

import msgspec

from leuthen.engine.ruleset import SeatSide
from leuthen.play.dice import Key
from leuthen.server.session import lookback
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.registry import GameRegistry
from leuthen.storage.rows import SCHEMA, AlreadyThere, Work

T = TypeVar("T")


class Nobody:
    def wake(self, session: GameSession, /) -> None:
        pass

    def is_busy(self, game: str, /) -> bool:
        return False

    async def close(self) -> None:
        pass


async def run_inline(work: Callable[..., T], /, *args: Any) -> T:
    return work(*args)


def registry_with(storage: MemoryStorage) -> GameRegistry:
    times = count(1)
    return GameRegistry(
        storage, Nobody(), run_inline, lambda: f"2026-01-01T00:{next(times):06}", lambda: Key.from_seed("toy")
    )


R = TypeVar("R", bound=msgspec.Struct)
Row = dict[str, Any]


class MemoryRows:
    def __init__(self) -> None:
        self.kept: defaultdict[type[msgspec.Struct], dict[tuple[Any, ...], Row]] = defaultdict(dict)

    def find(self, kind: type[R], /, **where: Any) -> list[R]:
        return [kind(**{name: row[name] for name in kind.__struct_fields__}) for row in self._rows(kind, where)]

    def last(self, kind: type[R], by: str, /, **where: Any) -> R | None:
        return max(self.find(kind, **where), key=lambda row: getattr(row, by), default=None)

    def add(self, *rows: msgspec.Struct, **beside: Any) -> None:
        for row in rows:
            kind, plain = type(row), msgspec.structs.asdict(row) | beside
            key = tuple(plain[name] for name in SCHEMA[kind][1:])
            if key in self.kept[kind]:
                raise AlreadyThere("there is such a row already")
            self.kept[kind][key] = plain

    def change(self, kind: type[msgspec.Struct], values: Mapping[str, Any], /, **where: Any) -> None:
        for row in self._rows(kind, where):
            row.update(values)

    def remove(self, kind: type[msgspec.Struct], /, **where: Any) -> None:
        for row in list(self._rows(kind, where)):
            del self.kept[kind][tuple(row[name] for name in SCHEMA[kind][1:])]

    def _rows(self, kind: type[msgspec.Struct], where: Mapping[str, Any]) -> Iterator[Row]:
        kept = self.kept[kind]
        return (kept[key] for key in sorted(kept) if all(_is(kept[key][name], value) for name, value in where.items()))


def _is(found: Any, wanted: Any) -> bool:
    return bool(found == wanted if isinstance(wanted, str | int) else found in wanted)


class MemoryStorage:
    def __init__(self) -> None:
        self._rows = MemoryRows()

    async def read(self, work: Work[T]) -> T:
        return work(self._rows)

    async def write(self, work: Work[T]) -> T:
        tried = deepcopy(self._rows)
        done = work(tried)
        self._rows = tried
        return done


def account(session: GameSession, side: SeatSide) -> str:
    lines = list[tuple[int, str]]()
    for _ in lookback.add_account_lines(session, side, lines):
        pass
    return lookback.account(session, lines)
