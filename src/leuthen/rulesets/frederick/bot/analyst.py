"""What a report on a war needs of this rule set: player turns by number, and forces by the names that enemies know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.frederick.model.data import POWERS
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.model.stacks import join_stack
from leuthen.rulesets.frederick.model.state import Draft, State
from leuthen.wargame.board import hex_name

A_YEAR: Final = 40
"""More than there are player turns in a year."""


class FrederickAnalyst:
    """Says what a report cannot know of the positions of this rule set."""

    horizon = 2

    def turn(self, state: State) -> int:
        """One more with each player turn (O4.3); what both sides do between campaigns counts as another."""
        return state.year * A_YEAR + state.turn * 2 + state.phasing

    def settled(self, state: State) -> State:
        """With the force that is under way among the stacks, together with the friends where it is."""
        if state.moving is None:
            return state
        draft = Draft(state)
        draft.moving = None
        draft.forget()
        join_stack(draft, state.moving)
        draft.forget()
        return draft.freeze()

    def strengths(self, state: State, side: OwnerId) -> Mapping[str, int]:
        """The SP of each stack, by who leads it, or its nation, and where it stands."""
        return {_name(state, stack): stack.strength for stack in state.own(side) if stack.sp}


def _name(state: State, stack: Stack) -> str:
    fort = state.data.fortresses.get(stack.hex)
    place = hex_name(stack.hex) if fort is None else fort.name
    who = state.leader(stack.commander).name if stack.commander >= 0 else f"men of {POWERS[stack.nation].title()}"
    return f"{who} {'inside' if stack.inside else 'at'} {place}"


def analyst() -> FrederickAnalyst:
    """The one of this rule set."""
    return FrederickAnalyst()
