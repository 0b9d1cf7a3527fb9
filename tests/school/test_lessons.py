import asyncio
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from leuthen.engine.refusal import Invalid
from leuthen.load import load
from leuthen.school.lessons import LESSON, SCRIPT, begin, lesson, lessons
from leuthen.server.session import messages
from leuthen.server.session.create import begin_lesson, make_game, make_rematch
from leuthen.server.session.history import RecordLine
from leuthen.server.session.schooling import school, see_lesson
from leuthen.storage.games import find_game
from leuthen.storage.rows import GameRow
from tests.school.pupil import VISITOR, AtSchool
from tests.server.memory import MemoryStorage, registry_with

MOST = 400
GENERAL = ("done", "halt", "hold")
NAMES = tuple(lessons())


@pytest.mark.parametrize("name", NAMES)
def test_a_model_pupil_goes_from_step_to_step_to_the_end(name: str) -> None:
    async def go_through() -> None:
        pupil = await AtSchool.begin(name)
        at = await pupil.at()
        assert at.done == 0
        shown: set[int] = set()
        for _ in range(MOST):
            shown.add(at.done)
            await pupil.order(at.order or await pupil.least())
            before, at = at, await pupil.at()
            assert at.done >= before.done
            assert not at.stray, "nobody is told that he strayed who did what was shown"
            if at.done == at.steps:
                break
        assert at.done == at.steps
        assert at.say == lessons()[name].ending
        assert shown == set(range(at.steps)), "each step is seen"

    asyncio.run(go_through())


@pytest.mark.parametrize("name", NAMES)
def test_who_does_the_same_meets_the_same(name: str) -> None:

    async def course() -> list[RecordLine]:
        pupil = await AtSchool.begin(name)
        while (at := await pupil.at()).done < at.steps:
            await pupil.order(at.order or await pupil.least())
        return list((await pupil.session()).history.record)

    assert asyncio.run(course()) == asyncio.run(course())


@pytest.mark.parametrize("name", NAMES)
def test_what_is_to_be_pressed_is_called_as_the_page_calls_it(name: str) -> None:
    async def look() -> None:
        pupil = await AtSchool.begin(name)
        missing, shown = set[str](), 0
        while (at := await pupil.at()).order:
            session = await pupil.session()
            form = session.ruleset.presenter.form(
                session.history.position(lessons()[name].side), lessons()[name].side, {}
            )
            labels = {choice.token: choice.label for choice in form.fields[0].choices}
            if at.press in labels and at.press not in GENERAL and at.order.startswith(at.press):
                shown += 1
                missing |= {labels[at.press].partition(":")[0]} - {
                    label for label in (one.partition(":")[0] for one in labels.values()) if label in at.say
                }
            await pupil.order(at.order)
        assert not missing
        assert shown or name == "march-on-saxony"

    asyncio.run(look())


@pytest.mark.parametrize("name", NAMES)
def test_whoever_goes_his_own_way_is_never_left_alone_and_can_go_back(name: str) -> None:
    async def wander() -> None:
        rng = Random(name)
        pupil = await AtSchool.begin(name)
        for _ in range(12):
            session = await pupil.session()
            side = (await pupil.device()).player("orders to give")
            if not session.seat_view.is_asked(side):
                break
            position = session.history.position(side)
            action = session.ruleset.legal_actions(position, side).sample(rng)
            before = session.ruleset.dump(session.history.table.state)
            await pupil.order(session.ruleset.format_action(position, side, action))
            assert (await pupil.at()).say
            if session.history.outcome is None and rng.random() < 0.5:
                await pupil.take_back()
                assert session.ruleset.dump(session.history.table.state) == before

    asyncio.run(wander())


def test_a_lesson_is_gone_on_with_where_it_was_left() -> None:
    async def come_back() -> None:
        storage = MemoryStorage()
        pupil = await AtSchool.begin("three-minutes", storage)
        await pupil.order((await pupil.at()).order)
        again = AtSchool(registry_with(storage), pupil.seat)
        assert await again.at() == await pupil.at()

    asyncio.run(come_back())


def test_a_finished_lesson_waits_until_an_order_is_taken_back() -> None:
    async def go_through() -> None:
        pupil = await AtSchool.begin("three-minutes")
        while (at := await pupil.at()).done < at.steps:
            assert not await standing(pupil)
            await pupil.order(at.order or await pupil.least())
        assert await standing(pupil) == (await line_of(pupil)).result == "lesson finished"
        await pupil.take_back()
        assert not await standing(pupil)
        assert not (await line_of(pupil)).result

    asyncio.run(go_through())


async def standing(pupil: AtSchool) -> str:
    device, session = await pupil.device(), await pupil.session()
    await see_lesson(session, device.seat.side)
    return session.row.result


async def line_of(pupil: AtSchool) -> GameRow:
    game = (await pupil.session()).id
    return (await pupil.registry.storage.read(lambda rows: rows.find(GameRow, id=game)))[0]


def test_the_list_has_the_lesson_that_was_begun_last_and_goes_on() -> None:
    async def begin_twice_and_end() -> None:
        first = await AtSchool.begin("the-siege")
        made = await begin_lesson(first.registry, VISITOR, "the-siege")
        second = AtSchool(first.registry, made.seats[0].seat)
        assert await begun(second) == {"the-siege": second.seat}
        await end(second)
        assert await begun(second) == {"the-siege": first.seat}, "what has ended is not gone on with"
        assert not any(card.begun for card in (await school(second.registry, "another browser")).lessons)
        assert not any(card.begun for card in (await school(second.registry, "")).lessons)

    asyncio.run(begin_twice_and_end())


async def begun(pupil: AtSchool) -> dict[str, str]:
    cards = (await school(pupil.registry, VISITOR.lock)).lessons
    return {card.name: card.begun for card in cards if card.begun}


async def end(pupil: AtSchool) -> None:
    device, session = await pupil.device(), await pupil.session()
    n = session.history.logs[device.seat.side].n
    await session.submit(device, messages.TableMove(n, "move-resign", "resign"))


@pytest.mark.parametrize("name", NAMES)
def test_a_rematch_begins_the_lesson_anew(name: str) -> None:
    async def play_again() -> None:
        first = await AtSchool.begin(name)
        at_first, dice = await first.at(), (await dice_of(first))
        await first.order(at_first.order or await first.least())
        await end(first)
        made = await make_rematch(first.registry, await first.device(), await first.session())
        again = AtSchool(first.registry, made.seats[lessons()[name].side].seat)
        await again.wait()
        assert await again.at() == at_first
        assert await dice_of(again) == dice
        assert [seat.who for seat in made.seats] == [seat.who for seat in (await first.session()).seats[:2]]
        second = await make_rematch(first.registry, await first.device(), await first.session())
        assert second.game == made.game, "there is one rematch"

    asyncio.run(play_again())


async def dice_of(pupil: AtSchool) -> bytes:
    game = (await pupil.session()).id
    kept = await pupil.registry.storage.read(lambda rows: find_game(rows, game))
    assert kept is not None
    return kept.key


def test_the_script_leads_nobody_but_the_enemy_of_a_lesson() -> None:
    async def ask() -> None:
        with pytest.raises(Invalid, match="script"):
            await make_game(registry_with(MemoryStorage()), VISITOR, messages.NewGame(("me", SCRIPT)))

    asyncio.run(ask())


def test_an_unknown_lesson_is_refused_with_a_list() -> None:
    async def ask() -> None:
        with pytest.raises(Invalid, match="three-minutes"):
            await AtSchool.begin("five-minutes")

    asyncio.run(ask())


def test_a_remark_is_made_when_a_rule_first_bites() -> None:
    async def march() -> None:
        pupil = await AtSchool.begin("march-on-saxony")
        for order in ("done", "march Frederick Keith Maurice +16 2422-2121", "halt", "done"):
            assert "Rutowski" not in (await pupil.at()).remark
            await pupil.order(order)
        assert "Rutowski" in (await pupil.at()).remark
        await pupil.order("done")
        assert "Rutowski" not in (await pupil.at()).remark

    asyncio.run(march())


FIRST = lesson("three-minutes")
WORDS_A_MINUTE = 200
SECONDS_A_CLICK = 4
CLICKS = 2 + 3 + 1 + 2


@pytest.mark.parametrize("die", range(1, 7))
def test_whatever_the_die_the_battle_is_won(die: int) -> None:
    ruleset: Any = load("frederick")
    state = begin(ruleset, LESSON + FIRST.name, {name: values[0] for name, values in ruleset.options.items()})

    def act(actor: int, text: str) -> Any:
        return ruleset.apply(state, actor, ruleset.parse_action(state, actor, text))

    for step in FIRST.steps:
        while ruleset.pending(state)[0].actor == 1:
            state = act(1, "done").state
        transition = act(0, step.orders[0])
        state = transition.state
    told = [ruleset.presenter.present_event(event) for event in act(2, f"roll {die}").events(0)]
    (battle,) = [line.battle for line in told if line.battle]
    assert battle.winner == FIRST.side


def test_the_first_battle_is_fought_within_three_minutes() -> None:
    said = " ".join([FIRST.about, FIRST.goal, *(step.say for step in FIRST.steps)])
    seconds = len(said.split()) * 60 / WORDS_A_MINUTE + CLICKS * SECONDS_A_CLICK
    assert seconds <= 180


def test_the_first_lesson_names_no_rule_and_shows_none() -> None:
    assert FIRST.plain
    said = " ".join([FIRST.ending, *(step.say for step in FIRST.steps)])
    assert not re.search(r"\b[A-Z]\d+\.\d+", said)


PAGE = Path(__file__).parents[2] / "docs" / "usability.md"
CLICKS_AN_ORDER = 3
TWELVE_MINUTES = 12 * 60


async def length(name: str) -> tuple[int, int]:
    pupil = await AtSchool.begin(name)
    at = await pupil.at()
    said = {lessons()[name].about, at.goal}
    while at.done < at.steps:
        said |= {at.say, at.remark}
        await pupil.order(at.order or await pupil.least())
        at = await pupil.at()
    return sum(len(text.split()) for text in said | {at.say}), len(pupil.given)


@pytest.mark.parametrize("name", lessons())
def test_a_lesson_is_as_short_as_it_says(name: str) -> None:
    words, orders = asyncio.run(length(name))
    seconds = words * 60 / WORDS_A_MINUTE + orders * CLICKS_AN_ORDER * SECONDS_A_CLICK
    assert seconds <= min(lessons()[name].minutes * 60, TWELVE_MINUTES)
    row = re.search(rf"^\| {re.escape(lessons()[name].title)} \| (\d+) \| (\d+) \|", PAGE.read_text("utf-8"), re.M)
    assert row is not None
    assert (int(row[1]), int(row[2])) == (words, orders)
