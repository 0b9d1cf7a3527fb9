"""The modules of a page as one script, without their comments: ninety small files are long in coming.

Each module becomes a function that is called once, behind those that it imports, and gives back what it exports; an
import takes it from there. So no name meets one of another module. Modules are not parsed but read by their lines, as
the formatter sets them; what is written otherwise, and modules that import each other, are refused (ValueError).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from graphlib import TopologicalSorter
from posixpath import dirname, normpath
from typing import Final

_COMMENT: Final = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*[^*]*(?:\*(?!/)[^*]*)*\*/[ \t]*)\n", re.MULTILINE)
"""A comment with lines of its own; casts stand before what they speak of."""
_IMPORT: Final = re.compile(r'^import (\* as \w+|\{[^}]*\}) from "([^"]+)";$', re.MULTILINE)
_LATER: Final = re.compile(r'import\("([^"]+)"\)')
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function\*? |class |const )(\w+))", re.MULTILINE)
_LINE: Final = re.compile(r"^(?:import|export|await)\b.*", re.MULTILINE)
_WORD: Final = re.compile(r"import(?:\(|\.meta).*")
"""What has no meaning in one script, if it is left. Apart, and begun by a word, it is found ten times as fast."""


def joined(script: str, texts: Mapping[str, bytes]) -> str:
    """A page's script with all that it imports, at once or later, by their paths. Raises ValueError."""
    modules = _modules(script, texts)
    before = {name: [_join(name, path) for _, path in _IMPORT.findall(text)] for name, text in modules.items()}
    before[script] = [name for name in modules if name != script]
    return "".join(f"// {name}\n{_wrapped(name, modules[name])}" for name in TopologicalSorter(before).static_order())


def _modules(script: str, texts: Mapping[str, bytes]) -> dict[str, str]:
    """The texts, without comments, of a module, of those that it imports, of those that these import, and so on."""
    found: dict[str, str] = {}
    waiting = [script]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = text = bare(texts[name].decode())
            waiting += [_join(name, path) for _, path in _IMPORT.findall(text)]
            waiting += [_join(name, path) for path in _LATER.findall(text)]
    return found


def bare(text: str) -> str:
    """A script without the comments that stand on lines of their own."""
    return _COMMENT.sub("", text)


def _wrapped(name: str, text: str) -> str:
    """A module as a constant of the script."""
    exported = ", ".join(_EXPORT.findall(text))
    text = _EXPORT.sub("", text)
    text = _IMPORT.sub(lambda found: _taken(found[1], _constant(_join(name, found[2]))), text)
    text = _LATER.sub(lambda found: f"Promise.resolve({_constant(_join(name, found[1]))})", text)
    if left := _LINE.search(text) or _WORD.search(text):
        raise ValueError(f"{name}: «{left[0]}» cannot be joined")
    return f"const {_constant(name)} = (() => {{\n{text}return {{ {exported} }};\n}})();\n"


def _taken(names: str, module: str) -> str:
    """What an import takes, as a constant: `* as a`, or `{ a, b as c }`."""
    return f"const {names.removeprefix('* as ').replace(' as ', ': ')} = {module};"


def _constant(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name)


def _join(module: str, path: str) -> str:
    return normpath(f"{dirname(module)}/{path}")
