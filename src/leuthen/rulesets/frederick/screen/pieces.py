"""The counters of a scene: stacks, the force on the march, and what is placed in the secret set-up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from leuthen.engine.kept import Kept, kept_with
from leuthen.engine.ruleset import OTHER, OwnerId
from leuthen.rulesets.frederick.knowledge.view import SeenStack
from leuthen.rulesets.frederick.model.calendar import when
from leuthen.rulesets.frederick.model.data import NATIONS, GameData
from leuthen.rulesets.frederick.model.stacks import by_seniority, commander_of, nation_of
from leuthen.rulesets.frederick.model.state import DONE, SIDES, UNKNOWN
from leuthen.rulesets.frederick.rules.c02_setup import SetupPlan
from leuthen.rulesets.frederick.screen.conditions import Condition, Facts, conditions_by, facts_of
from leuthen.rulesets.frederick.screen.reporter import Reporter, band
from leuthen.screen import Chip, Piece
from leuthen.wargame.board import Hex, Hexes, hex_name
from leuthen.wargame.names import counted
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, by_power, is_mixed

NEAR: Final = 4
"""How far off enemies are counted for whoever hears the map."""
PLANNED: Final = Condition(
    "planned", "P", "placed in secret", "nobody else sees it before both sides have sealed", "C2.4"
)
Used: TypeAlias = tuple[tuple[int, int], ...]
"""Leaders with the movement points that they have spent."""
_SIDE_WORDS: Final = ("Prussian-side", "Austrian-side")


def make_pieces(report: Reporter) -> dict[str, Piece]:
    """All counters that the viewer sees, by key: hex, side, and f(ield), i(nside) or m(oving); p for a plan."""
    crowd = Crowd(report)
    found = {}
    for stack in report.all_stacks:
        state = "m" if report.is_moving(stack) else "fi"[stack.inside]
        found[f"{hex_name(stack.hex)}-{stack.side}{state}"] = crowd.piece(stack)
    for side in SIDES:
        for stack in planned(report, side):
            found[f"{hex_name(stack.hex)}-{side}p{'fi'[stack.inside]}"] = crowd.piece(stack, PLANNED)
    return found


def planned(report: Reporter, side: OwnerId) -> Iterator[SeenStack]:
    """What a side has placed so far in the secret set-up, as the stacks that it will make; the viewer's own only."""
    plan = report.view.sealed[side]
    if not isinstance(plan, SetupPlan):
        return
    lots: dict[tuple[Hex, bool], tuple[Bag, tuple[LeaderId, ...]]] = {}
    for lot in plan.placements:
        sp, leaders = lots.get((lot.hex, lot.inside), (EMPTY, ()))
        lots[lot.hex, lot.inside] = sp + lot.sp, leaders + lot.leaders
    for (here, inside), (sp, leaders) in lots.items():
        ranked = by_seniority(report.outline, leaders)
        commander = commander_of(report.outline, sp, ranked)
        nation = nation_of(report.outline, sp, commander)
        alone, shape = not sp, (False, False, 0, 1, UNKNOWN, 0)
        yield SeenStack(here, side, inside, nation, commander, alone, *shape, sp, ranked, EMPTY)


class Crowd:
    """All stacks of a view, while their counters are made: each anew only if something of it has changed."""

    def __init__(self, report: Reporter) -> None:
        self.report = report
        self._kept: Kept[Piece] = kept_with(report.data, "pieces")

    def piece(self, stack: SeenStack, extra: Condition | None = None) -> Piece:
        """The counter of one stack."""
        report = self.report
        facts, near, used = facts_of(report, stack), self._neighbours(stack), self._used(stack)
        viewer = report.view.viewer
        return self._kept.of((viewer, stack, facts, near, used, extra), lambda: self._made(stack, facts, extra))

    def _made(self, stack: SeenStack, facts: Facts, extra: Condition | None) -> Piece:
        report = self.report
        states = [*([extra] if extra else []), *conditions_by(stack, facts)]
        strength = report.strength(stack)
        return Piece(
            place=hex_name(stack.hex),
            side=stack.side,
            inside=stack.inside,
            power=stack.nation,
            title=title_of(report, stack),
            ratings=report.ratings(stack.commander) if stack.commander >= 0 else "",
            strength=strength,
            low=stack.least,
            high=stack.most,
            is_known=stack.sp is not None,
            spoken=self._spoken(stack, strength, states),
            since=when(stack.since) if stack.sp is None and stack.since else "",
            badges=tuple([state.badge for state in states]),
            lines=tuple(_lines(report, stack, strength, states, self._used(stack))),
            leaders=tuple([chip(report.data, number) for number in report.ranked(stack)]),
            sp=by_power(stack.sp or EMPTY),
        )

    def _spoken(self, stack: SeenStack, strength: str, states: list[Condition]) -> str:
        """«Frederick, 12 SP, at 2018 Magdeburg; demoralized; 4 enemy stacks within 4 hexes»."""
        report = self.report
        much = {"–": "without SP", "?": "strength not known"}.get(strength, f"{strength} SP")
        where = f"{'inside' if stack.inside else 'at'} {report.place(stack.hex)}"
        words = [f"{title_of(report, stack)}, {much}, {where}", *(state.word for state in states)]
        if stack.side in SIDES:
            count = self._neighbours(stack)
            whose = "enemy" if stack.side == report.view.viewer else _SIDE_WORDS[OTHER[stack.side]]
            words.append(f"{counted(count, f'{whose} stack') if count else f'no {whose} stack'} within {NEAR} hexes")
        return "; ".join(words)

    def _neighbours(self, stack: SeenStack) -> int:
        """How many enemy stacks are near."""
        if stack.side not in SIDES:
            return 0
        field, inside = self.report.outline.marks[OTHER[stack.side]]
        around = within(self.report.data, stack.hex, NEAR)
        return (field & around).bit_count() + (inside & around).bit_count()

    def _used(self, stack: SeenStack) -> Used:
        """The leaders who have spent movement points in this phase, and how many."""
        report = self.report
        spent = report.view.spent if stack.side in report.marching else {}
        return tuple([(n, spent[n]) for n in report.ranked(stack) if n in spent]) if spent else ()


def title_of(report: Reporter, stack: SeenStack) -> str:
    """Who commands, or else whose troops they are."""
    if stack.commander >= 0:
        return report.data.leaders[stack.commander].name
    return f"{NATIONS[stack.nation]} {'garrison' if stack.inside else 'troops'}"


def chip(data: GameData, number: LeaderId) -> Chip:
    """A leader on a counter; made once."""
    chips: tuple[Chip, ...] | None = data.__dict__.get("chips")
    if chips is None:
        each = (Chip(n, who.name, f"{who.initiative}-{who.attack}-{who.defence}") for n, who in enumerate(data.leaders))
        chips = data.__dict__["chips"] = tuple(each)
    return chips[number]


def within(data: GameData, here: Hex, far: int) -> Hexes:
    """The hexes up to so many steps away (O2.8); kept."""
    kept: dict[tuple[Hex, int], Hexes] = data.__dict__.setdefault("within", {})
    found = kept.get((here, far))
    if found is None:
        found = 1 << here
        for _ in range(far):
            found |= data.board.spread(found)
        kept[here, far] = found
    return found


def _lines(report: Reporter, stack: SeenStack, strength: str, states: list[Condition], used: Used) -> Iterator[str]:
    """All that the viewer may know of a stack, and since when."""
    yield _strength_line(report, stack, strength)
    yield from _leader_lines(report, stack, used)
    for state in states:
        yield f"{state.badge.text} ({state.rule})"
    if stack.side in SIDES and stack.sp is not None and not stack.alone:
        yield _what_they_know(report, stack)


def _strength_line(report: Reporter, stack: SeenStack, strength: str) -> str:
    nation, where = report.power(stack.nation), "inside" if stack.inside else "in the field"
    if stack.alone:
        return f"{nation}: leaders without SP, {where}"
    if stack.sp is not None:
        parts = f" ({report.points(stack.sp)})" if is_mixed(stack.sp) else ""
        return f"{nation}: {strength} SP{parts}, {where}"
    if strength == "?":
        return f"{nation}: strength not known, {where}"
    return f"{nation}: {strength} SP, {where}, seen {when(stack.since)}"


def _leader_lines(report: Reporter, stack: SeenStack, used: Used) -> Iterator[str]:
    ranked = report.ranked(stack)
    if ranked:
        first = report.data.leaders[ranked[0]]
        counts = f"initiative {first.initiative}, attack {first.attack}, defence {first.defence}"
        yield f"{first.name} commands: {counts}"
    else:
        yield "No leader: it stays where it is, and does not attack (O8.4, O8.6)"
    if len(ranked) > 1:
        yield f"With him: {', '.join(map(report.leader, ranked[1:]))}"
    if stack.leaders is None and ranked:
        yield "Junior leaders: not known (O3.1)"
    if used:
        spent = (f"{report.data.leaders[n].name} {'done' if points >= DONE else points}" for n, points in used)
        yield f"MP spent in this phase: {', '.join(spent)} (O5.14)"


def _what_they_know(report: Reporter, stack: SeenStack) -> str:
    other = "The enemy" if stack.side == report.view.viewer else "The other side"
    if stack.low <= 1 and stack.high >= UNKNOWN:
        return f"{other} does not know its strength (O3.1)"
    return f"{other} knows: {band(stack.low, stack.high)} SP, since {when(stack.since)} (O3.3)"
