"""A position as the table shows it to one viewer, made from his view alone; and how far the turn has come."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.ruleset import NOBODY, OTHER, SIDES, OwnerId, Side, as_side
from leuthen.rulesets.campaigns.knowledge.view import View
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.events import STEPS
from leuthen.rulesets.campaigns.rules.r03_sequence import TURN, GameTurn
from leuthen.rulesets.campaigns.rules.r04_command.command import Command, Orders
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Battle
from leuthen.rulesets.campaigns.rules.r12_battle.fight import Combatant, all_tp, committed_tp
from leuthen.rulesets.campaigns.rules.r15_arrivals import is_campaign
from leuthen.rulesets.campaigns.rules.r16_victory import victory_points
from leuthen.rulesets.campaigns.rules.r17_winter import Interlude, NewYear
from leuthen.rulesets.campaigns.screen.displays import make_meters, make_place, make_trays, make_versus
from leuthen.rulesets.campaigns.screen.musters import make_musters
from leuthen.rulesets.campaigns.screen.pieces import make_markers, make_pieces
from leuthen.rulesets.campaigns.screen.report import Report, when
from leuthen.rulesets.campaigns.screen.scores import chits_left, make_holdings, make_scores, make_statuses, score_text
from leuthen.screen.values import Scene, Stage, begun
from leuthen.wargame.calendar import dated
from leuthen.wargame.strength import LeaderId, PowerId, total


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


def make_notes(report: Report) -> Iterator[str]:
    """The notes of a scene, what is pressing first."""
    yield from _battles(report)
    yield from _marches(report)
    yield from _chits(report)
    yield from _coming(report)
    yield from _prisoners(report)
    yield from _alliances(report)


def _battles(report: Report) -> Iterator[str]:
    for frame in reversed(report.pos.frames):
        if isinstance(frame, Battle) and frame.hosts is not None:
            if frame.retreating >= 0:
                yield f"Last round: the {report.side(as_side(frame.retreating))} retreats (V6.3)"
            for side in (frame.attacker, OTHER[frame.attacker]):
                yield _host(report, frame, side, frame.hosts[side])


def _host(report: Report, battle: Battle, side: Side, host: Combatant) -> str:
    """«Prussian side attacks, Frederick: 40 of 42 TP, 75 % committed: 30 TP, concentrated»."""
    role = "attacks" if side == battle.attacker else "defends"
    now = all_tp(report.pos, battle, side)
    words = [f"{begun(report.side(side))} {role}, {report.name(host.commander)}: {now} of {host.began} TP"]
    if host.share:
        words.append(f"{host.share} % committed: {committed_tp(report.pos, battle, side)} TP")
    words += [f"{host.hit} lost in this round"] * bool(host.hit) + ["concentrated"] * host.concentrated
    words += ["high intensity"] * host.intense + ["its commander has broken"] * host.broke
    return f"{', '.join(words)} (R12)"


def _marches(report: Report) -> Iterator[str]:
    for frame in report.pos.frames:
        if isinstance(frame, Marching) and frame.lead in report.pos.units:
            kind = "Forced march" if frame.forced else "March"
            who = report.names.units(frame.members(report.pos))
            where = report.place(report.pos.units[frame.lead].hex)
            left = f", {frame.left} MP left" if report.knows(frame.side) else ""
            yield f"{kind} of {who}: at {where}{left} (R4.4)"


def _chits(report: Report) -> Iterator[str]:
    out = next((frame for frame in report.pos.frames if isinstance(frame, Orders)), None)
    if out is not None:
        yield f"The chit {out.command} of the {report.side(out.side)} is out: leaders of command {out.command} (R4.2)"
    if any(isinstance(frame, Command) for frame in report.pos.frames):
        left = chits_left(report)
        cup = "; ".join(f"{report.side(side)} {', '.join(map(str, left[side])) or 'none'}" for side in SIDES)
        yield f"In the cup: {cup} (R4.1)"


def _coming(report: Report) -> Iterator[str]:
    """Who is freed or due, and when (V7.3): a line for each nation and date."""
    men: dict[tuple[int, PowerId], int] = {}
    leaders: dict[tuple[int, PowerId], list[LeaderId]] = {}
    for one in report.pos.coming:
        key = one.due, one.nation
        men[key] = men.get(key, 0) + one.tp
        leaders.setdefault(key, []).extend([one.leader] if one.leader >= 0 else [])
    for key in sorted(men):
        due, nation = key
        who = [f"{men[key]} TP"] * bool(men[key]) + [report.name(leader) for leader in leaders[key]]
        yield f"On the way to {report.names.nation(nation)}: {', '.join(who)}, {when(due)} (V7.3)"


def _prisoners(report: Report) -> Iterator[str]:
    for side in SIDES:
        held, captives = report.pos.prisoners[side], report.pos.captives[side]
        if total(held) or captives:
            names = report.names.units(captive.leader for captive in captives) or "none"
            yield f"Prisoners of the {report.side(side)}: {report.tp(held) or '0'} TP; leaders: {names} (R14.2)"


def _alliances(report: Report) -> Iterator[str]:
    if is_campaign(report.pos):
        yield "Ally determination on turns 1, 7 and 13 (R17.3); who leaves the war is rolled on turn 1 (R17.5)"


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
"""What happens in a round, each with the stages of the engine that come before it is over, and the decisions in it."""
_PARTS: Final = {word: number for number, (words, _, _) in enumerate(_ROUND) for word in words}


def make_stages(report: Report) -> tuple[Stage, ...]:
    """The steps of this turn, with the chits of step F and the parts of a battle's round under way; none at the end."""
    pos = report.pos
    if pos.outcome is not None:
        return ()
    if any(isinstance(frame, Interlude | NewYear) for frame in pos.frames):
        frame = pos.frames[-1]
        return (Stage(frame.NAME, frame.RULE, NOW, getattr(frame, "side", NOBODY), "Winter"),)
    return (*_steps(report), *_rounds(report))


def _steps(report: Report) -> Iterator[Stage]:
    done = next((frame.done for frame in report.pos.frames if isinstance(frame, GameTurn)), 0)
    for number, (letter, _) in enumerate(TURN, 1):
        name, rule = STEPS[letter]
        when = PAST if number < done else NOW if number == done else NEXT
        if letter == "F" and when == NOW:
            yield from _cup(report)
        else:
            side = _acting(report) if when == NOW else NOBODY
            yield Stage(f"{letter} · {name}", rule, when, side, "Turn")


def _acting(report: Report) -> int:
    frame = report.pos.frames[-1] if report.pos.frames else None
    side: OwnerId = getattr(frame, "side", NOBODY)
    return side


def _cup(report: Report) -> Iterator[Stage]:
    """The chit that is out, and those still in the cup (R4.1)."""
    out = next((frame for frame in report.pos.frames if isinstance(frame, Orders)), None)
    yield Stage("F · Command", "R4.1", NOW, NOBODY, "Turn")
    if out is not None:
        yield Stage(f"Chit {out.command} is out", "R4.2", NOW, out.side, "Chits")
    if any(isinstance(frame, Command) for frame in report.pos.frames):
        left = chits_left(report)
        for side in SIDES:
            for chit in left[side]:
                yield Stage(f"Chit {chit}", "R4.1", NEXT, side, "Chits in the cup")


def _rounds(report: Report) -> Iterator[Stage]:
    """The round of a battle (R12.2-R12.8)."""
    battle = next((frame for frame in reversed(report.pos.frames) if isinstance(frame, Battle)), None)
    if battle is None:
        return
    part = phase_of_round(report, battle)
    last = ", the last one" if battle.retreating >= 0 else ""
    for number, (_, name, rule) in enumerate(_ROUND):
        when = PAST if number < part else NOW if number == part else NEXT
        side = _acting(report) if when == NOW else NOBODY
        yield Stage(name, rule, when, side, f"Battle at {report.place(battle.hex)}, round {battle.round}{last}")


def phase_of_round(report: Report, battle: Battle) -> int:
    """Which part of the round is going on."""
    return _PARTS.get(str(report.pos.frames[-1].__struct_config__.tag), _PARTS[battle.stage])


def part_of(report: Report) -> str:
    """What is done now, by the rulebook's noun."""
    return report.pos.frames[-1].NAME if report.pos.frames else ""


def phase_of(report: Report) -> str:
    """What is going on: «Command, chit 3 of the Prussian side: March»."""
    pos = report.pos
    if pos.outcome is not None:
        return "The war has ended"
    inner = part_of(report)
    battle = next((frame for frame in reversed(pos.frames) if isinstance(frame, Battle)), None)
    if battle is not None:
        return f"Battle at {report.place(battle.hex)}, round {battle.round}: {inner}"
    chit = next((frame for frame in pos.frames if isinstance(frame, Orders)), None)
    if chit is not None:
        return f"Chit {chit.command} of the {report.side(chit.side)}: {inner}"
    done = next((frame.done for frame in pos.frames if isinstance(frame, GameTurn)), 0)
    step = STEPS[TURN[done - 1][0]][0] if done else "Winter"
    side = _acting(report)
    whose = f" of the {report.side(side)}" if side in SIDES else ""
    return f"{step}{whose}{f': {inner}' if inner not in (step, '') else ''}"
