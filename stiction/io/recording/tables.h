#pragma once
// A recording as tables of numbers, for programs that read CSV or NumPy files.

#include <filesystem>
#include <string>
#include <vector>

namespace stiction {

// Columns that belong together, such as the positions: one array of NumPy, several columns of a CSV file.
struct TableGroup {
  std::string name;                  // "q"
  std::vector<std::string> columns;  // "hinge.q", "ball.qw", ...
  bool is_integer = false;
  // Integers that stand for these names; empty: numbers.
  const std::vector<std::string>* words = nullptr;
  std::vector<double> values = {};  // row by row
};

struct Table {
  std::string name;  // "states"
  std::vector<TableGroup> groups;
  std::size_t rows = 0;
};

// Of one recording; not to be copied, since tables refer to the names.
struct RecordedTables {
  RecordedTables() = default;
  RecordedTables(const RecordedTables&) = delete;
  RecordedTables& operator=(const RecordedTables&) = delete;

  std::vector<std::string> bodies, shapes, joints;  // names, by their numbers
  std::vector<Table> tables;  // states, inputs, contacts, energies, residuals, certificates, timings
  std::string title;          // scene and formulation
  std::string ending;         // of a recording without an end (McapReader::ending)
};

// Throws UserError for what cannot be read.
void read_tables(const std::filesystem::path& recording, RecordedTables* tables);

// Writes states.csv, ... into the folder, which is made if it is not there. Numbers have as many digits as it
// takes to read the same bits.
void save_csv(const RecordedTables& tables, const std::filesystem::path& folder);

// Writes arrays `states_q` (rows x columns), `states_time` (rows), ... and the names as `bodies`, `shapes`,
// `states_q_names`, ...; numpy.load reads them.
void save_npz(const RecordedTables& tables, const std::filesystem::path& file);

}  // namespace stiction
