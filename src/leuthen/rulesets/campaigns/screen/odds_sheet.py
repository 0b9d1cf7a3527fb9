"""Odds as a table shows them: exact where one die or a siege decides, counted where battles were fought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.campaigns.model.data import NOBODY
from leuthen.rulesets.campaigns.model.forces import inside_tp, percent_of, strength
from leuthen.rulesets.campaigns.model.names import Names
from leuthen.rulesets.campaigns.model.state import Position, Unit
from leuthen.rulesets.campaigns.odds.battle import BattleOdds
from leuthen.rulesets.campaigns.odds.dice import (
    DIE,
    attrition_odds,
    forced_odds,
    reaction_odds,
    recovery_odds,
    siege_odds,
)
from leuthen.rulesets.campaigns.rules.r02_leaders.stragglers import DOOMED
from leuthen.rulesets.campaigns.rules.r09_supply.check import attrition_percent
from leuthen.rulesets.campaigns.screen.tables import breach_spot, percent_spot
from leuthen.screen import Odds, OddsCase, Spot, Spread
from leuthen.screen.figures import SURE, part, percent_text, plus, spread_of
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import LeaderId

HOW: Final = "Nobody declares anything or leaves of his own will; losses go by the largest remainder."


def modifiers_text(found: Sequence[tuple[str, int]]) -> str:
    """«+1 distance, −2 own hex»."""
    return ", ".join(f"{plus(value)} {name}" for name, value in found) or "no modifiers"


def battle_sheet(pos: Position, here: Hex, odds: BattleOdds, us: Side) -> Odds:
    """A battle as `us` asks for it (R12)."""
    begin = f"{odds.strengths[odds.attacker]} TP attack {odds.strengths[OTHER[odds.attacker]]} TP"
    return band_sheet(pos, here, {begin: odds}, us)


def band_sheet(pos: Position, here: Hex, band: Mapping[str, BattleOdds], us: Side) -> Odds:
    """A battle against an enemy of whom it is not known how strong he is: the odds by what he may have."""
    middle = list(band.values())[(len(band) - 1) // 2]
    rounds, prisoners = f"{float(middle.rounds):.1f}", f"{float(middle.prisoners):.1f}"
    last, rule = (", the last one among them (V6.3)", "V7.1") if pos.options.einhorn else ("", "R14.1")
    error = max(odds.error for odds in band.values())
    notes = (
        f"Counted, not exact: of {middle.fought} battles fought through by the rules, ± {error} in a hundred. {HOW}"
        if error
        else HOW,
        f"Rounds: {rounds} on the average{last}.",
        f"Prisoners of the winner: {prisoners} TP on the average ({rule}).",
    )
    title = f"Battle at {Names(pos.data).hex(here)}"
    return Odds(title, "R12.4", tuple(_battle_case(label, odds, us) for label, odds in band.items()), notes)


def _battle_case(label: str, odds: BattleOdds, us: Side) -> OddsCase:
    them = OTHER[us]
    none = SURE - odds.wins[0] - odds.wins[1]
    results = [part("we win", odds.wins[us]), part("they win", odds.wins[them])]
    results += [part("no victor", none)] if none else []
    spreads = (
        spread_of("TP that we lose", us, odds.losses[us]),
        spread_of("TP that they lose", them, odds.losses[them]),
    )
    return OddsCase(label, tuple(results), spreads)


def siege_sheet(pos: Position, here: Hex, side: Side) -> Odds:
    """A siege: this turn's rolls, and by which turn the place has fallen (R11)."""
    odds, names = siege_odds(pos, here, side), Names(pos.data)
    results = (part("it falls", odds.fall), part("it holds", SURE - odds.fall))
    turns = tuple(part(f"turn {odds.turn + n}", chance) for n, chance in enumerate(odds.by_turn))
    spread = Spread("fallen by siege turn, if it is rolled for turn after turn", NOBODY, turns)
    cases = (OddsCase(f"siege turn {odds.turn}", results, (spread,)),)
    breach = f"A breach in this turn: {percent_text(odds.breach)}"
    marks = f"{breach}, at {odds.number} or less, {modifiers_text(odds.modifiers)} (R11.3, R11.5)."
    notes = (marks, "Besieger, garrison, season and relief are thought to stay as they are.")
    title = f"Siege of {names.hex(here)}, {inside_tp(pos, here, OTHER[side])} TP inside"
    return Odds(title, "R11.3", cases, notes, (breach_spot(pos.data, here, odds.turn),))


def reaction_sheet(pos: Position, leader: LeaderId, here: Hex, side: Side) -> Odds:
    """Whether a leader reacts (R7.3)."""
    odds, who = reaction_odds(pos, leader, here, side), pos.leader(leader)
    results = (part("reacts", odds.chance), part("does not react", SURE - odds.chance))
    rolls = tuple(f"{die}: {'reacts' if hit else 'does not react'}" for die, hit in zip(DIE, odds.faces, strict=True))
    notes = (f"Initiative {who.initiative}: {modifiers_text(odds.modifiers)}; a natural 6 fails.",)
    title = f"Reaction of {who.name} to {Names(pos.data).hex(here)}"
    return Odds(title, "R7.3", (OddsCase("one die", results, (), rolls),), notes, (_reaction_spot(who.initiative),))


def _reaction_spot(initiative: int) -> Spot:
    return Spot("reaction", f"initiative {initiative}")


def forced_sheet(pos: Position, leader: LeaderId) -> Odds:
    """A forced march (R8)."""
    (free, strained, lost), who = forced_odds(pos, leader), pos.leader(leader)
    results = [part("marches", free), part(f"marches after losing {lost} TP", strained)]
    results.append(part("nothing", SURE - free - strained))
    spots = (Spot("forced", f"command {who.command}"),)
    return Odds(f"Forced march of {who.name}", "R8.1", (OddsCase("one die", tuple(results)),), (), spots)


def initiative_sheet(pos: Position, leader: LeaderId) -> Odds:
    """Whether the other side of a shared hex attacks (R6.1)."""
    who = pos.leader(leader)
    chance = Fraction(min(6, who.initiative), 6)
    results = (part("attacks", chance), part("does not", SURE - chance))
    return Odds(f"Attack of {who.name}", "R6.1", (OddsCase("one die", results),))


def recovery_sheet(pos: Position, leader: LeaderId) -> Odds:
    """Recovery of a leader's troops, and of leader morale as the commander of his force (V8.1, V8.2)."""
    troops, courage = recovery_odds(pos, leader)
    who, unit = pos.leader(leader), pos.units[leader]
    cases = [OddsCase("troops, two dice", (part("recover", troops), part("stay demoralized", SURE - troops)))]
    if pos.options.einhorn:
        results = part("recovers", courage), part("stays demoralized", SURE - courage)
        cases.append(OddsCase("leader morale, one die and then two, if he commands the force", results))
    notes = () if unit.shaken or unit.daunted else ("He is not demoralized.",)
    return Odds(f"Recovery of {who.name}", "V8.1", tuple(cases), notes)


def attrition_sheet(pos: Position, units: Sequence[Unit]) -> Odds:
    """A roll for attrition by a force (V3.5); in the base game what it loses (R9.7)."""
    names, tp = Names(pos.data), strength(units)
    title, side = f"Attrition of {names.units(u.number for u in units)}, {tp} TP", pos.side(units[0].number)
    if not pos.options.einhorn:
        percent = 10 if max(unit.hunger for unit in units) >= 2 else 5
        loss = percent_of(percent, tp)
        return Odds(title, "R9.7", (OddsCase(f"{percent} %", (part(f"{loss} TP lost", SURE, loss),)),))
    earlier = max(unit.rolls for unit in units)
    found = attrition_odds(pos, units)
    rolls = tuple(f"{die}: {attrition_percent(pos, die + earlier)} %" for die in DIE)
    none = sum((chance for value, chance in found if not value), Fraction(0))
    results = tuple(p for p in (part("no loss", none), part("loses TP", SURE - none)) if p.chance)
    case = OddsCase("if it rolls now", results, (spread_of("TP lost", side, found),), rolls)
    table = pos.data.attrition
    spots = tuple(dict.fromkeys(percent_spot("attrition", table, die + earlier, 1) for die in DIE))
    return Odds(title, "V3.5", (case,), (f"+{earlier} for earlier turns in a row.",) * bool(earlier), spots)


def capture_sheet(pos: Position, number: LeaderId) -> Odds:
    """What becomes of a leader without TP, or of a wagon, alone among enemies (R2.4, R9.4)."""
    name, chance = Names(pos.data).unit(number), Fraction(DOOMED, 6)
    if pos.data.is_wagon(number):
        half = pos.units[number].sp // 2
        rest = f"taken with {half} SP" if half else "destroyed too"
        results = (part("destroyed", chance), part(rest, SURE - chance))
        return Odds(f"{name[0].upper()}{name[1:]} alone among enemies", "R9.4", (OddsCase("one die", results),))
    results = (part("captured", chance), part("escapes to the nearest force", SURE - chance))
    return Odds(f"{name} alone among enemies", "R2.4", (OddsCase("one die", results),))
