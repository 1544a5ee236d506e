#include <algorithm>

#include "stiction/io/scene_file/parts.h"
#include "stiction/simulation/model/name_lookup.h"
#include "stiction/simulation/model/servos.h"

namespace stiction {
namespace {

std::vector<std::string> joint_names(const Model& model) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < model.forest.joints.size(); ++j)
    names.push_back(model.forest.joint(static_cast<int>(j)).name);
  return names;
}

std::vector<std::string> actuator_names(const Model& model) {
  std::vector<std::string> names;
  for (const Actuator& actuator : model.elements.actuators) names.push_back(actuator.name);
  return names;
}

Actuator read_drive(const SceneTable& table, const std::string& name, const std::string& joint) {
  static const std::vector<std::string> kinds = {"position", "velocity", "force"};
  const std::string kind = table.text("kind").value_or("position");
  const double effort = table.not_negative("effort").value_or(0.0);
  const auto refuse = [&](const char* key) {
    if (table.has(key)) table.fail(key, format("a {} drive has no '{}'", kind, key));
  };
  if (kind == "position")
    return position_servo(name, joint, table.needed_positive("kp"), table.not_negative("kv").value_or(0.0),
                          effort);
  refuse("kp");
  if (kind == "velocity") return velocity_servo(name, joint, table.needed_positive("kv"), effort);
  refuse("kv");
  if (kind == "force") return motor(name, joint, effort);
  table.fail("kind", unknown_word_message("kind of drive", kind, kinds));
}

// Rows of a table, all of the same length.
std::vector<std::vector<double>> read_rows(const SceneSource& source, const SceneTable& table,
                                           const std::vector<std::size_t>& lengths) {
  const TomlValue& list = *table.value("table");
  if (list.kind != TomlValue::Kind::list || list.items.empty())
    table.fail("table", "'table' must be a list of rows");
  std::vector<std::vector<double>> rows;
  for (const TomlValue& item : list.items) {
    const bool fits = item.kind == TomlValue::Kind::list &&
                      std::find(lengths.begin(), lengths.end(), item.items.size()) != lengths.end() &&
                      (rows.empty() || item.items.size() == rows[0].size());
    if (!fits)
      fail_at(source.file, item.place,
              lengths.size() == 1 ? "rows of 'table' must be [time, value]"
                                  : "rows of 'table' must all be [time, factor], [time, fx, fy, fz] or "
                                    "[time, fx, fy, fz, mx, my, mz]");
    rows.emplace_back();
    for (const TomlValue& number : item.items)
      rows.back().push_back(finite_number(number, source.file, "rows of 'table'"));
  }
  return rows;
}

Signal column(const SceneTable& table, const std::vector<std::vector<double>>& rows, std::size_t index) {
  std::vector<double> times, values;
  for (const std::vector<double>& row : rows) {
    times.push_back(row[0]);
    values.push_back(row[index]);
  }
  return table.located("table",
                       [&] { return table_signal(times, values, table.flag("hold").value_or(false)); });
}

Sine read_sine(const SceneSource& source, const TomlValue& value) {
  const SceneTable table(value, "sine", source.file);
  if (table.has("period") && table.has("frequency"))
    table.fail("frequency", "only one of 'period' and 'frequency' may be given");
  Sine sine;
  sine.amplitude = table.number("amplitude").value_or(1.0);
  sine.period = table.positive("period").value_or(1.0);
  if (const auto frequency = table.positive("frequency")) sine.period = 1.0 / *frequency;
  sine.phase = table.number("phase").value_or(0.0);
  sine.offset = table.number("offset").value_or(0.0);
  sine.half = table.flag("half").value_or(false);
  return sine;
}

void set_interval(const SceneTable& table, Signal* signal) {
  if (const auto from = table.number("from")) signal->begin = *from;
  if (const auto until = table.number("until")) signal->end = *until;
  if (!(signal->begin < signal->end)) table.fail("until", "'until' must come after 'from'");
}

// The signal of a table of two columns, a sine or a constant.
Signal read_signal(const SceneSource& source, const SceneTable& table) {
  const int ways = int(table.has("value")) + int(table.has("table")) + int(table.has("sine"));
  if (ways > 1) table.fail("only one of 'value', 'table' and 'sine' may be given");
  if (table.has("hold") && !table.has("table")) table.fail("hold", "only a table can hold its values");
  Signal signal = constant_signal(table.number("value").value_or(1.0));
  if (table.has("table")) signal = column(table, read_rows(source, table, {2}), 1);
  if (table.has("sine")) signal = sine_signal(read_sine(source, *table.value("sine")));
  set_interval(table, &signal);
  return signal;
}

void read_disturbance(const SceneSource& source, const SceneTable& table, Scene* scene) {
  const Model& model = scene->model;
  const std::string name = table.needed_text("body");
  WrenchInput input;
  input.body = table.located("body", [&] { return model.body(name); });
  if (input.body == 0) table.fail("body", "the world cannot be pushed");
  input.p_B = table.vector("point").value_or(Vec3(model.forest.bodies[std::size_t(input.body)].inertia.com));
  const bool is_wide = table.has("table") && table.value("table")->kind == TomlValue::Kind::list &&
                       !table.value("table")->items.empty() &&
                       table.value("table")->items[0].items.size() > 2;
  if (!is_wide) {
    if (!table.has("force") && !table.has("moment")) table.fail("[[disturbance]] needs 'force' or 'moment'");
    const Vec3 moment = table.vector("moment").value_or(Vec3::Zero());
    const Vec3 force = table.vector("force").value_or(Vec3::Zero());
    for (int i = 0; i < 3; ++i) {
      input.wrench[i] = moment[i];
      input.wrench[3 + i] = force[i];
    }
    input.factor = read_signal(source, table);
    scene->schedule.wrenches.push_back(std::move(input));
    return;
  }
  for (const char* key : {"force", "moment", "value", "sine"})
    if (table.has(key)) table.fail(key, format("the table says the force already, without '{}'", key));
  const std::vector<std::vector<double>> rows = read_rows(source, table, {4, 7});
  for (std::size_t i = 1; i < rows[0].size(); ++i) {
    // Columns are forces, then moments; a wrench has its moment first.
    WrenchInput one = input;
    one.wrench[static_cast<Eigen::Index>(i <= 3 ? i + 2 : i - 4)] = 1.0;
    one.factor = column(table, rows, i);
    set_interval(table, &one.factor);
    scene->schedule.wrenches.push_back(std::move(one));
  }
}

std::vector<JointValues> read_joint_values(const SceneSource& source, const Model& model,
                                           const TomlValue& table, bool positions) {
  std::vector<JointValues> list;
  if (table.kind != TomlValue::Kind::table)
    fail_at(source.file, table.place, "this must be a table of joint = value");
  for (const TomlEntry& entry : table.entries) {
    JointValues given{entry.key, {}};
    int joint = 0;
    try {
      joint = model.joint(entry.key);
    } catch (const UserError& error) {
      fail_at(source.file, entry.place, error.what());
    }
    if (entry.value.kind == TomlValue::Kind::list)
      for (const TomlValue& item : entry.value.items)
        given.values.push_back(finite_number(item, source.file, "the values of a joint"));
    else
      given.values.push_back(finite_number(entry.value, source.file, "the values of a joint"));
    const JointIndices& place = model.forest.joints[std::size_t(joint)];
    const int expected = positions ? place.num_q : place.num_v;
    if (int(given.values.size()) != expected)
      fail_at(source.file, entry.value.place,
              format("joint '{}' has {} {}, not {}", entry.key, expected,
                     positions ? "positions" : "velocities", given.values.size()));
    list.push_back(std::move(given));
  }
  return list;
}

}  // namespace

void add_drives(const SceneSource& source, Model* model) {
  for (const SceneTable& table : source.list("drive")) {
    table.needed_text("joint");
    const std::vector<int> joints = chosen(table, "joint", "joint", joint_names(*model));
    if (table.has("name") && joints.size() != 1)
      table.fail("name", format("one name cannot be that of {} actuators", joints.size()));
    for (const int j : joints) {
      const std::string joint = model->forest.joint(j).name;
      if (model->forest.joints[std::size_t(j)].num_v != 1)
        table.fail("joint", format("joint '{}' has {} velocities; a drive acts on joints with one", joint,
                                   model->forest.joints[std::size_t(j)].num_v));
      const std::string name = table.text("name").value_or(joint);
      for (const std::string& other : actuator_names(*model))
        if (other == name) table.fail("joint", format("there is already an actuator '{}'", name));
      model->elements.actuators.push_back(table.located("", [&] { return read_drive(table, name, joint); }));
      for (Keyframe& key : model->elements.keyframes)
        if (!key.controls.empty()) key.controls.push_back(0.0);
    }
  }
}

void read_inputs(const SceneSource& source, Scene* scene) {
  for (const SceneTable& table : source.list("setpoint")) {
    table.needed_text("actuator");
    if (!table.has("value") && !table.has("table") && !table.has("sine"))
      table.fail("[[setpoint]] needs 'value', 'table' or 'sine'");
    const Signal signal = read_signal(source, table);
    for (const int actuator : chosen(table, "actuator", "actuator", actuator_names(scene->model)))
      scene->schedule.controls.push_back({actuator, signal});
  }
  for (const SceneTable& table : source.list("disturbance")) read_disturbance(source, table, scene);
}

void read_start(const SceneSource& source, Scene* scene) {
  const std::optional<SceneTable> table = source.table("start");
  if (!table) return;
  if (const auto keyframe = table->text("keyframe")) {
    if (!scene->keyframe.empty()) table->fail("keyframe", "[[model]] has a keyframe already");
    if (scene->model.elements.keyframes.empty()) table->fail("keyframe", "the model has no keyframes");
    std::vector<std::string> names;
    for (const Keyframe& key : scene->model.elements.keyframes) names.push_back(key.name);
    const bool is_number = keyframe->find_first_not_of("0123456789") == std::string::npos;
    if (!is_number && std::find(names.begin(), names.end(), *keyframe) == names.end())
      table->fail("keyframe", unknown_name_message("keyframe", *keyframe, names));
    scene->keyframe = *keyframe;
  }
  if (const TomlValue* value = table->value("positions"))
    scene->positions = read_joint_values(source, scene->model, *value, true);
  if (const TomlValue* value = table->value("velocities"))
    scene->velocities = read_joint_values(source, scene->model, *value, false);
  scene->settles = table->flag("settle").value_or(false);
  // Numbers that a joint does not accept, such as a quaternion of length zero, are found by a world.
  Scene start = *scene;
  start.pairs.clear();
  start.schedule = {};
  start.settles = false;
  table->located("", [&] { make_world(start); });
}

}  // namespace stiction
