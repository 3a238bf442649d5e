/* The line about work that goes on: when it comes, how wide it is, that it goes; durations. */
#define _XOPEN_SOURCE 700 /* pseudo-terminals */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/base/wf_clock.h"
#include "sim/base/wf_progress.h"

/* What a terminal of 20 columns gets meanwhile; says when the first line was due. */
static double shown_on_terminal(char *text, size_t bytes) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  assert_true(terminal >= 0);
  assert_int_equal(grantpt(terminal) | unlockpt(terminal), 0);
  const int other = open(ptsname(terminal), O_RDWR | O_NOCTTY), saved = dup(STDERR_FILENO);
  assert_true(other >= 0);
  assert_int_equal(ioctl(other, TIOCSWINSZ, &(struct winsize){.ws_col = 20, .ws_row = 5}), 0);
  fflush(stderr);
  dup2(other, STDERR_FILENO);
  const double begin = wf_clock_seconds();
  wf_progress_start();
  while (!wf_progress_due() && wf_clock_seconds() < begin + 10) usleep(10000);
  const double due = wf_clock_seconds() - begin;
  wf_progress_line("a line of more than %d columns", 20);
  const bool again = wf_progress_due();
  wf_progress_clear();
  fflush(stderr);
  dup2(saved, STDERR_FILENO);
  close(saved);
  const ssize_t n = read(terminal, text, bytes - 1);
  text[n > 0 ? n : 0] = '\0';
  close(other);
  close(terminal);
  assert_false(again); /* some times a second, not always */
  return due;
}

static void on_a_terminal(void **state) {
  (void)state;
  char text[256];
  const double due = shown_on_terminal(text, sizeof text);
  assert_true(due >= 1.9);
  assert_string_equal(text, "\ra line of more than\033[K\r\033[K");
}

static void nowhere_else(void **state) {
  (void)state;
  const int saved = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);
  dup2(null, STDERR_FILENO);
  wf_progress_start();
  usleep(2100000);
  const bool due = wf_progress_due();
  wf_progress_always();
  const bool asked = wf_progress_due();
  dup2(saved, STDERR_FILENO);
  close(saved);
  close(null);
  assert_false(due);
  assert_true(asked);
}

static void durations(void **state) {
  static const struct {
    double seconds;
    const char *text;
  } cases[] = {{0, "0 s"},          {99.4, "99 s"},      {100, "1 min 40 s"},
               {3700, "1 h 1 min"}, {864000, "10 days"}, {-5, "0 s"}};
  char text[WF_DURATION_BYTES];
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    wf_duration_text(text, cases[i].seconds);
    assert_string_equal(text, cases[i].text);
  }
  wf_left_text(text, 0.25, 30);
  assert_string_equal(text, ", 90 s left");
  wf_left_text(text, 0.001, 30); /* nobody knows */
  assert_string_equal(text, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(on_a_terminal),
                                     cmocka_unit_test(nowhere_else), cmocka_unit_test(durations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
