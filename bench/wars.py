"""Records of wars between two random players: with many stacks, many actions, or many takebacks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any, Final

from leuthen.engine.ruleset import CHANCE
from leuthen.play.dice import Key
from leuthen.play.record import TAKE_BACK, text_of
from leuthen.play.table import make_header
from leuthen.screen.presenter import TableRuleset

SCENARIO: Final = "campaign"
Lines = list[tuple[str, str]]
"""The lines of a record: actor and action."""


def crowded_position(ruleset: TableRuleset, stacks: int) -> str:
    """Return the record of the first war with this many stacks on the map."""
    presenter = ruleset.presenter
    return _record(
        ruleset, play_war(ruleset, lambda state, _: len(presenter.scene(ruleset.view(state, 0)).pieces) >= stacks)
    )


def long_position(ruleset: TableRuleset, actions: int) -> str:
    """Return the record of the first war with this many actions."""
    return _record(ruleset, play_war(ruleset, lambda _, lines: len(lines) >= actions))


def takeback_record(ruleset: TableRuleset, actions: int, size: int) -> str:
    """Return a record of this many bytes, in which a player's last action is repeatedly taken back and done again."""
    war = play_war(ruleset, lambda _, lines: len(lines) >= actions and lines[-1][0] != "chance")
    again = [(war[-1][0], f"{TAKE_BACK} {len(war) - 1}"), war[-1]]
    bare = len(_record(ruleset, war))
    pair = len(_record(ruleset, [*war, *again])) - bare
    return _record(ruleset, war + again * ((size - bare) // pair))


def _record(ruleset: TableRuleset, lines: Lines) -> str:
    return text_of(make_header(ruleset, SCENARIO, {}, ("human", "human"), game="g1"), lines, "")


def play_war(ruleset: TableRuleset, is_enough: Callable[[Any, Lines], bool]) -> Lines:
    """Return the first war that satisfies the condition, up to that moment."""
    return next(lines for seed in count() if (lines := play_leading(ruleset, is_enough, seed)))


def play_leading(ruleset: TableRuleset, is_enough: Callable[[Any, Lines], bool], seed: int) -> Lines:
    """Return a war up to the moment that satisfies the condition, or nothing if it ends before."""
    rng, dice = Random(seed), Key.from_seed(seed).dice()
    state = ruleset.new_game(SCENARIO, {})
    lines: Lines = []
    names = (*ruleset.sides, "chance")
    while pending := ruleset.pending(state):
        actor = pending[0].actor
        is_chance = actor == CHANCE
        action = dice.pick(ruleset.chances(state)) if is_chance else ruleset.legal_actions(state, actor).sample(rng)
        lines.append((names[actor], ruleset.format_action(state, actor, action)))
        state = ruleset.apply(state, actor, action).state
        if is_enough(state, lines):
            return lines
    return []
