"""Client benchmarks in Chromium: time to first content, smoothness of map panning, and bytes transferred."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from bench.position import start_game
from tools.chromium import FLAGS, find_chromium
from tools.serving import Served

LOADS: Final = 5
MOVES: Final = 240
"""Pointer moves while dragging the map."""
STACKS: Final = 60

WATCH_FRAMES: Final = """() => {
  window.frames_at = [];
  const frame = now => { window.frames_at.push(now); requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
}"""
WAIT_FOR_PAINT: Final = """new Promise((found) => new PerformanceObserver((list) => {
  const paint = list.getEntriesByName('first-contentful-paint')[0];
  if (paint) found(paint.startTime);
}).observe({type: 'paint', buffered: true}))"""
MAP: Final = "#map [data-piece]"
WATCH_COUNTERS: Final = """new MutationObserver((_, watch) => {
  if (!document.querySelector('#map [data-piece]')) return;
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.counters_at = performance.now(); }));
}).observe(document, {childList: true, subtree: true});"""
"""Measured by the page's own clock after the frame that paints the counters; polling from outside would add time."""
WAIT_FOR_COUNTERS: Final = """() => new Promise(done => {
  const look = () => window.counters_at ? done(window.counters_at) : setTimeout(look, 5);
  look();
})"""


def client_figures() -> Iterator[str]:
    """Start a server and a browser, open a table with sixty stacks, and yield the figures."""
    with TemporaryDirectory() as folder, Served(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        context = browser.new_context(base_url=server.url)
        seat, stacks = start_game(context.request, server.url, STACKS)
        cookies = context.storage_state()
        yield f"a table with {stacks} stacks on a screen of 1440 x 900"
        for path in ("/", f"/table/{seat}"):
            yield describe_loads([_load(browser, server.url, path, cookies) for _ in range(LOADS)])
        yield measure_panning(_page(browser, server.url, seat, cookies))
        browser.close()


def _page(browser: Browser, url: str, seat: str, cookies: Any) -> Page:
    """Return the table in a browser with an empty cache."""
    context = browser.new_context(base_url=url, viewport={"width": 1440, "height": 900}, storage_state=cookies)
    page = context.new_page()
    page.goto(f"/table/{seat}")
    page.wait_for_selector(MAP, state="attached")
    return page


class Load(NamedTuple):
    """Milliseconds from navigation to first paint and to a table's counters; files, and bytes over the wire."""

    paint: float
    counters: float
    files: int
    size: float


def _load(browser: Browser, url: str, path: str, cookies: Any) -> Load:
    """Load a page in a browser with an empty cache."""
    context = browser.new_context(base_url=url, viewport={"width": 1440, "height": 900}, storage_state=cookies)
    context.add_init_script(WATCH_COUNTERS)
    page = context.new_page()
    sizes: list[float] = []
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(path)
    counters = page.evaluate(WAIT_FOR_COUNTERS) if path != "/" else 0.0
    paint = page.evaluate(WAIT_FOR_PAINT)
    context.close()
    return Load(paint, counters, len(sizes), sum(sizes))


def describe_loads(loads: Sequence[Load]) -> str:
    paint, counters = (
        statistics.median(times) for times in ([one.paint for one in loads], [one.counters for one in loads])
    )
    files, size = max(one.files for one in loads), max(one.size for one in loads) / 1000
    shown = f"the table: first paint after {paint:.0f} ms, counters after {counters:.0f} ms"
    what = shown if counters else f"the first page: first paint after {paint:.0f} ms"
    return f"{what}; {files} files, {size:.0f} kB over the wire"


def measure_panning(page: Page) -> str:
    """Drag the map in circles and return the frame rate."""
    box = page.locator("#map").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    thread = page.context.new_cdp_session(page)
    thread.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.evaluate(WATCH_FRAMES)
    begun = work_time(thread)
    for number in range(MOVES):
        page.mouse.move(x + 3 * (number % 80 - 40), y + 2 * (number % 60 - 30))
    worked = work_time(thread) - begun
    page.mouse.up()
    times = page.evaluate("frames_at")
    gaps = sorted(later - earlier for earlier, later in pairwise(times))
    late = sum(gap > 20 for gap in gaps) / len(gaps)
    rate = 1000 * len(gaps) / (times[-1] - times[0])
    return (
        f"dragging the map: {rate:.1f} frames per second, {late:.0%} later than 20 ms, slowest {gaps[-1]:.0f} ms;"
        f" main thread {1000 * worked / len(gaps):.1f} ms per frame, {1000 * worked / MOVES:.1f} per move"
    )


def work_time(thread: CDPSession) -> float:
    """Return the seconds that the page's main thread has worked, by its own clock, which excludes other processes."""
    metrics = {one["name"]: one["value"] for one in thread.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"])


if __name__ == "__main__":
    for line in client_figures():
        print(line, flush=True)
