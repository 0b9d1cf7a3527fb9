"""A player who acts only through the staff, with the requests that the page sends for each click."""

import asyncio
from collections import Counter
from itertools import count

from leuthen.play.dice import Key
from leuthen.server.bots import workers
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.session import messages
from leuthen.server.session.device_sessions import DeviceCaller, DeviceSession
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.messages import StaffCard, StaffPlan
from leuthen.server.session.registry import GameRegistry, make_game
from tests.server.memory import MemoryStorage, run_inline

ME = DeviceCaller("the player's key", "a browser")
KEYS = count(1)


class StaffedPlayer:
    def __init__(self, session: GameSession, device: DeviceSession, drivers: BotDrivers) -> None:
        self.session, self.device, self.drivers = session, device, drivers
        self.side = device.player("staff")
        self.clicks: Counter[str] = Counter()

    @property
    def card(self) -> StaffCard:
        return self.session.staff_of(self.device).card

    @property
    def n(self) -> int:
        return self.session.history.logs[self.side].n

    @property
    def case(self) -> workers.Brief:
        ruleset, view = self.session.ruleset, self.session.view(self.side)
        thought = self.session.staff_of(self.device).thought
        return workers.Brief(ruleset.name, ruleset.digest, ruleset.encode_view(view), self.side, thought)

    def plan(self) -> StaffPlan:
        return workers.plan(self.case)[1]

    async def give(self, words: str) -> StaffPlan:
        before, (thought, plan) = self.session.staff_of(self.device), workers.plan(self.case, words)
        await self.session.change_staff(self.device, before, before.stopped(thought))
        return plan

    async def sign(self, signature: messages.SignPlan | None = None) -> None:
        signature = signature or messages.SignPlan(self.n, self.card.asks)
        await self.session.sign_plan(self.device, signature)
        self.clicks[signature.asks] += 1

    async def settle(self) -> None:
        while self.drivers.is_busy(self.session.id):
            await asyncio.sleep(0)


async def start_staffed_game(
    ruleset: str, scenario: str, options: dict[str, str], *, storage: MemoryStorage | None = None, helps: bool = True
) -> StaffedPlayer:
    drivers = BotDrivers(run_inline)
    registry = GameRegistry(storage or MemoryStorage(), drivers, run_inline, new_key=lambda: Key.from_seed("staff"))
    new = messages.NewGame(("me", "captain"), ruleset, scenario, options, helps=helps, takebacks="free")
    made = await make_game(registry, ME, new)
    session = await registry.session(made.game)
    me = StaffedPlayer(session, await registry.devices.find(made.seats[0].seat, ME.lock), drivers)
    await me.settle()
    return me


async def load_again(me: StaffedPlayer, storage: MemoryStorage) -> StaffedPlayer:
    drivers = BotDrivers(run_inline)
    registry = GameRegistry(storage, drivers, run_inline)
    session = await registry.session(me.session.id)
    return StaffedPlayer(session, await registry.devices.find(me.device.seat.id, ME.lock), drivers)
