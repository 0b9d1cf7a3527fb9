"""Lessons and drills at the table.

A lesson is an ordinary game with comments made from the pupil's view. A drill is the position of a case, a question,
and an answer judged by the rules.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from leuthen.engine.ruleset import SeatSide, Side, is_side
from leuthen.load import load
from leuthen.play.record import FREE
from leuthen.school.lessons import (
    DRILL,
    LESSON,
    SCRIPT,
    Pupil,
    Question,
    chapters,
    drills,
    is_allowed,
    lesson_of,
    lessons,
    progress,
    question,
)
from leuthen.screen.presenter import TableRuleset
from leuthen.server.session import messages
from leuthen.server.session.device_sessions import DeviceCaller
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.history import GameHistory
from leuthen.server.session.messages import (
    UNKNOWN,
    DrillChapter,
    DrillLine,
    DrillOrder,
    DrillProgress,
    Drills,
    LessonCard,
    LessonState,
    School,
    fault,
)
from leuthen.server.session.registry import ME, GameRegistry, seat_game
from leuthen.storage.rows import GameRow, Rows, games_of


async def school(registry: GameRegistry, browser: str) -> School:
    """Return all lessons, with the seats where a browser has begun them."""
    mine, found = await registry.storage.read(lambda rows: games_of(rows, browser) if browser else (set(), []))
    begun = {  # in the latest unfinished game of each
        (game.scenario.removeprefix(LESSON), seat.side): seat.id
        for game, seats in sorted(found, key=lambda game: game[0].since)
        for seat in seats
        if game.scenario.startswith(LESSON) and seat.id in mine
        if not game.has_ended and not registry.unplayable(game)
    }
    return School(
        tuple(
            LessonCard(one.name, one.ruleset, one.title, one.about, one.minutes, begun.get((one.name, one.side), ""))
            for one in lessons().values()
        )
    )


def schooling(session: GameSession, side: SeatSide) -> LessonState:
    """Return the pupil's progress. Raise Fault if the game is not the seat's lesson."""
    taught = lesson_of(session.row.scenario)
    if taught is None or not is_side(side) or side != taught.side:
        raise fault(UNKNOWN, "No lesson", "This game is not one of your lessons.")
    at = progress(taught, _pupil(session, side))
    is_over = at.done == len(taught.steps)
    same = [one.name for one in lessons().values() if one.ruleset == taught.ruleset]
    lesson = LessonState(
        name=taught.name,
        title=taught.title,
        goal=taught.goal,
        done=at.done,
        steps=len(taught.steps),
        say=taught.ending if is_over else taught.steps[at.done].say,
        stray=at.stray,
        remark=at.remark,
        back=_last_order(session, side),
        next=_following(taught.name, same) if is_over else "",
        plain=taught.plain,
    )
    if is_over:
        return lesson
    step, position, ruleset = taught.steps[at.done], session.history.position(side), session.ruleset
    order = next((order for order in step.orders if is_allowed(ruleset, position, side, order)), "")
    choices = ruleset.presenter.choices(position, side, ruleset.parse_action(position, side, order)) if order else {}
    return msgspec.structs.replace(lesson, point=step.point, press=step.press, order=order, partial_order=choices)


async def see_lesson(session: GameSession, side: SeatSide) -> LessonState:
    """Return the pupil's progress; the list of games shows a finished lesson until the next action. Raise Fault."""
    lesson = schooling(session, side)
    await session.set_result("lesson finished" if lesson.done == lesson.steps else "")
    return lesson


def _pupil(session: GameSession, side: Side) -> Pupil:
    history, view = session.history, session.seat_view
    log, last = history.logs[side], _last_order(session, side)
    lines = (history.record[line] for line in history.counting)
    return Pupil(
        ruleset=session.ruleset,
        view=view.view(side),
        orders=[line.text for line in lines if line.actor == side],
        told=[view.entry_of(line.what) for line in log.lines],
        asked=next((asked.decision for asked in view.awaited(side) if asked.is_yours), ""),
        date=session.ruleset.date(history.position(side)),
        fresh=sum(1 for line in log.lines if line.n < last),
    )


def _last_order(session: GameSession, side: Side) -> int:
    """Return the number of the pupil's last order that counts, or 0."""
    history = session.history
    own = [line for line in history.counting if history.record[line].actor == side]
    return history.logs[side].number_at(own[-1]) if own and history.outcome is None else 0


def script_order(session: GameSession, side: Side) -> str | None:
    """Return the order that the lesson's script gives the enemy now; None to commit least."""
    taught = lesson_of(session.row.scenario)
    given = {session.history.record[line].text for line in session.history.counting}
    ruleset, position = session.ruleset, session.history.position(side)
    for one in taught.enemy_orders if taught else ():
        is_due = one.since <= ruleset.date(position) and one.order not in given
        if is_due and is_allowed(ruleset, position, side, one.order):
            return one.order
    return None


NONE: Final = "none"
"""The answer that none of the orders is allowed."""
MOST: Final = 6
"""Maximum number of sentences about the effects of an order."""


def list_drills(ruleset: str) -> Drills:
    """Return the drills of a rule set. Raise Invalid for an unknown one."""
    game = load(ruleset).name
    return Drills(
        tuple(
            DrillChapter(one.title, tuple(DrillLine(drill.name, drill.title, drill.rules) for drill in one.drills))
            for one in chapters()
            if one.game == game
        )
    )


async def begin_drill(registry: GameRegistry, visitor: DeviceCaller, name: str) -> messages.CreatedGame:
    """Create a game of a drill and end the browser's earlier drills. Raise Invalid for an unknown one."""
    asked = question(name)
    ruleset = load(asked.drill.game)
    options = {option: values[0] for option, values in ruleset.options.items()}
    players = (SCRIPT, ME) if asked.side else (ME, SCRIPT)
    new = messages.NewGame(players, ruleset.name, DRILL + name, title=f"Drill {asked.drill.rules[0]}", takebacks=FREE)
    history = GameHistory(ruleset, asked.state, FREE)

    def end_earlier(rows: Rows) -> None:
        for game in rows.find(GameRow, maker=visitor.lock, has_ended=False):
            if game.scenario.startswith(DRILL):
                rows.change(GameRow, {"has_ended": True}, id=game.id)

    await registry.storage.write(end_earlier)
    return await seat_game(registry, visitor, history, new, options, known=registry.new_key())


def drill_progress(session: GameSession, side: SeatSide, answer: str) -> DrillProgress:
    """Return a drill as the seat sees it, judged once answered. Raise Fault if the game is none of the seat's."""
    scenario = session.row.scenario
    if not scenario.startswith(DRILL):
        raise fault(UNKNOWN, "No drill", "This game is not a drill.")
    asked = question(scenario.removeprefix(DRILL))
    if not is_side(side) or side != asked.side:
        raise fault(UNKNOWN, "No drill", "This drill is not open.")
    ruleset, drill = session.ruleset, asked.drill
    name = ruleset.sides[side].capitalize()
    shown = DrillProgress(
        name=drill.name,
        rules=drill.rules,
        say=_question(f"the {name}" if name == "Coalition" else name, list(drill.orders.values())),
        orders=tuple(DrillOrder(order, words) for order, words in drill.orders.items()),
        point=drill.point,
        next=_following(drill.name, [one.name for one in drills().values() if one.game == drill.game]),
    )
    has_ordered = any(session.history.record[line].actor == side for line in session.history.counting)
    return _judge_answers(shown, ruleset, asked, has_ordered) if has_ordered or answer == NONE else shown


def _question(side: str, orders: Sequence[str]) -> str:
    if len(orders) == 1:
        return f"You lead {side} and would like to {orders[0]}. Do the rules allow it?"
    return f"You lead {side}. Which of these do the rules allow? Order one of them, or none."


def _judge_answers(shown: DrillProgress, ruleset: TableRuleset, asked: Question, has_ordered: bool) -> DrillProgress:
    """Orders that were carried out are allowed; giving none is right if none is allowed."""
    allowed = tuple(order for order in asked.drill.orders if is_allowed(ruleset, asked.state, asked.side, order))
    entries = [ruleset.presenter.present_event(event) for event in (asked.events if asked.done else ())]
    return msgspec.structs.replace(
        shown,
        is_answered=True,
        is_right=has_ordered or not allowed,
        lesson=asked.drill.consequence,
        allowed=allowed,
        done=asked.drill.orders.get(asked.done, ""),
        came=tuple(line.text for line in entries if not line.is_small)[:MOST],
    )


def _following(name: str, names: Sequence[str]) -> str:
    """Return the name after another one, "" after the last."""
    return "".join(names[names.index(name) + 1 :][:1])
