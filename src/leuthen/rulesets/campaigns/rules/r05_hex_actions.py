"""The actions of a group in a hex: take a place (R5.6), absorb SP (V3.4, R9.5), leave or take TP (R10.4)."""

from collections.abc import Sequence
from typing import Final, TypeVar

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.refusal import first_refusal
from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.campaigns.model import forces
from leuthen.rulesets.campaigns.model.actions import Absorb, Fill, HexAction, Leave, Seize, Take, Transfer
from leuthen.rulesets.campaigns.model.data import NO_NATION
from leuthen.rulesets.campaigns.model.events import Absorbed, GarrisonChanged, PlaceTaken
from leuthen.rulesets.campaigns.model.pieces import Siege, Unit
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.rules import r14_prisoners as prisoners
from leuthen.rulesets.campaigns.rules.r02_leaders import why_not_gain
from leuthen.rulesets.campaigns.rules.r05_walk import GATE
from leuthen.rulesets.campaigns.rules.r09_supply import load, load_room, spend, working_depots
from leuthen.wargame.board import Hex, hex_name, stack_key
from leuthen.wargame.strength import (
    EMPTY,
    NO_LEADER,
    Bag,
    LeaderId,
    as_leader,
    as_power,
    bag,
    is_mixed,
    of,
    powers,
    total,
)

E = TypeVar("E", bound=Leave | Take)
FORT_SP: Final = 2  # from a fort to a group, once a turn (V3.4)
_KEY: Final = 1000  # encodes hex and leader in one number


def kinds(pos: Position, side: Side, units: Sequence[Unit], left: int, lead: LeaderId) -> list[Token]:
    here = units[0].hex
    found: list[Token] = []
    if left >= GATE and not why_not_seize(pos, here, side, units):
        found.append("seize")
    pays = pos.options.einhorn or left >= GATE
    if pays and sources(pos, side, units) and load_room(pos, leaders_among(pos, units)):
        found.append("absorb")
    if left >= GATE and here in pos.depots and here in working_depots(pos, side) and load_room(pos, units):
        found.append("fill")
    if here in pos.data.strongholds and is_open(pos, here, side):
        # if any number may pass, one may
        if garrison_room(pos, here) and any(unit.tp and not why_not_gain(pos, unit.number, -1) for unit in units):
            found.append("leave")
        able = (u for u in units if most_taken(pos, u, lead))
        if here in pos.garrisons and any(why_not_gain(pos, unit.number, 1) is None for unit in able):
            found.append("take")
    if any(unit.tp for unit in units if pos.data.is_wagon(unit.number)) and joinable(pos, units):
        found.append("transfer")
    if len(units) > 1:
        found.append("drop")
    return found


def leaders_among(pos: Position, units: Sequence[Unit]) -> list[Unit]:
    """Return the units that may absorb SP: wagons are filled at depots only (V3.4, R9.5, R9.3)."""
    return [unit for unit in units if unit.number < pos.data.wagons]


def joinable(pos: Position, units: Sequence[Unit]) -> dict[LeaderId, list[LeaderId]]:
    """Return the wagons of a group whose freed men could join a leader in this hex (V7.4)."""
    own = {unit.number for unit in units}
    return {wagon: able for wagon, able in prisoners.escorts(pos, pos.side(units[0].number)).items() if wagon in own}


def no_kind(pos: Position, units: Sequence[Unit], token: Token) -> Refusal:
    here, side = units[0].hex, pos.side(units[0].number)
    if token == "seize":
        return why_not_seize(pos, here, side, units) or Refusal("R5.6", "taking a place costs 1 MP", (), here)
    if token in ("absorb", "fill"):
        return _why_not_load(pos, side, units, token)
    if token == "transfer":
        return why_not_transfer(pos, units)
    if token in ("leave", "take"):
        return _why_no_exchange(pos, units, leaves=token == "leave")
    if token in ("go", "out") and forces.field_tp(pos, here, OTHER[side]) and forces.strength(units):
        return why_stopped(here)
    return Refusal("R4.4", 'a march is in progress: "{}" must wait until it halts', (token,), here)


def why_stopped(here: Hex) -> Refusal:
    """Return the refusal for a march that has met the enemy (R5.3)."""
    return Refusal("R5.3", "the enemy has stopped the march at {}", (hex_name(here),), here)


def _why_no_exchange(pos: Position, units: Sequence[Unit], *, leaves: bool) -> Refusal:
    """Return the reason why the group can neither leave TP in the garrison nor take some (R10.4, V2.2, V7.4)."""
    here, side = units[0].hex, pos.side(units[0].number)
    place = pos.data.strongholds.get(here)
    if place is None:
        return Refusal("R10.4", "there is no garrison here", (), here)
    name, full_rule = place.name, "V2.1" if pos.options.einhorn else "R2.3"
    able = [unit for unit in units if _within(pos, unit)]
    wagons = any(pos.data.is_wagon(unit.number) for unit in able)
    return (
        first_refusal(
            here,
            (not forces.is_friendly(pos, here, side), "R10.4", "{} is not yours", name),
            (forces.is_besieged(pos, here, side), "R10.4", "{} is besieged", name),
        )
        or _why_kept(pos, units, leaves=leaves)
        or first_refusal(
            here,
            (leaves and not garrison_room(pos, here), "R10.1", "the garrison of {} is full", name),
            (leaves, "R10.4", "no unit of the group has TP to leave"),
            (wagons, "V7.4", "a wagon takes at most 25 freed men, and only on chit 1"),
            (able, full_rule, "no unit of the group has room for more TP"),
        )
        or Refusal("R10.4", "{} has no TP for this group", (name,), here)
    )


def _why_kept(pos: Position, units: Sequence[Unit], *, leaves: bool) -> Refusal | None:
    """Return the refusal if V2.2 alone keeps a group from exchanging TP with the garrison."""
    here = units[0].hex
    if not is_open(pos, here, pos.side(units[0].number)):
        return None
    for unit in units:
        men = unit.strength if leaves else of(pos.garrisons.get(here, EMPTY), pos.leader(unit.number).nation)
        space = garrison_room(pos, here) if leaves else forces.room(pos, unit.number)
        if men and space and (refusal := why_not_gain(pos, unit.number, -1 if leaves else 1)):
            return refusal
    return None


def why_not_transfer(pos: Position, units: Sequence[Unit]) -> Refusal:
    """Return the reason why no freed men can join a leader: V2.2, no men, or no leader of theirs (V7.4)."""
    wagons = [unit.number for unit in units if unit.tp and pos.data.is_wagon(unit.number)]
    kept = [leader for wagon in wagons for leader in prisoners.comrades(pos, wagon)]
    if kept:
        reason = "{} cannot take more men: no force may exceed the senior leader's"
        return Refusal("V2.2", reason, (pos.leader(kept[0]).name,), units[0].hex)
    return Refusal("V7.4", "no freed men of the group could join a leader of their nation here", (), units[0].hex)


def _why_not_load(pos: Position, side: Side, units: Sequence[Unit], token: Token) -> Refusal:
    here, rule = units[0].hex, "V3.4" if token == "absorb" and pos.options.einhorn else "R9.5"
    if not (sources(pos, side, units) if token == "absorb" else here in working_depots(pos, side)):
        return Refusal(rule, "there is nothing to load", (), here)
    if not load_room(pos, leaders_among(pos, units) if token == "absorb" else units):
        return Refusal(rule, "no unit of the group can carry more", (), here)
    return Refusal(rule, "loading costs 1 MP", (), here)


def script(pos: Position, side: Side, units: Sequence[Unit], lead: LeaderId, kind: str) -> Script[HexAction]:
    if kind == "seize":
        return Seize()
    if kind == "fill":
        return Fill()
    if kind == "absorb":
        here, wagons = units[0].hex, sources(pos, side, units)
        none = Refusal("V3.4", "there is no such wagon or fort here", (), here)
        wagon = as_leader((yield Slot("wagon", wagons, none)))
        most = min(load_room(pos, leaders_among(pos, units)), FORT_SP if wagon < 0 else pos.units[wagon].sp)
        much = Refusal("V3.4", "at most {} SP can be absorbed", (most,), here)
        return Absorb(wagon, int((yield Slot("points", range(1, most + 1), much, canon=(most,)))))
    if kind == "transfer":
        return (yield from prisoners.script(pos, joinable(pos, units)))
    make = Leave if kind == "leave" else Take
    return (yield from exchange_script(pos, exchangers(pos, side, units, lead, leaves=make is Leave), make))


def apply_passing_action(draft: Draft, side: Side, members: Sequence[LeaderId], action: Seize | Fill | Absorb) -> int:
    """Carry the action out, and return its cost in MP."""
    here = draft.units[members[0]].hex
    if isinstance(action, Seize):
        take_place(draft, here, side)
        return GATE
    units = [draft.units[number] for number in members]
    if isinstance(action, Fill):
        points = load_room(draft, units)
        load(draft, members, points)
        draft.emit(Absorbed(side=side, units=tuple(members), hex=here, points=points, source="the depot", by="R9.5"))
        return GATE
    if action.wagon < 0:
        draft.drawn |= {here * _KEY + number for number in members}
        source = "the fort"
    else:
        source = f"wagon {draft.leader(action.wagon).name}"
        spend(draft, action.wagon, action.points)
    load(draft, [unit.number for unit in leaders_among(draft, units)], action.points)
    by = "V3.4" if draft.options.einhorn else "R9.5"
    draft.emit(Absorbed(side=side, units=tuple(members), hex=here, points=action.points, source=source, by=by))
    return 0 if draft.options.einhorn else GATE


def why_not_seize(pos: Position, here: Hex, side: Side, units: Sequence[Unit]) -> Refusal | None:
    """Return the rule that keeps a group from taking its place, or None (R5.6)."""
    place = pos.data.strongholds.get(here)
    if place is None or forces.is_friendly(pos, here, side):
        return Refusal("R5.6", "there is no place to take", (), here)
    foe, name = OTHER[side], place.name
    return first_refusal(
        here,
        (pos.is_enemy_ground(here), "R5.6", "{} belongs to a neutral nation", name),
        (forces.inside_tp(pos, here, foe), "R5.6", "{} is defended", name),
        (forces.field_tp(pos, here, foe), "R5.6", "an enemy field force is at {}", name),
        (not forces.strength(units), "R5.6", "a group without TP cannot take a place"),
    )


def take_place(draft: Draft, here: Hex, side: Side, by: str = "R5.6") -> None:
    """Take an undefended place by marching in (R5.6) or by arrival (R3.1)."""
    hand_over(draft, here, side)
    draft.emit(PlaceTaken(side=side, hex=here, by=by))


def hand_over(draft: Draft, here: Hex, side: Side) -> None:
    """Change the owner of a place: its depot and siege end (R5.6, R11.6), enemies inside are now in the field."""
    draft.set_owner(here, side)
    if here in draft.depots:
        draft.set_depot(here, None)
    if here in draft.sieges:
        draft.set_siege(here, Siege())
    for number, unit in list(draft.units.items()):
        if unit.hex == here and unit.inside and draft.side(number) != side:
            draft.change(number, inside=False)


def sources(pos: Position, side: Side, units: Sequence[Unit]) -> list[LeaderId]:
    """Return the sources of SP to absorb (V3.4): wagons of the side outside the group; -1 is the fort."""
    here, members = units[0].hex, {unit.number for unit in units}
    if forces.is_besieged(pos, here, side):
        return []
    found = [wagon.number for wagon in forces.wagons_at(pos, here, side) if wagon.number not in members and wagon.sp]
    if not pos.options.einhorn or not forces.is_friendly(pos, here, side) or not pos.data.kind_at(here).inside:
        return found
    return [NO_LEADER, *found] if pos.drawn.isdisjoint([here * _KEY + number for number in members]) else found


def is_open(pos: Position, here: Hex, side: Side) -> bool:
    """Return whether TP may be exchanged with a garrison: a friendly stronghold, not besieged (R10.4)."""
    return bool(forces.open_places(pos, side) >> here & 1)


def garrison_room(pos: Position, here: Hex) -> int:
    """Return the TP that still fit into a garrison (R10.1)."""
    return max(0, pos.data.kind_at(here).garrison - total(pos.garrisons.get(here, EMPTY)))


def exchangers(
    pos: Position, side: Side, units: Sequence[Unit], lead: LeaderId, *, leaves: bool
) -> dict[LeaderId, list[int]]:
    """Return the units that may leave TP in the garrison, or take some, with the legal numbers (R10.4, V2.1, V2.2).

    A legal number makes smaller ones legal. Wagons take freed men on chit 1 (V7.4).
    """
    found = {}
    for unit in units if is_open(pos, units[0].hex, side) else ():
        most = min(garrison_room(pos, unit.hex), unit.strength) if leaves else most_taken(pos, unit, lead)
        barred = (n for n in range(1, most + 1) if why_not_gain(pos, unit.number, -n if leaves else n))
        if numbers := list(range(1, next(barred, most + 1))):
            found[unit.number] = numbers
    return found


def most_taken(pos: Position, unit: Unit, lead: LeaderId) -> int:
    """Return the TP that a unit could take, by the garrison and by its limit (V2.1, V7.4)."""
    is_barred = pos.data.is_wagon(unit.number) and pos.leader(lead).command > 1
    return 0 if is_barred else min(total(_within(pos, unit)), forces.room(pos, unit.number))


def _within(pos: Position, unit: Unit) -> Bag:
    """Return the TP in a place that a unit may take: a leader his nation's (R10.4), a wagon any freed men (V7.4)."""
    if pos.data.is_wagon(unit.number):
        return pos.freed.get(unit.hex, EMPTY)
    nation = pos.leader(unit.number).nation
    return bag(nation, of(pos.garrisons.get(unit.hex, EMPTY), nation))


def exchange_script(pos: Position, able: dict[LeaderId, list[int]], make: type[E]) -> Script[E]:
    """Ask for a leader and the TP between him and the garrison; of a wagon's men also for the nation, if several."""
    leader = as_leader((yield Slot("leader", sorted(able), lambda token: _why_not_he(pos, token, make))))
    unit, numbers, nation = pos.units[leader], able[leader], NO_NATION
    men = _within(pos, unit) if make is Take else unit.tp
    if is_mixed(men):
        several = Refusal("R1.4", "several nations have men there: name the nation", (), unit.hex)
        nation = as_power((yield Slot("nation", list(powers(men)), several)))
    most = of(men, nation) if nation >= 0 else total(men)
    numbers = [n for n in numbers if n <= most]

    def refuse(token: Token) -> Refusal:
        if isinstance(token, int) and 0 < token <= most:
            sign = 1 if make is Take else -1
            if refusal := why_not_gain(pos, unit.number, sign * token):
                return refusal
        is_full = make is Take and pos.options.einhorn and forces.room(pos, leader) <= max(numbers)
        return Refusal("V2.1" if is_full else "R10.4", "at most {} TP", (max(numbers),), unit.hex)

    return make(leader, int((yield Slot("points", numbers, refuse, canon=(numbers[-1],)))), nation)


def _why_not_he(pos: Position, token: Token, make: type[E]) -> Refusal:
    """Return the reason why a unit exchanges no TP with a garrison (R10.4, V2.1, V2.2, V7.4)."""
    unit, takes = pos.chosen(token), make is Take
    if unit is None:
        return Refusal("R10.4", "no unit of that name is there")
    name, here, men = pos.leader(unit.number).name, unit.hex, _within(pos, unit) if takes else unit.tp
    full_rule = "V2.1" if pos.options.einhorn else "R2.3"
    if takes and pos.data.is_wagon(unit.number) and men:
        return Refusal("V7.4", "a wagon takes at most 25 freed men, and only on chit 1", (), here)
    return (
        why_not_gain(pos, unit.number, 1 if takes else -1)
        or first_refusal(
            here,
            (takes and not men, "R10.4", "there are no TP for {} to take", name),
            (not men, "R10.4", "{} has no TP to leave", name),
            (takes and not forces.room(pos, unit.number), full_rule, "{} has no room for more TP", name),
        )
        or Refusal("R10.4", "{} is not in the group", (name,), here)
    )


def exchange(draft: Draft, action: Leave | Take | Transfer) -> None:
    """Move TP between a leader and the garrison (R10.4), or from a wagon to a leader (V7.4)."""
    if isinstance(action, Transfer):
        prisoners.join_leader(draft, action)
        return
    unit = draft.units[action.leader]
    side = draft.side(action.leader)
    draft.give_away(side)  # whether any stay
    draft.forget(stack_key(unit.hex, side, unit.inside), stack_key(unit.hex, side, True))
    into = isinstance(action, Leave)
    men = unit.tp if into else _within(draft, unit)
    part = bag(action.nation if action.nation >= 0 else next(powers(men)), action.points)
    shift = part if into else -part
    draft.change(action.leader, tp=unit.tp - shift)
    if draft.data.is_wagon(action.leader) and not into:  # V7.4
        draft.set_freed(unit.hex, draft.freed[unit.hex] - part)
    draft.set_garrison(unit.hex, draft.garrisons.get(unit.hex, EMPTY) + shift)
    draft.emit(GarrisonChanged(side=draft.side(action.leader), hex=unit.hex, leader=action.leader, tp=part, into=into))
