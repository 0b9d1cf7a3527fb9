"""What the terminal's `odds` says: attack, defend, siege, overwhelm, march, morale, attrition, diplomacy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from leuthen.core.board import Hex, hex_name
from leuthen.core.refusal import Ambiguous, Invalid
from leuthen.frederick.events.base import Names
from leuthen.frederick.events.fighting import BattleFought
from leuthen.frederick.gamedata import MINORS, NOBODY, GameData
from leuthen.frederick.odds import (
    BattleOdds,
    MarchOdds,
    OverwhelmOdds,
    SiegeOdds,
    Spread,
    as_seen,
    at_least,
    attrition_odds,
    battle_band,
    diplomacy_odds,
    force_march_odds,
    march_odds,
    mean,
    overwhelm_odds,
    recovery_odds,
    siege_odds,
    with_strength,
)
from leuthen.frederick.rules.diplomacy import diplomacy_modifiers, is_rolled
from leuthen.frederick.stacks import locate, make_stack
from leuthen.frederick.state import SIDES, UNKNOWN, Draft, Position, Stack
from leuthen.frederick.view import View
from leuthen.frederick.words import BANG, Reader

HEADING: Final = (
    f"{'enemy':>7}{'ratio':>8}{'win':>7}{'draw':>7}{'lose':>7}{'we lose':>10}{'they lose':>11}{'commander lost':>18}"
)


def describe_odds(data: GameData, view: View, text: str) -> str:
    """The odds of what `text` names, as far as the viewer may know them. Raises Invalid or Ambiguous."""
    verb, *words = text.split() or [""]
    if view.viewer not in SIDES:
        raise Invalid("odds are told to a side")
    pos = as_seen(data, view)
    return TOPICS[_topic(verb)](pos, Reader(data, pos, view.viewer, words))


def _topic(verb: str) -> str:
    found = [word for word in TOPICS if word.startswith(verb.casefold())] if verb else []
    if verb in TOPICS:
        return verb
    if not found:
        raise Invalid(f"odds of what? {', '.join(TOPICS)}")
    if len(found) > 1:
        raise Ambiguous(f"«{verb}» may be {', '.join(found)}")
    return found[0]


def percent(chance: Fraction) -> str:
    """A probability in whole per cent; never 0 or 100 unless it is that."""
    if 0 < chance < Fraction(1, 100):
        return "<1 %"
    if Fraction(99, 100) < chance < 1:
        return ">99 %"
    return f"{round(100 * chance)} %"


def tails(values: Spread) -> str:
    """«2 or more 83 %, 5 or more 17 %»."""
    steps = [value for value, _ in values if value]
    return ", ".join(f"{value} or more {percent(at_least(values, value))}" for value in steps) or "nothing"


def _numbers(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} or more" if high >= UNKNOWN else f"{low} to {high}"


def _attack(pos: Position, line: Reader) -> str:
    here = line.hex()
    if line.words:
        pos = _with_force(pos, _named_force(pos, line, here))
    return _fight(pos, line, here, attacking=True)


def _defend(pos: Position, line: Reader) -> str:
    here = line.hex()
    line.end()
    return _fight(pos, line, here, attacking=False)


def _named_force(pos: Position, line: Reader, here: Hex) -> Stack:
    """A force by its leaders and SP, thought to stand in a hex; without SP, all that its leaders may take along."""
    leaders, counts = line.force()
    line.end()
    own = line.power_of(leaders[0]) if leaders else line.major
    stack = locate(pos, leaders[0]) if leaders else None
    most = line.led(stack.sp, leaders) if stack is not None else 0
    sp = line.strength(counts, own, most) if counts else most
    return make_stack(pos, here, line.actor, False, sp, tuple(leaders))


def _with_force(pos: Position, force: Stack) -> Position:
    draft = Draft(pos)
    draft.put(force)
    draft.touched.clear()
    return draft


def _pair(pos: Position, line: Reader, here: Hex) -> tuple[Stack, Stack]:
    mine, theirs = pos.field(here, line.actor), pos.field(here, 1 - line.actor)
    if theirs is None or not theirs.sp:
        raise Invalid(f"no enemy field stack with SP is at {hex_name(here)}")
    if mine is None or not mine.sp:
        raise Invalid(f"you have no field stack at {hex_name(here)}: name a force behind the hex, a leader and +SP")
    return mine, theirs


def _fight(pos: Position, line: Reader, here: Hex, *, attacking: bool) -> str:
    mine, theirs = _pair(pos, line, here)
    side = line.actor if attacking else 1 - line.actor
    band = battle_band(pos, side, here, theirs.side, theirs.low, theirs.high)
    first, second = (mine, theirs) if attacking else (theirs, mine)
    lines = [_title(pos, first, second, theirs), HEADING]
    lines += [_row(points, odds, us=0 if attacking else 1) for points, odds in band.items()]
    ends = {points: band[points] for points in (min(band), max(band))}
    for points, odds in ends.items():
        lines += _by_die(points, odds, us=0 if attacking else 1)
    return "\n".join(lines)


def _title(pos: Position, attacker: Stack, defender: Stack, hidden: Stack) -> str:
    def name(stack: Stack, bonus: int) -> str:
        points = _numbers(stack.low, stack.high) if stack is hidden else str(stack.strength)
        who = pos.leader(stack.commander).name if stack.commander >= 0 else "no leader"
        return f"{who} {points} SP ({bonus:+d})"

    ratings = [pos.leader(stack.commander) if stack.commander >= 0 else None for stack in (attacker, defender)]
    attack, defence = (ratings[0].attack if ratings[0] else 0), -(ratings[1].defence if ratings[1] else 0)
    hill = ", mountain (-2)" if pos.data.board.mountains >> attacker.hex & 1 else ""
    names = Names(pos.data)
    return f"At {names.hex(attacker.hex)}: {name(attacker, attack)} attacks {name(defender, defence)}{hill}"


def _row(points: int, odds: BattleOdds, *, us: int) -> str:
    them = 1 - us
    chances = (odds.win, odds.draw, odds.lose) if us == 0 else (odds.lose, odds.draw, odds.win)
    shares = "".join(f"{percent(chance):>7}" for chance in chances)
    means = f"{float(mean(odds.gone(us))):>10.1f}{float(mean(odds.gone(them))):>11.1f}"
    lost = [percent(odds.killed[who] + odds.captured[who]) for who in (us, them)]
    note = "  overwhelmed without a die (O9.10)" if odds.crushed != NOBODY else ""
    return f"{points:>7}{f'{odds.ratio} %':>8}{shares}{means}{f'{lost[0]} / {lost[1]}':>18}{note}"


def _by_die(points: int, odds: BattleOdds, *, us: int) -> list[str]:
    """The six dice, and the tails of what is lost, killed and taken."""
    if not odds.fights:
        return []
    lines = [f"Against {points} SP, by die (ours / theirs):" if us == 0 else f"By {points} SP, by die (ours / theirs):"]
    lines += [_die(fight, us) for fight in odds.fights]
    lines.append(f"  we lose {tails(odds.gone(us))}; they lose {tails(odds.gone(1 - us))}")
    return lines


def _die(fight: BattleFought, us: int) -> str:
    them = 1 - us
    ours = fight.side if us == 0 else 1 - fight.side
    word = "no victor" if fight.winner == NOBODY else "won" if fight.winner == ours else "lost"
    taken = f", {fight.prisoners} {'of them' if word == 'won' else 'of ours'} taken" if fight.prisoners else ""
    marks = ["L" if fight.percents[who] >= 25 else "" for who in (us, them)]
    killed = f"{fight.losses[us]}{marks[0]} / {fight.losses[them]}{marks[1]} killed"
    return (
        f"  {fight.die} (= {fight.result}): {killed}, scores {fight.scores[us]} : {fight.scores[them]}, {word}{taken}"
    )


def _siege(pos: Position, line: Reader) -> str:
    here = line.hex()
    line.end()
    camp, garrison = pos.field(here, line.actor), pos.inside(here, 1 - line.actor)
    if camp is None or not camp.sp or garrison is None or not garrison.sp:
        raise Invalid(f"a siege at {hex_name(here)} needs a field stack of yours and an enemy garrison (O13.1)")
    last = min(garrison.high, camp.strength + 1)
    found: dict[tuple[tuple[str, Fraction], ...], list[int]] = {}
    for points in range(min(garrison.low, last), last + 1):
        odds = siege_odds(with_strength(pos, garrison, points), line.actor, here)
        found.setdefault(odds.results, []).append(points)
        example = odds
    title = (
        f"Siege of {Names(pos.data).hex(here)}: {camp.strength} SP against {_numbers(garrison.low, garrison.high)} SP"
    )
    rows = [_siege_row(results, points, last < garrison.high) for results, points in found.items()]
    return "\n".join([title, *rows, _siege_marks(example)])


def _siege_row(results: Sequence[tuple[str, Fraction]], points: Sequence[int], more: bool) -> str:
    shares = ", ".join(f"{word} {percent(chance)}" for word, chance in results)
    return f"  {_numbers(points[0], UNKNOWN if more and points[-1] == points[0] else points[-1])} SP inside: {shares}"


def _siege_marks(odds: SiegeOdds) -> str:
    roll = odds.rolls[0]
    marks = [f"-{roll.defence} commander inside"] if roll.defence else []
    marks += ["-1 great fortress"] if roll.great else []
    marks += ["-1 winter"] if roll.winter else []
    marks += [f"+{roll.earlier} earlier rolls"] if roll.earlier else []
    return f"  Beside the strengths: {', '.join(marks) or 'no modifier'}. The depot is spent (O13.8)."


def _overwhelm(pos: Position, line: Reader) -> str:
    here = line.hex()
    if line.words:
        pos = _with_force(pos, _named_force(pos, line, here))
    mine, theirs = _pair(pos, line, here)
    return overwhelm_text(overwhelm_odds(pos, mine, theirs, theirs.low, theirs.high))


def overwhelm_text(odds: OverwhelmOdds) -> str:
    """What an overwhelming attack needs (O5.9)."""
    verdict = "is certain" if odds.is_certain else "is hopeless" if odds.is_hopeless else f"needs {odds.most} or fewer"
    return f"Overwhelming with {odds.force} SP against {_numbers(odds.low, odds.high)} SP {verdict} (O5.9)"


def _march(pos: Position, line: Reader) -> str:
    """The movement points of a force; if a path ends at an enemy in the field, the battle there as well."""
    overwhelm = bool(line.words) and line.words[-1].endswith(BANG)
    leader = line.leader()
    stack = locate(pos, leader)
    if stack is None:
        raise Invalid(f"{pos.leader(leader).name} is not on the map")
    companions, counts = line.force(stack.leaders, own=line.power_of(leader))
    leaders = (leader, *companions)
    most = line.led(stack.sp, leaders)
    sp = line.strength(counts, line.power_of(leader), most) if counts else most
    path, _ = line.leg(stack.hex)
    force = make_stack(pos, path[-1] if path else stack.hex, line.actor, False, sp, leaders, stack)
    texts = [_march_text(pos, force)]
    enemy = pos.field(force.hex, 1 - line.actor)
    if path and enemy is not None and enemy.sp and sp:
        if overwhelm:
            texts.append(overwhelm_text(overwhelm_odds(pos, force, enemy, enemy.low, enemy.high)))
        texts.append(_fight(_with_force(pos, force), line, force.hex, attacking=True))
    return "\n".join(texts)


def _march_text(pos: Position, force: Stack) -> str:
    plain, forced = march_odds(pos, force), force_march_odds(pos, force)
    loss = f", 1 SP is lost {percent(forced.loss)}" if forced.loss else ""
    who = pos.leader(force.commander).name
    return f"{who}: {_points(plain)} MP by the die of the phase; in a force march the same from a die of his own{loss}"


def _points(odds: MarchOdds) -> str:
    return ", ".join(f"{points}: {percent(chance)}" for points, chance in odds.points)


def _go(pos: Position, line: Reader) -> str:
    force = pos.moving
    if force is None or force.side != line.actor:
        raise Invalid("no force of yours is on the march")
    path, _ = line.leg(force.hex)
    here = path[-1] if path else force.hex
    return _fight(_with_force(pos, msgspec.structs.replace(force, hex=here)), line, here, attacking=True)


def _own_stack(pos: Position, line: Reader) -> Stack:
    """A stack of the asker, by a leader in it or by its hex."""
    leader = line.maybe_leader(line.comrades())
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


def _morale(pos: Position, line: Reader) -> str:
    stack = _own_stack(pos, line)
    who = pos.leader(stack.commander).name if stack.commander >= 0 else "no leader"
    chance = recovery_odds(pos, stack)
    state = "" if stack.demoralized else " (it is not demoralized)"
    return f"{who} at {Names(pos.data).hex(stack.hex)} recovers {percent(chance)} (O11.2){state}"


def _attrition(pos: Position, line: Reader) -> str:
    stack = _own_stack(pos, line)
    if not stack.sp:
        raise Invalid("leaders alone do not roll for attrition (O10.12)")
    values = attrition_odds(pos, stack)
    where = Names(pos.data).hex(stack.hex)
    average = f"{float(mean(values)):.1f} on average"
    return f"{stack.strength} SP at {where}, if they roll now, lose {tails(values)}, {average} (O10.8)"


def _diplomacy(pos: Position, line: Reader) -> str:
    """`diplomacy France 1 2`: with Prussian and Austrian Diplomacy Points; without a power, all that roll."""
    chosen = [line.power()] if line.words else [power for power in MINORS if is_rolled(pos, power)]
    if set(chosen) - set(MINORS):
        raise Invalid("Diplomacy Points go to minor powers (C5.1)")
    points = [line.number("a number of Diplomacy Points") if line.words else 0 for _ in SIDES]
    line.end()
    rows = [_diplomacy_row(pos, power, points[0], points[1]) for power in chosen]
    return "\n".join([f"{'':<10}{'Prussia':>9}{'Austria':>9}{'neutral':>9}", *rows])


def _diplomacy_row(pos: Position, power: int, prussian: int, austrian: int) -> str:
    shares = "".join(f"{percent(chance):>9}" for chance in diplomacy_odds(pos, power, prussian, austrian))
    marks = ", ".join(f"{points:+d} {what}" for what, points in diplomacy_modifiers(pos, power, prussian, austrian))
    return f"{pos.data.powers[power].name:<10}{shares}  {marks}".rstrip()


TOPICS: Final[Mapping[str, Callable[[Position, Reader], str]]] = {
    "attack": _attack,
    "defend": _defend,
    "siege": _siege,
    "besiege": _siege,
    "overwhelm": _overwhelm,
    "march": _march,
    "go": _go,
    "morale": _morale,
    "recover": _morale,
    "attrition": _attrition,
    "diplomacy": _diplomacy,
    "envoys": _diplomacy,
}
