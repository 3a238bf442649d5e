#include "sim/base/wf_error.h"

#include <stdarg.h>
#include <stdio.h>

bool wf_fail(wf_error *err, int code, const char *format, ...) {
  if (!err) return false;
  va_list args;
  va_start(args, format);
  err->code = code;
  vsnprintf(err->text, sizeof err->text, format, args);
  va_end(args);
  return false;
}
