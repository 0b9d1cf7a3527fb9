"""Going on: a seat leaves the rest of a phase or turn as it is, and whatever asks for more than that stops it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import Side
from leuthen.play.table import Table
from leuthen.play.transaction import Falls
from leuthen.screen import Form, LogEntry
from leuthen.screen.basics import Place
from leuthen.server.session.problems import BAD, STALE, fault
from leuthen.server.session.status import setting_of
from leuthen.server.session.transaction import GameTransaction
from leuthen.wargame.board import names_in

EVENT: Final = "event"
_MOST: Final = 1000
"""Answers in one go: more is a fault of a rule set."""
_STRUGGLES: Final = ("opening", "battle")
"""Topics of events after which a side is asked again, whatever it wanted to leave."""


def go_on(transaction: GameTransaction, side: Side, scope: str, dice: Falls, theatres: Sequence[str] = ()) -> None:
    """Answers for a side what leaves everything as it is, until a phase, a turn, or the quiet ends.

    It ends too where something has to be chosen, when something is done to the side, and when a battle begins; a quiet
    also when the enemy marches. With the scope `theatre` it answers until the turn ends only what is asked of the
    theatres named, and nothing if what is asked now concerns another one as well. Raises Fault if the side has to
    choose at once, and for a theatre that the game does not have.
    """
    table, mark = transaction.table, MARKS[scope]
    start, heard = mark(table, side), 0
    area = _area(table, theatres) if scope == THEATRE else None
    if area is not None and not is_within(table, side, area):
        return
    action = _idle(transaction, side)
    if action is None:
        raise fault(STALE, "There is something to decide", "What is asked now cannot be left as it is.")
    for _ in range(_MOST):
        transaction.answer_for(side, action)
        transaction.proceed(dice)
        told = transaction.told(side)
        ended = table.outcome is not None or mark(table, side) != start
        action = _idle(transaction, side)
        if ended or action is None or any(stops(side, scope, entry) for entry in told[heard:]):
            return
        if area is not None and not is_within(table, side, area):
            return
        heard = len(told)


def _area(table: Table, theatres: Sequence[str]) -> frozenset[Place]:
    """The hexes of theatres. Raises Fault if the game has not one of them."""
    cards = {card.name: card for card in setting_of(table.ruleset).theatres}
    if not theatres or any(name not in cards for name in theatres):
        raise fault(
            BAD, "No such theatre", f"The theatres are: {', '.join(cards)}." if cards else "It has no theatres."
        )
    return frozenset(place for name in theatres for place in names_in(cards[name].rows))


def is_within(table: Table, side: Side, area: Collection[Place]) -> bool:
    """Whether all that the side may order now begins inside an area; not so if nobody can say where it begins."""
    places = _places(table, side)
    return bool(places) and places <= set(area)


def _places(table: Table, side: Side) -> set[Place]:
    """Where what a side is asked belongs to: one hex, or all of which it may order something; none if unknown."""
    presenter, state = table.ruleset.presenter, table.seen_by(side)
    place = presenter.scene(table.ruleset.view(state, side)).place
    if place:
        return {place}
    first, *_ = presenter.form(state, side, {}).fields
    if any(choice.place for choice in first.choices):
        return {choice.place for choice in first.choices}
    forms = [presenter.form(state, side, {first.key: choice.token}) for choice in first.choices]
    found = [_begins(form) for form in forms if len(form.fields) > 1]
    return set().union(*found) if all(found) else set()


def _begins(form: Form) -> set[Place]:
    """Of which hexes an order of this kind may be: that of the force on the move, or the first that are asked for."""
    if form.start:
        return {form.start}
    asked = ({choice.place for choice in field.choices if choice.place} for field in form.fields)
    return next(filter(None, asked), set())


def _idle(transaction: GameTransaction, side: Side) -> Action | None:
    """The side's answer that leaves everything as it is; None if it is not asked, or has to choose."""
    table = transaction.table
    found = table.ruleset.neutral(table.seen_by(side), side)
    return found if found is not None and found.IDLE else None


def stops(side: Side, scope: str, entry: LogEntry) -> bool:
    """Whether a line of the chronicle is something that the side should look at before it goes on."""
    touches = entry.hurts == side or entry.topic in _STRUGGLES
    return touches or (scope == EVENT and entry.side == 1 - side and bool(entry.path))


def _phase(table: Table, side: Side) -> Hashable:
    scene = table.ruleset.presenter.scene(table.ruleset.view(table.state, side))
    now = (stage for stage in scene.stages if stage.when == "now")
    return _turn(table, side), tuple((stage.group, stage.name, stage.side) for stage in now)


def _turn(table: Table, side: Side) -> Hashable:
    return table.ruleset.date(table.state)


def _quiet(table: Table, side: Side) -> Hashable:
    return None


THEATRE: Final = "theatre"
MARKS: Final[Mapping[str, Callable[[Table, Side], Hashable]]] = {
    "phase": _phase,
    "turn": _turn,
    THEATRE: _turn,
    EVENT: _quiet,
}
"""What lasts as long as a side wants to go on, by the word for it."""
