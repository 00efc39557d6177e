// The compensators of Chen et al. 2021, eqs 13, 14 with the leading gain that is missing in print, and those
// that an independent solution of its matrix inequalities gave. Over p = s H.
#pragma once

#include "seam/analysis/error_system.hpp"
#include "support/published_roots.hpp"

namespace seam::analysis {

inline Compensator published_13() { return testing::published_13<Compensator>(); }

inline Compensator published_14() {
  return {{-16.829,
           -0.062825,
           {-3.0, 1.732050807568878},
           {-3.0, -1.732050807568878},
           {-1.333, 1.332708145094041},
           {-1.333, -1.332708145094041}},
          {-14.701,
           -0.062833,
           {-9.35, 3.052458025919437},
           {-9.35, -3.052458025919437},
           {-3.088, 6.447810170902986},
           {-3.088, -6.447810170902986}},
          99.2558};
}

inline Compensator inequality_148() {
  return {{{-3.0, 1.7320508075688779},
           {-3.0, -1.7320508075688779},
           {-2.221441469079183, 2.2214414690791835},
           {-2.221441469079183, -2.2214414690791835}},
          {{-13.127068, 5.174237}, {-13.127068, -5.174237}, {-4.857732, 8.513452}, {-4.857732, -8.513452}},
          159.3819442196107};
}

inline Compensator inequality_170() {
  return {{{-3.0, 1.7320508075688779},
           {-3.0, -1.7320508075688779},
           {-2.221441469079183, 2.2214414690791835},
           {-2.221441469079183, -2.2214414690791835}},
          {{-10.606971, 4.439738}, {-10.606971, -4.439738}, {-4.001398, 7.701987}, {-4.001398, -7.701987}},
          83.00920746819872};
}

inline Compensator inequality_order_2() {
  return {{-8.429509,
           -2.485468,
           {-2.629005, 1.008114},
           {-2.629005, -1.008114},
           {-2.089037, 2.359326},
           {-2.089037, -2.359326}},
          {-10.694829,
           -3.910798,
           {-7.165636, 5.257122},
           {-7.165636, -5.257122},
           {-3.242798, 5.759275},
           {-3.242798, -5.759275}},
          87.20532};
}

inline Compensator inequality_order_3() {
  return {{-13.338465,
           {-3.017526, 1.755677},
           {-3.017526, -1.755677},
           {-2.202675, 2.177478},
           {-2.202675, -2.177478},
           {-1.617085, 1.370417},
           {-1.617085, -1.370417}},
          {-13.104481,
           {-5.284043, 2.36845},
           {-5.284043, -2.36845},
           {-5.022888, 3.903112},
           {-5.022888, -3.903112},
           {-2.624421, 4.881485},
           {-2.624421, -4.881485}},
          77.7504};
}

inline ErrorSystem error_system(int weight_order, double smoother_cutoff = 0.5) {
  ErrorSystem system;
  system.weight = {weight_order, proposed_weight_cutoff(weight_order)};
  system.smoother.cutoff = smoother_cutoff;
  return system;
}

}  // namespace seam::analysis
