"""Damage to data files, each applied to a copy of the folder."""

import shutil
from collections.abc import Callable
from pathlib import Path

from leuthen.load import RULESETS


def copy_data(ruleset: str, folder: Path) -> Path:
    for original in RULESETS[ruleset].data:
        shutil.copytree(original, folder, dirs_exist_ok=True)
    return folder


def replace_text(name: str, old: str, new: str) -> Callable[[Path], object]:

    def damage(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1))

    return damage


def delete_line(name: str, start: str) -> Callable[[Path], object]:
    def damage(folder: Path) -> None:
        lines = (folder / name).read_text().splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith(start)]
        assert len(kept) < len(lines)
        (folder / name).write_text("".join(kept))

    return damage


def add_line(name: str, line: str) -> Callable[[Path], object]:
    def damage(folder: Path) -> None:
        with (folder / name).open("a") as file:
            file.write(f"{line}\n")

    return damage


def delete_file(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).unlink()


def overwrite_file(name: str, content: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(content)


DAMAGE: dict[str, Callable[..., Callable[[Path], object]]] = {
    kind.__name__: kind for kind in (delete_file, overwrite_file, replace_text, delete_line, add_line)
}
