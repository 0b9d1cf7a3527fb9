"""Self-play games for fitting the learned value: bots against each other, with the final result of each war.

Each game is appended at once as a line of JSON, so that an interrupted run can resume. A game number always gives the
same game, regardless of the process that plays it.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from rich.progress import track

from leuthen.bots import make_bot
from leuthen.engine.choice import LegalSet
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import SIDES, Answer, Look, Pending, Player
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.table import Game, Table
from leuthen.screen.presenter import TableRuleset
from leuthen.simulate.bulk import add_line, expect_single, locked, read_lines
from leuthen.simulate.run import run_tasks

PLAYERS: Final = ("cadet", "captain")
SAMPLE_INTERVAL: Final = 3
"""Sampling interval in turns; positions of neighbouring turns are nearly the same."""
OPENINGS: Final[Mapping[str, tuple[tuple[str, Mapping[str, str]], ...]]] = {
    "frederick": (
        ("campaign", {}),
        ("campaign", {"last-year": "1757"}),
        ("campaign", {"last-year": "1758"}),
        ("from-1758", {}),
        ("campaign", {"last-year": "1759"}),
        ("bohemia", {}),
        ("campaign", {"last-year": "1760"}),
        ("1758", {}),
        ("zorndorf-hochkirch", {}),
        ("campaign", {"last-year": "1761"}),
        ("campaign", {"last-year": "1758"}),
        ("from-1760", {}),
        ("1757", {}),
        ("campaign", {}),
        ("liegnitz-torgau", {}),
        ("1759", {}),
        ("rossbach-leuthen", {}),
    ),
    "campaigns": (
        ("1757", {}),
        ("campaign", {}),
        ("1758", {}),
        ("campaign", {}),
        ("1759", {}),
        ("prague", {}),
        ("campaign", {}),
        ("1756", {}),
        ("campaign", {}),
        ("1757", {}),
        ("1758", {}),
        ("campaign", {}),
        ("olmutz", {}),
        ("1759", {}),
    ),
}
"""Scenarios and options to rotate through, by rule set."""


class Opening(NamedTuple):
    """Settings of a game: scenario, options, and bots by side."""

    scenario: str
    options: Mapping[str, str]
    bots: tuple[str, str]


class War(msgspec.Struct, frozen=True):
    """A finished game: its settings, the first side's score (a draw is 0.5) and final lead, and sampled positions,
    packed.
    """

    game: int
    data: str
    scenario: str
    options: Mapping[str, str]
    bots: tuple[str, str]
    score: float
    margin: float
    positions: tuple[str, ...]


def make_opening(ruleset: str, game: int, players: Sequence[str] = PLAYERS) -> Opening:
    """Return the settings of a game by its number; pairings and scenarios rotate."""
    begun = OPENINGS[ruleset]
    scenario, options = begun[game // len(players) ** 2 % len(begun)]
    first, second = divmod(game % len(players) ** 2, len(players))
    return Opening(scenario, options, (players[first], players[second]))


class SamplingPlayer:
    """A bot that also stores the position at the first decision of each turn."""

    def __init__(self, player: Player, table: Table, found: dict[tuple[int, int], bytes]) -> None:
        self._player = player
        self._table = table
        self._found = found

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Answer:
        rules, state = self._table.ruleset, self._table.state
        date = rules.date(state)
        if date not in self._found:
            self._found[date] = rules.dump(state)
        return self._player.choose(look, legal, pending)


def play(name: str, seed: str, players: Sequence[str], game: int) -> War:
    """Play the game with this number."""
    rules, plan, key = load(name), make_opening(name, game, players), Key.from_seed(seed, game)
    table = Table(rules, rules.new_game(plan.scenario, plan.options))
    found: dict[tuple[int, int], bytes] = {}
    seats = [
        make_bot(bot, name, side, key.bot_seed(rules.sides[side])) for side, bot in zip(SIDES, plan.bots, strict=True)
    ]
    Game(table, [SamplingPlayer(seat, table, found) for seat in seats], key.dice()).play()
    outcome = rules.outcome(table.state)
    assert outcome is not None, "a bot left the game"
    kept = [pack_state(text) for number, text in enumerate(found.values()) if (number + game) % SAMPLE_INTERVAL == 0]
    score = 0.5 if outcome.winner is None else float(outcome.winner == 0)
    margin = lead(rules, table.state)
    return War(game, rules.digest, plan.scenario, plan.options, plan.bots, score, margin, tuple(kept))


def lead(rules: TableRuleset, state: object) -> float:
    """Return the first side's lead in VP."""
    points = rules.summary(state)["vp"]
    assert isinstance(points, Sequence)
    mine, theirs = points
    return float(str(mine)) - float(str(theirs))


def pack_state(position: bytes) -> str:
    """Return a position as compressed text."""
    return base64.b85encode(zlib.compress(position, 9)).decode()


def unpack_state(text: str) -> bytes:
    """Return the position in a compressed text."""
    return zlib.decompress(base64.b85decode(text))


def read_wars(file: Path) -> list[War]:
    """Return the wars in a file, sorted by number. Raise Invalid, naming a damaged line."""
    return sorted(_wars(file), key=lambda war: war.game)


def _wars(file: Path) -> Iterator[War]:
    for number, line in enumerate(read_lines(file), 1):
        try:
            yield msgspec.json.decode(line, type=War)
        except msgspec.DecodeError as error:
            raise Invalid(f"{file}, line {number}: {error}; delete the line and start again") from error


class Series(NamedTuple):
    """A series of games: rule set, seed, number of games, and bots."""

    ruleset: str
    seed: str
    games: int
    players: Sequence[str] = PLAYERS


def play_wars(series: Series, jobs: int, on: str, file: Path) -> list[War]:
    """Return the wars of a series. Missing ones are played and appended to the file."""
    digest = load(series.ruleset).digest
    with locked(file):
        before = list(_wars(file))
        expect_single(file, [(war.data, war.game) for war in before], 1)
        done = {war.game for war in before if war.data == digest}
        missing = [game for game in range(series.games) if game not in done]
        played = run_tasks(partial(play, series.ruleset, series.seed, series.players), missing, jobs, on)
        for war in track(played, description="games", total=len(missing)):
            add_line(file, msgspec.json.encode(war))
    return [war for war in read_wars(file) if war.data == digest and war.game < series.games]
