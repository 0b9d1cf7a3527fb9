"""A position as a table shows it to one viewer, made from his view."""

from __future__ import annotations

from typing import Final

from leuthen.campaigns.forces import (
    commander,
    is_besieged,
    is_occupied,
    tp_by_nation,
)
from leuthen.campaigns.gamedata import KINDS, NOBODY, GameData
from leuthen.campaigns.names import SIDE_NAMES, Names
from leuthen.campaigns.rules.sequence import TURN, GameTurn
from leuthen.campaigns.rules.victory import PLACES, score, victory_points
from leuthen.campaigns.showing.setting import half_month, ratings
from leuthen.campaigns.state import AT_WAR, NEUTRAL, Position, Siege, Unit
from leuthen.campaigns.view import SeenForce, View, world_of
from leuthen.core.board import hex_name
from leuthen.core.showing import (
    Badge,
    Chip,
    Entry,
    Holding,
    Marker,
    Muster,
    Piece,
    Scene,
    Score,
    Stage,
    Standing,
)
from leuthen.core.strength import EMPTY, largest, of, powers, total

STEP_NAMES: Final = {
    "A": "Ally determination",
    "B": "Prisoners",
    "C": "Arrivals",
    "D": "Supply",
    "E": "Recovery",
    "F": "Command",
    "G": "Siege",
    "H": "Supply check",
    "I": "End of the turn",
}


def make_scene(data: GameData, view: View) -> Scene:
    """Everything that stands on the map, and beside it."""
    pos, names = world_of(data, view), Names(data)
    done = next((frame.done for frame in pos.frames if isinstance(frame, GameTurn)), 0)
    phase = STEP_NAMES[TURN[max(0, done - 1)][0]]
    return Scene(
        viewer=view.viewer,
        title=f"{pos.year}, {half_month(max(1, pos.turn))}",
        phase=phase,
        year=pos.year,
        turn=pos.turn,
        phasing=pos.phasing,
        pieces={_key(force): _piece(pos, names, force) for force in view.stacks},
        markers=_markers(pos, names),
        holdings={hex_name(here): _holding(pos, here) for here in data.strongholds},
        scores=_scores(pos),
        stages=tuple(_stages(done)),
        powers=tuple(_standing(pos, nation) for nation in range(len(data.nations))),
        musters=tuple(_muster(pos, names, nation) for nation in range(len(data.nations))),
        notes=tuple(_notes(pos, names)),
        result="" if pos.outcome is None else f"{pos.outcome.how}: {_winner(pos)} ({pos.outcome.rule})",
    )


def _winner(pos: Position) -> str:
    assert pos.outcome is not None
    return "a draw" if pos.outcome.winner is None else SIDE_NAMES[pos.outcome.winner]


def _key(force: SeenForce) -> str:
    return f"{hex_name(force.hex)}-{force.side}{'i' if force.inside else 'f'}"


def _piece(pos: Position, names: Names, force: SeenForce) -> Piece:
    units = [pos.units[number] for number in force.units]
    garrison = pos.garrisons.get(force.hex, EMPTY) if force.inside else EMPTY
    tp = tp_by_nation(units) + garrison
    chief = commander(pos, units)
    first = chief if chief >= 0 else force.units[0] if force.units else -1
    nation = largest(tp) if tp else pos.leader(first).nation
    title = names.unit(first) if first >= 0 else "Garrison"
    strength = str(total(tp)) if tp else "–"
    lines = [*([f"garrison {names.tp(garrison)}"] if garrison else []), *(_line(pos, names, unit) for unit in units)]
    where = f"{'inside' if force.inside else 'at'} {names.hex(force.hex)}"
    return Piece(
        place=hex_name(force.hex),
        side=force.side,
        inside=force.inside,
        power=nation,
        title=title,
        ratings=ratings(pos.leader(first)) if first >= 0 else "",
        strength=strength,
        low=force.least,
        high=force.most,
        is_known=True,
        spoken=f"{title}, {strength} TP, {where}",
        badges=tuple(_badges(pos, force, units)),
        lines=tuple(lines),
        leaders=tuple(Chip(u.number, names.unit(u.number), ratings(pos.leader(u.number))) for u in units),
        sp=tuple((nation, of(tp, nation)) for nation in powers(tp)),
    )


def _line(pos: Position, names: Names, unit: Unit) -> str:
    parts = [names.unit(unit.number)]
    parts += [f"{unit.strength} TP"] if unit.tp else []
    parts += [f"{unit.sp} SP"] if unit.sp else []
    parts += ["moved"] if unit.moved else []
    return ", ".join(parts)


def _badges(pos: Position, force: SeenForce, units: list[Unit]) -> list[Badge]:
    found = []
    if any(unit.shaken for unit in units):
        found.append(Badge("demoralized", "D", "troops are demoralized", "R13.1"))
    if any(unit.daunted for unit in units):
        found.append(Badge("daunted", "L", "leaders are demoralized", "V8.2"))
    if any(unit.hunger for unit in units):
        found.append(Badge("unsupplied", "S", "out of supply", "R9.7"))
    if units and all(unit.moved for unit in units):
        found.append(Badge("moved", "M", "has moved", "R4.4"))
    if force.inside and is_besieged(pos, force.hex, force.side):
        found.append(Badge("besieged", "B", "besieged", "R10.5"))
    return found


def _markers(pos: Position, names: Names) -> dict[str, Marker]:
    found: dict[str, Marker] = {}
    for here, depot in pos.depots.items():
        side = pos.data.nations[depot.nation].side
        text = f"Depot of {names.nation(depot.nation)}"
        found[f"{hex_name(here)}-{side}-depot"] = Marker(hex_name(here), side, "depot", "D", text, depot.nation)
    for number, unit in pos.units.items():
        if pos.data.is_wagon(number):
            side, name = pos.side(number), pos.leader(number).name
            text = f"Wagon {name} with {unit.sp} SP"
            key = f"{hex_name(unit.hex)}-{side}-wagon-{name}"
            found[key] = Marker(hex_name(unit.hex), side, "wagon", name, text, pos.leader(number).nation)
    return found


def _holding(pos: Position, here: int) -> Holding:
    place, side = pos.data.strongholds[here], pos.owners[here]
    siege = pos.sieges.get(here, Siege())
    held = side != NOBODY and is_occupied(pos, here, side)
    text = f"{place.name}, {KINDS[place.kind]}, {SIDE_NAMES[side]}"
    track = f"siege turn {siege.turns}, breaches {siege.breaches}" if siege.turns or siege.breaches else ""
    return Holding(side, held, PLACES.get(place.kind, 0), text, track)


def _scores(pos: Position) -> tuple[Score, ...]:
    held = total(pos.prisoners[0]), total(pos.prisoners[1])
    text = f"score {score(pos):+d} after par {pos.data.scenarios[pos.scenario].par}"
    return (
        Score("vp", "VP", victory_points(pos), text, "R16.2"),
        Score("battles", "Battles won", pos.battles, "with 20 TP or more on each side", "R16.2"),
        Score("killed", "Enemy TP lost", pos.killed, "in battle or surrendered", "R16.2"),
        Score("prisoners", "Prisoners", held, "TP held", "R14.2"),
    )


def _stages(done: int) -> list[Stage]:
    found = []
    for number, (step, _) in enumerate(TURN, 1):
        when = "past" if number < done else "now" if number == done else "next"
        found.append(Stage(f"{step} {STEP_NAMES[step]}", "R3.0", when))
    return found


def _standing(pos: Position, nation: int) -> Standing:
    side = pos.data.nations[nation].side if pos.status[nation] == AT_WAR else NOBODY
    word = "" if pos.status[nation] == AT_WAR else "neutral" if pos.status[nation] == NEUTRAL else "out of the war"
    return Standing(side, "conquered" if nation in pos.conquered else word)


def _muster(pos: Position, names: Names, nation: int) -> Muster:
    entries = [
        Entry(
            names.unit(number), ratings(pos.leader(number)), hex_name(unit.hex), str(unit.strength) if unit.tp else ""
        )
        for number, unit in pos.units.items()
        if pos.leader(number).nation == nation
    ]
    for here, tp in pos.garrisons.items():
        if of(tp, nation):
            entries.append(Entry("Garrison", names.hex(here), hex_name(here), str(of(tp, nation))))
    return Muster(nation, pos.data.nations[nation].side, tuple(entries))


def _notes(pos: Position, names: Names) -> list[str]:
    found = [f"On the way: {one.tp} TP of {names.nation(one.nation)}, turn {one.due}" for one in pos.coming if one.tp]
    for side in (0, 1):
        captives = [captive.leader for captive in pos.captives[side]]
        if captives:
            found.append(f"Captives of the {SIDE_NAMES[side]}: {names.units(captives)}")
    return found
