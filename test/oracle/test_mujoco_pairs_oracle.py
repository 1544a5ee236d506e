"""The numbers of MuJoCo's law of contact that we read from a file, for every pair of shapes that touch in random states of ten
robots and for pairs of our own with priority, solmix, margin and gap, against those of MuJoCo's contacts; and the inverse mass
of every body that can touch, against `body_invweight0`.
"""

import json
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="the package numpy is not installed")
mujoco = pytest.importorskip("mujoco", reason="the package mujoco is not installed")

import mjcf_oracle
import probe
import report
import test_mujoco_law_oracle as law

WITHIN = 1e-12  # of the mixed numbers
# Of inverse masses. MuJoCo's principal moments of meshes are off by up to 1.2e-7 (test_mesh_oracle.py).
INVERSE_MASSES_WITHIN = 1.2e-7


def ours(file, pairs):
    program = probe.build_folder() / "bin" / "stiction_pair_probe"
    question = {"file": str(file), "pairs": pairs}
    done = subprocess.run([program], input=json.dumps(question), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def off(mine, other):
    mine, other = np.atleast_1d(np.array(mine, float)), np.atleast_1d(np.array(other, float))
    return float(np.max(np.abs(mine - other)) / max(np.max(np.abs(other)), 1e-3))


def errors_of_pairs(file, oracle, contacts):
    """contacts: {(geom, geom): contact}."""
    model = oracle.model
    shape_of_geom = {int(geom): shape for shape, geom in enumerate(oracle.geom_of_shape)}
    keys = list(contacts)
    answer = ours(file, [[shape_of_geom[a], shape_of_geom[b]] for a, b in keys])
    worst = {}

    def see(kind, error):
        worst[kind] = max(worst.get(kind, 0.0), error)

    for key, pair in zip(keys, answer["pairs"]):
        contact = contacts[key]
        assert pair is not None and pair["is_given"], key
        see("solref", off(pair["solref"], contact["solref"]))
        see("solref of friction", off(pair["solref_friction"], contact["solreffriction"]))
        see("solimp", off(pair["solimp"], contact["solimp"]))
        see("margin", off(pair["margin"], contact["includemargin"]))
        dim, theirs = contact["dim"], contact["friction"]
        # sliding (two equal numbers), torsion, rolling
        see("friction", off(pair["friction"], [theirs[0] * (dim > 1), theirs[2] * (dim > 3), theirs[3] * (dim > 4)]))
        sum_of = sum(model.body_invweight0[model.geom_bodyid[g], 0] for g in key)
        see("inverse mass of pairs", off(pair["inverse_mass"], sum_of))
        see("impratio", off(pair["impratio"], model.opt.impratio))
    for shape, mine in enumerate(answer["inverse_masses"]):
        body = model.geom_bodyid[oracle.geom_of_shape[shape]]
        if mine is not None:
            see("inverse mass of bodies", off(mine, model.body_invweight0[body, 0]))
    return worst


def found(model, data, contacts):
    for c in data.contact:
        contacts[tuple(int(g) for g in c.geom)] = {
            key: np.array(getattr(c, key), float).copy() if np.ndim(getattr(c, key)) else getattr(c, key)
            for key in ("solref", "solreffriction", "solimp", "includemargin", "friction", "dim")}


def check(name, worst):
    report.add(name, f"us - mujoco {mujoco.__version__}, numbers of contacts", worst, INVERSE_MASSES_WITHIN)
    wrong = {kind: error for kind, error in worst.items()
             if not error <= (INVERSE_MASSES_WITHIN if "mass" in kind else WITHIN)}
    assert not wrong


@pytest.mark.parametrize("robot", law.ROBOTS)
def test_numbers_of_contacts_are_those_of_mujoco(robot):
    file = probe.shared_models() / robot
    if not file.exists():
        pytest.skip(f"there is no {file}")
    oracle = mjcf_oracle.MjcfOracle(file, probe.describe({"file": str(file)}))
    model = law.prepared(file)
    data = mujoco.MjData(model)
    rng = np.random.default_rng(7)
    contacts = {}
    for _ in range(law.STATES):
        law.random_state(model, data, law.ROBOTS[robot], rng)
        found(model, data, contacts)
    check(robot, errors_of_pairs(file, oracle, contacts))


GEOMS = """<mujoco><option cone="elliptic" impratio="7" timestep="0.003"/><worldbody>
  <geom name="floor" type="plane" size="1 1 1" margin="0.004" gap="0.001" solref="0.03 0.8" solimp="0.5 0.9 0.01 0.4 3"/>
  <body name="ball" pos="0 0 0.098"><freejoint/><geom name="ball" size="0.1" friction="0.8 0.02 0.01"
  {}/></body><body name="slide" pos="0.19 0 0.1"><joint type="slide" axis="1 0 0"/><geom name="slide" type="box"
  size="0.1 0.05 0.1" solref="-3000 -80" gap="0.002" friction="0.3"/></body>
  <body name="arm" pos="-0.4 0 0.1"><joint axis="0 1 0"/><geom name="arm" type="capsule" fromto="0 0 0 0.31 0 0"
  size="0.05" solmix="0.2"/></body></worldbody>{}</mujoco>"""


@pytest.mark.parametrize("numbers, pairs", [
    ("", ""), ('gap="0.003" margin="0.001"', ""), ('priority="1" solref="0.05 0.4" condim="6"', ""),
    ('solmix="3" margin="0.01" condim="4"', ""), ('priority="-1" condim="1"', ""), ('solmix="0"', ""),
    ("", '<contact><pair geom1="floor" geom2="ball" margin="0.02" gap="0.005" solref="0.04 2" solimp="0.1 0.8 0.03 0.6 4" '
         'friction="1.5 1.5 0.03 0.02 0.02" condim="6" solreffriction="0.07 1.2"/></contact>')])
def test_numbers_are_mixed_as_in_mujoco(numbers, pairs, tmp_path):
    file = tmp_path / "pairs.xml"
    file.write_text(GEOMS.format(numbers, pairs))
    oracle = mjcf_oracle.MjcfOracle(file, probe.describe({"file": str(file)}))
    model = oracle.model
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    contacts = {}
    found(model, data, contacts)
    assert len(contacts) >= 3
    check("pairs: " + (numbers or pairs[:20] or "plain"), errors_of_pairs(file, oracle, contacts))
