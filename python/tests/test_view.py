"""The viewer from Python: a page that shows a world, and pictures without a screen."""

import html
import json
import shutil
import struct
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import stiction

has_page = (Path(stiction.__file__).with_name("viewer.html").is_file() or bool(__import__("os").environ.get("STICTION_VIEWER"))
            or (Path(__file__).resolve().parents[2] / "build" / "viewer" / "viewer.html").is_file())
needs_page = pytest.mark.skipif(not has_page, reason="the viewer's page was not built (make viewer)")
needs_chromium = pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no Chromium here")


def get(url, path=""):
    parts = urllib.parse.urlparse(url)
    with urllib.request.urlopen(urllib.parse.urlunparse(parts._replace(path="/" + path)), timeout=20) as answer:
        return answer.read()


class Watcher:
    """A client of the live messages."""

    def __init__(self, view):
        client = pytest.importorskip("websockets.sync.client")
        address = view.url.replace("http://", "ws://").replace("/?", "/live?")
        self.socket = client.connect(address, max_size=None, compression=None).__enter__()

    def frame(self, condition):
        """(time, poses) of the first frame that fits."""
        while True:
            message = self.socket.recv(timeout=20)
            if not isinstance(message, bytes):
                continue
            magic, _, time, _, bodies = struct.unpack_from("<4sIdII", message)
            assert magic == b"STKF"
            poses = np.frombuffer(message, "<f4", 7 * bodies, 36).reshape(bodies, 7)
            if condition(time):
                return time, poses

    def error(self):
        while True:
            message = self.socket.recv(timeout=20)
            if isinstance(message, str) and json.loads(message)["type"] == "error":
                return json.loads(message)["message"]


@needs_page
def test_a_view_shows_the_world_when_it_is_synced():
    world = stiction.World(stiction.make_scene("slope"))
    with stiction.view(world, browser=False) as view:
        assert b"<html" in get(view.url)
        stage = json.loads(get(view.url, "stage"))
        assert stage["live"] and [body["name"] for body in stage["bodies"]][1:] == list(world.model.body_names)[1:]
        watcher = Watcher(view)
        assert watcher.frame(lambda time: True)[0] == 0.0
        world.step(steps=10)
        view.sync()
        time, poses = watcher.frame(lambda time: time > 0.0)
        assert time == world.time
        np.testing.assert_allclose(poses[-1][4:], world.body(stage["bodies"][-1]["name"]).pose.p, atol=1e-6)
        assert view.num_viewers == 1
        watcher.socket.close()


@needs_page
def test_a_page_cannot_change_the_world_of_a_program():
    world = stiction.World(stiction.make_scene("slope"))
    with stiction.view(world, browser=False) as view:
        watcher = Watcher(view)
        watcher.socket.send('{"do": "step"}')
        assert "cannot be changed" in watcher.error()
        watcher.socket.close()
    assert world.time == 0.0


@needs_page
@pytest.mark.parametrize("how", ["browser=True", "open_browser"])
def test_the_token_is_no_argument_of_a_browser(monkeypatch, tmp_path, how):
    """What a browser is started with can be read by everybody on the machine."""
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":0")
    world = stiction.World(stiction.make_scene("slope"))
    with stiction.view(world, browser=how == "browser=True") as view:
        if how == "open_browser":
            view.open_browser()
        [token] = urllib.parse.parse_qs(urllib.parse.urlparse(view.url).query).values()
        [address] = opened
        assert token[0] not in address and str(urllib.parse.urlparse(view.url).port) not in address
        page = Path(urllib.parse.unquote(urllib.parse.urlparse(address).path))
        assert page.parent == tmp_path and page.stat().st_mode & 0o777 == 0o600
        assert f"url={view.url}" in html.unescape(page.read_text())
    assert not page.exists()


@needs_page
def test_a_closed_view_is_gone():
    world = stiction.World(stiction.make_scene("slope"))
    view = stiction.view(world, browser=False)
    url = view.url
    assert url in repr(view) and url in view._repr_html_() and "<iframe" in view._repr_html_()
    view.close()
    assert view.is_closed and "closed" in repr(view)
    with pytest.raises(urllib.error.URLError):
        get(url)
    with pytest.raises(stiction.UserError, match="closed"):
        view.sync()
    view.close()


@needs_page
def test_an_address_that_cannot_be_is_refused():
    world = stiction.World(stiction.make_scene("slope"))
    with pytest.raises(stiction.UserError, match="example.org"):
        stiction.view(world, bind="example.org", browser=False)
    with pytest.raises(stiction.UserError, match="70000"):
        stiction.view(world, port=70000, browser=False)


def test_a_missing_page_is_said(monkeypatch):
    monkeypatch.setenv("STICTION_VIEWER", "/nowhere/viewer.html")
    world = stiction.World(stiction.make_scene("slope"))
    with pytest.raises(stiction.UserError, match="/nowhere/viewer.html"):
        stiction.view(world, browser=False)


@needs_page
@needs_chromium
def test_pictures_show_the_world_from_where_the_camera_is():
    world = stiction.World(stiction.make_scene("falling_sphere"))
    first = stiction.render(world, ((2, -2, 1.5), (0, 0, 0.5)), 160, 120)
    assert first.shape == (120, 160, 3) and first.dtype == np.uint8
    assert first.std() > 1.0
    np.testing.assert_array_equal(stiction.render(world, ((2, -2, 1.5), (0, 0, 0.5)), 160, 120), first)
    assert np.abs(stiction.render(world, "top", 160, 120).astype(int) - first).max() > 10
    world.simulate(0.5)
    assert np.abs(stiction.render(world, ((2, -2, 1.5), (0, 0, 0.5), 42), 160, 120).astype(int) - first).max() > 10


@needs_page
def test_pictures_that_cannot_be_are_refused(monkeypatch):
    world = stiction.World(stiction.make_scene("slope"))
    with pytest.raises(stiction.UserError, match="camera"):
        stiction.render(world, "above")
    with pytest.raises(stiction.UserError, match="pixels"):
        stiction.render(world, None, 1, 1)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(stiction.UserError, match="Chromium"):
        stiction.render(world, None, 64, 48)
