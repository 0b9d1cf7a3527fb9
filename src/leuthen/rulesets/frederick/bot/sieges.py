"""The Siege Phase, the garrison of what has fallen, and where a garrison with honours of war goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot.garrisons import some, wanted
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Besiege, Done, Garrison, Refuge
from leuthen.rulesets.frederick.rules.o13_siege import Departure, Occupation, SiegePhase, may_besiege
from leuthen.wargame.board import Hex


def siege_actions(s: Situation, phase: SiegePhase) -> Iterator[Action]:
    """Rolls wherever it may: each roll makes the next one better."""
    if s.has("sieges"):
        for army in sorted(s.mine, key=lambda stack: stack.hex):
            here = army.hex
            if army.inside or here in phase.rolled or may_besiege(s.pos, here, s.side) is not None:
                continue
            yield Besiege(here)
    yield Done()


def occupation_actions(s: Situation, fallen: Occupation) -> Iterator[Action]:
    """Some of the besiegers go inside, as many as the place should have."""
    camp = s.pos.field(fallen.hex, s.side)
    if camp is not None and s.has("garrisons"):
        points = min(max(2, wanted(s, fallen.hex)), camp.strength - 1)
        if camp.demoralized:
            yield Garrison(tuple(sorted(camp.leaders)), camp.sp)
        if points > 0:
            yield Garrison((), some(camp.sp, points))
    yield Done()


def departure_actions(s: Situation, frame: Departure) -> Iterator[Action]:
    """To the fortress that has fewest men."""
    yield from refuges(s, s.forts, inside=True)


def refuges(s: Situation, places: Sequence[Hex], *, inside: bool) -> Iterator[Action]:
    """Places of refuge, the least threatened first."""
    for here in sorted(places, key=lambda here: (s.foes_near(here, 4), s.garrison(here, s.side), here)):
        yield Refuge(here, inside)
