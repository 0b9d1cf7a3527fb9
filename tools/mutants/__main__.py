"""`make mutants ARGS="--sample 200"`: how many breaks of the rules the tests notice, and the list of the rest."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from tools.mutants.breaks import Break, breaks_of, turned
from tools.mutants.run import Trial, survivors
from tools.mutants.survey import Survey, survey

SOURCE: Final = Path("src").resolve()
WANTED: Final = 0.9
"""The share of breaks that tests must notice."""


def main() -> int:
    """Runs everything; 1 if too many breaks went unnoticed."""
    args = _parser().parse_args()
    files = [
        file.resolve() for path in args.paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])
    ]
    found = survey(files, args.tests.split())
    trials = [trial for file in files for trial in _trials(file, found)]
    if args.sample and args.sample < len(trials):
        trials = random.Random(args.seed).sample(trials, args.sample)
    _warm_up()
    _expect_survival(trials[0])
    return _report(trials, args.jobs)


def _warm_up() -> None:
    """What every trial imports, once for all."""
    for name in ("hypothesis", "msgspec", "pytest"):
        import_module(name)


def _expect_survival(trial: Trial) -> None:
    """A trial without a break must survive, or the others prove nothing."""
    whole = Break(0, "", "", trial.path.read_bytes())
    if not all(survived for _, survived in survivors([trial._replace(broken=whole)], 1)):
        raise SystemExit("mutants: the tests fail without a break, when they run one file at a time")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, default=[SOURCE / "leuthen" / "frederick" / "rules"])
    parser.add_argument("--sample", type=int, default=0, help="so many breaks, drawn by chance, instead of all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tests", default="", help="arguments for pytest: which tests to run")
    return parser


def _trials(file: Path, found: Survey) -> list[Trial]:
    module = ".".join(file.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    source = file.read_bytes()
    trials = []
    for broken in sorted([*breaks_of(source), *turned(source)], key=lambda each: each.line):
        tests = found.tests_at(file, broken.line)
        trials.append(Trial(module, file, broken, tests, sum(map(found.seconds.__getitem__, tests))))
    return trials


def _report(trials: Sequence[Trial], jobs: int) -> int:
    left: list[Trial] = []
    for number, (trial, survived) in enumerate(survivors(trials, jobs), 1):
        if survived:
            left.append(trial)
            print(_line(trial), flush=True)
        print(f"\r{number} of {len(trials)}, {len(left)} unnoticed", end="", file=sys.stderr, flush=True)
    noticed = 1 - len(left) / max(1, len(trials))
    print(f"\n{len(trials) - len(left)} of {len(trials)} breaks were noticed: {noticed:.1%}; {WANTED:.0%} are wanted")
    return int(noticed < WANTED)


def _line(trial: Trial) -> str:
    return f"{trial.path.relative_to(SOURCE)}:{trial.broken.line}: {trial.broken.text}"


if __name__ == "__main__":
    sys.exit(main())
