"""Arrivals, quarters, the winter council and prisoners (R14, R15, R17, V7)."""

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import STOP, Action
from leuthen.engine.decision import Done
from leuthen.rulesets.campaigns.bot.goals import MARCHED
from leuthen.rulesets.campaigns.bot.situation import Situation, skill
from leuthen.rulesets.campaigns.bot.troops import COLUMN, wanted
from leuthen.rulesets.campaigns.model import actions as do
from leuthen.rulesets.campaigns.model.data import CITY
from leuthen.rulesets.campaigns.model.forces import commander, force_at, inside_tp, room
from leuthen.rulesets.campaigns.rules.r09_supply import depot_range
from leuthen.rulesets.campaigns.rules.r14_prisoners import Consenting, LeaderClaim, Naming, Proposing, Ransoming
from leuthen.rulesets.campaigns.rules.r15_arrivals import Placing, open_homes
from leuthen.rulesets.campaigns.rules.r17_campaign import Council, Quartering
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import EMPTY, NO_LEADER, LeaderId, PowerId, bag, of, powers

JOURNEY: Final = 0.97  # discount of quarters for each hex farther
LARGE_ARMY: Final = 30  # TP from which an army is worth dividing
FEW: Final = 3  # TP that are not worth a leader


def arrival_actions(s: Situation, frame: Placing) -> Iterator[Action]:
    """Assign recruits to the leader with most room, else to a garrison near an army; to a city last."""
    homes = open_homes(s.pos, frame.nation)
    able = [(min(room(s.pos, n), frame.most(s.pos, n)), n, here)
            for here in homes for n in map(LeaderId, frame.takers(s.pos, here)) if n != STOP]  # fmt: skip
    for points, number, here in sorted(able, key=lambda one: (-one[0], one[1])):
        if points > 0:
            yield do.Assign(frame.nation, min(points, frame.points), here, number)
    armies = [unit.hex for unit in s.generals if s.pos.leader(unit.number).nation == frame.nation]

    def order(here: Hex) -> tuple[bool, bool, int, Hex]:
        near = min((s.way(there, here) for there in armies), default=0)
        return s.data.strongholds[here].kind == CITY, s.threat(here) > 0, near, here

    for here in sorted(homes, key=order):
        yield do.Assign(frame.nation, frame.points, here)


def spring_value(s: Situation, nation: PowerId, here: Hex) -> float:
    """Return the VP that an army in winter quarters may take or guard in spring."""
    way = s.memory.ways.table(here)
    gains = (worth * s.communication(nation, there) * MARCHED[way[there]] for there, worth in s.worths.items())
    cares = (menace.cost * MARCHED[way[menace.hex]] for menace in s.menaces)
    return max(gains, default=0.0) + max(cares, default=0.0)


def quarter_actions(s: Situation, frame: Quartering) -> Iterator[Action]:
    place = frame.next(s.pos)
    chief = commander(s.pos, force_at(s.pos, place[0], s.side, place[1])) if place is not None else NO_LEADER
    if place is None or chief < 0:
        return
    nation, here, ends = s.pos.leader(chief).nation, place[0], frame.goals(s.pos, place[0])
    goals = {there: spring_value(s, nation, there) * JOURNEY ** s.distance(here, there) for there in ends}
    for there in sorted(goals, key=lambda there: (-goals[there], there)):
        yield do.Quarter(there)


def council_actions(s: Situation, frame: Council) -> Iterator[Action]:
    """Found depots where armies are, move garrison TP to armies, dismiss the least able idle leader."""
    fed = depot_range(s.pos, s.side)
    served = {unit.hex: unit.strength for unit in s.generals}
    for here in sorted(frame.sites(s.pos), key=lambda here: (-served.get(here, 0), here)):
        if not fed >> here & 1:
            yield do.Found(here)
    yield from musters(s, frame)
    free = {n: tp for n, tp in frame.holders(s.pos).items() if n < s.data.wagons and n not in frame.moved}
    for taker in sorted((n for n, tp in free.items() if not tp), key=lambda n: (-s.data.leaders[n].command, n)):
        for giver, tp in free.items():
            if tp > LARGE_ARMY:
                yield do.Transfer(giver, taker, min(COLUMN, tp // 2))
    idle = [unit.number for unit in s.idle if s.pos.leader(unit.number).nation == frame.nation]
    able = frame.dismissable(s.pos)
    for number in sorted(idle, key=lambda n: (s.pos.leader(n).command, s.pos.leader(n).combat, n)):
        if number in able:
            yield do.Dismiss(number)
    yield Done()


def musters(s: Situation, frame: Council) -> Iterator[Action]:
    """Bring leaders for men without one, and TP that garrisons can spare to the senior armies (V2.2).

    A garrison keeps what the place needs and spares nothing if that leaves only a few.
    """
    men = ((here, min(of(sp, frame.nation), inside_tp(s.pos, here, s.side) - wanted(s, here)))
           for here, sp in s.pos.garrisons.items() if s.pos.owners[here] == s.side)  # fmt: skip
    spare = {here: points for here, points in men if points > FEW}
    if not spare:
        return
    own = [n for n in frame.holders(s.pos) if n < s.data.wagons]
    if sum(spare.values()) > sum(frame.room(s.pos, n) for n in own):
        here = max(spare, key=lambda here: (spare[here], -here))
        for number in sorted(frame.unused(s.pos), key=lambda n: (-skill(s.pos.leader(n)), n)):
            yield do.Bring(number, here)
    able = [LeaderId(n) for n in own if n not in frame.moved and frame.room(s.pos, n) > FEW]
    for taker in sorted(able, key=lambda n: s.pos.ranks[n]):
        for here in sorted(spare, key=lambda here: (-spare[here], here)):
            points = min(spare[here], len(frame.amounts(s.pos, do.GARRISON + here, taker)))
            if points > FEW:
                yield do.Transfer(do.GARRISON + here, taker, points)


FAR_STRONGER: Final = 2.0  # ratio of field TP above which a side exchanges no prisoners
MISSED: Final = 2  # command from which the own side values a captured leader at five prisoners
DREADED: Final = 3  # command from which the captor keeps a leader


def exchange_actions(s: Situation, frame: Proposing) -> Iterator[Action]:
    """Exchange as many as possible, unless the enemy needs them more (R14.2)."""
    if not is_far_stronger(s):
        yield do.Propose(frame.most)
    yield Done()


def consent_actions(s: Situation, frame: Consenting) -> Iterator[Action]:
    """Agree to men for men, and to a leader for five men if the leader is neither able nor senior (R14.2, R14.3)."""
    if frame.leader < 0:
        yield do.Refuse() if is_far_stronger(s) else do.Agree()
    elif s.pos.leader(frame.leader).command < DREADED and not is_senior(s, frame.leader):
        yield do.Agree()
    yield do.Refuse()


def is_far_stronger(s: Situation) -> bool:
    return sum(unit.strength for unit in s.generals) > FAR_STRONGER * sum(force.tp for force in s.foes)


def is_senior(s: Situation, leader: LeaderId) -> bool:
    """Return whether a captured leader was the nation's senior, who counts for victory (R16.2)."""
    return any(one.senior for held in s.pos.captives for one in held if one.leader == leader)


def naming_actions(s: Situation, frame: Naming) -> Iterator[Action]:
    """Name men of nations that have a place to return to, those with most men in the field first (V7.2)."""
    held, left, tp = s.pos.prisoners[s.foe], frame.points, EMPTY
    armies = {nation: sum(of(unit.tp, nation) for unit in s.generals) for nation in powers(held)}
    for nation in sorted(armies, key=lambda n: (not open_homes(s.pos, n), -armies[n], n)):
        count = min(left, of(held, nation))
        tp += bag(nation, count)
        left -= count
    yield do.Name(tp)


def claim_actions(s: Situation, frame: LeaderClaim) -> Iterator[Action]:
    held = [one.leader for one in s.pos.captives[s.foe]]
    yield from (do.Claim(leader) for leader in sorted(held, key=lambda n: (-_merit(s, n), n)))


def ransom_actions(s: Situation, frame: Ransoming) -> Iterator[Action]:
    """Ransom able and senior leaders (R14.3)."""
    for leader in sorted(frame.open(s.pos), key=lambda n: (-_merit(s, n), n)):
        if s.pos.leader(leader).command >= MISSED or is_senior(s, leader):
            yield do.Ransom(leader)
    yield Done()


def _merit(s: Situation, leader: LeaderId) -> int:
    ratings = s.pos.leader(leader)
    return ratings.command + ratings.combat + 3 * is_senior(s, leader)
