import re
from random import Random
from typing import Any

import pytest

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done, Roll
from leuthen.engine.refusal import Ambiguous, Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, as_side
from leuthen.load import load
from leuthen.rulesets.frederick.model import actions as do
from leuthen.rulesets.frederick.model.data import ALL_POWERS, AUSTRIA, FRANCE, HANOVER, PRUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.orders.notation import GRAMMAR
from leuthen.wargame.board import hexes_of, stack_key
from leuthen.wargame.strength import Bag, PowerId, bag
from tests.frederick.handmade import game_data, hexagon, leader, random_state, some_state

RULES = load("frederick")
PATH = (hexagon("1226"), hexagon("1225"))


def force(state: State, name: str) -> State:
    stack = next(stack for stack in state.stacks.values() if leader(name) in stack.leaders)
    rest = {key: other for key, other in state.stacks.items() if other is not stack}
    return some_state(stacks=rest, moving=stack)


def key(name: str, side: int, inside: bool) -> int:
    return stack_key(hexagon(name), as_side(side), inside)


EXAMPLES: list[tuple[str, int, Action]] = [
    (
        "march Frederick Keith +12 1126-1226-1225",
        PRUSSIAN,
        do.March(leader("Frederick"), (leader("Keith"),), bag(PRUSSIA, 12), PATH),
    ),
    ("march Frederick 1126-1226-1225 !", PRUSSIAN, do.March(leader("Frederick"), (), 0, PATH, True)),
    (
        "march Schwerin +5 1125 !",
        PRUSSIAN,
        do.March(leader("Schwerin"), (), bag(PowerId(0), 5), (hexagon("1125"),), True),
    ),
    ("march Daun +3", AUSTRIAN, do.March(leader("Daun"), (), bag(AUSTRIA, 3))),
    (
        "march d'Estrées Piccolomini +9 +2 Austria 2212-2211",
        AUSTRIAN,
        do.March(leader("d'Estrées"), (leader("Piccolomini"),), bag(FRANCE, 9) + bag(AUSTRIA, 2), (hexagon("2211"),)),
    ),
    ("attack 1125", PRUSSIAN, do.Attack(hexagon("1125"))),
    ("besiege 1125", PRUSSIAN, do.Besiege(hexagon("1125"))),
    (
        "garrison +2 +1 Hanover Schwerin",
        PRUSSIAN,
        do.Garrison((leader("Schwerin"),), bag(PowerId(0), 2) + bag(HANOVER, 1)),
    ),
    ("build 1126", PRUSSIAN, do.Build(hexagon("1126"))),
    ("remove 1125", PRUSSIAN, do.Remove(hexagon("1125"))),
    ("quarter 1623", PRUSSIAN, do.Quarter(hexagon("1623"), False)),
    ("quarter 1623 inside", PRUSSIAN, do.Quarter(hexagon("1623"), True)),
    ("retreat 1124", PRUSSIAN, do.Retreat(hexagon("1124"))),
    ("shelter inside", PRUSSIAN, do.Shelter(True)),
    ("shelter", PRUSSIAN, do.Shelter(False)),
    ("follow Frederick +8", PRUSSIAN, do.Follow((leader("Frederick"),), bag(PRUSSIA, 8))),
    ("follow de Broglie +8 France", AUSTRIAN, do.Follow((leader("de Broglie"),), bag(FRANCE, 8))),
    ("refuge 1623", PRUSSIAN, do.Refuge(hexagon("1623"))),
    ("refuge 1623 inside", PRUSSIAN, do.Refuge(hexagon("1623"), True)),
    (
        "shift 1125 inside +4 Schwerin",
        PRUSSIAN,
        do.Shift(hexagon("1125"), True, (leader("Schwerin"),), bag(PRUSSIA, 4)),
    ),
    ("shift 1623 out +4", PRUSSIAN, do.Shift(hexagon("1623"), False, (), bag(PRUSSIA, 4))),
    (
        "place Prussia 1623 inside +12 Frederick",
        PRUSSIAN,
        do.Place(PRUSSIA, hexagon("1623"), True, (leader("Frederick"),), bag(PRUSSIA, 12)),
    ),
    (
        "place Prussia 1733 inside +12 from 1623 inside",
        PRUSSIAN,
        do.Place(PRUSSIA, hexagon("1733"), True, (), bag(PRUSSIA, 12), key("1623", PRUSSIAN, True)),
    ),
    (
        "place France 0703 de Broglie St. Germain from 2209",
        AUSTRIAN,
        do.Place(
            FRANCE,
            hexagon("0703"),
            False,
            tuple(sorted((leader("de Broglie"), leader("St. Germain")))),
            0,
            key("2209", AUSTRIAN, False),
        ),
    ),
    ("depot-at 1733", PRUSSIAN, do.PlaceDepot(hexagon("1733"))),
    ("seal", PRUSSIAN, do.Seal()),
    ("reopen", AUSTRIAN, do.Reopen()),
    ("clear", AUSTRIAN, do.Clear()),
    ("done", AUSTRIAN, Done()),
    ("envoys France 2 Saxony 1", AUSTRIAN, do.Envoys((2, 0, 0, 0, 1, 0))),
    ("envoys", AUSTRIAN, do.Envoys((0,) * 6)),
    ("raise 5", PRUSSIAN, do.Raise(5)),
    ("lose Prussia 1 1623", PRUSSIAN, do.Lose(key("1623", PRUSSIAN, False), PRUSSIA, 1)),
    ("lose Prussia 1 1623 inside", PRUSSIAN, do.Lose(key("1623", PRUSSIAN, True), PRUSSIA, 1)),
    ("sack Keith", PRUSSIAN, do.Sack(leader("Keith"))),
    ("free Prussia 3 1733", PRUSSIAN, do.Free(PRUSSIA, 3, hexagon("1733"))),
    ("free Keith 1733", PRUSSIAN, do.Free(PRUSSIA, 0, hexagon("1733"), leader("Keith"))),
    ("offer Daun", PRUSSIAN, do.Offer(leader("Daun"))),
    ("roll 4", CHANCE, Roll(4)),
    ("draw Laudon", CHANCE, do.Draw(leader("Laudon"))),
]
MARCHING: list[tuple[str, Action]] = [
    ("go 1126-1226-1225", do.Go(PATH)),
    ("go 1126-1226 !", do.Go(PATH[:1], True)),
    ("drop +4 Keith", do.Drop(False, (leader("Keith"),), bag(PRUSSIA, 4))),
    ("drop inside +4", do.Drop(True, (), bag(PRUSSIA, 4))),
    ("take +3", do.Take(False, (), bag(PRUSSIA, 3))),
    ("take inside +3 Maurice", do.Take(True, (leader("Maurice"),), bag(PRUSSIA, 3))),
    ("halt", do.Halt()),
    ("halt inside", do.Halt(True)),
]


def parse(text: str, actor: int = PRUSSIAN, state: State | None = None) -> Any:
    return RULES.parse_action(state or some_state(), as_side(actor), text)


@pytest.mark.parametrize(
    ("text", "actor", "action"), EXAMPLES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_both_ways(text: str, actor: int, action: Action) -> None:
    assert RULES.format_action(some_state(), as_side(actor), action) == text
    assert parse(text, actor) == action


@pytest.mark.parametrize(("text", "action"), MARCHING)
def test_both_ways_on_the_march(text: str, action: Action) -> None:
    state = force(some_state(), "Frederick")
    assert RULES.format_action(state, PRUSSIAN, action) == text
    assert parse(text, PRUSSIAN, state) == action


def test_every_word_has_an_example() -> None:
    texts = [text for text, _, _ in EXAMPLES] + [text for text, _ in MARCHING]
    assert {text.split()[0] for text in texts} == set(GRAMMAR)
    kinds = [kind for kind in vars(do).values() if isinstance(kind, type) and issubclass(kind, Action)]
    assert set(GRAMMAR) == {kind.__struct_config__.tag for kind in kinds if not kind.__subclasses__()}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("march frederick +12 1226", "march Frederick +12 1126-1226"),
        ("MARCH Fred KEITH +all 1226", "march Frederick Keith +20 1126-1226"),
        ("march Keith Fred 1226", "march Keith Frederick 1126-1226"),
        ("march Fred +all Prague", "march Frederick +20 1126-1125"),
        ("march Fred +2 1126-Prague!", "march Frederick +2 1126-1125 !"),
        ("march Fred +2 Prague-Saaz", "march Frederick +2 {way}"),
        ("march Schwerin +all 1124", "march Schwerin +6 1125-1124"),
        ("march Schwerin +1 +1 hanover 1124", "march Schwerin +1 +1 Hanover 1125-1124"),
        ("march Cumberland +3 Hanover", "march Cumberland +3 2413"),
        ("march Cumberland +3 Hanover Celle", "march Cumberland +3 2413-2514"),
        ("march Fred Brunswick", "march Frederick {way}"),
        ("march Maurice +1 deutschbrod", "march Maurice +1 {way}"),
        ("march Fred +1 atlantis", None),
        ("shift dresden out +all", "shift 1623 out +5"),
        ("shift Prague inside Schw +all", "shift 1125 inside +6 +1 Hanover Schwerin"),
        ("attack königgrätz", "attack 1230"),
        ("attack koenigg", "attack 1230"),
        ("build frankfurt a.d. oder", "build 2325"),
        ("besiege Russian base", "besiege 3742"),
        ("d", None),
        ("don", "done"),
    ],
)
def test_what_people_type(typed: str, meant: str | None) -> None:
    if meant is None:
        with pytest.raises(Invalid):
            parse(typed)
    else:
        written = RULES.format_action(some_state(), PRUSSIAN, parse(typed))
        assert re.sub(r"[-0-9]{14,}", "{way}", written) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("march DESTREES piccolomini +all 2211", "march d'Estrées Piccolomini +18 +2 Austria 2212-2211"),
        ("march estrees +all 2211", "march d'Estrées +18 2212-2211"),
        ("march de b 2309", "march de Broglie 2209-2309"),
        ("march broglie 2309", "march de Broglie 2209-2309"),
        ("place austria prague inside +1 odonnell", "place Austria 1125 inside +1 O'Donnell"),
        ("place france metz st germain du muy", "place France 0703 St. Germain du Muy"),
    ],
)
def test_names_with_spaces_and_accents(typed: str, meant: str) -> None:
    state = some_state()
    assert RULES.format_action(state, AUSTRIAN, parse(typed, AUSTRIAN, state)) == meant


def test_all_on_the_march() -> None:
    state = force(some_state(), "Schwerin")
    assert parse("drop +all", PRUSSIAN, state) == do.Drop(False, (), bag(PRUSSIA, 6) + bag(HANOVER, 1))
    assert parse("drop +all Hanover", PRUSSIAN, state) == do.Drop(False, (), bag(HANOVER, 1))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "is no order"),
        ("charge 1623", "charge"),
        ("r 1623", "may be remove, retreat, refuge, reopen, raise, roll"),
        ("march", "a leader is missing"),
        ("march Napoleon 1126", "Napoleon"),
        ("draw S", "«S» may be Saltykov"),
        ("march Frederick +x 1126", "+x"),
        ("march Frederick +12 Atlantis", "Atlantis"),
        ("march Frederick +12 16x3", "16x3"),
        ("march Frederick +12 9999", "9999"),
        ("march Frederick +12 Frankfurt", "may be Frankfurt a.M., Frankfurt a.d. Oder"),
        ("go", "path is missing"),
        ("attack", "a hex is missing"),
        ("attack 1623 now", "now"),
        ("raise many", "many"),
        ("shift 1623 up +4", "up"),
        ("envoys Prussia 1", "Prussia takes no envoys"),
        ("envoys France", "Diplomacy Points is missing"),
        ("free Nobody 3 1733", "Nobody"),
        ("sack 1623", "1623"),
        ("roll", "the die is missing"),
    ],
)
def test_what_is_not_understood_is_named(text: str, word: str) -> None:
    with pytest.raises(Invalid) as caught:
        parse(text)
    assert word in str(caught.value)


def test_ambiguous_is_told_apart() -> None:
    with pytest.raises(Ambiguous):
        parse("draw S")


def test_a_way_goes_round_enemies_and_neutral_ground() -> None:
    action = parse("march Daun +5 1128-1124", AUSTRIAN)
    assert action.path[-1] == hexagon("1124")
    assert hexagon("1126") not in action.path[:-1]
    assert hexagon("1125") not in action.path[:-1]


def random_sp(rng: Random) -> Bag:
    return sum(bag(power, rng.choice((0, 0, 0, 1, 7, 30))) for power in ALL_POWERS)


def random_action(rng: Random, state: State, actor: int) -> Action:
    places = list(hexes_of(game_data().board.land))
    here, sp, flag = rng.choice(places), random_sp(rng), rng.random() < 0.5
    everybody = game_data().leader_ids
    some = tuple(sorted(rng.sample(everybody, rng.randrange(4))))
    stacks = [stack for stack in state.stacks.values() if stack.leaders]
    stack = rng.choice(stacks)
    chief, *others = rng.sample(stack.leaders, rng.randrange(1, len(stack.leaders) + 1))
    path = tuple(game_data().board.neighbours[stack.hex][:1])
    one = rng.choice(everybody)
    power = rng.choice(ALL_POWERS)
    return rng.choice(
        (
            do.March(chief, tuple(sorted(others)), sp, rng.choice(((), path, (stack.hex,))), flag),
            do.Drop(flag, some, sp),
            do.Take(flag, some, sp),
            do.Halt(flag),
            do.Shift(here, flag, some, sp),
            do.Garrison(some, sp),
            do.Follow(some, sp),
            do.Place(power, here, flag, some, sp, rng.choice((-1, stack_key(here, as_side(actor), flag)))),
            do.Lose(stack_key(here, as_side(actor), flag), power, rng.randrange(100)),
            do.Sack(one),
            do.Free(power, rng.randrange(50), here),
            do.Free(game_data().leaders[one].power, 0, here, one),
            do.Offer(one),
            do.Envoys(tuple(rng.randrange(5) for _ in range(6))),
            do.Raise(rng.randrange(40)),
            rng.choice((do.Build, do.Remove, do.Attack, do.Besiege, do.Retreat, do.PlaceDepot))(here),
            rng.choice((do.Quarter, do.Refuge))(here, flag),
        )
    )


@pytest.mark.parametrize("seed", range(60))
def test_format_and_parse_are_the_identity(seed: int) -> None:
    rng = Random(seed)
    state = random_state(seed)
    if not any(stack.leaders for stack in state.stacks.values()):
        return
    for _ in range(50):
        actor = rng.choice((PRUSSIAN, AUSTRIAN))
        action = random_action(rng, state, actor)
        text = RULES.format_action(state, as_side(actor), action)
        assert RULES.parse_action(state, as_side(actor), text) == action, f"seed {seed}: {text}"


@pytest.mark.parametrize("sp", [-1, 1 << 4000, True])
def test_a_march_with_what_is_no_strength_is_refused(sp: int) -> None:
    door = load("frederick")
    state = door.new_game("campaign", {})
    while "march" not in {str(pending.decision).lower() for pending in door.pending(state)}:
        actor = door.pending(state)[0].actor
        action = door.chances(state)[0][0] if actor == CHANCE else door.legal_actions(state, actor).default()
        state = door.apply(state, actor, action).state
    side = door.pending(state)[0].actor
    number = next(stack.leaders[0] for stack in state.stacks.values() if stack.side == side and stack.leaders)
    with pytest.raises(Illegal):
        door.apply(state, side, do.March(number, (), sp))
