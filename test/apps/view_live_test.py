"""A live simulation does what its page asks for, and says so. Usage: view_live_test.py PATH_OF_STICTION [TEST...]"""

import time
import unittest

import numpy

from view_client import BALL, POST, ROLLING, SLOWDOWN, Viewed


class Live(Viewed):
    def begin(self, *arguments, text=ROLLING):
        self.file = self.folder / "rolling.xml"
        self.file.write_text(text)
        self.serve(self.file, "--paused", *arguments)
        return self.live().until(lambda c: c.stage and c.status and c.frames)

    def test_it_begins_with_the_stage_at_the_start(self):
        client = self.begin()
        self.assertTrue(client.stage["live"])
        self.assertEqual([joint["name"] for joint in client.stage["joints"]], ["hinge", "slide"])
        self.assertEqual([joint["unit"] for joint in client.stage["joints"]], ["rad", "m"])
        self.assertEqual(client.stage["keyframes"], ["raised"])
        self.assertEqual(len(client.stage["values"]), len(client.frame.values))
        numpy.testing.assert_allclose(client.frame.poses[BALL], [1, 0, 0, 0, 0, 0, 0.2], atol=1e-7)
        self.assertEqual((client.frame.time, client.frame.step), (0, 0))

    def test_steps_forward_and_back_are_exact(self):
        client = self.begin()
        seen = [client.frame.poses.tobytes()]
        for count in range(1, 6):
            client.do("step")
            client.until(lambda c: c.frame.step == count)
            seen.append(client.frame.poses.tobytes())
        self.assertEqual(len(set(seen)), 6)
        for count in reversed(range(5)):
            client.do("back")
            client.until(lambda c: c.frame.step == count)
            self.assertEqual(client.frame.poses.tobytes(), seen[count])
        client.do("step", count=5)
        client.until(lambda c: c.frame.step == 5)
        self.assertEqual(client.frame.poses.tobytes(), seen[5])

    def test_a_free_fall_in_live_steps_is_that_of_the_formula(self):
        client = self.begin()
        client.do("step", count=50)
        client.until(lambda c: c.frame.step == 50)
        # n steps of h: the velocity is exact, the place that of the sums of the scheme, (n + 1) n/2 h^2 g at most.
        h, n = client.status["h"], 50
        fallen = 0.2 - client.frame.poses[BALL][6]
        self.assertAlmostEqual(client.frame.velocities[BALL][5], -9.81 * n * h, delta=1e-5)
        self.assertTrue(0.5 * 9.81 * (n * h)**2 * 0.97 <= fallen <= 0.5 * 9.81 * (n * h)**2 * (1 + 1 / n) * 1.001)

    def test_it_runs_in_real_time_and_at_the_asked_speed(self):
        client = self.begin()
        for speed in (1.0, 0.25):
            client.do("speed", value=speed)
            client.do("run")
            client.until(lambda c: c.status["running"] and c.status["speed"] == speed)
            then = client.frame.time
            client.until(lambda c: c.frame.time > then)
            begin, wall = client.frame.time, time.time()
            while time.time() - wall < 1.0:
                client.take()
            # A busy machine may be slower, never faster.
            passed = (client.frame.time - begin) / (time.time() - wall)
            self.assertLess(passed, 1.3 * speed)
            self.assertGreater(passed, 0.3 * speed / SLOWDOWN)
            client.do("pause")
            client.until(lambda c: not c.status["running"])
        still = client.settled().frame.time
        time.sleep(0.2)
        self.assertEqual(client.settled().frame.time, still)

    def test_reset_and_keyframes(self):
        client = self.begin()
        start = client.frame.poses.tobytes()
        client.do("step", count=30)
        client.until(lambda c: c.frame.step == 30)
        client.do("reset")
        client.until(lambda c: c.frame.step == 0)
        self.assertEqual(client.frame.poses.tobytes(), start)
        client.do("reset", keyframe="raised")
        client.until(lambda c: abs(c.frame.poses[BALL][6] - 1) < 1e-6)
        self.assertAlmostEqual(self.value(client, "joint:hinge"), 0.5, places=6)

    @staticmethod
    def value(client, name):
        return client.frame.values[client.stage["values"].index(name)]

    def test_a_joint_goes_where_its_slider_is(self):
        client = self.begin()
        client.do("joint", name="hinge", value=0.7)
        client.until(lambda c: abs(self.value(c, "joint:hinge") - 0.7) < 1e-6)
        half = 0.35
        numpy.testing.assert_allclose(client.frame.poses[POST][:4], [numpy.cos(half), 0, numpy.sin(half), 0], atol=1e-6)
        self.assertAlmostEqual(self.value(client, "sensor:angle[0]"), 0.7, places=6)

    def test_a_control_moves_the_servo_there(self):
        client = self.begin()
        client.do("control", name="servo", value=0.5)
        client.do("run")
        client.until(lambda c: abs(self.value(c, "joint:hinge") - 0.5) < 0.1)
        self.assertAlmostEqual(self.value(client, "control:servo"), 0.5, places=6)

    def test_a_dragged_body_comes_along_and_falls_when_it_is_dropped(self):
        client = self.begin()
        client.do("drag", body=BALL, point=[0, 0, 0], to=[0, 0.5, 1.0])
        client.do("run")
        # The weight stretches the spring by g/w^2 = 9.81/15^2 m.
        client.until(lambda c: c.frame.time > 1.5)
        numpy.testing.assert_allclose(client.frame.poses[BALL][4:], [0, 0.5, 1.0 - 9.81 / 225], atol=0.01)
        client.do("drop")
        client.until(lambda c: c.frame.poses[BALL][6] < 0.15)

    def test_dragging_at_a_corner_with_long_steps_does_not_explode(self):
        client = self.begin()
        client.do("set", what="h", value=0.02)
        client.do("drag", body=3, point=[0.05, 0.05, 0.05], to=[1.5, 0.5, 1.5])
        client.do("step", count=500)
        client.until(lambda c: c.frame.step == 500)
        self.assertEqual(client.errors, [])
        self.assertLess(abs(client.frame.velocities).max(), 5)

    def test_settings_are_told_in_the_status(self):
        client = self.begin()
        for what, value in (("h", 0.001), ("scheme", "midpoint"), ("friction", 0.25), ("stiffness", 2e5), ("gravity", [0, 0, 0])):
            client.do("set", what=what, value=value)
            client.until(lambda c: c.status[what] == value)
        client.do("set", what="formulation", value="sap")
        client.until(lambda c: c.status["formulation"] == ["sap+newton"])
        client.do("step", count=100)
        client.until(lambda c: c.frame.step == 100)
        self.assertEqual(client.errors, [])
        self.assertAlmostEqual(client.frame.poses[BALL][6], 0.2, places=6)
        self.assertAlmostEqual(client.frame.time, 0.1, places=9)

    def test_a_body_falls_along_the_gravity_of_now(self):
        client = self.begin()
        h, n = client.status["h"], 40
        velocity = numpy.zeros(3)
        for k, gravity in enumerate(([0, 0, -1.62], [0, 0, 3.0], [2.0, -1.0, 0]), 1):
            client.do("set", what="gravity", value=gravity)
            client.do("step", count=n)
            client.until(lambda c: c.frame.step == k * n and c.status["gravity"] == gravity)
            velocity += n * h * numpy.array(gravity)
            # Frames have single precision.
            numpy.testing.assert_allclose(client.frame.velocities[BALL][3:], velocity, atol=1e-6)
        for wrong in (-9.81, [0, -9.81], [0, 0, "down"], None):
            client.do("set", what="gravity", value=wrong)
        client.until(lambda c: len(c.errors) == 4)
        self.assertEqual(client.settled().status["gravity"], gravity)

    def test_friction_decides_whether_a_box_slides(self):
        slope = """<mujoco><option gravity="3 0 -9"/><worldbody><geom name="floor" type="plane" size="5 5 0.1"/>
          <body name="box" pos="0 0 0.1"><freejoint/><geom name="box" type="box" size="0.1 0.1 0.1"/></body></worldbody></mujoco>"""
        client = self.begin(text=slope)
        for mu, slides in ((0.2, True), (0.5, False)):
            client.do("reset")
            client.do("set", what="friction", value=mu)
            client.do("step", count=500)
            self.assertEqual(client.settled().status["friction"], mu)
            self.assertEqual(client.frame.step, 500)
            # Gravity along the floor is a third of that across it: x = (3 - 9 mu)/2 t^2.
            expected = 0.5 * (3 - 9 * mu) if slides else 0.0
            self.assertAlmostEqual(client.frame.poses[1][4], expected, delta=0.03)
            self.assertTrue(len(client.frame.contacts) > 0)
            self.assertTrue(all((contact[12] == 1) == slides for contact in client.frame.contacts if contact[10] > 1))

    def test_formulations_run_in_lock_step(self):
        client = self.begin("--formulations", "sap,icf_lagged,convex_cone")
        self.assertEqual([track["name"] for track in client.stage["tracks"]], ["sap+newton", "icf_lagged+newton", "convex_cone+newton"])
        client.do("step", count=200)
        client.until(lambda c: len(c.frames) == 3 and all(frame.step == 200 for frame in c.frames.values()))
        self.assertEqual(len({frame.time for frame in client.frames.values()}), 1)
        self.assertGreater(len({frame.poses.tobytes() for frame in client.frames.values()}), 1)

    def test_two_clients_see_the_same(self):
        first = self.begin()
        second = self.live().until(lambda c: c.stage and c.frames)
        first.do("step", count=7)
        for client in (first, second):
            client.until(lambda c: c.frame.step == 7)
        self.assertEqual(first.frame.poses.tobytes(), second.frame.poses.tobytes())
        second.do("reset")
        first.until(lambda c: c.frame.step == 0)

    def test_it_waits_while_nobody_watches(self):
        client = self.begin()
        client.do("run")
        client.until(lambda c: c.frame.time > 0.1)
        client.close()
        time.sleep(0.5)
        seen = self.live().until(lambda c: c.frames).frame.time
        self.assertLess(seen - client.frame.time, 0.4)

    def test_a_step_that_fails_pauses_and_says_so(self):
        client = self.begin()
        client.do("joint", name="hinge", value=1e300)
        client.do("run")
        client.until(lambda c: c.errors and c.status["error"] and not c.status["running"])
        client.do("reset")
        client.do("step")
        client.until(lambda c: c.status["error"] is None and c.frame.step == 1)

    def test_the_file_is_read_again_when_it_changes(self):
        client = self.begin()
        client.do("run")
        client.until(lambda c: c.status["running"])
        self.file.write_text(ROLLING.replace('axis="0 1 0"', 'axs="0 1 0"'))
        client.until(lambda c: c.errors and c.status["error"])
        for word in ("rolling.xml:6", "axs"):
            self.assertIn(word, client.errors[-1])
        # The old scene goes on.
        then = client.frame.time
        client.until(lambda c: c.frame.time > then)
        self.file.write_text(ROLLING.replace('name="ball" pos="0 0 0.2"', 'name="globe" pos="0 0 0.9"'))
        client.until(lambda c: c.stage["bodies"][BALL]["name"] == "globe" and c.status["error"] is None)
        client.do("reset")
        client.until(lambda c: abs(c.frame.poses[BALL][6] - 0.9) < 0.05)


if __name__ == "__main__":
    unittest.main()
