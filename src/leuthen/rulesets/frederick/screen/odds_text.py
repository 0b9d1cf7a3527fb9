"""What the terminal's `odds` says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.data import NOBODY, GameData
from leuthen.rulesets.frederick.model.events.base import Names
from leuthen.rulesets.frederick.model.events.fighting import BattleFought
from leuthen.rulesets.frederick.model.state import UNKNOWN, Position, Stack
from leuthen.rulesets.frederick.odds.asked import (
    Asked,
    Attrition,
    Courting,
    Diplomacy,
    Fight,
    March,
    Overwhelming,
    Recovery,
    Siege,
)
from leuthen.rulesets.frederick.odds.battle import BattleOdds, Spread, at_least, mean
from leuthen.rulesets.frederick.odds.dice import MarchOdds, OverwhelmOdds, SiegeOdds
from leuthen.rulesets.frederick.odds.line import ask_odds
from leuthen.screen.figures import percent_text as percent

HEADING: Final = (
    f"{'enemy':>7}{'ratio':>8}{'win':>7}{'draw':>7}{'lose':>7}{'we lose':>10}{'they lose':>11}{'commander lost':>18}"
)


def describe_odds(data: GameData, view: View, text: str) -> str:
    """The odds of what `text` names, as far as the viewer may know them. Raises Invalid or Ambiguous."""
    pos, asked = ask_odds(data, view, text)
    return "\n".join(_tell(pos, asked))


def _tell(pos: Position, asked: Asked) -> list[str]:
    match asked:
        case Fight():
            return _fight(pos, asked)
        case Siege():
            return _siege(pos, asked)
        case Overwhelming():
            return [overwhelm_text(asked.odds)]
        case March():
            return _march(pos, asked)
        case Recovery():
            return [_recovery(pos, asked)]
        case Attrition():
            return [_attrition(pos, asked)]
        case Diplomacy():
            rows = [_courting(pos, power) for power in asked.powers]
            return [f"{'':<10}{'Prussia':>9}{'Austria':>9}{'neutral':>9}", *rows]


def tails(values: Spread) -> str:
    """«2 or more 83 %, 5 or more 17 %»."""
    steps = [value for value, _ in values if value]
    return ", ".join(f"{value} or more {percent(at_least(values, value))}" for value in steps) or "nothing"


def numbers(low: int, high: int) -> str:
    """From one number to another: «4», «4 to 9», «4 or more»."""
    return str(low) if low == high else f"{low} or more" if high >= UNKNOWN else f"{low} to {high}"


def _fight(pos: Position, fight: Fight) -> list[str]:
    band, us = fight.band, fight.us
    lines = [fight_title(pos, fight), HEADING]
    lines += [_row(points, odds, us=us) for points, odds in band.items()]
    for points in sorted({min(band), max(band)}):
        lines += _by_die(points, band[points], us=us)
    return [*lines, retreat_text(fight)]


def fight_title(pos: Position, fight: Fight) -> str:
    """Who attacks whom, with what bonus, and where."""
    first, second = fight.stacks

    def name(stack: Stack, bonus: int) -> str:
        points = numbers(stack.low, stack.high) if stack is fight.foe else str(stack.strength)
        who = pos.leader(stack.commander).name if stack.commander >= 0 else "no leader"
        return f"{who} {points} SP ({bonus:+d})"

    ratings = [pos.leader(stack.commander) if stack.commander >= 0 else None for stack in fight.stacks]
    attack, defence = (ratings[0].attack if ratings[0] else 0), -(ratings[1].defence if ratings[1] else 0)
    hill = ", mountain (-2)" if pos.data.board.mountains >> first.hex & 1 else ""
    names = Names(pos.data)
    return f"At {names.hex(first.hex)}: {name(first, attack)} attacks {name(second, defence)}{hill}"


def retreat_text(fight: Fight) -> str:
    """How far either side would have to go: «Beaten, we retreat 4 to 6 hexes; they cannot retreat and surrender»."""

    def how(who: int, whose: str) -> str:
        hexes = [points for points, _ in fight.retreats[who]]
        return f"{whose} cannot retreat and surrender" if not hexes[-1] else f"{whose} retreat {_span(hexes)} hexes"

    return f"Beaten, {how(fight.us, 'we')}; {how(1 - fight.us, 'they')} (O9.7)"


def _span(values: Sequence[int]) -> str:
    return numbers(values[0], values[-1])


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
    lines += [f"  {die_text(fight, us)}" for fight in odds.fights]
    lines.append(f"  we lose {tails(odds.gone(us))}; they lose {tails(odds.gone(1 - us))}")
    return lines


def die_text(fight: BattleFought, us: int) -> str:
    """What one die brings: losses (L: the commander rolls, O8.3), scores, victor, prisoners."""
    them = 1 - us
    ours = fight.side if us == 0 else 1 - fight.side
    word = "no victor" if fight.winner == NOBODY else "won" if fight.winner == ours else "lost"
    taken = f", {fight.prisoners} {'of them' if word == 'won' else 'of ours'} taken" if fight.prisoners else ""
    marks = ["L" if fight.percents[who] >= 25 else "" for who in (us, them)]
    killed = f"{fight.losses[us]}{marks[0]} / {fight.losses[them]}{marks[1]} killed"
    return f"{fight.die} (= {fight.result}): {killed}, scores {fight.scores[us]} : {fight.scores[them]}, {word}{taken}"


def _siege(pos: Position, siege: Siege) -> list[str]:
    last = siege.rows[-1]
    rows = [_siege_row(odds, points, siege.is_open and points is last[1]) for odds, points in siege.rows]
    return [siege_title(pos, siege), *rows, f"  {siege_marks(last[0])}"]


def siege_title(pos: Position, siege: Siege) -> str:
    """Who besieges what."""
    inside = numbers(siege.garrison.low, siege.garrison.high)
    return f"Siege of {Names(pos.data).hex(siege.camp.hex)}: {siege.camp.strength} SP against {inside} SP"


def _siege_row(odds: SiegeOdds, points: Sequence[int], is_open: bool) -> str:
    shares = ", ".join(f"{word} {percent(chance)}" for word, chance in odds.results)
    return f"  {garrisons(points, is_open)}: {shares}"


def garrisons(points: Sequence[int], is_open: bool) -> str:
    """The garrisons with which the same odds hold."""
    return f"{numbers(points[0], UNKNOWN if is_open else points[-1])} SP inside"


def siege_marks(odds: SiegeOdds) -> str:
    """What else is added to the die of a siege (O13.2)."""
    roll = odds.rolls[0]
    marks = [f"-{roll.defence} commander inside"] if roll.defence else []
    marks += ["-1 great fortress"] if roll.great else []
    marks += ["-1 winter"] if roll.winter else []
    marks += [f"+{roll.earlier} earlier rolls"] if roll.earlier else []
    return f"Beside the strengths: {', '.join(marks) or 'no modifier'}. The depot is spent (O13.8)."


def overwhelm_text(odds: OverwhelmOdds) -> str:
    """What an overwhelming attack needs (O5.9)."""
    verdict = "is certain" if odds.is_certain else "is hopeless" if odds.is_hopeless else f"needs {odds.most} or fewer"
    return f"Overwhelming with {odds.force} SP against {numbers(odds.low, odds.high)} SP {verdict} (O5.9)"


def _march(pos: Position, march: March) -> list[str]:
    """The movement points of a force; if a path ends at an enemy in the field, the battle there as well."""
    lines: list[str] = []
    if march.plain is not None and march.forced is not None:
        loss = f", 1 SP is lost {percent(march.forced.loss)}" if march.forced.loss else ""
        who, by_die = pos.leader(march.force.commander).name, points_text(march.plain)
        lines.append(
            f"{who}: {by_die} MP by the die of the phase; in a force march the same from a die of his own{loss}"
        )
    if march.overwhelming is not None:
        lines.append(overwhelm_text(march.overwhelming.odds))
    return lines + (_fight(pos, march.fight) if march.fight is not None else [])


def points_text(odds: MarchOdds) -> str:
    """Movement points and how probable each is."""
    return ", ".join(f"{points}: {percent(chance)}" for points, chance in odds.points)


def _recovery(pos: Position, asked: Recovery) -> str:
    stack = asked.stack
    who = pos.leader(stack.commander).name if stack.commander >= 0 else "no leader"
    state = "" if stack.demoralized else " (it is not demoralized)"
    return f"{who} at {Names(pos.data).hex(stack.hex)} recovers {percent(asked.chance)} (O11.2){state}"


def _attrition(pos: Position, asked: Attrition) -> str:
    stack, where = asked.stack, Names(pos.data).hex(asked.stack.hex)
    average = f"{float(mean(asked.loss)):.1f} on average"
    return f"{stack.strength} SP at {where}, if they roll now, lose {tails(asked.loss)}, {average} (O10.8)"


def _courting(pos: Position, courting: Courting) -> str:
    shares = "".join(f"{percent(chance):>9}" for chance in courting.chances)
    marks = ", ".join(f"{points:+d} {what}" for what, points in courting.modifiers)
    return f"{pos.data.powers[courting.power].name:<10}{shares}  {marks}".rstrip()
