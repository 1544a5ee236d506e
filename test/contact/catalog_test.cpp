#include "stiction/contact/catalog.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "stiction/contact/dual/solver.h"
#include "stiction/contact/law/compliant_laws.h"

namespace stiction {
namespace {

bool has_formula(LawKind law) { return count_types(law, static_cast<CompliantLaws*>(nullptr)) == 1; }

TEST(Catalog, FindsEveryPairByItsNameAndTheFirstSolverByTheLawAlone) {
  for (const CatalogEntry& entry : catalog()) EXPECT_EQ(find_in_catalog(entry.name()), &entry);
  for (const LawEntry& law : law_list()) {
    ASSERT_NE(find_in_catalog(law.name), nullptr);
    EXPECT_EQ(find_in_catalog(law.name)->law, law.kind);
  }
  EXPECT_EQ(find_in_catalog("sap+lemke"), nullptr);
}

TEST(Catalog, HasEverySolverThatALawNamesAndItTakesTheLaw) {
  for (const LawRow& law : kLawRows)
    for (const char* const* solver = law.solvers; *solver != nullptr; ++solver) {
      SCOPED_TRACE(std::string(law.name) + "+" + *solver);
      const auto row = std::find_if(solver_list().begin(), solver_list().end(), [&](const SolverRow& one) {
        return one.name == std::string_view(*solver);
      });
      ASSERT_NE(row, solver_list().end());
      if (row->make != nullptr) {
        EXPECT_NE(row->make(law.kind), nullptr);
      } else {
        // Solvers without impulses: Newton's method on velocities, which needs a law with a formula, and that
        // of the geometric laws.
        EXPECT_EQ(row->form.works_on_velocities, law.family != LawFamily::geometric);
        EXPECT_TRUE(law.family == LawFamily::geometric || has_formula(law.kind));
      }
    }
}

TEST(Catalog, HasALawForEverySolver) {
  for (const SolverRow& solver : solver_list()) {
    const auto uses_it = [&](const CatalogEntry& one) { return std::string_view(one.solver) == solver.name; };
    EXPECT_TRUE(std::any_of(catalog().begin(), catalog().end(), uses_it)) << solver.name;
  }
}

TEST(Catalog, NamesNothingTwice) {
  const std::vector<std::string> names = catalog_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

}  // namespace
}  // namespace stiction
