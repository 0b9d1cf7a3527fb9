"""Exact odds as the client shows them, of a question or of an order that is ready to be given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from leuthen.engine.choice import Action, ByKind
from leuthen.engine.decision import Done
from leuthen.engine.ruleset import NOBODY, OTHER, Side
from leuthen.rulesets.frederick import odds
from leuthen.rulesets.frederick.knowledge import View
from leuthen.rulesets.frederick.model import actions as do
from leuthen.rulesets.frederick.model.data import MINORS, GameData
from leuthen.rulesets.frederick.model.events import BattleFought, Names
from leuthen.rulesets.frederick.model.pieces import UNKNOWN, Stack
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.model.state import Position
from leuthen.rulesets.frederick.odds import (
    Attrition,
    BattleOdds,
    Courting,
    Diplomacy,
    Fight,
    MarchQuestion,
    Overwhelming,
    OverwhelmOdds,
    Recovery,
    SiegeOdds,
    SiegeQuestion,
    Spread,
    ask_odds,
    attrition_rolls,
    force_march_odds,
    march_odds,
    recovery_rolls,
    retreat_odds,
)
from leuthen.rulesets.frederick.rules.c05_council import POINTS, is_rolled
from leuthen.rulesets.frederick.rules.o05_forces import initiative
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.rulesets.frederick.rules.o09_combat import Routed
from leuthen.rulesets.frederick.screen.forms import Questions
from leuthen.rulesets.frederick.screen.setting import (
    DIE,
    SIEGE_WORDS,
    attrition_spot,
    combat_spot,
    initiative_spot,
    siege_spot,
)
from leuthen.screen.figures import SURE, loss_or_none, part, parts, plus, signed, spread_of, yes_no_results
from leuthen.screen.values import Odds, OddsCase, Spot
from leuthen.screen.values import Spread as ShownSpread
from leuthen.wargame.names import format_count

NOT_KNOWN: Final = "Odds for every strength the enemy may have."
OUTCOMES: Final = ("we win", "no winner", "we lose")
FATES: Final = ("killed", "captured", "stays in command")
ALLEGIANCES: Final = ("joins Prussia", "joins Austria", "stays neutral")


def make_odds(data: GameData, view: View, text: str) -> Odds:
    """Return the odds of what `text` names, from the viewer's knowledge. Raises Invalid or Ambiguous."""
    pos, asked = ask_odds(data, view, text)
    match asked:
        case Fight():
            return fight_sheet(pos, asked)
        case SiegeQuestion():
            return siege_sheet(pos, asked)
        case Overwhelming():
            return overwhelming_sheet(pos, asked)
        case MarchQuestion():
            return march_sheet(pos, asked)
        case Recovery():
            return _recovery(pos, asked)
        case Attrition():
            return _attrition(pos, asked)
        case Diplomacy():
            cases = tuple(_courting(pos, courting, "") for courting in asked.powers)
            return Odds("Diplomacy", "C5.3", cases, tuple(_modifiers(pos, asked.powers)), _spots(pos, asked.powers))


def fight_sheet(pos: Position, fight: Fight) -> Odds:
    """Return the odds of a battle, with a case for each enemy strength that changes something (O9.3)."""
    cases = tuple(_fight_case(points, odds, fight) for points, odds in fight.band.items())
    fights = [roll for odds in fight.band.values() for roll in odds.fights]
    spots = dict.fromkeys(combat_spot(pos.data, roll.result, roll.ratio) for roll in fights)
    notes = (retreat_text(fight), *_band_notes(fight.foe.low, fight.foe.high))
    return Odds(fight_title(pos, fight), "O9.4", cases, notes, tuple(spots))


def _fight_case(points: int, odds: BattleOdds, fight: Fight) -> OddsCase:
    us, sides = fight.us, tuple(stack.side for stack in fight.stacks)
    chances = (odds.win, odds.draw, odds.lose) if us == 0 else (odds.lose, odds.draw, odds.win)
    spreads: list[ShownSpread] = []
    for who, whose in ((us, "we"), (OTHER[us], "they")):
        spreads.append(spread_of(f"SP that {whose} lose", sides[who], odds.gone(who)))
        if any(value for value, _ in odds.prisoners[who]):
            spreads.append(spread_of("of those, taken prisoner", sides[who], odds.prisoners[who]))
        if fight.stacks[who].commander >= 0:
            killed, captured = odds.killed[who], odds.captured[who]
            fates = parts(FATES, (killed, captured, SURE - killed - captured))
            whom = f"{'our' if whose == 'we' else 'their'} commander"
            spreads.append(ShownSpread(whom, sides[who], tuple(fate for fate in fates if fate.chance)))
    rolls = tuple(die_text(roll, us) for roll in odds.fights) or ("overwhelmed without a roll (O9.10)",)
    results = parts(OUTCOMES, chances)
    return OddsCase(f"{points} SP ({odds.ratio} %)", results, tuple(spreads), rolls)


def _band_notes(low: int, high: int) -> tuple[str, ...]:
    return () if low == high else (f"Enemy strength {numbers(low, high)}. {NOT_KNOWN}",)


def siege_sheet(pos: Position, siege: SiegeQuestion) -> Odds:
    """Return the odds of a siege roll, with a case for each group of garrisons (O13.2)."""
    cases = tuple(
        OddsCase(
            f"{numbers(points[0], UNKNOWN if siege.is_open and points is siege.rows[-1][1] else points[-1])} SP inside",
            tuple(part(SIEGE_WORDS[word], chance) for word, chance in odds.results),
            rolls=tuple(f"{roll.die} (= {signed(roll.total)}): {roll.result}" for roll in odds.rolls),
        )
        for odds, points in siege.rows
    )
    notes = (siege_marks(siege.rows[-1][0]), *_band_notes(siege.garrison.low, siege.garrison.high))
    spots = dict.fromkeys(siege_spot(pos.data, roll.total) for odds, _ in siege.rows for roll in odds.rolls)
    inside = numbers(siege.garrison.low, siege.garrison.high)
    title = f"Siege of {Names(pos.data).hex(siege.camp.hex)}: {siege.camp.strength} SP against {inside} SP"
    return Odds(title, "O13.2", cases, notes, tuple(spots))


def overwhelming_sheet(pos: Position, asked: Overwhelming, fight: Fight | None = None) -> Odds:
    """Return the result of an overwhelming attack, which depends only on the enemy's strength (O5.9).

    `fight` is the battle that follows a failure (O5.17).
    """
    odds = asked.odds
    where = Names(pos.data).hex(asked.hex)
    cases, spots = list[OddsCase](), tuple[Spot, ...]()
    if not odds.is_hopeless:
        cases.append(OddsCase(f"{numbers(odds.low, min(odds.most, odds.high))} SP", (part("succeeds", SURE),)))
    if not odds.is_certain:
        least = max(odds.low, odds.most + 1)
        cases.append(OddsCase(f"{numbers(least, odds.high)} SP", (part("fails; an attack must follow", SURE),)))
    if fight is not None and not odds.is_certain:
        feared = msgspec.structs.replace(fight, band={n: one for n, one in fight.band.items() if n > odds.most})
        battle = fight_sheet(pos, feared)
        cases, spots = [*cases, *battle.cases], battle.spots
    return Odds(f"Overwhelming attack at {where}", "O5.9", tuple(cases), (overwhelm_text(odds),), spots)


def march_sheet(pos: Position, march: MarchQuestion) -> Odds:
    """Return the MP by die, and the odds at the end of the path (O5.2, O6.1)."""
    who, side = pos.leader(march.force.commander).name, march.force.side
    named = (("by the die of the phase", march.plain), ("force march", march.forced))
    cases = list[OddsCase]()
    for label, found in named:
        if found is not None:
            results = tuple([part(f"{points} MP", chance, points) for points, chance in found.points])
            loss: Spread = ((0, SURE - found.loss), (1, found.loss))
            spreads = (spread_of("SP that we lose", side, loss),) if found.loss else ()
            cases.append(OddsCase(label, results, spreads))
    notes: tuple[str, ...] = () if march.overwhelming is None else (overwhelm_text(march.overwhelming.odds),)
    bonus, table = initiative(pos, march.force), "march" if march.forced is None else "force-march"
    spots = tuple(initiative_spot(table, die, bonus) for die in DIE)
    if march.fight is not None:
        fight = fight_sheet(pos, march.fight)
        cases.extend(fight.cases)
        notes, spots = (*notes, fight.title, *fight.notes), (*spots, *fight.spots)
    return Odds(f"March of {who}, {march.force.strength} SP", "O5.2", tuple(cases), notes, spots)


def retreat_sheet(pos: Position, stack: Stack, bonus: int) -> Odds:
    """Return the odds of the length of a retreat (O9.7)."""
    found = retreat_odds(pos, stack, bonus)
    results = tuple(
        part(format_count(hexes, "hex") if hexes else "surrenders: no retreat", chance, hexes)
        for hexes, chance in found
    )
    spots = tuple(initiative_spot("retreat", die, bonus) for die in DIE)
    return Odds(f"Retreat from {Names(pos.data).hex(stack.hex)}", "O9.7", (OddsCase("one die", results),), (), spots)


def _recovery(pos: Position, asked: Recovery) -> Odds:
    stack, where = asked.stack, Names(pos.data).hex(asked.stack.hex)
    who = f" of {pos.leader(stack.commander).name}" if stack.commander >= 0 else ""
    notes = () if stack.demoralized else ("Not demoralized.",)
    if stack.commander < 0:
        notes = (*notes, "Cannot roll without a commander.")
    results = yes_no_results("recovers", asked.chance, "stays demoralized")
    dice = recovery_rolls(pos, stack) if stack.commander >= 0 else ()
    rolls = tuple(f"{d.die} + {d.initiative}: {'recovers' if d.success else 'stays demoralized'}" for d in dice)
    spots = tuple(initiative_spot("morale", d.die, d.initiative) for d in dice)
    return Odds(f"Recovery{who} at {where}", "O11.2", (OddsCase("one die", results, (), rolls),), notes, spots)


def _attrition(pos: Position, asked: Attrition) -> Odds:
    stack, where = asked.stack, Names(pos.data).hex(asked.stack.hex)
    spread = spread_of("SP that we lose", stack.side, asked.loss)
    dice = attrition_rolls(pos, stack)
    rolls = tuple(f"{roll.die} (= {roll.die + roll.added}): {roll.percent} %, {roll.loss} SP" for roll in dice)
    case = OddsCase("if rolled now", loss_or_none("SP", asked.loss), (spread,), rolls)
    spots = tuple(dict.fromkeys(attrition_spot(pos.data, roll.die + roll.added) for roll in dice))
    return Odds(f"Attrition of {stack.strength} SP at {where}", "O10.8", (case,), (), spots)


def envoys_sheet(pos: Position, us: Side, powers: tuple[Courting, ...]) -> Odds:
    """Return the odds of one's own Diplomacy Points, with no points of the enemy and with all of his (C5.1)."""
    cases: list[OddsCase] = []
    for courting in powers:
        theirs = courting.points[OTHER[us]]
        cases.append(_courting(pos, courting, f", {theirs or 'no'} enemy points"))
    note = "The enemy's Diplomacy Points are unknown until both sides reveal them (C5.1)."
    return Odds("Diplomacy", "C5.3", tuple(cases), (note, *_modifiers(pos, powers)), _spots(pos, powers))


def _courting(pos: Position, courting: Courting, more: str) -> OddsCase:
    results = parts(ALLEGIANCES, courting.chances)
    rolls = tuple(f"{roll.die} (= {signed(roll.rolled)}): {ALLEGIANCES[roll.result]}" for roll in courting.rolls)
    return OddsCase(f"{pos.data.powers[courting.power].name}{more}", results, (), rolls)


def _modifiers(pos: Position, powers: tuple[Courting, ...]) -> Iterator[str]:
    told: set[int] = set()
    for courting in powers:
        marks = ", ".join(f"{plus(points)} {what}" for what, points in courting.modifiers)
        if marks and courting.power not in told:
            told.add(courting.power)
            yield f"{pos.data.powers[courting.power].name}: {marks}"


def _spots(pos: Position, powers: tuple[Courting, ...]) -> tuple[Spot, ...]:
    cells = ((courting, roll.rolled) for courting in powers for roll in courting.rolls)
    found = (Spot("diplomacy", signed(row), pos.data.powers[courting.power].name) for courting, row in cells)
    return tuple(dict.fromkeys(found))


def numbers(low: int, high: int) -> str:
    """Return a range: "4", "4 to 9", "4 or more"."""
    return str(low) if low == high else f"{low} or more" if high >= UNKNOWN else f"{low} to {high}"


def fight_title(pos: Position, fight: Fight) -> str:
    first, second = fight.stacks

    def name(stack: Stack, bonus: int) -> str:
        points = numbers(stack.low, stack.high) if stack is fight.foe else str(stack.strength)
        if stack.commander < 0:
            return f"{points} SP without a leader"
        return f"{pos.leader(stack.commander).name} {points} SP ({bonus:+d})"

    ratings = [pos.leader(stack.commander) if stack.commander >= 0 else None for stack in fight.stacks]
    attack, defence = (ratings[0].attack if ratings[0] else 0), -(ratings[1].defence if ratings[1] else 0)
    hill = ", mountain (−2)" if pos.data.board.mountains >> first.hex & 1 else ""
    names = Names(pos.data)
    return f"At {names.hex(first.hex)}: {name(first, attack)} attacks {name(second, defence)}{hill}"


def retreat_text(fight: Fight) -> str:
    def how(who: int, whose: str) -> str:
        hexes = [points for points, _ in fight.retreats[who]]
        far = format_count(hexes[-1], "hex") if hexes[0] == hexes[-1] else f"{numbers(hexes[0], hexes[-1])} hexes"
        return f"{whose} retreat {far}" if hexes[-1] else f"{whose} cannot retreat and surrender"

    return f"If beaten, {how(fight.us, 'we')}; {how(OTHER[fight.us], 'they')} (O9.7)"


def die_text(fight: BattleFought, us: Side) -> str:
    """Return the effect of one die: losses (L: the commander rolls, O8.3), score, victor, prisoners."""
    them = OTHER[us]
    ours = fight.side if us == 0 else OTHER[fight.side]
    word = "no winner" if fight.winner == NOBODY else "victory" if fight.winner == ours else "defeat"
    taken = f", {format_count(fight.prisoners, 'prisoner')}{' lost' * (word == 'defeat')}" if fight.prisoners else ""
    losses = [f"{fight.losses[who]}{'L' if fight.percents[who] >= 25 else ''}" for who in (us, them)]
    score = f"score {fight.scores[us]}–{fight.scores[them]}: {word}{taken}"
    return f"{fight.die} (= {fight.result}): losses {losses[0]} and {losses[1]}, {score}"


def siege_marks(odds: SiegeOdds) -> str:
    """Return the other modifiers of a siege roll (O13.2)."""
    roll = odds.rolls[0]
    marks = [f"−{roll.defence} commander inside"] if roll.defence else []
    marks += ["−1 great fortress"] if roll.great else []
    marks += ["−1 winter"] if roll.winter else []
    marks += [f"+{roll.earlier} earlier rolls"] if roll.earlier else []
    return f"Other modifiers: {', '.join(marks) or 'none'}. The depot is spent (O13.8)."


def overwhelm_text(odds: OverwhelmOdds) -> str:
    """Return the need of an overwhelming attack (O5.9)."""
    verdict = "is certain" if odds.is_certain else "is hopeless" if odds.is_hopeless else f"needs {odds.most} or fewer"
    return f"Overwhelming with {odds.force} SP against {numbers(odds.low, odds.high)} SP {verdict} (O5.9)"


def _march_order(asked: Questions, action: do.March) -> Odds | None:
    if asked.end is not None:
        return _go(asked, action)
    source = asked.source
    if source is None:
        return None
    leaders = (action.leader, *action.companions)
    force = make_stack(asked.pos, source.hex, source.side, source.inside, action.sp, leaders, source)
    if isinstance(asked.frame, MarchPhase):
        return march_sheet(asked.seen, odds.MarchQuestion(force, march_odds(asked.seen, force)))
    return march_sheet(asked.seen, odds.MarchQuestion(force, None, force_march_odds(asked.seen, force)))


def _go(asked: Questions, action: do.March | do.Go) -> Odds | None:
    walk = asked.end
    if walk is None:
        return None
    force: Stack = msgspec.structs.replace(walk.force, hex=walk.here, inside=False)
    enemy = asked.seen.field(force.hex, OTHER[force.side])
    if enemy is None or not enemy.sp or not force.sp:
        return None
    tried = odds.overwhelming_of(asked.seen, force) if action.overwhelm else None
    force = _with_friends(asked, force)
    fight = odds.fight_of(asked.seen, force)
    return fight_sheet(asked.seen, fight) if tried is None else overwhelming_sheet(asked.seen, tried, fight)


def _done(asked: Questions, action: Done) -> Odds | None:
    frame = asked.frame
    if not isinstance(frame, Routed):
        return None
    stack = asked.pos.field(frame.hex, frame.side)
    return None if stack is None else retreat_sheet(asked.seen, stack, frame.initiative)


def _with_friends(asked: Questions, force: Stack) -> Stack:
    friends = asked.seen.field(force.hex, force.side)
    if friends is None:
        return force
    if asked.do == "march" and asked.source is not None and asked.source.key == friends.key:
        return friends
    leaders = (*friends.leaders, *force.leaders)
    return make_stack(asked.seen, force.hex, force.side, False, friends.sp + force.sp, leaders, force)


def _envoys(asked: Questions, action: do.Envoys) -> Odds:
    pos, us = asked.seen, asked.actor
    cases: list[odds.Courting] = []
    for power, ours in zip(MINORS, action.points, strict=True):
        if is_rolled(pos, power):
            pairs = [(theirs, ours) if us else (ours, theirs) for theirs in (0, POINTS[OTHER[us]])]
            cases += [odds.courting(pos, power, *points) for points in pairs]
    return envoys_sheet(pos, us, tuple(cases))


ORDER_ODDS: Final[ByKind[Action, Questions, Odds | None]] = {
    do.Attack: lambda asked, action: fight_sheet(
        asked.seen, odds.fight_at(asked.seen, asked.actor, action.hex, attacking=True)
    ),
    do.Besiege: lambda asked, action: siege_sheet(asked.seen, odds.siege_at(asked.seen, asked.actor, action.hex)),
    do.March: _march_order,
    do.Go: _go,
    do.Envoys: _envoys,
    Done: _done,
}
