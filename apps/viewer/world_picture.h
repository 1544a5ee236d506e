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

// The patches of the step that led to the state of a world, with what colours them; none without such a step.
ViewPolygons patches_of(const World& world, const Input& input);

// What the colour of a patch says: the pressure, or the speed at which one body slips over the other.
enum class PatchColour { pressure, slip };

// Colours of the corners of patches, as the page has them: blue where there is little, red where it is largest.
std::vector<Vec3f> patch_colours(const ViewPolygons& patches, PatchColour by);

// `meshes` keeps what is the same in the next picture. Patches are drawn over the bodies.
Picture draw_model(const Model& model, const std::vector<ViewPose>& poses, const DrawingCamera& camera,
                   const PictureSize& size, ShapeMeshes* meshes, const ViewPolygons& patches = {},
                   PatchColour by = PatchColour::pressure);

}  // namespace stiction::viewer
