"""Files that no simulator should accept, by category: what broken_files_test.py gives to the command line.

Every category is a function that makes its files in a folder and returns a list of Broken. As long as there are ways to
break a file: one list.
"""

import dataclasses
import os
import pathlib
import struct
import zlib


@dataclasses.dataclass
class Broken:
    name: str
    file: pathlib.Path
    place: str = ""  # how the message begins; FILE:LINE of the file itself unless said otherwise
    word: str = ""  # a part of the message
    has_line: bool = True


CATEGORIES = []


def category(function):
    CATEGORIES.append(function)
    return function


MASS = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"


def mjcf(inside, attributes=""):
    return "<mujoco%s>\n%s\n</mujoco>\n" % (attributes, inside)


def world(inside):
    return mjcf("<worldbody>\n%s\n</worldbody>" % inside)


def body(inside, after=""):
    return mjcf("<worldbody>\n<body name='b'><geom name='g' size='1'/>\n%s</body>\n</worldbody>\n%s" % (inside, after))


def urdf(inside):
    return "<robot name='r'>\n%s\n</robot>\n" % inside


def links(inside=""):
    return urdf("<link name='a'>%s</link>\n<link name='b'>%s</link>\n%s" % (MASS, MASS, inside))


def joint(inside="", kind="continuous", name="j", parent="a", child="b"):
    return "<joint name='%s' type='%s'><parent link='%s'/><child link='%s'/>%s</joint>" % (name, kind, parent, child, inside)


def link(inside):
    return urdf("<link name='a'>%s</link>" % inside)


def inertial(mass, moments="ixx='1' iyy='1' izz='1'"):
    return link("<inertial><mass value='%s'/><inertia %s/></inertial>" % (mass, moments))


def collision(shape):
    return link("<collision><geometry>%s</geometry></collision>" % shape)


GOOD_MJCF = body("<joint name='j'/>")
GOOD_URDF = links(joint())


class Folder:
    """Writes files and lists them."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.list = []

    def write(self, name, content):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def add(self, name, content, word="", **others):
        self.list.append(Broken(name, self.write(name, content), word=word, **others))

    def add_mjcf(self, table):
        for name, content, word in table:
            self.add("mjcf_%s.xml" % name, content, word)

    def add_urdf(self, table):
        for name, content, word in table:
            self.add("urdf_%s.urdf" % name, content, word)


@category
def not_a_readable_file(folder):
    os.mkdir(folder.path / "folder.xml")
    os.symlink("loop.urdf", folder.path / "loop.urdf")
    os.symlink("b.xml", folder.path / "a.xml")
    os.symlink("a.xml", folder.path / "b.xml")
    os.mkfifo(folder.path / "pipe.xml")
    for name in ("folder.xml", "loop.urdf", "a.xml", "pipe.xml", "missing.xml", "missing.urdf", "missing.json"):
        folder.list.append(Broken(name, folder.path / name, has_line=False))
    folder.list.append(Broken("device.xml", pathlib.Path("/dev/null"), has_line=False))
    if os.geteuid() != 0:  # root reads everything
        folder.add("forbidden.xml", GOOD_MJCF, has_line=False)
        os.chmod(folder.path / "forbidden.xml", 0)


@category
def empty_or_large(folder):
    for ending in ("xml", "urdf"):
        folder.add("empty." + ending, "", "root element")
        folder.add("spaces." + ending, " " * 1000, "root element")
        folder.add("comment." + ending, "<!-- nothing -->\n", "root element")
    folder.add("spaces_50_mb.xml", b" " * 50_000_000, "root element")
    folder.add("newlines_50_mb.urdf", b"\n" * 50_000_000, "root element")
    folder.add("larger_than_allowed.xml", b"<mujoco>" + b" " * 80_000_000 + b"</mujoco>", "more than")
    folder.add("empty.json", "", "parse error")


@category
def truncated(folder):
    for name, text in (("mjcf.xml", GOOD_MJCF), ("urdf.urdf", GOOD_URDF)):
        for part in (0.1, 0.3, 0.5, 0.7, 0.9):
            folder.add("%d_%s" % (100 * part, name), text[:int(len(text) * part)], "not well-formed")
    folder.add("model.json", '{"format": "stiction_model", "version": 1, "name": "x", "gra', "parse error")


@category
def other_encodings(folder):
    for name, text in (("mjcf.xml", GOOD_MJCF), ("urdf.urdf", GOOD_URDF)):
        folder.add("utf16le_" + name, b"\xff\xfe" + text.encode("utf-16-le"), "UTF-8")
        folder.add("utf16be_" + name, b"\xfe\xff" + text.encode("utf-16-be"), "UTF-8")
        folder.add("utf32_" + name, text.encode("utf-32"), "UTF-8")
        folder.add("latin1_" + name, text.replace("name='", "name='\u00e9").encode("latin-1"), "UTF-8")
        folder.add("nul_bytes_" + name, text.replace(">\n", ">\0\n", 1).encode(), "UTF-8")
        folder.add("two_marks_" + name, b"\xef\xbb\xbf\xef\xbb\xbf" + text.encode())


@category
def binary_garbage(folder):
    noise = bytes((i * 7919 + i * i // 13) % 256 for i in range(4096))
    for ending in ("xml", "urdf"):
        folder.add("noise." + ending, noise, "UTF-8")
        folder.add("elf." + ending, b"\x7fELF\x02\x01\x01\0" + noise, "UTF-8")
        folder.add("noise_behind." + ending, (GOOD_MJCF if ending == "xml" else GOOD_URDF).encode() + noise, "UTF-8")
    folder.add("noise.json", noise, "parse error")


@category
def not_well_formed(folder):
    folder.add_mjcf([
        ("mismatched_tags", "<mujoco>\n<worldbody></wordbody></mujoco>", "not well-formed"),
        ("no_quotes", "<mujoco model=m/>", "not well-formed"),
        ("attribute_twice", world("<geom size='1' size='2'/>"), "given twice"),
        ("two_roots", "<mujoco/>\n<mujoco/>", "second root"),
        ("text_outside", "<mujoco/>\nhello", "text outside"),
        ("plain_text", "hello", ""),
        ("other_root", "<sdf/>", "root"),
    ])
    folder.add_urdf([
        ("mismatched_tags", "<robot name='r'>\n<link name='a'></lnk></robot>", "not well-formed"),
        ("no_quotes", "<robot name=r/>", "not well-formed"),
        ("attribute_twice", urdf("<link name='a' name='b'/>"), "given twice"),
        ("two_roots", "<robot name='r'/>\n<robot name='s'/>", "second root"),
        ("unknown_entity", "<robot name='&who;'/>", "&who"),
        ("bad_character", "<robot name='&#0;'/>", "&#0"),
    ])


@category
def bombs(folder):
    entities = "<!DOCTYPE r [<!ENTITY a0 'aaaaaaaaaa'>%s]>\n" % "".join(
        "<!ENTITY a%d '%s'>" % (i + 1, "&a%d;" % i * 10) for i in range(9))
    nested = "<body>" * 1_000_000 + "</body>" * 1_000_000
    folder.add_mjcf([
        ("entities", entities + "<mujoco model='&a9;'/>", "document type"),
        ("external_entity", "<!DOCTYPE m SYSTEM 'file:///etc/passwd'>\n<mujoco/>", "document type"),
        ("nested_million", "<mujoco><worldbody>%s</worldbody></mujoco>" % nested, "nested"),
        ("nested_defaults", mjcf("<default>" * 100_000 + "</default>" * 100_000), "nested"),
        ("nested_and_open", "<a>" * 1_000_000, ""),
        ("replicate_1e9", world("<replicate count='1000000000'><geom size='1'/></replicate>"), "count"),
        ("replicate_squared", world("<replicate count='9999'><replicate count='9999'><geom size='1'/></replicate></replicate>"),
         "more than"),
        ("replicate_deep", world("<replicate count='10'>" * 12 + "<geom size='1'/>" + "</replicate>" * 12), "more than"),
        ("hfield_1e9", mjcf("<asset><hfield name='h' size='1 1 1 1' nrow='1000000000' ncol='1000000000'/></asset>\n"
                            "<worldbody><geom type='hfield' hfield='h'/></worldbody>"), "nrow"),
        ("million_attributes", "<mujoco %s/>" % " ".join("a%d='1'" % i for i in range(200_000)), "not known"),
        ("long_name", mjcf("<worldbody><geom size='1' material='%s'/></worldbody><%s/>" % ("m" * 1000, "x" * 1_000_000)), ""),
    ])
    folder.add_urdf([
        ("entities", entities + "<robot name='&a9;'/>", "document type"),
        ("nested_million", urdf("<a>" * 1_000_000 + "</a>" * 1_000_000), "nested"),
        ("nested_in_gazebo", urdf("<link name='a'/><gazebo>" + "<a>" * 100_000 + "</a>" * 100_000 + "</gazebo>"), "nested"),
    ])
    folder.add("nested.json", "[" * 1_000_000, "parse error")
    folder.add("nested_closed.json", "[" * 100_000 + "]" * 100_000, "")


@category
def wrong_numbers(folder):
    for name, text in (("nan", "nan"), ("inf", "inf"), ("huge", "1e400"), ("hex", "0x10"), ("comma", "0,5"), ("word", "big"),
                       ("two_signs", "+-1"), ("trailing", "1m"), ("empty", ""), ("letter_o", "1O"), ("fortran", "1d3")):
        folder.add("mjcf_%s.xml" % name, world("<geom size='1' pos='0 0 %s'/>" % text), "pos")
        folder.add("urdf_%s.urdf" % name, links(joint("<origin xyz='0 0 %s'/>" % text)), "xyz")
    folder.add_mjcf([
        ("too_many", world("<geom size='1' pos='1 2 3 4'/>"), "has 4 numbers"),
        ("too_few", world("<geom size='1' pos='1 2'/>"), "has 2 numbers"),
        ("list_of_million", world("<geom size='%s'/>" % ("1 " * 1_000_000)), "numbers"),
        ("not_whole", world("<geom size='1' condim='2.5'/>"), "condim"),
        ("not_boolean", mjcf("<compiler autolimits='maybe'/>"), "autolimits"),
        ("unknown_word", world("<geom size='1' type='spher'/>"), "did you mean 'sphere'"),
        ("euler_letters", mjcf("<compiler eulerseq='abc'/>"), "eulerseq"),
    ])
    folder.add_urdf([
        ("too_many", links(joint("<origin xyz='1 2 3 4'/>")), "3 numbers expected"),
        ("too_few", links(joint("<origin xyz='1 2'/>")), "3 numbers expected"),
        ("color", urdf("<material name='m'><color rgba='1 2 0 1'/></material>"), "between 0 and 1"),
    ])


@category
def mass_and_inertia(folder):
    folder.add_mjcf([
        ("no_mass", world("<body name='b'><joint/></body>"), "'b'"),
        ("zero_mass", world("<body name='b'><joint/><inertial pos='0 0 0' mass='0' diaginertia='0 0 0'/></body>"), "'b'"),
        ("negative_mass", body("<joint/><inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/>"), "negative"),
        ("nan_mass", body("<joint/><inertial pos='0 0 0' mass='nan' diaginertia='1 1 1'/>"), "finite"),
        ("negative_inertia", body("<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 -1 1'/>"), ""),
        ("triangle_inequality", body("<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/>"), "triangle"),
        ("no_inertia", body("<joint/><inertial pos='0 0 0' mass='1'/>"), "inertia"),
        ("indefinite_inertia", body("<joint/><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 5 5 5'/>"), ""),
        ("negative_density", world("<body><joint/><geom size='1' density='-5'/></body>"), ""),
        ("negative_geom_mass", world("<body><joint/><geom size='1' mass='-5'/></body>"), ""),
    ])
    folder.add_urdf([
        ("no_mass", urdf("<link name='a'/><link name='b'/>\n" + joint()), "no mass"),
        ("zero_mass", urdf("<link name='a'/><link name='b'><inertial><mass value='0'/><inertia ixx='0' iyy='0' izz='0'/>"
                           "</inertial></link>\n" + joint()), "no mass"),
        ("negative_mass", inertial(-1), "negative"),
        ("nan_mass", inertial("nan"), "finite"),
        ("infinite_mass", inertial("1e400"), "finite"),
        ("negative_inertia", inertial(1, "ixx='-1' iyy='1' izz='1'"), "negative"),
        ("missing_moment", inertial(1, "ixx='1' iyy='1'"), "izz"),
        ("point_mass_on_axis", urdf("<link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='0' iyy='0' "
                                    "izz='0'/></inertial></link>\n" + joint()), "no inertia"),
    ])


@category
def names(folder):
    folder.add_mjcf([
        ("two_bodies", world("<body name='b'/>\n<body name='b'/>"), "'b'"),
        ("two_joints", body("<joint name='j'/><joint name='j'/>"), "'j'"),
        ("two_geoms", world("<geom name='g' size='1'/><geom name='g' size='1'/>"), "'g'"),
        ("two_sites", world("<site name='s'/><site name='s'/>"), "'s'"),
        ("two_meshes", mjcf("<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>\n"
                            "<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"), "'m'"),
        ("two_classes", mjcf("<default><default class='c'/>\n<default class='c'/></default>"), "already a default class"),
        ("two_sensors", body("<joint name='j'/>", "<sensor><jointpos name='s' joint='j'/><jointvel name='s' joint='j'/></sensor>"),
         "'s'"),
        ("two_keys", body("<joint name='j'/>", "<keyframe><key name='k'/><key name='k'/></keyframe>"), "'k'"),
        ("two_actuators", body("<joint name='j'/>", "<actuator><motor name='m' joint='j'/><motor name='m' joint='j'/></actuator>"),
         "'m'"),
        ("unknown_element", world("<gem/>"), "did you mean 'geom'"),
        ("unknown_attribute", world("<geom sise='1'/>"), "did you mean 'size'"),
        ("body_called_world", world("<body name='world'/>"), "world"),
    ])
    folder.add_urdf([
        ("two_links", urdf("<link name='a'/>\n<link name='a'/>"), "line 2"),
        ("two_joints", links(joint() + "\n" + joint(parent="b", child="a")), ""),
        ("empty_name", urdf("<link name=''/>"), "empty"),
        ("no_name", urdf("<link/>"), "name"),
        ("unknown_element", urdf("<lnik name='a'/>"), "did you mean 'link'"),
        ("unknown_attribute", links(joint("<axis xyzz='1 0 0'/>")), "did you mean 'xyz'"),
    ])


@category
def trees(folder):
    folder.add_mjcf([
        ("joint_of_the_world", world("<joint/>"), "joint"),
        ("freejoint_of_the_world", world("<freejoint/>"), "freejoint"),
        ("freejoint_in_a_child", body("<joint/><body><freejoint/><geom size='1'/></body>"), "a child of the world"),
        ("free_type_in_a_child", body("<joint/><body><joint type='free'/><geom size='1'/></body>"), "a child of the world"),
        ("free_and_hinge", body("<freejoint/><joint/>"), "other joints"),
        ("two_free", body("<freejoint/><freejoint/>"), "other joints"),
        ("ball_and_ball", body("<joint type='ball'/><joint type='ball'/>"), "rotation"),
        ("ball_and_hinge", body("<joint type='ball'/><joint type='hinge'/>"), "rotation"),
        ("mocap_with_joint", world("<body mocap='true'><joint/><geom size='1'/></body>"), "joints"),
        ("world_with_inertial", world("<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"), "inertial"),
    ])
    folder.add_urdf([
        ("cycle", links(joint() + "\n" + joint(name="k", parent="b", child="a")), "cycle"),
        ("long_cycle", urdf("<link name='root'/>" + "".join("<link name='l%d'/>\n" % i for i in range(50)) + "".join(
            joint(kind="fixed", name="j%d" % i, parent="l%d" % i, child="l%d" % ((i + 1) % 50)) for i in range(50))), "cycle"),
        ("on_itself", urdf("<link name='r'/><link name='a'/>\n" + joint(parent="a", child="a", kind="fixed")), "cycle"),
        ("unknown_parent", links(joint(parent="aa")), "no link 'aa'"),
        ("unknown_child", links(joint(child="c")), "no link 'c'"),
        ("no_parent", links("<joint name='j' type='fixed'><child link='b'/></joint>"), "parent"),
        ("two_parents", urdf("<link name='a'/><link name='b'/><link name='c'/>\n" + joint(kind="fixed") + "\n" +
                             joint(kind="fixed", name="k", parent="c")), "one parent"),
        ("two_roots", links(), "one root"),
        ("no_links", "<robot name='r'/>", "needs a link"),
        ("floating_in_a_child", urdf("<link name='a'/>" + "".join("<link name='%s'>%s</link>" % (n, MASS) for n in "bc") + "\n" +
                                     joint() + joint(kind="floating", name="k", parent="b", child="c")), ""),
    ])


@category
def joints_and_shapes(folder):
    folder.add_mjcf([
        ("negative_size", world("<geom size='-1'/>"), "positive"),
        ("zero_size", world("<geom type='box' size='1 0 1'/>"), "positive"),
        ("no_size", world("<geom type='box'/>"), "size"),
        ("zero_quaternion", world("<geom size='1' quat='0 0 0 0'/>"), "no rotation"),
        ("parallel_axes", world("<geom size='1' xyaxes='1 0 0 2 0 0'/>"), "no direction"),
        ("two_orientations", world("<geom size='1' quat='1 0 0 0' euler='1 2 3'/>"), "already"),
        ("no_length", world("<geom type='capsule' size='1' fromto='1 0 0 1 0 0'/>"), "same point"),
        ("zero_axis", body("<joint axis='0 0 0'/>"), "no direction"),
        ("range_reversed", body("<joint limited='true' range='1 -1'/>"), "below"),
        ("range_of_one", body("<joint range='1'/>"), "numbers"),
        ("negative_damping", body("<joint damping='-1'/>"), "negative"),
        ("negative_armature", body("<joint armature='-1'/>"), "negative"),
        ("zero_timestep", mjcf("<option timestep='0'/>"), "timestep"),
        ("negative_timestep", mjcf("<option timestep='-1'/>"), "timestep"),
    ])
    folder.add_urdf([
        ("negative_size", collision("<sphere radius='-1'/>"), "sphere"),
        ("zero_size", collision("<box size='1 0 1'/>"), "box"),
        ("no_size", collision("<cylinder radius='1'/>"), "length"),
        ("two_shapes", collision("<sphere radius='1'/><sphere radius='1'/>"), "one shape"),
        ("zero_quaternion", links(joint("<origin quat_xyzw='0 0 0 0'/>")), "zero"),
        ("zero_axis", links(joint("<axis xyz='0 0 0'/>")), "zero"),
        ("range_reversed", links(joint("<limit lower='1' upper='-1'/>", kind="revolute")), "above upper"),
        ("no_limit", links(joint(kind="revolute")), "limit"),
        ("negative_damping", links(joint("<dynamics damping='-1'/>")), "negative"),
        ("unknown_type", links(joint(kind="revolut")), "did you mean 'revolute'"),
        ("mimic_of_nothing", links(joint("<mimic joint='k'/>")), "no joint 'k'"),
        ("mimic_of_itself", links(joint("<mimic joint='j'/>")), "itself"),
    ])


@category
def references(folder):
    joint_j = "<joint name='j'/>"
    folder.add_mjcf([
        ("actuator_without_joint", body("", "<actuator><motor joint='k'/></actuator>"), "no joint 'k'"),
        ("actuator_of_nothing", body("", "<actuator><motor/></actuator>"), "nothing"),
        ("tendon_without_sites", body("", "<tendon><spatial/></tendon>"), "path"),
        ("tendon_of_missing_sites", body("", "<tendon><spatial><site site='s'/><site site='t'/></spatial></tendon>"), "no site 's'"),
        ("tendon_of_missing_joint", body("", "<tendon><fixed><joint joint='k' coef='1'/></fixed></tendon>"), "no joint 'k'"),
        ("equality_of_missing_bodies", body("", "<equality><weld body1='x' body2='y'/></equality>"), "no body 'x'"),
        ("equality_of_missing_joints", body("", "<equality><joint joint1='x'/></equality>"), "no joint 'x'"),
        ("exclude_of_missing_bodies", body("", "<contact><exclude body1='b' body2='y'/></contact>"), "no body 'y'"),
        ("sensor_of_missing_joint", body("", "<sensor><jointpos joint='k'/></sensor>"), "no joint 'k'"),
        ("sensor_of_missing_site", body("", "<sensor><gyro site='k'/></sensor>"), "no site 'k'"),
        ("class_missing", world("<geom size='1' class='c'/>"), "no default class 'c'"),
        ("childclass_missing", world("<body childclass='c'><geom size='1'/></body>"), "no default class 'c'"),
        ("class_inside_itself", mjcf("<default><default class='c'><default class='c'/></default></default>"), "already"),
        ("class_without_name", mjcf("<default><default/></default>"), "class"),
        ("key_too_long", body(joint_j, "<keyframe><key qpos='1 2'/></keyframe>"), "has 2 numbers"),
        ("key_too_long", body(joint_j, "<keyframe><key qvel='1 2'/></keyframe>"), "numbers"),
        ("key_of_ctrl", body(joint_j, "<keyframe><key ctrl='1 2'/></keyframe>"), "numbers"),
        ("key_nan", body(joint_j, "<keyframe><key qpos='nan'/></keyframe>"), "finite"),
        ("mesh_missing", world("<geom type='mesh' mesh='m'/>"), "no mesh 'm'"),
        ("hfield_missing", world("<geom type='hfield' hfield='h'/>"), "'h'"),
    ])


@category
def includes(folder):
    folder.write("parts/a.xml", "<mujocoinclude><include file='parts/b.xml'/></mujocoinclude>")
    folder.write("parts/b.xml", "<mujocoinclude>\n<include file='parts/a.xml'/></mujocoinclude>")
    folder.write("broken_part.xml", "<mujocoinclude>\n<worldbody><geom size='x'/></worldbody></mujocoinclude>")
    folder.write("half_part.xml", "<mujocoinclude>\n<worldbody><geom")
    folder.write("empty_part.xml", "")
    os.mkdir(folder.path / "folder")
    os.symlink("loop_part.xml", folder.path / "loop_part.xml")
    for name, file, place, word in (
        ("itself", "mjcf_itself.xml", "", "included twice"),
        ("cycle", "parts/a.xml", "b.xml:2", "included twice"),
        ("missing", "nowhere.xml", "", "no file"),
        ("absolute", "/etc/passwd", "/etc/passwd:1", ""),
        ("escape", "../" * 30 + "etc/passwd", "etc/passwd:1", ""),
        ("absolute_missing", "/no/such/file.xml", "", "no file"),
        ("of_a_folder", "folder", "", ""),
        ("of_a_device", "/dev/zero", "", ""),
        ("of_a_symlink_loop", "loop_part.xml", "", ""),
        ("of_a_broken_file", "broken_part.xml", "broken_part.xml:2", "size"),
        ("of_half_a_file", "half_part.xml", "half_part.xml:2", "not well-formed"),
        ("of_an_empty_file", "empty_part.xml", "empty_part.xml:1", "root element"),
        ("without_a_name", "", "", ""),
    ):
        folder.add("mjcf_%s.xml" % name, mjcf("<include file='%s'/>" % file), word, place=place)
    folder.add_mjcf([("without_an_attribute", mjcf("<include/>"), "file")])
    for i in range(40):
        folder.write("deep/%d.xml" % i, "<mujocoinclude><include file='deep/%d.xml'/></mujocoinclude>" % (i + 1))
    folder.add("mjcf_deep.xml", mjcf("<include file='deep/0.xml'/>"), "deep", place="deep/")


@category
def attached_models(folder):
    def attaching(model, body="b"):
        return mjcf("<asset><model name='m' file='%s'/></asset>\n<worldbody><body name='b'><geom size='1'/>\n"
                    "<attach model='m' body='%s' prefix='p'/></body></worldbody>" % (model, body))

    folder.write("good.xml", GOOD_MJCF)
    folder.write("broken.xml", world("<body name='b'><geom size='x'/></body>"))
    folder.add("mjcf_itself.xml", attaching("mjcf_itself.xml"), "deep")
    folder.add("mjcf_other.xml", attaching("mjcf_another.xml"), "deep", place=".xml:")
    folder.add("mjcf_another.xml", attaching("mjcf_other.xml"), "deep", place=".xml:")
    folder.add("mjcf_missing_file.xml", attaching("nowhere.xml"), "nowhere.xml")
    folder.add("mjcf_missing_body.xml", attaching("good.xml", "c"), "'c'")
    folder.add("mjcf_broken_model.xml", attaching("broken.xml"), "size", place="broken.xml:")
    folder.add("mjcf_missing_model.xml", world("<attach model='m' body='b' prefix='p'/>"), "'m'")


def png_bytes(width, height, data):
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


BROKEN_MESHES = {
    "empty.obj": b"", "no_faces.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\n", "nan.obj": b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    "out_of_range.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "zero_index.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n",
    "words.obj": b"v a b c\n", "flat.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "noise.obj": bytes(range(256)) * 4,
    "huge_index.obj": b"v 0 0 0\nf 1 99999999999999999999 1\n", "two_corners.obj": b"v 0 0 0\nv 1 0 0\nf 1 2\n",
    "empty.stl": b"", "header.stl": b"x" * 80, "count_too_large.stl": b"x" * 80 + struct.pack("<I", 2**32 - 1) + b"\0" * 50,
    "half_text.stl": b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0", "nan.stl": b"x" * 80 + struct.pack(
        "<I12fH", 1, *([float("nan")] * 12), 0), "words.stl": b"solid a\nfacet normal 0 0 1\nouter loop\nvertex a b c\n",
    "empty.msh": b"", "negative.msh": struct.pack("<4i", -1, -1, -1, -1), "huge.msh": struct.pack("<4i", *[2**31 - 1] * 4),
    "short.msh": struct.pack("<4i", 100, 0, 0, 100), "out_of_range.msh": struct.pack("<4i9f3i", 3, 0, 0, 1, *range(9), 0, 1, 7),
}
VTK = b"# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
VTK_POINTS = b"POINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\n"
GMSH = b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
BROKEN_MESHES |= {
    "empty.vtk": b"", "words.vtk": b"a b c", "xml.vtk": b"<VTKFile type='UnstructuredGrid'/>", "no_points.vtk": VTK,
    "future.vtk": VTK.replace(b"3.0", b"9.0"), "polydata.vtk": VTK.replace(b"UNSTRUCTURED_GRID", b"POLYDATA"),
    "huge.vtk": VTK + b"POINTS 99999999999999999999 float\n", "many.vtk": VTK + b"POINTS 16000000 float\n0 0 0\n",
    "no_cells.vtk": VTK + VTK_POINTS, "hexahedron.vtk": VTK + VTK_POINTS + b"CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n12\n",
    "out_of_range.vtk": VTK + VTK_POINTS + b"CELLS 1 5\n4 0 1 2 9\nCELL_TYPES 1\n10\n",
    "one_corner.vtk": VTK + VTK_POINTS + b"CELLS 1 5\n4 0 0 0 0\nCELL_TYPES 1\n10\n",
    "nan.vtk": VTK + VTK_POINTS.replace(b"1", b"nan") + b"CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n",
    "short.vtk": VTK.replace(b"ASCII", b"BINARY") + b"POINTS 4 double\n\0\0\0", "noise.vtk": VTK + bytes(range(256)) * 4,
    "empty_gmsh.msh": GMSH, "future_gmsh.msh": GMSH.replace(b"4.1", b"5.0"), "words_gmsh.msh": b"$MeshFormat\na b c\n",
    "no_end_gmsh.msh": GMSH + b"$Nodes\n1 1 1 1\n3 1 0 1\n1\n0 0 0\n", "huge_gmsh.msh": GMSH + b"$Nodes\n1 99999999999 1 1\n",
    "hexahedron_gmsh.msh": GMSH + b"$Nodes\n1 1 1 1\n3 1 0 1\n1\n0 0 0\n$EndNodes\n$Elements\n1 1 1 1\n3 1 5 1\n1 1 1 1 1 1 1 1 1\n",
    "no_node_gmsh.msh": GMSH + b"$Nodes\n1 1 1 1\n3 1 0 1\n1\n0 0 0\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 1 1 7\n",
    "binary_gmsh.msh": GMSH.replace(b"0 8", b"1 8"), "noise_gmsh.msh": GMSH + bytes(range(256)) * 4,
}
BROKEN_PICTURES = {
    "empty.png": b"", "signature.png": b"\x89PNG\r\n\x1a\n", "text.png": b"not a picture", "huge.png": png_bytes(2**31 - 1, 2**31 - 1, b""),
    "short.png": png_bytes(100, 100, b"\0" * 10), "one_pixel.png": png_bytes(1, 1, b"\0\0"),
    "bad_checksum.png": png_bytes(4, 4, b"\0" * 20).replace(b"IDAT", b"IDAT\1", 1), "empty.bin": b"", "negative.bin": struct.pack("<2i", -1, -1),
    "huge.bin": struct.pack("<2i", 2**31 - 1, 2**31 - 1), "nan.bin": struct.pack("<2i4f", 2, 2, *[float("nan")] * 4),
}


@category
def meshes(folder):
    def mesh_mjcf(file, attributes=""):
        return mjcf("<asset>\n<mesh name='m' file='%s' %s/></asset>\n<worldbody><geom type='mesh' mesh='m'/></worldbody>" %
                    (file, attributes))

    os.mkdir(folder.path / "folder.obj")
    folder.write("unknown.ply", "ply\n")
    folder.write("no_ending", "v 0 0 0\n")
    folder.write("good.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    for name, content in BROKEN_MESHES.items():
        folder.write(name, content)
        folder.add("mjcf_%s.xml" % name, mesh_mjcf(name), name)
        folder.add("urdf_%s.urdf" % name, collision("<mesh filename='%s'/>" % name), name)
    for name in ("gone.obj", "folder.obj", "/dev/zero", "/no/such/mesh.stl", "../" * 30 + "etc/passwd"):
        shown = name.strip("./").replace("/", "_")
        folder.add("mjcf_path_%s.xml" % shown, mesh_mjcf(name))
        folder.add("urdf_path_%s.urdf" % shown, collision("<mesh filename='%s'/>" % name))
    folder.add_mjcf([
        ("scale_zero", mesh_mjcf("good.obj", "scale='1 0 1'"), "scale"),
        ("scale_nan", mesh_mjcf("good.obj", "scale='1 nan 1'"), "scale"),
        ("scale_huge", mesh_mjcf("good.obj", "scale='1e300 1e300 1e300'"), ""),
        ("refquat_zero", mesh_mjcf("good.obj", "refquat='0 0 0 0'"), "refquat"),
        ("unknown_ending", mesh_mjcf("unknown.ply"), "unknown.ply"),
        ("no_ending", mesh_mjcf("no_ending"), "no_ending"),
        ("no_file", mesh_mjcf(""), ""),
        ("vertex_in_line", mjcf("<asset><mesh name='m' vertex='0 0 0 1 0 0 2 0 0 3 0 0'/></asset>\n"
                                "<worldbody><geom type='mesh' mesh='m'/></worldbody>"), ""),
        ("face_out_of_range", mjcf("<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 4'/></asset>\n"
                                   "<worldbody><geom type='mesh' mesh='m'/></worldbody>"), "4 is not one"),
    ])
    folder.add_urdf([
        ("scale_zero", collision("<mesh filename='good.obj' scale='1 0 1'/>"), "zero"),
        ("package_missing", collision("<mesh filename='package://no_such_package/m.stl'/>"), "no_such_package"),
        ("package_escape", collision("<mesh filename='package://p/../../../etc/passwd'/>"), "leads out"),
        ("from_the_web", collision("<mesh filename='http://host/m.stl'/>"), "fetched"),
        ("absolute_uri", collision("<mesh filename='file:///no/such/mesh.stl'/>"), "mesh.stl"),
    ])


@category
def height_fields(folder):
    for name, content in BROKEN_PICTURES.items():
        folder.write(name, content)
        folder.add("mjcf_%s.xml" % name, mjcf("<asset>\n<hfield name='h' file='%s' size='1 1 1 1'/></asset>\n"
                                              "<worldbody><geom type='hfield' hfield='h'/></worldbody>" % name), name)

    def field(attributes):
        return mjcf("<asset>\n<hfield name='h' %s/></asset>\n<worldbody><geom type='hfield' hfield='h'/></worldbody>" % attributes)

    folder.add_mjcf([
        ("size_negative", field("nrow='2' ncol='2' size='1 1 -1 1'"), ""),
        ("size_short", field("nrow='2' ncol='2' size='1 1'"), "size"),
        ("elevation_short", field("nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3'"), "elevation"),
        ("one_row", field("nrow='1' ncol='2' size='1 1 1 1'"), "nrow"),
    ])


@category
def json_files(folder):
    for name, text, word in (
        ("list", "[]", "object"), ("number", "1", "object"), ("no_format", "{}", "format"), ("comma", '{"format": 1,}', "parse error"),
        ("other_format", '{"format": "other"}', "other"), ("wrong_type", '{"format": 7}', "text"),
        ("version", '{"format": "stiction_model", "version": 99}', "version"),
        ("no_bodies", '{"format": "stiction_model", "version": 1, "name": "m", "gravity": [0, 0, -9.81]}', "bodies"),
        ("gravity", '{"format": "stiction_model", "version": 1, "name": "m", "gravity": [0, 0]}', "gravity"),
        ("bodies", '{"format": "stiction_model", "version": 1, "name": "m", "gravity": [0, 0, 0], "bodies": [{}]}', "bodies[0]"),
        ("huge", '{"format": "stiction_model", "version": 1e400}', ""), ("latin1", b'{"format": "\xe9"}', ""),
    ):
        folder.add(name + ".json", text, word)
