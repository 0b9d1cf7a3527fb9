from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from leuthen.engine.choice import LegalSet
from leuthen.engine.codec import digest_of
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import SIDES, Answer, LeaveGame, Look, Pending, Side, Undo
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.record import Writer, read
from leuthen.play.replay import Replay
from leuthen.play.table import Game, Table, make_header
from tests.properties.checks import check_step
from tests.properties.games import CAMPAIGN, Kind, Step, game, rules, seeds

OTHER = {"march-die": "force", "morale-target": "5", "hanover-note": "marked", "besieged-redeployment": "barred"}


@pytest.mark.parametrize("seed", seeds(6))
def test_the_laws_hold_in_a_random_campaign(seed: int) -> None:
    options = {**OTHER, "last-year": "1759"} if seed % 3 == 2 else {}
    for number, step in enumerate(game(seed, CAMPAIGN._replace(options=options))):
        check_step(step, step.name, number)
    assert step.after.outcome is not None
    assert step.after.year <= step.after.options.last_year


KINDS = (
    Kind("frederick", "campaign", {"last-year": "1757"}),
    Kind("campaigns", "1757", {"rules": "einhorn"}),
    Kind("campaigns", "1758", {"rules": "base"}),
)
BY_NAME = {kind.name: kind for kind in KINDS}


@cache
def short_game(name: str, seed: int) -> tuple[Step, ...]:
    return tuple(game(seed, BY_NAME[name]))


@pytest.mark.parametrize("seed", seeds(1))
@pytest.mark.parametrize("name", BY_NAME)
def test_a_finished_game_takes_no_action(name: str, seed: int) -> None:
    ruleset, end = rules(BY_NAME[name].ruleset), short_game(name, seed)[-1].after
    assert ruleset.pending(end) == ()
    assert ruleset.chances(end) == ()
    for step in short_game(name, seed)[:40]:
        with pytest.raises(Illegal):
            ruleset.apply(end, step.actor, step.action)


@pytest.mark.parametrize("name", BY_NAME)
def test_a_damaged_dump_is_refused(name: str) -> None:
    ruleset = rules(BY_NAME[name].ruleset)
    state = short_game(name, seeds(1)[0])[200].after
    text, rng, invalid = ruleset.dump(state), Random(5), 0
    for _ in range(60):
        cut = rng.randrange(len(text))
        try:
            again = ruleset.restore(text[:cut] + text[cut + 1 + rng.randrange(3) :])
        except Invalid:
            invalid += 1
            continue
        assert isinstance(again, type(state))
    assert invalid > 20


UNDONE_KINDS = (
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
@pytest.mark.parametrize("kind", UNDONE_KINDS, ids=lambda kind: kind.name)
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
