import os
from contextlib import closing

import pytest

from leuthen.engine.ruleset import WATCHER, SeatSide
from tests.server.harness import Servers
from tests.server.twins import CAMPAIGN, Difference, Plan, Twins
from tests.server.twins_chains import LEAKS as SEAL_LEAKS
from tests.server.twins_chains import ChainedTwins, LiveTwins, same_dice
from tests.server.twins_leaks import CAMPAIGN_LEAKS, LEAKS, Leak

GAMES = 3
ACTIONS = 150
WHOLE = int(os.environ.get("LEUTHEN_TWINS", "80"))
SOME = WHOLE
SOON = {
    "layers_and_odds_use_the_position": 2,
    "drafts_of_others_are_shown": 2,
    "pieces_are_sorted_by_true_strength": 9,
    "hidden_events_are_counted": 7,
    "events_are_sent_unfiltered": 12,
    "a_draft_is_sent_at_once": 5,
    "decisions_of_others_are_shown": 11,
}


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


@pytest.mark.parametrize(("twins", "viewer"), [(ChainedTwins, 0), (LiveTwins, 1)])
def test_sealed_game_messages_reveal_no_hidden_facts(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, twins: type[Twins], viewer: SeatSide
) -> None:
    same_dice(monkeypatch)
    with closing(twins(servers, viewer, 1)) as both:
        both.play(SOME)
        assert both.worlds[0].session.seal.ledger.blocks > 5
    assert both.differing > both.steps / 4
    assert both.traces > 5


@pytest.mark.parametrize("leak", SEAL_LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_of_the_seal_is_detected(servers: Servers, monkeypatch: pytest.MonkeyPatch, leak: Leak) -> None:
    same_dice(monkeypatch)
    leak(monkeypatch)
    with pytest.raises(Difference), closing(ChainedTwins(servers, 0, 1)) as twins:
        twins.play(ACTIONS)


@pytest.mark.parametrize("leak", CAMPAIGN_LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_of_a_campaign_is_detected(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, leak: Leak
) -> None:
    leak(monkeypatch)
    with pytest.raises(Difference):
        search(servers, 1, Plan("campaigns", "1757", {"hidden": "yes"}))


@pytest.mark.parametrize(("leak", "viewer"), LEAKS.items(), ids=[leak.__name__ for leak in LEAKS])
def test_a_planted_leak_is_detected(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, leak: Leak, viewer: SeatSide
) -> None:
    leak(monkeypatch)
    with pytest.raises(Difference):
        search(servers, viewer, first=SOON.get(leak.__name__, 0))


def search(servers: Servers, viewer: SeatSide, plan: Plan = CAMPAIGN, first: int = 0) -> None:
    for seed in dict.fromkeys((first, *range(GAMES))):
        with closing(Twins(servers, viewer, seed, plan)) as twins:
            twins.play(ACTIONS)
