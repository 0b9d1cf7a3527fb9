"""`make golden`: renews the golden games and the counts of perft, after a change of the rules that is meant."""

from __future__ import annotations

from tests.golden import games
from tests.perft import counting

games.renew()
counting.renew()
