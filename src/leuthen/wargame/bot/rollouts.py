"""Positions played out in a general's head, with dice that are the same for all that is tried."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from leuthen.engine.ruleset import CHANCE, Ruleset, as_side
from leuthen.wargame.bot.commander import Commander
from leuthen.wargame.search import Stream, seed_of


def play_out(
    rules: Ruleset, state: Any, heads: Sequence[Commander[Any, Any]], is_over: Callable[[Any], bool], seed: int
) -> Any:
    """The position in which it is over, or the game ends, when the heads of both sides have played on.

    Each kind of roll, by its rule, has its own dice, so that plans differ only by what they do.
    """
    dice: dict[str, Stream] = {}
    while not is_over(state) and (awaited := rules.pending(state)):
        actor, rule = awaited[0].actor, awaited[0].rule
        if actor == CHANCE:
            stream = dice.get(rule)
            if stream is None:
                stream = dice[rule] = Stream(seed_of(seed, "dice", rule))
            action = stream.pick(rules.chances(state))
        else:
            side = as_side(actor)
            legal, look = rules.legal_actions(state, side), partial(rules.view, state, side)
            action = heads[side].choose(look, legal, next(one for one in awaited if one.actor == side))
        state = rules.apply(state, actor, action).state
    return state
