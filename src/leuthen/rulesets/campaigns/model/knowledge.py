"""R1.9, R1.10: what each side knows of the other's strengths, as part of the position (option `hidden`).

A sight belongs to the TP of a force. It goes along when all of them move together, and lapses when some leave or join.
Enemies in one hex count each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

from leuthen.engine.memo import memoized
from leuthen.engine.ruleset import OTHER, SIDES, WATCHER, Side, as_side
from leuthen.rulesets.campaigns.model.forces import field_tp, inside_tp, percent_of
from leuthen.rulesets.campaigns.model.pieces import Sight
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.wargame.board import Hex, StackKey, hexes_of, key_hex, key_inside, key_side, stack_key


@memoized("known")
def snapshot_of(pos: Position) -> Mapping[StackKey, tuple[int, ...]]:
    """Who has TP, by force: leaders and wagons by number, the garrison of a hex as a negative one."""
    found: dict[StackKey, tuple[int, ...]] = {}
    for here in pos.garrisons:
        side = next(side for side in SIDES if pos.census.insides[side] >> here & 1)
        found[stack_key(here, side, True)] = (-1 - here,)
    for number, unit in pos.units.items():
        if unit.tp:
            key = stack_key(unit.hex, pos.side(number), unit.inside)
            found[key] = (*found.get(key, ()), number)
    return found


def tp_of(pos: Position, key: StackKey) -> int:
    """The TP of a force."""
    count = inside_tp if key_inside(key) else field_tp
    return count(pos, key_hex(key), as_side(key_side(key)))


def update_knowledge(draft: Draft) -> None:
    """Sights of forces that have divided or been joined lapse (R1.9); enemies in one hex count each other (R1.10)."""
    if not draft.options.hidden:
        return
    now = snapshot_of(draft)
    if draft.snapshot is not None and draft.snapshot != now:
        known = {draft.snapshot[key]: sight for key, sight in draft.sights.items() if key in draft.snapshot}
        draft.sights = dict(sorted((key, known[crew]) for key, crew in now.items() if crew in known))
    draft.snapshot = now
    there = draft.census
    met = (there.fields[0] | there.insides[0]) & (there.fields[1] | there.insides[1])
    for here in hexes_of(met):
        show(draft, [key for key in (stack_key(here, *place) for place in product(SIDES, (0, 1))) if key in now])


def show(draft: Draft, keys: Iterable[StackKey]) -> None:
    """The strengths of some forces are seen now (R1.9)."""
    if not draft.options.hidden:
        return
    exact = {key: tp_of(draft, key) for key in keys}
    seen = {key: Sight(tp, tp, draft.clock) for key, tp in exact.items() if tp}
    draft.sights = dict(sorted({**draft.sights, **seen}.items()))
    if draft.snapshot is not None:
        draft.snapshot = {**draft.snapshot, **{key: snapshot_of(draft)[key] for key in seen}}


def forget(draft: Draft, *keys: StackKey) -> None:
    """TP have come or gone unseen: what was known of these forces lapses (R1.9)."""
    if draft.options.hidden:
        draft.sights = {key: sight for key, sight in draft.sights.items() if key not in keys}


def dim(draft: Draft, here: Hex, side: Side, inside: bool, percent: int) -> None:
    """Up to so many per cent of the TP of a force are lost: how many is not seen (R1.9)."""
    sight = draft.sights.get(stack_key(here, side, inside))
    if sight is not None:
        low = max(1, sight.low - percent_of(percent, sight.low))
        draft.sights = {**draft.sights, stack_key(here, side, inside): Sight(low, sight.high, sight.since)}


def give_away(draft: Draft, *sides: int) -> None:
    """What these sides do may tell the others something hidden, and so may what does not happen (R1.11)."""
    if draft.options.hidden:
        draft.learn(*(OTHER[side] for side in sides), WATCHER)
