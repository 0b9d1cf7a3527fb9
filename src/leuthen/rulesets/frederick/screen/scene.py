"""A position as the table shows it to one viewer, made from his view alone; and how far the turn has come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from leuthen.engine.memo import Memo
from leuthen.engine.ruleset import NOBODY, OwnerId, Side
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.data import AUSTRIA, MINORS, NATIONS, PRUSSIA, GameData
from leuthen.rulesets.frederick.model.decisions import Decision, Secret, SecretChoice
from leuthen.rulesets.frederick.model.events.base import SIDE_NAMES
from leuthen.rulesets.frederick.model.pieces import SIDES, WAITING
from leuthen.rulesets.frederick.rules import c04_sequence as sequence
from leuthen.rulesets.frederick.rules.c02_setup import Deployment, SetupPlan
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import YEAR as DIPLOMACY_YEAR
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import DiplomacyPhase, EnvoysSealed
from leuthen.rulesets.frederick.rules.c06_increments import RaiseSealed
from leuthen.rulesets.frederick.rules.c07_commitment import LossDue
from leuthen.rulesets.frederick.rules.c08_redeployment.redeployment import STEPS, RedeploymentPhase
from leuthen.rulesets.frederick.rules.c12_victory import FIRST_CHECK, VictoryCheck
from leuthen.rulesets.frederick.rules.c13_end import FinalVictory
from leuthen.rulesets.frederick.rules.o09_combat.combat import Battles, CombatPhase
from leuthen.rulesets.frederick.rules.o10_supply.depots import DestroyDepots
from leuthen.rulesets.frederick.rules.o11_morale import Rally
from leuthen.rulesets.frederick.rules.o14_winter.attrition import YearsEndAttrition
from leuthen.rulesets.frederick.screen.musters import make_musters
from leuthen.rulesets.frederick.screen.pieces import make_pieces
from leuthen.rulesets.frederick.screen.reporter import Reporter
from leuthen.rulesets.frederick.screen.scores import forecast, make_holdings, make_meters, make_scores, make_statuses
from leuthen.screen.values import Marker, Scene, Stage
from leuthen.wargame.board import NOWHERE, hex_name
from leuthen.wargame.calendar import dated
from leuthen.wargame.strength import LeaderId

DEPOT: Final = "depot"
WORKS: Final = "works"
PLAN: Final = "plan"
ATTACK: Final = "attack"


def make_scene(data: GameData, view: View) -> Scene:
    """The scene of a view; what the viewer may not know is in no part of it (O3)."""
    report = Reporter(data, view)
    stages, holdings = make_stages(view), make_holdings(report)
    return Scene(
        viewer=view.viewer,
        title=f"{view.year}, turn {view.turn}: {dated(view.year, view.turn)}",
        phase=phase_of(view, stages),
        year=view.year,
        turn=view.turn,
        phasing=view.phasing,
        pieces=make_pieces(report),
        markers=dict(_markers(report)),
        holdings=holdings,
        scores=make_scores(report),
        stages=stages,
        powers=make_statuses(report),
        musters=make_musters(report),
        notes=tuple(make_notes(report)),
        meters=tuple(make_meters(report, holdings)),
        result=_result(view),
    )


def _markers(report: Reporter) -> Iterator[tuple[str, Marker]]:
    """Depots, depots under construction, the depot of the set-up, and where attacks are declared; by key."""
    for marker in (*_depots(report), *_attacks(report)):
        yield f"{marker.place}-{marker.side}{marker.kind}", marker


def _depots(report: Reporter) -> Iterator[Marker]:
    view = report.view
    for here, depot in view.depots.items():
        kind, mark = (DEPOT, "D") if depot.complete else (WORKS, "d")
        state = "" if depot.complete else f" under construction{'' if depot.fed and depot.held else ', that will fail'}"
        text = f"Depot of {report.power(depot.power)}{state}, {report.place(here)}"
        yield Marker(hex_name(here), view.side_of(depot.power), kind, mark, text, depot.power)
    for side in SIDES:
        plan = view.sealed[side]
        if isinstance(plan, SetupPlan) and plan.depot != NOWHERE:
            text = f"Depot placed in secret, {report.place(plan.depot)}"
            yield Marker(hex_name(plan.depot), side, PLAN, "D", text, side)


def _attacks(report: Reporter) -> Iterator[Marker]:
    """Where an attack is declared and not fought yet (O9.2)."""
    for frame in report.view.frames:
        declared = (
            frame.declared if isinstance(frame, CombatPhase) else frame.left if isinstance(frame, Battles) else ()
        )
        for side, here in declared:
            text = f"The {SIDE_NAMES[side]} has declared an attack, {report.place(here)}"
            yield Marker(hex_name(here), side, ATTACK, "⚔", text)


_ENDS: Final = {
    "decisive": "a decisive victory",
    "substantial": "a substantial victory",
    "marginal": "a marginal victory",
    "draw": "peace without a victor",
}


def _result(view: View) -> str:
    """How the war ended, as a sentence."""
    end = view.outcome
    if end is None:
        return ""
    who = "The war is drawn" if end.winner is None else f"The {SIDE_NAMES[end.winner]} wins"
    return f"{who}: {_ENDS.get(end.how, end.how)}, {end.year} ({end.rule})"


def make_notes(report: Reporter) -> Iterator[str]:
    """The notes of a scene, what is pressing first."""
    yield from _secrets(report)
    yield from _prisoners(report)
    view = report.view
    if view.waiting:
        yield f"New SP that wait: {report.points(view.waiting)} (C8.7)"
    for side in SIDES if _frame(view, Deployment) is None else ():
        if leaders := [report.leader(n) for n in _waiting(report, side)]:
            yield f"Leaders of the {SIDE_NAMES[side]} who wait: {', '.join(leaders)} (C8.7)"
    if view.saxon_invader in SIDES and view.year == DIPLOMACY_YEAR:
        yield f"The {SIDE_NAMES[view.saxon_invader]} invaded Saxony in 1756 (C3.4, C5.6)"
    if view.german_open:
        yield "The German States are open to both sides (C9.2)"
    if view.outcome is None:
        yield from forecast(report)
    if report.pos.plan.area is None:
        yield "More than double the other's VP and four of the five great fortresses win after a year (C12.3)"


def _waiting(report: Reporter, side: Side) -> Iterator[LeaderId]:
    """The leaders of a side who are to be placed (C8.7); both sides see who was drawn (C8.2)."""
    for number, status in enumerate(report.view.roster):
        if status == WAITING and report.view.side_of(report.data.leaders[number].power) == side:
            yield LeaderId(number)


def _secrets(report: Reporter) -> Iterator[str]:
    """What is chosen in secret: of one's own all, of others that they have sealed (C2.4, C5.1, C6.2)."""
    for frame in report.view.frames:
        if isinstance(frame, SecretChoice):
            for side in SIDES:
                secret: Secret | None = report.view.sealed[side]
                if secret is not None and secret.sealed:
                    chosen = f"has sealed its choice{_chosen(report, secret)}"
                    yield f"{frame.NAME}: the {SIDE_NAMES[side]} {chosen} ({frame.RULE})"
                elif isinstance(frame, Deployment) and report.view.knows(side):
                    yield _left_to_place(report, frame, side)
    for secret in report.view.sealed:
        if isinstance(secret, LossDue) and secret.left:
            yield f"SP still to be lost: {secret.left} (C7.5)"


def _chosen(report: Reporter, secret: Secret) -> str:
    """What a viewer has sealed himself: «: France 2, Hanover 1»."""
    if isinstance(secret, EnvoysSealed):
        shares = (f"{report.power(power)} {n}" for power, n in zip(MINORS, secret.points, strict=True) if n)
        return f": {', '.join(shares) or 'no point'}"
    return f": {secret.points} RP" if isinstance(secret, RaiseSealed) else ""


def _left_to_place(report: Reporter, frame: Deployment, side: OwnerId) -> str:
    """What a side that deploys has still to place (C2.6)."""
    sp, leaders = frame.sp_left(report.pos, side), frame.leaders_left(report.pos, side)
    names = ", ".join(map(report.leader, leaders)) or "no leader"
    depot = ", a depot" if frame.depot_left(report.pos, side) else ""
    return f"The {SIDE_NAMES[side]} has still to place: {sp} SP, {names}{depot} (C2.6)"


def _prisoners(report: Reporter) -> Iterator[str]:
    """Prisoners by name (O15.3)."""
    for side in SIDES:
        held, captives = report.view.prisoners[side], report.view.captives[side]
        if held or captives:
            names = ", ".join(map(report.leader, captives)) or "none"
            yield f"Prisoners of the {SIDE_NAMES[side]}: {report.points(held)}; leaders: {names} (O15.3)"


PAST, NOW, NEXT = "past", "now", "next"
_SILENT: Final = (DestroyDepots, Rally)
"""Steps of the lists that are no phases of the rulebook."""
_SHAPING: Final = (Deployment, sequence.GrandStrategy, RedeploymentPhase, sequence.GameTurn, sequence.PlayerTurn)
"""The decisions in progress on which the list depends."""
_STAGES: Final = Memo()
SIDE_WORDS: Final = (NATIONS[PRUSSIA], NATIONS[AUSTRIA])
F = TypeVar("F", bound=Decision)


def make_stages(view: View) -> tuple[Stage, ...]:
    """The phases of the present turn, or those between two years; the set-up before the first."""
    if view.outcome is not None:
        return ()
    shaping = tuple([frame for frame in view.frames if isinstance(frame, _SHAPING)])
    return _STAGES.once((view.year, view.turn, view.options.last_year, shaping), lambda: _stages(view))


def _stages(view: View) -> tuple[Stage, ...]:
    setting_up, winter = _frame(view, Deployment), _frame(view, sequence.GrandStrategy)
    if winter is not None:
        return tuple(_winter(view, winter))
    first = [_stage(setting_up, NOW, "Set-up")] if setting_up is not None else []
    return (*first, *_turn(view))


def _frame(view: View, kind: type[F]) -> F | None:
    """The decision in progress of a kind, or None."""
    return next((frame for frame in view.frames if isinstance(frame, kind)), None)


def _stage(phase: Decision, when: str, group: str) -> Stage:
    return Stage(phase.NAME, phase.RULE, when, getattr(phase, "side", NOBODY), group)


def _mark(index: int, done: int) -> str:
    """`done` counts the steps that have begun, the present one among them."""
    return PAST if index < done - 1 else NOW if index == done - 1 else NEXT


def _listed(phases: Sequence[Decision], done: int, group: str) -> Iterator[Stage]:
    """The phases of a list, as far as it has come."""
    for index, phase in enumerate(phases):
        if not isinstance(phase, _SILENT):
            yield _stage(phase, _mark(index, done), group)


def _turn(view: View) -> Iterator[Stage]:
    """The exchange of prisoners on even turns, and both player turns with their phases (O4.1, O4.2)."""
    whole, part = _frame(view, sequence.GameTurn), _frame(view, sequence.PlayerTurn)
    begun = whole.done if whole is not None else 0
    for index, make in enumerate(sequence.GAME_TURN):
        step = make()
        if isinstance(step, sequence.PlayerTurn):
            yield from _player_turn(step.side, _mark(index, begun), part)
        elif not view.turn % 2:  # C11.1
            yield _stage(step, _mark(index, begun), step.NAME)


def _player_turn(side: Side, when: str, part: sequence.PlayerTurn | None) -> Iterator[Stage]:
    done = {PAST: len(sequence.PLAYER_TURN) + 1, NOW: part.done if part is not None else 0, NEXT: 0}[when]
    group = f"{SIDE_WORDS[side]} player turn"
    yield from _listed([make(side) for make in sequence.PLAYER_TURN], done, group)


def _winter(view: View, winter: sequence.GrandStrategy) -> Iterator[Stage]:
    """The Grand Strategic sequence of this year, the Re-deployment Phase step by step (C4.2, C8, C12, C13)."""
    for index, make in enumerate((*sequence.WINTER, sequence.NextYear)):
        phase, when = make(), _mark(index, winter.done)
        if isinstance(phase, RedeploymentPhase) and _is_played(view, phase):
            part = _frame(view, RedeploymentPhase)
            done = {PAST: len(STEPS) + 1, NOW: part.done if part is not None else 0, NEXT: 0}[when]
            yield from _listed(STEPS, done, sequence.GrandStrategy.NAME)
        elif not isinstance(phase, _SILENT) and _is_played(view, phase):
            yield _stage(phase, when, sequence.GrandStrategy.NAME)


def _is_played(view: View, phase: Decision) -> bool:
    """Diplomacy comes once (C5), the check from 1757 on (C12), peace after the last year alone (C13)."""
    is_last = view.year >= view.options.last_year
    if isinstance(phase, DiplomacyPhase):
        return view.year == DIPLOMACY_YEAR and not is_last
    if isinstance(phase, VictoryCheck):
        return view.year >= FIRST_CHECK
    if isinstance(phase, FinalVictory):
        return is_last
    return not is_last or isinstance(phase, YearsEndAttrition)


def phase_of(view: View, stages: Sequence[Stage]) -> str:
    """What is going on: «Force March of the Austrian side: March of a force»."""
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
