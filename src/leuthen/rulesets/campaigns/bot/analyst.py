"""What a report on a war needs of this rule set: turns by number, and forces by the names that enemies know."""

from __future__ import annotations

from collections.abc import Mapping

from leuthen.rulesets.campaigns.model.data import ADJECTIVES
from leuthen.rulesets.campaigns.model.forces import TrueForce, forces_of
from leuthen.rulesets.campaigns.model.state import State
from leuthen.wargame.board import hex_name


class CampaignsAnalyst:
    """Says what a report cannot know of the positions of this rule set."""

    horizon = 1

    def turn(self, state: State) -> int:
        """One more with each turn (R1.1), in which both sides act by turns."""
        return state.clock

    def settled(self, state: State) -> State:
        """As it is: who is under way stands among the others."""
        return state

    def strengths(self, state: State, side: int) -> Mapping[str, int]:
        """The TP of each force, by who commands it, or its nation, and where it stands."""
        return {_name(state, force): force.tp for force in forces_of(state) if force.side == side and force.tp}


def _name(state: State, force: TrueForce) -> str:
    place = state.data.strongholds.get(force.hex)
    where = hex_name(force.hex) if place is None else place.name
    who = f"{ADJECTIVES[force.nation]} troops" if force.commander < 0 else state.leader(force.commander).name
    return f"{who} {'inside' if force.inside else 'at'} {where}"


def analyst() -> CampaignsAnalyst:
    """The one of this rule set."""
    return CampaignsAnalyst()
