from contextlib import closing
from typing import Any

import pytest

from leuthen.engine.ruleset import CHANCE, OTHER, WATCHER, SeatSide
from leuthen.server.session.seat_view import SeatView
from tests.prove.sample import EVERY
from tests.server.harness import Servers
from tests.server.test_standing import HIDDEN, OWNER, PLAN, HandAndRuleTwins, settle
from tests.server.twins import CAMPAIGN, Difference, Plan, World

SEED = 3
ACTIONS = 25


class StaffTwins(HandAndRuleTwins):
    def play(self, limit: int = 10_000) -> None:
        by_hand, by_staff = self.worlds
        self.answered = 0
        while self.steps < limit and (asked := [p for p in self.ruleset.pending(by_staff.state) if p.actor != CHANCE]):
            self.steps += 1
            self.set_clocks()
            sides = {pending.actor for pending in asked}
            if OWNER in sides:
                self.sign(by_staff)
                self.follow()
            if OTHER[OWNER] in {pending.actor for pending in self.ruleset.pending(by_staff.state)}:
                text = self.ruleset.format_action(
                    by_staff.state, OTHER[OWNER], self.choose(by_staff.state, OTHER[OWNER])
                )
                answers = [world.order(OTHER[OWNER], text, f"key-{self.steps:06}") for world in self.worlds]
                assert all(answer.status == 200 for answer in answers), answers
                self.compare("the answer to an order", *answers)
                settle(by_staff)
                self.follow()
            assert by_hand.state == by_staff.state
            self.check(every=self.steps == ACTIONS)

    def sign(self, world: World) -> None:
        client = world.clients[OWNER]
        card = client.snapshot["staff"]
        signed = client.post("/staff/sign", {"seen": world.n(OWNER), "asks": card.get("asks", "")})
        assert signed.status == 200, signed.body
        settle(world)


@pytest.mark.parametrize(
    ("viewer", "plan"), [(OTHER[OWNER], HIDDEN), (OTHER[OWNER], CAMPAIGN), *([(WATCHER, PLAN)] if EVERY else [])]
)
def test_others_cannot_distinguish_a_staff_from_its_owner(servers: Servers, viewer: SeatSide, plan: Plan) -> None:
    with closing(StaffTwins(servers, viewer, SEED, plan)) as signing:
        signing.play(ACTIONS)
    assert signing.answered > 5


def plans_are_shown(patch: pytest.MonkeyPatch) -> None:
    plain = SeatView.staff
    patch.setattr(SeatView, "staff", lambda seat_view, side: plain(seat_view, OWNER))


@pytest.mark.parametrize("leak", [plans_are_shown], ids=lambda leak: str(leak.__name__))
def test_a_planted_leak_is_detected(servers: Servers, monkeypatch: pytest.MonkeyPatch, leak: Any) -> None:
    leak(monkeypatch)
    with closing(StaffTwins(servers, OTHER[OWNER], SEED, PLAN)) as signing, pytest.raises(Difference):
        signing.play(ACTIONS)
