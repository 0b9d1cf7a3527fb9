from pathlib import Path
from random import Random
from typing import Any

import pytest

from leuthen.engine.choice import LegalSet
from leuthen.engine.codec import digest_of
from leuthen.engine.ruleset import SIDES, Answer, LeaveGame, Look, Pending, Side, Undo
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.record import Writer, read
from leuthen.play.replay import Replay
from leuthen.play.table import Game, Table, make_header
from tests.properties.games import Kind, seeds

KINDS = (
    Kind("frederick", "campaign", {"last-year": "1757"}),
    Kind("campaigns", "1757", {"rules": "einhorn"}),
    Kind("campaigns", "1759", {"rules": "base"}),
)
ANSWERS = 250


class UndoingPlayer:
    def __init__(self, table: Table, side: Side, seed: int) -> None:
        self.table = table
        self.side = side
        self.rng = Random(seed)
        self.left = ANSWERS
        self.undone = 0

    def choose(self, look: Look, legal: LegalSet[Any], pending: Pending) -> Answer:
        self.left -= 1
        if not self.left:
            return LeaveGame()
        if self.table.can_undo(self.side) and self.rng.random() < 0.3:
            self.undone += 1
            return Undo()
        action: Answer = legal.sample(self.rng)
        return action


@pytest.mark.parametrize("seed", seeds(2))
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_undone_actions_leave_no_trace(kind: Kind, seed: int, tmp_path: Path) -> None:
    ruleset = load(kind.ruleset)
    header = make_header(ruleset, kind.scenario, kind.options, ("human", "human"), game="g1")
    with Writer.create(tmp_path / "game", header, durable=False) as record:
        table = Table(ruleset, ruleset.new_game(kind.scenario, kind.options), record=record)
        seats = [UndoingPlayer(table, side, 2 * seed + side) for side in SIDES]
        Game(table, seats, Key.from_seed("undo", seed).dice()).play()
    assert sum(seat.undone for seat in seats) > 10
    again = Replay(ruleset, read(tmp_path / "game")).run()
    assert (again.state, again.log) == (table.state, table.log)
    state = table.first
    for actor, action, _ in table.log:
        state = ruleset.apply(state, actor, action).state
    assert digest_of(ruleset, state) == digest_of(ruleset, table.state)
