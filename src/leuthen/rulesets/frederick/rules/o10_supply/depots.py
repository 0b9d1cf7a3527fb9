"""O10.4–O10.5, O10.10–O10.11: depots are begun, completed, removed, destroyed."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.ruleset import OTHER, WATCHER, ActorId, OwnerId, Side
from leuthen.rulesets.frederick.model.actions import Build, Remove
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.events.operations import DepotChanged, DepotWork
from leuthen.rulesets.frederick.model.pieces import SIDES, Depot
from leuthen.rulesets.frederick.model.state import Draft, Position, is_in_field, presence
from leuthen.rulesets.frederick.rules.o10_supply.supply import depot_side, is_supplied, supply
from leuthen.wargame.board import Hex, as_hex
from leuthen.wargame.strength import PowerId, largest

BUILDERS = 10
"""SP that are needed to begin a depot (O10.4)."""
MOST_DEPOTS = 6
"""Per power, begun or complete (O10.4)."""


def own_depots(pos: Position, side: OwnerId) -> Iterator[tuple[Hex, Depot]]:
    """The depots of a side, in the order of the board."""
    for here in sorted(pos.depots):
        if depot_side(pos, pos.depots[here]) == side:
            yield here, pos.depots[here]


def may_build(pos: Position, here: Hex, side: OwnerId, judged: Position | None = None) -> Refusal | None:
    """The rule that forbids a side to begin a depot in a hex, or None (O10.4, O10.10).

    `judged` is the position in which supply was judged, if that is another (O4.4).
    """
    stack = pos.field(here, side)
    if stack is None or stack.strength < BUILDERS:
        have = stack.strength if stack else 0
        return Refusal("O10.4", "a field stack of {} SP is needed, {} are there", (BUILDERS, have), here)
    depot = pos.depots.get(here)
    if depot is not None and (depot.complete or depot_side(pos, depot) == side):  # what is not seen forbids nothing
        return Refusal("O10.4", "there is a depot already", (), here)
    if is_in_field(pos, here, OTHER[side]):
        return Refusal("O10.4", "an enemy field stack is in the hex", (), here)
    if stack.quartered:
        return Refusal("O14.1", "a stack in winter quarters does not build", (), here)
    if not is_supplied(judged or pos, stack):
        return Refusal("O10.4", "the stack is out of supply", (), here)
    power = largest(stack.sp)
    if sum(depot.power == power for depot in pos.depots.values()) >= MOST_DEPOTS:
        name = pos.data.powers[power].name
        return Refusal("O10.4", "{} has {} depots already", (name, MOST_DEPOTS), here)
    return None


class DepotPhase(Decision[Build | Remove | Done], rule="O10.4", name="Depots", neutral=Done()):
    """First depots are completed or removed, then new ones are begun (O10.10)."""

    side: Side
    judged: bool = False
    removed: tuple[tuple[Hex, PowerId], ...] = ()
    """Complete depots removed in this phase, with their powers: supply was judged with them (O4.4)."""

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The side, after its depots were judged."""
        return (self.side,) if self.judged else ()

    def step(self, draft: Draft) -> None:
        """A depot under construction is complete if SP stayed, led or not (O8.6), and the hex kept its supply."""
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
        """No depot stands, and no stack in the field is known to both sides to be able to build one."""
        stands = any(depot.complete for _, depot in own_depots(pos, self.side))
        fields = (stack for stack in pos.own(self.side) if not stack.inside and stack.sp and not stack.quartered)
        return not stands and all(stack.high < BUILDERS for stack in fields)

    def script(self, pos: Position, actor: Side) -> Script[Build | Remove | Done]:
        """Begin or remove one, or end the phase."""
        strong = [stack.hex for stack in pos.own(self.side) if not stack.inside and stack.strength >= BUILDERS]
        judged = self._as_judged(pos)
        sites = [here for here in strong if may_build(pos, here, self.side, judged) is None]
        own = [here for here, _ in own_depots(pos, self.side)]
        kinds: list[Token] = ["done", *(["build"] if sites else []), *(["remove"] if own else [])]
        kind = yield Slot("do", kinds, _no_kind, refused=lambda: ("build", "remove"))
        if kind == "build":
            here = yield Slot(
                "hex", sites, lambda token: self._no_site(pos, token), refused=lambda: _field_hexes(pos, self.side)
            )
            return Build(as_hex(here))
        if kind == "remove":
            here = yield Slot("hex", own, lambda token: Refusal("O10.5", "no depot of yours is there", (), int(token)))
            return Remove(as_hex(here))
        return Done()

    def _as_judged(self, pos: Position) -> Position:
        """The position with the depots that stood when supply was judged, as the phase began (O4.4)."""
        if not self.removed:
            return pos
        before = Draft(pos)
        for here, power in self.removed:
            before.set_depot(here, Depot(power, True))
        return before

    def _no_site(self, pos: Position, token: Token) -> Refusal:
        here = as_hex(token)
        return may_build(pos, here, self.side, self._as_judged(pos)) or Refusal(
            "O10.4", "no depot can be begun there", (), here
        )

    def answer(self, draft: Draft, actor: Side, action: Build | Remove | Done) -> None:
        """Carries it out; a depot under construction is not seen by the other side (O3.1)."""
        if isinstance(action, Done):
            draft.pop()
        elif isinstance(action, Build):
            _begin(draft, self.side, action.hex)
        else:
            depot = draft.depots[action.hex]
            if depot.complete:
                draft.swap(DepotPhase(self.side, True, (*self.removed, (action.hex, depot.power))))
            remove_depot(draft, action.hex, self.side, "is removed", by="O10.5")

    def prompt(self, pos: Position, actor: Side) -> str:
        return "Depot Phase: build or remove a depot"


def _no_kind(token: Token) -> Refusal:
    if token == "build":
        return Refusal("O10.4", "no field stack of {} SP in supply can begin a depot", (BUILDERS,))
    if token == "remove":
        return Refusal("O10.5", "you have no depot")
    return Refusal("O4.2", "this is not the phase for «{}»", (token,))


def _field_hexes(pos: Position, side: OwnerId) -> list[Hex]:
    return sorted(stack.hex for stack in pos.own(side) if not stack.inside and stack.sp)


def _begin(draft: Draft, side: OwnerId, here: Hex) -> None:
    stack = draft.field(here, side)
    assert stack is not None
    power = largest(stack.sp)  # O10.11
    draft.set_depot(here, Depot(power, False))
    draft.emit(DepotWork(side=side, power=power, hex=here, how="is begun"))


def remove_depot(draft: Draft, here: Hex, side: OwnerId, how: str, *, by: str) -> None:
    """A depot is gone; of one under construction only its side learns."""
    depot = draft.depots[here]
    event = DepotChanged if depot.complete else DepotWork
    draft.set_depot(here, None)
    draft.emit(event(side=side, by=by, power=depot.power, hex=here, how=how))


def lose_depot(draft: Draft, here: Hex, side: OwnerId) -> None:
    """The depot of a side in a hex is lost with the stack (O5.9)."""
    if here in draft.depots and depot_side(draft, draft.depots[here]) == side:
        remove_depot(draft, here, side, "is lost", by="O5.9")


def destroy_depots(draft: Draft) -> None:
    """An enemy field stack alone in its hex as a phase ends destroys a depot; a garrison does not save it (O10.5)."""
    (prussian, _), (austrian, _), _ = presence(draft)
    alone = austrian & ~prussian, prussian & ~austrian
    for here in sorted([here for here in draft.depots if (prussian ^ austrian) >> here & 1]):
        side = depot_side(draft, draft.depots[here])
        if side in SIDES and alone[side] >> here & 1:
            remove_depot(draft, here, side, "is destroyed", by="O10.5")


class DestroyDepots(Decision, rule="O10.5", name="Depots destroyed"):
    """As the March, Force March and Combat Phases end (O4.4)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        destroy_depots(draft)
