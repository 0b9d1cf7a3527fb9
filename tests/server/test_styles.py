"""Style sheets go out in words that older browsers know."""

from __future__ import annotations

import pytest

from leuthen.server.http.files import CLIENT, client
from leuthen.server.http.styles import served


def test_each_of_two_values_stands_where_its_theme_holds() -> None:
    assert served("a { color: light-dark(#fff, rgb(0 0 0 / 0.5)); }") == (
        "a { color: var(--is-light, #fff) var(--is-dark, rgb(0 0 0 / 0.5)); }"
    )
    assert served("b { margin: 0 }") == "b { margin: 0 }"


@pytest.mark.parametrize("broken", ["c { color: light-dark(#fff) }", "d { color: light-dark(#fff, "])
def test_a_call_without_two_values_is_a_fault(broken: str) -> None:
    with pytest.raises(ValueError, match="two values"):
        served(broken)


def test_no_style_that_is_served_needs_a_new_browser_for_its_colours() -> None:
    written = [path.name for path in CLIENT.rglob("*.css") if "light-dark(" in path.read_text(encoding="utf-8")]
    assert "map.css" in written
    sent = {name: file.plain for name, file in client().files.items() if name.endswith(".css")}
    assert not [name for name, text in sent.items() if b"light-dark(" in text]
    assert sent["css/map.css"].count(b"var(--is-light,") == sent["css/map.css"].count(b"var(--is-dark,") > 50
