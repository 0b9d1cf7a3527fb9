"""R11, V5: sieges."""

from __future__ import annotations

from typing import Final, Self

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.refusal import first_refusal
from leuthen.engine.ruleset import OTHER, ActorId, Side
from leuthen.rulesets.campaigns.model import events, forces
from leuthen.rulesets.campaigns.model.actions import Besiege, Leave
from leuthen.rulesets.campaigns.model.pieces import Siege, Unit
from leuthen.rulesets.campaigns.model.state import Draft, Position, SideDecision, SideRoll
from leuthen.rulesets.campaigns.rules import r05_hex_actions as hex_actions
from leuthen.rulesets.campaigns.rules.r02_leaders import LoneRoll, capture, seniors
from leuthen.rulesets.campaigns.rules.r09_supply import is_supplied
from leuthen.rulesets.campaigns.rules.r12_battle import imprison
from leuthen.wargame.board import Hex, as_hex, hex_name, hexes_of
from leuthen.wargame.strength import EMPTY, LeaderId

MOST_BREACHES: Final = 3
BOLD: Final = 2  # combat rating of a leader who counts (R11.5)
LONG: Final = 4  # steps G under siege from which hunger counts (R11.5)
CROWD: Final = 4  # TP for each TP inside that make the besieger strong (R11.5)
RELIEF: Final = 10  # TP of a relief force (R11.5)
RELIEF_HEXES: Final = 3


def besiegers(pos: Position, here: Hex, side: Side) -> list[Unit]:
    """Return the units that besiege a place (R11.1); in the variant those there since the turn began (V5)."""
    units = forces.troops_at(pos, here, side, False)
    return [unit for unit in units if unit.start == here and not unit.left] if pos.options.einhorn else units


def why_not_besiege(pos: Position, here: Hex, side: Side) -> Refusal | None:
    """Return the rule that forbids a siege in a hex, or None (R11.1, V5); it must be besieged (R10.5)."""
    place = pos.data.strongholds.get(here)
    if place is None or not forces.inside_tp(pos, here, OTHER[side]):
        return Refusal("R11.1", "no enemy holds a stronghold there", (), here)
    least, there = pos.data.kinds[place.kind].besieger, forces.strength(besiegers(pos, here, side))
    is_open = not forces.is_besieged(pos, here, OTHER[side])
    return first_refusal(
        here,
        (is_open, "R11.1", "the place is not besieged: too many enemies are inside or in the field"),
        (forces.field_tp(pos, here, side) < least, "R11.1", "a siege needs {} TP", least),
        (there < least, "V5", "{} TP must have been there since the turn began", least),
    )


class SiegeStep(
    SideDecision[Besiege | Done], rule="R11.1", name="Siege", prompt="Sieges: roll for one", neutral=Done()
):
    """Step G: each side rolls for its sieges (R11.1)."""

    rolled: tuple[Hex, ...] = ()

    def open(self, pos: Position) -> list[Hex]:
        camps = pos.census.fields[self.side]
        before = [here for here in pos.data.strongholds if camps >> here & 1 and here not in self.rolled]
        return [here for here in before if not why_not_besiege(pos, here, self.side)]

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """Return the side if it may roll; with `hidden`, if it besieges a place, since V5 depends on hidden facts."""
        if pos.options.hidden:
            foe, left = OTHER[self.side], [here for here in pos.data.strongholds if here not in self.rolled]
            able = any(forces.inside_tp(pos, h, foe) > 0 and forces.is_besieged(pos, h, foe) for h in left)  # R1.10
            return (self.side,) if able else ()
        return (self.side,) if self.open(pos) else ()

    def step(self, draft: Draft) -> None:
        """End the sieges without a roll (R11.2)."""
        draft.pop()
        camps, foe = draft.census.fields[self.side], OTHER[self.side]
        for here in draft.data.strongholds:
            stirs = here in draft.sieges or camps >> here & 1
            if not stirs or not (draft.owners.get(here) == foe or forces.inside_tp(draft, here, foe)):
                continue  # the other side does not hold it, so that this side's step G does not count there
            old = draft.sieges.get(here, Siege())
            shut = old.shut + 1 if forces.is_besieged(draft, here, foe) else 0
            if here in self.rolled:
                draft.set_siege(here, msgspec.structs.replace(old, shut=shut))
            elif old != Siege() or shut:
                draft.set_siege(here, Siege(0, max(0, old.breaches - 1), shut))

    def script(self, pos: Position, actor: Side) -> Script[Besiege | Done]:
        if (yield Slot("do", ("done", "besiege"), Refusal("R3.0", "this is step G, siege"))) == "done":
            return Done()
        return Besiege(as_hex((yield Slot("hex", self.open(pos), lambda token: self._refuse(pos, token)))))

    def _refuse(self, pos: Position, token: Token) -> Refusal:
        if token in self.rolled:
            return Refusal("R11.1", "each siege gets one roll a turn", (), int(token))
        return why_not_besiege(pos, as_hex(token), self.side) or Refusal("R11.1", "no siege there", (), int(token))

    def answer(self, draft: Draft, actor: Side, action: Besiege | Done) -> None:
        if isinstance(action, Done):
            draft.swap(Closing(self.side, self.rolled))
            return
        draft.swap(SiegeStep(self.side, (*self.rolled, action.hex)))
        draft.push(BreachRoll(self.side, action.hex))


class Closing(SiegeStep, tag="siege-closing"):
    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return ()


def modifiers(pos: Position, here: Hex, side: Side, *, surrender: bool) -> events.Modifiers:
    """Return the modifiers of a siege die (R11.5, V5)."""
    units = besiegers(pos, here, side)
    within, without = forces.inside_tp(pos, here, OTHER[side]), forces.strength(units)
    bold_inside = any(
        unit.inside and pos.leader(unit.number).combat >= BOLD and not pos.data.is_wagon(unit.number)
        for unit in forces.units_at(pos, here, OTHER[side])
    )
    chief = forces.commander(pos, units)
    camp = [unit for unit in forces.units_at(pos, here, side) if not unit.inside]
    found = [
        ("weak place", -int(pos.data.strongholds[here].weak)),
        ("besieger not in supply", 2 * (not is_supplied(pos, camp))),
        ("winter", int(pos.is_winter)),
        ("leader inside", int(bold_inside)),
        ("besieging commander", -int(pos.leader(chief).combat >= BOLD)),
        ("four to one", -int(without >= CROWD * within)),
        ("not outnumbered", int(pos.options.einhorn and without <= within)),
    ]
    if surrender:
        shut = pos.sieges.get(here, Siege()).shut + 1
        found.append(("long besieged", -int(shut >= LONG and forces.is_besieged(pos, here, OTHER[side]))))
        near = pos.census.fields[OTHER[side]] & pos.data.board.within(here, RELIEF_HEXES)
        relief = any(forces.field_tp(pos, there, OTHER[side]) >= RELIEF for there in hexes_of(near))
        found.append(("relief near", int(relief)))
    return events.nonzero(*found)


def breach_number(pos: Position, here: Hex, turn: int) -> int:
    """Return the number for a breach in a siege turn (R11.3)."""
    table = pos.data.breach[pos.data.strongholds[here].kind]
    return table[min(turn, len(table)) - 1]


def surrender_number(pos: Position, here: Hex, breaches: int) -> int:
    """Return the number at which a place falls (R11.4)."""
    return pos.data.surrender[pos.data.strongholds[here].kind][breaches - 1]


class SiegeRoll(SideRoll):
    """A die of a siege, dropped when the besiegers or the besieged have gone."""

    hex: Hex

    def after_removal(self, pos: Position) -> Self | None:
        return None if why_not_besiege(pos, self.hex, self.side) else self


class BreachRoll(SiegeRoll, rule="R11.3", name="Breach roll"):
    def rolled(self, draft: Draft, die: int) -> None:
        """A breach at the number or below; with any breach, the surrender roll follows (R11.4)."""
        draft.give_away(0, 1)  # supply, leaders inside
        here, side = self.hex, self.side
        old = draft.sieges.get(here, Siege())
        turn = old.turns + 1
        found, number = modifiers(draft, here, side, surrender=False), breach_number(draft, here, turn)
        success = die + events.total_of(found) <= number
        breaches = min(MOST_BREACHES, old.breaches + success)
        draft.set_siege(here, Siege(turn, breaches, old.shut))
        roll = events.BreachRolled(
            side=side, hex=here, turn=turn, die=die, modifiers=found, number=number, breaches=breaches, success=success
        )
        draft.emit(roll)
        if breaches:
            draft.push(SurrenderRoll(side, here))


class SurrenderRoll(SiegeRoll, rule="R11.4", name="Surrender roll"):
    def rolled(self, draft: Draft, die: int) -> None:
        draft.give_away(0, 1)  # supply, leaders inside, a relief force
        here, side = self.hex, self.side
        found = modifiers(draft, here, side, surrender=True)
        number = surrender_number(draft, here, draft.sieges[here].breaches)
        falls = die + events.total_of(found) <= number
        draft.emit(events.SurrenderRolled(side=side, hex=here, die=die, modifiers=found, number=number, success=falls))
        if falls:
            fall(draft, here, side)


def fall(draft: Draft, here: Hex, side: Side) -> None:
    """Make all TP inside prisoners, capture the leaders, and change the owner (R11.6)."""
    inside = [unit for unit in forces.units_at(draft, here, OTHER[side]) if unit.inside]
    tp = draft.garrisons.get(here, EMPTY) + sum(unit.tp for unit in inside)
    leaders, first = tuple(unit.number for unit in inside if not draft.data.is_wagon(unit.number)), seniors(draft)
    for number in leaders:
        capture(draft, number, was_senior=number in first)
    for unit in inside:
        if unit.number not in leaders:
            draft.change(unit.number, tp=EMPTY)
    wagons = [wagon.number for wagon in forces.wagons_at(draft, here, OTHER[side]) if not wagon.tp]
    if here in draft.garrisons:
        draft.set_garrison(here, EMPTY)
    imprison(draft, side, tp)
    hex_actions.hand_over(draft, here, side)
    draft.emit(events.PlaceFell(side=side, hex=here, tp=tp, leaders=leaders))
    draft.push(Occupying(side, here))
    draft.push_in_order(LoneRoll(OTHER[side], number) for number in wagons)


class Occupying(SideDecision[Leave | Done], rule="R11.6", name="Garrison for a fallen place", neutral=Done()):
    """The besieger may put a garrison into the fallen place (R11.6, R10.4)."""

    hex: Hex

    def after_removal(self, pos: Position) -> Self | None:
        return self if pos.owners.get(self.hex) == self.side else None

    def givers(self, pos: Position) -> dict[LeaderId, list[int]]:
        units = forces.troops_at(pos, self.hex, self.side, False)
        return hex_actions.exchangers(pos, self.side, units, units[0].number, leaves=True) if units else {}

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """Return the besieger while it can leave TP; with `hidden`, while it is there."""
        if pos.options.hidden:
            return (self.side,) if forces.field_tp(pos, self.hex, self.side) else ()
        return (self.side,) if self.givers(pos) else ()

    def script(self, pos: Position, actor: Side) -> Script[Leave | Done]:
        kinds = ("done", "leave") if self.givers(pos) else ("done",)
        if (yield Slot("do", kinds, Refusal("R11.6", "leave TP there or choose done"))) == "done":
            return Done()
        return (yield from hex_actions.exchange_script(pos, self.givers(pos), Leave))

    def answer(self, draft: Draft, actor: Side, action: Leave | Done) -> None:
        if isinstance(action, Done):
            draft.pop()
        else:
            hex_actions.exchange(draft, action)

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"{hex_name(self.hex)} has fallen: you may leave a garrison"
