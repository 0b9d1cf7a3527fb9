"""Style sheets as they are served: what only new browsers understand is said in words that older ones know.

`light-dark(A, B)` becomes two values of which one is empty: `var(--is-light, A) var(--is-dark, B)`. A variable that is
`initial` gives way to its fallback, one that is empty to nothing; the page's theme sets the two (`base.css`).
"""

from __future__ import annotations

from typing import Final

_CALL: Final = "light-dark("


def served(style: str) -> str:
    """A style sheet without `light-dark`. Raises ValueError where one has not two values."""
    before, call, rest = style.partition(_CALL)
    if not call:
        return style
    light, dark, after = _values(rest)
    return f"{before}var(--is-light, {light}) var(--is-dark, {dark}){served(after)}"


def _values(text: str) -> tuple[str, str, str]:
    """The two values of a call whose bracket is open, and what follows it."""
    depth, comma = 0, -1
    for at, letter in enumerate(text):
        if letter == "," and depth == 0:
            comma = at
        elif letter == ")" and depth == 0:
            break
        depth += (letter == "(") - (letter == ")")
    else:
        comma = -1
    if comma < 0:
        raise ValueError(f"light-dark has two values: «{text[:40]}»")
    return text[:comma].strip(), text[comma + 1 : at].strip(), text[at + 1 :]
