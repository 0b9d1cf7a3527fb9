"""Terminal pages and maps of one position: `python -m tests.golden.pages` writes them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from leuthen.engine.ruleset import as_viewer
from leuthen.load import load, read_map
from leuthen.rulesets.frederick.knowledge import make_view
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.terminal.page import TOPICS, SeenPosition, draw_map
from tests.frederick.handmade import some_state

STORED: Final = Path(__file__).parent / "pages.txt"
NAMES: Final = ("Prague", "fred", "Lacy", "Laudon", "Russia", "Prussia", "Schwerin", "Hanover")
MAPS: Final = (
    ("Prague", 5),
    ("Minden", 3),
    ("Russian base", 2),
    ("1228", 2),
    ("1321", 2),
    ("1325", 2),
    ("Stralsund", 3),
)


def text(topic: str = "", viewer: int = PRUSSIAN, state: State | None = None) -> str:
    rules: Any = load("frederick")
    return SeenPosition(rules, rules.presenter.setting(), rules.view(state or some_state(), viewer)).render(topic)


def sheet(place: str = "Prague", radius: int = 5, viewer: int = PRUSSIAN, state: State | None = None) -> str:
    presenter = load("frederick").presenter
    view = make_view(state or some_state(), as_viewer(viewer))
    here = presenter.about(view, place).place
    return draw_map(read_map("frederick"), presenter.setting(), presenter.scene(view), here, radius)


def pages() -> Iterator[str]:
    yield f"=== march\n{text(state=some_state(frames=(MarchPhase(PRUSSIAN, 3),)))}\n"
    for viewer in (PRUSSIAN, AUSTRIAN):
        for topic in ("", *TOPICS, *NAMES):
            yield f"=== side {viewer}: {topic or 'situation'}\n{text(topic, viewer)}\n"
        for place, radius in MAPS:
            yield f"=== side {viewer}: map {place} {radius}\n{sheet(place, radius, viewer)}\n"


if __name__ == "__main__":
    STORED.write_text("".join(pages()), encoding="utf-8")
