"""O7, O10: zones of control; sources, links and paths of supply; depots are begun, completed, removed, destroyed.

Only Austrian field stacks have a zone, so zones affect only the Prussian side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.memo import memo_of, memoized
from leuthen.engine.ruleset import OTHER, WATCHER, ActorId, OwnerId, Side
from leuthen.rulesets.frederick.model.actions import Build, Remove
from leuthen.rulesets.frederick.model.data import AUSTRIA, GERMAN_STATES, NO_POWER, TERRITORIES
from leuthen.rulesets.frederick.model.decisions import Decision, Phase, refuse_in_phase
from leuthen.rulesets.frederick.model.events import DepotChanged, DepotWork
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES, Depot, Stack
from leuthen.rulesets.frederick.model.state import Draft, Position, is_in_field, is_present, occupied_hexes
from leuthen.wargame.board import Hex, Hexes, as_hex, hex_set
from leuthen.wargame.strength import Bag, PowerId, largest


def has_zone(stack: Stack | None) -> bool:
    """Return whether a field stack has a zone: SP, and its largest contingent Austrian (O7.1, O7.5)."""
    return stack is not None and stack.sp > 0 and stack.nation == AUSTRIA and stack.side == AUSTRIAN


def is_in_zone(pos: Position, here: Hex, side: OwnerId) -> bool:
    """Return whether a hex lies in an enemy zone of control for `side` (O7.1–O7.3, O7.5). Zones do not add up (O5.16).

    None reaches into a fortress hex that holds SP of the Prussian side (O7.2).
    """
    if side == AUSTRIAN or not is_next_to_zone(pos, here):
        return False
    return here not in pos.data.fortresses or not is_present(pos, here, PRUSSIAN)


def is_next_to_zone(pos: Position, here: Hex) -> bool:
    """Return whether a hex is next to a stack that has a zone (O7.1, O7.2)."""
    return bool(pos.data.board.rings[here] & casters(pos))


def casters(pos: Position) -> Hexes:
    """Return the hexes of field stacks that have a zone, including one on the march (O7.1)."""
    force = pos.marcher
    return pos.austrians | 1 << force.hex if force is not None and has_zone(force) else pos.austrians


def zone_for_supply(pos: Position) -> Hexes:
    """Return zones closed to Prussian supply (O7.3, O10.3): not held fortresses (O7.2) nor own stacks (O7.4)."""
    casting = casters(pos)
    if not casting:
        return 0
    field, inside = occupied_hexes(pos)[PRUSSIAN]
    return pos.data.board.spread(casting) & ~(field | (inside & pos.data.fortress_hexes))


Fields = Mapping[int, Hexes]
"""Hexes in supply, by length of path."""
_MOST: Final = 500
"""Number of such fields stored with the data."""


@memoized("lasting")
def neutral_ground(pos: Position) -> Hexes:
    """Return territory of neutral powers, and the German States until they are open (O5.19, C9.5, C3.6)."""
    board, ground = pos.data.board, 0
    for territory, power in TERRITORIES.items():
        if is_neutral_land(pos, territory, power):
            ground |= board.region(territory)
    return ground


def is_neutral_land(pos: Position, territory: str, power: PowerId) -> bool:
    """Return whether entering a territory is a violation (C3.3), save for C9.1 and C9.2.

    A side's own land, the enemy's and that of surrendered powers are free to it (C1.4, C11.5); East Prussia is Prussian
    (C9.4).
    """
    if territory == GERMAN_STATES and pos.german_open:  # C9.2
        return False
    return pos.is_neutral(power)


def violated_by(pos: Position, here: Hex) -> PowerId:
    """Return the neutral power violated by entering a hex, or -1 (O5.19, C3.6), as in the lands of C9.1."""
    territory = pos.data.board.territory[here]
    power = TERRITORIES.get(territory, NO_POWER)
    return power if power >= 0 and is_neutral_land(pos, territory, power) else NO_POWER


def is_besieged(pos: Position, here: Hex, side: OwnerId) -> bool:
    """Return whether a fortress of `side` is besieged: enemy field SP, and no friendly ones (O13.1, O2.7, O4.4).

    A siege roll requires the same (O13.8).
    """
    if pos.owners.get(here) != side:
        return False
    field = occupied_hexes(pos)
    return bool(field[OTHER[side]][0] & ~field[side][0] & 1 << here)


def sources(pos: Position, side: OwnerId) -> Hexes:
    """Return the fortresses that are sources of supply: home, friendly, not besieged (O10.1, O10.7, O10.13)."""
    field = occupied_hexes(pos)
    besieged = field[OTHER[side]][0] & ~field[side][0]  # O13.1
    return _friendly_homes(pos, side) & ~besieged


@memoized("by_owners")
def _friendly_homes(pos: Position, side: OwnerId) -> Hexes:
    return hex_set(here for here in pos.homes(side) if pos.owners[here] == side)


def links(pos: Position, side: OwnerId) -> Iterator[tuple[Hex, int]]:
    """Yield captured fortresses with a garrison and complete depots, which pass supply on.

    Each with the length of its own path: that of the power that holds or built it (O10.2, O10.5, O10.9).
    """
    field, inside = occupied_hexes(pos)[OTHER[side]]
    enemy = field | inside
    for here in captured(pos, side):
        garrison = pos.inside(here, side)
        if garrison and garrison.sp:
            yield here, path_length(pos, garrison.sp, garrison.nation)
    for here, length in complete_depots(pos, side):
        if not enemy >> here & 1:
            yield here, length


@memoized("by_depots")
def complete_depots(pos: Position, side: OwnerId) -> tuple[tuple[Hex, int], ...]:
    """Return the complete depots of a side, each with the length of its path (O10.2)."""
    return tuple(
        (here, pos.data.powers[depot.power].supply)
        for here, depot in sorted(pos.depots.items(), key=lambda item: item[0])
        if depot.complete and pos.side_of(depot.power) == side
    )


@memoized("by_owners")
def captured(pos: Position, side: OwnerId) -> tuple[Hex, ...]:
    """Return the fortresses of a side that are not home fortresses of its powers (O10.1)."""
    homes = pos.homes(side)
    return tuple(here for here, owner in pos.owners.items() if owner == side and here not in homes)


@memoized("known")
def supply(pos: Position, side: OwnerId) -> Fields:
    """Return all hexes in supply for a side, by length of path: 4 and 5 hexes (O10.2)."""
    working, passable, ends = sources(pos, side), open_hexes(pos, side), tuple(links(pos, side))
    # the same sources, links and open hexes give the same fields, whoever has moved meanwhile
    traced = memo_of(pos.data, "supply", _MOST)
    return traced.get_or_compute((working, passable, ends), lambda: _chain(pos, working, passable, ends))


def _chain(pos: Position, working: Hexes, passable: Hexes, ends: tuple[tuple[Hex, int], ...]) -> Fields:
    """A link supplies if it has a path to a source or to a working link (O10.1)."""
    waiting = list(ends)
    while True:
        fields = _widen(pos, working, passable)
        found = [link for link in waiting if fields[link[1]] >> link[0] & 1]
        if not found:
            return fields
        waiting = [link for link in waiting if link not in found]
        for here, _ in found:
            working |= 1 << here


def open_hexes(pos: Position, side: OwnerId) -> Hexes:
    """Return the hexes that a path of supply may enter (O10.3)."""
    enemy = occupied_hexes(pos)[OTHER[side]]
    zone = zone_for_supply(pos) if side == PRUSSIAN else 0
    return pos.data.board.land & ~(enemy[0] | enemy[1] | zone | neutral_ground(pos))


def _widen(pos: Position, working: Hexes, passable: Hexes) -> dict[int, Hexes]:
    """A path counts every hex except the stack's own, which is never tested (O10.9); at a source it is 0."""
    spread = pos.data.board.spread
    reached, edge = working, working & passable
    seen = edge
    fields: dict[int, Hexes] = {}
    for length in range(1, 6):
        fresh = spread(edge)
        reached |= fresh
        edge = fresh & passable & ~seen
        seen |= edge
        fields[length] = reached
    return fields


def path_length(pos: Position, sp: Bag, leader_power: PowerId) -> int:
    """Return a stack's length of path: the shortest among its powers (O10.2); of leaders alone theirs (O10.12)."""
    if not sp:
        return pos.data.powers[leader_power].supply
    for length, theirs in pos.data.paths:
        if sp & theirs:
            return length
    raise ValueError("SP of no power")


def is_supplied(pos: Position, stack: Stack) -> bool:
    """Return whether a stack is in supply (O10.2); a garrison also if not besieged (O10.8) or small enough (O13.6)."""
    if stack.inside:
        return not is_besieged(pos, stack.hex, stack.side) or stack.strength <= feeds(pos, stack.hex)
    return bool(supply(pos, stack.side)[path_length(pos, stack.sp, stack.nation)] >> stack.hex & 1)


def feeds(pos: Position, here: Hex) -> int:
    """Return the number of besieged SP that a fortress feeds: its VP, or 5 if it has none (O13.6)."""
    return pos.data.fortresses[here].vp or 5


BUILDERS = 10
"""SP needed to begin a depot (O10.4)."""
MOST_DEPOTS = 6
"""Depots of a power, begun or complete (O10.4)."""


def own_depots(pos: Position, side: OwnerId) -> Iterator[tuple[Hex, Depot]]:
    for here in sorted(pos.depots):
        if pos.side_of(pos.depots[here].power) == side:
            yield here, pos.depots[here]


def why_not_build(pos: Position, here: Hex, side: OwnerId, judged: Position | None = None) -> Refusal | None:
    """Return the rule that forbids a side to begin a depot in a hex, or None (O10.4, O10.10).

    `judged` is the position in which supply was judged, if different (O4.4).
    """
    stack = pos.field(here, side)
    if stack is None or stack.strength < BUILDERS:
        have = stack.strength if stack else 0
        return Refusal("O10.4", "a depot needs a field stack of {} SP: {} are there", (BUILDERS, have), here)
    depot = pos.depots.get(here)
    if depot is not None and (depot.complete or pos.side_of(depot.power) == side):  # what is not seen forbids nothing
        return Refusal("O10.4", "there is already a depot", (), here)
    if is_in_field(pos, here, OTHER[side]):
        return Refusal("O10.4", "an enemy field stack is in the hex", (), here)
    if stack.quartered:
        return Refusal("O14.1", "a stack in winter quarters cannot build", (), here)
    if not is_supplied(judged or pos, stack):
        return Refusal("O10.4", "the stack is out of supply", (), here)
    power = largest(stack.sp)
    if sum(depot.power == power for depot in pos.depots.values()) >= MOST_DEPOTS:
        return Refusal("O10.4", "{} already has {} depots", (pos.data.powers[power].name, MOST_DEPOTS), here)
    return None


class DepotPhase(Phase[Build | Remove], rule="O10.4", name="Depots", neutral=Done()):
    """Depots are completed or removed first, then new ones are begun (O10.10)."""

    PROMPT = "Depot Phase: build or remove a depot"
    judged: bool = False
    removed: tuple[tuple[Hex, PowerId], ...] = ()
    """Complete depots removed in this phase, with their powers: supply was judged with them (O4.4)."""

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (self.side,) if self.judged else ()

    def step(self, draft: Draft) -> None:
        """A depot is completed if SP stayed, led or not (O8.6), and the hex kept its supply."""
        ready = [(here, depot) for here, depot in own_depots(draft, self.side) if not depot.complete]
        fields = supply(draft, self.side) if ready else {}  # O4.4: judged once, as the phase begins
        for here, depot in ready:
            fed = fields[draft.data.powers[depot.power].supply] >> here & 1
            if depot.held and depot.fed and fed and not is_in_field(draft, here, OTHER[self.side]):
                draft.set_depot(here, msgspec.structs.replace(depot, complete=True))
                draft.emit(DepotChanged(side=self.side, power=depot.power, hex=here, how="is complete"))
            else:
                draft.set_depot(here, None)
                draft.emit(DepotWork(side=self.side, power=depot.power, hex=here, how="is given up"))
        draft.learn(OTHER[self.side], WATCHER)  # none completed tells as much as one
        draft.swap(DepotPhase(self.side, True))

    def is_evident(self, pos: Position, actor: Side) -> bool:
        """There is no complete depot, and both sides know that no stack can build one."""
        stands = any(depot.complete for _, depot in own_depots(pos, self.side))
        fields = (stack for stack in pos.own(self.side) if not stack.inside and stack.sp and not stack.quartered)
        return not stands and all(stack.high < BUILDERS for stack in fields)

    def script(self, pos: Position, actor: Side) -> Script[Build | Remove | Done]:
        field = [stack for stack in pos.own(self.side) if not stack.inside and stack.sp]
        judged = pos
        if self.removed:  # supply was judged with the depots that existed as the phase began (O4.4)
            judged = before = Draft(pos)
            for there, power in self.removed:
                before.set_depot(there, Depot(power, True))
        strong = [stack.hex for stack in field if stack.strength >= BUILDERS]
        sites = [here for here in strong if why_not_build(pos, here, self.side, judged) is None]
        own = [here for here, _ in own_depots(pos, self.side)]
        kinds: list[Token] = ["done", *(["build"] if sites else []), *(["remove"] if own else [])]
        kind = yield Slot("do", kinds, partial(refuse_in_phase, _NO_DEPOT), refused=lambda: ("build", "remove"))
        if kind == "build":

            def refuse(token: Token) -> Refusal:
                nowhere = Refusal("O10.4", "no depot can be begun there", (), as_hex(token))
                return why_not_build(pos, as_hex(token), self.side, judged) or nowhere

            camps = sorted([stack.hex for stack in field])
            return Build(as_hex((yield Slot("hex", sites, refuse, refused=lambda: camps))))
        if kind == "remove":
            here = yield Slot("hex", own, lambda token: Refusal("O10.5", "no depot of yours is there", (), int(token)))
            return Remove(as_hex(here))
        return Done()

    def act(self, draft: Draft, action: Build | Remove) -> None:
        """A depot under construction is hidden from the other side (O3.1)."""
        if isinstance(action, Build):
            power = largest(draft.stack_at(action.hex, self.side).sp)  # O10.11
            draft.set_depot(action.hex, Depot(power, False))
            draft.emit(DepotWork(side=self.side, power=power, hex=action.hex, how="is begun"))
        else:
            depot = draft.depots[action.hex]
            if depot.complete:
                draft.swap(DepotPhase(self.side, True, (*self.removed, (action.hex, depot.power))))
            remove_depot(draft, action.hex, self.side, "is removed", by="O10.5")


_NO_DEPOT: Final = {
    "build": Refusal("O10.4", "no field stack of {} SP in supply can begin a depot", (BUILDERS,)),
    "remove": Refusal("O10.5", "you have no depot"),
}


def remove_depot(draft: Draft, here: Hex, side: OwnerId, how: str, *, by: str) -> None:
    """Remove a depot; only its own side learns of one under construction."""
    depot = draft.depots[here]
    event = DepotChanged if depot.complete else DepotWork
    draft.set_depot(here, None)
    draft.emit(event(side=side, by=by, power=depot.power, hex=here, how=how))


def lose_depot(draft: Draft, here: Hex, side: OwnerId) -> None:
    """Remove the depot of a side that is lost with its stack (O5.9)."""
    if here in draft.depots and draft.side_of(draft.depots[here].power) == side:
        remove_depot(draft, here, side, "is lost", by="O5.9")


class DestroyDepots(Decision, rule="O10.5", name="Depots destroyed"):
    """Enemy depots are destroyed at the end of the March, Force March and Combat Phases (O4.4)."""

    def step(self, draft: Draft) -> None:
        """An enemy field stack alone in a depot's hex destroys it; a garrison does not save it (O10.5)."""
        draft.pop()
        (prussian, _), (austrian, _), _ = occupied_hexes(draft)
        alone = austrian & ~prussian, prussian & ~austrian
        for here in sorted([here for here in draft.depots if (prussian ^ austrian) >> here & 1]):
            side = draft.side_of(draft.depots[here].power)
            if side in SIDES and alone[side] >> here & 1:
                remove_depot(draft, here, side, "is destroyed", by="O10.5")
