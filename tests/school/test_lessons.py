import asyncio
import re
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from leuthen.cases.run import open_cases
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.load import RULESETS, load
from leuthen.school.lessons import (
    LESSON,
    SCRIPT,
    begin,
    case_folder,
    chapters,
    drills,
    is_allowed,
    lesson,
    lessons,
    question,
)
from leuthen.server.http import home
from leuthen.server.session import messages
from leuthen.server.session.history import RecordLine
from leuthen.server.session.lookback import NONE, drill_progress, see_lesson
from leuthen.server.session.messages import LessonState
from leuthen.server.session.registry import begin_drill, begin_lesson, make_game, make_rematch, school
from leuthen.storage.rows import GameRow, find_game
from tests.school.pupil import PUPIL, Pupil
from tests.server.memory import MemoryStorage, registry_with

MAX_ORDERS = 400
GENERAL = ("done", "halt", "hold")
NAMES = tuple(lessons())


class ModelCourse(NamedTuple):
    steps: list[int]
    last: LessonState
    texts: set[str]
    orders: int
    unnamed_buttons: set[str]
    strayed: bool
    record: list[RecordLine]


@cache
def model_course(name: str) -> ModelCourse:
    return asyncio.run(_take_model_course(name))


async def _take_model_course(name: str) -> ModelCourse:
    pupil = await Pupil.begin(name)
    at, side, steps, unnamed, strayed = await pupil.at(), lessons()[name].side, list[int](), set[str](), False
    texts = {lessons()[name].about, at.goal}
    while at.done < at.steps and len(pupil.given) < MAX_ORDERS:
        steps.append(at.done)
        texts |= {at.say, at.remark}
        session = await pupil.session()
        form = session.ruleset.presenter.form(session.history.position(side), side, {})
        labels = {choice.token: choice.label.partition(":")[0] for choice in form.fields[0].choices}
        if at.press in labels and at.press not in GENERAL and at.order.startswith(at.press):
            unnamed |= {labels[at.press]} - {label for label in labels.values() if label in at.say}
        await pupil.order(at.order or await pupil.least())
        at = await pupil.at()
        strayed |= bool(at.stray)
    record = list((await pupil.session()).history.record)
    return ModelCourse(steps, at, texts | {at.say}, len(pupil.given), unnamed, strayed, record)


@pytest.mark.parametrize("name", NAMES)
def test_the_suggested_orders_complete_a_lesson(name: str) -> None:
    course = model_course(name)
    assert not course.strayed
    assert course.last.done == course.last.steps
    assert course.last.say == lessons()[name].ending
    assert course.steps == sorted(course.steps)
    assert {*course.steps} == {*range(course.last.steps)}


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_calls_a_button_as_the_page_does(name: str) -> None:
    assert model_course(name).unnamed_buttons == set()


@pytest.mark.parametrize("name", NAMES)
async def test_a_pupil_who_strays_gets_advice_and_can_go_back(name: str) -> None:
    rng = Random(name)
    pupil = await Pupil.begin(name)
    for _ in range(12):
        session = await pupil.session()
        side = (await pupil.device()).player("orders to give")
        if not session.is_asked(side):
            break
        position = session.history.position(side)
        action = session.ruleset.legal_actions(position, side).sample(rng)
        before = session.ruleset.dump(session.history.table.state)
        await pupil.order(session.ruleset.format_action(position, side, action))
        assert (await pupil.at()).say
        if session.history.outcome is None and rng.random() < 0.5:
            await pupil.take_back()
            assert session.ruleset.dump(session.history.table.state) == before


async def test_a_takeback_reopens_a_finished_lesson() -> None:
    pupil = await Pupil.begin("three-minutes")
    while (at := await pupil.at()).done < at.steps:
        assert not await result_of(pupil)
        await pupil.order(at.order or await pupil.least())
    assert await result_of(pupil) == (await game_row_of(pupil)).result == "lesson finished"
    await pupil.take_back()
    assert not await result_of(pupil)
    assert not (await game_row_of(pupil)).result


async def result_of(pupil: Pupil) -> str:
    device, session = await pupil.device(), await pupil.session()
    await see_lesson(session, device.seat.side)
    return session.row.result


async def game_row_of(pupil: Pupil) -> GameRow:
    game = (await pupil.session()).id
    return (await pupil.registry.storage.read(lambda rows: rows.find(GameRow, id=game)))[0]


async def test_the_list_links_the_newest_open_lesson() -> None:
    first = await Pupil.begin("the-siege")
    made = await begin_lesson(first.registry, PUPIL, "the-siege")
    second = Pupil(first.registry, made.seats[0].seat)
    assert await started_lessons(second) == {"the-siege": second.seat}
    await resign(second)
    assert await started_lessons(second) == {"the-siege": first.seat}, "what has ended is not gone on with"
    assert not any(card.begun for card in (await school(second.registry, "another browser")).lessons)
    assert not any(card.begun for card in (await school(second.registry, "")).lessons)


async def started_lessons(pupil: Pupil) -> dict[str, str]:
    cards = (await school(pupil.registry, PUPIL.lock)).lessons
    return {card.name: card.begun for card in cards if card.begun}


async def resign(pupil: Pupil) -> None:
    device, session = await pupil.device(), await pupil.session()
    n = session.history.logs[device.seat.side].n
    await session.submit(device, messages.TableMove(n, "move-resign", "resign"))


@pytest.mark.parametrize("name", NAMES)
async def test_a_rematch_restarts_the_lesson(name: str) -> None:
    first = await Pupil.begin(name)
    at_first, dice = await first.at(), (await dice_key_of(first))
    await first.order(at_first.order or await first.least())
    await resign(first)
    made = await make_rematch(first.registry, await first.device(), await first.session())
    again = Pupil(first.registry, made.seats[lessons()[name].side].seat)
    await again.wait()
    assert await again.at() == at_first
    assert await dice_key_of(again) == dice
    assert [seat.who for seat in made.seats] == [seat.who for seat in (await first.session()).seats[:2]]
    second = await make_rematch(first.registry, await first.device(), await first.session())
    assert second.game == made.game, "there is one rematch"


async def dice_key_of(pupil: Pupil) -> bytes:
    game = (await pupil.session()).id
    kept = await pupil.registry.storage.read(lambda rows: find_game(rows, game))
    assert kept is not None
    return kept.key


async def test_the_script_cannot_play_an_ordinary_game() -> None:
    with pytest.raises(Invalid, match="script"):
        await make_game(registry_with(MemoryStorage()), PUPIL, messages.NewGame(("me", SCRIPT)))


async def test_an_unknown_lesson_is_refused_with_a_list() -> None:
    with pytest.raises(Invalid, match="three-minutes"):
        await Pupil.begin("five-minutes")


async def test_a_remark_appears_when_a_rule_first_applies() -> None:
    pupil = await Pupil.begin("march-on-saxony")
    for order in ("done", "march Frederick Keith Maurice +16 2422-2121", "halt", "done"):
        assert "Rutowski" not in (await pupil.at()).remark
        await pupil.order(order)
    assert "Rutowski" in (await pupil.at()).remark
    await pupil.order("done")
    assert "Rutowski" not in (await pupil.at()).remark


FIRST = lesson("three-minutes")
WORDS_A_MINUTE = 200
SECONDS_A_CLICK = 4


@pytest.mark.parametrize("die", range(1, 7))
def test_the_first_battle_is_won_with_every_roll(die: int) -> None:
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


PAGE = Path(__file__).parents[2] / "docs" / "usability.md"
CLICKS_AN_ORDER = 3
TWELVE_MINUTES = 12 * 60


@pytest.mark.parametrize("name", lessons())
def test_a_lesson_takes_at_most_its_stated_time(name: str) -> None:
    course = model_course(name)
    words, orders = sum(len(text.split()) for text in course.texts), course.orders
    seconds = words * 60 / WORDS_A_MINUTE + orders * CLICKS_AN_ORDER * SECONDS_A_CLICK
    assert seconds <= min(lessons()[name].minutes * 60, TWELVE_MINUTES)
    row = re.search(rf"^\| {re.escape(lessons()[name].title)} \| (\d+) \| (\d+) \|", PAGE.read_text("utf-8"), re.M)
    assert row is not None
    assert (int(row[1]), int(row[2])) == (words, orders)


MAX_DRILLS = 120
MAX_LENGTH = 130


def test_each_drill_has_a_title_and_consequence_of_its_own() -> None:
    assert len(drills()) == sum(len(chapter.drills) for chapter in chapters()) <= MAX_DRILLS
    for words in ([drill.title for drill in drills().values()], [drill.consequence for drill in drills().values()]):
        assert not [said for said, times in Counter(words).items() if times > 1]
    assert all(0 < len(drill.title) < 40 and drill.title[-1] != "." for drill in drills().values())
    assert all(drill.consequence[-1] == "." and len(drill.consequence) <= MAX_LENGTH for drill in drills().values())
    assert {chapter.game for chapter in chapters()} == set(RULESETS)


@pytest.mark.parametrize("name", drills())
def test_a_drill_is_a_decision_of_its_case(name: str) -> None:
    drill, asked = drills()[name], question(name)
    wanted = f"{name}[{drill.row}]" if drill.row else name
    case = next(case for case in open_cases(case_folder() / drill.file) if case.name == wanted)
    assert (drill.game, drill.rules) == (case.game, case.rules)
    ruleset: Any = load(drill.game)
    said = [step.line.text.partition(" -- ")[0].strip() for step in case.steps[drill.step :]]
    assert all(f"{ruleset.sides[asked.side]} {order}" in said for order in drill.orders)
    assert any(pending.actor == asked.side for pending in ruleset.pending(asked.state))
    assert ruleset.forced(asked.state, asked.side) is None
    for order in drill.orders:
        ruleset.parse_action(asked.state, asked.side, order)


@pytest.mark.parametrize("name", drills())
def test_the_text_of_an_answer_names_its_leaders_and_numbers(name: str) -> None:
    drill = drills()[name]
    ruleset: Any = load(drill.game)
    leaders = {leader.name for leader in ruleset.data.leaders}
    for order, words in drill.orders.items():
        named = [*re.findall(r"(?<!\S)\+?(\d{1,3})(?!\S)", order), *(word for word in order.split() if word in leaders)]
        assert all(re.search(rf"\b{word}\b", words) for word in named)
    assert len(set(drill.orders.values())) == len(drill.orders)


async def begin_drilling(name: str, storage: MemoryStorage | None = None) -> Pupil:
    registry = registry_with(storage or MemoryStorage())
    made = await begin_drill(registry, PUPIL, name)
    return Pupil(registry, next(seat.seat for seat in made.seats if seat.seat))


@pytest.mark.parametrize("name", sorted(drills())[::6])
async def test_a_drill_judges_an_order_by_the_rules(name: str) -> None:
    asked = question(name)
    ruleset: Any = load(asked.drill.game)
    for order in asked.drill.orders:
        pupil = await begin_drilling(name)
        session = await pupil.session()
        shown = drill_progress(session, asked.side, "")
        assert (shown.is_answered, shown.lesson, shown.allowed, shown.came) == (False, "", (), ())
        assert session.is_asked(asked.side)
        if is_allowed(ruleset, asked.state, asked.side, order):
            await pupil.order(order)
            judged = drill_progress(session, asked.side, "")
            assert judged.is_right
            assert order in judged.allowed
            assert judged.lesson == asked.drill.consequence
        else:
            with pytest.raises((Illegal, Invalid)):
                await pupil.order(order)
            assert not drill_progress(session, asked.side, "").is_answered
    none = drill_progress(await (await begin_drilling(name)).session(), asked.side, NONE)
    assert none.is_right == (not none.allowed)


async def test_an_abandoned_drill_is_ended() -> None:
    storage = MemoryStorage()
    first, second = await begin_drilling("O5.8-a", storage), await begin_drilling("O5.8-b", storage)
    ended = [(await pupil.session()).row.has_ended for pupil in (first, second)]
    again = registry_with(storage)
    kept = [(await Pupil(again, pupil.seat).session()).row.has_ended for pupil in (first, second)]
    assert (ended, kept) == ([False, False], [True, False])


async def test_drills_are_listed_by_chapter() -> None:
    listed = (await home.drills.fn("frederick")).chapters
    assert [chapter.title for chapter in listed] == [one.title for one in chapters() if one.game == "frederick"]
    assert "O5.8" in listed[1].drills[8].rules
    with pytest.raises(Invalid):
        await home.drills.fn("chess")
    with pytest.raises(Invalid):
        question("O5.3-zz")


async def test_a_question_with_several_orders_lists_them() -> None:
    one = drill_progress(await (await begin_drilling("O5.11-f")).session(), question("O5.11-f").side, "")
    assert one.say == (
        "You lead Prussia and would like to bring 2 SP out of the fortress at Breslau. Do the rules allow it?"
    )
    assert one.point == ("1733",)
    other = drill_progress(await (await begin_drilling("R11.1-a")).session(), 1, "")
    assert other.say.startswith("You lead the Coalition and would like to roll")
    many = drill_progress(await (await begin_drilling("O5.8-a")).session(), question("O5.8-a").side, "")
    assert "Which of these" in many.say


async def test_an_answered_drill_shows_the_consequences() -> None:
    name = "O5.9-a"
    asked, pupil = question(name), await begin_drilling(name)
    await pupil.order(asked.done)
    judged = drill_progress(await pupil.session(), asked.side, "")
    assert judged.done == judged.orders[0].text
    assert any("capture Browne" in line for line in judged.came), judged.came
