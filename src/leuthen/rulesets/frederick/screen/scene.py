"""A position as the table shows it to one viewer, made from his view alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.data import MINORS, GameData
from leuthen.rulesets.frederick.model.decisions import Secret, SecretChoice
from leuthen.rulesets.frederick.model.events.base import SIDE_NAMES
from leuthen.rulesets.frederick.model.state import SIDES
from leuthen.rulesets.frederick.rules.c02_setup import Deployment, SetupPlan
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import EnvoysSealed
from leuthen.rulesets.frederick.rules.c06_increments import RaiseSealed
from leuthen.rulesets.frederick.rules.c07_commitment import LossDue
from leuthen.rulesets.frederick.rules.o09_combat.combat import Battles, CombatPhase
from leuthen.rulesets.frederick.screen.musters import make_musters
from leuthen.rulesets.frederick.screen.pieces import make_pieces
from leuthen.rulesets.frederick.screen.reporter import Reporter
from leuthen.rulesets.frederick.screen.scores import forecast, make_holdings, make_meters, make_scores, make_statuses
from leuthen.rulesets.frederick.screen.stages import make_stages, phase_of
from leuthen.screen import Marker, Scene
from leuthen.wargame.board import NOWHERE, hex_name
from leuthen.wargame.calendar import dated

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
    if view.saxon_invader in SIDES:
        yield f"The {SIDE_NAMES[view.saxon_invader]} invaded Saxony in 1756 (C3.4, C5.6)"
    if view.german_open:
        yield "The German States are open to both sides (C9.2)"
    if view.outcome is None:
        yield from forecast(report)
    if report.outline.plan.area is None:
        yield "More than double the other's VP and four of the five great fortresses win after a year (C12.3)"


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
    sp, leaders = frame.sp_left(report.outline, side), frame.leaders_left(report.outline, side)
    names = ", ".join(map(report.leader, leaders)) or "no leader"
    depot = ", a depot" if frame.depot_left(report.outline, side) else ""
    return f"The {SIDE_NAMES[side]} has still to place: {sp} SP, {names}{depot} (C2.6)"


def _prisoners(report: Reporter) -> Iterator[str]:
    """Prisoners by name (O15.3)."""
    for side in SIDES:
        held, captives = report.view.prisoners[side], report.view.captives[side]
        if held or captives:
            names = ", ".join(map(report.leader, captives)) or "none"
            yield f"Prisoners of the {SIDE_NAMES[side]}: {report.points(held)}; leaders: {names} (O15.3)"
