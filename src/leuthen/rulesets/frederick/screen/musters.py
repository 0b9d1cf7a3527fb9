"""The order of battle: each power's leaders and troops, where they are and how strong, as far as the viewer knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from leuthen.engine.memo import memo_of
from leuthen.rulesets.frederick.model.data import ALL_POWERS, NATIONS
from leuthen.rulesets.frederick.model.events.base import SIDE_NAMES
from leuthen.rulesets.frederick.model.pieces import CAPTIVE, GONE, ON_MAP, POOL, SIDES, WAITING
from leuthen.rulesets.frederick.rules.o10_supply.depots import MOST_DEPOTS
from leuthen.rulesets.frederick.screen.pieces import planned
from leuthen.rulesets.frederick.screen.reporter import Reporter
from leuthen.screen.values import Muster, MusterEntry
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.names import counted
from leuthen.wargame.strength import EMPTY, LeaderId, PowerId, of

_AWAY: Final = {WAITING: "waits to be placed", POOL: "in the pool (C2.5)", GONE: "killed or dismissed (C8.9)"}
_ORDER: Final = (ON_MAP, WAITING, CAPTIVE, POOL, GONE)


def make_musters(report: Reporter) -> tuple[Muster, ...]:
    """The order of battle by power, in the order of C1.1."""
    roll = MusterRoll(report)
    return tuple([roll.muster(power) for power in ALL_POWERS])


class Post(NamedTuple):
    """What the order of battle says of a stack."""

    hex: Hex
    inside: bool
    alone: bool
    commander: LeaderId
    strength: str


class MusterRoll:
    """Where everybody is, while the order of battle is written: a power's anew only if something of it has changed."""

    def __init__(self, report: Reporter) -> None:
        self.report = report
        self._musters = memo_of(report.data, "musters")
        self.found: dict[int, Post] = {}
        self.loose: dict[int, list[Post]] = {}
        self.sp = EMPTY
        for stack in (*report.all_stacks, *(stack for side in SIDES for stack in planned(report, side))):
            post = Post(stack.hex, stack.inside, stack.alone, stack.commander, report.strength(stack))
            self.sp += stack.sp or EMPTY
            for leader in report.ranked(stack):
                self.found[leader] = post
            if stack.commander < 0:
                self.loose.setdefault(stack.nation, []).append(post)

    def muster(self, power: PowerId) -> Muster:
        """The order of battle of a power."""
        view = self.report.view
        facts = (
            power, view.viewer, view.side_of(power), self._depots(power), of(self.sp, power),
            tuple([(view.roster[n], self.found.get(n)) for n in self.report.data.generals[power]]),
            tuple(self.loose.get(power, ())), of(view.waiting, power), view.captives,
            *[of(held, power) for held in view.prisoners],
        )  # fmt: skip
        return self._musters.once(facts, lambda: Muster(power, view.side_of(power), tuple(self.entries(power))))

    def _depots(self, power: PowerId) -> int:
        return sum([depot.power == power for depot in self.report.view.depots.values()])

    def entries(self, power: PowerId) -> Iterator[MusterEntry]:
        """A power's total, its leaders, its troops without one, and what is not on the map."""
        yield from self._whole(power)
        yield from self._leaders(power)
        yield from self._loose(power)
        yield from self._off_map(power)

    def _whole(self, power: PowerId) -> Iterator[MusterEntry]:
        """How many SP the power has on the map, if the viewer knows them all."""
        view, nature = self.report.view, self.report.data.powers[power]
        limit = f"; at most {nature.limit} SP (C7.5)" if nature.limit else ""
        depots = self._depots(power)
        stores = f"{counted(depots, 'depot')} of at most {MOST_DEPOTS} (O10.4)"
        if not view.knows(view.side_of(power)):
            stores = f"{counted(depots, 'complete depot')} seen"
            yield MusterEntry("On the map", f"{stores}{limit}", strength="?")
            return
        yield MusterEntry("On the map", f"{stores}{limit}", strength=str(of(self.sp, power)))

    def _leaders(self, power: PowerId) -> Iterator[MusterEntry]:
        roster = self.report.view.roster
        for status in _ORDER:
            for number in self.report.data.generals[power]:
                if roster[number] == status:
                    yield self._leader(number, status)

    def _leader(self, number: LeaderId, status: int) -> MusterEntry:
        report = self.report
        name, post = report.leader(number), self.found.get(number)
        if post is not None:
            strength = post.strength if post.commander == number else ""
            return MusterEntry(name, self._duty(number, post), hex_name(post.hex), strength)
        if status == CAPTIVE:
            captor = next((side for side in SIDES if number in report.view.captives[side]), 0)
            return MusterEntry(name, f"a prisoner of the {SIDE_NAMES[captor]} (C11.1)")
        return MusterEntry(name, _AWAY.get(status, "on the map; nobody sees with whom (O3.1)"))

    def _duty(self, number: LeaderId, post: Post) -> str:
        where = f"{'inside' if post.inside else 'at'} {self.report.place(post.hex)}"
        if post.commander != number:
            return f"under {self.report.data.leaders[post.commander].name} {where}"
        return f"{'without SP' if post.alone else 'commands'} {where}"

    def _loose(self, power: PowerId) -> Iterator[MusterEntry]:
        """Troops that no leader commands; those of mixed stacks under the nation that shows."""
        for post in self.loose.get(power, ()):
            kind = "garrison" if post.inside else "troops"
            text = f"without a leader, {'inside' if post.inside else 'at'} {self.report.place(post.hex)}"
            yield MusterEntry(f"{NATIONS[power]} {kind}", text, hex_name(post.hex), post.strength)

    def _off_map(self, power: PowerId) -> Iterator[MusterEntry]:
        view = self.report.view
        waiting = of(view.waiting, power)
        if waiting:
            yield MusterEntry("Reinforcements", "wait to be placed (C8.7)", strength=str(waiting))
        for side in SIDES:
            held = of(view.prisoners[side], power)
            if held:
                yield MusterEntry("Prisoners", f"held by the {SIDE_NAMES[side]} (O15.3)", strength=str(held))
