import asyncio
from itertools import count

import msgspec
import pytest

from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import OTHER, WATCHER
from leuthen.server.bots import workers
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.session import messages, registry
from leuthen.server.session.messages import Fault, StaffCard
from leuthen.server.session.registry import GameRegistry
from leuthen.wargame.missions import VERSION, decode_thought
from tests.server.memory import MemoryStorage, account, run_inline
from tests.server.staffed import KEYS, StaffedPlayer, load_again, start_staffed_game

YEAR = {"last-year": "1756"}
FREDERICK = "frederick", "campaign", YEAR
CAMPAIGNS = "campaigns", "1757", dict[str, str]()


@pytest.fixture(autouse=True)
def constant_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count(1)
    monkeypatch.setattr(registry, "new_id", lambda: f"id-{next(numbers):06}")
    monkeypatch.setattr(registry, "token_bytes", bytes)


async def sign_and_settle(me: StaffedPlayer, times: int) -> None:
    for _ in range(times):
        await me.sign()
        await me.settle()


async def test_signing_once_carries_out_a_turn() -> None:
    me = await start_staffed_game(*FREDERICK)
    await sign_and_settle(me, 1)
    assert not me.card.is_signed, "the turn is over"
    assert me.session.is_asked(me.side)
    lines = [line.text for line in me.session.history.record if line.actor == me.side]
    assert any(line.startswith("march Frederick") for line in lines)


async def test_a_campaign_turn_takes_at_most_five_clicks() -> None:
    me = await start_staffed_game(*CAMPAIGNS)
    while me.session.history.table.state.turn == 1:
        await sign_and_settle(me, 1)
    assert me.clicks.total() <= 5, me.clicks


async def test_a_battle_is_delegated_as_a_whole_after_a_question() -> None:
    me = await start_staffed_game(*CAMPAIGNS)
    while not me.card.asks.startswith("Declaration"):
        await sign_and_settle(me, 1)
    assert me.card == StaffCard(
        is_signed=True, asks="Declaration (R12.2) is not part of the plan", topic="the battle",
        order=me.card.order, text=me.card.text,
    )  # fmt: skip
    rounds = len(me.session.history.record)
    await sign_and_settle(me, 1)
    lines = [line.text for line in me.session.history.record[rounds:] if line.actor == me.side]
    assert sum(line.startswith(("declare", "lose", "hold", "retreat")) for line in lines) > 1


async def test_an_order_is_described_with_or_without_a_form_summary() -> None:
    me = await start_staffed_game("frederick", "bohemia", {})
    found = workers.serve(me.case)
    assert (found.order, found.text) == ("done", "End the Depot Phase")
    await me.give("Frederick besiege Prague")
    found = workers.serve(me.case)
    assert found.order == "build 1623"
    assert found.text.startswith("Begin a depot. Where to build: 1623 Dresden: Frederick, 18 SP. Prussia: depot 1 of 6")


@pytest.mark.parametrize(
    ("game", "words", "goal"),
    [
        (FREDERICK, "Frederick hold Glatz", "Frederick is to hold Glatz"),
        (CAMPAIGNS, "Frederick cover Dresden", "Frederick is to keep the enemy away from Dresden"),
    ],
)
async def test_advice_follows_the_plan_and_gives_two_reasons(
    game: tuple[str, str, dict[str, str]], words: str, goal: str
) -> None:
    me = await start_staffed_game(*game)
    if game == FREDERICK:
        await sign_and_settle(me, 1)  # the deployment
    await me.give(words)
    for _ in range(60):
        explained = msgspec.structs.replace(me.case, explains=True)
        found = await me.drivers.think(me.session.id, workers.serve, explained)
        assert found is not None
        assert found.order == workers.serve(me.case).order, "the order of the staff"
        if "Frederick" in found.order and found.reasons:
            break
        move = messages.Order(me.n, f"advised-{next(KEYS):04}", found.order)
        await me.session.submit(me.device, move)
        await me.settle()
    assert found is not None
    assert found.reasons[0].startswith(goal)
    assert len(found.reasons) == 2
    assert workers.serve(me.case).reasons == (), "reasons are given only on request"


async def test_a_staff_question_survives_errors_and_a_restart() -> None:
    me = await start_staffed_game(*CAMPAIGNS, storage=(storage := MemoryStorage()))
    await me.give("Frederick cover Dresden")
    while not me.card.asks:
        await sign_and_settle(me, 1)
    for signature in (
        messages.SignPlan(me.n - 1, me.card.asks),
        messages.SignPlan(me.n, ""),
        messages.SignPlan(me.n, "?"),
    ):
        with pytest.raises(Fault) as refused:
            await me.sign(signature)
        assert refused.value.problem.status == 409
    other = await load_again(me, storage)
    assert other.session is not me.session
    assert other.card == me.card
    assert other.plan() == me.plan()
    lines = len(me.session.history.record)
    await sign_and_settle(other, 1)
    assert len(other.session.history.record) > lines
    while not other.card.asks:
        await sign_and_settle(other, 1)
    order = messages.Order(other.n, f"by-hand-{next(KEYS):04}", other.card.order)
    await other.session.submit(other.device, order)
    assert other.card == StaffCard(), "an own order stops the staff"
    assert "Frederick" in [one.leader for one in other.plan().missions if one.is_yours]


async def test_a_signed_plan_continues_after_a_restart() -> None:
    me = await start_staffed_game(*FREDERICK, storage=(storage := MemoryStorage()))
    idle = await start_staffed_game(*FREDERICK, storage=storage)
    await me.sign()
    await me.drivers.close()
    registry = GameRegistry(storage, drivers := BotDrivers(run_inline), run_inline)
    await registry.resume([])
    assert list(registry.sessions) == [me.session.id] != [idle.session.id]
    session = registry.sessions[me.session.id]
    while drivers.is_busy(session.id):
        await asyncio.sleep(0)
    assert len(session.history.record) > 10
    assert not session.staffs[me.side].is_at_work


async def test_a_takeback_restores_the_missions() -> None:
    me = await start_staffed_game(*FREDERICK)
    await sign_and_settle(me, 1)
    n = me.n
    await me.give("Frederick hold Glatz")
    await sign_and_settle(me, 1)
    await me.give("Frederick hold Breslau")
    await me.session.submit(me.device, messages.TableMove(me.n, f"back-{next(KEYS):06}", "ask-takeback", n + 1))
    assert not me.card.is_signed
    assert [one.goal.partition(",")[0] for one in me.plan().missions if one.is_yours] == ["hold Glatz"]


async def test_a_plan_of_another_version_is_dropped_with_a_notice() -> None:
    me = await start_staffed_game(*FREDERICK)
    await sign_and_settle(me, 1)
    old = msgspec.structs.replace(decode_thought(me.case.thought), version=VERSION + 1)
    plan = workers.plan(msgspec.structs.replace(me.case, thought=msgspec.json.encode(old)))[1]
    assert f"version {VERSION + 1}" in plan.word
    assert plan.missions


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("Browne hold Prague", "Browne is not yours"),
        ("Zieten hold Glatz", "Zieten is not on the map"),
        ("Frederick besiege Dresden", "is neutral"),
    ],
)
async def test_an_invalid_mission_is_refused(words: str, why: str) -> None:
    me = await start_staffed_game(*FREDERICK)
    await sign_and_settle(me, 1)
    with pytest.raises((Invalid, Illegal), match=why):
        workers.plan(me.case, words)


async def test_a_plan_is_visible_only_to_its_owner() -> None:
    me = await start_staffed_game(*FREDERICK)
    await sign_and_settle(me, 1)
    await me.give("Frederick hold Glatz")
    await sign_and_settle(me, 1)
    assert b"Glatz" in me.case.thought
    texts = me.session.whole_record() + account(me.session, me.side) + account(me.session, OTHER[me.side])
    assert "mission" not in texts
    assert "hold Glatz" not in texts
    assert me.session.staff(OTHER[me.side]) is None
    assert me.session.staff(WATCHER) is None


async def test_a_game_without_help_has_no_staff() -> None:
    me = await start_staffed_game(*FREDERICK, helps=False)
    assert me.session.staff(me.side) is None
    with pytest.raises(Fault) as refused:
        await me.sign(messages.SignPlan(me.n))
    assert refused.value.problem.status == 403
