import pickle
import random
from collections.abc import Sequence
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

import leuthen
from leuthen.engine.choice import STOP, Action, LegalSet, Refusal, Script, Slot, Token
from leuthen.engine.codec import NUMBER, digest_of, table, word
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, VIEWERS, ActorId, as_viewer
from leuthen.engine.state import FieldTable, PositionView, field, show_to_all
from leuthen.load import RULESETS, load
from leuthen.screen.forms import FilledForm, fill_form, key_of
from leuthen.screen.values import Barred, Choice, Form, Objection
from tests.laws.games import GAMES, games
from tests.prove.sample import sample_games
from tests.rows import rows


class Dine(Action, frozen=True, tag="dine"):
    table: str
    guests: tuple[int, ...]
    glasses: int


class Walk(Action, frozen=True, tag="walk"):
    path: tuple[int, ...]


class Rest(Action, frozen=True, tag="rest"):
    pass


GUESTS = (1, 2, 5)


def refuse(token: Token) -> Refusal:
    return Refusal("X1", "{} is not for you", (token,), 48 + 2 if token == 9 else -1)


def script() -> Script[Any]:
    kind = yield Slot("do", ("rest", "dine", "walk"), refuse, refused=lambda: ("fly", "rest"))
    if kind == "rest":
        return Rest()
    if kind == "walk":
        return (yield from walk())
    table = yield Slot("table", ("inn", "camp"), refuse)
    guests: list[int] = []
    while True:
        left: list[Token] = [guest for guest in GUESTS if not guests or guest > guests[-1]]
        token = yield Slot("guests", [*left, STOP], refuse, index=len(guests), refused=lambda: (9,))
        if token == STOP:
            break
        guests.append(int(token))
    if guests == list(GUESTS):
        yield Slot("glasses", (), lambda _: Refusal("X2", "somebody has to stay"))
    most = 2 if table == "camp" else 3
    glasses = yield Slot("glasses", range(1, most + 1), refuse, price=lambda n: f"{most - int(n)} left")
    return Dine(str(table), tuple(guests), int(glasses))


def walk(*, may_stay: bool = False) -> Script[Walk]:
    path: list[int] = []
    while True:
        here = path[-1] if path else 0
        values: list[Token] = [there for there in (here - 1, here + 1) if 0 < there < 6]
        may_end = path or may_stay
        token = yield Slot("path", [*values, STOP] if may_end else values, refuse, index=len(path), about=here)
        if token == STOP:
            return Walk(tuple(path))
        path.append(int(token))


class PlainText:
    def __init__(self) -> None:
        self.heard: list[tuple[str, Token | None, bool]] = []

    def kind(self, slot: Slot) -> str:
        return {"guests": "leader", "glasses": "count", "path": "path", "table": "hex"}.get(slot.name, "word")

    def label(self, slot: Slot) -> str:
        return f"{slot.name}?"

    def choice(self, slot: Slot, token: Token) -> Choice:
        return Choice(str(token), f'"{token}"', place="0102" if token == "inn" else "")

    def read(self, slot: Slot, text: str) -> Token | None:
        if self.kind(slot) in ("word", "hex"):
            return text
        return int(text) if text.lstrip("-").isdigit() else None

    def find(self, slot: Slot, place: str) -> Token | None:
        return "inn" if slot.name == "table" and place == "0102" else None

    def leg(self, slot: Slot, text: str) -> Sequence[Token] | Objection:
        here = slot.about
        assert isinstance(here, int)
        goal = int(text)
        if goal > 5:
            return Objection("X3", "too far")
        return list(range(here + 1, goal + 1)) if goal > here else list(range(here - 1, goal - 1, -1))

    def preset(self, slot: Slot) -> Token | None:
        return max(slot.values) if slot.name == "glasses" else None

    def record_answer(self, slot: Slot, token: Token | None, is_step: bool) -> None:
        self.heard.append((key_of(slot), token, is_step))


def fill_dinner(**partial_order: str) -> FilledForm:
    return fill_form(
        LegalSet(script), PlainText(), {key.replace("_", "."): value for key, value in partial_order.items()}
    )


def values(filled: FilledForm) -> dict[str, str]:
    return {field.key: field.value for field in filled.fields}


def test_an_empty_form_is_open_at_its_first_question() -> None:
    found = fill_dinner()
    assert values(found) == {"do": ""}
    assert found.action is None
    field = found.fields[0]
    assert (field.kind, field.label) == ("word", "do?")
    assert [choice.token for choice in field.choices] == ["rest", "dine", "walk"]
    assert [(one.token, one.reason.rule, one.reason.text) for one in field.barred] == [
        ("fly", "X1", "fly is not for you")
    ]


def test_presets_fill_the_open_questions() -> None:
    found = fill_dinner(do="dine", table="inn")
    assert found.action == Dine("inn", (), 3)
    assert values(found) == {"do": "dine", "table": "inn", "guests.0": "-1", "glasses": "3"}
    assert [field.is_given for field in found.fields] == [True, True, False, False]
    assert [choice.price for choice in found.fields[-1].choices] == ["2 left", "1 left", "0 left"]


def test_a_refusal_contains_its_place() -> None:
    assert fill_dinner(do="dine", table="inn").fields[2].barred[0].reason == Objection("X1", "9 is not for you", "0102")


def test_repeated_answers_are_accepted_in_any_order() -> None:
    found = fill_dinner(do="dine", table="inn", guests_0="5", guests_1="1")
    assert found.action == Dine("inn", (1, 5), 3)
    assert [choice.token for choice in found.fields[2].choices] == ["1", "2", "5", "-1"]
    assert fill_dinner(do="dine", table="inn", guests_7="2").action == Dine("inn", (2,), 3)
    assert fill_dinner(do="dine", table="inn", guests_0="-1").action == Dine("inn", (), 3)


@pytest.mark.parametrize(("partial_order", "reason"), rows("forms-refused-answers"))
def test_a_refused_answer_leaves_the_order_open(partial_order: dict[str, str], reason: str) -> None:
    found = fill_dinner(**partial_order)
    assert [one.text for one in found.refused] == [reason]
    assert found.action is None


def test_a_leg_continues_after_single_steps() -> None:
    assert fill_dinner(do="walk", path="4").action == Walk((1, 2, 3, 4))
    assert fill_dinner(do="walk", path_0="1", path_1="2", path="1").action == Walk((1, 2, 1))
    assert fill_dinner(do="walk", path_0="1").action == Walk((1,))
    assert fill_dinner(do="walk").action is None


def test_an_optional_path_is_still_a_question() -> None:
    def fill_walk(**partial_order: str) -> FilledForm:
        return fill_form(
            LegalSet(lambda: walk(may_stay=True)),
            PlainText(),
            {k.replace("_", "."): w for k, w in partial_order.items()},
        )

    asked = fill_walk()
    assert asked.action is None
    assert [choice.token for choice in asked.fields[0].choices] == ["1", "-1"]
    assert fill_walk(path_0="-1").action == Walk(())
    assert fill_walk(path="2").action == Walk((1, 2))


def test_a_form_chooses_the_action_with_most_answers() -> None:
    assert fill_dinner(path="3").action == Walk((1, 2, 3))
    assert fill_dinner(table="camp", glasses="1").action == Dine("camp", (), 1)
    assert fill_dinner(guests_0="2").fields[0].value == ""  # the table is open, so the form does not ask for guests
    assert values(fill_dinner(path="9")) == {"do": "walk", "path.0": ""}


def test_a_place_answers_the_question_that_accepts_it() -> None:
    assert fill_dinner(at="0102").action == Dine("inn", (), 3)
    nothing = fill_dinner(at="0999")
    assert nothing.action is None
    assert [one.text for one in nothing.refused] == ["no order is possible there now"]


def test_an_unused_answer_is_ignored() -> None:
    assert fill_dinner(do="rest", glasses="9", moon="full").action == Rest()


def test_each_answer_is_recorded_once() -> None:
    wording = PlainText()
    fill_form(LegalSet(script), wording, {"path.0": "1", "path": "3"})
    assert wording.heard == [
        ("do", "walk", True),
        ("path.0", 1, True),
        ("path.1", 2, False),
        ("path.2", 3, False),
        ("path.3", STOP, False),
    ]


def test_filling_a_set_with_an_illegal_answer_raises() -> None:
    with pytest.raises(ValueError, match="fly is not for you"):
        LegalSet(script).fill(lambda slot: "fly")
    assert LegalSet(script).fill(lambda slot: None) is None


@pytest.mark.parametrize(
    ("name", "seed"), [(name, seed) for name in GAMES for seed in sample_games(range(len(GAMES[name])))]
)
def test_every_legal_action_has_its_form(name: str, seed: int) -> None:
    game, decisions = load(name), set()
    for moment in islice((one for one in games(name, seed, often=40) if one.actor != CHANCE), 150):
        decisions.add(moment.pending.decision)
        legal = game.legal_actions(moment.state, moment.actor)
        for action in (moment.action, *(legal.sample(moment.rng) for _ in range(3))):
            chosen = game.presenter.choices(moment.state, moment.actor, action)
            form = game.presenter.form(moment.state, moment.actor, chosen)
            assert not form.refused, chosen
            assert form.order == game.format_action(moment.state, moment.actor, action), chosen
            assert form.order == game.format_action(
                game.view(moment.state, as_viewer(moment.actor)), moment.actor, action
            )
            for asked in form.fields:
                choices: tuple[Choice | Barred, ...] = (*asked.choices, *asked.barred)
                for choice in choices:
                    assert choice.label, (asked.key, choice.token)
                    assert choice.label != choice.token or asked.kind in ("count", "flag", "hex", "path")
    assert len(decisions) > 5


@pytest.mark.parametrize(
    ("name", "scenario", "options"),
    [
        ("frederick", "campaign", {"last-year": "1757", "march-die": "force"}),
        ("campaigns", "1757", {}),
        ("campaigns", "1759", {"rules": "base"}),
        ("campaigns", "1756", {}),
    ],
)
def test_a_game_can_be_played_with_forms_only(name: str, scenario: str, options: dict[str, str]) -> None:
    game, rng, seen = load(name), random.Random(scenario), set[str]()
    state: Any = game.new_game(scenario, options)
    for _ in range(700 if name == "campaigns" else 10**6):
        if not (pending := game.pending(state)):
            break
        one = rng.choice(pending)
        if one.actor == CHANCE:
            action = rng.choice(game.chances(state))[0]
        else:
            form = random_form(game.presenter, state, one.actor, rng)
            assert form.fields[0].value == form.order.split()[0]
            action = game.parse_action(state, one.actor, form.order)
            assert game.format_action(state, one.actor, action) == form.order
            seen.add(action.do)
        state = game.apply(state, one.actor, action).state  # raises Illegal for what is not legal
    assert "march" in seen
    assert len(seen) > 6


def random_form(presenter: Any, state: Any, side: ActorId, rng: random.Random) -> Form:
    """Fill in a form at random until it has an order."""
    partial_order: dict[str, str] = {}
    for _ in range(300):
        form: Form = presenter.form(state, side, partial_order)
        if form.refused:  # a dead end, such as all leaders of a force left behind
            assert not form.order
            partial_order = {}
            continue
        changeable = [asked for asked in form.fields if len(asked.choices) > 1]
        if form.order and (not changeable or rng.random() < 0.6):
            return form
        changed = rng.choice(changeable) if form.order else form.fields[-1]
        before = form.fields[: form.fields.index(changed)]
        partial_order = {one.key: one.value for one in before if one.is_given}
        partial_order[changed.key] = rng.choice(changed.choices).token
    raise AssertionError(f"no order comes of {partial_order}")


def show_own(value: Any, pos: Any, viewer: int) -> Any:
    return {who: number for who, number in value.items() if who == viewer}


class Open:
    year: int = field(NUMBER, show_to_all)
    late: int = field(NUMBER, show_to_all, 0, is_spare=True)


class Fields(Open):
    purse: dict[int, int] = field(lambda names: table(word(names, "player"), NUMBER), show_own, {})


class View(PositionView, Open):
    purse: dict[int, int]


TABLE = FieldTable(Fields)
NAMES = ("ann", "bob")


def position(**given: Any) -> Any:
    return SimpleNamespace(data=NAMES, **TABLE.filled(**given))


def view_of(pos: Any, viewer: int) -> View:
    return View.of({**TABLE.seen(pos, as_viewer(viewer)), "viewer": viewer})


def test_a_field_must_declare_its_visibility() -> None:
    class Careless:
        year: int = field(NUMBER, show_to_all)
        purse: int

    with pytest.raises(TypeError, match=r"Careless\.purse: its visibility is not declared"):
        FieldTable(Careless)


def test_a_field_without_default_must_be_given() -> None:
    assert TABLE.filled(year=2) == {"year": 2, "late": 0, "purse": {}}
    assert TABLE.filled(year=2)["purse"] is not TABLE.filled(year=2)["purse"]
    with pytest.raises(TypeError, match="year"):
        TABLE.filled(purse={})
    with pytest.raises(TypeError, match="cash"):
        TABLE.filled(year=1, cash=2)


def test_a_view_contains_only_visible_values() -> None:
    pos = position(year=1, purse={0: 3, 1: 5})
    assert (view_of(pos, 0).year, view_of(pos, 0).purse, view_of(pos, 1).purse) == (1, {0: 3}, {1: 5})
    assert view_of(pos, 0) == view_of(position(year=1, purse={0: 3, 1: 6}), 0)
    assert view_of(pos, 0) != view_of(position(year=1, purse={0: 4, 1: 5}), 0)


def test_a_view_is_an_immutable_value() -> None:
    view = view_of(position(year=1, purse={0: 3}), 0)
    assert hash(view) == hash(view_of(position(year=1, purse={0: 3, 1: 1}), 0))
    assert pickle.loads(pickle.dumps(view)) == view
    assert View.of(TABLE.restore_view(NAMES, TABLE.dump_view(NAMES, view))) == view
    assert (view.replace(year=2).year, view.year) == (2, 1)
    assert repr(view) == "View(late=0, year=1, purse={0: 3}, viewer=0)"
    with pytest.raises(AttributeError, match="a view does not change"):
        view.year = 3


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("who", [9, -1, "prussia", None, 0.5])
def test_an_unknown_actor_or_viewer_is_refused(name: str, who: Any) -> None:
    rules = load(name)
    state: Any = rules.new_game(next(iter(rules.scenarios)), {})
    with pytest.raises(Invalid, match="is not a viewer"):
        rules.view(state, who)
    with pytest.raises(Illegal, match="there are two players"):
        rules.legal_actions(state, who).default()
    assert all(rules.view(state, viewer) is not None for viewer in VIEWERS)


def test_a_numeric_option_equals_its_text() -> None:
    rules: Any = leuthen.ruleset("frederick")
    numbered, written = (rules.new_game("campaign", {"last-year": year}) for year in (1756, "1756"))
    assert digest_of(rules, numbered) == digest_of(rules, written)
    options: Any = {"last-year": 1756}
    assert leuthen.make_header(rules, "campaign", options, ("a", "b"), game="g1").options["last-year"] == "1756"
    with pytest.raises(Invalid, match='option last-year: "1755" is not among'):
        rules.new_game("campaign", {"last-year": 1755})


def test_a_legal_set_cannot_be_pickled() -> None:
    state = leuthen.position("phase march prussia die 3 ; Prussia 1632 5 Keith")
    with pytest.raises(TypeError, match="a LegalSet cannot be pickled"):
        pickle.dumps(leuthen.ruleset("frederick").legal_actions(state, 0))
