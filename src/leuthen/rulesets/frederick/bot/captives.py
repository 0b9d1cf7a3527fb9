"""Who is freed, offered, sacked, and whose SP go when some must."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Free, Lose, Offer, Sack
from leuthen.rulesets.frederick.model.data import MINORS
from leuthen.rulesets.frederick.model.state import ON_MAP
from leuthen.rulesets.frederick.rules.c02_setup import MAJORS
from leuthen.rulesets.frederick.rules.c07_commitment import Losses
from leuthen.rulesets.frederick.rules.c08_redeployment.new_leaders import Sacking, leaders_in
from leuthen.rulesets.frederick.rules.c11_allegiance.prisoners import (
    Freeing,
    LeaderOffers,
    LeaderReturn,
    countable,
    havens,
    offerable,
)
from leuthen.rulesets.frederick.rules.o06_force_march import ForceLoss
from leuthen.wargame.board import NOWHERE
from leuthen.wargame.strength import LeaderId, of


def merit(s: Situation, leader: LeaderId) -> float:
    """What a leader is worth; a bad one of high rank is a burden, because he commands."""
    man = s.data.leaders[leader]
    skill = man.initiative * 1.2 + man.attack + man.defence
    return skill - (3.0 - skill) * (6 - man.rank) * 0.3


def sack_actions(s: Situation, frame: Sacking) -> Iterator[Action]:
    """The one of least merit goes."""
    for leader in sorted(leaders_in(s.pos, frame.power, ON_MAP), key=lambda n: (merit(s, n), n)):
        yield Sack(leader)


def offer_actions(s: Situation, frame: LeaderOffers) -> Iterator[Action]:
    """The enemy gets the worst back."""
    for leader in sorted(offerable(s.pos, s.side), key=lambda n: (merit(s, n), n)):
        if leader not in frame.offered[s.side]:
            yield Offer(leader)


def return_actions(s: Situation, frame: LeaderReturn) -> Iterator[Action]:
    """The best first, to where the men are."""
    for leader in sorted(frame.leaders, key=lambda n: (-merit(s, n), n)):
        power = s.data.leaders[leader].power
        for here in sorted(havens(s.pos, s.side, power), key=lambda here: (-s.friends_near(here, 2, NOWHERE), here)):
            yield Free(power, 0, here, leader)


def free_actions(s: Situation, frame: Freeing) -> Iterator[Action]:
    """The major's own men first, as many as may, to the fortress nearest to the fighting."""
    counts = countable(s.pos, s.side)
    for power in sorted(counts, key=lambda power: (power != MAJORS[s.side], -counts[power], power)):
        places = havens(s.pos, s.side, power)
        for here in sorted(places, key=lambda here: (-s.foes_near(here, 6), s.garrison(here, s.side), here)):
            yield Free(power, min(frame.left, counts[power]), here)


def loss_actions(s: Situation, frame: Losses) -> Iterator[Action]:
    """The largest stack can spare some best."""
    stacks = sorted(s.mine, key=lambda stack: (-of(stack.sp, frame.power), stack.key))
    for stack in stacks:
        most = of(stack.sp, frame.power)
        for points in range(max(1, most - 1), 0, -1):
            yield Lose(stack.key, frame.power, points)


def exhaustion_actions(s: Situation, frame: ForceLoss) -> Iterator[Action]:
    """An ally's man rather than an own one."""
    force = s.pos.moving
    assert force is not None
    for power in (*MINORS, *MAJORS):
        if of(force.sp, power):
            yield Lose(force.key, power, 1)
