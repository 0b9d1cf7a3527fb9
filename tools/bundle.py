"""Bundle the client: each page gets one script and one style sheet, made by esbuild.

The wheel build calls this module (`hatch_build.py`); `python tools/bundle.py FOLDER` writes the bundle for inspection.
It needs only the standard library and the program `esbuild`, which npm installs (tools/package.json).
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
CLIENT: Final = ROOT / "src" / "leuthen" / "client"
TARGETS: Final = "es2022,chrome111,firefox115,safari16"
"""The oldest supported browsers (docs/usability.md)."""
_SCRIPT: Final = re.compile(r'(?<=<script type="module" src="/static/)js/[^"]+')
_SHEET: Final = re.compile(r'<link rel="stylesheet" href="/static/(css/[^"]+)">\n')


def find_esbuild(root: Path = ROOT) -> str | None:
    """Return the path of esbuild from the development environment or the PATH."""
    # Use the native program, which works without Node.
    installed = sorted(root.glob(".venv/node_modules/@esbuild/*/bin/esbuild"))
    return str(installed[0]) if installed else shutil.which("esbuild")


def bundle(esbuild: str, folder: Path, source: Path = CLIENT) -> None:
    """Write the bundled client into a folder. Raise CalledProcessError, naming the file, if esbuild rejects one."""
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("js", "css", "*.ts"), dirs_exist_ok=True)

    def build(*arguments: str, text: str = "") -> None:
        options = ["--minify", "--charset=utf8", "--legal-comments=none", "--log-level=warning", f"--target={TARGETS}"]
        subprocess.run([esbuild, *options, *arguments], cwd=source, input=text, text=True, check=True)

    for page in source.glob("*.html"):
        html, name = page.read_text(encoding="utf-8"), page.stem
        (script,) = _SCRIPT.findall(html)
        build(script, "--bundle", "--format=esm", f"--outfile={folder / name}.js")
        sheets = "".join(f'@import "./{sheet}";\n' for sheet in _SHEET.findall(html))
        fonts = ("--loader:.woff2=copy", "--asset-names=fonts/[name]")
        build("--bundle", "--loader=css", *fonts, f"--outfile={folder / name}.css", text=sheets)
        html = _SCRIPT.sub(f"{name}.js", html)
        html = _SHEET.sub(f'<link rel="stylesheet" href="/static/{name}.css">\n', html, count=1)
        (folder / page.name).write_text(_SHEET.sub("", html), encoding="utf-8")
    build("js/theme.js", "css/print.css", "--outbase=.", f"--outdir={folder}")


if __name__ == "__main__":
    found = find_esbuild()
    if found is None or len(sys.argv) != 2:
        sys.exit("usage: python tools/bundle.py FOLDER, with esbuild installed (sh tools/setup.sh dev)")
    bundle(found, Path(sys.argv[1]))
