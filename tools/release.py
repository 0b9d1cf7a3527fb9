"""Build the sdist and, from it, the wheel, and test the wheel in an empty environment: `make release`.

Both files are copied to `dist/` only if every check passes; with `--check`, they are discarded.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple
from urllib.request import urlopen
from zipfile import ZipFile

from leuthen import __version__
from leuthen.load import RULESETS, load, read_rulebook, read_rulings
from leuthen.storage.sqlite import FILE
from leuthen.storage.tables import newest
from tools.bundle import CLIENT, find_esbuild
from tools.serving import Served

ROOT: Final = Path(__file__).parent.parent
SOURCE: Final = ROOT / "src" / "leuthen"
BOTS: Final = ("--prussia", "random", "--austria", "random", "--seed", "1")
TEXTS: Final = """
import json, leuthen
from leuthen.load import RULESETS, load, read_rulebook, read_rulings
texts = {name: [read_rulebook(name), read_rulings(name), load(name).digest] for name in RULESETS}
print(json.dumps([leuthen.__file__, texts]))
"""


class ReleaseFault(RuntimeError):
    """A built package failed a check; the message says which."""


def main(words: Sequence[str]) -> int:
    """Build and check; return 1 if a check fails."""
    parser = argparse.ArgumentParser(prog="make release", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only check, without writing to dist/")
    given = parser.parse_args(words)
    with TemporaryDirectory(prefix="leuthen-release-") as folder:
        try:
            built = build(Path(folder))
            check(built, Path(folder))
        except ReleaseFault as fault:
            print(f"release: {fault}", flush=True)
            return 1
        if not given.check:
            store_build(built)
    return 0


class Built(NamedTuple):
    sdist: Path
    wheel: Path


def build(folder: Path) -> Built:
    """Build the sdist from the checkout, and the wheel with the bundled client from the sdist. Raise ReleaseFault."""
    out, esbuild = folder / "built", find_esbuild()
    check_that(esbuild, "esbuild is missing: sh tools/setup.sh dev installs it")
    os.environ["PATH"] += f"{os.pathsep}{Path(esbuild or '').parent}"
    _run([sys.executable, "-m", "build", "--outdir", str(out), str(ROOT)], folder)
    (sdist,), (wheel,) = out.glob("*.tar.gz"), out.glob("*.whl")
    return Built(sdist, wheel)


def store_build(built: Built) -> None:
    """Copy the built files to `dist/`."""
    target = ROOT / "dist"
    target.mkdir(exist_ok=True)
    for path in built:
        shutil.copy(path, target)
        print(f"dist/{path.name}")


# --- an empty environment ---------------------------------------------------------------------------------------------


class Installed(NamedTuple):
    """A wheel in its own environment, with a working folder for commands."""

    python: str
    folder: Path

    def run(self, *words: str, typed: str = "") -> str:
        """Return the output of a Leuthen command. Raise ReleaseFault if it fails."""
        return _run([self.python, "-m", "leuthen", *words], self.folder, typed)


def install(wheel: Path, folder: Path) -> Installed:
    """Install the wheel and only its declared dependencies. Raise ReleaseFault."""
    home, work = folder / "environment", folder / "work"
    work.mkdir()
    _run([sys.executable, "-m", "venv", str(home)], work)
    python = str(home / "bin" / "python")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    _run([*pip, "--constraint", str(ROOT / "constraints.txt"), str(wheel)], work)
    return Installed(python, work)


def _run(command: list[str], folder: Path, typed: str = "") -> str:
    """Run a command in a folder outside the checkout. Raise ReleaseFault."""
    env = os.environ | {"PYTHONPATH": "", "XDG_DATA_HOME": str(folder / "data")}
    done = subprocess.run(command, cwd=folder, env=env, input=typed, capture_output=True, text=True, check=False)
    if done.returncode or "Traceback" in done.stderr:
        raise ReleaseFault(
            f"{' '.join(command)} failed ({done.returncode}):\n{done.stdout[-1000:]}{done.stderr[-3000:]}"
        )
    return done.stdout


# --- what must work there ---------------------------------------------------------------------------------------------


def check(built: Built, folder: Path) -> None:
    """Use the wheel for everything that a new player does. Raise ReleaseFault."""
    check_complete(built.wheel)
    installed = install(built.wheel, folder)
    for one in CHECKS:
        one(installed)
        print(f"{one.__name__.replace('_', ' ')}: works", flush=True)


def check_that(holds: object, reason: str) -> None:
    """Raise ReleaseFault with the reason unless the condition holds."""
    if not holds:
        raise ReleaseFault(reason)


def check_complete(wheel: Path) -> None:
    """Check that the wheel has every file of the package, and the client's bundle. Raise ReleaseFault."""
    paths = [path for path in SOURCE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    scripts = {path.with_suffix(".js") for path in CLIENT.glob("*.html")}
    wanted = {path for path in paths if not path.is_relative_to(CLIENT)} | scripts
    missing = {path.relative_to(SOURCE.parent).as_posix() for path in wanted} - set(ZipFile(wheel).namelist())
    check_that(not missing, f"the wheel lacks {', '.join(sorted(missing))}")


def check_version(installed: Installed) -> None:
    """Check that the version equals the checkout's."""
    said = installed.run("--version").strip()
    check_that(said == f"leuthen {__version__}", f'it calls itself "{said}"')


def check_data(installed: Installed) -> None:
    """Check that rulebooks, rulings and data equal the checkout's and are read from the environment."""
    place, texts = json.loads(_run([installed.python, "-c", TEXTS], installed.folder))
    check_that(not Path(place).is_relative_to(ROOT / "src"), f"the package comes from {place}")
    ours = {name: [read_rulebook(name), list(read_rulings(name)), load(name).digest] for name in RULESETS}
    check_that(texts == ours, "rulebooks, rulings or data are not those of the checkout")


def check_rules(installed: Installed) -> None:
    """Look up a rule of each rule set by its number."""
    for name, number in (("frederick", "O5.3"), ("campaigns", "R5.1")):
        check_that(number in installed.run("rules", "--ruleset", name, number), f"rule {number} of {name} is not found")


def check_play(installed: Installed) -> None:
    """Start a game of each rule set in the terminal."""
    for name in RULESETS:
        said = installed.run("play", "--ruleset", name, "--seed", "1", typed="help\nquit\n")
        check_that("Prussia: human" in said, f"no game of {name} starts: {said[-500:]}")


def check_simulate(installed: Installed) -> None:
    """Play games in worker processes."""
    words = ("--option", "last-year=1756", "--games", "2", "--jobs", "2")
    lines = installed.run("simulate", *words, *BOTS).splitlines()
    check_that([json.loads(line)["game"] for line in lines] == [0, 1], f"two games gave {lines}")


def check_server(installed: Installed) -> None:
    """Fetch the table's page and the rulebooks, and create tables."""
    folder = installed.folder / "served"
    with Served(folder, env={"PYTHONPATH": ""}, python=installed.python) as served:
        _expect_pages(served.url)
    with closing(sqlite3.connect(folder / FILE)) as raw:
        found = raw.execute("SELECT version_num FROM alembic_version").fetchall()
    check_that(found == [(newest(),)], f"the database schema is at {found}, not at {newest()}")


def _expect_pages(url: str) -> None:
    with urlopen(f"{url}/") as answer:
        check_that(b"<html" in answer.read(), "the first page is not served")
    for name in RULESETS:
        with urlopen(f"{url}/api/rulesets/{name}/rules") as answer:
            check_that(json.load(answer)["chapters"], f"no rulebook of {name} is served")


CHECKS: Final[tuple[Callable[[Installed], None], ...]] = (
    check_version,
    check_data,
    check_rules,
    check_play,
    check_simulate,
    check_server,
)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
