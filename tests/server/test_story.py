import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import msgspec
import pytest

from leuthen.engine.ruleset import EVERYTHING, VIEWERS, WATCHER, ViewerId, actor_named, as_seat
from leuthen.load import load_with
from leuthen.play.record import read
from leuthen.screen.story import DatedEntry
from leuthen.screen.values import Story
from leuthen.server.session import lookback, messages
from leuthen.server.session.device_sessions import DeviceCaller
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.history import GameHistory, GameTransaction, SeatLog
from leuthen.server.session.registry import seat_game
from tests.server.memory import MemoryStorage, registry_with

WAR: Final = Path(__file__).parents[1] / "golden" / "frederick" / "planner.leuthen"
VISITOR: Final = DeviceCaller("somebody's key", "a browser")


def play_first_winter() -> GameHistory:
    recorded = read(WAR)
    header = recorded.header
    rules = load_with(header.ruleset, header.data)
    history = GameHistory(rules, rules.new_game(header.scenario, header.options))
    for entry in recorded.entries:
        transaction = GameTransaction(history)
        transaction.say(actor_named(rules, entry.actor), entry.text)
        history.accept(transaction)
        if rules.date(history.table.state)[0] > 1756 and not len(history.table.drafts):
            return history
    raise AssertionError("the record has no second year")


def change_hidden_facts(session: GameSession, viewer: ViewerId) -> None:
    history, rules = session.history, session.ruleset
    changed = history.table.copy()
    changed.state = rules.sample_state(rules.view(history.table.state, viewer), Random(viewer))
    assert changed.state != history.table.state
    history.table = changed
    history.logs = {other: history.logs[other] if other == viewer else SeatLog(history.table) for other in VIEWERS}


async def stories_in_two_worlds(viewer: ViewerId) -> tuple[Story, Story]:
    registry, history = registry_with(MemoryStorage()), play_first_winter()
    new = messages.NewGame(("me", "me"), "frederick", "campaign")
    made = await seat_game(registry, VISITOR, history, new)
    session = await registry.session(made.game)
    side = as_seat(viewer)
    story = await lookback.story(session, side, registry.replaying, None)
    change_hidden_facts(session, viewer)
    session._made.clear()
    again = await lookback.story(session, side, registry.replaying, None)
    return msgspec.json.decode(story, type=Story), msgspec.json.decode(again, type=Story)


def use_all_entries(patch: pytest.MonkeyPatch) -> None:
    add_dated_entries = lookback.add_dated_entries

    def add_all_entries(entries: list[DatedEntry], session: GameSession, _: ViewerId, turns: int) -> Iterator[None]:
        return add_dated_entries(entries, session, EVERYTHING, turns)

    patch.setattr(lookback, "add_dated_entries", add_all_entries)


@pytest.mark.parametrize("viewer", [0, 1, WATCHER])
def test_a_story_depends_only_on_the_own_entries(viewer: ViewerId) -> None:
    story, story_in_other_world = asyncio.run(stories_in_two_worlds(viewer))
    assert story == story_in_other_world
    assert story.years[0].news
    assert story.commanders


@pytest.mark.parametrize("viewer", [0, 1, WATCHER])
def test_a_story_from_all_entries_is_detected(viewer: ViewerId, monkeypatch: pytest.MonkeyPatch) -> None:
    honest, _ = asyncio.run(stories_in_two_worlds(viewer))
    use_all_entries(monkeypatch)
    story, story_in_other_world = asyncio.run(stories_in_two_worlds(viewer))
    assert story != honest, "the story reveals a secret"
    assert story != story_in_other_world
