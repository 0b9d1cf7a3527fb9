import json
from itertools import product
from pathlib import Path

import pytest

from leuthen.bots import TICKS, WATCH, BotFailed, TooSlow
from leuthen.cli import run
from leuthen.load import load
from leuthen.report.sampling import Headquarters

YEAR = ["--option", "last-year=1756", "--seed", "1"]
FAULTS = {
    "NoneBot": "answered None, which is no action, to: ",
    "TextBot": "answered 'done', which is no action, to: ",
    "UndoBot": "answered Undo(), which is no action, to: ",
    "LeavingBot": "answered LeaveGame(), which is no action, to: ",
    "RaisingBot": "failed: KeyError: 'plan'",
    "ExitingBot": "failed: SystemExit: 0",
    "EndlessBot": "failed: TooSlow: it has not answered in time",
    "SleepingBot": "failed: TooSlow: it has not answered in time",
    "NoArgumentsBot": "failed: TypeError: NoArgumentsBot() takes no arguments",
    "SlowStartBot": "failed: TooSlow: it has not answered in time",
}
TRACEBACKS = {"RaisingBot": 'return self.plans["plan"]', "EndlessBot": "in fail", "SleepingBot": "time.sleep(3600)"}
SIMULATE = ["simulate", "--austria", "random", "--prussia"]
COMMANDS = {
    "simulate": SIMULATE,
    "jobs": [*SIMULATE[:1], "--jobs", "2", *SIMULATE[1:]],
    "isolated": [*SIMULATE[:1], "--isolated", *SIMULATE[1:]],
    "play": ["play", *SIMULATE[1:]],
}
CALLS = [*product(("simulate", "isolated"), FAULTS), *product(("jobs", "play"), ("RaisingBot", "SleepingBot"))]


@pytest.fixture(autouse=True)
def _use_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.mark.parametrize(("command", "bot"), CALLS)
def test_a_failing_bot_is_named_with_its_fault(command: str, bot: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = f"tests.failing_bots:{bot}"
    assert run([*COMMANDS[command], name, *YEAR, "--patience", "1"]) == 1
    err = capsys.readouterr().err
    assert f"the bot {name} {FAULTS[bot]}" in err.splitlines()[-1]
    assert TRACEBACKS.get(bot, "") in err


@pytest.mark.parametrize("ways", [[], ["--isolated"]])
def test_a_ladder_names_a_failing_bot(ways: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ladder", "random", "tests.failing_bots:RaisingBot", "--pairs", "1", *ways]) == 1
    err = capsys.readouterr().err
    assert "game 0 broke off: the bot tests.failing_bots:RaisingBot failed: KeyError: 'plan'" in err.splitlines()[-1]
    assert TRACEBACKS["RaisingBot"] in err


def test_an_illegal_answer_of_a_bot_is_named_with_its_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*SIMULATE, "tests.failing_bots:IllegalBot", *YEAR]) == 1
    assert "answered March(" in (last := capsys.readouterr().err.splitlines()[-1])
    assert "which is illegal: " in last


@pytest.mark.parametrize(("bot", "fault"), [("StubbornBot", "has not answered in time"), ("DyingBot", "exit code 0")])
def test_an_uninterruptible_bot_ends_with_its_process(
    bot: str, fault: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if bot == "StubbornBot":
        monkeypatch.setattr("leuthen.simulate.run.SLACK", 4)
    assert run([*COMMANDS["isolated"], f"tests.failing_bots:{bot}", *YEAR, "--patience", "1"]) == 1
    assert fault in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize("ways", [["--isolated"], ["--isolated", "--jobs", "2"]])
def test_isolated_bots_play_the_same_games(ways: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for more in ([], ways):
        command = [*SIMULATE, "tests.failing_bots:HonestBot", *YEAR, "--games", "2", *more]
        assert run(command) == 0
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        found.append([{**line, "seconds": 0} for line in lines])
    assert found[0] == found[1]


def test_text_printed_by_an_isolated_bot_is_kept_apart(capfd: pytest.CaptureFixture[str]) -> None:
    assert run([*COMMANDS["isolated"], "tests.failing_bots:PrintingBot", *YEAR]) == 0
    out, err = capfd.readouterr()
    assert [json.loads(line)["game"] for line in out.splitlines()] == [0]
    assert "I think" in err


def test_an_isolated_bot_cannot_find_position_or_dice(capsys: pytest.CaptureFixture[str]) -> None:
    bot = "tests.failing_bots:SpyingBot"
    assert run([*SIMULATE, bot, *YEAR]) == 1
    assert "found ['Dice', 'Key', 'Table']" in capsys.readouterr().err
    assert run([*COMMANDS["isolated"], bot, *YEAR]) == 1
    assert f"the bot {bot} failed: ValueError: found [] []" in capsys.readouterr().err


def test_a_ladder_finds_a_bot_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "my_ladder_bot.py").write_text("from tests.failing_bots import HonestBot\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["tests", *__import__("sys").path])
    assert run(["ladder", "my_ladder_bot:HonestBot", "random", "--option", "last-year=1756", "--pairs", "1"]) == 0
    assert "my_ladder_bot:HonestBot against random" in capsys.readouterr().out


def test_a_bot_s_module_with_an_error_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "my_torn_bot.py").write_text("class Bot:\n    def choose(self)\n")
    monkeypatch.chdir(tmp_path)
    assert run(["simulate", "--prussia", "my_torn_bot:Bot"]) == 1
    assert "the module of the bot my_torn_bot:Bot failed: SyntaxError" in capsys.readouterr().err


def test_a_report_names_a_failing_staff(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load("frederick")
    headquarters = Headquarters(rules)
    monkeypatch.setattr(headquarters._staffs[0], "choose", lambda *given: None)
    state = rules.new_game("campaign", {})
    with pytest.raises(BotFailed, match="the bot captain answered None"):
        headquarters.order(0, state, rules.view(state, 0))


def test_a_watch_interrupts_only_a_deciding_bot() -> None:
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
