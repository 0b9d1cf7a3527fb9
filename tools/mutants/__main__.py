"""`make mutants ARGS="--sample 200"`: how many breaks of the rules the tests notice, and the list of the rest."""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tools.mutants.breaks import Break, breaks_of, turned
from tools.mutants.run import Trial, survivors, test_imported
from tools.mutants.survey import Survey, survey
from tools.mutants.swap import is_in_function, try_breaks

SOURCE: Final = Path("src").resolve()
WANTED: Final = 0.9
"""The share of breaks that tests must notice."""
TESTS: Final = "tests/test_cases.py tests/{}"
"""Those that say what a rule of a rule set is. Random games and golden ones notice more, but not what is wrong."""


def main() -> int:
    """Runs everything; 1 if too many breaks went unnoticed."""
    args = _parser().parse_args()
    paths = args.paths or [SOURCE / "leuthen" / args.ruleset / "rules"]
    files = [file.resolve() for path in paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]
    found = survey(files, (args.tests or TESTS.format(args.ruleset)).split())
    trials = [trial for file in files for trial in _trials(file, found)]
    if args.sample and args.sample < len(trials):
        trials = random.Random(args.seed).sample(trials, args.sample)
    with TemporaryDirectory() as folder:
        os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
        return _report(_tried(trials, args.jobs))


def _tried(trials: Sequence[Trial], jobs: int) -> Tally:
    """First the breaks that must be imported, then the others."""
    imported = [trial for trial in trials if not is_in_function(trial)]
    inside = [trial for trial in trials if trial not in imported]
    for name in ("hypothesis", "msgspec", "pytest"):
        import_module(name)
    whole = [trial._replace(broken=Break(0, "", "", trial.path.read_bytes())) for trial in trials[:1]]
    tally = Tally(len(trials))
    for trial, survived in survivors([*whole, *imported], jobs, test_imported):
        tally.add(trial, survived)
    try_breaks([*whole, *inside], jobs, tally.add)
    return tally


class Tally:
    """Counts the breaks that were tried and keeps those that nobody noticed."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.tried = 0
        self.left: list[Trial] = []

    def add(self, trial: Trial, survived: bool) -> None:
        """One more. Raises SystemExit if it is no break and was noticed: the others would prove nothing."""
        if not trial.broken.line:
            if not survived:
                raise SystemExit("mutants: the tests fail without a break, when they run one file at a time")
            return
        self.tried += 1
        if survived:
            self.left.append(trial)
            print(f"\r{_line(trial)}", flush=True)
        print(f"\r{self.tried} of {self.total}, {len(self.left)} unnoticed", end="", file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="files or folders; default the rules of the rule set")
    parser.add_argument("--ruleset", default="frederick")
    parser.add_argument("--sample", type=int, default=0, help="so many breaks, drawn by chance, instead of all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tests", default="", help=f"arguments for pytest: which tests; default {TESTS.format('…')}")
    return parser


def _trials(file: Path, found: Survey) -> list[Trial]:
    module = ".".join(file.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    source = file.read_bytes()
    trials = []
    for broken in sorted([*breaks_of(source), *turned(source)], key=lambda each: each.line):
        tests = found.tests_at(file, broken.line)
        trials.append(Trial(module, file, broken, tests, sum(map(found.seconds.__getitem__, tests))))
    return trials


def _report(tally: Tally) -> int:
    seen = tally.tried - len(tally.left)
    noticed = seen / max(1, tally.tried)
    print(f"\n{seen} of {tally.tried} breaks were noticed: {noticed:.1%}; {WANTED:.0%} are wanted")
    return int(noticed < WANTED or tally.tried < tally.total)


def _line(trial: Trial) -> str:
    return f"{trial.path.relative_to(SOURCE)}:{trial.broken.line}: {trial.broken.text}"


if __name__ == "__main__":
    sys.exit(main())
