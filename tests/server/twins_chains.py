"""Twin games with proofs, in which both seats send links from the same chains in both worlds.

Dice depend on the links, and the other clients send more links in the second world, where they try and undo. Therefore
dice use only the secret here, so that both worlds roll the same. All messages are compared, except the hashes of the
proof.
"""

from functools import cache
from typing import Any, ClassVar

import pytest

from leuthen.engine.ruleset import SeatSide, Side
from leuthen.play.proof import protocol
from leuthen.play.proof.ledger import SharedDice
from leuthen.play.proof.protocol import Chain
from leuthen.server.session.seal import Sealing
from tests.server.harness import Answer, TestServer
from tests.server.twins import Plan, Twins, World


@cache
def chain_of(side: Side) -> Chain:
    return Chain(protocol.digest(f"twins {side}"))


def same_dice(patch: pytest.MonkeyPatch) -> None:
    uniform_below = SharedDice.uniform_below

    def alone(dice: SharedDice, bound: int, place: int) -> int:
        links_at, dice._links_at = dice._links_at, lambda place: (protocol.NO_LINK, protocol.NO_LINK)
        try:
            return uniform_below(dice, bound, place)
        finally:
            dice._links_at = links_at

    patch.setattr(SharedDice, "uniform_below", alone)


class ChainedWorld(World):
    def __init__(self, server: TestServer, plan: Plan, seed: str) -> None:
        super().__init__(server, plan, seed)
        for client in self.clients[:2]:
            chain = chain_of(client.side)
            body = {"top": chain.top, "length": chain.length, "why": "first"}
            assert client.post("/chain", body).status == 200

    def share_of(self, side: SeatSide) -> dict[str, Any]:
        ledger = self.session.seal.ledger
        given = ledger.chains[ledger.sides[side]][0].given + 1
        link = chain_of(side).link(given)
        return {"share": {"chain": 1, "number": given, "link": link, "seen": ledger.blocks, "head": ledger.head}}

    def order(self, side: SeatSide, text: str, key: str) -> Answer:
        answer = super().order(side, text, key)
        while (waiting := self.session.seal.waiting) >= 0:
            client = self.clients[waiting]
            given = client.post("/share", self.share_of(waiting)["share"])
            assert given.status == 200, given.body
        return answer


class LiveWorld(ChainedWorld):
    PACE = "live"


class ChainedTwins(Twins):
    WORLD: ClassVar[type[World]] = ChainedWorld


class LiveTwins(Twins):
    WORLD: ClassVar[type[World]] = LiveWorld


# --- planted leaks ----------------------------------------------------------------------------------------------------


def blocks_count_drafts(patch: pytest.MonkeyPatch) -> None:
    finish = Sealing.finish
    patch.setattr(Sealing, "finish", lambda sealing, *, is_told, end: finish(sealing, is_told=True, end=end))


def own_heads_count_others(patch: pytest.MonkeyPatch) -> None:
    own = Sealing.asked

    def asked(sealing: Sealing, side: Side, share: Any) -> Sealing:
        own(sealing, side, share)
        sealing.ledger._own = {name: (count + 1, head) for name, (count, head) in sealing.ledger._own.items()}
        return sealing

    patch.setattr(Sealing, "asked", asked)


LEAKS = (blocks_count_drafts, own_heads_count_others)
