// hotspot.cu, a step a launch.
#define INNER 1
#include "hotspot.cu"
