#include "stiction/contact/dual/one_contact.h"

#include <cmath>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "test/contact/dual/samples.h"

namespace stiction {
namespace {

// Energy of a tangential impulse at the normal impulse n.
double energy(const MatX& D, const VecX& g, double n, const VecX& t) {
  const auto m = t.size();
  return 0.5 * t.dot(D.topLeftCorner(m, m) * t) + t.dot(g.head(m) + D.col(m).head(m) * n);
}

VecX random_numbers(int n, Random* random) {
  VecX x(n);
  for (int i = 0; i < n; ++i) x[i] = random->normal();
  return x;
}

TEST(OneContact, NoOtherPointOfTheDiscHasLessEnergy) {
  Random random(1);
  for (const int m : {2, 5}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const MatX D = random_spd(m + 1, seed);
      const VecX g = 3.0 * random_numbers(m + 1, &random);
      const double n = random.uniform(0.1, 2.0), mu = random.uniform(0.1, 2.0);
      const DualProblem problem = dense_problem({contact_block(mu, m)}, D, g);
      LocalContacts models;
      models.begin(problem);
      VecX t(m);
      impulse_in_disc(models.of(0), g.data(), n, t.data());
      EXPECT_LE(t.norm(), mu * n * (1.0 + 1e-15));
      for (int k = 0; k < 300; ++k) {
        // Near and far, brought back into the disc.
        VecX other = t + std::pow(10.0, -random.uniform(0.0, 6.0)) * random_numbers(m, &random);
        project_on_ball(mu * n, m, other.data());
        EXPECT_GE(energy(D, g, n, other), energy(D, g, n, t) - 1e-13 * std::abs(energy(D, g, n, t)));
      }
    }
  }
}

TEST(OneContact, SlipIsTheTangentialVelocityOnTheDisc) {
  Random random(2);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const MatX D = random_spd(3, seed);
    const VecX g = 3.0 * random_numbers(3, &random);
    const double n = 0.3;
    const DualProblem problem = dense_problem({contact_block(0.5)}, D, g);
    LocalContacts models;
    models.begin(problem);
    VecX x(3);
    const double slip = impulse_in_disc(models.of(0), g.data(), n, x.data());
    x[2] = n;
    EXPECT_NEAR(slip, (D * x + g).head(2).norm(), 1e-13 * g.norm());
  }
}

TEST(OneContact, NoOtherPointOfThePolygonHasLessEnergy) {
  Random random(3);
  for (const int m : {2, 5}) {
    for (const int facets : {4, 6, 12}) {
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Pyramid pyramid{facets, seed % 2 == 0};
        const MatX D = random_spd(m + 1, seed);
        const VecX g = 3.0 * random_numbers(m + 1, &random);
        const double n = random.uniform(0.1, 2.0), mu = random.uniform(0.1, 2.0);
        const DualProblem problem = dense_problem({contact_block(mu, m)}, D, g);
        LocalContacts models;
        models.begin(problem);
        PolygonEdges edges;
        edges.begin(pyramid);
        VecX t(m);
        impulse_in_polygon(models.of(0), edges, g.data(), n, t.data());
        for (int k = 0; k < 200; ++k) {
          VecX other = t + std::pow(10.0, -random.uniform(0.0, 6.0)) * random_numbers(m, &random);
          project_on_section(LawKind::pyramid_lcp, pyramid, mu * n, m, other.data());
          EXPECT_GE(energy(D, g, n, other), energy(D, g, n, t) - 1e-12 * std::abs(energy(D, g, n, t)));
        }
      }
    }
  }
}

// Coulomb's law written out: s_n = 0, |t| = mu n, s_t against t.
TEST(OneContact, SlidingObeysCoulombsLawWhateverTheCoupling) {
  Random random(4);
  int slides = 0;
  for (const int m : {2, 5}) {
    for (const double mu : {1e-3, 0.3, 1.0, 10.0}) {
      for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const MatX D = random_spd(m + 1, seed);
        VecX g = random_numbers(m + 1, &random), x = VecX::Zero(m + 1);
        g[m] = -std::abs(g[m]);
        const DualProblem problem = dense_problem({contact_block(mu, m)}, D, g);
        LocalContacts models;
        models.begin(problem);
        ASSERT_TRUE(solve_contact(LawKind::coulomb_ncp, models.of(0), PolygonEdges{}, g.data(), x.data()));
        const VecX s = D * x + g;
        // Round-off of s is that of its terms.
        const double fine = 1e-13 * (g.norm() + D.norm() * x.norm());
        EXPECT_NEAR(s[m], 0.0, fine);
        EXPECT_LE(x.head(m).norm(), mu * x[m] * (1.0 + 1e-14));
        EXPECT_NEAR(s.head(m).dot(x.head(m)), -mu * x[m] * s.head(m).norm(), fine * x.norm());
        slides += s.head(m).norm() > 100.0 * fine ? 1 : 0;
      }
    }
  }
  EXPECT_GT(slides, 100);
}

TEST(OneContact, AConeAnswersAsTheProjectionInTheMetricOfItsBlock) {
  // With D = d 1 the metric is Euclid's: x = P(-g/d).
  Random random(5);
  for (const int m : {2, 5}) {
    for (int k = 0; k < 100; ++k) {
      const double d = random.uniform(0.1, 10.0), mu = random.uniform(0.1, 3.0);
      const VecX g = random_numbers(m + 1, &random);
      const DualProblem problem = dense_problem({contact_block(mu, m)}, d * MatX::Identity(m + 1, m + 1), g);
      LocalContacts models;
      models.begin(problem);
      VecX x = VecX::Zero(m + 1), expected = -g / d;
      ASSERT_TRUE(solve_contact(LawKind::convex_cone, models.of(0), PolygonEdges{}, g.data(), x.data()));
      project_on_cone(mu, m, expected.data());
      EXPECT_LT((x - expected).norm(), 1e-13 * g.norm() / d);
    }
  }
}

}  // namespace
}  // namespace stiction
