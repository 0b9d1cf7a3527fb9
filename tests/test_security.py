import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import generate_latest

from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.http import logs, serve
from leuthen.server.security import request_guard
from leuthen.server.security.request_guard import Rate
from leuthen.server.session import game_session, lookback, registry, streams
from leuthen.server.session.limits import WorkLimit, WorkQueue
from tests.server.memory import run_inline

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


def dead_citations(text: str) -> list[str]:
    cited = _CODE.findall(text)
    tests = [name for name in cited if re.fullmatch(r"test_\w+", name) and name not in known_tests()]
    files = [name for name in cited if re.fullmatch(r"[\w./-]+\.(py|js|txt|md)", name)]
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if not (PAGE.parent / link).exists()]
    return tests + [name for name in files if not any((home / name).exists() for home in _HOMES)] + links


def items_of(cell: str) -> list[str]:
    return _ITEM.findall(cell)


@pytest.mark.parametrize("name", ["security.md", "usability.md", "operations.md", "hosting.md"])
def test_a_page_cites_existing_tests_files_and_links(name: str) -> None:
    assert dead_citations((PAGE.parent / name).read_text(encoding="utf-8")) == []


def test_a_dead_citation_is_found() -> None:
    wrong = ["test_that_nobody_wrote", "server/nowhere.py", "nowhere.md"]
    assert (
        dead_citations("`test_that_nobody_wrote` in `server/nowhere.py`, [there](nowhere.md); `server/http/app.py`")
        == wrong
    )


def test_each_security_item_is_judged_once() -> None:
    judged = list(rows(PAGE.read_text(encoding="utf-8")))
    items = [item for row in judged for item in items_of(row[0])]
    assert len(items) == len(set(items)) > 30
    assert {row[2] for row in judged} == STATES
    assert all(len(row) == 4 and row[1] and row[3] for row in judged)


def test_the_page_names_every_use_of_browser_storage() -> None:
    client = ROOT / "src" / "leuthen" / "client" / "js"
    texts = {path: path.read_text(encoding="utf-8") for path in client.rglob("*.js") if path.name != "dom.js"}
    keeps = {f"client/js/{path.relative_to(client).as_posix()}" for path, text in texts.items() if ".setItem(" in text}
    (row,) = (row for row in rows(PAGE.read_text(encoding="utf-8")) if row[0] == "14.3.3")
    assert set(re.findall(r"`(client/js/[^`]+)`", row[3])) == keeps


HOSTING = Path(__file__).parents[1] / "docs" / "operations.md"
STORAGE: Any = None


def text() -> str:
    return HOSTING.read_text(encoding="utf-8")


def new_registry() -> registry.GameRegistry:
    return registry.GameRegistry(STORAGE, BotDrivers(run_inline), run_inline)


def rate(one: Rate) -> str:
    return f"{one.per_second:g} a second, {one.burst} at once"


def queue_row(name: str, one: WorkLimit) -> str:
    most = one._most
    patience = f"ended after {one._patience} s" if isinstance(one, WorkQueue) else "as long as a machine may think"
    return f"| {name} | {most.per_asker} | {most.per_address} | {most.in_all} | {patience} |"


def address_rows() -> Iterator[str]:
    for what, name in (
        ("anything", "requests"),
        ("making", "games, lessons, drills, rematches, links and reports made"),
        ("taking", "uses of invitations"),
        ("bringing", "imported records"),
        ("talking", "lines of chat"),
        ("calling", "new names"),
        ("work", "seconds of server time"),
    ):
        yield f"| {name} | {rate(getattr(request_guard.ABROAD, what))} | {rate(getattr(request_guard.AT_HOME, what))} |"


def other_rows() -> Iterator[str]:
    caps, kib = serve.Caps(), 1024
    yield f"| connections | {caps.in_all}, or what the system allows; {caps.abroad} for one address |"
    head = f"{serve.HEAD_BYTES // kib} KiB within {serve.HEAD_SECONDS:g} s"
    yield f"| the head of a request | {head} |"
    sizes = f"{request_guard.BODY // kib} KiB, a record {request_guard.IMPORT_BODY // kib**2} MiB"
    yield f"| the body of a request | {sizes}, within {request_guard.BODY_SECONDS:g} s |"
    yield f"| a client that does not read | {serve.STALL_SECONDS:g} s |"
    most = streams.PER_DEVICE, streams.PER_SEAT, streams.PER_ADDRESS, streams.IN_ALL
    yield "| streams | {} a device, {} a seat, {} an address elsewhere, {} in all |".format(*most)
    yield f"| messages about names and about the proof | one in {streams.PAUSE:g} s |"
    yield f"| lines of the chronicle in an answer | {lookback.MOST} |"
    yield f"| open games of a browser | {registry.OPEN_GAMES} |"
    yield f"| lines of chat in a game | {game_session.MOST_SAID} |"
    modest = f"an address that used at most {request_guard.MODEST:g} s lately passes all the same"
    work = f"{rate(request_guard.ALL_WORK)}; {modest}"
    yield f"| seconds of server time for all other machines together | {work} |"
    costs = f"{1000 * streams.SEND_COST:g} ms, and {1e9 * streams.BYTE_COST:g} ms for a MB"
    yield f"| charge for each message that a request causes | {costs} |"
    memory = f"{registry.MEMORY // kib**2} MiB, or `--memory`; the least recently used goes first"
    yield f"| idle games in memory, with their stories and records | {memory} |"
    lines = f"one in {logs.APART:g} s of a kind about an address; {rate(logs.ALL)} in all"
    yield f"| log lines that strangers can cause | {lines} |"
    yield f"| the end of the server | {serve.GRACE} s |"


def test_the_page_lists_every_limit() -> None:
    work_queues = (queue_row(*one) for one in new_registry().work_queues.items())
    rows = [*address_rows(), *work_queues, *other_rows()]
    missing = [row for row in rows if row not in text()]
    assert missing == []


def test_the_page_lists_exactly_the_metrics(tmp_path: Path) -> None:
    there = new_registry()
    server = logs.Metrics(there, BotDrivers(run_inline), tmp_path)
    server.observe("GET", "/api/home", 200, 0.1)
    lines = [line for line in generate_latest(server.all).decode().splitlines() if "_created" not in line]
    found = set(re.findall(r"^(leuthen_\w+?)(?:_bucket|_count|_sum)?[{ ]", "\n".join(lines), re.MULTILINE))
    told = set(re.findall(r"`(leuthen_\w+)(?:\{[^}]*\})?`", text()))
    assert told == found
    assert len(found) > 8
