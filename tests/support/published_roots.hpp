// Zeros, poles and gain of a published compensator, for whichever type holds such.
#pragma once

namespace seam::testing {

/// Chen et al. 2021, eq. 13 over p = s H, with the leading gain that is missing in print.
template <class Roots>
Roots published_13() {
  return {{-19.429,
           -0.062789,
           {-2.9995, 1.7329165444417698},
           {-2.9995, -1.7329165444417698},
           {-2.2215, 2.2214719782162455},
           {-2.2215, -2.2214719782162455}},
          {-19.24,
           -0.062837,
           {-11.2, 3.7094473981982787},
           {-11.2, -3.7094473981982787},
           {-3.874, 7.518784742230623},
           {-3.874, -7.518784742230623}},
          81.9055};
}

}  // namespace seam::testing
