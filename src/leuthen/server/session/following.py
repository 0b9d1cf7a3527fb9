"""An order with the answer that shall follow it: a march, and that it halts where it ends."""

from __future__ import annotations

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import Side
from leuthen.play.transaction import Falls
from leuthen.server.session.going_on import EVENT, stops
from leuthen.server.session.transaction import GameTransaction


def order_both(transaction: GameTransaction, side: Side, order: str, halt: str, dice: Falls) -> None:
    """Carries out a side's order, and gives the answer behind it where nothing came between.

    Where anything did, or `halt` is not legal or commits to more than leaving things as they are, the side is asked.
    Raises Invalid, Ambiguous or Illegal if the order itself cannot be.
    """
    transaction.act(side, order)
    if not halt:
        return
    transaction.proceed(dice)
    answer = _answer(transaction, side, halt) if _is_quiet(transaction, side) else None
    if answer is not None:
        transaction.answer_for(side, answer)


def _is_quiet(transaction: GameTransaction, side: Side) -> bool:
    """Whether nobody else answered the order, and it showed its side nothing hidden and no fighting."""
    alone = len(transaction.lines) == 1
    learned = transaction.table.log[-1].learned >> side & 1
    return alone and not learned and not any(stops(side, EVENT, entry) for entry in transaction.told(side))


def _answer(transaction: GameTransaction, side: Side, text: str) -> Action | None:
    """The answer that a text names, if the side may leave things as they are with it."""
    table = transaction.table
    if table.outcome is not None or all(asked.actor != side for asked in table.ruleset.pending(table.state)):
        return None
    seen = table.seen_by(side)
    neutral = table.ruleset.neutral(seen, side)
    try:
        action = table.ruleset.parse_action(seen, side, text)
    except (Invalid, Illegal):
        return None
    is_legal = table.ruleset.legal_actions(seen, side).why_not(action) is None
    return action if is_legal and action.IDLE and isinstance(action, type(neutral)) else None
