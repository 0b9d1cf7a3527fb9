import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from leuthen.screen import values
from leuthen.screen.values import Shown
from tools.clienttypes.__main__ import FILE, client_types
from tools.clienttypes.interfaces import interfaces, structs_of
from tools.node import command

ROOT = Path(__file__).parents[2]


class Kept(msgspec.Struct):
    pair: tuple[int, str]
    rows: tuple[tuple[str, ...], ...]
    either: tuple[int | str, ...]
    word: Literal["a", "b"]
    anything: Mapping[str, Any] = {}
    perhaps: int | None = None


class Spare(msgspec.Struct, omit_defaults=True):
    inner: Kept
    flag: bool = False
    perhaps: Kept | None = None


class Sent(msgspec.Struct):
    need: float
    may: str = ""


KEPT = """/**
 * All of it is there.
 */
export interface Kept {
  pair: [number, string];
  rows: string[][];
  either: (number | string)[];
  word: "a" | "b";
  anything: Record<string, unknown>;
  perhaps: number | null;
}
"""
SPARE = """/**
 * What is at its default is missing.
 */
export interface Spare {
  inner: Kept;
  flag?: boolean;
  perhaps?: Kept;
}
"""


def test_the_types_are_fresh() -> None:
    assert FILE.read_text(encoding="utf-8") == client_types(), "run python -m tools.clienttypes"


def test_a_struct_becomes_an_interface() -> None:
    assert interfaces([Kept, Spare]) == f"{KEPT}\n{SPARE}"


def test_what_a_client_sends_it_may_leave_at_its_default() -> None:
    assert "  need: number;\n  may?: string;\n" in interfaces([Sent], [Sent])
    assert "  need: number;\n  may: string;\n" in interfaces([Sent])


def test_two_structs_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="Kept"):
        interfaces([Kept, Kept])


def test_a_field_that_json_cannot_say_is_refused() -> None:
    odd = msgspec.defstruct("Odd", [("one", bytes)])
    with pytest.raises(TypeError):
        interfaces([odd])


def test_the_structs_of_a_module_come_in_its_order() -> None:
    names = [struct.__name__ for struct in structs_of(values, Shown)]
    assert names[:3] == ["Objection", "Badge", "Chip"]
    assert "Reason" not in names


def test_the_client_keeps_to_its_types() -> None:
    done = check(ROOT / "jsconfig.json")
    assert not done.returncode, done.stdout


def test_the_check_of_the_types_sees_a_fault(tmp_path: Path) -> None:
    said = _checked(tmp_path, "/** @type {import('./types').Score} */\nexport const score = {id: 1};\n")
    assert "Type 'number' is not assignable to type 'string'" in said.stdout
    assert said.returncode
    assert not _checked(tmp_path, "export const one = 1;\n").returncode


def check(settings: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command("tsc", "-p", settings), capture_output=True, text=True, check=False)


def _checked(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    (folder / "types.d.ts").write_text(FILE.read_text(encoding="utf-8"))
    (folder / "page.js").write_text(script)
    settings = f'{{"extends": "{ROOT}/jsconfig.json", "include": ["{folder}/*"]}}'
    (folder / "jsconfig.json").write_text(settings)
    return check(folder / "jsconfig.json")
