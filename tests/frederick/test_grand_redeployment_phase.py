"""C8.6–C8.10: the Re-deployment Phase as a whole, and random ones."""

from __future__ import annotations

from random import Random

import pytest

from leuthen.engine.ruleset import NOBODY
from leuthen.rulesets.frederick.model.data import AUSTRIA, FRANCE, HANOVER, PRUSSIA, GameOptions
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, ON_MAP, PRUSSIAN
from leuthen.rulesets.frederick.rules.c08_redeployment import RedeploymentPhase, Reinforcing, leaders_in
from leuthen.wargame.strength import PowerId, of, total
from tests.frederick.grand_kit import Scene
from tests.frederick.test_grand_redeployment import BARRED, besieged, come, move, prussia, waiting


def test_the_order_of_the_phase() -> None:
    scene = waiting(prussia(), 2).put("1125", AUSTRIAN, AUSTRIA, 9, "Browne", inside=True).begin(RedeploymentPhase())
    scene.roll(1, 1)
    order: list[object] = []
    while scene.asked:
        order.append((type(scene.frame).__name__, scene.asked[0]))
        if scene.frame == Reinforcing(PRUSSIAN) and scene.draft.waiting:
            scene.do(come("1733", 2))
        else:
            scene.done()
    assert order == [
        ("Redeploying", AUSTRIAN), ("Redeploying", PRUSSIAN), ("Reinforcing", AUSTRIAN),
        ("Reinforcing", PRUSSIAN), ("Reinforcing", PRUSSIAN),
    ]  # fmt: skip


def test_after_the_phase_everybody_is_fresh() -> None:
    scene = prussia().begin(RedeploymentPhase()).roll(1).draw("Daun").roll(1).done()
    scene.do(move(scene, "1224", "1733", 12, "Keith")).done()
    assert scene.draft.spent
    while scene.asked:
        scene.do(scene.legal().sample(Random(1)))
    assert not scene.draft.spent
    assert not any(stack.marched for stack in scene.draft.stacks.values())


@pytest.mark.parametrize("seed", range(20))
def test_random_phases_end_and_lose_nobody(seed: int) -> None:
    rng = Random(seed)
    options = BARRED if seed % 2 else GameOptions()
    scene = waiting(besieged(options=options).sides(hanover=PRUSSIAN, france=AUSTRIAN), 7)
    scene.put("2413", PRUSSIAN, HANOVER, 7, "Cumberland").put("2004", AUSTRIAN, FRANCE, 6, "Chevert")
    waiting(scene, 5, power=FRANCE).put("1224", PRUSSIAN, HANOVER, 3)
    before = {power: everywhere(scene, PowerId(power)) for power in range(8)}
    scene.begin(RedeploymentPhase())
    for _ in range(500):
        if not scene.asked:
            break
        if scene.asked == (NOBODY,):
            action = rng.choice(scene.frame.chances(scene.pos))[0]
            scene._answer(NOBODY, action)
        else:
            scene.do(scene.legal().sample(rng))
    assert not scene.asked
    assert {power: everywhere(scene, PowerId(power)) for power in range(8)} == before
    for number, status in enumerate(scene.draft.roster):
        holders = [stack for stack in scene.draft.stacks.values() if number in stack.leaders]
        assert len(holders) == (status == ON_MAP)
    assert leaders_in(scene.pos, AUSTRIA, ON_MAP)


def everywhere(scene: Scene, power: PowerId) -> int:
    return of(scene.draft.waiting, power) + sum(of(stack.sp, power) for stack in scene.draft.stacks.values())


def test_everywhere_counts_all() -> None:
    scene = waiting(prussia(), 7)
    assert everywhere(scene, PRUSSIA) == 32 == total(scene.draft.waiting) + 25
