"""What else a viewer should see: sealed choices, prisoners, what waits, what the year's end would bring."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.frederick.model.data import MINORS
from leuthen.rulesets.frederick.model.decisions import Secret, SecretChoice
from leuthen.rulesets.frederick.model.events.base import SIDE_NAMES
from leuthen.rulesets.frederick.model.state import SIDES
from leuthen.rulesets.frederick.rules.c02_setup import Deployment
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import EnvoysSealed
from leuthen.rulesets.frederick.rules.c06_increments import RaiseSealed
from leuthen.rulesets.frederick.rules.c07_commitment import LossDue
from leuthen.rulesets.frederick.screen.reporter import Reporter
from leuthen.rulesets.frederick.screen.scores import forecast


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
