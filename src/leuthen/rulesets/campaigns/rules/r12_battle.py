"""R12, R13, V6, V8: battle, stage by stage, and its end; retreat (R12.9, V8.4); prisoners (V7.1); recovery (step E)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import ClassVar, Final, Self

import msgspec

from leuthen.engine.choice import STOP, Refusal, Script, Slot, Token, script_of
from leuthen.engine.refusal import first_refusal
from leuthen.engine.ruleset import NOBODY, OTHER, SIDES, ActorId, OwnerId, Side, as_side
from leuthen.rulesets.campaigns.model import events, forces
from leuthen.rulesets.campaigns.model.actions import Declare, Hold, Retreat, Withdraw
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.model.state import (
    Decision,
    DiceRoll,
    Draft,
    Position,
    SideDecision,
    SideRoll,
    with_side_value,
)
from leuthen.rulesets.campaigns.rules import r12_fight as fight
from leuthen.rulesets.campaigns.rules.r02_leaders import capture, seniors
from leuthen.rulesets.campaigns.rules.r04_command.activation import note_battle
from leuthen.rulesets.campaigns.rules.r05_walk import RETREAT, Pace, ask_way, is_crossing, is_starved
from leuthen.rulesets.campaigns.rules.r06_joining import Joining, why_none_joins
from leuthen.rulesets.campaigns.rules.r09_supply import is_supplied, pay, stock
from leuthen.rulesets.campaigns.rules.r12_fight import Account, Combatant, Fight, current, revise, revise_host
from leuthen.rulesets.campaigns.rules.r13_havens import distances_home, havens_of
from leuthen.wargame.board import NOWHERE, Hex, bit, hex_name, hex_set, hexes_of, stack_key
from leuthen.wargame.strength import EMPTY, NO_LEADER, Bag, LeaderId, is_mixed, total

BASE_RETREAT: Final = 2  # hexes, in the base game (R12.9)
GREAT: Final = 20  # TP of each side at the start of a battle that counts (R16.2)
WAGON_LOST: Final = 2  # at this die or below (R12.9)


class Retreating(SideDecision[Retreat], rule="R12.9", name="Retreat", neutral=None):
    """A beaten force retreats (R12.9). `only`: a subordinate who goes alone (R13.2), else -1.

    `came`: the hex from which an attacking mover came, his first hex if he can enter it; `sortie`: the sortie may go
    back inside (R10.7).
    """

    hex: Hex
    came: Hex = NOWHERE
    sortie: bool = False
    only: LeaderId = NO_LEADER

    def group(self, pos: Position) -> list[LeaderId]:
        force = forces.force_at(pos, self.hex, self.side, False)
        return [unit.number for unit in force] if self.only < 0 else [self.only]

    def first(self, pos: Position) -> int:
        """Return the MP of the retreat, in the base game the hexes (V8.4, R12.9)."""
        return RETREAT if pos.options.einhorn else BASE_RETREAT

    def onward(self, pos: Position, here: Hex, left: int) -> dict[Hex, int]:
        """Return the hexes open to the retreat, with the points left there (R12.9, V8.4, V8.2)."""
        found = self._open(pos, here, left)
        if here == self.hex and self.came in found:
            return {self.came: found[self.came]}
        return self._homeward(pos, here, found) if self.is_daunted(pos) else found

    def is_daunted(self, pos: Position) -> bool:
        """Return whether a demoralized leader is in the group, so that V8.2 applies."""
        return pos.options.einhorn and any(pos.units[number].daunted for number in self.group(pos))

    def _homeward(self, pos: Position, here: Hex, found: dict[Hex, int]) -> dict[Hex, int]:
        """Return those of the hexes that are nearer to the closest fort, if there are any (V8.2)."""
        havens, enemy = havens_of(pos, self.side), pos.census
        if here in havens and here != self.hex:
            return {}
        closed = enemy.fields[OTHER[self.side]] | enemy.insides[OTHER[self.side]]
        entered = {there: rest for there, rest in found.items() if not closed >> there & 1}
        away = distances_home(pos, hex_set(havens), closed & ~bit(here))
        now = away.far(here)
        return {there: rest for there, rest in entered.items() if away.far(there) < now} or entered

    def _open(self, pos: Position, here: Hex, left: int) -> dict[Hex, int]:
        """Return affordable hexes farther from the battle, without enemies in the field (R12.9, V8.4)."""
        board = pos.data.board
        away = board.distances(self.hex)
        found: dict[Hex, int] = {}
        for there, price in board.steps[here].items():
            rest = left - (price if pos.options.einhorn else 1)
            far = away[there] > away[here]
            if far and (rest >= 0 or here == self.hex) and not forces.field_tp(pos, there, OTHER[self.side]):
                found[there] = max(0, rest)
        return found

    def ends(self, pos: Position, here: Hex, left: int) -> list[int]:
        """Return the legal ends in a hex: in the field (0), inside (1)."""
        moved, friendly = here != self.hex, forces.is_friendly(pos, here, self.side)
        # leaders go inside to a garrison (R10.3); who made a sortie may go back (R10.7)
        is_held = forces.inside_tp(pos, here, self.side) > 0 or (self.sortie and not moved)
        found = [1] if friendly and is_held and pos.data.kind_at(here).inside else []
        home = bool(found) and self.is_daunted(pos) and here in havens_of(pos, self.side)
        stops = not self.onward(pos, here, left) or (friendly and not pos.options.einhorn)
        return [0, *found] if moved and stops and not home else found

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        start = self.hex, self.first(pos)
        return (self.side,) if self.group(pos) and (self.onward(pos, *start) or self.ends(pos, *start)) else ()

    def step(self, draft: Draft) -> None:
        draft.pop()
        if self.group(draft):
            draft.give_away(self.side)  # whether it has had no way before
            corner(draft, self)

    def script(self, pos: Position, actor: Side) -> Script[Retreat]:
        yield Slot("do", ("retreat",), Refusal("R12.9", "the force must retreat"))

        def why_no_end(here: Hex, left: int, token: Token) -> Refusal:
            if token == STOP:
                return Refusal(self._rule(pos), "the retreat must go on: {} MP left", (left,), here)
            return Refusal("R10.3", "the retreat cannot end here in this way", (), here)

        pace = Pace(self.hex, self.first(pos), partial(self.onward, pos), partial(self._why_not_enter, pos))
        path, inside = yield from ask_way(pace, partial(self.ends, pos), why_no_end, lambda values: values[-1:])
        return Retreat(path, inside)

    def _rule(self, pos: Position) -> str:
        return "V8.4" if pos.options.einhorn else "R12.9"

    def _why_not_enter(self, pos: Position, here: Hex, there: Hex, left: int) -> Refusal:
        board = pos.data.board
        if there not in board.steps[here]:
            return Refusal("R1.7", "{} cannot be entered from {}", (hex_name(there), hex_name(here)), there)
        away, name = board.distances(self.hex), hex_name(there)
        goes_back = here == self.hex and self.came in self.onward(pos, here, left)
        homeward = "a beaten force retreats towards a friendly occupied fort and enters no enemy hex"
        return first_refusal(
            there,
            (forces.field_tp(pos, there, OTHER[self.side]), "R12.9", "an enemy field force is in {}", name),
            (away[there] <= away[here], "R12.9", "{} is not farther from the battle", name),
            (goes_back, "R12.9", "the mover must go back the way he came"),
            (there in self._open(pos, here, left), "V8.2", homeward),
        ) or Refusal(self._rule(pos), "{} costs more than the {} MP left", (name, left), there)

    def answer(self, draft: Draft, actor: Side, action: Retreat) -> None:
        draft.pop()
        end, path = action.path[-1] if action.path else self.hex, action.path
        group, loose = tuple(self.group(draft)), list[LeaderId]()
        if self.only < 0 and not forces.is_occupied(draft, self.hex, self.side):
            loose = [wagon.number for wagon in forces.wagons_at(draft, self.hex, self.side) if not wagon.tp]
        for number in (*group, *loose):
            if number in draft.units:
                unit = draft.units[number]
                inside = action.inside and forces.can_be_inside(draft, unit)
                draft.change(number, hex=end, inside=inside, left=unit.left or bool(path))
        draft.emit(events.RetreatMade(side=self.side, units=group, hex=self.hex, path=path, inside=action.inside))
        if action.path:
            draft.push_in_order(WagonRoll(self.side, number) for number in loose)

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Retreat from {hex_name(self.hex)}: choose the path"


class WagonRoll(SideRoll, rule="R12.9", name="Wagon in retreat"):
    """A wagon in a retreat is lost on 1-2 (R12.9)."""

    wagon: LeaderId

    def rolled(self, draft: Draft, die: int) -> None:
        lost = die <= WAGON_LOST
        if self.wagon in draft.units:
            if lost:
                draft.remove(self.wagon)
            draft.emit(events.WagonRolled(side=self.side, wagon=self.wagon, die=die, lost=lost))


def corner(draft: Draft, retreat: Retreating) -> None:
    """Half the TP become prisoners, the rest stay; the second time in a turn all surrender (R12.9)."""
    group = [number for number in retreat.group(draft) if draft.units[number].tp]
    if not group:
        return
    whole = any(draft.units[number].cornered for number in group)
    now, first = [draft.units[number].strength for number in group], seniors(draft)
    points = sum(now) if whole else -(-sum(now) // 2)
    taken = EMPTY
    for number, part in zip(group, fight.largest_remainder(now, points), strict=True):
        taken += fight.take_tp(draft, number, part)
        draft.change(number, cornered=True)
    imprison(draft, OTHER[retreat.side], taken)
    leaders = tuple(number for number in retreat.group(draft) if whole and not draft.data.is_wagon(number))
    draft.emit(events.Cornered(side=retreat.side, hex=retreat.hex, tp=taken, whole=whole, leaders=leaders))
    for number in leaders:
        capture(draft, number, was_senior=number in first)


def imprison(draft: Draft, captor: Side, tp: Bag) -> None:
    """Make TP prisoners, which count for victory (R14.2, R16.2)."""
    draft.prisoners = with_side_value(draft.prisoners, captor, draft.prisoners[captor] + tp)
    draft.killed = with_side_value(draft.killed, captor, draft.killed[captor] + total(tp))


def end_battle(draft: Draft, battle: Fight) -> None:
    """Settle prisoners, points (R16.2) and demoralization, and start the retreat (R12.10)."""
    hosts = first, second = battle.host(0), battle.host(1)
    alive = [battle.tp(draft, side) > 0 for side in SIDES]
    winner: OwnerId = NOBODY
    if alive[0] != alive[1]:
        winner = 0 if alive[0] else 1
    elif battle.retreating >= 0 and all(alive):
        winner = OTHER[battle.retreating]
    draft.pop()
    for side in (0, 1):
        draft.killed = with_side_value(draft.killed, side, draft.killed[side] + hosts[OTHER[side]].lost)
    points = 0
    if winner != NOBODY:
        beaten = hosts[OTHER[winner]]
        points = min(beaten.lost, prisoners_taken(draft, hosts[winner].lost, beaten.lost))
        taken = fight.part_of(beaten.fallen, points)
        draft.dead -= taken
        draft.prisoners = with_side_value(draft.prisoners, winner, draft.prisoners[winner] + taken)
    draft.emit(
        events.BattleEnded(
            side=winner,
            hex=battle.hex,
            rounds=battle.round,
            began=(first.began, second.began),
            lost=(first.lost, second.lost),
            prisoners=points,
            commanders=(first.commander, second.commander),
            attacker=battle.attacker,
        )
    )
    if winner == NOBODY:
        return
    if min(host.began for host in hosts) >= GREAT:
        draft.battles = with_side_value(draft.battles, winner, draft.battles[winner] + 1)
        draft.last_battle = winner
    if draft.options.einhorn:
        shift_morale(draft, battle, OTHER[winner], recovers=False)
        shift_morale(draft, battle, as_side(winner), recovers=True)
    loser = OTHER[winner]
    how = battle.how if battle.attacker == loser else ""
    came = battle.came if how in ("march", "reaction") else NOWHERE
    draft.touched.add(battle.hex)  # who is left without TP may be alone among enemies (R2.4, R9.4)
    if alive[loser]:
        draft.push(Retreating(loser, battle.hex, came, sortie=how == "sortie"))


def prisoners_taken(pos: Position, winner_lost: int, loser_lost: int) -> int:
    """Return the prisoners among the loser's losses (V7.1); in the base game a quarter (R14.1)."""
    return max(0, -(-(loser_lost - winner_lost) // 2)) if pos.options.einhorn else -(-loser_lost // 4)


def shift_morale(draft: Draft, battle: Fight, side: Side, *, recovers: bool) -> None:
    """Demoralize all leaders of the beaten force, with TP or without, in both ways (V8.1, V8.2).

    All leaders of the winning force recover, those who broke in the battle too (V8.3).
    """
    fought = [account.leader for account in battle.host(side).accounts]
    there = [unit.number for unit in forces.force_at(draft, battle.hex, side, False)]
    leaders = [number for number in dict.fromkeys((*fought, *there)) if number in draft.units]
    if recovers:
        leaders = [number for number in leaders if draft.units[number].shaken or draft.units[number].daunted]
    since = 0 if recovers else draft.clock
    for number in leaders:
        draft.change(number, shaken=since, daunted=since)
    if leaders:
        here, known = battle.hex, tuple([number for number in leaders if number in fought])
        others, by = tuple([number for number in leaders if number not in fought]), "V8.3" if recovers else ""
        draft.emit(events.MoraleChanged(side=side, hex=here, leaders=known, others=others, recovers=recovers, by=by))


SHAKEN: Final = 2  # less morale when demoralized (R13.1)


def is_shaken(pos: Position, number: LeaderId) -> bool:
    """Return whether a leader's troops are demoralized (R13.1)."""
    return number in pos.units and pos.units[number].shaken > 0


def morale(pos: Position, number: LeaderId) -> int:
    """Return the present morale of a leader: 2 less if demoralized (R13.1)."""
    return pos.leader(number).morale - SHAKEN * is_shaken(pos, number)


class NerveRoll(SideRoll, DiceRoll, rule="R13.1", name="Demoralization"):
    leader: LeaderId

    def rolled(self, draft: Draft, die: int) -> None:
        battle = current(draft)
        host, enemy = battle.host(self.side), battle.host(OTHER[self.side])
        tenths = sum(100 * host.lost >= percent * host.began for percent in (10, 20, 30))
        found = events.nonzero(("losses", tenths), ("enemy lost fewer", int(enemy.hit < host.hit)))
        side, leader, now = self.side, self.leader, morale(draft, self.leader)
        breaks = die + events.total_of(found) > now
        draft.emit(events.NerveTested(side=side, leader=leader, dice=die, modifiers=found, morale=now, breaks=breaks))
        if breaks:
            break_leader(draft, side, leader)


def break_leader(draft: Draft, side: Side, leader: LeaderId) -> None:
    """Break a commander, who must retreat, or a subordinate, whose TP are no longer committed (V6.4; base R13.2)."""
    host = current(draft).host(side)
    unit = draft.units[leader]
    daunted = (unit.daunted or draft.clock) if draft.options.einhorn else 0
    draft.change(leader, shaken=unit.shaken or draft.clock, daunted=daunted)
    if leader == host.commander:
        revise_host(draft, side, broke=True)
        return
    broken = [account.leader for account in host.accounts if account.broken or account.leader == leader]
    led = [account.leader for account in host.accounts]
    revise_host(draft, side, accounts=tuple([Account(n, draft.units[n].strength, 0, n in broken) for n in led]))
    if not draft.options.einhorn:
        draft.push(Retreating(side, current(draft).hex, only=leader))  # R13.2


def combat_modifiers(pos: Position, battle: Fight, side: Side) -> events.Modifiers:
    """Return the modifiers of a combat die (R12.4, V6.3)."""
    host, enemy = battle.host(side), battle.host(OTHER[side])
    attacks = side == battle.attacker
    mountain = attacks and bool(pos.data.board.mountains >> battle.hex & 1)
    crossing = attacks and battle.crossed and battle.round <= 2
    last = 0 if battle.retreating < 0 else -1 if battle.retreating == side else 1
    return events.nonzero(
        ("combat", pos.leader(host.commander).combat),
        ("mountain", -2 * mountain),
        ("river or pass", -int(crossing)),
        ("concentration", int(host.concentrated)),
        ("high intensity", 2 * host.intense),
        ("enemy's intensity", int(enemy.intense)),
        ("out of supply", -int(any(is_starved(pos, unit) for unit in battle.units(pos, side)))),
        ("demoralized", -int(is_shaken(pos, host.commander))),
        ("last round", last),
    )


class CombatRoll(SideRoll, rule="R12.4", name="Combat"):
    """A combat roll; both count together (R12.4, R12.5)."""

    def rolled(self, draft: Draft, die: int) -> None:
        battle = current(draft)
        found = combat_modifiers(draft, battle, self.side)
        percent = forces.percent_at(draft.data.combat, die + events.total_of(found), 0)
        tp = battle.committed_tp(draft, self.side)
        loss = min(battle.tp(draft, OTHER[self.side]), forces.percent_of(percent, tp))
        revise_host(draft, self.side, roll=loss)
        roll = events.CombatRolled(
            side=self.side, round=battle.round, die=die, modifiers=found, percent=percent, tp=tp, loss=loss
        )
        draft.emit(roll)


LARGE, HUGE = 40, 60  # a larger force is hard to command (V6.2)
FEW: Final = 2  # leaders under a commander without a penalty (R12.3)


def commitment_modifiers(pos: Position, battle: Fight, side: Side) -> events.Modifiers:
    """Return the modifiers of a commitment die (R12.3, V6.2)."""
    host, units = battle.host(side), battle.units(pos, side)
    tp = sum(unit.strength for unit in units)
    command = pos.leader(host.commander).command
    if pos.options.einhorn:
        size = ("size", -((tp > LARGE) + (tp > HUGE)))
    else:
        size = ("leaders", -max(0, sum(unit.tp > 0 for unit in units) - FEW))
    return events.nonzero(
        ("command", command - 2),
        size,
        ("demoralized", -int(is_shaken(pos, host.commander))),
        ("nations", -int(command < 3 and is_mixed(sum(unit.tp for unit in units)))),
    )


class CommitmentRoll(SideRoll, rule="R12.3", name="Commitment"):
    """The engaged share of a side (R12.3); no roll for a side that is fully engaged."""

    def rolled(self, draft: Draft, die: int) -> None:
        """The higher of the old and the new share counts."""
        battle = current(draft)
        found = commitment_modifiers(draft, battle, self.side)
        percent = forces.percent_at(draft.data.commitment, die + events.total_of(found), 1)
        host = revise_host(draft, self.side, share=max(percent, battle.host(self.side).share))
        tp = current(draft).committed_tp(draft, self.side)
        draft.emit(
            events.Committed(
                side=self.side, round=battle.round, die=die, modifiers=found, percent=percent, share=host.share, tp=tp
            )
        )


FREE: Final = 2  # hexes from a fort within which concentration is free (V3.3)


def price(pos: Position, side: Side) -> int:
    """Return the SP for concentration or high intensity (R12.2); V3.3: 1, or 0 within 2 hexes of an own fort."""
    here = current(pos).hex
    if not pos.options.einhorn:
        return -(-sum(unit.strength for unit in forces.troops_at(pos, here, side, False)) // 20)
    near = forces.open_places(pos, side) & pos.data.board.within(here, FREE)
    return 0 if any(pos.data.kind_at(there).inside for there in hexes_of(near)) else 1


def purse(pos: Position, here: Hex, side: Side) -> list[Unit]:
    """Return the units that pay for a side in the field of a hex: its leaders and wagons (R9.5)."""
    return [unit for unit in forces.units_at(pos, here, side) if not unit.inside]


class Declaring(SideDecision[Declare | Hold], rule="R12.2", name="Declaration", neutral=Hold()):
    """A side declares concentration, or in the base game high intensity (R12.2, V3.3)."""

    def choices(self, pos: Position) -> list[tuple[bool, bool]]:
        battle = current(pos)
        units, is_new = purse(pos, battle.hex, self.side), not battle.host(self.side).concentrated
        cost, have = price(pos, self.side), stock(units)
        pays = pos.options.einhorn or (units and is_supplied(pos, units) and not any(is_starved(pos, u) for u in units))
        if not pays:
            return [(False, False)]
        found = [(False, False), *[(True, False)] * (is_new and have >= cost)]
        if not pos.options.einhorn:
            found += [(False, True)] * (have >= cost) + [(True, True)] * (is_new and have >= 2 * cost)
        return found

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """Return the side if it has a choice; with `hidden` always."""
        return (self.side,) if pos.options.hidden or len(self.choices(pos)) > 1 else ()

    def script(self, pos: Position, actor: Side) -> Script[Declare | Hold]:
        choices = self.choices(pos)
        if (yield Slot("do", ("hold", "declare"), lambda token: self._no_kind(pos, token))) == "hold":
            return Hold()
        first = sorted({int(a) for a, b in choices if a or b})
        names = "high intensity", "concentration"
        a = yield Slot("concentrate", first, lambda token: self._refuse(pos, names[bool(token)]))
        second = sorted({int(b) for one, b in choices if one == bool(a) and (one or b)})
        b = yield Slot("intense", second, lambda token: self._refuse(pos, "high intensity"))
        return Declare(bool(a), bool(b))

    def _no_kind(self, pos: Position, token: Token) -> Refusal:
        if token == "join" and current(pos).round == 1:
            return why_none_joins(pos, self.side)
        return Refusal("R12.2", "choose declare or hold")

    def _refuse(self, pos: Position, what: str) -> Refusal:
        battle, is_variant = current(pos), pos.options.einhorn
        is_twice = what == "concentration" and battle.host(self.side).concentrated
        numbers = price(pos, self.side), what, stock(purse(pos, battle.hex, self.side))
        reason = "{} SP for {} cannot be paid: {} are there, or the force is out of supply"
        return first_refusal(
            -1,
            (what == "high intensity" and is_variant, "V1", "there is no high intensity"),
            (is_twice, "R12.2", "it is already declared in this battle"),
        ) or Refusal("V3.3" if is_variant else "R12.2", reason, numbers)

    def answer(self, draft: Draft, actor: Side, action: Declare | Hold) -> None:
        draft.pop()
        if isinstance(action, Hold):
            return
        battle = current(draft)
        side, concentrate, intense = self.side, action.concentrate, action.intense
        points, by = price(draft, side) * (concentrate + intense), "V3.3" if draft.options.einhorn else self.RULE
        revise_host(draft, side, concentrated=battle.host(side).concentrated or concentrate, intense=intense)
        pay(draft, [unit.number for unit in purse(draft, battle.hex, side)], points)
        declared = events.Declared(
            side=side, round=battle.round, concentrate=concentrate, intense=intense, points=points, by=by
        )
        draft.emit(declared)

    def prompt(self, pos: Position, actor: Side) -> str:
        battle = current(pos)
        where, cost = f"Battle at {hex_name(battle.hex)}, round {battle.round}", price(pos, self.side)
        return f"{where}: declare concentration for {cost} SP or not"


class Leaving(SideDecision[Withdraw | Hold], rule="R12.8", name="Breaking off", neutral=Hold()):
    """A side may break a battle off (R12.8)."""

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return () if current(pos).retreating >= 0 else (self.side,)

    def script(self, pos: Position, actor: Side) -> Script[Withdraw | Hold]:
        return script_of((Hold(), Withdraw()), "R12.8", "choose withdraw or hold")

    def answer(self, draft: Draft, actor: Side, action: Withdraw | Hold) -> None:
        draft.pop()
        if isinstance(action, Withdraw):
            leave(draft, self.side, forced=False)

    def prompt(self, pos: Position, actor: Side) -> str:
        battle = current(pos)
        return f"Battle at {hex_name(battle.hex)}, after round {battle.round}: withdraw or fight on"


def leave(draft: Draft, side: Side, *, forced: bool) -> None:
    """Let a side retreat: in the variant after one last round (R12.8, V6.3)."""
    draft.emit(events.BrokenOff(side=side, forced=forced))
    for each in (0, 1):
        revise_host(draft, each, hit=0, roll=-1, intense=False)
    revise(draft, retreating=side, stage="last" if draft.options.einhorn else "end")


def worse(battle: Fight) -> Side:
    """Return the side that has lost the larger share of its TP; on a tie the attacker (R12.8)."""
    shares = [Fraction(host.lost, host.began) for host in map(battle.host, SIDES)]
    if shares[0] == shares[1]:
        return battle.attacker
    return 0 if shares[0] > shares[1] else 1


class Losses(fight.Spreading, rule="R12.6"):
    """A side spreads its losses over its leaders (R12.6, V6.1): first the committed ones, then the broken ones."""

    FREELY: ClassVar = "R12.6"

    def pool(self, pos: Position) -> tuple[list[Account], list[int], int]:
        """An account without TP keeps its share."""
        accounts = current(pos).host(self.side).accounts
        for broken in (False, True):
            shares = [a for a in accounts if a.broken == broken and pos.options.einhorn and a.lost]
            pool = [a for a in accounts if a in shares or (a.broken == broken and pos.units[a.leader].tp)]
            now = [pos.units[account.leader].strength for account in pool]
            if sum(now):
                return pool, now, min(self.points, sum(now))
        return [], [], 0

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (self.side,) if self.has_choice(pos) else ()

    def take(self, draft: Draft, split: fight.Split) -> None:
        units = tuple(self.losers(draft))
        lost, fallen = dict(zip(units, split, strict=True)), fight.take_losses(draft, units, split)
        host = current(draft).host(self.side)
        accounts = tuple(msgspec.structs.replace(a, lost=a.lost + lost.get(a.leader, 0)) for a in host.accounts)
        revise_host(draft, self.side, accounts=accounts, lost=host.lost + sum(split), fallen=host.fallen + fallen)
        draft.show([stack_key(current(draft).hex, self.side, False)])
        draft.emit(events.LossesTaken(side=self.side, units=units, points=split))
        if sum(split) < self.points:
            draft.push(Losses(self.side, self.points - sum(split)))


MOST_ROUNDS: Final = 12  # without a winner (R12.10)


class Battle(Fight, rule="R12.1", name="Battle"):
    """A battle, stage by stage (R12.1)."""

    def step(self, draft: Draft) -> None:
        """Carry out a stage; what both sides do, the attacker does first (R4.6)."""
        defender, attacker = sides = OTHER[self.attacker], self.attacker

        def ask(make: Callable[[Side], Decision], *, then: str) -> None:
            revise(draft, stage=then)
            draft.push(make(defender))
            draft.push(make(attacker))

        match self.stage:
            case "join":  # leaders inside may join (R6.3)
                ask(Joining, then="muster")
            case "muster":
                self._muster(draft)
            case "declare":
                for side in SIDES:
                    revise_host(draft, side, intense=False, hit=0, roll=-1)
                ask(Declaring, then="commit")
            case "commit":
                revise(draft, stage="combat")
                for side in sides:
                    if self.host(side).share < 100:
                        draft.push(CommitmentRoll(side))
            case "combat":
                ask(CombatRoll, then="losses")
            case "last":  # one more round, with the present shares (V6.3)
                revise(draft, round=self.round + 1)
                ask(CombatRoll, then="losses")
            case "losses":  # both apply together (R12.5)
                revise(draft, stage="nerve" if self.retreating < 0 else "end")
                for side in sides:
                    points = self.host(OTHER[side]).roll
                    revise_host(draft, side, hit=points)
                    if points > 0:
                        draft.push(Losses(side, points))
            case "nerve" | "decide" if not all(self.tp(draft, side) for side in SIDES):  # R12.5
                revise(draft, stage="end")
            case "nerve":  # R13.1 for each committed leader of a side that lost TP this round (R12.7)
                revise(draft, stage="decide")
                for side in sides:
                    for unit in reversed(self.unbroken_units(draft, side) if self.host(side).hit else ()):
                        if unit.tp or unit.number == self.host(side).commander:
                            draft.push(NerveRoll(side, unit.number))
            case "decide":  # a side leaves the battle by force or by choice (R12.8)
                if broke := [side for side in SIDES if self.host(side).broke]:
                    leave(draft, broke[0] if len(broke) == 1 else worse(self), forced=True)
                else:
                    ask(Leaving, then="next")
            case "next" if self.round < MOST_ROUNDS:
                revise(draft, round=self.round + 1, stage="declare")
            case "next":  # it ends without a winner (R12.10)
                revise(draft, stage="end")
            case "end":
                end_battle(draft, self)

    def _muster(self, draft: Draft) -> None:
        draft.give_away(0, 1)  # who fights (R1.9)
        sides = [forces.troops_at(draft, self.hex, side, False) for side in SIDES]
        first, second = (
            Combatant(
                forces.commander(draft, units),
                tuple(Account(u.number, u.strength) for u in units),
                forces.strength(units),
            )
            for units in sides
        )
        revise(draft, hosts=(first, second), stage="declare")
        note_battle(draft, [unit.number for units in sides for unit in units])
        chiefs, began, side = (first.commander, second.commander), (first.began, second.began), self.attacker
        draft.emit(events.BattleOpened(side=side, hex=self.hex, how=self.how, commanders=chiefs, strengths=began))


def open_battle(draft: Draft, here: Hex, side: Side, *, how: str, came: Hex = NOWHERE) -> None:
    draft.push(Battle(here, side, how, came, crossed=came >= 0 and is_crossing(draft, came, here)))


TROOPS = 2  # turns before troops may recover (V8.1)


class RecoveryStep(Decision, rule="R13.3", name="Recovery"):
    """Troops recover leader by leader, then leader morale force by force (R13.3, V8.0, V8.1, V8.2)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        draft.give_away(0, 1)  # which leaders are demoralized
        wait = TROOPS if draft.options.einhorn else 1
        rolls: list[Decision] = [
            TroopRoll(draft.side(number), number)
            for number, unit in draft.units.items()
            if unit.shaken and draft.clock >= unit.shaken + wait
        ]
        rolls += [
            CommandRoll(side, here, inside, chief(draft, here, side, inside))
            for side, here, inside in forces_without_morale(draft)
        ]
        rolls.sort(key=lambda roll: getattr(roll, "side", 0))
        draft.push_in_order(rolls)


def forces_without_morale(pos: Position) -> list[tuple[Side, Hex, bool]]:
    """Return the forces with leaders without leader morale, from the turn after its loss (V8.2)."""
    found = {
        (pos.side(number), unit.hex, unit.inside)
        for number, unit in pos.units.items()
        if unit.daunted and pos.clock > unit.daunted and (unit.tp or not pos.data.is_wagon(number))
    }
    return sorted(found)


def chief(pos: Position, here: Hex, side: Side, inside: bool) -> LeaderId:
    """Return the leader who rolls for a force: its commander, or without TP the highest Sr (V8.2)."""
    force = forces.force_at(pos, here, side, inside)
    number = forces.commander(pos, force)
    return number if number >= 0 else forces.by_seniority(pos, [unit.number for unit in force])[0]


class TroopRoll(SideRoll, DiceRoll, rule="R13.3", variant="V8.1", name="Recovery of troops"):
    """A leader's troops recover if two dice are not above his morale (R13.3, V8.1)."""

    leader: LeaderId

    def rolled(self, draft: Draft, die: int) -> None:
        """The printed morale counts, by option the reduced one."""
        number = draft.leader(self.leader).morale - SHAKEN * draft.options.recover_reduced
        if _report_roll(draft, self, "troops", die, number):
            draft.change(self.leader, shaken=0)


class ForceRoll(SideRoll, rule="V8.2", name="Recovery of leader morale"):
    """A commander's roll for the leader morale of his force (V8.2)."""

    hex: Hex
    inside: bool
    leader: LeaderId

    def after_removal(self, pos: Position) -> Self | None:
        """If the commander has gone, another leader rolls while the force needs it."""
        if (self.side, self.hex, self.inside) not in forces_without_morale(pos):
            return None
        leader = self.leader if self.leader in pos.units else chief(pos, self.hex, self.side, self.inside)
        return self.with_values(leader=leader)


class CommandRoll(ForceRoll):
    """The commander's command or less on one die, before his morale is rolled (V8.2)."""

    def rolled(self, draft: Draft, die: int) -> None:
        if _report_roll(draft, self, "command", die, draft.leader(self.leader).command):
            draft.push(CourageRoll(self.side, self.hex, self.inside, self.leader))


class CourageRoll(ForceRoll, DiceRoll):
    """The commander's morale or less on two dice: all in the force recover (V8.2)."""

    def rolled(self, draft: Draft, die: int) -> None:
        number = draft.leader(self.leader).morale
        force = [unit.number for unit in forces.force_at(draft, self.hex, self.side, self.inside) if unit.daunted]
        others = tuple([one for one in force if one != self.leader]) if die <= number else ()
        if _report_roll(draft, self, "morale", die, number, others):
            for one in force:
                draft.change(one, daunted=0)


def _report_roll(
    draft: Draft, roll: TroopRoll | ForceRoll, what: str, dice: int, number: int, others: tuple[LeaderId, ...] = ()
) -> bool:
    by, success = roll.rule(draft), dice <= number
    told = events.Recovered(
        side=roll.side, leader=roll.leader, what=what, dice=dice, number=number, success=success, others=others, by=by
    )
    draft.emit(told)
    return success
