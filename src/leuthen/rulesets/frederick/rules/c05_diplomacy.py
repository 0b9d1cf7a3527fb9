"""C5: diplomacy, once, after 1756. The reactions of C5.7 use the same table."""

from __future__ import annotations

from typing import Final

from leuthen.engine.choice import Script, Slot
from leuthen.engine.decision import refuse_with
from leuthen.engine.ruleset import NOBODY, WATCHER, OwnerId, Side
from leuthen.rulesets.frederick.model.actions import Envoys
from leuthen.rulesets.frederick.model.data import FRANCE, HANOVER, MINORS, RUSSIA, SWEDEN
from leuthen.rulesets.frederick.model.decisions import Decision, DieRoll, Secret, SecretChoice, keep_secret
from leuthen.rulesets.frederick.model.events import DiplomacyRolled, EnvoysRevealed, Modifiers
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.model.state import Draft, Position
from leuthen.rulesets.frederick.rules.c02_setup import counts_down
from leuthen.rulesets.frederick.rules.c11_allegiance import diplomacy_result, join, note_star
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes
from leuthen.wargame.strength import PowerId

POINTS: Final = (2, 4)
"""Diplomacy Points by side (C5.1)."""
YEAR: Final = 1756


def is_rolled(pos: Position, power: PowerId) -> bool:
    """Return whether a power rolls for its allegiance: not if it was invaded in 1756 (C5.2)."""
    return power not in pos.invaded and pos.is_neutral(power)


class EnvoysSealed(Secret, frozen=True, gc=False, tag="envoys-sealed"):
    points: tuple[int, ...] = ()


class DiplomacyPhase(Decision, rule="C4.2", name="Diplomacy Phase"):
    """The Diplomacy Phase, after 1756 only (C4.2, C5)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        if draft.year == YEAR:
            draft.push(EnvoyChoice())


class EnvoyChoice(SecretChoice[Envoys], rule="C5.1", name="Diplomacy Points", neutral=None):
    """Both allocate Diplomacy Points in secret and at the same time; some may be left unspent (C5.1)."""

    def choose(self, pos: Position, side: OwnerId) -> Script[Envoys]:
        yield Slot("do", ("envoys",), refuse_with("C5.1", '"{}" is not possible now: allocate Diplomacy Points'))
        left, points = POINTS[side], list[int]()
        for number, power in enumerate(MINORS):
            name = pos.data.powers[power].name
            refuse = refuse_with("C5.1", "{} points on {}: only {} left", name, left)
            given = int((yield Slot("points", range(left + 1), refuse, index=number, price=counts_down(left))))
            points.append(given)
            left -= given
        return Envoys(tuple(points))

    def chosen(self, draft: Draft, side: OwnerId, action: Envoys) -> None:
        keep_secret(draft, side, EnvoysSealed(True, action.points))

    def reveal(self, draft: Draft) -> None:
        prussian, austrian = (secret.points for secret in draft.sealed)
        draft.sealed = (None, None)
        draft.emit(EnvoysRevealed(powers=MINORS, prussian=prussian, austrian=austrian))
        draft.learn(PRUSSIAN, AUSTRIAN, WATCHER)
        draft.swap(DiplomacyRolls(prussian, austrian))

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Diplomacy: allocate up to {POINTS[actor]} Diplomacy Points in secret"


class DiplomacyRolls(Decision, rule="C5.2", name="Diplomacy"):
    """One die per power in the order of the table, each result in force before the next (C5.2)."""

    prussian: tuple[int, ...]
    austrian: tuple[int, ...]
    done: int = 0

    def step(self, draft: Draft) -> None:
        """Points on a power that was invaded are lost (C5.1)."""
        if self.done == len(MINORS):
            draft.pop()
            return
        power = MINORS[self.done]
        draft.swap(DiplomacyRolls(self.prussian, self.austrian, self.done + 1))
        if is_rolled(draft, power):
            draft.push(DiplomacyRoll(power, self.prussian[self.done], self.austrian[self.done]))


class DiplomacyRoll(DieRoll, rule="C5.2", name="Diplomacy roll"):
    PROMPT = "Diplomacy: {power}"
    power: PowerId
    prussian: int
    austrian: int

    def rolled(self, draft: Draft, die: int) -> None:
        """The power joins a side or stays neutral (C5.3–C5.5, C5.8)."""
        power, modifiers = self.power, diplomacy_modifiers(draft, self.power, self.prussian, self.austrian)
        rolled, side = diplomacy_result(draft.data, power, die, sum(points for _, points in modifiers))
        draft.emit(DiplomacyRolled(power=power, die=die, modifiers=modifiers, rolled=rolled, result=side))
        if side == NOBODY:
            return
        note_star(draft, power, rolled)
        join(draft, power, side)
        resolve_hexes(draft)


def diplomacy_modifiers(pos: Position, power: PowerId, prussian: int, austrian: int) -> Modifiers:
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
