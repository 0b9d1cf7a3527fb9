"""A position as the table shows it to one viewer, made from his view alone."""

from __future__ import annotations

from leuthen.engine.ruleset import as_side
from leuthen.rulesets.campaigns.knowledge.view import View
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.rules.r16_victory import victory_points
from leuthen.rulesets.campaigns.screen.displays import make_meters, make_place, make_trays, make_versus
from leuthen.rulesets.campaigns.screen.musters import make_musters
from leuthen.rulesets.campaigns.screen.notes import make_notes
from leuthen.rulesets.campaigns.screen.pieces import make_markers, make_pieces
from leuthen.rulesets.campaigns.screen.report import Report
from leuthen.rulesets.campaigns.screen.scores import make_holdings, make_scores, make_statuses, score_text
from leuthen.rulesets.campaigns.screen.stages import make_stages, part_of, phase_of
from leuthen.screen import Scene
from leuthen.wargame.calendar import dated


def make_scene(data: GameData, view: View) -> Scene:
    """The scene of a view; what the viewer may not know is in no part of it."""
    report = Report(data, view)
    return Scene(
        viewer=view.viewer,
        title=f"{view.year}, turn {view.turn}: {dated(view.year, max(1, view.turn))}",
        phase=phase_of(report),
        year=view.year,
        turn=view.turn,
        phasing=view.phasing,
        pieces=make_pieces(report),
        markers=make_markers(report),
        holdings=make_holdings(report),
        scores=make_scores(report),
        stages=make_stages(report),
        powers=make_statuses(report),
        musters=make_musters(report),
        notes=tuple(make_notes(report)),
        place=make_place(report),
        trays=make_trays(report),
        versus=make_versus(report, part_of(report)),
        meters=make_meters(report),
        result=_result(report),
    )


def _result(report: Report) -> str:
    """How the war ended, as a sentence, with the VP of both sides and the score."""
    end = report.view.outcome
    if end is None:
        return ""
    first, second = victory_points(report.pos)
    points = f"VP {first} to {second}. {score_text(report)} (R16.4)"
    if end.winner is None:
        return f"The war is drawn ({end.rule}). {points}"
    return f"The {report.side(as_side(end.winner))} wins: a {end.how} victory, {end.year} ({end.rule}). {points}"
