"""The rulebook as HTML, for pages to put in as it is: what would be HTML in its Markdown stays text."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

_NUMBER: Final = re.compile(r"\b[A-Z]\d+(?:\.\d+[a-z]?)?\b")
_TABLE: Final = '<div class="scroll-x" tabindex="0" role="group" aria-label="Table"><table>'


class _Renderer(RendererHTML):
    """Rules' numbers are buttons that lead there; links to other pages are their words alone."""

    def text(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
        """Words, with a button for each number of another rule."""
        return _NUMBER.sub(lambda found: _button(found[0], env["numbers"]), escapeHtml(tokens[at].content))

    def table_open(self, *_: object) -> str:
        """A table that can be moved sideways."""
        return _TABLE

    def table_close(self, *_: object) -> str:
        """Its end."""
        return "</table></div>"

    def th_open(self, *_: object) -> str:
        """What a column is."""
        return '<th scope="col">'

    def link_open(self, *_: object) -> str:
        """Nothing."""
        return ""

    def link_close(self, *_: object) -> str:
        """Nothing."""
        return ""


_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table").disable("image")


def _button(number: str, numbers: Collection[str]) -> str:
    return f'<button type="button" class="rule" data-rule="{number}">{number}</button>' if number in numbers else number


def html_of(text: str, numbers: Collection[str]) -> str:
    """A rule as HTML. `numbers` are those of the other rules, and of the chapters."""
    return str(_MARKDOWN.render(text, {"numbers": numbers}))
