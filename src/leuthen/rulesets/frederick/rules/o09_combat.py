"""O9, O8.3: attacks, battles, commanders lost, retreat of the loser and pursuit by the victor."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final, NamedTuple

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.ruleset import NOBODY, OTHER, WATCHER, ActorId, OwnerId, Side, as_side
from leuthen.engine.state import Values
from leuthen.rulesets.frederick.model import decisions, events
from leuthen.rulesets.frederick.model.actions import Attack, Follow, Retreat, Shelter
from leuthen.rulesets.frederick.model.pieces import GONE, SIDES, UNSEEN, Stack
from leuthen.rulesets.frederick.model.state import Draft, Position, is_in_field, occupied_hexes
from leuthen.rulesets.frederick.rules.c11_allegiance import capture, imprison
from leuthen.rulesets.frederick.rules.o05_forces import MOST, ask_leaders, ask_sp, initiative
from leuthen.rulesets.frederick.rules.o05_march import overwhelm
from leuthen.rulesets.frederick.rules.o10_supply import is_besieged, neutral_ground
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes, show_move
from leuthen.wargame.board import Hex, Hexes, as_hex, hex_set, hexes_of
from leuthen.wargame.names import format_count
from leuthen.wargame.strength import Bag, LeaderId, lose, of


class Routed(decisions.SideDecision[Shelter | Done], rule="O9.16", name="Beaten stack", neutral=None):
    """The loser, in the hex of a friendly fortress, may go inside instead of retreating (O9.16)."""

    PROMPT = "Beaten: go inside the fortress or retreat"
    hex: Hex
    initiative: int
    """As it counted in the battle (O9.7)."""

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The loser, if a friendly fortress is there."""
        is_there = pos.owners.get(self.hex) == self.side and has_field_sp(pos, self.hex, self.side)
        return (self.side,) if is_there else ()

    def step(self, draft: Draft) -> None:
        """Roll for the retreat, if the stack still exists."""
        draft.pop()
        if has_field_sp(draft, self.hex, self.side):
            draft.push(RetreatRoll(self.side, self.hex, self.initiative))

    def script(self, pos: Position, actor: Side) -> Script[Shelter | Done]:
        """`done` lets the die decide how far the stack retreats."""
        if (yield Slot("do", ("done", "shelter"), Refusal("O9.16", "choose go inside or retreat"))) == "done":
            return Done()
        yield Slot("inside", (1,), Refusal("O9.16", "shelter is inside the fortress", (), self.hex))
        return Shelter(True)

    def answer(self, draft: Draft, actor: Side, action: Shelter | Done) -> None:
        """Inside he is demoralized as well (O9.7)."""
        if isinstance(action, Done):
            self.step(draft)
            return
        stack = draft.stack_at(self.hex, self.side)
        draft.pop()
        draft.remove(stack)
        draft.join_stack(msgspec.structs.replace(stack, inside=True, demoralized=True, quartered=False))
        draft.emit(events.RetreatMoved.of(stack, by="O9.16", start=self.hex, ends=True, inside=True))
        draft.emit(events.MoraleChanged.of(stack, by="O9.7", inside=True, joined=False))
        resolve_hexes(draft)


class RetreatRoll(decisions.DieRoll, rule="O9.7", name="Retreat"):
    """Die + initiative in hexes, 6 at most (O9.7)."""

    side: Side
    hex: Hex
    initiative: int

    def has_lapsed(self, pos: Position) -> bool:
        return not has_field_sp(pos, self.hex, self.side)

    def rolled(self, draft: Draft, die: int) -> None:
        """A stack that cannot retreat at all surrenders."""
        side, here, bonus = self.side, self.hex, self.initiative
        stack = draft.stack_at(here, side)
        draft.emit(events.Retreated.of(stack, die=die, initiative=bonus))
        draft.remove(stack)
        stack = msgspec.structs.replace(stack, demoralized=True, quartered=False)
        if next_hexes(draft, stack, here, (here,)):
            draft.push(Retreating(side, here, min(MOST, die + bonus), (here,)))
            draft.set_moving(stack)
        else:
            imprison(draft, stack)
            draft.emit(events.StackSurrendered.of(stack))
            draft.learn(0, 1, WATCHER)
        resolve_hexes(draft)


def next_hexes(pos: Position, stack: Stack, battle: Hex, left: tuple[Hex, ...]) -> list[Hex]:
    """Return the next hexes of a retreat (O9.15): farther from the battle, else as far; then by the shortest way."""
    barred = barred_hexes(pos, stack.side, left)
    board, here = pos.data.board, stack.hex
    distances = board.distances(battle)
    near = [there for there in board.neighbours[here] if not barred >> there & 1]
    far = [there for there in near if distances[there] > distances[here]]
    found = far or [there for there in near if distances[there] == distances[here]]
    return _toward_shelter(pos, stack.side, found, barred)


def barred_hexes(pos: Position, side: OwnerId, left: tuple[Hex, ...]) -> Hexes:
    """Return hexes closed to a retreat: enemy SP, enemy fortresses, neutral ground, hexes already left (O9.15)."""
    enemy = occupied_hexes(pos)[OTHER[side]]
    theirs = [here for here, owner in pos.owners.items() if owner == OTHER[side]]
    return enemy[0] | enemy[1] | neutral_ground(pos) | hex_set(theirs) | hex_set(left)


def _toward_shelter(pos: Position, side: OwnerId, found: list[Hex], barred: Hexes) -> list[Hex]:
    """Of several, the shortest way to a friendly fortress that is not besieged, or a complete depot (O9.15)."""
    if len(found) < 2:
        return found
    shelters = [here for here, owner in pos.owners.items() if owner == side and not is_besieged(pos, here, side)]
    shelters += [here for here, depot in pos.depots.items() if depot.complete and pos.side_of(depot.power) == side]
    board, edge, seen = pos.data.board, hex_set(shelters) & ~barred, 0
    wanted = sum(1 << here for here in found)
    while edge:
        if edge & wanted:
            return [here for here in found if edge >> here & 1]
        seen |= edge
        edge = board.spread(edge) & ~seen & ~barred
    return found


class Retreating(
    decisions.SideDecision[Retreat | Shelter], rule="O9.15", name="Retreat of a stack", retreats=True, neutral=None
):
    """A retreat, hex by hex (O9.15)."""

    battle: Hex
    points: int
    left: tuple[Hex, ...]

    @property
    def passes(self) -> bool:
        """Away from the battle's hex it holds nothing until it ends (O12.4)."""
        return len(self.left) > 1

    def replacements(self, pos: Position) -> tuple[decisions.Decision, ...]:
        """If the force is gone, the victor may follow up to the hex that the retreat had reached (O9.8, C11.3)."""
        if pos.moving is not None:
            return (self,)
        return (Pursuit(OTHER[self.side], self.battle, self.left[1]),) if len(self.left) > 1 else ()

    def _ahead(self, pos: Position) -> list[Hex]:
        return next_hexes(pos, pos.force, self.battle, self.left) if self.points else []

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The owner, where he has a choice."""
        ahead = self._ahead(pos)
        return (self.side,) if len(ahead) + len(self._ends(pos, ahead)) > 1 else ()

    def _ends(self, pos: Position, ahead: list[Hex]) -> list[int]:
        """Possible ends of the retreat here: in the field (0), inside a friendly fortress (1)."""
        here, away = pos.force.hex, pos.force.hex != self.battle
        if pos.owners.get(here) == self.side and away:
            return [0, 1]
        if not ahead:
            return [0]
        early = self.points == 1 and away and any(has_field_sp(pos, there, self.side) for there in ahead)
        return [0] if early else []

    def step(self, draft: Draft) -> None:
        ahead = self._ahead(draft)
        if ahead:
            self._advance(draft, ahead[0])
        else:
            self._end(draft, inside=False)

    def script(self, pos: Position, actor: Side) -> Script[Retreat | Shelter]:
        here, ahead = pos.force.hex, self._ahead(pos)
        ends = self._ends(pos, ahead)
        kinds: list[Token] = [*(["retreat"] if ahead else []), *(["shelter"] if ends else [])]
        goes_on, not_so = "the retreat must go on", "the retreat cannot end in this way"
        kind = yield Slot("do", kinds, Refusal("O9.15", goes_on, (), here), refused=lambda: ("retreat", "shelter"))
        if kind == "shelter":
            return Shelter(bool((yield Slot("inside", ends, Refusal("O9.15", not_so, (), here)))))
        near = pos.data.board.neighbours[here]
        return Retreat(as_hex((yield Slot("hex", ahead, partial(self._not_there, pos), refused=lambda: near))))

    def _not_there(self, pos: Position, token: Token) -> Refusal:
        here = as_hex(token)
        if here in self.left:
            return Refusal("O9.15", "a retreat does not return to a hex that it left", (), here)
        if barred_hexes(pos, self.side, ()) >> here & 1:
            return Refusal("O9.15", "enemy SP, an enemy fortress or neutral ground bar the way", (), here)
        return Refusal("O9.15", "a retreat goes away from the battle, by the shortest way to a shelter", (), here)

    def answer(self, draft: Draft, actor: Side, action: Retreat | Shelter) -> None:
        if isinstance(action, Shelter):
            self._end(draft, inside=action.inside)
        else:
            self._advance(draft, action.hex)

    def _advance(self, draft: Draft, there: Hex) -> None:
        force = draft.force
        draft.swap(Retreating(self.side, self.battle, self.points - 1, (*self.left, there)))
        draft.set_moving(msgspec.structs.replace(force, hex=there))
        draft.emit(events.RetreatMoved.of(force, start=force.hex, hex=there, ends=False))

    def _end(self, draft: Draft, *, inside: bool) -> None:
        """A retreat to friends in the field demoralizes them (O11.1); then the victor may follow (O9.8)."""
        force = draft.force
        draft.set_moving(None)
        draft.join_stack(msgspec.structs.replace(force, inside=inside))
        draft.emit(events.RetreatMoved.of(force, start=force.hex, ends=True, inside=inside))
        draft.swap(Pursuit(OTHER[self.side], self.battle, self.left[1]))
        resolve_hexes(draft)

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Retreat, {format_count(self.points, 'hex')} left: choose the next hex or end it"


def has_field_sp(pos: Position, here: Hex, side: OwnerId) -> bool:
    """Return whether a side has a stack with SP in the field of a hex, not counting a force under way."""
    return bool(pos.marks[side][0] >> here & 1)


class Pursuit(decisions.SideDecision[Follow | Done], rule="O9.8", name="Following", neutral=Done()):
    """A victor who is not demoralized may follow with a force into the first hex of the retreat (O9.8)."""

    PROMPT = "The enemy retreats: you may follow with a force"
    battle: Hex
    first: Hex

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The victor, if he has a leader and the way is free."""
        stack = pos.field(self.battle, self.side)
        able = stack is not None and stack.sp and stack.leaders and not stack.demoralized
        return (self.side,) if able and not has_field_sp(pos, self.first, OTHER[self.side]) else ()

    def script(self, pos: Position, actor: Side) -> Script[Follow | Done]:
        stack = pos.stack_at(self.battle, self.side)
        kinds = ("done", "follow") if stack.free_sp else ("done",)
        if (yield Slot("do", kinds, Refusal("O9.8", "choose follow or done"))) == "done":
            return Done()
        able = [leader for leader in stack.leaders if leader not in stack.resters]  # O14.4
        leaders = yield from ask_leaders(pos, stack, able, some=True)
        sp = yield from ask_sp(pos, stack, stack.free_sp, leaders, some=True)
        if not sp:
            yield Slot("sp", (), lambda _: Refusal("O9.8", "a force needs SP to follow"), index=stack.nation)
        return Follow(leaders, sp)

    def answer(self, draft: Draft, actor: Side, action: Follow | Done) -> None:
        draft.pop()
        if isinstance(action, Done):
            draft.emit(events.FollowDeclined(side=self.side, hex=self.battle))
            return
        force = draft.detach(draft.stack_at(self.battle, self.side), action.leaders, action.sp)
        draft.join_stack(msgspec.structs.replace(force, hex=self.first))
        show_move(draft, events.Followed.of(force, leaders=action.leaders, start=self.battle, hex=self.first))


LOW_DIE, HIGH_DIE = -1, 9
"""The limits of the modified die (O9.4)."""
CRUSHING: Final = 400
"""Lowest ratio in per cent at which the attacker crushes the defender (O9.10)."""
CRUSHED: Final = 25
"""Below this ratio the attacker is crushed."""


def percent_of(percent: int, strength: int) -> int:
    """Return a percentage of a strength to the nearest whole, halves up (O9.5)."""
    return (strength * percent + 50) // 100


def ratio_of(attackers: int, defenders: int) -> int:
    """Return the attacker's SP in per cent of the defender's, fractions dropped (O9.3)."""
    return attackers * 100 // defenders


def crushed_by(attackers: int, defenders: int) -> bool | None:
    """Return whether the attacker crushes the defender, or is crushed (O9.10); None if a die is rolled."""
    ratio = ratio_of(attackers, defenders)
    return ratio >= CRUSHING or (False if ratio < CRUSHED else None)


def modified(pos: Position, attacker: Stack, defender: Stack, here: Hex, die: int) -> int:
    """Return the die with both bonuses and the mountain, between −1 and 9 (O9.4)."""
    bonus = attack_bonus(pos, attacker) - defence_bonus(pos, defender) - 2 * is_mountain(pos, here)
    return max(LOW_DIE, min(HIGH_DIE, die + bonus))


def attack_bonus(pos: Position, stack: Stack) -> int:
    return pos.leader(stack.commander).attack if stack.commander >= 0 else 0


def defence_bonus(pos: Position, stack: Stack) -> int:
    """Return the commander's defence bonus, 0 without one (O8.4)."""
    return pos.leader(stack.commander).defence if stack.commander >= 0 else 0


def is_mountain(pos: Position, here: Hex) -> bool:
    return bool(pos.data.board.mountains >> here & 1)


class Result(NamedTuple):
    """The result of a battle's die; pairs are attacker and defender. `winner` is a side or NOBODY."""

    ratio: int
    result: int
    """The modified die (O9.4)."""
    percents: tuple[int, int]
    losses: tuple[int, int]
    scores: tuple[int, int]
    winner: OwnerId
    prisoners: int
    """SP taken from the loser."""


def result_of(pos: Position, attacker: Stack, defender: Stack, here: Hex, die: int) -> Result:
    """Return the result of a die for two stacks in a hex (O9.3–O9.7)."""
    ratio = ratio_of(attacker.strength, defender.strength)
    result = modified(pos, attacker, defender, here, die)
    percents = pos.data.combat[result, max(lowest for lowest in pos.data.columns if lowest <= ratio)]  # O9.9
    losses = percent_of(percents[0], attacker.strength), percent_of(percents[1], defender.strength)
    scores = losses[1] + initiative(pos, attacker), losses[0] + initiative(pos, defender)  # O9.6
    left = attacker.strength - losses[0], defender.strength - losses[1]
    winner = _winner(attacker.side, scores, left)
    taken = min(abs(scores[0] - scores[1]), left[winner == attacker.side]) if winner < NOBODY else 0
    return Result(ratio, result, percents, losses, scores, winner, taken)


def _winner(side: OwnerId, scores: tuple[int, int], left: tuple[int, int]) -> OwnerId:
    """The higher score wins, equal scores are a draw (O9.6); a side without SP left is never the victor (O9.14)."""
    if not left[0] and not left[1]:
        return NOBODY
    if not left[0] or not left[1]:
        return side if left[0] else OTHER[side]
    if scores[0] == scores[1]:
        return NOBODY
    return side if scores[0] > scores[1] else OTHER[side]


SERIOUS = 25
"""Percentage from which a loss has an "L" (O9.9)."""


def why_not_attack(pos: Position, here: Hex, side: OwnerId) -> Refusal | None:
    """Return the rule that forbids an attack in a hex, or None; nothing hidden decides (O3.6); no neutrals (C9.6)."""
    stack, enemy = pos.field(here, side), pos.field(here, OTHER[side])
    if stack is None or not stack.sp or enemy is None or not enemy.sp:
        return Refusal("O9.1", "two field stacks are needed in one hex", (), here)
    if stack.demoralized:
        return Refusal("O9.2", "a demoralized stack cannot attack", (), here)
    if stack.quartered:
        return Refusal("O14.1", "a stack in winter quarters does not attack", (), here)
    if stack.commander < 0:
        return Refusal("O8.6", "a stack without a leader cannot attack", (), here)
    if not of(stack.sp, pos.leader(stack.commander).power):
        return Refusal("O9.12", "the commander needs SP of his own power", (), here)
    return None


def possible_attacks(pos: Position, side: OwnerId) -> list[Hex]:
    return [here for here in facing_hexes(pos) if why_not_attack(pos, here, side) is None]


def facing_hexes(pos: Position) -> Iterable[Hex]:
    """Return the hexes where field stacks face each other; both sides see them, but not which stack can attack."""
    (prussian, _), (austrian, _), _ = occupied_hexes(pos)
    met = prussian & austrian
    return hexes_of(met) if met else ()


class CombatPhase(decisions.SideDecision[Attack | Done], rule="O9.2", name="Combat", neutral=Done()):
    """The phasing side declares all its attacks first, then the other side, in hexes without one (O9.2, O9.11)."""

    PROMPT = "Combat Phase: declare an attack"
    declaring: Side
    declared: tuple[tuple[Side, Hex], ...] = ()

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The side that declares, if field stacks face each other in a hex without a declared attack."""
        taken = [there for _, there in self.declared] if self.declared else ()
        return (self.declaring,) if any(here not in taken for here in facing_hexes(pos)) else ()

    def script(self, pos: Position, actor: Side) -> Script[Attack | Done]:
        """Attacks are voluntary (C3.2), except one that O5.17 demands."""
        taken = {here for _, here in self.declared}
        places = [here for here in possible_attacks(pos, self.declaring) if here not in taken]
        bound = sorted(pos.bound & set(places)) if self.declaring == self.side else []
        kinds: tuple[Token, ...] = ("attack",) if bound else ("done", "attack") if places else ("done",)
        kind = yield Slot("do", kinds, partial(self._no_kind, pos, bound), refused=lambda: ("done", "attack"))
        if kind == "done":
            return Done()
        met = sorted([stack.hex for stack in pos.own(self.declaring) if not stack.inside])
        return Attack(as_hex((yield Slot("hex", places, partial(self._no_attack, pos), refused=lambda: met))))

    def _no_kind(self, pos: Position, bound: list[Hex], token: Token) -> Refusal:
        if token == "done" and bound:
            return Refusal("O5.17", "an overwhelming attack failed: an attack must follow", (), bound[0])
        if token == "attack":
            here = next(iter(facing_hexes(pos)), None)
            return Refusal("O9.1", "no attack is possible") if here is None else self._no_attack(pos, here)
        return decisions.refuse_in_phase({}, token)

    def _no_attack(self, pos: Position, token: Token) -> Refusal:
        here = as_hex(token)
        if any(here == there for _, there in self.declared):
            return Refusal("O9.2", "an attack there is already declared: one battle per hex and phase", (), here)
        return why_not_attack(pos, here, self.declaring) or Refusal("O9.1", "there is no enemy to attack", (), here)

    def answer(self, draft: Draft, actor: Side, action: Attack | Done) -> None:
        if isinstance(action, Done):
            self.step(draft)
            return
        draft.emit(events.AttackDeclared(side=self.declaring, hex=action.hex))
        draft.swap(CombatPhase(self.side, self.declaring, (*self.declared, (self.declaring, action.hex))))

    def step(self, draft: Draft) -> None:
        if self.declaring == self.side:
            draft.swap(CombatPhase(self.side, OTHER[self.side], self.declared))
        else:
            draft.bound = frozenset()
            draft.swap(Battles(self.declared))


class Battles(decisions.Decision, rule="O9.11", name="Battles"):
    """The battles are fought one by one, the phasing side's first, as they were declared (O9.11)."""

    left: tuple[tuple[Side, Hex], ...]

    def step(self, draft: Draft) -> None:
        """Fight the next battle; it lapses if a stack is gone or the attacker has become demoralized."""
        battle = decisions.next_of(draft, self, self.left)
        if battle is not None and why_not_attack(draft, battle[1], battle[0]):
            draft.emit(events.BattleLapsed(side=battle[0], hex=battle[1]))
        elif battle is not None:
            open_battle(draft, *battle)


def open_battle(draft: Draft, side: Side, here: Hex) -> None:
    """Show strengths (O3.2); four to one needs no die (O9.10)."""
    first, second = (draft.with_open_strength(draft.stack_at(here, who)) for who in (side, OTHER[side]))
    draft.put(first)
    draft.put(second)
    draft.learn(0, 1, WATCHER)
    crushed = crushed_by(first.strength, second.strength)
    if crushed is None:
        draft.push(BattleRoll(side, here))
        return
    strong, weak = (first, second) if crushed else (second, first)
    overwhelm(draft, weak)
    more: Values = {"against": weak.strength, "leaders": weak.leaders}
    draft.emit(events.Overwhelmed.of(strong, by="O9.10", success=True, **more))
    resolve_hexes(draft)


class BattleRoll(decisions.DieRoll, rule="O9.4", name="Battle"):
    side: Side
    hex: Hex

    def has_lapsed(self, pos: Position) -> bool:
        return not all(is_in_field(pos, self.hex, side) for side in SIDES)

    def rolled(self, draft: Draft, die: int) -> None:
        """Losses, scores, prisoners; then commanders, leaders without SP, retreat, following (O9.13)."""
        draft.learn(0, 1, WATCHER)  # losses may change the colours that a mixed stack shows
        side, here = self.side, self.hex
        attacker, defender = draft.stack_at(here, side), draft.stack_at(here, OTHER[side])
        found = result_of(draft, attacker, defender, here, die)
        losses, winner, taken = found.losses, found.winner, found.prisoners
        commanders, strengths = (attacker.commander, defender.commander), (attacker.strength, defender.strength)
        attack, defence = attack_bonus(draft, attacker), defence_bonus(draft, defender)
        sums: Values = {"attack": attack, "defence": defence, "mountain": is_mountain(draft, here), **found._asdict()}
        draft.emit(
            events.BattleFought(side=side, hex=here, commanders=commanders, strengths=strengths, die=die, **sums)
        )
        _apply(draft, attacker, losses[0], taken if winner == OTHER[side] else 0)
        _apply(draft, defender, losses[1], taken if winner == side else 0)
        # The consequences are pushed in reverse: the first is innermost (O9.13).
        if winner < NOBODY:
            loser = defender if winner == attacker.side else attacker
            draft.push(Routed(as_side(loser.side), here, initiative(draft, loser)))
        draft.push(Strays(here))
        for stack, percent in ((defender, found.percents[1]), (attacker, found.percents[0])):
            if percent >= SERIOUS and stack.commander >= 0:  # O9.9, O8.3: "L"
                draft.push(CommanderRoll(stack.commander, as_side(stack.side), winner == OTHER[stack.side]))
        draft.touched.discard(here)


def _apply(draft: Draft, stack: Stack, losses: int, prisoners: int) -> None:
    """Losses come from the power with most SP left (O2.9), and prisoners after them; both sides know the rest."""
    sp = stack.sp - lose(stack.sp, losses)
    taken: Bag = lose(sp, prisoners)
    draft.hold(OTHER[stack.side], taken)
    left = draft.with_troops(stack, sp - taken, stack.leaders)
    draft.put(draft.with_open_strength(left) if left.sp else left.with_band(UNSEEN))


class Strays(decisions.Decision, rule="O9.13", name="After the battle"):
    """Leaders left without SP by the battle roll now (O9.13, O5.10)."""

    hex: Hex

    def step(self, draft: Draft) -> None:
        draft.pop()
        draft.touched.add(self.hex)
        resolve_hexes(draft)


def commander_fate(die: int, *, lost: bool) -> str:
    """Return the fate of a commander after an "L"; a 2 is fatal only if he has lost the battle (O8.3)."""
    if die == 1:
        return "killed"
    if die == 2:
        return "captured" if lost else "recovers"
    return "unhurt"


class CommanderRoll(decisions.DieRoll, rule="O8.3", name="Commander"):
    """The commander is lost on 1–2 after an "L" (O8.3)."""

    leader: LeaderId
    side: Side
    lost: bool
    """His side loses the battle; otherwise he is not captured."""

    def has_lapsed(self, pos: Position) -> bool:
        return not decisions.is_on_map(pos, self.leader)

    def rolled(self, draft: Draft, die: int) -> None:
        fate, here = commander_fate(die, lost=self.lost), draft.stack_of(self.leader).hex
        draft.emit(
            events.CommanderFate(side=self.side, leader=self.leader, hex=here, die=die, fate=fate, lost=self.lost)
        )
        if fate in ("unhurt", "recovers"):
            return
        draft.remove_leader(self.leader)
        if fate == "killed":
            draft.set_roster(self.leader, GONE)
        else:
            capture(draft, self.leader, OTHER[self.side])
        draft.touched.discard(here)
        draft.learn(OTHER[self.side], WATCHER)  # who commands now is seen
