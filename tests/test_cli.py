import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from leuthen import __version__
from leuthen.cli import run
from leuthen.play.record import Header, Writer, read
from tests.rows import rows

GAME = ["--ruleset", "toy", "--scenario", "parley"]
BOTS = ["--prussia", "random", "--austria", "random"]
HUMAN_PRUSSIA = ["--austria", "random"]


@pytest.fixture(autouse=True)
def games_folder(toy_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("leuthen.terminal.start.games_folder", lambda: tmp_path / "home" / "games")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    return tmp_path / "home" / "games"


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def single_record(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def error_line(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    try:
        code = run(argv)
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("leuthen")
    assert "Traceback" not in err
    return err


def test_two_bots_play_to_the_end_without_a_keyboard(games_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", *GAME, *BOTS, "--seed", "1"]) == 0
    out = capsys.readouterr().out
    path = single_record(games_folder)
    assert path.name.startswith("parley_")
    assert path.name.endswith("_random-random_1.leuthen")
    assert out.startswith("Prussia: random, Austria: random.\nprussia bids ")
    assert "points, 1759 (T4)." in out
    assert read(path).end


def test_a_seed_determines_the_game(tmp_path: Path) -> None:
    for name in ("one", "two"):
        run(["play", *GAME, *BOTS, "--seed", "7", "--record", str(tmp_path / name)])
    run(["play", *GAME, *BOTS, "--seed", "8", "--record", str(tmp_path / "three")])
    run(["play", *GAME, *BOTS, "--record", str(tmp_path / "four")])
    one, two, three, four = ((tmp_path / name).read_bytes() for name in ("one", "two", "three", "four"))
    assert one == two
    assert len({one, three, four}) == 3


def test_two_games_of_a_day_have_different_names(games_folder: Path) -> None:
    for _ in range(2):
        run(["play", *GAME, *BOTS])
    assert sorted(path.name[-9:] for path in games_folder.iterdir()) == ["1.leuthen", "2.leuthen"]


def test_a_game_is_played_through_a_pipe(
    games_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "help", "bid 9", "bid 2", "step north 1", "quit")
    assert run(["play", *GAME, *HUMAN_PRUSSIA]) == 0
    out = capsys.readouterr().out
    path = single_record(games_folder)
    assert "No: 9 is no bid (T1)" in out
    assert f"Saved in {path}. Resume it with: leuthen resume {path}" in out
    assert [entry.text for entry in read(path).entries if entry.actor == "prussia"] == ["bid 2", "step north 1"]


def test_ctrl_c_while_a_bot_thinks_saves_the_game(
    games_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("leuthen.bots.RandomBot.choose", interrupted)
    assert run(["play", *GAME, *BOTS]) == 0
    assert "Resume it with: leuthen resume" in capsys.readouterr().out


def test_resume_opens_the_newest_unfinished_game(
    games_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "bid 2", "quit")
    run(["play", *GAME, *HUMAN_PRUSSIA])
    path = single_record(games_folder)
    run(["play", *GAME, *BOTS])
    (games_folder / "broken.leuthen").write_text("nonsense\n")
    type_in(monkeypatch, "done", "quit")
    assert run(["resume"]) == 0
    assert [entry.text for entry in read(path).entries if entry.actor == "prussia"] == ["bid 2", "done"]
    assert "broken.leuthen" in capsys.readouterr().err


def test_resume_with_other_players_plays_to_the_end(
    games_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "bid 2", "quit")
    run(["play", *GAME, *HUMAN_PRUSSIA])
    path = single_record(games_folder)
    path.write_bytes(path.read_bytes() + b"    7 pruss")
    assert run(["resume", str(path), *BOTS]) == 0
    assert read(path).end
    assert 'the last line was torn and does not count: "    7 pruss"' in capsys.readouterr().err


def test_the_log_of_a_resumed_game_is_complete(
    games_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "bid 2", "step north 1", "quit")
    run(["play", *GAME, *HUMAN_PRUSSIA])
    capsys.readouterr()
    type_in(monkeypatch, "log", "undo", "log", "quit")
    run(["resume"])
    before, after = capsys.readouterr().out.split("Taken back")
    assert before.count("prussia bids 2.") == before.count("prussia steps +1.") == 1
    assert "prussia bids 2." in after
    assert "prussia steps" not in after


def test_a_resumed_seeded_game_equals_an_uninterrupted_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moves = ["bid 2", "done", "bid 1", "done", "bid 3", "done"]
    seats = ["--prussia", "human", "--austria", "human", "--seed", "war"]
    both = [move for move in moves for _ in range(2)]
    type_in(monkeypatch, *both)
    run(["play", *GAME, *seats, "--record", str(tmp_path / "whole")])
    type_in(monkeypatch, *both[:6])
    run(["play", *GAME, *seats, "--record", str(tmp_path / "parts")])
    type_in(monkeypatch, *both[6:])
    assert run(["resume", str(tmp_path / "parts"), "--seed", "war"]) == 0
    assert read(tmp_path / "whole").end
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "parts").read_bytes()


def test_a_finished_game_is_verified_and_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game"
    run(["play", *GAME, *BOTS, "--record", str(path)])
    capsys.readouterr()
    assert run(["replay", str(path), "--verify"]) == 0
    out = capsys.readouterr().out
    assert "the game has ended" in out
    assert out.strip().endswith(f"digest {read(path).end.split()[-1]}")
    assert run(["replay", str(path)]) == 0
    out = capsys.readouterr().out
    assert "austria bids" in out
    assert "(T4)." in out


def test_replay_shows_an_open_game_as_a_viewer_knows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game"
    type_in(monkeypatch, "bid 3", "bid 1")
    run(["play", *GAME, "--austria", "human", "--record", str(path)])

    def told(*viewer: str) -> str:
        capsys.readouterr()
        assert run(["replay", str(path), *viewer]) == 0
        return capsys.readouterr().out

    assert "seals a bid" in told()
    assert "bids" not in told()
    assert "prussia bids 3." in told("--viewer", "prussia")
    assert "austria bids" not in told("--viewer", "prussia")
    assert "austria bids 1." in told("--viewer", "everything")
    assert told().endswith("The game continues.\n")


def test_simulate_writes_json_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    outs = []
    for jobs in ("1", "2"):
        assert run(["simulate", *GAME, *BOTS, "--games", "5", "--first", "2", "--seed", "s", "--jobs", jobs]) == 0
        outs.append([json.loads(line) for line in capsys.readouterr().out.splitlines()])
        for line in outs[-1]:
            del line["seconds"]
    assert outs[0] == outs[1]
    assert [line["game"] for line in outs[0]] == [2, 3, 4, 5, 6]


def test_simulate_prints_the_seed_it_chose(capsys: pytest.CaptureFixture[str]) -> None:
    run(["simulate", *GAME, *BOTS])
    assert capsys.readouterr().err.startswith("seed ")


def test_rules_are_looked_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "--ruleset", "toy", "T3.3"]) == 0
    assert "peeks once a game" in capsys.readouterr().out
    assert run(["rules", "--ruleset", "toy"]) == 0
    assert capsys.readouterr().out == "T1 Bids\nT3 Moves\n"


def test_bots_and_scenarios_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bots"]) == 0
    assert "random" in capsys.readouterr().out.splitlines()
    assert run(["scenarios", "--ruleset", "toy"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["--option", "rounds=3", "or", "1,", "5"]


def test_the_map_is_copied(tmp_path: Path, toy_data: Path) -> None:
    (toy_data / "map").mkdir()
    (toy_data / "map" / "wall.svg").write_text("<svg/>\n")
    assert run(["map", "--ruleset", "toy", "-o", str(tmp_path / "map.svg")]) == 0
    assert (tmp_path / "map.svg").read_text() == "<svg/>\n"


def test_an_unreadable_or_unwritable_map_is_named(
    tmp_path: Path, toy_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["map", "--ruleset", "toy", "-o", str(tmp_path / "no" / "map.svg")]
    assert f"{toy_data / 'map'}: no such folder" in error_line(capsys, *argv)
    (toy_data / "map").mkdir()
    assert "wall.svg: cannot be read: No such file" in error_line(capsys, *argv)
    (toy_data / "map" / "wall.svg").write_text("<svg/>")
    assert "map.svg: cannot be written: No such file" in error_line(capsys, *argv)


def test_an_error_of_the_program_still_names_the_saved_game(
    games_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.toy.Toy.chances", lambda *_: ())
    with pytest.raises(ValueError, match="probabilities"):
        run(["play", *GAME, *BOTS])
    assert f"Resume it with: leuthen resume {single_record(games_folder)}" in capsys.readouterr().out


@pytest.mark.parametrize(("command", "reason"), rows("cli-invalid-commands"))
def test_an_invalid_command_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], command: str, reason: str
) -> None:
    words = command.replace("GAME", " ".join([*GAME, *BOTS])).replace("README.md", __file__).split()
    assert reason in error_line(capsys, *words)


def test_a_record_that_cannot_be_resumed_is_unchanged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game"
    with Writer.create(path, Header("toy", "1", "parley", "0000", {}, {}, "g1")) as record:
        record.write("prussia", "bid 2")
    before = path.read_bytes()
    assert "line 4: was played with the data 0000; here is abcd" in error_line(capsys, "resume", str(path), *BOTS)
    assert path.read_bytes() == before
    ended = tmp_path / "ended"
    run(["play", *GAME, *BOTS, "--record", str(ended)])
    capsys.readouterr()
    assert "this game has ended" in error_line(capsys, "resume", str(ended))
    assert "this file already exists" in error_line(capsys, "play", *GAME, *BOTS, "--record", str(ended))


def run_python(*argv: str) -> str:
    return subprocess.run([sys.executable, *argv], capture_output=True, text=True, check=True).stdout


def test_a_command_imports_only_what_it_uses() -> None:
    assert run_python("-m", "leuthen", "--version") == f"leuthen {__version__}\n"
    heavy = "{'rich', 'msgspec', 'leuthen.cli', 'multiprocessing', 'platformdirs'}"
    script = "import sys, leuthen.__main__ as m; sys.argv = ['leuthen', *{}]; m.main(); print({} & set(sys.modules))"
    assert run_python("-c", script.format(["--version"], heavy)).splitlines()[-1] == "set()"
    loaded = run_python("-c", script.format(["bots"], heavy)).splitlines()[-1]
    assert "rich" not in loaded
    assert "multiprocessing" not in loaded


def test_a_game_of_two_bots_hides_small_log_entries(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.toy.ToyEntry.IS_SMALL", True, raising=False)
    run(["play", *GAME, *BOTS])
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()][0::2] == ["Prussia:", "1756:", "Saved"]


COMMANDS = (["--version"], ["rules", "O5.3"])
PLAY = ["play", "--prussia", "human", "--austria", "random", "--record"]


def leuthen(words: list[str], redirected: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", "-c", f'exec "$0" -m leuthen "$@" {redirected}', sys.executable, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_full_output_is_named(words: list[str]) -> None:
    done = leuthen(words, ">/dev/full")
    assert done.returncode == 2
    assert done.stderr == "leuthen: standard output cannot be written: No space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of its own")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_closed_output_is_named(words: list[str]) -> None:
    done = leuthen(words, ">&-")
    assert (done.returncode, done.stderr) == (2, "leuthen: standard output is closed\n")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of its own")
def test_an_unwritable_error_output_keeps_the_exit_code() -> None:
    assert leuthen(["nonsense"], "2>&-").returncode == 2
    assert leuthen(["ladder", "nobody", "random"], "2>/dev/full").returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_game_with_a_full_output_keeps_its_record(tmp_path: Path) -> None:
    path = tmp_path / "full.leuthen"
    done = leuthen([*PLAY, str(path)], ">/dev/full")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert leuthen(["replay", "--verify", str(path)], "").returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of its own")
def test_a_closed_input_ends_the_game(tmp_path: Path) -> None:
    done = leuthen([*PLAY, str(tmp_path / "quiet.leuthen")], "<&-")
    assert done.returncode == 0
    assert "esume it with: leuthen resume" in done.stdout
    assert "Traceback" not in done.stderr
