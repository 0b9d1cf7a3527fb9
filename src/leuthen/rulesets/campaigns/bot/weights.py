"""Weights of the bots' decisions, by level."""

from typing import Final, NamedTuple


class BotWeights(NamedTuple):
    loyalty: float = 1.15  # how much more a target is worth that is the army's mission already
    abroad_factor: float = 0.08  # what is left of the worth of a target outside of the nation's country
    min_corps: int = 8  # TP from which a leader has a mission of his own
    min_army_per_garrison: int = 1  # TP that an army keeps for each that it leaves in a garrison
    saves_wagons: bool = True  # whether who slips away takes wagons along that would be lost where they are
    max_shut_in: int = 8  # TP from which a force does not go behind walls where it could be shut in (R10.5)
    blockade_factor: float = 0.6  # how well a force does its work that shuts in more men than it has itself
    enemy_strength_factor: float = 1.0  # how much of the might of those who are about is reckoned with in a siege
    delay_factor: float = 0.78  # what is left each turn of the worth of help that comes later, or of an enemy away
    min_march_gain: float = 0.3  # how much better the end of a march has to be than to stay
    min_battle_chance: float = 0.1  # the chance of victory below which a battle is broken off


CAPTAIN: Final = BotWeights()
CADET: Final = BotWeights(
    loyalty=0.9, abroad_factor=1.0, min_corps=1, min_army_per_garrison=6, saves_wagons=False, max_shut_in=1000,
    blockade_factor=0.0, enemy_strength_factor=0.6, delay_factor=0.7, min_march_gain=0.8, min_battle_chance=0.15,
)  # fmt: skip
LEVELS: Final = {"captain": CAPTAIN, "cadet": CADET}
