"""Exact odds as the client shows them, of a question or of an order that is ready to be given."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from leuthen.engine.choice import Action, ByKind
from leuthen.engine.decision import Done
from leuthen.engine.refusal import Ambiguous, Invalid, require
from leuthen.engine.ruleset import NOBODY, OTHER, OwnerId, Side, as_side
from leuthen.rulesets.frederick import odds as exact
from leuthen.rulesets.frederick.knowledge import AT_LEAST, View, complete_view
from leuthen.rulesets.frederick.model import actions as do
from leuthen.rulesets.frederick.model.data import MINORS, GameData
from leuthen.rulesets.frederick.model.events import BattleFought, DiplomacyRolled, Recovered, SiegeRolled
from leuthen.rulesets.frederick.model.pieces import SIDES, UNKNOWN, Stack
from leuthen.rulesets.frederick.model.state import Position, occupied_hexes
from leuthen.rulesets.frederick.orders import BANG, LEG, Reader
from leuthen.rulesets.frederick.rules.c05_council import POINTS, DiplomacyRoll, is_rolled
from leuthen.rulesets.frederick.rules.o05_forces import initiative
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase, Routed, attack_bonus, defence_bonus, is_mountain
from leuthen.rulesets.frederick.rules.o13_siege import SiegePhase, SiegeRoll
from leuthen.rulesets.frederick.rules.o14_attrition import MoraleRoll
from leuthen.rulesets.frederick.screen import setting
from leuthen.rulesets.frederick.screen.forms import Questions
from leuthen.screen.figures import SURE, loss_or_none, part, parts, plus, signed, spread_of, yes_no_results
from leuthen.screen.values import Odds, OddsCase, Spot
from leuthen.screen.values import Spread as ShownSpread
from leuthen.wargame.board import Hex, hex_name, hexes_of
from leuthen.wargame.grammar import Given, begin
from leuthen.wargame.names import format_count

NOT_KNOWN: Final = "Odds for every strength the enemy may have."
OUTCOMES: Final = ("we win", "no winner", "we lose")
FATES: Final = ("killed", "captured", "stays in command")
ALLEGIANCES: Final = ("joins Prussia", "joins Austria", "stays neutral")


# --- questions --------------------------------------------------------------------------------------------------------


def make_odds(data: GameData, view: View, text: str) -> Odds:
    """Return the odds of what `text` names, in the position as the viewer knows it. Raises Invalid or Ambiguous."""
    ask, words = begin(text, TOPICS, "question of odds")
    require(view.viewer in SIDES, "only the two sides can see odds")
    pos = complete_view(data, view, AT_LEAST)
    return ask(pos, Reader(pos.data, pos, as_side(view.viewer), words))


def facing_stacks(pos: Position, side: OwnerId, here: Hex) -> tuple[Stack, Stack]:
    """Return a side's field stack in a hex, and the enemy's. Raises Invalid if one has no SP."""
    mine, theirs = pos.field(here, side), pos.field(here, OTHER[side])
    if theirs is None or not theirs.sp:
        raise Invalid(f"no enemy field stack with SP is at {hex_name(here)}")
    if mine is None or not mine.sp:
        raise Invalid(f"you have no field stack at {hex_name(here)}: name a force behind the hex, a leader and +SP")
    return mine, theirs


def attack_sheet(pos: Position, force: Stack, *, above: int = 0) -> Odds:
    """Return the odds of the attack of a force on the enemy in its assumed hex. Raises Invalid."""
    return fight_sheet(exact.with_stack(pos, force), as_side(force.side), force.hex, above=above)


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
    stack = pos.locate(leaders[0]) if leaders else None
    most = line.led(stack.sp, leaders) if stack is not None else 0
    sp = line.strength(counts, own, most) if counts else most
    return exact.with_stack(pos, pos.make_stack(here, line.actor, False, sp, tuple(leaders))), here


def _ask_attack(pos: Position, line: Reader) -> Odds:
    pos, here = _facing_at(pos, line)
    return fight_sheet(pos, line.actor, here)


def _ask_defence(pos: Position, line: Reader) -> Odds:
    here = _place(pos, line)
    line.end()
    return fight_sheet(pos, line.actor, here, attacking=False)


def _ask_siege(pos: Position, line: Reader) -> Odds:
    here = _place(pos, line)
    line.end()
    return siege_sheet(pos, line.actor, here)


def _ask_overwhelming(pos: Position, line: Reader) -> Odds:
    pos, here = _facing_at(pos, line)
    return overwhelming_sheet(pos, here, exact.overwhelm_odds(pos, *facing_stacks(pos, line.actor, here)))


def _ask_march(pos: Position, line: Reader) -> Odds:
    overwhelm = bool(line.words) and line.words[-1].endswith(BANG)
    leader = line.leader()
    stack = pos.locate(leader)
    if stack is None:
        raise Invalid(f"{pos.leader(leader).name} is not on the map")
    companions, counts = line.force(stack.leaders, own=line.power_of(leader))
    leaders = (leader, *companions)
    most = line.led(stack.sp, leaders)
    sp = line.strength(counts, line.power_of(leader), most) if counts else most
    path = _path(line, {"leader": leader})
    force = pos.make_stack(path[-1] if path else stack.hex, line.actor, False, sp, leaders, stack)
    enemy = pos.field(force.hex, OTHER[line.actor])
    if not (path and enemy is not None and enemy.sp and sp):
        return march_sheet(pos, force, MARCHES)
    tried = exact.overwhelm_odds(pos, force, enemy) if overwhelm else None
    return march_sheet(pos, force, MARCHES, tried, attack_sheet(pos, force))


def _ask_leg(pos: Position, line: Reader) -> Odds:
    force = pos.moving
    if force is None or force.side != line.actor:
        raise Invalid("no force of yours is on the march")
    path = _path(line, {})
    return attack_sheet(pos, msgspec.structs.replace(force, hex=path[-1] if path else force.hex))


def _path(line: Reader, given: Given) -> tuple[Hex, ...]:
    for words in LEG:
        words.read(line, given)
    path: tuple[Hex, ...] = given["path"]
    return path


def _own_stack(pos: Position, line: Reader) -> Stack:
    leader = line.read_optional_unit(line.likely())
    if leader is not None:
        stack = pos.locate(leader)
    else:
        here = line.hex()
        stack = line.source(here, line.has("inside")) or line.source(here, True)
    line.end()
    if stack is None or stack.side != line.actor:
        raise Invalid("you have no stack there")
    return stack


def _ask_recovery(pos: Position, line: Reader) -> Odds:
    stack = _own_stack(pos, line)
    who = f" of {pos.leader(stack.commander).name}" if stack.commander >= 0 else ""
    notes = ("Not demoralized.",) * (not stack.demoralized) + ("Cannot roll without a commander.",) * (not who)
    dice = exact.rolls(pos, MoraleRoll(stack.key), Recovered) if who else ()
    results = yes_no_results("recovers", Fraction(sum(d.success for d in dice), len(setting.DIE)), "stays demoralized")
    rolls = tuple(f"{d.die} + {d.initiative}: {'recovers' if d.success else 'stays demoralized'}" for d in dice)
    spots = tuple(setting.initiative_spot("morale", d.die, d.initiative) for d in dice)
    title = f"Recovery{who} at {pos.data.book.place(stack.hex)}"
    return Odds(title, "O11.2", (OddsCase("one die", results, (), rolls),), notes, spots)


def _ask_attrition(pos: Position, line: Reader) -> Odds:
    stack = _own_stack(pos, line)
    require(stack.sp, "leaders alone do not roll for attrition (O10.12)")
    dice = exact.attrition_rolls(pos, stack)
    loss = exact.spread(roll.loss or 0 for roll in dice)
    rolls = tuple(f"{roll.die} (= {roll.die + roll.added}): {roll.percent} %, {roll.loss} SP" for roll in dice)
    spreads = (spread_of("SP that we lose", stack.side, loss),)
    case = OddsCase("if rolled now", loss_or_none("SP", loss), spreads, rolls)
    spots = tuple(dict.fromkeys(setting.attrition_spot(pos.data, roll.die + roll.added) for roll in dice))
    title = f"Attrition of {stack.strength} SP at {pos.data.book.place(stack.hex)}"
    return Odds(title, "O10.8", (case,), (), spots)


def _ask_diplomacy(pos: Position, line: Reader) -> Odds:
    chosen = [line.power()] if line.words else [power for power in MINORS if is_rolled(pos, power)]
    require(set(chosen) <= set(MINORS), "Diplomacy Points go to minor powers (C5.1)")
    points = [line.number("a number of Diplomacy Points") if line.words else 0 for _ in SIDES]
    line.end()
    courted = [exact.rolls(pos, DiplomacyRoll(power, *points), DiplomacyRolled) for power in chosen]
    return diplomacy_sheet(pos, [(dice, "") for dice in courted])


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


def fight_sheet(pos: Position, side: Side, here: Hex, *, attacking: bool = True, above: int = 0) -> Odds:
    """Return the odds of a battle of two field stacks as `side` asks for it. Raises Invalid without them.

    Each enemy strength `above` a number that changes something has a case (O9.3).
    """
    mine, theirs = facing_stacks(pos, side, here)
    stacks = (mine, theirs) if attacking else (theirs, mine)
    us: Side = 0 if attacking else 1
    whole = exact.battle_band(pos, as_side(stacks[0].side), here, OTHER[side], theirs.low, theirs.high)
    band = {points: odds for points, odds in whole.items() if points > above}
    cases = tuple(_fight_case(points, odds, stacks, us) for points, odds in band.items())
    fights = [roll for odds in band.values() for roll in odds.fights]
    spots = dict.fromkeys(setting.combat_spot(pos.data, roll.result, roll.ratio) for roll in fights)

    def retreat(stack: Stack, whose: str) -> str:
        """Tell how many hexes a beaten stack would retreat; with 0 it would have to surrender (O9.7)."""
        hexes = [points for points, _ in exact.retreat_odds(pos, stack)]
        far = format_count(hexes[-1], "hex") if hexes[0] == hexes[-1] else f"{numbers(hexes[0], hexes[-1])} hexes"
        return f"{whose} retreat {far}" if hexes[-1] else f"{whose} cannot retreat and surrender"

    def name(stack: Stack, bonus: int) -> str:
        points = numbers(stack.low, stack.high) if stack is theirs else str(stack.strength)
        if stack.commander < 0:
            return f"{points} SP without a leader"
        return f"{pos.leader(stack.commander).name} {points} SP ({bonus:+d})"

    first, second = stacks
    who = f"{name(first, attack_bonus(pos, first))} attacks {name(second, -defence_bonus(pos, second))}"
    title = f"At {pos.data.book.place(here)}: {who}{', mountain (−2)' if is_mountain(pos, here) else ''}"
    retreats = f"If beaten, {retreat(mine, 'we')}; {retreat(theirs, 'they')} (O9.7)"
    return Odds(title, "O9.4", cases, (retreats, *_band_notes(theirs.low, theirs.high)), tuple(spots))


def _fight_case(points: int, odds: exact.BattleOdds, stacks: tuple[Stack, Stack], us: Side) -> OddsCase:
    sides = tuple(stack.side for stack in stacks)
    chances = (odds.win, odds.draw, odds.lose) if us == 0 else (odds.lose, odds.draw, odds.win)
    spreads: list[ShownSpread] = []
    for who, whose in ((us, "we"), (OTHER[us], "they")):
        spreads.append(spread_of(f"SP that {whose} lose", sides[who], odds.gone(who)))
        if any(value for value, _ in odds.prisoners[who]):
            spreads.append(spread_of("of those, taken prisoner", sides[who], odds.prisoners[who]))
        if stacks[who].commander >= 0:
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
    found: dict[tuple[str, ...], tuple[list[int], tuple[SiegeRolled, ...]]] = {}
    for points in range(min(garrison.low, last), last + 1):
        dice = exact.rolls(exact.with_strength(pos, garrison, points), SiegeRoll(side, here), SiegeRolled)
        results = tuple([roll.result for roll in dice])
        found.setdefault(results, ([], dice))[0].append(points)
    if last < garrison.high:
        found[results][0].append(UNKNOWN)
    cases = tuple(
        OddsCase(
            f"{numbers(points[0], points[-1])} SP inside",
            tuple(
                part(setting.SIEGE_WORDS[word], chance)
                for word, chance in exact.shares(roll.result for roll in dice).items()
            ),
            rolls=tuple(f"{roll.die} (= {signed(roll.total)}): {roll.result}" for roll in dice),
        )
        for points, dice in found.values()
    )
    roll = dice[0]
    marks = [f"{plus(points)} {what}" for what, points in roll.modifiers if points and what != "strength"]
    others = f"Other modifiers: {', '.join(marks) or 'none'}. The depot is spent (O13.8)."
    spots = dict.fromkeys(setting.siege_spot(pos.data, roll.total) for _, rolls in found.values() for roll in rolls)
    inside = numbers(garrison.low, garrison.high)
    title = f"Siege of {pos.data.book.place(here)}: {camp.strength} SP against {inside} SP"
    return Odds(title, "O13.2", cases, (others, *_band_notes(garrison.low, garrison.high)), tuple(spots))


def overwhelming_sheet(pos: Position, here: Hex, odds: exact.OverwhelmOdds, force: Stack | None = None) -> Odds:
    """Return the result of an overwhelming attack, which depends only on the enemy's strength (O5.9).

    `force` fights the battle that follows a failure (O5.17).
    """
    cases, spots = list[OddsCase](), tuple[Spot, ...]()
    if not odds.is_hopeless:
        cases.append(OddsCase(f"{numbers(odds.low, min(odds.most, odds.high))} SP", (part("succeeds", SURE),)))
    if not odds.is_certain:
        least = max(odds.low, odds.most + 1)
        cases.append(OddsCase(f"{numbers(least, odds.high)} SP", (part("fails; an attack must follow", SURE),)))
    if force is not None and not odds.is_certain:
        battle = attack_sheet(pos, force, above=odds.most)
        cases, spots = [*cases, *battle.cases], battle.spots
    where = pos.data.book.place(here)
    return Odds(f"Overwhelming attack at {where}", "O5.9", tuple(cases), (overwhelm_text(odds),), spots)


MARCHES: Final = (False, True)
"""A march by the die of the phase, and a force march."""


def march_sheet(
    pos: Position,
    force: Stack,
    marches: Sequence[bool],
    tried: exact.OverwhelmOdds | None = None,
    battle: Odds | None = None,
) -> Odds:
    """Return the MP by the die of the phase and in a force march, as asked, and the odds at the end of the path.

    O5.2, O6.1. `tried` and `battle` are an overwhelming attack and a battle there.
    """
    cases = list[OddsCase]()
    for forced in marches:
        points, loss = exact.march_odds(pos, force, forced=forced)
        results = tuple([part(f"{number} MP", chance, number) for number, chance in points])
        spreads = (spread_of("SP that we lose", force.side, loss),) if loss[-1][0] else ()
        cases.append(OddsCase("force march" if forced else "by the die of the phase", results, spreads))
    notes: tuple[str, ...] = () if tried is None else (overwhelm_text(tried),)
    bonus, table = initiative(pos, force), "force-march" if True in marches else "march"
    spots = tuple(setting.initiative_spot(table, die, bonus) for die in setting.DIE)
    if battle is not None:
        cases.extend(battle.cases)
        notes, spots = (*notes, battle.title, *battle.notes), (*spots, *battle.spots)
    title = f"March of {pos.leader(force.commander).name}, {force.strength} SP"
    return Odds(title, "O5.2", tuple(cases), notes, spots)


def diplomacy_sheet(
    pos: Position, courted: Sequence[tuple[Sequence[DiplomacyRolled], str]], notes: tuple[str, ...] = ()
) -> Odds:
    """Return the odds of minor powers, with a case for the six rolls of each and a text after its name (C5.3)."""
    cases, marks, spots = list[OddsCase](), dict[str, str](), dict[Spot, None]()
    for dice, more in courted:
        name, chances = pos.data.powers[dice[0].power].name, exact.shares(roll.result for roll in dice)
        results = parts(ALLEGIANCES, [chances.get(side, Fraction(0)) for side in (*SIDES, NOBODY)])
        rolls = tuple(f"{roll.die} (= {signed(roll.row)}): {ALLEGIANCES[roll.result]}" for roll in dice)
        cases.append(OddsCase(f"{name}{more}", results, (), rolls))
        if text := ", ".join(f"{plus(points)} {what}" for what, points in dice[0].modifiers):
            marks.setdefault(name, text)
        spots |= dict.fromkeys(Spot("diplomacy", signed(roll.row), name) for roll in dice)
    notes += tuple(f"{name}: {text}" for name, text in marks.items())
    return Odds("Diplomacy", "C5.3", tuple(cases), notes, tuple(spots))


def numbers(low: int, high: int) -> str:
    """Return a range: "4", "4 to 9", "4 or more"."""
    return str(low) if low == high else f"{low} or more" if high >= UNKNOWN else f"{low} to {high}"


def die_text(fight: BattleFought, us: Side) -> str:
    """Return the effect of one die: losses (L: the commander rolls, O8.3), score, victor, prisoners."""
    them = OTHER[us]
    ours = fight.side if us == 0 else OTHER[fight.side]
    word = "no winner" if fight.winner == NOBODY else "victory" if fight.winner == ours else "defeat"
    taken = f", {format_count(fight.prisoners, 'prisoner')}{' lost' * (word == 'defeat')}" if fight.prisoners else ""
    losses = [f"{fight.losses[who]}{'L' if fight.percents[who] >= 25 else ''}" for who in (us, them)]
    score = f"score {fight.scores[us]}–{fight.scores[them]}: {word}{taken}"
    return f"{fight.die} (= {fight.result}): losses {losses[0]} and {losses[1]}, {score}"


def overwhelm_text(odds: exact.OverwhelmOdds) -> str:
    """Return the need of an overwhelming attack (O5.9)."""
    verdict = "is certain" if odds.is_certain else "is hopeless" if odds.is_hopeless else f"needs {odds.most} or fewer"
    return f"Overwhelming with {odds.force} SP against {numbers(odds.low, odds.high)} SP {verdict} (O5.9)"


# --- orders -----------------------------------------------------------------------------------------------------------


def _march_order(asked: Questions, action: do.March) -> Odds | None:
    if asked.end is not None:
        return _go(asked, action)
    source, leaders = asked.pos.stack_of(action.leader), (action.leader, *action.companions)
    force = asked.pos.make_stack(source.hex, source.side, source.inside, action.sp, leaders, source)
    return march_sheet(asked.seen, force, (not isinstance(asked.frame, MarchPhase),))


def _go(asked: Questions, action: do.March | do.Go) -> Odds | None:
    walk, pos = asked.end, asked.seen
    if walk is None:
        return None
    force: Stack = msgspec.structs.replace(walk.force, hex=walk.here, inside=False)
    enemy = pos.field(force.hex, OTHER[force.side])
    if enemy is None or not enemy.sp or not force.sp:
        return None
    tried = exact.overwhelm_odds(pos, force, enemy) if action.overwhelm else None
    friends = pos.field(force.hex, force.side)
    if friends is not None and asked.do == "march" and asked.source is not None and asked.source.key == friends.key:
        force = friends
    elif friends is not None:
        leaders = (*friends.leaders, *force.leaders)
        force = pos.make_stack(force.hex, force.side, False, friends.sp + force.sp, leaders, force)
    return attack_sheet(pos, force) if tried is None else overwhelming_sheet(pos, walk.here, tried, force)


def _done(asked: Questions, action: Done) -> Odds | None:
    """Return the odds of the length of a retreat (O9.7)."""
    frame, pos = asked.frame, asked.seen
    if not isinstance(frame, Routed):
        return None
    stack = asked.pos.stack_at(frame.hex, frame.side)
    results = tuple(
        part(format_count(hexes, "hex") if hexes else "surrenders: no retreat", chance, hexes)
        for hexes, chance in exact.retreat_odds(pos, stack, frame.initiative)
    )
    spots = tuple(setting.initiative_spot("retreat", die, frame.initiative) for die in setting.DIE)
    return Odds(f"Retreat from {pos.data.book.place(stack.hex)}", "O9.7", (OddsCase("one die", results),), (), spots)


def _envoys(asked: Questions, action: do.Envoys) -> Odds:
    """Return the odds of one's own Diplomacy Points, with no points of the enemy and with all of his (C5.1)."""
    pos, us = asked.seen, asked.actor
    courted = []
    for power, ours in zip(MINORS, action.points, strict=True):
        for theirs in (0, POINTS[OTHER[us]]) if is_rolled(pos, power) else ():
            points = (theirs, ours) if us else (ours, theirs)
            dice = exact.rolls(pos, DiplomacyRoll(power, *points), DiplomacyRolled)
            courted.append((dice, f", {theirs or 'no'} enemy points"))
    note = "The enemy's Diplomacy Points are unknown until both sides reveal them (C5.1)."
    return diplomacy_sheet(pos, courted, (note,))


ORDER_ODDS: Final[ByKind[Action, Questions, Odds | None]] = {
    do.Attack: lambda asked, action: fight_sheet(asked.seen, asked.actor, action.hex),
    do.Besiege: lambda asked, action: siege_sheet(asked.seen, asked.actor, action.hex),
    do.March: _march_order,
    do.Go: _go,
    do.Envoys: _envoys,
    Done: _done,
}
