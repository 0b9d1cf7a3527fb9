"""Looks with axe for what is seriously wrong with a page."""

from collections.abc import Sequence
from importlib import import_module
from typing import Final

from playwright.sync_api import Page

_IS_THERE: Final = "() => typeof axe === 'object'"
_LOOK: Final = """async ([part, themes]) => {
  const root = document.documentElement;
  const long = document.querySelector(part ? '.map-world' : '.map-world > .sheet');
  const mark = document.createComment('');
  long?.replaceWith(mark);
  const isOn = one => one.playState === 'running' && one.effect.getTiming().iterations < Infinity;
  const isMoving = () => document.getAnimations().some(isOn);
  const where = fault => fault.nodes.slice(0, 4).map(node => node.target);
  const found = [];
  for (const theme of themes) {
    root.dataset.theme = theme;
    for (let calm = 0; calm < 3; calm = isMoving() ? 0 : calm + 1) await new Promise(requestAnimationFrame);
    const only = theme === 'dark' ? {runOnly: ['color-contrast']} : {};
    const {violations} = await axe.run(part || document, {resultTypes: ['violations'], ...only});
    const serious = violations.filter(fault => ['serious', 'critical'].includes(fault.impact));
    found.push(...serious.map(fault => `in ${theme}: ${fault.id} (${fault.help}): ${where(fault)}`));
  }
  mark.replaceWith(...long ? [long] : []);
  return found;
}"""
"""By all rules in light, by that of contrast in dark. Axe reads a whole page for every part of it, so what is long and
not asked about is away meanwhile: the map's sheet, which is hidden from it, and the map where a part is looked at."""


def scan(page: Page, what: str, part: str = "", themes: Sequence[str] = ("dark", "light")) -> list[str]:
    if not page.evaluate(_IS_THERE):
        page.evaluate(import_module("axe_playwright_python.base").AXE_SCRIPT)
    return [f"{what} {fault}" for fault in page.evaluate(_LOOK, [part, list(themes)])]
