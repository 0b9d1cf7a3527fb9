from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from leuthen.engine.decision import Decision
from leuthen.engine.ruleset import CHANCE, is_side
from leuthen.load import RULESETS, load
from leuthen.play.table import Table
from leuthen.rulesets.frederick import ruleset as frederick
from tests.laws import laws
from tests.laws.games import GAMES, games
from tests.laws.test_laws import breaks
from tests.terminal.typist import play_at_keyboard

RARE = 10**6
MOST = 60


def decisions(of: type[Decision]) -> Iterator[type[Decision]]:
    for kind in of.__subclasses__():
        if kind.script is not Decision.script and kind.__module__.startswith("leuthen."):
            yield kind
        yield from decisions(kind)


@pytest.mark.parametrize("name", RULESETS)
def test_every_decision_declares_its_neutral_answer(name: str) -> None:
    load(name)
    kinds = [kind for kind in decisions(Decision) if f".{name}." in kind.__module__ and "model" not in kind.__module__]
    assert len(kinds) > 20
    own = {kind: [base for base in kind.__mro__ if base.__module__ != Decision.__module__] for kind in kinds}
    undeclared = [
        kind.__name__ for kind in kinds if not any({"NEUTRAL", "neutral"} & {*vars(base)} for base in own[kind])
    ]
    assert undeclared == []


def test_a_neutral_answer_with_an_effect_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not breaks(laws.the_neutral_answer_changes_nothing)

    def first_of_all(self: Any, state: Any, actor: int) -> Any:
        return self.legal_actions(state, actor).default()

    monkeypatch.setattr(frederick.Frederick, "neutral", first_of_all)
    assert breaks(laws.the_neutral_answer_changes_nothing)


def typed(game: Any, state: Any, side: int, word: str) -> tuple[list[Any], str]:
    assert is_side(side)
    table = Table(game, state)
    typist = play_at_keyboard(table, word, people=(side,))
    return [step.action for step in table.log if step.actor == side], typist.screen.getvalue()


@pytest.mark.parametrize("name", RULESETS)
def test_done_gives_only_the_neutral_answer(name: str) -> None:
    refused = 0
    for seed in range(min(2, len(GAMES[name]))):
        for moment in islice(games(name, seed, often=RARE), MOST):
            if moment.actor == CHANCE or moment.game.pending(moment.state)[0].actor != moment.actor:
                continue
            neutral = moment.game.neutral(moment.state, moment.actor)
            actions, text = typed(moment.game, moment.state, moment.actor, "done")
            assert actions[:1] == ([neutral] if neutral is not None else [])
            assert ("choose an order" in text) == (neutral is None)
            refused += neutral is None
    assert refused > 0
