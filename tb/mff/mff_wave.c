#include "tb/mff/mff_wave.h"

#include <string.h>

static void on_event(void *user, uint64_t cycle, unsigned slice, mff_event_kind kind,
                     uint32_t value) {
  mff_wave *w = user;
  if (w->count == MFF_WAVE_MAX_EVENTS) return;
  uint64_t start = w->count ? w->event[0].cycle : 0;
  w->event[w->count] = (mff_wave_event){w->count ? cycle - start : cycle, slice, kind, value};
  w->count++;
}

bool mff_wave_gather(mff_bench *b, const char *fst, mff_wave *wave) {
  /* Figure 1 (b) of the paper, as far as it is printed: C of vertices 0 to 3. */
  static const uint32_t c[] = {0, 3, 1, 4, 5, 6, 2, 7, 3, 1, 3, 9, 10, 11, 12, 0, 1};
  uint32_t *memory = b->memory, c_base = 0, v_base = 256; /* partitions 0 and 1 */
  memset(memory, 0, MFF_BENCH_MEMORY_BYTES);
  memcpy(memory, c, sizeof c);
  for (uint32_t i = 0; i < 32; i++) memory[v_base / 4 + i] = 'a' + i;
  mff_bench_mark(b);
  if (!mff_bench_configure(b, MFF_CFG_C_BASE, c_base) ||
      !mff_bench_configure(b, MFF_CFG_V_BASE, v_base) || !mff_bench_drain(b))
    return false;
  wf_error err = {0};
  if (fst && !wf_model_wave_open(b->base.model, fst, &err))
    return wf_bench_fail(&b->base, "%s", err.text);
  memset(wave, 0, sizeof *wave);
  b->event = on_event;
  b->event_user = wave;
  mff_cmd_header h = {.op = MFF_OP_GATHER, .sm = 1, .warp = 2, .tag = 5, .lane_mask = 3};
  mff_lane lanes[MFF_LANES] = {{0, 8}, {8, 1}};
  mff_bench_send(b, 0, &h, lanes, 0);
  bool ok = mff_bench_drain(b);
  b->event = NULL;
  wave->event[0].cycle = 0;
  if (fst && !wf_model_wave_close(b->base.model, &err) && ok)
    return wf_bench_fail(&b->base, "%s", err.text);
  return ok;
}
