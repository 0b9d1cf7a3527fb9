"""The winter council: depots where armies are, no more leaders than have men (R17.8)."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.engine.choice import Action
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.bot.winter import divisions
from leuthen.rulesets.campaigns.model.actions import Dismiss, Done, Found
from leuthen.rulesets.campaigns.rules.r09_supply.supply import depot_range
from leuthen.rulesets.campaigns.rules.r17_politics.council import Council


def council_actions(s: Situation, frame: Council) -> Iterator[Action]:
    """Depots where armies are, men for leaders who have none, and the least able of those who are left goes home."""
    fed = depot_range(s.pos, s.side)
    served = {unit.hex: unit.strength for unit in s.generals}
    for here in sorted(frame.sites(s.pos), key=lambda here: (-served.get(here, 0), here)):
        if not fed >> here & 1:
            yield Found(here)
    yield from divisions(s, frame)
    idle = [unit.number for unit in s.idle if s.pos.leader(unit.number).nation == frame.nation]
    able = frame.dismissable(s.pos)
    for number in sorted(idle, key=lambda n: (s.pos.leader(n).command, s.pos.leader(n).combat, n)):
        if number in able:
            yield Dismiss(number)
    yield Done()
