"""The registry of rule sets, and the only reader of their files: data and rulebook.

Beside those of this package there are installed plug-ins, found by the entry-point group `leuthen.rulesets`, and those
that a developer names on the command line.
"""

import copyreg
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, overload

import msgspec

from leuthen.engine.choice import RandomSource
from leuthen.engine.refusal import Invalid, lines_of, require
from leuthen.engine.ruleset import Side, Thinker
from leuthen.engine.state import FrozenPosition
from leuthen.plugin import Plugin
from leuthen.rulesets.campaigns.plugin import PLUGIN as CAMPAIGNS
from leuthen.rulesets.frederick.plugin import PLUGIN as FREDERICK
from leuthen.screen.presenter import TableRuleset
from leuthen.wargame.board import Board
from leuthen.wargame.bot.value import Analyst, See, Value, read_model
from leuthen.wargame.case_words import CaseBook
from leuthen.wargame.data_files import read_board

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.ruleset import Campaigns
    from leuthen.rulesets.frederick.ruleset import Frederick

T = TypeVar("T")


class UnreadableFile(Invalid):
    """A file or folder that cannot be read; the message or its cause names it and must not be shown to players."""


class PluginError(UnreadableFile):
    """A plug-in that cannot be used; the message explains it."""


GROUP: Final = "leuthen.rulesets"  # entry-point group of plug-ins
LOG: Final = logging.getLogger("leuthen.rulesets")
_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")
_LINK: Final = re.compile(r"\]\(([\w-]+\.md)\)")
_DIGEST: Final = re.compile(r"[0-9a-f]{4,64}")

RULESETS: Final[dict[str, Plugin]] = {plugin.name: plugin for plugin in (FREDERICK, CAMPAIGNS)}
"""Rule sets of this package, and those added by name, `module:NAME`."""
DEFAULT: Final = next(iter(RULESETS))  # the default rule set
_ADDED: Final[list[str]] = []


def add_ruleset(named: str) -> str:
    """Add the rule set of a plug-in `module:NAME`, and return its name. Raise Invalid.

    The module is executed, so the name must come from the command line.
    """
    module, _, attribute = named.partition(":")
    try:
        plugin = getattr(import_module(module), attribute, None)
    except Exception as error:
        raise Invalid(f'"{named}" is not a valid rule set: {type(error).__name__}: {error}') from error
    if not isinstance(plugin, Plugin) or not _NAME.fullmatch(plugin.name):
        expected = "module:PLUGIN is expected, a Plugin with a name in lower case"
        raise Invalid(f'"{named}" is not a valid rule set: {expected}')
    other = RULESETS.get(plugin.name, plugin)
    require(other is plugin, f'"{named}" is not added: there is a rule set {plugin.name} already')
    RULESETS[plugin.name] = plugin
    _ADDED.append(named)
    return plugin.name


def added_rulesets() -> tuple[str, ...]:
    """Return the plug-ins added by name, for child processes."""
    return tuple(dict.fromkeys(_ADDED))


@cache
def _entry_points() -> Mapping[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP):
        if not _NAME.fullmatch(point.name) or found.setdefault(point.name, point).value != point.value:
            LOG.warning("%s is not used: its name is taken or not allowed", _describe_plugin(point))
    return found


def _describe_plugin(point: EntryPoint) -> str:
    package = f" of {point.dist.name} {point.dist.version}" if point.dist else ""
    return f"the rule set {point.name} ({point.value}{package})"


@cache
def _load_installed(name: str) -> Plugin | PluginError:
    point = _entry_points()[name]
    try:
        plugin = point.load()
    except Exception as error:
        return PluginError(f"{_describe_plugin(point)} is broken: {type(error).__name__}: {error}")
    if isinstance(plugin, Plugin) and plugin.name == name:
        return plugin
    return PluginError(f"{_describe_plugin(point)} is broken: a Plugin with this name is expected")


def names() -> tuple[str, ...]:
    """Return the names of all rule sets, those of this package first."""
    return tuple(dict.fromkeys([*RULESETS, *_entry_points()]))


def plugin_of(name: str) -> Plugin:
    """Return a rule set's plug-in. Raise Invalid for an unknown rule set, Broken for a broken plug-in."""
    if name in RULESETS:
        return RULESETS[name]
    require(name in _entry_points(), f'"{name}" is not a valid rule set: {", ".join(names())}')
    found = _load_installed(name)
    if isinstance(found, PluginError):
        raise PluginError(str(found))
    return found


def for_each_ruleset(make: Callable[[str], T]) -> dict[str, T]:
    """Return the result of `make` for the name of each rule set; a broken one is logged and left out."""
    found = {}
    for name in names():
        try:
            found[name] = make(name)
        except Exception as error:
            _warn(name, str(error) if isinstance(error, Invalid) else f"{type(error).__name__}: {error}")
    return found


@cache
def _warn(name: str, reason: str) -> None:
    LOG.warning("the rule set %s is skipped: %s", name, reason)


def is_known(name: str) -> bool:
    """Return whether there is a usable rule set of that name."""
    if name in RULESETS:
        return True
    try:
        load(name)
    except Invalid:
        return False
    return True


def has_sheet(name: str) -> bool:
    """Return whether a usable rule set has a map for the table."""
    return is_known(name) and (
        type(plugin_of(name)).sheet is not Plugin.sheet
        or any((folder / "map").is_dir() for folder in plugin_of(name).data)
    )


def table_sheet(name: str) -> str:
    """Return the map for the table (SVG): drawn by the rule set, or `table.svg` beside its board. Raise Invalid."""
    return plugin_of(name).sheet(read_data(name)) or text_of(map_folder(name) / "table.svg")


@cache
def load(name: str, data: Path | None = None) -> TableRuleset:
    """Return the rule set of that name, with its own data or those of another folder.

    Raise Invalid for an unknown rule set, Unreadable for a missing or damaged folder or file, Broken for a broken
    plug-in.
    """
    plugin, files = plugin_of(name), read_data(name, data)
    try:
        made = plugin.make(files)
    except Invalid as error:
        raise UnreadableFile(f"{data or 'the data of ' + name}: {error}") from error
    except Exception as error:
        raise PluginError(f"the rule set {name} is broken: {type(error).__name__}: {error}") from error
    _FOLDERS[name, made.digest] = data
    if kind := getattr(made, "STATE", None):
        copyreg.pickle(kind, partial(_reduce_state, name))
    return made


_FOLDERS: Final[dict[tuple[str, str], Path | None]] = {}
"""Folders of loaded data by rule set and digest; None for its own data."""


def folder_of(ruleset: TableRuleset) -> Path | None:
    """Return the folder that a rule set's data were loaded from; None for its own. Raise Invalid if there is none."""
    try:
        return _FOLDERS[ruleset.name, ruleset.digest]
    except KeyError as error:
        raise Invalid(f"the rule set {ruleset.name} was not loaded by its name") from error


def _reduce_state(name: str, state: FrozenPosition) -> str | tuple[Any, ...]:
    place = name, state.data.digest
    if place not in _FOLDERS:
        return state.__reduce_ex__(2)
    folder = _FOLDERS[place]
    return unpickle_state, (name, folder, state.data.digest, load(name, folder).dump(state))


def unpickle_state(name: str, data: Path | None, digest: str, text: bytes) -> object:
    """Return a pickled position. Raise Invalid if the data of its game have changed."""
    found = load(name, data)
    changed = f"a position of {name} was pickled with data {digest}; those here are {found.digest}"
    require(found.digest == digest, changed)
    return found.restore(text)


def load_with(name: str, digest: str) -> TableRuleset:
    """Return the rule set with the data of that digest, if they are stored; else with today's. Raise Invalid as `load`
    does.
    """
    today, kept = load(name), plugin_of(name).kept
    if digest == today.digest or kept is None or not _DIGEST.fullmatch(digest) or not (kept / digest).is_dir():
        return today
    return load(name, kept / digest)


@overload
def ruleset(name: Literal["frederick"] = ..., data: Path | str | None = None) -> "Frederick": ...
@overload
def ruleset(name: Literal["campaigns"], data: Path | str | None = None) -> "Campaigns": ...
@overload
def ruleset(name: str, data: Path | str | None = None) -> TableRuleset: ...
def ruleset(name: str = DEFAULT, data: Path | str | None = None) -> TableRuleset:
    """Return the rule set of that name; the entry point of the library. Raise Invalid as `load` does."""
    return load(name, None if data is None else Path(data))


def make_level(name: str, level: str, side: Side, seed: int) -> Thinker:
    """Return a bot of a level. Raise Invalid if the rule set has no such level."""
    plugin = plugin_of(name)
    require(level in plugin.levels, f"the {level} does not know the rule set {name}")
    return plugin.make_bot(level, load(name), lambda: value_of(name), side, seed)


def has_value(name: str) -> bool:
    """Return whether a rule set has a learned value. Raise Invalid for an unknown rule set."""
    return plugin_of(name).value is not None


def value_file(name: str) -> Path:
    """Return the file of a rule set's learned value. Raise Invalid if it has none."""
    if (file := plugin_of(name).value) is None:
        raise Invalid(f"{name} has no learned value")
    return file


def value_features_of(name: str) -> tuple[Sequence[str], See]:
    """Return the names of the features of a rule set's learned value, and the function that extracts them.

    Raise Invalid if it has none.
    """
    value_file(name)
    return plugin_of(name).features()


@cache
def value_of(name: str) -> Value:
    """Return the learned value of a rule set.

    Raise Invalid if it has none, Unreadable for a file that is missing, damaged or changed.
    """
    file, (features, see) = value_file(name), value_features_of(name)
    try:
        model = read_model(text_of(file).encode(), name, features)
    except Invalid as error:
        raise UnreadableFile(f"{file}: {error}") from error
    return Value(load(name), model, see)


def analyst_of(name: str) -> Analyst[object]:
    """Return the analyst of a rule set, for reports. Raise Invalid if it has no reports."""
    if (found := plugin_of(name).analyst()) is None:
        raise Invalid(f"games of {name} have no reports yet")
    return found


def sample_likely_state(rules: Any, view: Any, rng: RandomSource) -> Any:
    """Return a random position that fits the view, close to the average war if the rule set has learned averages."""
    return plugin_of(rules.name).sample_likely_state(rules, view, rng)


def casebook_of(name: str) -> CaseBook:
    """Return the words of a rule set's cases. Raise Invalid if it has none."""
    if (found := plugin_of(name).casebook()) is None:
        raise Invalid(f"{name} has no vocabulary for cases")
    return found


def read_data(name: str, data: Path | None = None) -> dict[str, str]:
    """Return the texts of a rule set's data files, by path within the folder. Raise Invalid as `load` does."""
    folders = (data,) if data else plugin_of(name).data
    return {key: text for folder in folders for key, text in _texts(folder, ".csv").items()}


def read_rulebook(name: str) -> dict[str, str]:
    """Return the chapters of a rule set's rulebook by file name, in the order of README.md.

    Raise Invalid for an unknown rule set, Unreadable for a missing or damaged rulebook; the cause has its path, for a
    log.
    """
    folder = plugin_of(name).rulebook
    try:
        texts = _texts(folder, ".md")
    except UnreadableFile as error:
        raise UnreadableFile(f"the rulebook of {name} is missing from this installation, or damaged") from error
    rows = [line.split("|") for line in lines_of(texts.get("README.md", "")) if line.startswith("|")]
    columns = [cell for column in zip_longest(*rows, fillvalue="") for cell in column]
    listed = [file for cell in columns for file in _LINK.findall(cell) if file in texts]
    return {file: texts[file] for file in dict.fromkeys([*listed, *texts])}


def read_rulings(name: str) -> tuple[str, ...]:
    """Return the rulings of a rule set as lines: rules, question, answer. Raise Invalid as `load` does."""
    path, heads, found = plugin_of(name).rulings, list[str](), list[str]()
    for line in lines_of(text_of(path)) if path is not None else ():
        if not line.startswith("|"):
            heads = []
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not heads:
            heads = [cell.lower() for cell in cells]
        elif {"question", "decision"} <= set(heads) and not set(cells[0]) <= set("-: "):
            row = dict(zip(heads, cells, strict=True))
            found.append(f"{row.get('rule') or row['rules']}: {row['question']} {row['decision']}")
    return tuple(found)


def map_folder(name: str, data: Path | None = None) -> Path:
    """Return the folder of a rule set's map. Raise Invalid if there is none."""
    folders = [folder / "map" for folder in ((data,) if data else plugin_of(name).data)]
    for folder in folders:
        if folder.is_dir():
            return folder
    raise UnreadableFile(f"{folders[-1]}: no such folder")


def read_map(name: str) -> Board:
    """Return the hexes of a rule set's map. Raise Unreadable if it has none."""
    try:
        return read_board(read_data(name))
    except Invalid as error:
        raise UnreadableFile(f"{name} has no map of hexes: {error}") from error


def _texts(folder: Path, suffix: str) -> dict[str, str]:
    if not folder.is_dir():
        raise UnreadableFile(f"{folder}: no such folder")
    paths = sorted(path for path in folder.rglob(f"*{suffix}") if path.is_file())
    if not paths:
        raise UnreadableFile(f"{folder}: this folder has no *{suffix} file")
    return {path.relative_to(folder).as_posix(): text_of(path) for path in paths}


def text_of(path: Path) -> str:
    """Return the text of a file without a byte order mark and with \\n as line ends. Raise Unreadable with its name."""
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise UnreadableFile(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{path}: is not UTF-8 text at byte {error.start}") from error


# --- the rulebook as numbered rules that can be quoted and searched ---------------------------------------------------


_START: Final = re.compile(r"\*\*([A-Z]\d+(?:\.\d+[a-z]?)?)\*\*\s*")
_HEADING: Final = re.compile(r"(#+)\s+(.*)")
_NUMBER: Final = re.compile(r"[A-Za-z]\d+(\.\d+[a-z]?)?")


class Rule(msgspec.Struct, frozen=True):
    """A numbered rule with its chapter. `text` is Markdown, and begins with the number."""

    number: str
    chapter: str
    text: str

    @property
    def opening(self) -> str:
        """The rule's first line."""
        return self.text.partition("\n")[0]


class Rulebook:
    """All rules of a rule set, in the order of its chapters."""

    def __init__(self, chapters: Mapping[str, str]) -> None:
        self.rules = tuple(rule for text in chapters.values() for rule in _rules(text))
        self.chapters = tuple(dict.fromkeys(rule.chapter for rule in self.rules))

    def find(self, query: str) -> list[Rule]:
        """Return the rules with a number (`O5.3`), of a chapter (`O5`), or that contain all words."""
        query = query.strip()
        if _NUMBER.fullmatch(query):
            number = query.upper()
            exact = [rule for rule in self.rules if rule.number.upper() == number]
            return exact or [rule for rule in self.rules if rule.number.upper().startswith(f"{number}.")]
        words = query.casefold().split()
        return [rule for rule in self.rules if words and all(word in rule.text.casefold() for word in words)]


def _rules(text: str) -> Iterator[Rule]:
    chapter, lines = "", list[str]()
    for line in [*lines_of(text), "# end"]:
        heading = _HEADING.match(line)
        if heading or _START.match(line):
            if lines and (start := _START.match(lines[0])):
                yield Rule(start[1], chapter, "\n".join(lines).strip())
            lines = []
        if heading:
            chapter = heading[2] if len(heading[1]) == 1 else chapter
        elif lines or _START.match(line):
            lines.append(line)
