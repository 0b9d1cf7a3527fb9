"""The scene of a view: counters, the states of stacks, order of battle, phases, notes; the description of a place."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Final, NamedTuple, TypeAlias, TypeVar

from leuthen.engine.memo import Memo, memo_of
from leuthen.engine.ruleset import NOBODY, OTHER, OwnerId, Side
from leuthen.rulesets.frederick.knowledge import AT_LEAST, View, complete_view
from leuthen.rulesets.frederick.model import data as model
from leuthen.rulesets.frederick.model import pieces
from leuthen.rulesets.frederick.model.data import ALL_POWERS, MINORS, NATIONS, TERRITORIES, GameData, when
from leuthen.rulesets.frederick.model.decisions import Decision, Secret, SecretChoice
from leuthen.rulesets.frederick.model.events import SIDE_NAMES
from leuthen.rulesets.frederick.model.pieces import DONE, PRUSSIAN, SIDES, UNKNOWN, SeenStack, see_stack
from leuthen.rulesets.frederick.model.state import Position, State
from leuthen.rulesets.frederick.rules import c04_sequence as sequence
from leuthen.rulesets.frederick.rules import c12_victory as victory
from leuthen.rulesets.frederick.rules import o10_supply as supply
from leuthen.rulesets.frederick.rules.c02_setup import FIRST_YEAR, Deployment, plan_of
from leuthen.rulesets.frederick.rules.c05_council import DiplomacyPhase, EnvoysSealed, LossDue, RaiseSealed
from leuthen.rulesets.frederick.rules.c08_redeployment import STEPS, PrisonerExchange, RedeploymentPhase
from leuthen.rulesets.frederick.rules.o05_march import ForceMarchPhase, MarchPhase
from leuthen.rulesets.frederick.rules.o09_combat import Battles, CombatPhase
from leuthen.rulesets.frederick.rules.o14_attrition import Rally, YearsEndAttrition
from leuthen.screen import values
from leuthen.screen.figures import result_now
from leuthen.screen.forces import KnownForce, Reporter, band
from leuthen.wargame.board import MOUNTAIN, NOWHERE, WATER, Hex, hex_name, hexsides, parse_hex, stack_key
from leuthen.wargame.names import format_count
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, by_power, is_mixed, of, total
from leuthen.wargame.war import date_text, half_month

_MARCHES: Final = (MarchPhase, ForceMarchPhase)


class Report(Reporter[GameData, View]):
    """A view with the names of its game, and with a position that the rules can be asked about."""

    SIDE_NAMES = SIDE_NAMES

    def __init__(self, data: GameData, view: View) -> None:
        super().__init__(data.of(view.scenario), view)
        self.pos: State = complete_view(data, view, AT_LEAST)

    def present(self, here: Hex) -> Iterator[Side]:
        return (side for side in SIDES for inside in (0, 1) if stack_key(here, side, inside) in self.pos.stacks)

    @cached_property
    def all_stacks(self) -> tuple[SeenStack, ...]:
        """All stacks in the order of the board, the force on the march last."""
        moving = self.view.moving
        return (*self.view.stacks, moving) if moving is not None else self.view.stacks

    @cached_property
    def planned(self) -> tuple[SeenStack, ...]:
        """The stacks that a side has placed so far in the secret set-up, for that side only."""
        found = []
        for side in SIDES:
            lots = dict[tuple[Hex, bool], tuple[Bag, tuple[LeaderId, ...]]]()
            for lot in plan_of(self.pos, side).placements:
                sp, leaders = lots.get((lot.hex, lot.inside), (EMPTY, ()))
                lots[lot.hex, lot.inside] = sp + lot.sp, leaders + lot.leaders
            for (here, inside), (sp, leaders) in lots.items():
                found.append(see_stack(self.pos.make_stack(here, side, inside, sp, leaders), side))
        return tuple(found)

    @cached_property
    def marching(self) -> frozenset[Side]:
        return frozenset(frame.side for frame in self.view.frames if isinstance(frame, _MARCHES))

    @cached_property
    def holders(self) -> dict[Hex, OwnerId]:
        return victory.holders(self.pos)

    def power(self, power: PowerId) -> str:
        return self.data.powers[power].name if power >= 0 else "–"

    def ratings(self, number: LeaderId) -> str:
        return self.data.leaders[number].ratings

    def name(self, number: LeaderId) -> str:
        return self.data.leaders[number].name if number >= 0 else "no leader"

    def points(self, sp: Bag) -> str:
        return ", ".join(f"{number} {self.power(power)}" for power, number in by_power(sp)) or "none"

    def strength(self, stack: SeenStack) -> str:
        known = self.known(stack, "")
        return band(known.least, known.most)

    def ranked(self, stack: SeenStack) -> tuple[LeaderId, ...]:
        if stack.commander < 0:
            return ()
        return stack.commander, *(n for n in stack.leaders or () if n != stack.commander)

    def known(self, stack: SeenStack, commander: str) -> KnownForce:
        least, most = (0, 0) if stack.alone else (stack.least, stack.most)
        return KnownForce(commander, stack.inside, self.place(stack.hex), least, most, "SP")


class Condition(NamedTuple):
    """A state of a stack: code, letter for the counter, word, meaning and rule."""

    code: str
    mark: str
    word: str
    meaning: str
    rule: str

    @property
    def badge(self) -> values.Badge:
        words = f"{self.word}: {self.meaning}" if self.meaning else self.word
        return values.Badge(self.code, self.mark, words[0].upper() + words[1:], self.rule)


DEMORALIZED = Condition(
    "demoralized", "D", "demoralized", "cannot attack or divide; its initiative counts as 0", "O11.1"
)
QUARTERED = Condition(
    "quartered", "W", "in winter quarters", "cannot march, attack or build until the year ends", "O14.1"
)
BESIEGED = Condition("besieged", "B", "besieged", "only an enemy field stack is in the hex", "O13.1")
MOVING = Condition("moving", "→", "on the march", "", "O5.13")
RETREATING = Condition("retreating", "←", "in retreat", "", "O9.15")
BOUND = Condition("bound", "!", "must attack", "an overwhelming attack failed here; an attack must follow", "O5.17")
UNSUPPLIED = Condition(
    "unsupplied", "U", "out of supply", "rolls for attrition in the enemy's Attrition Phase", "O10.8"
)


def states_of(report: Report, stack: SeenStack) -> Iterator[Condition]:
    """Yield the states of a stack that the viewer can know."""
    pos, here, side, is_moving = report.pos, stack.hex, stack.side, stack is report.view.moving
    if stack.demoralized:
        yield DEMORALIZED
    if stack.quartered:
        yield QUARTERED
    if stack.hungry:
        since = f"out of supply for {format_count(stack.hungry, 'turn')}"
        more = f"its next attrition roll has +{stack.hungry}"
        yield Condition("unsupplied", f"U{stack.hungry}", since, more, "O10.8")
    elif side in SIDES and report.view.knows(side):
        known = pos.moving if is_moving else pos.stacks.get(stack.key)
        if known is not None and known.sp and not supply.is_supplied(pos, known):
            yield UNSUPPLIED
    owner = pos.owners.get(here, NOBODY)
    is_part = owner in SIDES and stack.inside == (owner == side) and (stack.inside or not stack.alone)
    if is_part and not is_moving and side in SIDES and supply.is_besieged(pos, here, owner):
        so_far = f"{format_count(pos.sieges[here], 'roll')} so far" if pos.sieges.get(here) else ""
        yield BESIEGED if stack.inside else Condition("besieging", "S", "besieging", so_far, "O13.1")
    if is_moving:
        yield RETREATING if any(frame.RETREATS for frame in report.view.frames) else MOVING
    if not stack.inside and here in report.view.bound and side == report.view.phasing:
        yield BOUND
    if stack.marched and side in report.marching:
        done = total(stack.marched)
        is_whole = done == stack.least
        word = f"{'all' if is_whole else done} SP marched"
        yield Condition("marched" if is_whole else "part-marched", "✓" if is_whole else "½", word, "", "O5.7")


PLANNED: Final = Condition("planned", "P", "placed in secret", "hidden until both sides have sealed", "C2.4")
Used: TypeAlias = tuple[tuple[int, int], ...]
"""Leaders with the MP that they have spent."""


def make_pieces(report: Report) -> dict[str, values.Piece]:
    """Return all visible counters by key: hex, side, and f(ield), i(nside) or m(oving); p for a plan.

    A counter is made again only if something on it has changed.
    """
    made, viewer = memo_of(report.data, "pieces"), report.view.viewer
    seen = [(stack, "m" if stack is report.view.moving else "fi"[stack.inside], ()) for stack in report.all_stacks]
    plans = [(stack, f"p{'fi'[stack.inside]}", (PLANNED,)) for stack in report.planned]
    found = {}
    for stack, place, more in (*seen, *plans):
        states = (*more, *states_of(report, stack))
        spent = report.view.spent if stack.side in report.marching else {}
        used = tuple([(n, spent[n]) for n in report.ranked(stack) if n in spent]) if spent else ()
        found[f"{hex_name(stack.hex)}-{stack.side}{place}"] = made.get_or_compute(
            (viewer, stack, states, used), partial(_piece, report, stack, states, used)
        )
    return found


def _piece(report: Report, stack: SeenStack, states: Sequence[Condition], used: Used) -> values.Piece:
    title, strength = title_of(report, stack), report.strength(stack)
    spoken = [report.known(stack, title).describe(), *(state.word for state in states)]
    is_fed = all(state.code != "unsupplied" for state in states)
    if is_fed and stack.sp and not stack.inside and report.view.knows(stack.side):
        spoken.append("in supply")
    return values.Piece(
        place=hex_name(stack.hex),
        side=stack.side,
        inside=stack.inside,
        power=stack.nation,
        title=title,
        ratings=report.ratings(stack.commander) if stack.commander >= 0 else "",
        strength=strength,
        low=stack.least,
        high=stack.most,
        is_known=stack.sp is not None,
        spoken="; ".join(spoken),
        since=when(stack.since) if stack.sp is None and stack.since else "",
        badges=tuple([state.badge for state in states]),
        lines=tuple(_lines(report, stack, strength, states, used)),
        leaders=tuple([values.Chip(n, report.name(n), report.ratings(n)) for n in report.ranked(stack)]),
        sp=by_power(stack.sp or EMPTY),
    )


def title_of(report: Report, stack: SeenStack) -> str:
    if stack.commander >= 0:
        return report.data.leaders[stack.commander].name
    return f"{NATIONS[stack.nation]} {'garrison' if stack.inside else 'troops'}"


def _lines(report: Report, stack: SeenStack, strength: str, states: Sequence[Condition], used: Used) -> Iterator[str]:
    nation, where = report.power(stack.nation), "inside" if stack.inside else "in the field"
    if stack.alone:
        yield f"{nation}: leaders without SP, {where}"
    elif stack.sp is not None:
        parts = f" ({report.points(stack.sp)})" if is_mixed(stack.sp) else ""
        yield f"{nation}: {strength} SP{parts}, {where}"
    elif strength == "?":
        yield f"{nation}: strength unknown, {where}"
    else:
        yield f"{nation}: {strength} SP, {where}, seen {when(stack.since)}"
    ranked = report.ranked(stack)
    if ranked:
        first = report.data.leaders[ranked[0]]
        counts = f"initiative {first.initiative}, attack {first.attack}, defence {first.defence}"
        yield f"{first.name} commands: {counts}"
    else:
        yield "No leader: it cannot march or attack (O8.4, O8.6)"
    if len(ranked) > 1:
        yield f"With him: {', '.join(map(report.leader, ranked[1:]))}"
    if stack.leaders is None and ranked:
        yield "Junior leaders: unknown (O3.1)"
    if used:
        spent = (f"{report.data.leaders[n].name} {'done' if points >= DONE else points}" for n, points in used)
        yield f"MP spent in this phase: {', '.join(spent)} (O5.14)"
    for state in states:
        yield f"{state.badge.text} ({state.rule})"
    if stack.side in SIDES and stack.sp is not None and not stack.alone:
        other = "The enemy" if stack.side == report.view.viewer else "The other side"
        if stack.low <= 1 and stack.high >= UNKNOWN:
            yield f"{other} does not know its strength (O3.1)"
        else:
            yield f"{other} knows: {band(stack.low, stack.high)} SP, since {when(stack.since)} (O3.3)"


_AWAY: Final = {
    pieces.WAITING: "waiting to be placed",
    pieces.POOL: "in the pool (C2.5)",
    pieces.GONE: "killed or dismissed (C8.9)",
}
_ORDER: Final = (pieces.ON_MAP, pieces.WAITING, pieces.CAPTIVE, pieces.POOL, pieces.GONE)


class MusterRoll:
    """The order of battle in the making; that of a power is made again only if it has changed."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self._musters = memo_of(report.data, "musters")
        self.found: dict[int, SeenStack] = {}
        self.loose: dict[int, list[SeenStack]] = {}
        self.sp = EMPTY
        for stack in (*report.all_stacks, *report.planned):
            self.sp += stack.sp or EMPTY
            self.found |= dict.fromkeys(report.ranked(stack), stack)
            if stack.commander < 0:
                self.loose.setdefault(stack.nation, []).append(stack)

    def muster(self, power: PowerId) -> values.Muster:
        view = self.report.view
        facts = (
            power, view.viewer, view.side_of(power), self._depots(power), of(self.sp, power),
            tuple([(view.roster[n], self.found.get(n)) for n in self.report.data.generals[power]]),
            tuple(self.loose.get(power, ())), of(view.waiting, power), view.captives,
            *[of(held, power) for held in view.prisoners],
        )  # fmt: skip
        return self._musters.get_or_compute(
            facts, lambda: values.Muster(power, view.side_of(power), tuple(self.entries(power)))
        )

    def _depots(self, power: PowerId) -> int:
        return sum([depot.power == power for depot in self.report.view.depots.values()])

    def entries(self, power: PowerId) -> Iterator[values.MusterEntry]:
        view, nature = self.report.view, self.report.data.powers[power]
        limit = f"; at most {nature.limit} SP (C7.5)" if nature.limit else ""
        depots = self._depots(power)
        stores = f"{depots} of {supply.MOST_DEPOTS} depots (O10.4)"
        if not view.knows(view.side_of(power)):
            stores = f"{format_count(depots, 'complete depot')} seen"
            yield values.MusterEntry("On the map", f"{stores}{limit}", strength="?")
        else:
            yield values.MusterEntry("On the map", f"{stores}{limit}", strength=str(of(self.sp, power)))
        for status in _ORDER:
            for number in self.report.data.generals[power]:
                if view.roster[number] == status:
                    yield self._leader(number, status)
        for post in self.loose.get(power, ()):  # those of mixed stacks under the nation that shows
            kind = "garrison" if post.inside else "troops"
            text = f"without a leader, {'inside' if post.inside else 'at'} {self.report.place(post.hex)}"
            strength = self.report.strength(post)
            yield values.MusterEntry(f"{NATIONS[power]} {kind}", text, hex_name(post.hex), strength)
        if waiting := of(view.waiting, power):
            yield values.MusterEntry("Reinforcements", "waiting to be placed (C8.7)", strength=str(waiting))
        for side in SIDES:
            if held := of(view.prisoners[side], power):
                yield values.MusterEntry("Prisoners", f"held by the {SIDE_NAMES[side]} (O15.3)", strength=str(held))

    def _leader(self, number: LeaderId, status: int) -> values.MusterEntry:
        report = self.report
        name, post = report.leader(number), self.found.get(number)
        if post is not None:
            strength = report.strength(post) if post.commander == number else ""
            duty = "without SP" if post.alone else "commands"
            if post.commander != number:
                duty = f"under {report.data.leaders[post.commander].name}"
            where = f"{'inside' if post.inside else 'at'} {report.place(post.hex)}"
            return values.MusterEntry(name, f"{duty} {where}", hex_name(post.hex), strength)
        if status == pieces.CAPTIVE:
            captor = next((side for side in SIDES if number in report.view.captives[side]), 0)
            return values.MusterEntry(name, f"a prisoner of the {SIDE_NAMES[captor]} (C11.1)")
        return values.MusterEntry(name, _AWAY.get(status, "on the map, place unknown (O3.1)"))


def make_scene(data: GameData, view: View) -> values.Scene:
    """Return the scene of a view. It contains nothing that the viewer may not know (O3)."""
    report = Report(data, view)
    stages = make_stages(view)
    end, result = view.outcome, ""
    if end is not None:
        who = "The war is drawn" if end.winner is None else f"The {SIDE_NAMES[end.winner]} wins"
        result = f"{who}: {_ENDS.get(end.how, end.how)}, {end.year} ({end.rule})"
    holdings = {hex_name(here): holding(report, here, owner) for here, owner in view.owners.items()}
    return values.Scene(
        viewer=view.viewer,
        title=f"{view.year}, turn {view.turn}: {date_text(view.year, view.turn)}",
        phase=phase_of(view, stages),
        year=view.year,
        turn=view.turn,
        phasing=view.phasing,
        pieces=make_pieces(report),
        markers={f"{one.place}-{one.side}{one.kind}": one for one in _markers(report)},
        holdings=holdings,
        scores=make_scores(report),
        stages=stages,
        powers=tuple(
            values.PowerStatus(view.side_of(power), "; ".join(_status(report, power))) for power in ALL_POWERS
        ),
        musters=tuple(map(MusterRoll(report).muster, ALL_POWERS)),  # in the order of C1.1
        notes=tuple(make_notes(report)),
        meters=tuple(make_meters(report, holdings)),
        result=result,
    )


def _markers(report: Report) -> Iterator[values.Marker]:
    """Yield the depots, and the attacks that are declared and not fought yet (O9.2)."""
    view = report.view
    for here, depot in view.depots.items():
        kind, mark = ("depot", "D") if depot.complete else ("works", "d")
        state = "" if depot.complete else f" under construction{'' if depot.fed and depot.held else ', will fail'}"
        text = f"Depot of {report.power(depot.power)}{state}, {report.place(here)}"
        yield values.Marker(hex_name(here), view.side_of(depot.power), kind, mark, text, depot.power)
    for side in SIDES:
        here = plan_of(report.pos, side).depot
        if here != NOWHERE:
            text = f"Depot placed in secret, {report.place(here)}"
            yield values.Marker(hex_name(here), side, "plan", "D", text, side)
    for frame in view.frames:
        battles = frame.left if isinstance(frame, Battles) else ()
        for side, here in frame.declared if isinstance(frame, CombatPhase) else battles:
            text = f"The {SIDE_NAMES[side]} has declared an attack at {report.place(here)}"
            yield values.Marker(hex_name(here), side, "attack", "⚔", text)


_ENDS: Final = {
    "decisive": "a decisive victory",
    "substantial": "a substantial victory",
    "marginal": "a marginal victory",
    "draw": "peace without a winner",
}


def make_notes(report: Report) -> Iterator[str]:
    yield from _secrets(report)
    view = report.view
    for side in SIDES:
        held, captives = view.prisoners[side], view.captives[side]
        if held or captives:
            names = ", ".join(map(report.leader, captives)) or "none"
            yield f"Prisoners of the {SIDE_NAMES[side]}: {report.points(held)}; leaders: {names} (O15.3)"
    if view.waiting:
        yield f"New SP waiting to be placed: {report.points(view.waiting)} (C8.7)"
    waiting = [
        n for n in report.data.leader_ids if view.roster[n] == pieces.WAITING
    ]  # both sides see who was drawn (C8.2)
    for side in SIDES if _frame(view, Deployment) is None else ():
        if leaders := [report.leader(n) for n in waiting if view.side_of(report.data.leaders[n].power) == side]:
            yield f"Leaders of the {SIDE_NAMES[side]} waiting to be placed: {', '.join(leaders)} (C8.7)"
    if view.saxon_invader in SIDES and view.year == FIRST_YEAR:
        yield f"The {SIDE_NAMES[view.saxon_invader]} invaded Saxony in 1756 (C3.4, C5.6)"
    if view.german_open:
        yield "The German States are open to both sides (C9.2)"
    if view.outcome is None:
        yield from forecast(report)
    if report.pos.plan.area is None:
        yield "A side wins after a year with more than double the VP and four great fortresses (C12.3)"


def _secrets(report: Report) -> Iterator[str]:
    """Yield the secret choices: the viewer's own, and for others only that they have sealed (C2.4, C5.1, C6.2)."""
    for frame in report.view.frames:
        if isinstance(frame, SecretChoice):
            for side in SIDES:
                secret: Secret | None = report.view.sealed[side]
                if secret is not None and secret.sealed:
                    chosen = f": {secret.points} RP" if isinstance(secret, RaiseSealed) else ""
                    if isinstance(secret, EnvoysSealed):
                        points = zip(MINORS, secret.points, strict=True)
                        shares = ", ".join(f"{report.power(power)} {n}" for power, n in points if n)
                        chosen = f": {shares or 'no point'}"
                    yield f"{frame.NAME}: the {SIDE_NAMES[side]} has sealed its choice{chosen} ({frame.RULE})"
                elif isinstance(frame, Deployment) and report.view.knows(side):
                    sp, leaders, has_depot = frame.left(report.pos, side)
                    names = ", ".join(map(report.leader, leaders)) or "no leader"
                    depot = ", a depot" if has_depot else ""
                    yield f"The {SIDE_NAMES[side]} must still place: {sp} SP, {names}{depot} (C2.6)"
    for secret in report.view.sealed:
        if isinstance(secret, LossDue) and secret.left:
            yield f"SP still to be lost: {secret.left} (C7.5)"


PAST, NOW, NEXT = "past", "now", "next"
_SILENT: Final = (supply.DestroyDepots, Rally)
"""Steps that are no phases of the rulebook."""
_SHAPING: Final = (Deployment, sequence.GrandStrategy, RedeploymentPhase, sequence.GameTurn, sequence.PlayerTurn)
"""The decisions in progress that determine the list."""
_STAGES: Final = Memo()
F = TypeVar("F", bound=Decision)


def make_stages(view: View) -> tuple[values.Stage, ...]:
    """Return the phases of the present turn, or those between two years; the set-up before the first turn."""

    def find() -> tuple[values.Stage, ...]:
        winter, turn = _frame(view, sequence.GrandStrategy), _frame(view, sequence.GameTurn)
        if winter is not None:
            return tuple(_stages(view, (*sequence.WINTER, sequence.NextYear()), winter.done, winter.NAME))
        setting_up = [frame for frame in view.frames if isinstance(frame, Deployment)]
        begun = [values.Stage(frame.NAME, frame.RULE, NOW, NOBODY, "Set-up") for frame in setting_up]
        return (*begun, *_stages(view, sequence.GAME_TURN, turn.done if turn is not None else 0, ""))

    if view.outcome is not None:
        return ()
    shaping = tuple([frame for frame in view.frames if isinstance(frame, _SHAPING)])
    return _STAGES.get_or_compute((view.year, view.turn, view.options.last_year, shaping), find)


def _frame(view: View, kind: type[F]) -> F | None:
    return next((frame for frame in view.frames if isinstance(frame, kind)), None)


def _stages(view: View, phases: Sequence[Decision], done: int, group: str) -> Iterator[values.Stage]:
    """Yield the phases of a sequence, `done` of them begun; in place of a player turn and the Re-deployment Phase their
    own phases (O4.1, O4.2, C4.2, C8).
    """
    for number, phase in enumerate(phases, 1):
        when = PAST if number < done else NOW if number == done else NEXT
        if isinstance(phase, _SILENT) or not _is_played(view, phase):
            continue
        if isinstance(phase, sequence.PlayerTurn | RedeploymentPhase):
            parts, whose = STEPS, group
            if isinstance(phase, sequence.PlayerTurn):
                parts = tuple([make(phase.side) for make in sequence.PLAYER_TURN])
                whose = f"{NATIONS[phase.side]} player turn"
            now = next((frame.done for frame in view.frames if isinstance(frame, type(phase))), 0)
            begun = {PAST: len(parts) + 1, NOW: now, NEXT: 0}[when]
            yield from _stages(view, parts, begun, whose)
        else:
            yield values.Stage(phase.NAME, phase.RULE, when, getattr(phase, "side", NOBODY), group or phase.NAME)


def _is_played(view: View, phase: Decision) -> bool:
    """The exchange comes on even turns (C11.1), diplomacy once (C5), the check from 1757 on (C12), peace after the last
    year only (C13).
    """
    is_last = view.year >= view.options.last_year
    if isinstance(phase, PrisonerExchange):
        return not view.turn % 2
    if isinstance(phase, DiplomacyPhase):
        return view.year == FIRST_YEAR and not is_last
    if isinstance(phase, victory.VictoryCheck):
        return view.year >= victory.FIRST_CHECK
    if isinstance(phase, victory.FinalVictory):
        return is_last
    return not is_last or isinstance(phase, YearsEndAttrition) or phase not in (*sequence.WINTER, sequence.NextYear())


def phase_of(view: View, stages: Sequence[values.Stage]) -> str:
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


def make_scores(report: Report) -> tuple[values.Score, ...]:
    view, outline = report.view, report.pos
    vp, great = victory.victory_points(outline), victory.great_fortresses(outline)
    silesia = victory.silesian_fortresses(outline)
    men = (total(view.prisoners[0]), total(view.prisoners[1]))
    leaders = (len(view.captives[0]), len(view.captives[1]))
    sp = tuple([_least(report, side) if report.knows(side) else UNCOUNTED for side in SIDES])
    least = ", ".join(f"{SIDE_NAMES[side]} {_least(report, side)} or more" for side in SIDES if sp[side] == UNCOUNTED)
    seen = f"Visible: {least}." if least else "All powers of a side together."
    lacking = [max(0, 2 * vp[OTHER[side]] + 1 - vp[side]) for side in SIDES]  # for more than double (C12.3)
    needs = f"the {SIDE_NAMES[0]} needs {lacking[0]} more VP, the {SIDE_NAMES[1]} {lacking[1]}"
    leads = f"For more than double, {needs}."
    if 0 in lacking:
        leads = f"The {SIDE_NAMES[lacking.index(0)]} has more than double its opponent's VP."
    of_silesia = sum(fort.province == "silesia" for fort in report.data.fortresses.values())
    return (
        values.Score("vp", "Victory points", vp, leads, "C12.2", is_ratio=True, now=_result_now(outline)),
        values.Score("sp", "SP on the map", (sp[0], sp[1]), seen, "O3.1"),
        values.Score(
            "great", "Great fortresses", great, f"{victory.GREAT_NEEDED} of the five are needed to win.", "C12.3"
        ),
        values.Score(
            "silesia",
            "Fortresses of Silesia",
            silesia[:2],
            f"{of_silesia} in all; they count at the end of the war.",
            "C13.1",
        ),
        values.Score(
            "rp", "Resource Points", view.rp, "Each raises SP equal to 10 % of the major power's own.", "C6.3"
        ),
        values.Score("prisoners", "SP in captivity", men, "Exchanged on even turns.", "C11.1"),
        values.Score("captives", "Captive leaders", leaders, "Exchanged on even turns.", "C11.1"),
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


def holding(report: Report, here: Hex, owner: OwnerId) -> values.HeldFortress:
    fort, points = report.data.fortresses[here], victory.vp_of(report.pos, here)
    held, siege = report.holders[here] != NOBODY, siege_track(report, here, owner)

    def make() -> values.HeldFortress:
        words = [f"{fort.name}: {belonging(report, here)}"]
        if owner in SIDES:
            words.append("garrisoned" if held else "empty")
        words.append(f"{points} VP{' (one of the five great fortresses)' if fort.great else ''}")
        if points < fort.vp:
            words.append(f"{fort.vp} if France and Hanover are on different sides (C9.3)")
        return values.HeldFortress(owner, held, points, ", ".join([*words, *([siege] if siege else [])]), siege)

    facts = here, owner, held, points, siege, _is_neutral(report, here)
    return memo_of(report.data, "holdings").get_or_compute(facts, make)


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
    if owner not in SIDES or not supply.is_besieged(report.pos, here, owner):
        return ""
    rolls = report.pos.sieges.get(here, 0)
    return f"besieged, {format_count(rolls, 'roll')} (the next has +{rolls})" if rolls else "besieged, no roll yet"


def make_meters(report: Report, holdings: Mapping[str, values.HeldFortress]) -> Iterator[values.Meter]:
    """Yield the sieges among the holdings (O13.2)."""
    for place, held in holdings.items():
        if held.siege:
            here = parse_hex(place)
            rolls, name = report.pos.sieges.get(here, 0), report.data.fortresses[here].name
            lines = (f"The next roll has +{rolls}",) * bool(rolls)
            yield values.Meter(place, OTHER[held.side], name, "O13.2", rolls, format_count(rolls, "roll"), lines=lines)


def forecast(report: Report) -> Iterator[str]:
    """Yield the result if the year ended now (C12.3, C13.1)."""
    view, outline = report.view, report.pos
    vp, plan = victory.victory_points(outline), outline.plan
    if view.year < victory.FIRST_CHECK:
        return
    if plan.par is not None:  # C14.5
        points = victory.score(outline)
        how = victory.level(points)
        end = "a draw" if how == "draw" else f"a {how} victory of the {SIDE_NAMES[points < 0]}"
        when = f"{half_month(plan.last_turn)} {plan.last}"
        yield f"The scenario ends in {when}. Present score {points:+d}, par {plan.par:+d}: {end} (C14.5)"
    winner = NOBODY if plan.area is not None else victory.victor(vp, victory.great_fortresses(outline))
    if winner != NOBODY:
        yield f"If the year ended now, the {SIDE_NAMES[winner]} would win the war (C12.3)"
    elif view.year >= view.options.last_year and plan.par is None:
        winner = victory.marginal_victor(vp, victory.silesian_fortresses(outline))
        end = f"the {SIDE_NAMES[winner]} would win marginally" if winner != NOBODY else "the war would be drawn"
        yield f"If the year ended now, {end} (C13.1)"


def _status(report: Report, power: PowerId) -> Iterator[str]:
    view = report.view
    if power in view.surrendered:
        last = view.allegiance[power]
        yield f"has surrendered{f', last on the {SIDE_NAMES[last]}' if last in SIDES else ''} (C11.3)"
    elif view.allegiance[power] == NOBODY:
        yield "neutral (C1.2)"
    if power in view.invaded and view.year == FIRST_YEAR:
        yield "invaded in 1756: no roll on the Diplomacy Table (C5.2)"
    if power in view.starred:
        yield "joined by a starred result (C5.5)"


def make_about(data: GameData, view: View, place: str) -> values.About:
    report = Report(data, view)
    here = model.find_place(report.data, report.book, place)
    return values.About(hex_name(here), model.title(report.data, here), tuple(_about_lines(report, here)))


def _ground(report: Report, here: Hex) -> Iterator[str]:
    board = report.data.board
    if not board.is_in_play(here):
        yield "Water: impassable (O5.4)" if board.terrain[here] == WATER else "Outside the theatre of war (O5.4)"
        return
    territory = board.territory[here]
    power = TERRITORIES.get(territory)
    whose = f"territory of {report.power(power)}" if power is not None else "open to both sides (C9.1)"
    kind = "Mountain: −2 to the die of a battle (O9.4)" if board.terrain[here] == MOUNTAIN else "Clear"
    yield f"{kind}; {model.land(territory)}, {whose}"
    violated = supply.violated_by(report.pos, here)
    if violated >= 0:
        yield f"Neutral: entering violates {report.power(violated)} (C3.3)"
    if supply.is_in_zone(report.pos, here, PRUSSIAN):
        yield "In an Austrian zone of control: +1 MP for the Prussian side (O5.3)"


def _about_lines(report: Report, here: Hex) -> Iterator[str]:
    yield from _ground(report, here)
    if here in report.data.fortresses:
        fort = report.data.fortresses[here]
        home = f", in the home territory of {report.power(fort.power)}" if fort.power >= 0 else ""
        yield f"Fortress {holding(report, here, report.view.owners.get(here, NOBODY)).text}{home}"
    if depot := report.view.depots.get(here):
        yield f"Depot of {report.power(depot.power)}{'' if depot.complete else ', under construction'} (O10.4)"
    for stack in report.all_stacks:
        if stack.hex == here:
            who = ", ".join(map(report.leader, report.ranked(stack))) or title_of(report, stack)
            army = report.known(stack, who)
            words = f"{army.commander}: {army.strength}{', inside' if stack.inside else ''}"
            yield "; ".join([words, *(state.word for state in states_of(report, stack))])
    yield from hexsides(report.data.board, here, report.place, "O5.4")
