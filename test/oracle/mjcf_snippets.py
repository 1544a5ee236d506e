"""Small MJCF models, each with one feature of the format: by name a dictionary of files, of which "model.xml" is loaded.
As long as the format has features: one list."""

import struct
import zlib

SNIPPETS = {}

LEG = '<joint name="hip" axis="0 1 0"/><geom name="thigh" type="capsule" size="0.05 0.2" pos="0.1 0.02 -0.2"/>'
GEOM = '<geom type="sphere" size="0.1" pos="0.1 0 0"/>'
TETRAHEDRON = '<mesh name="tetra" vertex="0 0 0  0.3 0 0  0 0.2 0  0 0 0.4"{}/>'
# An L of two bars, which is not convex.
ANGLE = ('<mesh name="angle" vertex="0 0 0  0.3 0 0  0.3 0.1 0  0.1 0.1 0  0.1 0.2 0  0 0.2 0 '
         '0 0 0.1  0.3 0 0.1  0.3 0.1 0.1  0.1 0.1 0.1  0.1 0.2 0.1  0 0.2 0.1" '
         'face="0 2 1  0 3 2  0 4 3  0 5 4  6 7 8  6 8 9  6 9 10  6 10 11  0 1 7  0 7 6  1 2 8  1 8 7 '
         '2 3 9  2 9 8  3 4 10  3 10 9  4 5 11  4 11 10  5 0 6  5 6 11"{}/>')


def grey_picture(width, height):
    """A PNG file."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes(20 * x + 60 * y for x in range(width)) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def add(name, text, **files):
    assert name not in SNIPPETS, name
    SNIPPETS[name] = {"model.xml": f"<mujoco>{text}</mujoco>"}
    for file, content in files.items():
        SNIPPETS[name][file + ".xml"] = f"<mujoco>{content}</mujoco>"


def world(name, inside, before="", after="", **files):
    add(name, f"{before}<worldbody>{inside}</worldbody>{after}", **files)


def machine(name, after, before=""):
    """An arm with every kind of joint, sites and geoms to hang things on."""
    inside = """
      <site name="ceiling" pos="0.1 0 1"/>
      <site name="slider" pos="0.5 0.1 0.2" euler="20 70 5"/>
      <geom name="floor" type="plane" size="1 1 1" friction="0.7" solref="0.03 0.9" margin="0.002"/>
      <body name="upper" pos="0 0 0.8">
        <joint name="shoulder" axis="0 1 0.2" range="-60 80" armature="0.01"/>
        <geom name="ball" type="sphere" size="0.08" pos="0.02 0.01 -0.1" friction="0.9 0.01" priority="1"/>
        <geom name="drum" type="cylinder" size="0.05 0.1" pos="0 0 -0.3" euler="80 10 0"/>
        <site name="out" pos="0.2 0.02 -0.1"/>
        <body name="lower" pos="0 0 -0.5" euler="0 20 0">
          <joint name="elbow" axis="0 1 0" ref="30"/>
          <joint name="stretch" type="slide" axis="0 0 1" range="-0.1 0.3"/>
          <geom name="rod" type="capsule" size="0.03 0.2" pos="0 0 -0.2"/>
          <site name="wrist" pos="0.03 0.05 -0.3" euler="10 20 30"/>
          <body name="hand" pos="0 0 -0.45">
            <joint name="round" type="ball"/>
            <geom name="fist" type="box" size="0.05 0.03 0.07" pos="0.01 0 -0.05"/>
            <site name="palm" pos="0.02 0.01 -0.08" euler="30 0 20"/>
          </body>
        </body>
      </body>
      <body name="thing" pos="0.5 0.2 0.3" euler="5 6 7">
        <freejoint name="thing"/>
        <geom type="ellipsoid" size="0.05 0.06 0.07" pos="0.01 0.02 0"/>
      </body>"""
    add(name, f"{before}<worldbody>{inside}</worldbody>{after}")


def orientations():
    forms = {"quat": 'quat="0.5 0.1 -0.7 0.4"', "axisangle": 'axisangle="1 2 -0.5 50"', "euler": 'euler="20 -30 70"',
             "xyaxes": 'xyaxes="1 0.2 0 0.3 1 0.5"', "zaxis": 'zaxis="0.3 -0.5 0.9"'}
    box = '<geom name="g" type="box" size="0.1 0.2 0.3" pos="0.01 0.02 0.03" {}/>'
    for form, text in forms.items():
        world(f"{form} of a body", f'<body name="b" pos="0.1 0.2 0.3" {text}>{LEG}</body>')
        world(f"{form} of a frame",
              f'<frame pos="0.1 0 0.2" {text}><body name="b" pos="0 0.1 0" {text}>{LEG}<frame {text}>{box.format("")}'
              '<joint name="knee" pos="0.1 0 0" axis="1 2 0"/></frame></body></frame>')
        world(f"{form} of a geom", f'<body name="b"><joint name="j" axis="1 1 0"/>{box.format(text)}</body>')
        world(f"{form} of a site", f'<body name="b" euler="10 0 0">{LEG}'
          f'<site name="s" type="box" pos="1 2 3" {text}/></body>')
        world(f"{form} of an inertia", f'<body name="b"><joint name="j" axis="1 1 0"/><inertial pos="0.1 0.2 0.3" '
              f'mass="2" diaginertia="0.3 0.2 0.4" {text}/></body>')
        world(f"{form} of a camera", f'<body name="b">{LEG}<camera name="c" pos="1 2 3" {text}/></body>')
    for angle, value in (("radian", "0.3 -0.4 1.2"), ("degree", "17 -23 69")):
        world(f"euler in {angle}s", f'<body name="b" euler="{value}">{LEG}</body>', f'<compiler angle="{angle}"/>')
    world("axisangle in radians", f'<body name="b" axisangle="1 2 3 0.7">{LEG}</body>', '<compiler angle="radian"/>')
    world("zaxis downward", '<body name="b"><joint name="j" axis="1 0 0"/>' + box.format('zaxis="0 0 -2"') + '</body>')
    world("zaxis upward", '<body name="b"><joint name="j" axis="1 0 0"/>' + box.format('zaxis="0 0 3"') + '</body>')
    for sequence in ("xyz", "zyx", "XYZ", "ZYX", "zxz", "xYz", "XyZ", "yzx"):
        world(f"eulerseq {sequence}", f'<body name="b" euler="20 30 50">{LEG}{box.format(forms["euler"])}</body>',
              f'<compiler eulerseq="{sequence}"/>')


def shapes():
    for kind in ("capsule", "cylinder", "box", "ellipsoid"):
        ends = f'type="{kind}" size="0.05 0.04 0.03" fromto="0.1 0.2 0.3 -0.2 0.1 0.9"'
        article = "an" if kind == "ellipsoid" else "a"
        world(f"fromto of {article} {kind}", f'<body name="b"><joint name="j" axis="1 1 0"/><geom name="g" {ends}/></body>')
        world(f"fromto of {article} {kind} site", f'<body name="b">{LEG}<site name="s" {ends}/></body>')
        world(f"fromto of {article} {kind} from its class", '<body name="b" childclass="c"><joint name="j" axis="1 1 0"/>'
              '<geom name="g"/></body>', f'<default><default class="c"><geom {ends}/></default></default>')
    sizes = {"sphere": "0.1", "capsule": "0.05 0.2", "cylinder": "0.1 0.2", "box": "0.1 0.2 0.3", "ellipsoid": "0.1 0.2 0.3"}
    for kind, size in sizes.items():
        geom = f'<geom name="g" type="{kind}" size="{size}" pos="0.1 0 0.05" euler="10 20 30" {{}}/>'
        body = '<body name="b"><joint name="j" axis="1 1 0"/>{}</body>'
        article = "an" if kind == "ellipsoid" else "a"
        world(f"solid {kind}", body.format(geom.format('density="700"')))
        world(f"{kind} of a mass", body.format(geom.format('mass="1.7"')))
        world(f"shell of {article} {kind}", body.format(geom.format('shellinertia="true"')))
        world(f"shell of {article} {kind} of a mass", body.format(geom.format('shellinertia="true" mass="0.4"')))
    world("geom without mass", f'<body name="b">{LEG}<geom name="g" size="1" mass="0"/></body>')
    world("geom without density", f'<body name="b">{LEG}<geom name="g" size="1" density="0"/></body>')
    world("contact numbers of a geom", f'<body name="b">{LEG}'
          f'<geom name="g" size="0.1" contype="6" conaffinity="9" condim="6" '
          'priority="-2" friction="0.3 0.02 0.003" solmix="2" solref="0.01 0.8" solimp="0.8 0.9 0.002 0.4 3" margin="0.01" '
          'gap="0.004" group="3" rgba="0.1 0.2 0.3 0.4"/></body>')
    world("solref of one number", f'<body name="b">{LEG}<geom name="g" size="0.1" solref="-500 -10" solimp="0.5"/></body>')


def meshes():
    body = '<body name="b"><joint name="j" axis="1 1 0"/><geom name="g" pos="0.1 0.2 0.3" euler="10 20 30" {}/></body>'
    for mode in ("legacy", "exact", "convex", "shell"):
        attribute = f' inertia="{mode}"'
        world(f"mesh inertia {mode}", body.format('type="mesh" mesh="angle"'), f"<asset>{ANGLE.format(attribute)}</asset>")
    for name, text in {"scale": 'scale="1 2 0.5"', "mirror": 'scale="1 -1 1"', "refpos": 'refpos="0.1 0.2 -0.1"',
                       "refquat": 'refquat="0.5 0.1 0.7 0.2"',
                       "refpos and scale": 'scale="2 1 3" refpos="0.1 0.2 -0.1" refquat="0.5 0.1 0.7 0.2"'}.items():
        world(f"mesh with {name}", body.format('type="mesh" mesh="tetra"'), f"<asset>{TETRAHEDRON.format(' ' + text)}</asset>")
    world("scale of meshes from their class", body.format('type="mesh" mesh="tetra"'),
          '<default><mesh scale="0.1 0.2 0.3"/><default class="big"><mesh scale="2 2 2"/></default></default>'
          f"<asset>{TETRAHEDRON.format('')}{ANGLE.format(' class=' + chr(34) + 'big' + chr(34))}</asset>")
    world("mesh of a mass", body.format('type="mesh" mesh="angle" mass="0.7"'), f"<asset>{ANGLE.format('')}</asset>")
    for kind in ("sphere", "capsule", "cylinder", "box", "ellipsoid"):
        fit = f'type="{kind}" mesh="angle"'
        world(f"{kind} fitted to a mesh", body.format(fit), f"<asset>{ANGLE.format('')}</asset>")
        world(f"{kind} fitted to the box of a mesh", body.format(fit),
              f'<compiler fitaabb="true"/><asset>{ANGLE.format("")}</asset>')
        world(f"{kind} fitted to a mesh with fitscale", body.format(fit + ' fitscale="1.3"'),
              f"<asset>{ANGLE.format('')}</asset>")
    builtins = {"sphere": ("0", "2"), "hemisphere": ("1", "4"), "cone": ("5 0.3", "6 0", "4 1"),
                "supersphere": ("6 0.5 1.4", "5 1 1"), "supertorus": ("7 0.3 0.8 1.2",), "wedge": ("3 4 40 30 0", "4 3 50 20 0.5"),
                "plate": ("3 4",), "prism": ()}
    for kind, all_parameters in builtins.items():
        for parameters in all_parameters:
            world(f"built-in {kind} {parameters}", body.format('type="mesh" mesh="m"' + (' contype="0" conaffinity="0"' if kind == "plate" else "")),
                  f'<asset><mesh name="m" builtin="{kind}" params="{parameters}" scale="0.1 0.2 0.3"'
                  f'{" inertia=" + chr(34) + "shell" + chr(34) if kind in ("wedge", "plate") else ""}/></asset>')
    world("height field of numbers", '<geom name="ground" type="hfield" hfield="h" pos="1 2 3"/>' f''
          f'<body name="b">{LEG}</body>',
          '<asset><hfield name="h" nrow="3" ncol="4" size="2 1 0.5 0.1" elevation="0 1 2 3 4 5 6 7 8 9 10 12"/></asset>')
    world("height field that weighs", '<body name="b"><joint name="j" axis="1 1 0"/><geom name="g" type="hfield" hfield="h" pos="3 0 0" '
          'euler="0 0 30"/></body>', '<asset><hfield name="h" nrow="3" ncol="4" size="2 1 0.5 0.1"/></asset>')
    world("height field of zeros", '<geom name="ground" type="hfield" hfield="h"/>' f'<body name="b">{LEG}</body>',
          '<asset><hfield name="h" nrow="3" ncol="4" size="2 1 0.5 0.1"/></asset>')


def inertias():
    two = ('<body name="b"><joint name="j" axis="1 1 0"/><geom name="g" size="0.1" group="1"/>'
           '<geom name="h" type="box" size="0.1 0.2 0.3" pos="0.3 0 0" group="3"/></body>')
    world("inertiagrouprange", two, '<compiler inertiagrouprange="2 4"/>')
    heavy = ('<body name="b"><joint name="j" axis="1 1 0"/><inertial pos="0.1 0.2 0.3" mass="{}" {}/>'
             '<geom name="g" type="box" size="0.1 0.2 0.3"/></body>')
    diagonal, full = 'diaginertia="0.3 0.2 0.4"', 'fullinertia="0.3 0.25 0.4 0.01 -0.02 0.03"'
    world("inertia in full", heavy.format(2, full))
    world("inertiafromgeom true", heavy.format(2, full), '<compiler inertiafromgeom="true"/>')
    world("inertiafromgeom false", heavy.format(2, full), '<compiler inertiafromgeom="false"/>')
    world("boundmass and boundinertia", heavy.format(0.001, 'diaginertia="1e-5 2e-5 2e-5"'),
          '<compiler boundmass="0.01" boundinertia="0.001"/>')
    world("boundinertia of some axes", heavy.format(1, 'diaginertia="0.3 0.29 0.02"'), '<compiler boundinertia="0.1"/>')
    world("boundinertia of a full inertia", heavy.format(2, full), '<compiler boundinertia="0.28"/>')
    world("balanceinertia", heavy.format(1, 'diaginertia="0.1 0.2 0.9"'), '<compiler balanceinertia="true"/>')
    world("balanceinertia of a sound inertia", heavy.format(1, diagonal), '<compiler balanceinertia="true"/>')
    world("settotalmass", two + '<body name="c"><freejoint/><geom size="0.2"/></body>', '<compiler settotalmass="3.5"/>')
    world("settotalmass with given inertias", heavy.format(2, full), '<compiler settotalmass="0.5"/>')
    world("body of several geoms", '<body name="b"><freejoint/><geom size="0.1"/><geom type="box" size="0.1 0.2 0.3" '
          'pos="0.3 0 0.1" euler="0 10 50"/><geom type="cylinder" size="0.1 0.2" pos="0 1 0" mass="3"/></body>')
    world("fixed body with mass", f'<body name="b">{LEG}<body name="c" pos="0.1 0 0"><geom size="0.1"/></body></body>')
    world("static body with mass", f'<body name="s" pos="1 0 0"><geom size="0.1"/>'
          f'<body name="b" pos="0 1 0">{LEG}</body></body>')
    world("body inside without geoms", f'<body name="e"><body name="b" pos="0 1 0">{LEG}</body></body>')


def joints():
    arm = '<body name="b" pos="0 0 1"><geom name="g" type="capsule" size="0.05 0.2" pos="0.1 0 0"/>{}</body>'
    world("three joints of one body", arm.format(
        '<joint name="x" axis="1 0 0" pos="0.1 0 0" ref="20" springref="40" stiffness="3"/>'
        '<joint name="s" type="slide" axis="0 1 1" ref="0.1" springref="0.3" stiffness="5"/>'
        '<joint name="z" axis="0 0 3" pos="0 0.2 0" ref="-10"/>'))
    world("slide then ball", arm.format('<joint name="s" type="slide" axis="0 1 1"/>'
          '<joint name="r" type="ball" pos="0.1 0 0"/>'))
    world("ball with a range", arm.format('<joint name="r" type="ball" range="0 40"/>'))
    world("joint of type free", arm.format('<joint name="f" type="free"/>'))
    world("free joint without a name", arm.format("<freejoint/>"))
    world("springdamper of a hinge", arm.format('<joint name="x" axis="1 0 1" springdamper="0.5 0.7"/>'))
    world("springdamper of a slide", arm.format('<joint name="x" type="slide" axis="1 0 1" springdamper="0.2 1.7"/>'))
    world("springdamper of a ball", arm.format('<joint name="x" type="ball" springdamper="0.5 0.7"/>'))
    world("springdamper in a chain", arm.format('<joint name="x" axis="1 0 1" springdamper="0.5 0.7"/>'
          '<body name="c" pos="0.2 0 0"><joint name="y" axis="0 1 0" springdamper="0.1 1"/>'
          '<geom size="0.1" pos="0.1 0 0"/></body>'))
    world("damping, armature and dry friction", arm.format(''
          '<joint name="x" axis="1 0 1" damping="0.3" armature="0.2" frictionloss="0.4"/>'))
    world("polynomials of stiffness and damping", arm.format(''
          '<joint name="x" axis="1 0 1" stiffness="3 1 2" damping="0.3 0.1"/>'))
    world("range in degrees", arm.format('<joint name="x" axis="1 0 1" range="-30 45" margin="0.1"/>'))
    world("range in radians", arm.format('<joint name="x" axis="1 0 1" range="-0.3 0.45"/>'), '<compiler angle="radian"/>')
    world("range of a slide", arm.format('<joint name="x" type="slide" axis="1 0 1" range="-0.3 0.45"/>'))
    world("range that is switched off", arm.format('<joint name="x" axis="1 0 1" range="-30 45" limited="false"/>'))
    world("autolimits false", arm.format('<joint name="x" axis="1 0 1" range="-30 45" limited="true"/>'), ''
          '<compiler autolimits="false"/>')
    world("empty range", arm.format('<joint name="x" axis="1 0 1" range="0 0"/>'))
    world("force range of a joint", arm.format('<joint name="x" axis="1 0 1" actuatorfrcrange="-3 3"/>'))
    world("lopsided force range of a joint", arm.format('<joint name="x" axis="1 0 1" actuatorfrcrange="-3 5"/>'))
    world("gravity compensation by actuators", arm.format('<joint name="x" axis="1 0 1" actuatorgravcomp="true"/>'))
    world("ellipsoid in a medium", '<body name="b"><freejoint/><geom size="0.1" fluidshape="ellipsoid" '
          'fluidcoef="0.1 0.2 0.3"/></body>', '<option density="1.2"/>')
    world("joint in a frame", arm.format('<frame pos="0.1 0.2 0" euler="0 40 20">'
          '<joint name="x" pos="0.1 0 0" axis="1 0 0"/></frame>'))
    world("free joint in a frame", f'<frame pos="1 2 3" euler="0 40 20">{arm.format("<freejoint/>")}</frame>')
    world("gravcomp", f'<body name="b" gravcomp="0.7">{LEG}</body>')
    world("mocap body", f'<body name="m" mocap="true" pos="1 2 3" euler="10 20 30"><geom size="0.1"/>'
          f'<body name="b">{LEG}</body></body>')
    world("mocap body before others", f'<body name="m" mocap="true"><geom size="0.1"/></body><body name="b">{LEG}</body>')


def classes():
    arm = '<body name="b" {}><joint name="j"/><geom name="g"/><site name="s"/>{}</body>'
    inner = '<body name="c" pos="0.3 0 0" {}><joint name="k"/><geom name="h"/></body>'
    defaults = ('<default><joint axis="0 1 0" damping="0.1"/><geom size="0.1 0.2 0.3"/><site size="0.3"/>'
                '<default class="box"><geom type="box" rgba="1 0 0 1"/><joint armature="0.2"/>'
                '<default class="flat"><geom size="0.4"/><joint axis="1 0 0"/></default></default>'
                '<default class="round"><geom type="ellipsoid"/></default></default>')
    world("outermost class", arm.format("", inner.format("")), defaults)
    world("childclass of a body", arm.format('childclass="box"', inner.format("")), defaults)
    world("class of a class", arm.format('childclass="flat"', inner.format("")), defaults)
    world("childclass inside a childclass", arm.format('childclass="flat"', inner.format('childclass="round"')), defaults)
    world("childclass of a frame", f'<frame childclass="flat">{arm.format("", inner.format(""))}</frame>', defaults)
    world("childclass of a frame in a body", arm.format('childclass="box"', f'<frame childclass="round">{inner.format("")}'
          '<geom name="extra" pos="1 0 0"/></frame>'), defaults)
    world("class of an element", '<body name="b" childclass="round"><joint name="j" class="flat"/>'
          '<geom name="g" class="box" '
          'size="0.5"/></body>', defaults)
    world("orientation over that of a class", '<body name="b"><joint name="j"/><geom name="g" type="box" size="0.1 0.2 0.3" '
          'euler="0 0 40"/></body>', '<default><geom quat="1 1 0 0"/></default>')
    world("defaults after the bodies", arm.format('childclass="box"', ""), "", defaults)
    world("two default sections", arm.format('childclass="more"', ""), defaults + '<default><geom density="500"/>'
          '<default class="more"><geom type="capsule"/></default></default>')
    world("default called main", arm.format("", ""), '<default class="main"><geom size="0.2"/>'
          '<joint axis="1 1 1"/></default>')
    world("partial friction over a class", '<body name="b"><joint name="j"/>'
          '<geom name="g" size="0.1" friction="0.5" solimp="0.8"/></body>',
          '<default><geom friction="0.3 0.2 0.1" solimp="0.7 0.8 0.1 0.4 1"/></default>')


def copies():
    ball = '<geom name="ball" size="0.1" pos="0.3 0 0"/>'
    leg = f'<body name="leg" pos="0.3 0 0" euler="10 0 0">{LEG}</body>'
    world("replicate with offset", f'<replicate count="3" offset="0.5 0 0.1">{leg}</replicate>')
    world("replicate with euler", f'<replicate count="5" euler="0 0 30">{leg}</replicate>')
    world("replicate with offset and euler", f'<replicate count="4" offset="0.5 0 0.1" euler="10 20 30">{leg}</replicate>')
    world("replicate of geoms in a body", f'<body name="b">{LEG}'
          f'<replicate count="4" sep="_" euler="0 0 90">{ball}</replicate></body>')
    world("replicate inside replicate", f'<replicate count="2" offset="0 1 0" euler="90 0 0"><replicate count="2" sep="-" '
          f'offset="1 0 0" euler="0 90 0">{ball}</replicate></replicate><body name="b">{LEG}</body>')
    world("replicate of twelve", f'<replicate count="12" offset="1 0 0">{leg}</replicate>')
    world("replicate with what refers to it", f'<replicate count="3" sep="-" offset="1 0 0">{leg}</replicate>', "",
          '<tendon><fixed name="t"><joint joint="hip" coef="2"/></fixed></tendon>'
          '<actuator><motor name="m" joint="hip" gear="3"/><position name="p" tendon="t" kp="4"/></actuator>'
          '<sensor><jointpos name="s" joint="hip"/></sensor>')
    world("replicate in radians", f'<replicate count="3" euler="0 0.3 0.5">{leg}</replicate>', ''
          '<compiler angle="radian" eulerseq="zyx"/>')
    world("replicate in a frame", f'<frame pos="1 0 0" euler="0 0 90">'
          f'<replicate count="3" offset="1 0 0">{leg}</replicate></frame>')

    child = (f'<compiler angle="radian" eulerseq="zyx"/><default><geom density="300"/><default class="c">'
          f'<joint damping="0.7"/></default></default>'
             f'<worldbody><geom name="base" size="0.3"/><body name="root" pos="0 0 0.3" euler="0.1 0.2 0.3">{LEG}'
             '<body name="shin" pos="0 0 -0.4"><joint name="knee" class="c" range="-1 1" axis="0 1 0"/>'
             '<geom name="calf" type="box" size="0.05 0.06 0.2" pos="0 0 -0.2"/>'
             '<site name="sole" pos="0 0 -0.4"/></body></body>'
             f'<frame name="corner" pos="1 1 0" euler="0 0 0.5"><body name="post" pos="0 0 0.5">'
             f'<joint name="sway" axis="1 0 0"/>'
             '<geom size="0.1" pos="0 0 0.2"/></body></frame></worldbody>'
             '<contact><exclude body1="root" body2="shin"/></contact><actuator>'
             '<position name="p" joint="knee" kp="20" kv="2"/></actuator>'
             '<equality><joint joint1="hip" joint2="knee" polycoef="0 2 0 0 0"/></equality>'
             '<sensor><gyro name="gyro" site="sole"/></sensor>')
    models = '<asset><model name="child" file="child.xml"/></asset>'
    world("attach a body", '<frame pos="0 0 1" euler="0 0 45">'
          '<attach model="child" body="root" prefix="a_"/></frame>', models, child=child)
    world("attach a body twice", '<body name="b"><freejoint/><geom size="0.2"/>'
          '<attach model="child" body="root" prefix="l_"/>'
          '<frame pos="0 1 0" euler="0 0 180"><attach model="child" body="root" prefix="r_"/></frame></body>', models, child=child)
    world("attach a model", '<body name="b"><freejoint/><geom size="0.2"/><frame pos="0 1 0" euler="0 30 0">'
          '<attach model="child" prefix="a_"/>'
          '</frame></body>', models, child=child)
    world("attach a frame", '<body name="b"><freejoint/><geom size="0.2"/>'
          '<attach model="child" frame="corner" prefix="a_"/></body>',
          models, child=child)
    world("attach a model to an attached model", '<attach model="middle" prefix="m_"/>',
          '<asset><model name="middle" file="middle.xml"/></asset>', child=child,
          middle=f'{models}<worldbody><body name="arm" pos="0 0 1"><joint name="turn" axis="0 0 1"/><geom size="0.1"/>'
                 '<attach model="child" body="root" prefix="c_"/></body></worldbody>')
    world("attach a body to its own model", f'<body name="leg" pos="0 1 0" euler="0 10 0">{LEG}</body>'
          f'<frame pos="2 0 0" euler="0 0 90">'
          '<attach body="leg" prefix="copy_"/></frame>', "", '<actuator><motor name="m" joint="hip" gear="5"/></actuator>')
    world("attach a frame to its own model", f'<frame name="place" pos="1 0 0">'
          f'<body name="leg" pos="0 1 0">{LEG}</body></frame>'
          '<frame pos="2 0 0" euler="0 0 90"><attach frame="place" prefix="copy_"/></frame>')
    world("attach a model with keyframes", '<body name="b"><joint name="first" axis="1 0 0" ref="10"/>'
          '<geom size="0.2"/></body>'
          '<frame pos="0 1 0"><attach model="child" prefix="a_"/></frame>'
          '<body name="z"><freejoint name="last"/><geom size="0.2"/></body>', models,
          '<keyframe><key name="own" qpos="0.1 0.2 0.3 0.4 1 2 3 1 0 0 0"/></keyframe>',
          child=child + '<keyframe><key name="bent" time="3" qpos="0.5 0.6 0.7" qvel="1 2 3" ctrl="0.3"/></keyframe>')
    world("attach a body of a model with keyframes", '<attach model="child" body="shin" prefix="a_"/>', models,
          child=child + '<keyframe><key name="bent" time="3" qpos="0.5 0.6 0.7" qvel="1 2 3" ctrl="0.3"/></keyframe>')
    world("attach a model twice with keyframes", '<attach model="child" prefix="a_"/><frame pos="0 2 0">'
          '<attach model="child" prefix="b_"/></frame>',
          models,
          child=child + '<keyframe><key name="bent" qpos="0.5 0.6 0.7" ctrl="0.3"/></keyframe>')
    world("actuators of copies and of others", f'<body name="b"><joint name="o"/><geom size="1"/></body>'
          f'<replicate count="3" offset="1 0 0">{leg}</replicate>',
          "", '<actuator><motor name="a" joint="o"/><motor name="m" joint="hip"/><motor name="b" joint="o"/>'
          '<motor name="n" joint="hip"/></actuator>')
    world("attach and replicate", '<replicate count="2" offset="0 1 0">'
          '<attach model="child" body="root" prefix="a_"/></replicate>',
          models, child=child)
    world("include", '<include file="part.xml"/>', "", part=f'<body name="b">{LEG}</body>')
    tetra = "v 0 0 0\nv 0.3 0 0\nv 0 0.2 0\nv 0 0 0.4\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    for name, file in (("beside it", "sub/meshes/tetra.obj"), ("beside the main file", "meshes/tetra.obj")):
        world(f"mesh of an included file {name}", '<body name="b"><joint/><geom name="g" type="mesh" mesh="tetra"/></body>',
              '<include file="sub/part.xml"/>')
        SNIPPETS[f"mesh of an included file {name}"]["sub/part.xml"] = '<mujoco><asset><mesh name="tetra" file="meshes/tetra.obj"/></asset></mujoco>'
        SNIPPETS[f"mesh of an included file {name}"][file] = tetra


def left_empty():
    """Attributes without a value count as absent, ranges 0 0 as none, and keyframes may be short."""
    world("empty attributes", '<body name="b" pos="" quat=""><joint name="j" axis="" range="" damping="" ref="" stiffness=""/>'
          '<geom name="g" type="box" size="0.1 0.2 0.3" rgba="" pos=" " friction="" mass="" material="" contype=""/></body>',
          '<default><geom rgba="1 0 0 1"/></default>', '<actuator><position joint="j" ctrlrange="" gear="" kp=""/></actuator>')
    for name, range in (("0 0", "0 0"), ("that is empty", "1 1"), ("in the wrong order", "2 1")):
        world(f"range {name}", f'<body name="b"><joint name="j" range="{range}" actuatorfrcrange="{range}"/>{GEOM}</body>', "",
              f'<actuator><motor joint="j" ctrlrange="{range}" forcerange="{range}"/></actuator>')
    world("range 0 0 without automatic limits", f'<body name="b"><joint name="j" range="0 0"/>{GEOM}</body>', '<compiler autolimits="false"/>')
    world("range 2 1 that does not limit", f'<body name="b"><joint name="j" range="2 1" limited="false"/>{GEOM}</body>')
    world("replicate with a prefix", f'<replicate count="3" offset="0 1 0" prefix="p_" sep="-"><body name="b"><joint name="j"/>{GEOM}</body></replicate>', "",
          '<actuator><motor name="m" joint="j"/></actuator>')
    for name, numbers in (("qpos", 'qpos="0.1 0.2 0.3"'), ("qpos within a quaternion", 'qpos="0.1 0.2 0.3 0.5 0.5"'), ("qvel", 'qvel="1 2"'),
                          ("ctrl", 'ctrl="0.1"'), ("nothing", 'qpos="" ctrl=""'), ("a place", 'qpos="0.1 0.2 0.3 0.5 0.5 0.5 0.5 1 2"')):
        machine(f"keyframe with few numbers: {name}", '<actuator><motor joint="elbow"/><motor joint="stretch"/></actuator>'
                f'<keyframe><key name="k" {numbers}/></keyframe>')


def equalities():
    for name, text in {
            "connect": '<connect body1="hand" body2="thing" anchor="0.1 0.2 0.3"/>',
            "connect to the world": '<connect name="e" body1="hand" anchor="0.1 0.2 0.3" solref="0.01 0.9" solimp="0.8 0.9 0.01"/>',
            "connect sites": '<connect site1="palm" site2="out"/>',
            "weld": '<weld body1="hand" body2="thing"/>',
            "weld to the world": '<weld body1="thing" torquescale="0.4"/>',
            "weld with an anchor": '<weld body1="hand" body2="thing" anchor="0.1 0.2 0.3" torquescale="2"/>',
            "weld with a pose": '<weld body1="hand" body2="thing" relpose="0.1 0.2 0.3 0.5 0.5 -0.5 0.5" active="false"/>',
            "weld sites": '<weld site1="palm" site2="out" torquescale="3"/>',
            "joint equality": '<joint joint1="elbow" joint2="shoulder" polycoef="0.1 0.5 0.2 0 0"/>',
            "joint equality to a constant": '<joint joint1="stretch" polycoef="0.1 0 0 0 0"/>',
    }.items():
        machine(f"equality: {name}", f"<equality>{text}</equality>")
    tendons = ('<tendon><fixed name="t"><joint joint="elbow" coef="2"/></fixed><spatial name="u"><site site="palm"/>'
          '<site site="out"/></spatial></tendon>')
    machine("equality: tendons", tendons + '<equality><tendon tendon1="t" tendon2="u" polycoef="0.1 2 0 0 0"/></equality>')
    machine("equality: tendon to a constant", tendons + '<equality><tendon tendon1="u" polycoef="0.1 0 0 0 0"/></equality>')
    machine("equality: class", '<equality><connect class="c" body1="hand" anchor="0 0 0"/><weld body1="thing"/></equality>',
            '<default><equality solref="0.1 0.8"/><default class="c">'
            '<equality solimp="0.5 0.6 0.1" active="false"/></default></default>')


def tendons():
    for name, text in {
            "fixed": '<fixed name="t" range="-1 2" stiffness="3" damping="0.4" frictionloss="0.2" margin="0.1">'
            '<joint joint="elbow" coef="2"/>'
                     '<joint joint="stretch" coef="-3"/></fixed>',
            "spatial": '<spatial name="t" range="0 1" width="0.01"><site site="ceiling"/><site site="out"/>'
            '<site site="palm"/></spatial>',
            "around a sphere": '<spatial name="t"><site site="ceiling"/><geom geom="ball"/><site site="palm"/></spatial>',
            "around a cylinder": '<spatial name="t"><site site="ceiling"/><geom geom="drum" sidesite="out"/>'
            '<site site="wrist"/></spatial>',
            "over pulleys": '<spatial name="t"><site site="ceiling"/><site site="out"/><pulley divisor="2"/>'
            '<site site="out"/><site site="wrist"/>'
                            '<pulley divisor="3"/><site site="out"/><site site="palm"/></spatial>',
            "spring length": '<spatial name="t" springlength="0.3" stiffness="5"><site site="ceiling"/>'
            '<site site="palm"/></spatial>',
            "slack spring": '<spatial name="t" springlength="0.3 0.6" stiffness="5"><site site="ceiling"/>'
            '<site site="palm"/></spatial>',
            "polynomials": '<spatial name="t" stiffness="5 2 1" damping="1 0.5"><site site="ceiling"/>'
            '<site site="palm"/></spatial>',
            "armature": '<spatial name="t" armature="0.3"><site site="ceiling"/><site site="palm"/></spatial>',
            "force range": '<fixed name="t" actuatorfrcrange="-3 4"><joint joint="elbow" coef="2"/></fixed>',
            "limits": '<fixed name="t" range="-3 4" solreflimit="0.01 0.7" solimplimit="0.8 0.9 0.1" solreffriction="0.04 1.1"><joint joint="elbow" coef="2"/></fixed>',
    }.items():
        machine(f"tendon: {name}", f"<tendon>{text}</tendon>")
    machine("tendon: class", '<tendon><fixed name="t" class="c"><joint joint="elbow" coef="2"/></fixed>'
          '<fixed name="u"><joint joint="elbow" coef="1"/></fixed></tendon>',
            '<default><tendon stiffness="3" width="0.02"/><default class="c">'
            '<tendon damping="0.7" range="-1 1"/></default></default>')


def actuators():
    tendon = ('<tendon><fixed name="t"><joint joint="elbow" coef="2"/></fixed><spatial name="u" range="0.1 2">'
          '<site site="ceiling"/><site site="palm"/></spatial></tendon>')
    for name, text in {
            "motor": '<motor joint="elbow" gear="3" ctrlrange="-1 2" forcerange="-5 6" group="2"/>',
            "motor on a tendon": '<motor tendon="u" gear="-2"/>',
            "motor on a site": '<motor site="palm" gear="1 2 3 0.1 0.2 0.3"/>',
            "motor between sites": '<motor site="palm" refsite="wrist" gear="0 0 1 0 0 1"/>',
            "motor on a ball": '<motor joint="round" gear="0.3 0.4 -0.2"/>',
            "motor in the parent": '<motor jointinparent="round" gear="0.3 0.4 -0.2"/>',
            "motor on a free joint": '<motor joint="thing" gear="1 2 3 4 5 6"/>',
            "slider and crank": '<general cranksite="wrist" slidersite="slider" cranklength="1.2" gear="2"/>',
            "motor with a rotor": '<motor joint="elbow" gear="3" armature="0.01" damping="0.02"/>',
            "position": '<position joint="elbow" kp="30" kv="3" ctrlrange="-1 1"/>',
            "position without numbers": '<position joint="elbow"/>',
            "position with timeconst": '<position joint="elbow" kp="30" timeconst="0.2"/>',
            "position with dampratio": '<position joint="elbow" kp="30" dampratio="0.8"/>',
            "position with gear and dampratio": '<position joint="shoulder" gear="3" kp="30" dampratio="1" armature="0.02"/>',
            "dampratio on a tendon": '<position tendon="u" kp="30" dampratio="0.8"/>',
            "dampratio on a fixed tendon": '<position tendon="t" kp="30" dampratio="0.8" gear="2"/>',
            "dampratio on a site": '<position site="palm" refsite="ceiling" gear="1 0 2 0 0 0" kp="30" dampratio="0.8"/>',
            "dampratio of a crank": '<position cranksite="wrist" slidersite="slider" cranklength="1.2" gear="2" kp="5" dampratio="1.2"/>',
            "dampratio on a ball": '<position joint="round" gear="1 2 0" kp="5" dampratio="1.2"/>',
            "dampratio on a free joint": '<position joint="thing" gear="1 2 0 0 1 0" kp="5" dampratio="1.2"/>',
            "position with inheritrange": '<position joint="shoulder" kp="30" inheritrange="0.8"/>',
            "position on a tendon with inheritrange": '<position tendon="u" kp="30" inheritrange="1"/>',
            "velocity": '<velocity joint="elbow" kv="3"/>',
            "intvelocity": '<intvelocity joint="shoulder" kp="30" kv="2" actrange="-1 1"/>',
            "intvelocity with inheritrange": '<intvelocity joint="shoulder" kp="30" inheritrange="1"/>',
            "intvelocity with dampratio": '<intvelocity joint="shoulder" kp="30" dampratio="1" actrange="-1 1"/>',
            "damper": '<damper joint="elbow" kv="2" ctrlrange="0 3"/>',
            "cylinder": '<cylinder joint="stretch" timeconst="0.4" area="0.2" bias="1 2 3"/>',
            "cylinder with diameter": '<cylinder joint="stretch" diameter="0.3"/>',
            "muscle": '<muscle tendon="u" timeconst="0.02 0.05" tausmooth="0.1" range="0.7 1.1" force="30" scale="300" lmin="0.4" '
                      'lmax="1.7" vmax="2" fpmax="1.4" fvmax="1.1" lengthrange="0.1 2"/>',
            "muscle without numbers": '<muscle tendon="u" lengthrange="0.1 2"/>',
            "muscle with force from scale": '<muscle tendon="u" scale="500" lengthrange="0.1 2"/>',
            "adhesion": '<adhesion body="hand" gain="4" ctrlrange="0 2"/>',
            "pid": '<pid joint="elbow" kp="30" kv="2" ki="0.5" imax="3"/>',
            "pid with slewmax": '<pid joint="elbow" kp="30" kv="2" slewmax="4"/>',
            "pid with inputs": '<pid joint="elbow" kp="30" kv="2" ki="1" input="pos vel ff"/>',
            "pid with dampratio": '<pid joint="elbow" kp="30" dampratio="0.7"/>',
            "orientation": '<orientation joint="round" kp="20" kv="2"/>',
            "orientation of a site": '<orientation site="palm" refsite="ceiling" kp="20" kv="2"/>',
            "orientation with dampratio": '<orientation joint="round" kp="20" dampratio="1"/>',
            "dcmotor of constants": '<dcmotor joint="elbow" resistance="2" motorconst="0.05 0.06"/>',
            "dcmotor of one constant": '<dcmotor joint="elbow" resistance="2" motorconst="0.05"/>',
            "dcmotor of nominal values": '<dcmotor joint="elbow" nominal="24 3 500" gear="10"/>',
            "dcmotor with inductance": '<dcmotor joint="elbow" nominal="24 3 500" inductance="0.001"/>',
            "dcmotor with a time constant": '<dcmotor joint="elbow" nominal="24 3 500" inductance="0 0.02"/>',
            "dcmotor with saturation": '<dcmotor joint="elbow" nominal="24 3 500" saturation="2"/>',
            "dcmotor with current limits": '<dcmotor joint="elbow" nominal="24 3 500" inductance="0.001" saturation="0 5 100"/>',
            "dcmotor with cogging": '<dcmotor joint="elbow" nominal="24 3 500" cogging="0.1 7 0.3"/>',
            "dcmotor with friction": '<dcmotor joint="elbow" nominal="24 3 500" lugre="100 2 0.1 0.2 0.3"/>',
            "dcmotor with heat": '<dcmotor joint="elbow" nominal="24 3 500" thermal="3 20 0 0.004 25 20"/>',
            "dcmotor with a controller": '<dcmotor joint="elbow" nominal="24 3 500" input="pos" controller="3 1 0.5 2 4 20"/>',
            "dcmotor with all": '<dcmotor joint="elbow" nominal="24 3 500" inductance="0.001" saturation="2 0 50" cogging="0.1 7 0.3" '
                                'lugre="100 2 0.1 0.2 0.3" thermal="3 0 60 0.004 25 20" input="pos vel ff" controller="3 1 0.5 2 4 20"/>',
            "general affine": '<general joint="elbow" gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="4 5 6" '
                              'dyntype="filter" dynprm="0.3" actlimited="true" actrange="-1 1" actearly="true"/>',
            "general integrator": '<general joint="elbow" dyntype="integrator" gainprm="3"/>',
            "general filterexact": '<general joint="elbow" dyntype="filterexact" dynprm="0.2" gainprm="3"/>',
            "general muscle": '<general tendon="u" dyntype="muscle" gaintype="muscle" biastype="muscle" dynprm="0.01 0.04" '
                              'gainprm="0.75 1.05 -1 200 0.5 1.6 1.5 1.3 1.2" biasprm="0.75 1.05 -1 200 0.5 1.6 1.5 1.3 1.2" lengthrange="0.1 2"/>',
            "general user": '<general joint="elbow" dyntype="user" gaintype="user" biastype="user" gainprm="1 2 3 4 5 6 7 8 9 10"/>',
            "ctrllimited false": '<motor joint="elbow" ctrlrange="-1 1" ctrllimited="false"/>',
            "delay": '<motor joint="elbow" delay="0.01" nsample="5"/>',
    }.items():
        machine(f"actuator: {name}", f"{tendon}<actuator>{text}</actuator>")
    for name, defaults, text in (
            ("class of motors", '<motor ctrlrange="-1 1" gear="5"/>', '<motor joint="elbow"/>'),
            ("class of positions", '<position kp="50" kv="3"/>', '<position joint="elbow"/>'),
            ("kp over a class", '<position kp="50" kv="3" forcerange="-3 3"/>', '<position joint="elbow" kp="20"/>'),
            ("dampratio of a class", '<position kp="50" dampratio="1"/>', '<position joint="elbow"/>'),
            ("kv over dampratio", '<position kp="50" dampratio="1"/>', '<position joint="elbow" kv="3"/>'),
            ("general of a class of positions", '<position kp="50" kv="3" ctrlrange="-1 1"/>', '<general joint="elbow"/>'),
            ("general of a class of general", '<general biastype="affine" gainprm="9" biasprm="0 -9 -1"/>', ''
            '<general joint="elbow" gainprm="7"/>'),
            ("motor of a class of general", '<general gear="2" ctrlrange="-3 3" forcerange="-4 4"/>', ''
            '<motor joint="elbow"/>'),
            ("class of muscles", '<muscle force="30" range="0.7 1"/>', ''
            '<muscle tendon="u" lmin="0.4" lengthrange="0.1 2"/>'),
            ("class of dcmotors", '<dcmotor nominal="24 3 500" saturation="2"/>', '<dcmotor joint="elbow"/>'),
            ("class of adhesion", '<adhesion gain="7" ctrlrange="0 1"/>', '<adhesion body="hand"/>'),
            ("dampratio in a general servo", "", '<general joint="elbow" gainprm="100" biastype="affine" biasprm="0 -100 1"/>'),
            ("dcmotor of torque constant and nominal values", "", ''
            '<dcmotor joint="elbow" motorconst="0.1" nominal="24 3 500"/>'),
            ("position of a class of general", '<general gainprm="9" biasprm="0 -9 -1"/>', '<position joint="elbow"/>')):
        machine(f"actuator: {name}", f"{tendon}<actuator>{text}</actuator>", f"<default>{defaults}</default>")


def others():
    machine("pair", '<contact><pair geom1="ball" geom2="floor"/></contact>')
    machine("pair of equal priority", '<contact><pair name="p" geom1="rod" geom2="floor"/></contact>')
    machine("pair with numbers", '<contact><pair geom1="rod" geom2="floor" condim="4" friction="0.5 0.6 0.01" solref="0.01 0.7" '
            'solreffriction="0.02 0.8" solimp="0.7 0.8 0.01" margin="0.01" gap="0.005"/></contact>')
    machine("pair of a class", '<contact><pair class="c" geom1="rod" geom2="floor"/></contact>',
            '<default><pair friction="0.4"/><default class="c"><pair condim="6"/></default></default>')
    machine("exclude", '<contact><exclude name="x" body1="upper" body2="hand"/>'
          '<exclude body1="world" body2="thing"/></contact>')
    machine("keyframe", '<actuator><motor joint="elbow"/><cylinder joint="stretch"/></actuator>'
            '<keyframe><key name="k" time="2" qpos="0.1 0.2 0.3 0.5 0.5 0.5 0.5 1 2 3 0.1 0.2 0.3 0.4" '
            'qvel="1 2 3 4 5 6 7 8 9 10 11 12" ctrl="0.1 0.2" act="0.3"/><key time="3"/></keyframe>')
    world("keyframe with mocap", f'<body name="m" mocap="true" pos="1 2 3"><geom size="0.1"/></body>'
          f'<body name="b">{LEG}</body>'
          '<body name="n" mocap="true" pos="1 2 5" euler="10 20 30"><geom size="0.1"/></body>', "",
          '<keyframe><key name="k" qpos="0.3" mpos="1 2 3 4 5 6" mquat="1 0 0 0 0 2 0 0"/></keyframe>')
    for name, text in {"gravity": '<option gravity="1 2 3"/>', "no gravity": '<option><flag gravity="disable"/></option>',
                       "many": '<option timestep="0.01" integrator="implicitfast" cone="elliptic" solver="CG" iterations="7" '
                               'tolerance="1e-5" impratio="3" density="1.2" viscosity="2e-5" wind="1 2 3" magnetic="1 0 2"/>',
                       "two sections": '<option timestep="0.01"/><option gravity="0 0 -1"/>'}.items():
        machine(f"option: {name}", "", text)
    machine("sensors", '<sensor><gyro name="a" site="palm"/><jointpos name="b" joint="elbow" noise="0.1" cutoff="3"/>'
            '<framepos name="c" objtype="body" objname="hand" reftype="site" refname="out"/>'
            '<subtreecom name="d" body="upper"/>'
            '<clock name="e"/><distance name="f" geom1="rod" geom2="floor" cutoff="1"/>'
            '<rangefinder name="g" site="palm"/></sensor>')
    machine("custom", '<custom><numeric name="n" size="5" data="1 2"/><text name="t" data="words"/>'
            '<tuple name="u"><element objtype="body" objname="hand" prm="3"/></tuple></custom>')
    world("alignfree", '<body name="b" pos="1 2 3" euler="10 20 30"><freejoint/>'
          '<geom type="box" size="0.1 0.2 0.3" pos="0.3 0 0" '
          'euler="30 0 0"/></body>', '<compiler alignfree="true"/>')
    world("align of a free joint", '<body name="b" pos="1 2 3"><freejoint align="true"/><geom type="box" size="0.1 0.2 0.3" '
          'pos="0.3 0 0" euler="30 0 0"/><site name="s" pos="0.1 0 0"/></body>')
    world("align does not reach bodies with children", '<body name="b" pos="1 2 3"><freejoint align="true"/>'
          '<geom size="0.1" '
          f'pos="0.3 0 0"/><body name="c">{LEG}</body></body>')
    world("cameras and lights", f'<light name="l" pos="1 2 3" dir="1 0 -1" directional="true"/><body name="b">{LEG}'
          '<camera name="c" fovy="60" mode="trackcom"/><frame euler="0 90 0" pos="1 0 0">'
          '<light name="m" pos="0 0 1"/></frame></body>')


def at_the_edges():
    """What MuJoCo loads though it says little: no copies, ends at infinity, limits of joints that have none, short keyframes."""
    sliding = '<body name="b"><joint name="x" {} {}/><geom name="g" size="0.1" pos="0.1 0 0"/></body>'
    for kind in ("hinge", "slide"):
        world(f"range of a {kind} without ends", sliding.format(f'type="{kind}" axis="0 1 0"', 'range="-inf inf"'))
    world("range of a tendon without ends", sliding.format('type="slide"', ""), "", '<tendon><fixed name="t" range="-inf inf">'
          '<joint joint="x" coef="1"/></fixed></tendon>')
    world("controls without ends", sliding.format('type="slide"', ""), "", '<actuator><motor name="m" joint="x" '
          'ctrlrange="-inf inf"/></actuator>')
    for text in ('range="1 -1"', 'range="-1 1"', 'actuatorfrcrange="1 -1"'):
        world(f"free joint with {text.replace(chr(34), '')} and without autolimits",
              sliding.format('type="free"', text), '<compiler autolimits="false"/>')
    leg = f'<body name="leg" pos="0.3 0 0">{LEG}</body><body name="c"><joint name="k"/><geom size="0.1" pos="0.1 0 0"/></body>'
    world("replicate of none", f'<body name="b"><joint/><geom size="0.1" pos="0 0.1 0"/></body><replicate count="0">{leg}'
          '</replicate>', "", '<sensor><jointpos name="s" joint="hip"/></sensor><actuator><motor joint="hip"/></actuator>')
    world("replicate of none in a replicate", f'<replicate count="2" offset="1 0 0">{leg}<replicate count="0">'
          '<geom name="x" size="1"/></replicate></replicate>')
    mocap = ('<body name="m" mocap="true" pos="1 2 3" euler="10 20 30"><geom size="0.1"/></body>'
             f'<body name="n" mocap="true" pos="4 5 6"><geom size="0.1"/></body><body name="b">{LEG}</body>')
    for text in ('mpos="7"', 'mpos="7 8 9 1"', 'mquat="1 0"', 'mquat="0 1 0 0 1"', 'mpos="" mquat=""'):
        world(f"keyframe with {text.replace(chr(34), '')}", mocap, "", f'<keyframe><key name="k" {text}/></keyframe>')
    tetrahedron = "v 0 0 0\nv 0.3 0 0\nv 0 0.2 0\nv 0 0 0.4\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    meshed = '<body name="b"><joint name="j" axis="1 1 0"/><geom name="g" type="mesh" mesh="m"/></body>'
    for name, compiler, file, place in (
            ("backslashes in a path", "", "parts\\far\\m.obj", "parts/far/m.obj"),
            ("backslashes in meshdir", '<compiler meshdir="parts\\far"/>', "m.obj", "parts/far/m.obj"),
            ("strippath of backslashes", '<compiler strippath="true"/>', "C:\\parts\\m.obj", "m.obj"),
            ("strippath with meshdir", '<compiler strippath="true" meshdir="parts"/>', "../../far/m.obj", "parts/m.obj"),
            ("meshdir over assetdir", '<compiler assetdir="wrong" meshdir="right"/>', "m.obj", "right/m.obj"),
            ("empty meshdir", '<compiler meshdir="" texturedir=""/>', "m.obj", "m.obj")):
        world(name, meshed, compiler + f'<asset><mesh file="{file}"/></asset>')
        SNIPPETS[name][place] = tetrahedron
    rod = '<geom name="g" type="capsule" size="0.05" fromto="0.1 0 0 0.4 0.1 0" {}/>'
    for text in ('quat="0 1 0 0"', 'euler="10 20 30"'):
        world(f"fromto with {text.replace(chr(34), '')}", f'<body name="b"><joint name="j" axis="1 1 0"/>{rod.format(text)}'
              f'<site name="s" type="capsule" size="0.01" fromto="0 0 0 0.1 0.2 0" {text}/></body>')
    world("inertia in a frame", '<body name="b"><joint name="j" axis="1 1 0"/><frame pos="0.1 0.2 0" euler="10 0 40"><frame euler="0 30 0">'
          '<inertial pos="0.1 0.2 0.3" mass="2" diaginertia="0.3 0.2 0.4" euler="20 0 0"/></frame></frame><geom name="g" size="1"/></body>')
    world("attributes of a frame that nobody knows", f'<frame pos="0.1 0 0" size="3" mocap="true"><body name="b">{LEG}</body></frame>'
          f'<replicate count="2" pos="1 0 0" offset="0 1 0"><body name="c">{LEG.replace("hip", "knee").replace("thigh", "shank")}</body></replicate>')
    world("childclass of a replicate", '<replicate count="2" childclass="c" offset="1 0 0"><body name="b"><joint name="j" axis="1 1 0"/>'
          '<geom name="g"/></body></replicate>', '<default><geom size="1"/><default class="c"><geom type="box" size="0.1 0.2 0.3"/>'
          '</default></default>')
    world("numbers for display that MuJoCo does not look at", f'<body name="b">{LEG}</body>', '<statistic meansize="0" meanmass="-1"/>'
          '<visual><map zfar="0"/></visual>', '<custom><text name="t" data=" "/></custom>')
    machine("actuator on a joint and a tendon", '<tendon><fixed name="t"><joint joint="elbow" coef="2"/></fixed></tendon>'
            '<actuator><motor joint="shoulder" tendon="t" gear="3"/></actuator>')
    world("classes of an attached model", '<attach model="child" body="leg" prefix="p_"/><body name="b" childclass="p_fat">'
          '<joint name="j" axis="1 1 0"/><geom name="g"/></body>', '<asset><model name="child" file="child.xml"/></asset>',
          child='<default><default class="fat"><geom type="box" size="0.1 0.2 0.3"/><joint damping="3"/></default></default>'
          f'<worldbody><body name="leg" pos="1 0 0">{LEG}</body></worldbody>')
    world("height field of another ending", '<geom name="ground" type="hfield" hfield="h"/>' f'<body name="b">{LEG}</body>',
          '<asset><hfield name="h" file="h.dat" content_type="image/png" size="2 1 0.5 0.1"/></asset>')
    SNIPPETS["height field of another ending"]["h.dat"] = grey_picture(4, 3)
    world("attach without a prefix", '<body name="a"><joint/><geom size="0.1" pos="0.1 0 0"/></body>'
          '<attach model="child" body="leg" prefix=""/>', '<asset><model name="child" file="child.xml"/></asset>',
          child=f'<worldbody><body name="leg" pos="1 0 0">{LEG}</body></worldbody>')


for topic in (orientations, shapes, meshes, inertias, joints, classes, copies, left_empty, equalities, tendons, actuators, others,
              at_the_edges):
    topic()
