"""The package as a whole: its wheel, its types, and what the documents show of it."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections import namedtuple
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from support import ROOT, Case, Server, ServerCase

HERE = ROOT / "clients/python"


def blocks(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (HERE / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


class Wheel(Case):
    def test_it_is_the_same_each_time_and_is_what_is_imported(self) -> None:
        folder = Path(self.enter(tempfile.TemporaryDirectory()))
        script = str(HERE / "make_wheel.py")
        made = [
            Path(subprocess.run([sys.executable, script, str(folder / name)], check=True, capture_output=True, text=True).stdout.strip())
            for name in ("one", "two")
        ]
        self.assertEqual(made[0].read_bytes(), made[1].read_bytes())
        program = "import stakeport; print(stakeport.__file__)"
        site = [str(made[0])]
        if importlib.util.find_spec("pip") is not None:
            install = [sys.executable, "-m", "pip", "install", "--no-index", "--quiet", "--no-compile", "--target", str(folder / "site")]
            subprocess.run([*install, "--disable-pip-version-check", str(made[0])], check=True, capture_output=True)
            site = [str(folder / "site")]
        told = subprocess.run([sys.executable, "-c", program], env={"PYTHONPATH": site[0]}, capture_output=True, text=True)
        self.assertEqual("", told.stderr)
        self.assertTrue(told.stdout.startswith(site[0]), told.stdout)

    def test_help_makes_no_wheel(self) -> None:
        folder = self.enter(tempfile.TemporaryDirectory())
        told = subprocess.run([sys.executable, str(HERE / "make_wheel.py"), "--help"], cwd=folder, capture_output=True, text=True)
        self.assertEqual((0, []), (told.returncode, list(Path(folder).iterdir())), told.stderr)
        self.assertIn("usage: make_wheel.py", told.stdout)


class Types(unittest.TestCase):
    def test_mypy_finds_nothing(self) -> None:
        if shutil.which("mypy") is None:
            print("mypy is not installed: types are not checked", file=sys.stderr)
            return
        checked = ["src", "tests", "make_wheel.py", str(ROOT / "examples/strategy_in_code.py")]
        told = subprocess.run(["mypy", *checked], cwd=HERE, capture_output=True, text=True)
        self.assertEqual((0, ""), (told.returncode, told.stderr), told.stdout)


class Frame:
    """What the documents use of a data frame of pandas."""

    def __init__(self, rows: list[tuple[Any, ...]], columns: list[str]) -> None:
        self._rows, self._row = rows, namedtuple("Pandas", columns)  # type: ignore[misc]

    def itertuples(self) -> Iterator[Any]:
        return (self._row(*row) for row in self._rows)


class Documents(ServerCase):
    def run_block(self, block: str, **names: Any) -> dict[str, Any]:
        user = self.id()
        names = {"client": self.client(), **names}
        shown = block.replace('"http://127.0.0.1:8080"', f'"{self.server.url}", dev_user="{user}"')
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(shown, "README.md", "exec"), names)
        return names

    def test_signals_come_from_a_data_frame_as_the_page_shows(self) -> None:
        [block] = [one for one in blocks("README.md") if "itertuples" in one]
        if importlib.util.find_spec("pandas") is None:
            self.enter(mock.patch.dict(sys.modules, {"pandas": SimpleNamespace(DataFrame=Frame)}))  # type: ignore[dict-item]
        client = self.run_block(block)["client"]
        signals = {signal.market_id[:4]: signal.probabilities for signal in client.signals.list()}
        self.assertEqual((Decimal("0.62"), Decimal("0.4301")), (signals["0xa1"]["Home"], signals["0xb2"]["Bucks"]))

    def test_an_order_and_a_strategy_are_made_as_the_page_shows(self) -> None:
        order, strategy = (one for one in blocks("README.md") if "orders.place(" in one or "strategies.create(" in one)
        self.assertEqual("filled", self.run_block(order)["order"].status)
        create, _, _ = strategy.partition("for event in")
        made = self.run_block(create)["strategy"]
        self.assertEqual("auto", made.automation)
        [evaluation] = [one for one in blocks("README.md") if ".evaluate(" in one]
        told = self.run_block(evaluation)
        self.assertEqual(made.id, told["strategy"].id)
        self.assertIn("filter/min_odds", [rule.rule for rule in told["decision"].rules])
