"""R4.4: companions and wagons that stay behind on a march."""

from __future__ import annotations

from collections.abc import Sequence

from leuthen.campaigns.actions import Drop
from leuthen.campaigns.events.moving import WentThrough
from leuthen.campaigns.rules.seniority import Where, leaders_of, nations_bound, why_not_shift
from leuthen.campaigns.rules.walk import Walk
from leuthen.campaigns.sights import give_away
from leuthen.campaigns.state import Draft
from leuthen.core.choice import STOP, Script, Slot, Token
from leuthen.core.refusal import Refusal


def drop_script(walk: Walk) -> Script[Drop]:
    """Whether they stay in the field or inside, and who."""
    was_inside = walk.inside
    bar = None if was_inside else walk.may_go_inside(walk.here, walk.left)
    values = (1,) if was_inside else (0,) if bar else (0, 1)

    def refuse(token: Token) -> Refusal:
        return bar or Refusal("R10.3", "the group is inside: it must come out first", (), walk.here)

    inside = bool((yield Slot("inside", values, refuse)))
    left = [unit.number for unit in walk.units if unit.number != walk.lead]
    if inside and not was_inside:
        left = [number for number in left if not walk.pos.data.is_wagon(number)]
    chosen: list[int] = []
    while True:
        values_: list[Token] = [n for n in left if not _why_not(walk, (*chosen, n), inside)]
        if chosen:
            values_.append(STOP)
        token = yield Slot("companions", values_, lambda t: _refuse(walk, t, inside), index=len(chosen))
        if token == STOP:
            return Drop(inside, tuple(chosen))
        chosen.append(int(token))
        left = left[left.index(int(token)) + 1 :]


def _refuse(walk: Walk, token: Token, inside: bool) -> Refusal:
    if token in [unit.number for unit in walk.units]:
        refusal = _why_not(walk, (int(token),), inside)
        if refusal:
            return refusal
    return Refusal("R4.4", "only companions and wagons of the group may be dropped", (), walk.here)


def _why_not(walk: Walk, dropped: Sequence[int], inside: bool) -> Refusal | None:
    """The rule that forbids to drop these, or None (V8.2, V2.2)."""
    pos, place = walk.pos, (walk.here, inside)
    stays = inside and walk.inside
    if walk.havens and place not in walk.havens and not stays and any(pos.units[number].daunted for number in dropped):
        return Refusal("V8.2", "a demoralized leader goes to the nearest occupied fort, and inside", (), walk.here)
    for nation in nations_bound(pos):
        before: Where = leaders_of(pos, nation)
        group = {unit.number for unit in walk.units}
        apart = {n: ((-1, False) if n in group else at, tp) for n, (at, tp) in before.items()}
        after = {n: (place if n in dropped else at, tp) for n, (at, tp) in apart.items()}
        if group & set(before) and (refusal := why_not_shift(pos, nation, apart, after)):
            return refusal
    return None


def drop(draft: Draft, members: Sequence[int], action: Drop) -> None:
    """Companions and wagons stay behind."""
    give_away(draft, draft.side(members[0]))  # who commands now
    for number in action.companions:
        if action.inside and not draft.data.is_wagon(number):
            draft.change(number, inside=True)
    here = draft.units[members[0]].hex
    how = "stay inside" if action.inside else "stay"
    draft.emit(WentThrough(side=draft.side(members[0]), units=action.companions, hex=here, how=how))
