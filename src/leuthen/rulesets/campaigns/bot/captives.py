"""Prisoners: who is exchanged, who is asked back, who is let go (R14, V7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.model.actions import Agree, Claim, Name, Propose, Ransom, Refuse
from leuthen.rulesets.campaigns.model.forces import nations_in
from leuthen.rulesets.campaigns.rules.r14_prisoners import Consenting, LeaderClaim, Naming, Proposing, Ransoming
from leuthen.rulesets.campaigns.rules.r15_arrivals import homes_open
from leuthen.wargame.strength import EMPTY, LeaderId, bag, of

FAR_STRONGER: Final = 2.0
"""Who has so many times the enemy's men in the field lets nobody go."""
WANTED: Final = 2
"""The command from which a captured leader is worth five prisoners to his own side."""
DREADED: Final = 3
"""The command from which the captor keeps him."""


def exchange_actions(s: Situation, frame: Proposing) -> Iterator[Action]:
    """As many as possible are exchanged, unless the enemy needs them more (R14.2)."""
    if s.has("prisoners") and not is_far_stronger(s):
        yield Propose(frame.most)
    yield Done()


def consent_actions(s: Situation, frame: Consenting) -> Iterator[Action]:
    """Men for men; a leader for five men if he is neither able nor his nation's first (R14.2, R14.3)."""
    if s.has("prisoners"):
        if frame.leader < 0:
            yield Refuse() if is_far_stronger(s) else Agree()
        elif s.pos.leader(frame.leader).command < DREADED and not is_senior(s, frame.leader):
            yield Agree()
    yield Refuse()


def is_far_stronger(s: Situation) -> bool:
    """Whether the own side has far more men in the field."""
    return sum(unit.strength for unit in s.generals) > FAR_STRONGER * sum(force.tp for force in s.foes)


def is_senior(s: Situation, leader: LeaderId) -> bool:
    """Whether a captured leader was his nation's senior, who counts (R16.2)."""
    return any(one.senior for held in s.pos.captives for one in held if one.leader == leader)


def naming_actions(s: Situation, frame: Naming) -> Iterator[Action]:
    """Men of nations that have a place to come back to, first of those with most men in the field (V7.2)."""
    if not s.has("prisoners"):
        return
    held, left, tp = s.pos.prisoners[s.foe], frame.points, EMPTY
    armies = {nation: sum(of(unit.tp, nation) for unit in s.generals) for nation in nations_in(held)}
    for nation in sorted(armies, key=lambda n: (not homes_open(s.pos, n), -armies[n], n)):
        count = min(left, of(held, nation))
        tp += bag(nation, count)
        left -= count
    yield Name(tp)


def claim_actions(s: Situation, frame: LeaderClaim) -> Iterator[Action]:
    """The ablest leader returns first (R14.3)."""
    if s.has("prisoners"):
        held = [one.leader for one in s.pos.captives[s.foe]]
        yield from (Claim(leader) for leader in sorted(held, key=lambda n: (-_merit(s, n), n)))


def ransom_actions(s: Situation, frame: Ransoming) -> Iterator[Action]:
    """An able leader, or his nation's first, is asked back (R14.3)."""
    if s.has("prisoners"):
        for leader in sorted(frame.open(s.pos), key=lambda n: (-_merit(s, n), n)):
            if s.pos.leader(leader).command >= WANTED or is_senior(s, leader):
                yield Ransom(leader)
    yield Done()


def _merit(s: Situation, leader: LeaderId) -> int:
    ratings = s.pos.leader(leader)
    return ratings.command + ratings.combat + 3 * is_senior(s, leader)
