from collections.abc import Sequence
from typing import Any

import pytest

from leuthen.engine.choice import STOP, Action, LegalSet, Refusal, Script, Slot, Token
from leuthen.screen.forms import Filled, fill_form, key_of
from leuthen.screen.values import Choice, Objection


class Dine(Action, frozen=True, tag="dine"):
    table: str
    guests: tuple[int, ...]
    glasses: int


class Walk(Action, frozen=True, tag="walk"):
    path: tuple[int, ...]


class Rest(Action, frozen=True, tag="rest"):
    pass


GUESTS = (1, 2, 5)


def barred(token: Token) -> Refusal:
    return Refusal("X1", "{} is not for you", (token,), 48 + 2 if token == 9 else -1)


def script() -> Script[Any]:
    kind = yield Slot("do", ("rest", "dine", "walk"), barred, refused=lambda: ("fly", "rest"))
    if kind == "rest":
        return Rest()
    if kind == "walk":
        return (yield from walk())
    table = yield Slot("table", ("inn", "camp"), barred)
    guests: list[int] = []
    while True:
        left: list[Token] = [guest for guest in GUESTS if not guests or guest > guests[-1]]
        token = yield Slot("guests", [*left, STOP], barred, index=len(guests), refused=lambda: (9,))
        if token == STOP:
            break
        guests.append(int(token))
    if guests == list(GUESTS):
        yield Slot("glasses", (), lambda _: Refusal("X2", "somebody has to stay"))
    most = 2 if table == "camp" else 3
    glasses = yield Slot("glasses", range(1, most + 1), barred, price=lambda n: f"{most - int(n)} left")
    return Dine(str(table), tuple(guests), int(glasses))


def walk(*, may_stay: bool = False) -> Script[Walk]:
    path: list[int] = []
    while True:
        here = path[-1] if path else 0
        values: list[Token] = [there for there in (here - 1, here + 1) if 0 < there < 6]
        may_end = path or may_stay
        token = yield Slot("path", [*values, STOP] if may_end else values, barred, index=len(path), about=here)
        if token == STOP:
            return Walk(tuple(path))
        path.append(int(token))


class Plain:
    def __init__(self) -> None:
        self.heard: list[tuple[str, Token | None, bool]] = []

    def kind(self, slot: Slot) -> str:
        return {"guests": "leader", "glasses": "count", "path": "path", "table": "hex"}.get(slot.name, "word")

    def label(self, slot: Slot) -> str:
        return f"{slot.name}?"

    def choice(self, slot: Slot, token: Token) -> Choice:
        return Choice(str(token), f"«{token}»", place="0102" if token == "inn" else "")

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

    def answered(self, slot: Slot, token: Token | None, is_step: bool) -> None:
        self.heard.append((key_of(slot), token, is_step))


def fill(**partial_order: str) -> Filled:
    return fill_form(LegalSet(script), Plain(), {key.replace("_", "."): value for key, value in partial_order.items()})


def values(filled: Filled) -> dict[str, str]:
    return {field.key: field.value for field in filled.fields}


def test_nothing_wished_stays_open_at_the_first_question() -> None:
    found = fill()
    assert values(found) == {"do": ""}
    assert found.action is None
    field = found.fields[0]
    assert (field.kind, field.label) == ("word", "do?")
    assert [choice.token for choice in field.choices] == ["rest", "dine", "walk"]
    assert [(one.token, one.reason.rule, one.reason.text) for one in field.barred] == [
        ("fly", "X1", "fly is not for you")
    ]


def test_defaults_fill_the_rest() -> None:
    found = fill(do="dine", table="inn")
    assert found.action == Dine("inn", (), 3)
    assert values(found) == {"do": "dine", "table": "inn", "guests.0": "-1", "glasses": "3"}
    assert [field.is_given for field in found.fields] == [True, True, False, False]
    assert [choice.price for choice in found.fields[-1].choices] == ["2 left", "1 left", "0 left"]


def test_a_refusal_names_its_place() -> None:
    assert fill(do="dine", table="inn").fields[2].barred[0].reason == Objection("X1", "9 is not for you", "0102")


def test_guests_come_in_any_order_and_all_stand_in_the_first_question() -> None:
    found = fill(do="dine", table="inn", guests_0="5", guests_1="1")
    assert found.action == Dine("inn", (1, 5), 3)
    assert [choice.token for choice in found.fields[2].choices] == ["1", "2", "5", "-1"]
    assert fill(do="dine", table="inn", guests_7="2").action == Dine("inn", (2,), 3)
    assert fill(do="dine", table="inn", guests_0="-1").action == Dine("inn", (), 3)


@pytest.mark.parametrize(
    ("partial_order", "reason"),
    [
        ({"do": "fly"}, "fly is not for you"),
        ({"do": "dine", "table": "moon"}, "moon is not for you"),
        ({"do": "dine", "table": "inn", "guests_0": "9", "guests_1": "1"}, "9 is not for you"),
        ({"do": "dine", "table": "inn", "guests_0": "x"}, "«x» is not understood here"),
        ({"do": "dine", "table": "camp", "glasses": "3"}, "3 is not for you"),
        ({"do": "walk", "path_0": "3"}, "3 is not for you"),
        ({"do": "walk", "path": "7"}, "too far"),
        ({"do": "dine", "table": "inn", "guests_0": "1", "guests_1": "2", "guests_2": "5"}, "somebody has to stay"),
    ],
)
def test_a_wish_that_is_refused_leaves_the_order_open(partial_order: dict[str, str], reason: str) -> None:
    found = fill(**partial_order)
    assert [one.text for one in found.refused] == [reason]
    assert found.action is None


def test_a_whole_leg_goes_on_where_the_steps_end() -> None:
    assert fill(do="walk", path="4").action == Walk((1, 2, 3, 4))
    assert fill(do="walk", path_0="1", path_1="2", path="1").action == Walk((1, 2, 1))
    assert fill(do="walk", path_0="1").action == Walk((1,))
    assert fill(do="walk").action is None


def test_who_may_stay_is_asked_for_his_way_all_the_same() -> None:
    def fill_walk(**partial_order: str) -> Filled:
        return fill_form(
            LegalSet(lambda: walk(may_stay=True)), Plain(), {k.replace("_", "."): w for k, w in partial_order.items()}
        )

    asked = fill_walk()
    assert asked.action is None
    assert [choice.token for choice in asked.fields[0].choices] == ["1", "-1"]
    assert fill_walk(path_0="-1").action == Walk(())
    assert fill_walk(path="2").action == Walk((1, 2))


def test_the_kind_that_hears_most_is_taken() -> None:
    assert fill(path="3").action == Walk((1, 2, 3))
    assert fill(table="camp", glasses="1").action == Dine("camp", (), 1)
    assert fill(guests_0="2").fields[0].value == ""  # which table is open, so nobody asks for guests
    assert values(fill(path="9")) == {"do": "walk", "path.0": ""}


def test_a_place_answers_whichever_question_it_may() -> None:
    assert fill(at="0102").action == Dine("inn", (), 3)
    nothing = fill(at="0999")
    assert nothing.action is None
    assert [one.text for one in nothing.refused] == ["nothing can be done there now"]


def test_a_wish_that_nobody_asks_for_is_left_alone() -> None:
    assert fill(do="rest", glasses="9", moon="full").action == Rest()


def test_each_answer_is_passed_on_once() -> None:
    wording = Plain()
    fill_form(LegalSet(script), wording, {"path.0": "1", "path": "3"})
    assert wording.heard == [
        ("do", "walk", True),
        ("path.0", 1, True),
        ("path.1", 2, False),
        ("path.2", 3, False),
        ("path.3", STOP, False),
    ]


def test_an_answer_that_is_not_legal_is_an_error_of_the_asker() -> None:
    with pytest.raises(ValueError, match="fly is not for you"):
        LegalSet(script).fill(lambda slot: "fly")
    assert LegalSet(script).fill(lambda slot: None) is None
