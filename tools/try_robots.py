#!/usr/bin/env python3
"""Runs every robot below some folders in Stiction and in MuJoCo, and says where the two end differently.

Each robot starts at its first keyframe, or at its reference position, with the controls of that keyframe, and runs for
some seconds under its own actuators. The table has

    height    of the base (the body on the first free joint, or the heaviest of several) at the end, m: ours, MuJoCo's
    tilt      of the base against its start, degrees: ours, MuJoCo's
    speed     of the joint that is fastest, for what MuJoCo's does there, in the first 0.1 s, rad/s or m/s: ours, MuJoCo's
    joint     of those with one coordinate the one that ends farthest from MuJoCo's, rad or m: ours less MuJoCo's. A joint that
              jams is seen here alone
    verdict   stands where MuJoCo's stands: base within 2 % of its height;
              quiet: no joint faster than 1.5 times MuJoCo's, or 0.5 rad/s (m/s), in the first 0.1 s;
              every joint that an actuator drives ends within 0.1 rad or 1 cm of MuJoCo's, on a base that is fixed or
              stands in MuJoCo (what falls lies differently, what swings freely is chaotic);
              every joint of MuJoCo's robot, and something to compare, is there

Under MuJoCo's default numbers what stands on friction creeps, and a robot on spread legs sinks until its feet no longer pull.
Where heights or joints differ MuJoCo therefore runs once more with the least creep that it has (elliptic cone, impratio 1e4): if ours
is as close to that as it must be, the row says so and is no failure.

MuJoCo's robot stands if its base is tilted by less than 30 degrees and has kept more than half of its height; where it
does not, the heights are for the reader only. Files that hold no robot (nothing moves) are left out; a scene stands for
the robots that it includes. URDF files, which MuJoCo reads otherwise, go to it as the MJCF that Stiction exports.

usage: tools/try_robots.py FOLDER_OR_FILE... [--law LAW] [--time SECONDS] [--h SECONDS] [--json FILE]
                                             [--only WORDS] [--skip WORDS] [--all-files]
example: tools/try_robots.py ../shared/models --law coulomb_ncp --time 5
The packages `stiction` and `mujoco` must be importable, for instance by
    PYTHONPATH=build/python/site .venv/bin/python tools/try_robots.py ../shared/models
Exits with 1 if a robot does not load or fails the verdict.
"""

import argparse
import json
import re
import sys
from pathlib import Path

import numpy as np

MOST_HEIGHT = 0.02  # of MuJoCo's height: how far ours may be from it
MOST_SPEED = 1.5  # times MuJoCo's
FREE_SPEED = 0.5  # rad/s or m/s, that is never too fast
FIRST = 0.1  # s, in which joints are watched
STANDS = 30.0  # degrees of tilt
LEAST_CREEP = 1e4  # impratio
FARTHEST = {"hinge": 0.1, "slide": 0.01}  # rad, m, from MuJoCo's joint at the end


def robot_files(path, all_files):
    """Scenes of every folder, or all MJCF and URDF files where it has no scene."""
    path = Path(path)
    if path.is_file():
        return [path]
    files = {}
    for file in sorted(path.rglob("*")):
        if file.suffix.lower() not in (".xml", ".urdf") or not file.is_file():
            continue
        with open(file, encoding="utf-8", errors="replace") as text:
            head = text.read(65536)
        if re.search(r"<(mujoco|robot)\b", head) and (file.suffix.lower() == ".xml" or "<robot" in head):
            files.setdefault(file.parent, []).append(file)
    chosen = []
    for in_folder in files.values():
        scenes = [file for file in in_folder if file.stem.startswith("scene")]
        chosen += scenes if scenes and not all_files else in_folder
    return chosen


def tilt(first, now):
    """Degrees between the vertical axis of a body at the start and now, for rotation matrices."""
    up = first.T @ np.array([0.0, 0.0, 1.0])
    return float(np.degrees(np.arccos(np.clip((now @ up)[2], -1.0, 1.0))))


class Ours:
    """A robot in Stiction."""

    def __init__(self, stiction, file, law, h):
        self.model = stiction.load(str(file))
        self.world = stiction.World(self.model, h=h, formulation=law or None)
        if self.model.keyframes:
            self.world.reset(self.model.keyframe_names[0] or "0")
        self.h = self.world.options.h
        self.joints = [joint for joint in self.model.joints if joint.type != "fixed"]
        self.slices = [self.model.v_slice(joint.name) for joint in self.joints]
        self.places = [self.model.q_slice(joint.name) for joint in self.joints]

    def positions(self):
        q = self.world.q
        return [np.array(q[s]) for s in self.places]

    def speeds(self):
        v = self.world.v
        return [v[s] for s in self.slices]

    def pose(self, body):
        X = self.world.body(body).pose
        return np.array(X.p, float), np.array(X.R, float)

    def step(self):
        self.world.step()

    @property
    def time(self):
        return self.world.time


class Theirs:
    """The same robot in MuJoCo."""

    def __init__(self, mujoco, file, text, h, creeps=True):
        self.mujoco = mujoco
        self.model = mujoco.MjModel.from_xml_string(text) if text else mujoco.MjModel.from_xml_path(str(file))
        if h:
            self.model.opt.timestep = h
        if not creeps:
            self.model.opt.cone, self.model.opt.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, LEAST_CREEP
            self.model.opt.iterations, self.model.opt.ls_iterations = max(self.model.opt.iterations, 100), 50
        self.data = mujoco.MjData(self.model)
        if self.model.nkey:
            mujoco.mj_resetDataKeyframe(self.model, self.data, 0)
        mujoco.mj_forward(self.model, self.data)
        self.names = [mujoco.mj_id2name(self.model, mujoco.mjtObj.mjOBJ_JOINT, j) or "" for j in range(self.model.njnt)]
        widths = {0: 6, 1: 3, 2: 1, 3: 1}
        begins = self.model.jnt_dofadr
        self.slices = [slice(int(b), int(b) + widths[int(t)]) for b, t in zip(begins, self.model.jnt_type)]
        self.is_free = [int(t) == 0 for t in self.model.jnt_type]
        numbers = {0: 7, 1: 4, 2: 1, 3: 1}
        self.places = [slice(int(b), int(b) + numbers[int(t)]) for b, t in zip(self.model.jnt_qposadr, self.model.jnt_type)]
        self.kinds = [("free", "ball", "slide", "hinge")[int(t)] for t in self.model.jnt_type]
        # Joints on which an actuator acts by itself.
        on_joint = (int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT))
        driven = {int(i) for t, (i, _) in zip(self.model.actuator_trntype, self.model.actuator_trnid) if int(t) in on_joint}
        self.is_driven = [j in driven for j in range(self.model.njnt)]
        self.root = [int(self.model.body_rootid[b]) for b in self.model.jnt_bodyid]

    def base(self):
        """The body on a free joint that carries most, and how many there are."""
        free = [j for j in range(self.model.njnt) if self.is_free[j]]
        if not free:
            return None
        bodies = [int(self.model.jnt_bodyid[j]) for j in free]
        return max(bodies, key=lambda b: float(self.model.body_subtreemass[b]))

    def body_name(self, body):
        return self.mujoco.mj_id2name(self.model, self.mujoco.mjtObj.mjOBJ_BODY, body)

    def positions(self):
        return [self.data.qpos[s].copy() for s in self.places]

    def speeds(self):
        return [self.data.qvel[s] for s in self.slices]

    def pose(self, body):
        return self.data.xpos[body].copy(), self.data.xmat[body].reshape(3, 3).copy()

    def step(self):
        self.mujoco.mj_step(self.model, self.data)

    @property
    def time(self):
        return self.data.time


def run(side, body, seconds, h):
    """Height and tilt at the end, and the largest speed of every joint in the first 0.1 s."""
    fastest = [0.0] * len(side.slices)
    start = side.time
    places = side.positions()
    first = side.pose(body)[1] if body is not None else None
    while side.time - start < seconds - 1e-6 * h:
        side.step()
        if side.time - start <= FIRST + 1e-9:
            fastest = [max(f, float(np.abs(v).max(initial=0.0))) for f, v in zip(fastest, side.speeds())]
    # From the start, which both share: MuJoCo's numbers may begin elsewhere (ref).
    out = {"speeds": fastest, "moved": [now - then for now, then in zip(side.positions(), places)]}
    if body is not None:
        p, R = side.pose(body)
        out.update(height=float(p[2]), tilt=tilt(first, R))
    return out


def joint_pairs(ours, theirs):
    """Which joint of ours is which of theirs, free ones left out: by name, or by order where that fits; and those of theirs
    that ours has not."""
    by_name = {joint.name: k for k, joint in enumerate(ours.joints)}
    pairs = [(by_name.get(name), k) for k, name in enumerate(theirs.names)]
    if any(own is None for own, _ in pairs) and len(ours.joints) == len(theirs.names):
        pairs = [(k, k) for k in range(len(theirs.names))]
    pairs = [(own, k) for own, k in pairs if not theirs.is_free[k]]

    def fits(own, k):
        ours_of, theirs_of = ours.slices[own], theirs.slices[k]
        return ours_of.stop - ours_of.start == theirs_of.stop - theirs_of.start

    matched = [(own, k) for own, k in pairs if own is not None and fits(own, k)]
    found = {k for _, k in matched}
    return matched, [theirs.names[k] or str(k) for _, k in pairs if k not in found]


def stands(end, start_height):
    return end["tilt"] < STANDS and end["height"] > 0.5 * start_height


def compare(ours, theirs, pairs, start_height, unmatched=()):
    """What the verdict is about, as words; empty: all is well."""
    row, wrong = {}, []
    if "height" in theirs:
        row.update(height=(ours["height"], theirs["height"]), tilt=(ours["tilt"], theirs["tilt"]))
        row["stands"] = stands(theirs, start_height)
        if row["stands"] and abs(ours["height"] - theirs["height"]) > MOST_HEIGHT * abs(theirs["height"]):
            wrong.append(f"height {100 * (ours['height'] / theirs['height'] - 1):+.1f} %")
    worst = None
    for own, k, name, *_ in pairs:
        a, b = ours["speeds"][own], theirs["speeds"][k]
        excess = a / max(MOST_SPEED * b, FREE_SPEED)
        if worst is None or excess > worst[0]:
            worst = (excess, a, b, name)
    if worst:
        row["speed"] = worst[1:]
        if worst[0] > 1.0:
            wrong.append(f"joint {worst[3]} is too fast")
    farthest, worst_compared = None, (0.0, "")
    for own, k, name, kind, is_compared in pairs:
        if kind not in FARTHEST:
            continue
        off = float(ours["moved"][own][0] - theirs["moved"][k][0])
        excess = abs(off) / FARTHEST[kind]
        if farthest is None or excess > farthest[0]:
            farthest = (excess, off, name)
        if is_compared and excess > 1.0:
            unit = "rad" if kind == "hinge" else "m"
            ends_off = (excess, f"joint {name} ends {off:+.3g} {unit} from MuJoCo's")
            worst_compared = max(worst_compared, ends_off)
    if farthest:
        row["joint"] = farthest[1:]
    if worst_compared[1]:
        wrong.append(worst_compared[1])
    row["unmatched"] = list(unmatched)
    if unmatched:
        wrong.append(f"{len(unmatched)} joints of MuJoCo's are not ours ({', '.join(unmatched[:4])})")
    if not pairs and not row.get("stands", False):
        wrong.append("nothing to compare")
    row["wrong"] = wrong
    return row


def try_robot(stiction, mujoco, file, law, seconds, h):
    text = None
    if file.suffix.lower() == ".urdf":
        ours = Ours(stiction, file, law, h)
        text = ours.model.to_mjcf()
        text = text[0] if isinstance(text, tuple) else text
    # MuJoCo first: a file that is no whole model fails in both.
    theirs = Theirs(mujoco, file, text, h)
    if theirs.model.nv == 0:
        return None
    ours = Ours(stiction, file, law, h or float(theirs.model.opt.timestep))
    body = theirs.base()
    name = theirs.body_name(body) if body is not None else None
    own_body = name
    if body is not None and name not in ours.model.body_names:
        own_body = ours.model.body_names[body]
    start_height = float(theirs.pose(body)[0][2]) if body is not None else 0.0
    matched, unmatched = joint_pairs(ours, theirs)
    theirs_end = run(theirs, body, seconds, theirs.model.opt.timestep)
    # Where joints end is compared for those that are driven, on a base that is fixed or stands.
    fell = int(theirs.model.body_rootid[body]) if body is not None and not stands(theirs_end, start_height) else None
    pairs = [(own, k, theirs.names[k] or str(k), theirs.kinds[k], theirs.is_driven[k] and theirs.root[k] != fell) for own, k in matched]
    ours_end = run(ours, own_body, seconds, ours.h)
    row = compare(ours_end, theirs_end, pairs, start_height, unmatched)
    if any(is_of_creep(words) for words in row["wrong"]):
        still = Theirs(mujoco, file, text, h, creeps=False)
        still_end = run(still, body, seconds, still.model.opt.timestep)
        left = compare(ours_end, still_end, pairs, start_height)
        kinds = {words.split()[0] for words in left["wrong"] if is_of_creep(words)}
        creep = [words for words in row["wrong"] if is_of_creep(words) and words.split()[0] not in kinds]
        # Only where it stands without creep is anything said of that.
        if creep and left.get("stands", True):
            row["wrong"] = [words for words in row["wrong"] if words not in creep]
            less = [f"{100 * (ours_end['height'] / still_end['height'] - 1):+.1f} % of MuJoCo without creep"] if "height" in still_end else []
            less += [f"joint {left['joint'][1]} {left['joint'][0]:+.2g} from it"] if "joint" in left else []
            row["creep"] = ", ".join(creep + less)
        row["height_without_creep"] = still_end.get("height")
    return row


def is_of_creep(words):
    return words.startswith("height") or " ends " in words


def two(values, form):
    return " ".join(format(value, form) for value in values)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="FOLDER_OR_FILE")
    parser.add_argument("--law", default="", help="formulation, as in `stiction list`; default: Stiction's default")
    parser.add_argument("--time", type=float, default=5.0, help="s, 5 unless given")
    parser.add_argument("--h", type=float, default=None, help="step of both, s; unless given, that of the file")
    parser.add_argument("--only", default="", help="only files whose path has one of these words, by commas")
    parser.add_argument("--skip", default="", help="no files whose path has one of these words, by commas")
    parser.add_argument("--all-files", action="store_true", help="all files, also those that scenes include")
    parser.add_argument("--json", default="", help="writes the numbers to this file")
    arguments = parser.parse_args()
    import mujoco
    import stiction

    rows, failures = [], 0
    print(f"{'robot':44} {'height ours MuJoCo':>18} {'tilt':>11}  {'speed ours MuJoCo':>17}  {'joint':>8}  verdict")
    for path in arguments.paths:
        root = Path(path)
        if not root.exists():
            parser.error(f"there is no file or folder '{path}'")
        for file in robot_files(root, arguments.all_files):
            name = str(file.relative_to(root)) if root.is_dir() else str(file)
            if arguments.only and not any(word in name for word in arguments.only.split(",")):
                continue
            if arguments.skip and any(word in name for word in arguments.skip.split(",")):
                continue
            try:
                row = try_robot(stiction, mujoco, file, arguments.law, arguments.time, arguments.h)
            except Exception as error:  # the report of either side; the next robot is tried
                row = {"wrong": [str(error).splitlines()[0][:120]]}
            if row is None:
                continue
            failures += bool(row["wrong"])
            height = two(row["height"], ".4f") if "height" in row else "fixed base"
            tilts = two(row["tilt"], ".1f") if "tilt" in row else ""
            speed = two(row["speed"][:2], ".3g") if "speed" in row else ""
            joint = f"{row['joint'][0]:+.2g}" if "joint" in row else ""
            note = "" if row.get("stands", True) else " (MuJoCo's does not stand)"
            verdict = "; ".join(row["wrong"] + ([row["creep"]] if "creep" in row else [])) or "ok"
            print(f"{name[-44:]:44} {height:>18} {tilts:>11}  {speed:>17}  {joint:>8}  {verdict}{note}", flush=True)
            rows.append({"file": str(file), **row})
    creeping = sum("creep" in row and not row["wrong"] for row in rows)
    print(f"{len(rows)} robots, {failures} fail, {creeping} differ by MuJoCo's creep")
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rows, indent=1))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
