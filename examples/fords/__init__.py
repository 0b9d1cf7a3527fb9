"""The Fords: a small block game of hidden strengths, written as the tutorial teaches it (docs/tutorial.md).

leuthen play --ruleset examples.fords:SHELF --side-1 human --side-2 random
"""

from pathlib import Path

from leuthen.load import Shelf

_HERE = Path(__file__).parent

SHELF = Shelf(
    "examples.fords.ruleset", "Fords", (_HERE / "data",), _HERE / "rulebook", sheet=("examples.fords.sheet", "draw")
)
