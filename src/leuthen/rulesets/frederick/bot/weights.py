"""Weights of the bots' decisions, by level."""

from typing import Final, NamedTuple


class BotWeights(NamedTuple):
    """Values of things for a bot; the defaults are the captain's.

    Forces are counted in SP, hexes in movement points nearer to the goal. The captain's weights were tuned by games in
    which all were changed a little at once (docs/bots.md).
    """

    points_per_turn: float = 2.5  # movement points that an army is taken to make in a turn
    siege_decay: float = 0.13  # the part of its worth that a fortress loses with each turn until it falls
    max_hunt_hexes: int = 9  # hexes over which an army goes for an enemy
    enemy_strength_factor: float = 1.17  # SP that the enemy is believed to have, for each that he should have
    max_enemy_army: int = 110  # SP that no enemy army is believed to exceed
    helper_share: float = 0.85  # how much an SP of friends near a goal counts
    turns_per_siege_roll: float = 1.5  # turns that a siege roll takes
    threatened_value: float = 0.55  # what it is worth to cover a fortress near which an enemy stands, beside taking one
    joining_value: float = 12.0  # how strongly small forces are drawn to a bigger one
    battle_value: float = 0.95  # what an SP is worth that a battle should bring, for an army that looks for a goal
    great_fortress_value: float = 4.2  # what a great fortress is worth beyond its VP
    hunger_per_sp: float = 0.105  # what it costs, for each SP, to end a march out of supply
    danger_per_sp: float = 0.8  # what an SP is worth that the enemy could take
    march_battle_value: float = 2.0  # what an SP is worth that a battle should bring, for a force on the march
    rout_share: float = 0.11  # what it is worth to win a battle, beside the losses, as a part of the beaten army
    min_march_gain: float = 0.3  # how much better the end of a march must be than to stay
    homeward_turn: int = 12  # the turn from which armies look for winter quarters
    quarters_per_hex: float = 0.5  # what each hex of the way to winter quarters costs
    cold_share: float = 0.165  # what a winter in the open costs, as a part of an army
    second_army_share: float = 0.48  # the share of a power's second army
    kept_siege_factor: float = 1.25  # how much more a siege is worth that is the army's mission already
    kept_relief_factor: float = 0.85  # how much more it is worth to save a fortress that is the army's mission already
    max_ally_hexes: int = 11  # hexes from home over which an ally's army goes
    abroad_factor: float = 0.28  # what is left of the worth of a goal beyond them
    shared_factor: float = 0.47  # what is left of the worth of a goal that another army has
    min_divided_army: int = 28  # SP from which an army may send a part away
    detached_share: float = 0.48  # the share of an army that is sent away
    min_detached_value: float = 0.25  # how good the goal of a part must be, beside the best that it could have
    return_penalty: float = 3.5  # how much better a hex must be in which the army stood a short while ago
    force_march_price: float = 2.5  # what a force march must bring at least
    force_march_risk_price: float = 6.0  # what it must bring on top under an able commander, whose march is long (O6.1)
    force_march_hunt_factor: float = 1.2  # by how much that differs for a force that marches to fight
    force_march_relief_factor: float = 0.85  # by how much that differs for a force that marches to save a fortress
    winter_loss_share: float = 0.05  # what a turn in the open costs in winter, as a part of an army (O14.2)
    min_winter_gain: float = 3.2  # SP that a battle must bring for which an army stays in the field in winter
    threat_hexes: int = 4  # hexes within which an enemy army threatens a fortress
    great_garrison: int = 3  # SP in a great fortress that is threatened
    garrison: int = 1  # SP in another fortress that is threatened
    field_leaders: int = 2  # leaders of a power who stay with its armies


CAPTAIN: Final = BotWeights()
CADET: Final = BotWeights(
    points_per_turn=4.0, siege_decay=0.1, max_hunt_hexes=10, enemy_strength_factor=1.0, max_enemy_army=60,
    helper_share=0.7, turns_per_siege_roll=2.0, threatened_value=0.5, joining_value=14.0, battle_value=1.2,
    great_fortress_value=6.0, hunger_per_sp=0.12, danger_per_sp=1.0, march_battle_value=1.0, rout_share=0.12,
    min_march_gain=0.4, homeward_turn=13, quarters_per_hex=0.6, cold_share=0.22, second_army_share=0.42,
    kept_siege_factor=1.6, kept_relief_factor=1.2, max_ally_hexes=10, abroad_factor=0.25, shared_factor=0.55,
    min_divided_army=26, detached_share=0.45, min_detached_value=0.4, return_penalty=2.0, force_march_price=1.6,
    force_march_risk_price=4.0, force_march_hunt_factor=1.0, force_march_relief_factor=1.0, winter_loss_share=0.06,
    min_winter_gain=3.0, threat_hexes=6, great_garrison=4, garrison=2, field_leaders=3,
)  # fmt: skip
LEVELS: Final = {"captain": CAPTAIN, "cadet": CADET}
