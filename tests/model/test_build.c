/* sim/model/build-model: what it refuses and why, what it rebuilds, what it leaves alone. Works on
 * a unit of its own, written into the build folder. */
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/model/model_test.h"

/* The folder of the test unit; shell commands know it as $F, and the build folder as $B. */
static char folder[512], output[8192];

/* A shell command's exit code, or -1. */
static int shell(const char *command) {
  int status = system(command);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void write_file(const char *name, const char *text) {
  char path[600];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  assert_int_equal(fclose(f), 0);
}

/* Runs the script with these arguments after the unit's description; returns its exit code and
 * keeps what it said in `output`. */
static int build(const char *environment, const char *arguments) {
  char command[1024];
  snprintf(command, sizeof command,
           "%s BUILD=\"$F/out\" sim/model/build-model \"$F/dozen.ini\" %s 2>&1", environment,
           arguments);
  FILE *f = popen(command, "r");
  assert_non_null(f);
  size_t bytes = fread(output, 1, sizeof output - 1, f);
  output[bytes] = 0;
  int status = pclose(f);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void assert_said(const char *text) {
  if (!strstr(output, text)) fail_msg("\"%s\" lacks \"%s\"", output, text);
}

static const char *const unit_text =
    "`default_nettype none\n"
    "`include \"part.vh\"\n"
    "module dozen #(parameter integer Count = 12) (\n"
    "  input  wire clk_i,\n"
    "  input  wire rst_ni,\n"
    "  output logic [Count-1:0] ring_o\n"
    ");\n"
    "  initial if (Count < 2) $fatal(1, \"dozen: Count is %0d, must be 2 or more\", Count);\n"
    "  always_ff @(posedge clk_i or negedge rst_ni) begin\n"
    "    if (!rst_ni) ring_o <= `START;\n"
    "    else ring_o <= {ring_o[Count-2:0], ring_o[Count-1]};\n"
    "  end\n"
    "endmodule\n";

static const char *const ini_text =
    "[unit]\ntop = dozen\nsources = dozen.v\nclock = clk_i\nreset = rst_ni\n"
    "[config nine]\nCount = 9\n[config bad]\nCount = nine\n";

static int setup(void **state) {
  (void)state;
  int length = snprintf(folder, sizeof folder, "%s/tests/model/build_test", test_build);
  if (length >= (int)sizeof folder || setenv("F", folder, 1) || setenv("B", test_build, 1) ||
      unsetenv("WARPFAB_QUICK"))
    return 1;
  /* Models are built anew in each test; the generator and Verilator's runtime (out/models/.*) stay.
   */
  if (shell("mkdir -p \"$F\" && cd \"$F\" && rm -rf tools said paths use out/models/[!.]*") != 0)
    return 1;
  write_file("dozen.v", unit_text);
  write_file("part.vh", "`define START 'd1\n");
  write_file("dozen.ini", ini_text);
  return 0;
}

static void bad_requests_are_told(void **state) {
  (void)state;
  assert_int_equal(build("", ""), 2);
  assert_said("usage: sim/model/build-model UNIT CONFIG");
  assert_int_equal(build("", "ten"), 2);
  assert_said("dozen.ini: no configuration `ten'; there are: default, nine, bad");
  assert_int_equal(build("", "nine Count"), 2);
  assert_said("expected NAME=NUMBER");
  assert_int_equal(build("", "nine Count=x"), 2);
  assert_said("`Count=x'");
  assert_int_equal(build("", "bad"), 2);
  assert_said("[config bad] Count = nine: expected a number");
  assert_int_equal(build("", "nine '' quick"), 2);
  assert_said("variant 'quick': expected fast, bench, lean, trace, cov, xrand or netlist");
  assert_int_equal(shell("sim/model/build-model no_such_unit paper 2>/dev/null"), 2);
  write_file("dozen.ini", "[unit]\ntop = dozen\nclock = clk_i\nreset = rst_ni\nsorces = dozen.v\n");
  assert_int_equal(build("", "default"), 2);
  assert_said("[unit] sorces = dozen.v: expected one of name, top");
  write_file("dozen.ini", "[unit]\ntop = dozen\nclock = clk\nreset = rst_ni\nsources = dozen.v\n");
  assert_int_equal(build("", "default"), 2);
  assert_said("clock = clk: dozen has no such port");
  write_file("dozen.ini", "[unit]\ntop = dozen\nsources = dozen.v\nclock = clk_i\n");
  assert_int_equal(build("", "default"), 2);
  assert_said("needs reset = ");
  write_file("dozen.ini",
             "[unit]\ntop = dozen\nsources = doyen.v\nclock = clk_i\nreset = rst_ni\n");
  assert_int_equal(build("", "default"), 2);
  assert_said("doyen.v does not exist");
}

static void refused_parameters_are_told_in_the_rtl_s_words(void **state) {
  (void)state;
  assert_int_equal(build("", "nine Count=1"), 2);
  assert_said("the RTL refuses these parameters: dozen.v:8: dozen: Count is 1, must be 2 or more");
  assert_int_equal(build("", "nine Size=1"), 2); /* Verilator's own message */
  assert_said("Size");
}

static void warnings_fail(void **state) {
  (void)state;
  char text[2048];
  snprintf(text, sizeof text, "%.*s  logic spare;\nendmodule\n", (int)(strlen(unit_text) - 10),
           unit_text);
  write_file("dozen.v", text);
  assert_int_equal(build("", "default"), 2);
  assert_said("UNUSEDSIGNAL");
  assert_said("there must be none");
}

static void missing_tools_are_named(void **state) {
  (void)state;
  /* A PATH with all that the script uses but Verilator. */
  assert_int_equal(
      shell(
          "mkdir -p \"$F/tools\" && for t in bash dirname pwd stat sha256sum mkdir flock cksum cut "
          "gcc "
          "g++ head tail rm cat sed; do ln -s \"$(command -v $t)\" \"$F/tools/\" || exit 1; done"),
      0);
  assert_int_equal(build("true;", "default"), 0); /* the generator exists from here on */
  assert_int_equal(build("PATH=\"$F/tools\"", "nine"), 2);
  assert_said("verilator is not installed: apt-get install verilator");
}

static double changed_at(const char *library) {
  char path[700];
  struct stat s;
  snprintf(path, sizeof path, "%s/out/models/%s", folder, library);
  if (stat(path, &s) != 0) return -1;
  return (double)s.st_mtim.tv_sec + 1e-9 * (double)s.st_mtim.tv_nsec;
}

static void only_what_changed_is_built(void **state) {
  (void)state;
  static const char *const library = "dozen-nine/dozen.so";
  assert_int_equal(build("", "nine"), 0);
  assert_said("build-model: building dozen-nine");
  double first = changed_at(library);
  assert_true(first > 0);
  assert_int_equal(build("", "nine Count=9"),
                   0); /* the configuration's own value: the same model */
  assert_null(strstr(output, "building"));
  assert_said("/out/models/dozen-nine/dozen.so");
  assert_true(changed_at(library) == first);
  assert_int_equal(build("", "nine Count=0x10"), 0);
  assert_said("building dozen-nine+Count.16");
  assert_true(changed_at("dozen-nine+Count.16/dozen.so") > first);
  write_file("part.vh", "`define START 'd2\n"); /* an include file counts */
  assert_int_equal(build("", "nine"), 0);
  assert_said("building dozen-nine");
  assert_true(changed_at(library) > first);
  assert_int_equal(build("ARCH=x86-64", "nine"), 0); /* so do flags */
  assert_said("building dozen-nine");
}

/* Four at once: one builds, all succeed, nothing is left over. */
static void concurrent_calls_build_once(void **state) {
  (void)state;
  assert_int_equal(
      shell(
          "for i in 1 2 3 4; do BUILD=\"$F/out\" sim/model/build-model \"$F/dozen.ini\" nine "
          "2>>\"$F/said\" "
          ">>\"$F/paths\" & pids=\"$pids $!\"; done; for p in $pids; do wait $p || exit 1; done; "
          "test $(grep -c building \"$F/said\") = 1 && test $(sort -u \"$F/paths\" | wc -l) = 1 && "
          "test $(wc -l <\"$F/paths\") = 4 && ! ls -d \"$F\"/out/models/*.work 2>/dev/null"),
      0);
}

int main(int argc, char **argv) {
  test_start(argc, argv);
#define CASE(name) cmocka_unit_test_setup(name, setup)
  const struct CMUnitTest tests[] = {
      CASE(bad_requests_are_told),
      CASE(refused_parameters_are_told_in_the_rtl_s_words),
      CASE(warnings_fail),
      CASE(missing_tools_are_named),
      CASE(only_what_changed_is_built),
      CASE(concurrent_calls_build_once),
  };
  return test_finish(cmocka_run_group_tests_name("build-model", tests, NULL, NULL), argv);
}
