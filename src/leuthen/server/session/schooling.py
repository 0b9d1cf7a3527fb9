"""Lessons at the table: a lesson is a game like any other, and what is said beside it comes from the pupil's view."""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import SeatSide, Side, is_side
from leuthen.school.beginning import LESSON, lesson_of
from leuthen.school.lessons import Lesson, LessonStep, lessons
from leuthen.school.progress import Pupil, progress
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.messages import LessonCard, School, Schooling
from leuthen.server.session.problems import UNKNOWN, fault
from leuthen.server.session.registry import GameRegistry
from leuthen.storage.games import games_of
from leuthen.storage.seats import seats_of

FINISHED: Final = "lesson finished"


async def school(registry: GameRegistry, browser: str) -> School:
    """The lessons that there are, with those that a browser has begun; "" is one that nobody knows."""
    begun = await _begun(registry, browser) if browser else {}
    return School(
        tuple(
            LessonCard(one.name, one.ruleset, one.title, one.about, one.minutes, begun.get((one.name, one.side), ""))
            for one in lessons().values()
        )
    )


async def _begun(registry: GameRegistry, browser: str) -> dict[tuple[str, int], str]:
    """A browser's seat on a side of a lesson, at the game of it that was played last of those that go on."""
    mine, found = await registry.storage.read(lambda rows: (seats_of(rows, browser), games_of(rows, browser)))
    return {
        (game.scenario.removeprefix(LESSON), seat.side): seat.id
        for game, seats in sorted(found, key=lambda game: game[0].since)
        for seat in seats
        if game.scenario.startswith(LESSON) and seat.id in mine
        if not game.has_ended and not registry.stranded(game)
    }


def schooling(session: GameSession, side: SeatSide) -> Schooling:
    """Where the pupil on a side stands. Raises Fault if the game is no lesson of his."""
    taught = lesson_of(session.row.scenario)
    if taught is None or not is_side(side) or side != taught.side:
        raise fault(UNKNOWN, "No lesson", "This game is no lesson of yours.")
    at = progress(taught, _pupil(session, side))
    is_over = at.done == len(taught.steps)
    told = Schooling(
        name=taught.name,
        title=taught.title,
        goal=taught.goal,
        done=at.done,
        steps=len(taught.steps),
        say=taught.ending if is_over else taught.steps[at.done].say,
        stray=at.stray,
        remark=at.remark,
        back=_last_order(session, side),
        next=_next(taught) if is_over else "",
        plain=taught.plain,
    )
    return told if is_over else _pointing(told, taught.steps[at.done], session, side)


async def see_lesson(session: GameSession, side: SeatSide) -> Schooling:
    """Where the pupil on a side stands. Raise Fault if the game is no lesson of his.

    The list of games tells of a lesson that it is gone through, though its game goes on, until its next action.
    """
    told = schooling(session, side)
    await session.set_result(FINISHED if told.done == told.steps else "")
    return told


def _pupil(session: GameSession, side: Side) -> Pupil:
    history, view = session.history, session.seat_view
    log, last = history.logs[side], _last_order(session, side)
    lines = (history.record[line] for line in history.counting)
    return Pupil(
        ruleset=session.ruleset,
        view=view.view(side),
        orders=[line.text for line in lines if line.actor == side],
        told=[view.told(line.what) for line in log.lines],
        asked=next((asked.decision for asked in view.awaited(side) if asked.is_yours), ""),
        date=session.ruleset.date(history.position(side)),
        fresh=sum(1 for line in log.lines if line.n < last),
    )


def _last_order(session: GameSession, side: Side) -> int:
    """The number of the pupil's news with which his last order that counts came, or 0."""
    history = session.history
    own = [line for line in history.counting if history.record[line].actor == side]
    return history.logs[side].number_at(own[-1]) if own and history.outcome is None else 0


def _next(taught: Lesson) -> str:
    """The lesson that comes next in the same rule set, or ""."""
    same = [one.name for one in lessons().values() if one.ruleset == taught.ruleset]
    return "".join(same[same.index(taught.name) + 1 :][:1])


def _pointing(told: Schooling, step: LessonStep, session: GameSession, side: Side) -> Schooling:
    """With what there is to point at, and a model order if one is legal now."""
    order = next((order for order in step.orders if _is_legal(session, side, order)), "")
    position, ruleset = session.history.position(side), session.ruleset
    choices = ruleset.presenter.choices(position, side, ruleset.parse_action(position, side, order)) if order else {}
    replace = msgspec.structs.replace
    return replace(told, point=step.point, press=step.press, order=order, partial_order=choices)


def _is_legal(session: GameSession, side: Side, order: str) -> bool:
    position, ruleset = session.history.position(side), session.ruleset
    try:
        ruleset.apply(position, side, ruleset.parse_action(position, side, order))
    except (Invalid, Illegal):
        return False
    return True


def script_order(session: GameSession, side: Side) -> str | None:
    """What the lesson's script orders for the enemy now; None where he does what commits least."""
    taught = lesson_of(session.row.scenario)
    given = {session.history.record[line].text for line in session.history.counting}
    date = session.ruleset.date(session.history.position(side))
    orders = taught.enemy_orders if taught else ()
    ready = (one.order for one in orders if one.since <= date and one.order not in given)
    return next((order for order in ready if _is_legal(session, side, order)), None)
