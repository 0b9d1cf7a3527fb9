"""Judgement of this rule set's positions for a report on a war."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.frederick.model.data import POWERS
from leuthen.rulesets.frederick.model.stacks import join_stack
from leuthen.rulesets.frederick.model.state import Draft, State
from leuthen.wargame.board import hex_name
from leuthen.wargame.bot.analyst import Analyst, force_name

A_YEAR: Final = 40  # greater than the number of player turns in a year


class FrederickAnalyst(Analyst[State]):
    horizon = 2

    def turn(self, state: State) -> int:
        """Return a number that grows by one with each player turn (O4.3); the time between campaigns counts as one
        turn.
        """
        return state.year * A_YEAR + state.turn * 2 + state.phasing

    def settled(self, state: State) -> State:
        """Return the position with the moving force joined to the friends in its hex."""
        if state.moving is None:
            return state
        draft = Draft(state)
        draft.moving = None
        draft.forget()
        join_stack(draft, state.moving)
        draft.forget()
        return draft.freeze()

    def strengths(self, state: State, side: OwnerId) -> Mapping[str, int]:
        found = {}
        for stack in state.own(side):
            if stack.sp:
                fort, led = state.data.fortresses.get(stack.hex), stack.commander >= 0
                who = state.leader(stack.commander).name if led else f"men of {POWERS[stack.nation].title()}"
                place = hex_name(stack.hex) if fort is None else fort.name
                found[force_name(who, bool(stack.inside), place)] = stack.strength
        return found
