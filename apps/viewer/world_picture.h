#pragma once
// Pictures of a model without a browser: shapes in the colours of the viewer's page, on the ground of the scene.

#include <string>
#include <vector>

#include "apps/viewer/frame.h"
#include "apps/viewer/picture.h"
#include "apps/viewer/rasteriser.h"

namespace stiction::viewer {

// Eye, target (m) and vertical field of view (degrees) of a camera as check_camera takes it, for a picture.
DrawingCamera drawing_camera(const Model& model, const std::vector<ViewPose>& poses,
                             const std::string& camera, const PictureSize& size);

// Poses of the bodies, in the model's order.
std::vector<ViewPose> poses_of(const Model& model, const State& state, const Input& input);

// `meshes` keeps what is the same in the next picture.
Picture draw_model(const Model& model, const std::vector<ViewPose>& poses, const DrawingCamera& camera,
                   const PictureSize& size, ShapeMeshes* meshes);

}  // namespace stiction::viewer
