"""R4: command chits, and the orders that a chit allows."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Final

from leuthen.engine.choice import STOP, Action, Refusal, Script, Slot, Token, ask_members
from leuthen.engine.decision import Done
from leuthen.engine.memo import memoized
from leuthen.engine.refusal import first_refusal
from leuthen.engine.ruleset import CHANCE, NOBODY, SIDES, ActorId, Side
from leuthen.rulesets.campaigns.model.actions import Chit, March, Sortie
from leuthen.rulesets.campaigns.model.events import ChitDrawn, WentThrough
from leuthen.rulesets.campaigns.model.forces import is_besieged, is_friendly, is_held_back, is_occupied, units_at
from leuthen.rulesets.campaigns.model.pieces import FRESH, Unit
from leuthen.rulesets.campaigns.model.state import Decision, Draft, Position, SideDecision
from leuthen.rulesets.campaigns.rules.r02_leaders import can_complete, why_not_part
from leuthen.rulesets.campaigns.rules.r04_command.activation import Activation
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching, ask_forage, ask_path, walk_leg
from leuthen.rulesets.campaigns.rules.r05_walk import allowance
from leuthen.rulesets.campaigns.rules.r06_meeting import Meeting
from leuthen.rulesets.campaigns.rules.r08_forced_march import ForcedMarches
from leuthen.rulesets.campaigns.rules.r09_supply import MOST_MOVES, is_near
from leuthen.rulesets.campaigns.rules.r12_battle import open_battle
from leuthen.wargame.strength import LeaderId, as_leader

_BASE = 8  # encodes side and command in one number


FRESHLY: Final[Mapping[str, object]] = {
    **dict.fromkeys(("left", "forced", "cornered"), False),
    **dict.fromkeys(("moves", "fed"), 0),
    "fodder": FRESH,
    "via": -1,
}
"""Values that a unit gets as step F begins, and in winter (R17.8)."""


class Snapshot(Decision, rule="R4.1", name="Command"):
    """Step F begins: note each unit's hex and whether it is in depot range (V3.5); then fill the cup (R4.1)."""

    def step(self, draft: Draft) -> None:
        """Clear the marks of the last turn, and add a chit for each command on the map."""
        sides = draft.data.sides
        for number, unit in list(draft.units.items()):
            far = not is_near(draft, unit.hex, sides[number], unit.inside)
            used = unit.left or unit.moves or unit.fodder or unit.fed or unit.forced or unit.cornered
            if used or unit.start != unit.hex or unit.far != far:
                draft.change(number, start=unit.hex, far=far, **FRESHLY)
        draft.drawn = frozenset()
        chits = {sides[number] * _BASE + draft.data.leaders[number].command for number in draft.units}
        draft.swap(Command(tuple(sorted(chits))))


class Command(Decision[Chit], rule="R4.1", name="Chit"):
    """Chits are drawn until the cup is empty (R4.1)."""

    cup: tuple[int, ...]

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (CHANCE,) if self.cup else ()

    def chits(self) -> list[Chit]:
        return [Chit(SIDES[number // _BASE], number % _BASE) for number in self.cup]

    def chances(self, pos: Position) -> tuple[tuple[Action, Fraction], ...]:
        return tuple(zip(self.chits(), [Fraction(1, len(self.cup))] * len(self.cup), strict=True))

    def answer(self, draft: Draft, actor: Side, action: Chit) -> None:
        chit = action.side * _BASE + action.command
        left = tuple(each for each in self.cup if each != chit)
        draft.swap(Command(left))
        draft.push(Orders(action.side, action.command))
        draft.phasing = action.side
        draft.emit(ChitDrawn(side=action.side, command=action.command, left=len(left)))

    def step(self, draft: Draft) -> None:
        draft.pop()
        draft.phasing = NOBODY


MOST_NAMED: Final = 4
"""The most leaders that the question of a chit names."""


class Orders(SideDecision[March | Sortie | Done], rule="R4.2", name="Orders", neutral=Done()):
    """The owner of a chit makes activations until he is done (R4.2)."""

    command: int

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """Return the owner while a leader can be activated; with `hidden` always (R1.11)."""
        return (self.side,) if pos.options.hidden or self.able(pos) else ()

    def able(self, pos: Position) -> list[LeaderId]:
        return _able(pos, self.side, self.command)

    def prompt(self, pos: Position, actor: Side) -> str:
        names = [pos.data.leaders[number].name for number in self.able(pos) if number < pos.data.wagons]
        if len(names) > MOST_NAMED:
            names[MOST_NAMED - 1 :] = [f"{len(names) - MOST_NAMED + 1} others"]
        who = " or ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
        return f"Chit {self.command}: march with {who or 'a wagon'}"

    def step(self, draft: Draft) -> None:
        draft.pop()
        draft.phasing = NOBODY

    def script(self, pos: Position, actor: Side) -> Script[March | Sortie | Done]:
        """Ask for a march, a sortie of a besieged leader with companions from inside (R10.7), or done."""
        able = self.able(pos)
        units, wagons = pos.units, pos.data.wagons
        besieged = [n for n in able if (units[n].inside or n >= wagons) and is_shut(pos, units[n])]
        free = [number for number in able if number not in besieged] if besieged else able
        bound = []  # who is demoralized has to march to a fort (V8.2)
        if pos.options.einhorn:
            bound = [n for n in free if pos.units[n].daunted and not is_home(pos, pos.units[n])]
        kinds: list[Token] = [*["done"] * (not bound), *["march"] * bool(free), *["sortie"] * bool(besieged)]

        def why_not(action: Action) -> Refusal | None:
            if isinstance(action, March | Sortie):
                return self._not_able(pos, isinstance(action, March), action.leader)
            return None

        kind = yield Slot("do", kinds, lambda token: self._no_kind(pos, token, bound), explain=why_not)
        if kind == "done":
            return Done()
        refuse = partial(self._not_able, pos, kind == "march")
        leader = as_leader((yield Slot("leader", free if kind == "march" else besieged, refuse)))
        if kind == "sortie":
            field = pos.units[leader].hex, False
            pool = sally_pool(pos, leader)
            companions = yield from ask_companions(pos, leader, pool, lambda group: why_not_part(pos, group, field))
            return Sortie(leader, companions)
        companions = yield from ask_companions(pos, leader, companions_of(pos, leader))
        march = start_march(pos, self.side, leader, companions)
        forage = yield from ask_forage(pos, [pos.units[n] for n in march.group], [False, True])
        return March(leader, companions, forage, (yield from ask_path(march.walk(pos, forage=forage), least=0)))

    def _no_kind(self, pos: Position, token: Token, bound: Sequence[LeaderId]) -> Refusal:
        if token == "done" and bound:
            return Refusal("V8.2", "{} is demoralized and must march first", (pos.leader(bound[0]).name,))
        known = {
            "sortie": Refusal("R10.7", "no leader with this command is besieged"),
            "march": Refusal("R4.2", "no leader with this command is ready"),
        }
        return known.get(str(token), Refusal("R4.2", "a chit is drawn: choose march, sortie or done"))

    def _not_able(self, pos: Position, marches: bool, token: Token) -> Refusal:
        unit = pos.chosen(token)
        if unit is None:
            return Refusal("R4.2", "no leader of that name is on the map")
        name, is_own = pos.leader(unit.number).name, pos.side(unit.number) == self.side
        barred = Refusal("R10.6", "{} is besieged: only a sortie", (name,), unit.hex)
        if marches and is_own and is_shut(pos, unit):
            return barred
        other = barred if marches else Refusal("R10.7", "{} is not besieged: no sortie", (name,), unit.hex)
        return why_not_lead(pos, unit.number, self.side, self.command) or other

    def answer(self, draft: Draft, actor: Side, action: March | Sortie | Done) -> None:
        if isinstance(action, Done):
            self.step(draft)
            return
        group = (action.leader, *action.companions)
        draft.push(Activation(self.side, group))
        if isinstance(action, Sortie):
            for number in group:
                draft.change(number, inside=False)
            here = draft.units[action.leader].hex
            draft.emit(WentThrough(side=self.side, units=group, hex=here, how="make a sortie", by="R10.7"))
            open_battle(draft, here, self.side, how="sortie")
            return
        draft.push(ForcedMarches(self.side, group, draft.units[action.leader].hex))
        draft.push(Meeting(self.side, action.leader, group))
        march = start_march(draft, self.side, action.leader, action.companions)
        draft.push(march)
        walk_leg(draft, march, action.path, forage=action.forage)


@memoized("known")
def _able(pos: Position, side: Side, command: int) -> list[LeaderId]:
    there = [n for n in pos.data.by_command.get((side, command), ()) if n in pos.units and not pos.units[n].moved]
    return [n for n in there if not why_not_lead(pos, n, side, command)]


def why_not_lead(pos: Position, number: LeaderId, side: Side, command: int) -> Refusal | None:
    """Return the rule that forbids to activate a leader by this chit, or None (R4.2, V4)."""
    unit, leader = pos.units[number], pos.data.leaders[number]
    if pos.data.sides[number] != side:
        return Refusal("R4.2", "{} is not yours", (leader.name,))
    if leader.command != command:
        numbers = leader.name, leader.command, command
        return Refusal("R4.2", "{} has command {}, but the chit is {}", numbers, unit.hex)
    if refusal := why_not_move(pos, unit):
        return refusal
    if not (unit.inside or number >= pos.data.wagons) or not is_shut(pos, unit):
        return None
    if not (unit.tp and unit.inside):
        return Refusal("R10.6", "{} is besieged", (leader.name,), unit.hex)
    if refusal := why_not_sally(pos, unit):
        return refusal
    field = unit.hex, False
    able = can_complete((number,), sally_pool(pos, number), lambda group: why_not_part(pos, group, field))
    return None if able else why_not_part(pos, (number,), field)  # V2.2 keeps him, whoever goes out with him


def sally_pool(pos: Position, leader: LeaderId) -> list[LeaderId]:
    """Return possible companions in a sortie: leaders inside who are not demoralized (R10.7, V8.2)."""
    inside = [n for n in companions_of(pos, leader) if pos.units[n].inside]
    return sorted(n for n in inside if not why_not_sally(pos, pos.units[n]))


def why_not_sally(pos: Position, unit: Unit) -> Refusal | None:
    """Return the rule that keeps a leader from a sortie, his own or another's, or None (V8.2, R13.3)."""
    if unit.daunted if pos.options.einhorn else unit.shaken:
        rule = "V8.2" if pos.options.einhorn else "R13.3"
        return Refusal(rule, "{} is demoralized and does not attack", (pos.leader(unit.number).name,), unit.hex)
    return None


def why_not_move(pos: Position, unit: Unit) -> Refusal | None:
    if unit.moved:
        return Refusal("R4.2", "{} has moved", (pos.leader(unit.number).name,), unit.hex)
    if pos.options.einhorn and unit.moves >= MOST_MOVES:
        return Refusal("V4", "{} has moved twice", (pos.leader(unit.number).name,), unit.hex)
    if is_held_back(pos, unit.number):
        return Refusal("R18.2", "{} does not move yet", (pos.leader(unit.number).name,), unit.hex)
    return None


def is_shut(pos: Position, unit: Unit) -> bool:
    """Return whether a unit is inside a besieged place, or a wagon there (R10.6)."""
    if not unit.inside and (unit.tp or unit.number < pos.data.wagons):
        return False
    return is_besieged(pos, unit.hex, pos.data.sides[unit.number])


def is_home(pos: Position, unit: Unit) -> bool:
    """Return whether a unit is inside a friendly fort or fortress; for a wagon its hex counts (V8.2, R9.3)."""
    side = pos.side(unit.number)
    if pos.data.is_wagon(unit.number):
        return is_occupied(pos, unit.hex, side) and pos.data.kind_at(unit.hex).inside
    return unit.inside and is_friendly(pos, unit.hex, side)


def companions_of(pos: Position, leader: LeaderId) -> list[LeaderId]:
    """Return possible companions: ready leaders of the force with the same command or less, ready wagons (R4.3)."""
    first, side = pos.units[leader], pos.side(leader)
    found = []
    for unit in units_at(pos, first.hex, side):
        is_wagon = pos.data.is_wagon(unit.number)
        able = is_wagon or pos.leader(unit.number).command <= pos.leader(leader).command
        if unit.number != leader and (unit.inside == first.inside or is_wagon) and able and not why_not_move(pos, unit):
            found.append(unit.number)
    return found


def ask_companions(
    pos: Position,
    leader: LeaderId,
    pool: Sequence[LeaderId],
    why_not: Callable[[Sequence[LeaderId]], Refusal | None] | None = None,
) -> Generator[Slot, Token, tuple[LeaderId, ...]]:
    """Ask for companions of `pool` in ascending order; `why_not` refuses a whole group, its leader first."""
    there = [unit.number for unit in units_at(pos, pos.units[leader].hex, pos.side(leader)) if unit.number != leader]

    def refuse(before: tuple[LeaderId, ...], token: Token) -> Refusal:
        if why_not is not None and token == STOP and (bar := why_not((leader, *before))):
            return bar
        if why_not is not None and token in pool and token not in before:
            return why_not((leader, *before, as_leader(token))) or _not_along(pos, leader, before, token)
        return _not_along(pos, leader, before, token)

    return ask_members(
        "companions",
        sorted(pool),
        refuse,
        can_add=(lambda group, later: can_complete((leader, *group), later, why_not)) if why_not else None,
        can_stop=(lambda group: why_not((leader, *group)) is None) if why_not else None,
        refused=lambda chosen, left: [n for n in there if n not in chosen and (n not in pool or n in left)],
    )


def _not_along(pos: Position, leader: LeaderId, chosen: Sequence[LeaderId], token: Token) -> Refusal:
    if token == leader:
        return Refusal("R4.3", "{} leads the group", (pos.leader(leader).name,), pos.units[leader].hex)
    first, unit = pos.units[leader], pos.chosen(token)
    if unit is None or pos.side(unit.number) != pos.side(leader) or unit.hex != first.hex:
        return Refusal("R4.3", "only leaders of the same force may go along", (), first.hex)
    name = pos.leader(unit.number).name
    if unit.inside != first.inside and not pos.data.is_wagon(unit.number):
        return Refusal("R4.3", "{} is not in the same force", (name,), first.hex)
    is_higher = pos.leader(unit.number).command > pos.leader(leader).command
    return (
        why_not_move(pos, unit)
        or first_refusal(first.hex, (is_higher, "R4.3", "{} has a higher command", name))
        or (why_not_sally(pos, unit) if is_shut(pos, first) else None)
        or first_refusal(
            first.hex,
            (unit.number in chosen, "R4.3", "{} is already named", name),
            (chosen, "R4.3", "name {} before {}", name, pos.leader(chosen[-1]).name if chosen else ""),
        )
        or Refusal("R4.3", "{} cannot go along", (name,), first.hex)
    )


def start_march(pos: Position, side: Side, leader: LeaderId, companions: tuple[LeaderId, ...]) -> Marching:
    """Return a new march (R4.4, R5.1)."""
    group, first = (leader, *companions), pos.units[leader]
    left = allowance(pos, [pos.units[number] for number in group])
    return Marching(side, leader, group, left, origin=first.hex, origin_inside=first.inside)
