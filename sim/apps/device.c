/* Device data and launches, as the applications use them. */
#include <stdio.h>
#include <string.h>

#include "sim/apps/app_internal.h"

uint64_t wf_app_upload(wf_gpu *gpu, const void *host, uint64_t bytes, const char *what,
                       wf_error *err) {
  uint64_t device = wf_gpu_alloc(gpu, bytes + sizeof(uint32_t), what, err);
  if (!device || (bytes && !wf_gpu_write(gpu, device, host, bytes, err))) return 0;
  return device;
}

uint64_t wf_app_reserve(wf_gpu *gpu, uint8_t byte, uint64_t bytes, const char *what,
                        wf_error *err) {
  uint64_t device = wf_gpu_alloc(gpu, bytes + sizeof(uint32_t), what, err);
  if (!device || (bytes && !wf_gpu_fill(gpu, device, byte, bytes, err))) return 0;
  return device;
}

bool wf_app_load_kernels(wf_gpu *gpu, const char *module, wf_error *err) {
  const wf_app_kernels *k = wf_app_kernels_find(module);
  if (!k) return wf_fail(err, WF_EXIT_WRONG, "no kernels named '%s' in the library", module);
  return wf_gpu_load_ptx(gpu, module, k->ptx, k->bytes, err);
}

bool wf_app_load_forms(wf_gpu *gpu, const char *module, const wf_app_variant *variant,
                       wf_error *err) {
  char name[64];
  if (variant->strategy != WF_STRATEGY_THREAD) {
    snprintf(name, sizeof name, "%s_strategy", module);
    if (!wf_app_load_kernels(gpu, name, err)) return false;
    if (!variant->mff) return true;
  }
  snprintf(name, sizeof name, "%s%s", module, variant->mff ? "_mff" : "");
  return wf_app_load_kernels(gpu, name, err);
}

bool wf_app_write_u32(wf_gpu *gpu, uint64_t device, uint32_t value, wf_error *err) {
  return wf_gpu_write(gpu, device, &value, sizeof value, err);
}

bool wf_app_read_u32(wf_gpu *gpu, uint64_t device, uint32_t *value, wf_error *err) {
  return wf_gpu_read(gpu, value, device, sizeof *value, err);
}

bool wf_app_launch_blocks(wf_gpu *gpu, const char *kernel, uint32_t blocks, uint32_t block,
                          uint32_t shared_bytes, const void *const *params, unsigned n_params,
                          wf_error *err) {
  wf_launch_args args = {.kernel = kernel,
                         .grid = {blocks, 1, 1},
                         .block = {block, 1, 1},
                         .shared_bytes = shared_bytes,
                         .n_params = n_params};
  memcpy(args.params, params, n_params * sizeof *params);
  return wf_gpu_launch(gpu, &args, err);
}

bool wf_app_launch(wf_gpu *gpu, const char *kernel, uint32_t n_threads, uint32_t shared_bytes,
                   const void *const *params, unsigned n_params, wf_error *err) {
  const uint32_t blocks = n_threads / WF_APP_BLOCK + (n_threads % WF_APP_BLOCK != 0);
  return wf_app_launch_blocks(gpu, kernel, blocks, WF_APP_BLOCK, shared_bytes, params, n_params,
                              err);
}

bool wf_app_mff_bases(wf_gpu *gpu, const wf_app_variant *variant, uint64_t c_base, uint64_t v_base,
                      uint64_t b_base, wf_error *err) {
  if (!variant->mff) return true;
  const struct {
    const char *reg;
    uint64_t base;
  } bases[] = {{"c_base", c_base}, {"v_base", v_base}, {"b_base", b_base}};
  for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
    if (bases[i].base && !wf_gpu_unit_base(gpu, "mff", bases[i].reg, bases[i].base, err))
      return false;
  return true;
}
