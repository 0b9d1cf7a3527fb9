"""Rollouts with dice that are the same for all alternatives."""

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
    """Return the position when `is_over` holds or the game ends, played by the bots `heads`.

    Each kind of roll, by its rule, has its own dice, so that plans differ only by their actions.
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
