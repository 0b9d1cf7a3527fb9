import pytest

from tests.properties.checks import check_step
from tests.properties.games import CAMPAIGN, game, seeds

OTHER = {"march-die": "force", "morale-target": "5", "hanover-note": "marked", "besieged-redeployment": "barred"}


@pytest.mark.parametrize("seed", seeds(6))
def test_what_holds_in_every_position(seed: int) -> None:
    options = {**OTHER, "last-year": "1759"} if seed % 3 == 2 else {}
    for number, step in enumerate(game(seed, CAMPAIGN._replace(options=options))):
        check_step(step, step.name, number)
    assert step.after.outcome is not None
    assert step.after.year <= step.after.options.last_year
