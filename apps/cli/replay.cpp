#include "stiction/io/recording/replay.h"

#include <cstdio>
#include <memory>

#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "stiction/base/format.h"

namespace stiction::cli {
namespace {

struct Arguments {
  std::string file;
  double from = 0.0;
  bool json = false;
};

nlohmann::json answer(const Arguments& a, const ReplayResult& r) {
  nlohmann::json json = {{"file", a.file},
                         {"begin", r.begin},
                         {"end", r.end},
                         {"steps", r.steps},
                         {"states", r.compared},
                         {"same", r.is_the_same()},
                         {"complete", r.ending.empty()},
                         {"hash", format("{}", r.hash)}};
  if (!r.is_the_same()) {
    const ReplayDifference& d = *r.difference;
    json["difference"] = {{"step", d.step},        {"time", d.time},   {"what", d.what},
                          {"body", d.body},        {"joint", d.joint}, {"recorded", d.recorded},
                          {"replayed", d.replayed}};
  }
  return json;
}

void print(const Arguments& a, const ReplayResult& r) {
  std::printf("%s: %lld steps from t = %g s to %g s, %lld states compared\n", a.file.c_str(),
              static_cast<long long>(r.steps), r.begin, r.end, static_cast<long long>(r.compared));
  if (!r.ending.empty()) std::printf("  note: %s\n", r.ending.c_str());
  if (r.is_the_same()) {
    std::printf("  the same bits in every state; hash %s\n", format("{}", r.hash).c_str());
    return;
  }
  const ReplayDifference& d = *r.difference;
  std::printf("  differs first at step %lld, t = %.9g s: %s", static_cast<long long>(d.step), d.time,
              d.what.c_str());
  if (d.recorded != d.replayed)
    std::printf(" is %.17g, recorded was %.17g (%.3g apart)", d.replayed, d.recorded,
                d.replayed - d.recorded);
  std::printf("\n");
}

int run(const Arguments& a) {
  ReplayOptions options;
  options.from = a.from;
  options.proceed = [](double) { return !interrupted(); };
  const ReplayResult result = replay(a.file, options);
  if (a.json) {
    std::printf("%s\n", answer(a, result).dump(2).c_str());
  } else {
    print(a, result);
  }
  if (interrupted()) return kInterrupted;
  return result.is_the_same() ? kDone : kDiffers;
}

}  // namespace

void add_replay(const Parser& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  const Parser command = app.add_command(
      "replay",
      "Simulates a recording again from its inputs and compares every state bit for bit; exits with 3 where "
      "one differs.\nExample: stiction run clutter --record run.mcap && stiction replay run.mcap");
  command.add_option("file", &arguments->file, "A recording (stiction run --record)").required();
  command.add_option("--from", &arguments->from, "Begin at the last snapshot before this time (s)")
      .capture_default_str();
  command.add_flag("--json", &arguments->json, "Print JSON alone on standard output");
  command.callback([arguments, exit_code] { *exit_code = run(*arguments); });
}

}  // namespace stiction::cli
