"""Makes the wheel, the same bytes each time: `npm run wheel`, or `pip install clients/python`, which calls it as the build backend (PEP 517).

It needs nothing but Python, and no network.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "src"
TAG = "py3-none-any"


def version() -> str:
    """That of the service."""
    return str(json.loads((HERE.parents[1] / "package.json").read_text(encoding="utf-8"))["version"])


def _metadata() -> str:
    head = (
        "Metadata-Version: 2.1\n"
        "Name: stakeport\n"
        f"Version: {version()}\n"
        "Summary: A client of stakeport: strategies and orders on prediction markets, on paper or with real money\n"
        "License: MIT\n"
        "Requires-Python: >=3.10\n"
        "Classifier: Typing :: Typed\n"
        "Description-Content-Type: text/markdown\n"
        "\n"
    )
    return head + (HERE / "README.md").read_text(encoding="utf-8")


def _write(folder: str, files: dict[str, bytes]) -> str:
    """Without compression, in one order and at one time: so the bytes do not depend on who makes it, or when."""
    info = f"stakeport-{version()}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: stakeport\nRoot-Is-Purelib: true\nTag: {TAG}\n"
    licence = (HERE.parents[1] / "LICENSE").read_bytes()
    files = {**files, f"{info}/METADATA": _metadata().encode(), f"{info}/WHEEL": wheel.encode(), f"{info}/LICENSE": licence}
    record = [f"{name},sha256={_digest(text)},{len(text)}" for name, text in sorted(files.items())]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    name = f"stakeport-{version()}-{TAG}.whl"
    Path(folder).mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(Path(folder) / name, "w") as archive:
        for path, text in sorted(files.items()):
            entry = zipfile.ZipInfo(path)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, text)
    return name


def _digest(text: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    package = sorted((SOURCES / "stakeport").iterdir())
    files = {f"stakeport/{path.name}": path.read_bytes() for path in package if path.suffix in (".py", ".typed")}
    return _write(wheel_directory, files)


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    return _write(wheel_directory, {"stakeport.pth": f"{SOURCES}\n".encode()})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Makes the wheel of the client, without network.")
    parser.add_argument("folder", help="where the wheel is put, such as dist; made when missing")
    target = parser.parse_args().folder
    print(Path(target) / build_wheel(target))
