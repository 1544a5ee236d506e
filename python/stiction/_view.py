"""The viewer from Python: a page that shows a world while a program steps it, and pictures without a screen."""

from __future__ import annotations

import atexit
import html
import os
import sys
import tempfile
import weakref
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from stiction import _core

Camera = str | Sequence[Any] | None


def _page() -> str:
    """The page that came with the package; empty: the one that make built."""
    file = Path(__file__).with_name("viewer.html")
    return str(file) if file.is_file() else ""


def _in_notebook() -> bool:
    return "ipykernel" in sys.modules


def _has_screen() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform == "darwin")


def _write_leading_page(url: str) -> Path:
    """A page that leads to the address, readable by its owner alone.

    Everybody on the machine can read the arguments of a browser, so that the address, which has the token, is none.
    """
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    usable = os.path.isabs(folder) and os.access(folder, os.W_OK)
    descriptor, name = tempfile.mkstemp(prefix="stiction-view-", suffix=".html", dir=folder if usable else None)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:  # mkstemp: mode 0600
        file.write(
            '<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url='
            f'{html.escape(url)}"><title>Stiction</title>\n'
        )
    return Path(name)


def _remove(file: Path) -> None:
    file.unlink(missing_ok=True)


def camera_text(camera: Camera) -> str:
    """As the page takes it: a view by name, or eye, target and perhaps the angle of view."""
    if camera is None:
        return ""
    if isinstance(camera, str):
        return camera
    numbers = [float(number) for part in camera for number in np.atleast_1d(np.asarray(part, dtype=float))]
    return ",".join(repr(number) for number in numbers)


class View:
    """A page that shows a world; `stiction.view()` makes it.

    In a notebook the page stands below the cell whose value it is. Nothing here waits for a browser, and a page
    cannot change the world.
    """

    def __init__(self, world: _core.World, *, port: int = 0, bind: str = "127.0.0.1", height: int = 480) -> None:
        """Serves the page. `port` 0: any that is free; `height`: of the frame in a notebook, in pixels."""
        self._world = world
        self._height = int(height)
        self._server: Any = _core._serve_world(world, _page(), bind, port)  # type: ignore[attr-defined]
        self._leading_page: Path | None = None
        self._remove_page: Any = None

    @property
    def url(self) -> str:
        """The address of the page, with its token."""
        return str(self._open().url)

    @property
    def num_viewers(self) -> int:
        """How many pages are open."""
        return int(self._open().num_viewers)

    @property
    def is_closed(self) -> bool:
        """Whether the page is no longer served."""
        return self._server is None

    def sync(self) -> None:
        """Shows the world as it is now. Costs little; a page that is slow misses some of them."""
        self._open().sync(self._world)

    def open_browser(self) -> None:
        """Opens the page in a browser, where there is a screen and this is no notebook."""
        if _has_screen() and not _in_notebook():
            self._show()

    def close(self) -> None:
        """Serves the page no longer."""
        self._server = None
        if self._remove_page is not None:
            self._remove_page()

    def _show(self) -> None:
        if self._leading_page is None:
            self._leading_page = _write_leading_page(self.url)
            # Also where the view is forgotten, and at the end of the program.
            self._remove_page = weakref.finalize(self, _remove, self._leading_page)
        webbrowser.open(self._leading_page.as_uri())

    def _open(self) -> Any:
        if self._server is None:
            raise _core.UserError("this view is closed")
        return self._server

    def __enter__(self) -> View:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<stiction.View, closed>" if self._server is None else f"<stiction.View at {self.url}>"

    def _repr_html_(self) -> str:
        if self._server is None:
            return "<p>This view is closed.</p>"
        return f'<iframe src="{self.url}" width="100%" height="{self._height}" style="border: 0" allow="fullscreen"></iframe>'


def view(world: _core.World, *, port: int = 0, bind: str = "127.0.0.1", height: int = 480, browser: bool | None = None) -> View:
    """Opens the viewer's page on a world, and returns at once.

    The world stays the program's: call `sync()` of the answer to show where it is.

        view = stiction.view(world)
        for _ in range(1000):
            world.step()
            view.sync()

    `browser`: whether to open one; without it, where there is a screen and this is no notebook. The address is
    `view.url`. `bind`: another address than the loopback device's lets other machines in.
    """
    made = View(world, port=port, bind=bind, height=height)
    if browser:
        made._show()
    elif browser is None:
        made.open_browser()
    return made


def render(
    world: _core.World,
    camera: Camera = None,
    width: int = 640,
    height: int = 480,
    *,
    patches: Literal["pressure", "slip"] | None = None,
    browser: bool = False,
) -> npt.NDArray[np.uint8]:
    """A picture of a world as it is now, (height, width, 3): rows from the top, red, green and blue.

    camera: "home", "front", "side", "top", or (eye, target) in metres, or (eye, target, angle of view in degrees).
    Drawn on the processor, without a screen, in some hundredths of a second: shapes, ground, light and shadows.

    patches: where bodies touch by pressure fields in the last step, coloured by pressure or by the speed at which one slips
        over the other: blue where there is little, red where it is largest. Not with a browser.
    browser: the viewer's page draws it instead, with contacts and all that it shows, through Chromium; raises
        UserError where that is not installed. The first picture takes some seconds, the next ones one.
    """
    if not browser:
        drawn: npt.NDArray[np.uint8] = _core._draw_world(  # type: ignore[attr-defined]
            world, camera_text(camera), width, height, patches or ""
        )
        return drawn
    if patches is not None:
        raise _core.UserError("patches are drawn without a browser: leave one of the two out")
    picture: npt.NDArray[np.uint8] = _core._render_world(  # type: ignore[attr-defined]
        world, _page(), camera_text(camera), width, height
    )
    return picture


# Before the interpreter is gone: a browser must not outlive it.
atexit.register(_core._close_renderer)  # type: ignore[attr-defined]
