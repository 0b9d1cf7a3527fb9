"""O13: sieges."""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.ruleset import OTHER, WATCHER, ActorId, OwnerId, Side
from leuthen.engine.state import Values
from leuthen.rulesets.frederick.model.actions import Besiege, Garrison, Refuge
from leuthen.rulesets.frederick.model.decisions import DieRoll, Phase, SideDecision
from leuthen.rulesets.frederick.model.events import GarrisonLeft, Regrouped, SiegeRolled, SpLost, StackSurrendered
from leuthen.rulesets.frederick.model.pieces import UNKNOWN, Stack
from leuthen.rulesets.frederick.model.state import Draft, Position, is_in_field, is_inside
from leuthen.rulesets.frederick.rules.c11_allegiance import home_fortresses, imprison
from leuthen.rulesets.frederick.rules.o05_forces import ask_leaders, ask_sp
from leuthen.rulesets.frederick.rules.o09_combat import defence_bonus
from leuthen.rulesets.frederick.rules.o10_supply import is_besieged, remove_depot
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes, show_move
from leuthen.wargame.board import Hex, as_hex, hexes_of
from leuthen.wargame.strength import Bag, PowerId, bag, lose, of, powers

MOST_DEFENCE = 2
"""A commander inside counts two at most (O13.2)."""
GREAT = 10
"""VP of a great fortress (O13.2)."""


def why_not_besiege(pos: Position, here: Hex, side: OwnerId) -> Refusal | None:
    """Return the rule that forbids a siege roll in a hex, or None (O13.1, O13.8, O8.6); neutrals are exempt (C9.6)."""
    garrison, camp = pos.inside(here, OTHER[side]), pos.field(here, side)
    if garrison is None or not garrison.sp:
        return Refusal("O13.1", "no enemy holds a fortress there", (), here)
    if camp is None or not camp.sp:
        return Refusal("O13.1", "a siege needs a field stack with SP", (), here)
    depot = pos.depots.get(here)
    if depot is None or pos.side_of(depot.power) != side or not depot.complete:
        return Refusal("O13.1", "a siege needs a complete depot in the hex", (), here)
    if not is_besieged(pos, here, OTHER[side]):
        return Refusal("O13.8", "a relief force in the field holds the siege up", (), here)
    if camp.demoralized:
        return Refusal("O13.8", "a demoralized stack cannot besiege", (), here)
    return None


class SiegePhase(Phase[Besiege], rule="O13.1", name="Siege", neutral=Done()):
    """One roll per fortress, in any order (O13.8)."""

    PROMPT = "Siege Phase: roll for the siege of a fortress"
    rolled: tuple[Hex, ...] = ()

    def _camps(self, pos: Position) -> list[Hex]:
        return list(hexes_of(pos.marks[self.side][0] & pos.marks[OTHER[self.side]][1]))

    def _open(self, pos: Position) -> list[Hex]:
        camps = (here for here in self._camps(pos) if here not in self.rolled)
        return [here for here in camps if not why_not_besiege(pos, here, self.side)]

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The side, if a roll is possible: both sides see where."""
        return (self.side,) if self._open(pos) else ()

    def script(self, pos: Position, actor: Side) -> Script[Besiege | Done]:
        if (yield Slot("do", ("done", "besiege"), Refusal("O4.2", "this is the Siege Phase"))) == "done":
            return Done()

        def refuse(token: Token) -> Refusal:
            here = as_hex(token)
            if here in self.rolled:
                return Refusal("O13.8", "each siege gets one roll a phase", (), here)
            return why_not_besiege(pos, here, self.side) or Refusal("O13.1", "no siege there", (), here)

        return Besiege(as_hex((yield Slot("hex", self._open(pos), refuse, refused=lambda: self._camps(pos)))))

    def act(self, draft: Draft, action: Besiege) -> None:
        """The depot is spent whatever the result (O13.8)."""
        remove_depot(draft, action.hex, self.side, "is spent on the siege", by="O13.1")
        draft.swap(SiegePhase(self.side, (*self.rolled, action.hex)))
        draft.push(SiegeRoll(self.side, action.hex))


def strength_modifier(besiegers: int, garrison: int) -> int:
    """Return +1 at four to one, −1 at less than two to one (O13.2)."""
    return (besiegers >= 4 * garrison) - (besiegers < 2 * garrison)


class SiegeRoll(DieRoll, rule="O13.2", name="Siege roll"):
    side: Side
    hex: Hex

    def has_lapsed(self, pos: Position) -> bool:
        return not (is_in_field(pos, self.hex, self.side) and is_inside(pos, self.hex, OTHER[self.side]))

    def rolled(self, draft: Draft, die: int) -> None:
        side, here = self.side, self.hex
        camp, garrison = draft.stack_at(here, side), draft.stack_at(here, OTHER[side], 1)
        defence, ratio, great, winter, earlier = modifiers = siege_modifiers(draft, camp, garrison)
        total = die + sum(modifiers)
        result = siege_result(draft, total)
        values: Values = {"defence": -defence, "ratio": ratio, "great": great < 0, "winter": winter < 0}
        draft.emit(SiegeRolled(side=side, hex=here, die=die, **values, earlier=earlier, total=total, result=result))
        _reveal_bounds(draft, camp, garrison, ratio)
        draft.sieges = {**draft.sieges, here: earlier + 1}
        if result in RESULTS:  # else the siege goes on
            RESULTS[result](draft, side, here)


def siege_modifiers(pos: Position, camp: Stack, garrison: Stack) -> tuple[int, int, int, int, int]:
    """Return the modifiers: commander inside, strength, great fortress, winter, earlier rolls (O13.2)."""
    return (
        -min(MOST_DEFENCE, defence_bonus(pos, garrison)),
        strength_modifier(camp.strength, garrison.strength),
        -(pos.data.fortresses[camp.hex].vp == GREAT),
        -pos.is_winter,
        pos.sieges.get(camp.hex, 0),
    )


def siege_result(pos: Position, total: int) -> str:
    """Return the result by the table (O13.2)."""
    found = [result for lowest, result in pos.data.siege if total >= lowest]
    return found[-1] if found else pos.data.siege[0][1]


def _reveal_bounds(draft: Draft, camp: Stack, garrison: Stack, ratio: int) -> None:
    """Both see the modifier for strength, which bounds their knowledge of each other (O3.2)."""
    mine, theirs = camp.strength, garrison.strength
    inside = {1: (1, mine // 4), 0: (mine // 4 + 1, mine // 2), -1: (mine // 2 + 1, UNKNOWN)}[ratio]
    outside = {1: (4 * theirs, UNKNOWN), 0: (2 * theirs, 4 * theirs - 1), -1: (1, 2 * theirs - 1)}[ratio]
    for stack, (low, high) in ((garrison, inside), (camp, outside)):
        draft.narrow_band(stack, low, high)
    draft.learn(0, 1, WATCHER)


def repulse(draft: Draft, side: OwnerId, here: Hex) -> None:
    """Take 1 SP from the besieger (O13.2), of a mixed stack by O2.9."""
    camp = draft.stack_at(here, side)
    lost = lose(camp.sp, 1)
    draft.put(draft.remove_one_sp(camp, lost))
    draft.emit(SpLost.of(camp, by="O13.2", power=next(powers(lost))))
    resolve_hexes(draft)


def grant_honours(draft: Draft, side: Side, here: Hex) -> None:
    """Let the garrison march off, split by nations if mixed; the besieger may put SP inside (O13.3, O13.5)."""
    garrison = draft.stack_at(here, OTHER[side], 1)
    draft.push(Occupation(side, here))
    draft.learn(0, 1, WATCHER)
    for power in reversed(tuple(powers(garrison.sp))):
        draft.push(Departure(OTHER[side], here, power))
    draft.touched.clear()


def surrender_garrison(draft: Draft, side: Side, here: Hex) -> None:
    """Make SP prisoners, capture leaders and show the strength to the besieger (O13.4, O3.2)."""
    garrison = draft.stack_at(here, OTHER[side], 1)
    draft.remove(garrison)
    imprison(draft, garrison)
    draft.emit(StackSurrendered.of(garrison, by="O13.4"))
    draft.learn(0, 1, WATCHER)
    draft.push(Occupation(side, here))
    resolve_hexes(draft)


RESULTS: Final = {"repulse": repulse, "honours": grant_honours, "surrender": surrender_garrison}


class Departure(SideDecision[Refuge], rule="O13.3", name="Honours of war", neutral=None):
    """One nation of a garrison goes to its nearest home fortress that is not besieged (O13.3, O13.10)."""

    PROMPT = "Honours of war: choose a fortress for the garrison of {power}"
    hex: Hex
    power: PowerId

    def has_lapsed(self, pos: Position) -> bool:
        garrison = pos.inside(self.hex, self.side)
        return garrison is None or not of(garrison.sp, self.power)

    def _havens(self, pos: Position) -> list[Hex]:
        distances = pos.data.board.distances(self.hex)
        homes = [there for there in home_fortresses(pos, self.power) if there in distances and there != self.hex]
        own = [there for there in homes if pos.owners[there] == self.side and not is_besieged(pos, there, self.side)]
        least = min([distances[there] for there in own], default=0)
        return sorted(there for there in own if distances[there] == least)

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The owner, among fortresses equally near (O2.8)."""
        return (self.side,) if len(self._havens(pos)) > 1 else ()

    def script(self, pos: Position, actor: Side) -> Script[Refuge]:
        yield Slot("do", ("refuge",), Refusal("O13.3", "the garrison must go somewhere"))
        havens = self._havens(pos)
        here = yield Slot("hex", havens, lambda token: Refusal("O13.3", "another fortress is nearer", (), int(token)))
        yield Slot("inside", (1,), Refusal("O13.10", "the garrison arrives inside"))
        return Refuge(as_hex(here), True)

    def answer(self, draft: Draft, actor: Side, action: Refuge) -> None:
        draft.pop()
        self._leave(draft, action.hex)

    def step(self, draft: Draft) -> None:
        """The garrison goes to the only fortress; without one it surrenders."""
        havens = self._havens(draft)
        draft.pop()
        if havens:
            self._leave(draft, havens[0])
            return
        part = self._part(draft)
        draft.emit(StackSurrendered.of(part, by="O13.3"))
        imprison(draft, part)
        resolve_hexes(draft)

    def _part(self, draft: Draft) -> Stack:
        garrison = draft.stack_at(self.hex, self.side, 1)
        sp: Bag = bag(self.power, of(garrison.sp, self.power))
        last = sp == garrison.sp
        leaders = tuple(n for n in garrison.leaders if last or draft.leader(n).power == self.power)
        return draft.detach(garrison, leaders, sp)

    def _leave(self, draft: Draft, there: Hex) -> None:
        part = self._part(draft)
        draft.join_stack(msgspec.structs.replace(part, hex=there, inside=True))
        draft.emit(GarrisonLeft(side=self.side, power=self.power, sp=part.sp, hex=self.hex, to=there))
        resolve_hexes(draft)


class Occupation(Phase[Garrison], rule="O13.5", name="Garrison for a fallen fortress", neutral=Done()):
    """The besieger may put SP inside at once (O13.5)."""

    PROMPT = "The fortress has fallen: you may garrison it"
    hex: Hex

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        camp = pos.field(self.hex, self.side)
        return (self.side,) if camp is not None and camp.sp and pos.owners[self.hex] == self.side else ()

    def script(self, pos: Position, actor: Side) -> Script[Garrison | Done]:
        """A demoralized stack does not divide (O11.1)."""
        if (yield Slot("do", ("done", "garrison"), Refusal("O13.5", "choose garrison or done"))) == "done":
            return Done()
        camp = pos.stack_at(self.hex, self.side)
        whole = camp.demoralized
        leaders = yield from ask_leaders(pos, camp, camp.leaders, whole)
        return Garrison(leaders, (yield from ask_sp(pos, camp, camp.sp, None, whole=whole, some=True)))

    def act(self, draft: Draft, action: Garrison) -> None:
        draft.pop()
        part = draft.detach(draft.stack_at(self.hex, self.side), action.leaders, action.sp)
        draft.join_stack(msgspec.structs.replace(part, inside=True))
        show_move(draft, Regrouped.of(part, by="O13.5", how="enter", inside=True, leaders=action.leaders))
