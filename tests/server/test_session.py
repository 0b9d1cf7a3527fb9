import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from leuthen.engine.ruleset import WATCHER
from leuthen.server.session import messages
from leuthen.server.session.device_sessions import DeviceCaller
from leuthen.server.session.messages import Fault
from leuthen.server.session.registry import GameRegistry, hash_of, make_game
from tests.server.memory import MemoryStorage, registry_with

KEYS = count(1)
PRUSSIA: Final = DeviceCaller("prussia's key", "a browser")
AUSTRIA: Final = DeviceCaller("austria's key", "a browser")
FOREIGN: Final = (
    "litestar", "uvicorn", "starlette", "anyio", "sqlalchemy", "alembic", "sqlite3", "_sqlite3", "multiprocessing",
    "leuthen.storage.store", "leuthen.storage.sqlite", "leuthen.server.http", "leuthen.server.security",
    "leuthen.server.bots",
)  # fmt: skip


class Player:
    def __init__(self, registry: GameRegistry, visitor: DeviceCaller, seat: str) -> None:
        self.registry, self.visitor, self.seat = registry, visitor, seat

    async def order(self, text: str) -> messages.OrderResult:
        device = await self.registry.devices.find(self.seat, self.visitor.lock)
        session = await self.registry.session(device.seat.game)
        n = session.history.logs[device.seat.side].n
        return await session.submit(device, messages.Order(n, f"order-{next(KEYS):08}", text))

    async def entries(self) -> list[str]:
        device = await self.registry.devices.find(self.seat, self.visitor.lock)
        session = await self.registry.session(device.seat.game)
        return [session.seat_view.entry_of(line.what).text for line in session.history.logs[device.seat.side].lines]


async def sit_down(registry: GameRegistry) -> tuple[Player, Player, str]:
    new = messages.NewGame(("me", "link"), "toy", "parley", {"rounds": "1"})
    made = await make_game(registry, PRUSSIA, new)
    lock = hash_of(made.seats[1].link.partition("#")[2])
    seat, _ = await registry.devices.take(AUSTRIA, lock, "way back", messages.DisplayName())
    registry.update_seat(seat)
    return Player(registry, PRUSSIA, made.seats[0].seat), Player(registry, AUSTRIA, seat.id), made.game


@pytest.mark.usefixtures("toy_data")
async def test_a_whole_game_runs_on_memory_storage() -> None:
    storage = MemoryStorage()
    registry = registry_with(storage)
    prussia, austria, game = await sit_down(registry)
    await prussia.order("bid 1")
    with pytest.raises(Fault, match="No such seat"):
        await Player(registry, AUSTRIA, prussia.seat).order("bid 3")
    assert not any("bids 1" in line for line in await austria.entries()), "it is sealed"
    await austria.order("bid 2")
    again = registry_with(storage)
    players = Player(again, PRUSSIA, prussia.seat), Player(again, AUSTRIA, austria.seat)
    assert [await player.entries() for player in players] == [await prussia.entries(), await austria.entries()]
    for player in players:
        await player.order("done")
    session = await again.session(game)
    assert session.history.outcome is not None
    assert session.row.has_ended
    assert session.seat_view.fresh(WATCHER, ()).scene.result


def test_the_session_layer_imports_no_server_code(tmp_path: Path) -> None:
    modules = [path.stem for path in Path(messages.__file__).parent.glob("*.py")]
    code = "\n".join(
        [
            "import sys, importlib",
            "before = set(sys.modules)",  # coverage tools load modules of their own
            *(f"importlib.import_module('leuthen.server.session.{name}')" for name in modules if name != "__init__"),
            "print(*(set(sys.modules) - before))",
        ]
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "leuthen.server.session.game_session" in loaded
    assert [name for name in FOREIGN if name in loaded] == []
