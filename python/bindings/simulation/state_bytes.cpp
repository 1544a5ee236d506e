#include "python/bindings/simulation/state_bytes.h"

#include <cstring>

#include "stiction/base/check.h"
#include "stiction/base/format_version.h"

namespace stiction::python {
namespace {

// The bytes begin with this name and one digit, the version. What pass() below lists is version 2; whoever
// changes it raises the version. Version 1 had no penalties.
constexpr std::string_view kName = "stiction state ";
constexpr FileFormat kVersions = {.plural = "stiction states", .version = 2};
static_assert(kVersions.version <= 9, "the version is one digit");

class Writer {
 public:
  template <class T>
  void operator()(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void operator()(const VecX& x) {
    (*this)(std::uint64_t(x.size()));
    for (const double number : x) (*this)(number);
  }
  void operator()(const Vec3& x) {
    for (const double number : x) (*this)(number);
  }
  template <class T>
  void size_of(const std::vector<T>& items) {
    (*this)(std::uint64_t(items.size()));
  }
  int version() const { return kVersions.version; }
  std::string bytes_{std::string(kName) + char('0' + kVersions.version)};
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    STICTION_USER_CHECK(
        rest_.starts_with(kName) && rest_.size() > kName.size() && is_digit(rest_[kName.size()]),
        "these bytes are no state");
    version_ = rest_[kName.size()] - '0';
    check_format_version(kVersions, version_, "the pickled state");
    rest_.remove_prefix(kName.size() + 1);
  }
  template <class T>
  void operator()(T& value) {
    STICTION_USER_CHECK(rest_.size() >= sizeof value, "the bytes of a state end too early");
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
  }
  void operator()(VecX& x) {
    x.resize(Eigen::Index(count(sizeof(double))));
    for (double& number : x) (*this)(number);
  }
  void operator()(Vec3& x) {
    for (double& number : x) (*this)(number);
  }
  template <class T>
  void size_of(std::vector<T>& items) {
    items.resize(count(1));
  }
  bool is_done() const { return rest_.empty(); }
  int version() const { return version_; }

 private:
  // No more items than there are bytes left for.
  std::uint64_t count(std::size_t bytes_each) {
    std::uint64_t n = 0;
    (*this)(n);
    STICTION_USER_CHECK(n <= rest_.size() / bytes_each, "the bytes of a state end too early");
    return n;
  }

  std::string_view rest_;
  int version_ = 0;
};

// The one list of the members of a state, for reading and writing.
template <class Stream, class StateType>
void pass(Stream& stream, StateType& s) {
  stream(s.time);
  for (auto* x : {&s.q, &s.v, &s.activations, &s.acceleration, &s.last_acceleration}) stream(*x);
  stream.size_of(s.memory.points);
  for (auto& p : s.memory.points) {
    stream(p.shape_A);
    stream(p.shape_B);
    stream(p.feature);
    for (auto* x : {&p.place, &p.force, &p.moment}) stream(*x);
  }
  stream.size_of(s.memory.rows);
  for (auto& r : s.memory.rows) {
    for (auto* x : {&r.kind, &r.index, &r.component}) stream(*x);
    stream(r.force);
  }
  stream.size_of(s.memory.deflections);
  for (auto& d : s.memory.deflections) {
    for (auto* x : {&d.shape_A, &d.shape_B}) stream(*x);
    for (auto* x : {&d.normal_A, &d.normal_B}) stream(*x);
    for (auto* x : {&d.shear_A, &d.shear_B}) stream(*x);
  }
  if (stream.version() < 2) return;
  stream.size_of(s.memory.penalties);
  for (auto& p : s.memory.penalties) {
    stream(p.tree);
    stream(p.rho);
  }
}

}  // namespace

std::string state_to_bytes(const State& state) {
  Writer writer;
  pass(writer, state);
  return std::move(writer.bytes_);
}

State state_from_bytes(std::string_view bytes) {
  Reader reader(bytes);
  State state;
  pass(reader, state);
  STICTION_USER_CHECK(reader.is_done(), "the bytes of a state have more behind them");
  for (const VecX* x : {&state.acceleration, &state.last_acceleration})
    STICTION_USER_CHECK(x->size() == 0 || x->size() == state.v.size(),
                        "a state of {} velocities has {} accelerations", state.v.size(), x->size());
  return state;
}

bool same_bits(const State& a, const State& b) { return state_to_bytes(a) == state_to_bytes(b); }

}  // namespace stiction::python
