"""Small MJCF models for every kind of actuator and passive force that robots rarely use, by name."""

BODIES = """
  <worldbody>
    <site name="ceiling" pos="0.1 0 1"/>
    <site name="slider" pos="0.5 0.1 0.2" euler="0.3 1.2 0.1"/>
    <body name="upper" pos="0 0 0.8" {upper}>
      <joint name="shoulder" axis="0 1 0.2" range="-2 1.5" {shoulder}/>
      <geom name="ball" type="sphere" size="0.08" pos="0.02 0.01 -0.1" {geom}/>
      <geom name="drum" type="cylinder" size="0.05 0.1" pos="0 0 -0.3" euler="1.5 0.2 0" {geom}/>
      <site name="out" pos="0.2 0.02 -0.1"/>
      <body name="lower" pos="0 0 -0.5" {lower}>
        <joint name="elbow" axis="0 1 0" {elbow}/>
        <joint name="stretch" type="slide" axis="0 0 1"/>
        <geom type="capsule" size="0.03 0.2" pos="0 0 -0.2" {geom}/>
        <site name="wrist" pos="0.03 0.05 -0.3" euler="0.1 0.2 0.3"/>
        <body name="hand" pos="0 0 -0.45">
          <joint name="round" type="ball" {round}/>
          <geom type="box" size="0.05 0.03 0.07" pos="0.01 0 -0.05" euler="0.2 0.3 0" {geom}/>
          <site name="palm" pos="0.02 0.01 -0.08" euler="0.5 0 0.2"/>
        </body>
      </body>
    </body>
    <body name="thing" pos="0.5 0.2 0.3" euler="0.1 0.2 0.3">
      <freejoint name="thing"/>
      <geom type="ellipsoid" size="0.05 0.06 0.09" pos="0.01 0.02 0" {geom}/>
      <site name="jet" pos="0.1 0 0" euler="0.4 0.5 0.6"/>
    </body>
  </worldbody>
  <tendon>
    <fixed name="coupled" {fixed}><joint joint="shoulder" coef="0.5"/><joint joint="elbow" coef="-2"/></fixed>
    <spatial name="cord" {spatial}><site site="ceiling"/><geom geom="drum"/><site site="wrist"/><site site="jet"/></spatial>
    <spatial name="pulleys"><site site="ceiling"/><site site="out"/><pulley divisor="2"/><site site="out"/>
      <site site="palm"/></spatial>
  </tendon>"""
PLACES = ("upper", "shoulder", "geom", "lower", "elbow", "round", "fixed", "spatial")

TARGETS = {
    "joint": 'joint="elbow" gear="3"', "slide": 'joint="stretch"', "ball": 'joint="round" gear="0.3 0.4 -0.2"',
    "ball in its parent": 'jointinparent="round" gear="0.3 0.4 -0.2"', "free": 'joint="thing" gear="1 2 3 0.1 0.2 0.3"',
    "free in the world": 'jointinparent="thing" gear="1 2 3 0.1 0.2 0.3"', "fixed tendon": 'tendon="coupled" gear="-2"',
    "spatial tendon": 'tendon="cord" gear="1.5"', "site": 'site="palm" gear="1 2 3 0.1 0.2 0.3"',
    "site of a free body": 'site="jet" gear="0 0 1 0.5 0 0"',
    "place against a site": 'site="palm" refsite="wrist" gear="1 2 3 0 0 0"',
    "turn against a site": 'site="palm" refsite="wrist" gear="0 0 0 1 0.5 0.2"',
    "place and turn": 'site="jet" refsite="palm" gear="1 0.2 0 0 0.5 0.2"',
    "slider-crank": 'cranksite="wrist" slidersite="slider" cranklength="1.2" gear="2"',
}
LAWS = {
    "motor": '<motor {} ctrlrange="-2 3" forcerange="-1 2"/>',
    "position": '<position {} kp="20" kv="3" ctrlrange="-9 9"/>',
    "position, filtered": '<position {} kp="20" kv="3" timeconst="0.03"/>',
    "velocity": '<velocity {} kv="4" forcerange="-3 3"/>',
    "intvelocity": '<intvelocity {} kp="7" kv="0.5" actrange="-2 2"/>',
    "damper": '<damper {} kv="2" ctrlrange="0 3"/>',
    "cylinder": '<cylinder {} diameter="0.7" bias="1 2 3" timeconst="0.3"/>',
    "affine": '<general {} gaintype="affine" gainprm="1 2 -3" biastype="affine" biasprm="0.4 -2 -1"/>',
    "early filter": '<general {} gainprm="5" dyntype="filter" dynprm="0.02" actearly="true"/>',
    "early exact filter": '<general {} gainprm="5" dyntype="filterexact" dynprm="0.002" actearly="true" actrange="-1 1"/>',
}
MUSCLES = {
    "muscle": '<muscle {} lengthrange="-1 1.4" force="30"/>',
    "muscle, scaled": '<muscle {} lengthrange="-2 2" scale="300" range="0.6 1.3" timeconst="0.02 0.05"/>',
    "muscle, smooth": '<muscle {} lengthrange="-3 1" force="10" tausmooth="0.3" lmin="0.3" lmax="1.8" vmax="2" fpmax="2" '
                      'fvmax="1.5"/>',
}


def model(actuators="", option="", **places):
    unknown = set(places) - set(PLACES)
    assert not unknown, unknown
    inside = BODIES.format(**{place: places.get(place, "") for place in PLACES})
    return (f'<mujoco><compiler angle="radian"/>{option}{inside}'
            f'<actuator>{actuators}</actuator></mujoco>')


def snippets():
    out = {}
    for name, law in LAWS.items():
        out[name] = model("".join(law.format(target) for target in TARGETS.values()))
    for name, law in MUSCLES.items():
        targets = [text for key, text in TARGETS.items() if key in ("joint", "slide", "fixed tendon", "spatial tendon")]
        out[name] = model("".join(law.format(target) for target in targets))
    both = '<motor joint="elbow" gear="2"/><motor tendon="coupled"/><position joint="shoulder" kp="30"/>'
    out["force ranges of joints"] = model(both, shoulder='actuatorfrcrange="-1 2"', elbow='actuatorfrcrange="-0.5 3"')
    out["force ranges of tendons"] = model(
        '<motor tendon="coupled" gear="2" forcerange="-9 5"/><motor tendon="coupled"/><motor tendon="cord"/>',
        fixed='actuatorfrcrange="-3 4"', spatial='actuatorfrcrange="-1 1"')
    out["groups that are off"] = model(
        '<motor joint="elbow" group="2"/><intvelocity joint="elbow" group="3"/><motor joint="shoulder"/>',
        '<option actuatorgroupdisable="3 2"/>')
    out["controls not clamped"] = model('<motor joint="elbow" ctrlrange="-0.1 0.1"/>',
                                        '<option><flag clampctrl="disable"/></option>')
    out["actuation off"] = model(both, '<option><flag actuation="disable"/></option>')
    out["rotors"] = model('<motor joint="elbow" gear="3" armature="0.1" damping="0.2"/><motor tendon="cord" damping="0.3" '
                          'gear="2"/><motor tendon="coupled" damping="0.3"/>')
    tendons = {"fixed": 'stiffness="20" damping="0.5"', "spatial": 'stiffness="30" damping="2" springlength="0.9 1.6"'}
    out["springs of tendons"] = model(**tendons)
    out["springs off"] = model(option='<option><flag spring="disable"/></option>', shoulder='stiffness="3"', **tendons)
    out["dampers off"] = model(option='<option><flag damper="disable"/></option>', shoulder='damping="3"', **tendons)
    out["springs of joints"] = model(shoulder='stiffness="3" springref="0.4" damping="0.2"', elbow='stiffness="7"',
                                     round='stiffness="2" damping="0.3"')
    compensated = {"upper": 'gravcomp="0.7"', "lower": 'gravcomp="1.3"'}
    out["gravity compensation"] = model(**compensated)
    out["gravity compensation by actuators"] = model(
        both, shoulder='actuatorgravcomp="true" actuatorfrcrange="-4 4"', round='actuatorgravcomp="true"', **compensated)
    out["gravity off"] = model(option='<option><flag gravity="disable"/></option>', **compensated)
    for name, medium in {"density": 'density="1.2"', "viscosity": 'viscosity="0.3"',
                         "density, viscosity, wind": 'density="50" viscosity="0.4" wind="1 -2 0.5"'}.items():
        out[f"boxes in a medium: {name}"] = model(option=f"<option {medium}/>")
        out[f"ellipsoids in a medium: {name}"] = model(option=f"<option {medium}/>", geom='fluidshape="ellipsoid"')
        out[f"ellipsoids with coefficients: {name}"] = model(
            option=f"<option {medium}/>", geom='fluidshape="ellipsoid" fluidcoef="0.3 0.7 1.1 0.6 0.8"')
    out["boxes with equal moments in a medium"] = """<mujoco><option density="30"/><worldbody>
        <body><freejoint/><geom type="cylinder" size="0.1 0.3" pos="0.1 0 0" euler="20 30 40"/></body>
        <body pos="1 0 0"><joint/><inertial pos="0.1 0 0" mass="2" diaginertia="0.1 0.1 0.15" euler="30 20 10"/></body>
        <body pos="2 0 0"><joint axis="1 0 1"/><geom size="0.2" pos="0.1 0 0" euler="30 20 10"/></body>
        </worldbody></mujoco>"""
    out["all passive forces off"] = model(
        option='<option density="50"><flag spring="disable" damper="disable"/></option>', **compensated)
    return out
