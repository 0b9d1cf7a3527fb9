import pytest

from leuthen.server.http.home import html_of
from tests.server.conftest import Party, call

BUTTON = '<button type="button" class="rule" data-rule="O1.2">O1.2</button>'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<b onclick=x>bold</b>", "<p>&lt;b onclick=x&gt;bold&lt;/b&gt;</p>\n"),
        ("[there](javascript:alert)", "<p>[there](javascript:alert)</p>\n"),
        ("[there](page.md)", "<p>there</p>\n"),
        ("see *O1.2* & O9.9", f"<p>see <em>{BUTTON}</em> &amp; O9.9</p>\n"),
        ("`O1.2`", "<p><code>O1.2</code></p>\n"),
        ("![x](http://elsewhere/x.png)", "<p>!x</p>\n"),
    ],
)
def test_only_what_markdown_means_is_html(text: str, html: str) -> None:
    assert html_of(text, {"O1.2"}) == html


def test_a_table_can_be_moved_and_its_columns_are_named() -> None:
    html = html_of("| A | B |\n|---|---|\n| 1 | O1.2 |", {"O1.2"})
    assert html.startswith('<div class="scroll-x" tabindex="0"')
    assert '<th scope="col">A</th>' in html
    assert f"<td>{BUTTON}</td>" in html


def test_the_rules_come_as_html_too(party: Party) -> None:
    chapters = call(party.house.port).get("/api/rulesets/toy/rules").json["chapters"]
    rules = [rule for chapter in chapters for rule in chapter["rules"]]
    assert all(rule["number"] in rule["html"] and "<p>" in rule["html"] for rule in rules)
    assert all(f'data-rule="{rule["number"]}"' not in rule["html"] for rule in rules), "none leads to itself"
