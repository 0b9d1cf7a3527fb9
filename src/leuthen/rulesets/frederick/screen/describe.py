"""The situation as text for a terminal of 80 to 100 columns, from a view only, so that it can tell no secret."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.rulesets.frederick.knowledge.view import SeenStack, View
from leuthen.rulesets.frederick.model.data import NOBODY, GameData
from leuthen.rulesets.frederick.model.events.base import SIDE_NAMES
from leuthen.rulesets.frederick.model.names import simplify
from leuthen.rulesets.frederick.model.state import CAPTIVE, GONE, ON_MAP, POOL, SIDES, WAITING
from leuthen.rulesets.frederick.rules.c02_setup import SetupPlan
from leuthen.rulesets.frederick.rules.c12_victory import (
    great_fortresses,
    holder,
    silesian_fortresses,
    victory_points,
    vp_of,
)
from leuthen.rulesets.frederick.rules.o10_supply.supply import is_besieged
from leuthen.rulesets.frederick.screen.conditions import remarks
from leuthen.rulesets.frederick.screen.reporter import Reporter, counted, date
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.ground import hexsides
from leuthen.wargame.strength import EMPTY, of

WIDTH: Final = 96
_STATUS: Final = {ON_MAP: "on the map", POOL: "in the pool", WAITING: "waits to be placed", CAPTIVE: "a prisoner"}


def fill(text: str, indent: int) -> str:
    """A text in lines, those after the first indented; a name stays with its ratings."""
    kept = re.sub(r" (?=\d-\d-\d|SP\b)", "\u00a0", text)
    return textwrap.fill(kept, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False).replace("\u00a0", " ")


def wrapped(head: str, names: Iterable[str]) -> str:
    """A heading and a list behind it, over several lines if it is long."""
    text = ", ".join(names) or "none"
    return fill(f"{head} {text}", len(head) + 1)


def line(report: Reporter, stack: SeenStack) -> str:
    """One stack on a line of its own; more where there is much to tell."""
    where = f"{report.place(stack.hex)}{', inside' if stack.inside else ''}"
    words = "; ".join(remarks(report, stack))
    text = f"{report.who(stack)}{f' · {words}' if words else ''}"
    head = f"  {where:<25} {report.strength(stack):>5} SP  "
    return fill(head + text, len(head))


def _at(report: Reporter, here: Hex) -> Iterator[str]:
    """The stacks in a hex."""
    return (line(report, stack) for stack in report.stacks(lambda stack: stack.hex == here))


def describe(data: GameData, view: View, topic: str = "") -> str:
    """The whole situation, or a hex, town, leader, power, or one of the topics. Raises Invalid for anything else."""
    report = Reporter(data, view)
    text = simplify(topic)
    if not text:
        return "\n".join(_overview(report))
    if text in TOPICS:
        return "\n".join(TOPICS[text](report))
    return "\n\n".join("\n".join(part) for part in _named(report, topic.strip()))


def _named(report: Reporter, text: str) -> list[Iterable[str]]:
    """What a name stands for; a leader and a town of one name are both told of."""
    book = report.book
    if text[:1].isdigit():
        return [_hex(report, book.hex(text))]
    looks = (book.powers, _power), (book.leaders, _leader), (book.towns, _hex)
    for find in ("exact", "prefixed"):
        found = [(index, tell) for index, tell in looks if getattr(index, find)(text)]
        if found:
            return [tell(report, index.find(text)) for index, tell in found]
    raise Invalid(f"«{text}» is no hex, town, leader or power, and none of: {', '.join(TOPICS)}")


def _overview(report: Reporter) -> Iterator[str]:
    view = report.view
    yield f"{date(view)} · {_phase(view)}"
    yield ""
    points, great = victory_points(report.outline), great_fortresses(report.outline)
    for side in SIDES:
        allies = ", ".join(report.power(p) for p in range(len(report.data.powers)) if view.side_of(p) == side)
        yield f"{SIDE_NAMES[side]:<14} {points[side]:>3} VP  {great[side]} great  {view.rp[side]:>2} RP  {allies}"
    neutral = [report.power(p) for p in range(len(report.data.powers)) if view.side_of(p) == NOBODY]
    yield wrapped("neutral:", (name for name in neutral if name not in map(report.power, view.surrendered)))
    if view.surrendered:
        yield wrapped("surrendered:", map(report.power, view.surrendered))
    for side in (*SIDES, NOBODY):
        yield from _side(report, side)
    yield ""
    yield from _depots(report)
    yield ""
    yield from _prisoners(report)
    yield from _plan(report)
    if view.waiting:
        yield f"New SP of yours that wait: {report.points(view.waiting)}"


def _plan(report: Reporter) -> Iterator[str]:
    """What the viewer has placed so far in the secret set-up (C2.4)."""
    for plan in report.view.sealed:
        if isinstance(plan, SetupPlan):
            yield "Placed so far in secret:"
            for lot in plan.placements:
                names = ", ".join(map(report.leader, lot.leaders))
                where = f"{report.place(lot.hex)}{', inside' if lot.inside else ''}"
                yield f"  {where:<25} {report.points(lot.sp) if lot.sp else '':<12} {names}"
            if plan.depot >= 0:
                yield f"  {report.place(plan.depot):<25} depot"


def _phase(view: View) -> str:
    if view.outcome is not None:
        return "the war has ended"
    whose = f"{SIDE_NAMES[view.phasing]}: " if view.phasing in SIDES else ""
    names = [frame.NAME for frame in view.frames if frame.NAME not in _LOOSE]
    return (whose + (names[-1] if names else "")).rstrip(": ")


_LOOSE: Final = ("War", "Yearly campaign", "Game turn", "Player turn")


def _side(report: Reporter, side: int) -> Iterator[str]:
    stacks = report.stacks(lambda stack: stack.side == side)
    if not stacks:
        return
    yield ""
    yield SIDE_NAMES[side].upper() if side in SIDES else "NEUTRAL"
    for power in range(-1, len(report.data.powers)):
        own = [stack for stack in stacks if stack.nation == power]
        if own:
            yield f" {report.power(power)}"
            yield from (line(report, stack) for stack in own)


def _hex(report: Reporter, here: Hex) -> Iterator[str]:
    board = report.data.board
    yield f"{report.place(here)}: {board.terrain[here]}, {board.territory[here]}"
    yield from (f"  {line}" for line in hexsides(report.data.board, here, report.place, "O5.4"))
    if here in report.data.fortresses:
        yield _fortress(report, here)
    if depot := report.view.depots.get(here):
        yield f"  {_depot(report, depot.power, depot.complete)}"
    yield from _at(report, here)


def _leader(report: Reporter, number: int) -> Iterator[str]:
    who, view = report.data.leaders[number], report.view
    rank = f"rank {who.rank}, initiative {who.initiative}, attack {who.attack}, defence {who.defence}"
    yield f"{who.name} ({report.power(who.power)}): {rank}"
    status = view.roster[number]
    found = report.stacks(lambda stack: number in (stack.leaders or (stack.commander,)))
    if found:
        yield from (line(report, stack) for stack in found)
    elif status == ON_MAP:
        yield "  on the map, nobody sees where: he commands no stack"
    else:
        yield f"  {_STATUS.get(status, 'killed or dismissed' if status == GONE else 'out of the war')}"
    spent = view.spent
    if number in spent:
        yield (
            f"  has spent {min(spent[number], 6)} MP in this phase"
            if spent[number] < 99
            else "  is done for this phase"
        )


def _power(report: Reporter, power: int) -> Iterator[str]:
    view, nature = report.view, report.data.powers[power]
    side = "has surrendered" if power in view.surrendered else SIDE_NAMES[view.allegiance[power]]
    limit = f", at most {nature.limit} SP" if nature.limit else ""
    yield f"{nature.name}: {side if side != 'nobody' else 'neutral'}; supply over {nature.supply} hexes{limit}"
    yield from (
        line(report, stack)
        for stack in report.stacks(lambda stack: stack.nation == power or of(stack.sp or EMPTY, power) > 0)
    )
    for here, fort in report.data.fortresses.items():
        if fort.power == power:
            yield _fortress(report, here)
    for status in (POOL, WAITING, CAPTIVE, GONE):
        names = [
            who.name for n, who in enumerate(report.data.leaders) if who.power == power and view.roster[n] == status
        ]
        if names:
            yield wrapped(f"  {_STATUS.get(status, 'killed or dismissed')}:", names)


def _fortress(report: Reporter, here: Hex) -> str:
    fort, outline = report.data.fortresses[here], report.outline
    owner, held = report.view.owners[here], holder(outline, here)
    marks = [f"{vp_of(outline, here):>2} VP{' great' if fort.great else '      '} "]
    marks[0] += f"{SIDE_NAMES[owner]}{', garrisoned' if held != NOBODY else ', empty' if owner in SIDES else ''}"
    if owner in SIDES and is_besieged(outline, here, owner):
        marks.append(f"besieged, {counted(report.view.sieges.get(here, 0), 'siege roll')}")
    return f"  {hex_name(here)} {fort.name:<16} {fort.province:<14} {', '.join(marks)}"


def _fortresses(report: Reporter) -> Iterator[str]:
    yield "Fortresses: home province, VP, to whom they belong"
    for side in (*SIDES, NOBODY):
        for here, owner in report.view.owners.items():
            if owner == side:
                yield _fortress(report, here)


def _victory(report: Reporter) -> Iterator[str]:
    points, great = victory_points(report.outline), great_fortresses(report.outline)
    silesia = silesian_fortresses(report.outline)
    for side in SIDES:
        yield f"{SIDE_NAMES[side]}: {points[side]} VP, {great[side]} of 5 great fortresses, {silesia[side]} in Silesia"
        counting = [here for here in report.view.owners if holder(report.outline, here) == side]
        yield wrapped("   ", (f"{report.place(here)} {vp_of(report.outline, here)}" for here in counting))
    yield "After each year from 1757: more than twice the other's VP, and four great fortresses (C12.3)."


def _depot(report: Reporter, power: int, complete: bool) -> str:
    return f"depot of {report.power(power)}{'' if complete else ', under construction'}"


def _depots(report: Reporter) -> Iterator[str]:
    names = (
        f"{report.place(here)} ({report.power(d.power)}{'' if d.complete else ', under construction'})"
        for here, d in report.view.depots.items()
    )
    yield wrapped("Depots:", names)


def _prisoners(report: Reporter) -> Iterator[str]:
    for side in SIDES:
        names = ", ".join(report.data.leaders[n].name for n in report.view.captives[side])
        held = report.points(report.view.prisoners[side])
        yield f"Prisoners of the {SIDE_NAMES[side]}: {held}; leaders: {names or 'none'}"


def _leaders(report: Reporter) -> Iterator[str]:
    view = report.view
    for power, nature in enumerate(report.data.powers):
        yield nature.name
        for status in (ON_MAP, WAITING, POOL, CAPTIVE, GONE):
            names = [n for n, who in enumerate(report.data.leaders) if who.power == power and view.roster[n] == status]
            if names:
                yield wrapped(f"  {_STATUS.get(status, 'killed or dismissed')}:", map(report.leader, names))


def _sieges(report: Reporter) -> Iterator[str]:
    outline = report.outline
    owners = report.view.owners.items()
    besieged = [here for here, owner in owners if owner in SIDES and is_besieged(outline, here, owner)]
    if not besieged:
        yield "No fortress is besieged."
    for here in besieged:
        yield _fortress(report, here)
        yield from _at(report, here)


TOPICS: Final[Mapping[str, Callable[[Reporter], Iterator[str]]]] = {
    "vp": _victory,
    "prisoners": _prisoners,
    "leaders": _leaders,
    "fortresses": _fortresses,
    "depots": _depots,
    "sieges": _sieges,
}
