import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from leuthen.engine.events import Event
from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.ruleset import EVERYTHING, NOBODY, WATCHER, as_viewer
from leuthen.load import load, read_rulebook
from leuthen.rulebook import Rulebook
from leuthen.rulesets.frederick.knowledge import make_view
from leuthen.rulesets.frederick.model import events
from leuthen.rulesets.frederick.model.data import AUSTRIA, FRANCE, HANOVER, PRUSSIA, RUSSIA, SAXONY
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.screen.scene import make_about
from leuthen.screen.values import About, LogEntry
from leuthen.wargame.board import Hex, parse_hex
from leuthen.wargame.strength import NO_LEADER, PowerId, bag
from tests.frederick.handmade import game_data, hexagon, leader, some_state
from tests.laws.games import games
from tests.prove.sample import EVERY

GAME: Any = load("frederick")
BATTLE = events.BattleFought(
    side=PRUSSIAN,
    hex=hexagon("1632"),
    commanders=(leader("Frederick"), leader("Daun")),
    strengths=(20, 24),
    ratio=83,
    die=5,
    attack=3,
    defence=3,
    mountain=True,
    result=3,
    percents=(25, 15),
    losses=(5, 4),
    scores=(7, 6),
    prisoners=1,
    winner=PRUSSIAN,
)
SIEGE = events.SiegeRolled(
    side=AUSTRIAN,
    hex=hexagon("1733"),
    die=6,
    defence=1,
    ratio=1,
    great=True,
    winter=True,
    earlier=3,
    total=7,
    result="surrender",
)
HERE = hexagon("1632")
SOME: tuple[Event, ...] = (
    BATTLE,
    SIEGE,
    events.AttackDeclared(side=0, hex=HERE),
    events.Overwhelmed(side=0, hex=HERE, force=20, against=4, success=True, leaders=(leader("Lacy"),)),
    events.BattleLapsed(side=0, hex=HERE),
    events.Retreated(
        side=1, die=6, initiative=2, hex=HERE, commander=leader("Daun"), leaders=(leader("Daun"), leader("Lacy"))
    ),
    events.FollowDeclined(side=0, hex=HERE),
    events.RetreatMoved(side=1, start=HERE, hex=Hex(HERE + 1), ends=False),
    events.RetreatMoved(side=1, start=HERE, hex=HERE, ends=True, inside=True),
    events.StackSurrendered(side=1, hex=HERE, sp=bag(AUSTRIA, 3), leaders=(leader("Lacy"),)),
    events.Followed(
        side=0, power=PRUSSIA, commander=leader("Keith"), leaders=None, sp=None, start=HERE, hex=Hex(HERE + 1)
    ),
    events.CommanderFate(side=1, leader=leader("Daun"), hex=HERE, die=2, fate="captured", lost=True),
    events.GarrisonLeft(side=1, power=AUSTRIA, sp=None, hex=HERE, to=hexagon("1125")),
    events.TurnBegan(year=1757, turn=4),
    events.PhaseBegan(side=0, phase="March"),
    events.Rolled(side=0, die=4),
    events.Rolled(side=1, by="O6.1", die=6, leader=leader("Daun"), points=6),
    events.Marched(
        side=0,
        power=PRUSSIA,
        leader=leader("Keith"),
        companions=(leader("Maurice"),),
        sp=bag(PRUSSIA, 4),
        alone=False,
        start=HERE,
        path=(Hex(HERE + 1), Hex(HERE + 2)),
        points=3,
    ),
    events.Halted(
        side=0, power=PRUSSIA, leader=leader("Keith"), companions=(leader("Maurice"),), sp=bag(PRUSSIA, 4),
        alone=False, hex=HERE, inside=True,
    ),
    events.Regrouped(side=0, how="join", hex=HERE, inside=True, leaders=(), sp=bag(PRUSSIA, 2)),
    events.Regrouped(side=0, how="leave", hex=HERE, inside=False, leaders=None, sp=None),
    events.Regrouped(side=0, how="enter", hex=HERE, inside=True, leaders=(leader("Keith"),), sp=0),
    events.Regrouped(side=0, how="come", hex=HERE, inside=False, leaders=(), sp=bag(HANOVER, 2)),
    events.Violated(side=0, power=SAXONY, hex=HERE),
    events.Joined(power=SAXONY, joins=1),
    events.Reacted(power=RUSSIA, violator=0, die=3, modifier=2, result=1),
    events.Surrendered(side=1, power=SAXONY, sp=bag(SAXONY, 2), leaders=(leader("Lacy"),), waiting=bag(SAXONY, 1)),
    events.MoraleChanged(side=1, hex=HERE, inside=True),
    events.AllRecovered(),
    events.Taken(side=0, hex=HERE, before=1),
    events.Taken(side=0, hex=HERE, before=NOBODY),
    events.LeaderFate(side=1, leader=leader("Lacy"), hex=HERE, die=5, fate="escapes"),
    events.LeaderCaught(side=1, leader=leader("Lacy"), hex=HERE),
    events.Fled(side=1, leader=leader("Lacy"), hex=None),
    events.DepotChanged(side=1, by="O10.5", power=AUSTRIA, hex=HERE, how="is destroyed"),
    events.DepotWork(side=1, power=AUSTRIA, hex=HERE, how="is begun"),
    events.Recovered(side=0, hex=HERE, inside=False, die=4, initiative=3, target=7, success=True),
    events.Starved(side=0, hex=HERE, inside=False, die=6, added=2, percent=15, loss=None),
    events.SpLost(side=0, by="O13.2", hex=HERE, power=None),
    events.Quartered(side=0, hex=HERE, inside=True, enters=True),
    events.YearEnded(year=1757, early=True),
    events.ChoiceSealed(side=0, what="Deployment"),
    events.ChoiceReopened(side=0, what="Deployment"),
    events.Drafted(side=0, hex=HERE, inside=True, leaders=(leader("Keith"),), sp=bag(PRUSSIA, 2)),
    events.Drafted(side=0, hex=HERE, inside=False, leaders=(), sp=0, depot=True),
    events.Cleared(side=0),
    events.Deployed(
        side=0, power=PRUSSIA, hex=HERE, inside=True, commander=NO_LEADER, alone=False, leaders=None, sp=None
    ),
    events.ForceLeft(
        side=1, power=SAXONY, hex=HERE, inside=True, commander=leader("Lacy"), alone=False, leaders=(leader("Lacy"),),
        sp=bag(SAXONY, 8), whole=True,
    ),
    events.DepotPlaced(side=0, power=PRUSSIA, hex=HERE),
    events.EnvoysRevealed(powers=(FRANCE, PowerId(3)), prussian=(2, 0), austrian=(1, 3)),
    events.DiplomacyRolled(power=FRANCE, die=2, modifiers=(("Austrian Diplomacy Points", 3),), rolled=5, result=1),
    events.PointsGranted(side=0, points=22, now=22),
    events.ForcesRaised(side=0, power=PRUSSIA, points=5, had=None, raised=None),
    events.CommitmentRolled(
        side=1, power=RUSSIA, die=1, modifiers=(("before 1762", -2),), row=-1, percent=-20, switches=True, had=20,
        change=-4,
    ),
    events.Disbanded(side=1, power=RUSSIA, hex=HERE, inside=True, points=2, left=2),
    events.LeadersRolled(side=0, power=PRUSSIA, die=5, new=2, sack=True),
    events.LeaderDrawn(side=0, power=PRUSSIA, leader=leader("Seydlitz"), how="drawn"),
    events.Sacked(side=0, power=PRUSSIA, leader=leader("Keith")),
    events.Redeployed(
        side=0, power=PRUSSIA, start=HERE, hex=Hex(HERE + 1), inside=True, commander=leader("Keith"), alone=True,
        leaders=(leader("Keith"),), sp=0,
    ),
    events.Reinforced(side=0, power=PRUSSIA, hex=HERE, inside=True, commander=NO_LEADER, alone=False, leaders=(),
        sp=bag(PRUSSIA, 9)),
    events.SubsidyRolled(side=0, die=5, modifiers=(("after 1758", -1),), row=4, points=1, now=3),
    events.ExchangeAgreed(what="SP", number=3),
    events.Offered(side=0, leader=leader("Lacy")),
    events.Freed(side=0, power=PRUSSIA, points=0, leader=leader("Keith"), hex=HERE),
    events.VictoryChecked(points=(95, 50), great=(3, 2)),
    events.ScenarioEnded(side=1, points=(40, 55), par=-5, how="marginal"),
    events.WarEnded(winner=0, how="decisive", by="C12.3", points=(95, 45)),
)  # fmt: skip


def told(event: Event) -> LogEntry:
    result: LogEntry = GAME.presenter.present_event(event)
    return result


BASES = (events.TroopsCame, events.ForceMoved, events.StackEvent)


def classes(of: type[Event] = Event) -> Iterator[type[Event]]:
    for kind in of.__subclasses__():
        if kind.__module__.startswith("leuthen.rulesets.frederick") and kind not in BASES:
            yield kind
        yield from classes(kind)


def test_every_class_of_events_is_among_the_samples() -> None:
    assert {type(event) for event in SOME} == set(classes())


def faults(shown: LogEntry) -> Iterator[str]:
    places = {*shown.places, *shown.path}
    if any(parse_hex(place) not in game_data().board.terrain for place in places):
        yield f"no hex: {places}"
    if shown.rule not in RULES:
        yield f"no rule: {shown.rule}"
    if not shown.text or "None" in shown.text or "  " in shown.text:
        yield f"text: {shown.text}"
    yield from spot_faults(shown)
    yield from sum_faults(shown)
    if sum(luck.value for luck in shown.luck) not in (0, 1) and len(shown.luck) == 2:
        yield f"luck: {shown.luck}"
    if any(not 0 < luck.value < 1 for luck in shown.luck):
        yield f"luck: {shown.luck}"


RULES = {rule.number for rule in Rulebook(read_rulebook("frederick")).rules}
TABLES = {card.id: card for card in GAME.presenter.setting().tables}


def spot_faults(shown: LogEntry) -> Iterator[str]:
    spot = shown.spot
    if spot is None:
        return
    card = TABLES[spot.table]
    if spot.row not in [row[0] for row in card.rows]:
        yield f"{spot.table} has no row {spot.row}"
    if spot.column and spot.column not in card.columns:
        yield f"{spot.table} has no column {spot.column}"


def sum_faults(shown: LogEntry) -> Iterator[str]:
    numbers = [int(match[0].replace("−", "-")) for step in shown.steps if (match := re.match(r"[+−]\d+", step))]
    totals = [int(step[2:].replace("−", "-")) for step in shown.steps if step.startswith("= ")]
    if shown.steps and shown.steps[0] != f"die {shown.dice[0]}":
        yield f"steps: {shown.steps}"
    if totals and totals != [shown.dice[0] + sum(numbers)]:
        yield f"steps do not add up: {shown.steps}"
    if bool(numbers) != bool(totals):
        yield f"steps without a sum: {shown.steps}"


@pytest.mark.parametrize("event", SOME, ids=lambda event: str(event.__struct_config__.tag))
def test_every_event_is_told_with_what_belongs_to_it(event: Event) -> None:
    shown = told(event)
    assert not list(faults(shown))
    assert shown.text == event.tell(GAME.names)
    assert shown.rule == event.rule
    assert shown.event == event.__struct_config__.tag
    assert shown.dice == ((event.die,) if hasattr(event, "die") else ())


def text_of(value: Any) -> str:
    return msgspec.json.encode(value).decode()


@pytest.mark.parametrize("seed", range(4 if EVERY else 1))
def test_whole_games_are_told_rightly_and_without_secrets(seed: int) -> None:
    seen: set[str] = set()
    for moment in games("frederick", seed, often=12):
        facts = moment.game.apply(moment.state, moment.actor, moment.action).facts
        for fact in facts:
            for viewer in (0, 1, WATCHER, EVERYTHING):
                event = fact.seen_by(viewer)
                if event is None:
                    continue
                shown = told(event)
                assert not list(faults(shown))
                assert not list(leaks(fact, event, shown))
                seen.add(shown.event)
    assert {"marched", "turn-began", "rolled", "deployed", "starved"} <= seen


def leaks(fact: Event, event: Event, shown: LogEntry) -> Iterator[str]:
    text = text_of(shown)
    for name in fact.HIDDEN:
        value, left = getattr(fact, name), getattr(event, name)
        if value is None or left is not None:
            continue
        if name in ("leaders", "companions"):
            others = set(value) - {getattr(event, "commander", -1), getattr(event, "leader", -1)}
            yield from (f"{n} in {text}" for n in others if GAME.names.leader(n) in shown.text)
        if name == "sp" and "? " not in text and "without troops" not in text and "a part of" not in text:
            yield f"the strength in {text}"
        if name == "hex" and (shown.places or shown.path):
            yield f"the place in {text}"


def about(place: str, viewer: int = PRUSSIAN, state: State | None = None) -> About:
    return make_about(game_data(), make_view(state or some_state(), as_viewer(viewer)), place)


def test_what_is_hidden_stays_so() -> None:
    assert "Daun 1-2-3: strength not known" in about("Kolin").lines
    assert "Daun 1-2-3, Serbelloni 0-0-1, Nadasdy 2-2-1: 20 SP" in "\n".join(about("Kolin", AUSTRIAN).lines)
    assert "Depot of Austria, under construction (O10.4)" in about("1129", AUSTRIAN).lines
    assert not [line for line in about("1129").lines if line.startswith("Depot")]


def test_names_of_then_and_now() -> None:
    assert about("Wroc") == about("Breslau") == about("1733")
    assert about("Breslau").title.startswith("Breslau, today Wroclaw")
    assert about("Amöneburg").title == "Marburg · Amöneburg · Emsdorf · 1510"
    assert about("1126").title == "1126"


def test_the_ground() -> None:
    assert about("1127").lines[0].endswith("land of Austria")
    assert any("zone of control" in line for line in about("1127").lines)
    assert "Neutral: whoever enters violates Russia (C3.3)" in about("3742").lines
    assert about("Elbing").lines[0] == "Clear; Poland, open to everybody (C9.1)"
    board = game_data().board
    water = next(here for here, kind in board.terrain.items() if kind == "water")
    assert about(f"{water // 48:02d}{water % 48:02d}").lines == ("Water: nobody enters (O5.4)",)
    mountain = next(here for here in board.terrain if board.mountains >> here & 1 and board.in_play(here))
    assert about(f"{mountain // 48:02d}{mountain % 48:02d}").lines[0].startswith("Mountain: −2")


def test_hexsides_with_their_price() -> None:
    assert "To 1635: river Oder, 2 MP" in about("1634").lines
    assert any("pass" in line and line.endswith("MP") for line in about("1423").lines)
    everything = [line for row in range(1, 38) for column in range(1, 43) for line in lines_of(row, column)]
    assert any(line.endswith("ridge without a pass, barred (O5.4)") for line in everything)
    assert any(line.endswith("water, barred (O5.4)") for line in everything)


def lines_of(row: int, column: int) -> tuple[str, ...]:
    try:
        return about(f"{row:02d}{column:02d}").lines
    except Invalid:
        return ()


@pytest.mark.parametrize("place", ["9999", "Atlantis", "", "1", "16a3"])
def test_what_is_no_place(place: str) -> None:
    with pytest.raises(Invalid):
        about(place)


def test_what_may_be_several() -> None:
    with pytest.raises(Ambiguous, match="Frankfurt"):
        about("frankfurt")
