#include "stiction/io/recording/tables.h"

#include <charconv>
#include <fstream>
#include <map>

#include "stiction/base/check.h"
#include "stiction/io/recording/proto_message.h"
#include "stiction/io/recording/recording.h"
#include "stiction/simulation/formulation.h"

namespace stiction {
namespace {

const char* const kAxes[] = {"x", "y", "z"};

// Positions of a joint: a number, a quaternion (qw, qx, qy, qz), or that and a place.
std::vector<std::string> position_suffixes(const Joint& joint, int count) {
  std::vector<std::string> names;
  if (joint.type == JointType::ball || joint.type == JointType::free)
    for (const char* part : {"qw", "qx", "qy", "qz"}) names.emplace_back(part);
  if (joint.type == JointType::free)
    for (const char* axis : kAxes) names.emplace_back(axis);
  if (names.empty() && count == 1) names.emplace_back("q");
  for (int i = 0; static_cast<int>(names.size()) < count; ++i) names.push_back(format("q{}", i));
  return names;
}

std::vector<std::string> velocity_suffixes(const Joint& joint, int count) {
  std::vector<std::string> names;
  if (joint.type == JointType::ball || joint.type == JointType::free)
    for (const char* axis : kAxes) names.push_back(std::string("w") + axis);
  if (joint.type == JointType::free)
    for (const char* axis : kAxes) names.push_back(std::string("v") + axis);
  if (names.empty() && count == 1) names.emplace_back("v");
  for (int i = 0; static_cast<int>(names.size()) < count; ++i) names.push_back(format("v{}", i));
  return names;
}

std::vector<std::string> coordinate_names(const Forest& forest, bool is_position) {
  std::vector<std::string> names(static_cast<std::size_t>(is_position ? forest.num_q : forest.num_v));
  for (std::size_t j = 0; j < forest.joints.size(); ++j) {
    const JointIndices& place = forest.joints[j];
    const Joint& joint = forest.joint(static_cast<int>(j));
    const std::string owner = joint.name.empty() ? forest.bodies[place.body].name : joint.name;
    const auto suffixes =
        is_position ? position_suffixes(joint, place.num_q) : velocity_suffixes(joint, place.num_v);
    for (std::size_t i = 0; i < suffixes.size(); ++i)
      names[static_cast<std::size_t>(is_position ? place.q_begin : place.v_begin) + i] =
          owner + "." + suffixes[i];
  }
  return names;
}

std::vector<std::string> numbered(const char* name, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(format("{}{}", name, i));
  return names;
}

TableGroup one(const char* name, bool is_integer = false, const std::vector<std::string>* words = nullptr) {
  return {name, {name}, is_integer, words, {}};
}

TableGroup vector(const char* name) {
  TableGroup group{name, {}, false, nullptr, {}};
  for (const char* axis : kAxes) group.columns.push_back(std::string(name) + "_" + axis);
  return group;
}

// Appends a row, group by group.
class Row {
 public:
  explicit Row(Table* table) : table_(table) { ++table->rows; }
  Row& operator<<(double value) {
    next().push_back(value);
    return *this;
  }
  Row& operator<<(const recorded::Vector3& x) {
    for (const float value : {x.x, x.y, x.z}) table_->groups[group_].values.push_back(value);
    ++group_;
    return *this;
  }
  // An absent vector is zeros; others must have the size of their group.
  Row& operator<<(const VecX& x) {
    const std::size_t count = table_->groups[group_].columns.size();
    STICTION_USER_CHECK(x.size() == 0 || static_cast<std::size_t>(x.size()) == count,
                        "the recording has {} numbers for '{}' where its model has {}", x.size(),
                        table_->groups[group_].name, count);
    std::vector<double>& values = next();
    for (std::size_t i = 0; i < count; ++i)
      values.push_back(x.size() == 0 ? 0.0 : x[static_cast<Eigen::Index>(i)]);
    return *this;
  }

 private:
  std::vector<double>& next() { return table_->groups[group_++].values; }
  Table* table_;
  std::size_t group_ = 0;
};

enum TableIndex { kStates, kInputs, kContacts, kEnergies, kResiduals, kCertificates, kTimings, kPatches };

// The errors of a certificate as columns, those of impulses where the recording has them.
TableGroup certificate_columns(const char* name, bool absolute) {
  TableGroup group{name, {}, false, nullptr, {}};
  recorded::Certificate all;
  all.rows.emplace();
  all.slackness.emplace();
  recorded::Certificate::fields(
      [&](int, const char* field, const auto& value) {
        if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(value)>,
                                      std::optional<recorded::ImpulseErrors>>)
          group.columns.push_back(std::string(field) + (absolute ? "" : "_relative"));
      },
      all);
  return group;
}

VecX certificate_values(const recorded::Certificate& certificate, bool absolute) {
  std::vector<double> values;
  recorded::Certificate::fields(
      [&](int, const char*, const auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, recorded::Error>)
          values.push_back(absolute ? value.absolute : value.relative);
        if constexpr (std::is_same_v<T, std::optional<recorded::Error>>)
          values.push_back(!value ? 0.0 : absolute ? value->absolute : value->relative);
      },
      certificate);
  return Eigen::Map<const VecX>(values.data(), static_cast<Eigen::Index>(values.size()));
}

void begin_tables(const RecordedScene& scene, RecordedTables* out) {
  const Model& model = scene.model;
  for (const Body& body : model.forest.bodies) out->bodies.push_back(body.name);
  for (const PlacedShape& shape : model.shapes) out->shapes.push_back(shape.name);
  for (std::size_t j = 0; j < model.forest.joints.size(); ++j)
    out->joints.push_back(model.forest.joint(static_cast<int>(j)).name);
  if (!out->bodies.empty() && out->bodies[0].empty()) out->bodies[0] = "world";
  out->title = format("{}, {}", scene.scene.empty() ? model.name : scene.scene,
                      formulation_name(scene.formulation.contact));

  const std::vector<std::string> v_names = coordinate_names(model.forest, false);
  std::vector<std::string> actuators, activations, stages = scene.stages;
  for (const Actuator& actuator : model.elements.actuators) actuators.push_back(actuator.name);
  activations = numbered("a", static_cast<std::size_t>(model.num_activations()));
  std::vector<std::string> forces;
  for (const std::string& name : v_names) forces.push_back("force." + name);
  const TableGroup time = one("time"), step = one("step", true);
  out->tables = {
      {"states",
       {time,
        step,
        {"q", coordinate_names(model.forest, true), false, nullptr, {}},
        {"v", v_names, false, nullptr, {}},
        {"activations", activations, false, nullptr, {}}}},
      {"inputs",
       {time,
        step,
        one("h"),
        {"controls", actuators, false, nullptr, {}},
        {"joint_forces", forces, false, nullptr, {}}}},
      {"contacts",
       {time, step, one("body_a", true, &out->bodies), one("body_b", true, &out->bodies),
        one("shape_a", true, &out->shapes), one("shape_b", true, &out->shapes), vector("point"),
        vector("normal"), one("distance"), vector("force"), vector("moment"), one("sliding", true)}},
      {"energies", {time, step, one("kinetic"), one("gravity"), one("springs"), one("total")}},
      {"residuals", {time, step, one("islands", true), one("iterations", true), one("residual")}},
      {"certificates",
       {time, step, certificate_columns("absolute", true), certificate_columns("relative", false)}},
      {"timings", {time, step, {"seconds", stages, false, nullptr, {}}}},
      {"patches",
       {time, step, one("body_a", true, &out->bodies), one("body_b", true, &out->bodies),
        one("shape_a", true, &out->shapes), one("shape_b", true, &out->shapes), one("polygon", true),
        vector("corner"), one("pressure")}}};
}

struct AddRow {
  std::vector<Table>* tables;

  Row row(TableIndex table) const { return Row(&(*tables)[table]); }
  void operator()(const recorded::State& m) const {
    row(kStates) << m.time << static_cast<double>(m.step) << m.q << m.v << m.activations;
  }
  void operator()(const recorded::Snapshot&) const {}
  void operator()(const recorded::Input& m) const {
    row(kInputs) << m.time << static_cast<double>(m.step) << m.h << m.controls << m.joint_forces;
  }
  void operator()(const recorded::Contacts& m) const {
    for (const recorded::Contact& c : m.contacts)
      row(kContacts) << m.time << static_cast<double>(m.step) << c.body_a << c.body_b << c.shape_a
                     << c.shape_b << c.point << c.normal << c.distance << c.force
                     << c.moment.value_or(recorded::Vector3{}) << (c.sliding ? 1.0 : 0.0);
  }
  // One row for each corner.
  void operator()(const recorded::Patches& m) const {
    for (const recorded::Patch& p : m.patches) {
      std::size_t c = 0;
      for (std::size_t polygon = 0; polygon < p.corner_counts.size(); ++polygon)
        for (int i = 0;
             i < p.corner_counts[polygon] && 3 * c + 2 < p.corners.size() && c < p.pressures.size(); ++i, ++c)
          row(kPatches) << m.time << static_cast<double>(m.step) << p.body_a << p.body_b << p.shape_a
                        << p.shape_b << static_cast<double>(polygon)
                        << recorded::Vector3{p.corners[3 * c], p.corners[3 * c + 1], p.corners[3 * c + 2]}
                        << p.pressures[c];
    }
  }
  void operator()(const recorded::Energies& m) const {
    row(kEnergies) << m.time << static_cast<double>(m.step) << m.kinetic << m.gravity << m.springs
                   << m.kinetic + m.gravity + m.springs;
  }
  void operator()(const recorded::Residual& m) const {
    row(kResiduals) << m.time << static_cast<double>(m.step) << m.islands << m.iterations << m.residual;
    if (m.certificate)
      row(kCertificates) << m.time << static_cast<double>(m.step) << certificate_values(*m.certificate, true)
                         << certificate_values(*m.certificate, false);
  }
  void operator()(const recorded::Timings& m) const {
    row(kTimings) << m.time << static_cast<double>(m.step)
                  << VecX(Eigen::Map<const VecX>(m.seconds.data(),
                                                 static_cast<Eigen::Index>(m.seconds.size())));
  }
};

// As RFC 4180 has it: in quotes where it must be.
void put_csv_text(const std::string& text, std::string* out) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    *out += text;
    return;
  }
  *out += '"';
  for (const char c : text) *out += c == '"' ? std::string("\"\"") : std::string(1, c);
  *out += '"';
}

void put_csv_number(const TableGroup& group, double value, std::string* out) {
  if (group.words != nullptr && value >= 0.0 && value < static_cast<double>(group.words->size())) {
    put_csv_text((*group.words)[static_cast<std::size_t>(value)], out);
    return;
  }
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  out->append(text, end);
}

std::string csv_text(const Table& table) {
  std::string text;
  const char* separator = "";
  for (const TableGroup& group : table.groups) {
    for (const std::string& column : group.columns) {
      text += separator;
      put_csv_text(column, &text);
      separator = ",";
    }
  }
  text += '\n';
  for (std::size_t row = 0; row < table.rows; ++row) {
    separator = "";
    for (const TableGroup& group : table.groups) {
      for (std::size_t i = 0; i < group.columns.size(); ++i) {
        text += separator;
        put_csv_number(group, group.values[row * group.columns.size() + i], &text);
        separator = ",";
      }
    }
    text += '\n';
  }
  return text;
}

}  // namespace

void read_tables(const std::filesystem::path& recording, RecordedTables* tables) {
  RecordingReader reader(recording);
  begin_tables(reader.scene(), tables);
  RecordedMessage message;
  while (reader.next(&message)) std::visit(AddRow{&tables->tables}, message);
  tables->ending = reader.ending();
}

void save_csv(const RecordedTables& tables, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  STICTION_USER_CHECK(!error, "cannot make the folder '{}': {}", folder.string(), error.message());
  for (const Table& table : tables.tables) {
    const std::filesystem::path name = folder / (table.name + ".csv");
    std::ofstream file(name, std::ios::binary);
    file << csv_text(table);
    file.close();
    STICTION_USER_CHECK(file.good(), "cannot write the file '{}'", name.string());
  }
}

}  // namespace stiction
