import pickle
from types import SimpleNamespace
from typing import Any

import pytest

from leuthen.engine.codec import NUMBER, table, word
from leuthen.engine.fields import FieldTable, Seen, field, openly
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import as_viewer


def see_own(value: Any, pos: Any, viewer: int) -> Any:
    return {who: number for who, number in value.items() if who == viewer}


class Open:
    year: int = field(NUMBER, openly)
    late: int = field(NUMBER, openly, 0, is_spare=True)


class Fields(Open):
    purse: dict[int, int] = field(lambda names: table(word(names, "player"), NUMBER), see_own, {})


class View(Seen, Open):
    purse: dict[int, int]


TABLE = FieldTable(Fields)
NAMES = ("ann", "bob")


def position(**given: Any) -> Any:
    return SimpleNamespace(data=NAMES, **TABLE.filled(**given))


def view_of(pos: Any, viewer: int) -> View:
    return View.of({**TABLE.seen(pos, as_viewer(viewer)), "viewer": viewer})


def test_a_field_that_nobody_says_who_sees_it_cannot_exist() -> None:
    class Careless:
        year: int = field(NUMBER, openly)
        purse: int

    with pytest.raises(TypeError, match=r"Careless\.purse: nobody has said who sees it"):
        FieldTable(Careless)


def test_the_text_has_names_and_leaves_out_what_is_spare() -> None:
    assert TABLE.dump(position(year=1, purse={1: 5, 0: 3})) == b'{"purse":{"ann":3,"bob":5},"year":1}'
    assert TABLE.dump(position(year=1, late=2)) == b'{"late":2,"purse":{},"year":1}'


def test_the_text_is_read_back() -> None:
    values = TABLE.filled(year=1, late=4, purse={0: 3})
    assert TABLE.restore(NAMES, TABLE.dump(position(**values))) == values
    assert TABLE.restore(NAMES, b'{"year":1,"purse":{}}') == TABLE.filled(year=1)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b'{"year":1}', "position, purse: missing"),
        (b'{"year":1,"purse":{},"cash":1}', "position, cash: no such field"),
        (b'{"year":1,"purse":{"cid":1}}', "position, purse: cid: «cid» is no player"),
        (b'{"year":true,"purse":{}}', "position, year: «True» is no whole number"),
        (b"[]", "position: «\\[\\]» is no table of names"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_the_place(text: bytes, complaint: str) -> None:
    with pytest.raises(Invalid, match=complaint):
        TABLE.restore(NAMES, text)


def test_what_has_no_first_value_must_be_given() -> None:
    assert TABLE.filled(year=2) == {"year": 2, "late": 0, "purse": {}}
    assert TABLE.filled(year=2)["purse"] is not TABLE.filled(year=2)["purse"]
    with pytest.raises(TypeError, match="year"):
        TABLE.filled(purse={})
    with pytest.raises(TypeError, match="cash"):
        TABLE.filled(year=1, cash=2)


def test_a_view_has_what_its_viewer_may_see() -> None:
    pos = position(year=1, purse={0: 3, 1: 5})
    assert (view_of(pos, 0).year, view_of(pos, 0).purse, view_of(pos, 1).purse) == (1, {0: 3}, {1: 5})
    assert view_of(pos, 0) == view_of(position(year=1, purse={0: 3, 1: 6}), 0)
    assert view_of(pos, 0) != view_of(position(year=1, purse={0: 4, 1: 5}), 0)


def test_a_view_is_a_value() -> None:
    view = view_of(position(year=1, purse={0: 3}), 0)
    assert hash(view) == hash(view_of(position(year=1, purse={0: 3, 1: 1}), 0))
    assert pickle.loads(pickle.dumps(view)) == view
    assert View.of(TABLE.restore_view(NAMES, TABLE.dump_view(NAMES, view))) == view
    assert (view.replace(year=2).year, view.year) == (2, 1)
    assert repr(view) == "View(late=0, year=1, purse={0: 3}, viewer=0)"
    with pytest.raises(AttributeError, match="a view does not change"):
        view.year = 3
