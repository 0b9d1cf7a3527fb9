import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from leuthen.bots import LEVELS, MEASURED, MatchScore, bots_for, sentence_of
from leuthen.simulate.bulk import read_results
from leuthen.simulate.ladder import LadderRow, Pair, standing
from tests.server.conftest import call, hang_up
from tests.server.house import House

ROOT: Final = Path(__file__).parents[2]
RAW: Final = {
    ("frederick", "captain"): "frederick.jsonl",
    ("frederick", "colonel"): "colonel.jsonl",
}
level = pytest.mark.parametrize(
    ("ruleset", "bot", "told"), [(*which, score) for which, one in MEASURED.items() for score in one.scores]
)  # fmt: skip


def found(ruleset: str, bot: str, games: str) -> LadderRow:
    pairs = read_results(ROOT / "bench" / "ladder" / RAW[ruleset, bot], Pair)
    bots, whole = (bot, MEASURED[ruleset, bot].rival), games == "whole wars"
    matches = [(pair, pair.match) for pair in pairs if (pair.match.scenario == "campaign") == whole]
    return standing([pair for pair, match in matches if (match.ruleset, match.bots) == (ruleset, bots)])


@level
def test_the_figures_of_a_level_are_those_of_the_games_that_were_played(
    ruleset: str, bot: str, told: MatchScore
) -> None:
    games = found(ruleset, bot, told.games)
    assert (told.score, told.spread, told.pairs) == (
        round(100 * games.score), round(100 * games.spread), games.pairs,
    )  # fmt: skip


@level
def test_the_page_on_machines_has_the_same_figures(ruleset: str, bot: str, told: MatchScore) -> None:
    page = (ROOT / "docs" / "bots.md").read_text("utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| `{bot}` |"))
    assert f"{told.score} % (± {told.spread} %) of {told.pairs} pairs of {told.games}" in row
    assert f"against `{MEASURED[ruleset, bot].rival}`" in row


@pytest.fixture
def offered(tmp_path: Path) -> Iterator[dict[str, list[dict[str, str]]]]:
    house = House(tmp_path / "games")
    house.start()
    yield {line["name"]: line["bots"] for line in json.loads(call(house.port).get("/api/rulesets").body)}
    hang_up()
    house.stop()


def test_whoever_chooses_a_machine_reads_how_it_plays_and_what_that_is_worth(
    offered: dict[str, list[dict[str, str]]],
) -> None:
    for ruleset in ("frederick", "campaigns"):
        told = {bot["name"]: (bot["title"], bot["text"]) for bot in offered[ruleset]}
        assert told == {bot: (LEVELS[bot][0], sentence_of(ruleset, bot)) for bot in bots_for(ruleset)}
        assert len({text for _, text in told.values()}) == len(told)
    for (ruleset, bot), games in MEASURED.items():
        text = next(line["text"] for line in offered[ruleset] if line["name"] == bot)
        assert text.startswith(LEVELS[bot][1])
        assert LEVELS[games.rival][0] in text
        for one in games.scores:
            assert f"{one.score} % (± {one.spread}) in {one.pairs} pairs of {one.games}" in text
