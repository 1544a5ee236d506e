#include "stiction/base/shared_files.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace stiction {
namespace {

// Points STICTION_SHARED to a folder of its own while a test runs.
class SharedFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_ / "data");
    std::ofstream(folder_ / "data/one.json") << "{}";
    if (const char* before = std::getenv("STICTION_SHARED")) before_ = before;
    setenv("STICTION_SHARED", folder_.c_str(), 1);
  }
  void TearDown() override {
    before_.empty() ? unsetenv("STICTION_SHARED") : setenv("STICTION_SHARED", before_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }

  std::filesystem::path folder_;

 private:
  std::string before_;
};

TEST_F(SharedFilesTest, FindsAFileInTheFolderOfTheEnvironment) {
  EXPECT_EQ(shared_file("data/one.json"), folder_ / "data/one.json");
}

TEST_F(SharedFilesTest, HasNoAnswerForAMissingFile) {
  EXPECT_FALSE(shared_file("data/two.json").has_value());
}

TEST_F(SharedFilesTest, SaysWhereItLooked) {
  const std::string message = missing_shared_file("data/two.json");
  EXPECT_NE(message.find((folder_ / "data/two.json").string()), std::string::npos) << message;
}

TEST_F(SharedFilesTest, LooksBesideTheWorkingFolderByDefault) {
  unsetenv("STICTION_SHARED");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::create_directories(folder_ / "shared/models");
  std::filesystem::create_directories(folder_ / "checkout");
  std::filesystem::current_path(folder_ / "checkout");
  EXPECT_TRUE(shared_file("models").has_value());
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace stiction
