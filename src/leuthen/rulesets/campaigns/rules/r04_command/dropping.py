"""R4.4: companions and wagons that stay behind on a march."""

from __future__ import annotations

from collections.abc import Sequence

from leuthen.engine.choice import STOP, Refusal, Script, Slot, Token
from leuthen.rulesets.campaigns.model.actions import Drop
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS
from leuthen.rulesets.campaigns.model.events.moving import WentThrough
from leuthen.rulesets.campaigns.model.forces import may_be_inside, strength
from leuthen.rulesets.campaigns.model.knowledge import give_away
from leuthen.rulesets.campaigns.model.state import Draft, Position, Unit
from leuthen.rulesets.campaigns.rules.r02_leaders.seniority import Where, is_bound, leaders_of, why_not_shift
from leuthen.rulesets.campaigns.rules.r04_command.activation import Activation
from leuthen.rulesets.campaigns.rules.r05_movement.walk import UNABLE, Walk
from leuthen.rulesets.campaigns.rules.r09_supply.supply import is_near, need, stock
from leuthen.wargame.board import NOWHERE, Hex, hex_name
from leuthen.wargame.strength import LeaderId, as_leader


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
        left = [number for number in left if may_be_inside(walk.pos, walk.pos.units[number])]
    chosen: list[LeaderId] = []
    while True:
        values_: list[Token] = [n for n in left if _can_go_on(walk, (*chosen, n), left, inside)]
        why_stop = _why_hungry(walk, chosen, inside)
        if chosen and not why_stop:
            values_.append(STOP)

        def refuse_one(
            token: Token, bar: Refusal | None = why_stop, before: Sequence[LeaderId] = tuple(chosen)
        ) -> Refusal:
            return bar if bar and token == STOP else _refuse(walk, before, token, inside)

        token = yield Slot("companions", values_, refuse_one, index=len(chosen))
        if token == STOP:
            return Drop(inside, tuple(chosen))
        chosen.append(as_leader(token))
        left = left[left.index(as_leader(token)) + 1 :]


def _can_go_on(walk: Walk, chosen: tuple[LeaderId, ...], left: Sequence[LeaderId], inside: bool) -> bool:
    """Whether these may be dropped, if need be with some of those who are named after them."""
    if _why_not(walk, chosen, inside):
        return False
    if not _why_hungry(walk, chosen, inside):
        return True
    later = left[left.index(chosen[-1]) + 1 :]
    return any(_can_go_on(walk, (*chosen, n), later, inside) for n in later)


def _why_hungry(walk: Walk, chosen: Sequence[LeaderId], inside: bool) -> Refusal | None:
    """Why these alone may not be dropped: they would be out of supply where they have been led (V3.1)."""
    if not chosen or walk.here == walk.origin[0]:
        return None
    return why_left_hungry(walk.pos, walk.here, inside, _with_those_before(walk, chosen, inside))


def _refuse(walk: Walk, before: Sequence[LeaderId], token: Token, inside: bool) -> Refusal:
    if token in [unit.number for unit in walk.units] and token not in before:
        chosen = (*before, as_leader(token))
        refusal = _why_not(walk, chosen, inside) or _why_hungry(walk, chosen, inside)
        if refusal:
            return refusal
    return Refusal("R4.4", "only companions and wagons of the group may be dropped", (), walk.here)


def _why_not(walk: Walk, dropped: Sequence[LeaderId], inside: bool) -> Refusal | None:
    """The rule that forbids to drop these, whoever else is dropped with them, or None (V8.2, V2.2)."""
    pos, place = walk.pos, (walk.here, inside)
    stays = inside and walk.inside
    if walk.havens and place not in walk.havens and not stays and any(pos.units[number].daunted for number in dropped):
        return Refusal("V8.2", "a demoralized leader goes to the nearest occupied fort, and inside", (), walk.here)
    for nation in ALL_NATIONS:
        if not is_bound(pos, nation):
            continue
        before: Where = leaders_of(pos, nation)
        group = {unit.number for unit in walk.units}
        apart: Where = {n: ((NOWHERE, False) if n in group else at, tp) for n, (at, tp) in before.items()}
        after: Where = {n: (place if n in dropped else at, tp) for n, (at, tp) in apart.items()}
        if group & set(before) and (refusal := why_not_shift(pos, nation, apart, after)):
            return refusal
    return None


def _with_those_before(walk: Walk, dropped: Sequence[LeaderId], inside: bool) -> list[Unit]:
    """These, and who of the group has been put down there before: they are tested together (V3.1)."""
    activation = next((frame for frame in reversed(walk.pos.frames) if isinstance(frame, Activation)), None)
    marching = {unit.number for unit in walk.units}
    there = [walk.pos.units[n] for n in (activation.group if activation else ()) if n in walk.pos.units]
    before = [u for u in there if u.number not in marching and (u.hex, u.inside) == (walk.here, inside)]
    return [*before, *(walk.pos.units[number] for number in dropped)]


def why_left_hungry(pos: Position, here: Hex, inside: bool, left: Sequence[Unit]) -> Refusal | None:
    """The rule that forbids to leave these behind in a hex to which they were led, or None (V3.1).

    They have ended their move: with one of command 2 or 1 among them, they are in supply, or carry what they need.
    """
    if not pos.options.einhorn or any(unit.daunted for unit in left):
        return None
    bound = [unit for unit in left if unit.tp and pos.leader(unit.number).command <= UNABLE]
    if not bound or is_near(pos, here, pos.side(left[0].number), inside) or stock(left) >= need(pos, strength(left)):
        return None
    name = pos.leader(bound[0].number).name
    return Refusal("V3.1", "{} would be left out of supply, and {} is", (name, hex_name(here)), here)


def drop(draft: Draft, members: Sequence[LeaderId], action: Drop) -> None:
    """Companions and wagons stay behind."""
    give_away(draft, draft.side(members[0]))  # who commands now
    for number in action.companions:
        if action.inside and may_be_inside(draft, draft.units[number]):
            draft.change(number, inside=True)
    here = draft.units[members[0]].hex
    how = "stay inside" if action.inside else "stay"
    draft.emit(WentThrough(side=draft.side(members[0]), units=action.companions, hex=here, how=how, by="R4.4"))
