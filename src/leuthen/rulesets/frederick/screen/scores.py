"""The scores of a scene, the fortresses as they stand, and how the powers stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from leuthen.engine.memo import memo_of
from leuthen.engine.ruleset import NOBODY, OTHER, OwnerId
from leuthen.rulesets.frederick.model.data import ALL_POWERS
from leuthen.rulesets.frederick.model.events.base import SIDE_NAMES
from leuthen.rulesets.frederick.model.pieces import SIDES
from leuthen.rulesets.frederick.model.state import Position
from leuthen.rulesets.frederick.rules import c12_victory as victory
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import YEAR as DIPLOMACY_YEAR
from leuthen.rulesets.frederick.rules.c14_scenarios import level, score
from leuthen.rulesets.frederick.rules.o10_supply.supply import is_besieged
from leuthen.rulesets.frederick.screen.reporter import Reporter
from leuthen.screen.values import HeldFortress, Meter, PowerStatus, Score
from leuthen.wargame.board import Hex, hex_name, parse_hex
from leuthen.wargame.calendar import half_month
from leuthen.wargame.names import counted
from leuthen.wargame.strength import PowerId, total

UNCOUNTED: Final = -1
"""Stands in a score for what the viewer does not know."""


def make_scores(report: Reporter) -> tuple[Score, ...]:
    """VP, SP, great and Silesian fortresses, RP, prisoners; of each pair the Prussian side's first."""
    view, outline = report.view, report.pos
    vp, great, silesia = (
        victory.victory_points(outline),
        victory.great_fortresses(outline),
        victory.silesian_fortresses(outline),
    )
    men = (total(view.prisoners[0]), total(view.prisoners[1]))
    leaders = (len(view.captives[0]), len(view.captives[1]))
    sp = (_strength(report, 0), _strength(report, 1))
    least = ", ".join(f"{SIDE_NAMES[side]} {_least(report, side)} or more" for side in SIDES if sp[side] == UNCOUNTED)
    of_silesia = sum(fort.province == "silesia" for fort in report.data.fortresses.values())
    return (
        Score("vp", "Victory points", vp, _who_leads(vp), "C12.2", is_ratio=True),
        Score(
            "sp", "SP on the map", sp, f"By what is seen: {least}." if least else "With all powers of a side.", "O3.1"
        ),
        Score("great", "Great fortresses", great, f"Of the five: {victory.GREAT_NEEDED} are needed to win.", "C12.3"),
        Score("silesia", "Fortresses of Silesia", silesia[:2], f"Of {of_silesia}: they decide the end.", "C13.1"),
        Score("rp", "Resource Points", view.rp, "Each raises new SP worth 10 % of the major's own.", "C6.3"),
        Score("prisoners", "SP in captivity", men, "Held by each side; exchanged on even turns.", "C11.1"),
        Score("captives", "Captive leaders", leaders, "Held by each side; exchanged on even turns.", "C11.1"),
    )


def _strength(report: Reporter, side: OwnerId) -> int:
    """The SP of a side on the map, or UNCOUNTED if the viewer does not know them all."""
    if not report.view.knows(side):
        return UNCOUNTED
    return sum(stack.least for stack in report.all_stacks if stack.side == side)


def _least(report: Reporter, side: OwnerId) -> int:
    """The fewest SP that a side can have on the map, for all that the viewer knows."""
    return sum(stack.least for stack in report.all_stacks if stack.side == side)


def _who_leads(vp: tuple[int, int]) -> str:
    """What each side lacks for the first test of C12.3: more than double the other's VP."""
    lacking = [max(0, 2 * vp[OTHER[side]] + 1 - vp[side]) for side in SIDES]
    for side in SIDES:
        if not lacking[side]:
            return f"The {SIDE_NAMES[side]} has more than double the other's."
    first, second = lacking
    return f"For more than double the other's the {SIDE_NAMES[0]} lacks {first}, the {SIDE_NAMES[1]} {second}."


def make_holdings(report: Reporter) -> dict[str, HeldFortress]:
    """Every fortress as it stands, by its hex."""
    return {hex_name(here): holding(report, here, owner) for here, owner in report.view.owners.items()}


def holding(report: Reporter, here: Hex, owner: OwnerId) -> HeldFortress:
    """A fortress as it stands: made anew only if that has changed."""
    held, points = report.holders[here] != NOBODY, victory.vp_of(report.pos, here)
    siege = siege_track(report, here, owner)
    facts = here, owner, held, points, siege, _is_neutral(report, here)
    return memo_of(report.data, "holdings").once(
        facts, lambda: HeldFortress(owner, held, points, _in_words(report, here, siege, held=held), siege)
    )


def _in_words(report: Reporter, here: Hex, siege: str, *, held: bool) -> str:
    owner, fort, points = report.pos.owners[here], report.data.fortresses[here], victory.vp_of(report.pos, here)
    words = [
        f"{fort.name}: {belonging(report, here)}",
        *(["garrisoned" if held else "empty"] if owner in SIDES else []),
    ]
    words.append(f"{points} VP{' (one of the five great fortresses)' if fort.great else ''}")
    if points < fort.vp:
        words.append(f"{fort.vp} with France and Hanover on different sides (C9.3)")
    return ", ".join([*words, *([siege] if siege else [])])


def belonging(report: Reporter, here: Hex) -> str:
    """Return in words to whom a fortress belongs (O12.2)."""
    owner, home = report.pos.owners[here], report.data.fortresses[here].power
    if owner in SIDES:
        return f"of the {SIDE_NAMES[owner]}"
    return f"of {report.power(home)}, neutral" if _is_neutral(report, here) else "nobody's"


def _is_neutral(report: Reporter, here: Hex) -> bool:
    """Whether the power whose home a fortress is is neutral."""
    home = report.data.fortresses[here].power
    return home >= 0 and home not in report.view.surrendered and report.view.allegiance[home] == NOBODY


def siege_track(report: Reporter, here: Hex, owner: OwnerId) -> str:
    """«besieged, 2 rolls (the next has +2)»; empty where there is no siege (O13.1, O13.2)."""
    if owner not in SIDES or not is_besieged(report.pos, here, owner):
        return ""
    rolls = report.pos.sieges.get(here, 0)
    return f"besieged, {counted(rolls, 'roll')} (the next has +{rolls})" if rolls else "besieged, no roll yet"


def make_meters(report: Reporter, holdings: Mapping[str, HeldFortress]) -> Iterator[Meter]:
    """The sieges among the holdings: how many rolls each has seen (O13.2)."""
    for place, held in holdings.items():
        if held.siege:
            here = parse_hex(place)
            rolls, name = report.pos.sieges.get(here, 0), report.data.fortresses[here].name
            lines = (f"The next roll has +{rolls}",) * bool(rolls)
            yield Meter(place, OTHER[held.side], name, "O13.2", rolls, counted(rolls, "roll"), lines=lines)


def forecast(report: Reporter) -> Iterator[str]:
    """What the year's end would bring as things stand now (C12.3, C13.1)."""
    view, outline = report.view, report.pos
    vp = victory.victory_points(outline)
    if view.year < victory.FIRST_CHECK:
        return
    if outline.plan.par is not None:
        yield _reckoned(outline)
    winner = NOBODY if outline.plan.area is not None else victory.victor(vp, victory.great_fortresses(outline))
    if winner != NOBODY:
        yield f"If the year ended now, the {SIDE_NAMES[winner]} would win the war (C12.3)"
    elif view.year >= view.options.last_year and outline.plan.par is None:
        winner = victory.marginal_victor(vp, victory.silesian_fortresses(outline))
        end = f"the {SIDE_NAMES[winner]} would win marginally" if winner != NOBODY else "the war would be drawn"
        yield f"If the year ended now, {end} (C13.1)"


def _reckoned(outline: Position) -> str:
    """What a scenario's score is, and when it counts (C14.5)."""
    plan, points = outline.plan, score(outline)
    how = level(points)
    end = "a draw" if how == "draw" else f"a {how} victory of the {SIDE_NAMES[points < 0]}"
    when = f"{half_month(plan.last_turn)} {plan.last}"
    return (
        f"The scenario ends with {when}; by the score as it stands, {points:+d} with par {plan.par:+d}: {end} (C14.5)"
    )


def make_statuses(report: Reporter) -> tuple[PowerStatus, ...]:
    """The powers in the order of C1.1."""
    return tuple([PowerStatus(report.view.side_of(power), "; ".join(_status(report, power))) for power in ALL_POWERS])


def _status(report: Reporter, power: PowerId) -> Iterator[str]:
    view = report.view
    if power in view.surrendered:
        last = view.allegiance[power]
        yield f"has surrendered{f', last on the {SIDE_NAMES[last]}' if last in SIDES else ''} (C11.3)"
    elif view.allegiance[power] == NOBODY:
        yield "neutral (C1.2)"
    if power in view.invaded and view.year == DIPLOMACY_YEAR:
        yield "invaded in 1756: it does not roll on the Diplomacy Table (C5.2)"
    if power in view.starred:
        yield "came by a starred result (C5.5)"
