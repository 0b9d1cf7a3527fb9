"""Looks with axe for what is seriously wrong with a page."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Final

from playwright.sync_api import Page

_IS_THERE: Final = "() => typeof axe === 'object'"
_LOOK: Final = """async ([part, theme]) => {
  const root = document.documentElement;
  root.dataset.theme = theme;
  const isOn = one => one.playState === 'running' && one.effect.getTiming().iterations < Infinity;
  const isMoving = () => document.getAnimations().some(isOn);
  for (let calm = 0; calm < 3; calm = isMoving() ? 0 : calm + 1) await new Promise(requestAnimationFrame);
  const only = theme === 'dark' ? {runOnly: ['color-contrast']} : {};
  const {violations} = await axe.run(part || document, {resultTypes: ['violations'], ...only});
  const serious = violations.filter(fault => ['serious', 'critical'].includes(fault.impact));
  const where = fault => fault.nodes.slice(0, 4).map(node => node.target);
  return serious.map(fault => `in ${theme}: ${fault.id} (${fault.help}): ${where(fault)}`);
}"""
"""By all rules in light, by that of contrast in dark."""


def scan(page: Page, what: str, part: str = "", themes: Sequence[str] = ("dark", "light")) -> list[str]:
    """The serious faults of a page as it stands, or of a part of it. It is light afterwards."""
    if not page.evaluate(_IS_THERE):
        page.evaluate(import_module("axe_playwright_python.base").AXE_SCRIPT)
    return [f"{what} {fault}" for theme in themes for fault in page.evaluate(_LOOK, [part, theme])]
