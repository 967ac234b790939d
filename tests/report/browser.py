"""A headless Chromium, driven through pipes with the DevTools protocol, so that no server is involved."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import F_DUPFD_CLOEXEC, fcntl
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--mute-audio",
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--remote-debugging-pipe",
    "--hide-scrollbars",
)


def executable() -> str | None:
    """Return the path of a Chromium, None if there is none."""
    found = (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    return next((path for path in found if path), None)


class Page:
    """One page. errors: console errors and uncaught exceptions. requests: every address asked for."""

    def __init__(self, reader: int, writer: int) -> None:
        self._reader, self._writer = reader, writer
        self._number, self._rest = 0, b""
        self.errors: list[str] = []
        self.requests: list[str] = []
        target = self._send("Target.createTarget", {"url": "about:blank"}, None)["targetId"]
        attached = self._send("Target.attachToTarget", {"targetId": target, "flatten": True}, None)
        self._session: str = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **values: Any) -> dict[str, Any]:
        """Call a method of the protocol."""
        return self._send(method, values, self._session)

    def _send(self, method: str, values: dict[str, Any], session: str | None) -> dict[str, Any]:
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": values}
        if session:
            message["sessionId"] = session
        waiting = json.dumps(message).encode() + b"\0"
        while waiting:
            waiting = waiting[os.write(self._writer, waiting) :]
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                result: dict[str, Any] = answer["result"]
                return result

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            chunk = os.read(self._reader, 1 << 16)
            assert chunk, "the browser has gone"
            self._rest += chunk
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        self._note(message.get("method", ""), message.get("params", {}))
        return message

    def _note(self, method: str, values: dict[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            self.errors.append(str(values["exceptionDetails"]))
        if method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.errors.append(values["entry"]["text"])
        if method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning"):
            self.errors.append(str(values["args"]))
        if method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])

    def open(self, path: Path, fragment: str = "", script: bool = True) -> float:
        """Open a file from disk and return the seconds of processor time the page took until it had loaded."""
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call("Page.navigate", url="about:blank")
        self.call("Performance.disable")
        self.call("Performance.enable", timeDomain="threadTicks")
        self.call("Page.navigate", url=path.as_uri() + fragment)
        deadline = time.monotonic() + 20
        while self.run("document.readyState + location.protocol") != "completefile:":
            assert time.monotonic() < deadline, "the page does not load"
            time.sleep(0.02)
        measured = {entry["name"]: entry["value"] for entry in self.call("Performance.getMetrics")["metrics"]}
        return float(measured["TaskDuration"])

    def run(self, expression: str) -> Any:
        """Return the value of a JavaScript expression on the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key once."""
        codes = {"ArrowLeft": 37, "ArrowRight": 39, "Tab": 9, "Enter": 13, "Home": 36, "End": 35}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes[key])

    def size(self, width: int, height: int = 900) -> None:
        """Make the window this large, in pixels."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def theme(self, name: str, motion: str = "reduce") -> None:
        """Prefer `light` or `dark`, and motion or not."""
        features = [
            {"name": "prefers-color-scheme", "value": name},
            {"name": "prefers-reduced-motion", "value": motion},
        ]
        self.call("Emulation.setEmulatedMedia", features=features)

    def picture(self, path: Path, whole: bool = False) -> None:
        """Write a PNG of the window, or of the whole page."""
        answer = self.call("Page.captureScreenshot", captureBeyondViewport=whole, format="png")
        path.write_bytes(base64.b64decode(answer["data"]))

    def printed(self, path: Path) -> None:
        """Write the page as a PDF."""
        path.write_bytes(base64.b64decode(self.call("Page.printToPDF", printBackground=False)["data"]))


@contextmanager
def browser() -> Iterator[Page]:
    """Start a Chromium with one page, and stop it in the end."""
    path = executable()
    assert path, "there is no Chromium"
    their_read, our_write = os.pipe()
    our_read, their_write = os.pipe()
    high_read, high_write = (fcntl(fd, F_DUPFD_CLOEXEC, 10) for fd in (their_read, their_write))
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile, Path(os.devnull).open("w") as nothing:
        actions = [(os.POSIX_SPAWN_DUP2, nothing.fileno(), out) for out in (1, 2)]
        actions += [(os.POSIX_SPAWN_DUP2, high_read, 3), (os.POSIX_SPAWN_DUP2, high_write, 4)]
        command = [path, *FLAGS, f"--user-data-dir={profile}"]
        process = os.posix_spawn(path, command, os.environ, file_actions=actions)
        for fd in (their_read, their_write, high_read, high_write):
            os.close(fd)
        try:
            yield Page(our_read, our_write)
        finally:
            os.kill(process, signal.SIGTERM)
            os.waitpid(process, 0)
            os.close(our_read)
            os.close(our_write)
