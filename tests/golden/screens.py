"""Screen contents for the positions of the case files: `python -m tests.golden.screens` writes them, a test compares
them.

Each case file has a file here with the scenes, lists, layers, places, forms, odds and log of the last position of each
case. Lines that an earlier case of the file already has are omitted, so that differences are short.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import msgspec

from leuthen.cases.run import Case, open_cases, state_before, transitions_since
from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.ruleset import CHANCE, SIDES, WATCHER
from leuthen.load import load

CASES: Final = Path(__file__).parents[1] / "cases"
HERE: Final = Path(__file__).parent / "screens"
FEW: Final = 3
LONG: Final = 160
MOST: Final = 5
TOPICS: Final = {
    "frederick": ("attack", "defend", "siege", "overwhelm", "attrition", "morale", "march"),
    "campaigns": ("attack", "defend", "siege", "attrition", "capture"),
}


def files() -> list[Path]:
    return sorted(CASES.rglob("*.case"))


def stored(path: Path) -> Path:
    return HERE / f"{path.parent.name}-{path.stem}.txt"


def text(value: Any) -> str:
    """Return a value as JSON; a long one as its beginning and a digest."""
    data = msgspec.json.encode(value)
    if len(data) <= LONG:
        return data.decode()
    return f"{data.decode()[: LONG // 2]}… {blake2b(data, digest_size=6).hexdigest()}"


def fields_of(name: str, shown: Any) -> Iterator[str]:
    for field in shown.__struct_fields__:
        value = getattr(shown, field)
        if isinstance(value, Mapping):
            yield from (f"{name} {field} {key} {text(one)}" for key, one in value.items())
        elif isinstance(value, tuple):
            yield from (f"{name} {field} {text(one)}" for one in value)
        else:
            yield f"{name} {field} {text(value)}"


def viewer_lines(rules: Any, state: Any, viewer: int) -> Iterator[str]:
    view, shown = rules.view(state, viewer), rules.presenter
    scene = shown.scene(view)
    yield from fields_of("scene", scene)
    yield from (f"left {text(one)}" for one in shown.left_undone(view))
    places = [piece.place for piece in scene.pieces.values() if piece.side != viewer] + [
        piece.place for piece in scene.pieces.values() if piece.side == viewer
    ]
    for place in dict.fromkeys(places[:FEW] + places[-FEW:]):
        yield f"about {text(shown.about(view, place))}"
        for topic in TOPICS[rules.name]:
            with suppress(Invalid, Ambiguous):
                yield from fields_of(f"odds {topic}", shown.odds(view, f"{topic} {place}"))
    for card in shown.setting().layers:
        with suppress(Invalid, Ambiguous):
            layer = shown.layer(view, card.id, places[-1] if places else "")
            yield f"layer {card.id} shades {text(layer.shades)}"
            yield from (f"layer {card.id} {text(one)}" for one in (*layer.lines, *layer.notes))


def form_lines(rules: Any, state: Any) -> Iterator[str]:
    for pending in rules.pending(state):
        if pending.actor == CHANCE:
            continue
        pieces = rules.presenter.scene(rules.view(state, pending.actor)).pieces
        places = [piece.place for piece in pieces.values() if piece.side == pending.actor][:FEW]
        first = rules.presenter.form(state, pending.actor, {})
        choices = [choice.token for choice in first.fields[0].choices] if first.fields else []
        partial_orders = [
            {},
            *({"at": place} for place in places),
            *({first.fields[0].key: one} for one in choices[:FEW]),
        ]
        for partial_order in partial_orders:
            found = rules.presenter.form(state, pending.actor, partial_order)
            yield from fields_of("form", found)
            for there in sorted(found.reach)[:: max(1, len(found.reach) - 1)]:
                way = {**partial_order, "path": there}
                yield from fields_of("way", rules.presenter.form(state, pending.actor, way))


def case_lines(rules: Any, case: Case) -> Iterator[str]:
    state = state_before(rules, case, len(case.steps))
    for transition in transitions_since(rules, case, 0, len(case.steps)):
        for viewer in (*SIDES, WATCHER):
            yield from (f"log {text(rules.presenter.present_event(event))}" for event in transition.events(viewer))
    for viewer in (*SIDES, WATCHER):
        yield from viewer_lines(rules, state, viewer)
    yield from form_lines(rules, state)


def screens(path: Path) -> list[str]:
    """Return the lines for a case file, from at most five cases, spread over the file."""
    firsts = {case.name.partition("[")[0]: case for case in reversed(open_cases(path))}
    cases = list(firsts.values())[:: -(-len(firsts) // MOST)]
    found: dict[str, None] = {}
    for case in cases:
        found[f"# {case.name}"] = None
        found.update(dict.fromkeys(case_lines(load(case.game), case)))
    return list(found)


def setting(ruleset: str) -> list[str]:
    return list(fields_of("setting", load(ruleset).presenter.setting()))


def renew() -> None:
    HERE.mkdir(exist_ok=True)
    for path in files():
        stored(path).write_text("".join(f"{line}\n" for line in screens(path)), encoding="utf-8")
    for ruleset in TOPICS:
        (HERE / f"{ruleset}.txt").write_text("".join(f"{line}\n" for line in setting(ruleset)), encoding="utf-8")


if __name__ == "__main__":
    renew()
