"""C5–C7, C10: diplomacy, Resource Points and new SP, the commitment of the minor powers, the British Subsidy.

Diplomacy comes once, after 1756; the reactions of C5.7 use the same table.
"""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.decision import Done, refuse_with
from leuthen.engine.memo import Memo
from leuthen.engine.ruleset import NOBODY, OTHER, WATCHER, ActorId, OwnerId, Side, as_side
from leuthen.engine.state import Values
from leuthen.rulesets.frederick.model import decisions, events
from leuthen.rulesets.frederick.model.actions import Envoys, Lose, Raise
from leuthen.rulesets.frederick.model.data import FRANCE, HANOVER, MINORS, RUSSIA, SWEDEN, GameOptions
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES, UNKNOWN
from leuthen.rulesets.frederick.model.state import Draft, Position
from leuthen.rulesets.frederick.rules.c02_setup import FIRST_YEAR, MAJORS, counts_down, pick_some
from leuthen.rulesets.frederick.rules.c11_allegiance import diplomacy_result, join, note_star, switch
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes, show_move
from leuthen.wargame.board import StackKey, hex_name, key_hex
from leuthen.wargame.strength import PowerId, bag, of

POINTS: Final = (2, 4)
"""Diplomacy Points by side (C5.1)."""


def is_rolled(pos: Position, power: PowerId) -> bool:
    """Return whether a power rolls for its allegiance: not if it was invaded in 1756 (C5.2)."""
    return power not in pos.invaded and pos.is_neutral(power)


class EnvoysSealed(decisions.Secret, frozen=True, gc=False, tag="envoys-sealed"):
    points: tuple[int, ...] = ()


class DiplomacyPhase(decisions.Decision, rule="C4.2", name="Diplomacy Phase"):
    """The Diplomacy Phase, after 1756 only (C4.2, C5)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        if draft.year == FIRST_YEAR:
            draft.push(EnvoyChoice())


class EnvoyChoice(decisions.SecretChoice[Envoys], rule="C5.1", name="Diplomacy Points", neutral=None):
    """Both allocate Diplomacy Points in secret and at the same time; some may be left unspent (C5.1)."""

    def choose(self, pos: Position, side: OwnerId) -> Script[Envoys]:
        yield Slot("do", ("envoys",), refuse_with("C5.1", '"{}" is not possible now: allocate Diplomacy Points'))
        left, points = POINTS[side], list[int]()
        for number, power in enumerate(MINORS):
            refuse = refuse_with("C5.1", "{} points on {}: only {} left", pos.data.powers[power].name, left)
            given = int((yield Slot("points", range(left + 1), refuse, index=number, price=counts_down(left))))
            points.append(given)
            left -= given
        return Envoys(tuple(points))

    def chosen(self, draft: Draft, side: OwnerId, action: Envoys) -> None:
        decisions.keep_secret(draft, side, EnvoysSealed(True, action.points))

    def reveal(self, draft: Draft) -> None:
        prussian, austrian = (secret.points for secret in draft.sealed)
        draft.sealed = (None, None)
        draft.emit(events.EnvoysRevealed(powers=MINORS, prussian=prussian, austrian=austrian))
        draft.learn(PRUSSIAN, AUSTRIAN, WATCHER)
        draft.swap(DiplomacyRolls(prussian, austrian))

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Diplomacy: allocate up to {POINTS[actor]} Diplomacy Points in secret"


class DiplomacyRolls(decisions.Decision, rule="C5.2", name="Diplomacy"):
    """One die per power in the order of the table, each result in force before the next (C5.2)."""

    prussian: tuple[int, ...]
    austrian: tuple[int, ...]
    done: int = 0

    def step(self, draft: Draft) -> None:
        """Points on a power that was invaded are lost (C5.1)."""
        power = decisions.next_step(draft, self, self.done, MINORS)
        if power is not None and is_rolled(draft, power):
            draft.push(DiplomacyRoll(power, self.prussian[self.done], self.austrian[self.done]))


class DiplomacyRoll(decisions.DieRoll, rule="C5.2", name="Diplomacy roll"):
    PROMPT = "Diplomacy: {power}"
    power: PowerId
    prussian: int
    austrian: int

    def rolled(self, draft: Draft, die: int) -> None:
        """The power joins a side or stays neutral (C5.3–C5.5, C5.8)."""
        power, modifiers = self.power, diplomacy_modifiers(draft, self.power, self.prussian, self.austrian)
        row, side = diplomacy_result(draft.data, power, die, sum(points for _, points in modifiers))
        draft.emit(events.DiplomacyRolled(power=power, die=die, modifiers=modifiers, row=row, result=side))
        if side == NOBODY:
            return
        note_star(draft, power, row)
        join(draft, power, side)
        resolve_hexes(draft)


def diplomacy_modifiers(pos: Position, power: PowerId, prussian: int, austrian: int) -> events.Modifiers:
    """Return Diplomacy Points and the power's own modifiers, all cumulative (C5.3, C5.6).

    Hanover: −2 if France is on Austria's side, +2 if on Prussia's, but not if it has surrendered.
    """
    invader, france = ("Prussia", "Austria", "nobody")[pos.saxon_invader], pos.side_of(FRANCE)
    parts = [
        ("Austrian Diplomacy Points", austrian),
        ("Prussian Diplomacy Points", -prussian),
        (f"{invader} invaded Saxony in 1756", SAXON.get((power, pos.saxon_invader), 0)),
    ]
    if power == HANOVER and france != NOBODY:
        parts.append((f"France is on {('Prussia', 'Austria')[france]}'s side", FRENCH[france]))
    return tuple(part for part in parts if part[1])


SAXON: Final = {
    (FRANCE, PRUSSIAN): 1,
    (FRANCE, AUSTRIAN): -2,
    (RUSSIA, PRUSSIAN): 1,
    (RUSSIA, AUSTRIAN): -1,
    (SWEDEN, PRUSSIAN): 1,
}
"""By power and invader of Saxony (C5.6)."""
FRENCH: Final = (2, -2)
"""For Hanover, by the side of France (C5.6)."""


def has_added_places(pos: Position, power: PowerId) -> bool:
    """Return whether C5.5 adds places of re-deployment for France or Hanover, by whatever way it joined (C5.9).

    With the option `hanover-note` at `marked`, Hanover must have come by a starred result.
    """
    if not pos.has_star(power):
        return False
    return power != HANOVER or pos.options.hanover_note == "any" or power in pos.starred


PRUSSIAN_POINTS: Final = 22
AUSTRIAN_POINTS: Final = 30
"""Default Resource Points after 1756 (C6.1)."""


def granted(options: GameOptions) -> tuple[int, int]:
    """Return the Resource Points that both majors receive once, after 1756, by side (C6.1)."""
    chosen = options.austrian_points
    return PRUSSIAN_POINTS, AUSTRIAN_POINTS if chosen is msgspec.UNSET else chosen


def share_of(sp: int, percent: int) -> int:
    """Return a percentage of some SP, any fraction rounded up (C6.3, C7.4)."""
    return -(-sp * percent // 100)


def new_sp(pos: Position, side: OwnerId, points: int) -> int:
    """Return the SP raised by Resource Points: 10 % each of the major's own SP on the map, rounded up once (C6.3)."""
    return min(share_of(pos.on_map(MAJORS[side]), 10 * points), counters_left(pos, side))


def counters_left(pos: Position, side: OwnerId) -> int:
    """Return the major's unused SP counters: those on the map, waiting and in enemy hands are in use (C6.5)."""
    if pos.options.counters == "unlimited":
        return UNKNOWN
    power = MAJORS[side]
    used = pos.on_map(power) + of(pos.waiting, power) + of(pos.prisoners[OTHER[side]], power)
    return max(0, pos.data.powers[power].counters - used)


class RaiseSealed(decisions.Secret, frozen=True, gc=False, tag="raise-sealed"):
    points: int = 0


class ForceIncrementPhase(decisions.Decision, rule="C6.1", name="Force Increment Phase"):
    def step(self, draft: Draft) -> None:
        """Both majors receive their points once, after 1756; then they spend some (C6.1, C6.2)."""
        if draft.year == FIRST_YEAR:
            for side in SIDES:
                points = granted(draft.options)[side]
                grant(draft, side, points)
                draft.emit(events.PointsGranted(side=side, points=points, now=draft.rp[side]))
        draft.pop()
        if any(draft.rp):  # else everybody sees that there is nothing to spend
            draft.push(RaiseChoice())


def grant(draft: Draft, side: OwnerId, points: int) -> None:
    one, two = draft.rp
    draft.rp = (one + points, two) if side == PRUSSIAN else (one, two + points)


class RaiseChoice(decisions.SecretChoice[Raise], rule="C6.2", name="Resource Points", neutral=Raise(0)):
    """Both majors decide in secret and at the same time how many Resource Points they spend (C6.2)."""

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return tuple(side for side in decisions.SecretChoice.actors(self, pos) if pos.rp[side])

    def choose(self, pos: Position, side: OwnerId) -> Script[Raise]:
        """Even no points may be spent (C6.2), though they may raise fewer SP than they cost (C6.5)."""
        yield Slot("do", ("raise",), refuse_with("C6.2", '"{}" is not possible now: allocate Resource Points'))
        have = pos.rp[side]

        def price(token: Token) -> str:
            return f"{new_sp(pos, side, int(token))} new SP, {have - int(token)} RP left"

        refuse = refuse_with("C6.2", "{} RP: you have only {}", have)
        return Raise(int((yield Slot("points", range(have + 1), refuse, price=price))))

    def chosen(self, draft: Draft, side: OwnerId, action: Raise) -> None:
        decisions.keep_secret(draft, side, RaiseSealed(True, action.points))

    def reveal(self, draft: Draft) -> None:
        """Spent points are open; only the owner sees the number of SP (C6.4, C6.5)."""
        secrets = draft.sealed
        draft.sealed = (None, None)
        draft.pop()
        for side, secret in zip(SIDES, secrets, strict=True):
            if isinstance(secret, RaiseSealed):  # the new SP wait for the Re-deployment Phase (C6.4)
                power, points = MAJORS[side], secret.points
                raised, had = new_sp(draft, side, points), draft.on_map(power)
                grant(draft, side, -points)
                draft.waiting += bag(power, raised)
                draft.emit(events.ForcesRaised(side=side, power=power, points=points, had=had, raised=raised))
        draft.learn(PRUSSIAN, AUSTRIAN, WATCHER)

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Force Increment: spend any of your {pos.rp[actor]} RP in secret"


MODIFIERS: Final = {1758: -1, 1759: -1, 1760: -2, 1761: -2}
"""By the year just ended (C10.2)."""


class SubsidyPhase(decisions.Decision, rule="C10.2", name="British Subsidy Phase"):
    def step(self, draft: Draft) -> None:
        draft.pop()
        if draft.side_of(HANOVER) != NOBODY:  # C10.2: no roll while it is neutral or has surrendered
            draft.push(SubsidyRoll())


class SubsidyRoll(decisions.DieRoll, rule="C10.1", name="British Subsidy"):
    def rolled(self, draft: Draft, die: int) -> None:
        """The RP may be used from the next sequence on, because this phase follows the increment (C10.1)."""
        side, later = draft.side_of(HANOVER), MODIFIERS.get(draft.year, 0)
        modifiers = ((f"after {draft.year}", later),) if later else ()
        row = max(1, die + later)  # C10.2
        points = draft.data.subsidy[row - 1]
        grant(draft, side, points)
        draft.emit(
            events.SubsidyRolled(side=side, die=die, modifiers=modifiers, row=row, points=points, now=draft.rp[side])
        )


LOWEST: Final = -1
"""Lowest row of the table (C7.2)."""
WEARY: Final = {1761: -1, 1762: -2}
"""Modifier by the year to come (C7.3)."""
PARTNERS: Final = {FRANCE: HANOVER, HANOVER: FRANCE}
"""Powers with a disadvantage while the other is neutral (C7.3)."""
LONELY: Final = -1


def commitment_modifiers(pos: Position, power: PowerId) -> events.Modifiers:
    """Return −1 before 1761, −2 before 1762; France and Hanover −1 if the other is neutral, not surrendered (C7.3)."""
    year = pos.year + 1
    parts = [(f"before {year}", WEARY.get(year, 0))]
    other = PARTNERS.get(power)
    if other is not None and pos.is_neutral(other):
        parts.append((f"{pos.data.powers[other].name} is neutral", LONELY))
    return tuple(part for part in parts if part[1])


def room_for(pos: Position, power: PowerId) -> int:
    """Return the number of SP that a power may add to those on the map (C7.5)."""
    limit = pos.data.powers[power].limit
    return limit - pos.on_map(power) if limit else UNKNOWN


def raised(pos: Position, power: PowerId, percent: int) -> int:
    """Return the SP that a power raises, within its limit; SP that wait count, prisoners do not (C7.4, C7.5)."""
    room = room_for(pos, power) - of(pos.waiting, power)
    return max(0, min(share_of(pos.on_map(power), percent), room))


class CommitmentPhase(decisions.Decision, rule="C7.1", name="Commitment Phase"):
    """One die for each minor power on a side, in the order of the table (C7.1)."""

    done: int = 0

    def step(self, draft: Draft) -> None:
        power = decisions.next_step(draft, self, self.done, MINORS)
        if power is not None and draft.side_of(power) != NOBODY:
            draft.push(CommitmentRoll(power))


class CommitmentRoll(decisions.DieRoll, rule="C7.2", name="Commitment roll"):
    PROMPT = "Commitment: {power}"
    power: PowerId

    def has_lapsed(self, pos: Position) -> bool:
        return pos.side_of(self.power) == NOBODY  # C7.1

    def rolled(self, draft: Draft, die: int) -> None:
        """New SP wait for re-deployment; losses are chosen at once, and then Russia may change sides (C7.6)."""
        power = self.power
        side, had, modifiers = draft.side_of(power), draft.on_map(power), commitment_modifiers(draft, power)
        row = max(LOWEST, die + sum(points for _, points in modifiers))  # Russia may change sides (C7.2, C7.6)
        percent, switches = draft.data.commitment[row, power]
        change = raised(draft, power, percent) if percent > 0 else -share_of(had, -percent)  # C7.4
        table: Values = {"modifiers": modifiers, "row": row, "percent": percent, "switches": switches}
        draft.emit(events.CommitmentRolled(side=side, power=power, die=die, **table, had=had, change=change))
        if switches:
            draft.push(RussiaSwitches())
        if percent > 0:
            draft.waiting += bag(power, change)
        elif percent < 0:
            begin_losses(draft, power, percent, -change)


class LossDue(decisions.Secret, frozen=True, gc=False, tag="loss-due"):
    """The number of SP a side has still to remove; only the owner knows (C6.5)."""

    left: int = 0


def begin_losses(draft: Draft, power: PowerId, percent: int, points: int) -> None:
    """Let the owner choose lost SP (C7.5); from now on the other side knows less of every stack (O3.3)."""
    side = as_side(draft.side_of(power))
    most = share_of(draft.data.powers[power].limit or UNKNOWN, -percent)
    stacks, draft.known = draft.own(side), Memo()
    for stack in stacks:
        draft.stacks[stack.key] = msgspec.structs.replace(stack, low=max(1, stack.low - most))
    decisions.keep_secret(draft, side, LossDue(False, points))
    draft.push(Losses(side, power, percent))


class Losses(decisions.SideDecision[Lose | Done], rule="C7.5", name="Losses", neutral=None):
    """The owner chooses which SP a power loses (C7.5); asked even if none can be lost, which is secret."""

    PROMPT = "Commitment: choose which SP of {power} are lost"
    power: PowerId
    percent: int

    def left(self, pos: Position) -> int:
        """Return the number of SP still to go: 0 for a power that has surrendered meanwhile (C11.3)."""
        due = pos.sealed[self.side]
        return min(due.left, pos.on_map(self.power)) if isinstance(due, LossDue) else 0

    def script(self, pos: Position, actor: Side) -> Script[Lose | Done]:
        left = self.left(pos)
        reason = '"{}" is not possible now: {} SP must still be lost' if left else "the loss is complete: choose done"
        yield Slot("do", ("lose",) if left else ("done",), refuse_with("C7.5", reason, left))
        if not left:
            return Done()
        keys = tuple(stack.key for stack in pos.own(self.side) if of(stack.sp, self.power))
        name = pos.data.powers[self.power].name

        def none_there(token: Token) -> Refusal:
            if not isinstance(token, int) or token < 0:
                return Refusal("C7.5", "a stack with SP of {} is expected", (name,))
            here = key_hex(StackKey(token))
            return Refusal("C7.5", "you have no SP of {} at {}", (name, hex_name(here)), here)

        start = StackKey(int((yield Slot("start", keys, none_there))))
        yield Slot("power", (self.power,), lambda _: Refusal("C7.5", "the SP lost must be those of {}", (name,)))
        points = yield from pick_some(
            "C7.5", "{} SP: from 1 to {} can go here", of(pos.stacks[start].sp, self.power), left
        )
        return Lose(start, self.power, points)

    def answer(self, draft: Draft, actor: Side, action: Lose | Done) -> None:
        if isinstance(action, Done):
            draft.pop()
            decisions.keep_secret(draft, self.side, None)
            return
        stack, power, points = draft.stacks[StackKey(action.start)], action.power, action.points
        left = self.left(draft) - points
        decisions.keep_secret(draft, self.side, LossDue(False, left))
        # the other side's knowledge of the stack was widened beforehand (C7.5)
        draft.put(draft.with_troops(stack, stack.sp - bag(power, points), stack.leaders, stack.band))
        show_move(draft, events.Disbanded.of(stack, power=power, points=points, left=left))  # it may vanish or change


class RussiaSwitches(decisions.Decision, rule="C7.6", name="Russia changes sides"):
    """Russia passes to the other side after its change of SP (C7.6)."""

    def step(self, draft: Draft) -> None:
        """Its forces follow C7.7; both sides learn their strength."""
        draft.pop()
        switch(draft)
        draft.learn(PRUSSIAN, AUSTRIAN, WATCHER)
        resolve_hexes(draft)
