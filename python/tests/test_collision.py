"""Poses, shapes and collision queries."""

import copy
import pickle

import numpy as np
import pytest

import stiction

TETRAHEDRON = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]


def test_poses_are_a_group():
    X = stiction.Pose([1, 2, 3], quaternion=[1, 2, 3, 4])
    Y = stiction.Pose([0, 1, 0], R=stiction.rotation_about([0, 0, 1], 0.5))
    identity = X @ X.inverse()
    np.testing.assert_allclose(identity.p, 0, atol=1e-12)
    np.testing.assert_allclose(identity.R, np.eye(3), atol=1e-12)
    np.testing.assert_allclose((X @ Y) @ [1.0, 0, 0], X @ (Y @ [1.0, 0, 0]), atol=1e-12)
    np.testing.assert_allclose(X.quaternion, np.array([1, 2, 3, 4]) / np.sqrt(30), atol=1e-12)
    assert pickle.loads(pickle.dumps(X)) == X == copy.copy(X) == copy.deepcopy(X) and "Pose" in repr(X)
    np.testing.assert_array_equal(stiction.translation([1, 2, 3]).p, stiction.translation(1, 2, 3).p)


def test_rotations_have_their_closed_forms():
    R = stiction.rotation_about([0, 0, 2], np.pi / 2)
    np.testing.assert_allclose(R, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-12)
    np.testing.assert_allclose(stiction.rotation_log(R), [0, 0, np.pi / 2], atol=1e-12)
    np.testing.assert_allclose(stiction.rotation_exp([0, 0, np.pi / 2]), R, atol=1e-12)
    np.testing.assert_allclose(stiction.rotation_from_quaternion(stiction.quaternion_from_rotation(R)), R, atol=1e-12)
    np.testing.assert_allclose(stiction.rotation_from_roll_pitch_yaw(0, 0, np.pi / 2), R, atol=1e-12)


def test_inertias_of_solids_have_their_closed_forms():
    ball = stiction.solid_sphere(2.0, 0.5)
    np.testing.assert_allclose(ball.I_com, 0.4 * 2.0 * 0.25 * np.eye(3))
    moved = ball.in_frame(stiction.translation(1, 0, 0))
    assert moved.about_origin()[1, 1] == pytest.approx(0.4 * 2.0 * 0.25 + 2.0)
    both = ball + moved
    assert both.mass == 4.0 and both.com[0] == 0.5
    assert stiction.solid_cylinder(1.0, 0.5, 1.0).I_com[2, 2] == pytest.approx(0.5 * 0.25)
    assert stiction.solid_ellipsoid(1.0, [0.5, 0.5, 0.5]).I_com[0, 0] == pytest.approx(0.4 * 0.25)
    assert stiction.solid_box(3.0, [1, 2, 3]).I_com[0, 0] == pytest.approx(4 + 9)
    assert stiction.solid_capsule(1.0, 0.1, 1.0).mass == 1.0 and stiction.point_mass(1.0, [1, 0, 0]).com[0] == 1.0
    assert pickle.loads(pickle.dumps(ball)).mass == 2.0 and "mass=2" in repr(ball)
    with pytest.raises(stiction.UserError):
        stiction.Inertia(-1.0)


@pytest.mark.parametrize("wrong", [{"R": 2 * np.eye(3)}, {"p": [np.nan, 0, 0]}, {"quaternion": [0, 0, 0, 0]}])
def test_what_is_no_pose_is_told(wrong):
    with pytest.raises(stiction.UserError):
        stiction.Pose(**wrong)


def test_spheres_touch_where_they_should():
    A, B = (stiction.CollisionShape(stiction.Sphere(r)) for r in (0.5, 0.25))
    X = stiction.translation(0.7, 0, 0)
    (point,) = stiction.collide(A, stiction.Pose(), B, X)
    assert point.distance == pytest.approx(-0.05) and point.weight == 1.0 and point.feature >= 0
    np.testing.assert_allclose(point.normal, [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(point.p_A, [0.5, 0, 0], atol=1e-12)
    np.testing.assert_allclose(point.p_B, [0.45, 0, 0], atol=1e-12)
    assert stiction.signed_distance(A, stiction.Pose(), B, X).distance == pytest.approx(-0.05)
    assert stiction.overlap(A, stiction.Pose(), B, X) and A.kind == "sphere" and A.is_convex
    assert not stiction.collide(A, stiction.Pose(), B, stiction.translation(2, 0, 0))
    assert A.thickness == pytest.approx(1.0) and A.rounding == 0.0


def test_how_a_point_moves_with_the_shapes():
    A, B = (stiction.CollisionShape(stiction.Sphere(0.5)) for _ in range(2))
    X = stiction.translation(0.8, 0, 0)
    point = stiction.signed_distance(A, stiction.Pose(), B, X)
    d = stiction.point_derivatives(A, stiction.Pose(), B, X, point)
    np.testing.assert_allclose(d.d_distance[3:6], [-1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(d.d_distance[9:12], [1, 0, 0], atol=1e-12)
    assert d.d_p_A.shape == d.d_p_B.shape == d.d_normal.shape == (3, 12)


def test_a_box_lies_on_four_points_of_a_floor():
    box, floor = stiction.CollisionShape(stiction.Box([0.1, 0.1, 0.1])), stiction.CollisionShape(stiction.HalfSpace())
    points = stiction.collide(floor, stiction.Pose(), box, stiction.translation(0, 0, 0.09))
    assert len(points) == 4 and sum(p.weight for p in points) == pytest.approx(1.0)
    assert all(p.distance == pytest.approx(-0.01) for p in points)


def test_rays_hit_what_is_in_their_way():
    ball = stiction.CollisionShape(stiction.Sphere(0.5))
    hit = stiction.cast_ray(ball, stiction.translation(3, 0, 0), [0, 0, 0], [1, 0, 0])
    assert hit.hit and hit.t == pytest.approx(2.5) and hit.triangle == -1
    np.testing.assert_allclose(hit.normal, [-1, 0, 0], atol=1e-12)
    assert not stiction.cast_ray(ball, stiction.translation(3, 0, 0), [0, 0, 0], [1, 0, 0], length=2.0).hit
    with pytest.raises(stiction.UserError):
        stiction.cast_ray(ball, stiction.Pose(), [0, 0, 0], [0, 0, 0])


def test_moving_balls_meet_in_time():
    ball = stiction.CollisionShape(stiction.Sphere(0.5))
    impact = stiction.time_of_impact(
        ball, stiction.Pose(), [0, 0, 0, 1, 0, 0], ball, stiction.translation(3, 0, 0), [0, 0, 0, -1, 0, 0], 2.0
    )
    assert impact.status == "touches" and impact.time == pytest.approx(1.0) and abs(impact.at_impact.distance) < 1e-8


def test_meshes_hulls_and_terrains(tmp_path):
    mesh = stiction.TriangleMesh(TETRAHEDRON, FACES)
    assert mesh.volume == pytest.approx(1 / 6) and mesh.vertices.shape == (4, 3) and mesh.triangles.shape == (4, 3)
    assert not mesh.vertices.flags.writeable and pickle.loads(pickle.dumps(mesh)).volume == mesh.volume
    hull = stiction.convex_hull(TETRAHEDRON + [[0.1, 0.1, 0.1]])
    assert len(hull.vertices) == 4 and hull.num_faces == 4 and hull.triangles.shape == (4, 3)
    assert stiction.volume(hull) == pytest.approx(1 / 6)
    assert stiction.solid_inertia(hull, 6.0).mass == pytest.approx(1.0)
    assert stiction.CollisionShape(hull, 0.01).rounding == 0.01 and not stiction.CollisionShape(mesh).is_convex
    terrain = stiction.height_field([[0, 1], [0, 2]], 1.0, 1.0, 0.5, 0.1)
    assert terrain.rows == terrain.cols == 2 and terrain.heights.max() == 0.5
    lines = [f"v {x} {y} {z}" for x, y, z in TETRAHEDRON] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in FACES]
    (tmp_path / "t.obj").write_text("\n".join(lines))
    assert stiction.read_mesh(tmp_path / "t.obj").volume == pytest.approx(1 / 6)
    with pytest.raises(stiction.UserError, match="vertex 9"):
        stiction.TriangleMesh(TETRAHEDRON, [[0, 1, 9]])
    with pytest.raises(stiction.UserError):
        stiction.convex_hull([[0, 0, 0]] * 5)


def test_arrays_keep_their_mesh_alive():
    vertices = stiction.TriangleMesh(TETRAHEDRON, FACES).vertices
    np.testing.assert_array_equal(vertices, TETRAHEDRON)


def cube_of_tets(half):
    """Twelve tetrahedra around the centre of a cube."""
    corners = np.array([[x, y, z] for z in (-half, half) for y in (-half, half) for x in (-half, half)])
    sides = [(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4), (2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6),
             (1, 3, 5), (3, 7, 5)]
    return np.vstack([corners, np.zeros(3)]), np.array([side + (8,) for side in sides])


def test_a_mesh_of_tetrahedra_is_built_read_back_and_pickled():
    vertices, tets = cube_of_tets(0.1)
    mesh = stiction.tet_mesh(vertices, tets)
    assert mesh.triangles.shape == (12, 3) and mesh.vertices.shape == (8, 3)
    assert np.array_equal(mesh.tet_vertices, vertices) and np.array_equal(mesh.tets, tets)
    assert mesh.volume == pytest.approx(0.008)
    for other in (pickle.loads(pickle.dumps(mesh)), copy.deepcopy(mesh)):
        assert np.array_equal(other.tets, mesh.tets) and np.array_equal(other.triangles, mesh.triangles)
    surface = stiction.TriangleMesh(mesh.vertices, mesh.triangles)
    assert surface.tets.shape == (0, 4) and surface.tet_vertices.shape == (0, 3)
    with pytest.raises(stiction.UserError, match="tetrahedron 0 has the vertex 9"):
        stiction.tet_mesh(vertices, [[0, 1, 2, 9]])
    with pytest.raises(stiction.UserError, match="has 4 vertices, not 3"):
        stiction.tet_mesh(vertices, [[0, 1, 2]])


def test_a_compliant_mesh_of_tetrahedra_rests_with_its_weight(tmp_path):
    vertices, tets = cube_of_tets(0.05)
    lines = ["# vtk DataFile Version 3.0", "cube", "ASCII", "DATASET UNSTRUCTURED_GRID", "POINTS %d double" % len(vertices)]
    lines += [" ".join(map(repr, map(float, v))) for v in vertices] + ["CELLS %d %d" % (len(tets), 5 * len(tets))]
    lines += ["4 %d %d %d %d" % tuple(t) for t in tets] + ["CELL_TYPES %d" % len(tets)] + ["10"] * len(tets)
    (tmp_path / "cube.vtk").write_text("\n".join(lines))
    for mesh in (stiction.tet_mesh(vertices, tets), stiction.read_mesh(tmp_path / "cube.vtk")):
        builder = stiction.ModelBuilder("cube")
        builder.add_shape("floor", "world", stiction.translation(0, 0, 0), stiction.HalfSpace())
        builder.add_free_body("cube", stiction.translation(0, 0, 0.05), stiction.Inertia())
        builder.add_solid("cube", "cube", stiction.translation(0, 0, 0), mesh, 1000.0)
        builder.set_material("cube", stiction.ContactMaterial(pressure_modulus=1e7, dissipation=50.0))
        world = stiction.World(builder.build(), h=5e-3)
        world.simulate(1.0)
        # F = kappa (a^2 d - 2 a d^2 + 4/3 d^3) of a cube on its side, kappa = E/H.
        d = 0.05 - world.body("cube").pose.p[2]
        assert 1e7 / 0.05 * (0.01 * d - 0.2 * d * d + 4 / 3 * d**3) == pytest.approx(9.81, rel=1e-4)
