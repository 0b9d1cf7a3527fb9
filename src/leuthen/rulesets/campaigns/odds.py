"""Odds: exact for sieges and single dice, by simulation for battles.

Simulated battles always use the same dice. Neither side declares anything or breaks off, losses follow the largest
remainder, and leaders inside stay there. Among the first dice each face appears equally often, and so does each
combination of two or three of them; a fixed pseudo-random sequence provides the later dice.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import ceil, sqrt
from typing import Final

import msgspec

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import CHANCE, Side
from leuthen.rulesets.campaigns.model.actions import Hold
from leuthen.rulesets.campaigns.model.events import BattleEnded, Modifiers, total_of
from leuthen.rulesets.campaigns.model.forces import percent_at, percent_of, strength
from leuthen.rulesets.campaigns.model.pieces import Siege, Unit
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.rules.r06_joining import Joining
from leuthen.rulesets.campaigns.rules.r07_reaction import is_success
from leuthen.rulesets.campaigns.rules.r07_reaction import modifiers as reaction_modifiers
from leuthen.rulesets.campaigns.rules.r08_forced_march import TOLL
from leuthen.rulesets.campaigns.rules.r11_siege import MOST_BREACHES, breach_number, surrender_number
from leuthen.rulesets.campaigns.rules.r11_siege import modifiers as siege_modifiers
from leuthen.rulesets.campaigns.rules.r12_battle import SHAKEN, Declaring, Leaving, Losses, open_battle
from leuthen.rulesets.campaigns.rules.r12_fight import current
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.strength import LeaderId

BATTLES: Final = 216  # one simulation for each result of three dice
FEW: Final = 36  # for each strength the enemy may have: one for each result of two dice
FACES: Final = 6


class FixedDice:
    """A pseudo-random sequence in [0, 1) with a fixed seed, so that equal questions get equal answers."""

    MODULUS, FACTOR, STEP = 2**32, 1664525, 1013904223

    def __init__(self) -> None:
        self.state = 1757

    def random(self) -> float:
        self.state = (self.FACTOR * self.state + self.STEP) % self.MODULUS
        return self.state / self.MODULUS


Spread = tuple[tuple[int, Fraction], ...]


class BattleOdds(msgspec.Struct, frozen=True):
    """The results of simulated battles. Pairs are the Prussian side and the Coalition."""

    attacker: Side
    strengths: tuple[int, int]
    fought: int
    wins: tuple[Fraction, Fraction]
    losses: tuple[Spread, Spread]
    rounds: Fraction
    prisoners: Fraction  # the mean of the winner's

    @property
    def error(self) -> int:
        """The standard error of the chances to win, in hundredths, rounded up."""
        return max(ceil(100 * sqrt(win * (1 - win) / self.fought)) for win in self.wins)


def battle_odds(pos: Position, here: Hex, side: Side, *, came: Hex = NOWHERE, battles: int = 0) -> BattleOdds:
    """Return the odds of an attack by the field force of `side` in a hex (R12), from `battles` simulations."""
    start = Draft(pos)
    start.frames = ()
    open_battle(start, here, side, how="march", came=came)
    return _sample_battles(side, start, battles or BATTLES)


def rest_odds(pos: Position, actor: Side, action: Action) -> BattleOdds:
    battle = current(pos)
    start = Draft(pos)
    start.frames = pos.frames[pos.frames.index(battle) :]
    start.frames[-1].answer(start, actor, action)
    return _sample_battles(battle.attacker, start, BATTLES)


def _sample_battles(attacker: Side, start: Draft, battles: int) -> BattleOdds:
    dice, end = FixedDice(), _goes_on(start)
    ends = [end] if end else [fight_once(start, dice, first_faces(number, battles)) for number in range(battles)]
    many = len(ends)
    wins = [Fraction(sum(end.side == who for end in ends), many) for who in (0, 1)]
    lost = [sorted(Counter(end.lost[who] for end in ends).items()) for who in (0, 1)]
    losses = [tuple((points, Fraction(times, many)) for points, times in values) for values in lost]
    rounds = Fraction(sum(end.rounds for end in ends), many)
    prisoners = Fraction(sum(end.prisoners for end in ends), many)
    pairs = (wins[0], wins[1]), (losses[0], losses[1])
    return BattleOdds(attacker, ends[0].began, many, *pairs, rounds, prisoners)


def first_faces(number: int, battles: int = BATTLES) -> Iterator[int]:
    """Return the first dice of a battle by its number: two digits in base 6, the sum of all three, the third digit.

    With 36 battles the last one comes from the sequence: the other three show every pair of faces.
    """
    one, two, three = number % FACES, number // FACES % FACES, number // FACES**2 % FACES
    return iter((one, two, (one + two + three) % FACES, three)[: 4 if battles > FEW else 3])


def fight_once(start: Draft, dice: FixedDice, first: Iterator[int]) -> BattleEnded:
    """Fight one battle to its end; `first` yields the faces of its first single dice, from 0."""
    draft = Draft(start)
    while (end := _goes_on(draft)) is None:
        frame = draft.frames[-1]
        chances = frame.chances(draft)
        face = next(first, None) if len(chances) == FACES else None
        frame.answer(draft, CHANCE, _draw_answer(chances, dice) if face is None else chances[face][0])
    return end


def _goes_on(draft: Draft) -> BattleEnded | None:
    """Proceed until chance must answer, and return None; or return the event of the end."""
    while True:
        for fact in draft.facts:
            if isinstance(fact, BattleEnded):
                return fact
        draft.facts.clear()
        frame = draft.frames[-1]
        if isinstance(frame, Joining | Declaring | Leaving):
            frame.answer(draft, frame.side, Hold())
        elif isinstance(frame, Losses) or not (actors := frame.actors(draft)):
            frame.step(draft)
        elif actors[0] == CHANCE:
            return None
        else:
            answers: LegalSet[Action] = LegalSet(partial(frame.script, draft, actors[0]))
            frame.answer(draft, actors[0], next(iter(answers)))  # a broken subordinate who retreats alone (R13.2)


def _draw_answer(chances: Sequence[tuple[Action, Fraction]], dice: FixedDice) -> Action:
    drawn = dice.random()
    for answer, chance in chances:
        drawn -= chance.numerator / chance.denominator
        if drawn < 0:
            return answer
    return chances[-1][0]


DIE: Final = range(1, 7)
SIXTH: Final = Fraction(1, 6)
TURNS: Final = 8  # siege turns ahead


def at_most(number: int, added: int = 0) -> Fraction:
    return Fraction(sum(die + added <= number for die in DIE), 6)


def two_at_most(number: int) -> Fraction:
    return Fraction(sum(a + b <= number for a in DIE for b in DIE), 36)


class ReactionOdds(msgspec.Struct, frozen=True):
    """The chance that a leader reacts (R7.3), the modifiers, and the result of each face."""

    chance: Fraction
    modifiers: Modifiers
    faces: tuple[bool, ...]


def reaction_odds(pos: Position, leader: LeaderId, here: Hex, side: Side) -> ReactionOdds:
    """Return the odds of a leader's reaction to a mover in a hex (R7.3)."""
    found = reaction_modifiers(pos, leader, here, side)
    faces = tuple(is_success(pos, leader, die, total_of(found)) for die in DIE)
    return ReactionOdds(Fraction(sum(faces), 6), found, faces)


def forced_odds(pos: Position, leader: LeaderId) -> tuple[Fraction, Fraction, int]:
    """Return the chances that a forced march succeeds free of loss, and with loss, and that loss in TP (R8)."""
    command = pos.leader(leader).command
    free = Fraction(sum(die <= command and die != 6 for die in DIE), 6)
    return free, Fraction(int(command + 1 != 6 and command < 6), 6), percent_of(TOLL, pos.units[leader].strength)


def recovery_odds(pos: Position, leader: LeaderId) -> tuple[Fraction, Fraction]:
    """Return the chances that a leader's troops recover (V8.1), and as commander his force's morale (V8.2)."""
    who = pos.leader(leader)
    troops = two_at_most(who.morale - SHAKEN * pos.options.recover_reduced)
    return troops, at_most(who.command) * two_at_most(who.morale)


def attrition_odds(pos: Position, units: Sequence[Unit]) -> list[tuple[int, Fraction]]:
    """Return the distribution of the TP that a force loses in a roll for attrition (V3.5)."""
    earlier = max((unit.rolls for unit in units), default=0)
    losses = (percent_of(percent_at(pos.data.attrition, die + earlier, 1), strength(units)) for die in DIE)
    return spread((loss, SIXTH) for loss in losses)


def spread(parts: Iterable[tuple[int, Fraction]]) -> list[tuple[int, Fraction]]:
    """Return the summed probability of each value, in ascending order."""
    sums: dict[int, Fraction] = {}
    for value, chance in parts:
        sums[value] = sums.get(value, Fraction(0)) + chance
    return sorted(sums.items())


class SiegeOdds(msgspec.Struct, frozen=True):
    """The odds of a siege roll: breach and fall this turn, and the chance of a fall by each turn ahead.

    The modifiers are the present ones; that for a long siege (R11.5) applies in time.
    """

    turn: int
    number: int
    modifiers: Modifiers
    breach: Fraction
    fall: Fraction
    by_turn: tuple[Fraction, ...]


def siege_odds(pos: Position, here: Hex, side: Side) -> SiegeOdds:
    """Return the odds of a siege with a roll in this turn and each of the next (R11)."""
    first = pos.sieges.get(here, Siege())
    found, number = siege_modifiers(pos, here, side, surrender=False), breach_number(pos, here, first.turns + 1)
    now: dict[Siege, Fraction] = {first: Fraction(1)}
    fallen, by_turn = Fraction(0), list[Fraction]()
    for _ in range(TURNS):
        later: dict[Siege, Fraction] = {}
        for siege, share in now.items():
            for after, chance in _one_turn(pos, here, side, siege):
                if after is None:
                    fallen += share * chance
                elif chance:
                    later[after] = later.get(after, Fraction(0)) + share * chance
        now = later
        by_turn.append(fallen)
    breach = at_most(number, total_of(found))
    return SiegeOdds(first.turns + 1, number, found, breach, by_turn[0], tuple(by_turn))


def _one_turn(pos: Position, here: Hex, side: Side, siege: Siege) -> Iterable[tuple[Siege | None, Fraction]]:
    """Yield the results of a siege turn with their chances; None: the place falls."""
    draft = Draft(pos)
    draft.set_siege(here, siege)
    turn = siege.turns + 1
    added = total_of(siege_modifiers(draft, here, side, surrender=False))
    breach = at_most(breach_number(pos, here, turn), added)
    last = total_of(siege_modifiers(draft, here, side, surrender=True))
    for more, chance in ((1, breach), (0, 1 - breach)):
        breaches = min(MOST_BREACHES, siege.breaches + more)
        falls = at_most(surrender_number(pos, here, breaches), last) if breaches else Fraction(0)
        yield None, chance * falls
        yield Siege(turn, breaches, siege.shut + 1), chance * (1 - falls)
