"""O8.5, O15.3: leaders are captured, whole stacks become prisoners."""

from __future__ import annotations

from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.frederick.model.pieces import CAPTIVE, GONE, Stack
from leuthen.rulesets.frederick.model.state import Draft
from leuthen.wargame.strength import LeaderId


def capture(draft: Draft, leader: LeaderId, captor: Side) -> None:
    """Make a leader, who is in no stack, a prisoner till exchanged (O8.5, C11.1); a leader of C8.5 is lost."""
    if draft.data.powers[draft.leader(leader).power].most_leaders:
        draft.set_roster(leader, GONE)
        return
    draft.set_roster(leader, CAPTIVE)
    draft.hold_leader(captor, leader)


def imprison(draft: Draft, stack: Stack) -> None:
    """Make a whole stack, off the map already, prisoners of the other side (O5.9, O9.7, O13.4, O15.3)."""
    captor = OTHER[stack.side]
    draft.hold(captor, stack.sp)
    for leader in stack.leaders:
        capture(draft, leader, captor)
