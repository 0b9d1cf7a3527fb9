import io
import re
import readline
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.ruleset import CHANCE, EVERYTHING, SIDES, WATCHER, ActorId
from leuthen.load import RULESETS, load, load_with
from leuthen.play.record import Writer, read
from leuthen.play.replay import Replay
from leuthen.play.table import Table, make_header
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, POOL, PRUSSIAN
from leuthen.rulesets.frederick.rules.c02_setup import Placement, SetupPlan
from leuthen.terminal.hotseat import Pipe, Prompt, ViewerLogs, get_keyboard, story_lines
from leuthen.terminal.page import PAGE, TOPICS, SeenPosition
from leuthen.terminal.person import COMMANDS
from leuthen.wargame.strength import PowerId, bag
from tests.frederick.handmade import hexagon, leader, random_state, some_state
from tests.golden.games import HERE
from tests.golden.pages import STORED, pages, sheet, text
from tests.terminal.typist import answers_to, play_at_keyboard
from tests.toy import Bid, Die, Peek, Toy

AUSTRIA = 1
VIEWERS = (PRUSSIAN, AUSTRIAN, WATCHER, EVERYTHING)
NAMES = ("Prague", "1128", "Daun", "Austria", "Lacy", "Hanover", "Frederick")


def line_with(of: str, found: str) -> str:
    return next(one for one in of.splitlines() if found in one)


def test_pages_and_maps_equal_the_stored_ones() -> None:
    assert "".join(pages()) == STORED.read_text(encoding="utf-8"), "if meant so: python -m tests.golden.pages"


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("topic", ["", *TOPICS, *NAMES])
def test_every_page_fits_the_terminal(topic: str, viewer: int) -> None:
    for seed in range(3):
        page = text(topic, viewer, random_state(seed))
        assert max(map(len, page.splitlines()), default=0) <= PAGE


def test_pages_cover_the_set_up_and_a_war_without_sieges() -> None:
    rules: Any = load("frederick")
    assert "> Deployment (C2.4)" in text("sequence", state=rules.new_game("campaign", {}))
    nobody = tuple(POOL for _ in some_state().roster)
    assert text("sieges", state=some_state(stacks={}, roster=nobody)) == "No place is besieged."


def test_placed_forces_are_shown_to_their_side() -> None:
    lot = Placement(hexagon("0232"), True, (leader("Daun"),), bag(PowerId(AUSTRIA), 7))
    state = some_state(sealed=(None, SetupPlan(False, (lot,), hexagon("1230"))))
    assert line_with(text(viewer=AUSTRIAN, state=state), "0232 Vienna, inside").split()[3] == "7"
    assert "planned" not in text(viewer=PRUSSIAN, state=state)


def test_an_unknown_topic_or_place_is_refused() -> None:
    with pytest.raises(Invalid, match="scores, armies, fortresses"):
        text("atlantis")
    with pytest.raises(Ambiguous):
        text("frankfurt")
    with pytest.raises(Invalid):
        text("9999")
    for place in ("Atlantis", "9999", "16x3", ""):
        with pytest.raises(Invalid):
            sheet(place)
    with pytest.raises(Ambiguous):
        sheet("Frankfurt")


def test_the_campaigns_have_the_same_pages() -> None:
    rules: Any = load("campaigns")
    shown = SeenPosition(rules, rules.presenter.setting(), rules.view(rules.new_game("1757", {}), 0))
    assert line_with(shown.render(), "1626 Zittau").split() == ["1626", "Zittau", "18", "Bevern", "2-2-1-9"]
    assert "in depot range" in shown.render("Dresden").casefold()
    assert "morale 8" in shown.render("Daun")
    for topic in ("", *TOPICS, "Frederick", "Austria"):
        assert max(map(len, shown.render(topic).splitlines()), default=0) <= PAGE


def test_a_finished_war_is_summarized() -> None:
    recorded = read(HERE / "frederick" / "planner-bohemia.leuthen")
    ruleset = load_with("frederick", recorded.header.data)
    replay, logs = Replay(ruleset, recorded), ViewerLogs(ruleset)
    replay.table.observers.append(logs)
    table = replay.run()
    year, *commanders = story_lines(table)
    fought = sum("Battle at" in line for line in logs.last(EVERYTHING, 10_000))
    assert year.startswith("1757: ")
    assert f"{('One', 'Two', 'Three')[fought - 1]} battle" in year
    assert f"{table.ruleset.presenter.scene(ruleset.view(table.state, EVERYTHING)).scores[0].values[0]} to" in year
    assert commanders[0].startswith(f"Frederick: {fought} battles")


@pytest.fixture
def table(toy: Toy) -> Table:
    return Table(toy, toy.new_game("parley", {}))


@pytest.fixture
def logs(table: Table) -> ViewerLogs:
    logs = ViewerLogs(table.ruleset)
    table.observers.append(logs)
    return logs


def test_a_draft_is_logged_for_its_own_side_only(table: Table, logs: ViewerLogs) -> None:
    table.act(0, Bid(3))
    assert logs.news(0) == ["prussia bids 3."]
    assert [logs.news(viewer) for viewer in (1, WATCHER, EVERYTHING)] == [[], [], []]
    table.act(1, Bid(1))
    assert logs.news(0) == []
    assert logs.news(1) == ["prussia seals a bid.", "austria bids 1."]


def test_a_secret_is_logged_for_its_viewers_only(table: Table, logs: ViewerLogs) -> None:
    actions: list[tuple[ActorId, Action]] = [(0, Bid(3)), (1, Bid(2)), (CHANCE, Die(1)), (0, Peek())]
    for actor, action in actions:
        table.act(actor, action)
    assert logs.last(0, 9) == ["prussia bids 3.", "austria seals a bid.", "The die shows 1.", "prussia sees 2."]
    assert logs.last(1, 2) == ["The die shows 1.", "prussia peeks."]
    assert logs.last(WATCHER, 2) == ["The die shows 1.", "prussia peeks."]
    assert logs.last(EVERYTHING, 9)[:2] == ["prussia bids 3.", "austria bids 2."]
    assert logs.last(0, 0) == []


@pytest.mark.parametrize("radius", [0, 1, 12, 99])
@pytest.mark.parametrize("place", ["0101", "Vienna", "Memel", "4241"])
def test_a_map_is_drawn_anywhere_on_the_board(place: str, radius: int) -> None:
    assert len(sheet(place, radius).splitlines()) > 5


@pytest.mark.parametrize(("line", "radius"), [("map Prag", 5), ("map Prag 3", 3), ("map 1125 99", 12)])
def test_a_map_has_the_requested_centre_and_radius(line: str, radius: int) -> None:
    rules = load("frederick")
    shown = answers_to(Table(rules, rules.new_game("campaign", {})), line).splitlines()
    assert shown[0].startswith("1125 Prague · 1756")
    hexes = [name for row in shown[1:] if "," not in row for name in re.findall(r"\d{4}", row)]
    assert max(int(name[:2]) for name in hexes) == 11 + radius


class FakeInput:
    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.histories: list[list[str | None]] = []

    def __call__(self, prompt: str) -> str:
        count = readline.get_current_history_length()
        self.histories.append([readline.get_history_item(number + 1) for number in range(count)])
        line = next(self.lines, "^D")
        if line in ("^C", "^D"):
            raise KeyboardInterrupt if line == "^C" else EOFError
        return line


def type_lines(monkeypatch: pytest.MonkeyPatch, *lines: str) -> FakeInput:
    found = FakeInput(*lines)
    monkeypatch.setattr("builtins.input", found)
    return found


def test_ctrl_c_discards_the_line_and_ctrl_d_ends_the_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_lines(monkeypatch, "^C", "  march Frederick ")
    prompt = Prompt()
    assert prompt.ask("> ", 0) == "march Frederick"
    assert "The game is saved" in capsys.readouterr().out
    with pytest.raises(EOFError):
        prompt.ask("> ", 0)


def test_each_side_has_an_input_history_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = type_lines(monkeypatch, "secret", "plan", "secret", "", "yes", "more")
    prompt = Prompt()
    for side in (0, 1, 0, 0):
        prompt.ask("> ", side)
    prompt.wait("sure? ")
    prompt.ask("> ", 1)
    assert typed.histories == [[], [], ["secret"], ["secret"], [], ["plan"]]
    assert readline.get_current_history_length() == 0, "nothing is left for the next line of the program"


def test_a_prompt_works_without_line_editing(monkeypatch: pytest.MonkeyPatch) -> None:
    type_lines(monkeypatch, "done")
    monkeypatch.setitem(sys.modules, "readline", None)
    assert Prompt().ask("> ", 0) == "done"


def test_a_pipe_echoes_its_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("bid 2\n\n  done"))
    pipe = Pipe()
    assert [pipe.ask("> ", 0) for _ in range(3)] == ["bid 2", "", "done"]
    with pytest.raises(EOFError):
        pipe.ask("> ", 0)
    assert capsys.readouterr().out == "> bid 2\n> \n>   done\n> \n"


def test_input_without_a_terminal_is_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert isinstance(get_keyboard(), Pipe)


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
THINGS = ["Frederick", "+12", "+all", "+-3", "1821-1720-1623", "1821", "9999", "Prag", "inside", "!", "prussia",
          '"', "["]  # fmt: skip
COMMAND_LINES = st.lists(st.sampled_from([*ORDERS, *THINGS, *COMMANDS]), max_size=5).map(" ".join)
INPUT = st.lists(st.one_of(COMMAND_LINES, st.text(max_size=15)), max_size=15)


@pytest.mark.parametrize("name", RULESETS)
@settings(max_examples=60)
@given(lines=INPUT)
def test_any_input_leaves_a_real_game_running(name: str, lines: list[str]) -> None:
    ruleset = load(name)
    table = Table(ruleset, ruleset.new_game(next(iter(ruleset.scenarios)), {}))
    play_at_keyboard(table, *lines, people=SIDES)
