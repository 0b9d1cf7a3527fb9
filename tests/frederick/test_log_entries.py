import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from leuthen.engine.events import Event
from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.ruleset import EVERYTHING, WATCHER, as_viewer
from leuthen.load import Rulebook, load, read_rulebook
from leuthen.rulesets.frederick.knowledge import make_view
from leuthen.rulesets.frederick.model import events
from leuthen.rulesets.frederick.model.pieces import PRUSSIAN
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.screen.scene import make_about
from leuthen.screen.values import About, LogEntry
from leuthen.wargame.board import around, hex_name, hexes_of, parse_hex
from tests.frederick.handmade import game_data, some_state
from tests.laws.games import games
from tests.prove.sample import EVERY
from tests.rows import FOLDER

GAME: Any = load("frederick")
BASES = (events.TroopsCame, events.Troops, events.Placed, events.StackEvent)


def classes(of: type[Event] = Event) -> Iterator[type[Event]]:
    for kind in of.__subclasses__():
        if kind.__module__.startswith("leuthen.rulesets.frederick") and kind not in BASES:
            yield kind
        yield from classes(kind)


KINDS = {kind.__struct_config__.tag: kind for kind in classes()}


def event_of(line: str) -> Event:
    values = {name: as_tuple(value) for name, value in json.loads(line).items()}
    return KINDS[values.pop("event")](**values)


def as_tuple(value: Any) -> Any:
    return tuple(map(as_tuple, value)) if isinstance(value, list) else value


SAMPLES = [event_of(line) for line in (FOLDER / "frederick-events.jsonl").read_text(encoding="utf-8").splitlines()]


def log_entry(event: Event) -> LogEntry:
    result: LogEntry = GAME.presenter.present_event(event)
    return result


def test_every_event_class_has_a_sample() -> None:
    assert {type(event) for event in SAMPLES} == set(classes())


def faults(shown: LogEntry) -> Iterator[str]:
    places = {*shown.places, *shown.path}
    if any(parse_hex(place) not in game_data().board.terrain for place in places):
        yield f"no hex: {places}"
    if shown.rule not in RULES:
        yield f"no rule: {shown.rule}"
    if not shown.text or "None" in shown.text or "  " in shown.text:
        yield f"text: {shown.text}"
    yield from spot_faults(shown)
    yield from sum_faults(shown)
    if sum(luck.value for luck in shown.luck) not in (0, 1) and len(shown.luck) == 2:
        yield f"luck: {shown.luck}"
    if any(not 0 < luck.value < 1 for luck in shown.luck):
        yield f"luck: {shown.luck}"


RULES = {rule.number for rule in Rulebook(read_rulebook("frederick")).rules}
TABLES = {card.id: card for card in GAME.presenter.setting().tables}


def spot_faults(shown: LogEntry) -> Iterator[str]:
    spot = shown.spot
    if spot is None:
        return
    card = TABLES[spot.table]
    if spot.row not in [row[0] for row in card.rows]:
        yield f"{spot.table} has no row {spot.row}"
    if spot.column and spot.column not in card.columns:
        yield f"{spot.table} has no column {spot.column}"


def sum_faults(shown: LogEntry) -> Iterator[str]:
    numbers = [int(match[0].replace("−", "-")) for step in shown.steps if (match := re.match(r"[+−]\d+", step))]
    totals = [int(step[2:].replace("−", "-")) for step in shown.steps if step.startswith("= ")]
    if shown.steps and shown.steps[0] != f"die {shown.dice[0]}":
        yield f"steps: {shown.steps}"
    if totals and totals != [shown.dice[0] + sum(numbers)]:
        yield f"steps do not add up: {shown.steps}"
    if bool(numbers) != bool(totals):
        yield f"steps without a sum: {shown.steps}"


@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: str(event.__struct_config__.tag))
def test_every_event_has_a_complete_log_entry(event: Event) -> None:
    shown = log_entry(event)
    assert not list(faults(shown))
    assert shown.text == event.describe(GAME.names)
    assert shown.rule == event.rule
    assert shown.event == event.__struct_config__.tag
    assert shown.dice == ((event.die,) if hasattr(event, "die") else ())


def text_of(value: Any) -> str:
    return msgspec.json.encode(value).decode()


@pytest.mark.parametrize("seed", range(4 if EVERY else 1))
def test_log_entries_of_games_reveal_nothing_hidden(seed: int) -> None:
    seen: set[str] = set()
    for moment in games("frederick", seed, often=12):
        facts = moment.game.apply(moment.state, moment.actor, moment.action).facts
        for fact in facts:
            for viewer in (0, 1, WATCHER, EVERYTHING):
                event = fact.mask_for(viewer)
                if event is None:
                    continue
                shown = log_entry(event)
                assert not list(faults(shown))
                assert not list(leaks(fact, event, shown))
                seen.add(shown.event)
    assert {"marched", "turn-began", "rolled", "deployed", "starved"} <= seen


def leaks(fact: Event, event: Event, shown: LogEntry) -> Iterator[str]:
    text = text_of(shown)
    for name in fact.HIDDEN:
        value, left = getattr(fact, name), getattr(event, name)
        if value is None or left is not None:
            continue
        if name in ("leaders", "companions"):
            others = set(value) - {getattr(event, "commander", -1), getattr(event, "leader", -1)}
            yield from (f"{n} in {text}" for n in others if GAME.names.leader(n) in shown.text)
        if name == "sp" and "? " not in text and "without troops" not in text and "a part of" not in text:
            yield f"the strength in {text}"
        if name == "hex" and (shown.places or shown.path):
            yield f"the place in {text}"


def about(place: str, viewer: int = PRUSSIAN, state: State | None = None) -> About:
    return make_about(game_data(), make_view(state or some_state(), as_viewer(viewer)), place)


def test_place_details_describe_the_ground() -> None:
    assert about("1127").lines[0].endswith("territory of Austria")
    assert any("zone of control" in line for line in about("1127").lines)
    assert "Neutral: entering violates Russia (C3.3)" in about("3742").lines
    assert about("Elbing").lines[0] == "Clear; Poland, open to both sides (C9.1)"
    board = game_data().board
    water = next(here for here, kind in board.terrain.items() if kind == "water")
    assert about(f"{water // 48:02d}{water % 48:02d}").lines == ("Water: impassable (O5.4)",)
    mountain = next(here for here in board.terrain if board.mountains >> here & 1 and board.is_in_play(here))
    assert about(f"{mountain // 48:02d}{mountain % 48:02d}").lines[0].startswith("Mountain: −2")


def test_place_details_price_every_hexside() -> None:
    assert "To 1635: river Oder, 2 MP" in about("1634").lines
    assert any("pass" in line and line.endswith("MP") for line in about("1423").lines)
    board = game_data().board
    for feature, text in (("ridge", "ridge without a pass, barred (O5.4)"), ("water", "water, barred (O5.4)")):
        pairs = ((here, there) for here in hexes_of(board.land) for there in around(here))
        sides = ((here, board.side(here, there)) for here, there in pairs)
        here = next(here for here, side in sides if getattr(side, feature) and not side.pass_)
        assert any(line.endswith(text) for line in about(hex_name(here)).lines)


@pytest.mark.parametrize("place", ["9999", "Atlantis", "", "1", "16a3"])
def test_an_unknown_place_is_refused(place: str) -> None:
    with pytest.raises(Invalid):
        about(place)


def test_an_ambiguous_place_is_refused() -> None:
    with pytest.raises(Ambiguous, match="Frankfurt"):
        about("frankfurt")
