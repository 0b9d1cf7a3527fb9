import re
import subprocess
from pathlib import Path

import pytest

from leuthen.server.http.files import CLIENT, PAGES, client
from tools.bundle import bundle, find_esbuild


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    esbuild = find_esbuild()
    assert esbuild is not None
    folder = tmp_path_factory.mktemp("client")
    bundle(esbuild, folder)
    return folder


@pytest.mark.parametrize(("address", "name"), PAGES.items())
def test_a_page_has_one_script_and_one_sheet(folder: Path, address: str, name: str) -> None:
    bundled, html = client(folder), client(folder).pages[address].plain.decode()
    stem = name.removesuffix(".html")
    assert re.findall(r'type="module" src="/static/~\w+/([^"]+)"', html) == [f"{stem}.js"]
    assert re.findall(r'rel="stylesheet" href="/static/~\w+/([^"]+)">', html) == [f"{stem}.css"]
    assert "modulepreload" not in html
    for path in re.findall(r'(?:src|href)="/static/~\w+/([^"]+)"', html):
        assert bundled.files[path].plain


def test_a_bundle_asks_for_nothing_else(folder: Path) -> None:
    scripts = [path.read_text(encoding="utf-8") for path in folder.glob("*.js")]
    assert len(scripts) == len(PAGES)
    assert not [script for script in scripts if re.search(r"""\b(?:import|from)\s*\(?["']\.""", script)]


def test_a_bundle_is_half_of_its_modules(folder: Path) -> None:
    written = sum(path.stat().st_size for path in CLIENT.rglob("*.js"))
    assert (folder / "table.js").stat().st_size < written / 2


def test_colours_of_both_themes_outlive_the_bundler(folder: Path) -> None:
    style = (folder / "table.css").read_text(encoding="utf-8")
    assert "--is-dark: }" in style
    assert "--is-light: ;" in style
    assert style.count("var(--is-light,") == style.count("var(--is-dark,") > 50


def test_a_module_that_is_wrong_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "source"
    (source / "js").mkdir(parents=True)
    (source / "index.html").write_text('<script type="module" src="/static/js/main.js"></script>')
    (source / "js" / "main.js").write_text('import { no } from "./other.js";\n')
    esbuild = find_esbuild()
    assert esbuild is not None
    with pytest.raises(subprocess.CalledProcessError):
        bundle(esbuild, tmp_path / "bundle", source)
    assert "js/main.js:1" in capfd.readouterr().err
