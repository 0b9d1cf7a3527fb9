"""The registry of rule sets, and the one place that reads their files: data and rulebook."""

from __future__ import annotations

import copyreg
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, overload

import msgspec

from leuthen.engine.choice import Chooser
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Ruleset, Side
from leuthen.engine.seat import Thinker
from leuthen.engine.state import Frozen
from leuthen.engine.texts import lines_of
from leuthen.wargame.board import Board
from leuthen.wargame.board_files import read_board
from leuthen.wargame.bot.analyst import Analyst
from leuthen.wargame.bot.value import See, Value, read_model
from leuthen.wargame.case_words import CaseBook

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.ruleset import Campaigns
    from leuthen.rulesets.frederick.ruleset import Frederick


class Unreadable(Invalid):
    """A file or folder cannot be read; the message, or its cause, names it: no message to a player may quote it."""


_LINK: Final = re.compile(r"\]\(([\w-]+\.md)\)")
_DIGEST: Final = re.compile(r"[0-9a-f]{4,64}")
_HERE: Final = Path(__file__).parent


def _pages() -> Path:
    """The folder of the rulebooks and rulings: a wheel carries it in the package, a checkout has it beside `src`."""
    inside = _HERE / "docs"
    return inside if inside.is_dir() else _HERE.parents[1] / "docs"


_PAGES: Final = _pages()


class Shelf(msgspec.Struct, frozen=True):
    """Where a rule set stands: module and class, the folders of its data, the folder of its rulebook, its rulings.

    `generals` are its machine players by level, module and function; each has a side and a seed of its own, takes a
    thought along, and may ask the learned value. `cases`: the module with the words of its cases. `kept`: the folder of
    data that new games no longer have, each set in a folder named by its digest; there need be none.
    `sheet`: module and function that draw the table's map from the texts of the data, where no `table.svg` is beside
    the files of the board.
    `value`: the module that sees positions as the learned value does, `FEATURES` and `features`, and the model's file.
    `analyst`: module and class of what a report on a game needs.
    `belief`: module and function that draw a world of a view near what is usual, from the data, the view and a chooser.
    """

    module: str
    name: str
    data: tuple[Path, ...]
    rulebook: Path
    rulings: Path | None = None
    cases: str = ""
    kept: Path | None = None
    sheet: tuple[str, str] | None = None
    generals: Mapping[str, tuple[str, str]] = {}
    value: tuple[str, Path] | None = None
    analyst: tuple[str, str] | None = None
    belief: tuple[str, str] | None = None


RULESETS: Final[dict[str, Shelf]] = {
    "frederick": Shelf(
        "leuthen.rulesets.frederick.ruleset",
        "Frederick",
        (_HERE / "data", _HERE / "rulesets" / "frederick" / "data"),
        _PAGES / "rulebook" / "frederick",
        _PAGES / "rulings.md",
        "leuthen.rulesets.frederick.cases.book",
        _HERE / "rulesets" / "frederick" / "kept",
        generals={
            "cadet": ("leuthen.rulesets.frederick.bot.captain", "cadet"),
            "captain": ("leuthen.rulesets.frederick.bot.captain", "captain"),
            "colonel": ("leuthen.rulesets.frederick.bot.search", "colonel"),
        },
        value=("leuthen.rulesets.frederick.bot.features", _HERE / "rulesets/frederick/bot/value.json"),
        analyst=("leuthen.rulesets.frederick.bot.analyst", "FrederickAnalyst"),
        belief=("leuthen.rulesets.frederick.bot.belief", "believed_world"),
    ),
    "campaigns": Shelf(
        "leuthen.rulesets.campaigns.ruleset",
        "Campaigns",
        (_HERE / "data", _HERE / "rulesets" / "campaigns" / "data"),
        _PAGES / "rulebook" / "campaigns",
        generals={
            "cadet": ("leuthen.rulesets.campaigns.bot.captain", "cadet"),
            "captain": ("leuthen.rulesets.campaigns.bot.captain", "captain"),
        },
        rulings=_PAGES / "rulings-campaigns.md",
        cases="leuthen.rulesets.campaigns.cases.book",
        kept=_HERE / "rulesets" / "campaigns" / "kept",
        value=("leuthen.rulesets.campaigns.bot.features", _HERE / "rulesets/campaigns/bot/value.json"),
        analyst=("leuthen.rulesets.campaigns.bot.analyst", "CampaignsAnalyst"),
    ),
}
DEFAULT: Final = next(iter(RULESETS))
"""The rule set that is meant where none is named."""
OTHERS: Final = "LEUTHEN_RULESETS"
"""The environment variable with rule sets that are not of this package, `module:SHELF`, separated by commas.

It stands there and not in memory so that the processes in which bots think know them too.
"""


def add_rulesets(named: str) -> list[str]:
    """Puts rule sets `module:SHELF`, separated by commas, into the registry; a game is called as its module ends.

    The modules are run: only for names that were given on the command line or by the environment. Raises Invalid.
    """
    return [_add(name.strip()) for name in named.split(",") if name.strip()]


def _add(named: str) -> str:
    module, _, attribute = named.partition(":")
    name = module.rpartition(".")[2]
    try:
        shelf = getattr(import_module(module), attribute, None)
    except (ImportError, ValueError) as error:
        raise Invalid(f"«{named}» is no rule set: {error}") from error
    if not isinstance(shelf, Shelf) or RULESETS.get(name, shelf) != shelf:
        raise Invalid(f"«{named}» is no rule set: module:SHELF is expected, and a name that is not taken")
    RULESETS[name] = shelf
    return name


def has_sheet(name: str) -> bool:
    """Return whether a rule set is known and brings a map for the table."""
    shelf = RULESETS.get(name)
    return shelf is not None and (shelf.sheet is not None or any((folder / "map").is_dir() for folder in shelf.data))


def table_sheet(name: str) -> str:
    """Return the map for the table (SVG): drawn by the rule set, or `table.svg` beside its board. Raises Invalid."""
    if made := _shelf(name).sheet:
        drawn: str = _found(made)(read_data(name))
        return drawn
    return text_of(map_folder(name) / "table.svg")


@cache
def load(name: str, data: Path | None = None) -> Ruleset:
    """The rule set of that name, with its data or those of another folder.

    Raises Invalid for an unknown rule set, Unreadable for a folder or file that is missing or damaged, naming it.
    """
    shelf = _shelf(name)
    files = read_data(name, data)
    try:
        made: Ruleset = _found((shelf.module, shelf.name))(files)
    except Invalid as error:
        raise Unreadable(f"{data or 'the data of ' + name}: {error}") from error
    _FOLDERS[name, made.digest] = data
    if kind := getattr(made, "STATE", None):
        copyreg.pickle(kind, partial(_reduced, name))
    return made


_FOLDERS: Final[dict[tuple[str, str], Path | None]] = {}
"""By rule set and digest of its data, the folder that they were loaded from; None for its own."""


def folder_of(ruleset: Ruleset) -> Path | None:
    """The folder that a rule set's data were loaded from; None for its own. Raises Invalid if it was not loaded."""
    try:
        return _FOLDERS[ruleset.name, ruleset.digest]
    except KeyError as error:
        raise Invalid(f"the rule set {ruleset.name} was not loaded by its name") from error


def _reduced(name: str, state: Frozen) -> str | tuple[Any, ...]:
    """How a position is pickled: as its canonical text, if its data can be loaded again."""
    place = name, state.data.digest
    if place not in _FOLDERS:
        return state.__reduce_ex__(2)
    folder = _FOLDERS[place]
    return unpickled, (name, folder, state.data.digest, load(name, folder).dump(state))


def unpickled(name: str, data: Path | None, digest: str, text: bytes) -> object:
    """The position that was pickled. Raises Invalid where the data of its game are not those that it had."""
    found = load(name, data)
    if found.digest != digest:
        raise Invalid(f"a position of {name} was pickled with data {digest}; those here are {found.digest}")
    return found.restore(text)


def is_known(name: str) -> bool:
    """Whether there is a rule set of that name."""
    return name in RULESETS


def load_with(name: str, digest: str) -> Ruleset:
    """The rule set with the data of that digest, if they are those of today or are kept; else with today's.

    Raises Invalid as `load` does.
    """
    today, kept = load(name), _shelf(name).kept
    if digest == today.digest or kept is None or not _DIGEST.fullmatch(digest) or not (kept / digest).is_dir():
        return today
    return load(name, kept / digest)


@overload
def ruleset(name: Literal["frederick"] = ..., data: Path | str | None = None) -> Frederick: ...
@overload
def ruleset(name: Literal["campaigns"], data: Path | str | None = None) -> Campaigns: ...
@overload
def ruleset(name: str, data: Path | str | None = None) -> Ruleset: ...
def ruleset(name: str = DEFAULT, data: Path | str | None = None) -> Ruleset:
    """The rule set of that name: the library's beginning. Raises Invalid as `load` does."""
    return load(name, None if data is None else Path(data))


def levels_of(name: str) -> tuple[str, ...]:
    """The levels of machine players that know a rule set. Raises Invalid for an unknown rule set."""
    return tuple(_shelf(name).generals)


def general_of(name: str, level: str, side: Side, seed: int) -> Thinker:
    """A general of a rule set by his level, with a side and a seed of his own.

    Raises Invalid if there is none of that level for the rule set.
    """
    shelf = _shelf(name)
    if level not in shelf.generals:
        raise Invalid(f"the {level} does not know the rule set {name}")
    made: Thinker = _found(shelf.generals[level])(load(name), lambda: value_of(name), side, seed)
    return made


def sight_of(name: str) -> tuple[Sequence[str], See]:
    """The features of a rule set's learned value: their names, and what finds them in a position.

    Raises Invalid for a rule set that has none.
    """
    module = import_module(_value(name)[0])
    names: Sequence[str] = module.FEATURES
    see: See = module.features
    return names, see


def has_value(name: str) -> bool:
    """Whether a rule set has a learned value. Raises Invalid for an unknown rule set."""
    return _shelf(name).value is not None


def value_file(name: str) -> Path:
    """Where the model of a rule set's learned value is. Raises Invalid for a rule set that has none."""
    return _value(name)[1]


@cache
def value_of(name: str) -> Value:
    """The learned value of a rule set: what a side should score from a position.

    Raises Invalid for a rule set that has none, Unreadable for a file that is missing, damaged or was changed.
    """
    file, (names, see) = value_file(name), sight_of(name)
    try:
        model = read_model(text_of(file).encode(), name, names)
    except Invalid as error:
        raise Unreadable(f"{file}: {error}") from error
    return Value(load(name), model, see)


def _value(name: str) -> tuple[str, Path]:
    found = _shelf(name).value
    if found is None:
        raise Invalid(f"{name} has no learned value")
    return found


def analyst_of(name: str) -> Analyst[object]:
    """What a report on a game of a rule set needs of it. Raises Invalid for a rule set that has no reports."""
    made = _shelf(name).analyst
    if made is None:
        raise Invalid(f"there are no reports on games of {name} yet")
    found: Analyst[object] = _found(made)()
    return found


def believed_world(rules: Any, view: Any, rng: Chooser) -> Any:
    """A position with just this view, near what is usual in wars of that rule set; any such if that was not learned."""
    made = _shelf(rules.name).belief
    return _found(made)(rules.data, view, rng) if made else rules.worlds(view, rng)


def casebook_of(name: str) -> CaseBook:
    """The words of a rule set's cases. Raises Invalid for an unknown rule set."""
    book: CaseBook = import_module(_shelf(name).cases)
    return book


def read_data(name: str, data: Path | None = None) -> dict[str, str]:
    """The texts of a rule set's data files, by path within the folder. Raises Invalid as `load` does."""
    folders = (data,) if data else _shelf(name).data
    return {key: text for folder in folders for key, text in _texts(folder, ".csv").items()}


def read_rulebook(name: str) -> dict[str, str]:
    """The chapters of a rule set's rulebook, by name of file, as README.md lists them by its columns.

    Raises Invalid for an unknown rule set, Unreadable for a rulebook that is missing or damaged, without its path: that
    is in the cause, for a log.
    """
    try:
        texts = _texts(_shelf(name).rulebook, ".md")
    except Unreadable as error:
        raise Unreadable(f"the rulebook of {name} is missing from this installation, or damaged") from error
    rows = [line.split("|") for line in lines_of(texts.get("README.md", "")) if line.startswith("|")]
    columns = [cell for column in zip_longest(*rows, fillvalue="") for cell in column]
    listed = [file for cell in columns for file in _LINK.findall(cell) if file in texts]
    return {file: texts[file] for file in dict.fromkeys([*listed, *texts])}


def read_rulings(name: str) -> tuple[str, ...]:
    """The rulings of a rule set, each as a line: its rules, the question, the answer. Raises Invalid as `load` does."""
    path = _shelf(name).rulings
    return () if path is None else tuple(_rulings(text_of(path)))


def _rulings(page: str) -> Iterator[str]:
    """The rows of those tables that have questions and decisions, by the names of their columns."""
    heads: list[str] = []
    for line in lines_of(page):
        if not line.startswith("|"):
            heads = []
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not heads:
            heads = [cell.lower() for cell in cells]
        elif {"question", "decision"} <= set(heads) and not set(cells[0]) <= set("-: "):
            row = dict(zip(heads, cells, strict=True))
            yield f"{row.get('rule') or row['rules']}: {row['question']} {row['decision']}"


def map_folder(name: str, data: Path | None = None) -> Path:
    """The folder with the files of the map. Raises Invalid if there is none."""
    folders = [folder / "map" for folder in ((data,) if data else _shelf(name).data)]
    for folder in folders:
        if folder.is_dir():
            return folder
    raise Unreadable(f"{folders[-1]}: there is no such folder")


def read_map(name: str, data: Path | None = None) -> Board:
    """The hexes of a rule set's map, as its files have them. Raises Unreadable if it has none."""
    try:
        return read_board(read_data(name, data))
    except Invalid as error:
        raise Unreadable(f"{name} has no map of hexes: {error}") from error


def _found(place: tuple[str, str]) -> Any:
    """What a module has under a name."""
    module, name = place
    return getattr(import_module(module), name)


def _shelf(name: str) -> Shelf:
    if name not in RULESETS:
        raise Invalid(f"«{name}» is no rule set: {', '.join(RULESETS)}")
    return RULESETS[name]


def _texts(folder: Path, suffix: str) -> dict[str, str]:
    if not folder.is_dir():
        raise Unreadable(f"{folder}: there is no such folder")
    paths = sorted(path for path in folder.rglob(f"*{suffix}") if path.is_file())
    if not paths:
        raise Unreadable(f"{folder}: there is no *{suffix} file in this folder")
    return {path.relative_to(folder).as_posix(): text_of(path) for path in paths}


def text_of(path: Path) -> str:
    """The text of a file without a byte order mark, its lines ended by \\n. Raises Unreadable, naming it."""
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise Unreadable(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Unreadable(f"{path}: is no UTF-8 text at byte {error.start}") from error


add_rulesets(os.environ.get(OTHERS, ""))
