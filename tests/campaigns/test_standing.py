from collections import Counter
from random import Random
from typing import Any

import pytest

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, SIDES, Side, as_side
from leuthen.load import load
from leuthen.play.table import Table
from leuthen.rulesets.campaigns.model.actions import Attack
from leuthen.rulesets.campaigns.model.forces import is_held_back
from leuthen.rulesets.campaigns.model.state import Draft
from leuthen.rulesets.campaigns.standing.clauses import ReactClause, able
from leuthen.screen.presenter import Clause, Standing, Surprise, TableRuleset, answer_from, read_clauses
from leuthen.wargame.strength import LeaderId
from tests.campaigns.positions import BORDER, at_reaction, order, position
from tests.laws.games import draw
from tests.rows import rows

GAME: TableRuleset = load("campaigns")
WORLDS = 2
DECISIONS = 150
SOME = 200
KINDS = {"react", "ignore", "attack", "share", "join", "concentrate", "break-off", "losses", "feed", "hold"}


def rules() -> Standing:
    assert GAME.standing is not None
    return GAME.standing


def random_lines(state: Any, side: Side, rng: Random) -> list[str]:
    legal = rules().clauses(GAME.view(state, side))
    lines = [rules().format(legal.sample(rng)) for _ in range(rng.randrange(4))]
    names = [state.leader(number).name for number in able(state, as_side(side))]
    lines += [f"react {name} attack" for name in rng.sample(names, min(3, len(names)))]
    rng.shuffle(lines)
    often = ("hold other", "losses by-share", "concentrate yes", "break-off at 20", "join always", "attack")
    return [*lines, *(line for line in often if rng.random() < 0.8)]


@pytest.mark.parametrize(("scenario", "options"), [("1757", {"hidden": "yes"}), ("1758", {"rules": "base"})])
def test_instructions_answer_legally_in_random_games(scenario: str, options: dict[str, str]) -> None:
    rng, answers = Random(7), Counter[str]()
    table = Table(GAME, GAME.new_game(scenario, options))
    stopped = [False, False]
    while sum(answers.values()) < DECISIONS and (pending := GAME.pending(table.state)):
        actor, state = pending[0].actor, table.state
        action: Action | None = None
        if actor != CHANCE:
            table.commit_others_drafts(actor)
            if stopped[actor]:
                assert table.instruction_answer(actor) is None
            if not table.instructions[actor].is_armed and rng.random() < 0.3:
                table.instruct(actor, table.instruction_text(actor, random_lines(state, actor, rng)))
                stopped[actor] = False
            answer = table.instruction_answer(actor)
            if isinstance(answer, Surprise):
                assert answer.reason.strip()
                table.stop(actor, answer)
                stopped[actor] = True
                answers["surprise"] += 1
            elif answer is not None:
                assert GAME.legal_actions(state, actor).why_not(answer) is None
                assert_same_in_every_world(table, actor, answer, rng)
                answers[f"{pending[0].decision} {answer.do}"] += 1
                action = answer
        table.act(actor, action or draw(GAME, state, actor, rng))
    assert answers["surprise"] > 5
    assert {"Reaction hold", "Reaction react"} < set(answers)
    assert len(answers) > 5


def assert_same_in_every_world(table: Table, side: Side, answer: Action, rng: Random) -> None:
    view, lines = GAME.view(table.state, side), table.instructions[side].lines
    for _ in range(WORLDS):
        world = GAME.sample_state(view, Random(rng.random()))
        legal = GAME.legal_actions(world, side)
        assert answer_from(rules(), GAME.view(world, side), legal, lines) == answer


def test_a_clause_survives_its_line() -> None:
    state, rng, kinds = GAME.new_game("1757", {}), Random(3), set()
    for side in SIDES:
        view = GAME.view(state, side)
        legal = rules().clauses(view)
        for _ in range(SOME):
            clause = legal.sample(rng)
            line = rules().format(clause)
            assert rules().parse(view, line) == clause
            assert legal.why_not(clause) is None
            assert rules().explain(clause).strip()
            kinds.add(clause.do)
    assert kinds == KINDS


def test_names_and_places_of_a_clause_may_be_shortened() -> None:
    view = GAME.view(GAME.new_game("1757", {}), 1)
    assert line_of(view, "react Bro to 1226 Prague against Fred at 1125 of 25") == (
        "react Browne to 1226 1125 against Frederick at 1125 of 0-25"
    )
    assert line_of(view, "att against Keith Schwerin of 5+ odds 60") == "attack against Schwerin Keith of 5+ odds 60"
    assert line_of(view, "hold") == "hold other"


def line_of(view: Any, text: str) -> str:
    return rules().format(rules().parse(view, text))


@pytest.mark.parametrize(("text", "words"), rows("campaigns-standing-a-line-that-is-not-understood-says-why"))
def test_an_invalid_clause_is_refused_with_a_reason(text: str, words: str) -> None:
    with pytest.raises(Invalid, match=words):
        rules().parse(GAME.view(GAME.new_game("1757", {}), 1), text)


def test_an_illegal_clause_is_named() -> None:
    view = GAME.view(GAME.new_game("1757", {}), 1)
    with pytest.raises(Illegal, match=r'"break-off at 7": 0 to 100 per cent, by fives, or never \(R12.8\)'):
        read_clauses(rules(), view, ["hold", "break-off at 7"])


def test_the_form_offers_every_kind_of_clause() -> None:
    view = GAME.view(GAME.new_game("1757", {}), 1)
    found = set()
    for kind in KINDS:
        partial_order = {"do": kind}
        while not (form := rules().form(view, partial_order)).order:
            assert not form.refused
            field = form.fields[-1]
            assert not field.value
            partial_order[field.key] = next(choice.token for choice in field.choices if choice.token != "-1")
        assert read_clauses(rules(), view, [form.order])
        assert form.summary
        found.add(form.order.split()[0])
    assert found == KINDS


def test_a_clause_form_states_the_refusal() -> None:
    view = GAME.view(GAME.new_game("1757", {}), 1)
    form = rules().form(view, {"do": "react", "leader": "0"})
    assert form.order == ""
    assert [reason.rule for reason in form.refused] == ["R7.2"]
    form = rules().form(view, {"do": "react", "at": "1125", "way": "attack", "movers.0": "99999"})
    assert [reason.rule for reason in form.refused] == ["R7.1"]


def table_with(line: str, *given: str) -> Table:
    table = Table(GAME, position(*BORDER, *given))
    table.instruct(1, line)
    return table


def changed(state: Any, number: int, **values: Any) -> Any:
    draft = Draft(state)
    draft.change(LeaderId(number), **values)
    return draft.freeze()


def surprise_of(table: Table) -> str:
    answer = table.instruction_answer(1)
    assert isinstance(answer, Surprise), answer
    return answer.reason


@pytest.mark.parametrize(("values", "reason"), rows("campaigns-standing-a-leader-unable-to-react-is-a-surprise"))
def test_a_leader_unable_to_react_is_a_surprise(values: dict[str, int], reason: str) -> None:
    table = table_with("react Daun attack; hold other", "Lacy 3041 5")
    daun = next(n for n, unit in table.state.units.items() if table.state.leader(n).name == "Daun")
    table.state = changed(after_march(table), daun, **values)
    assert surprise_of(table) == reason


def after_march(table: Table) -> Any:
    return GAME.apply(table.state, 0, order(table.state, 0, "march Keith 2940-2941")).state


def test_a_missing_leader_is_a_surprise() -> None:
    table = table_with("react Daun with Lacy attack; hold other", "Lacy 3041 5")
    lacy = next(n for n, unit in table.state.units.items() if table.state.leader(n).name == "Lacy")
    draft = Draft(after_march(table))
    draft.remove(lacy)
    table.state = draft.freeze()
    assert surprise_of(table) == 'Lacy is gone, whom "react Daun with Lacy attack" names (R2.5)'


def test_an_illegal_answer_is_a_surprise() -> None:
    table = table_with("react Daun with Lacy attack; hold other", "Lacy 3041 5")
    lacy = next(n for n, unit in table.state.units.items() if table.state.leader(n).name == "Lacy")
    table.state = changed(
        after_march(table), lacy, hex=table.state.data.board.neighbours[table.state.units[lacy].hex][0]
    )
    assert surprise_of(table).endswith("(R7.2)")


def test_a_clause_cannot_name_a_leader_held_by_the_set_up() -> None:
    state = GAME.new_game("1756", {})
    (held,) = [n for n, unit in state.units.items() if is_held_back(state, n) and unit.tp]
    draft = Draft(state)
    draft.change(held, inside=False)
    side = state.side(held)
    refusal = rules().clauses(GAME.view(draft.freeze(), side)).why_not(ReactClause(leader=held))
    assert refusal is not None
    assert refusal.rule == "R18.2"


def test_an_unexpected_answer_of_the_rule_set_is_a_surprise(monkeypatch: pytest.MonkeyPatch) -> None:
    state = at_reaction()
    monkeypatch.setattr(type(rules()), "answer", lambda *_: Attack())
    answer = answer_from(rules(), GAME.view(state, 1), GAME.legal_actions(state, 1), ["hold"])
    assert isinstance(answer, Surprise)
    assert answer.reason == "choose react or hold (R7.2)"


def test_a_clause_is_not_an_order() -> None:
    state = at_reaction()
    clause = rules().parse(GAME.view(state, 1), "react Daun attack")
    assert isinstance(clause, Clause)
    with pytest.raises(Illegal):
        GAME.apply(state, 1, clause)


def ineffective_clauses(*lines: str) -> list[int]:
    view = GAME.view(position(*BORDER), 1)
    return [number + 1 for number in rules().covered_by([rules().parse(view, line) for line in lines])]


@pytest.mark.parametrize(("lines", "found"), rows("campaigns-standing-a-clause-that-can-never-answer-is-marked"))
def test_a_clause_without_effect_is_marked(lines: list[str], found: list[int]) -> None:
    assert ineffective_clauses(*lines) == found
