#pragma once
// Messages of Foxglove that we write, field by field as https://docs.foxglove.dev/docs/sdk/schemas has them;
// a test compares them with those that Foxglove publishes.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "stiction/io/recording/proto_message.h"

namespace stiction::foxglove {

struct Timestamp {
  static constexpr const char *kPackage = "google.protobuf", *kName = "Timestamp";
  std::int64_t seconds = 0;
  int nanos = 0;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "seconds", m.seconds);
    f(2, "nanos", m.nanos);
  }
};

struct Duration {
  static constexpr const char *kPackage = "google.protobuf", *kName = "Duration";
  std::int64_t seconds = 0;
  int nanos = 0;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "seconds", m.seconds);
    f(2, "nanos", m.nanos);
  }
};

struct Vector3 {
  static constexpr const char *kPackage = "foxglove", *kName = "Vector3";
  double x = 0.0, y = 0.0, z = 0.0;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "x", m.x);
    f(2, "y", m.y);
    f(3, "z", m.z);
  }
};

struct Point3 {
  static constexpr const char *kPackage = "foxglove", *kName = "Point3";
  double x = 0.0, y = 0.0, z = 0.0;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "x", m.x);
    f(2, "y", m.y);
    f(3, "z", m.z);
  }
};

struct Quaternion {
  static constexpr const char *kPackage = "foxglove", *kName = "Quaternion";
  double x = 0.0, y = 0.0, z = 0.0, w = 1.0;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "x", m.x);
    f(2, "y", m.y);
    f(3, "z", m.z);
    f(4, "w", m.w);
  }
};

struct Pose {
  static constexpr const char *kPackage = "foxglove", *kName = "Pose";
  Vector3 position;
  Quaternion orientation;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "position", m.position);
    f(2, "orientation", m.orientation);
  }
};

struct Color {
  static constexpr const char *kPackage = "foxglove", *kName = "Color";
  double r = 0.0, g = 0.0, b = 0.0, a = 1.0;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "r", m.r);
    f(2, "g", m.g);
    f(3, "b", m.b);
    f(4, "a", m.a);
  }
};

struct FrameTransform {
  static constexpr const char *kPackage = "foxglove", *kName = "FrameTransform";
  Timestamp timestamp;
  std::string parent_frame_id, child_frame_id;
  Vector3 translation;
  Quaternion rotation;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "timestamp", m.timestamp);
    f(2, "parent_frame_id", m.parent_frame_id);
    f(3, "child_frame_id", m.child_frame_id);
    f(4, "translation", m.translation);
    f(5, "rotation", m.rotation);
  }
};

struct FrameTransforms {
  static constexpr const char *kPackage = "foxglove", *kName = "FrameTransforms";
  std::vector<FrameTransform> transforms;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "transforms", m.transforms);
  }
};

struct KeyValuePair {
  static constexpr const char *kPackage = "foxglove", *kName = "KeyValuePair";
  std::string key, value;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "key", m.key);
    f(2, "value", m.value);
  }
};

struct ArrowPrimitive {
  static constexpr const char *kPackage = "foxglove", *kName = "ArrowPrimitive";
  Pose pose;
  double shaft_length = 0.0, shaft_diameter = 0.0, head_length = 0.0, head_diameter = 0.0;
  Color color;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "pose", m.pose);
    f(2, "shaft_length", m.shaft_length);
    f(3, "shaft_diameter", m.shaft_diameter);
    f(4, "head_length", m.head_length);
    f(5, "head_diameter", m.head_diameter);
    f(6, "color", m.color);
  }
};

struct CubePrimitive {
  static constexpr const char *kPackage = "foxglove", *kName = "CubePrimitive";
  Pose pose;
  Vector3 size;
  Color color;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "pose", m.pose);
    f(2, "size", m.size);
    f(3, "color", m.color);
  }
};

struct SpherePrimitive {
  static constexpr const char *kPackage = "foxglove", *kName = "SpherePrimitive";
  Pose pose;
  Vector3 size;
  Color color;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "pose", m.pose);
    f(2, "size", m.size);
    f(3, "color", m.color);
  }
};

struct CylinderPrimitive {
  static constexpr const char *kPackage = "foxglove", *kName = "CylinderPrimitive";
  Pose pose;
  Vector3 size;
  double bottom_scale = 1.0, top_scale = 1.0;
  Color color;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "pose", m.pose);
    f(2, "size", m.size);
    f(3, "bottom_scale", m.bottom_scale);
    f(4, "top_scale", m.top_scale);
    f(5, "color", m.color);
  }
};

struct LinePrimitive {
  static constexpr const char *kPackage = "foxglove", *kName = "LinePrimitive";
  struct Type {
    static constexpr const char* kEnumName = "Type";
    static constexpr std::array kWords = {"LINE_STRIP", "LINE_LOOP", "LINE_LIST"};
    int value = 0;
  };
  Type type;
  Pose pose;
  double thickness = 0.0;
  bool scale_invariant = false;
  std::vector<Point3> points;
  Color color;
  std::vector<Color> colors;
  std::vector<std::uint32_t> indices;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "type", m.type);
    f(2, "pose", m.pose);
    f(3, "thickness", m.thickness);
    f(4, "scale_invariant", m.scale_invariant);
    f(5, "points", m.points);
    f(6, "color", m.color);
    f(7, "colors", m.colors);
    f(8, "indices", m.indices);
  }
};

struct TriangleListPrimitive {
  static constexpr const char *kPackage = "foxglove", *kName = "TriangleListPrimitive";
  Pose pose;
  std::vector<Point3> points;
  Color color;
  std::vector<Color> colors;
  std::vector<std::uint32_t> indices;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "pose", m.pose);
    f(2, "points", m.points);
    f(3, "color", m.color);
    f(4, "colors", m.colors);
    f(5, "indices", m.indices);
  }
};

struct TextPrimitive {
  static constexpr const char *kPackage = "foxglove", *kName = "TextPrimitive";
  Pose pose;
  bool billboard = false;
  double font_size = 0.0;
  bool scale_invariant = false;
  Color color;
  std::string text;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "pose", m.pose);
    f(2, "billboard", m.billboard);
    f(3, "font_size", m.font_size);
    f(4, "scale_invariant", m.scale_invariant);
    f(5, "color", m.color);
    f(6, "text", m.text);
  }
};

struct ModelPrimitive {
  static constexpr const char *kPackage = "foxglove", *kName = "ModelPrimitive";
  Pose pose;
  Vector3 scale;
  Color color;
  bool override_color = false;
  std::string url, media_type;
  Bytes data;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "pose", m.pose);
    f(2, "scale", m.scale);
    f(3, "color", m.color);
    f(4, "override_color", m.override_color);
    f(5, "url", m.url);
    f(6, "media_type", m.media_type);
    f(7, "data", m.data);
  }
};

struct SceneEntity {
  static constexpr const char *kPackage = "foxglove", *kName = "SceneEntity";
  Timestamp timestamp;
  std::string frame_id, id;
  Duration lifetime;
  bool frame_locked = false;
  std::vector<KeyValuePair> metadata;
  std::vector<ArrowPrimitive> arrows;
  std::vector<CubePrimitive> cubes;
  std::vector<SpherePrimitive> spheres;
  std::vector<CylinderPrimitive> cylinders;
  std::vector<LinePrimitive> lines;
  std::vector<TriangleListPrimitive> triangles;
  std::vector<TextPrimitive> texts;
  std::vector<ModelPrimitive> models;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "timestamp", m.timestamp);
    f(2, "frame_id", m.frame_id);
    f(3, "id", m.id);
    f(4, "lifetime", m.lifetime);
    f(5, "frame_locked", m.frame_locked);
    f(6, "metadata", m.metadata);
    f(7, "arrows", m.arrows);
    f(8, "cubes", m.cubes);
    f(9, "spheres", m.spheres);
    f(10, "cylinders", m.cylinders);
    f(11, "lines", m.lines);
    f(12, "triangles", m.triangles);
    f(13, "texts", m.texts);
    f(14, "models", m.models);
  }
};

struct SceneEntityDeletion {
  static constexpr const char *kPackage = "foxglove", *kName = "SceneEntityDeletion";
  struct Type {
    static constexpr const char* kEnumName = "Type";
    static constexpr std::array kWords = {"MATCHING_ID", "ALL"};
    int value = 0;
  };
  Timestamp timestamp;
  Type type;
  std::string id;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "timestamp", m.timestamp);
    f(2, "type", m.type);
    f(3, "id", m.id);
  }
};

struct SceneUpdate {
  static constexpr const char *kPackage = "foxglove", *kName = "SceneUpdate";
  std::vector<SceneEntityDeletion> deletions;
  std::vector<SceneEntity> entities;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "deletions", m.deletions);
    f(2, "entities", m.entities);
  }
};

}  // namespace stiction::foxglove
