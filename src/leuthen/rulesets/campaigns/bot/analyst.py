"""Judgement of this rule set's positions for a report on a war."""

from __future__ import annotations

from collections.abc import Mapping

from leuthen.rulesets.campaigns.model.data import ADJECTIVES
from leuthen.rulesets.campaigns.model.forces import forces_of
from leuthen.rulesets.campaigns.model.state import State
from leuthen.wargame.board import hex_name
from leuthen.wargame.bot.analyst import Analyst, force_name


class CampaignsAnalyst(Analyst[State]):
    def turn(self, state: State) -> int:
        """Return the number of the turn (R1.1); both sides act within one."""
        return state.clock

    def strengths(self, state: State, side: int) -> Mapping[str, int]:
        found = {}
        for force in forces_of(state):
            if force.side == side and force.tp:
                place, led = state.data.strongholds.get(force.hex), force.commander >= 0
                who = state.leader(force.commander).name if led else f"{ADJECTIVES[force.nation]} troops"
                where = hex_name(force.hex) if place is None else place.name
                found[force_name(who, force.inside, where)] = force.tp
        return found
