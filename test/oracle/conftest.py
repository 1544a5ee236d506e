import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import report  # noqa: E402


def pytest_terminal_summary(terminalreporter):
    if not report.rows:
        return
    report.write()
    terminalreporter.section("largest relative errors")
    for line in report.table():
        terminalreporter.write_line(line)


# Models of others on which we differ from the oracle today. Strict: a test that begins to pass fails here until its
# line goes.
MASS = "some meshes have another area and mass (6e-7 of the total mass); the reason is not known yet"
PLUGIN = "actuators of MuJoCo's pid plugin: their gain is 'user' for us and 'fixed' for MuJoCo, so that forces differ"
MOMENTS = "moments of inertia of the mesh differ by more than round-off; the reason is not known yet"
KNOWN_DIFFERENCES = {
    "test_files_have_the_same_forces[google_robot/": MASS,
    "test_a_file_comes_back_as_the_model_that_mujoco_makes_of_the_original[google_robot/": MASS,
    "test_an_obj_file_has_the_area_that_mujoco_reads[google_robot/assets/link_finger_base_v.obj]": MASS,
    "test_mass_properties_are_sums_over_the_triangles_of_the_file[google_robot/assets/link_base_1_14.stl]": MASS,
    "test_bodies_weigh_the_same[google_robot/": MASS,
    "test_dynamics_agree_in_random_states[google_robot/": MASS,
    "test_the_total_mass_is_the_same[google_robot/": MASS,
    "test_files_have_the_same_forces[shadow_dexee/": PLUGIN,
    "test_a_file_comes_back_as_the_model_that_mujoco_makes_of_the_original[shadow_dexee/": PLUGIN,
    "test_actuators_have_the_same_law[shadow_dexee/": PLUGIN,
    "test_sensors_of_a_model_read_what_they_read_in_mujoco[shadow_dexee/": PLUGIN,
    "test_mass_properties_agree_with_mujoco[anybotics_anymal_c/assets/base_0.obj]": MOMENTS,
    "test_mass_properties_agree_with_mujoco[anybotics_anymal_c/assets/base_1.obj]": MOMENTS,
    "test_mass_properties_agree_with_mujoco[anybotics_anymal_c/assets/base_2.obj]": MOMENTS,
    "test_mass_properties_agree_with_mujoco[anybotics_anymal_c/assets/lidar.obj]": MOMENTS,
}


def pytest_collection_modifyitems(items):
    for item in items:
        for test, reason in KNOWN_DIFFERENCES.items():
            if item.nodeid.split("::")[-1].startswith(test):
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
