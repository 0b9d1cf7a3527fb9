"""What a rule set provides: each has a `plugin.py` with an instance of its own subclass of `Plugin`.

Those of this package are listed in `leuthen.load`. Another package names its own in the entry-point group
`leuthen.rulesets`, under the name of the rule set: `chess = "chess.plugin:PLUGIN"`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from leuthen.engine.choice import Chooser
    from leuthen.engine.ruleset import Side
    from leuthen.engine.seat import Thinker
    from leuthen.screen.presenter import TableRuleset
    from leuthen.wargame.bot.analyst import Analyst
    from leuthen.wargame.bot.value import See, Value
    from leuthen.wargame.case_words import CaseBook

HERE: Final = Path(__file__).parent
BOARD: Final = HERE / "data"
"""The data of the map that the rule sets of this package share."""
PAGES: Final = HERE / "docs" if (HERE / "docs").is_dir() else HERE.parents[1] / "docs"
"""Their rulebooks and rulings: a wheel carries them in the package, a checkout has them beside `src`."""


class Plugin:
    """What a rule set provides. Its modules are imported when they are first needed, not with the plug-in."""

    name: str
    """In lower case, as in records and on the command line; of an entry point, the name of that too."""
    data: tuple[Path, ...]
    """The folders of its data files (`*.csv`), the later ones laid over the earlier."""
    rulebook: Path
    """The folder of its rulebook's chapters (`*.md`)."""
    rulings: Path | None = None
    """The page of its rulings."""
    kept: Path | None = None
    """The folder of data that new games no longer have, each set in a folder named by its digest, if there are any."""
    levels: tuple[str, ...] = ()
    """The levels of its machine players beside `random`."""
    value: Path | None = None
    """The file of the learned value of its positions."""

    def make(self, files: Mapping[str, str]) -> TableRuleset:
        """Return the rule set, from the texts of its data files. Raise Invalid, naming file and line."""
        raise NotImplementedError

    def sheet(self, files: Mapping[str, str]) -> str:
        """Return the table's map (SVG); "" if it is `table.svg` beside the files of the board, or there is none."""
        return ""

    def general(self, level: str, rules: Any, value: Callable[[], Value], side: Side, seed: int) -> Thinker:
        """Return a machine player of one of the `levels`, who may ask the learned value."""
        raise NotImplementedError

    def features(self) -> tuple[Sequence[str], See]:
        """Return the names of the features of which the learned value is made, and what finds them in a position."""
        raise NotImplementedError

    def casebook(self) -> CaseBook | None:
        """Return the words of its cases."""
        return None

    def analyst(self) -> Analyst[Any] | None:
        """Return what a report on a game needs."""
        return None

    def believed_world(self, rules: Any, view: Any, rng: Chooser) -> Any:
        """Return a position with just this view, near what is usual in such wars if that was learned."""
        return rules.worlds(view, rng)
