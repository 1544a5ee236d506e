"""The viewer's data, read by a program of its own (docs/viewer_protocol.md): packed tracks, pages and live frames."""

import base64
import json
import re
import struct
import zlib

import numpy

CONTACT_COLUMNS = ("body_a", "body_b", "px", "py", "pz", "nx", "ny", "nz", "fx", "fy", "fz", "gap", "sliding", "mu")


class Cursor:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def array(self, kind, count):
        values = numpy.frombuffer(self.data, kind, count, self.at)
        self.at += values.nbytes
        return values

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self):
        value = self.varint()
        return -(value // 2) - 1 if value % 2 else value // 2


class Track:
    """time (n), poses (n, bodies, 7), values by name (n), contacts: for each frame a list of dictionaries."""

    def __init__(self, packed):
        cursor = Cursor(zlib.decompress(packed))
        magic, version, length = cursor.take("4sII")
        assert (magic, version) == (b"STKT", 1), (magic, version)
        header = self.header = json.loads(cursor.data[cursor.at:cursor.at + length])
        cursor.at += length
        n, bodies = header["frames"], header["bodies"]
        steps = [header["bounds"]["quaternion_step"]] * 4 + [header["bounds"]["position_step"]] * 3
        self.time = cursor.array("<f8", n)
        self.moving = cursor.array("u1", bodies)
        first = cursor.array("<f8", 7 * bodies).reshape(bodies, 7)
        self.poses = numpy.repeat(first[None], n, axis=0).copy()
        for body in numpy.flatnonzero(self.moving):
            for number in range(7):
                column, difference = 0, 0
                for frame in range(n):
                    change = cursor.signed()
                    if frame == 0:
                        column = change
                    else:
                        difference += change
                        column += difference
                    self.poses[frame, body, number] = column * steps[number]
        self.values = {name: cursor.array("<f4", n) for name in header["values"]}
        counts = [cursor.varint() for _ in range(n)]
        assert sum(counts) == header["contacts"]["count"]
        point, force = header["contacts"]["position_step"], header["contacts"]["force_step"]
        scales = [1, 1] + [point] * 3 + [1 / 127] * 3 + [force] * 3 + [1e-6, 1, 1e-3]
        self.contacts = [[{} for _ in range(count)] for count in counts]
        for name, scale in zip(CONTACT_COLUMNS, scales):
            before = []
            for frame, count in enumerate(counts):
                now = [cursor.signed() + (before[i] if i < len(before) else 0) for i in range(count)]
                for contact, value in zip(self.contacts[frame], now):
                    contact[name] = value * scale
                before = now
        self.polygons = [self.take_polygons(cursor) for _ in range(n)] if "polygons" in header else []
        assert cursor.at == len(cursor.data)

    def take_polygons(self, cursor):
        """(corners of each polygon, corners x (x, y, z, pressure)); None: those of the frame before."""
        announced = cursor.varint()
        if announced == 0:
            return None
        if announced == 1:
            return [], numpy.zeros((0, 4))
        largest, = cursor.take("f")
        counts = [cursor.varint() for _ in range(announced - 1)]
        places = numpy.cumsum([[cursor.signed() for _ in range(3)] for _ in range(sum(counts))], axis=0)
        pressures = cursor.array("u1", sum(counts)) * (largest / 255)
        return counts, numpy.column_stack([places * self.header["polygons"]["position_step"], pressures])


class Page:
    """The stage, the tracks and the report inside an HTML file."""

    def __init__(self, file):
        with open(file) as stream:
            text = stream.read()
        parts = dict(re.findall(r'<script type="[a-z/]+" id="stiction-([a-z0-9-]+)">(.*?)</script>', text, re.DOTALL))
        self.stage = json.loads(parts["stage"])
        self.report = parts.get("report")
        self.packed = [base64.b64decode(parts[f"track-{i}"]) for i in range(sum(name.startswith("track-") for name in parts))]

    @property
    def tracks(self):
        return [Track(packed) for packed in self.packed]


class Frame:
    """A binary message of a live simulation."""

    def __init__(self, data):
        cursor = Cursor(data)
        magic, self.track, self.time, self.step, bodies, contacts, values, velocities = cursor.take("4sIdIIIII")
        assert magic == b"STKF", magic
        self.poses = cursor.array("<f4", 7 * bodies).reshape(bodies, 7)
        self.velocities = cursor.array("<f4", 6 * velocities).reshape(velocities, 6)
        self.values = cursor.array("<f4", values)
        self.contacts = cursor.array("<f4", 16 * contacts).reshape(contacts, 16)
        self.polygons, self.corners = [], numpy.zeros((0, 4))
        if cursor.at < len(data):
            polygons, corners = cursor.take("II")
            self.polygons = list(cursor.array("<u4", polygons))
            self.corners = cursor.array("<f4", 4 * corners).reshape(corners, 4)
        assert cursor.at == len(data)
