#include "tools/real-gpu/driver.h"

#include <dlfcn.h>

bool wf_driver_open(wf_driver *driver, const char *path, wf_error *err) {
  *driver = (wf_driver){.library = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
  if (!driver->library)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "no NVIDIA driver: %s; --driver FILE names another libcuda.so.1", dlerror());
  static const struct {
    const char *symbol;
    size_t offset;
  } functions[] = {
#define ROW(field, symbol, parameters) {symbol, offsetof(wf_driver, field)},
      WF_DRIVER_FUNCTIONS(ROW)
#undef ROW
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *found = dlsym(driver->library, functions[i].symbol);
    if (!found)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: has no %s: a driver of CUDA 7 or later is needed",
                     path, functions[i].symbol);
    *(void **)((char *)driver + functions[i].offset) = found;
  }
  return true;
}

void wf_driver_close(wf_driver *driver) {
  if (driver->library) dlclose(driver->library);
}

bool wf_driver_ok(const wf_driver *driver, cu_result code, const char *what, wf_error *err) {
  const char *text = NULL;
  if (code == 0) return true;
  driver->error_text(code, &text);
  return wf_fail(err, WF_EXIT_WRONG, "%s: the driver says %d (%s)", what, code,
                 text ? text : "no text");
}
