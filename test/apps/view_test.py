"""Pages and pictures of runs have what was simulated. Usage: view_test.py PATH_OF_STICTION [TEST...]

Everything that the program writes is read by view_decoding.py, which knows docs/viewer_protocol.md and nothing else."""

import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

import numpy
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory

from view_client import PROGRAM, SLOWDOWN, Folder, stiction
from view_decoding import Page

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


def states_of(recording):
    """Times and positions, by the official reader."""
    with open(recording, "rb") as stream:
        messages = make_reader(stream, decoder_factories=[DecoderFactory()]).iter_decoded_messages(topics=["/state"])
        return {content.time: numpy.array(content.q) for _, _, _, content in messages}


def contacts_of(recording):
    with open(recording, "rb") as stream:
        messages = make_reader(stream, decoder_factories=[DecoderFactory()]).iter_decoded_messages(topics=["/contacts"])
        return {content.time: list(content.contacts) for _, _, _, content in messages}


class Pages(Folder):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.shared.cleanup)
        folder = pathlib.Path(cls.shared.name)
        cls.recording, page, of_run = folder / "run.mcap", folder / "view.html", folder / "run.html"
        result = stiction("run", "clutter", "--time", "1.5", "--record", cls.recording, "--html", of_run, "--quiet")
        assert result.returncode == 0, result.stderr
        result = stiction("view", cls.recording, "--html", page, "--quiet")
        assert (result.returncode, result.stdout) == (0, ""), result.stderr
        cls.page, cls.of_run = Page(page), Page(of_run)
        cls.track, = cls.page.tracks

    def test_frames_are_60_a_second_and_the_last_state(self):
        # Steps of 2 ms: the first one that is not before each sixtieth.
        expected = [0.002 * numpy.ceil(i / 60 / 0.002 - 1e-6) for i in range(91)]
        numpy.testing.assert_allclose(self.track.time, expected, atol=1e-9)
        self.assertAlmostEqual(self.track.time[-1], 1.5, delta=1e-9)

    def test_poses_are_those_of_the_recording(self):
        states = states_of(self.recording)
        bounds = self.track.header["bounds"]
        largest = 0
        for time_, poses in zip(self.track.time, self.track.poses):
            # Forty free bodies: quaternion and origin, in the order of the bodies.
            q = states[time_].reshape(40, 7)
            moving = poses[numpy.flatnonzero(self.track.moving)]
            numpy.testing.assert_allclose(moving[:, 4:], q[:, 4:], atol=0.51 * bounds["position_step"])
            sign = numpy.sign(numpy.sum(moving[:, :4] * q[:, :4], axis=1, keepdims=True))
            numpy.testing.assert_allclose(sign * moving[:, :4], q[:, :4], atol=0.51 * bounds["quaternion_step"])
            largest = max(largest, numpy.abs(q[:, 4:]).max())
        self.assertLess(bounds["position_step"], 1e-4 * largest)

    def test_quaternions_are_continuous(self):
        dots = numpy.sum(self.track.poses[1:, :, :4] * self.track.poses[:-1, :, :4], axis=2)
        self.assertGreater(dots.min(), 0.0)

    def test_contacts_are_those_of_the_recording(self):
        recorded = contacts_of(self.recording)
        scales, count = self.track.header["contacts"], 0
        for time_, contacts in zip(self.track.time, self.track.contacts):
            given = recorded.get(time_, [])
            self.assertEqual(len(contacts), len(given))
            count += len(given)
            rounded = sorted(([c.body_a, c.body_b, c.point.x, c.point.y, c.point.z, c.force.x, c.force.y, c.force.z, c.sliding] for c in given))
            # The same places and forces, whatever their order.
            for name, at, step in (("px", 2, scales["position_step"]), ("fz", 7, scales["force_step"])):
                self.assertAlmostEqual(sum(c[name] for c in contacts), sum(c[at] for c in rounded), delta=0.51 * step * len(given) + 1e-9)
            self.assertEqual(sorted((c["body_a"], c["body_b"]) for c in contacts), sorted((c[0], c[1]) for c in rounded))
            self.assertEqual(sum(c["sliding"] for c in contacts), sum(c[8] for c in rounded))
            self.assertTrue(all(abs(c["mu"] - 1.0) < 1e-9 for c in contacts))
        self.assertGreater(count, 100)

    def test_the_weight_is_carried_at_the_end(self):
        mass = sum(body["mass"] for body in self.page.stage["bodies"])
        still = {i for i, body in enumerate(self.page.stage["bodies"]) if not body["moves"]}
        up = [sum(c["fz"] * ((c["body_a"] in still) - (c["body_b"] in still)) for c in contacts) for contacts in self.track.contacts[-30:]]
        self.assertAlmostEqual(numpy.mean(up), 9.81 * mass, delta=0.15 * 9.81 * mass)

    def test_a_run_writes_the_same_as_its_recording_shows(self):
        track, = self.of_run.tracks
        self.assertEqual(self.of_run.stage, self.page.stage)
        numpy.testing.assert_array_equal(track.time, self.track.time)
        numpy.testing.assert_array_equal(track.poses, self.track.poses)
        self.assertEqual(track.contacts, self.track.contacts)
        for name, values in self.track.values.items():
            numpy.testing.assert_allclose(track.values[name], values, rtol=1e-6, atol=1e-12, err_msg=name)

    def test_the_stage_has_every_body_and_shape(self):
        stage = self.page.stage
        self.assertEqual((stage["format"], stage["version"], stage["live"]), ("stiction-stage", 1, False))
        self.assertEqual(len(stage["bodies"]), 1 + sum(body["moves"] for body in stage["bodies"]) + sum(not body["moves"] for body in stage["bodies"][1:]))
        self.assertEqual({shape["kind"] for shape in stage["shapes"]} & {"sphere", "box"}, {"sphere", "box"})
        for shape in stage["shapes"]:
            self.assertAlmostEqual(sum(number**2 for number in shape["q"]), 1.0, places=9)

    def test_comparison_has_tracks_in_lock_step_and_the_table_below(self):
        file = self.folder / "compare.html"
        self.ok("compare", "slope", "--time", "0.3", "--formulations", "sap,icf_lagged,convex_cone", "--html", file, "--quiet")
        page = Page(file)
        self.assertEqual([track["name"] for track in page.stage["tracks"]], ["sap+newton", "icf_lagged+newton", "convex_cone+newton"])
        tracks = page.tracks
        self.assertEqual(len(tracks), 3)
        for track in tracks[1:]:
            numpy.testing.assert_array_equal(track.time, tracks[0].time)
        self.assertIn('<table class="answers">', page.report)
        self.assertIn("<svg", page.report)
        self.assertNotIn("<body", page.report)

    def test_comparison_without_a_viewer_is_the_table_and_a_note(self):
        file = self.folder / "compare.html"
        result = self.ok("compare", "slope", "--time", "0.05", "--formulations", "sap", "--html", file, "--quiet",
                         environment={"STICTION_VIEWER": "/nowhere/viewer.html"})
        self.assertIn("make viewer", result.stderr)
        self.assertIn('<table class="answers">', file.read_text())

    def test_a_missing_viewer_is_said_before_anything_runs(self):
        result = stiction("run", "slope", "--html", self.folder / "a.html", environment={"STICTION_VIEWER": "/nowhere/viewer.html"})
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("/nowhere/viewer.html", result.stderr)

    @unittest.skipIf(SLOWDOWN > 1, "takes too long with sanitizers")
    def test_a_minute_of_a_hundred_bodies_is_below_10_megabytes(self):
        random = numpy.random.default_rng(1)
        balls = "".join(f'<body name="b{i}" pos="{x:.3f} {y:.3f} {0.2 + 0.12 * i:.3f}"><freejoint/><geom size="{0.04 + 0.04 * r:.3f}" friction="0.4"/></body>'
                        for i, (x, y, r) in enumerate(random.uniform([-0.3, -0.3, 0], [0.3, 0.3, 1], (100, 3))))
        walls = "".join(f'<geom type="box" size="{sx} {sy} 1" pos="{x} {y} 1"/>' for sx, sy, x, y in ((0.05, 0.6, 0.55, 0), (0.05, 0.6, -0.55, 0), (0.6, 0.05, 0, 0.55), (0.6, 0.05, 0, -0.55)))
        scene, file = self.folder / "balls.xml", self.folder / "large.html"
        scene.write_text(f'<mujoco><option timestep="0.004"/><worldbody><geom type="plane" size="5 5 1"/>{walls}{balls}</worldbody></mujoco>')
        self.ok("run", scene, "--time", "60", "--html", file, "--quiet", timeout=300 * SLOWDOWN**0.5)
        megabytes = file.stat().st_size / 1e6
        print(f"60 s x 100 bodies: {megabytes:.2f} MB of HTML")
        self.assertLess(megabytes, 10)

    def test_bad_input_has_a_message_and_exit_1(self):
        for arguments in (["view"], ["view", "nowhere.mcap"], ["view", "clutterr"], ["view", "clutter", "--html", "a.html"],
                          ["view", self.recording, "--html", "/nowhere/a.html"], ["view", self.recording, "--html", "a.html", "--fps", "0"],
                          ["view", self.recording, "--png", "a.png", "--size", "12"], ["view", self.recording, "--png", "a.png", "--size", "1x1"],
                          ["view", self.recording, "--png", "a.png", "--camera", "above"], ["view", self.recording, "--at", "1"],
                          ["view", self.recording, "--png", "a.png", "--camera", "1,2,3"], ["view", self.recording, "--camera", "top"],
                          ["view", self.recording, "--formulations", "sap"], ["view", "clutter", "--formulations", ",".join(9 * ["sap"])],
                          ["view", "clutter", "--formulations", "spa"], ["view", "clutter", "--port", "70000"], ["view", "clutter", "--port", "many"],
                          ["view", "clutter", "--bind", "example.org"], ["view", "clutter", "--bind", "203.0.113.7"], ["view", "clutter", "--bind", "fe80::1%lo"],
                          ["view", "clutter", "--bind", "::1%';touch bound;'"], ["view", "clutter", "--speed", "0"],
                          ["run", "slope", "--html", "/nowhere/a.html", "--time", "0.01", "--quiet"], ["run", "slope", "--fps", "nan", "--time", "0.01", "--quiet"],
                          ["view", self.recording, "--png", "a.png", "--at", "inf"]):
            with self.subTest(arguments=arguments):
                result = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=60 * SLOWDOWN**0.5, cwd=self.folder)
                self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)
                self.assertNotEqual(result.stderr, "")
                if "%" in str(arguments[-1]):  # an interface: refused before anything listens, with no address to open
                    self.assertIn("names an interface", result.stderr)
                    for words in ("http://", "cannot listen"):
                        self.assertNotIn(words, result.stdout + result.stderr)
        self.assertFalse((self.folder / "bound").exists())  # and no shell has run it

    def test_a_recording_that_was_cut_shows_what_there_is(self):
        cut = self.folder / "cut.mcap"
        whole = self.recording.read_bytes()
        for share in (0.9, 0.5, 0.01):
            cut.write_bytes(whole[:int(share * len(whole))])
            result = stiction("view", cut, "--html", self.folder / "cut.html", "--quiet")
            self.assertIn(result.returncode, (0, 1))
            if result.returncode == 0:
                track, = Page(self.folder / "cut.html").tracks
                self.assertLessEqual(track.time[-1], 1.5)


@unittest.skipUnless(CHROMIUM, "there is no Chromium here")
class Pictures(Folder):
    def test_a_picture_and_a_video_show_the_scene(self):
        recording, picture, other, video = (self.folder / name for name in ("run.mcap", "a.png", "b.png", "a.mp4"))
        self.ok("run", "clutter", "--time", "0.6", "--record", recording, "--quiet")
        self.ok("view", recording, "--png", picture, "--at", "0.5", "--size", "320x200", "--quiet")
        self.ok("view", recording, "--png", other, "--at", "0", "--camera", "3,-3,2,0,0,0.3", "--size", "320x200", "--quiet")
        header = picture.read_bytes()[:24]
        self.assertEqual(header[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", header[16:]), (320, 200))
        self.assertNotEqual(picture.read_bytes(), other.read_bytes())
        if not shutil.which("ffmpeg"):
            self.skipTest("there is no ffmpeg here")
        self.ok("view", recording, "--mp4", video, "--fps", "10", "--size", "160x120", "--quiet")
        self.assertEqual(video.read_bytes()[4:8], b"ftyp")

    def test_without_chromium_or_ffmpeg_it_says_what_to_install(self):
        recording = self.folder / "run.mcap"
        self.ok("run", "slope", "--time", "0.1", "--record", recording, "--quiet")
        result = stiction("view", recording, "--png", self.folder / "a.png", environment={"PATH": "/nowhere"})
        self.assertEqual(result.returncode, 1)
        self.assertIn("chromium", result.stderr)


if __name__ == "__main__":
    unittest.main()
