"""Sieges: rolls, and what is left in a place that has fallen (R11)."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.engine.choice import Action
from leuthen.rulesets.campaigns.bot.garrisons import leaving_garrison
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.model.actions import Besiege, Done
from leuthen.rulesets.campaigns.rules.r11_siege import Occupying, SiegeStep


def siege_actions(s: Situation, frame: SiegeStep) -> Iterator[Action]:
    """Every siege is rolled for."""
    if s.has("sieges"):
        yield from (Besiege(here) for here in frame.open(s.pos))
    yield Done()


def occupation_actions(s: Situation, frame: Occupying) -> Iterator[Action]:
    """A garrison for what has fallen."""
    units = s.field(frame.hex, s.side)
    if units and s.has("garrisons"):
        yield from leaving_garrison(s, units)
    yield Done()
