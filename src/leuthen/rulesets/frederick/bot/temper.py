"""The numbers by which generals weigh: those of the planner, which are frozen; a captain has others."""

from __future__ import annotations

from typing import Final, NamedTuple


class Temper(NamedTuple):
    """What a general thinks things are worth. Men are SP; what a hex is worth, in movement points nearer to the goal.

    Those of the captain were found by games in which all of them were changed a little at once (docs/bots.md).
    """

    pace: float = 4.0
    """Movement points that an army is taken to have a turn."""
    delay: float = 0.1
    """What a fortress loses of its worth, as a part of it, with each turn until it falls: much may happen."""
    patience: float = 1.4
    """What it adds to a siege that the army is there already."""
    around: int = 5
    """Hexes about a goal within which armies on either side count."""
    hunt_far: int = 10
    """Hexes over which an enemy is gone for."""
    reach: int = 4
    """Hexes over which an army is taken to strike within a turn."""
    ability: float = 0.07
    """How much stronger an army is taken to be for each point of its commander."""
    fear: float = 1.0
    walls: float = 3.0
    """How strong the enemy is believed to be beside what he should have, and how weak inside beside in the field."""
    largest: int = 60
    """SP that no enemy army is believed to have more than."""
    helpers: float = 0.7
    """How much friends count who stand near a goal."""
    least_chance: float = 0.25
    """The chance to hold the field from which on a fortress is a goal."""
    siege_turns: float = 2.0
    """Turns that a roll for a fortress takes."""
    urgent: float = 1.2
    """What it is worth to save a fortress that is besieged, beside taking one."""
    watchful: float = 0.5
    """The same of one near which an enemy stands."""
    rescue: float = 0.45
    """The chance to hold the field from which on an army comes to save."""
    gathering: float = 14.0
    """How much small forces want to join a bigger one."""
    handful: int = 6
    """Fewer SP than these do not campaign by themselves."""
    hunting: float = 1.2
    """What an SP is worth that a battle should bring."""
    great: float = 6.0
    silesia: float = 3.0
    surrender: float = 8.0
    """What a fortress is worth beyond its VP: a great one, a Silesian one, the last of a power (C11.2)."""
    hunger: float = 3.0
    melting: float = 0.12
    way_back: float = 0.8
    """What it costs to end a march out of supply: at all, for each SP, for each hex of the way back."""
    walk_in: float = 0.8
    """How much an empty fortress on the way counts beside its worth."""
    caution: float = 1.0
    """How much an SP counts that the enemy could take."""
    meeting: float = 1.0
    """How much an SP counts that a battle should bring, on the march."""
    least_gain: float = 0.5
    battle_chance: float = 0.5
    """What a battle must promise into which an army marches: SP, and the chance to win."""
    attack: float = 0.2
    """The SP that an attack must promise."""
    forestalls: float = 0.5
    """How many SP better an attack must be than to be attacked."""
    rout: float = 0.12
    """What a won battle is worth on top of the losses, as a part of the beaten army: demoralized, driven off."""
    march: float = 0.4
    """How much better the destination of a march must be than to stay."""
    homeward: int = 13
    """From this turn on armies look for winter quarters."""
    way_home: float = 0.6
    cold: float = 0.22
    """What a winter in the open costs: a hex of the way to quarters; the cold, as a part of an army."""
    two_armies: int = 44
    """SP from which a power begins a year with two armies."""
    second: float = 0.42
    """The share of the second."""
    care: float = 0.5
    """Where an army begins a year: how much holding counts beside taking."""
    nearness: float = 2.0
    """The same: how far an army looks for what there is to take and to hold."""

    kept_siege: float = 1.6
    kept_relief: float = 1.2
    """How much more a mission is worth that an army has already."""
    crumb: float = 4.0
    """An enemy of whose strength an army has more than so much is no match, and no aim."""
    leash: int = 10
    """Hexes from home over which an ally's army goes."""
    abroad: float = 0.25
    """What is left of the worth of a goal beyond them."""
    shared: float = 0.55
    """What is left of the worth of a goal that another army has."""
    large: int = 26
    least_part: int = 10
    share: float = 0.45
    worth_a_part: float = 0.4
    """SP from which an army may send a part away; the least and the share of it; how good its goal must be."""
    bold: float = 2.0
    """How much danger, in SP, an army stands for a siege."""
    to_and_fro: float = 2.0
    """How much better a hex must be in which the army stood a short while ago."""
    contagion: float = 0.5
    """What it costs a force to be demoralized by friends, as a part of it."""
    calm: float = 1.6
    weary: float = 4.0
    forced_hunt: float = 1.0
    forced_relief: float = 1.0
    """What a force march must bring: at least; for an SP that it may cost (O6.1); to fight or to save, times that."""
    frost: float = 0.06
    """What a turn in the open costs in winter, as a part of an army (O14.2)."""
    hardy: int = 10
    """Fewer SP than these do not campaign in winter: each attrition costs one at least."""
    winter_gain: float = 3.0
    """How many SP a battle must bring more than it costs, for which an army stays out."""
    quiet: float = 1.0
    """How much danger, in SP, there may be where a depot is begun."""
    exposed: int = 6
    """Hexes within which an enemy army threatens a fortress."""
    great_garrison: int = 4
    garrison: int = 2
    """SP in a fortress that is threatened."""
    field_leaders: int = 3
    """Leaders of a power who stay with its armies."""
    governed: int = 8
    """Hexes within which an enemy army or fortress makes a fortress worth a governor."""


PLANNER: Final = Temper()
