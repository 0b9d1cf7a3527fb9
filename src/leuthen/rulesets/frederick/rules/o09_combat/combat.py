"""O9.1–O9.14, O8.3: attacks, battles, losses, prisoners, commanders lost."""

from __future__ import annotations

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.ruleset import OTHER, WATCHER, ActorId, OwnerId, Side, as_side
from leuthen.rulesets.frederick.model.actions import Attack, Done
from leuthen.rulesets.frederick.model.data import NOBODY
from leuthen.rulesets.frederick.model.decisions import Decision, DieRoll, is_on_map
from leuthen.rulesets.frederick.model.events.fighting import (
    AttackDeclared,
    BattleFought,
    BattleLapsed,
    CommanderFate,
    Overwhelmed,
)
from leuthen.rulesets.frederick.model.stacks import changed, locate
from leuthen.rulesets.frederick.model.state import GONE, SIDES, UNKNOWN, Draft, Position, Stack, is_in_field, presence
from leuthen.rulesets.frederick.rules.o05_march.open_march import overwhelm, shown
from leuthen.rulesets.frederick.rules.o05_march.walk import initiative
from leuthen.rulesets.frederick.rules.o08_captives import capture
from leuthen.rulesets.frederick.rules.o09_combat.result import (
    attack_bonus,
    crushed_by,
    defence_bonus,
    is_mountain,
    result_of,
)
from leuthen.rulesets.frederick.rules.o09_combat.retreat import Routed
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes
from leuthen.wargame.board import Hex, as_hex, hexes_of
from leuthen.wargame.strength import Bag, LeaderId, lose, of

SERIOUS = 25
"""From so many per cent on a loss has an «L» (O9.9)."""


def may_attack(pos: Position, here: Hex, side: OwnerId) -> Refusal | None:
    """The rule that forbids a side to attack in a hex, or None; nothing hidden decides (O3.6); no neutrals (C9.6)."""
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
    """The hexes in which a side may attack."""
    met = presence(pos)[0][0] & presence(pos)[1][0]
    return [here for here in hexes_of(met) if may_attack(pos, here, side) is None]


class CombatPhase(Decision[Attack | Done], rule="O9.2", name="Combat", neutral=Done()):
    """First the phasing side declares all its attacks, then the other side, where none was declared (O9.2, O9.11)."""

    side: Side
    declaring: Side
    declared: tuple[tuple[Side, Hex], ...] = ()

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The side that declares, if two field stacks face each other anywhere."""
        return (self.declaring,) if self._facing(pos) else ()

    def _facing(self, pos: Position) -> bool:
        """Everybody sees where field stacks face each other, and not who of them is able to attack."""
        (prussian, _), (austrian, _), _ = presence(pos)
        met = prussian & austrian
        if not met:
            return False
        taken = {here for _, here in self.declared}
        return any(here not in taken for here in hexes_of(met))

    def _open(self, pos: Position) -> list[Hex]:
        taken = {here for _, here in self.declared}
        return [here for here in possible_attacks(pos, self.declaring) if here not in taken]

    def script(self, pos: Position, actor: Side) -> Script[Attack | Done]:
        """An attack, or the end of declaring: nobody has to fight (C3.2), but for an attack that O5.17 demands."""
        places = self._open(pos)
        bound = sorted(pos.bound & set(places)) if self.declaring == self.side else []
        kinds: tuple[Token, ...] = ("attack",) if bound else ("done", "attack") if places else ("done",)
        kind = yield Slot(
            "do", kinds, lambda token: self._no_kind(pos, token, bound), refused=lambda: ("done", "attack")
        )
        if kind == "done":
            return Done()
        here = yield Slot("hex", places, lambda token: self._no_attack(pos, token), refused=lambda: self._met(pos))
        return Attack(as_hex(here))

    def _no_kind(self, pos: Position, token: Token, bound: list[Hex]) -> Refusal:
        if token == "done" and bound:
            return Refusal("O5.17", "an overwhelming attack failed: it must be followed by an attack", (), bound[0])
        if token == "attack":
            facing = hexes_of(presence(pos)[0][0] & presence(pos)[1][0])
            return next((self._no_attack(pos, here) for here in facing), Refusal("O9.1", "no attack is possible"))
        return Refusal("O4.2", "this is not the phase for «{}»", (token,))

    def _no_attack(self, pos: Position, token: Token) -> Refusal:
        here = as_hex(token)
        if any(here == there for _, there in self.declared):
            return Refusal("O9.2", "one battle in each hex and phase: an attack there has been declared", (), here)
        return may_attack(pos, here, self.declaring) or Refusal("O9.1", "nobody can be attacked there", (), here)

    def _met(self, pos: Position) -> list[Token]:
        return sorted(stack.hex for stack in pos.own(self.declaring) if not stack.inside)

    def answer(self, draft: Draft, actor: Side, action: Attack | Done) -> None:
        if isinstance(action, Done):
            self.step(draft)
            return
        draft.emit(AttackDeclared(side=self.declaring, hex=action.hex))
        declared = (*self.declared, (self.declaring, action.hex))
        draft.swap(CombatPhase(self.side, self.declaring, declared))

    def step(self, draft: Draft) -> None:
        """The other side declares; after it, the battles."""
        if self.declaring == self.side:
            draft.swap(CombatPhase(self.side, OTHER[self.side], self.declared))
        else:
            draft.bound = frozenset()
            draft.swap(Battles(self.declared))

    def prompt(self, pos: Position, actor: Side) -> str:
        return "Combat Phase: declare an attack"


class Battles(Decision, rule="O9.11", name="Battles"):
    """The battles are fought one by one, the phasing side's first, as they were declared (O9.11)."""

    left: tuple[tuple[Side, Hex], ...]

    def step(self, draft: Draft) -> None:
        """The next battle; it lapses if a stack is gone or the attacker has become demoralized."""
        if not self.left:
            draft.pop()
            return
        side, here = self.left[0]
        draft.swap(Battles(self.left[1:]))
        if may_attack(draft, here, side):
            draft.emit(BattleLapsed(side=side, hex=here))
        else:
            open_battle(draft, side, here)


def open_battle(draft: Draft, side: Side, here: Hex) -> None:
    """Strengths are shown (O3.2); four to one needs no die (O9.10)."""
    first, second = _show(draft, here, side), _show(draft, here, OTHER[side])
    draft.learn(0, 1, WATCHER)
    crushed = crushed_by(first.strength, second.strength)
    if crushed is None:
        draft.push(BattleRoll(side, here))
    elif crushed:
        _crush(draft, first, second)
    else:
        _crush(draft, second, first)


def _show(draft: Draft, here: Hex, side: OwnerId) -> Stack:
    stack = draft.field(here, side)
    assert stack is not None
    stack = shown(draft, stack)
    draft.put(stack)
    return stack


def _crush(draft: Draft, strong: Stack, weak: Stack) -> None:
    overwhelm(draft, weak)
    draft.emit(
        Overwhelmed(
            side=strong.side,
            by="O9.10",
            hex=strong.hex,
            force=strong.strength,
            against=weak.strength,
            success=True,
            leaders=weak.leaders,
        )
    )
    resolve_hexes(draft)


class BattleRoll(DieRoll, rule="O9.4", name="Battle"):
    """The die of a battle (O9.4)."""

    side: Side
    hex: Hex

    def lapses(self, pos: Position) -> bool:
        """One of the two has left the game with its power (C11.3)."""
        return not all(is_in_field(pos, self.hex, side) for side in SIDES)

    def rolled(self, draft: Draft, die: int) -> None:
        """Losses, scores, prisoners; then commanders, leaders without SP, retreat, following (O9.13)."""
        draft.learn(0, 1, WATCHER)  # losses may change the colours that a mixed stack shows
        fight(draft, self.side, self.hex, die)


def fight(draft: Draft, side: OwnerId, here: Hex, die: int) -> None:
    """One battle with its die (O9.3–O9.7)."""
    attacker, defender = draft.field(here, side), draft.field(here, OTHER[side])
    assert attacker is not None
    assert defender is not None
    found = result_of(draft, attacker, defender, here, die)
    losses, winner, taken = found.losses, found.winner, found.prisoners
    draft.emit(
        BattleFought(
            side=side,
            hex=here,
            commanders=(attacker.commander, defender.commander),
            strengths=(attacker.strength, defender.strength),
            ratio=found.ratio,
            die=die,
            attack=attack_bonus(draft, attacker),
            defence=defence_bonus(draft, defender),
            mountain=is_mountain(draft, here),
            result=found.result,
            percents=found.percents,
            losses=losses,
            scores=found.scores,
            prisoners=taken,
            winner=winner,
        )
    )
    _apply(draft, attacker, losses[0], taken if winner == OTHER[side] else 0)
    _apply(draft, defender, losses[1], taken if winner == side else 0)
    _aftermath(draft, attacker, defender, found.percents, winner)


def _apply(draft: Draft, stack: Stack, losses: int, prisoners: int) -> None:
    """Losses come from the power with most SP left (O2.9), and prisoners after them; both sides know what remains."""
    sp = stack.sp - lose(stack.sp, losses)
    taken: Bag = lose(sp, prisoners)
    if taken:
        held = list(draft.prisoners)
        held[OTHER[stack.side]] += taken
        draft.prisoners = (held[0], held[1])
    left = changed(draft, stack, sp - taken, stack.leaders)
    draft.put(shown(draft, left) if left.sp else msgspec.structs.replace(left, low=1, high=UNKNOWN, since=0))


def _aftermath(draft: Draft, attacker: Stack, defender: Stack, percents: tuple[int, int], winner: OwnerId) -> None:
    """Pushed in reverse: what comes first is innermost (O9.13)."""
    here = attacker.hex
    if winner < NOBODY:
        loser = defender if winner == attacker.side else attacker
        draft.push(Routed(as_side(loser.side), here, initiative(draft, loser)))
    draft.push(Strays(here))
    for stack, percent in ((defender, percents[1]), (attacker, percents[0])):
        if percent >= SERIOUS and stack.commander >= 0:  # O9.9, O8.3: «L»
            draft.push(CommanderRoll(stack.commander, as_side(stack.side), winner == OTHER[stack.side]))
    draft.touched.discard(here)


class Strays(Decision, rule="O9.13", name="After the battle"):
    """Leaders left without SP by the battle roll now (O9.13, O5.10)."""

    hex: Hex

    def step(self, draft: Draft) -> None:
        draft.pop()
        draft.touched.add(self.hex)
        resolve_hexes(draft)


def commander_fate(die: int, *, lost: bool) -> str:
    """What becomes of a commander after an «L»; a 2 is fatal to him who has lost the battle alone (O8.3)."""
    if die == 1:
        return "killed"
    if die == 2:
        return "captured" if lost else "recovers"
    return "unhurt"


class CommanderRoll(DieRoll, rule="O8.3", name="Commander"):
    """An «L»: the commander is lost on 1–2 (O8.3)."""

    leader: LeaderId
    side: Side
    lost: bool
    """Whether his side loses the battle: else he is not captured."""

    def lapses(self, pos: Position) -> bool:
        """He has left the game with his power (C11.3)."""
        return not is_on_map(pos, self.leader)

    def rolled(self, draft: Draft, die: int) -> None:
        """Killed on 1; captured on 2 if his side loses, else he recovers."""
        fate = commander_fate(die, lost=self.lost)
        stack = locate(draft, self.leader)
        assert stack is not None
        draft.emit(CommanderFate(side=self.side, leader=self.leader, hex=stack.hex, die=die, fate=fate, lost=self.lost))
        if fate in ("unhurt", "recovers"):
            return
        rest = tuple(number for number in stack.leaders if number != self.leader)
        draft.put(changed(draft, stack, stack.sp, rest, (stack.low, stack.high, stack.since)))
        if fate == "killed":
            draft.set_roster(self.leader, GONE)
        else:
            capture(draft, self.leader, OTHER[self.side])
        draft.touched.discard(stack.hex)
        draft.learn(OTHER[self.side], WATCHER)  # who commands now is seen
