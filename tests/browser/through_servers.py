"""A game that two browsers play through two servers of one PostgreSQL, each of which is killed once.

`make test-postgres` runs it, `make test` does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import PATIENCE
from tests.browser.games import Games
from tests.browser.test_two import play_phases, talk, three_at_one_game
from tests.browser.watch import Watch
from tests.servers.proxy import Proxy
from tools.serving import Served

CUT = "50[23]|net::ERR_|Failed to fetch|ERR_INCOMPLETE"
"""What a page meets whose server has just been killed."""


@pytest.fixture
def servers(tmp_path: Path, address: str) -> Iterator[tuple[Served, Served]]:
    one, other = (Served(tmp_path / name, database=address) for name in ("one", "other"))
    with one, other:
        yield one, other


@pytest.fixture
def proxy(servers: tuple[Served, Served]) -> Iterator[Proxy]:
    proxy = Proxy(lambda: [port_of(server) for server in servers])
    proxy.start()
    yield proxy
    proxy.stop()


def port_of(server: Served) -> int:
    return int(server.url.rpartition(":")[2])


@pytest.fixture
def through_both(browser: Browser, proxy: Proxy) -> Iterator[Watch]:
    """People's browsers, which know the proxy alone."""
    watch = Watch(Games(browser, f"http://localhost:{proxy.port}"), PATIENCE)
    yield watch
    watch.close()
    assert not watch.faults, "\n".join(watch.faults)


def test_two_browsers_play_through_both_servers_of_which_each_is_killed(
    through_both: Watch, servers: tuple[Served, Served], proxy: Proxy
) -> None:
    alice, bob, _ = pages = three_at_one_game(through_both)
    play_phases(pages, 1)
    assert all(proxy.passed[port_of(server)] for server in servers)
    for server in servers:
        with through_both.forgiving(CUT):
            server.kill()
            come_back(pages)
            server.start()
        play_phases(pages, 1)
    talk(alice, bob)


def come_back(pages: tuple[Page, Page, Page]) -> None:
    """Until every page is answered again and hears what is told."""
    for page in pages:
        seat = re.sub("/table/", "/api/seats/", page.url).partition("#")[0]
        page.wait_for_function("url => fetch(url).then(answer => answer.ok, () => false)", arg=seat)
        page.wait_for_selector("body[data-line=live]")
