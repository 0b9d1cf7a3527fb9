"""The sentences of a sheet of odds: its titles, notes, and what one die brings."""

from __future__ import annotations

from collections.abc import Sequence

from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.frederick.model.data import NOBODY
from leuthen.rulesets.frederick.model.events.base import Names
from leuthen.rulesets.frederick.model.events.fighting import BattleFought
from leuthen.rulesets.frederick.model.state import UNKNOWN, Position, Stack
from leuthen.rulesets.frederick.odds.asked import Fight, Siege
from leuthen.rulesets.frederick.odds.dice import OverwhelmOdds, SiegeOdds
from leuthen.wargame.names import counted


def numbers(low: int, high: int) -> str:
    """From one number to another: «4», «4 to 9», «4 or more»."""
    return str(low) if low == high else f"{low} or more" if high >= UNKNOWN else f"{low} to {high}"


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
        far = counted(hexes[-1], "hex") if hexes[0] == hexes[-1] else f"{_span(hexes)} hexes"
        return f"{whose} retreat {far}" if hexes[-1] else f"{whose} cannot retreat and surrender"

    return f"Beaten, {how(fight.us, 'we')}; {how(OTHER[fight.us], 'they')} (O9.7)"


def _span(values: Sequence[int]) -> str:
    return numbers(values[0], values[-1])


def die_text(fight: BattleFought, us: Side) -> str:
    """What one die brings: losses (L: the commander rolls, O8.3), scores, victor, prisoners."""
    them = OTHER[us]
    ours = fight.side if us == 0 else OTHER[fight.side]
    word = "no victor" if fight.winner == NOBODY else "won" if fight.winner == ours else "lost"
    taken = f", {fight.prisoners} {'of them' if word == 'won' else 'of ours'} taken" if fight.prisoners else ""
    marks = ["L" if fight.percents[who] >= 25 else "" for who in (us, them)]
    killed = f"{fight.losses[us]}{marks[0]} / {fight.losses[them]}{marks[1]} killed"
    return f"{fight.die} (= {fight.result}): {killed}, scores {fight.scores[us]} : {fight.scores[them]}, {word}{taken}"


def siege_title(pos: Position, siege: Siege) -> str:
    """Who besieges what."""
    inside = numbers(siege.garrison.low, siege.garrison.high)
    return f"Siege of {Names(pos.data).hex(siege.camp.hex)}: {siege.camp.strength} SP against {inside} SP"


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
