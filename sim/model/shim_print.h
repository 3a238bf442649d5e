/* Included before everything else in a model library: Verilator prints and copies names through
 * these functions. */
#ifndef WF_SHIM_PRINT_H
#define WF_SHIM_PRINT_H

#ifdef __cplusplus
extern "C"
#endif
    int
    wf_shim_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define VL_PRINTF wf_shim_printf

#ifdef __cplusplus
#include <cstdlib>
#include <cstring>
#include <new>

/* Verilator does not look whether a copy was made: without memory it ends as `new` does. */
static inline char *wf_shim_strdup(const char *text) {
  const size_t bytes = strlen(text) + 1;
  char *copy = static_cast<char *>(malloc(bytes));
  if (!copy) {
    if (std::new_handler end = std::get_new_handler()) end();
    abort();
  }
  return static_cast<char *>(memcpy(copy, text, bytes));
}
#define strdup(text) wf_shim_strdup(text)
#endif

#endif
