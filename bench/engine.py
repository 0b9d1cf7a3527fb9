"""Benchmarks inside the first rule set: supply and reach over the whole map, state copies, and whole campaigns."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from bench.measure import Figure, measure
from bench.ruleset import Campaigns
from leuthen.rulesets.frederick.model.pieces import SIDES
from leuthen.rulesets.frederick.model.state import Draft
from leuthen.rulesets.frederick.rules.o10_supply import open_hexes, sources, supply, zone_for_supply
from leuthen.simulate.run import GameTask, Match, play_one


def engine_figures(ruleset: Any) -> Iterator[Figure]:
    """Time searches, copies and campaigns."""
    states = [state for state, _, _ in Campaigns(ruleset, "campaign").positions(60)]
    yield measure("supply of a side over the whole map", lambda: _supply(states))
    yield measure("reach with 6 MP through zones", lambda: _reach(states))
    yield measure("copy of a state: draft and freeze", lambda: sum(bool(Draft(state).freeze()) for state in states))
    for bot in ("random", "captain"):
        match = Match(ruleset.name, "", "campaign", {}, (bot, bot), "bench")
        yield measure(f"campaigns of {bot} against itself", partial(_campaign, ruleset, match), 1.0)


def _supply(states: list[Any]) -> float:
    done = 0
    for state in states:
        for side in SIDES:
            draft = Draft(state)
            draft.forget()
            done += bool(supply(draft, side)) | bool(sources(draft, side) & open_hexes(draft, side))
    return done


def _reach(states: list[Any]) -> float:
    for state in states:
        zone, field = zone_for_supply(state), state.marks[1][0]
        for stack in state.own(0)[:3]:
            state.data.board.reach(stack.hex, 6, zone, field)
    return sum(len(state.own(0)[:3]) for state in states)


def _campaign(ruleset: Any, match: Match) -> float:
    play_one(ruleset, GameTask(match, 0))
    return 1
