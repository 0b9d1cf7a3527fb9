import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import leuthen
from leuthen import load
from leuthen.cases.run import run_case
from leuthen.cases.text import read_cases
from leuthen.play.record import FORMAT
from leuthen.storage.migrate import newest
from tests.laws import games
from tools.orders import EXAMPLES, page

ROOT: Final = Path(__file__).parent.parent
PAGES: Final = (
    *(path for path in sorted((ROOT / "docs").rglob("*.md")) if "rulebook" not in path.parts),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "verifiers/README.md")),
)
ELSEWHERE: Final = {
    "docs/library.md python": "tests/test_cookbook.py runs them in order",
    "docs/own-bots.md python": "tests/test_cookbook.py runs them in order",
    "docs/tutorial.md python": "tests/test_fords.py finds each in the game; the last one runs below",
    "docs/tutorial.md toml": "tests/test_fords.py finds it in the package",
    "docs/tutorial.md .venv/bin/pip": "needs the package of the game installed: tests/test_plugins.py",
    "docs/tutorial.md cd": "tests/test_plugins.py plays a game that is named so",
    "README.md python": "tests/test_library.py runs it",
    "docs/interface.md $ curl": "a dialogue with a server, with secrets of its own: tests/server/test_interface.py",
    "docs/interface.md leuthen serve &": "tests/server/test_interface.py lets examples/bot.py play a whole game",
    "docs/architecture.md": "a drawing",
    "docs/record.md leuthen record": "a record in short: its digests are left out",
    "docs/proof.md leuthen proof": "a proof in short: its numbers are left out",
    "docs/backup.md sudo": "needs the service of an installed server; tests/storage runs backup and restore",
    "docs/backup.md find": "removes files of an installed server",
    "docs/hosting.md": "files of an installed server; tests/test_deploy.py reads those of deploy/",
    "verifiers/README.md": "a form of words, not a command: tests/accountable runs both",
    "docs/map.md python": "tests/map runs it",
}
NOT_RUN: Final = {
    "make ": "what `make` does has tests of its own",
    "leuthen serve": "serves until it is ended: tests/server",
    "leuthen report": "takes a minute and more: tests/report",
    "leuthen backup": "copies the games of this machine: tests/storage",
    "leuthen verify FILE --receipt": "needs receipts that players kept: tests/accountable",
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
        begins = (reason for key, reason in ELSEWHERE.items() if f"{self.page} {self.text}".startswith(key))
        return next((ELSEWHERE[key] for key in keys if key in ELSEWHERE), next(begins, ""))


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
HERE: Final = [block for block in BLOCKS if not block.reason]


def ids(block: Block) -> str:
    return f"{block.page}:{block.line}"


def test_every_reason_is_of_a_block() -> None:
    used = {block.reason for block in BLOCKS}
    assert set(ELSEWHERE.values()) <= used | {ELSEWHERE["docs/map.md python"]}
    assert {block.kind for block in HERE} <= {"", "case"}


@pytest.mark.parametrize("block", [block for block in HERE if block.kind == "case"], ids=ids)
def test_the_cases_of_a_page_hold(block: Block) -> None:
    cases = read_cases(Path(block.page), block.text)
    assert cases
    for case in cases:
        assert run_case(load.load(case.game), case).fault == ""


def commands(block: Block) -> list[str]:
    return [
        re.split(r" {3,}|\s+#", line)[0].removeprefix(".venv/bin/") for line in block.text.split("\n") if line.strip()
    ]


@pytest.fixture
def reader(tmp_path: Path) -> Path:
    for name in ("src", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    bot = next(block.text for block in BLOCKS if block.page == "docs/own-bots.md" and block.kind == "python")
    (tmp_path / "mybot.py").write_text(bot, encoding="utf-8")
    play = "simulate --prussia random --austria random --option last-year=1756 --seed 1 --records ."
    run_as_reader(f"leuthen {play}", tmp_path)
    (tmp_path / "game-00000.leuthen").rename(tmp_path / "war.leuthen")
    shutil.copy(tmp_path / "war.leuthen", tmp_path / "FILE")
    return tmp_path


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


def shortened(command: str) -> str:
    command = re.sub(r"--games \d+", "--games 2", re.sub(r"--pairs \d+", "--pairs 1", command))
    if (
        command.startswith(("leuthen simulate", "leuthen ladder"))
        and "fords" not in command
        and "--data" not in command
    ):
        command += " --option last-year=1756"
    return re.sub(r"\b(captain|planner)\b", "random", command)


@pytest.mark.parametrize("block", [block for block in HERE if block.kind == ""], ids=ids)
def test_the_commands_of_a_page_run(block: Block, reader: Path) -> None:
    for command in commands(block):
        if command.startswith(tuple(NOT_RUN)):
            continue
        done = run_as_reader(shortened(command), reader)
        assert "Traceback" not in done.stderr, command
        assert done.returncode == 0, (command, done.stderr)


def test_what_is_not_run_stands_on_a_page() -> None:
    told = [command for block in HERE if not block.kind or "leuthen" in block.text for command in commands(block)]
    assert all(any(command.startswith(begin) for command in told) for begin in NOT_RUN)


def test_the_last_block_of_the_tutorial_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "RULESETS", dict(load.RULESETS))
    monkeypatch.setattr(games, "PLAYERS", dict(games.PLAYERS))
    monkeypatch.setattr(load, "_ADDED", [])
    block = [block for block in BLOCKS if block.page == "docs/tutorial.md" and block.kind == "python"][-1]
    exec(compile(block.text, f"{block.page}, line {block.line}", "exec"), {})
    load.load.cache_clear()


def test_the_page_of_orders_is_up_to_date() -> None:
    assert (ROOT / "docs" / "orders.md").read_text(encoding="utf-8") == page()


def read_as(name: str, word: str, line: str) -> str:
    rules = load.load(name)
    state = rules.new_game({"frederick": "campaign"}.get(name, "1757"), {})
    try:
        return rules.parse_action(state, leuthen.CHANCE if word in ("roll", "draw", "chit") else 0, line).do
    except leuthen.Invalid as error:
        return str(error)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_orders_are_read(name: str) -> None:
    found = {line: read_as(name, word, line) for word, line in EXAMPLES[name].items()}
    assert [f"{line}: {said}" for line, said in found.items() if re.search("is no order|missing|too many", said)] == []


def test_the_numbers_of_the_releases_are_those_here() -> None:
    text = (ROOT / "docs" / "releases.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([a-z ]+), `([\w.]+)`", text, re.MULTILINE))
    assert rows == {
        "package": leuthen.__version__,
        "rule set version": leuthen.ruleset("frederick").version,
        "record format": str(FORMAT),
        "tables": newest(),
    }
    assert {load.load(name).version for name in load.RULESETS} == {rows["rule set version"]}
