#include "sim/units/dtbl/dtbl_kmu_side.h"

#include <string.h>

enum { RECORD_PLACES = 2, ONE_LINE = 1 };

/* ---- creation ---- */

/* Of its records the book is not told: it knows which kernels wait, and checks those that come
 * out. */
void dtbl_kmu_init(dtbl_kmu *k, const wf_unit_env *env, const dtbl_settings *set) {
  k->env = env;
  k->records = (wf_records){.env = env,
                            .name = "dtbl.kmu_ring",
                            .lines = ONE_LINE,
                            .ring = RECORD_PLACES * set->kmu_ring};
}

bool dtbl_kmu_bind(dtbl_kmu *k, wf_rtl_set *rtls, wf_records *port, wf_error *err) {
  const dtbl_kmu_ports *p = &k->port;
  k->rtls = rtls;
  k->rtl = &rtls->at[0];
  if (!dtbl_kmu_ports_bind(&k->port, k->rtl->model, err)) return false;
  k->records.port.ring_base = p->ring_base;
  k->records.first_id = 1u << (p->mem_id->width - 1);
  const wf_port *const schedulers = port->port.ring_base;
  port->second = &k->records;
  port->port = (wf_record_ports)WF_RECORD_PORTS(p);
  port->port.ring_base = schedulers;
  wf_port_set(p->ring_base, 0);
  return true;
}

/* ---- ports ---- */

void dtbl_kernel_put(const dtbl_kernel_ports *p, const dtbl_at_ports *k) {
  wf_port_set(p->pc, k->pc);
  wf_port_set(p->tbdim, k->tbdim);
  wf_port_set(p->smem, k->smem);
  wf_port_set(p->x, k->x);
  wf_port_set(p->y, k->y);
  wf_port_set(p->z, k->z);
  wf_port_set(p->param, k->param);
  wf_port_set(p->warps, k->warps);
  wf_port_set(p->regs, k->regs);
  wf_port_set(p->shm, k->shm);
}

dtbl_at_ports dtbl_kernel_get(const dtbl_kernel_ports *p) {
  return (dtbl_at_ports){.pc = wf_port_word(p->pc),
                         .tbdim = wf_port_word(p->tbdim),
                         .smem = wf_port_word(p->smem),
                         .x = wf_port_word(p->x),
                         .y = wf_port_word(p->y),
                         .z = wf_port_word(p->z),
                         .param = wf_port_word(p->param),
                         .warps = wf_port_word(p->warps),
                         .regs = wf_port_word(p->regs),
                         .shm = wf_port_word(p->shm)};
}

bool dtbl_kmu_at_rest(const dtbl_kmu *k) {
  return !k->offered && !k->records.n_waiting && wf_port_get(k->port.idle);
}

bool dtbl_kmu_launch(dtbl_kmu *k, const dtbl_at_ports *kernel, wf_error *err) {
  const dtbl_kmu_ports *p = &k->port;
  const dtbl_kernel_ports launch = DTBL_KERNEL_PORTS(p, launch);
  /* Its ready answers the group that is offered in this cycle. */
  if (!wf_rtl_ok(k->rtl, wf_model_settle(k->rtl->model), err)) return false;
  if (!wf_port_get(p->launch_ready)) return false;
  dtbl_kernel_put(&launch, kernel);
  wf_port_set(p->launch_valid, 1);
  k->offered = true;
  return true;
}

/* The scheduler's request for memory, at the port that both have. */
static bool pass_request(dtbl_kmu *k, const dtbl_ports *s, wf_error *err) {
  const dtbl_kmu_ports *p = &k->port;
  const bool asks = wf_port_get(s->mem_valid), shown = wf_port_get(p->side_valid);
  wf_port_set(p->side_valid, asks);
  if (asks) {
    wf_port_set(p->side_write, wf_port_get(s->mem_write));
    wf_port_set(p->side_addr, wf_port_get(s->mem_addr));
    wf_port_set(p->side_mask, wf_port_get(s->mem_mask));
    memcpy(p->side_data->words, s->mem_data->words, DTBL_RECORD);
    wf_port_set(p->side_id, wf_port_get(s->mem_id));
  }
  return (!asks && !shown) || wf_rtl_ok(k->rtl, wf_model_settle(k->rtl->model), err);
}

bool dtbl_kmu_offer(dtbl_kmu *k, const dtbl_ports *s, wf_error *err) {
  const dtbl_kmu_ports *p = &k->port;
  const dtbl_kernel_ports grp = DTBL_KERNEL_PORTS(p, grp), dk = DTBL_KERNEL_PORTS(s, dk);
  const bool leaves = wf_port_get(s->dk_valid);
  wf_port_set(p->grp_valid, leaves);
  if (leaves) {
    const dtbl_at_ports group = dtbl_kernel_get(&dk);
    dtbl_kernel_put(&grp, &group);
    k->offered = true;
  }
  return pass_request(k, s, err);
}

bool dtbl_kmu_memory(dtbl_kmu *k, const dtbl_ports *s, bool answer, bool *taken, wf_error *err) {
  const dtbl_kmu_ports *p = &k->port;
  const bool goes = wf_port_get(p->mem_ready);
  *taken = false;
  if (!answer && !goes) return true;
  wf_port_set(p->back_ready, wf_port_get(s->rsp_ready));
  if (!wf_rtl_ok(k->rtl, wf_model_settle(k->rtl->model), err)) return false;
  wf_port_set(s->mem_ready, goes && wf_port_get(p->side_ready));
  if (!answer) return true;
  *taken = wf_port_get(p->rsp_ready);
  wf_port_set(s->rsp_valid, wf_port_get(p->back_valid));
  memcpy(s->rsp_data->words, p->rsp_data->words, DTBL_RECORD);
  wf_port_set(s->rsp_id, wf_port_get(p->rsp_id) & (k->records.first_id - 1));
  wf_port_set(s->rsp_beat, wf_port_get(p->rsp_beat));
  return true;
}

void dtbl_kmu_wire(dtbl_kmu *k, const dtbl_ports *s, bool host, dtbl_at_ports *kernel,
                   bool *entered) {
  const dtbl_kmu_ports *p = &k->port;
  const dtbl_kernel_ports to = DTBL_KERNEL_PORTS(s, kern), from = DTBL_KERNEL_PORTS(p, kern);
  const bool offers = wf_port_get(p->kern_valid), freed = wf_port_get(s->kdone_valid);
  *entered = offers && wf_port_get(s->kern_ready);
  if (offers) {
    *kernel = dtbl_kernel_get(&from);
    dtbl_kernel_put(&to, kernel);
    wf_port_set(s->kern_valid, 1);
    wf_port_set(s->kern_host, 0);
  }
  wf_port_set(p->kern_ready, wf_port_get(s->kern_ready));
  wf_port_set(p->kdone, freed);
  wf_port_set(p->host, host);
  wf_port_set(s->dk_ready, wf_port_get(p->grp_ready));
  k->offered = k->offered || host || freed;
}

bool dtbl_kmu_edge(dtbl_kmu *k, wf_error *err) {
  const dtbl_kmu_ports *p = &k->port;
  if (wf_rtl_due(k->rtls, !dtbl_kmu_at_rest(k))) {
    if (!wf_rtl_clock(k->rtl, wf_unit_now(k->env), err)) return false;
  } else if (wf_port_get(p->mem_ready) || wf_port_get(p->rsp_valid)) {
    wf_rtl_count_transfers(k->rtl); /* the scheduler's pass without its clock */
  }
  wf_port_set(p->launch_valid, 0);
  wf_port_set(p->mem_ready, 0);
  wf_port_set(p->rsp_valid, 0);
  wf_port_set(p->back_ready, 0);
  k->offered = false;
  return true;
}
