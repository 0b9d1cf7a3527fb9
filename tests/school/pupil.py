"""A pupil at a lesson's table, in the session layer with a dict as database; the enemy answers at once."""

from __future__ import annotations

from itertools import count
from typing import Final

from leuthen.school.lessons import SCRIPT
from leuthen.server.bots.drivers import make_brief
from leuthen.server.bots.workers import answer
from leuthen.server.session import messages
from leuthen.server.session.device_sessions import DeviceCaller, DeviceSession
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.lookback import schooling, script_order
from leuthen.server.session.messages import LessonState
from leuthen.server.session.registry import GameRegistry, begin_lesson
from tests.server.memory import MemoryStorage, registry_with

PUPIL: Final = DeviceCaller("the pupil's key", "a browser")
_keys = count(1)


class Pupil:
    def __init__(self, registry: GameRegistry, seat: str) -> None:
        self.registry, self.seat = registry, seat
        self.given: list[str] = []

    @classmethod
    async def begin(cls, name: str, storage: MemoryStorage | None = None) -> Pupil:
        registry = registry_with(storage or MemoryStorage())
        made = await begin_lesson(registry, PUPIL, name)
        pupil = cls(registry, next(seat.seat for seat in made.seats if seat.seat))
        await pupil.wait()
        return pupil

    async def device(self) -> DeviceSession:
        return await self.registry.devices.find(self.seat, PUPIL.lock)

    async def session(self) -> GameSession:
        return await self.registry.session((await self.device()).seat.game)

    async def at(self) -> LessonState:
        return schooling(await self.session(), (await self.device()).player("orders to give"))

    async def order(self, text: str) -> None:
        device, session = await self.device(), await self.session()
        n = session.history.logs[device.seat.side].n
        await session.submit(device, messages.Order(n, f"order-{next(_keys):08}", text))
        self.given.append(text)
        await self.wait()

    async def take_back(self) -> None:
        device, session, at = await self.device(), await self.session(), await self.at()
        n = session.history.logs[device.seat.side].n
        await session.submit(device, messages.TableMove(n, f"move-{next(_keys):08}", "ask-takeback", at.back))

    async def wait(self) -> None:
        session = await self.session()
        while (asked := session.next_bot) is not None:
            side, bot = asked
            line = len(session.history.record)
            is_scripted = bot == SCRIPT
            order = script_order(session, side) if is_scripted else answer(await make_brief(session, side, bot)).order
            await session.play(side, order, line)

    async def least(self) -> str:
        return (await self.session()).least((await self.device()).player("orders to give"))
