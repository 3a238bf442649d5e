/* A unit's ports as one list for its bench and its socket, sim/units/UNIT/ports.h: a macro
 * UNIT_PORTS(IN, OUT, P) of entries IN(name, width) and OUT(name, width), separated by commas,
 * widths in terms of the RTL's parameters, P(Name); and WF_PORTS(UNIT, UNIT_PORTS). That makes a
 * struct UNIT_ports with a pointer for each name, and UNIT_ports_bind(), which finds NAME_i or
 * NAME_o for each and fails if one is not there or has another width or direction. */
#ifndef WF_PORTS_H
#define WF_PORTS_H

#include "sim/mem/mask.h"
#include "sim/model/wf_model.h"

typedef struct wf_port_row {
  const wf_port **to;
  const char *name;
  unsigned width;
  bool is_output;
} wf_port_row;

bool wf_ports_bind(const wf_model *m, const wf_port_row *rows, size_t count, wf_error *err);
/* A parameter of the RTL's top module; 0: it has none of this name. */
unsigned wf_ports_parameter(const wf_model *m, const char *name);

/* Of a port of up to 32 bits. */
static inline uint32_t wf_port_word(const wf_port *p) {
  return (uint32_t)wf_port_get(p);
}

/* Of a port with a bit for each of up to WF_MASK_BITS. */
wf_mask wf_port_wide_mask(const wf_port *p);
void wf_port_set_wide_mask(const wf_port *p, const wf_mask *mask);
static inline wf_mask wf_port_mask(const wf_port *p) {
  return p->width > 64 ? wf_port_wide_mask(p) : (wf_mask){{wf_port_get(p)}};
}
static inline void wf_port_set_mask(const wf_port *p, const wf_mask *mask) {
  if (p->width > 64)
    wf_port_set_wide_mask(p, mask);
  else
    wf_port_set(p, mask->w[0]);
}

#define WF_PORT_FIELD(name, width) *name
#define WF_PORT_IN(name, width)                                                                    \
  { &p->name, #name "_i", width, false }
#define WF_PORT_OUT(name, width)                                                                   \
  { &p->name, #name "_o", width, true }
#define WF_PORT_PARAMETER(name) wf_ports_parameter(m, #name)
/* Those that every unit has; index: width of a counter's number. */
#define WF_PORTS_COMMON(IN, OUT, index)                                                            \
  IN(cnt_snapshot, 1), IN(cnt_clear, 1), IN(cnt_index, index), OUT(cnt_value, 64), OUT(idle, 1)

#define WF_PORTS(unit, LIST)                                                                       \
  typedef struct unit##_ports {                                                                    \
    const wf_port LIST(WF_PORT_FIELD, WF_PORT_FIELD, WF_PORT_PARAMETER);                           \
  } unit##_ports;                                                                                  \
  static inline bool unit##_ports_bind(unit##_ports *p, const wf_model *m, wf_error *err) {        \
    const wf_port_row rows[] = {LIST(WF_PORT_IN, WF_PORT_OUT, WF_PORT_PARAMETER)};                 \
    return wf_ports_bind(m, rows, sizeof rows / sizeof *rows, err);                                \
  }

#endif
