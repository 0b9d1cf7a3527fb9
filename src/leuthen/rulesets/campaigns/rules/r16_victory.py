"""R16: victory points, and the result of the game."""

from typing import Final

from leuthen.engine.memo import memo_of
from leuthen.engine.ruleset import NOBODY, Outcome, Side
from leuthen.rulesets.campaigns.model.data import COALITION, FORT, FORTRESS, PRUSSIAN, SIDE_OF
from leuthen.rulesets.campaigns.model.events import GameEnded
from leuthen.rulesets.campaigns.model.state import Decision, Draft, Position
from leuthen.wargame.strength import PowerId

PLACES: Final = {FORTRESS: 5, FORT: 2}  # for an enemy place (R16.2); a city counts nothing
BATTLE: Final = 2
PER: Final = 5  # TP for a point (R16.2)
LEADER: Final = 3
LEVELS: Final = ((5, "draw"), (15, "marginal"), (30, "substantial"))  # highest score of each level (R16.4)


def is_area_controlled(pos: Position, area: int, side: Side) -> bool:
    """Return whether a side controls all places of an area (R16.1)."""
    return all(pos.owners[here] == side for here in pos.data.places_of[area])


def place_points(pos: Position, side: Side) -> int:
    """Return the points for enemy fortresses, forts and areas under a side's control (R16.2, R16.3)."""

    def count() -> int:
        places = sum(
            PLACES.get(place.kind, 0)
            for here, place in pos.data.strongholds.items()
            if _is_foreign(place.nation, side) and pos.owners[here] == side
        )
        return places + sum(
            area.points
            for number, area in enumerate(pos.data.areas)
            if _is_foreign(area.nation, side) and is_area_controlled(pos, number, side)
        )

    return memo_of(pos.data, "place points").get_or_compute((side, tuple(pos.owners.values())), count)


def _is_foreign(nation: PowerId, side: Side) -> bool:
    return nation >= 0 and SIDE_OF[nation] != side


def side_points(pos: Position, side: Side) -> int:
    """Return the present victory points of a side (R16.2)."""
    leaders = sum(captive.senior for captive in pos.captives[side])
    return place_points(pos, side) + BATTLE * pos.battles[side] + pos.killed[side] // PER + LEADER * leaders


def victory_points(pos: Position) -> tuple[int, int]:
    return side_points(pos, PRUSSIAN), side_points(pos, COALITION)


def score(pos: Position) -> int:
    """Return Prussia's points less the Coalition's and par (R16.4, R16.5)."""
    mine, theirs = victory_points(pos)
    return mine - theirs - pos.data.scenarios[pos.scenario].par


def level(points: int) -> str:
    """Return the level of victory of a score (R16.4)."""
    return next((name for most, name in LEVELS if abs(points) <= most), "decisive")


class FinalScore(Decision, rule="R16.4", name="Victory"):
    """The last turn is over, and the score decides (R16.4)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        points = score(draft)
        how = level(points)
        winner = None if how == "draw" else PRUSSIAN if points > 0 else COALITION
        draft.outcome = Outcome(winner, how, "R16.4", draft.year)
        side, par = NOBODY if winner is None else winner, draft.data.scenarios[draft.scenario].par
        draft.emit(GameEnded(side=side, points=victory_points(draft), par=par, how=how))
