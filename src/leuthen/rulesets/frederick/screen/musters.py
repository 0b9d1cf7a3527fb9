"""The order of battle: each power's leaders and troops, where they are and how strong, as far as the viewer knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.rulesets.frederick.knowledge.view import SeenStack
from leuthen.rulesets.frederick.model.data import NATIONS
from leuthen.rulesets.frederick.model.events.base import SIDE_NAMES
from leuthen.rulesets.frederick.model.state import ABSENT, CAPTIVE, GONE, ON_MAP, POOL, SIDES, WAITING
from leuthen.rulesets.frederick.rules.o10_supply.depots import MOST_DEPOTS
from leuthen.rulesets.frederick.screen.pieces import planned
from leuthen.rulesets.frederick.screen.reporter import Reporter, counted
from leuthen.screen import Entry, Muster
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import EMPTY, of

_AWAY: Final = {
    WAITING: "waits to be placed",
    POOL: "in the pool (C2.5)",
    GONE: "killed or dismissed (C8.9)",
}
_ORDER: Final = (ON_MAP, WAITING, CAPTIVE, POOL, GONE)


def make_musters(report: Reporter) -> tuple[Muster, ...]:
    """The order of battle by power, in the order of C1.1."""
    roll = Roll(report)
    return tuple(
        [
            Muster(power, report.view.side_of(power), tuple(roll.entries(power)))
            for power in range(len(report.data.powers))
        ]
    )


class Roll:
    """Where everybody is, while the order of battle is written."""

    def __init__(self, report: Reporter) -> None:
        self.report = report
        self.stacks = (*report.all_stacks, *(stack for side in SIDES for stack in planned(report, side)))
        self.found: dict[int, SeenStack] = {}
        for stack in self.stacks:
            for leader in report.ranked(stack):
                self.found[leader] = stack

    def entries(self, power: int) -> Iterator[Entry]:
        """A power's total, its leaders, its troops without one, and what is not on the map."""
        yield from self._whole(power)
        yield from self._leaders(power)
        yield from self._loose(power)
        yield from self._off_map(power)

    def _whole(self, power: int) -> Iterator[Entry]:
        """How many SP the power has on the map, if the viewer knows them all."""
        view, nature = self.report.view, self.report.data.powers[power]
        limit = f"; at most {nature.limit} SP (C7.5)" if nature.limit else ""
        depots = sum(depot.power == power for depot in view.depots.values())
        stores = f"{counted(depots, 'depot')} of at most {MOST_DEPOTS} (O10.4)"
        if not view.knows(view.side_of(power)):
            stores = f"{counted(depots, 'complete depot')} seen"
            yield Entry("On the map", f"{stores}{limit}", strength="?")
            return
        sp = sum(of(stack.sp or EMPTY, power) for stack in self.stacks)
        yield Entry("On the map", f"{stores}{limit}", strength=str(sp))

    def _leaders(self, power: int) -> Iterator[Entry]:
        roster = self.report.view.roster
        own = [n for n, who in enumerate(self.report.data.leaders) if who.power == power and roster[n] != ABSENT]
        for status in _ORDER:
            for number in own:
                if roster[number] == status:
                    yield self._leader(number, status)

    def _leader(self, number: int, status: int) -> Entry:
        report = self.report
        name, stack = report.leader(number), self.found.get(number)
        if stack is not None:
            strength = report.strength(stack) if stack.commander == number else ""
            return Entry(name, self._duty(number, stack), hex_name(stack.hex), strength)
        if status == CAPTIVE:
            captor = next((side for side in SIDES if number in report.view.captives[side]), 0)
            return Entry(name, f"a prisoner of the {SIDE_NAMES[captor]} (C11.1)")
        return Entry(name, _AWAY.get(status, "on the map; nobody sees with whom (O3.1)"))

    def _duty(self, number: int, stack: SeenStack) -> str:
        where = f"{'inside' if stack.inside else 'at'} {self.report.place(stack.hex)}"
        if stack.commander != number:
            return f"under {self.report.data.leaders[stack.commander].name} {where}"
        return f"{'without SP' if stack.alone else 'commands'} {where}"

    def _loose(self, power: int) -> Iterator[Entry]:
        """Troops that no leader commands; those of mixed stacks under the nation that shows."""
        for stack in self.stacks:
            if stack.commander < 0 and stack.nation == power:
                kind = "garrison" if stack.inside else "troops"
                text = f"without a leader, {'inside' if stack.inside else 'at'} {self.report.place(stack.hex)}"
                yield Entry(f"{NATIONS[power]} {kind}", text, hex_name(stack.hex), self.report.strength(stack))

    def _off_map(self, power: int) -> Iterator[Entry]:
        view = self.report.view
        waiting = of(view.waiting, power)
        if waiting:
            yield Entry("Reinforcements", "wait to be placed (C8.7)", strength=str(waiting))
        for side in SIDES:
            held = of(view.prisoners[side], power)
            if held:
                yield Entry("Prisoners", f"held by the {SIDE_NAMES[side]} (O15.3)", strength=str(held))
