"""Odds as the client shows them: exact for single dice and sieges, sampled for battles."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from leuthen.engine.choice import Action, ByKind
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import NOBODY, OTHER, Side, as_side
from leuthen.rulesets.campaigns import odds as chances
from leuthen.rulesets.campaigns.knowledge import OUTLINE, View, complete_view
from leuthen.rulesets.campaigns.model import actions as do
from leuthen.rulesets.campaigns.model import forces
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.events import Names
from leuthen.rulesets.campaigns.model.pieces import UNKNOWN, Unit
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.orders import Reader
from leuthen.rulesets.campaigns.rules.r02_leaders import DOOMED
from leuthen.rulesets.campaigns.rules.r06_meeting import Rousing
from leuthen.rulesets.campaigns.rules.r07_reaction import ReactionWindow, reaction_range
from leuthen.rulesets.campaigns.rules.r11_siege import besiegers
from leuthen.rulesets.campaigns.rules.r12_battle import Declaring, Leaving
from leuthen.rulesets.campaigns.rules.r12_fight import current
from leuthen.rulesets.campaigns.screen.forces import decision_hex
from leuthen.rulesets.campaigns.screen.forms import Questions
from leuthen.rulesets.campaigns.screen.setting import breach_spot, percent_spot
from leuthen.screen.figures import SURE, loss_or_none, part, percent_text, plus, spread_of, yes_no_results
from leuthen.screen.values import Odds, OddsCase, Spot, Spread, begun
from leuthen.wargame.board import NOWHERE, Hex, hex_name
from leuthen.wargame.grammar import begin
from leuthen.wargame.strength import LeaderId, bag

HOW: Final = "Assumes no declarations and no withdrawal; losses are spread in proportion."


def modifiers_text(found: Sequence[tuple[str, int]]) -> str:
    """Return modifiers in words: "+1 distance, −2 own hex"."""
    return ", ".join(f"{plus(value)} {name}" for name, value in found) or "no modifiers"


def battle_sheet(pos: Position, here: Hex, odds: chances.BattleOdds, us: Side) -> Odds:
    """Return the odds of a battle for one side (R12)."""
    begin = f"{odds.strengths[odds.attacker]} TP attack {odds.strengths[OTHER[odds.attacker]]} TP"
    return band_sheet(pos, here, {begin: odds}, us)


def band_sheet(pos: Position, here: Hex, band: Mapping[str, chances.BattleOdds], us: Side) -> Odds:
    """Return the odds of a battle by the possible strengths of the enemy."""
    middle = list(band.values())[(len(band) - 1) // 2]
    rounds, prisoners = f"{float(middle.rounds):.1f}", f"{float(middle.prisoners):.1f}"
    last, rule = (", including the last round (V6.3)", "V7.1") if pos.options.einhorn else ("", "R14.1")
    error = max(odds.error for odds in band.values())
    notes = (
        f"Estimate from {middle.fought} simulated battles, ± {error} percentage points. {HOW}" if error else HOW,
        f"Rounds: {rounds} on average{last}.",
        f"The winner takes {prisoners} TP prisoner on average ({rule}).",
    )
    title = f"Battle at {Names(pos.data).hex(here)}"
    cases, them = [], OTHER[us]
    for label, odds in band.items():
        none = SURE - odds.wins[0] - odds.wins[1]
        results = [part("we win", odds.wins[us]), part("they win", odds.wins[them])]
        results += [part("no winner", none)] if none else []
        ours, theirs = odds.losses[us], odds.losses[them]
        spreads = spread_of("TP that we lose", us, ours), spread_of("TP that they lose", them, theirs)
        cases.append(OddsCase(label, tuple(results), spreads))
    return Odds(title, "R12.4", tuple(cases), notes)


def siege_sheet(pos: Position, here: Hex, side: Side) -> Odds:
    """Return the odds of this turn's siege rolls, and of the fall by turn (R11)."""
    odds, names = chances.siege_odds(pos, here, side), Names(pos.data)
    turns = tuple(part(f"turn {odds.turn + n}", chance) for n, chance in enumerate(odds.by_turn))
    spread = Spread("fallen by siege turn, if rolled for every turn", NOBODY, turns)
    cases = (OddsCase(f"siege turn {odds.turn}", yes_no_results("it falls", odds.fall, "it holds"), (spread,)),)
    breach = f"A breach in this turn: {percent_text(odds.breach)}"
    marks = f"{breach}, at {odds.number} or less, {modifiers_text(odds.modifiers)} (R11.3, R11.5)."
    notes = (marks, "Assumes the same besieger, garrison, season and relief.")
    title = f"Siege of {names.hex(here)}, {forces.inside_tp(pos, here, OTHER[side])} TP inside"
    return Odds(title, "R11.3", cases, notes, (breach_spot(pos.data, here, odds.turn),))


def reaction_sheet(pos: Position, leader: LeaderId, here: Hex, side: Side) -> Odds:
    """Return the odds of a reaction (R7.3)."""
    odds, who = chances.reaction_odds(pos, leader, here, side), pos.leader(leader)
    words = "does not react", "reacts"
    results = yes_no_results(words[1], odds.chance, words[0])
    rolls = tuple(f"{die}: {words[hit]}" for die, hit in zip(chances.DIE, odds.faces, strict=True))
    notes = (f"Initiative {who.initiative}: {modifiers_text(odds.modifiers)}; a natural 6 fails.",)
    spot = Spot("reaction", f"initiative {who.initiative}")
    title = f"Reaction of {who.name} to {Names(pos.data).hex(here)}"
    return Odds(title, "R7.3", (OddsCase("one die", results, (), rolls),), notes, (spot,))


def forced_sheet(pos: Position, leader: LeaderId) -> Odds:
    """Return the odds of a forced march (R8)."""
    (free, strained, lost), who = chances.forced_odds(pos, leader), pos.leader(leader)
    results = [part("marches", free), part(f"marches after losing {lost} TP", strained)]
    results.append(part("no march", SURE - free - strained))
    spots = (Spot("forced", f"command {who.command}"),)
    return Odds(f"Forced march of {who.name}", "R8.1", (OddsCase("one die", tuple(results)),), (), spots)


def recovery_sheet(pos: Position, leader: LeaderId) -> Odds:
    """Return the odds of recovery of a leader's troops, and of leader morale (V8.1, V8.2)."""
    troops, courage = chances.recovery_odds(pos, leader)
    who, unit = pos.leader(leader), pos.units[leader]
    cases = [OddsCase("troops, two dice", yes_no_results("recover", troops, "stay demoralized"))]
    if pos.options.einhorn:
        results = yes_no_results("recovers", courage, "stays demoralized")
        cases.append(OddsCase("leader morale, one die and then two, if he commands the force", results))
    notes = () if unit.shaken or unit.daunted else ("Not demoralized.",)
    return Odds(f"Recovery of {who.name}", "V8.1", tuple(cases), notes)


def attrition_sheet(pos: Position, units: Sequence[Unit]) -> Odds:
    """Return the odds of a force's attrition (V3.5), or its certain loss in the base game (R9.7)."""
    names, tp = Names(pos.data), forces.strength(units)
    title, side = f"Attrition of {names.units(u.number for u in units)}, {tp} TP", pos.side(units[0].number)
    if not pos.options.einhorn:
        percent = 10 if max(unit.hunger for unit in units) >= 2 else 5
        loss = forces.percent_of(percent, tp)
        return Odds(title, "R9.7", (OddsCase(f"{percent} %", (part(f"{loss} TP lost", SURE, loss),)),))
    earlier = max(unit.rolls for unit in units)
    found = chances.attrition_odds(pos, units)
    rolls = tuple(f"{die}: {forces.percent_at(pos.data.attrition, die + earlier, 1)} %" for die in chances.DIE)
    case = OddsCase("if rolled now", loss_or_none("TP", found), (spread_of("TP lost", side, found),), rolls)
    spots = tuple(dict.fromkeys(percent_spot("attrition", pos.data.attrition, die + earlier, 1) for die in chances.DIE))
    return Odds(title, "V3.5", (case,), (f"+{earlier} for earlier turns in a row.",) * bool(earlier), spots)


class OddsLine(Reader):
    """A line of the player's question, read in the position as the viewer sees it."""

    def __init__(self, data: GameData, view: View, words: list[str]) -> None:
        super().__init__(data, complete_view(data, view, OUTLINE), as_side(view.viewer), words)
        self.view = view

    def on_map(self) -> Unit:
        """Read a leader or wagon on the map. Raises Invalid or Ambiguous."""
        rest = " ".join(self.words)
        number = self.read_optional_unit(self.likely(), strict=False)
        if number is None or number not in self.pos.units:
            raise Invalid(f'"{rest}" is not on the map')
        return self.pos.units[number]

    def place(self) -> Hex:
        here = NOWHERE if self.words else decision_hex(self.pos)
        return self.hex() if here == NOWHERE else here

    def known_unit(self, *, is_leader: bool = False) -> Unit:
        """Read a unit whose strength the viewer knows (option `hidden`). Raises Invalid or Ambiguous."""
        unit = self.on_map()
        self.expect_known(unit)
        if is_leader and self.pos.data.is_wagon(unit.number):
            raise Invalid("wagons cannot force their march (R8)")
        return unit

    def expect_known(self, unit: Unit) -> None:
        if not self.view.knows(self.pos.side(unit.number)):
            raise Invalid(f"the strength of {self.pos.leader(unit.number).name} is not known (R1.8)")


def make_odds(data: GameData, view: View, text: str) -> Odds:
    """Return the odds of what `text` names, from the viewer's knowledge. Raises Invalid or Ambiguous."""
    ask, words = begin(text, TOPICS, "question of odds")
    if view.viewer not in (0, 1):
        raise Invalid("only the two sides can see odds")
    line = OddsLine(data, view, words)
    odds = ask(line)
    line.end()
    return odds


def _battle(line: OddsLine, attacker: Side) -> Odds:
    pos = line.pos
    movers: list[Unit] = []
    while line.words and not line.words[0][:1].isdigit() and len(line.words) > 1:
        movers.append(line.on_map())
    here = line.place()
    if movers:
        pos = moved(pos, [unit.number for unit in movers], here)
    for side in (0, 1):
        if not forces.field_tp(pos, here, side):
            whose = "you have" if side == line.actor else "the enemy has"
            raise Invalid(f"{whose} no field force at {hex_name(here)}: name leaders before the hex")
    return seen_battle(line.view, pos, here, attacker, line.actor)


def _siege(line: OddsLine) -> Odds:
    here = line.place()
    for side in (line.actor, OTHER[line.actor]):
        if line.pos.owners.get(here) == OTHER[side] and besiegers(line.pos, here, side):
            return siege_sheet(line.pos, here, side)
    raise Invalid(f"no force can besiege {hex_name(here)} now (R11.1, V5)")


def _read_reaction(line: OddsLine) -> Odds:
    window, able = line.pos.frames[-1] if line.pos.frames else None, list[LeaderId]()
    if isinstance(window, ReactionWindow) and window.side == line.actor and not line.words:
        able = window.able(line.pos)
    unit = line.pos.units[able[0]] if len(able) == 1 else line.on_map()
    here = line.place()
    side = line.pos.side(unit.number)
    if unit.hex not in reaction_range(line.pos, here, side):
        raise Invalid(f"{line.pos.leader(unit.number).name} is more than 3 MP from {hex_name(here)} (R7.1)")
    return reaction_sheet(line.pos, unit.number, here, side)


def _attrition(line: OddsLine) -> Odds:
    unit = line.known_unit()
    force = forces.troops_at(line.pos, unit.hex, line.pos.side(unit.number), unit.inside)
    if not force:
        raise Invalid(f"{line.pos.leader(unit.number).name} has no TP with him")
    return attrition_sheet(line.pos, force)


def _capture(line: OddsLine) -> Odds:
    """Return the odds of a leader without TP, or a wagon, alone among enemies (R2.4, R9.4)."""
    unit, chance = line.on_map(), Fraction(DOOMED, 6)
    name, rule = Names(line.pos.data).unit(unit.number), "R2.4"
    results = yes_no_results("captured", chance, "escapes to the nearest force")
    if line.pos.data.is_wagon(unit.number):
        line.expect_known(unit)
        rest = f"taken with {unit.sp // 2} SP" if unit.sp > 1 else "destroyed too"
        name, rule, results = begun(name), "R9.4", yes_no_results("destroyed", chance, rest)
    return Odds(f"{name} alone among enemies", rule, (OddsCase("one die", results),))


TOPICS: Final[Mapping[str, Callable[[OddsLine], Odds]]] = {
    "attack": lambda line: _battle(line, line.actor),
    "defend": lambda line: _battle(line, OTHER[line.actor]),
    "siege": _siege,
    "react": _read_reaction,
    "force": lambda line: forced_sheet(line.pos, line.known_unit(is_leader=True).number),
    "attrition": _attrition,
    "recover": lambda line: recovery_sheet(line.pos, line.on_map().number),
    "capture": _capture,
}
"""The questions by their first word."""


CASES: Final = 5
"""The number of enemy strengths in a sheet."""
LARGE: Final = 60
"""A TP that few forces exceed."""


def seen_battle(view: View, pos: Position, here: Hex, attacker: Side, us: Side, *, came: Hex = NOWHERE) -> Odds:
    """Return the odds of an attack in a hex, from the knowledge of `us` (R12, O3)."""
    foe = next((f for f in view.stacks if (f.hex, f.side, f.inside) == (here, OTHER[us], False)), None)
    if foe is None or foe.least == foe.most:
        return battle_sheet(pos, here, chances.battle_odds(pos, here, attacker, came=came), us)
    band = {
        f"{points} TP": chances.battle_odds(
            with_strength(pos, here, OTHER[us], points), here, attacker, came=came, battles=chances.FEW
        )
        for points in steps(foe.least, foe.most)
    }
    return band_sheet(pos, here, band, us)


def steps(low: int, high: int) -> list[int]:
    """Return some strengths from the lowest to the highest likely one."""
    top = max(low, LARGE) if high >= UNKNOWN else high
    return sorted({low + (top - low) * number // (CASES - 1) for number in range(CASES)})


def with_strength(pos: Position, here: Hex, side: Side, points: int) -> Draft:
    """Return the position with another strength of a field force, changed at its commander."""
    draft = Draft(pos)
    chief = forces.commander(draft, forces.force_at(draft, here, side, False))
    rest = points - forces.field_tp(draft, here, side) + draft.units[chief].strength
    draft.change(chief, tp=bag(draft.leader(chief).nation, max(1, rest)))
    return draft


def _attack_order(asked: Questions, action: do.Attack) -> Odds | None:
    frame, pos = asked.frame, asked.pos
    if isinstance(frame, Rousing):
        who = pos.leader(forces.commander(pos, forces.force_at(pos, frame.hex, frame.side, False)))
        results = yes_no_results("attacks", Fraction(min(6, who.initiative), 6), "does not attack")
        return Odds(f"Attack of {who.name}", "R6.1", (OddsCase("one die", results),))
    here = pos.units[frame.lead].hex
    return seen_battle(asked.seen.view, pos, here, asked.actor, asked.actor, came=frame.came)


def _cached_battle_odds(asked: Questions, group: tuple[LeaderId, ...], path: tuple[Hex, ...]) -> Odds | None:
    pos, us = asked.pos, asked.actor

    def make() -> Odds | None:
        way = pos.units[group[0]].hex, *path
        draft = moved(pos, group, way[-1])
        if not forces.field_tp(draft, way[-1], OTHER[us]) or not forces.field_tp(draft, way[-1], us):
            return None
        return seen_battle(asked.seen.view, draft, way[-1], us, us, came=way[-2] if len(way) > 1 else NOWHERE)

    return pos.known.get_or_compute(("battle odds", group, path), make)


def moved(pos: Position, group: Iterable[LeaderId], here: Hex) -> Draft:
    draft = Draft(pos)
    for number in group:
        draft.change(number, hex=here, inside=False)
    return draft


def _go(asked: Questions, action: do.Go) -> Odds | None:
    members = asked.frame.members(asked.pos)
    return _cached_battle_odds(asked, members, action.path) if members else None


def _move(asked: Questions, action: do.Move) -> Odds | None:
    frame = asked.frame
    end = action.path[-1] if action.path else asked.pos.units[frame.group[0]].hex
    return _cached_battle_odds(asked, frame.group, action.path) if end == frame.hex else None


def _rest(asked: Questions, action: Action) -> Odds | None:
    if not isinstance(asked.frame, Declaring | Leaving):
        return None
    odds = chances.rest_odds(asked.pos, asked.actor, action)
    return battle_sheet(asked.pos, current(asked.pos).hex, odds, asked.actor)


ORDER_ODDS: Final[ByKind[Action, Questions, Odds | None]] = {
    do.Attack: _attack_order,
    do.March: lambda asked, action: _cached_battle_odds(asked, (action.leader, *action.companions), action.path),
    do.Go: _go,
    do.Move: _move,
    do.React: lambda asked, action: reaction_sheet(asked.pos, action.leader, asked.frame.hex, asked.frame.side),
    do.Force: lambda asked, action: forced_sheet(asked.pos, action.leader),
    do.Besiege: lambda asked, action: siege_sheet(asked.pos, action.hex, asked.actor),
    do.Sortie: lambda asked, action: _cached_battle_odds(asked, (action.leader, *action.companions), ()),
    do.Starve: lambda asked, action: attrition_sheet(asked.pos, asked.frame.units(asked.pos)),
    do.Declare: _rest,
    do.Hold: _rest,
    do.Withdraw: _rest,
}
