import os
from contextlib import closing

import pytest

from leuthen.engine.ruleset import WATCHER, SeatSide
from tests.server.harness import Servers
from tests.server.twins import CAMPAIGN, ChainedWorld, Difference, LiveWorld, Plan, Twins, World, same_dice
from tests.server.twins_leaks import CAMPAIGN_LEAKS, LEAKS, SEAL_LEAKS, Leak

GAMES = 3
ACTIONS = 150
WHOLE = int(os.environ.get("LEUTHEN_TWINS", "80"))
SOME = WHOLE


@pytest.mark.parametrize("viewer", [0, 1, WATCHER])
def test_frederick_messages_reveal_no_hidden_facts(servers: Servers, viewer: SeatSide) -> None:
    with closing(Twins(servers, viewer, 2)) as twins:
        twins.play(WHOLE)
    assert twins.differing > twins.steps / 4
    assert min(twins.traces, twins.disguises) >= 5


@pytest.mark.parametrize(
    ("viewer", "rules", "hidden"), [(0, "base", "no"), (1, "einhorn", "yes"), (WATCHER, "base", "yes")]
)
def test_campaign_messages_reveal_no_hidden_facts(servers: Servers, viewer: SeatSide, rules: str, hidden: str) -> None:
    plan = Plan("campaigns", "1757", {"rules": rules, "hidden": hidden})
    with closing(Twins(servers, viewer, 2, plan)) as twins:
        twins.play(SOME)
    assert twins.traces > 5
    assert (twins.differing > twins.steps / 4) == (hidden == "yes")


@pytest.mark.parametrize(("world", "viewer"), [(ChainedWorld, 0), (LiveWorld, 1)])
def test_sealed_game_messages_reveal_no_hidden_facts(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, world: type[World], viewer: SeatSide
) -> None:
    same_dice(monkeypatch)
    with closing(Twins(servers, viewer, 1, world=world)) as both:
        both.play(SOME)
        assert both.worlds[0].session.seal.ledger.blocks > 5
    assert both.differing > both.steps / 4
    assert both.traces > 5


@pytest.mark.parametrize(("leak", "viewer", "seed"), LEAKS, ids=[leak.__name__ for leak, _, _ in LEAKS])
def test_a_planted_leak_is_detected(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, leak: Leak, viewer: SeatSide, seed: int
) -> None:
    same_dice(monkeypatch)
    leak(monkeypatch)
    plan = Plan("campaigns", "1757", {"hidden": "yes"}) if leak in CAMPAIGN_LEAKS else CAMPAIGN
    world = ChainedWorld if leak in SEAL_LEAKS else World
    with pytest.raises(Difference):
        search(servers, viewer, seed, plan, world)


def search(servers: Servers, viewer: SeatSide, first: int, plan: Plan, world: type[World]) -> None:
    for seed in dict.fromkeys((first, *range(GAMES))):
        with closing(Twins(servers, viewer, seed, plan, world)) as twins:
            twins.play(ACTIONS)
