#include "stiction/io/model_file.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/io/mjcf/export/export.h"
#include "stiction/io/model_json.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

// A file that is gone after the test.
class ModelFile : public testing::Test {
 protected:
  void TearDown() override { fs::remove(file_); }

  fs::path named(const std::string& ending) {
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    return file_ = fs::temp_directory_path() / ("stiction_" + test + ending);
  }

  fs::path file_;
};

TEST_F(ModelFile, OurJsonIsKnownByItsEnding) {
  const Model hand = make_scene("hand");
  save_model_json(hand, named(".json"));
  EXPECT_EQ(model_to_json(load_model_file(file_)), model_to_json(hand));
}

TEST_F(ModelFile, TheEndingMayBeInCapitals) {
  save_model_json(make_scene("arm"), named(".JSON"));
  EXPECT_EQ(load_model_file(file_).num_v(), make_scene("arm").num_v());
}

TEST_F(ModelFile, MjcfIsKnownByItsRootElement) {
  save_mjcf(make_scene("arm"), named(".anything"));
  EXPECT_EQ(load_model_file(file_).num_v(), make_scene("arm").num_v());
}

TEST_F(ModelFile, TheRootElementMayStandBehindADeclarationAndComments) {
  std::ofstream(named(".xml")) << "<?xml version='1.0'?>\n<!-- not a <robot> -->\n<!-- nor this -->"
                                  "<mujoco model='box'><worldbody/></mujoco>";
  EXPECT_EQ(load_model_file(file_).name, "box");
}

TEST_F(ModelFile, AnUnknownRootElementIsAnErrorWithItsLine) {
  std::ofstream(named(".xml")) << "<!-- a\n -->\n<sdf/>";
  try {
    load_model_file(file_);
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find(file_.string() + ":3: element <sdf>"), std::string::npos)
        << error.what();
  }
}

TEST_F(ModelFile, AnErrorInJsonNamesTheFile) {
  std::ofstream(named(".json")) << "{\"format\": \"something else\"}";
  try {
    load_model_file(file_);
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find(file_.string()), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace stiction
