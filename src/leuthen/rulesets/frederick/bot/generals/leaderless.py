"""Men without a general neither march nor recover (O5.1, O11.2), so that somebody is sent to lead them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot.captives import merit
from leuthen.rulesets.frederick.bot.marching import march_to
from leuthen.rulesets.frederick.bot.redeployment import bases_of, led
from leuthen.rulesets.frederick.bot.situation import Goal, Situation
from leuthen.rulesets.frederick.model.actions import Place, Shift
from leuthen.rulesets.frederick.model.data import ALL_POWERS
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.rulesets.frederick.rules.c08_redeployment.landings import arrivals
from leuthen.rulesets.frederick.rules.c08_redeployment.redeployment import movable, newcomers
from leuthen.rulesets.frederick.rules.o05_march.walk import MOST
from leuthen.wargame.strength import EMPTY, LeaderId, bag, largest

LEAST: Final = 6
"""Fewer SP than these are not worth a general."""
TURNS: Final = 4.0
"""Turns of a way to them beyond which nobody is sent."""


class Posting(NamedTuple):
    """A general, the stack that he leaves, and the men whom he is to lead."""

    leader: LeaderId
    start: Stack
    men: Stack


def leaderless(s: Situation) -> list[Stack]:
    """Own men in the field without a general, as far as they are worth one, the most first."""
    found = [stack for stack in s.mine if not stack.inside and not stack.leaders and stack.strength >= LEAST]
    return sorted(found, key=lambda stack: (-stack.strength, stack.hex))


def postings(s: Situation) -> Iterator[Posting]:
    """For all such men whoever is there soonest; of several the ablest."""
    sent: set[LeaderId] = set()
    for men in leaderless(s):
        coming = [one for one in _volunteers(s, men) if one.leader not in sent]
        best = min(coming, key=lambda one: (_turns(s, one), -merit(s, one.leader), one.leader), default=None)
        if best is not None and _turns(s, best) <= TURNS:
            sent.add(best.leader)
            yield best


def lead_actions(s: Situation, die: int) -> Iterator[Action]:
    """Who goes to lead them: out of the fortress where they stand (O5.20), or to them by himself."""
    for leader, start, men in postings(s):
        if s.pos.spent.get(leader, 0) >= MOST:
            continue
        if start.hex == men.hex:
            yield Shift(men.hex, False, (leader,), EMPTY)
            continue
        alone = make_stack(s.pos, start.hex, s.side, start.inside, EMPTY, (leader,), start)
        yield from march_to(s, alone, die, Goal("lead", men.hex, float(men.strength)), start)


def winter_postings(s: Situation) -> Iterator[Action]:
    """Between the campaigns the ablest goes to lead them, or those who will come (C8.6, C8.7)."""
    for men in (*leaderless(s), *_recruits(s)):
        for leader, start, _ in sorted(_volunteers(s, men), key=lambda one: (-merit(s, one.leader), one.leader)):
            power = s.data.leaders[leader].power
            if leader in movable(s.pos, start, power)[0]:
                yield Place(power, men.hex, False, (leader,), EMPTY, start.key)


def _recruits(s: Situation) -> Iterator[Stack]:
    """The new men of each power who will stand where none of its generals is."""
    for power in ALL_POWERS:
        if s.pos.side_of(power) != s.side or newcomers(s.pos, power)[1] < LEAST:
            continue
        places = arrivals(s.pos, s.side, power)
        if places and not led(s, power, places):
            base = bases_of(s, power, places)[0]
            yield make_stack(s.pos, base, s.side, False, bag(power, newcomers(s.pos, power)[1]), ())


def _volunteers(s: Situation, men: Stack) -> Iterator[Posting]:
    """Leaders of their power in fortresses, alone, or under another, as far as no player has ordered them elsewhere."""
    for start in s.mine:
        is_shut_in = start.inside and s.is_besieged(start.hex)
        if start.demoralized or is_shut_in or (s.guide is not None and s.guide.is_ordered(start)):
            continue
        for leader in start.leaders:
            is_needed = start.sp and not start.inside and leader == start.commander
            if s.data.leaders[leader].power == largest(men.sp) and not is_needed:
                yield Posting(leader, start, men)


def _turns(s: Situation, one: Posting) -> float:
    """How many turns he is on the way, in whole ones."""
    far = s.distance(one.start.hex, one.men.hex)
    return -(-far // s.temper.pace)
