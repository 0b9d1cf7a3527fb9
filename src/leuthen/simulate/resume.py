"""Many games that are played once each, however often the run is stopped and begun again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from leuthen.engine.refusal import Invalid
from leuthen.simulate.keep import add_line, expect_single, locked, read_lines
from leuthen.simulate.run import LOCAL, do_many

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class FinishedMatch(Protocol[T_co]):
    """What came of a match, and of which."""

    @property
    def match(self) -> T_co:
        """What was played."""


R = TypeVar("R", bound=FinishedMatch[object])


def do_missing(
    do: Callable[[T], R], wanted: Sequence[T], kind: type[R], keep: Path | None, jobs: int = 1, on: str = LOCAL
) -> list[R]:
    """What came of all that is wanted, in that order; `keep` has what was done before, and gets the rest.

    Shows progress. Raises Invalid for a file with a damaged or repeated line, or one that another run holds; GameFailed
    when a game breaks off.
    """
    from rich.console import Console
    from rich.progress import track

    with locked(keep):
        before = read_results(keep, kind)
        expect_single(keep, [result.match for result in before], 1)
        known = {result.match: result for result in before}
        missing = [match for match in wanted if match not in known]
        results = do_many(do, missing, jobs, on)
        for result in track(results, description="games", total=len(missing), console=Console(stderr=True)):
            known[result.match] = result
            if keep is not None:
                add_line(keep, msgspec.json.encode(result))
        return [known[match] for match in wanted]


def read_results(keep: Path | None, kind: type[R]) -> list[R]:
    """What a file has. Raises Invalid, naming the line that is damaged."""
    lines = [] if keep is None else read_lines(keep)
    return [_result(f"{keep}, line {number}", line, kind) for number, line in enumerate(lines, 1)]


def _result(place: str, line: bytes, kind: type[R]) -> R:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.DecodeError as error:
        raise Invalid(f"{place}: {error}") from error
