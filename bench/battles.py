"""Fights battles of the war as positions and writes docs/battles.md: `python -m bench.battles`.

A strength point is 2,500 men (O1.1); leaders have their ratings; who attacked then attacks here.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple

from leuthen.engine.ruleset import as_side
from leuthen.load import load, read_data
from leuthen.rulesets.frederick.model.data import POWERS
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.model.state import Draft
from leuthen.rulesets.frederick.odds.battle import BattleOdds, battle_odds, mean
from leuthen.wargame.board import Hex, parse_hex
from leuthen.wargame.strength import PowerId, bag

DOC: Final = Path(__file__).parent.parent / "docs" / "battles.md"
MEN: Final = 2500
PLACES: Final = {"clear": "1126", "mountain": "1527"}
PRUSSIANS: Final = ("prussia", "hanover")


class Fight(NamedTuple):
    """A battle of the war, and the odds of its position. Losses are men; attacker first."""

    name: str
    year: str
    leaders: tuple[str, str]
    odds: BattleOdds
    losses: tuple[int, int]
    attacker_won: bool

    @property
    def expected(self) -> tuple[float, float]:
        """The mean losses of the position in men, killed and taken."""
        return float(mean(self.odds.gone(0)) * MEN), float(mean(self.odds.gone(1)) * MEN)

    @property
    def chance(self) -> Fraction:
        """How probably the side wins that won."""
        return self.odds.win if self.attacker_won else self.odds.lose

    @property
    def is_favourite(self) -> bool:
        """Whether that side is likelier to win than the other."""
        return self.chance > (self.odds.lose if self.attacker_won else self.odds.win)


def battles() -> Iterator[dict[str, str]]:
    """The facts."""
    lines = [line for line in read_data("frederick")["battles.csv"].splitlines() if not line.startswith("#")]
    return csv.DictReader(lines)


def fight(rules: Any, row: dict[str, str]) -> Fight:
    """One battle as a position."""
    pos, here = Draft(rules.new_game("campaign", {})), parse_hex(PLACES[row["terrain"]])
    side = AUSTRIAN
    for role in ("attacker", "defender"):
        its = PRUSSIAN if row[role].lower() in PRUSSIANS else AUSTRIAN
        side = its if role == "attacker" else side
        _place(pos, here, its, row, role)
    losses = int(row["attacker_losses"]), int(row["defender_losses"])
    leaders = row["attacker_leader"], row["defender_leader"]
    odds = battle_odds(pos, as_side(side), here)
    return Fight(row["battle"], row["date"][:4], leaders, odds, losses, row["winner"] == "attacker")


def _place(pos: Draft, here: Hex, side: int, row: dict[str, str], role: str) -> None:
    power = POWERS.index(row[role].lower())
    leader = pos.data.book.leaders.find(row[f"{role}_leader"])
    sp = bag(PowerId(power), points(int(row[f"{role}_men"])))
    pos.put(make_stack(pos, here, as_side(side), False, sp, (leader,)))


def points(men: int) -> int:
    """Strength points, to the nearest whole, halves up (O1.1)."""
    return (men + MEN // 2) // MEN


def table(fights: list[Fight]) -> list[str]:
    """A line for each battle."""
    lines = [
        "| battle | attacker | defender | SP | ratio | won | its odds | draw "
        "| attacker lost | mean | defender lost | mean |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    return lines + [_line(one) for one in fights]


def _line(one: Fight) -> str:
    first, second = one.odds.strengths
    won = "attacker" if one.attacker_won else "defender"
    mark = "" if one.is_favourite else " (!)"
    chances = f"{_percent(one.chance)}{mark} | {_percent(one.odds.draw)}"
    means = [f"{round(men, -2):,.0f}" for men in one.expected]
    losses = f"{one.losses[0]:,} | {means[0]} | {one.losses[1]:,} | {means[1]}"
    who = f"{one.leaders[0]} | {one.leaders[1]}"
    return f"| {one.name} {one.year} | {who} | {first}:{second} | {one.odds.ratio} % | {won} | {chances} | {losses} |"


def _percent(chance: Fraction) -> str:
    return f"{round(100 * chance)} %"


def sums(fights: list[Fight]) -> str:
    """What the table adds up to."""
    wins = sum((one.chance for one in fights), Fraction(0))
    favourites = sum(one.is_favourite for one in fights)
    real = [sum(one.losses[who] for one in fights) for who in (0, 1)]
    means = [sum(one.expected[who] for one in fights) for who in (0, 1)]
    return (
        f"Of the {len(fights)} battles the side that won is the likelier winner of the position in {favourites}; the "
        f"odds of what happened add up to {float(wins):.1f} of {len(fights)}. All attackers together lost {real[0]:,} "
        f"men (mean of the positions: {round(means[0], -2):,.0f}), all defenders {real[1]:,} "
        f"({round(means[1], -2):,.0f})."
    )


def document() -> str:
    """The text of docs/battles.md."""
    rules = load("frederick")
    fights = [fight(rules, row) for row in battles()]
    return "\n".join([HEAD, *table(fights), "", sums(fights), "", READING])


HEAD: Final = """# Battles of the war, fought as positions

Made by `python -m bench.battles`; do not edit. The facts stand in `src/leuthen/data/battles.csv`.

Each battle is set up with 2,500 men a strength point (O1.1), under the ratings of its commanders, in clear ground or in
mountains, and the engine is asked for its exact odds (`leuthen.rulesets.frederick.odds.battle`). *Its odds* are those
of the side that won, with (!) where the other was likelier to win. Losses are men, killed, wounded and taken; the means
are those of the position, killed and taken. `L`, retreats and surrenders of beaten stacks come on top of it and are not
counted.
"""
READING: Final = """## How far it fits

- **Who wins** fits, on the whole, and for the right reason: a strong commander against odds (Rossbach, Leuthen,
  Zorndorf), weak ones against a mass (Gross-Jägersdorf, Kay).
- **Losses** fit in the sum for the defender, and are a quarter too high for the attacker. The table has no cheap
  battles: an attacker with fewer SP than the enemy never loses under 15 %, so Rossbach (550 men, not a quarter of one
  SP), Wilhelmsthal and Lobositz cost him far more than they did. Kolin and Hochkirch come out about as they were; the
  bloodiest, Zorndorf, Kunersdorf and Torgau, come out milder.
- **Initiative does not grow with the armies.** The score (O9.6) counts SP lost, and an initiative of 3 is worth 7,500
  men in any battle. A large army that hits a small one under a great commander cannot win: Hochkirch is at best a draw
  here, for 31 SP against 12.
- **What the rules leave out** shows: surprise by night (Hochkirch), field works and a second allied army (Kunersdorf),
  being surrounded (Landeshut, where the retreat, not the battle, would have to take the rest of Fouqué's corps), help
  that came up in time (Reichenbach). At Lobositz and Torgau both sides thought for a while that they had lost: here
  every second battle has no victor.
- Fourteen battles are few, and the table was fitted to battles of this war (O9.9): what is good here is no proof, what
  is bad is a fault.
"""


if __name__ == "__main__":
    DOC.write_text(document(), encoding="utf-8")
