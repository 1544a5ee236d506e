"""A program that serves the viewer's page, and clients of it, for the tests of the viewer. The first argument of a test is the program."""

import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

from websockets.sync.client import connect

from slowdown import SLOWDOWN
from view_decoding import Frame

PROGRAM = os.path.abspath(sys.argv.pop(1))
PATIENCE = 20 * SLOWDOWN**0.5  # s, on a machine that is busy with other tests

ROLLING = """<mujoco model="rolling">
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="ball" pos="0 0 0.2"><freejoint/><geom name="ball" size="0.1" mass="1"/></body>
    <body name="post" pos="1 0 1">
      <joint name="hinge" axis="0 1 0" range="-90 90" damping="0.5"/>
      <geom name="arm" type="capsule" size="0.03" fromto="0 0 0 0 0 -0.5"/>
      <body name="slider" pos="0 0 -0.5">
        <joint name="slide" type="slide" axis="0 0 1" range="-0.1 0.1" damping="5"/><geom name="bob" type="box" size="0.05 0.05 0.05"/>
      </body>
    </body>
  </worldbody>
  <actuator><position name="servo" joint="hinge" kp="200" kv="10" ctrlrange="-1 1"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/><gyro name="turning" site="site"/></sensor>
  <keyframe><key name="raised" qpos="0 0 1 1 0 0 0 0.5 0"/></keyframe>
</mujoco>
""".replace('<geom name="arm"', '<site name="site"/><geom name="arm"')
BALL, POST = 1, 2  # bodies of the scene


def stiction(*arguments, environment=None, timeout=120 * SLOWDOWN**0.5):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=timeout,
                          env={**os.environ, **(environment or {})})


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def ok(self, *arguments, **options):
        result = stiction(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result


class Viewed(Folder):
    """A program that serves something."""

    def serve(self, *arguments):
        process = subprocess.Popen([PROGRAM, "view", *map(str, arguments), "--no-browser", "--quiet"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        self.process = process
        self.url = process.stdout.readline().strip()
        if not self.url:
            self.fail(process.communicate(timeout=PATIENCE)[1])
        parts = urllib.parse.urlparse(self.url)
        self.host, self.port = parts.hostname, parts.port
        self.token = urllib.parse.parse_qs(parts.query)["token"][0]

    def end(self, process):
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)

    def get(self, path, **headers):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        try:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def live(self, **options):
        client = Client(f"ws://{self.host}:{self.port}/live?token={self.token}", **options)
        self.addCleanup(client.close)
        return client


class Client:
    def __init__(self, address, **options):
        options.setdefault("origin", None)
        self.socket = connect(address, open_timeout=PATIENCE, close_timeout=1, max_size=None, compression=None, **options).__enter__()
        self.status, self.stage, self.frames, self.errors = None, None, {}, []

    def close(self):
        self.socket.close()

    def do(self, verb, **fields):
        self.socket.send(json.dumps({"do": verb, **fields}))

    def take(self, timeout=PATIENCE):
        message = self.socket.recv(timeout=timeout)
        if isinstance(message, bytes):
            frame = Frame(message)
            self.frames[frame.track] = frame
            return frame
        message = json.loads(message)
        if message["type"] == "stage":
            self.stage = message["stage"]
        elif message["type"] == "status":
            self.status = message
        else:
            self.errors.append(message["message"])
        return message

    def until(self, condition, timeout=PATIENCE):
        end = time.time() + timeout
        while not condition(self):
            if time.time() > end:
                raise TimeoutError(f"status {self.status}, errors {self.errors}")
            self.take(max(0.01, end - time.time()))
        return self

    def settled(self):
        """What there is after all commands so far, in a simulation that is paused."""
        self.errors.clear()
        self.do("nothing")  # is answered when the commands before it have been done
        self.until(lambda c: c.errors)
        answered = self.errors[:-1]
        # A status from before may still wait to be sent. It is there before the second answer.
        self.do("nothing")
        self.until(lambda c: len(c.errors) > len(answered) + 1)
        self.status = None
        self.frames.clear()
        self.do("nothing")
        self.until(lambda c: c.status and c.frames and c.frame.step == c.status["step"])
        self.errors[:] = answered
        return self

    @property
    def frame(self):
        return self.frames[0]
