/* What the tests of the memory system share. */
#ifndef WF_TEST_MEM_HARNESS_H
#define WF_TEST_MEM_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the above first */
#include <cmocka.h>

#include "sim/base/wf_rng.h"
#include "sim/mem/mem_internal.h"
#include "tests/mem/gtx480.h"

/* All clocks equal: cycle counts add up by hand. */
static inline wf_mem_config one_clock(void) {
  wf_mem_config c = gtx480();
  c.dram_mhz = c.core_mhz;
  return c;
}

static inline wf_mem *make(const wf_mem_config *c, wf_image *image) {
  wf_error err = {0};
  wf_mem *mem = wf_mem_create(c, image, &err);
  if (!mem) fail_msg("%s", err.text);
  return mem;
}

static inline wf_image *make_image(uint64_t bytes) {
  wf_error err = {0};
  wf_image *image = wf_image_create(bytes, &err);
  if (!image) fail_msg("%s", err.text);
  return image;
}

static inline wf_packet read_of(uint64_t address, uint32_t id) {
  return (wf_packet){
      .address = address, .id = id, .reply_bytes = 128, .kind = WF_PKT_READ, .sectors = 15};
}

static inline wf_packet write_of(uint64_t address, uint32_t id, unsigned sectors, unsigned full) {
  return (wf_packet){.address = address,
                     .id = id,
                     .bytes = (uint16_t)(32 * __builtin_popcount(sectors)),
                     .kind = WF_PKT_WRITE,
                     .sectors = (uint8_t)sectors,
                     .full_sectors = (uint8_t)full};
}

static inline wf_packet atomic_of(uint64_t address, uint32_t id, unsigned conflicts) {
  return (wf_packet){.address = address,
                     .id = id,
                     .bytes = 4,
                     .reply_bytes = 4,
                     .kind = WF_PKT_ATOMIC,
                     .sectors = 1,
                     .atomic_conflicts = (uint8_t)conflicts};
}

/* Ticks until the SM has a packet, takes it and returns the number of ticks. */
static inline unsigned wait_reply(wf_mem *mem, unsigned sm, wf_packet *reply) {
  for (unsigned ticks = 0; ticks < 100000; ticks++) {
    const wf_packet *p = wf_mem_peek(mem, sm);
    if (p) {
      if (reply) *reply = *p;
      wf_mem_pop(mem, sm);
      return ticks;
    }
    wf_mem_tick(mem);
  }
  char text[4096];
  wf_mem_describe(mem, text, sizeof text);
  fail_msg("no reply in 100000 cycles\n%s", text);
  return 0;
}

/* One request on its own; returns its round trip in core cycles. */
static inline unsigned round_trip(wf_mem *mem, unsigned sm, wf_packet p) {
  wf_packet reply;
  assert_true(wf_mem_send(mem, sm, &p));
  unsigned ticks = wait_reply(mem, sm, &reply);
  assert_int_equal(reply.id, p.id);
  assert_int_equal(reply.kind, p.kind);
  assert_int_equal(reply.address, p.address);
  assert_int_equal(reply.sm, sm);
  return ticks;
}

/* Lets everything come home: SM replies and unit beats are taken, unit packets dropped. */
static inline void drain(wf_mem *mem) {
  for (unsigned c = 0; c < 1000000 && !wf_mem_idle(mem); c++) {
    for (uint64_t m = wf_mem_pending_sms(mem, 0); m; m &= m - 1)
      wf_mem_pop(mem, (unsigned)__builtin_ctzll(m));
    if (mem->config.unit_port && wf_mem_peek(mem, mem->config.n_sm))
      wf_mem_pop(mem, mem->config.n_sm);
    for (unsigned p = 0; p < mem->config.n_part; p++)
      for (unsigned client = 0; client < WF_MEM_CLIENTS; client++) {
        if (wf_mem_unit_beat(mem, client, p)) wf_mem_unit_beat_pop(mem, p);
        if (wf_mem_unit_peek(mem, client, p)) wf_mem_unit_pop(mem, p);
      }
    wf_mem_tick(mem);
  }
}

static inline void assert_conserved(wf_mem *mem) {
  wf_error err = {0};
  char text[8192] = "";
  if (wf_mem_check_conservation(mem, &err)) return;
  wf_mem_describe(mem, text, sizeof text);
  fail_msg("%s\n%s", err.text, text);
}

static inline void finish(wf_mem *mem) {
  drain(mem);
  assert_true(wf_mem_idle(mem));
  assert_conserved(mem);
  wf_mem_destroy(mem);
}

/* The n-th line of one partition. */
static inline uint64_t line_of(const wf_mem *mem, unsigned part, uint64_t n) {
  const wf_mem_config *c = &mem->config;
  uint64_t per = c->interleave_bytes / c->line_bytes;
  return ((n / per) * c->n_part + part) * c->interleave_bytes + n % per * c->line_bytes;
}

#endif
