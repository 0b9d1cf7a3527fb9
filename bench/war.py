"""The battles of the war in the second rule set, fought in bulk under the simple choices of `bench.checks`.

    python -m bench.war [BATTLES]

prints the table of docs/campaigns-checks.md. A troop point is 1,000 men; leaders have their ratings; who attacked then
attacks here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final, NamedTuple

from bench.battles import battles
from bench.checks import Fight, Result, fight_often
from leuthen.load import load
from leuthen.rulesets.campaigns.ruleset import Campaigns

MEN: Final = 1000
"""Of a troop point."""
NAMES: Final = {"Brunswick": "Bevern"}
"""At Reichenbach the duke of Brunswick-Bevern commanded, who is a leader of his own here."""


class WarFight(NamedTuple):
    """A battle of the war as one of the check; who won it, and the losses of both in men, attacker first."""

    name: str
    fight: Fight
    attacker_won: bool
    lost: tuple[int, int]


def war_fights(game: Campaigns) -> Iterator[WarFight]:
    """The battles of the project's list (`src/leuthen/data/battles.csv`)."""
    book = game.names.book.leaders
    for row in battles():
        first, second = (
            game.data.leaders[book.find(NAMES.get(row[role], row[role]))].name
            for role in ("attacker_leader", "defender_leader")
        )
        strengths = points(row["attacker_men"]), points(row["defender_men"])
        fight = Fight(row["battle"], first, second, strengths, hill=row["terrain"] == "mountain")
        lost = int(row["attacker_losses"]), int(row["defender_losses"])
        yield WarFight(f"{row['battle']} {row['date'][:4]}", fight, row["winner"] == "attacker", lost)


def points(men: str) -> int:
    """Troop points, to the nearest whole, halves up."""
    return (int(men) + MEN // 2) // MEN


def share(one: WarFight, result: Result) -> float:
    """How many battles the side wins that won, in per cent."""
    return result.won if one.attacker_won else result.held


def is_favourite(one: WarFight, result: Result) -> bool:
    """Whether that side wins more of them than the other."""
    return share(one, result) > (result.held if one.attacker_won else result.won)


def line(one: WarFight, result: Result) -> str:
    """A row of the table."""
    fight, (mine, theirs) = one.fight, result.losses
    won = "attacker" if one.attacker_won else "defender"
    mark = "" if is_favourite(one, result) else " (!)"
    lost = f"{one.lost[0]:,} | {round(mine * MEN, -2):,.0f} | {one.lost[1]:,} | {round(theirs * MEN, -2):,.0f}"
    strengths = f"{fight.strengths[0]}:{fight.strengths[1]}"
    chance = f"{share(one, result):.0f} %{mark}"
    return f"| {one.name} | {fight.attacker} | {fight.defender} | {strengths} | {won} | {chance} | {lost} |"


HEAD: Final = """| battle | attacker | defender | TP | won | its share | attacker lost | mean | defender lost | mean |
|---|---|---|---|---|---|---|---|---|---|"""


def main() -> None:
    """Prints the table and the count."""
    game, count = load("campaigns"), int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    assert isinstance(game, Campaigns)
    print(HEAD)
    favourites, total = 0, 0.0
    fights = list(war_fights(game))
    for one in fights:
        result = fight_often(game, one.fight, count)
        favourites += is_favourite(one, result)
        total += share(one, result) / 100
        print(line(one, result), flush=True)
    print(f"\nThe side that won is the favourite in {favourites} of {len(fights)}; the shares add up to {total:.1f}.")


if __name__ == "__main__":
    main()
