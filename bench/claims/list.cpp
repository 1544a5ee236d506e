#include "bench/claims/claim.h"

namespace stiction::claims {

const std::vector<Claim>& claim_list() {
  static const std::vector<Claim> list = {
      {"S1", "S VI-B, Fig. 5",
       "cylinder R 0.05 m, 0.5 kg, on a spring of 100 N/m, k 1e4 N/m, tau_d 0.02 s, mu 0, x0 0.1 m, h 0.02 s",
       "implicit Euler loses the energy in a few periods, symplectic Euler keeps it in a band of 28 %, "
       "midpoint "
       "keeps it",
       "implicit < 1 % after 3 periods; band 26-30 %; midpoint relative drift < 1e-8 over 5 s", 1,
       energy_without_friction},
      {"S2", "S VI-B, Fig. 6", "as S1, mu 1",
       "midpoint ripples by 0.16 %; symplectic Euler and midpoint lose about 10 % in 10 min",
       "ripple 0.12-0.20 %; loss 7-13 %", 1, energy_of_rolling},
      {"S3", "S VI-B, Fig. 7", "as S2, 5 s, error against the exact rolling motion",
       "second order for midpoint, first for both Euler schemes, symplectic error below implicit",
       "slopes 2 +- 0.15 and 1 +- 0.15; the order of the two Euler errors", 1, order_of_rolling},
      {"S4", "S VI-C, Fig. 9",
       "clutter: 80 cm box, 4 columns of 10 spheres of 5 cm and cubes of 10 cm, k 1e12, tau_d = h = 10 ms, "
       "mu 1, 10 s",
       "about 3 Newton iterations a step at rest, up to about 20 in the transient",
       "mean <= 4 after 5 s; max <= 30", 3, iterations_of_clutter},
      {"S5", "S VI-C, Fig. 10", "as S4", "the cost falls in every iteration; quadratic tail in the transient",
       "100 % of the iterations, to round-off; gradients of the last 3 iterations of a transient step fall "
       "with "
       "order >= 1.7",
       10, cost_falls},
      {"S6", "S VI-C, Figs. 11, 12",
       "as S4, 8 to 160 bodies, with and without walls, against the conic solver Clarabel on the same "
       "problems",
       "up to 25x (walls) and 50x (no walls) faster than a conic solver; beyond 80 bodies with walls that "
       "may win",
       "best ratio below 40 bodies >= 25 and >= 50 at equal e_m", 40, against_conic_solver},
      {"S7", "S VI-C, Fig. 13", "as S4, with and without walls",
       "e_m (eq. 32) is small, e_mu (eq. 33) at machine precision", "max e_m < 1e-5; max e_mu < 1e-12", 8,
       accuracy_of_clutter},
      {"S8", "S VI-C, Fig. 14", "as S4, sigma 1e-6 .. 1e-1, with and without walls",
       "the mean slip at rest stays below sigma mu h g and follows its slope with walls",
       "below for every sigma; log-log slope 1 +- 0.1 with walls", 10, slip_at_rest},
      {"S9", "S VI-C, Fig. 15", "as S4, sigma 1e-6 .. 1e-1",
       "the condition number grows as 1/sigma, mean iterations as log(sigma)",
       "slope -1 +- 0.15; straight line in log(sigma) with R^2 > 0.9", 10, conditioning_by_sigma},
      {"S12", "S V-B", "point of mass at rest, beta 1, sigma 1e-3, tau_d = beta h/pi, h 1 .. 10 ms",
       "depth about beta^2 g h^2/(4 pi^2): 2.5e-7 m at 1 ms, 2.5e-5 m at 10 ms; slip <= mu sigma g h",
       "depth = g h (h + tau_d) beta^2 m w/(4 pi^2) to 1e-3; the paper's numbers within a factor 2; slip "
       "bound",
       1, near_rigid_point},
      {"S13", "S V-A", "point on a running belt, sap, k 1e4, tau_d = h = 10 ms, mu 0.5",
       "gliding offset mu (h + tau_d) |vt|; effective stiffness k/(1 + mu~^2)", "both within 1 %", 1,
       gliding_of_sap},
      {"I1", "I XI-A, Figs. 3, 4",
       "1 kg, 5 cm box on a belt oscillating at 1 Hz, 0.2 m, mu 0.7, k 1e7, d 500 s/m (sap tau_d 1e-3), h "
       "2e-3, "
       "1e-2, 5e-2",
       "lagged: no vertical motion; sap and similar: spurious normal velocity; first order for lagged and "
       "similar, "
       "sap plateaus",
       "lagged |vz| < 1e-6 m/s after settling, the others > 1e-3; slopes 1 +- 0.2; sap's error falls by less "
       "than "
       "1.2x over the two smallest h",
       2, oscillating_belt},
      {"I2", "I XI-B, Figs. 6, 7",
       "0.5 kg, 5 cm sphere, falls 5 cm, U0 2 m/s, mu 0.5, k 1e7, h 4e-4, 2e-3, 1e-2",
       "slides, then rolls; first order; sap keeps a constant error",
       "rolling speed 5/7 U0 within 1 %; slopes 1 +- 0.2; sap's error falls less than 1.2x over the two "
       "smallest h",
       1, falling_sphere},
      {"I3", "I XI-C, Figs. 9-13",
       "rod 0.5 m, 1 cm, 0.3 kg, mu 2.3, 30 degrees, U0 10 m/s, k 1e7, without and with dissipation (d 0.2, "
       "tau_d "
       "4e-6)",
       "jams and jumps; stiction for about 0.2 ms; laws agree without dissipation, similar is early and sap "
       "late with "
       "it; lagged misses the jam for h > 1e-3",
       "stiction 0.15-0.25 ms; jump times within 1 % without dissipation; the order with it; no lift-off for "
       "lagged "
       "at h 2e-3",
       10, sliding_rod},
      {"I4", "I XII-A, Figs. 15-17",
       "clutter of S4 with k 1e7, d 10 (sap tau_d 1e-4), v_s 1e-4, h 2 ms, 3 s; then h 0.5 .. 10 ms",
       "lagged and similar: more iterations in the transient, fewer at rest than sap; regularised lagged "
       "reduces the "
       "transient; conditioning of lagged and similar improves as h shrinks, sap's does not",
       "the four orderings of the means; log-log slope of the condition number in h > 0.5 against < 0.1", 120,
       iterations_of_icf},
      {"I5", "I XII-A, Figs. 18, 19", "as I4, h 5 ms, k 1e4 .. 1e12",
       "rest penetration ~ 1/k; iterations within 20 % up to 1e7; robust to 1e12",
       "slope -1 +- 0.1 for lagged and similar (sap flattens at eq. 29 of S); means within 20 % to 1e7; no "
       "failed "
       "step at 1e12",
       120, stiffness_sweep},
      {"I10", "I Table I", "one point on a belt, single steps, all three laws",
       "consistency, coupling, gliding, stiffness and dissipation modulation, transition slip as tabulated",
       "each cell measured; predicted sizes within 5 %", 1, table_of_artefacts},
      {"I11", "I App. B", "point of mass sliding under a friction tensor of 0.3 along x and 0.6 along y",
       "anisotropic friction curves the path (eq. 31); the isotropic limit is recovered",
       "path within 1 % of the integrated ODE; isotropic within 1e-6", 1, anisotropic_path},
      {"G1", "G 1, 6.1, Fig. 1",
       "disc of 1 m and 1 kg rolling at 3 m/s, mu 0.4: polygons of 10 .. 10,000 vertices with Stewart and "
       "Trinkle's LCP in the plane (all vertices, full correction of the gap), h 0.01 s, and of 1000 "
       "vertices at h "
       "0.01 .. 1e-4 s; then the disc itself with geometric_ncp. The time of 5 s and the start on a vertex "
       "are ours",
       "polygons lose energy, less with more vertices, 1000 and 10,000 indistinguishable; and less with "
       "smaller steps, "
       "1e-3, 5e-4 and 1e-4 s indistinguishable; the implicit disc loses none",
       "monotone in vertices and in h; 1000 and 10,000 vertices within 2 % of the start energy, h 1e-3 and "
       "1e-4 s "
       "within 2 %; implicit disc within 1e-6 J",
       150, rolling_polygons},
      {"G2", "G 6.2, Figs. 4, 5",
       "unit sphere on fixed spheres of radius 10 and 9, force (1, 2.6, -9.81) N, mu 0.2, e_r 0.3, h 0.01 s",
       "one contact slides from the start and opens at about 3.2 s; the other rolls, slides from about 3.0 s "
       "and "
       "opens at about 3.6 s; smooth velocities; 32 unknowns",
       "the four times within 0.1 s", 1, sphere_on_spheres},
      {"G3", "G 6.3, Fig. 7",
       "disc of 1 m and 1 kg falling by 0.5 m on a quasi-rigid plane, k 1000 N/m, maximum deflection 0.05 m, "
       "h "
       "1e-4 s",
       "the core is met at about 0.34 s and stops the disc; energy after that is preserved within 1e-5 J",
       "core at 0.33-0.35 s; energy change per step < 2e-5 J; the loss over the run as implicit Euler's "
       "decay "
       "exp(-k h t/m) predicts within 5 %",
       5, shallow_layer},
      {"G4", "G 6.3, Fig. 8", "as G3, maximum deflection 1 m",
       "no core force; energy preserved within 1e-5 J", "no core force; loss as predicted within 5 %", 5,
       deep_layer},
      {"C1", "C IV-A, Fig. 9",
       "cube 0.2 m, 1 kg, on its four corners, mu 0.4, v0 1 m/s at 20 degrees to the axes of the pyramid, h "
       "1 "
       "ms",
       "a friction pyramid (LCP) drifts sideways; isotropic cones go straight",
       "NCP and CCP: deviation < 1e-6 m, stop at v0^2/(2 mu g) within 1 %; inscribed and circumscribed "
       "pyramid: "
       "predicted direction and distance within 5 %",
       1, sliding_path},
      {"C2", "C IV-A, Fig. 10", "as C1",
       "CCP bounces and leaves the exact energy; RaiSim is closer; NCP is on it",
       "NCP within 1 %; the order of the three errors; CCP lifts off", 1, sliding_energy},
      {"C3", "C IV-A, IV-B, Figs. 11, 15",
       "the cube of C1 pulled by a force of 0 to 20 N in 1 s, h 1e-4 .. 1e-2",
       "the error of CCP grows with h; NCP and RaiSim hardly depend on it; energy likewise",
       "error against h 1e-5: CCP slope 1 +- 0.2; the others at least 10x below it at h 1e-2", 15,
       dragged_cube},
      {"C4", "C IV-A, Figs. 4, 12", "as C3, h 1 ms, at stiction",
       "per-contact solvers leave internal tangential forces, ADMM and staggered projections do not",
       "lambda projected on null(J'): > 1e-3 m g h against < 1e-6 m g h", 1, internal_forces},
      {"C5", "C IV-A, Fig. 13",
       "a cube of up to 1e3 kg on one of 1e-3 kg, mu 0.9 and 0.95, h 1 ms, cold start",
       "per-contact solvers stall; ADMM, staggered projections and Newton converge",
       "relative error after 1000 iterations at a ratio of 1e6: > 1e-6 against < 1e-9", 2, mass_ratios},
      {"C6", "C IV-A, Fig. 14", "quadruped standing, pushed by 10 N, h 1 ms, compliance R 1e-3 .. 1 /kg",
       "the gap grows with R; tangential R makes it creep; internal forces vanish",
       "slope of the depth 1 +- 0.05; creep R F h/4 within 5 %; internal impulses < 1e-9", 2,
       compliant_quadruped},
      {"C7", "C IV-C, Fig. 16",
       "one step of our quadruped pushed by 10 N and of our humanoid pushed by 80 N, every solver from zeros",
       "PGS is fast to about 1e-5, then saturates; ADMM, staggered projections and Newton reach high "
       "precision",
       "the named ones reach 1e-9", 3, convergence_of_a_step},
      {"C8", "C IV-C, Fig. 17", "the robots of C7 and a ball in a hand of 16 hinges, 100 steps of 1 ms",
       "time and iterations of every solver; a warm start gains for all",
       "median iterations fall with a warm start, or are one, for every solver but those that pivot", 8,
       cold_and_warm},
      {"C10", "C Tables II, III", "10,000 random problems of 1 to 3 bodies; the cubes of C4 and C5",
       "which laws keep Signorini's, Coulomb's and the dissipation condition; which solvers take hard "
       "contacts, "
       "leave no internal forces, are robust, have a guarantee",
       "every tick but the last kind measured as printed; failures counted beside the last", 90,
       table_of_ticks},
      {"B1", "ours",
       "box 40 x 40 x 10 cm, 1 kg, mu 0.5, dragged at 1 m/s by a servo of 1e4 N s/m, h 5 ms, icf_lagged",
       "another engine (MuJoCo 4.0) loses contact in 65 % of the steps and lifts by 8.1 mm",
       "contact in 100 % of the steps after 0.5 s, greatest height < 1 um; free slide from 1 m/s stops "
       "within 3 % of "
       "v0^2/(2 mu g)",
       1, dragged_box},
      {"B2", "ours", "the same box on 10 degrees, mu 1, h 5 ms",
       "another engine (MuJoCo 4.0, default) creeps at 888 um/s",
       "icf_lagged creep = eps_s tan(a)/sqrt(mu^2 - tan^2 a) within 5 %; sap = sigma w times the tangential "
       "impulse",
       1, creep_on_slope},
      {"B3", "ours", "columns of 10 bodies 0.3 m apart, no walls, 90, 360, 1000, 4840 bodies at rest",
       "another engine's (MuJoCo 4.0) cost per body grows about 70x from 40 to 1000 bodies",
       "cost per body at 4840 <= 1.3x that at 90", 200, cost_per_body},
  };
  return list;
}

}  // namespace stiction::claims
