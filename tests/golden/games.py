"""Play the golden games and compute the digest of the position at the start of each turn.

Random games are played again from their seeds. The others are records, replayed with their original data: games of
planners and of random players, in each scenario and with each option value, with undone and taken-back actions,
standing instructions, resignations, draws and abandoned games. Records are never regenerated: if the current rules
rightly refuse one, it is deleted and replaced (`leuthen simulate --records`).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from leuthen.bots import make_bot
from leuthen.engine.codec import digest_of
from leuthen.engine.refusal import Invalid
from leuthen.load import RULESETS, load, load_with
from leuthen.play.dice import Key
from leuthen.play.record import read
from leuthen.play.replay import Replay
from leuthen.play.table import Game, Step, Table
from leuthen.screen.presenter import TableRuleset

HERE = Path(__file__).parent

Turn = tuple[str, str]


class Golden(msgspec.Struct, frozen=True):
    ruleset: str
    name: str
    scenario: str = ""
    options: Mapping[str, str] = {}

    @property
    def turns(self) -> Path:
        return HERE / self.ruleset / f"{self.name}.txt"

    @property
    def record(self) -> Path:
        return HERE / self.ruleset / f"{self.name}.leuthen"


RANDOM = (
    *(Golden("frederick", f"random-{number}", "campaign") for number in (1, 2, 3)),
    Golden("frederick", "random-from-1760", "from-1760"),
    Golden("frederick", "random-zorndorf-hochkirch", "zorndorf-hochkirch"),
    Golden("campaigns", "random-1757", "1757"),
    Golden("campaigns", "random-1758-base", "1758", {"rules": "base"}),
    Golden("campaigns", "random-1759-hidden", "1759", {"hidden": "yes"}),
    Golden("campaigns", "random-campaign", "campaign"),
    Golden("campaigns", "random-prague", "prague"),
)
RECORDS = tuple(
    Golden(ruleset, path.stem) for ruleset in RULESETS for path in sorted((HERE / ruleset).glob("*.leuthen"))
)
GAMES = (*RANDOM, *RECORDS)


class Turns:
    def __init__(self, rules: TableRuleset, state: Any) -> None:
        self._rules = rules
        self.found: list[Turn] = [self._turn(state)]

    def _turn(self, state: Any) -> Turn:
        year, turn = self._rules.date(state)
        return f"{year}.{turn}", digest_of(self._rules, state)

    def on_action(self, step: Step) -> None:
        before, after = step.before, step.transition.state
        if self._rules.date(before) != self._rules.date(after) or self._rules.outcome(after) is not None:
            self.found.append(self._turn(after))

    def on_undo(self, step: Step) -> None:
        """Keep the digests of a turn that is taken back."""

    def on_committed(self, steps: object) -> None:
        """Do nothing: actions are stored when they are done."""


def play(game: Golden) -> list[Turn]:
    return _play_random(game) if game.scenario else _replay_record(game)


def _play_random(game: Golden) -> list[Turn]:
    rules = load(game.ruleset)
    state = rules.new_game(game.scenario, game.options)
    turns, key = Turns(rules, state), Key.from_seed("golden", game.name)
    seats = [make_bot("random", game.ruleset, side, key.bot_seed(str(side))) for side in (0, 1)]
    Game(Table(rules, state, observers=[turns]), seats, key.dice()).play()
    return turns.found


def _replay_record(game: Golden) -> list[Turn]:
    found: list[Turn] = []
    try:
        recorded = read(game.record)
        replay = Replay(load_with(game.ruleset, recorded.header.data), recorded)
        turns = Turns(replay.table.ruleset, replay.table.state)
        found = turns.found
        replay.table.observers.append(turns)
        table = replay.run()
        found.append(("last", digest_of(table.ruleset, table.state)))
    except Invalid as error:
        found.append(("refused", str(error)))
    return found


def stored(game: Golden) -> list[Turn]:
    rows = game.turns.read_text().splitlines()
    return [(turn, digest) for turn, digest in (row.split() for row in rows)]


def renew() -> None:
    for game in GAMES:
        game.turns.write_text("".join(f"{turn} {digest}\n" for turn, digest in play(game)))
