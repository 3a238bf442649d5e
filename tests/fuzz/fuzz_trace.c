/* Any bytes as a kernel's file of Accel-Sim, a list of kernels, or NVBit's output: must give an
 * error with a code and a text, or a trace whose warps can be followed to their end. Run by `make
 * fuzz`. The first byte picks the kind. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/trace/trace.h"

enum { MAX_STEPS = 20000, MAX_CTAS = 64, MAX_WARPS = 32 };

static void require(bool condition) {
  if (!condition) abort();
}

static void check_instruction(const ptx_kernel *k, const ptx_inst *inst) {
  require(inst->cls < PTX_CLASS_COUNT && inst->n_dst <= PTX_MAX_DST && inst->n_src <= PTX_MAX_SRC);
  for (unsigned i = 0; i < inst->n_dst; i++) require(inst->dst[i] < 512);
  for (unsigned i = 0; i < inst->n_src; i++) require(inst->src[i] < 512);
  require(inst->cls != PTX_CLASS_LOAD || inst->n_dst);
  require(ptx_inst_text(inst)[0] || k->name);
}

static void follow_cta(const ptx_kernel *k, wf_warp_source *s, unsigned warps, unsigned *steps) {
  wf_error err = {0};
  uint32_t id[3] = {0};
  ptx_warp w[MAX_WARPS] = {0};
  ptx_pc pc[MAX_WARPS];
  ptx_effect effect;
  s->start_cta(s, id);
  for (unsigned i = 0; i < warps; i++) {
    w[i] = (ptx_warp){.warp_in_cta = i, .warp_slot = i};
    pc[i] = s->start_warp(s, &w[i]);
  }
  for (unsigned i = 0; i < warps; i++) {
    const ptx_inst *inst = NULL;
    for (; pc[i] < k->n_insts; pc[i] = s->next(s, &w[i]), ++*steps) {
      inst = &k->insts[pc[i]];
      require(s->execute(s, inst, &w[i], UINT32_MAX, &effect, &err));
      require(effect.space != PTX_SPACE_GENERIC || !effect.active || inst->cls < PTX_CLASS_LOAD ||
              inst->cls > PTX_CLASS_ATOMIC);
    }
    require(inst != NULL);
    s->end_warp(s, &w[i]);
  }
}

static void follow(wf_trace *t) {
  wf_error err = {0};
  unsigned steps = 0;
  wf_trace_place(t, 0x10000);
  wf_trace_replay *r = wf_trace_replay_create(t, &err);
  require(r != NULL);
  for (size_t l = 0; l < wf_trace_launch_count(t) && steps < MAX_STEPS; l++) {
    const wf_trace_kernel *k = &wf_trace_launch_at(t, l)->kernel;
    const ptx_kernel *kernel = wf_trace_kernel_of(t, l);
    const uint64_t ctas = (uint64_t)k->grid[0] * k->grid[1] * k->grid[2];
    for (uint32_t i = 0; i < kernel->n_insts; i++) check_instruction(kernel, &kernel->insts[i]);
    for (uint32_t i = 0; i < kernel->n_loops; i++)
      require(kernel->loops[i].low <= kernel->loops[i].high &&
              kernel->loops[i].high < kernel->n_insts &&
              (kernel->loops[i].parent < i || kernel->loops[i].parent == PTX_NO_LOOP));
    wf_warp_source *s = wf_trace_replay_launch(r, l, &err);
    require(s != NULL);
    if (ctas > MAX_CTAS) break; /* a mixed trace would keep all of them */
    require(s->begin(s, NULL, 0, 0, &err));
    for (uint64_t c = 0; c < ctas; c++)
      follow_cta(kernel, s, (k->block[0] * k->block[1] * k->block[2] + 31) / 32, &steps);
    require(s->end(s, &err));
  }
  wf_trace_replay_destroy(r);
}

static void put(const char *path, const uint8_t *data, size_t bytes) {
  FILE *f = fopen(path, "wb");
  require(f && (!bytes || fwrite(data, 1, bytes, f) == bytes));
  fclose(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  static char folder[64], kernel[128], list[128], nvbit[128];
  if (!folder[0]) {
    snprintf(folder, sizeof folder, "%s/warpfab-fuzz-XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    require(mkdtemp(folder) != NULL);
    snprintf(kernel, sizeof kernel, "%s/kernel-1.traceg", folder);
    snprintf(list, sizeof list, "%s/kernelslist.g", folder);
    snprintf(nvbit, sizeof nvbit, "%s/out", folder);
  }
  if (!bytes) return 0;
  wf_error err = {0};
  const char *path = data[0] == 'L' ? folder : data[0] == 'N' ? nvbit : kernel;
  put(data[0] == 'L' ? list : path, data + 1, bytes - 1);
  const wf_trace_options options = {.flow = true, .reuse = bytes % 2};
  wf_trace *t = wf_trace_open(path, &options, &err);
  require((t != NULL) == (err.code == 0));
  require(t || (err.code == WF_EXIT_BAD_INPUT && err.text[0]));
  if (t) {
    FILE *sink = fopen("/dev/null", "w");
    wf_trace_info_print(sink, t);
    fclose(sink);
    cJSON_Delete(wf_trace_info_json(t));
    follow(t);
  }
  wf_trace_close(t);
  return 0;
}
