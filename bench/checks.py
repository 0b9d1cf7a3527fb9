"""Check tables of the second rule set, computed by the engine: exact for sieges, simulated for battles.

    python -m bench.checks [BATTLES]

prints them next to the figures of the specification (docs/campaigns-checks.md).
"""

from __future__ import annotations

import sys
from fractions import Fraction
from random import Random
from typing import NamedTuple

from leuthen.engine.ruleset import CHANCE, as_side
from leuthen.engine.ruleset_base import run_sequence
from leuthen.load import load
from leuthen.rulesets.campaigns.model.data import GameOptions
from leuthen.rulesets.campaigns.model.events import BattleEnded
from leuthen.rulesets.campaigns.model.pieces import Siege, Unit
from leuthen.rulesets.campaigns.model.state import Draft, State
from leuthen.rulesets.campaigns.rules.r11_siege import BreachRoll, SurrenderRoll
from leuthen.rulesets.campaigns.rules.r12_battle import open_battle
from leuthen.rulesets.campaigns.rules.r18_setup import blank
from leuthen.rulesets.campaigns.ruleset import Campaigns
from leuthen.wargame.board import Hex, hexes_of, parse_hex
from leuthen.wargame.strength import PowerId, bag

PLAIN_HEX = "1819"
"""A hex in open ground."""
TURNS = (1, 2, 3, 4, 5, 6, 8)


class Fight(NamedTuple):
    """A test battle: commanders, TP, whether the attacker has -2 for the ground, and expected results, if any.

    Expected results: the attacker's victories in per cent, rounds, his losses and the defender's.
    """

    name: str
    attacker: str
    defender: str
    strengths: tuple[int, int]
    hill: bool = False
    base: bool = False
    expected: tuple[float, ...] = ()


FIGHTS = (
    Fight("Prague", "Frederick", "Charles", (64, 62), False, False, (93, 2.7, 4.0, 16.5)),
    Fight("Kolin", "Frederick", "Daun", (34, 54), True, False, (55, 2.9, 9.4, 8.3)),
    Fight("Leuthen", "Frederick", "Charles", (33, 65), False, False, (85, 2.8, 4.5, 12.4)),
    Fight("Zorndorf", "Frederick", "Fermor", (36, 43), False, False, (85, 3.0, 5.6, 14.2)),
    Fight("average, even", "Finck", "Lacy", (30, 30), False, False, (48, 2.5, 5.0, 5.0)),
    Fight("average, two to one", "Finck", "Lacy", (60, 30), False, False, (75, 2.5, 4.6, 7.8)),
    Fight("average, base game", "Finck", "Lacy", (30, 30), False, True, (47, 1.5, 3.1, 3.1)),
)

SIEGES = (
    ("fortress", -1, (11, 33, 60, 81, 92, 98, 100)),
    ("fortress", 0, (3, 11, 27, 47, 66, 82, 96)),
    ("fortress", 1, (0, 0, 2, 7, 19, 35, 65)),
    ("fort", 0, (11, 34, 61, 83, 94, 98, 100)),
    ("fort", 1, (3, 11, 28, 50, 71, 84, 96)),
    ("city", 0, (50, 92, 99, 100, 100, 100, 100)),
)
PLACES = {"fortress": "1733", "fort": "2030", "city": "1830"}
"""A Prussian place of each kind, besieged by Austrians."""


class Result(NamedTuple):
    """Victories of attacker and defender in per cent, rounds including the last, and losses of both."""

    won: float
    held: float
    rounds: float
    losses: tuple[float, float]


def battle_hex(game: Campaigns, *, hill: bool) -> Hex:
    """Return the hex of the battle, in the open or in the mountains."""
    return next(hexes_of(game.data.board.mountains & game.data.board.land)) if hill else parse_hex(PLAIN_HEX)


def start_battle(game: Campaigns, fight: Fight) -> State:
    """Return the position at the start of the battle."""
    here = battle_hex(game, hill=fight.hill)
    draft = Draft(blank(game.data, "1757", GameOptions(einhorn=not fight.base)))
    for name, points in zip((fight.attacker, fight.defender), fight.strengths, strict=True):
        number = game.data.leader_named(name)
        draft.put(Unit(number, here, tp=bag(game.data.leaders[number].nation, points)))
    open_battle(draft, here, draft.side(game.data.leader_named(fight.attacker)), how="march")
    run_sequence(draft, game.resolve_hexes)
    return draft.freeze()


def fight_once(game: Campaigns, state: State, rng: Random) -> BattleEnded:
    """Play a battle to its end, without SP and without voluntary withdrawals."""
    while True:
        (asked,) = game.pending(state)
        if asked.actor == CHANCE:
            answers, odds = zip(*game.chances(state), strict=True)
            action = rng.choices(answers, [float(share) for share in odds])[0]
        else:
            action = game.legal_actions(state, asked.actor).default()
        step = game.apply(state, asked.actor, action)
        for fact in step.facts:
            if isinstance(fact, BattleEnded):
                return fact
        state = step.state


def sample_battles(game: Campaigns, fight: Fight, count: int, seed: int = 1) -> Result:
    """Return the means of many battles."""
    state, rng = start_battle(game, fight), Random(seed)
    attacker = game.data.nations[game.data.leaders[game.data.leader_named(fight.attacker)].nation].side
    ends = [fight_once(game, state, rng) for _ in range(count)]
    won, held = (100 * sum(end.side == side for end in ends) / count for side in (attacker, 1 - attacker))
    losses = sum(end.lost[attacker] for end in ends) / count, sum(end.lost[1 - attacker] for end in ends) / count
    return Result(won, held, sum(end.rounds for end in ends) / count, losses)


def besiege(game: Campaigns, kind: str, modifier: int) -> tuple[State, Hex, int]:
    """Return a siege with this total modifier: 20 TP against 10 give none, 4 to one give -1, 10 to 10 give +1."""
    here = parse_hex(PLACES[kind])
    inside, outside = {-1: (2, 9), 0: (2, 5), 1: (5, 5)}[modifier]
    least = game.data.kind_at(here).besieger
    draft = Draft(blank(game.data, "1757", GameOptions()))
    draft.set_garrison(here, bag(PowerId(0), inside * least // 2 if modifier < 1 else least))
    number = game.data.leader_named("Charles")
    draft.put(Unit(number, here, tp=bag(PowerId(2), outside * least // 2 if modifier < 1 else least), start=here, sp=6))
    return draft.freeze(), here, 1


def fall_chances(game: Campaigns, kind: str, modifier: int) -> tuple[Fraction, ...]:
    """Return the exact probabilities that the place has fallen by turn 1, 2, 3 …, from the engine's own rolls."""
    start, here, side = besiege(game, kind, modifier)
    now: dict[Siege, Fraction] = {Siege(): Fraction(1)}
    gone, found = Fraction(0), []
    for _ in range(max(TURNS)):
        later: dict[Siege, Fraction] = {}
        for siege, share in now.items():
            for after, odds in outcomes(game, start, here, side, siege):
                if after is None:
                    gone += share * odds
                else:
                    later[after] = later.get(after, Fraction(0)) + share * odds
        now = later
        found.append(gone)
    return tuple(found)


def outcomes(game: Campaigns, start: State, here: Hex, side: int, siege: Siege) -> list[tuple[Siege | None, Fraction]]:
    """Return the outcomes of a siege turn with their probabilities; None means that the place falls."""
    draft = Draft(start)
    draft.set_siege(here, siege)
    draft.frames = (BreachRoll(as_side(side), here),)
    found: list[tuple[Siege | None, Fraction]] = []
    stack: list[tuple[State, Fraction]] = [(draft.freeze(), Fraction(1))]
    while stack:
        state, share = stack.pop()
        for answer, odds in state.frames[-1].chances(state):
            after = Draft(state)
            state.frames[-1].answer(after, CHANCE, answer)
            rolls = after.frames and isinstance(after.frames[-1], SurrenderRoll)
            if rolls:
                stack.append((after.freeze(), share * odds))
            else:
                held = after.owners[here] != side
                found.append((after.sieges.get(here, Siege()) if held else None, share * odds))
    return found


def main() -> None:
    """Print both tables."""
    game, count = load("campaigns"), int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    assert isinstance(game, Campaigns)
    print("| place | modifier | by turn | 1 | 2 | 3 | 4 | 5 | 6 | 8 |\n|---|---|---|---|---|---|---|---|---|---|")
    for kind, modifier, expected in SIEGES:
        exact = fall_chances(game, kind, modifier)
        computed = " | ".join(f"{100 * float(exact[turn - 1]):.1f}" for turn in TURNS)
        print(f"| {kind} | {modifier:+d} | given | {' | '.join(map(str, expected))} |\n| | | computed | {computed} |")
    print("\n| battle | | attacker wins % | rounds | losses |\n|---|---|---|---|---|")
    for fight in FIGHTS:
        won, rounds, losses = fight.expected[0], fight.expected[1], fight.expected[2:]
        print(f"| {fight.name} | given | {won} | {rounds} | {losses[0]} / {losses[1]} |", flush=True)
        result = sample_battles(game, fight, count)
        mine, theirs = result.losses
        print(f"| | computed | {result.won:.0f} | {result.rounds:.1f} | {mine:.1f} / {theirs:.1f} |", flush=True)


if __name__ == "__main__":
    main()
