"""Exact odds as the client shows them, of a question or of an order that is ready to be given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from leuthen.engine.choice import Action, ByKind
from leuthen.engine.decision import Done
from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.ruleset import NOBODY, OTHER, OwnerId, Side, as_side
from leuthen.rulesets.frederick.knowledge import AT_LEAST, View, complete_view
from leuthen.rulesets.frederick.model import actions as do
from leuthen.rulesets.frederick.model.data import MINORS, GameData
from leuthen.rulesets.frederick.model.events import BattleFought, DiplomacyRolled, Modifiers, Names
from leuthen.rulesets.frederick.model.pieces import SIDES, UNKNOWN, Stack
from leuthen.rulesets.frederick.model.stacks import locate, make_stack
from leuthen.rulesets.frederick.model.state import Draft, Position, occupied_hexes
from leuthen.rulesets.frederick.odds import (
    BattleOdds,
    MarchOdds,
    OverwhelmOdds,
    SiegeOdds,
    Spread,
    attrition_odds,
    attrition_rolls,
    battle_band,
    diplomacy_odds,
    diplomacy_rolls,
    force_march_odds,
    march_odds,
    overwhelm_odds,
    recovery_odds,
    recovery_rolls,
    retreat_odds,
    siege_odds,
    with_strength,
)
from leuthen.rulesets.frederick.orders import BANG, LEG, Reader
from leuthen.rulesets.frederick.rules.c05_council import POINTS, diplomacy_modifiers, is_rolled
from leuthen.rulesets.frederick.rules.o05_forces import initiative
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase, Routed
from leuthen.rulesets.frederick.rules.o13_siege import SiegePhase
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
from leuthen.wargame.board import Hex, hex_name, hexes_of
from leuthen.wargame.grammar import Given, begin
from leuthen.wargame.names import format_count
from leuthen.wargame.strength import PowerId

NOT_KNOWN: Final = "Odds for every strength the enemy may have."
OUTCOMES: Final = ("we win", "no winner", "we lose")
FATES: Final = ("killed", "captured", "stays in command")
ALLEGIANCES: Final = ("joins Prussia", "joins Austria", "stays neutral")


class Fight(msgspec.Struct, frozen=True):
    """A battle in a hex, as `us` (0: the attacker, 1: the defender) asks for it; `foe` is the enemy, with his band."""

    stacks: tuple[Stack, Stack]
    us: Side
    band: Mapping[int, BattleOdds]
    retreats: tuple[Spread, Spread]
    """Hexes that each would retreat if beaten; 0: it would have to surrender (O9.7)."""

    @property
    def foe(self) -> Stack:
        return self.stacks[OTHER[self.us]]


class Courting(msgspec.Struct, frozen=True):
    """The odds of a minor power with these modifiers: joining Prussia, Austria, none."""

    power: PowerId
    points: tuple[int, int]
    chances: tuple[Fraction, Fraction, Fraction]
    modifiers: Modifiers
    rolls: tuple[DiplomacyRolled, ...]


# --- questions --------------------------------------------------------------------------------------------------------


def make_odds(data: GameData, view: View, text: str) -> Odds:
    """Return the odds of what `text` names, in the position as the viewer knows it. Raises Invalid or Ambiguous."""
    ask, words = begin(text, TOPICS, "question of odds")
    if view.viewer not in SIDES:
        raise Invalid("only the two sides can see odds")
    pos = complete_view(data, view, AT_LEAST)
    return ask(pos, Reader(data, pos, as_side(view.viewer), words))


def facing_stacks(pos: Position, side: OwnerId, here: Hex) -> tuple[Stack, Stack]:
    """Return a side's field stack in a hex, and the enemy's. Raises Invalid if one has no SP."""
    mine, theirs = pos.field(here, side), pos.field(here, OTHER[side])
    if theirs is None or not theirs.sp:
        raise Invalid(f"no enemy field stack with SP is at {hex_name(here)}")
    if mine is None or not mine.sp:
        raise Invalid(f"you have no field stack at {hex_name(here)}: name a force behind the hex, a leader and +SP")
    return mine, theirs


def fight_at(pos: Position, side: Side, here: Hex, *, attacking: bool) -> Fight:
    """Return a battle of two field stacks, as `side` asks for it. Raises Invalid without them."""
    mine, theirs = facing_stacks(pos, side, here)
    band = battle_band(pos, side if attacking else OTHER[side], here, OTHER[side], theirs.low, theirs.high)
    first, second = stacks = (mine, theirs) if attacking else (theirs, mine)
    return Fight(stacks, 0 if attacking else 1, band, (retreat_odds(pos, first), retreat_odds(pos, second)))


def fight_of(pos: Position, force: Stack) -> Fight:
    """Return the attack of a force on the enemy in its assumed hex. Raises Invalid."""
    return fight_at(_with_force(pos, force), as_side(force.side), force.hex, attacking=True)


def _with_force(pos: Position, force: Stack) -> Position:
    """Return the position with a force in its hex, in place of the field stack there."""
    draft = Draft(pos)
    draft.put(force)
    draft.touched.clear()
    return draft


def overwhelming_of(pos: Position, force: Stack) -> OverwhelmOdds:
    """Return an overwhelming attack on the enemy field stack in the force's hex. Raises Invalid without one."""
    enemy = pos.field(force.hex, OTHER[force.side])
    if enemy is None or not enemy.sp:
        raise Invalid(f"no enemy field stack with SP is at {hex_name(force.hex)}")
    return overwhelm_odds(pos, force, enemy, enemy.low, enemy.high)


def courting(pos: Position, power: PowerId, prussian: int, austrian: int) -> Courting:
    points = prussian, austrian
    chances, rolls = diplomacy_odds(pos, power, *points), diplomacy_rolls(pos, power, *points)
    return Courting(power, points, chances, diplomacy_modifiers(pos, power, *points), rolls)


def _place(pos: Position, line: Reader) -> Hex:
    """Read a hex, which may be left out if it is clear: one possible attack or siege, or the force under way."""
    if line.words:
        return line.hex()
    frame = pos.frames[-1] if pos.frames else None
    camps, (field, inside) = occupied_hexes(pos)[line.actor][0], occupied_hexes(pos)[OTHER[line.actor]]
    met = field if isinstance(frame, CombatPhase) else inside if isinstance(frame, SiegePhase) else 0
    found = list(hexes_of(camps & met)) if pos.moving is None else [pos.moving.hex]
    if len(found) > 1:
        raise Ambiguous(f"name a hex: {', '.join(map(hex_name, found))}")
    return found[0] if found else line.hex()


def _facing_at(pos: Position, line: Reader) -> tuple[Position, Hex]:
    """Read a hex, and perhaps a force assumed to be there; return the position with that force. Raises Invalid.

    The force has leaders and SP; without SP, all that its leaders may take along.
    """
    here = _place(pos, line)
    if not line.words:
        return pos, here
    leaders, counts = line.force()
    line.end()
    own = line.power_of(leaders[0]) if leaders else line.major
    stack = locate(pos, leaders[0]) if leaders else None
    most = line.led(stack.sp, leaders) if stack is not None else 0
    sp = line.strength(counts, own, most) if counts else most
    return _with_force(pos, make_stack(pos, here, line.actor, False, sp, tuple(leaders))), here


def _ask_attack(pos: Position, line: Reader) -> Odds:
    pos, here = _facing_at(pos, line)
    return fight_sheet(pos, fight_at(pos, line.actor, here, attacking=True))


def _ask_defence(pos: Position, line: Reader) -> Odds:
    here = _place(pos, line)
    line.end()
    return fight_sheet(pos, fight_at(pos, line.actor, here, attacking=False))


def _ask_siege(pos: Position, line: Reader) -> Odds:
    here = _place(pos, line)
    line.end()
    return siege_sheet(pos, line.actor, here)


def _ask_overwhelming(pos: Position, line: Reader) -> Odds:
    pos, here = _facing_at(pos, line)
    return overwhelming_sheet(pos, here, overwhelming_of(pos, facing_stacks(pos, line.actor, here)[0]))


def _ask_march(pos: Position, line: Reader) -> Odds:
    overwhelm = bool(line.words) and line.words[-1].endswith(BANG)
    leader = line.leader()
    stack = locate(pos, leader)
    if stack is None:
        raise Invalid(f"{pos.leader(leader).name} is not on the map")
    companions, counts = line.force(stack.leaders, own=line.power_of(leader))
    leaders = (leader, *companions)
    most = line.led(stack.sp, leaders)
    sp = line.strength(counts, line.power_of(leader), most) if counts else most
    path = _path(line, {"leader": leader})
    force = make_stack(pos, path[-1] if path else stack.hex, line.actor, False, sp, leaders, stack)
    plain, forced = march_odds(pos, force), force_march_odds(pos, force)
    enemy = pos.field(force.hex, OTHER[line.actor])
    if not (path and enemy is not None and enemy.sp and sp):
        return march_sheet(pos, force, plain, forced)
    tried = overwhelming_of(pos, force) if overwhelm else None
    return march_sheet(pos, force, plain, forced, tried, fight_of(pos, force))


def _ask_leg(pos: Position, line: Reader) -> Odds:
    force = pos.moving
    if force is None or force.side != line.actor:
        raise Invalid("no force of yours is on the march")
    path = _path(line, {})
    return fight_sheet(pos, fight_of(pos, msgspec.structs.replace(force, hex=path[-1] if path else force.hex)))


def _path(line: Reader, given: Given) -> tuple[Hex, ...]:
    for words in LEG:
        words.read(line, given)
    path: tuple[Hex, ...] = given["path"]
    return path


def _own_stack(pos: Position, line: Reader) -> Stack:
    leader = line.read_optional_unit(line.likely())
    if leader is not None:
        stack = locate(pos, leader)
    else:
        here = line.hex()
        inside = line.has("inside")
        stack = line.source(here, inside) or (line.source(here, True) if not inside else None)
    line.end()
    if stack is None or stack.side != line.actor:
        raise Invalid("you have no stack there")
    return stack


def _ask_recovery(pos: Position, line: Reader) -> Odds:
    stack = _own_stack(pos, line)
    who = f" of {pos.leader(stack.commander).name}" if stack.commander >= 0 else ""
    notes = () if stack.demoralized else ("Not demoralized.",)
    if stack.commander < 0:
        notes = (*notes, "Cannot roll without a commander.")
    results = yes_no_results("recovers", recovery_odds(pos, stack), "stays demoralized")
    dice = recovery_rolls(pos, stack) if stack.commander >= 0 else ()
    rolls = tuple(f"{d.die} + {d.initiative}: {'recovers' if d.success else 'stays demoralized'}" for d in dice)
    spots = tuple(initiative_spot("morale", d.die, d.initiative) for d in dice)
    title = f"Recovery{who} at {Names(pos.data).hex(stack.hex)}"
    return Odds(title, "O11.2", (OddsCase("one die", results, (), rolls),), notes, spots)


def _ask_attrition(pos: Position, line: Reader) -> Odds:
    stack = _own_stack(pos, line)
    if not stack.sp:
        raise Invalid("leaders alone do not roll for attrition (O10.12)")
    dice, loss = attrition_rolls(pos, stack), attrition_odds(pos, stack)
    rolls = tuple(f"{roll.die} (= {roll.die + roll.added}): {roll.percent} %, {roll.loss} SP" for roll in dice)
    spread = spread_of("SP that we lose", stack.side, loss)
    case = OddsCase("if rolled now", loss_or_none("SP", loss), (spread,), rolls)
    spots = tuple(dict.fromkeys(attrition_spot(pos.data, roll.die + roll.added) for roll in dice))
    title = f"Attrition of {stack.strength} SP at {Names(pos.data).hex(stack.hex)}"
    return Odds(title, "O10.8", (case,), (), spots)


def _ask_diplomacy(pos: Position, line: Reader) -> Odds:
    chosen = [line.power()] if line.words else [power for power in MINORS if is_rolled(pos, power)]
    if set(chosen) - set(MINORS):
        raise Invalid("Diplomacy Points go to minor powers (C5.1)")
    points = [line.number("a number of Diplomacy Points") if line.words else 0 for _ in SIDES]
    line.end()
    powers = [courting(pos, power, points[0], points[1]) for power in chosen]
    cases = tuple(_courting(pos, one, "") for one in powers)
    return Odds("Diplomacy", "C5.3", cases, tuple(_modifiers(pos, powers)), _spots(pos, powers))


TOPICS: Final[Mapping[str, Callable[[Position, Reader], Odds]]] = {
    "attack": _ask_attack,
    "defend": _ask_defence,
    "siege": _ask_siege,
    "besiege": _ask_siege,
    "overwhelm": _ask_overwhelming,
    "march": _ask_march,
    "go": _ask_leg,
    "morale": _ask_recovery,
    "recover": _ask_recovery,
    "attrition": _ask_attrition,
    "diplomacy": _ask_diplomacy,
    "envoys": _ask_diplomacy,
}

# --- sheets -----------------------------------------------------------------------------------------------------------


def fight_sheet(pos: Position, fight: Fight) -> Odds:
    """Return the odds of a battle, with a case for each enemy strength that changes something (O9.3)."""
    cases = tuple(_fight_case(points, odds, fight) for points, odds in fight.band.items())
    fights = [roll for odds in fight.band.values() for roll in odds.fights]
    spots = dict.fromkeys(combat_spot(pos.data, roll.result, roll.ratio) for roll in fights)

    def retreat(who: int, whose: str) -> str:
        hexes = [points for points, _ in fight.retreats[who]]
        far = format_count(hexes[-1], "hex") if hexes[0] == hexes[-1] else f"{numbers(hexes[0], hexes[-1])} hexes"
        return f"{whose} retreat {far}" if hexes[-1] else f"{whose} cannot retreat and surrender"

    retreats = f"If beaten, {retreat(fight.us, 'we')}; {retreat(OTHER[fight.us], 'they')} (O9.7)"
    notes = (retreats, *_band_notes(fight.foe.low, fight.foe.high))
    return Odds(_fight_title(pos, fight), "O9.4", cases, notes, tuple(spots))


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
    return OddsCase(f"{points} SP ({odds.ratio} %)", parts(OUTCOMES, chances), tuple(spreads), rolls)


def _band_notes(low: int, high: int) -> tuple[str, ...]:
    return () if low == high else (f"Enemy strength {numbers(low, high)}. {NOT_KNOWN}",)


def siege_sheet(pos: Position, side: Side, here: Hex) -> Odds:
    """Return the odds of a siege roll, with a case for each group of garrisons (O13.2). Raises Invalid."""
    camp, garrison = pos.field(here, side), pos.inside(here, OTHER[side])
    if camp is None or not camp.sp or garrison is None or not garrison.sp:
        raise Invalid(f"a siege at {hex_name(here)} needs a field stack of yours and an enemy garrison (O13.1)")
    last = min(garrison.high, camp.strength + 1)  # stronger garrisons have the same odds
    found: dict[tuple[tuple[str, Fraction], ...], tuple[SiegeOdds, list[int]]] = {}
    for points in range(min(garrison.low, last), last + 1):
        odds = siege_odds(with_strength(pos, garrison, points), side, here)
        found.setdefault(odds.results, (odds, []))[1].append(points)
    rows = [(odds, points[0], points[-1]) for odds, points in found.values()]
    if last < garrison.high:
        rows[-1] = (*rows[-1][:2], UNKNOWN)
    cases = tuple(
        OddsCase(
            f"{numbers(least, most)} SP inside",
            tuple(part(SIEGE_WORDS[word], chance) for word, chance in odds.results),
            rolls=tuple(f"{roll.die} (= {signed(roll.total)}): {roll.result}" for roll in odds.rolls),
        )
        for odds, least, most in rows
    )
    roll = rows[-1][0].rolls[0]
    marks = [f"−{roll.defence} commander inside"] if roll.defence else []
    marks += ["−1 great fortress"] if roll.great else []
    marks += ["−1 winter"] if roll.winter else []
    marks += [f"+{roll.earlier} earlier rolls"] if roll.earlier else []
    others = f"Other modifiers: {', '.join(marks) or 'none'}. The depot is spent (O13.8)."
    spots = dict.fromkeys(siege_spot(pos.data, roll.total) for odds, _, _ in rows for roll in odds.rolls)
    inside = numbers(garrison.low, garrison.high)
    title = f"Siege of {Names(pos.data).hex(here)}: {camp.strength} SP against {inside} SP"
    return Odds(title, "O13.2", cases, (others, *_band_notes(garrison.low, garrison.high)), tuple(spots))


def overwhelming_sheet(pos: Position, here: Hex, odds: OverwhelmOdds, fight: Fight | None = None) -> Odds:
    """Return the result of an overwhelming attack, which depends only on the enemy's strength (O5.9).

    `fight` is the battle that follows a failure (O5.17).
    """
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
    where = Names(pos.data).hex(here)
    return Odds(f"Overwhelming attack at {where}", "O5.9", tuple(cases), (overwhelm_text(odds),), spots)


def march_sheet(
    pos: Position,
    force: Stack,
    plain: MarchOdds | None,
    forced: MarchOdds | None = None,
    tried: OverwhelmOdds | None = None,
    fight: Fight | None = None,
) -> Odds:
    """Return the MP by the die of the phase and in a force march, as asked, and the odds at the end of the path.

    O5.2, O6.1. `tried` and `fight` are an overwhelming attack and a battle there.
    """
    cases = list[OddsCase]()
    for label, found in (("by the die of the phase", plain), ("force march", forced)):
        if found is not None:
            results = tuple([part(f"{points} MP", chance, points) for points, chance in found.points])
            loss: Spread = ((0, SURE - found.loss), (1, found.loss))
            spreads = (spread_of("SP that we lose", force.side, loss),) if found.loss else ()
            cases.append(OddsCase(label, results, spreads))
    notes: tuple[str, ...] = () if tried is None else (overwhelm_text(tried),)
    bonus, table = initiative(pos, force), "march" if forced is None else "force-march"
    spots = tuple(initiative_spot(table, die, bonus) for die in DIE)
    if fight is not None:
        sheet = fight_sheet(pos, fight)
        cases.extend(sheet.cases)
        notes, spots = (*notes, sheet.title, *sheet.notes), (*spots, *sheet.spots)
    title = f"March of {pos.leader(force.commander).name}, {force.strength} SP"
    return Odds(title, "O5.2", tuple(cases), notes, spots)


def _courting(pos: Position, courting: Courting, more: str) -> OddsCase:
    results = parts(ALLEGIANCES, courting.chances)
    rolls = tuple(f"{roll.die} (= {signed(roll.rolled)}): {ALLEGIANCES[roll.result]}" for roll in courting.rolls)
    return OddsCase(f"{pos.data.powers[courting.power].name}{more}", results, (), rolls)


def _modifiers(pos: Position, powers: Sequence[Courting]) -> Iterator[str]:
    told: set[int] = set()
    for courting in powers:
        marks = ", ".join(f"{plus(points)} {what}" for what, points in courting.modifiers)
        if marks and courting.power not in told:
            told.add(courting.power)
            yield f"{pos.data.powers[courting.power].name}: {marks}"


def _spots(pos: Position, powers: Sequence[Courting]) -> tuple[Spot, ...]:
    cells = ((courting, roll.rolled) for courting in powers for roll in courting.rolls)
    found = (Spot("diplomacy", signed(row), pos.data.powers[courting.power].name) for courting, row in cells)
    return tuple(dict.fromkeys(found))


def numbers(low: int, high: int) -> str:
    """Return a range: "4", "4 to 9", "4 or more"."""
    return str(low) if low == high else f"{low} or more" if high >= UNKNOWN else f"{low} to {high}"


def _fight_title(pos: Position, fight: Fight) -> str:
    first, second = fight.stacks

    def name(stack: Stack, bonus: int) -> str:
        points = numbers(stack.low, stack.high) if stack is fight.foe else str(stack.strength)
        if stack.commander < 0:
            return f"{points} SP without a leader"
        return f"{pos.leader(stack.commander).name} {points} SP ({bonus:+d})"

    ratings = [pos.leader(stack.commander) if stack.commander >= 0 else None for stack in fight.stacks]
    attack, defence = (ratings[0].attack if ratings[0] else 0), -(ratings[1].defence if ratings[1] else 0)
    hill = ", mountain (−2)" if pos.data.board.mountains >> first.hex & 1 else ""
    return f"At {Names(pos.data).hex(first.hex)}: {name(first, attack)} attacks {name(second, defence)}{hill}"


def die_text(fight: BattleFought, us: Side) -> str:
    """Return the effect of one die: losses (L: the commander rolls, O8.3), score, victor, prisoners."""
    them = OTHER[us]
    ours = fight.side if us == 0 else OTHER[fight.side]
    word = "no winner" if fight.winner == NOBODY else "victory" if fight.winner == ours else "defeat"
    taken = f", {format_count(fight.prisoners, 'prisoner')}{' lost' * (word == 'defeat')}" if fight.prisoners else ""
    losses = [f"{fight.losses[who]}{'L' if fight.percents[who] >= 25 else ''}" for who in (us, them)]
    score = f"score {fight.scores[us]}–{fight.scores[them]}: {word}{taken}"
    return f"{fight.die} (= {fight.result}): losses {losses[0]} and {losses[1]}, {score}"


def overwhelm_text(odds: OverwhelmOdds) -> str:
    """Return the need of an overwhelming attack (O5.9)."""
    verdict = "is certain" if odds.is_certain else "is hopeless" if odds.is_hopeless else f"needs {odds.most} or fewer"
    return f"Overwhelming with {odds.force} SP against {numbers(odds.low, odds.high)} SP {verdict} (O5.9)"


# --- orders -----------------------------------------------------------------------------------------------------------


def _march_order(asked: Questions, action: do.March) -> Odds | None:
    if asked.end is not None:
        return _go(asked, action)
    source = asked.source
    if source is None:
        return None
    leaders = (action.leader, *action.companions)
    force = make_stack(asked.pos, source.hex, source.side, source.inside, action.sp, leaders, source)
    if isinstance(asked.frame, MarchPhase):
        return march_sheet(asked.seen, force, march_odds(asked.seen, force))
    return march_sheet(asked.seen, force, None, force_march_odds(asked.seen, force))


def _go(asked: Questions, action: do.March | do.Go) -> Odds | None:
    walk, pos = asked.end, asked.seen
    if walk is None:
        return None
    force: Stack = msgspec.structs.replace(walk.force, hex=walk.here, inside=False)
    enemy = pos.field(force.hex, OTHER[force.side])
    if enemy is None or not enemy.sp or not force.sp:
        return None
    tried = overwhelming_of(pos, force) if action.overwhelm else None
    friends = pos.field(force.hex, force.side)
    if friends is not None and asked.do == "march" and asked.source is not None and asked.source.key == friends.key:
        force = friends
    elif friends is not None:
        leaders = (*friends.leaders, *force.leaders)
        force = make_stack(pos, force.hex, force.side, False, friends.sp + force.sp, leaders, force)
    fight = fight_of(pos, force)
    return fight_sheet(pos, fight) if tried is None else overwhelming_sheet(pos, walk.here, tried, fight)


def _done(asked: Questions, action: Done) -> Odds | None:
    """Return the odds of the length of a retreat (O9.7)."""
    frame, pos = asked.frame, asked.seen
    stack = asked.pos.field(frame.hex, frame.side) if isinstance(frame, Routed) else None
    if not isinstance(frame, Routed) or stack is None:
        return None
    results = tuple(
        part(format_count(hexes, "hex") if hexes else "surrenders: no retreat", chance, hexes)
        for hexes, chance in retreat_odds(pos, stack, frame.initiative)
    )
    spots = tuple(initiative_spot("retreat", die, frame.initiative) for die in DIE)
    return Odds(f"Retreat from {Names(pos.data).hex(stack.hex)}", "O9.7", (OddsCase("one die", results),), (), spots)


def _envoys(asked: Questions, action: do.Envoys) -> Odds:
    """Return the odds of one's own Diplomacy Points, with no points of the enemy and with all of his (C5.1)."""
    pos, us = asked.seen, asked.actor
    powers: list[Courting] = []
    for power, ours in zip(MINORS, action.points, strict=True):
        if is_rolled(pos, power):
            pairs = [(theirs, ours) if us else (ours, theirs) for theirs in (0, POINTS[OTHER[us]])]
            powers += [courting(pos, power, *points) for points in pairs]
    cases = tuple(_courting(pos, one, f", {one.points[OTHER[us]] or 'no'} enemy points") for one in powers)
    note = "The enemy's Diplomacy Points are unknown until both sides reveal them (C5.1)."
    return Odds("Diplomacy", "C5.3", cases, (note, *_modifiers(pos, powers)), _spots(pos, powers))


ORDER_ODDS: Final[ByKind[Action, Questions, Odds | None]] = {
    do.Attack: lambda asked, action: fight_sheet(
        asked.seen, fight_at(asked.seen, asked.actor, action.hex, attacking=True)
    ),
    do.Besiege: lambda asked, action: siege_sheet(asked.seen, asked.actor, action.hex),
    do.March: _march_order,
    do.Go: _go,
    do.Envoys: _envoys,
    Done: _done,
}
