"""The counters and markers of a scene, and the order of battle."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from typing import Final

from leuthen.engine.memo import memo_of
from leuthen.engine.ruleset import OTHER, SIDES, Side
from leuthen.rulesets.campaigns.knowledge import OUTLINE, View, complete_view
from leuthen.rulesets.campaigns.model import forces
from leuthen.rulesets.campaigns.model.data import ADJECTIVES, ALL_NATIONS, SIDE_OF, GameData, Leader
from leuthen.rulesets.campaigns.model.events import SIDE_NAMES, Names
from leuthen.rulesets.campaigns.model.forces import SeenForce
from leuthen.rulesets.campaigns.model.pieces import CAPTIVE, COMING, GONE, HUNGRY, ON_MAP, TURNS, UNUSED, Siege, Unit
from leuthen.rulesets.campaigns.model.state import Position, State, innermost
from leuthen.rulesets.campaigns.rules.r04_command.activation import Activation
from leuthen.rulesets.campaigns.rules.r04_command.command import Command, Orders
from leuthen.rulesets.campaigns.rules.r09_supply import is_near, is_working, load_limit, need, stock
from leuthen.rulesets.campaigns.rules.r11_siege import why_not_besiege
from leuthen.rulesets.campaigns.rules.r12_battle import Battle, Retreating
from leuthen.screen.forces import KnownForce, Reporter, band
from leuthen.screen.values import Badge, Chip, Marker, Muster, MusterEntry, Piece, begun
from leuthen.wargame.board import NOWHERE, Hex, Hexes, bit, hex_name, hex_set
from leuthen.wargame.names import format_count
from leuthen.wargame.strength import EMPTY, NO_BOUND, NO_LEADER, Bag, LeaderId, PowerId, of, powers
from leuthen.wargame.war import half_month


def ratings(leader: Leader) -> str:
    """Return command, initiative, combat and morale as on the counter: "4-5-3-10" (R2.1)."""
    return f"{leader.command}-{leader.initiative}-{leader.combat}-{leader.morale}"


def decision_hex(pos: Position) -> Hex:
    """Return the hex of the innermost decision, or NOWHERE."""
    for frame in reversed(pos.frames[-2:]):
        lead = pos.units.get(getattr(frame, "lead", NO_LEADER))
        here = getattr(frame, "hex", NOWHERE) if lead is None else lead.hex
        if isinstance(here, int) and here >= 0:
            return Hex(here)
    battle = innermost(pos.frames, Battle)
    return battle.hex if battle is not None else NOWHERE


def when(clock: int) -> str:
    """Return a turn since 1756 as a date: "early May 1757"."""
    year, turn = divmod(clock - 1, TURNS)
    return f"{half_month(turn + 1)} {1756 + year}"


class Report(Reporter[GameData, View]):
    """A view with the names of its game, and with a position that the rules can be asked about.

    Numbers of hidden forces in that position are only likely ones: texts use the view.
    """

    SIDE_NAMES = SIDE_NAMES

    def __init__(self, data: GameData, view: View, state: State | None = None) -> None:
        is_open = state is not None and all(map(view.knows, SIDES))
        super().__init__(data, view)
        self.pos: Position = state if state is not None and is_open else complete_view(data, view, OUTLINE)
        self.names = Names(data)

    @cached_property
    def shared(self) -> object:
        """A token of everything that all counters depend on: options, ranks, senior leaders, knowledge."""
        pos, nations = self.pos, ALL_NATIONS
        seniors = tuple([forces.senior(pos, nation) for nation in nations])
        known = self.knows(0), self.knows(1)
        return memo_of(self.data, "shared").get_or_compute((pos.options, pos.ranks, seniors, known), object)

    @cached_property
    def besieged(self) -> Hexes:
        """The strongholds with one side inside and the other in the field: all sieges are among them."""
        there = self.pos.census
        return ((there.fields[0] & there.insides[1]) | (there.fields[1] & there.insides[0])) & self.data.places_held

    @cached_property
    def battle(self) -> Battle | None:
        return innermost(self.pos.frames, Battle)

    @cached_property
    def orders(self) -> Orders | None:
        return innermost(self.pos.frames, Orders)

    @cached_property
    def cup(self) -> Sequence[list[int]] | None:
        """The commands of the chits in the cup, by side; None outside of step F (R4.1)."""
        frame = innermost(self.pos.frames, Command)
        if frame is None:
            return None
        return [[chit.command for chit in frame.chits() if chit.side == side] for side in SIDES]

    @cached_property
    def stirred(self) -> Hexes:
        """The hexes with a march, battle or siege in progress."""
        found, units = self.besieged, self.pos.units
        for frame in self.pos.frames:
            if isinstance(frame, Battle | Retreating):
                found |= bit(frame.hex)
            elif isinstance(frame, Activation):
                found |= hex_set(units[number].hex for number in frame.group if number in units)
        return found

    def at(self, here: Hex, side: Side, *, inside: bool) -> SeenForce | None:
        return next((f for f in self.view.stacks if (f.hex, f.side, f.inside) == (here, side, inside)), None)

    def tp_of(self, force: SeenForce) -> str:
        """Return the known strength of a force: "12 TP", "4–9 TP", "strength not known"."""
        return self.known(force).strength

    def known(self, force: SeenForce, commander: str = "", *, inside: bool = False) -> KnownForce:
        return KnownForce(commander, inside, self.place(force.hex), force.least, force.most, "TP")

    def tp_inside(self, here: Hex, side: Side) -> str:
        force = self.at(here, side, inside=True)
        return "0 TP" if force is None or force.alone else self.tp_of(force)

    def present(self, here: Hex) -> Iterator[Side]:
        return (force.side for force in self.view.stacks if force.hex == here)

    def name(self, number: LeaderId) -> str:
        """Return a leader's name, or "wagon P1"."""
        return self.names.unit(number)

    def ratings(self, number: LeaderId) -> str:
        return ratings(self.data.leaders[number])

    def force(self, units: Iterable[Unit]) -> str:
        """Return a force as it is known: "Daun, 38 TP", "Daun, 20–40 TP"."""
        found = list(units)
        chief = forces.commander(self.pos, found)
        who = self.name(chief) if chief >= 0 else self.names.units(unit.number for unit in found) or "no leader"
        strength = sum(unit.strength for unit in found)
        seen = self.at(found[0].hex, self.pos.side(found[0].number), inside=found[0].inside) if found else None
        if seen is not None and not self.knows(seen.side):
            return f"{who}, {self.tp_of(seen)}"
        return f"{who}, {strength} TP" if strength else who

    def ranked(self, force: SeenForce) -> list[LeaderId]:
        """Return the leaders of a force, its commander first, then by seniority, wagons last (R2.2)."""
        chief = forces.commander(self.pos, self.units(force))
        ranked = forces.by_seniority(self.pos, force.units)
        return [chief, *(number for number in ranked if number != chief)] if chief >= 0 else ranked

    def units(self, force: SeenForce) -> list[Unit]:
        return [self.pos.units[number] for number in force.units]

    def garrison(self, force: SeenForce) -> Bag:
        """Return the TP of a force without a leader (R1.4)."""
        return self.pos.garrisons.get(force.hex, EMPTY) if force.inside else EMPTY


@cache
def place_key(here: Hex, side: Side, inside: bool) -> str:
    return f"{hex_name(here)}-{side}{'fi'[inside]}"


def make_pieces(report: Report) -> dict[str, Piece]:
    """Return all visible counters by key: hex, side, and f(ield) or i(nside)."""
    pos, pieces, found = report.pos, memo_of(report.data, "pieces"), dict[str, Piece]()
    for force in report.view.stacks:
        here, units = force.hex, tuple([pos.units[number] for number in force.units])
        fed = bool(units) and is_near(pos, here, force.side, force.inside)
        marks: tuple[object, ...] = ()  # its part in battles, sieges and marches, which is not stored in its units
        if report.stirred >> here & 1:
            acting = [unit.number for unit in _acting(report, force)]
            marks = (*_in_battle(report, force), *acting, *_besieging(report, force))
        garrison = pos.garrisons.get(here) if force.inside else None
        facts = report.shared, force, units, garrison, fed, marks, is_within(report, force)
        piece = pieces.get_or_compute(facts, partial(piece_of, report, force))
        found[place_key(here, force.side, force.inside)] = piece
    return found


def piece_of(report: Report, force: SeenForce) -> Piece:
    pos, known = report.pos, report.knows(force.side)
    tp = sum(unit.tp for unit in report.units(force)) + report.garrison(force) if known else EMPTY
    first = chief_of(report, force)
    strength, marks = strength_of(report, force), tuple(marks_of(report, force))
    title = title_of(report, force)
    carriers = [unit for unit in report.units(force) if not report.data.is_wagon(unit.number)]
    army = report.known(force, title, inside=is_within(report, force))
    who = army.describe()
    if known and is_train(report, force):
        who = f"{title}, {stock(report.units(force))} SP, {army.where}"
    supply = [line[0].lower() + line[1:].partition(" (")[0] for line in _supply_lines(report, force) if known]
    return Piece(
        place=hex_name(force.hex),
        side=force.side,
        inside=is_within(report, force),
        power=force.nation if force.nation >= 0 else pos.leader(first).nation,
        title=title,
        ratings=ratings(pos.leader(first)) if first >= 0 else "",
        strength=strength,
        low=force.least,
        high=force.most,
        is_known=force.least == force.most,
        spoken="; ".join([who, *(mark.text for mark in marks), *supply]),
        since=when(force.since) if force.since and not known else "",
        badges=marks,
        lines=tuple(_piece_lines(report, force, tp, marks)),
        leaders=tuple([Chip(n, report.name(n), ratings(pos.leader(n))) for n in report.ranked(force)]),
        sp=tuple((nation, of(tp, nation)) for nation in powers(tp)),
        load=str(stock(carriers) or "") if known else "",  # R9.5
    )


def is_train(report: Report, force: SeenForce) -> bool:
    return not force.most and bool(force.units) and all(report.data.is_wagon(number) for number in force.units)


def is_within(report: Report, force: SeenForce) -> bool:
    """Return whether a force is inside a place; wagons alone are, where their side is besieged (R9.3)."""
    return force.inside or (is_train(report, force) and forces.is_besieged(report.pos, force.hex, force.side))


def strength_of(report: Report, force: SeenForce) -> str:
    """Return the strength on the counter: TP, "–" for leaders alone, "W4" for wagons with their SP."""
    if is_train(report, force):
        return f"W{stock(report.units(force)) if report.knows(force.side) else '?'}"
    return band(force.least, force.most)


def chief_of(report: Report, force: SeenForce) -> LeaderId:
    """Return the commander of a force, or its first leader or wagon if none has TP; -1 for a garrison."""
    ranked = report.ranked(force)
    return force.commander if force.commander >= 0 else ranked[0] if ranked else NO_LEADER


def title_of(report: Report, force: SeenForce) -> str:
    first = chief_of(report, force)
    if first < 0:
        return f"{ADJECTIVES[force.nation]} garrison"
    return begun(report.name(first)) if report.data.is_wagon(first) else report.name(first)


def _piece_lines(report: Report, force: SeenForce, tp: Bag, marks: tuple[Badge, ...]) -> Iterator[str]:
    known, since = report.knows(force.side), f", seen {when(force.since)}" if force.since else ""
    much = f"{ADJECTIVES[force.nation]} colours: {report.tp_of(force)}{since} (O3)"
    if tp or force.alone:
        much = report.names.tp(tp) if tp else "without TP"
    yield f"{begun(much)}, {'inside' if is_within(report, force) else 'in the field'}"
    garrison = report.garrison(force) if known else EMPTY
    if garrison:
        yield f"Garrison: {report.names.tp(garrison)} of at most {report.data.kind_at(force.hex).garrison} (R10.1)"
    for number in report.ranked(force):
        yield unit_line(report, report.pos.units[number])
    yield from _supply_lines(report, force)
    for mark in marks:
        yield f"{mark.text} ({mark.rule})"
    if not report.view.options.hidden or force.alone:
        return
    if not known:
        yield "SP and junior leaders unknown (R1.8)"
    elif force.high >= NO_BOUND:
        yield "The enemy does not know its strength (R1.8)"
    else:
        yield f"The enemy knows: {band(force.low, force.high)} TP, since {when(force.since)} (R1.9)"


def unit_line(report: Report, unit: Unit) -> str:
    """Return a unit in one line: "Keith 3-3-1-9: 12 of 40 TP, 1 of 2 SP"; for a hidden one only the name."""
    pos, number = report.pos, unit.number
    is_wagon = report.data.is_wagon(number)
    if not report.knows(pos.side(number)):
        return report.leader(number)
    parts = [f"{unit.strength} of {forces.limit(pos, number)} TP"] if unit.tp or not is_wagon else []
    parts += [f"{unit.sp} of {load_limit(pos, unit)} SP"] if unit.tp or is_wagon else []
    first = not is_wagon and forces.senior(pos, pos.leader(number).nation) == number
    return f"{report.leader(number)}: {', '.join(parts)}{', senior leader of his nation' if first else ''}"


def _supply_lines(report: Report, force: SeenForce) -> Iterator[str]:
    """Yield the supply of a force where it is, and its need (R9.6, V3)."""
    units = [unit for unit in report.units(force) if unit.tp or report.data.is_wagon(unit.number)]
    strength = sum(unit.strength for unit in units)
    if not strength:
        return
    if is_near(report.pos, force.hex, force.side, force.inside):
        yield "In supply (R9.6)"
    elif report.knows(force.side):
        yield f"Out of depot range: needs {need(report.pos, strength)} SP, has {stock(units)} (R9.6, V3)"
    else:
        yield "Out of depot range (R9.6)"


def make_markers(report: Report) -> dict[str, Marker]:
    """Return depots, wagons among a force, and battles, by key."""
    return {f"{marker.place}-{marker.side}{marker.kind}{number}": marker for number, marker in _markers(report)}


def _markers(report: Report) -> Iterator[tuple[str, Marker]]:
    for here, depot in report.pos.depots.items():
        works = is_working(report.pos, here)
        cut = f", cut off {depot.cut} of 3 times" if depot.cut else ""
        state = f"{'' if works else ', out of action'}{cut} (R9.2)" if cut or not works else ""
        text = f"Depot of {report.names.nation(depot.nation)}, {report.place(here)}{state}"
        yield ("", Marker(hex_name(here), SIDE_OF[depot.nation], "depot", "D" if works else "d", text, depot.nation))
    with_others = {n for force in report.view.stacks if not is_train(report, force) for n in force.units}
    for number, unit in report.pos.units.items():
        if report.data.is_wagon(number) and number in with_others:
            who = report.data.leaders[number]
            side = report.pos.side(number)
            load = f"{unit.sp} of 4 SP" if report.knows(side) else "SP unknown"
            text = f"Wagon {who.name}: {load}, {report.place(unit.hex)}{', moved' if unit.moved else ''}"
            mark = f"W{unit.sp if report.knows(side) else '?'}"
            yield f"-{who.name}", Marker(hex_name(unit.hex), side, "wagon", mark, text, who.nation)
    for frame in report.pos.frames:
        if isinstance(frame, Battle):
            text = f"Battle, round {frame.round}, {report.place(frame.hex)}: the {report.side(frame.attacker)} attacks"
            yield "", Marker(hex_name(frame.hex), frame.attacker, "attack", "⚔", text)


def marks_of(report: Report, force: SeenForce) -> Iterator[Badge]:
    """Yield the states of a force, the urgent ones first."""
    yield from _in_battle(report, force)
    units = report.units(force)
    if acting := _acting(report, force):
        yield Badge("moving", "→", f"{_who(report, acting, units)}on the march", "R4.4")
    moved = [unit for unit in units if unit.moved]
    if units and len(moved) == len(units):
        yield Badge("marched", "M", "Has moved this turn", "R4.4")
    elif moved:
        yield Badge("part-marched", "m", f"{report.names.units(unit.number for unit in moved)}: moved", "R4.4")
    yield from _besieging(report, force)
    for code, mark, rule, has, what in _STATES:
        if found := [unit for unit in units if has(unit)]:
            yield Badge(code, mark, f"{_who(report, found, units)}{what(found)}", rule)


def _who(report: Report, units: list[Unit], all_of: list[Unit]) -> str:
    return "" if len(units) == len(all_of) else f"{report.names.units(unit.number for unit in units)}: "


def _in_battle(report: Report, force: SeenForce) -> Iterator[Badge]:
    for frame in report.pos.frames:
        if isinstance(frame, Retreating) and frame.hex == force.hex and frame.side == force.side and not force.inside:
            yield Badge("retreating", "←", "Beaten: must retreat", "R12.9")
        if isinstance(frame, Battle) and frame.hex == force.hex and frame.hosts and not force.inside:
            host = frame.hosts[force.side]
            text = f"In battle, {host.share} % committed" if host.share else "In battle, no TP committed yet"
            yield Badge("committed", "⚔", f"{text}{', concentrated' if host.concentrated else ''}", "R12.3")
            broken = [account.leader for account in host.accounts if account.broken]
            if broken:
                yield Badge("broken", "×", f"{report.names.units(broken)}: broken, no longer committed", "V6.4")


def _acting(report: Report, force: SeenForce) -> list[Unit]:
    active = {number for frame in report.pos.frames if isinstance(frame, Activation) for number in frame.group}
    return [unit for unit in report.units(force) if unit.number in active]


def _besieging(report: Report, force: SeenForce) -> Iterator[Badge]:
    pos, here, side = report.pos, force.hex, force.side
    if force.inside and forces.is_besieged(pos, here, side):
        siege = pos.sieges.get(here, Siege())
        text = f"Besieged, {siege.breaches} of 3 breaches" if siege.breaches else "Besieged"
        yield Badge("besieged", "B", text, "R10.5")
    elif not force.inside and forces.inside_tp(pos, here, OTHER[side]) and forces.is_besieged(pos, here, OTHER[side]):
        refusal = why_not_besiege(pos, here, side)
        text = "Blockading" if refusal else "Besieging"
        yield Badge("besieging", "S", text, "R11.2" if refusal else "R11.1")


_STATES: Final[tuple[tuple[str, str, str, Callable[[Unit], bool], Callable[[list[Unit]], str]], ...]] = (
    ("demoralized", "D", "R13.1", lambda unit: unit.shaken > 0, lambda _: "troops demoralized: morale −2"),
    ("daunted", "L", "V8.2", lambda unit: unit.daunted > 0, lambda _: "leader demoralized: he must march to a fort"),
    ("hungry", "H", "V3.5", lambda unit: unit.fodder == HUNGRY, lambda _: "hungry: marched without supply"),
    (
        *("unfed", "U", "R9.7", lambda unit: unit.hunger > 0),
        lambda units: f"out of supply for {format_count(max(unit.hunger for unit in units), 'turn')}",
    ),
    ("cornered", "!", "R12.9", lambda unit: unit.cornered, lambda _: "could not retreat this turn"),
)
"""Code, letter, rule, test of a unit, and text."""


_AWAY: Final = {UNUSED: "not in play yet", COMING: "freed, returning (R14.3)", GONE: "removed"}


def make_musters(report: Report) -> tuple[Muster, ...]:
    """Return the order of battle by nation, in the order of R1.3."""
    pos, data = report.pos, report.data
    items = [tuple(table.items()) for table in (pos.garrisons, pos.freed, pos.depots)]
    lodged = memo_of(data, "lodged").get_or_compute((*items, pos.prisoners, pos.captives, pos.roster), object)
    tp = sum((unit.tp for unit in pos.units.values()), sum(pos.garrisons.values()))
    chiefs = {(force.hex, force.side, force.inside): force.commander for force in report.view.stacks}
    units: list[list[object]] = [[] for _ in data.nations]
    for number, unit in pos.units.items():
        units[data.leaders[number].nation] += unit, chiefs.get((unit.hex, data.sides[number], unit.inside))
    return tuple([
        memo_of(data, "musters").get_or_compute(
            (nation, report.shared, lodged, of(tp, nation), tuple(units[nation]),
             () if report.knows(SIDE_OF[nation]) else report.view.stacks,
             report.besieged),
            partial(_muster, report, nation, of(tp, nation)),
        )
        for nation in ALL_NATIONS
    ])  # fmt: skip


def _muster(report: Report, nation: PowerId, tp: int) -> Muster:
    return Muster(nation, SIDE_OF[nation], tuple(_entries(report, nation, tp)))


def _entries(report: Report, nation: PowerId, tp: int) -> Iterator[MusterEntry]:
    pos, nature = report.pos, report.data.nations[nation]
    depots = sum(depot.nation == nation for depot in pos.depots.values())
    wagons = sum(report.data.is_wagon(n) and pos.leader(n).nation == nation for n in pos.units)
    text = f"depots {depots} of {nature.depots} (R9.1), wagons {wagons} of {nature.wagons} (R9.3)"
    yield MusterEntry("On the map", text, strength=str(tp) if report.knows(SIDE_OF[nation]) else "?")
    if report.knows(SIDE_OF[nation]):
        yield from _leaders(report, nation)
        for here, men in pos.garrisons.items():
            if of(men, nation):
                freed = of(pos.freed.get(here, 0), nation)
                text = f"inside {report.place(here)}{f'; {freed} of them freed men (V7.4)' if freed else ''}"
                yield MusterEntry("Garrison", text, hex_name(here), str(of(men, nation)))
    else:
        yield from _seen_leaders(report, nation)
        for force in report.view.stacks:
            if force.nation == nation and force.commander < 0 and not force.alone:
                where = f"inside {report.place(force.hex)}"
                yield MusterEntry("Garrison", where, hex_name(force.hex), band(force.least, force.most))
    for number, unit in pos.units.items():
        if report.data.is_wagon(number) and pos.leader(number).nation == nation:
            load = f"{unit.sp} of 4 SP" if report.knows(pos.side(number)) else "SP unknown"
            where = "inside" if unit.inside or forces.is_besieged(pos, unit.hex, SIDE_OF[nation]) else "at"
            text = f"{load}, {where} {report.place(unit.hex)}{', moved' if unit.moved else ''}"
            yield MusterEntry(begun(report.name(number)), text, hex_name(unit.hex))
    for here, depot in pos.depots.items():
        if depot.nation == nation:
            yield MusterEntry("Depot", f"at {report.place(here)}", hex_name(here))
    for side in SIDES:
        held = of(pos.prisoners[side], nation)
        if held:
            yield MusterEntry("Prisoners", f"held by the {report.side(side)} (R14.2)", strength=str(held))
        for captive in pos.captives[side]:
            if report.data.leaders[captive.leader].nation == nation:
                senior = ", taken as senior leader" if captive.senior else ""
                yield MusterEntry(report.leader(captive.leader), f"held by the {report.side(side)}{senior} (R14.3)")


def _seen_leaders(report: Report, nation: PowerId) -> Iterator[MusterEntry]:
    pos, data = report.pos, report.data
    for number in sorted((n for n in data.generals[nation] if n < data.named), key=pos.ranks.__getitem__):
        unit = pos.units.get(number)
        if unit is not None:
            force = report.at(unit.hex, pos.side(number), inside=unit.inside)
            where = f"{'inside' if unit.inside else 'at'} {report.place(unit.hex)}"
            leads = force is not None and force.commander == number
            strength = band(force.least, force.most) if force is not None and leads else ""
            duty = f"{'commands ' if leads else ''}{where}"
            yield MusterEntry(report.leader(number), duty, hex_name(unit.hex), strength)
        elif pos.roster[number] == ON_MAP:
            yield MusterEntry(report.leader(number), "on the map, commander unknown (R1.8)")
        elif pos.roster[number] != CAPTIVE:
            yield MusterEntry(report.leader(number), _AWAY.get(pos.roster[number], "not on the map"))


def _leaders(report: Report, nation: PowerId) -> Iterator[MusterEntry]:
    pos, data, leading = report.pos, report.data, memo_of(report.data, "leading")
    own = sorted(data.generals[nation], key=pos.ranks.__getitem__)
    for number in own:
        unit = pos.units.get(number)
        if unit is not None:
            chief = forces.commander(pos, forces.force_at(pos, unit.hex, data.sides[number], unit.inside))
            yield leading.get_or_compute((report.shared, unit, chief), partial(_leading, report, unit, chief))
    for number in own:
        if number not in pos.units and pos.roster[number] != CAPTIVE and number < data.named:
            yield MusterEntry(report.leader(number), _AWAY.get(pos.roster[number], "not on the map"))


def _leading(report: Report, unit: Unit, chief: LeaderId) -> MusterEntry:
    pos, number = report.pos, unit.number
    duty = "commands" if chief == number else f"under {report.name(chief)}" if chief >= 0 else "without TP"
    where = f"{'inside' if unit.inside else 'at'} {report.place(unit.hex)}"
    load = f"; {unit.sp} of {load_limit(pos, unit)} SP, at most {forces.limit(pos, number)} TP"
    strength = str(unit.strength) if unit.tp else ""
    return MusterEntry(report.leader(number), f"{duty} {where}{load}", hex_name(unit.hex), strength)
