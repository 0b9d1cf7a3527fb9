"""Drills at the table: the position of a case, a question, and an answer that the rules judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from leuthen.engine.ruleset import Ruleset, SeatSide, is_side
from leuthen.load import load
from leuthen.play.record import FREE
from leuthen.school.beginning import DRILL
from leuthen.school.drills import Question, drills, drills_by_rule, is_allowed, question
from leuthen.school.lessons import SCRIPT
from leuthen.school.phrasing import phrase, places_of
from leuthen.server.session import messages
from leuthen.server.session.create import ME, seat_game
from leuthen.server.session.device_session import Visitor
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.history import GameHistory
from leuthen.server.session.messages import Drilling, DrillLine, DrillOrder, Drills
from leuthen.server.session.problems import UNKNOWN, fault
from leuthen.server.session.registry import GameRegistry
from leuthen.storage import games as kept

NONE: Final = "none"
"""The answer that none of the orders may be given."""
MOST: Final = 6
"""Of what an order brought about so many sentences are told."""


def list_drills(ruleset: str) -> Drills:
    """The drills of a rule set. Raises Invalid for an unknown one."""
    titles, by_rule = drills(), drills_by_rule(load(ruleset).name)
    return Drills(
        {rule: tuple(DrillLine(name, titles[name].title) for name in found) for rule, found in by_rule.items()}
    )


async def begin_drill(registry: GameRegistry, visitor: Visitor, name: str) -> messages.Made:
    """A new game of a drill; those that the browser has left are put away. Raises Invalid for an unknown one."""
    asked = question(name)
    ruleset = load(asked.drill.game)
    options = {option: values[0] for option, values in ruleset.options.items()}
    players = (SCRIPT, ME) if asked.side else (ME, SCRIPT)
    title = f"Drill {asked.drill.rules[0]}"
    new = messages.NewGame(players, ruleset.name, DRILL + name, title=title, takebacks=FREE)
    history = GameHistory(ruleset, asked.state, FREE)
    await registry.storage.write(lambda rows: kept.put_away(rows, visitor.lock, DRILL))
    return await seat_game(registry, visitor, history, new, options, known=registry.new_key())


def drilling(session: GameSession, side: SeatSide, answer: str) -> Drilling:
    """A drill as the seat sees it; `answer` is what it says without an order. Raises Fault if the game is none."""
    scenario = session.row.scenario
    if not scenario.startswith(DRILL):
        raise fault(UNKNOWN, "No drill", "This game is no drill.")
    asked = question(scenario.removeprefix(DRILL))
    if not is_side(side) or side != asked.side:
        raise fault(UNKNOWN, "No drill", "This drill is not asked of you.")
    ruleset, drill = session.ruleset, asked.drill
    orders = tuple(_in_words(ruleset, asked))
    shown = Drilling(
        name=drill.name,
        rules=drill.rules,
        say=_question(_called(ruleset.sides[side]), [order.text for order in orders]),
        orders=orders,
        point=tuple(dict.fromkeys(place for order in asked.orders for place in places_of(drill.game, order))),
        next=_next(drill.game, drill.name),
    )
    has_ordered = any(session.history.record[line].actor == side for line in session.history.counting)
    return _judged(shown, ruleset, asked, has_ordered) if has_ordered or answer == NONE else shown


def _called(side: str) -> str:
    """A side in a sentence."""
    return f"the {side.capitalize()}" if side == "coalition" else side.capitalize()


def _question(side: str, orders: Sequence[str]) -> str:
    if len(orders) == 1:
        return f"You lead {side} and would like to {orders[0]}. Do the rules allow it?"
    return f"You lead {side}. Which of these do the rules allow? Order one of them, or none."


def _judged(shown: Drilling, ruleset: Ruleset, asked: Question, has_ordered: bool) -> Drilling:
    """Whatever was ordered and stands, the rules allow; to order nothing is right where they allow none of it."""
    allowed = tuple(order for order in asked.orders if is_allowed(ruleset, asked.state, asked.side, order))
    told = [ruleset.presenter.present_event(event) for event in (asked.events if asked.done else ())]
    return msgspec.structs.replace(
        shown,
        is_answered=True,
        is_right=has_ordered or not allowed,
        lesson=asked.drill.title,
        allowed=allowed,
        done=next((order.text for order in shown.orders if order.order == asked.done), ""),
        came=tuple(line.text for line in told if not line.is_small)[:MOST],
    )


def _in_words(ruleset: Ruleset, asked: Question) -> Iterator[DrillOrder]:
    """The orders in words that do not tell whether they are allowed."""
    form = ruleset.presenter.form(asked.state, asked.side, {})
    labels = {choice.token: choice.label for field in form.fields[:1] for choice in field.choices}
    for order in asked.orders:
        yield DrillOrder(order, phrase(asked.drill.game, order, labels.get(order.partition(" ")[0], "")))


def _next(game: str, name: str) -> str:
    """The drill behind this one in the index, in the same rule set."""
    names = [drill.name for drill in drills().values() if drill.game == game]
    return "".join(names[names.index(name) + 1 :][:1])
