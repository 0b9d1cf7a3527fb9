"""A page that contains only the map of a game in progress."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final

from playwright.sync_api import Page

from mapmaking.cartography.grid import centre, on_sheet
from tests.browser.games import WAR, Watch, lines_of

LINES: Final = 430
PLACES: Final = {
    "0f": ("1921", "2217"), "1f": ("1818", "1623"), "0m": ("2221",), "1i": ("1623",), "0i": ("2217",),
}  # fmt: skip
OPEN: Final = """async seat => {
  const ask = async url => (await fetch(url)).json();
  const fresh = await ask(`/api/seats/${seat}`);
  const setting = await ask(`/api/rulesets/${fresh.ruleset}`);
  const host = document.createElement('div');
  host.className = 'map';
  host.style.cssText = 'position: fixed; inset: 0';
  const sheet = document.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.href = '/static/css/map.css';
  document.head.append(sheet);
  document.body.replaceChildren(host);
  await new Promise(loaded => sheet.addEventListener('load', loaded));
  const towns = [...setting.fortresses, ...setting.towns].reverse();
  const namesByPlace = new Map(towns.map(town => [town.place, town.name]));
  const store = Object.assign(new EventTarget(), {setting, scene: fresh.scene, side: fresh.side, namesByPlace});
  window.said = [];
  const { SheetMap } = await import('/static/js/map/index.js');
  const { fetchSheetText } = await import('/static/js/map/sheet.js');
  const context = {store, showRule: rule => said.push(['rule', rule])};
  window.map = new SheetMap(host, context, await fetchSheetText(setting.ruleset));
  const hear = event => said.push([event.type, event.detail]);
  for (const kind of ['place', 'piece', 'point']) map.addEventListener(kind, hear);
  map.plans.addEventListener('drawn', hear);
  map.show(fresh.scene);
  return fresh.scene;
}"""


CLEAR: Final = """scene => {
  map.playing.skip();
  map.draw(null);
  map.overlay.setReach(null);
  map.overlay.setPath([]);
  map.overlay.setLayer(null);
  map.plans.show({arrows: [], pins: []});
  for (const kind of Object.keys(map.overlay.lights)) map.overlay.highlight([], kind);
  document.activeElement.blur();
  map.tip.hide();
  map.ctx.store.scene = scene;
  map.show(scene);
  map.jump('2019');
  map.walker.node.setAttribute('d', '');
  map.walker.place = '';
}"""


class Desk:
    def __init__(self, page: Page, scene: dict[str, Any]) -> None:
        self.page = page
        self._laid = scene
        self.scene = deepcopy(scene)

    def clear(self) -> None:
        self.scene = deepcopy(self._laid)
        self.page.emulate_media(media="screen", color_scheme="light", reduced_motion="no-preference")
        self.page.mouse.move(0, 0)
        self.page.evaluate(CLEAR, self.scene)
        self.commit()
        self.page.evaluate("() => { said.length = 0 }")

    def look_at(self, place: str, scale: float) -> None:
        self.page.evaluate(
            "([place, scale]) => { map.jump(place); map.camera.zoom(scale / map.camera.scale) }", [place, scale]
        )
        self.page.evaluate("map.camera.rest()")
        self.commit()

    def commit(self) -> None:
        self.page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")

    def at(self, place: str) -> tuple[float, float]:
        x, y = on_sheet(centre(place))
        left, top, scale = self.page.evaluate("[map.camera.x, map.camera.y, map.camera.scale]")
        return left + x * scale, top + y * scale

    def said(self, *kinds: str) -> list[Any]:
        return [detail for kind, detail in self.page.evaluate("said") if kind in kinds]

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.commit()

    @property
    def cursor(self) -> str:
        return str(self.page.evaluate("map.walker.place"))


def sit(watch: Watch, **options: Any) -> Desk:
    person, seat = watch.onlooker(lines_of(WAR, 0, LINES), **options)
    page = person.new_page()
    page.goto("/")
    scene = page.evaluate(OPEN, seat)
    desk = Desk(page, scene | {"pieces": dict(arranged(scene["pieces"]))})
    desk.clear()
    return desk


def arranged(pieces: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for kind, places in PLACES.items():
        like = f"{kind[0]}f" if kind[1] == "m" else kind
        models = [piece for key, piece in pieces.items() if key.endswith(like)]
        for number, place in enumerate(places):
            yield f"{place}-{kind}", models[number % len(models)] | {"place": place}
