"""Winter and arrivals: where new men go, where the army spends the winter, who commands in spring (R14, R15, R17.8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from leuthen.engine.choice import STOP, Action
from leuthen.engine.decision import Done
from leuthen.rulesets.campaigns.bot.goals import MARCHED
from leuthen.rulesets.campaigns.bot.menaces import menaces
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.model.actions import Assign, Bring, Found, Quarter, Transfer
from leuthen.rulesets.campaigns.model.forces import commander, force_at, room
from leuthen.rulesets.campaigns.rules.r09_supply.supply import depot_range
from leuthen.rulesets.campaigns.rules.r15_arrivals import Placing, homes_open
from leuthen.rulesets.campaigns.rules.r17_politics.winter import Council, Quartering
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import LeaderId, PowerId

COLUMN: Final = 19
"""TP that need no supply (V3)."""
JOURNEY: Final = 0.97
"""What every hex farther takes from quarters."""
ABLE: Final = 2
"""The command from which a leader is brought."""
SPARE: Final = 2
"""Leaders without men from whom on a nation brings no more."""
LARGE: Final = 30
"""TP from which an army is worth dividing."""


def arrival_actions(s: Situation, frame: Placing) -> Iterator[Action]:
    """New men go to the leader with most room, else to a garrison near to an army, and out of the enemy's reach."""
    if not s.has("winter"):
        return
    homes = homes_open(s.pos, frame.nation)
    able = [(min(room(s.pos, n), frame.most(s.pos, n)), n, here)
            for here in homes for n in map(LeaderId, frame.takers(s.pos, here)) if n != STOP]  # fmt: skip
    for points, number, here in sorted(able, key=lambda one: (-one[0], one[1])):
        if points > 0:
            yield Assign(frame.nation, min(points, frame.points), here, number)
    armies = [unit.hex for unit in s.generals if s.pos.leader(unit.number).nation == frame.nation]
    for here in sorted(homes, key=lambda here: (s.threat(here) > 0, nearest(s, here, armies), here)):
        yield Assign(frame.nation, frame.points, here)


def nearest(s: Situation, here: Hex, armies: Sequence[Hex]) -> int:
    """How far the next army is from a place."""
    return min((s.way(there, here) for there in armies), default=0)


def prospects(s: Situation, nation: PowerId, here: Hex) -> float:
    """What an army of a nation may take in spring from where it winters, or guard, in VP."""
    way = s.memory.ways.table(here)
    gains = (worth * s.communication(nation, there) * MARCHED[way[there]] for there, worth in s.worths.items())
    cares = (menace.cost * MARCHED[way[menace.hex]] for menace in menaces(s)) if s.has("guard") else ()
    return max(gains, default=0.0) + max(cares, default=0.0)


def quarter_actions(s: Situation, frame: Quartering) -> Iterator[Action]:
    """A force winters where most can be taken in spring."""
    place = frame.next(s.pos)
    if place is None or not s.has("winter"):
        return
    chief = commander(s.pos, force_at(s.pos, *place[:1], s.side, place[1]))
    if chief < 0:
        return
    nation, here = s.pos.leader(chief).nation, place[0]
    goals = {
        there: prospects(s, nation, there) * JOURNEY ** s.distance(here, there) for there in frame.goals(s.pos, here)
    }
    for there in sorted(goals, key=lambda there: (-goals[there], there)):
        yield Quarter(there)


def council_actions(s: Situation, frame: Council) -> Iterator[Action]:
    """Depots where armies are, more leaders, and men for those who have none."""
    if s.has("winter"):
        fed = depot_range(s.pos, s.side)
        served = {unit.hex: unit.strength for unit in s.generals}
        for here in sorted(frame.sites(s.pos), key=lambda here: (-served.get(here, 0), here)):
            if not fed >> here & 1:
                yield Found(here)
        camps = [u.hex for u in s.generals if s.pos.leader(u.number).nation == frame.nation and not u.inside]
        idle = [unit for unit in s.idle if s.pos.leader(unit.number).nation == frame.nation]
        able = [n for n in frame.unused(s.pos) if s.pos.leader(n).command >= ABLE and len(idle) < SPARE]
        for number in sorted(able, key=lambda n: (-s.pos.leader(n).command, n)):
            yield from (Bring(number, here) for here in camps[:1])
        yield from divisions(s, frame)
    yield Done()


def divisions(s: Situation, frame: Council) -> Iterator[Action]:
    """A leader without men gets a column from one who has many."""
    holders = frame.holders(s.pos)
    idle = [n for n, tp in holders.items() if not tp and n < s.data.wagons and n not in frame.moved]
    rich = [n for n, tp in holders.items() if tp > LARGE and n < s.data.wagons and n not in frame.moved]
    for taker in sorted(idle, key=lambda n: (-s.data.leaders[n].command, n)):
        for giver in rich:
            yield Transfer(giver, taker, min(COLUMN, holders[giver] // 2))
