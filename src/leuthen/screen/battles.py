"""A battle that has been fought, as a report shows it: named, with both sides, and with what the war did there."""

from __future__ import annotations

from typing import Final

from leuthen.engine.ruleset import NOBODY
from leuthen.screen.basics import Place, Shown

UNLED: Final = "no leader"
"""In place of a commander's name."""


class BattleSide(Shown, frozen=True):
    """A side of a battle: who commanded, how strong it was, what it lost, and how many of its men were taken besides.

    A strength of −1 is not known.
    """

    commander: str
    strength: int
    lost: int
    taken: int = 0


class BattleReport(Shown, frozen=True):
    """A battle: its name, where, which side attacked and which won (2: neither), and side 0 before side 1.

    `unit` is what strengths are counted in, `history` a sentence on what the war did in this place.
    """

    name: str
    place: Place
    attacker: int
    winner: int
    unit: str
    sides: tuple[BattleSide, BattleSide]
    history: str = ""

    @property
    def sentence(self) -> str:
        """«Kolin: Daun (22 SP) beats Frederick (14 SP), who loses 6; he loses 3.»"""
        first, second = self.sides if self.winner != 1 else (self.sides[1], self.sides[0])
        word = "and" if self.winner == NOBODY else "beats"
        end = ", without a victor" if self.winner == NOBODY else ""
        lost = f"lost {first.lost} and {second.lost + second.taken} {self.unit}"
        return f"{self.name}: {_who(first, self.unit)} {word} {_who(second, self.unit)}{end}; {lost}"


class LostForce(Shown, frozen=True):
    """A force of a side that was lost to the last man without a battle of its own: where, how strong, `how`, and the
    first of the leaders who were captured with it, or ""."""

    side: int
    place: str
    """«at Kolin», «near Kolin»"""
    strength: int
    unit: str
    how: str
    """«was overrun», «laid down its arms»"""
    commander: str = ""


def _who(host: BattleSide, unit: str) -> str:
    return f"{host.commander} ({host.strength} {unit})"
