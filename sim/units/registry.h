/* Declarations of the unit classes, one line per unit. */
#ifndef WF_UNITS_REGISTRY_H
#define WF_UNITS_REGISTRY_H

#include "sim/units/socket.h"

extern const wf_unit_class wf_unit_mff;
extern const wf_unit_class wf_unit_apcm;
extern const wf_unit_class wf_unit_dtbl;
extern const wf_unit_class wf_unit_spref;
extern const wf_unit_class wf_unit_teleport;

#endif
