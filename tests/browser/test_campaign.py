"""A whole yearly campaign against the machine, clicked through by somebody who goes by what the page shows."""

from __future__ import annotations

from random import Random

from tests.browser.lobby import begin, sit_down
from tests.browser.person import Person
from tests.browser.watch import Watch


def test_a_campaign_is_played_to_its_end(watch: Watch) -> None:
    page = watch.page(viewport={"width": 1440, "height": 900})
    begin(page, "machine")
    sit_down(page)
    person = Person(page, Random(1))
    assert person.play() > 60
    assert {"place", "depot-at", "seal", "march", "done"} <= set(person.given)
    assert person.on_map > 10
    print(person.given, person.on_map)
