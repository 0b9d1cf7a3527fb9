"""The words of this rule set's cases (`wargame.case_words.CaseBook`): dice, and what EXPECT says of a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.engine.texts import number_of
from leuthen.rulesets.campaigns.cases.position import (
    BOTH,
    CHIT,
    SIDE_WORDS,
    SIGHTS,
    CaseMoment,
    Words,
    chit_text,
    tp_text,
)
from leuthen.rulesets.campaigns.cases.position import build_position as build_position
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.forces import commander, force_at, is_besieged, limit, senior
from leuthen.rulesets.campaigns.model.pieces import FRESH, HUNGRY, PAID, TURNS, Unit
from leuthen.rulesets.campaigns.model.state import ROSTER_WORDS, STATUS_WORDS, Position
from leuthen.rulesets.campaigns.rules import r09_supply as supply
from leuthen.rulesets.campaigns.rules.r04_command.command import Command
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Battle
from leuthen.rulesets.campaigns.rules.r12_battle.fight import hosts_of
from leuthen.rulesets.campaigns.rules.r16_victory import controls_area, level, score, victory_points
from leuthen.wargame import case_words
from leuthen.wargame.board import hex_name
from leuthen.wargame.case_words import (
    TWO_DICE,
    Fact,
    Unexpected,
    check_fact,
    die_of,
    expect,
    field_fact,
    hex_fact,
    judge,
    number_fact,
)
from leuthen.wargame.strength import EMPTY, Bag, of, powers


def _owner(moment: CaseMoment, words: Words, deny: bool) -> None:
    here, side = words.hex(), words.side()
    if here not in moment.data.strongholds:
        raise Invalid("there is no stronghold")
    where = f"owner {hex_name(here)}"
    expect(f"{where} {SIDE_WORDS[side]}", f"{where} {SIDE_WORDS[moment.state.owners[here]]}")


def _tp_fact(tp: Callable[[CaseMoment, Words], Bag]) -> Fact:
    """TP by nation: `garrison 1623 4 Prussia`; `no garrison 1623`."""

    def check(moment: CaseMoment, words: Words, deny: bool) -> None:
        found = tp_text(moment.data, tp(moment, words))
        expect("0 TP" if deny else tp_text(moment.data, words.tp()), found)

    return check


def _depot(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`depot Prussia 1623 [cut 2]`; `no depot 1623`."""
    nation = words.power() if words.is_power() else -1
    depot = moment.state.depots.get(words.hex())
    found = f"depot of {moment.data.nations[depot.nation].name}, cut {depot.cut}" if depot is not None else "no depot"
    cut = words.number("steps") if words.has("cut") else depot.cut if depot is not None else 0
    is_none = deny or nation < 0
    expect("no depot" if is_none else f"depot of {moment.data.nations[nation].name}, cut {cut}", found)


def _siege(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`siege 1623 turns 2 breaches 1 shut 1`: as much as is said; `no siege 1623`: neither turns nor breaches."""
    siege = moment.state.sieges.get(words.hex())
    found = {name: getattr(siege, name, 0) for name in ("turns", "breaches", "shut")}
    wanted = {"turns": 0, "breaches": 0} if deny else {}
    while name := words.has(*found):
        wanted[name] = words.number(name)
    expect(str(wanted), str({name: found[name] for name in wanted}))


def _captive(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`captive prussia Browne [senior]`: held by the Prussian side; `no captive prussia`: nobody is."""
    held = {one.leader: one.senior for one in moment.state.captives[words.side()]}
    if deny:
        judge(not held, False, "no captive")
        return
    leader = words.leader()
    judge(leader in held, False, f"{moment.data.leaders[leader].name} captive")
    if words.has("senior"):
        judge(held[leader], False, f"{moment.data.leaders[leader].name} senior when taken")


def _coming(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`coming 5 Prussia due 6`, `coming Keith due 6`; `no coming`."""
    state = moment.state
    names = [
        moment.data.leaders[one.leader].name if one.leader >= 0 else f"{one.tp} {moment.data.nations[one.nation].name}"
        for one in state.coming
    ]
    # due turns are said within the year of the position, or beyond it
    start = state.clock - state.turn
    found = [f"{name} due {one.due - start}" for name, one in zip(names, state.coming, strict=True)]
    said = words.rest()
    if (said in found) == deny or (deny and not said and found):
        raise Unexpected(f"expected {'no ' if deny else ''}coming {said}; there is {', '.join(found) or 'nobody'}")


def _commander(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`commander 1623 prussia [field|inside] Frederick` (R2.2)."""
    here, side, inside = words.hex(), words.side(), words.has("field", "inside") == "inside"
    number = commander(moment.state, force_at(moment.state, here, side, inside))
    found = moment.data.leaders[number].name if number >= 0 else "nobody"
    expect(f"commander {moment.data.leaders[words.leader()].name}", f"commander {found}")


def _senior(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`senior Austria Browne` (R2.1)."""
    number = senior(moment.state, words.power())
    found = moment.data.leaders[number].name if number >= 0 else "nobody"
    expect(f"senior {moment.data.leaders[words.leader()].name}", f"senior {found}")


def _unit_of(moment: CaseMoment, words: Words) -> Unit:
    number = words.leader()
    if number not in moment.state.units:
        raise Unexpected(f"{moment.data.leaders[number].name} is not on the map")
    unit: Unit = moment.state.units[number]
    return unit


def _supplied(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`supplied 1623 prussia [field|inside]`: the force there is in supply (R9.6)."""
    here, side, inside = words.hex(), words.side(), words.has("field", "inside") == "inside"
    force = force_at(moment.state, here, side, inside)
    if not force:
        raise Unexpected(f"there is no force at {hex_name(here)}")
    wagons = [u for u in moment.state.units.values() if u.hex == here and moment.data.is_wagon(u.number) and not u.tp]
    own = [wagon for wagon in wagons if moment.state.side(wagon.number) == side]
    judge(supply.is_supplied(moment.state, [*force, *own]), deny, f"supplied {hex_name(here)}")


def _area(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`area prussia Lower Silesia`: controlled by that side (R16.1)."""
    side, name = words.side(), words.rest()
    areas = [area.name for area in moment.data.areas]
    if name not in areas:
        raise Invalid(f"«{name}» is no area: {', '.join(areas)}")
    judge(controls_area(moment.state, areas.index(name), side), deny, f"area {name}")


def _conquered(moment: CaseMoment, words: Words, deny: bool) -> None:
    nation = words.power()
    judge(nation in moment.state.conquered, deny, f"{moment.data.nations[nation].name} conquered")


def _joined(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`joined France 1757 1`: it joins, or has joined, in that year and turn."""
    nation = words.power()
    wanted = (words.number("a year") - 1756) * TURNS + words.number("a turn")
    expect(f"joined on turn {wanted} since 1756", f"joined on turn {moment.state.joined[nation]} since 1756")


def _score(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`score -3 [draw]` (R16.4)."""
    found = score(moment.state)
    expect(f"score {words.number('a score')}", f"score {found}")
    if words.words:
        expect(words.rest(), level(found))


def _battle_of(moment: CaseMoment) -> Battle:
    battle = next((frame for frame in reversed(moment.state.frames) if isinstance(frame, Battle)), None)
    if battle is None or battle.hosts is None:
        raise Unexpected("there is no battle")
    return battle


def _march_of(moment: CaseMoment) -> Marching:
    march = next((frame for frame in reversed(moment.state.frames) if isinstance(frame, Marching)), None)
    if march is None:
        raise Unexpected("nobody is on the march")
    return march


def _cup(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`cup prussia-2 coalition-1`: just these chits are left; `cup empty`."""
    pos: Position = moment.state
    found = next((frame.cup for frame in pos.frames if isinstance(frame, Command)), ())
    wanted: list[int] = []
    if not words.has("empty"):
        while words.words:
            wanted.append(words.chit())
    expect(f"cup {' '.join(map(chit_text, sorted(wanted)))}", f"cup {' '.join(map(chit_text, sorted(found)))}")


DENIABLE: Final[Mapping[str, Fact]] = {
    **case_words.DENIABLE,
    "garrison": _tp_fact(lambda moment, words: moment.state.garrisons.get(words.hex(), EMPTY)),
    "freed": _tp_fact(lambda moment, words: moment.state.freed.get(words.hex(), EMPTY)),
    "depot": _depot,
    "siege": _siege,
    "prisoners": _tp_fact(lambda moment, words: moment.state.prisoners[words.side()]),
    "captive": _captive,
    "coming": _coming,
    "range": hex_fact(
        "range", lambda moment, words, here: bool(supply.depot_range(moment.state, words.side()) >> here & 1)
    ),
    "supplied": _supplied,
    "besieged": hex_fact("besieged", lambda moment, words, here: is_besieged(moment.state, here, words.side())),
    "cut": hex_fact("cut", lambda moment, words, here: supply.is_cut(moment.state, here)),
    "works": hex_fact("works", lambda moment, words, here: supply.is_working(moment.state, here)),
    "area": _area,
    "conquered": _conquered,
    **SIGHTS,
}
PLAIN: Final[Mapping[str, Fact]] = {
    **case_words.PLAIN,
    "joined": _joined,
    "owner": _owner,
    "commander": _commander,
    "senior": _senior,
    "limit": number_fact(
        "limit", lambda moment, words: limit(moment.state, _unit_of(moment, words).number), "a number of TP"
    ),
    "carries": number_fact(
        "carries", lambda moment, words: supply.load_limit(moment.state, _unit_of(moment, words)), "a number of SP"
    ),
    "need": number_fact(
        "need", lambda moment, words: supply.need(moment.state, words.number("a number of TP")), "a number of SP"
    ),
    "battles": field_fact("battles", *BOTH),
    "killed": field_fact("killed", *BOTH),
    "vp": number_fact("vp", lambda moment, words: victory_points(moment.state), *BOTH),
    "score": _score,
    "round": number_fact("round", lambda moment, words: _battle_of(moment).round, "a round"),
    "share": number_fact("share", lambda moment, words: hosts_of(_battle_of(moment))[words.side()].share, "per cent"),
    "mp": number_fact("mp", lambda moment, words: _march_of(moment).left, "movement points"),
    "cup": _cup,
}


FLAGS: Final[Mapping[str, Callable[[Unit], bool]]] = {
    "inside": lambda unit: unit.inside,
    "outside": lambda unit: not unit.inside,
    "moved": lambda unit: unit.moved,
    "ready": lambda unit: not unit.moved,
    "left": lambda unit: unit.left,
    "far": lambda unit: unit.far,
    "near": lambda unit: not unit.far,
    "forced": lambda unit: unit.forced,
    "cornered": lambda unit: unit.cornered,
    "hungry": lambda unit: unit.fodder == HUNGRY,
    "paid": lambda unit: unit.fodder == PAID,
    "fresh": lambda unit: unit.fodder == FRESH,
    "shaken": lambda unit: unit.shaken > 0,
    "daunted": lambda unit: unit.daunted > 0,
    "demoralized": lambda unit: unit.shaken > 0 and unit.daunted > 0,
    "steady": lambda unit: not unit.shaken,
    "undaunted": lambda unit: not unit.daunted,
    "sound": lambda unit: not unit.shaken and not unit.daunted,
}
"""What may be said of a unit; only what is said counts."""
NUMBERS: Final[Mapping[str, Callable[[Unit], int]]] = {
    "sp": lambda unit: unit.sp,
    "moves": lambda unit: unit.moves,
    "hunger": lambda unit: unit.hunger,
    "rolls": lambda unit: unit.rolls,
}

HEX_DIGITS: Final = 4


def check(moment: CaseMoment, text: str) -> None:
    """Compares one statement. Raises Unexpected, or Invalid if it is not understood."""
    check_fact(
        moment, text, Words(moment.data, text), DENIABLE, PLAIN, _check_thing, _is_thing, "leader or wagon, no nation"
    )


def _is_thing(words: Words) -> bool:
    """A nation, a leader or a wagon comes next."""
    return words.is_power() or words.is_unit()


def _check_thing(moment: CaseMoment, words: Words) -> None:
    """A nation, a leader or a wagon."""
    if words.is_power():
        _status(moment, words)
    else:
        _unit(moment, words)


def _status(moment: CaseMoment, words: Words) -> None:
    """`France neutral`, `Prussia war`."""
    nation = words.power()
    name = moment.data.nations[nation].name
    wanted = STATUS_WORDS[words.choose(STATUS_WORDS, "status")]
    expect(f"{name} {wanted}", f"{name} {STATUS_WORDS[moment.state.status[nation]]}")


def _unit(moment: CaseMoment, words: Words) -> None:
    """`Keith 1821 20 sp 2 moved`; `Keith captive`; `P1 1821 4`, `P1 none`."""
    number = words.leader()
    unit = moment.state.units.get(number)
    name = moment.data.leaders[number].name
    if place := words.has("none", *ROSTER_WORDS):
        is_wagon = moment.data.is_wagon(number)
        found = ROSTER_WORDS[moment.state.roster[number]] if not is_wagon else "map" if unit else "none"
        expect(f"{name} {place}", f"{name} {found}")
    elif unit is None:
        raise Unexpected(f"{name} is not on the map")
    else:
        _compare(moment, words, unit, name)


def _compare(moment: CaseMoment, words: Words, unit: Unit, name: str) -> None:
    is_wagon = moment.data.is_wagon(unit.number)
    found = unit_text(moment, unit)
    if words.words and _is_place(words.words[0]):
        here = words.hex()
        if here != unit.hex:
            raise Unexpected(f"expected {name} at {hex_name(here)}; it is {found}")
    while words.words:
        points = words.maybe_number()
        if points is not None:
            if points != (unit.sp if is_wagon else unit.strength):
                raise Unexpected(f"expected {name} with {points}; it is {found}")
        elif flag := words.has(*FLAGS):
            if not FLAGS[flag](unit):
                raise Unexpected(f"expected {name} {flag}; it is {found}")
        elif words.has("men"):
            wanted, whose = words.number("men"), [words.power()] if words.is_power() else powers(unit.tp)
            if sum(of(unit.tp, nation) for nation in whose) != wanted:
                raise Unexpected(f"expected {name} men {wanted}; it is {found}")
        elif mark := words.has(*NUMBERS):
            wanted = words.number(mark)
            if NUMBERS[mark](unit) != wanted:
                raise Unexpected(f"expected {name} {mark} {wanted}; it is {found}")
        else:
            known = ", ".join((*FLAGS, "men", *NUMBERS))
            raise Invalid(f"«{words.words[0]}» is not understood here: none of {known}")


def _is_place(word: str) -> bool:
    """A hex or a town, and not a number of TP or a mark."""
    return len(word) == HEX_DIGITS if number_of(word) is not None else word not in (*FLAGS, "men", *NUMBERS)


def unit_text(moment: CaseMoment, unit: Unit) -> str:
    """A leader or a wagon in the words of a case."""
    flags = ("inside", "moved", "left", "far", "forced", "cornered", "hungry", "paid", "shaken", "daunted")
    parts = [moment.data.leaders[unit.number].name, hex_name(unit.hex), str(unit.strength)]
    parts += [f"{mark} {NUMBERS[mark](unit)}" for mark in ("sp", "moves", "hunger", "rolls") if NUMBERS[mark](unit)]
    return " ".join([*parts, *(flag for flag in flags if FLAGS[flag](unit))])


def answers(data: GameData, text: str) -> list[str]:
    """Dice, or the sums of two, and chits: `4 9 prussia-3`. Raises Invalid."""
    words, found = Words(data, text), list[str]()
    while words.words:
        number = words.maybe_number()
        if number is not None:
            found.append(f"roll {die_of(str(number), TWO_DICE)}")
        elif "-" in words.words[0]:
            side, command = divmod(words.chit(), CHIT)
            found.append(f"chit {SIDE_WORDS[side]} {command}")
        else:
            raise Invalid(f"«{words.words[0]}» is neither a die nor a chit")
    return found
