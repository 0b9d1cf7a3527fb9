import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import pytest

import leuthen
from leuthen import load
from leuthen.cases.run import read_cases, run_case
from leuthen.cli import run
from leuthen.play.record import FORMAT
from leuthen.storage.tables import newest
from tests.laws import games
from tools.orders import EXAMPLES, page

ROOT = Path(__file__).parent.parent
PAGES: Final = (
    *(path for path in sorted((ROOT / "docs").rglob("*.md")) if "rulebook" not in path.parts),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "verifiers/README.md")),
)
PARSE_ERROR: Final = re.compile("is not a valid order|missing|too many")
CHECKED_ELSEWHERE: Final = {
    "docs/library.md python": "tests/test_pages.py runs them in order",
    "docs/own-bots.md python": "tests/test_pages.py runs them in order",
    "docs/tutorial.md python": "tests/test_fords.py finds each in the game; the last one runs below",
    "docs/tutorial.md toml": "tests/test_fords.py finds it in the package",
    "docs/tutorial.md .venv/bin/pip": "needs the package of the game installed: tests/test_fords.py",
    "docs/tutorial.md cd": "tests/test_fords.py plays a game that is named so",
    "docs/index.md git": "fetches the game from its home",
    "docs/interface.md $ curl": "a dialogue with a server, with secrets of its own: tests/server/test_interface.py",
    "docs/interface.md leuthen serve &": "tests/server/test_interface.py lets examples/bot.py play a whole game",
    "docs/architecture.md": "a drawing",
    "docs/record.md leuthen record": "a record in short: its digests are left out",
    "docs/proof.md leuthen proof": "a proof in short: its numbers are left out",
    "docs/backup.md sudo": "needs the service of an installed server; tests/storage runs backup and restore",
    "docs/backup.md find": "removes files of an installed server",
    "docs/hosting.md": "files of an installed server; tests/test_deploy.py reads those of deploy/",
    "verifiers/README.md": "a form of words, not a command: tests/proof runs both",
    "docs/map.md python": "tests/map runs it",
}
SKIPPED_COMMANDS: Final = {
    "make ": "what `make` does has tests of its own",
    "leuthen serve": "serves until it is ended: tests/server",
    "leuthen report": "takes a minute and more: tests/report",
    "leuthen verify FILE --receipt": "needs receipts that players kept: tests/proof",
    "leuthen case FILE...": "FILE stands for files: the cases of the page are run",
}


class Block(NamedTuple):
    page: str
    line: int
    kind: str
    text: str

    @property
    def reason(self) -> str:
        keys = (f"{self.page} {self.kind}", self.page)
        begins = (reason for key, reason in CHECKED_ELSEWHERE.items() if f"{self.page} {self.text}".startswith(key))
        return next((CHECKED_ELSEWHERE[key] for key in keys if key in CHECKED_ELSEWHERE), next(begins, ""))


def blocks_of(path: Path) -> Iterator[Block]:
    lines, at = path.read_text(encoding="utf-8").split("\n"), 0
    name = path.relative_to(ROOT).as_posix()
    while at < len(lines):
        fence = re.match(r"\s*```(\w*)", lines[at])
        is_indented = lines[at].startswith("    ") and not lines[at - 1].strip()
        end = at + 1
        if fence:
            while not lines[end].strip().startswith("```"):
                end += 1
            yield Block(name, at + 1, fence[1], "\n".join(lines[at + 1 : end]))
        elif is_indented:
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            yield Block(name, at + 1, "", "\n".join(line[4:] for line in lines[at:end]).strip())
        at = end if not fence else end + 1


BLOCKS: Final = [block for path in PAGES for block in blocks_of(path)]
CHECKED_BLOCKS: Final = [block for block in BLOCKS if not block.reason]


def block_id(block: Block) -> str:
    return f"{block.page}:{block.line}"


def test_every_exception_belongs_to_a_block() -> None:
    used = {block.reason for block in BLOCKS}
    assert set(CHECKED_ELSEWHERE.values()) <= used | {CHECKED_ELSEWHERE["docs/map.md python"]}
    assert {block.kind for block in CHECKED_BLOCKS} <= {"", "case"}


@pytest.mark.parametrize("block", [block for block in CHECKED_BLOCKS if block.kind == "case"], ids=block_id)
def test_the_cases_of_a_page_pass(block: Block) -> None:
    cases = read_cases(Path(block.page), block.text)
    assert cases
    for case in cases:
        assert run_case(load.load(case.game), case).fault == ""


def commands(block: Block) -> list[str]:
    return [
        re.split(r" {3,}|\s+#", line)[0].removeprefix(".venv/bin/") for line in block.text.split("\n") if line.strip()
    ]


@pytest.fixture(scope="module")
def reader_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reader")
    for name in ("src", "examples"):
        (folder / name).symlink_to(ROOT / name)
    bot = next(block.text for block in BLOCKS if block.page == "docs/own-bots.md" and block.kind == "python")
    (folder / "mybot.py").write_text(bot, encoding="utf-8")
    play = "simulate --prussia random --austria random --option last-year=1756 --seed 1 --records ."
    run_as_reader(f"leuthen {play}", folder)
    (folder / "game-00000.leuthen").rename(folder / "war.leuthen")
    shutil.copy(folder / "war.leuthen", folder / "FILE")
    return folder


@pytest.fixture
def reader(reader_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(reader_folder, tmp_path / "reader", symlinks=True))


def run_as_reader(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program = f"{sys.executable} -m leuthen"
    told = re.sub(r"^leuthen", program, command)
    settings = {
        **os.environ,
        "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{folder}",
        "XDG_DATA_HOME": str(folder / "kept"),
    }
    return subprocess.run(
        told, shell=True, cwd=folder, env=settings, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=300, check=False,
    )  # fmt: skip


def shorten(command: str) -> str:
    command = re.sub(r"--games \d+", "--games 2", re.sub(r"--pairs \d+", "--pairs 1", command))
    if (
        command.startswith(("leuthen simulate", "leuthen ladder"))
        and "fords" not in command
        and "--data" not in command
    ):
        command += " --option last-year=1756"
    return re.sub(r"\b(captain|planner)\b", "random", command)


@pytest.mark.parametrize("block", [block for block in CHECKED_BLOCKS if block.kind == ""], ids=block_id)
def test_the_commands_of_a_page_run(block: Block, reader: Path) -> None:
    for command in commands(block):
        if command.startswith(tuple(SKIPPED_COMMANDS)):
            continue
        done = run_as_reader(shorten(command), reader)
        assert "Traceback" not in done.stderr, command
        assert done.returncode == 0, (command, done.stderr)


def test_the_last_block_of_the_tutorial_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "RULESETS", dict(load.RULESETS))
    monkeypatch.setattr(games, "PLAYERS", dict(games.PLAYERS))
    monkeypatch.setattr(load, "_ADDED", [])
    block = [block for block in BLOCKS if block.page == "docs/tutorial.md" and block.kind == "python"][-1]
    exec(compile(block.text, f"{block.page}, line {block.line}", "exec"), {})
    load.load.cache_clear()


def test_the_page_of_orders_is_up_to_date() -> None:
    assert (ROOT / "docs" / "orders.md").read_text(encoding="utf-8") == page()


def parse_example(name: str, word: str, line: str) -> str:
    rules = load.load(name)
    state = rules.new_game({"frederick": "campaign"}.get(name, "1757"), {})
    try:
        return rules.parse_action(state, leuthen.CHANCE if word in ("roll", "draw", "chit") else 0, line).do
    except leuthen.Invalid as error:
        return str(error)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_orders_are_valid(name: str) -> None:
    found = {line: parse_example(name, word, line) for word, line in EXAMPLES[name].items()}
    assert [f"{line}: {said}" for line, said in found.items() if PARSE_ERROR.search(said)] == []


def test_the_versions_on_the_releases_page_are_current() -> None:
    text = (ROOT / "docs" / "releases.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([a-z ]+), `([\w.]+)`", text, re.MULTILINE))
    assert rows == {
        "package": leuthen.__version__,
        "rule set version": leuthen.ruleset("frederick").version,
        "record format": str(FORMAT),
        "tables": newest(),
    }
    assert {load.load(name).version for name in load.RULESETS} == {rows["rule set version"]}


BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
SHORT_GAME = ["--option", "last-year=1756", "--seed", "1"]
OWN_BOT = "examples.attacker:Attacker"


def run_page(name: str) -> dict[str, Any]:
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for block in BLOCK.finditer(text):
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], name, "exec"), names)
    return names


def test_the_cookbook_runs_and_prints_its_results(capsys: pytest.CaptureFixture[str]) -> None:
    names = run_page("library.md")
    said = capsys.readouterr().out
    assert "March Phase, die 3: march a force" in said
    assert "1125 Prague" in said
    assert "line 1: Prussia (prussia) cannot be in one stack with Austria (austria)" in said
    assert names["near"][0][0] == 1
    assert all(isinstance(value, int) for value, _ in names["near"])
    assert names["scores"]
    assert "polyline" in (names["folder"] / "vp.svg").read_text()


def test_the_bots_of_the_page_play_a_game() -> None:
    names = run_page("own-bots.md")
    rules = leuthen.ruleset("frederick")
    key = leuthen.Key.from_seed(1)
    table = leuthen.Table(rules, rules.new_game("campaign", {"last-year": "1756"}))
    seats = [names["First"](rules, side, 1) for side in (0, 1)]
    assert leuthen.Game(table, seats, key.dice()).play() is not None
    state = leuthen.position("phase march prussia die 3 ; Prussia 1632 5 Keith")
    assert names["deepest"](rules, rules.view(state, 0), 0, Random(1)) in rules.legal_actions(state, 0)


def test_resuming_a_record_does_not_import_its_bots(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.leuthen"
    assert run(["play", *SHORT_GAME, "--prussia", OWN_BOT, "--austria", "random", "--record", str(path)]) == 0
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-2]))  # neither the last action nor the end
    assert run(["resume", str(path), "--seed", "1"]) == 2
    assert f"one side was played by {OWN_BOT}: name its player again" in capsys.readouterr().err
    assert run(["resume", str(path), "--seed", "1", "--prussia", OWN_BOT]) == 0


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("nowhere.at_all:Bot", "nowhere.at_all:Bot: No module named 'nowhere'"),
        (
            "examples.attacker:Nobody",
            "examples.attacker:Nobody: the module examples.attacker has no class or function Nobody",
        ),
        (":Bot", ":Bot: a bot of your own is named module:Class"),
    ],
)
def test_a_missing_bot_is_named(name: str, fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("play", "simulate"):
        assert run([command, *SHORT_GAME, "--prussia", name, "--austria", "random"]) == 2
        assert capsys.readouterr().err == f"leuthen: {fault}\n"


def test_an_impossible_position_names_its_line() -> None:
    with pytest.raises(leuthen.Invalid, match=r'^line 2: "Nobody" is not understood'):
        leuthen.position("Prussia 1632 5 Keith\nPrussia 1633 5 Nobody")
    with pytest.raises(leuthen.Invalid, match=r"line 1: Hanover \(prussia\) cannot be in one stack with Austria"):
        leuthen.position("Hanover prussia ; Austria 1433 3 Cumberland")
    assert leuthen.position("year 1758", "campaigns") is not None
