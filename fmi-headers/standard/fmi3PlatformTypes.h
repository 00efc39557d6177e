/* The types of FMI 3.0, for sources that include it by the standard's name and bring none. Declared by us. */
#pragma once

#include "fmi3.h"

#define fmi3True true
#define fmi3False false
#define fmi3ClockActive true
#define fmi3ClockInactive false
