#include <cstdio>
#include <memory>

#include "apps/cli/commands.h"
#include "stiction/base/check.h"
#include "stiction/io/recording/tables.h"

namespace stiction::cli {
namespace {

struct Arguments {
  std::string file, csv, npz;
  bool quiet = false;
};

int run(const Arguments& a) {
  STICTION_USER_CHECK(!a.csv.empty() || !a.npz.empty(), "say where to: --csv FOLDER or --npz FILE");
  RecordedTables tables;
  read_tables(a.file, &tables);
  if (!a.csv.empty()) save_csv(tables, a.csv);
  if (!a.npz.empty()) save_npz(tables, a.npz);
  if (a.quiet) return kDone;
  std::printf("%s: %s\n", a.file.c_str(), tables.title.c_str());
  if (!tables.ending.empty()) std::printf("  note: %s\n", tables.ending.c_str());
  for (const Table& table : tables.tables) std::printf("  %-13s %8zu rows\n", table.name.c_str(), table.rows);
  return kDone;
}

}  // namespace

void add_export(const Parser& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  const Parser command = app.add_command(
      "export",
      "Writes a recording as CSV files or as NumPy arrays.\nExample: stiction run slope --time 1 --record "
      "run.mcap && stiction export run.mcap --npz run.npz");
  command.add_option("file", &arguments->file, "A recording (stiction run --record)").required();
  command.add_option("--csv", &arguments->csv, "Folder for states.csv, contacts.csv, energies.csv, ...");
  command.add_option("--npz", &arguments->npz, "File for numpy.load");
  command.add_flag("--quiet", &arguments->quiet, "Print nothing but errors");
  command.callback([arguments, exit_code] { *exit_code = run(*arguments); });
}

}  // namespace stiction::cli
