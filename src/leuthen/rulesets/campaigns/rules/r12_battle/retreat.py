"""R12.9, V8.4: retreat; R12.10, V7.1, V8: the end of a battle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from leuthen.engine.choice import STOP, Refusal, Script, Slot, Token
from leuthen.engine.ruleset import NOBODY, OTHER, ActorId, OwnerId, Side, as_side
from leuthen.rulesets.campaigns.model.actions import Retreat
from leuthen.rulesets.campaigns.model.decisions import SideDecision, SideRoll
from leuthen.rulesets.campaigns.model.events import BattleEnded, Cornered, MoraleChanged, RetreatMade, WagonRolled
from leuthen.rulesets.campaigns.model.forces import (
    can_be_inside,
    field_tp,
    force_at,
    inside_tp,
    is_friendly,
    is_occupied,
    nations_in,
    wagons_at,
)
from leuthen.rulesets.campaigns.model.state import Draft, Position, give_away, with_side_value
from leuthen.rulesets.campaigns.rules.r02_leaders import capture, seniors
from leuthen.rulesets.campaigns.rules.r05_walk import RETREAT, Pace
from leuthen.rulesets.campaigns.rules.r12_battle.fight import (
    Combatant,
    Fight,
    all_tp,
    hosts_of,
    largest_remainder,
    take_tp,
)
from leuthen.rulesets.campaigns.rules.r13_havens import distances_home, havens_of
from leuthen.wargame.board import NOWHERE, Hex, as_hex, bit, hex_name, hex_set
from leuthen.wargame.strength import EMPTY, NO_LEADER, Bag, LeaderId, bag, of, total

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
        if self.only >= 0:
            return [self.only]
        return [unit.number for unit in force_at(pos, self.hex, self.side, False)]

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
            if far and (rest >= 0 or here == self.hex) and not field_tp(pos, there, OTHER[self.side]):
                found[there] = max(0, rest)
        return found

    def ends(self, pos: Position, here: Hex, left: int) -> list[int]:
        """Return the legal ends in a hex: in the field (0), inside (1)."""
        moved, friendly = here != self.hex, is_friendly(pos, here, self.side)
        # leaders go inside to a garrison (R10.3); who made a sortie may go back (R10.7)
        is_held = inside_tp(pos, here, self.side) > 0 or (self.sortie and not moved)
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
            give_away(draft, self.side)  # whether it has had no way before
            corner(draft, self)

    def script(self, pos: Position, actor: Side) -> Script[Retreat]:
        yield Slot("do", ("retreat",), lambda token: Refusal("R12.9", "the force must retreat"))
        path: list[Hex] = []
        here, left = self.hex, self.first(pos)
        while True:
            onward, ends = self.onward(pos, here, left), self.ends(pos, here, left)
            values: list[Token] = [*([STOP] if ends else []), *sorted(onward)]
            refuse = partial(self._why_not, pos, here, left)
            about = Pace(here, left, partial(self.onward, pos), lambda a, b, rest: self._why_not(pos, a, rest, b))
            canon = values if not path else values[-1:]
            token = yield Slot("path", values, refuse, index=len(path), canon=canon, about=about)
            if token == STOP:
                break
            here, left = as_hex(token), onward[as_hex(token)]
            path.append(here)
        other = Refusal("R10.3", "the retreat cannot end here in this way", (), here)
        return Retreat(tuple(path), bool((yield Slot("inside", ends, lambda token: other))))

    def _why_not(self, pos: Position, here: Hex, left: int, token: Token) -> Refusal:
        rule = "V8.4" if pos.options.einhorn else "R12.9"
        if token == STOP:
            return Refusal(rule, "the retreat must go on: {} MP left", (left,), here)
        there = as_hex(token)
        board = pos.data.board
        if there not in board.steps[here]:
            return Refusal("R1.7", "{} cannot be entered from {}", (hex_name(there), hex_name(here)), there)
        if field_tp(pos, there, OTHER[self.side]):
            return Refusal("R12.9", "an enemy field force is in {}", (hex_name(there),), there)
        away = board.distances(self.hex)
        if away[there] <= away[here]:
            return Refusal("R12.9", "{} is not farther from the battle", (hex_name(there),), there)
        if here == self.hex and self.came in self.onward(pos, here, left):
            return Refusal("R12.9", "the mover must go back the way he came", (), there)
        if there in self._open(pos, here, left):
            reason = "a beaten force retreats towards a friendly occupied fort and enters no enemy hex"
            return Refusal("V8.2", reason, (), there)
        return Refusal(rule, "{} costs more than the {} MP left", (hex_name(there), left), there)

    def answer(self, draft: Draft, actor: Side, action: Retreat) -> None:
        draft.pop()
        end, path = action.path[-1] if action.path else self.hex, action.path
        group, loose = tuple(self.group(draft)), list[LeaderId]()
        if self.only < 0 and not is_occupied(draft, self.hex, self.side):
            loose = [wagon.number for wagon in wagons_at(draft, self.hex, self.side) if not wagon.tp]
        for number in (*group, *loose):
            if number in draft.units:
                unit = draft.units[number]
                inside = action.inside and can_be_inside(draft, unit)
                draft.change(number, hex=end, inside=inside, left=unit.left or bool(path))
        draft.emit(RetreatMade(side=self.side, units=group, hex=self.hex, path=path, inside=action.inside))
        if action.path:
            for number in reversed(loose):
                draft.push(WagonRoll(self.side, number))

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
            draft.emit(WagonRolled(side=self.side, wagon=self.wagon, die=die, lost=lost))


def corner(draft: Draft, retreat: Retreating) -> None:
    """Half the TP become prisoners, the rest stay; the second time in a turn all surrender (R12.9)."""
    group = [number for number in retreat.group(draft) if draft.units[number].tp]
    if not group:
        return
    whole = any(draft.units[number].cornered for number in group)
    now, first = [draft.units[number].strength for number in group], seniors(draft)
    points = sum(now) if whole else -(-sum(now) // 2)
    taken = EMPTY
    for number, part in zip(group, largest_remainder(now, points), strict=True):
        taken += take_tp(draft, number, part)
        draft.change(number, cornered=True)
    imprison(draft, OTHER[retreat.side], taken)
    leaders = tuple(number for number in retreat.group(draft) if whole and not draft.data.is_wagon(number))
    draft.emit(Cornered(side=retreat.side, hex=retreat.hex, tp=taken, whole=whole, leaders=leaders))
    for number in leaders:
        capture(draft, number, was_senior=number in first)


def imprison(draft: Draft, captor: Side, tp: Bag) -> None:
    """Make TP prisoners, which count for victory (R14.2, R16.2)."""
    draft.prisoners = with_side_value(draft.prisoners, captor, draft.prisoners[captor] + tp)
    draft.killed = with_side_value(draft.killed, captor, draft.killed[captor] + total(tp))


def end_battle(draft: Draft, battle: Fight) -> None:
    """Settle prisoners, points (R16.2) and demoralization, and start the retreat (R12.10)."""
    hosts = hosts_of(battle)
    alive = [all_tp(draft, battle, side) > 0 for side in (0, 1)]
    winner: OwnerId = NOBODY
    if alive[0] != alive[1]:
        winner = 0 if alive[0] else 1
    elif battle.retreating >= 0 and all(alive):
        winner = OTHER[battle.retreating]
    draft.pop()
    for side in (0, 1):
        draft.killed = with_side_value(draft.killed, side, draft.killed[side] + hosts[OTHER[side]].lost)
    points = 0 if winner == NOBODY else _take_prisoners(draft, winner, hosts)
    first, second = hosts
    draft.emit(
        BattleEnded(
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
    if pos.options.einhorn:
        return max(0, -(-(loser_lost - winner_lost) // 2))
    return -(-loser_lost // 4)


def _take_prisoners(draft: Draft, winner: Side, hosts: Sequence[Combatant]) -> int:
    """Make some of the loser's losses prisoners, by nation in proportion (V7.1, R14.1)."""
    loser = hosts[OTHER[winner]]
    points = min(loser.lost, prisoners_taken(draft, hosts[winner].lost, loser.lost))
    nations = nations_in(loser.fallen)
    shares = largest_remainder([of(loser.fallen, nation) for nation in nations], points)
    taken: Bag = sum(bag(nation, share) for nation, share in zip(nations, shares, strict=True))
    draft.dead -= taken
    draft.prisoners = with_side_value(draft.prisoners, winner, draft.prisoners[winner] + taken)
    return points


def shift_morale(draft: Draft, battle: Fight, side: Side, *, recovers: bool) -> None:
    """Demoralize all leaders of the beaten force, with TP or without, in both ways (V8.1, V8.2).

    All leaders of the winning force recover, those who broke in the battle too (V8.3).
    """
    fought = [account.leader for account in hosts_of(battle)[side].accounts]
    there = [unit.number for unit in force_at(draft, battle.hex, side, False)]
    leaders = [number for number in dict.fromkeys((*fought, *there)) if number in draft.units]
    if recovers:
        leaders = [number for number in leaders if draft.units[number].shaken or draft.units[number].daunted]
    since = 0 if recovers else draft.clock
    for number in leaders:
        draft.change(number, shaken=since, daunted=since)
    if leaders:
        known = tuple([number for number in leaders if number in fought])
        others, by = tuple([number for number in leaders if number not in fought]), "V8.3" if recovers else ""
        draft.emit(MoraleChanged(side=side, hex=battle.hex, leaders=known, others=others, recovers=recovers, by=by))
