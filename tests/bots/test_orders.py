from pathlib import Path
from typing import Any

import msgspec
import pytest

from leuthen.cases.run import Case, open_cases
from leuthen.engine.ruleset import CHANCE, SIDES, actor_named, as_side
from leuthen.load import RULESETS, casebook_of, load, make_level
from leuthen.rulesets.frederick.model.data import AUSTRIA, PRUSSIA
from leuthen.rulesets.frederick.model.state import Draft, State
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import bag

CASES = [case for name in RULESETS for case in open_cases(Path(__file__).with_name(f"orders_{name}.case"))]


def position(case: Case) -> Any:
    rules: Any = load(case.game)
    state = casebook_of(case.game).build_position(rules.data, case.given).transition.state
    return with_garrisons(state, case) if case.game == "frederick" else state


def with_garrisons(state: State, case: Case) -> State:
    draft, owned = Draft(state), {line.text.split()[1] for line in case.given if line.text.startswith("owner ")}
    for here, fort in state.data.fortresses.items():
        is_empty = fort.power in (PRUSSIA, AUSTRIA) and draft.inside(here, as_side(fort.power)) is None
        if is_empty and hex_name(here) not in owned:
            garrison = draft.make_stack(here, as_side(fort.power), True, bag(fort.power, 1), ())
            draft.put(msgspec.structs.replace(garrison, low=1, high=1, since=state.now))
    return draft.freeze()


def order_line(bot: Any, rules: Any, state: Any, side: int) -> str:
    pending = next(one for one in rules.pending(state) if one.actor == side)
    order = bot.choose(lambda: rules.view(state, side), rules.legal_actions(state, side), pending)
    return str(rules.format_action(state, side, order))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.name}")
def test_a_bot_gives_the_orders_of_a_case(case: Case) -> None:
    rules: Any = load(case.game)
    state, level = position(case), "cadet" if case.name.endswith("-cadet") else "captain"
    bots = [make_level(case.game, level, side, 1) for side in SIDES]
    for step in case.steps:
        word, _, line = step.line.text.partition(" ")
        actor = actor_named(rules, word)
        if actor != CHANCE:
            assert order_line(bots[actor], rules, state, actor) == line, case.title
        state = rules.apply(state, actor, rules.parse_action(state, actor, line)).state
