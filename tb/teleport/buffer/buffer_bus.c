#include "tb/teleport/buffer/buffer_bus.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

enum { STORE_EDGES = 4 }; /* from the store of a failed read to its answer */

static uint8_t content(uint64_t address) {
  return (uint8_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

static bool read_bytes(void *user, unsigned lane, uint64_t address, unsigned bytes, uint8_t *data) {
  (void)user, (void)lane;
  for (unsigned i = 0; i < bytes; i++) data[i] = content(address + i);
  return true;
}

static bool write_bytes(void *user, unsigned lane, uint64_t address, unsigned bytes,
                        const uint8_t *data, const uint8_t *strobe, bool failed) {
  const buffer_bus *bus = user;
  (void)lane, (void)bytes, (void)data, (void)strobe, (void)failed;
  return wf_bench_fail(&bus->bench->base, "a write of %#llx", (unsigned long long)address);
}

static bool may_answer(void *user, uint64_t address) {
  const buffer_bus *bus = user;
  const buffer_world *w = &bus->bench->w;
  const uint64_t block = address >> bus->bench->shape.front.line_shift;
  for (unsigned i = 0; i < w->n_flying; i++)
    if (bus->released[w->flying[i]] && w->line[w->flying[i]].block == block) return true;
  return false;
}

buffer_bus *buffer_bus_create(buffer_bench *b, wf_error *err) {
  buffer_bus *bus = wf_calloc(1, sizeof *bus);
  const wf_model *m = b->base.model;
  bus->bench = b;
  bus->bus = wf_bus_create(&b->base, 1, &(wf_bus_side){read_bytes, write_bytes, may_answer, bus});
  if (!bus->bus) {
    free(bus);
    return NULL;
  }
  const struct {
    const wf_port **port;
    const char *name;
  } table[] = {{&bus->valid, "fill_valid_o"},    {&bus->ready, "fill_ready_i"},
               {&bus->line, "fill_line_o"},      {&bus->beat, "fill_beat_o"},
               {&bus->last, "fill_last_o"},      {&bus->data, "fill_data_o"},
               {&bus->bad_valid, "bad_valid_o"}, {&bus->bad_block, "bad_block_o"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!(*table[i].port = wf_model_port(m, table[i].name)))
      wf_fail(err, WF_EXIT_WRONG, "no port %s", table[i].name);
  bus->bytes = wf_bench_parameter(&b->base, "FillBits") / 8;
  bus->beats = (1u << b->shape.front.line_shift) / bus->bytes;
  bus->options = (wf_bus_options){.burst = 1};
  bus->fill_percent = 100;
  return bus;
}

void buffer_bus_destroy(buffer_bus *bus) {
  if (bus) wf_bus_destroy(bus->bus);
  free(bus);
}

void buffer_bus_reset(buffer_bus *bus) {
  wf_bus_reset(bus->bus);
  memset(bus->released, 0, sizeof bus->released);
  bus->at = bus->bad_edges = 0;
}

bool buffer_bus_full(const buffer_bus *bus) {
  return bus->bench->w.n_flying >= wf_bench_parameter(&bus->bench->base, "RdSlots");
}

bool buffer_bus_empties(const buffer_bus *bus) {
  return wf_port_get(bus->bad_valid);
}

buffer_acc buffer_bus_store(const buffer_bus *bus) {
  return (buffer_acc){.store = true, .block = wf_port_get(bus->bad_block)};
}

/* A beat is of a line that waits for it, the next one, and what memory holds. */
static bool beat_right(buffer_bus *bus, uint32_t line) {
  const buffer_bench *b = bus->bench;
  uint32_t words[WF_BUS_BYTES / 4];
  uint8_t data[WF_BUS_BYTES];
  const uint64_t address =
      (b->w.line[line].block << b->shape.front.line_shift) + (uint64_t)bus->at * bus->bytes;
  if (!b->w.line[line].flying || wf_port_get(bus->beat) != bus->at ||
      wf_port_get(bus->last) != (bus->at == bus->beats - 1))
    return wf_bench_fail(&bus->bench->base, "line %u is filled by beat %u, beat %u is due", line,
                         wf_port_word(bus->beat), bus->at);
  wf_port_read(bus->data, 0, bus->bytes * 8, words);
  memcpy(data, words, bus->bytes);
  for (unsigned i = 0; i < bus->bytes; i++)
    if (data[i] != content(address + i))
      return wf_bench_fail(&bus->bench->base, "line %u gets what memory does not hold", line);
  return true;
}

int buffer_bus_edge(buffer_bus *bus, int released) {
  buffer_bench *b = bus->bench;
  const bool valid = wf_port_get(bus->valid),
             ready = wf_rng_below(&b->base.rng, 100) < bus->fill_percent;
  const uint32_t line = wf_port_word(bus->line);
  int come = -1;
  if (released >= 0) bus->released[released] = true;
  wf_port_set(bus->ready, ready);
  if (valid && ready && beat_right(bus, line)) {
    if (++bus->at == bus->beats) come = (int)line;
    bus->at %= bus->beats;
  }
  if (bus->bad_edges && --bus->bad_edges == 0) come = bus->bad_line;
  if (buffer_bus_empties(bus)) {
    bus->bad_edges = STORE_EDGES + bus->beats;
    bus->bad_line = (int)line;
  }
  wf_bus_cycle(bus->bus, &bus->options, b->base.cycle);
  if (come >= 0) bus->released[come] = false;
  return come;
}
