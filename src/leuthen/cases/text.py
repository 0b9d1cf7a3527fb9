"""The text of a case file: cases with their position, their steps and their facts (docs/cases.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from leuthen.engine.refusal import Invalid
from leuthen.engine.texts import lines_of, plain_spaces
from leuthen.load import DEFAULT, names, text_of

STEPS: Final = ("DICE", "DO", "REFUSED", "ALLOWED", "EXPECT", "CHANCES", "STANDING", "ANSWERS", "SURPRISE")
"""Keywords of steps."""
TABLES: Final = ("ROWS", "TABLE")
GAME: Final = "GAME"
KEYWORDS: Final = ("CASE", "RULES", "GIVEN", *STEPS, *TABLES)

FIRST: Final = DEFAULT
"""The rule set of a file that names none."""
_COMMENT: Final = re.compile(r"(^|\s)#.*$")
_PART: Final = re.compile(r'(?:"[^"]*"|[^;"])+')
_RULE: Final = re.compile(r"[A-Z]\d+(?:\.\d+[a-z]?)?(?!\S)")
_SHOUTED: Final = re.compile(r"[A-Z]{3,}")
"""A word that can only be a mistyped keyword: no statement begins like this."""
_SLOT: Final = re.compile(r"\{(\w+)\}")


class Statement(NamedTuple):
    """One statement of a file with the number of its line."""

    number: int
    text: str


class CaseStep(NamedTuple):
    kind: str
    line: Statement


class Case(NamedTuple):
    """One case: the given position and the steps. `rules` are those that it proves."""

    path: Path
    game: str
    line: int
    name: str
    title: str
    rules: tuple[str, ...]
    given: tuple[Statement, ...]
    steps: tuple[CaseStep, ...]


class _Sheet:
    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self.name, _, self.title = text.partition(" ")
        self.rules: list[str] = _RULE.findall(self.name.partition("-")[0].partition("[")[0])
        self.given: list[Statement] = []
        self.steps: list[CaseStep] = []
        self.table = ""
        self.rows: list[Statement] = []


class _Reader:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.game = FIRST
        self.common: list[Statement] = []
        self.sheets: list[_Sheet] = []
        self.kind = ""
        self.faults: list[Invalid] = []
        self.is_spoilt = False

    def take(self, number: int, text: str) -> bool:
        """Read a line; an error spoils its case. Return False if it spoils the whole file."""
        is_case = text.split()[0] == "CASE"
        if self.is_spoilt and not is_case:
            return True
        try:
            self.read(number, text)
        except Invalid as error:
            self.faults.append(error)
            if not self.sheets or text.split()[0] == GAME:
                return False
            self.is_spoilt = True
            if not is_case:
                self.sheets.pop()
        return True

    def fail(self, number: int, reason: str) -> Invalid:
        return Invalid(f"{self.path}, line {number}: {reason}")

    def read(self, number: int, text: str) -> None:
        """Read a line, which begins with a keyword or continues the last one."""
        word, _, rest = text.partition(" ")
        if word == GAME:
            self._set_game(number, rest.strip())
            return
        if word in KEYWORDS:
            self.kind = word
            text = rest.strip()
        elif self.kind in ("", "CASE") or (self.kind not in TABLES and _SHOUTED.fullmatch(word)):
            raise self.fail(number, f'"{word}": a line begins with one of {", ".join(KEYWORDS)}')
        if word == "CASE":
            self._open(number, text)
        elif not self.sheets:
            self._common(number, text)
        elif self.kind in TABLES:
            self._row(number, text, opens=word == self.kind)
        else:
            self._statements(self.sheets[-1], number, text)

    def _set_game(self, number: int, name: str) -> None:
        if self.common or self.sheets:
            raise self.fail(number, f"{GAME} must come first")
        if name not in names():
            raise self.fail(number, f'"{name}" is not a valid rule set: {", ".join(names())}')
        self.game = name

    def _open(self, number: int, text: str) -> None:
        if not text:
            raise self.fail(number, "a case needs a name")
        sheet = _Sheet(number, text)
        if any(sheet.name == other.name for other in self.sheets):
            raise self.fail(number, f"there is another case named {sheet.name}")
        self.sheets.append(sheet)
        self.is_spoilt = False

    def _common(self, number: int, text: str) -> None:
        if self.kind != "GIVEN":
            raise self.fail(number, f"only GIVEN may come before the first CASE, not {self.kind}")
        self.common += [Statement(number, part) for part in parts(text)]

    def _row(self, number: int, text: str, *, opens: bool) -> None:
        sheet = self.sheets[-1]
        if opens and sheet.table:
            raise self.fail(number, "a case has one ROWS or TABLE")
        if opens:
            sheet.table = self.kind
        if text:
            sheet.rows.append(Statement(number, text))

    def _statements(self, sheet: _Sheet, number: int, text: str) -> None:
        if self.kind == "RULES":
            sheet.rules += _rules(self, number, text)
            return
        for part in parts(text):
            if self.kind == "GIVEN":
                sheet.given.append(Statement(number, part))
            else:
                sheet.steps.append(CaseStep(self.kind, Statement(number, part)))


def parts(text: str) -> list[str]:
    """Return the statements of a line, separated by `;` outside quotation marks."""
    return [part.strip() for part in _PART.findall(text) if part.strip()]


def read_given(text: str) -> tuple[Statement, ...]:
    """Return the statements of GIVEN lines, with or without that word before them."""
    lines = ((number, _COMMENT.sub("", line).strip()) for number, line in enumerate(lines_of(plain_spaces(text)), 1))
    return tuple(Statement(number, part) for number, line in lines for part in parts(line.removeprefix("GIVEN ")))


def _rules(reader: _Reader, number: int, text: str) -> list[str]:
    words = text.replace(",", " ").split()
    for word in words:
        if not _RULE.fullmatch(word):
            raise reader.fail(number, f'"{word}" is not a valid rule number, such as O5.3')
    return words


def open_cases(path: Path) -> list[Case]:
    """Return the cases of a file. Raise Invalid, naming file and line."""
    return read_cases(path, text_of(path))


def read_cases(path: Path, text: str) -> list[Case]:
    """Return the cases of a file, a table's rows one by one. Raises Invalid with file and line."""
    cases, faults = sift_cases(path, text)
    if faults:
        raise faults[0]
    return cases


def sift_cases(path: Path, text: str) -> tuple[list[Case], list[Invalid]]:
    """Return the cases and rows of a file that can be understood, and the errors of the others."""
    reader = _Reader(path)
    for number, line in enumerate(lines_of(plain_spaces(text)), 1):
        bare = _COMMENT.sub("", line).strip()
        if bare and not reader.take(number, bare):
            return [], reader.faults
    cases = [case for sheet in reader.sheets for case in _cases(reader, sheet)]
    return cases, reader.faults


def _cases(reader: _Reader, sheet: _Sheet) -> Iterator[Case]:
    rules = tuple(dict.fromkeys(sheet.rules))
    given = (*reader.common, *sheet.given)
    whole = Case(
        reader.path, reader.game, sheet.number, sheet.name, sheet.title.strip(), rules, given, tuple(sheet.steps)
    )
    if not sheet.table:
        yield whole
        return
    rows = _list(reader, sheet.rows) if sheet.table == "ROWS" else _cross(reader, sheet.rows)
    try:
        for line, label, values in rows:
            yield _fill_template(reader, whole, line, label, values)
    except Invalid as error:
        reader.faults.append(error)


CaseRow = tuple[int, str, Mapping[str, str]]


def _list(reader: _Reader, rows: Sequence[Statement]) -> Iterator[CaseRow]:
    if not rows:
        raise reader.fail(0, "ROWS needs a line with the names of its columns")
    names = _cells(rows[0].text)
    for row in rows[1:]:
        cells = _cells(row.text) if len(names) > 1 else [row.text.strip("| ")]
        if len(cells) != len(names):
            reader.faults.append(reader.fail(row.number, f"{len(cells)} values for the columns {', '.join(names)}"))
            continue
        yield row.number, " ".join(cells), dict(zip(names, cells, strict=True))


def _cross(reader: _Reader, rows: Sequence[Statement]) -> Iterator[CaseRow]:
    if len(rows) < 2 or len(_cells(rows[0].text)) != 3:
        number = rows[0].number if rows else 0
        raise reader.fail(number, "TABLE needs three names (row, column, cell) and a line with its columns")
    names, columns = _cells(rows[0].text), _cells(rows[1].text)
    for row in rows[2:]:
        label, *cells = _cells(row.text)
        if len(cells) != len(columns):
            reader.faults.append(reader.fail(row.number, f"{len(cells)} cells for {len(columns)} columns"))
            continue
        for column, cell in zip(columns, cells, strict=True):
            values = [_pairs(reader, row.number, *pair) for pair in zip(names, (label, column, cell), strict=True)]
            yield row.number, f"{label} {column}", {name: value for each in values for name, value in each}


def _pairs(reader: _Reader, number: int, names: str, values: str) -> list[tuple[str, str]]:
    keys, cells = names.split(","), values.split(",")
    if len(keys) != len(cells):
        raise reader.fail(number, f'"{values}" for {names}')
    return list(zip(keys, cells, strict=True))


def _cells(text: str) -> list[str]:
    cells = [cell.strip() for cell in text.strip("| ").split("|")] if "|" in text else text.split()
    return ["" if cell == "." else cell for cell in cells]


def _fill_template(reader: _Reader, whole: Case, line: int, label: str, values: Mapping[str, str]) -> Case:
    def fill(at: Statement) -> str:
        return _SLOT.sub(lambda slot: _value(reader, at.number, slot[1], values), at.text)

    def lines(at: Statement) -> list[Statement]:
        return [Statement(at.number, part) for part in parts(fill(at))]

    def step(kind: str, line: Statement) -> CaseStep:
        word, _, rest = line.text.partition(" ")
        return CaseStep(word, Statement(line.number, rest.strip())) if word in STEPS else CaseStep(kind, line)

    return whole._replace(
        line=line,
        name=f"{whole.name}[{label}]",
        title=fill(Statement(whole.line, whole.title)),
        given=tuple(part for at in whole.given for part in lines(at)),
        steps=tuple(step(each.kind, part) for each in whole.steps for part in lines(each.line)),
    )


def _value(reader: _Reader, number: int, name: str, values: Mapping[str, str]) -> str:
    if name not in values:
        raise reader.fail(number, f"{{{name}}} is not a column of the table: {', '.join(values)}")
    return values[name]
