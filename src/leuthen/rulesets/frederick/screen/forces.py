"""The counters of a scene, with the states of stacks, and the order of battle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from typing import Final, NamedTuple, TypeAlias

from leuthen.engine.memo import memo_of, memoized
from leuthen.engine.ruleset import NOBODY, OwnerId, Side
from leuthen.rulesets.frederick.knowledge import AT_LEAST, View, complete_view
from leuthen.rulesets.frederick.model.data import ALL_POWERS, NATIONS, GameData, when
from leuthen.rulesets.frederick.model.events import SIDE_NAMES
from leuthen.rulesets.frederick.model.pieces import (
    CAPTIVE,
    DONE,
    GONE,
    ON_MAP,
    POOL,
    SIDES,
    UNKNOWN,
    WAITING,
    SeenStack,
    Stack,
)
from leuthen.rulesets.frederick.model.stacks import by_seniority, commander_of, nation_of
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c02_setup import SetupPlan
from leuthen.rulesets.frederick.rules.c12_victory import holders
from leuthen.rulesets.frederick.rules.o05_march import ForceMarchPhase, MarchPhase
from leuthen.rulesets.frederick.rules.o10_supply import MOST_DEPOTS, is_besieged, is_supplied
from leuthen.screen.forces import KnownForce, Reporter, band
from leuthen.screen.values import Badge, Chip, Muster, MusterEntry, Piece
from leuthen.wargame.board import Hex, hex_name, stack_key
from leuthen.wargame.names import format_count
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, by_power, is_mixed, of, total

_MARCHES: Final = (MarchPhase, ForceMarchPhase)


class Report(Reporter[GameData, View]):
    """A view with the names of its game, and with a position that the rules can be asked about."""

    SIDE_NAMES = SIDE_NAMES

    def __init__(self, data: GameData, view: View) -> None:
        super().__init__(data, view)
        self.pos: State = complete_view(data, view, AT_LEAST)

    def present(self, here: Hex) -> Iterator[Side]:
        return (side for side in SIDES for inside in (0, 1) if stack_key(here, side, inside) in self.pos.stacks)

    @cached_property
    def all_stacks(self) -> tuple[SeenStack, ...]:
        """All stacks in the order of the board, the force on the march last."""
        moving = self.view.moving
        return (*self.view.stacks, moving) if moving is not None else self.view.stacks

    @cached_property
    def marching(self) -> frozenset[Side]:
        """The sides in a March or Force March Phase."""
        return frozenset(frame.side for frame in self.view.frames if isinstance(frame, _MARCHES))

    @cached_property
    def holders(self) -> dict[Hex, OwnerId]:
        return holders(self.pos)

    @cached_property
    def is_retreat(self) -> bool:
        return any(frame.RETREATS for frame in self.view.frames)

    def is_moving(self, stack: SeenStack) -> bool:
        return stack is self.view.moving

    def drawn(self, stack: SeenStack) -> Stack | None:
        """Return the stack in that position; it is exact only if the viewer knows its side."""
        return self.pos.moving if self.is_moving(stack) else self.pos.stacks.get(stack.key)

    def power(self, power: PowerId) -> str:
        return self.data.powers[power].name if power >= 0 else "–"

    def ratings(self, number: LeaderId) -> str:
        who = self.data.leaders[number]
        return f"{who.initiative}-{who.attack}-{who.defence}"

    def name(self, number: LeaderId) -> str:
        return self.data.leaders[number].name if number >= 0 else "no leader"

    def points(self, sp: Bag) -> str:
        """Return SP by power."""
        return ", ".join(f"{number} {self.power(power)}" for power, number in by_power(sp)) or "none"

    def strength(self, stack: SeenStack) -> str:
        known = self.known(stack, "")
        return band(known.least, known.most)

    def ranked(self, stack: SeenStack) -> tuple[LeaderId, ...]:
        """Return the known leaders of a stack, its commander first."""
        if stack.commander < 0:
            return ()
        return stack.commander, *(n for n in stack.leaders or () if n != stack.commander)

    def who(self, stack: SeenStack) -> str:
        return ", ".join(map(self.leader, self.ranked(stack))) or "no leader"

    def known(self, stack: SeenStack, commander: str) -> KnownForce:
        least, most = (0, 0) if stack.alone else (stack.least, stack.most)
        return KnownForce(commander, stack.inside, self.place(stack.hex), least, most, "SP")


class Condition(NamedTuple):
    """A state of a stack: code, letter for the counter, word, meaning and rule."""

    code: str
    mark: str
    word: str
    meaning: str
    rule: str

    @property
    def badge(self) -> Badge:
        words = f"{self.word}: {self.meaning}" if self.meaning else self.word
        return Badge(self.code, self.mark, words[0].upper() + words[1:], self.rule)


DEMORALIZED = Condition(
    "demoralized", "D", "demoralized", "cannot attack or divide; its initiative counts as 0", "O11.1"
)
QUARTERED = Condition(
    "quartered", "W", "in winter quarters", "cannot march, attack or build until the year ends", "O14.1"
)
BESIEGED = Condition("besieged", "B", "besieged", "only an enemy field stack is in the hex", "O13.1")
MOVING = Condition("moving", "→", "on the march", "", "O5.13")
RETREATING = Condition("retreating", "←", "in retreat", "", "O9.15")
BOUND = Condition("bound", "!", "must attack", "an overwhelming attack failed here; an attack must follow", "O5.17")
UNSUPPLIED = Condition(
    "unsupplied", "U", "out of supply", "rolls for attrition in the enemy's Attrition Phase", "O10.8"
)


class Facts(NamedTuple):
    """The facts outside a stack on which its states depend."""

    is_unsupplied: bool
    siege: int | None
    """The rolls made in its siege, or None."""
    is_moving: bool
    is_retreating: bool
    is_bound: bool
    is_marching: bool
    """True in a March or Force March Phase of its side."""


def facts_of(report: Report, stack: SeenStack) -> Facts:
    is_moving, side, pos = report.is_moving(stack), stack.side, report.pos
    known = report.drawn(stack) if side in SIDES and report.view.knows(side) else None
    owner, siege = pos.owners.get(stack.hex, NOBODY), None
    is_part = owner in SIDES and stack.inside == (owner == side) and (stack.inside or not stack.alone)
    if is_part and not is_moving and side in SIDES and is_besieged(pos, stack.hex, owner):
        siege = pos.sieges.get(stack.hex, 0)
    return Facts(
        known is not None and known.sp > 0 and not is_supplied(pos, known),
        siege,
        is_moving,
        is_moving and report.is_retreat,
        not stack.inside and stack.hex in report.view.bound and side == report.view.phasing,
        side in report.marching,
    )


def conditions(report: Report, stack: SeenStack) -> Iterator[Condition]:
    """Yield the states of a stack that the viewer can know."""
    return conditions_by(stack, facts_of(report, stack))


def conditions_by(stack: SeenStack, facts: Facts) -> Iterator[Condition]:
    if stack.demoralized:
        yield DEMORALIZED
    if stack.quartered:
        yield QUARTERED
    if stack.hungry:
        since = f"out of supply for {format_count(stack.hungry, 'turn')}"
        more = f"its next attrition roll has +{stack.hungry}"
        yield Condition("unsupplied", f"U{stack.hungry}", since, more, "O10.8")
    elif facts.is_unsupplied:
        yield UNSUPPLIED
    if facts.siege is not None and stack.inside:
        yield BESIEGED
    elif facts.siege is not None:
        so_far = f"{format_count(facts.siege, 'roll')} so far" if facts.siege else ""
        yield Condition("besieging", "S", "besieging", so_far, "O13.1")
    if facts.is_moving:
        yield RETREATING if facts.is_retreating else MOVING
    if facts.is_bound:
        yield BOUND
    if stack.marched and facts.is_marching:
        done = total(stack.marched)
        is_whole = done == stack.least
        word = f"{'all' if is_whole else done} SP marched"
        yield Condition("marched" if is_whole else "part-marched", "✓" if is_whole else "½", word, "", "O5.7")


PLANNED: Final = Condition("planned", "P", "placed in secret", "hidden until both sides have sealed", "C2.4")
Used: TypeAlias = tuple[tuple[int, int], ...]
"""Leaders with the MP that they have spent."""


def make_pieces(report: Report) -> dict[str, Piece]:
    """Return all visible counters by key: hex, side, and f(ield), i(nside) or m(oving); p for a plan.

    A counter is made again only if something on it has changed.
    """
    pieces, viewer = memo_of(report.data, "pieces"), report.view.viewer
    seen = [(stack, "m" if report.is_moving(stack) else "fi"[stack.inside], ()) for stack in report.all_stacks]
    plans = [(stack, f"p{'fi'[stack.inside]}", (PLANNED,)) for side in SIDES for stack in planned_stacks(report, side)]
    found = {}
    for stack, state, extra in (*seen, *plans):
        facts, side = facts_of(report, stack), stack.side
        spent = report.view.spent if side in report.marching else {}
        used = tuple([(n, spent[n]) for n in report.ranked(stack) if n in spent]) if spent else ()
        found[f"{hex_name(stack.hex)}-{stack.side}{state}"] = pieces.get_or_compute(
            (viewer, stack, facts, used, extra), partial(_piece, report, stack, extra, facts, used)
        )
    return found


def planned_stacks(report: Report, side: OwnerId) -> Iterator[SeenStack]:
    """Yield the stacks that a side has placed so far in the secret set-up, for that side only."""
    plan = report.view.sealed[side]
    if not isinstance(plan, SetupPlan):
        return
    lots: dict[tuple[Hex, bool], tuple[Bag, tuple[LeaderId, ...]]] = {}
    for lot in plan.placements:
        sp, leaders = lots.get((lot.hex, lot.inside), (EMPTY, ()))
        lots[lot.hex, lot.inside] = sp + lot.sp, leaders + lot.leaders
    for (here, inside), (sp, leaders) in lots.items():
        ranked = by_seniority(report.pos, leaders)
        commander = commander_of(report.pos, sp, ranked)
        nation = nation_of(report.pos, sp, commander)
        alone, shape = not sp, (False, False, 0, 1, UNKNOWN, 0)
        yield SeenStack(here, side, inside, nation, commander, alone, *shape, sp, ranked, EMPTY)


def _piece(report: Report, stack: SeenStack, extra: Sequence[Condition], facts: Facts, used: Used) -> Piece:
    states = (*extra, *conditions_by(stack, facts))
    title, strength = title_of(report, stack), report.strength(stack)
    spoken = [report.known(stack, title).describe(), *(state.word for state in states)]
    if stack.sp and not stack.inside and report.view.knows(stack.side) and not (stack.hungry or facts.is_unsupplied):
        spoken.append("in supply")
    return Piece(
        place=hex_name(stack.hex),
        side=stack.side,
        inside=stack.inside,
        power=stack.nation,
        title=title,
        ratings=report.ratings(stack.commander) if stack.commander >= 0 else "",
        strength=strength,
        low=stack.least,
        high=stack.most,
        is_known=stack.sp is not None,
        spoken="; ".join(spoken),
        since=when(stack.since) if stack.sp is None and stack.since else "",
        badges=tuple([state.badge for state in states]),
        lines=tuple(_lines(report, stack, strength, states, used)),
        leaders=tuple([_chips(report.data)[number] for number in report.ranked(stack)]),
        sp=by_power(stack.sp or EMPTY),
    )


def title_of(report: Report, stack: SeenStack) -> str:
    """Return the commander's name, or the nation of troops without one."""
    if stack.commander >= 0:
        return report.data.leaders[stack.commander].name
    return f"{NATIONS[stack.nation]} {'garrison' if stack.inside else 'troops'}"


@memoized("memo")
def _chips(data: GameData) -> tuple[Chip, ...]:
    return tuple(
        [Chip(n, who.name, f"{who.initiative}-{who.attack}-{who.defence}") for n, who in enumerate(data.leaders)]
    )


def _lines(report: Report, stack: SeenStack, strength: str, states: Sequence[Condition], used: Used) -> Iterator[str]:
    yield _strength_line(report, stack, strength)
    ranked = report.ranked(stack)
    if ranked:
        first = report.data.leaders[ranked[0]]
        counts = f"initiative {first.initiative}, attack {first.attack}, defence {first.defence}"
        yield f"{first.name} commands: {counts}"
    else:
        yield "No leader: it cannot march or attack (O8.4, O8.6)"
    if len(ranked) > 1:
        yield f"With him: {', '.join(map(report.leader, ranked[1:]))}"
    if stack.leaders is None and ranked:
        yield "Junior leaders: unknown (O3.1)"
    if used:
        spent = (f"{report.data.leaders[n].name} {'done' if points >= DONE else points}" for n, points in used)
        yield f"MP spent in this phase: {', '.join(spent)} (O5.14)"
    for state in states:
        yield f"{state.badge.text} ({state.rule})"
    if stack.side in SIDES and stack.sp is not None and not stack.alone:
        other = "The enemy" if stack.side == report.view.viewer else "The other side"
        if stack.low <= 1 and stack.high >= UNKNOWN:
            yield f"{other} does not know its strength (O3.1)"
        else:
            yield f"{other} knows: {band(stack.low, stack.high)} SP, since {when(stack.since)} (O3.3)"


def _strength_line(report: Report, stack: SeenStack, strength: str) -> str:
    nation, where = report.power(stack.nation), "inside" if stack.inside else "in the field"
    if stack.alone:
        return f"{nation}: leaders without SP, {where}"
    if stack.sp is not None:
        parts = f" ({report.points(stack.sp)})" if is_mixed(stack.sp) else ""
        return f"{nation}: {strength} SP{parts}, {where}"
    if strength == "?":
        return f"{nation}: strength unknown, {where}"
    return f"{nation}: {strength} SP, {where}, seen {when(stack.since)}"


_AWAY: Final = {WAITING: "waiting to be placed", POOL: "in the pool (C2.5)", GONE: "killed or dismissed (C8.9)"}
_ORDER: Final = (ON_MAP, WAITING, CAPTIVE, POOL, GONE)


def make_musters(report: Report) -> tuple[Muster, ...]:
    """Return the order of battle by power, in the order of C1.1."""
    roll = MusterRoll(report)
    return tuple([roll.muster(power) for power in ALL_POWERS])


class Post(NamedTuple):
    """The place of a leader or troops in the order of battle."""

    hex: Hex
    inside: bool
    alone: bool
    commander: LeaderId
    strength: str


class MusterRoll:
    """The order of battle in the making; that of a power is made again only if it has changed."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self._musters = memo_of(report.data, "musters")
        self.found: dict[int, Post] = {}
        self.loose: dict[int, list[Post]] = {}
        self.sp = EMPTY
        for stack in (*report.all_stacks, *(stack for side in SIDES for stack in planned_stacks(report, side))):
            post = Post(stack.hex, stack.inside, stack.alone, stack.commander, report.strength(stack))
            self.sp += stack.sp or EMPTY
            for leader in report.ranked(stack):
                self.found[leader] = post
            if stack.commander < 0:
                self.loose.setdefault(stack.nation, []).append(post)

    def muster(self, power: PowerId) -> Muster:
        view = self.report.view
        facts = (
            power, view.viewer, view.side_of(power), self._depots(power), of(self.sp, power),
            tuple([(view.roster[n], self.found.get(n)) for n in self.report.data.generals[power]]),
            tuple(self.loose.get(power, ())), of(view.waiting, power), view.captives,
            *[of(held, power) for held in view.prisoners],
        )  # fmt: skip
        return self._musters.get_or_compute(
            facts, lambda: Muster(power, view.side_of(power), tuple(self.entries(power)))
        )

    def _depots(self, power: PowerId) -> int:
        return sum([depot.power == power for depot in self.report.view.depots.values()])

    def entries(self, power: PowerId) -> Iterator[MusterEntry]:
        """Yield a power's total, its leaders, its troops without one, and its pieces off the map."""
        view, nature = self.report.view, self.report.data.powers[power]
        limit = f"; at most {nature.limit} SP (C7.5)" if nature.limit else ""
        depots = self._depots(power)
        stores = f"{depots} of {MOST_DEPOTS} depots (O10.4)"
        if not view.knows(view.side_of(power)):
            stores = f"{format_count(depots, 'complete depot')} seen"
            yield MusterEntry("On the map", f"{stores}{limit}", strength="?")
        else:
            yield MusterEntry("On the map", f"{stores}{limit}", strength=str(of(self.sp, power)))
        for status in _ORDER:
            for number in self.report.data.generals[power]:
                if view.roster[number] == status:
                    yield self._leader(number, status)
        for post in self.loose.get(power, ()):  # those of mixed stacks under the nation that shows
            kind = "garrison" if post.inside else "troops"
            text = f"without a leader, {'inside' if post.inside else 'at'} {self.report.place(post.hex)}"
            yield MusterEntry(f"{NATIONS[power]} {kind}", text, hex_name(post.hex), post.strength)
        if waiting := of(view.waiting, power):
            yield MusterEntry("Reinforcements", "waiting to be placed (C8.7)", strength=str(waiting))
        for side in SIDES:
            if held := of(view.prisoners[side], power):
                yield MusterEntry("Prisoners", f"held by the {SIDE_NAMES[side]} (O15.3)", strength=str(held))

    def _leader(self, number: LeaderId, status: int) -> MusterEntry:
        report = self.report
        name, post = report.leader(number), self.found.get(number)
        if post is not None:
            strength = post.strength if post.commander == number else ""
            duty = "without SP" if post.alone else "commands"
            if post.commander != number:
                duty = f"under {report.data.leaders[post.commander].name}"
            where = f"{'inside' if post.inside else 'at'} {report.place(post.hex)}"
            return MusterEntry(name, f"{duty} {where}", hex_name(post.hex), strength)
        if status == CAPTIVE:
            captor = next((side for side in SIDES if number in report.view.captives[side]), 0)
            return MusterEntry(name, f"a prisoner of the {SIDE_NAMES[captor]} (C11.1)")
        return MusterEntry(name, _AWAY.get(status, "on the map, place unknown (O3.1)"))
