import pytest

from leuthen.rulesets.campaigns.model.actions import March
from leuthen.rulesets.campaigns.model.state import Draft, State
from leuthen.wargame.board import Hex, parse_hex
from leuthen.wargame.strength import LeaderId
from tests.campaigns.kit import rules

TOWN = parse_hex("3017")


def number(name: str) -> LeaderId:
    return rules().data.leader_named(name)


def met(there: Hex | None = None) -> State:
    draft = Draft(rules().new_game("1757", {}))
    here = draft.units[number("Frederick")].hex
    draft.change(number("Schwerin"), hex=here if there is None else there)
    return draft.freeze()


@pytest.mark.parametrize("path", [(), (parse_hex("1624"),)])
@pytest.mark.parametrize("leader", ["Frederick", "Schwerin"])
def test_a_march_with_the_leader_schwerin_is_read_back(leader: str, path: tuple[Hex, ...]) -> None:
    state = met()
    for companions in ((), (number("Frederick"),), (number("Schwerin"),), (number("Schwerin"), number("Keith"))):
        march = March(number(leader), tuple(sorted(companions)), path=path)
        line = rules().format_action(state, 0, march)
        assert rules().parse_action(state, 0, line) == march, line


def test_where_he_is_not_schwerin_is_a_town() -> None:
    for there in (parse_hex("1531"), TOWN):
        march = rules().parse_action(met(there), 0, "march Frederick Schwerin")
        assert isinstance(march, March)
        assert march.companions == ()
        assert march.path[-1] == TOWN
