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
    monkeypatch.setattr("stiction._view._in_notebook", lambda: False)
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
def test_the_page_draws_pictures_from_where_the_camera_is():
    world = stiction.World(stiction.make_scene("falling_sphere"))
    first = stiction.render(world, ((2, -2, 1.5), (0, 0, 0.5)), 160, 120, browser=True)
    assert first.shape == (120, 160, 3) and first.dtype == np.uint8
    assert first.std() > 1.0
    np.testing.assert_array_equal(stiction.render(world, ((2, -2, 1.5), (0, 0, 0.5)), 160, 120, browser=True), first)
    assert np.abs(stiction.render(world, "top", 160, 120, browser=True).astype(int) - first).max() > 10


def test_pictures_show_the_world_from_where_the_camera_is():
    world = stiction.World(stiction.make_scene("falling_sphere"))
    first = stiction.render(world, ((2, -2, 1.5), (0, 0, 0.5)), 160, 120)
    assert first.shape == (120, 160, 3) and first.dtype == np.uint8 and first.std() > 1.0
    for threads in (1, 3):
        stiction.set_thread_count(threads)
        np.testing.assert_array_equal(stiction.render(world, ((2, -2, 1.5), (0, 0, 0.5)), 160, 120), first)
    for camera in ("top", "front", "side", "home", ((2, -2, 1.5), (0, 0, 0.5), 20)):
        assert np.abs(stiction.render(world, camera, 160, 120).astype(int) - first).max() > 10
    world.simulate(0.5)
    assert np.abs(stiction.render(world, ((2, -2, 1.5), (0, 0, 0.5)), 160, 120).astype(int) - first).max() > 10


def test_pictures_show_patches_where_they_are_asked_for():
    builder = stiction.ModelBuilder("slide")
    builder.add_shape("ground", "world", stiction.Pose(), stiction.HalfSpace())
    builder.add_free_body("cube", stiction.translation(0, 0, 0.0999), stiction.solid_box(1.0, [0.1] * 3))
    builder.add_shape("cube", "cube", stiction.Pose(), stiction.Box([0.1] * 3))
    builder.set_material("cube", stiction.ContactMaterial(pressure_modulus=1e6))
    world = stiction.World(builder.build())
    camera = ((0, -0.001, 1.5), (0, 0, 0))
    plain = stiction.render(world, camera, 160, 120)
    np.testing.assert_array_equal(stiction.render(world, camera, 160, 120, patches="pressure"), plain)  # no step yet
    world.step()
    plain = stiction.render(world, camera, 160, 120).astype(int)
    pressed, slipped = (stiction.render(world, camera, 160, 120, patches=by).astype(int)[60, 80] for by in ("pressure", "slip"))
    assert pressed[0] > 150 and pressed[0] > pressed[2] + 60 and pressed[0] > plain[60, 80][0] + 60  # red
    assert slipped[2] > slipped[0] + 60  # blue: at rest
    with pytest.raises(stiction.UserError, match="'pressure' or 'slip', not 'heat'"):
        stiction.render(world, camera, 160, 120, patches="heat")
    with pytest.raises(stiction.UserError, match="without a browser"):
        stiction.render(world, camera, 160, 120, patches="slip", browser=True)


def red_thing(shape, floor=False, X=None):
    """A world with a red shape alone at the origin, or at X above a floor."""
    builder = stiction.ModelBuilder("red").set_gravity([0, 0, 0])
    if floor:
        builder.add_shape("floor", "world", stiction.Pose(), stiction.HalfSpace())
    builder.add_free_body("thing", X or stiction.Pose(), stiction.solid_sphere(1.0, 0.1))
    builder.add_shape("thing", "thing", stiction.Pose(), shape)
    builder.set_properties("thing", stiction.ShapeProperties(rgba=[1, 0, 0, 1]))
    return stiction.World(builder.build())


def reds(picture):
    return (picture[..., 0].astype(int) - picture[..., 1] > 60) & (picture[..., 0].astype(int) - picture[..., 2] > 60)


def test_a_ball_covers_the_cone_that_touches_it():
    # The cone has a half angle of asin(r/d); 400 rows see 40 degrees.
    r, d, rows, angle = 0.5, 3.0, 400, 40.0
    picture = stiction.render(red_thing(stiction.Sphere(r)), ((0, -d, 0), (0, 0, 0), angle), 500, rows)
    radius = 0.5 * rows * np.tan(np.arcsin(r / d)) / np.tan(np.radians(angle / 2))
    # A facet of 40 takes at most 1 - cos(pi/40) = 0.3 % of the radius.
    assert reds(picture).sum() == pytest.approx(np.pi * radius**2, rel=0.015)
    ys, xs = np.nonzero(reds(picture))
    assert xs.mean() == pytest.approx(249.5, abs=0.6) and ys.mean() == pytest.approx(199.5, abs=0.6)


def test_a_box_from_its_front_covers_its_face():
    picture = stiction.render(red_thing(stiction.Box([0.4, 0.3, 0.2])), ((0, -2.3, 0), (0, 0, 0), 30), 400, 300)
    per_metre = 150 / np.tan(np.radians(15)) / 2.0  # the face is 2 m away
    ys, xs = np.nonzero(reds(picture))
    assert np.ptp(xs) + 1 == pytest.approx(0.8 * per_metre, abs=1.5) and np.ptp(ys) + 1 == pytest.approx(0.4 * per_metre, abs=1.5)


def test_light_comes_from_above_and_things_throw_shadows():
    world = red_thing(stiction.Sphere(0.5), floor=True, X=stiction.translation(0, 0, 0.8))
    picture = stiction.render(world, ((0, -6, 2), (0, 0, 0.5), 40), 400, 300).astype(int)
    ys, xs = np.nonzero(reds(picture))
    middle = int(xs.mean())
    column = picture[ys.min():ys.max(), middle, 0]
    assert column[: len(column) // 4].mean() > 1.2 * column[-len(column) // 4 :].mean()
    # Of the floor, seen from above, some is in the shadow: it has the light of the sky alone.
    above = stiction.render(world, "top", 400, 300)
    floor = above[~reds(above)].astype(int).sum(axis=1)
    in_shadow = floor < 0.8 * np.median(floor)
    # The ball of 0.5 m covers an ellipse of 0.5 m and 0.5 m / cos of the sun's angle; the ball hides a part of it.
    per_metre = np.sqrt(reds(above).sum() / (np.pi * 0.25))
    assert 0.2 < in_shadow.sum() / per_metre**2 < np.pi * 0.25 / 0.8


def test_every_shape_is_drawn():
    points = np.array(np.meshgrid([-0.4, 0.4], [-0.3, 0.3], [-0.2, 0.2])).reshape(3, -1).T
    box = stiction.render(red_thing(stiction.Box([0.4, 0.3, 0.2])), ((1, -2, 1), (0, 0, 0)), 200, 150)
    hull = stiction.render(red_thing(stiction.convex_hull(points)), ((1, -2, 1), (0, 0, 0)), 200, 150)
    # The same solid as a hull; edges of triangles within a face may take one pixel of another rounding.
    assert (np.abs(box.astype(int) - hull).max(axis=2) > 8).mean() < 1e-3
    for shape in (stiction.Sphere(0.3), stiction.Cylinder(0.2, 0.6), stiction.Capsule(0.2, 0.6), stiction.Ellipsoid([0.3, 0.2, 0.1]),
                  stiction.Superellipsoid([0.3, 0.2, 0.2])):
        assert reds(stiction.render(red_thing(shape), ((1, -2, 1), (0, 0, 0)), 100, 80)).sum() > 100, shape


def test_a_camera_within_the_scene_sees_what_is_before_it():
    # A floor as a box, whose corners lie behind the camera.
    builder = stiction.ModelBuilder("room")
    builder.add_shape("floor", "world", stiction.translation(0, 0, -0.5), stiction.Box([50, 50, 0.5]))
    builder.set_properties("floor", stiction.ShapeProperties(rgba=[1, 0, 0, 1]))
    picture = stiction.render(stiction.World(builder.build()), ((0, 0, 1), (1, 0, 1), 60), 100, 100)
    assert reds(picture)[60:].all() and not reds(picture)[:45].any()


@needs_page
def test_pictures_that_cannot_be_are_refused(monkeypatch):
    world = stiction.World(stiction.make_scene("slope"))
    with pytest.raises(stiction.UserError, match="camera"):
        stiction.render(world, "above")
    with pytest.raises(stiction.UserError, match="pixels"):
        stiction.render(world, None, 1, 1)
    monkeypatch.setenv("PATH", "/nowhere")
    assert stiction.render(world, None, 64, 48).shape == (48, 64, 3)
    with pytest.raises(stiction.UserError, match="Chromium"):
        stiction.render(world, None, 64, 48, browser=True)
