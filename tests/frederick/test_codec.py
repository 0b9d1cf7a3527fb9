import json
import re

import msgspec
import pytest

from leuthen.engine.codec import digest_text
from leuthen.engine.refusal import Invalid
from leuthen.load import load
from leuthen.rulesets.frederick.model.data import FRANCE, PRUSSIA
from leuthen.rulesets.frederick.model.decisions import Covered, Decision, Secret
from leuthen.rulesets.frederick.model.state import FIELDS, FRAME, WAYS, Draft, State
from leuthen.wargame.board import NOWHERE, Hex, parse_hex
from leuthen.wargame.strength import Bag, PowerId, bag
from tests.frederick.handmade import dump, game_data, leader, random_state, restore, some_state


class Sub(msgspec.Struct, frozen=True):
    here: Hex
    sp: tuple[Bag, ...] = ()


class Probe(Decision, frozen=True, tag="test-probe"):
    here: Hex
    path: tuple[Hex, ...]
    sp: Bag
    sub: Sub | None
    pair: tuple[int, Bag]
    plan: Secret | None = None
    inner: Decision | None = None
    flag: bool = False


class Plan(Secret, frozen=True, tag="test-plan"):
    sp: tuple[Bag, ...] = ()


PROBE = Probe(
    parse_hex("1623"),
    (parse_hex("1720"), parse_hex("0101")),
    bag(PRUSSIA, 3) + bag(FRANCE, 70),
    Sub(NOWHERE, (bag(PowerId(7), 2),)),
    (4, bag(PowerId(1), 1)),
    Covered(True),
    Probe(Hex(1), (), 0, None, (0, 0)),
    True,
)


def back(state: State) -> State:
    return restore(game_data(), dump(state))


def test_every_field_stands_in_the_text() -> None:
    assert list(json.loads(dump(some_state()))) == sorted(set(FIELDS) - {"scenario", "sallied"})
    draft = Draft(load("frederick").new_game("bohemia", {}))
    draft.sallied = frozenset({parse_hex("1623")})
    assert list(json.loads(dump(draft.freeze()))) == sorted(FIELDS)


def test_round_trip() -> None:
    state = some_state()
    again = back(state)
    assert again == state
    assert hash(again) == hash(state)
    assert dump(again) == dump(state)
    assert digest_text(dump(again)) == digest_text(dump(state))
    for name in FIELDS:
        assert type(getattr(again, name)) is type(getattr(state, name)), name


@pytest.mark.parametrize("seed", range(40))
def test_round_trip_of_random_positions(seed: int) -> None:
    state = random_state(seed)
    assert back(state) == state, f"seed {seed}"


def test_round_trip_of_decisions_and_sealed_choices() -> None:
    sealed = (Plan(False, (bag(PRUSSIA, 4),)), Covered(True))
    state = some_state(frames=(PROBE, PROBE.inner), sealed=sealed)
    assert back(state) == state


def test_names_not_numbers() -> None:
    text = json.loads(dump(some_state()))
    assert text["stacks"][0]["hex"] == "1125"
    assert text["stacks"][0]["sp"] == {"prussia": 6, "hanover": 1}
    assert text["stacks"][0]["leaders"] == ["Schwerin"]
    assert text["allegiance"]["france"] == "austrian"
    assert text["spent"] == {"Frederick": 2}
    assert text["depots"]["1129"]["power"] == "austria"
    assert text["roster"]["Daun"] == "map"
    written = msgspec.to_builtins(FRAME.write(PROBE))
    assert written["path"] == ["1720", "0101"]
    assert written["sp"] == {"prussia": 3, "france": 70}
    assert written["sub"] == {"here": "", "sp": [{"empire": 2}]}


def test_text_does_not_depend_on_the_order_of_stacks() -> None:
    state = some_state()
    turned = dict(reversed(state.stacks.items()))
    assert dump(some_state(stacks=turned)) == dump(state)


def test_digest_tells_positions_apart() -> None:
    assert digest_text(dump(some_state())) != digest_text(dump(some_state(spent={leader("Frederick"): 3})))
    assert re.fullmatch("[0-9a-f]{16}", digest_text(dump(some_state())))


@pytest.mark.parametrize(
    ("was", "now", "place"),
    [
        (b'"hex":"1623"', b'"hex":"16x3"', "stacks: 5: hex: «16x3» is no hex"),
        (b'"turn":4', b'"turn":"4"', "turn"),
        (b'"commander":"Daun"', b'"commander":"Daune"', "stacks: 3: commander: «Daune» is no leader"),
        (b'"owners"', b'"ownrs"', "owners: missing"),
        (b'"phasing":"prussian"', b'"phasing":"both"', "phasing: «both» is no side"),
        (b'"frames":[]', b'"frames":[{"frame":"no-such"}]', "frames: 0: «no-such» is no decision"),
        (b'"frames":[]', b'"frames":[{"frame":"test-probe","here":"1623"}]', "frames: 0: path, sp, sub"),
        (b'"march_die":"phase"', b'"march_die":5', "options"),
        (b'"inside":true', b'"inside":1', "stacks: 1: inside"),
        (b'"high":999', b'"high":true', "high: «True» is no whole number"),
        (b"}", b"", "position"),
    ],
)
def test_a_damaged_text_is_invalid_and_the_place_named(was: bytes, now: bytes, place: str) -> None:
    text = dump(some_state())
    assert was in text
    with pytest.raises(Invalid, match=re.escape(place)):
        restore(game_data(), text.replace(was, now, 1))


def test_two_stacks_in_one_place() -> None:
    text = json.loads(dump(some_state()))
    text["stacks"].append(text["stacks"][0])
    with pytest.raises(Invalid, match="two stacks"):
        restore(game_data(), json.dumps(text).encode())


def test_every_decision_of_the_game_can_be_written() -> None:
    def kinds(base: type[Decision]) -> list[type[Decision]]:
        return [kind for sub in base.__subclasses__() for kind in (sub, *kinds(sub))]

    for kind in kinds(Decision):
        assert WAYS.of(kind)
