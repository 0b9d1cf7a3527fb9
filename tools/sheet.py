"""Screen positions of hexes on the table's map."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

_SPOT: Final = """place => {
  const sheet = document.querySelector('#map [data-hex]');
  const [zeroX, zeroY] = sheet.dataset.zero.split(' ').map(Number);
  const [size, row, column] = [Number(sheet.dataset.hex), Number(place.slice(0, 2)), Number(place.slice(2))];
  const middle = new DOMPoint(zeroX + size * (column + (row % 2 ? 0 : 0.5)), zeroY - size * Math.sqrt(0.75) * row);
  const {x, y} = middle.matrixTransform(sheet.getScreenCTM());
  return document.elementFromPoint(x, y)?.closest('.map-view, button, a')?.matches('.map-view') ? [x, y] : null;
}"""


def spot(page: Page, place: str) -> tuple[float, float] | None:
    """Return the centre of a hex on the screen, or None if it is covered or out of view."""
    found = page.evaluate(_SPOT, place)
    return (found[0], found[1]) if found else None
