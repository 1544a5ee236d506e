#include "bench/race/cholesky_race.h"

#include <algorithm>
#include <fstream>

#include <Eigen/SparseCholesky>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "stiction/base/check.h"
#include "stiction/base/random.h"
#include "stiction/math/supernodal_cholesky.h"

namespace stiction::race {

namespace {

struct Scene {
  std::string name;
  std::vector<int> sizes;
  std::vector<BlockPair> pairs;
};

Scene read_scene(const std::string& path) {
  std::ifstream file(path);
  STICTION_USER_CHECK(file.good(), "cannot read the contact graph '{}'", path);
  const nlohmann::json graph = nlohmann::json::parse(file);
  Scene scene{graph.at("scene"), std::vector<int>(graph.at("bodies").get<int>(), 6), {}};
  for (const nlohmann::json& pair : graph.at("pairs")) scene.pairs.push_back({pair.at(0), pair.at(1)});
  return scene;
}

// The first two bodies become trees of 30 dofs that each touch 20 bodies spread over the pile.
Scene with_two_robots(Scene scene) {
  scene.name += "_and_two_robots";
  const int n = static_cast<int>(scene.sizes.size());
  for (int robot : {0, 1}) {
    scene.sizes[robot] = 30;
    for (int k = 0; k < 20; ++k) scene.pairs.push_back({robot, 2 + (k * n / 20 + robot) % (n - 2)});
  }
  return scene;
}

// Random blocks off the diagonal, and enough on the diagonal to dominate them.
void fill(const Scene& scene, BlockSparseMatrix* H) {
  Random random(1);
  H->set_zero();
  std::vector<int> degree(scene.sizes.size(), 1);
  for (const auto& [i, j] : scene.pairs) {
    MatX block(scene.sizes[i], scene.sizes[j]);
    for (double& entry : block.reshaped()) entry = random.uniform(-1.0, 1.0);
    H->add_block(i, j, block);
    ++degree[i];
    ++degree[j];
  }
  for (int i = 0; i < H->block_rows(); ++i)
    H->add_block(i, i, 30.0 * degree[i] * MatX::Identity(scene.sizes[i], scene.sizes[i]));
}

// Every entry of every block of the pattern, as in a real Hessian, not only those that are not zero.
Eigen::SparseMatrix<double> scalar_matrix(const Scene& scene, BlockSparseMatrix* H) {
  std::vector<Eigen::Triplet<double>> triplets;
  const auto add = [&](int i, int j) {
    const BlockView block = H->block(i, j);
    for (int r = 0; r < scene.sizes[i]; ++r) {
      for (int c = 0; c < scene.sizes[j]; ++c) {
        const double value = block.transposed ? block(c, r) : block(r, c);
        triplets.emplace_back(H->dof_start(i) + r, H->dof_start(j) + c, value);
      }
    }
  };
  std::vector<BlockPair> unique;
  for (const auto& [i, j] : scene.pairs) unique.push_back({std::max(i, j), std::min(i, j)});
  const auto by_rows = [](const BlockPair& a, const BlockPair& b) {
    return a.row != b.row ? a.row < b.row : a.col < b.col;
  };
  std::ranges::sort(unique, by_rows);
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  for (const auto& [i, j] : unique) {
    add(i, j);
    add(j, i);
  }
  for (int i = 0; i < H->block_rows(); ++i) add(i, i);
  Eigen::SparseMatrix<double> matrix(H->rows(), H->rows());
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

// Makes H a matrix again from a copy of its numbers; fill is left alone, as in an assembly.
void put_back(const PackedVector& numbers, BlockSparseMatrix* H) {
  const std::span<const CholeskyStructure::Block> blocks = H->structure().blocks();
  for (const CholeskyStructure::StoredBlock& block : H->structure().stored_blocks()) {
    for (int t = 0; t < blocks[block.row].tiles; ++t) {
      const std::size_t first = block.offset + t * block.tile_stride;
      std::copy_n(numbers.data() + first, blocks[block.col].size, H->columns() + first);
    }
  }
  H->set_content(BlockSparseMatrix::Content::kMatrix);
}

RaceRow race_scene(const Scene& scene) {
  // Ours: the numbers are kept aside and copied back before every factorisation.
  BlockSparseMatrix H;
  H.set_pattern(scene.sizes, scene.pairs);
  fill(scene, &H);
  const Eigen::SparseMatrix<double> scalars = scalar_matrix(scene, &H);
  const PackedVector numbers(H.columns(), H.columns() + H.structure().columns_stored());
  SupernodalCholesky cholesky;
  const auto factorise = [&] {
    put_back(numbers, &H);
    STICTION_ASSERT(cholesky.factorise(&H).is_positive_definite());
  };
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> eigen;
  eigen.analyzePattern(scalars);

  // Both must give the same solution. The matrices have condition numbers below 100.
  const VecX b = VecX::LinSpaced(H.rows(), -1.0, 1.0);
  factorise();
  eigen.factorize(scalars);
  VecX x = b, eigen_x = eigen.solve(b);
  cholesky.solve(H, x);
  STICTION_ASSERT((x - eigen_x).norm() < 1e-12 * eigen_x.norm());

  // A pair more or less, in turns: our analysis would skip a pattern that it has just seen.
  BlockSparseMatrix analysed;
  std::vector<BlockPair> fewer(scene.pairs.begin(), scene.pairs.end() - 1);
  bool is_fewer = false;
  constexpr int kBatches = 21;
  const std::vector<Times> seconds =
      times_in_turns({{"ours, factorise", factorise},
                      {"Eigen, factorise", [&] { eigen.factorize(scalars); }},
                      {"ours, solve", [&] { x = b, cholesky.solve(H, x); }},
                      {"Eigen, solve", [&] { eigen_x = eigen.solve(b); }},
                      {"ours, analyse",
                       [&] {
                         is_fewer = !is_fewer;
                         analysed.set_pattern(scene.sizes, is_fewer ? fewer : scene.pairs);
                       }},
                      {"Eigen, analyse", [&] { eigen.analyzePattern(scalars); }}},
                     kBatches);

  RaceRow row;
  row.race = "sparse_cholesky";
  row.scene = scene.name;
  row.peer = "Eigen SimplicialLLT";
  row.peer_version = fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
  row.ours_s = seconds[0];
  row.peer_s = seconds[1];
  row.goal = 8.0;
  row.note = fmt::format("{} bodies, {} pairs; solve {:.1f} / {:.1f} us, analysis {:.0f} / {:.0f} us",
                         scene.sizes.size(), scene.pairs.size(), 1e6 * seconds[2].median,
                         1e6 * seconds[3].median, 1e6 * seconds[4].median, 1e6 * seconds[5].median);
  return row;
}

}  // namespace

std::vector<RaceRow> race_cholesky(const std::string& data_dir) {
  std::vector<RaceRow> rows;
  for (const char* name : {"clutter_40", "clutter_160", "clutter_1000", "clutter_4000", "lattice_1000"})
    rows.push_back(race_scene(read_scene(fmt::format("{}/{}.json", data_dir, name))));
  rows.push_back(race_scene(with_two_robots(read_scene(data_dir + "/clutter_1000.json"))));
  return rows;
}

}  // namespace stiction::race
