#include "stiction/contact/catalog.h"

#include <set>

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(Catalog, FindsEveryPairByItsNameAndTheFirstSolverByTheLawAlone) {
  for (const CatalogEntry& entry : catalog()) EXPECT_EQ(find_in_catalog(entry.name()), &entry);
  for (const LawEntry& law : law_list()) {
    ASSERT_NE(find_in_catalog(law.name), nullptr);
    EXPECT_EQ(find_in_catalog(law.name)->law, law.kind);
  }
  EXPECT_EQ(find_in_catalog("sap+lemke"), nullptr);
}

TEST(Catalog, NamesNothingTwice) {
  const std::vector<std::string> names = catalog_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

}  // namespace
}  // namespace stiction
