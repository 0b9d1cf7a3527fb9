"""The scores of a scene, the strongholds as they stand with their sieges, and how the nations stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.memo import memo_of
from leuthen.engine.ruleset import NOBODY, OTHER, SIDES, Side, is_side
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, CITY, KINDS, NO_NATION, SIDE_OF
from leuthen.rulesets.campaigns.model.forces import is_besieged, is_occupied
from leuthen.rulesets.campaigns.model.pieces import AT_WAR, NEUTRAL, Siege
from leuthen.rulesets.campaigns.rules.r04_command.command import Command
from leuthen.rulesets.campaigns.rules.r11_siege import MOST_BREACHES, breach_number, surrender_number
from leuthen.rulesets.campaigns.rules.r16_victory import PLACES, level, place_points, score, victory_points
from leuthen.rulesets.campaigns.screen.report import Report
from leuthen.screen.figures import signed
from leuthen.screen.values import HeldFortress, PowerStatus, Score
from leuthen.wargame.board import Hex, hex_name, hexes_of
from leuthen.wargame.names import counted
from leuthen.wargame.strength import PowerId, total

MOST_HOLDINGS: Final = 100
"""So many times all strongholds are kept as they stood."""
NOT_KNOWN: Final = -1
"""Instead of a number that the viewer does not know."""


def make_scores(report: Report) -> tuple[Score, ...]:
    """VP, TP, SP, enemy places, battles, losses, prisoners, chits; of each pair the Prussian side's first."""
    pos = report.pos
    tp = [_all_tp(report, side) for side in SIDES]
    held = total(pos.prisoners[0]), total(pos.prisoners[1])
    leaders = len(pos.captives[0]), len(pos.captives[1])
    wagons = [
        sum(unit.sp for n, unit in pos.units.items() if pos.side(n) == side) if report.knows(side) else NOT_KNOWN
        for side in SIDES
    ]
    now = f"{score_text(report)}{'.' if pos.outcome else ', if the game ended now.'}"
    return (
        Score("vp", "Victory points", victory_points(pos), now, "R16.2"),
        Score("tp", "TP on the map", (tp[0], tp[1]), "In the field and inside, 1,000 men each.", "R1.2"),
        Score("sp", "SP carried", (wagons[0], wagons[1]), "With leaders and wagons; depots never run out.", "R9.5"),
        Score(
            "places",
            "VP for enemy places",
            (place_points(pos, 0), place_points(pos, 1)),
            f"Fortress {PLACES[2]}, fort {PLACES[1]}; an area with all its places as its table says.",
            "R16.2",
        ),
        Score("battles", "Great battles won", pos.battles, "Both sides with 20 TP or more: 2 VP each.", "R16.2"),
        Score("killed", "Enemy TP lost", pos.killed, "In battle or surrendered: 1 VP for 5.", "R16.2"),
        Score("prisoners", "TP in captivity", held, "Held by each side.", "R14.2"),
        Score("captives", "Captive leaders", leaders, "Held by each side; a senior leader is 3 VP.", "R16.2"),
        *_cup(report),
    )


def _all_tp(report: Report, side: Side) -> int:
    """All TP of a side on the map; of the other side only if each of its forces is known."""
    forces = [force for force in report.view.stacks if force.side == side]
    return sum(force.least for force in forces) if all(f.least == f.most for f in forces) else NOT_KNOWN


def score_text(report: Report) -> str:
    """«Score −20 with par 0: a substantial victory of the Coalition»."""
    pos, points = report.pos, score(report.pos)
    par, name = pos.data.scenarios[pos.scenario].par, level(points)
    who = "a draw" if name == "draw" else f"a {name} victory of the {report.side(0 if points > 0 else 1)}"
    return f"Score {signed(points)} with par {par}: {who}"


def _cup(report: Report) -> Iterator[Score]:
    """The chits that are left in the cup (R4.1)."""
    frame = next((frame for frame in report.pos.frames if isinstance(frame, Command)), None)
    if frame is not None:
        chits = chits_left(report)
        text = "; ".join(f"{report.side(side)}: {', '.join(map(str, chits[side])) or 'none'}" for side in SIDES)
        yield Score("cup", "Chits in the cup", (len(chits[0]), len(chits[1])), f"{text}.", "R4.1")


def chits_left(report: Report) -> tuple[list[int], list[int]]:
    """The command values of the chits in the cup, by side (R4.1)."""
    found: tuple[list[int], list[int]] = ([], [])
    for frame in report.pos.frames:
        if isinstance(frame, Command):
            for chit in frame.chits():
                found[chit.side].append(chit.command)
    return found


def make_holdings(report: Report) -> dict[str, HeldFortress]:
    """Every stronghold as it stands, by its hex."""
    pos, places = report.pos, report.data.places_held
    held = [inside & places for inside in pos.census.insides]
    facts = tuple(pos.owners.values()), pos.status, *held
    calm: dict[str, HeldFortress] = memo_of(report.data, "holdings", MOST_HOLDINGS).once(
        facts, lambda: {hex_name(here): holding(report, here, "") for here in report.data.strongholds}
    )
    besieged = {*pos.sieges, *hexes_of(report.besieged)}
    return {**calm, **{hex_name(here): holding(report, here, siege_track(report, here)) for here in besieged}}


def holding(report: Report, here: Hex, siege: str) -> HeldFortress:
    """A stronghold as it stands: whose, garrison, siege, and its VP if an enemy of its home has it (R16.2)."""
    pos, place, owner = report.pos, report.data.strongholds[here], report.pos.owners[here]
    held = is_side(owner) and is_occupied(pos, here, owner)
    worth = PLACES.get(place.kind, 0)
    points = worth if place.nation != NO_NATION and owner == 1 - SIDE_OF[place.nation] else 0
    words = [f"{place.name}, {KINDS[place.kind]}: {_belongs(report, here)}"]
    words += [("garrisoned" if held else "undefended")] if owner in SIDES else []
    words += ["weak: −1 on siege rolls (R10.8)"] if place.weak else []
    words += ["a port: always in supply (R9.9)"] if place.port else []
    if worth and place.nation != NO_NATION:
        words.append(f"{worth} VP to the {report.side(OTHER[SIDE_OF[place.nation]])}")
    words += [f"in {report.data.areas[place.area].name}"]
    return HeldFortress(owner, held, points, ", ".join([*words, *([siege] if siege else [])]), siege)


def _belongs(report: Report, here: Hex) -> str:
    """Who controls a stronghold, in words (R10.2)."""
    owner = report.pos.owners[here]
    if owner in SIDES:
        return f"controlled by the {report.side(owner)}"
    if report.pos.is_enemy_ground(here):
        return f"of {report.names.nation(report.data.strongholds[here].nation)}, neutral: it cannot be taken"
    return "nobody's"


def siege_track(report: Report, here: Hex) -> str:
    """«1 of 3 breaches, siege turn 2: next breach at 3, surrender at 2»; empty where there is no siege (R11)."""
    pos, owner = report.pos, report.pos.owners[here]
    siege = pos.sieges.get(here, Siege())
    shut = is_side(owner) and is_occupied(pos, here, owner) and is_besieged(pos, here, owner)
    if not shut and siege == Siege():
        return ""
    words = [f"{siege.breaches} of {MOST_BREACHES} breaches", _turns(siege)]
    if report.data.strongholds[here].kind != CITY or not siege.turns:
        words.append(f"next breach at {breach_number(pos, here, siege.turns + 1)} or less")
    if siege.breaches:
        words.append(f"surrender at {surrender_number(pos, here, siege.breaches)} or less")
    if siege.shut:
        words.append(f"besieged in {counted(siege.shut, 'step')} G in a row")
    return ", ".join(words)


def _turns(siege: Siege) -> str:
    return f"siege turn {siege.turns}" if siege.turns else "no siege roll yet"


def make_statuses(report: Report) -> tuple[PowerStatus, ...]:
    """The nations in the order of R1.3: side if at war, and a word."""
    return tuple([_status(report, nation) for nation in ALL_NATIONS])


def _status(report: Report, nation: PowerId) -> PowerStatus:
    pos = report.pos
    if nation in pos.conquered:
        return PowerStatus(SIDE_OF[nation], "conquered: all its forts and fortresses are lost (R17.7)")
    if pos.status[nation] == AT_WAR:
        return PowerStatus(SIDE_OF[nation], "")
    if pos.status[nation] == NEUTRAL:
        due = pos.joined[nation]
        later = f"enters the war in {counted(due - pos.clock, 'turn')} (R17.4)" if due > pos.clock else ""
        return PowerStatus(NOBODY, later or "neutral: none of its places can be taken or used (R5.6)")
    return PowerStatus(NOBODY, "out of the war (R17.5)")
