#include "sim/base/wf_progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sim/base/wf_clock.h"

static const double first_after = 2, between = 0.2, between_lines = 10, little = 0.02;

static struct {
  bool started, terminal, always, shown;
  double next;
} progress;

void wf_progress_start(void) {
  progress.started = true;
  progress.terminal = isatty(STDERR_FILENO);
  progress.next = wf_clock_seconds() + first_after;
}

void wf_progress_always(void) {
  progress.always = true;
  progress.next = 0;
}

bool wf_progress_due(void) {
  return progress.started && (progress.terminal || progress.always) &&
         wf_clock_seconds() >= progress.next;
}

static int columns(void) {
  struct winsize size;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 8 ? size.ws_col : 80;
}

void wf_progress_line(const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (progress.terminal)
    fprintf(stderr, "\r%.*s\033[K", columns() - 1, text);
  else
    fprintf(stderr, "%s\n", text);
  progress.shown = progress.terminal;
  progress.next = wf_clock_seconds() + (progress.terminal ? between : between_lines);
}

void wf_progress_clear(void) {
  if (progress.shown) fputs("\r\033[K", stderr);
  progress.shown = false;
}

void wf_duration_text(char text[WF_DURATION_BYTES], double seconds) {
  const unsigned long s = seconds > 0 && seconds < 1e12 ? (unsigned long)(seconds + 0.5) : 0;
  if (s < 100)
    snprintf(text, WF_DURATION_BYTES, "%lu s", s);
  else if (s < 3600)
    snprintf(text, WF_DURATION_BYTES, "%lu min %lu s", s / 60, s % 60);
  else if (s < 100 * 3600)
    snprintf(text, WF_DURATION_BYTES, "%lu h %lu min", s / 3600, s / 60 % 60);
  else
    snprintf(text, WF_DURATION_BYTES, "%lu days", s / 86400);
}

void wf_left_text(char text[WF_DURATION_BYTES], double done, double seconds) {
  char left[WF_DURATION_BYTES];
  text[0] = '\0';
  if (done < little || done > 1) return;
  wf_duration_text(left, seconds * (1 - done) / done);
  snprintf(text, WF_DURATION_BYTES, ", %.*s left", WF_DURATION_BYTES - 8, left);
}
