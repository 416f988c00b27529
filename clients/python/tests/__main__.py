"""Runs all tests: `npm run test:python`. With --outputFile, notes the results in the form that `.ci/run` reads."""

from __future__ import annotations

import json
import sys
import time
import unittest
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


class Results(unittest.TextTestResult):
    """What each test came to, and how long it took."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.all: list[dict[str, Any]] = []
        self._since = time.monotonic()

    def startTest(self, test: unittest.TestCase) -> None:
        self._since = time.monotonic()
        super().startTest(test)

    def _note(self, test: unittest.TestCase, *messages: str) -> None:
        status, took = "failed" if messages else "passed", (time.monotonic() - self._since) * 1000
        self.all.append({"fullName": test.id(), "status": status, "failureMessages": messages, "duration": took})

    def addSuccess(self, test: unittest.TestCase) -> None:
        super().addSuccess(test)
        self._note(test)

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        super().addError(test, err)
        self._note(test, self.errors[-1][1])

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        super().addFailure(test, err)
        self._note(test, self.failures[-1][1])


def main() -> int:
    if sys.version_info < (3, 10):
        raise SystemExit(f"The client needs Python 3.10 or later; this is {sys.version.split()[0]}.")
    runner = unittest.TextTestRunner(resultclass=Results, verbosity=2)
    result = runner.run(unittest.defaultTestLoader.discover(str(HERE)))
    assert isinstance(result, Results)
    failed = [one for one in result.all if one["status"] == "failed"]
    file = {"name": str(HERE), "status": "failed" if failed else "passed", "message": "", "assertionResults": result.all}
    summary = {
        "success": result.wasSuccessful(),
        "numPassedTests": len(result.all) - len(failed),
        "numFailedTests": len(failed),
        "testResults": [file],
    }
    for argument in sys.argv[1:]:
        _, _, path = argument.partition("--outputFile=")
        Path(path).write_text(json.dumps(summary), encoding="utf-8")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
