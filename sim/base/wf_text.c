#include "sim/base/wf_text.h"

#include <stdarg.h>
#include <stdio.h>

#include "sim/base/wf_alloc.h"

char *wf_text(const char *format, ...) {
  va_list args;
  va_start(args, format);
  int bytes = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = wf_calloc((size_t)bytes + 1, 1);
  va_start(args, format);
  vsnprintf(text, (size_t)bytes + 1, format, args);
  va_end(args);
  return text;
}
