"""The viewer's server: who may connect, and what clients that misbehave cannot do. Usage: view_server_test.py PATH_OF_STICTION [TEST...]"""

import http.client
import json
import os
import re
import signal
import socket
import struct
import subprocess
import time
import unittest

import numpy
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from view_client import PATIENCE, PROGRAM, ROLLING, Client, Viewed, stiction
from view_decoding import Frame, Page


class Browser(Viewed):
    def test_the_token_is_no_argument_of_the_browser(self):
        """What opens the page gets a file that only its owner can read and that leads to the address."""
        tools = self.folder / "bin"
        tools.mkdir()
        called = self.folder / "called"
        (tools / "xdg-open").write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > {called}.part; cat \"$1\" > {called}.page; stat -c %a \"$1\" > {called}.mode; mv {called}.part {called}\n")
        (tools / "xdg-open").chmod(0o755)
        file = self.folder / "rolling.xml"
        file.write_text(ROLLING)
        environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", DISPLAY=":0", XDG_RUNTIME_DIR=str(self.folder))
        process = subprocess.Popen([PROGRAM, "view", str(file), "--paused", "--quiet"], stdout=subprocess.PIPE, text=True, env=environment)
        self.addCleanup(self.end, process)
        url = process.stdout.readline().strip()
        token = url.split("token=")[1]
        end = time.time() + PATIENCE
        while not called.exists() and time.time() < end:
            time.sleep(0.05)
        arguments = called.read_text().split("\n")[:-1]
        self.assertEqual(len(arguments), 1)
        self.assertNotIn(token, arguments[0])
        self.assertIn(f"url={url}", (self.folder / "called.page").read_text())
        self.assertEqual((self.folder / "called.mode").read_text().strip(), "600")
        process.send_signal(signal.SIGINT)
        process.wait(timeout=PATIENCE)
        self.assertFalse(os.path.exists(arguments[0]))


class Server(Viewed):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "rolling.xml"
        self.file.write_text(ROLLING)
        self.serve(self.file, "--paused")

    def refused(self, path, **headers):
        status, body = self.get(path, **headers)
        self.assertEqual(status, 403, body)

    def test_everything_needs_the_token(self):
        for path in ("/", "/stage", "/track/0", "/live"):
            self.refused(path)
            self.refused(f"{path}?token=")
            self.refused(f"{path}?token={'0' * 32}")
            self.refused(f"{path}?token={self.token}0")
        status, page = self.get(f"/?token={self.token}")
        self.assertEqual(status, 200)
        self.assertIn(b"<html", page)
        self.assertEqual(len(self.token), 32)
        with self.assertRaises(InvalidStatus):
            connect(f"ws://{self.host}:{self.port}/live?token=wrong")

    def test_pages_from_elsewhere_are_refused_even_with_the_token(self):
        path, live = f"/?token={self.token}", f"ws://{self.host}:{self.port}/live?token={self.token}"
        for origin in ("http://evil.example", "null", f"http://{self.host}:{self.port + 1}", "https://evil.example", "file://"):
            self.refused(path, Origin=origin)
            with self.assertRaises(InvalidStatus) as caught:
                connect(live, origin=origin)
            self.assertEqual(caught.exception.response.status_code, 403)
        Client(live, origin=f"http://{self.host}:{self.port}").close()

    def test_other_names_of_this_machine_are_refused(self):
        path = f"/?token={self.token}"
        for host in ("evil.example", f"evil.example:{self.port}", "", "localhost.evil.example", "127.0.0.1.evil.example"):
            self.refused(path, Host=host)
        for host in (f"localhost:{self.port}", f"127.0.0.1:{self.port}", f"[::1]:{self.port}"):
            self.assertEqual(self.get(path, Host=host)[0], 200)

    def listens_at(self):
        """Addresses in the hexadecimal notation of the kernel."""
        with open("/proc/net/tcp") as table:
            rows = [row.split() for row in table.readlines()[1:]]
        listening = "0A"
        return {row[1].split(":")[0] for row in rows if row[3] == listening and int(row[1].split(":")[1], 16) == self.port}

    def test_it_listens_at_the_loopback_device_unless_asked_otherwise(self):
        self.assertEqual((self.host, self.listens_at()), ("127.0.0.1", {"0100007F"}))
        self.serve(self.file, "--paused", "--bind", "0.0.0.0")
        self.assertEqual((self.host, self.listens_at()), (socket.gethostname().lower(), {"00000000"}))
        self.host = "127.0.0.1"
        for host in (socket.gethostname(), "192.0.2.7"):
            self.assertEqual(self.get(f"/?token={self.token}", Host=f"{host}:{self.port}")[0], 200)
        self.refused(f"/?token={self.token}", Host="evil.example")

    def test_unknown_pages_verbs_and_large_requests_have_their_answers(self):
        self.assertEqual(self.get(f"/etc/passwd?token={self.token}")[0], 404)
        self.assertEqual(self.get(f"/track/0?token={self.token}")[0], 404)
        self.assertEqual(self.get(f"/?token={self.token}", Large="x" * 20000)[0], 413)
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        connection.request("POST", f"/?token={self.token}", body=b"")
        self.assertEqual(connection.getresponse().status, 405)
        connection.close()

    def raw(self, data):
        with socket.create_connection((self.host, self.port), timeout=PATIENCE) as connection:
            connection.sendall(data)
            try:
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):
                    pass
            except OSError:
                pass

    def test_garbage_instead_of_requests_changes_nothing(self):
        random = numpy.random.default_rng(1)
        for size in (0, 1, 10, 1000, 100000):
            self.raw(random.bytes(size))
        self.raw(b"GET / HTTP/1.1\r\n")
        self.raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
        self.assertEqual(self.live().until(lambda c: c.stage).stage["name"], str(self.file))

    def test_garbage_frames_are_answered_and_change_nothing(self):
        client = self.live().until(lambda c: c.frames and c.status)
        before = client.settled().frame.poses.tobytes()
        for text in ("", "{", "[]", "null", "3", '"run"', "{}", '{"do": 3}', '{"do": "fly"}', '{"do": "step", "count": -1}', '{"do": "step", "count": 1e9}',
                     '{"do": "joint", "name": "elbow", "value": 0}', '{"do": "joint", "name": "hinge"}', '{"do": "joint", "name": "hinge", "value": "x"}',
                     '{"do": "joint", "name": "hinge", "value": 1e999}', '{"do": "speed", "value": 0}', '{"do": "speed", "value": -1}',
                     '{"do": "set", "what": "h", "value": 0}', '{"do": "set", "what": "mass", "value": 1}', '{"do": "set", "what": "formulation", "value": "magic"}',
                     '{"do": "set", "what": "friction", "value": -1}', '{"do": "set", "what": "stiffness", "value": 0}', '{"do": "set", "what": "h", "value": 0.001, "track": 3}',
                     '{"do": "drag", "body": 99, "point": [0, 0, 0], "to": [0, 0, 0]}', '{"do": "drag", "body": 0, "point": [0, 0, 0], "to": [0, 0, 0]}',
                     '{"do": "drag", "body": 1, "point": [0, 0], "to": [0, 0, 0]}', '{"do": "reset", "keyframe": "lowered"}', '{"do": "back"}', "[" * 60000):
            client.errors.clear()
            client.socket.send(text)
            client.until(lambda c: c.errors)
        client.socket.send(bytes(range(256)))
        client.socket.send(b"")
        self.assertEqual(client.settled().frame.poses.tobytes(), before)
        self.assertFalse(client.status["running"])

    def test_a_frame_of_more_than_64_kib_ends_its_connection_and_no_other(self):
        first, second = self.live(), self.live()
        first.until(lambda c: c.status)
        with self.assertRaises(ConnectionClosed):
            first.socket.send("x" * (1 << 17))
            while True:
                first.take()
        second.do("run")
        second.until(lambda c: c.status and c.status["running"] and c.frames and c.frame.time > 0)

    def test_a_thousand_connects_and_disconnects(self):
        address = f"ws://{self.host}:{self.port}/live?token={self.token}"
        for i in range(1000):
            if i % 10 == 0:
                Client(address).close()
                continue
            # Most of them vanish without a word, in the middle of something.
            connection = socket.create_connection((self.host, self.port), timeout=PATIENCE)
            if i % 3:
                connection.sendall(f"GET /live?token={self.token} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                   f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
            if i % 3 == 2:
                connection.recv(100)
            if i % 2:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        client = self.live()
        client.do("step")
        client.until(lambda c: c.frames and c.frame.step == 1)
        with open(f"/proc/{self.process.pid}/status") as status:
            megabytes = int(re.search(r"VmRSS:\s*(\d+)", status.read())[1]) / 1024
        self.assertLess(len(os.listdir(f"/proc/{self.process.pid}/fd")), 64)
        self.assertLess(megabytes, 500)

    def test_a_client_that_never_reads_does_not_stop_the_others(self):
        lazy = socket.create_connection((self.host, self.port))
        self.addCleanup(lazy.close)
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        lazy.sendall(f"GET /live?token={self.token} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        client = self.live()
        client.do("run")
        client.until(lambda c: c.frames and c.frame.time > 0)
        begin, wall, count = client.frame.time, time.time(), 0
        while time.time() - wall < 1.5:
            count += isinstance(client.take(), Frame)
        self.assertGreater(client.frame.time - begin, 0.5)
        self.assertGreater(count, 15)

    def test_at_most_64_clients(self):
        clients = [self.live() for _ in range(64)]
        with self.assertRaises(InvalidStatus) as caught:
            self.live()
        self.assertEqual(caught.exception.response.status_code, 503)
        for client in clients:
            client.close()

    def test_a_served_recording_is_its_page(self):
        recording, page = self.folder / "run.mcap", self.folder / "run.html"
        self.ok("run", self.file, "--time", "0.2", "--record", recording, "--quiet")
        self.ok("view", recording, "--html", page, "--quiet")
        self.serve(recording)
        status, stage = self.get(f"/stage?token={self.token}")
        self.assertEqual((status, json.loads(stage)), (200, Page(page).stage))
        status, track = self.get(f"/track/0?token={self.token}")
        self.assertEqual((status, track), (200, Page(page).packed[0]))
        self.assertEqual(self.get(f"/track/1?token={self.token}")[0], 404)


class Programs(Viewed):
    def test_ctrl_c_ends_it_with_130(self):
        self.serve("clutter")
        self.live().until(lambda c: c.frames)
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=PATIENCE)
        self.assertEqual(self.process.returncode, 130)

    def test_a_port_that_is_taken_is_bad_input(self):
        self.serve("slope")
        result = stiction("view", "slope", "--port", self.port, "--no-browser")
        self.assertEqual(result.returncode, 1)
        self.assertIn(str(self.port), result.stderr)

    def test_every_scene_has_a_stage_and_steps(self):
        scenes = [entry["name"] for entry in json.loads(stiction("list", "--json").stdout)["scenes"]]
        for name in scenes[::6]:
            with self.subTest(scene=name):
                self.serve(name)
                client = self.live().until(lambda c: c.stage and c.frames and c.frame.step > 3)
                self.assertEqual(len(client.frame.poses), len(client.stage["bodies"]))
                client.close()
                self.end(self.process)


if __name__ == "__main__":
    unittest.main()
