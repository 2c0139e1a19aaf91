"""An event loop for synchronous tests."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def in_a_loop(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in another thread, since Playwright's event loop runs in the tests' own."""
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(asyncio.run, work).result()
