"""Belief about the enemy's hidden strength: one estimate that fits the view.

It follows from the view alone, without dice, so equal views give equal decisions. Without the option `hidden`
everything is open (R1.6).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leuthen.engine.ruleset import OTHER
from leuthen.rulesets.campaigns.knowledge import Filler, View, complete_view
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, SIDE_OF, GameData
from leuthen.rulesets.campaigns.model.forces import SeenForce
from leuthen.rulesets.campaigns.model.pieces import AT_WAR, TURNS, UNKNOWN
from leuthen.rulesets.campaigns.model.state import State
from leuthen.rulesets.campaigns.rules.r15_arrivals import RECRUITING
from leuthen.wargame.board import StackKey
from leuthen.wargame.bot.belief import Band, share_strength
from leuthen.wargame.strength import PowerId, of

WASTAGE: Final = 0.985  # factor by which an army shrinks each turn, battles apart
POST: Final = 2.0  # weight of a garrison without a leader
SHELTERED: Final = 0.5  # weight factor of a leader inside
MOST: Final = 60  # TP of one force at most, if nothing is known of it


def estimate_state(data: GameData, view: View) -> State:
    return complete_view(data, view, Estimate(estimates(data, view) if view.options.hidden else {}))


class Estimate(Filler):
    def __init__(self, guesses: Mapping[StackKey, int]) -> None:
        self.guesses = guesses

    def strength(self, force: SeenForce) -> int | None:
        return self.guesses.get(force.key)


def estimates(data: GameData, view: View) -> dict[StackKey, int]:
    """Return the estimated TP of each hidden force: the nation's expected total, divided by weight."""
    hidden = [force for force in view.stacks if not view.knows(force.side) and force.most]
    found: dict[StackKey, int] = {}
    for nation in sorted({force.nation for force in hidden}):
        bands = [
            Band(force.key, force.least, force.most, _max_tp(data, force), weight_of(data, force))
            for force in hidden if force.nation == nation
        ]  # fmt: skip
        found.update(share_strength(bands, expected_total(data, view, nation)))
    return found


def _max_tp(data: GameData, force: SeenForce) -> int:
    if force.commander < 0 and force.most >= UNKNOWN and force.hex in data.strongholds:
        return data.kind_at(force.hex).garrison
    return MOST


def expected_total(data: GameData, view: View, nation: PowerId) -> float:
    """Return the TP that a nation should have: arrivals so far (R18) minus losses."""
    side, turns = SIDE_OF[nation], view.turn + TURNS * (view.year - 1756) - view.first
    came = {other: _total_tp(data, view, other) for other in ALL_NATIONS if SIDE_OF[other] == side}
    lost = view.killed[OTHER[side]] * came[nation] / max(1, sum(came.values()))
    held = of(view.prisoners[OTHER[side]], nation)
    return max(1.0, (came[nation] - lost) * float(WASTAGE**turns) - held / 2)


def _total_tp(data: GameData, view: View, nation: PowerId) -> int:
    """Return the TP of a nation at the start and since (R10.8, R18.2–R18.4), with this year's replacements (R15)."""
    if view.status[nation] != AT_WAR:
        return 0
    scenario, now = data.scenarios[view.scenario], TURNS * (view.year - 1756) + view.turn
    joined = view.joined[nation]
    setup = scenario.setup if not joined else "1757"
    entries = [e for e in data.setups["joining" if joined else setup] if e.nation == nation]
    start = joined or TURNS * (int(setup) - 1756)
    total = sum(entry.tp for entry in entries if start + entry.turn <= now)
    held = (place.holdings.get(setup) for place in data.strongholds.values())
    total += sum(one.tp for one in held if one is not None and one.nation == nation)
    if not view.options.einhorn:
        return total + view.raised[nation]
    # The years since the first; of this year the second half comes on turn 7 (R18.4).
    raised = sum(data.yearly.get((year, nation), 0) for year in range(scenario.year + 1, view.year + 1))
    return total + raised - (data.yearly.get((view.year, nation), 0) // 2 if view.turn < RECRUITING[1] else 0)


def weight_of(data: GameData, force: SeenForce) -> float:
    if force.commander < 0:
        return POST
    weight = 10.0 * (1 + data.leaders[force.commander].command)
    return weight * SHELTERED if force.inside else weight
