import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "security.md"
STATES = {"part", "open"}
_ITEM = re.compile(r"\d+\.\d+\.\d+")
_CODE = re.compile(r"`([^`]+)`")
_HOMES = (ROOT, ROOT / "src" / "leuthen")


@cache
def known_tests() -> frozenset[str]:
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return frozenset(name for text in texts for name in re.findall(r"^ *def (test_\w+)\(", text, re.MULTILINE))


def rows(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and _ITEM.match(cells[0]):
            yield cells


def wrong_in(text: str) -> list[str]:
    cited = _CODE.findall(text)
    tests = [name for name in cited if re.fullmatch(r"test_\w+", name) and name not in known_tests()]
    files = [name for name in cited if re.fullmatch(r"[\w./-]+\.(py|js|txt|md)", name)]
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if not (PAGE.parent / link).exists()]
    return tests + [name for name in files if not any((home / name).exists() for home in _HOMES)] + links


def items_of(cell: str) -> list[str]:
    return _ITEM.findall(cell)


def test_what_the_page_cites_exists() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert wrong_in(text) == []
    assert wrong_in((PAGE.parent / "usability.md").read_text(encoding="utf-8")) == []


def test_what_does_not_exist_is_found() -> None:
    wrong = ["test_that_nobody_wrote", "server/nowhere.py", "nowhere.md"]
    assert (
        wrong_in("`test_that_nobody_wrote` in `server/nowhere.py`, [there](nowhere.md); `server/http/app.py`") == wrong
    )


def test_each_item_is_judged_once_and_in_one_of_two_words() -> None:
    judged = list(rows(PAGE.read_text(encoding="utf-8")))
    items = [item for row in judged for item in items_of(row[0])]
    assert len(items) == len(set(items)) > 30
    assert {row[2] for row in judged} == STATES
    assert all(len(row) == 4 and row[1] and row[3] for row in judged)


def test_the_page_names_all_that_a_browser_keeps() -> None:
    client = ROOT / "src" / "leuthen" / "client" / "js"
    texts = {path: path.read_text(encoding="utf-8") for path in client.rglob("*.js") if path.name != "dom.js"}
    keeps = {f"client/js/{path.relative_to(client).as_posix()}" for path, text in texts.items() if ".setItem(" in text}
    (row,) = (row for row in rows(PAGE.read_text(encoding="utf-8")) if row[0] == "14.3.3")
    assert set(re.findall(r"`(client/js/[^`]+)`", row[3])) == keeps
