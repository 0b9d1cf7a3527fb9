import asyncio

import pytest

from leuthen.server.session.limits import FairScheduler


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def think(fair: FairScheduler, clock: Clock, game: str, seconds: float) -> None:
    async with fair.turn(game):
        clock.now += seconds


class Thought:
    def __init__(self, fair: FairScheduler, game: str) -> None:
        self.has_begun = False
        self._end = asyncio.Event()
        self.task = asyncio.ensure_future(self._think(fair, game))

    async def _think(self, fair: FairScheduler, game: str) -> None:
        async with fair.turn(game):
            self.has_begun = True
            await self._end.wait()

    async def end(self) -> None:
        self._end.set()
        await self.task


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_slow_games_leave_a_place_for_the_others() -> None:
    async def play() -> None:
        clock = Clock()
        fair = FairScheduler(2, clock)
        for game in ("slow 1", "slow 2"):
            await think(fair, clock, game, 60)
        slow = [Thought(fair, "slow 1"), Thought(fair, "slow 2")]
        await settle()
        assert [one.has_begun for one in slow] == [True, False]
        quick = Thought(fair, "quick")
        await settle()
        assert quick.has_begun
        await quick.end()
        await slow[0].end()
        await settle()
        assert slow[1].has_begun
        await slow[1].end()

    asyncio.run(play())


def test_who_thought_least_goes_first() -> None:
    async def play() -> None:
        clock = Clock()
        fair = FairScheduler(1, clock)
        await think(fair, clock, "long", 0.9)
        await think(fair, clock, "short", 0.2)
        first = Thought(fair, "any")
        await settle()
        waiting = {game: Thought(fair, game) for game in ("long", "short", "new")}
        order = []
        current = first
        for _ in range(3):
            await current.end()
            await settle()
            game, current = next((game, one) for game, one in waiting.items() if one.has_begun and game not in order)
            order.append(game)
        await current.end()
        assert order == ["new", "short", "long"]

    asyncio.run(play())


def test_a_game_that_is_quick_again_is_not_slow_any_more() -> None:
    async def play() -> None:
        clock = Clock()
        fair = FairScheduler(2, clock)
        await think(fair, clock, "game", 60)
        for _ in range(20):
            await think(fair, clock, "game", 0)
        assert fair._spent == {}

    asyncio.run(play())


@pytest.mark.parametrize("is_waiting", [True, False])
def test_who_has_gone_leaves_his_place(is_waiting: bool) -> None:
    async def play() -> None:
        fair = FairScheduler(1)
        first = Thought(fair, "first")
        await settle()
        second = Thought(fair, "second")
        await settle()
        gone, stays = (second, first) if is_waiting else (first, second)
        gone.task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone.task
        if is_waiting:
            await stays.end()
        else:
            await settle()
            assert stays.has_begun
            await stays.end()
        last = Thought(fair, "last")
        await settle()
        assert last.has_begun
        await last.end()

    asyncio.run(play())


def test_all_may_be_ended_at_once() -> None:

    async def play() -> None:
        fair = FairScheduler(2, Clock())
        thoughts = [Thought(fair, f"game {number}") for number in range(5)]
        await settle()
        for thought in thoughts:
            thought.task.cancel()
        ended = await asyncio.gather(*(thought.task for thought in thoughts), return_exceptions=True)
        assert [type(end) for end in ended] == [asyncio.CancelledError] * 5
        later = [Thought(fair, "later"), Thought(fair, "later still")]
        await settle()
        assert [one.has_begun for one in later] == [True, True]
        for one in later:
            await one.end()

    asyncio.run(play())
