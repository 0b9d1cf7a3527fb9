import gzip
import re
from pathlib import Path

from leuthen.load import table_sheet

CLIENT = Path(__file__).parents[2] / "src" / "leuthen" / "client"
SERVED = {".html", ".css", ".js", ".svg"}
MOST = 320_000
VOCABULARIES = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink", "http://www.w3.org/1999/xhtml"}


def compressed(text: bytes) -> int:
    return len(gzip.compress(text, 9))


def test_the_client_with_its_map_takes_under_320_kb() -> None:
    files = [path for path in CLIENT.rglob("*") if path.suffix in SERVED]
    assert len(files) > 40
    sheet = compressed(table_sheet("frederick").encode())
    assert sheet + sum(compressed(path.read_bytes()) for path in files) < MOST


def test_no_file_names_another_host() -> None:
    for path in CLIENT.rglob("*"):
        if path.suffix in SERVED:
            found = set(re.findall(r"https?://[^\"'`\s)]+", path.read_text(encoding="utf-8")))
            assert found <= VOCABULARIES, path
