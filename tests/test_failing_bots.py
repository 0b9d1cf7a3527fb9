import json
from pathlib import Path

import pytest

from leuthen.bots.guard import TICKS, WATCH, BotFailed, GuardedBot, TooSlow
from leuthen.cli import run
from leuthen.load import load
from leuthen.report.sampling import Headquarters
from leuthen.simulate import game
from leuthen.ticking import ticking
from tests import failing_bots

YEAR = ["--option", "last-year=1756", "--seed", "1"]
FAULTS = {
    "Mute": "answered None, which is no action, to: ",
    "Wordy": "answered 'done', which is no action, to: ",
    "Undoing": "answered Undo(), which is no action, to: ",
    "Leaving": "answered LeaveGame(), which is no action, to: ",
    "Raising": "failed: KeyError: 'plan'",
    "Exiting": "failed: SystemExit: 0",
    "Endless": "failed: TooSlow: it has not answered in time",
    "Sleeping": "failed: TooSlow: it has not answered in time",
    "Unmade": "failed: TypeError: Unmade() takes no arguments",
    "Unborn": "failed: TooSlow: it has not answered in time",
}
TRACED = {"Raising": 'return self.plans["plan"]', "Endless": "in fail", "Sleeping": "time.sleep(3600)"}
WAYS = {
    "simulate": ["simulate", "--austria", "random", "--prussia"],
    "jobs": ["simulate", "--jobs", "2", "--austria", "random", "--prussia"],
    "isolated": ["simulate", "--isolated", "--austria", "random", "--prussia"],
    "play": ["play", "--austria", "random", "--prussia"],
}


@pytest.fixture(autouse=True)
def _kept_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("bot", FAULTS)
def test_a_bot_that_fails_is_named(way: str, bot: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = f"tests.failing_bots:{bot}"
    assert run([*WAYS[way], name, *YEAR, "--patience", "1"]) == 1
    err = capsys.readouterr().err
    assert f"the bot {name} {FAULTS[bot]}" in err.splitlines()[-1]
    assert TRACED.get(bot, "") in err


@pytest.mark.parametrize("ways", [[], ["--isolated"]])
def test_a_ladder_names_it_too(ways: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ladder", "random", "tests.failing_bots:Raising", "--pairs", "1", *ways]) == 1
    err = capsys.readouterr().err
    assert "game 0 broke off: the bot tests.failing_bots:Raising failed: KeyError: 'plan'" in err.splitlines()[-1]
    assert TRACED["Raising"] in err


def test_an_illegal_answer_is_named_with_its_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*WAYS["simulate"], "tests.failing_bots:Unruly", *YEAR]) == 1
    assert "answered March(" in (last := capsys.readouterr().err.splitlines()[-1])
    assert "which is illegal: " in last


@pytest.mark.parametrize(("bot", "fault"), [("Stubborn", "has not answered in time"), ("Dying", "exit code 0")])
def test_what_nobody_can_interrupt_ends_with_its_process(
    bot: str, fault: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if bot == "Stubborn":
        monkeypatch.setattr(game, "SLACK", 4)
    assert run([*WAYS["isolated"], f"tests.failing_bots:{bot}", *YEAR, "--patience", "1"]) == 1
    assert fault in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize("ways", [["--isolated"], ["--isolated", "--jobs", "2"]])
def test_isolated_bots_play_the_same_games(ways: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for more in ([], ways):
        command = [*WAYS["simulate"], "tests.failing_bots:Honest", *YEAR, "--games", "2", *more]
        assert run(command) == 0
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        found.append([{**line, "seconds": 0} for line in lines])
    assert found[0] == found[1]


def test_what_an_isolated_bot_prints_spoils_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert run([*WAYS["isolated"], "tests.failing_bots:Printing", *YEAR]) == 0
    out, err = capfd.readouterr()
    assert [json.loads(line)["game"] for line in out.splitlines()] == [0]
    assert "I think" in err


def test_an_isolated_bot_finds_neither_position_nor_dice(capsys: pytest.CaptureFixture[str]) -> None:
    bot = "tests.failing_bots:Spying"
    assert run([*WAYS["simulate"], bot, *YEAR]) == 1
    assert "found ['Dice', 'Key', 'Table']" in capsys.readouterr().err
    assert run([*WAYS["isolated"], bot, *YEAR]) == 1
    assert f"the bot {bot} failed: ValueError: found [] []" in capsys.readouterr().err


def test_a_ladder_finds_a_bot_in_the_present_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "my_ladder_bot.py").write_text("from tests.failing_bots import Honest\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["tests", *__import__("sys").path])
    assert run(["ladder", "my_ladder_bot:Honest", "random", "--option", "last-year=1756", "--pairs", "1"]) == 0
    assert "my_ladder_bot:Honest against random" in capsys.readouterr().out


def test_a_module_that_cannot_be_run_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "my_torn_bot.py").write_text("class Bot:\n    def choose(self)\n")
    monkeypatch.chdir(tmp_path)
    assert run(["simulate", "--prussia", "my_torn_bot:Bot"]) == 1
    assert "the module of the bot my_torn_bot:Bot failed: SyntaxError" in capsys.readouterr().err


def test_the_staff_of_a_report_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load("frederick")
    headquarters = Headquarters(rules)
    monkeypatch.setattr(headquarters._staffs[0], "choose", lambda *given: None)
    state = rules.new_game("campaign", {})
    with pytest.raises(BotFailed, match="the bot captain answered None"):
        headquarters.order(0, state, rules.view(state, 0))


def test_a_watch_bites_only_where_a_bot_is_asked() -> None:
    WATCH.is_asking = False
    for _ in range(3 * TICKS):
        WATCH.tick()
    WATCH.is_asking = True
    WATCH.asked += 1
    for _ in range(TICKS):
        WATCH.tick()
    with pytest.raises(TooSlow):
        WATCH.tick()
    WATCH.is_asking = False


def test_quick_decisions_are_not_interrupted() -> None:
    rules = load("frederick")
    state = rules.new_game("campaign", {})
    bot = GuardedBot("honest", lambda: failing_bots.Honest(rules, 0, 1))
    pending, legal = rules.pending(state)[0], rules.legal_actions(state, 0)
    with ticking(0.2):
        for _ in range(2000):
            assert bot.choose(lambda: None, legal, pending) in legal
