"""A registry of games in a dict, at which no machine plays and slow work is done at once."""

from collections.abc import Callable
from itertools import count
from typing import Any, TypeVar

from leuthen.play.dice import Key
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.registry import GameRegistry
from tests.server.memory import MemoryStorage

T = TypeVar("T")


class Nobody:
    def wake(self, session: GameSession, /) -> None:
        pass

    def is_busy(self, game: str, /) -> bool:
        return False

    async def close(self) -> None:
        pass


async def here(work: Callable[..., T], /, *args: Any) -> T:
    return work(*args)


def registry_with(storage: MemoryStorage) -> GameRegistry:
    times = count(1)
    return GameRegistry(
        storage, Nobody(), here, lambda: f"2026-01-01T00:{next(times):06}", lambda: Key.from_seed("toy")
    )
