import math
import re
from itertools import combinations
from typing import Final

import pytest

from leuthen.server.http.files import CLIENT
from mapmaking.cartography import palette

VISION: Final = {
    "most people": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopes": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopes": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopes": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
MIN_DISTANCE: Final = {"light": 6.5, "dark": 5.5}
SIMILAR_PAIR: Final = frozenset({"holstein", "schleswig"})


@pytest.mark.parametrize("theme", MIN_DISTANCE)
@pytest.mark.parametrize("eye", VISION)
def test_washes_are_distinguishable_for_every_vision(theme: str, eye: str) -> None:
    seen = {name: perceived_colour(colour, eye) for name, colour in wash_colours(theme).items()}
    pairs = [(math.dist(seen[a], seen[b]), a, b) for a, b in combinations(seen, 2) if {a, b} != SIMILAR_PAIR]
    assert [pair for pair in pairs if pair[0] < MIN_DISTANCE[theme]] == []


def test_the_light_theme_has_the_colours_of_the_sheet() -> None:
    assert wash_colours("light") == {name: wash for name, (wash, _) in palette.WASHES.items()}


def wash_colours(theme: str) -> dict[str, str]:
    style = (CLIENT / "css" / "map.css").read_text(encoding="utf-8")
    found = re.findall(r"--map-wash-([\w-]+): var\(--is-light, (#\w{6})\) var\(--is-dark, (#\w{6})\)", style)
    return {name: day if theme == "light" else night for name, day, night in found}


def perceived_colour(colour: str, eye: str) -> tuple[float, float, float]:
    light = [to_linear(int(colour[k : k + 2], 16) / 255) for k in (1, 3, 5)]
    r, g, b = (min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in VISION[eye])
    x = lab_root((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
    y = lab_root(0.2126729 * r + 0.7151522 * g + 0.072175 * b)
    z = lab_root((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def to_linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def lab_root(part: float) -> float:
    return part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
