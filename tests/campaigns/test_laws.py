"""The laws of the door for the second rule set."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.campaigns.kit import moments
from tests.laws.laws import LAWS

MOST = 90
"""So many moments of a game are looked at."""
GAMES: tuple[tuple[int, str, dict[str, str]], ...] = (
    (0, "1757", {}),
    (1, "1757", {"rules": "base"}),
    (2, "1759", {"need25": "yes", "recoverReduced": "yes"}),
    (4, "1756", {}),
    (5, "1758", {"rules": "base"}),
    (6, "campaign", {}),
)


@pytest.mark.parametrize(("seed", "scenario", "options"), GAMES)
def test_the_laws_of_the_door_hold(seed: int, scenario: str, options: dict[str, str]) -> None:
    for moment in islice(moments(seed, scenario, options), MOST):
        for law in LAWS:
            law(moment)
