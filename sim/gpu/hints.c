#include "sim/gpu/hints.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_text.h"
#include "sim/gpu/gpu_internal.h"

/* LINE+LINE behind a kernel's name; *at: behind it. */
static bool hint_kernel(const ptx_kernel *kernel, const char *key, const char *text,
                        const char **at, ptx_cache_hint hint, wf_error *err) {
  do {
    char *end = NULL;
    const unsigned long line = isdigit((unsigned char)*++*at) ? strtoul(*at, &end, 10) : 0;
    if (line == 0 || line > UINT_MAX || !strchr("+,", *end))
      return wf_fail(err, WF_EXIT_BAD_INPUT,
                     "--set %s=%s: expected KERNEL:LINE+LINE,KERNEL:LINE, not '%s'", key, text,
                     *at);
    if (!ptx_hint_loads(kernel, (uint32_t)line, hint, err)) return false;
    *at = end;
  } while (**at == '+');
  return true;
}

bool wf_gpu_hint(const wf_gpu *gpu, const char *key, const char *text, ptx_cache_hint hint,
                 wf_error *err) {
  const char *at = text;
  if (text && !strcmp(text, "all")) {
    for (const wf_module *m = gpu->modules; m; m = m->next)
      for (size_t i = 0; i < ptx_kernel_count(m->ptx); i++)
        ptx_hint_all_loads(ptx_kernel_at(m->ptx, i), hint);
    return true;
  }
  while (at && *at) {
    const size_t n = strcspn(at, ":");
    char *name = wf_text("%.*s", (int)n, at);
    const ptx_kernel *kernel = wf_gpu_find_kernel(gpu, name, err);
    free(name);
    at += n;
    if (!kernel) return false;
    if (!*at)
      return wf_fail(err, WF_EXIT_BAD_INPUT,
                     "--set %s=%s: expected lines behind the kernel, as in KERNEL:12+15", key,
                     text);
    if (!hint_kernel(kernel, key, text, &at, hint, err)) return false;
    at += *at == ',';
  }
  return true;
}
