"""R5: costs of a move, the hexes it may enter, and its possible ends."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cached_property, partial
from typing import Final, NamedTuple

from leuthen.engine.choice import STOP, Refusal, Slot, Token
from leuthen.engine.refusal import first_refusal
from leuthen.engine.ruleset import OTHER, SIDES, Side
from leuthen.rulesets.campaigns.model.data import PRUSSIAN
from leuthen.rulesets.campaigns.model.forces import is_occupied, strength
from leuthen.rulesets.campaigns.model.pieces import HUNGRY, Unit
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.rules.r02_leaders import Place, Where, is_bound, leaders_of, why_not_shift
from leuthen.rulesets.campaigns.rules.r09_supply import NOTHING, Owed, austrian_zone, depot_range, is_near, need, stock
from leuthen.rulesets.campaigns.rules.r13_havens import LOST, distances_home, havens_of
from leuthen.wargame.board import NOWHERE, Care, Hex, Hexes, as_hex, bit, hex_name, hex_set
from leuthen.wargame.strength import LeaderId, PowerId


class Pace(NamedTuple):
    """The progress of a path during its questions: hex and MP left."""

    here: Hex
    left: int
    onward: Callable[[Hex, int], Mapping[Hex, int]]
    """The hexes open from a hex with these MP, with the MP left there."""
    why: Callable[[Hex, Hex, int], Refusal]
    """The reason against a hex: from, to, MP left."""


def ask_way(
    pace: Pace,
    ends: Callable[[Hex, int], Sequence[int]],
    why_no_end: Callable[[Hex, int, Token], Refusal],
    canon: Callable[[list[Token]], list[Token]],
) -> Generator[Slot, Token, tuple[tuple[Hex, ...], bool]]:
    """Ask for a way hex by hex, then whether it ends in the field or inside.

    `ends` are the legal ends in a hex, `why_no_end` refuses STOP and the others, `canon` picks from the later values.
    """
    path: tuple[Hex, ...] = ()
    while True:
        here, left, onward = pace.here, pace.left, pace.onward(pace.here, pace.left)
        inside = ends(here, left)
        values: list[Token] = [*([STOP] if inside else []), *sorted(onward)]

        def refuse(token: Token, pace: Pace = pace) -> Refusal:
            if token == STOP:
                return why_no_end(pace.here, pace.left, token)
            return pace.why(pace.here, as_hex(token), pace.left)

        token = yield Slot("path", values, refuse, index=len(path), canon=canon(values) if path else values, about=pace)
        if token == STOP:
            return path, bool((yield Slot("inside", inside, partial(why_no_end, here, left))))
        path = (*path, as_hex(token))
        pace = pace._replace(here=path[-1], left=onward[path[-1]])


def fill_in(pos: Position, actor: Side, hexes: Sequence[Hex]) -> tuple[Hex, ...]:
    """Return a path without its first hex and without gaps, round enemies in the field if possible. Raise Invalid."""
    foes = pos.census.fields[OTHER[actor]] if actor in SIDES else 0
    return pos.data.board.fill_in(hexes, lambda there: (Care(barred=foes & ~bit(there)), Care()))


MARCH: Final = 6
WINTER_MARCH: Final = 5
FORCED: Final = 4
REACTION: Final = 3
RETREAT: Final = 4
LEAVE_ENEMY: Final = 2  # extra, out of a hex with an enemy field force (R5.1)
GATE: Final = 1  # into or out of a stronghold, or to take one (R5.1)
SHORT: Final = 2  # less, for hunger (R9.8, V3.5)
UNABLE: Final = 2  # up to this command a leader may not end out of supply (V3.1)


def allowance(pos: Position, units: Sequence[Unit], *, forced: bool = False) -> int:
    """Return the MP of a march or forced march (R5.1); 2 less if hungry (V3.5) or out of supply (R9.8)."""
    points = FORCED if forced else WINTER_MARCH if pos.is_winter else MARCH
    return points - SHORT * bool([unit for unit in units if unit.fodder == HUNGRY or is_starved(pos, unit)])


def is_starved(pos: Position, unit: Unit) -> bool:
    """Return whether a unit was out of supply in the last step H, which counts in the base game (R9.8)."""
    return not pos.options.einhorn and unit.hunger > 0


def leaving(enemy_fields: Hexes, here: Hex, *, inside: bool) -> int:
    """Return the extra MP to leave a stronghold, or enemies in the field, not inside (R5.1, R5.2)."""
    return LEAVE_ENEMY * (enemy_fields >> here & 1) + GATE * inside


class Walk:
    """A group on its way: the hexes that it may enter, their costs, and its possible ends.

    `lead` is the acting leader, `origin` the place it set out from, `kind` march, forced or reaction. `unmoved`: it has
    entered no hex yet; a march may then always enter one (`fresh`, R5.4). `owed`: the SP due for the first move (V3.5);
    `forage`: it moves without paying.
    """

    def __init__(
        self,
        pos: Position,
        group: Sequence[LeaderId],
        lead: LeaderId,
        left: int,
        *,
        kind: str = "march",
        fresh: bool = True,
        origin: tuple[Hex, bool] | None = None,
        owed: Owed = NOTHING,
        forage: bool = False,
    ) -> None:
        self.pos = pos
        self.units = [pos.units[number] for number in group]
        self.lead = lead
        self.left = left
        self.kind = kind
        self.unmoved = fresh
        self.fresh = fresh and kind == "march"
        self.owed = owed
        self.forage = forage
        self.purse = stock(self.units)
        self.stock = self.purse - (0 if forage else owed.usual)
        first = pos.units[lead]
        self.here = first.hex
        self.inside = first.inside
        self.side = pos.side(lead)
        self.origin = origin or (self.here, self.inside)
        self.tp = strength(self.units)
        daunted = [unit for unit in self.units if unit.daunted]
        self.is_daunted = bool(daunted) and pos.options.einhorn and kind != "reaction"
        self.enemy_fields = pos.census.fields[OTHER[self.side]]
        self.left_fields = 0 if kind == "reaction" else self.enemy_fields
        """The enemy fields that cost MP to leave (R5.1)."""
        self._rescues: dict[tuple[Hex, int], bool] = {}
        self._beyond: dict[Hex, Walk] = {}
        self._bars: dict[tuple[Hex, bool, bool], Refusal | None] = {}

    @cached_property
    def barred(self) -> Hexes:
        """The hexes that the group may not enter; there are no zones of control (R5.5)."""
        there = self.pos.census
        found = 0 if self.tp else self.enemy_fields  # R5.3
        if self.is_daunted:  # V8.2
            found |= self.enemy_fields | there.insides[OTHER[self.side]]
        if not self.tp and self.side == PRUSSIAN and any(self.pos.data.is_wagon(u.number) for u in self.units):  # V3.2b
            found |= austrian_zone(self.pos) & ~(there.fields[PRUSSIAN] | there.insides[PRUSSIAN])
        return found

    def why_barred(self, there: Hex) -> Refusal | None:
        if not self.barred >> there & 1:
            return None
        name, is_enemy = hex_name(there), self.enemy_fields >> there & 1
        return first_refusal(
            there,
            (is_enemy and not self.tp, "R5.3", "an enemy field force is in {}, and the group has no TP", name),
            (self.is_daunted, "V8.2", "a demoralized leader may not enter {}, where the enemy is", name),
            (True, "V3.2b", "a wagon without an escort may not enter {}, next to Austrians", name),
        )

    def beyond(self, here: Hex, there: Hex) -> Walk:
        """Return the walk after a step; SP due for the first move may depend on its hexside (V3.5)."""
        if here != self.here or there not in self.owed.others:
            return self
        if there not in self._beyond:
            self._beyond[there] = Walk(
                self.pos,
                [unit.number for unit in self.units],
                self.lead,
                self.left,
                kind=self.kind,
                fresh=self.unmoved,
                origin=self.origin,
                owed=Owed(self.owed.by(there), {}),
                forage=self.forage,
            )
        return self._beyond[there]

    def can_set_out(self, here: Hex, there: Hex) -> bool:
        """Return whether the group can pay for its first hex; it forages only where something is due (V3.5)."""
        if here != self.here or not self.owed.most:
            return True
        due = self.owed.by(there)
        return due > 0 if self.forage else self.purse >= due

    def steps(self, here: Hex, left: int, *, sets_out: bool = False) -> dict[Hex, int]:
        """Return the neighbours it may enter, of any land (R17.2), with the MP left.

        If it sets out, it may have to come out of a stronghold (R5.1, R5.2), and may always enter the first hex (R5.4).
        """
        found: dict[Hex, int] = {}
        barred, is_fresh = self.barred, sets_out and self.fresh
        left -= LEAVE_ENEMY * (self.left_fields >> here & 1) + GATE * (sets_out and self.inside)
        owes = here == self.here and self.owed.most
        for there, price in self.pos.data.board.steps[here].items():
            rest = left - price
            if (rest >= 0 or is_fresh) and not barred >> there & 1 and (not owes or self.can_set_out(here, there)):
                found[there] = max(0, rest)
        return found

    @cached_property
    def reach(self) -> dict[Hex, int]:
        """The most MP left in each hex within reach, its own included."""
        found = {self.here: self.left}
        shells: list[list[Hex]] = [[] for _ in range(self.left + 1)]
        shells[self.left].append(self.here)
        for left in range(self.left, -1, -1):
            for place in shells[left]:
                if found[place] != left or (place != self.here and self.enemy_fields >> place & 1):
                    continue
                for there, rest in self.steps(place, left, sets_out=place == self.here).items():
                    if rest > found.get(there, -1):
                        found[there] = rest
                        if there != self.here:
                            shells[rest].append(there)
        return found

    def why_not_go_inside(self, here: Hex, left: int) -> Refusal | None:
        """Return the rule that keeps the group from going inside with these MP left, or None (R10.3)."""
        place = self.pos.data.strongholds.get(here)
        if place is None or not self.pos.data.kinds[place.kind].inside:
            return Refusal("R10.1", "there is no fort or fortress in {}", (hex_name(here),), here)
        if not is_occupied(self.pos, here, self.side):
            return Refusal("R10.3", "{} has no garrison of yours", (place.name,), here)
        if left < GATE:
            return Refusal("R5.1", "going inside costs 1 MP", (), here)
        return None

    def why_not_end(self, here: Hex, left: int, inside: bool) -> Refusal | None:
        """Return the rule that forbids to end the move there, or None (V8.2, V3.1, V2.2)."""
        if inside and (refusal := self.why_not_go_inside(here, left)):
            return refusal
        if (here, inside) not in self.havens and self.havens:
            return Refusal("V8.2", "a demoralized leader goes to the nearest occupied fort, and inside", (), here)
        if self.is_daunted:
            return None
        stays = here == self.here and left == self.left and (self.unmoved or self.kind == "reaction")
        key = here, inside, stays
        if key not in self._bars:
            self._bars[key] = (None if stays else self.why_hungry(here, inside)) or self.why_too_large(here, inside)
        return self._bars[key]

    def why_hungry(self, here: Hex, inside: bool) -> Refusal | None:
        """Return the refusal if a leader of command 2 or 1 would end out of supply after paying (V3.1)."""
        if not self.pos.options.einhorn or self.pos.leader(self.lead).command > UNABLE:
            return None
        if is_near(self.pos, here, self.side, inside) or self.stock >= need(self.pos, self.tp):
            return None
        name = self.pos.leader(self.lead).name
        return Refusal("V3.1", "{} may not end his move out of supply at {}", (name, hex_name(here)), here)

    def why_too_large(self, here: Hex, inside: bool) -> Refusal | None:
        """Return the refusal if a nation's forces would violate V2.2."""
        for nation, before in self._before.items():
            place = here, inside
            if place not in self._places_before[nation] and self._is_free_elsewhere[nation]:
                continue
            if refusal := self._why_not_at(nation, before, place):
                return refusal
        return None

    def _why_not_at(self, nation: PowerId, before: Where, place: Place) -> Refusal | None:
        moved = {unit.number: (place, before[unit.number][1]) for unit in self.units if unit.number in before}
        return why_not_shift(self.pos, nation, before, {**before, **moved})

    @cached_property
    def _places_before(self) -> dict[PowerId, set[Place]]:
        """The places of each bound nation's leaders before the group set out."""
        return {nation: {place for place, _ in before.values()} for nation, before in self._before.items()}

    @cached_property
    def _held_fields(self) -> Hexes:
        return hex_set([here for places in self._places_before.values() for here, inside in places if not inside])

    @cached_property
    def possible_ends(self) -> Hexes:
        """A superset of the hexes where the move may end: safe ones, its own, those of comrades, or inside."""
        if self.is_daunted:
            return self.pos.data.board.land
        inside = self.pos.census.insides[self.side] & self.pos.data.places_held
        return self.safe_ends | self._held_fields | inside | 1 << self.here

    @cached_property
    def _is_free_elsewhere(self) -> dict[PowerId, bool]:
        """By bound nation, whether the group may end without a comrade; the hex does not matter."""
        return {
            nation: self._why_not_at(nation, before, (NOWHERE, False)) is None
            for nation, before in self._before.items()
        }

    @cached_property
    def _before(self) -> dict[PowerId, Where]:
        members = [unit.number for unit in self.units if unit.tp and not self.pos.data.is_wagon(unit.number)]
        found: dict[PowerId, Where] = {}
        for nation in sorted({self.pos.leader(number).nation for number in members}):
            if is_bound(self.pos, nation):
                where = leaders_of(self.pos, nation)
                found[nation] = {**where, **{n: (self.origin, where[n][1]) for n in members if n in where}}
        return found

    @cached_property
    def havens(self) -> frozenset[tuple[Hex, bool]]:
        """The places where a demoralized leader may end (V8.2); empty if any will do."""
        if not self.is_daunted:
            return frozenset()
        forts = havens_of(self.pos, self.side, self.units)
        near = [here for here in forts if self.reach.get(here, -1) >= GATE or (here == self.here and self.inside)]
        if near:
            return frozenset((here, True) for here in near)
        away = distances_home(self.pos, hex_set(forts), self.barred)
        least = min(map(away.far, self.reach))
        return frozenset((here, False) for here in self.reach if away.far(here) == least < LOST)

    @cached_property
    def is_free(self) -> bool:
        bound = self.pos.options.einhorn and self.pos.leader(self.lead).command <= UNABLE
        return not (bound or self.is_daunted or self._before)

    def can_end(self, here: Hex, left: int) -> bool:
        if self.is_free or self.safe_ends >> here & 1:
            return True
        if not self.possible_ends >> here & 1:
            return False
        return not self.why_not_end(here, left, False) or not self.why_not_end(here, left, True)

    @cached_property
    def safe_ends(self) -> Hexes:
        """Hexes where the move may end in the field with any MP left: fed, and without comrades."""
        if self.is_daunted or not all(self._is_free_elsewhere.values()):
            return 0
        bound = self.pos.options.einhorn and self.pos.leader(self.lead).command <= UNABLE
        hungry = bound and not self.pos.is_first and self.stock < need(self.pos, self.tp)
        return (depot_range(self.pos, self.side) if hungry else self.pos.data.board.land) & ~self._held_fields

    def has_end(self, here: Hex, left: int) -> bool:
        """Return whether the move may end in a hex or somewhere beyond it."""
        if self.safe_ends >> here & 1:
            return True
        key = here, left
        if key not in self._rescues:
            self._rescues[key] = self.can_end(here, left) or self._has_end_beyond(here, left)
        return self._rescues[key]

    def _has_end_beyond(self, here: Hex, left: int) -> bool:
        if self.enemy_fields >> here & 1 or not self.possible_ends & self.pos.data.board.within(here, left):
            return False
        for there, rest in self.steps(here, left).items():
            if (self.beyond(here, there) if self.owed.others else self).has_end(there, rest):
                return True
        return False

    def why_no_end(self, here: Hex, left: int) -> Refusal:
        """Return the reason why a path through a hex could not end legally."""
        reason = "no march through there can end legally"
        return self.why_not_end(here, left, False) or Refusal("R5.1", reason, (), here)

    def onward(self, here: Hex, left: int, *, sets_out: bool) -> dict[Hex, int]:
        """Return the neighbours from which a legal end can follow, with the MP left."""
        found = self.steps(here, left, sets_out=sets_out)
        if self.is_free:
            return found
        safe = 0 if here == self.here and self.owed.others else self.safe_ends  # who pays less may be fed elsewhere
        walks = {there: self.beyond(here, there) for there in found} if self.owed.others else {}
        return {
            there: rest
            for there, rest in found.items()
            if safe >> there & 1 or walks.get(there, self).has_end(there, rest)
        }

    @property
    def is_stopped(self) -> bool:
        """True if enemies in the field have ended the march (R5.3)."""
        return bool(self.enemy_fields >> self.here & 1) and not self.unmoved

    def goes_on(self) -> bool:
        return not self.is_stopped and bool(self.onward(self.here, self.left, sets_out=True))

    def why_not_enter(self, here: Hex, there: Hex, left: int, *, sets_out: bool = False) -> Refusal:
        if there not in self.pos.data.board.steps[here]:
            return Refusal("R1.7", "{} cannot be entered from {}", (hex_name(there), hex_name(here)), there)
        if refusal := self.why_barred(there):
            return refusal
        if not self.can_set_out(here, there):
            if self.forage:
                return Refusal("V3.5", "no SP are due on the way to {}", (hex_name(there),), there)
            due = self.owed.by(there)
            return Refusal("V3.5", "{} SP are due at the group's first step; it has {}", (due, self.purse), here)
        price = self.pos.data.board.steps[here][there]
        price += leaving(self.left_fields, here, inside=sets_out and self.inside)
        if price > left:
            return Refusal("R5.1", "{} costs {} MP, with {} left", (hex_name(there), price, left), there)
        return self.beyond(here, there).why_no_end(there, left - price)


def is_crossing(pos: Position, here: Hex, there: Hex) -> bool:
    """Return whether a river or a pass separates two hexes (R5.1)."""
    return pos.data.board.side(here, there).cost > 0
