/* The types of FMI 2.0, for sources that include it by the standard's name and bring none. Declared by us. */
#pragma once

#include "fmi2.h"

#define fmi2TypesPlatform "default"
