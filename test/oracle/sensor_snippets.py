"""Small MJCF models with sensors of every kind, on frames of every kind, in references of every kind."""

OBJECTS = {"body": "lower", "xbody": "lower", "geom": "rod", "site": "wrist", "camera": "eye"}
REFERENCES = {"body": "upper", "xbody": "upper", "geom": "drum", "site": "out", "camera": "ceiling_eye"}
FRAME_KINDS = ["framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel"]
SITE_KINDS = ["accelerometer", "velocimeter", "gyro", "force", "torque", "magnetometer", "touch"]

# An arm with every kind of joint, bodies fixed to each other, tendons, actuators, and a free body beside it.
MACHINE = """<mujoco><option magnetic="0.3 -0.4 0.2" density="1.2" viscosity="0.01"/>
  <worldbody>
    <site name="ceiling" pos="0.1 0 1"/>
    <site name="hall" pos="0.1 -0.1 0.4" euler="10 20 30" type="{zone}" size="0.4 0.3 0.35"/>
    <camera name="ceiling_eye" pos="0.3 0.2 2" euler="20 30 40"/>
    <geom name="floor" type="plane" size="0 0 1"/>
    <body name="shelf" pos="1 1 1"><geom name="shelf" type="box" size="0.2 0.3 0.02" mass="3"/></body>
    <body name="upper" pos="0 0 0.8" gravcomp="0.5">
      <joint name="shoulder" axis="0 1 0.2" range="-60 80" armature="0.01" actuatorgravcomp="true" damping="0.1"/>
      <inertial pos="0.01 0.02 -0.2" mass="2" diaginertia="0.02 0.03 0.01" euler="5 20 60"/>
      <geom name="ball" type="sphere" size="0.08" pos="0.02 0.01 -0.1"/>
      <geom name="drum" type="cylinder" size="0.05 0.1" pos="0 0 -0.3" euler="80 10 0"/>
      <site name="out" pos="0.2 0.02 -0.1" euler="40 50 60"/>
      <body name="lower" pos="0 0 -0.5" euler="0 20 0">
        <joint name="elbow" axis="0 1 0" ref="30" range="0 50" stiffness="3"/>
        <joint name="stretch" type="slide" axis="0 0 1" range="-0.1 0.3" actuatorfrcrange="-1 1"/>
        <geom name="rod" type="capsule" size="0.03 0.2" pos="0.01 0.02 -0.2" euler="30 20 10"/>
        <site name="wrist" pos="0.03 0.05 -0.3" euler="10 20 30"/>
        <camera name="eye" pos="0.1 0.2 0.3" euler="50 60 70"/>
        <body name="plate" pos="0 0.01 -0.42" euler="3 4 5">
          <geom name="plate" type="box" size="0.05 0.04 0.01"/>
          <site name="load" pos="0.01 0 0.02" euler="60 10 20"/>
          <body name="hand" pos="0 0 -0.03">
            <joint name="round" type="ball" range="0 70"/>
            <geom name="fist" type="box" size="0.05 0.03 0.07" pos="0.01 0 -0.05"/>
            <geom name="thumb" type="ellipsoid" size="0.02 0.02 0.04" pos="0.05 0 -0.05"/>
            <site name="palm" pos="0.02 0.01 -0.08" euler="30 0 20"/>
          </body>
        </body>
      </body>
    </body>
    <body name="thing" pos="0.5 0.2 0.3" euler="5 6 7">
      <freejoint name="thing"/>
      <geom name="thing" type="ellipsoid" size="0.05 0.06 0.07" pos="0.01 0.02 0"/>
      <site name="inside" pos="0.02 0 0.01" euler="1 2 3"/>
      <body name="lid" pos="0 0 0.07" euler="1 50 7"><geom name="lid" type="cylinder" size="0.03 0.004"/><site name="top"/></body>
    </body>
    <body name="post" mocap="true" pos="-0.6 0.3 0.2"><geom name="post" type="cylinder" size="0.02 0.2" mass="1"/></body>
  </worldbody>
  <tendon>
    <fixed name="fixed" limited="true" range="-0.3 0.2" margin="0.05"><joint joint="elbow" coef="2"/><joint joint="stretch"
      coef="-3"/></fixed>
    <spatial name="string" limited="true" range="0.3 0.9" stiffness="20" springlength="0.4 0.5" damping="0.3"><site
      site="ceiling"/><geom geom="drum"/><site site="wrist"/></spatial>
  </tendon>
  <actuator>
    <motor name="motor" joint="shoulder" gear="3"/>
    <position name="servo" joint="elbow" kp="20" kv="1" forcerange="-5 5"/>
    <motor name="push" joint="stretch" gear="5"/>
    <motor name="pull" tendon="string" gear="2"/>
    <general name="slow" tendon="string" dyntype="filter" dynprm="0.1" gainprm="2" biastype="affine" biasprm="0.1 -2 -0.1"/>
    <motor name="jet" site="palm" gear="1 0.5 0 0 0.1 0.2"/>
  </actuator>
  <sensor>{sensors}</sensor></mujoco>"""


def add(name, sensors, zone="box"):
    assert name not in SNIPPETS, name
    SNIPPETS[name] = MACHINE.format(sensors="".join(sensors), zone=zone)


def on_frames():
    for kind in FRAME_KINDS:
        yield from (f'<{kind} objtype="{type}" objname="{name}"/>' for type, name in OBJECTS.items())
    for kind in ("framelinacc", "frameangacc"):
        yield from (f'<{kind} objtype="{type}" objname="{name}"/>' for type, name in OBJECTS.items())
    # Of bodies that are free, fixed, or do not move.
    for kind in FRAME_KINDS + ["framelinacc", "frameangacc"]:
        for type, name in (("xbody", "thing"), ("site", "top"), ("site", "palm"), ("geom", "shelf"), ("xbody", "post")):
            yield f'<{kind} objtype="{type}" objname="{name}"/>'


def in_references():
    for kind in FRAME_KINDS:
        for type, name in OBJECTS.items():
            for reference, other in REFERENCES.items():
                yield f'<{kind} objtype="{type}" objname="{name}" reftype="{reference}" refname="{other}"/>'
        yield f'<{kind} objtype="site" objname="top" reftype="site" refname="palm"/>'


def at_sites():
    for kind in SITE_KINDS:
        yield from (f'<{kind} site="{site}"/>' for site in ("out", "wrist", "load", "palm", "inside", "top"))
        # The world has no parent: MuJoCo sums moments about several points there.
        if kind not in ("force", "torque"):
            yield f'<{kind} site="ceiling"/>'


def of_joints():
    for joint in ("shoulder", "elbow", "stretch"):
        for kind in ("jointpos", "jointvel", "jointactuatorfrc", "jointlimitpos", "jointlimitvel"):
            yield f'<{kind} joint="{joint}"/>'
    for kind in ("ballquat", "ballangvel", "jointlimitpos", "jointlimitvel"):
        yield f'<{kind} joint="round"/>'
    for tendon in ("fixed", "string"):
        for kind in ("tendonpos", "tendonvel", "tendonactuatorfrc", "tendonlimitpos", "tendonlimitvel"):
            yield f'<{kind} tendon="{tendon}"/>'
    for actuator in ("motor", "servo", "push", "pull", "slow", "jet"):
        for kind in ("actuatorpos", "actuatorvel", "actuatorfrc"):
            yield f'<{kind} actuator="{actuator}"/>'


def of_everything():
    for body in ("world", "upper", "lower", "plate", "hand", "thing", "lid"):
        for kind in ("subtreecom", "subtreelinvel", "subtreeangmom"):
            yield f'<{kind} body="{body}"/>'
    yield "<e_potential/><e_kinetic/><clock/>"


def rays():
    fields = ["dist", "dir", "origin", "point", "normal", "depth"]
    for site in ("wrist", "palm", "inside", "ceiling", "out", "hall"):
        yield f'<rangefinder site="{site}"/>'
        yield f'<rangefinder site="{site}" data="{" ".join(fields)}"/>'


def zones():
    for type, name in {**OBJECTS, "xbody": "hand"}.items():
        yield f'<insidesite site="hall" objtype="{type}" objname="{name}"/>'
    yield '<insidesite site="hall" objtype="xbody" objname="thing"/>'


def distances():
    """Pairs that MuJoCo has in closed form."""
    pairs = [("ball", "floor"), ("rod", "floor"), ("fist", "floor"), ("ball", "rod")]
    for first, second in pairs + [(second, first) for first, second in pairs]:
        for kind in ("distance", "normal", "fromto"):
            yield f'<{kind} geom1="{first}" geom2="{second}" cutoff="5"/>'
            yield f'<{kind} geom1="{first}" geom2="{second}" cutoff="0.3"/>'
    yield '<distance body1="upper" geom2="floor" cutoff="4"/>'


def cut_off():
    for kind in ("accelerometer", "gyro", "velocimeter", "force"):
        yield f'<{kind} site="wrist" cutoff="0.7"/>'
    yield '<jointpos joint="elbow" cutoff="0.2"/><rangefinder site="palm" cutoff="0.2"/><clock cutoff="0.01"/>'
    yield '<subtreecom body="upper" cutoff="0.1"/><rangefinder site="ceiling" cutoff="0.5"/>'


SNIPPETS = {}
add("frames", on_frames())
add("frames in references", in_references())
add("sites", at_sites())
add("joints, tendons, actuators", of_joints())
add("subtrees and energies", of_everything())
add("rays", rays())
for form in ("sphere", "capsule", "ellipsoid", "cylinder", "box"):
    add(f"inside a {form}", zones(), form)
add("distances", distances())
add("cutoff", cut_off())
SNIPPETS["sensors switched off"] = SNIPPETS["sites"].replace("<worldbody>", '<option><flag sensor="disable"/></option><worldbody>', 1)
