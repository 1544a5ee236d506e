"""The viewer's page in a browser, served by the program itself: what a person sees and does. Usage: view_page_test.py PATH_OF_STICTION [TEST...]"""

import os
import pathlib
import shutil
import time
import unittest

from playwright.sync_api import sync_playwright

from view_client import BALL, POST, ROLLING, SLOWDOWN, Viewed
from view_decoding import Page

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
PATIENCE = 60  # s: pictures are drawn in software
ARGUMENTS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
# What a browser that draws in software says by itself.
HARMLESS = ("GPU stall due to ReadPixels", "GroupMarkerNotSet", "swiftshader", "software WebGL")


@unittest.skipUnless(CHROMIUM, "there is no Chromium here")
class InBrowser(Viewed):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.addClassCleanup(cls.playwright.stop)
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        cls.addClassCleanup(cls.browser.close)

    def open(self, address, width=640, height=400, **options):
        context = self.browser.new_context(viewport={"width": width, "height": height}, **options)
        self.addCleanup(context.close)
        page = context.new_page()
        page.set_default_timeout(1e3 * PATIENCE)  # ms
        self.complaints = []
        page.on("console", lambda message: self.complain(message.type, message.text))
        page.on("pageerror", lambda error: self.complain("error", str(error)))
        page.goto(str(address))
        page.evaluate("stiction.ready")
        return page

    def complain(self, kind, text):
        if kind in ("error", "warning") and not any(word in text for word in HARMLESS):
            self.complaints.append(text)

    def scene(self, *arguments, text=ROLLING):
        self.file = self.folder / "rolling.xml"
        self.file.write_text(text)
        self.serve(self.file, *arguments)
        page = self.open(self.url + "#shadows=0")
        page.wait_for_function("stiction.state().tracks.length > 0 && stiction.state().tracks[0].poses.length > 0")
        return page

    @staticmethod
    def pose(page, body, track=0):
        return page.evaluate(f"[...stiction.state().tracks[{track}].poses[{body}]]")

    def standing(self, page, body):
        """Where a body is seen when neither it nor the camera moves any more."""
        places = [None]

        def stands():
            places.append(page.evaluate(f"stiction.placeOnScreen('{body}')"))
            page.wait_for_timeout(200)
            return places[-1] == places[-2] and page.evaluate(f"stiction.bodyAt({places[-1]['x']}, {places[-1]['y']})") == body
        self.wait(page, stands)
        return places[-1]

    def wait(self, page, condition):
        end = time.time() + PATIENCE
        while not condition():
            self.assertLess(time.time(), end, page.evaluate("JSON.stringify(stiction.state())")[:500])
            page.wait_for_timeout(50)


class LivePage(InBrowser):
    def test_it_shows_the_simulation_as_it_runs(self):
        page = self.scene()
        self.assertTrue(page.evaluate("stiction.state().live"))
        self.wait(page, lambda: page.evaluate("stiction.state().time") > 0.2)
        # The ball of radius 0.1 m has come down to the floor.
        self.wait(page, lambda: abs(self.pose(page, BALL)[6] - 0.1) < 0.01)
        self.assertEqual(self.complaints, [])

    def test_dragging_with_the_mouse_moves_a_body(self):
        page = self.scene()
        self.wait(page, lambda: abs(self.pose(page, BALL)[6] - 0.1) < 0.01)
        place = self.standing(page, "ball")
        x, y = place["x"], place["y"]
        box = page.locator("#canvas").bounding_box()
        page.keyboard.down("Control")
        page.mouse.move(box["x"] + x, box["y"] + y)
        page.mouse.down()
        self.wait(page, lambda: page.evaluate("stiction.state().picked") == "ball")
        page.mouse.move(box["x"] + x, box["y"] + y - 80, steps=4)
        self.wait(page, lambda: self.pose(page, BALL)[6] > 0.2)
        page.mouse.up()
        page.keyboard.up("Control")
        self.wait(page, lambda: self.pose(page, BALL)[6] < 0.15)
        self.assertEqual(self.complaints, [])

    def test_sliders_move_a_joint_and_a_servo(self):
        page = self.scene("--paused")
        page.evaluate("""() => { const slider = document.querySelector('input[name="joint:hinge"]');
                                 slider.value = '0.5'; slider.dispatchEvent(new Event('input', {bubbles: true})); }""")
        self.wait(page, lambda: abs(self.pose(page, POST)[2] - 0.2474) < 1e-3)  # sin(0.25)
        page.evaluate("""() => { const slider = document.querySelector('input[name="control:servo"]');
                                 slider.value = '-0.5'; slider.dispatchEvent(new Event('input', {bubbles: true})); }""")
        page.evaluate("stiction.play()")
        self.wait(page, lambda: self.pose(page, POST)[2] < -0.2)
        self.assertEqual(self.complaints, [])

    def test_a_body_at_rest_rises_when_gravity_points_up(self):
        page = self.scene()
        self.wait(page, lambda: abs(self.pose(page, BALL)[6] - 0.1) < 0.01)
        page.set_viewport_size({"width": 1000, "height": 600})  # on a small one the panel is behind a button
        page.locator('input[name="gravity-z"]').fill("0.5")
        page.locator('input[name="gravity-z"]').press("Enter")
        self.wait(page, lambda: self.pose(page, BALL)[6] > 0.3)
        page.locator('input[name="gravity-z"]').fill("-9.81")
        page.locator('input[name="gravity-z"]').press("Enter")
        self.wait(page, lambda: abs(self.pose(page, BALL)[6] - 0.1) < 0.01)
        self.assertEqual(self.complaints, [])

    def test_an_error_in_the_file_is_shown_with_file_and_line_until_it_is_mended(self):
        page = self.scene()
        self.file.write_text(ROLLING.replace('axis="0 1 0"', 'axs="0 1 0"'))
        page.wait_for_function("document.body.innerText.includes('rolling.xml:6')")
        self.file.write_text(ROLLING.replace('name="ball" pos', 'name="globe" pos'))
        page.wait_for_function("stiction.placeOnScreen('globe') !== null")
        self.assertEqual(self.complaints, [])

    def test_two_formulations_are_shown_at_once(self):
        page = self.scene("--formulations", "sap,icf_lagged")
        self.wait(page, lambda: page.evaluate("stiction.state().tracks.map(t => t.name)") == ["sap+newton", "icf_lagged+newton"])
        self.wait(page, lambda: self.pose(page, BALL, 1)[6] < 0.15)
        self.assertEqual(self.complaints, [])

    def test_a_connection_that_is_lost_is_said(self):
        page = self.scene()
        self.end(self.process)
        page.wait_for_function("/lost|connect/i.test(document.body.innerText)")


class RecordedPage(InBrowser):
    def test_served_and_from_a_file_it_has_the_poses_of_the_recording(self):
        recording, file = self.folder / "run.mcap", self.folder / "run.html"
        self.ok("run", "clutter", "--time", "0.5", "--record", recording, "--quiet")
        self.ok("view", recording, "--html", file, "--quiet")
        track, = Page(file).tracks
        self.serve(recording)
        for address in (self.url + "#manual=1", f"file://{file}#manual=1"):
            page = self.open(address)
            for frame in (0, 7, len(track.time) - 1):
                page.evaluate(f"stiction.renderAt({track.time[frame]})")
                state = page.evaluate("(() => { const s = stiction.state(); return {time: s.time, poses: s.tracks[0].poses.map(p => [...p])}; })()")
                self.assertAlmostEqual(state["time"], track.time[frame], places=9)
                for body, pose in enumerate(state["poses"]):
                    for shown, recorded in zip(pose, track.poses[frame][body]):
                        self.assertAlmostEqual(shown, recorded, delta=5e-5)  # it makes quaternions unit ones
            self.assertEqual(self.complaints, [])

    @unittest.skipIf(SLOWDOWN > 1, "takes too long with sanitizers")
    def test_a_minute_of_a_hundred_bodies_opens_in_three_seconds(self):
        folder = pathlib.Path(os.environ.get("STICTION_LARGE_PAGE", ""))
        file = folder if folder.is_file() else self.folder / "large.html"
        if not folder.is_file():
            self.ok("run", "brick_wall", "--time", "60", "--step", "0.01", "--html", file, "--quiet")
        begin = time.time()
        page = self.open(f"file://{file}#manual=1&shadows=0")
        seconds = time.time() - begin
        # On a machine that is idle; others take their share.
        busy = max(1.0, os.getloadavg()[0] / os.cpu_count())
        print(f"{file.stat().st_size / 1e6:.1f} MB open in {seconds:.1f} s at a load of {busy:.1f} a core")
        self.assertLess(seconds, 3 * busy)
        self.assertGreater(page.evaluate("stiction.state().tracks[0].poses.length"), 100)
        self.assertEqual(self.complaints, [])

    def test_a_comparison_has_its_table_below_the_view(self):
        file = self.folder / "compare.html"
        self.ok("compare", "slope", "--time", "0.2", "--formulations", "sap,convex_cone", "--html", file, "--quiet")
        page = self.open(f"file://{file}", width=1000, height=700)
        self.assertEqual(page.evaluate("stiction.state().tracks.length"), 2)
        page.wait_for_function("document.querySelector('#report').shadowRoot?.querySelector('table') != null")
        self.assertEqual(self.complaints, [])

    def test_a_comparison_of_many_laws_shows_all_columns_and_one_colour_each(self):
        names = ["coulomb_ncp+semismooth_newton", "convex_cone+newton_mujoco", "sap", "icf_lagged", "icf_similar_regularised", "raisim"]
        file = self.folder / "compare.html"
        self.ok("compare", "slope", "--time", "0.1", "--finer", "2", "--residuals", "--formulations", ",".join(names), "--html", file, "--quiet")
        page = self.open(f"file://{file}#manual=1&shadows=0", width=1400, height=900)
        page.wait_for_function("document.querySelector('#report').shadowRoot?.querySelector('.answers') != null")
        inside = "[...document.querySelector('#report').shadowRoot.querySelectorAll('%s')]"
        self.assertEqual(page.evaluate("stiction.state().tracks.length"), 6)
        headings = page.evaluate(inside % ".answers th" + ".map(th => th.textContent)")
        for word in ("us/step", "unsolved", "slip mm", "lift mm", "deepest mm", "energy J", "drift mm", "momentum", "law"):
            self.assertIn(word, headings)
        # Nothing is out of sight, neither of the table nor of the page.
        self.assertEqual(page.evaluate(inside % ".scroll" + ".filter(e => e.scrollWidth > e.clientWidth).length"), 0)
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 1400)
        # The colours of the view are those of the table.
        of_view = page.evaluate("stiction.state().tracks.map(track => track.colour)")
        of_table = page.evaluate(inside % ".scroll:first-of-type .answers .swatch" + ".map(e => e.getAttribute('style').slice(-7))")
        self.assertEqual(of_view, of_table)
        self.assertEqual(len(set(of_view)), 6)
        self.assertEqual(self.complaints, [])


if __name__ == "__main__":
    unittest.main()
