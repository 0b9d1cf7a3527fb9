"""Build the documentation site from docs/ with Sphinx: `python -m tools.site [FOLDER]`.

The pages are copied to a working folder, because the site needs three things that a Git host's page does not: a
navigation, a target for each rule, and links within the site. A dead link or any other warning is an error.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx

ROOT: Final = Path(__file__).parent.parent
DOCS: Final = ROOT / "docs"
SECTIONS: Final = {
    "Play": ("play", "learn", "scenarios", "bots", "report", "trust", "orders", "glossary"),
    "Rulebook": (
        "rulebook/frederick/README", "rulebook/campaigns/README", "rulings", "rulings-campaigns",
        "campaigns-checks", "map",
    ),
    "Host": ("hosting", "operations", "backup", "security"),
    "Program": (
        "library", "reference", "interface", "own-bots", "simulation", "tutorial", "extending", "architecture", "cases",
        "school", "record", "proof", "verifiers", "usability", "releases", "contributing", "changelog",
        "reporting-vulnerabilities",
    ),
    "Decisions": ("decisions/README",),
}  # fmt: skip
"""Pages by section of the navigation, in order."""
FROM_ROOT: Final = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "reporting-vulnerabilities.md",
    "verifiers/README.md": "verifiers.md",
}
"""Pages of the site that are outside docs/, with their names on the site."""
RULE: Final = re.compile(r"^\*\*([A-Z]\d+(?:\.\d+[a-z]?)?)\*\*", re.MULTILINE)
LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]*)(#[^)\s]*)?\)")
SETTINGS: Final = {
    "project": "Leuthen",
    "html_title": "Leuthen",
    "html_theme": "furo",
    "html_show_search_summary": False,  # summaries need a fetch, which browsers refuse for file://
    "html_copy_source": False,
    "html_show_sphinx": False,
    "extensions": ["myst_parser", "sphinx.ext.autodoc"],
    "source_suffix": {".md": "markdown"},
    "myst_heading_anchors": 4,
    "myst_links_external_new_tab": False,
    "autodoc_member_order": "bysource",
    "default_role": "code",
    "suppress_warnings": ["docutils", "autodoc"],  # docstrings are not reStructuredText
    "highlight_language": "none",
    "pygments_style": "default",
    "html_theme_options": {
        "light_css_variables": {"color-brand-primary": "#1d3d6b", "color-brand-content": "#1d4f91"},
        "dark_css_variables": {"color-brand-primary": "#9dbfe8", "color-brand-content": "#9dbfe8"},
    },
}


def toctree(pages: tuple[str, ...] | list[str], caption: str = "") -> str:
    options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    return "\n".join(["", "```{toctree}", *options, "", *pages, "```", ""])


def with_inner_links(text: str, page: Path) -> str:
    """Return the text with links to pages of the site. Links to files outside the site become paths."""

    def relink(match: re.Match[str]) -> str:
        picture, words, target, anchor = match[1], match[2], match[3], match[4] or ""
        if not target or ":" in target:
            return match[0]
        path = (page.parent / target).resolve()
        if not path.exists():
            raise SystemExit(f"site: {page.relative_to(ROOT)} links to {target}, which does not exist")
        name = path.relative_to(ROOT).as_posix()
        if name in FROM_ROOT:
            name = FROM_ROOT[name]
        elif path.is_relative_to(DOCS) and path.is_file():
            name = path.relative_to(DOCS).as_posix()
        else:
            return f"{words} (`{name}`)" if words != name else f"`{name}`"
        return f"{picture}[{words}](/{name}{anchor})"

    return LINK.sub(relink, text)


def with_rule_targets(text: str) -> str:
    """Return the text with an index entry before each rule, so that the search finds it."""
    return RULE.sub(lambda match: f"```{{index}} ! {match[1]}\n:name: {match[1].lower()}\n```\n\n{match[0]}", text)


def reference() -> str:
    """Return the page of public names, grouped by the modules that define them."""
    import leuthen

    homes: dict[str, list[str]] = {}
    for name in leuthen.__all__:
        value = getattr(leuthen, name)
        homes.setdefault(getattr(value, "__module__", "leuthen"), []).append(name)
    lines = ["# Library reference", "", "Every name here is imported from `leuthen`. [Examples](library.md).", ""]
    for home, names in homes.items():
        found = [name for name in names if callable(getattr(leuthen, name))]
        if home.startswith("leuthen.") and found:
            lines += [
                f"## `{home}`",
                "",
                "```{eval-rst}",
                ".. automodule:: " + home,
                f"   :members: {', '.join(found)}",
            ]
            lines += ["   :no-index:", "```", ""]
    return "\n".join(lines)


def copy_pages(folder: Path) -> None:
    """Copy all pages and pictures of the site to a folder, ready for Sphinx."""
    shutil.copytree(DOCS, folder, ignore=shutil.ignore_patterns("*.md"))
    pages = {path: path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    for path, name in (pages | {ROOT / name: to for name, to in FROM_ROOT.items()}).items():
        text = with_inner_links(path.read_text(encoding="utf-8"), path).replace("```case", "```text")
        if path.parent.parent == DOCS / "rulebook":
            # Chapters are linked from their contents page; listing them in the navigation would double the build time.
            text = ("" if path.name == "README.md" else "---\norphan: true\n---\n\n") + with_rule_targets(text)
        if path == DOCS / "decisions/README.md":
            text += toctree(sorted(other.stem for other in path.parent.glob("*.md") if other != path))
        if name == "index.md":
            text += "".join(toctree(listed, section) for section, listed in SECTIONS.items())
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "reference.md").write_text(reference(), encoding="utf-8")


def main(argv: list[str]) -> int:
    out = Path(argv[0] if argv else ROOT / "build" / "site").resolve()
    source, trees = out.with_name(f"{out.name}-source"), out.with_name(f"{out.name}-trees")
    for folder in (out, source, trees):
        shutil.rmtree(folder, ignore_errors=True)
    copy_pages(source)
    app = Sphinx(source, None, out, trees, "html", SETTINGS, status=None, warningiserror=True, parallel=2)
    app.build()
    if not app.statuscode:
        print(f"site: {out / 'index.html'}")
    return app.statuscode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
