"""A position as the table shows it to one viewer, made from his view alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.events.base import SIDE_NAMES
from leuthen.rulesets.frederick.model.state import SIDES
from leuthen.rulesets.frederick.rules.c02_setup import SetupPlan
from leuthen.rulesets.frederick.rules.o09_combat.combat import Battles, CombatPhase
from leuthen.rulesets.frederick.screen.musters import make_musters
from leuthen.rulesets.frederick.screen.notes import make_notes
from leuthen.rulesets.frederick.screen.pieces import make_pieces
from leuthen.rulesets.frederick.screen.reporter import Reporter
from leuthen.rulesets.frederick.screen.scores import make_holdings, make_meters, make_scores, make_statuses
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
