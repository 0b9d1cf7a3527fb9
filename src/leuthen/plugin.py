"""The interface of plug-ins: each rule set has a `plugin.py` with an instance of its own subclass of `Plugin`.

Plug-ins of this package are listed in `leuthen.load`. Other packages name theirs in the entry-point group
`leuthen.rulesets`, under the name of the rule set: `chess = "chess.plugin:PLUGIN"`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from leuthen.engine.choice import RandomSource
    from leuthen.engine.ruleset import Side, Thinker
    from leuthen.screen.presenter import TableRuleset
    from leuthen.wargame.bot.value import Analyst, See, Value
    from leuthen.wargame.case_words import CaseBook

HERE: Final = Path(__file__).parent
BOARD: Final = HERE / "data"  # map data shared by this package's rule sets
PAGES: Final = HERE / "docs" if (HERE / "docs").is_dir() else HERE.parents[1] / "docs"
"""Rulebooks and rulings: in a wheel they are in the package, in a checkout beside `src`."""


class Plugin:
    """A rule set's plug-in. Its modules are imported on first use."""

    name: str  # the name in lower case, as in records and on the command line, and of the entry point
    data: tuple[Path, ...]  # folders of data files (`*.csv`); files of later folders override earlier ones
    rulebook: Path  # the folder of rulebook chapters (`*.md`)
    rulings: Path | None = None  # the page of rulings
    kept: Path | None = None  # the folder of data that new games no longer use, in subfolders named by digest
    levels: tuple[str, ...] = ()  # levels of bots beside `random`
    value: Path | None = None  # the file of the learned value

    def make(self, files: Mapping[str, str]) -> TableRuleset:
        """Return the rule set, from the texts of its data files. Raise Invalid with file and line."""
        raise NotImplementedError

    def sheet(self, files: Mapping[str, str]) -> str:
        """Return the table's map (SVG); "" if it is `table.svg` beside the files of the board, or there is none."""
        return ""

    def make_bot(self, level: str, rules: Any, value: Callable[[], Value], side: Side, seed: int) -> Thinker:
        """Return a bot of one of the `levels`, which may use the learned value."""
        raise NotImplementedError

    def features(self) -> tuple[Sequence[str], See]:
        """Return the names of the features of the learned value, and the function that extracts them."""
        raise NotImplementedError

    def casebook(self) -> CaseBook | None:
        """Return the words of its cases."""
        return None

    def analyst(self) -> Analyst[Any] | None:
        """Return its analyst, for reports."""
        return None

    def sample_likely_state(self, rules: Any, view: Any, rng: RandomSource) -> Any:
        """Return a random position that fits the view, close to the average war if averages were learned."""
        return rules.sample_state(view, rng)
