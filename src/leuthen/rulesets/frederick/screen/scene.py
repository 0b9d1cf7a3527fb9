"""The scene of a view, and the description of a place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeVar

from leuthen.engine.memo import Memo, memo_of
from leuthen.engine.ruleset import NOBODY, OTHER, OwnerId, Side
from leuthen.rulesets.frederick.knowledge import View
from leuthen.rulesets.frederick.model.data import (
    ALL_POWERS,
    AUSTRIA,
    MINORS,
    NATIONS,
    PRUSSIA,
    TERRITORIES,
    GameData,
    find_place,
    land,
    title,
)
from leuthen.rulesets.frederick.model.decisions import Decision, Secret, SecretChoice
from leuthen.rulesets.frederick.model.events import SIDE_NAMES
from leuthen.rulesets.frederick.model.pieces import PRUSSIAN, SIDES, WAITING
from leuthen.rulesets.frederick.model.state import Position
from leuthen.rulesets.frederick.rules import c04_sequence as sequence
from leuthen.rulesets.frederick.rules import c12_victory as victory
from leuthen.rulesets.frederick.rules.c02_setup import Deployment, SetupPlan
from leuthen.rulesets.frederick.rules.c05_diplomacy import YEAR as DIPLOMACY_YEAR
from leuthen.rulesets.frederick.rules.c05_diplomacy import DiplomacyPhase, EnvoysSealed
from leuthen.rulesets.frederick.rules.c06_resources import RaiseSealed
from leuthen.rulesets.frederick.rules.c07_commitment import LossDue
from leuthen.rulesets.frederick.rules.c08_redeployment import STEPS, RedeploymentPhase
from leuthen.rulesets.frederick.rules.c12_victory import FIRST_CHECK, FinalVictory, VictoryCheck, level, score
from leuthen.rulesets.frederick.rules.o07_zones import is_in_zone
from leuthen.rulesets.frederick.rules.o09_combat import Battles, CombatPhase
from leuthen.rulesets.frederick.rules.o10_supply import DestroyDepots, is_besieged, violated_by
from leuthen.rulesets.frederick.rules.o11_morale import Rally
from leuthen.rulesets.frederick.rules.o14_attrition import YearsEndAttrition
from leuthen.rulesets.frederick.screen.forces import Report, conditions, make_musters, make_pieces, title_of
from leuthen.screen.figures import result_now
from leuthen.screen.values import About, HeldFortress, Marker, Meter, PowerStatus, Scene, Score, Stage
from leuthen.wargame.board import MOUNTAIN, NOWHERE, WATER, Hex, hex_name, hexsides, parse_hex
from leuthen.wargame.names import format_count
from leuthen.wargame.strength import LeaderId, PowerId, total
from leuthen.wargame.war import date_text, half_month

DEPOT: Final = "depot"
WORKS: Final = "works"
PLAN: Final = "plan"
ATTACK: Final = "attack"


def make_scene(data: GameData, view: View) -> Scene:
    """Return the scene of a view. It contains nothing that the viewer may not know (O3)."""
    report = Report(data, view)
    stages, holdings = make_stages(view), make_holdings(report)
    return Scene(
        viewer=view.viewer,
        title=f"{view.year}, turn {view.turn}: {date_text(view.year, view.turn)}",
        phase=phase_of(view, stages),
        year=view.year,
        turn=view.turn,
        phasing=view.phasing,
        pieces=make_pieces(report),
        markers={f"{one.place}-{one.side}{one.kind}": one for one in (*_depots(report), *_attacks(report))},
        holdings=holdings,
        scores=make_scores(report),
        stages=stages,
        powers=make_statuses(report),
        musters=make_musters(report),
        notes=tuple(make_notes(report)),
        meters=tuple(make_meters(report, holdings)),
        result=_result(view),
    )


def _depots(report: Report) -> Iterator[Marker]:
    view = report.view
    for here, depot in view.depots.items():
        kind, mark = (DEPOT, "D") if depot.complete else (WORKS, "d")
        state = "" if depot.complete else f" under construction{'' if depot.fed and depot.held else ', will fail'}"
        text = f"Depot of {report.power(depot.power)}{state}, {report.place(here)}"
        yield Marker(hex_name(here), view.side_of(depot.power), kind, mark, text, depot.power)
    for side in SIDES:
        plan = view.sealed[side]
        if isinstance(plan, SetupPlan) and plan.depot != NOWHERE:
            text = f"Depot placed in secret, {report.place(plan.depot)}"
            yield Marker(hex_name(plan.depot), side, PLAN, "D", text, side)


def _attacks(report: Report) -> Iterator[Marker]:
    """Yield a marker for each attack that is declared and not fought yet (O9.2)."""
    for frame in report.view.frames:
        declared = (
            frame.declared if isinstance(frame, CombatPhase) else frame.left if isinstance(frame, Battles) else ()
        )
        for side, here in declared:
            text = f"The {SIDE_NAMES[side]} has declared an attack at {report.place(here)}"
            yield Marker(hex_name(here), side, ATTACK, "⚔", text)


_ENDS: Final = {
    "decisive": "a decisive victory",
    "substantial": "a substantial victory",
    "marginal": "a marginal victory",
    "draw": "peace without a winner",
}


def _result(view: View) -> str:
    end = view.outcome
    if end is None:
        return ""
    who = "The war is drawn" if end.winner is None else f"The {SIDE_NAMES[end.winner]} wins"
    return f"{who}: {_ENDS.get(end.how, end.how)}, {end.year} ({end.rule})"


def make_notes(report: Report) -> Iterator[str]:
    """Yield the notes of a scene, the urgent ones first."""
    yield from _secrets(report)
    yield from _prisoners(report)
    view = report.view
    if view.waiting:
        yield f"New SP waiting to be placed: {report.points(view.waiting)} (C8.7)"
    for side in SIDES if _frame(view, Deployment) is None else ():
        if leaders := [report.leader(n) for n in _waiting(report, side)]:
            yield f"Leaders of the {SIDE_NAMES[side]} waiting to be placed: {', '.join(leaders)} (C8.7)"
    if view.saxon_invader in SIDES and view.year == DIPLOMACY_YEAR:
        yield f"The {SIDE_NAMES[view.saxon_invader]} invaded Saxony in 1756 (C3.4, C5.6)"
    if view.german_open:
        yield "The German States are open to both sides (C9.2)"
    if view.outcome is None:
        yield from forecast(report)
    if report.pos.plan.area is None:
        yield "A side wins after a year with more than double the VP and four great fortresses (C12.3)"


def _waiting(report: Report, side: Side) -> Iterator[LeaderId]:
    """Yield the leaders of a side who wait to be placed (C8.7); both sides see who was drawn (C8.2)."""
    for number, status in enumerate(report.view.roster):
        if status == WAITING and report.view.side_of(report.data.leaders[number].power) == side:
            yield LeaderId(number)


def _secrets(report: Report) -> Iterator[str]:
    """Yield the secret choices: the viewer's own, and for others only that they have sealed (C2.4, C5.1, C6.2)."""
    for frame in report.view.frames:
        if isinstance(frame, SecretChoice):
            for side in SIDES:
                secret: Secret | None = report.view.sealed[side]
                if secret is not None and secret.sealed:
                    chosen = f"has sealed its choice{_secret_text(report, secret)}"
                    yield f"{frame.NAME}: the {SIDE_NAMES[side]} {chosen} ({frame.RULE})"
                elif isinstance(frame, Deployment) and report.view.knows(side):
                    sp, leaders, has_depot = frame.left(report.pos, side)
                    names = ", ".join(map(report.leader, leaders)) or "no leader"
                    depot = ", a depot" if has_depot else ""
                    yield f"The {SIDE_NAMES[side]} must still place: {sp} SP, {names}{depot} (C2.6)"
    for secret in report.view.sealed:
        if isinstance(secret, LossDue) and secret.left:
            yield f"SP still to be lost: {secret.left} (C7.5)"


def _secret_text(report: Report, secret: Secret) -> str:
    if isinstance(secret, EnvoysSealed):
        shares = (f"{report.power(power)} {n}" for power, n in zip(MINORS, secret.points, strict=True) if n)
        return f": {', '.join(shares) or 'no point'}"
    return f": {secret.points} RP" if isinstance(secret, RaiseSealed) else ""


def _prisoners(report: Report) -> Iterator[str]:
    for side in SIDES:
        held, captives = report.view.prisoners[side], report.view.captives[side]
        if held or captives:
            names = ", ".join(map(report.leader, captives)) or "none"
            yield f"Prisoners of the {SIDE_NAMES[side]}: {report.points(held)}; leaders: {names} (O15.3)"


PAST, NOW, NEXT = "past", "now", "next"
_SILENT: Final = (DestroyDepots, Rally)
"""Steps that are no phases of the rulebook."""
_SHAPING: Final = (Deployment, sequence.GrandStrategy, RedeploymentPhase, sequence.GameTurn, sequence.PlayerTurn)
"""The decisions in progress that determine the list."""
_STAGES: Final = Memo()
SIDE_WORDS: Final = (NATIONS[PRUSSIA], NATIONS[AUSTRIA])
F = TypeVar("F", bound=Decision)


def make_stages(view: View) -> tuple[Stage, ...]:
    """Return the phases of the present turn, or those between two years; the set-up before the first turn."""
    if view.outcome is not None:
        return ()
    shaping = tuple([frame for frame in view.frames if isinstance(frame, _SHAPING)])
    return _STAGES.get_or_compute((view.year, view.turn, view.options.last_year, shaping), lambda: _stages(view))


def _stages(view: View) -> tuple[Stage, ...]:
    setting_up, winter = _frame(view, Deployment), _frame(view, sequence.GrandStrategy)
    if winter is not None:
        return tuple(_winter(view, winter))
    first = [_stage(setting_up, NOW, "Set-up")] if setting_up is not None else []
    return (*first, *_turn(view))


def _frame(view: View, kind: type[F]) -> F | None:
    return next((frame for frame in view.frames if isinstance(frame, kind)), None)


def _stage(phase: Decision, when: str, group: str) -> Stage:
    return Stage(phase.NAME, phase.RULE, when, getattr(phase, "side", NOBODY), group)


def _mark(index: int, done: int) -> str:
    return PAST if index < done - 1 else NOW if index == done - 1 else NEXT


def _listed(phases: Sequence[Decision], done: int, group: str) -> Iterator[Stage]:
    for index, phase in enumerate(phases):
        if not isinstance(phase, _SILENT):
            yield _stage(phase, _mark(index, done), group)


def _turn(view: View) -> Iterator[Stage]:
    """Yield the exchange of prisoners on even turns, and both player turns with their phases (O4.1, O4.2)."""
    whole, part = _frame(view, sequence.GameTurn), _frame(view, sequence.PlayerTurn)
    begun = whole.done if whole is not None else 0
    for index, step in enumerate(sequence.GAME_TURN):
        if isinstance(step, sequence.PlayerTurn):
            when = _mark(index, begun)
            done = {PAST: len(sequence.PLAYER_TURN) + 1, NOW: part.done if part is not None else 0, NEXT: 0}[when]
            group = f"{SIDE_WORDS[step.side]} player turn"
            yield from _listed([make(step.side) for make in sequence.PLAYER_TURN], done, group)
        elif not view.turn % 2:  # C11.1
            yield _stage(step, _mark(index, begun), step.NAME)


def _winter(view: View, winter: sequence.GrandStrategy) -> Iterator[Stage]:
    """Yield the Grand Strategic sequence of this year, with the steps of the Re-deployment Phase (C4.2, C8, C12,
    C13)."""
    for index, phase in enumerate((*sequence.WINTER, sequence.NextYear())):
        when = _mark(index, winter.done)
        if isinstance(phase, RedeploymentPhase) and _is_played(view, phase):
            part = _frame(view, RedeploymentPhase)
            done = {PAST: len(STEPS) + 1, NOW: part.done if part is not None else 0, NEXT: 0}[when]
            yield from _listed(STEPS, done, sequence.GrandStrategy.NAME)
        elif not isinstance(phase, _SILENT) and _is_played(view, phase):
            yield _stage(phase, when, sequence.GrandStrategy.NAME)


def _is_played(view: View, phase: Decision) -> bool:
    """Diplomacy comes once (C5), the check from 1757 on (C12), peace after the last year only (C13)."""
    is_last = view.year >= view.options.last_year
    if isinstance(phase, DiplomacyPhase):
        return view.year == DIPLOMACY_YEAR and not is_last
    if isinstance(phase, VictoryCheck):
        return view.year >= FIRST_CHECK
    if isinstance(phase, FinalVictory):
        return is_last
    return not is_last or isinstance(phase, YearsEndAttrition)


def phase_of(view: View, stages: Sequence[Stage]) -> str:
    """Return the present phase: "Force March of the Austrian side: March of a force"."""
    if view.outcome is not None:
        return "The war has ended"
    inner = view.frames[-1].NAME if view.frames else ""
    now = next((stage for stage in stages if stage.when == NOW), None)
    if now is None:
        return inner
    combat = _frame(view, CombatPhase)
    side = now.side if combat is None else combat.declaring  # both sides declare attacks, one after the other (O9.2)
    whose = f" of the {SIDE_NAMES[side]}" if side in SIDES else ""
    return f"{now.name}{whose}{f': {inner}' if inner not in (now.name, '') else ''}"


UNCOUNTED: Final = -1


def make_scores(report: Report) -> tuple[Score, ...]:
    """Return VP, SP, great and Silesian fortresses, RP and prisoners, the Prussian side's first."""
    view, outline = report.view, report.pos
    vp, great, silesia = (
        victory.victory_points(outline),
        victory.great_fortresses(outline),
        victory.silesian_fortresses(outline),
    )
    men = (total(view.prisoners[0]), total(view.prisoners[1]))
    leaders = (len(view.captives[0]), len(view.captives[1]))
    sp = tuple([_least(report, side) if report.knows(side) else UNCOUNTED for side in SIDES])
    least = ", ".join(f"{SIDE_NAMES[side]} {_least(report, side)} or more" for side in SIDES if sp[side] == UNCOUNTED)
    seen = f"Visible: {least}." if least else "All powers of a side together."
    of_silesia = sum(fort.province == "silesia" for fort in report.data.fortresses.values())
    return (
        Score("vp", "Victory points", vp, _who_leads(vp), "C12.2", is_ratio=True, now=_result_now(outline)),
        Score("sp", "SP on the map", (sp[0], sp[1]), seen, "O3.1"),
        Score("great", "Great fortresses", great, f"{victory.GREAT_NEEDED} of the five are needed to win.", "C12.3"),
        Score(
            "silesia",
            "Fortresses of Silesia",
            silesia[:2],
            f"{of_silesia} in all; they count at the end of the war.",
            "C13.1",
        ),
        Score("rp", "Resource Points", view.rp, "Each raises SP equal to 10 % of the major power's own.", "C6.3"),
        Score("prisoners", "SP in captivity", men, "Exchanged on even turns.", "C11.1"),
        Score("captives", "Captive leaders", leaders, "Exchanged on even turns.", "C11.1"),
    )


def _least(report: Report, side: OwnerId) -> int:
    return sum(stack.least for stack in report.all_stacks if stack.side == side)


def _result_now(pos: Position) -> str:
    """Return the result if the game ended now, against par (C14.5) or by the end of the war (C13.1)."""
    if pos.plan.par is not None:
        points = victory.score(pos)
        return result_now(points, victory.level(points), ("Prussia", "Austria"))
    first, second = victory.victory_points(pos)
    winner = victory.marginal_victor((first, second), victory.silesian_fortresses(pos))
    if winner == NOBODY:
        return "draw"
    return f"marginal victory ({('Prussia', 'Austria')[winner]})"


def _who_leads(vp: tuple[int, int]) -> str:
    """Return each side's distance from more than double the other's VP (C12.3)."""
    lacking = [max(0, 2 * vp[OTHER[side]] + 1 - vp[side]) for side in SIDES]
    for side in SIDES:
        if not lacking[side]:
            return f"The {SIDE_NAMES[side]} has more than double its opponent's VP."
    first, second = lacking
    needs = f"the {SIDE_NAMES[0]} needs {first} more VP, the {SIDE_NAMES[1]} {second}"
    return f"For more than double, {needs}."


def make_holdings(report: Report) -> dict[str, HeldFortress]:
    return {hex_name(here): holding(report, here, owner) for here, owner in report.view.owners.items()}


def holding(report: Report, here: Hex, owner: OwnerId) -> HeldFortress:
    held, points = report.holders[here] != NOBODY, victory.vp_of(report.pos, here)
    siege = siege_track(report, here, owner)
    facts = here, owner, held, points, siege, _is_neutral(report, here)
    return memo_of(report.data, "holdings").get_or_compute(
        facts, lambda: HeldFortress(owner, held, points, _in_words(report, here, siege, held=held), siege)
    )


def _in_words(report: Report, here: Hex, siege: str, *, held: bool) -> str:
    owner, fort, points = report.pos.owners[here], report.data.fortresses[here], victory.vp_of(report.pos, here)
    words = [
        f"{fort.name}: {belonging(report, here)}",
        *(["garrisoned" if held else "empty"] if owner in SIDES else []),
    ]
    words.append(f"{points} VP{' (one of the five great fortresses)' if fort.great else ''}")
    if points < fort.vp:
        words.append(f"{fort.vp} if France and Hanover are on different sides (C9.3)")
    return ", ".join([*words, *([siege] if siege else [])])


def belonging(report: Report, here: Hex) -> str:
    """Return the owner of a fortress in words (O12.2)."""
    owner, home = report.pos.owners[here], report.data.fortresses[here].power
    if owner in SIDES:
        return SIDE_NAMES[owner]
    return f"{report.power(home)}, neutral" if _is_neutral(report, here) else "unowned"


def _is_neutral(report: Report, here: Hex) -> bool:
    home = report.data.fortresses[here].power
    return home >= 0 and home not in report.view.surrendered and report.view.allegiance[home] == NOBODY


def siege_track(report: Report, here: Hex, owner: OwnerId) -> str:
    """Return the state of a siege: "besieged, 2 rolls (the next has +2)"; "" without one (O13.1, O13.2)."""
    if owner not in SIDES or not is_besieged(report.pos, here, owner):
        return ""
    rolls = report.pos.sieges.get(here, 0)
    return f"besieged, {format_count(rolls, 'roll')} (the next has +{rolls})" if rolls else "besieged, no roll yet"


def make_meters(report: Report, holdings: Mapping[str, HeldFortress]) -> Iterator[Meter]:
    """Yield the sieges among the holdings (O13.2)."""
    for place, held in holdings.items():
        if held.siege:
            here = parse_hex(place)
            rolls, name = report.pos.sieges.get(here, 0), report.data.fortresses[here].name
            lines = (f"The next roll has +{rolls}",) * bool(rolls)
            yield Meter(place, OTHER[held.side], name, "O13.2", rolls, format_count(rolls, "roll"), lines=lines)


def forecast(report: Report) -> Iterator[str]:
    """Yield the result if the year ended now (C12.3, C13.1)."""
    view, outline = report.view, report.pos
    vp = victory.victory_points(outline)
    if view.year < victory.FIRST_CHECK:
        return
    if outline.plan.par is not None:
        yield _score_line(outline)
    winner = NOBODY if outline.plan.area is not None else victory.victor(vp, victory.great_fortresses(outline))
    if winner != NOBODY:
        yield f"If the year ended now, the {SIDE_NAMES[winner]} would win the war (C12.3)"
    elif view.year >= view.options.last_year and outline.plan.par is None:
        winner = victory.marginal_victor(vp, victory.silesian_fortresses(outline))
        end = f"the {SIDE_NAMES[winner]} would win marginally" if winner != NOBODY else "the war would be drawn"
        yield f"If the year ended now, {end} (C13.1)"


def _score_line(outline: Position) -> str:
    """Return a scenario's present score, and when it counts (C14.5)."""
    plan, points = outline.plan, score(outline)
    how = level(points)
    end = "a draw" if how == "draw" else f"a {how} victory of the {SIDE_NAMES[points < 0]}"
    when = f"{half_month(plan.last_turn)} {plan.last}"
    return f"The scenario ends in {when}. Present score {points:+d}, par {plan.par:+d}: {end} (C14.5)"


def make_statuses(report: Report) -> tuple[PowerStatus, ...]:
    return tuple([PowerStatus(report.view.side_of(power), "; ".join(_status(report, power))) for power in ALL_POWERS])


def _status(report: Report, power: PowerId) -> Iterator[str]:
    view = report.view
    if power in view.surrendered:
        last = view.allegiance[power]
        yield f"has surrendered{f', last on the {SIDE_NAMES[last]}' if last in SIDES else ''} (C11.3)"
    elif view.allegiance[power] == NOBODY:
        yield "neutral (C1.2)"
    if power in view.invaded and view.year == DIPLOMACY_YEAR:
        yield "invaded in 1756: no roll on the Diplomacy Table (C5.2)"
    if power in view.starred:
        yield "joined by a starred result (C5.5)"


def make_about(data: GameData, view: View, place: str) -> About:
    """Return everything that a viewer may know of a place, found by number or by a beginning of its name.

    Raises Invalid or Ambiguous.
    """
    report = Report(data, view)
    here = find_place(data, report.book, place)
    return About(hex_name(here), title(data, here), tuple(_about_lines(report, here)))


def ground(report: Report, here: Hex) -> Iterator[str]:
    """Yield the terrain and owner of a hex, and the effects of entering it."""
    board = report.data.board
    if not board.is_in_play(here):
        yield "Water: impassable (O5.4)" if board.terrain[here] == WATER else "Outside the theatre of war (O5.4)"
        return
    territory = board.territory[here]
    power = TERRITORIES.get(territory)
    whose = f"territory of {report.power(power)}" if power is not None else "open to both sides (C9.1)"
    kind = "Mountain: −2 to the die of a battle (O9.4)" if board.terrain[here] == MOUNTAIN else "Clear"
    yield f"{kind}; {land(territory)}, {whose}"
    violated = violated_by(report.pos, here)
    if violated >= 0:
        yield f"Neutral: entering violates {report.power(violated)} (C3.3)"
    if is_in_zone(report.pos, here, PRUSSIAN):
        yield "In an Austrian zone of control: +1 MP for the Prussian side (O5.3)"


def _about_lines(report: Report, here: Hex) -> Iterator[str]:
    yield from ground(report, here)
    if here in report.data.fortresses:
        fort = report.data.fortresses[here]
        home = f", in the home territory of {report.power(fort.power)}" if fort.power >= 0 else ""
        yield f"Fortress {holding(report, here, report.view.owners.get(here, NOBODY)).text}{home}"
    if depot := report.view.depots.get(here):
        yield f"Depot of {report.power(depot.power)}{'' if depot.complete else ', under construction'} (O10.4)"
    for stack in report.all_stacks:
        if stack.hex == here:
            army = report.known(stack, report.who(stack) if stack.commander >= 0 else title_of(report, stack))
            words = f"{army.commander}: {army.strength}{', inside' if stack.inside else ''}"
            yield "; ".join([words, *(state.word for state in conditions(report, stack))])
    yield from hexsides(report.data.board, here, report.place, "O5.4")
