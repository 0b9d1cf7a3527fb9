from pathlib import Path

import pytest

from leuthen.cases.run import read_cases, run_case
from leuthen.engine.choice import Action
from leuthen.engine.decision import Done, Roll
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, ActorId
from leuthen.load import load
from leuthen.rulesets.campaigns.model.actions import Arrange, Attack, Besiege, Go, Halt, March, Name, Retreat, Transfer
from leuthen.rulesets.campaigns.model.state import Draft, State
from leuthen.wargame.board import Hex, parse_hex
from leuthen.wargame.strength import NO_LEADER, LeaderId, PowerId
from tests.campaigns.positions import rules
from tests.rows import rows

GIVEN = (
    "chit prussia-3 ; Keith 2940 20 sp 2 ; P1 2940 4 ; Daun 2943 10 ; garrison Breslau 3 Prussia ; "
    "depot Prussia Breslau ; prisoners prussia 3 Austria ; captive coalition Moritz senior ; coming 5 Prussia due 6"
)


def report_of(steps: str, given: str = GIVEN) -> str:
    (case,) = read_cases(Path("a.case"), f"GAME campaigns\nCASE one\nGIVEN {given}\n{steps}")
    report = run_case(load(case.game), case)
    return f"{report.line}: {report.fault}" if report.fault else ""


@pytest.mark.parametrize(("fact", "fault"), rows("campaigns-case-words-a-fact-that-is-not-so-is-shown"))
def test_a_false_fact_is_reported(fact: str, fault: str) -> None:
    found = report_of(f"EXPECT {fact}")
    assert found.startswith(f"4: {fault}" if fault else "")
    assert bool(found) == bool(fault)


def test_dice_sums_and_chits_answer_for_chance() -> None:
    assert report_of("DICE x").startswith('4: "x" is neither a die nor a chit')
    assert report_of("DO prussia done\nCHANCES prussia 1 1\nDICE prussia-1\nEXPECT pending prussia Orders") == ""
    assert report_of("DO prussia done\nCHANCES die").startswith("5: expected the chances die; they are prussia 1 1")


def test_an_attack_clause_can_continue_without_a_goal() -> None:
    view, standing = rules().view(rules().new_game("1757", {}), 0), rules().standing
    assert standing is not None
    assert set(standing.complete(view, "react Bevern attack ")) == {"against", "at", "within", "of", "odds"}


TOWN = parse_hex("3017")


def number(name: str) -> LeaderId:
    return rules().data.leader_named(name)


def with_schwerin_at(there: Hex | None = None) -> State:
    draft = Draft(rules().new_game("1757", {}))
    here = draft.units[number("Frederick")].hex
    draft.change(number("Schwerin"), hex=here if there is None else there)
    return draft.freeze()


@pytest.mark.parametrize("path", [(), (parse_hex("1624"),)])
@pytest.mark.parametrize("leader", ["Frederick", "Schwerin"])
def test_the_name_schwerin_can_mean_the_leader(leader: str, path: tuple[Hex, ...]) -> None:
    state = with_schwerin_at()
    for companions in ((), (number("Frederick"),), (number("Schwerin"),), (number("Schwerin"), number("Keith"))):
        march = March(number(leader), tuple(sorted(companions)), path=path)
        line = rules().format_action(state, 0, march)
        assert rules().parse_action(state, 0, line) == march, line


def test_the_name_schwerin_can_mean_the_town() -> None:
    for there in (parse_hex("1531"), TOWN):
        march = rules().parse_action(with_schwerin_at(there), 0, "march Frederick Schwerin")
        assert isinstance(march, March)
        assert march.companions == ()
        assert march.path[-1] == TOWN


@pytest.mark.parametrize(("text", "reason"), [*rows("campaigns-orders-not-understood"), ("x" * 10_000, "")])
@pytest.mark.parametrize("actor", [0, 1])
def test_unintelligible_orders_are_refused(actor: ActorId, text: str, reason: str) -> None:
    state = rules().new_game("1757", {})
    with pytest.raises(Invalid) as caught:
        rules().parse_action(state, actor, text)
    assert reason in str(caught.value)


@pytest.mark.parametrize("actor", [0, 1, CHANCE, 3, -1])
@pytest.mark.parametrize("scenario", ["1757", "campaign"])
def test_an_illegal_action_changes_nothing(scenario: str, actor: ActorId) -> None:
    state = rules().new_game(scenario, {})
    before = rules().dump(state)
    actions: tuple[Action, ...] = (
        Halt(), Roll(13), Go((Hex(-5), Hex(9999))), Attack(), Besiege(Hex(1733)),
        March(LeaderId(9999)), March(LeaderId(0), (NO_LEADER,), path=(Hex(10**9),)),
        Arrange(Hex(10**9), False, PowerId(99), (1,)),
        Name(-1), Retreat((Hex(5),)), Transfer(-7, 10**9, -3), Action(),
    )  # fmt: skip
    for action in actions if actor in (0, 1) else (*actions, Done()):
        with pytest.raises(Illegal) as caught:
            rules().apply(state, actor, action)
        assert caught.value.refusal.rule
    assert rules().dump(state) == before
