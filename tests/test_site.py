"""The documentation site builds without warnings, and a dead link fails the build."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="the extra `site` is not installed")

from tools import site

ROOT = Path(__file__).parent.parent


def test_the_site_builds_and_indexes_the_rules(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "tools.site", str(tmp_path / "site")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert (built.returncode, built.stderr) == (0, "")
    index = (tmp_path / "site" / "searchindex.js").read_text(encoding="utf-8")
    entries = json.loads(index.removeprefix("Search.setIndex(").removesuffix(")"))["indexentries"]
    assert {"o5.3", "c14.1", "r7.2", "v3.2a"} <= set(entries)
    assert "class</span>" in (tmp_path / "site" / "reference.html").read_text(encoding="utf-8")


def test_every_page_is_in_the_navigation() -> None:
    listed = {name for names in site.SECTIONS.values() for name in names}
    pages = {path.relative_to(site.DOCS).with_suffix("").as_posix() for path in site.DOCS.glob("*.md")}
    assert pages - {"index"} <= listed


def test_a_dead_link_is_named() -> None:
    with pytest.raises(SystemExit, match=r"docs/play.md links to nowhere.md, which does not exist"):
        site.with_inner_links("[there](nowhere.md)", site.DOCS / "play.md")
