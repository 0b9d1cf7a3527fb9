from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leuthen.engine.ruleset import SIDES
from leuthen.load import RULESETS, load
from leuthen.play.record import Writer, read
from leuthen.play.replay import Replay
from leuthen.play.table import Table, make_header
from leuthen.terminal.person import COMMANDS
from tests.terminal.typist import play_at_keyboard
from tests.toy import Toy

WORDS = [*COMMANDS, "?", "legal", "done", "bid", "step", "peek", "reopen", "north", "south", "1", "2", "3", "99", "-1"]
LINES = st.lists(
    st.one_of(st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join), st.text(max_size=12)), max_size=25
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(lines=LINES, is_terminal=st.booleans())
def test_any_input_leaves_the_toy_game_consistent(
    toy_data: Path, tmp_path_factory: pytest.TempPathFactory, lines: list[str], is_terminal: bool
) -> None:
    toy = Toy()
    path = tmp_path_factory.mktemp("fuzz") / "game"
    with Writer.create(path, make_header(toy, "parley", {}, ("human", "human"), game="g1"), durable=False) as record:
        table = Table(toy, toy.new_game("parley", {}), record=record)
        play_at_keyboard(table, *lines, people=SIDES, is_terminal=is_terminal)
    assert Replay(toy, read(path)).run().state == table.state


ORDERS = ["march", "go", "halt", "place", "seal", "place prussia", "attack", "besiege", "quarter", "drop +1", "take"]
THINGS = [
    "Frederick",
    "+12",
    "+all",
    "+-3",
    "1821-1720-1623",
    "1821",
    "9999",
    "Prag",
    "inside",
    "!",
    "prussia",
    '"',
    "[",
]
COMMAND_LINES = st.lists(st.sampled_from([*ORDERS, *THINGS, *COMMANDS]), max_size=5).map(" ".join)
INPUT = st.lists(st.one_of(COMMAND_LINES, st.text(max_size=15)), max_size=15)


@pytest.mark.parametrize("name", RULESETS)
@settings(max_examples=60)
@given(lines=INPUT)
def test_any_input_leaves_a_real_game_running(name: str, lines: list[str]) -> None:
    ruleset = load(name)
    table = Table(ruleset, ruleset.new_game(next(iter(ruleset.scenarios)), {}))
    play_at_keyboard(table, *lines, people=SIDES)
