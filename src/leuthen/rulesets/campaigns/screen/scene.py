"""The scene of a view, and the description of a place."""

from collections.abc import Iterator
from typing import Final

from leuthen.engine.memo import memo_of
from leuthen.engine.ruleset import NOBODY, OTHER, SIDES, Side, as_side, is_side
from leuthen.rulesets.campaigns.knowledge import View
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, CITY, KINDS, NO_NATION, SIDE_OF, GameData
from leuthen.rulesets.campaigns.model.events import STEPS
from leuthen.rulesets.campaigns.model.forces import is_besieged, is_occupied
from leuthen.rulesets.campaigns.model.pieces import AT_WAR, NEUTRAL, ON_MAP, Coming, Siege
from leuthen.rulesets.campaigns.model.state import Position, innermost
from leuthen.rulesets.campaigns.rules import r11_siege
from leuthen.rulesets.campaigns.rules.r03_turn import TURN, GameTurn
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r09_supply import austrian_zone, depot_range
from leuthen.rulesets.campaigns.rules.r11_siege import MOST_BREACHES, breach_number, surrender_number
from leuthen.rulesets.campaigns.rules.r12_battle import Battle
from leuthen.rulesets.campaigns.rules.r12_fight import Combatant
from leuthen.rulesets.campaigns.rules.r15_arrivals import is_campaign
from leuthen.rulesets.campaigns.rules.r16_victory import PLACES, level, place_points, score, victory_points
from leuthen.rulesets.campaigns.rules.r17_campaign import Interlude, NewYear
from leuthen.rulesets.campaigns.screen import forces
from leuthen.rulesets.campaigns.screen.forces import Report, is_within, unit_line, when
from leuthen.screen import values
from leuthen.screen.figures import plus, result_now, signed
from leuthen.screen.values import Score
from leuthen.wargame.board import MOUNTAIN, WATER, Hex, hex_name, hexes_of, hexsides, place_name
from leuthen.wargame.names import format_count
from leuthen.wargame.strength import PowerId, total
from leuthen.wargame.war import date_text


def make_scene(data: GameData, view: View) -> values.Scene:
    """Return the scene of a view. It contains nothing that the viewer may not know."""
    report = Report(data, view)
    return values.Scene(
        viewer=view.viewer,
        title=f"{view.year}, turn {view.turn}: {date_text(view.year, max(1, view.turn))}",
        phase=phase_of(report),
        year=view.year,
        turn=view.turn,
        phasing=view.phasing,
        pieces=forces.make_pieces(report),
        markers=forces.make_markers(report),
        holdings=make_holdings(report),
        scores=make_scores(report),
        stages=make_stages(report),
        powers=tuple([_status(report, nation) for nation in ALL_NATIONS]),
        musters=forces.make_musters(report),
        notes=tuple(make_notes(report)),
        place=place_name(forces.decision_hex(report.pos)),
        trays=make_trays(report),
        versus=make_versus(report),
        meters=tuple(make_meters(report)),
        result=_result(report),
    )


def _result(report: Report) -> str:
    end = report.view.outcome
    if end is None:
        return ""
    first, second = victory_points(report.pos)
    points = f"VP {first} to {second}. {score_text(report)} (R16.4)"
    if end.winner is None:
        return f"The war is drawn ({end.rule}). {points}"
    return f"The {report.side(as_side(end.winner))} wins: a {end.how} victory, {end.year} ({end.rule}). {points}"


def make_notes(report: Report) -> Iterator[str]:
    """Yield the notes of a scene, the urgent ones first."""
    battle = report.battle
    if battle is not None and battle.hosts is not None:
        if battle.retreating >= 0:
            yield f"Last round: the {report.side(as_side(battle.retreating))} retreats (V6.3)"
        for side in (battle.attacker, OTHER[battle.attacker]):
            yield _host(report, battle, side, battle.hosts[side])
    yield from _marches(report)
    if out := report.orders:
        may_act = f"leaders of command {out.command}"
        if report.knows(out.side):
            may_act = report.names.units(out.able(report.pos)) or "no leader"
        yield f"Chit {out.command} of the {report.side(out.side)}: {may_act} may act (R4.2)"
    if left := report.cup:
        cup = "; ".join(f"{report.side(side)} {', '.join(map(str, left[side])) or 'none'}" for side in SIDES)
        yield f"In the cup: {cup} (R4.1)"
    yield from _coming(report)
    for side in SIDES:
        held, captives = report.pos.prisoners[side], report.pos.captives[side]
        if total(held) or captives:
            names = report.names.units(captive.leader for captive in captives) or "none"
            yield f"Prisoners of the {report.side(side)}: {report.names.tp(held)}; leaders: {names} (R14.2)"
    if is_campaign(report.pos):
        yield "Ally determination on turns 1, 7 and 13 (R17.3); departures on turn 1 (R17.5)"


def _host(report: Report, battle: Battle, side: Side, host: Combatant) -> str:
    role = "attacks" if side == battle.attacker else "defends"
    now = battle.tp(report.pos, side)
    words = [f"{values.begun(report.side(side))} {role}, {report.name(host.commander)}: {now} of {host.began} TP"]
    if host.share:
        words.append(f"{host.share} % committed: {battle.committed_tp(report.pos, side)} TP")
    words += [f"{host.hit} lost in this round"] * bool(host.hit) + ["concentrated"] * host.concentrated
    words += ["high intensity"] * host.intense + ["commander broken"] * host.broke
    return f"{', '.join(words)} (R12)"


def _marches(report: Report) -> Iterator[str]:
    for frame in report.pos.frames:
        if isinstance(frame, Marching) and frame.lead in report.pos.units:
            kind = "Forced march" if frame.forced else "March"
            who = report.names.units(frame.members(report.pos))
            where = report.place(report.pos.units[frame.lead].hex)
            left = f", {frame.left} MP left" if report.knows(frame.side) else ""
            yield f"{kind} of {who}: at {where}{left} (R4.4)"


def _coming(report: Report) -> Iterator[str]:
    """Yield the freed and arriving units, a line for each nation and date (V7.3)."""
    groups: dict[tuple[int, PowerId], list[Coming]] = {}
    for one in report.pos.coming:
        groups.setdefault((one.due, one.nation), []).append(one)
    for due, nation in sorted(groups):
        group = groups[due, nation]
        men = sum(one.tp for one in group)
        who = [f"{men} TP"] * bool(men) + [report.name(one.leader) for one in group if one.leader >= 0]
        yield f"On the way to {report.names.nation(nation)}: {', '.join(who)}, {when(due)} (V7.3)"


PAST, NOW, NEXT = "past", "now", "next"
_ROUND: Final = (
    (("join", "muster", "declare", "joining", "declaring"), "Declaration", "R12.2"),
    (("commit", "commitment-roll"), "Commitment", "R12.3"),
    (("combat", "combat-roll"), "Combat", "R12.4"),
    (("losses", "last"), "Losses", "R12.6"),
    (("nerve", "nerve-roll"), "Demoralization", "R12.7"),
    (("decide", "next", "leaving"), "Breaking off", "R12.8"),
    (("end",), "End of the battle", "R12.10"),
)
"""The parts of a round, each with the engine's stages before its end and the decisions in it."""
_PARTS: Final = {word: number for number, (words, _, _) in enumerate(_ROUND) for word in words}


def make_stages(report: Report) -> tuple[values.Stage, ...]:
    """Return the steps of this turn, with the chits of step F and the parts of a battle's round."""
    pos = report.pos
    if pos.outcome is not None:
        return ()
    if any(isinstance(frame, Interlude | NewYear) for frame in pos.frames):
        frame = pos.frames[-1]
        return (values.Stage(frame.NAME, frame.RULE, NOW, getattr(frame, "side", NOBODY), "Winter"),)
    return (*_steps(report), *_rounds(report))


def _steps(report: Report) -> Iterator[values.Stage]:
    turn = innermost(report.pos.frames, GameTurn)
    done = turn.done if turn is not None else 0
    for number, (letter, _) in enumerate(TURN, 1):
        name, rule = STEPS[letter]
        when = PAST if number < done else NOW if number == done else NEXT
        if letter == "F" and when == NOW:
            yield values.Stage("F · Command", "R4.1", NOW, NOBODY, "Turn")
            if out := report.orders:
                yield values.Stage(f"Chit {out.command} is drawn", "R4.2", NOW, out.side, "Chits")
            for side, chits in enumerate(report.cup or ()):
                for chit in chits:
                    yield values.Stage(f"Chit {chit}", "R4.1", NEXT, side, "Chits in the cup")
        else:
            side = _acting(report) if when == NOW else NOBODY
            yield values.Stage(f"{letter} · {name}", rule, when, side, "Turn")


def _acting(report: Report) -> int:
    return getattr(report.pos.frames[-1], "side", NOBODY) if report.pos.frames else NOBODY


def _rounds(report: Report) -> Iterator[values.Stage]:
    """Yield the parts of a battle's round (R12.2-R12.8)."""
    battle = report.battle
    if battle is None:
        return
    part = _PARTS.get(str(report.pos.frames[-1].__struct_config__.tag), _PARTS[battle.stage])
    last = ", the last one" if battle.retreating >= 0 else ""
    for number, (_, name, rule) in enumerate(_ROUND):
        when = PAST if number < part else NOW if number == part else NEXT
        side = _acting(report) if when == NOW else NOBODY
        yield values.Stage(name, rule, when, side, f"Battle at {report.place(battle.hex)}, round {battle.round}{last}")


def phase_of(report: Report) -> str:
    """Return the present phase: "Chit 3 of the Prussian side: March"."""
    pos = report.pos
    if pos.outcome is not None:
        return "The war has ended"
    inner = pos.frames[-1].NAME if pos.frames else ""
    if battle := report.battle:
        return f"Battle at {report.place(battle.hex)}, round {battle.round}: {inner}"
    if chit := report.orders:
        return f"Chit {chit.command} of the {report.side(chit.side)}: {inner}"
    turn = innermost(pos.frames, GameTurn)
    step = STEPS[TURN[turn.done - 1][0]][0] if turn is not None and turn.done else "Winter"
    side = _acting(report)
    whose = f" of the {report.side(side)}" if side in SIDES else ""
    return f"{step}{whose}{f': {inner}' if inner not in (step, '') else ''}"


_WHEN: Final = {"past": "drawn", "now": "drawn now", "next": "in the cup"}


def make_trays(report: Report) -> tuple[values.Tray, ...]:
    """Return the cup with the chits of this turn; none outside of step F (R4.1)."""
    left, named = report.cup, report.data.named
    if left is None:
        return ()
    out = (report.orders.side, report.orders.command) if report.orders is not None else None
    on_map = [n for n in report.data.leader_ids[:named] if report.pos.roster[n] == ON_MAP]  # unseen ones too
    on_map += [n for n in report.pos.units if n >= named]
    all_chits = {(report.pos.side(n), report.pos.leader(n).command) for n in on_map}
    all_chits |= {(side, chit) for side in SIDES for chit in left[side]} | ({out} if out else set())
    tokens = []
    for side, chit in sorted(all_chits):
        when = "now" if (side, chit) == out else "next" if chit in left[side] else "past"
        text = f"{values.begun(report.side(side))}, chit {chit}: {_WHEN[when]}"
        tokens.append(values.Token(side, str(chit), when, text))
    return (values.Tray("The cup", f"{sum(token.when == 'next' for token in tokens)} in the cup", tuple(tokens)),)


def make_versus(report: Report) -> values.Versus | None:
    """Return the battle in progress (R12)."""
    battle = report.battle
    if battle is None or battle.hosts is None:
        return None
    last = " (the last)" if battle.retreating >= 0 else ""
    return values.Versus(
        hex_name(battle.hex),
        f"Battle at {report.place(battle.hex)}",
        battle.RULE,
        battle.round,
        f"{report.pos.frames[-1].NAME}{last}",
        "TP",
        (_contender(report, battle, 0, battle.hosts[0]), _contender(report, battle, 1, battle.hosts[1])),
    )


def _contender(report: Report, battle: Battle, side: Side, host: Combatant) -> values.Contender:
    engaged, attacks = battle.committed_tp(report.pos, side), side == battle.attacker
    states = (
        ("retreats", battle.retreating == side),
        ("commander broken", host.broke),
        ("concentrated", host.concentrated),
        ("high intensity", host.intense),
        ("attacks into a mountain hex", attacks and report.data.board.mountains >> battle.hex & 1),
        ("crossed a river or pass", attacks and battle.crossed),
    )
    troops = []
    for account in host.accounts:  # with their TP and morale (V6.4)
        unit = report.pos.units.get(account.leader)
        text = "broken" if account.broken else "demoralized" if unit is not None and unit.shaken else ""
        tp = f"{unit.strength if unit else 0} TP"
        troops.append(values.MusterEntry(report.name(account.leader), text, strength=tp))
    return values.Contender(
        "attacks" if attacks else "defends",
        report.name(host.commander),
        report.ratings(host.commander),
        host.began,
        battle.tp(report.pos, side),
        engaged,
        f"{host.share} % engaged: {engaged} TP" if host.share else "No TP engaged yet",
        host.lost,
        tuple([text for text, is_so in states if is_so]),
        tuple(troops),
    )


def make_meters(report: Report) -> Iterator[values.Meter]:
    """Yield the sieges and blockades on the map, by hex (R11)."""
    pos = report.pos
    for here, place in report.data.strongholds.items():
        siege, owner = pos.sieges.get(here, Siege()), pos.owners[here]
        if (here in pos.sieges or report.besieged >> here & 1) and is_side(owner) and is_occupied(pos, here, owner):
            if not is_besieged(pos, here, owner) and siege == Siege():
                continue
            side = OTHER[owner]
            refusal = r11_siege.why_not_besiege(pos, here, side)
            lines = siege_numbers(pos, here, side, siege)
            if refusal is not None:
                lines = iter([f"{values.begun(refusal.reason.format(*refusal.numbers))} ({refusal.rule})"])
            told, text = (_since(siege), *lines), f"{siege.breaches} of {MOST_BREACHES} breaches"
            yield values.Meter(hex_name(here), side, place.name, "R11.1", siege.breaches, text, MOST_BREACHES, told)


def _since(siege: Siege) -> str:
    turns = f"{format_count(siege.turns, 'siege turn')} done" if siege.turns else "No siege roll yet"
    shut = f"; besieged for {format_count(siege.shut, 'turn')}" if siege.shut else ""
    return f"{turns}{shut}{', −1 from the fourth on (R11.5)' if 0 < siege.shut < r11_siege.LONG else ''}"


def siege_numbers(pos: Position, here: Hex, side: Side, siege: Siege) -> Iterator[str]:
    """Yield the numbers that the next siege rolls need, with their modifiers (R11.3-R11.5)."""
    number = r11_siege.breach_number(pos, here, siege.turns + 1)
    yield f"Breach at {number} or less: {_sum_of_siege(pos, here, side, surrender=False)} (R11.3)"
    if siege.breaches:
        falls = r11_siege.surrender_number(pos, here, siege.breaches)
        yield f"Surrender at {falls} or less: {_sum_of_siege(pos, here, side, surrender=True)} (R11.4)"


def _sum_of_siege(pos: Position, here: Hex, side: Side, *, surrender: bool) -> str:
    found = r11_siege.modifiers(pos, here, side, surrender=surrender)
    return ", ".join(["die", *(f"{plus(value)} {name}" for name, value in found)])


MOST_HOLDINGS: Final = 100
"""The number of cached states of all strongholds."""
NOT_KNOWN: Final = -1
SIDES_NOW: Final = ("Prussia", "Coalition")


def make_scores(report: Report) -> tuple[Score, ...]:
    """Return VP, TP, SP, enemy places, battles, losses, prisoners and chits, the Prussian side's first."""
    pos = report.pos
    tp = []
    for side in SIDES:
        stacks = [force for force in report.view.stacks if force.side == side]
        tp.append(sum(f.least for f in stacks) if all(f.least == f.most for f in stacks) else NOT_KNOWN)
    held = total(pos.prisoners[0]), total(pos.prisoners[1])
    leaders = len(pos.captives[0]), len(pos.captives[1])
    wagons = [
        sum(unit.sp for n, unit in pos.units.items() if pos.side(n) == side) if report.knows(side) else NOT_KNOWN
        for side in SIDES
    ]
    points = score(pos)
    now = f"{score_text(report)}{'.' if pos.outcome else ', if the game ended now.'}"
    return (
        Score(
            "vp", "Victory points", victory_points(pos), now, "R16.2", now=result_now(points, level(points), SIDES_NOW)
        ),
        Score("tp", "TP on the map", (tp[0], tp[1]), "In the field and inside; 1,000 men each.", "R1.2"),
        Score("sp", "SP carried", (wagons[0], wagons[1]), "With leaders and wagons; depots never run out.", "R9.5"),
        Score(
            "places",
            "VP for enemy places",
            (place_points(pos, 0), place_points(pos, 1)),
            f"Fortress {PLACES[2]}, fort {PLACES[1]}; a whole area by its table.",
            "R16.2",
        ),
        Score("battles", "Great battles won", pos.battles, "With 20 TP or more on both sides: 2 VP each.", "R16.2"),
        Score("killed", "Enemy TP lost", pos.killed, "In battle or surrendered: 1 VP per 5 TP.", "R16.2"),
        Score("prisoners", "TP in captivity", held, "Held by each side.", "R14.2"),
        Score("captives", "Captive leaders", leaders, "Held by each side; a senior leader is 3 VP.", "R16.2"),
        *_cup(report),
    )


def score_text(report: Report) -> str:
    """Return the score in words: "Score −20 with par 0: a substantial victory of the Coalition"."""
    pos, points = report.pos, score(report.pos)
    par, name = pos.data.scenarios[pos.scenario].par, level(points)
    who = "a draw" if name == "draw" else f"a {name} victory of the {report.side(0 if points > 0 else 1)}"
    return f"Score {signed(points)} with par {par}: {who}"


def _cup(report: Report) -> Iterator[Score]:
    if chits := report.cup:
        text = "; ".join(f"{report.side(side)}: {', '.join(map(str, chits[side])) or 'none'}" for side in SIDES)
        yield Score("cup", "Chits in the cup", (len(chits[0]), len(chits[1])), f"{text}.", "R4.1")


def make_holdings(report: Report) -> dict[str, values.HeldFortress]:
    pos, places = report.pos, report.data.places_held
    facts = tuple(pos.owners.values()), pos.status, *[inside & places for inside in pos.census.insides]
    calm: dict[str, values.HeldFortress] = memo_of(report.data, "holdings", MOST_HOLDINGS).get_or_compute(
        facts, lambda: {hex_name(here): holding(report, here, "") for here in report.data.strongholds}
    )
    besieged = {*pos.sieges, *hexes_of(report.besieged)}
    return {**calm, **{hex_name(here): holding(report, here, siege_track(report, here)) for here in besieged}}


def holding(report: Report, here: Hex, siege: str) -> values.HeldFortress:
    """Return a stronghold; its VP count if an enemy of its home nation has it (R16.2)."""
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
    return values.HeldFortress(owner, held, points, ", ".join([*words, *([siege] if siege else [])]), siege)


def _belongs(report: Report, here: Hex) -> str:
    """Return the owner of a stronghold in words (R10.2)."""
    owner = report.pos.owners[here]
    if owner in SIDES:
        return f"controlled by the {report.side(owner)}"
    if report.pos.is_enemy_ground(here):
        return f"{report.names.nation(report.data.strongholds[here].nation)}, neutral: cannot be taken"
    return "no owner"


def siege_track(report: Report, here: Hex) -> str:
    """Return the state of a siege in words; "" without one (R11)."""
    pos, owner = report.pos, report.pos.owners[here]
    siege = pos.sieges.get(here, Siege())
    if not (is_side(owner) and is_occupied(pos, here, owner) and is_besieged(pos, here, owner)) and siege == Siege():
        return ""
    words = [
        f"{siege.breaches} of {MOST_BREACHES} breaches",
        f"siege turn {siege.turns}" if siege.turns else "no siege roll yet",
    ]
    if report.data.strongholds[here].kind != CITY or not siege.turns:
        words.append(f"next breach at {breach_number(pos, here, siege.turns + 1)} or less")
    if siege.breaches:
        words.append(f"surrender at {surrender_number(pos, here, siege.breaches)} or less")
    if siege.shut:
        words.append(f"besieged for {format_count(siege.shut, 'turn')}")
    return ", ".join(words)


def _status(report: Report, nation: PowerId) -> values.PowerStatus:
    pos = report.pos
    if nation in pos.conquered:
        return values.PowerStatus(SIDE_OF[nation], "conquered: all its forts and fortresses are lost (R17.7)")
    if pos.status[nation] == AT_WAR:
        return values.PowerStatus(SIDE_OF[nation], "")
    if pos.status[nation] == NEUTRAL:
        due = pos.joined[nation]
        later = f"enters the war in {format_count(due - pos.clock, 'turn')} (R17.4)" if due > pos.clock else ""
        return values.PowerStatus(NOBODY, later or "neutral: its places cannot be taken or used (R5.6)")
    return values.PowerStatus(NOBODY, "out of the war (R17.5)")


def make_about(data: GameData, view: View, place: str) -> values.About:
    """Return everything that a viewer may know of a place, found by number or by a beginning of its name.

    Raises Invalid or Ambiguous.
    """
    report = Report(data, view)
    here = report.hex_of(place)
    names = [name for name, there in data.places.items() if there == here]
    if here in data.strongholds and data.strongholds[here].name not in names:
        names = [data.strongholds[here].name, *names]
    return values.About(hex_name(here), " · ".join([*names, hex_name(here)]), tuple(_about_lines(report, here)))


def _ground(report: Report, here: Hex) -> Iterator[str]:
    board = report.data.board
    if not board.is_in_play(here):
        yield "Water: impassable (R1.7)" if board.terrain[here] == WATER else "Out of play (R1.7)"
        return
    kind = "Mountain: −2 to the attacker's combat rolls (R12.4)" if board.terrain[here] == MOUNTAIN else "Clear"
    yield f"{kind}; {board.territory[here].replace('-', ' ').title()}"
    if austrian_zone(report.pos) >> here & 1:
        yield "Next to an Austrian field force: no Prussian-side supply path (V3.2a)"
    ranged = [report.side(side) for side in SIDES if depot_range(report.pos, side) >> here & 1]
    if ranged:
        yield f"In depot range: {', '.join(ranged)} (R9.6)"


def _about_lines(report: Report, here: Hex) -> Iterator[str]:
    yield from _ground(report, here)
    if here in report.data.strongholds:
        kind = report.data.kind_at(here)
        inside = "leaders may go inside" if kind.inside else "no leaders inside"
        yield holding(report, here, siege_track(report, here)).text
        yield f"Garrison of at most {kind.garrison} TP, {inside}; besieged by {kind.besieger} TP or more (R10.1)"
    for force in report.view.stacks:
        if force.hex == here:
            where = "inside" if is_within(report, force) else "in the field"
            garrison = report.garrison(force)
            yield f"{values.begun(report.side(force.side))}, {where}: {report.tp_of(force)}"
            if garrison and report.knows(force.side):
                yield f"Garrison: {report.names.tp(garrison)}"
            for number in report.ranked(force):
                yield unit_line(report, report.pos.units[number])
            for mark in forces.marks_of(report, force):
                yield f"{mark.text} ({mark.rule})"
    for marker in forces.make_markers(report).values():
        if marker.place == hex_name(here):
            yield marker.text
    yield from hexsides(report.data.board, here, report.place, "R1.7")
