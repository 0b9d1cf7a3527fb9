"""A position as a bot sees it: the hidden strength it believes in, worth of places, likely targets, and danger.

The belief is one estimate that fits the view. It follows from the view alone, without dice, so that equal views give
equal decisions. Without the option `hidden` everything is open (R1.6).
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from leuthen.engine.memo import Memo, memo_of, memoized
from leuthen.engine.ruleset import OTHER, SIDES, Side, as_side
from leuthen.rulesets.campaigns.bot.weights import CAPTAIN, BotWeights
from leuthen.rulesets.campaigns.knowledge import Filler, View, complete_view
from leuthen.rulesets.campaigns.model import data as nations
from leuthen.rulesets.campaigns.model import forces
from leuthen.rulesets.campaigns.model.pieces import AT_WAR, TURNS, UNKNOWN, Unit
from leuthen.rulesets.campaigns.model.state import Position, State
from leuthen.rulesets.campaigns.rules.r09_supply import working_depots
from leuthen.rulesets.campaigns.rules.r12_battle import GREAT, HUGE, LARGE, is_shaken, morale
from leuthen.rulesets.campaigns.rules.r15_arrivals import RECRUITING
from leuthen.rulesets.campaigns.rules.r16_victory import PER, PLACES
from leuthen.wargame.board import FAR, Board, Hex, Hexes, StackKey, Ways, hex_set
from leuthen.wargame.bot.value import Band, share_strength
from leuthen.wargame.search import Goal
from leuthen.wargame.strength import LeaderId, PowerId, is_mixed, of

DICE: Final = range(1, 7)
TWO_DICE: Final = tuple(sum(1 for a in DICE for b in DICE if a + b > n) / 36 for n in range(13))
"""chance that two dice exceed a number"""
ROUNDS: Final = 6  # nearly every battle ends within these
ROUT: Final = 0.25  # value of a victory beside the losses, as a share of the beaten army
VICTORY: Final = 10.0  # value of winning a great battle, in TP: 2 VP (R16.2)


class Corps(NamedTuple):
    """A force in battle: TP, its commander's ratings and handicaps."""

    tp: int
    command: int
    combat: int
    morale: int
    shaken: bool
    mixed: bool

    def commitment(self, pos: Position) -> int:
        """Return the modifier of the commitment die (R12.3)."""
        size = (self.tp > LARGE) + (self.tp > HUGE) if pos.options.einhorn else 0
        return self.command - 2 - size - self.shaken - (self.mixed and self.command < 3)


class BattleMeans(NamedTuple):
    attacker_loss: float
    defender_loss: float
    attacker_wins: float
    defender_wins: float

    def gain(self, attackers: int, defenders: int) -> float:
        great = VICTORY * (min(attackers, defenders) >= GREAT)
        rout = self.attacker_wins * (ROUT * defenders + great) - self.defender_wins * (ROUT * attackers + great)
        return self.defender_loss - self.attacker_loss + rout


def corps_of(pos: Position, units: Sequence[Unit]) -> Corps:
    led = [unit for unit in units if unit.tp]
    number = forces.commander(pos, led)
    if number < 0:
        return Corps(0, 1, 0, 5, False, False)
    leader = pos.leader(number)
    return Corps(
        forces.strength(led), leader.command, leader.combat, morale(pos, number), is_shaken(pos, number),
        is_mixed(sum(unit.tp for unit in led)),
    )  # fmt: skip


def battle(pos: Position, attacker: Corps, defender: Corps, ground: tuple[bool, bool]) -> BattleMeans:
    """Return the odds of an attack; `ground`: in a mountain hex, across a river or pass."""
    sides = attacker, defender
    lost, wins, going = [0.0, 0.0], [0.0, 0.0], 1.0
    for number in range(1, ROUNDS + 1):
        strokes = []  # what the enemy loses, by die
        for side, corps in zip(SIDES, sides, strict=True):
            tp = _share(pos, corps.commitment(pos), number) * max(0.0, corps.tp - lost[side])
            added = corps.combat - corps.shaken - (2 * ground[0] + (ground[1] and number <= 2) if side == 0 else 0)
            strokes.append([tp * forces.percent_at(pos.data.combat, die + added, 0) / 100 for die in DICE])
        left, ends, mean = _round(sides, lost, strokes)
        wins = [wins[side] + going * ends[side] for side in (0, 1)]
        lost = [lost[side] + going * mean[side] for side in (0, 1)]
        going *= left
        if going < 0.02:
            break
    return BattleMeans(lost[0], lost[1], wins[0], wins[1])


def _share(pos: Position, added: int, number: int) -> float:
    shares = sorted(forces.percent_at(pos.data.commitment, die + added, 1) for die in DICE)
    weights = [((n + 1) / 6) ** number - (n / 6) ** number for n in range(6)]
    return sum(share * weight for share, weight in zip(shares, weights, strict=True)) / 100


def _round(sides: tuple[Corps, Corps], lost: Sequence[float], strokes: Sequence[list[float]]) -> tuple[
    float, tuple[float, float], tuple[float, float]
]:  # fmt: skip
    goes_on, wins = 0.0, [0.0, 0.0]
    for mine in strokes[0]:
        for theirs in strokes[1]:
            breaks = [
                _breaks(sides[0], lost[0], theirs, mine < theirs),
                _breaks(sides[1], lost[1], mine, theirs < mine),
            ]
            both = breaks[0] * breaks[1]
            worse = (lost[0] + theirs) * sides[1].tp >= (lost[1] + mine) * sides[0].tp
            goes_on += (1 - breaks[0]) * (1 - breaks[1])
            wins[0] += breaks[1] - both * worse
            wins[1] += breaks[0] - both * (not worse)
    over = 1 + (1 - goes_on / 36)
    mean = sum(strokes[1]) / 6 * over, sum(strokes[0]) / 6 * over
    return goes_on / 36, (wins[0] / 36, wins[1] / 36), mean


def _breaks(corps: Corps, lost: float, hit: float, worse: bool) -> float:
    """Return the chance that a commander breaks after a loss (R13.1)."""
    if hit < 0.5:
        return 0.0
    if lost + hit >= corps.tp:
        return 1.0
    return TWO_DICE[max(0, min(12, corps.morale - min(3, int(10 * (lost + hit) / corps.tp)) - worse))]


WASTAGE: Final = 0.985  # factor by which an army shrinks each turn, battles apart
POST: Final = 2.0  # weight of a garrison without a leader
SHELTERED: Final = 0.5  # weight factor of a leader inside
MOST: Final = 60  # TP of one force at most, if nothing is known of it


def estimate_state(data: nations.GameData, view: View) -> State:
    guesses = estimates(data, view) if view.options.hidden else {}
    return complete_view(data, view, Filler(strength=lambda force: guesses.get(force.key)))


def estimates(data: nations.GameData, view: View) -> dict[StackKey, int]:
    """Return the estimated TP of each hidden force: the nation's expected total, divided by weight."""
    hidden = [force for force in view.stacks if not view.knows(force.side) and force.most]
    found: dict[StackKey, int] = {}
    for nation in sorted({force.nation for force in hidden}):
        bands = []
        for force in hidden:
            if force.nation == nation:
                is_post = force.commander < 0 and force.most >= UNKNOWN and force.hex in data.strongholds
                most = data.kind_at(force.hex).garrison if is_post else MOST
                bands.append(Band(force.key, force.least, force.most, most, weight_of(data, force)))
        found.update(share_strength(bands, expected_total(data, view, nation)))
    return found


def expected_total(data: nations.GameData, view: View, nation: PowerId) -> float:
    """Return the TP that a nation should have: arrivals so far (R18) minus losses."""
    side, turns = nations.SIDE_OF[nation], view.turn + TURNS * (view.year - 1756) - view.first
    came = {other: _total_tp(data, view, other) for other in nations.ALL_NATIONS if nations.SIDE_OF[other] == side}
    lost = view.killed[OTHER[side]] * came[nation] / max(1, sum(came.values()))
    return max(1.0, (came[nation] - lost) * float(WASTAGE**turns) - of(view.prisoners[OTHER[side]], nation) / 2)


def _total_tp(data: nations.GameData, view: View, nation: PowerId) -> int:
    """Return the TP of a nation at the start and since (R10.8, R18.2–R18.4), with this year's replacements (R15)."""
    if view.status[nation] != AT_WAR:
        return 0
    scenario, now = data.scenarios[view.scenario], TURNS * (view.year - 1756) + view.turn
    joined = view.joined[nation]
    setup = scenario.setup if not joined else "1757"
    entries = [e for e in data.setups["joining" if joined else setup] if e.nation == nation]
    total = sum(entry.tp for entry in entries if (joined or TURNS * (int(setup) - 1756)) + entry.turn <= now)
    held = (place.holdings.get(setup) for place in data.strongholds.values())
    total += sum(one.tp for one in held if one is not None and one.nation == nation)
    if not view.options.einhorn:
        return total + view.raised[nation]
    # The years since the first; of this year the second half comes on turn 7 (R18.4).
    raised = sum(data.yearly.get((year, nation), 0) for year in range(scenario.year + 1, view.year + 1))
    return total + raised - (data.yearly.get((view.year, nation), 0) // 2 if view.turn < RECRUITING[1] else 0)


def weight_of(data: nations.GameData, force: forces.SeenForce) -> float:
    if force.commander < 0:
        return POST
    weight = 10.0 * (1 + data.leaders[force.commander].command)
    return weight * SHELTERED if force.inside else weight


STRIKE: Final = 6  # movement points within which an army can strike in a turn
NEAR: Final = 5  # hexes from its bases within which an army's communications are safe
APART: Final = 0.9  # discount of a place for each hex farther
OTHERS: Final = 0.5  # weight of further enemies beside the most dangerous one
SHUT: Final = 10  # TP inside a place that count as an army to be shut in (R10.5)
WEAR: Final = 0.6  # might factor of demoralized troops
LEAST_WIN: Final = 0.55
LEAST_GAIN: Final = 1.0
MARCH_POINTS: Final = 5.0  # movement points of an army in a turn
DELAY: Final = 0.88  # discount of a place for each turn until it falls
HOLDS: Final = {nations.CITY: 0.9, nations.FORT: 0.8, nations.FORTRESS: 0.75}
"""discount of a place that must be besieged"""
MARCH: Final = 0.75  # discount for each turn of marching
LEAST_MENACE: Final = 0.3
CHOICES: Final = 2  # places that one force is expected to have in mind
HORIZON: Final = 20  # movement points beyond which no enemy is feared
USE: Final = 0.4  # VP for any place, beside its points
CONQUEST: Final = 3.0  # VP for the last place of a nation (R17.7)
LABOUR: Final = {nations.CITY: 1, nations.FORT: 2, nations.FORTRESS: 4}  # share of a place in the conquest of an area
FARTHER: Final = 3.0  # remaining labour that halves the worth of an area


class FieldForce(NamedTuple):
    hex: Hex
    tp: int
    corps: Corps
    might: float
    way: bytes  # movement points to every hex


class Menace(NamedTuple):
    """An own place that an enemy force may attack, and the cost of losing it in VP."""

    hex: Hex
    force: FieldForce
    cost: float


class Memory:
    def __init__(self, board: Board) -> None:
        self.odds = Memo()
        self.ways = Ways(board)
        self.outlooks = Memo()  # the last outlook by side and weights
        self.values = Memo()


class Situation:
    """A position as one side estimates it. Computed values are cached."""

    def __init__(
        self, data: nations.GameData, view: View, memory: Memory | None = None, weights: BotWeights = CAPTAIN
    ) -> None:
        self.data = data
        self.weights = weights
        self.side = as_side(view.viewer)
        self.foe = OTHER[self.side]
        self.board: Board = data.board
        self.memory = memory or memo_of(data, "bots").get_or_compute("memory", lambda: Memory(data.board))
        self.pos: Position = estimate_state(data, view)
        self.memo = Memo()
        self.plan: Mapping[LeaderId, Goal] = {}  # goal of each own leader with TP, by the current plan

    @cached_property
    def _leaders(self) -> list[Unit]:
        data, pos = self.data, self.pos
        return [unit for n, unit in pos.units.items() if pos.side(n) == self.side and not data.is_wagon(n)]

    @cached_property
    def generals(self) -> list[Unit]:
        """Own leaders with TP, the strongest first."""
        return sorted([unit for unit in self._leaders if unit.tp], key=lambda unit: (-unit.strength, unit.number))

    @cached_property
    def idle(self) -> list[Unit]:
        return [unit for unit in self._leaders if not unit.tp]

    @cached_property
    def wagons(self) -> list[tuple[LeaderId, Unit]]:
        own = self.data.wagons_of[self.side]
        return [(n, unit) for n, unit in self.pos.units.items() if n in own]

    @cached_property
    def foes(self) -> list[FieldForce]:
        found = []
        for here in sorted({unit.hex for unit in self.pos.units.values() if self.pos.side(unit.number) == self.foe}):
            if units := self.field(here, self.foe):
                corps, way = corps_of(self.pos, units), self.memory.ways.table(here)
                found.append(FieldForce(here, forces.strength(units), corps, might(corps), way))
        return found

    def field(self, here: Hex, side: Side) -> tuple[Unit, ...]:
        if not self.pos.census.fields[side] >> here & 1:
            return ()
        return tuple([unit for unit in forces.units_at(self.pos, here, side) if unit.tp and not unit.inside])

    def way(self, here: Hex, there: Hex) -> int:
        return self.memory.ways.table(there)[here]

    def distance(self, here: Hex, there: Hex) -> int:
        return self.board.distances(there).get(here, FAR)

    @cached_property
    def turns_left(self) -> int:
        """Turns left in this scenario, at most a year."""
        plan = self.data.scenarios[self.pos.scenario]
        return TURNS if self.pos.year < plan.last else plan.end - self.pos.turn + 1

    @memoized("memo")
    def bases(self, nation: PowerId) -> Hexes:
        homes = [home for home in self.data.homes[nation] if self.pos.owners[home] == self.side]
        return hex_set((*homes, *working_depots(self.pos, self.side)))

    @memoized("memo")
    def communication(self, nation: PowerId, here: Hex) -> float:
        """Return the discount of a place far from the nation's own places and its side's depots."""
        bases = self.bases(nation)
        return float(APART ** max(0, self.memory.ways.gaps(bases)[here] - NEAR)) if bases else 1.0

    def guards(self, here: Hex) -> int:
        return forces.inside_tp(self.pos, here, self.foe)

    @cached_property
    def shut(self) -> dict[Hex, float]:
        """Might of enemy armies inside places that can be shut in and could sortie (V8.2)."""
        if not self.weights.blockade_factor:
            return {}
        found = {}
        for here, tp in self.pos.census.inside[self.foe].items():
            if tp > SHUT:
                able = [unit for unit in forces.force_at(self.pos, here, self.foe, True) if not unit.daunted]
                found[here] = might(corps_of(self.pos, able))
        return found

    @cached_property
    def worths(self) -> dict[Hex, float]:
        """Worth in VP of each place that can be taken (R16.2)."""
        values, pos = self._values(self.side), self.pos
        open_ones = [here for here in self.data.strongholds if pos.owners[here] != self.side]
        return {here: values[here] for here in open_ones if not pos.is_enemy_ground(here)}

    @cached_property
    def stakes(self) -> dict[Hex, float]:
        """Cost in VP of losing each own place: the enemy's gain and the men inside."""
        values = self._values(self.foe)
        return {
            here: values[here] + forces.inside_tp(self.pos, here, self.side) / PER
            for here, owner in self.pos.owners.items()
            if owner == self.side
        }

    def _values(self, side: Side) -> dict[Hex, float]:
        key = side, self.pos.status, tuple(self.pos.owners[here] for here in self.data.strongholds)
        lacking = (here for here in self.data.strongholds if self.pos.owners[here] != side)
        return self.memory.values.get_or_compute(key, lambda: {here: worth(self.pos, here, side) for here in lacking})

    def threat(self, here: Hex) -> int:
        return sum(force.tp for force in self.foes if force.way[here] <= STRIKE) if self.struck >> here & 1 else 0

    @cached_property
    def struck(self) -> Hexes:
        found = 0
        for force in self.foes:
            found |= self.memory.ways.struck(force.hex, STRIKE)
        return found

    @cached_property
    def menaces(self) -> list[Menace]:
        """The own places that each enemy force threatens most."""
        found: list[Menace] = []
        for force in self.foes:
            found += sorted(self._menaces_of(force), key=lambda menace: (-menace.cost, menace.hex))[:CHOICES]
        return found

    def _menaces_of(self, force: FieldForce) -> Iterator[Menace]:
        for here, stake in self.stakes.items():
            far = force.way[here]
            if far > HORIZON:
                continue
            place, guards = self.data.strongholds[here], forces.inside_tp(self.pos, here, self.side)
            cost = stake * MARCH ** (far / MARCH_POINTS)
            if guards:
                least = self.data.kinds[place.kind].besieger
                cost *= HOLDS[place.kind] if force.tp >= least and force.tp > guards else 0.0
            if cost > LEAST_MENACE:
                yield Menace(here, force, cost)

    def fight(
        self, attacker: Sequence[Unit], defender: Sequence[Unit], here: Hex, *, crossed: bool = False
    ) -> BattleMeans:
        return self._fight(corps_of(self.pos, attacker), corps_of(self.pos, defender), here, crossed=crossed)

    def _fight(self, attacker: Corps, defender: Corps, here: Hex, *, crossed: bool = False) -> BattleMeans:
        ground = bool(self.board.mountains >> here & 1), crossed
        key = attacker, defender, ground, self.pos.options.einhorn
        return self.memory.odds.get_or_compute(key, lambda: battle(self.pos, attacker, defender, ground))

    def is_good_attack(self, mine: Sequence[Unit], enemy: Sequence[Unit], here: Hex, *, crossed: bool = False) -> bool:
        if not mine or not enemy:
            return False
        odds = self.fight(mine, enemy, here, crossed=crossed)
        gain = odds.gain(forces.strength(mine), forces.strength(enemy))
        return odds.attacker_wins >= LEAST_WIN and gain >= LEAST_GAIN

    def danger(self, units: Sequence[Unit], here: Hex) -> float:
        """Return the TP that the enemy would gain by attacking units one force after another."""
        if not self.struck >> here & 1:
            return 0.0
        coming = [force for force in self.foes if force.hex != here and force.way[here] <= STRIKE]
        if not coming:
            return 0.0
        mine = self.with_friends(units, here)
        corps, tp = corps_of(self.pos, mine), forces.strength(mine)
        odds = [(force.tp, self._fight(force.corps, corps, here)) for force in coming]
        gains = sorted([max(0.0, one.gain(theirs, tp)) for theirs, one in odds], reverse=True)
        return gains[0] + OTHERS * sum(gains[1:])

    def with_friends(self, units: Sequence[Unit], here: Hex) -> tuple[Unit, ...]:
        numbers = {unit.number for unit in units}
        return (*units, *(unit for unit in self.field(here, self.side) if unit.number not in numbers))

    def is_trap(self, tp: int, here: Hex, within: int = STRIKE) -> bool:
        """Return whether a force would be shut in at a place by enemies within some MP (R10.5)."""
        if tp < self.weights.max_shut_in:
            return False
        about = sum(force.tp for force in self.foes if force.way[here] <= within)
        return about >= max(self.data.kind_at(here).besieger, max(tp, forces.inside_tp(self.pos, here, self.side)) / 2)

    def would_leave_wagons(self, going: Sequence[LeaderId], leader: LeaderId) -> bool:
        here = self.pos.units[leader].hex
        stay = [unit for unit in self.field(here, self.side) if unit.number not in going and unit.number != leader]
        return not stay and bool(forces.wagons_at(self.pos, here, self.side)) and not self.is_shelter(here)

    def is_shelter(self, here: Hex) -> bool:
        """Return whether a hex is an own place with a garrison that nearby enemies cannot shut in."""
        return forces.inside_tp(self.pos, here, self.side) > 0 and self.threat(here) < self.data.kind_at(here).besieger


def might(corps: Corps) -> float:
    """Return a force's TP, adjusted for its commander and for demoralization."""
    return corps.tp * skill(corps) * (WEAR if corps.shaken else 1.0)


def skill(leader: Corps | nations.Leader) -> float:
    return 1 + 0.2 * (leader.combat - 1) + 0.15 * (leader.command - 2)


def worth(pos: Position, here: Hex, side: Side) -> float:
    """Return the gain of taking a place from the other side or from neutrals."""
    place = pos.data.strongholds[here]
    foe = OTHER[side]
    value = USE + _share_of_area(pos, place, side)
    if place.nation >= 0 and (nations.SIDE_OF[place.nation] == foe or pos.owners[here] == foe):
        value += PLACES.get(place.kind, 0)
    if place.nation >= 0 and nations.SIDE_OF[place.nation] != side and pos.status[place.nation] == AT_WAR:
        forts = [there for there in pos.data.homes[place.nation] if pos.data.kind_at(there).inside]
        lost = sum(pos.owners[there] == side for there in forts)
        value += CONQUEST * lost / len(forts) if forts else 0.0
    return value


def _share_of_area(pos: Position, place: nations.Stronghold, side: Side) -> float:
    area = pos.data.areas[place.area]
    if area.nation < 0:
        return 0.0
    work = {there: LABOUR[pos.data.strongholds[there].kind] for there in pos.data.places_of[place.area]}
    part = work[place.hex]
    if nations.SIDE_OF[area.nation] != side:
        missing = sum(points for there, points in work.items() if pos.owners[there] != side)
        return area.points * part / missing / (1 + (missing - part) / FARTHER) if missing else 0.0
    lost = sum(points for there, points in work.items() if pos.owners[there] == OTHER[side])
    whole = sum(work.values())
    if lost == whole:
        return area.points * max(0.5, part / whole)
    return area.points * lost * part / whole**2


_WEST: Final = ("Westphalia", "Hanover", "Hesse", "Rhine", "France")
_GERMANY: Final = ("Thuringia", "Franconia")
_SAXONY: Final = ("Saxony", "Lusatia")
_BOHEMIA: Final = ("North Bohemia", "West Bohemia")
_SILESIA: Final = ("Lower Silesia", "Upper Silesia", "Glatz")
_SOUTH: Final = ("Moravia", "Austria")
_MARK: Final = ("Brandenburg", "Magdeburg")
_BALTIC: Final = ("Pomerania", "Swedish Pomerania")
_EAST: Final = ("East Prussia", "Poland")
THEATRES: Final[Mapping[str, tuple[str, ...]]] = {
    "west": _WEST, "germany": _GERMANY, "saxony": _SAXONY, "bohemia": _BOHEMIA, "silesia": _SILESIA, "south": _SOUTH,
    "mark": _MARK, "baltic": _BALTIC, "east": _EAST,
}  # fmt: skip
"""Areas by theatre, each in one. A hex belongs to the area of its nearest stronghold."""
COUNTRY: Final[Mapping[int, tuple[str, ...]]] = {
    nations.PRUSSIA: (*_GERMANY, *_SAXONY, *_BOHEMIA, *_SILESIA, *_SOUTH, *_MARK, *_BALTIC, *_EAST),
    nations.HANOVER: (*_WEST, *_GERMANY, "Magdeburg"),
    nations.AUSTRIA: (*_SAXONY, *_BOHEMIA, *_SILESIA, *_SOUTH, "Brandenburg"),
    nations.FRANCE: (*_WEST, *_GERMANY, "Magdeburg", "Saxony"),
    nations.RUSSIA: (*_EAST, "Pomerania", "Brandenburg", "Lower Silesia"),
    nations.EMPIRE: (*_GERMANY, *_SAXONY, "Hesse", "West Bohemia"),
    nations.SWEDEN: (*_BALTIC, "Brandenburg"),
    nations.SAXONY: (*_SAXONY, *_BOHEMIA),
}
"""areas where each nation's armies fought"""
WAY: Final = 2  # hexes beyond its country that an army may stray along roads


def country(data: nations.GameData, names: Container[str]) -> Hexes:
    areas = {number for number, area in enumerate(data.areas) if area.name in names}
    own = hex_set(here for here, place in data.strongholds.items() if place.area in areas)
    other = hex_set(here for here, place in data.strongholds.items() if place.area not in areas)
    while True:
        before = own | other
        own |= data.board.spread(own) & data.board.land & ~before
        other |= data.board.spread(other) & data.board.land & ~before & ~own
        if own | other == before:
            return own


def is_astray(data: nations.GameData, nation: PowerId, here: Hex) -> bool:
    """Return whether a hex is farther outside a nation's country than the roads explain."""

    def theatre() -> Hexes:
        near = country(data, COUNTRY[nation])
        for _ in range(WAY):
            near |= data.board.spread(near)
        return near

    return not memo_of(data, "bots").get_or_compute(("theatre", nation), theatre) >> here & 1
