#pragma once
// Where the files that a URDF names lie.
//
//   package://NAME/REST, model://NAME/REST   NAME is a folder that holds REST: first looked for beside every
//                                            folder above the URDF, then in the given package paths
//   file:///PATH, /PATH                      as it is
//   PATH                                     from the folder of the URDF; may go up one level ("../meshes")
//
// REST may not lead out of its package.

#include <filesystem>
#include <string>
#include <vector>

namespace stiction {

struct UrdfFolders {
  std::filesystem::path folder;  // of the URDF
  std::vector<std::filesystem::path> package_paths;
  // MuJoCo's compiler: look here first, if given, with the name's own folders stripped or not.
  std::filesystem::path mesh_folder;
  bool strip_path = true;
};

struct UrdfFilePath {
  std::filesystem::path path;
  std::string defect;  // why there is none
};

UrdfFilePath find_urdf_file(const std::string& name, const UrdfFolders& folders);

}  // namespace stiction
