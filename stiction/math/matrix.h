#pragma once
// Names for the small dense matrices used everywhere. Six-vectors are ordered (angular, linear).

#include <Eigen/Core>
#include <Eigen/Geometry>  // cross products

namespace stiction {

template <class T>
using Vec3T = Eigen::Matrix<T, 3, 1>;
template <class T>
using Vec4T = Eigen::Matrix<T, 4, 1>;
template <class T>
using Vec6T = Eigen::Matrix<T, 6, 1>;
template <class T>
using Mat3T = Eigen::Matrix<T, 3, 3>;
template <class T>
using Mat6T = Eigen::Matrix<T, 6, 6>;
template <class T>
using VecXT = Eigen::Matrix<T, Eigen::Dynamic, 1>;
template <class T>
using MatXT = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

using Vec3 = Vec3T<double>;
using Vec4 = Vec4T<double>;
using Vec6 = Vec6T<double>;
using Mat3 = Mat3T<double>;
using Mat6 = Mat6T<double>;
using VecX = VecXT<double>;
using MatX = MatXT<double>;

using VecRef = Eigen::Ref<VecX>;
using ConstVecRef = Eigen::Ref<const VecX>;
using MatRef = Eigen::Ref<MatX, 0, Eigen::OuterStride<>>;

}  // namespace stiction
