"""Recordings, as others read them: by the official packages for MCAP, protocol buffers and NumPy, after kills, full disks
and changes by somebody else. Usage: recording_test.py PATH_OF_STICTION"""

import csv
import json
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import numpy
from foxglove_schemas_protobuf import FrameTransforms_pb2, SceneUpdate_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from mcap.decoder import DecoderFactory
from mcap.exceptions import EndOfFile
from mcap.reader import make_reader
from mcap.records import Message
from mcap.stream_reader import StreamReader
from mcap.writer import Writer
from mcap_protobuf.decoder import DecoderFactory as ProtobufDecoder
from slowdown import SLOWDOWN

PROGRAM = os.path.abspath(sys.argv.pop(1))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROTO = os.path.join(ROOT, "stiction", "io", "recording")


class JsonDecoder(DecoderFactory):
    def decoder_for(self, message_encoding, schema):
        return json.loads if message_encoding == "json" else None


DECODERS = [ProtobufDecoder(), JsonDecoder()]


def stiction(*arguments, **options):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120 * SLOWDOWN, **options)


def decoded(file):
    """(schema name, channel, message, content) of every message, by the official reader and its index."""
    with open(file, "rb") as stream:
        yield from make_reader(stream, decoder_factories=DECODERS).iter_decoded_messages()


def of_topic(file, topic):
    return [content for _, channel, _, content in decoded(file) if channel.topic == topic]


def streamed(file):
    """Messages that the official reader finds without an index, and whether the file has its end."""
    messages = []
    with open(file, "rb") as stream:
        try:
            for record in StreamReader(stream, validate_crcs=True).records:
                if isinstance(record, Message):
                    messages.append(record)
        except (EndOfFile, struct.error):  # in the middle of a record it says the second
            return messages, False
    return messages, True


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.file = os.path.join(self.folder, "run.mcap")

    def record(self, scene, *arguments):
        result = stiction("run", scene, "--json", "--record", self.file, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def replay(self, *arguments, code=0):
        result = stiction("replay", self.file, "--json", *arguments)
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        return json.loads(result.stdout)


class OfficialReader(InAFolder):
    def test_finds_every_message_at_its_time_by_the_index_and_by_streaming(self):
        answer = self.record("box_stack", "--time", "0.1")
        counts = {}
        for schema, channel, message, content in decoded(self.file):
            counts[channel.topic] = counts.get(channel.topic, 0) + 1
            if channel.message_encoding == "protobuf":
                self.assertEqual(message.log_time, round(content.time * 1e9))
                self.assertEqual(schema.encoding, "protobuf")
        steps = answer["steps"]
        self.assertEqual(counts["/state"], steps + 1)
        for topic in ("/contacts", "/residual", "/timings"):
            self.assertEqual(counts[topic], steps)
        self.assertEqual((counts["/scene"], counts["/model"], counts["/input"]), (1, 1, 1))
        messages, complete = streamed(self.file)
        self.assertTrue(complete)
        self.assertEqual(len(messages), sum(counts.values()))
        with open(self.file, "rb") as stream:
            statistics = make_reader(stream).get_summary().statistics
        self.assertEqual(statistics.message_count, len(messages))
        self.assertEqual((statistics.message_start_time, statistics.message_end_time), (0, 100_000_000))

    def test_reads_the_state_that_the_run_ended_with(self):
        answer = self.record("all_joints", "--time", "0.05")
        last = of_topic(self.file, "/state")[-1]
        self.assertEqual(list(last.q), [q for joint in answer["joints"] for q in joint["q"]])
        self.assertEqual(list(last.v), [v for joint in answer["joints"] for v in joint["v"]])
        self.assertEqual(str(of_topic(self.file, "/snapshot")[-1].hash), answer["hash"])
        energy = of_topic(self.file, "/energies")[-1]
        self.assertEqual(energy.kinetic, answer["energy"]["kinetic"])

    def test_reads_what_was_run_and_the_file_that_said_so(self):
        scene = os.path.join(self.folder, "rod.xml")
        text = '<mujoco><worldbody><body><joint name="hinge"/><geom size="0.1"/></body></worldbody></mujoco>'
        with open(scene, "w") as stream:
            stream.write(text)
        self.record(scene, "--time", "0.01")
        with open(self.file, "rb") as stream:
            reader = make_reader(stream)
            self.assertEqual([(a.name, a.data.decode()) for a in reader.iter_attachments()], [("rod.xml", text)])
            metadata = {m.name: m.metadata for m in reader.iter_metadata()}
        self.assertEqual(metadata["stiction"]["scene"], scene)
        self.assertIn("--record " + self.file, metadata["stiction"]["command_line"])
        self.assertEqual(metadata["end"]["steps"], "5")

    def test_reads_warnings_as_a_log(self):
        self.record("box_stack", "--time", "0.02", "--max-iterations", "0", "--formulation", "coulomb_ncp+pgs")
        with open(self.file, "rb") as stream:
            lines = [json.loads(m.data) for _, c, m in make_reader(stream).iter_messages(topics=["/log"])]
        self.assertTrue(any(line["level"] == 3 and "converge" in line["message"] for line in lines))


class Schemas(InAFolder):
    def descriptors(self, file_set):
        """DescriptorProto by full name, without the names that JSON would have, which protoc adds."""
        messages = {}
        for file in file_set.file:
            for message in file.message_type:
                for field in message.field:
                    field.ClearField("json_name")
                messages[f"{file.package}.{message.name}"] = message
        return messages

    def schemas(self):
        with open(self.file, "rb") as stream:
            return [s for s in make_reader(stream).get_summary().schemas.values() if s.encoding == "protobuf"]

    def test_are_those_that_protoc_makes_of_the_proto_file(self):
        self.record("pendulum", "--time", "0.01")
        out = os.path.join(self.folder, "set")
        subprocess.run(["protoc", "-I", PROTO, "--descriptor_set_out=" + out, "stiction.proto"], check=True)
        with open(out, "rb") as stream:
            wanted = self.descriptors(FileDescriptorSet.FromString(stream.read()))
        found = {}
        for schema in self.schemas():
            found.update(self.descriptors(FileDescriptorSet.FromString(schema.data)))
        self.assertEqual(sorted(found), sorted(wanted))
        for name in wanted:
            self.assertEqual(found[name], wanted[name], name)

    def test_of_foxglove_are_those_that_foxglove_publishes(self):
        self.record("clutter", "--time", "0.01", "--foxglove")
        wanted = {"foxglove.FrameTransforms": FrameTransforms_pb2, "foxglove.SceneUpdate": SceneUpdate_pb2}
        for schema in self.schemas():
            if schema.name not in wanted:
                continue
            pool = {}
            queue = [getattr(wanted[schema.name], schema.name.split(".")[1]).DESCRIPTOR]
            while queue:
                described = queue.pop()
                pool[described.full_name] = described
                queue += [f.message_type for f in described.fields if f.message_type and f.message_type.full_name not in pool]
            found = self.descriptors(FileDescriptorSet.FromString(schema.data))
            self.assertEqual(sorted(found), sorted(pool))
            for name, described in pool.items():
                fields = [(f.name, f.number, f.type, f.label == 3, f.type_name) for f in found[name].field]
                self.assertEqual(
                    fields,
                    [
                        (f.name, f.number, f.type, f.is_repeated, "." + (f.message_type or f.enum_type).full_name
                         if f.message_type or f.enum_type else "")
                        for f in described.fields
                    ],
                    name,
                )

    def test_foxglove_sees_every_body_where_it_is(self):
        answer = self.record("clutter", "--time", "0.1", "--foxglove")
        frames = {t.child_frame_id: t for t in of_topic(self.file, "/tf")[-1].transforms}
        for body in answer["bodies"]:
            frame = frames[body["name"]]
            self.assertEqual([frame.translation.x, frame.translation.y, frame.translation.z], body["position"])
        shapes = of_topic(self.file, "/shapes")[0].entities
        self.assertEqual({s.frame_id for s in shapes}, set(frames) | {"world"})


class EndedEarly(InAFolder):
    def start(self, *arguments, **options):
        process = subprocess.Popen(
            [PROGRAM, "run", "clutter", "--time", "1000", "--quiet", "--record", self.file, *arguments],
            stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        deadline = time.time() + 60 * SLOWDOWN
        while time.time() < deadline and not (os.path.exists(self.file) and os.path.getsize(self.file) > 10_000):
            time.sleep(0.002)  # until the scene is in the file
        return process

    def check_readable(self):
        """All that the official reader finds, replayed to the same bits."""
        messages, complete = streamed(self.file)
        self.assertFalse(complete)
        self.assertGreater(len(messages), 3)
        answer = self.replay()
        self.assertTrue(answer["same"])
        self.assertFalse(answer["complete"])
        return answer

    def test_a_run_killed_at_twenty_random_moments_is_readable(self):
        random.seed(1)
        states = []
        for _ in range(20 if SLOWDOWN == 1 else 5):
            process = self.start("--step", "0.01")
            time.sleep(random.uniform(0.0, 1.6 * SLOWDOWN))
            process.kill()
            process.wait()
            states.append(self.check_readable()["states"])
            os.remove(self.file)
        self.assertGreater(max(states), 1)  # some lived longer than a chunk

    def test_a_file_cut_off_anywhere_is_readable(self):
        self.record("box_stack", "--time", "0.1")
        with open(self.file, "rb") as stream:
            whole = stream.read()
        random.seed(2)
        for size in random.sample(range(len(whole) // 2, len(whole)), 20):
            with open(self.file, "wb") as stream:
                stream.write(whole[:size])
            self.assertFalse(streamed(self.file)[1])
            answer = self.replay()
            self.assertEqual((answer["same"], answer["complete"]), (True, False))

    def test_ctrl_c_leaves_a_complete_file(self):
        process = self.start()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60 * SLOWDOWN), 130)
        messages, complete = streamed(self.file)
        self.assertTrue(complete)
        with open(self.file, "rb") as stream:
            self.assertEqual(make_reader(stream).get_summary().statistics.message_count, len(messages))
        answer = self.replay()
        self.assertTrue(answer["same"] and answer["complete"])

    def test_a_full_disk_is_an_error_that_keeps_what_was_written(self):
        limit = 300_000
        process = self.start(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(process.wait(120), 1)
        error = process.stderr.read()
        self.assertIn(self.file, error)
        self.assertIn("File too large", error)
        self.assertIn("kept", error)
        self.assertEqual(error.count("\n"), 1)
        self.assertLessEqual(os.path.getsize(self.file), limit)
        self.check_readable()

    def test_places_that_cannot_be_written_are_named(self):
        for place, reason in (("/dev/full", "No space left"), ("/no/such/run.mcap", "No such file"), (self.folder, "directory")):
            result = stiction("run", "pendulum", "--time", "0.1", "--record", place)
            self.assertEqual(result.returncode, 1)
            self.assertIn(place, result.stderr)
            self.assertIn(reason, result.stderr)


class Replay(InAFolder):
    def test_has_the_hash_of_the_run_under_every_formulation(self):
        names = [entry["name"] for entry in json.loads(stiction("list", "formulations", "--json").stdout)["formulations"]]
        self.assertGreater(len(names), 10)
        for name in names:
            answer = self.record("three_point_plate", "--time", "0.2", "--formulation", name)
            again = self.replay()
            self.assertTrue(again["same"], name)
            self.assertEqual((again["hash"], again["steps"]), (answer["hash"], answer["steps"]), name)

    def test_needs_no_controller(self):
        answer = self.record("quadruped_trotting", "--time", "0.3", "--record-every", "10")
        again = self.replay()
        self.assertTrue(again["same"])
        self.assertEqual(again["hash"], answer["hash"])

    def test_begins_later(self):
        answer = self.record("clutter", "--time", "0.4")
        again = self.replay("--from", "0.3")
        self.assertTrue(again["same"])
        self.assertLess(again["steps"], answer["steps"])
        self.assertLessEqual(again["begin"], 0.3)
        self.assertEqual(again["hash"], answer["hash"])

    def test_recording_changes_nothing(self):
        answer = self.record("clutter", "--time", "0.2")
        plain = json.loads(stiction("run", "clutter", "--time", "0.2", "--json").stdout)
        self.assertEqual(plain["hash"], answer["hash"])

    def test_a_file_of_the_official_writer_with_one_changed_number_differs_there(self):
        self.record("pendulum", "--time", "0.1")
        with open(self.file, "rb") as stream:
            messages = list(make_reader(stream, decoder_factories=DECODERS).iter_decoded_messages(log_time_order=False))
        with open(self.file, "wb") as stream:
            writer = Writer(stream)
            writer.start("", "somebody else")
            channels = {}
            for schema, channel, message, content in messages:
                if channel.topic not in channels:
                    id = writer.register_schema(schema.name, schema.encoding, schema.data)
                    channels[channel.topic] = writer.register_channel(channel.topic, channel.message_encoding, id)
                data = message.data
                if channel.topic == "/state" and content.step == 30:
                    content.q[0] = numpy.nextafter(content.q[0], 10)
                    data = content.SerializeToString()
                writer.add_message(channels[channel.topic], message.log_time, data, message.publish_time)
            writer.finish()
        difference = self.replay(code=3)["difference"]
        self.assertEqual((difference["step"], difference["joint"]), (30, "hinge"))
        self.assertIn("position 0", difference["what"])
        result = stiction("replay", self.file)
        self.assertEqual(result.returncode, 3)
        self.assertIn("differs first at step 30", result.stdout)

    def test_what_is_no_recording_is_named(self):
        with open(self.file, "wb") as stream:
            stream.write(b"no recording at all")
        for command in (("replay",), ("export", "--csv", self.folder), ("plot",)):
            result = stiction(command[0], self.file, *command[1:])
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("is not an MCAP file", result.stderr)

    def test_changed_bytes_are_an_error_with_their_place(self):
        self.record("box_stack", "--time", "0.05")
        with open(self.file, "rb") as stream:
            whole = bytearray(stream.read())
        whole[len(whole) // 2] ^= 0xFF
        with open(self.file, "wb") as stream:
            stream.write(whole)
        result = stiction("replay", self.file)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(result.stderr, r"run\.mcap: byte \d+: ")


class Export(InAFolder):
    def test_numpy_reads_the_same_bits_as_the_official_reader(self):
        self.record("clutter", "--time", "0.4", "--certificate", os.devnull)
        out = os.path.join(self.folder, "run.npz")
        self.assertEqual(stiction("export", self.file, "--npz", out).returncode, 0)
        arrays = numpy.load(out)
        states = of_topic(self.file, "/state")
        self.assertTrue(numpy.array_equal(arrays["states_q"], [s.q for s in states]))
        self.assertTrue(numpy.array_equal(arrays["states_v"], [s.v for s in states]))
        self.assertTrue(numpy.array_equal(arrays["states_step"], range(len(states))))
        contacts = [(c, m) for m in of_topic(self.file, "/contacts") for c in m.contacts]
        self.assertGreater(len(contacts), 10)
        self.assertTrue(numpy.array_equal(arrays["contacts_force"][:, 2], [c.force.z for c, _ in contacts]))
        self.assertTrue(numpy.array_equal(arrays["contacts_time"], [m.time for _, m in contacts]))
        self.assertEqual(arrays["bodies"][arrays["contacts_body_b"][0]], arrays["bodies"][contacts[0][0].body_b])
        self.assertEqual(len(arrays["certificates_time"]), len(states) - 1)
        self.assertEqual(arrays["states_q"].shape[1], len(arrays["states_q_names"]))

    def test_csv_has_the_same_numbers_and_names(self):
        self.record("all_joints_free", "--time", "0.05")
        self.assertEqual(stiction("export", self.file, "--csv", self.folder).returncode, 0)
        with open(os.path.join(self.folder, "states.csv"), newline="") as stream:
            rows = list(csv.DictReader(stream))
        states = of_topic(self.file, "/state")
        self.assertEqual(len(rows), len(states))
        for row, state in zip(rows, states):
            self.assertEqual([float(x) for x in row.values()], [state.time, state.step, *state.q, *state.v])
        for table in ("inputs", "contacts", "energies", "residuals", "certificates", "timings"):
            self.assertTrue(os.path.exists(os.path.join(self.folder, table + ".csv")))

    def test_says_where_it_cannot_write(self):
        self.record("pendulum", "--time", "0.01")
        for option in (("--csv", "/proc/no"), ("--npz", "/no/such/file.npz")):
            result = stiction("export", self.file, *option)
            self.assertEqual(result.returncode, 1)
            self.assertIn(option[1], result.stderr)
        self.assertIn("--csv", stiction("export", self.file).stderr)


class Plot(InAFolder):
    def test_draws_energies_residuals_and_the_force_on_a_body(self):
        answer = self.record("slope", "--time", "0.1")
        body = answer["bodies"][-1]["name"]
        out = os.path.join(self.folder, "run.svg")
        result = stiction("plot", self.file, "--what", f"energy,residual,contacts,timings,force:{body}", "-o", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(out) as stream:
            text = stream.read()
        self.assertIn("</svg>", text)
        self.assertIn(f"contact force on {body}", text)

    def test_writes_png_too(self):
        self.record("pendulum", "--time", "0.1")
        out = os.path.join(self.folder, "run.png")
        self.assertEqual(stiction("plot", self.file, "--what", "q:hinge,v:hinge", "-o", out).returncode, 0)
        with open(out, "rb") as stream:
            self.assertEqual(stream.read(8), b"\x89PNG\r\n\x1a\n")

    def test_names_what_there_is_where_something_is_unknown(self):
        self.record("slope", "--time", "0.05")
        for what, hint in (("enrgy", "energy"), ("force:bx", "world"), ("q:nothing", "there are")):
            result = stiction("plot", self.file, "--what", what, cwd=self.folder)
            self.assertEqual((result.returncode, result.stdout), (1, ""), what)
            self.assertIn(hint, result.stderr)

    def test_says_how_to_get_matplotlib(self):
        self.record("pendulum", "--time", "0.01")
        with open(os.path.join(self.folder, "matplotlib.py"), "w") as stream:
            stream.write("raise ImportError\n")
        result = stiction("plot", self.file, cwd=self.folder, env={**os.environ, "PYTHONPATH": self.folder})
        self.assertEqual(result.returncode, 1)
        self.assertIn("pip install matplotlib", result.stderr)


if __name__ == "__main__":
    unittest.main()
