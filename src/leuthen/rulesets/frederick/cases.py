"""The words of this rule set's cases (`wargame.case_words.CaseBook`): dice, and the facts of EXPECT."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from leuthen.engine.refusal import Invalid, require
from leuthen.engine.ruleset import NOBODY, OTHER, OwnerId, Side, Transition, as_side, as_viewer
from leuthen.engine.state import Values
from leuthen.rulesets.frederick.model import pieces, state
from leuthen.rulesets.frederick.model.data import ALL_POWERS, CAMPAIGN, FRANCE, HANOVER, SAXONY, GameData, GameOptions
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.state import ROSTER_WORDS, State, pools
from leuthen.rulesets.frederick.rules import c04_sequence as sequence
from leuthen.rulesets.frederick.rules.c02_setup import new_position, put_fixed
from leuthen.rulesets.frederick.rules.c04_sequence import War
from leuthen.rulesets.frederick.rules.c12_victory import victory_points
from leuthen.rulesets.frederick.rules.o05_forces import allowance
from leuthen.rulesets.frederick.rules.o05_march import Marching
from leuthen.rulesets.frederick.rules.o10_supply import is_besieged, is_in_zone, is_supplied
from leuthen.rulesets.frederick.ruleset import read_options, run
from leuthen.wargame import case_words
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.case_words import BadLine, CaseWords, Given, die_of, pair_of, read_band, sets
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, bag, by_power, powers, total

CaseMoment: TypeAlias = case_words.CaseMoment[GameData, State]
SIDE_WORDS: Final = ("prussia", "austria", "neutral", "nobody")
LANDS: Final = ("closed", "open")


class Words(CaseWords):
    def side(self) -> Any:
        """Read a side; NOBODY for a neutral. Raises Invalid."""
        return min(self.choose(SIDE_WORDS, "side"), NOBODY)

    def major(self) -> Side:
        """Read one of both sides. Raises Invalid."""
        return as_side(self.choose(SIDE_WORDS[:2], "side"))

    def is_open(self) -> bool:
        return bool(self.choose(LANDS, "state of the German States"))

    def is_plus(self) -> bool:
        """Return whether SP of another power come next: `+3 Hanover`."""
        return self.words[0].startswith("+")

    def plus(self) -> Bag:
        """Read `+3 Hanover`. Raises Invalid."""
        self.words[0] = self.words[0][1:]
        points = self.number("a number of SP")
        return bag(self.power(), points)

    def men(self) -> tuple[Bag, tuple[LeaderId, ...]]:
        """Read `3 Austria 2 Russia Browne`: SP with their power, and leaders. Raises Invalid."""
        sp, leaders = EMPTY, list[LeaderId]()
        while self.words:
            points = self.read_optional_number()
            if points is None:
                leaders.append(self.leader())
            else:
                sp += bag(self.power(), points)
        return sp, tuple(leaders)


def names_text(data: GameData, leaders: Sequence[LeaderId]) -> str:
    return ", ".join(data.leaders[number].name for number in leaders)


def bag_text(data: GameData, sp: Bag) -> str:
    return " ".join(f"{points} {data.powers[power].name}" for power, points in by_power(sp)) or "0 SP"


def men_text(data: GameData, sp: Bag, leaders: Sequence[LeaderId]) -> str:
    return f"{bag_text(data, sp)} {names_text(data, sorted(leaders))}".rstrip()


PLAYER_PHASES: Final = (
    *("reinforcement", "morale", "depot", "march", "", "force-march", "", "combat", "", "siege", "attrition"),
)
"""Words of the steps of a player turn in order, "" for steps that are no phase. The named side acts, which in phases 5
and 8 is not phasing (O4.2).
"""
WINTER_PHASES: Final = (
    *("years-end", "victory", "final", "rally", "diplomacy", "increment", "commitment", "redeployment", "subsidy"),
)
OTHER_PHASES: Final = ("setup", "turn", "turn-end", "initiation")
PHASES: Final = (*filter(None, PLAYER_PHASES), *WINTER_PHASES, *OTHER_PHASES)


def frames_at(phase: str, phasing: OwnerId) -> tuple[Decision, ...]:
    """Return the decisions in progress, from which play goes on after the phase."""
    year = sequence.War(True), sequence.Campaign(True)
    if phase in PLAYER_PHASES:
        return *year, sequence.GameTurn(2 + phasing), sequence.PlayerTurn(as_side(phasing), PLAYER_PHASES.index(phase))
    if phase in WINTER_PHASES:
        return sequence.NextYear(), sequence.GrandStrategy(WINTER_PHASES.index(phase))
    if phase == "initiation":
        return (sequence.NextYear(),)
    return *year, sequence.GameTurn(0 if phase == "turn" else len(sequence.GAME_TURN))


class _Builder:
    def __init__(self, data: GameData) -> None:
        self.data = data
        start = state.make_state(  # spring 1757, nothing on the map, the minors neutral, all leaders in their pools
            data,
            options=read_options({}),
            year=1757,
            turn=4,
            allegiance=(0, 1, *(NOBODY for _ in ALL_POWERS[2:])),
            owners={},
            roster=tuple(pools(data)),
            arrival=tuple([leader.start or 100 + number for number, leader in enumerate(data.leaders)]),
        )
        self.draft = state.Draft(start)
        self.options: dict[str, str] = {}
        self.phase = "march"
        self.phasing: OwnerId = 0
        self.dice: list[tuple[int, str]] = []
        self.bare = False
        self.placed: set[int] = set()
        self.owned: dict[Hex, OwnerId] = {}
        self.line = 0
        self.lines: dict[int, int] = {}

    def chosen(self) -> GameOptions:
        """Return the options, with the last year of a scenario (C14.6)."""
        chosen, plan = read_options(self.options), self.draft.plan
        return chosen if plan.par is None else msgspec.structs.replace(chosen, last_year=plan.last)


def build_position(data: GameData, given: Sequence[tuple[int, str]]) -> Given:
    to = _Builder(data)
    lines = [(number, Words(data.book, text)) for number, text in given]
    for handlers in (_EARLY, _LATE, _LAST):
        for number, words in lines:
            to.line = number
            try:
                _read(to, words, handlers)
            except Invalid as error:
                raise BadLine(number, str(error)) from error
    return _finish(to)


_Handler = Callable[[_Builder, Words], None]


def _read(to: _Builder, words: Words, handlers: Mapping[str, _Handler]) -> None:
    """Let the handlers of this pass read their words; several words of the calendar may share a line."""
    begun = False
    while words.words:
        kind = _kind(words)
        if kind not in handlers and not begun:
            return
        if kind not in handlers or (begun and kind not in CALENDAR):
            raise Invalid(f'"{words.words[0]}" is not understood here: a `;` may be missing before it')
        begun = True
        if kind not in ("stack", "allegiance"):
            words.words.pop(0)
        handlers[kind](to, words)
        if kind not in CALENDAR:
            words.end()


def _kind(words: Words) -> str:
    first = words.words[0]
    if first in _ALL:
        return first
    if not words.book.powers.find_exact(first):
        known = sorted({*_ALL} - {"stack", "allegiance"})
        raise Invalid(f'"{first}" is neither a power nor one of {", ".join(known)}')
    second = words.words[1] if len(words.words) > 1 else ""
    return "allegiance" if second in (*SIDE_WORDS, "surrendered") else "stack"


def _scenario(to: _Builder, words: Words) -> None:
    """`scenario bohemia`: its part of the map, its bases, its year and first turn (C14)."""
    name = words.next("a scenario")
    to.data = to.data.of(name)
    plan, draft = to.data.scenarios[name], to.draft
    draft.data, draft.scenario, draft.year, draft.turn = to.data, name, plan.year, plan.turn
    draft.options = to.chosen()


def _phase(to: _Builder, words: Words) -> None:
    to.phase = PHASES[words.choose(PHASES, "phase")]
    if to.phase in PLAYER_PHASES:  # the side named acts (O4.2, O4.3)
        side = words.major()
        to.phasing = OTHER[side] if to.phase in ("force-march", "attrition") else side
    else:
        to.phasing = NOBODY


def _option(to: _Builder, words: Words) -> None:
    name, _, value = words.next("an option").partition("=")
    to.options[name] = value
    to.draft.options = to.chosen()


def _allegiance(to: _Builder, words: Words) -> None:
    power, draft = words.power(), to.draft
    if words.has("surrendered"):
        draft.surrendered |= {power}
        for leader in to.data.generals[power]:
            draft.set_roster(leader, pieces.ABSENT)
    draft.set_allegiance(power, words.side())


def _give_invaded(to: _Builder, words: Words) -> None:
    power, side = words.power(), words.side()
    to.draft.invaded |= {power}
    if power == SAXONY:
        to.draft.saxon_invader = side
    to.draft.set_allegiance(power, OTHER[side])


def _senior(to: _Builder, words: Words) -> None:
    """These leaders came into play in this order, before all others (C8.2)."""
    arrival = list(to.draft.arrival)
    for order, leader in enumerate(words.leaders()):
        arrival[leader] = order - 100
    to.draft.arrival = tuple(arrival)


def _stack(to: _Builder, words: Words) -> None:
    power, here = words.power(), words.hex()
    inside, sp, leaders, marks = words.has("inside", "field") == "inside", EMPTY, list[LeaderId](), Values()
    while words.words:
        points = words.read_optional_number()
        if points is not None:
            sp += bag(power, points)
        elif words.is_plus():
            sp += words.plus()
        elif not _mark(words, marks, to.draft.now):
            leaders.append(words.leader())
    _put(to, power, here, inside, sp, tuple(leaders), marks)


def _mark(words: Words, marks: Values, now: int) -> bool:
    """Read another mark of a stack; return whether there was one."""
    word = words.has("demoralized", "quartered", "hungry", "known", "since")
    if word == "known":
        marks["low"], marks["high"] = read_band(words.next("a strength"))
        marks.setdefault("since", now)
    elif word:
        marks[word] = words.number(word) if word in ("hungry", "since") else True
    return bool(word)


def _put(
    to: _Builder, power: PowerId, here: Hex, inside: bool, sp: Bag, leaders: tuple[LeaderId, ...], marks: Values
) -> None:
    draft, side = to.draft, to.draft.side_of(power)
    nations = {power, *powers(sp), *(to.data.leaders[number].power for number in leaders)}
    require(not inside or here in to.data.fortresses, "there is no fortress to be inside")
    require(to.data.board.is_in_play(here), "no troops can be in that hex (O5.4)")
    require(power not in draft.surrendered, f"{to.data.powers[power].name} has surrendered")
    for nation in sorted(nations - {power}):
        if draft.side_of(nation) != side or side == NOBODY:
            theirs, ours = (f"{to.data.powers[n].name} ({SIDE_WORDS[draft.side_of(n)]})" for n in (nation, power))
            raise Invalid(f"{theirs} cannot be in one stack with {ours}")
    stack = msgspec.structs.replace(draft.make_stack(here, side, inside, sp, leaders), **marks)
    require(stack.key not in draft.stacks, "another line has a stack there: put them in one line")
    _muster(to, leaders, pieces.ON_MAP)
    to.placed |= nations
    if side == NOBODY and "low" not in marks:
        stack = msgspec.structs.replace(stack, low=total(sp), high=total(sp), since=draft.now)  # C2.6
    draft.put(stack)
    to.lines[stack.key] = to.line


def _muster(to: _Builder, leaders: Sequence[LeaderId], status: int) -> None:
    for leader in leaders:
        is_placed = to.draft.roster[leader] in (pieces.ON_MAP, pieces.WAITING, pieces.CAPTIVE)
        require(not is_placed, f"{to.data.leaders[leader].name} is in two places")
        to.draft.set_roster(leader, status)


def _give_depot(to: _Builder, words: Words) -> None:
    """`depot Prussia 1720 [begun] [unfed] [left]`: `unfed` and `left` will not be completed (O10.10)."""
    power, here = words.power(), words.hex()
    complete = not words.has("begun")
    to.draft.set_depot(here, pieces.Depot(power, complete, fed=not words.has("unfed"), held=not words.has("left")))


def _give_owner(to: _Builder, words: Words) -> None:
    here = words.hex()
    require(here in to.data.fortresses, "there is no fortress")
    to.owned[here] = words.side()


def _give_prisoners(to: _Builder, words: Words) -> None:
    side = words.major()
    sp, leaders = words.men()
    _muster(to, leaders, pieces.CAPTIVE)
    to.draft.hold(side, sp)
    for leader in leaders:
        to.draft.hold_leader(side, leader)


def _give_waiting(to: _Builder, words: Words) -> None:
    sp, leaders = words.men()
    _muster(to, leaders, pieces.WAITING)
    to.draft.waiting += sp


def _give_pool(to: _Builder, words: Words) -> None:
    """`pool Austria Daun Beck`: exactly these are in the power's pool; its others without a place are gone."""
    power, named = words.power(), words.leaders()
    for leader in to.data.generals[power]:
        if to.draft.roster[leader] == pieces.POOL and leader not in named:
            to.draft.set_roster(leader, pieces.GONE)


CALENDAR: Final[Mapping[str, _Handler]] = {
    "scenario": _scenario,
    "phase": _phase,
    "die": lambda to, words: to.dice.append((to.line, die_of(words.next("a die")))),
    "bare": lambda to, words: setattr(to, "bare", True),
    "year": sets("year", Words.year),
    "turn": sets("turn", Words.turn),
}
_EARLY: Final[Mapping[str, _Handler]] = {
    **CALENDAR,
    "option": _option,
    "allegiance": _allegiance,
    "invaded": _give_invaded,
    "starred": lambda to, words: setattr(to.draft, "starred", to.draft.starred | {words.power()}),
    "senior": _senior,
}
_LATE: Final[Mapping[str, _Handler]] = {
    "stack": _stack,
    "depot": _give_depot,
    "owner": _give_owner,
    "rp": sets("rp", pair_of("the Prussian RP", "the Austrian RP")),
    "prisoners": _give_prisoners,
    "waiting": _give_waiting,
    "leader": lambda to, words: to.draft.set_roster(words.leader(), words.choose(ROSTER_WORDS, "place of a leader")),
    "siege": lambda to, words: setattr(  # `siege 1623 2`: the number of rolls made in this siege (O13.8)
        to.draft, "sieges", {**to.draft.sieges, words.hex(): words.number("a number of rolls")}
    ),
    "german-states": sets("german_open", Words.is_open),
}
_LAST: Final[Mapping[str, _Handler]] = {"pool": _give_pool}
_ALL: Final = {*_EARLY, *_LATE, *_LAST}


def _finish(to: _Builder) -> Given:
    draft = to.draft
    if to.phase == "setup":
        draft = state.Draft(new_position(to.data, draft.scenario, draft.options, (War(),)))
    else:
        for force in () if to.bare else to.data.scenarios[CAMPAIGN].forces:
            if force.hex >= 0 and draft.is_neutral(force.power) and force.power not in to.placed:  # not named (C2.3)
                leaders = tuple(number for number in force.leaders if draft.roster[number] == pieces.POOL)
                put_fixed(draft, force, leaders)
                for number in leaders:
                    draft.set_roster(number, pieces.ON_MAP)
        _check_inside(to)
        owners: dict[Hex, OwnerId] = {}
        for here, fort in sorted(to.data.fortresses.items()):  # those whose SP are alone there (O12.2), or its home's
            present = {stack.side for stack in draft.stacks.values() if stack.hex == here and stack.sp}
            home = NOBODY if fort.power < 0 else draft.side_of(fort.power)
            owners[here] = present.pop() if len(present) == 1 else home
        draft.owners = owners | to.owned
        draft.german_open |= any(draft.allegiance[power] != NOBODY for power in (FRANCE, HANOVER))  # C9.2
        draft.frames = frames_at(to.phase, to.phasing)
        draft.phasing = to.phasing
    draft.touched.clear()
    draft.forget()
    before = state.Draft(draft.freeze())
    run(before)
    return Given(Transition(before.freeze(), tuple(before.facts), before.learned), tuple(to.dice))


def _check_inside(to: _Builder) -> None:
    """Enemies and neutrals do not share the inside of a fortress. Raises BadLine."""
    first: dict[Hex, pieces.Stack] = {}
    for stack in to.draft.stacks.values():
        other = first.setdefault(stack.hex, stack) if stack.inside else stack
        if other is not stack:
            name = to.data.fortresses[stack.hex].name
            sides = " and ".join(SIDE_WORDS[one.side] for one in (other, stack))
            line = max(to.lines.get(one.key, 0) for one in (other, stack))
            hint = "; `bare` leaves out neutral forces" if NOBODY in (other.side, stack.side) else ""
            raise BadLine(line, f"{sides} inside {name} together (O5.11){hint}")


def _expect_owner(moment: CaseMoment, words: Words, deny: bool) -> None:
    here, side = words.hex(), words.side()
    require(here in moment.data.fortresses, "there is no fortress")
    where, owners = f"owner {hex_name(here)}", ("prussia", "austria", "nobody")
    case_words.expect(f"{where} {owners[side]}", f"{where} {owners[moment.state.owners[here]]}")


def _expect_prisoners(moment: CaseMoment, words: Words, deny: bool) -> None:
    side = words.major()
    found = men_text(moment.data, moment.state.prisoners[side], moment.state.captives[side])
    case_words.expect(f"prisoners {men_text(moment.data, *words.men())}", f"prisoners {found}")


def _expect_waiting(moment: CaseMoment, words: Words, deny: bool) -> None:
    leaders = [leader for leader in moment.data.leader_ids if moment.state.roster[leader] == pieces.WAITING]
    found = men_text(moment.data, moment.state.waiting, leaders)
    case_words.expect(f"waiting {men_text(moment.data, *words.men())}", f"waiting {found}")


def _expect_depot(moment: CaseMoment, words: Words, deny: bool) -> None:
    power = words.power() if words.is_power() else -1
    depot, wanted = moment.state.depots.get(words.hex()), words.has("begun") or "complete"
    found = "no depot"
    if depot is not None:
        found = f"depot {moment.data.powers[depot.power].name} {'complete' if depot.complete else 'begun'}"
    named = "no depot" if deny or power < 0 else f"depot {moment.data.powers[power].name} {wanted}"
    case_words.expect(named, found)


def _expect_leader(moment: CaseMoment, words: Words, deny: bool) -> None:
    number, wanted = words.leader(), words.choose(ROSTER_WORDS, "place of a leader")
    name, found = moment.data.leaders[number].name, moment.state.roster[number]
    case_words.expect(f"{name} {ROSTER_WORDS[wanted]}", f"{name} {ROSTER_WORDS[found]}")


def _expect_pool(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`pool Austria Daun Beck`: exactly these; `pool Sweden`: an empty pool."""
    power, named = words.power(), words.leaders()
    found = [leader for leader in moment.data.generals[power] if moment.state.roster[leader] == pieces.POOL]
    case_words.expect(f"pool {names_text(moment.data, sorted(named))}", f"pool {names_text(moment.data, found)}")


def _mp(moment: CaseMoment, words: Words) -> int:
    """`mp 2`: MP left to the force on the march."""
    march, force = moment.state.frames[-1], moment.state.moving
    if not isinstance(march, Marching) or force is None:
        raise case_words.Unexpected("no force is on the march")
    return max(0, allowance(moment.state, march.die, force) - march.spent(moment.state, force))


def _spent(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`spent Keith 3`, `spent Keith done`: the leader's MP in this phase (O5.14)."""
    leader = words.leader()
    wanted = pieces.DONE if words.has("done") else words.number("movement points")
    name, found = moment.data.leaders[leader].name, moment.state.spent.get(leader, 0)
    case_words.expect(f"{name} spent {wanted}", f"{name} spent {found}")


def _is_besieged(moment: CaseMoment, words: Words, here: Hex) -> bool:
    require(here in moment.data.fortresses, "there is no fortress")
    return moment.state.owners[here] in pieces.SIDES and is_besieged(moment.state, here, moment.state.owners[here])


def _supplied(moment: CaseMoment, words: Words, deny: bool) -> None:
    here, side = words.hex(), words.major()
    stack = moment.state.at(here, side, words.has("field", "inside") == "inside")
    if stack is None:
        raise case_words.Unexpected(f"there is no stack in {hex_name(here)}")
    case_words.judge(is_supplied(moment.state, stack), deny, f"supplied {hex_name(here)} {SIDE_WORDS[side]}")


def _view(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`view austria 1733 prussia field Prussia Frederick known 1+`, `view austria depot 1720`.

    Of a stack with hidden facts: its nation, its commander, the known strength.
    """
    view = moment.ruleset.view(moment.state, as_viewer(words.choose(case_words.viewers_of(moment.ruleset), "viewer")))
    if words.has("depot"):
        depot = view.depots.get(words.hex())
        wanted = "" if deny else f"depot {words.has('begun') or 'complete'}"
        case_words.expect(wanted, f"depot {'complete' if depot.complete else 'begun'}" if depot else "")
        return
    place = words.hex(), words.side(), words.has("field", "inside") == "inside"
    found = [_seen(moment, one) for one in view.stacks if (one.hex, one.side, one.inside) == place]
    case_words.expect("" if deny else words.rest(), "".join(found))
    words.rest()


def _seen(moment: CaseMoment, stack: pieces.SeenStack) -> str:
    """`Prussia Frederick known 3-8`; `all` in front if nothing of the stack is hidden."""
    parts = [] if stack.sp is None else ["all"]
    parts.append(moment.data.powers[stack.nation].name)
    parts.append(names_text(moment.data, [stack.commander]) if stack.commander >= 0 else "leaderless")
    parts += ["alone"] if stack.alone else [f"known {case_words.band_text(stack.low, stack.high)}"]
    parts += [state for state in ("demoralized", "quartered") if getattr(stack, state)]
    return " ".join(parts)


DENIABLE: Final[Mapping[str, case_words.Fact]] = {
    **case_words.DENIABLE,
    "prisoners": _expect_prisoners,
    "waiting": _expect_waiting,
    "depot": _expect_depot,
    "siege": case_words.number_fact(  # `siege 1623 2`: rolls made in this siege (O13.8); `no siege 1623`
        "siege", lambda moment, words: moment.state.sieges.get(words.hex(), 0), "a number of rolls"
    ),
    "besieged": case_words.hex_fact("besieged", _is_besieged),
    "zone": case_words.hex_fact("zone", lambda moment, words, here: is_in_zone(moment.state, here, 0)),
    "supplied": _supplied,
    "invaded": lambda moment, words, deny: case_words.judge(
        (power := words.power()) in moment.state.invaded, deny, f"{moment.data.powers[power].name} invaded in 1756"
    ),
    "view": _view,
}
PLAIN: Final[Mapping[str, case_words.Fact]] = {
    **case_words.PLAIN,
    "owner": _expect_owner,
    "rp": case_words.field_fact("rp", "the Prussian RP", "the Austrian RP"),
    "vp": case_words.number_fact(
        "vp", lambda moment, words: victory_points(moment.state), "the Prussian VP", "the Austrian VP"
    ),
    "phasing": case_words.text_fact(
        lambda words: f"phasing {SIDE_WORDS[words.side()]}",
        lambda moment: f"phasing {SIDE_WORDS[moment.state.phasing]}",
    ),
    "leader": _expect_leader,
    "pool": _expect_pool,
    "mp": case_words.number_fact("mp", _mp, "movement points"),
    "spent": _spent,
    "german-states": case_words.text_fact(
        lambda words: LANDS[words.is_open()], lambda moment: LANDS[moment.state.german_open]
    ),
}


PLACES: Final = ("field", "inside", "moving")
STATES: Final = ("demoralized", "quartered")


def check(moment: CaseMoment, text: str) -> None:
    case_words.check_fact(
        moment,
        text,
        Words(moment.data.book, text),
        DENIABLE,
        PLAIN,
        _check_thing,
        lambda words: words.is_power() or words.is_hex(),
        "hex or town, no power",
    )


def _check_thing(moment: CaseMoment, words: Words) -> None:
    if words.is_power() and " ".join(words.words[1:2]) in (*SIDE_WORDS, "surrendered"):
        power, wanted = words.power(), words.next("an allegiance")
        name, found = moment.data.powers[power].name, SIDE_WORDS[moment.state.allegiance[power]]
        if power in moment.state.surrendered:
            found = "surrendered"
        case_words.expect(f"{name} {wanted}", f"{name} {found}")
        return
    here = words.hex()
    if words.has("empty"):
        case_words.expect("", "; ".join(stack_text(moment, s) for s in moment.state.stacks.values() if s.hex == here))
        return
    side, place, stack = words.side(), words.has(*PLACES) or "field", moment.state.moving
    if place != "moving":
        stack = moment.state.at(here, side, place == "inside")
    elif stack is not None and (stack.hex, stack.side) != (here, side):
        stack = None
    if words.has("none"):
        case_words.expect("", stack_text(moment, stack) if stack is not None else "")
    elif stack is None:
        there = [stack_text(moment, s) for s in moment.state.stacks.values() if s.hex == here]
        raise case_words.Unexpected(
            f"expected a stack in {_where(here, side, place)}; there is {'; '.join(there) or 'nobody'}"
        )
    else:
        _compare(moment, words, stack)


def _compare(moment: CaseMoment, words: Words, stack: pieces.Stack) -> None:
    """Demoralization and quarters always count, anything else only if stated; all leaders, the commander first."""
    sp, strength, leaders, states, leaderless = EMPTY, -1, list[LeaderId](), set[str](), False
    while words.words:
        points = words.read_optional_number()
        if points is not None:
            strength = points
        elif words.is_plus():
            sp += words.plus()
        elif state := words.has(*STATES):
            states.add(state)
        elif words.has("leaderless"):
            leaderless = True
        elif mark := words.has(*_MARKS):
            _MARKS[mark](moment, words, stack)
        else:
            leaders.append(words.leader((*STATES, "leaderless", *_MARKS)))
    fault = ""
    if strength not in (-1, stack.strength):
        fault = f"{strength} SP"
    elif sp and sp != stack.sp:
        fault = bag_text(moment.data, sp)
    elif leaderless and stack.leaders:
        fault = "no leaders"
    elif leaders and (sorted(leaders) != sorted(stack.leaders) or leaders[0] != stack.commander):
        fault = f"{names_text(moment.data, leaders)}, the first in command"
    elif states != {state for state in STATES if getattr(stack, state)}:
        fault = " and ".join(sorted(states)) or "neither demoralized nor in quarters"
    if fault:
        raise case_words.Unexpected(f"expected {fault}; it is {stack_text(moment, stack)}")


def _where(here: Hex, side: OwnerId, place: str) -> str:
    return f"{hex_name(here)} {SIDE_WORDS[side]} {place}"


def stack_text(moment: CaseMoment, stack: pieces.Stack) -> str:
    first = (stack.commander, *(number for number in stack.leaders if number != stack.commander))
    parts = [_where(stack.hex, stack.side, PLACES[stack.inside]), bag_text(moment.data, stack.sp)]
    parts.append(names_text(moment.data, first) if stack.leaders else "leaderless")
    parts += [state for state in STATES if getattr(stack, state)]
    parts += [f"hungry {stack.hungry}"] if stack.hungry else []
    return " ".join([*parts, f"known {case_words.band_text(stack.low, stack.high)}", f"moved {total(stack.marched)}"])


def _known(moment: CaseMoment, words: Words, stack: pieces.Stack) -> None:
    text = words.next("a strength")
    if case_words.read_band("1+" if text == "unknown" else text) != (stack.low, stack.high):
        raise case_words.Unexpected(f"expected known {text}; it is {stack_text(moment, stack)}")


_Mark: TypeAlias = Callable[[CaseMoment, Words, pieces.Stack], None]


def _compare_mark(
    name: str, wanted: Callable[[Words, pieces.Stack], int], found: Callable[[pieces.Stack], int]
) -> _Mark:
    return lambda moment, words, stack: case_words.expect(f"{name} {wanted(words, stack)}", f"{name} {found(stack)}")


_MARKS: Final[Mapping[str, _Mark]] = {
    "known": _known,
    "since": _compare_mark("since", lambda words, stack: words.number("a turn"), lambda stack: stack.since),
    "hungry": _compare_mark(
        "hungry", lambda words, stack: words.number("a number of turns"), lambda stack: stack.hungry
    ),
    "moved": _compare_mark(
        "moved",
        lambda words, stack: stack.strength if (points := words.read_optional_number()) is None else points,
        lambda stack: total(stack.marched),
    ),
    "fresh": _compare_mark("moved", lambda words, stack: 0, lambda stack: total(stack.marched)),
}


def answers(data: GameData, text: str) -> list[str]:
    return case_words.dice_and_leaders(data.book, text)
