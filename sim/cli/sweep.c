/* warpfab sweep */
#define _GNU_SOURCE /* CPU_COUNT */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_options.h"
#include "sim/base/wf_progress.h"
#include "sim/base/wf_text.h"
#include "sim/cli/cli.h"
#include "sim/sweep/sweep.h"

static const char usage[] =
    "usage: warpfab sweep FILE.ini               runs every point that its store lacks\n"
    "       warpfab sweep resume FILE.ini        the same, for who goes on\n"
    "       warpfab sweep retry FILE.ini         and those that failed\n"
    "       warpfab sweep status FILE.ini        how many are there\n"
    "       warpfab sweep collect FILE.ini       brings in what tasks elsewhere have done\n"
    "  --dry-run               prints the points and runs none\n"
    "  --store FILE            of the results (the file's, or NAME.db beside NAME.ini)\n"
    "  --jobs N                processes at a time (all processors; 1 in a task elsewhere)\n"
    "  --engine local|parallel|slurm\n"
    "  --points-per-task N     elsewhere (50)        --at-once N   tasks\n"
    "  --hosts LIST            of GNU parallel's --sshlogin: machines that share these files\n"
    "  --wait                  until Slurm's jobs have ended\n"
    "What the engines call: sweep models FILE.ini, sweep task FILE.ini --task N\n"
    "The file:\n"
    "  [run]                   each point has these as they stand: config = k20c\n"
    "  [product]               every combination of the values: app = bfs pagerank\n"
    "  [zip NAME]              values side by side, as one axis of the product\n"
    "  [sweep]                 store = FILE\n"
    "  [slurm]                 options of sbatch: partition = long\n"
    "Keys: app ptx trace cuda graph config unit seed kernel grid block shared arch clang host\n"
    "max-cycles args, and those of --set. Values: separated by blanks; {1..8}, {10..50+10}, "
    "{1..64*2}, rgg:scale={10,14};\n"
    "\"none\" is no unit or graph, \"default\" leaves the key out. Pages: docs/sweeps.md.\n";

typedef struct request {
  const char *verb, *file, *engine;
  wf_sweep_spread spread;
  unsigned task, points_per_task;
  bool dry_run, wait, help, has_task;
} request;

static const char *const verbs[] = {"run",     "resume", "retry", "status",
                                    "collect", "models", "task"};

static bool is(const request *r, const char *verb) {
  return strcmp(r->verb, verb) == 0;
}

/* ---- arguments ---- */

enum { DRY = 1, STORE, JOBS, ENGINE, PER_TASK, AT_ONCE, HOSTS, WAIT, TASK, HELP };
static const struct option options[] = {{"dry-run", 0, NULL, DRY},
                                        {"store", 1, NULL, STORE},
                                        {"jobs", 1, NULL, JOBS},
                                        {"engine", 1, NULL, ENGINE},
                                        {"points-per-task", 1, NULL, PER_TASK},
                                        {"at-once", 1, NULL, AT_ONCE},
                                        {"hosts", 1, NULL, HOSTS},
                                        {"wait", 0, NULL, WAIT},
                                        {"task", 1, NULL, TASK},
                                        {"help", 0, NULL, HELP},
                                        {NULL, 0, NULL, 0}};

static bool take_number(unsigned *to, const char *option, const char *text, long low, long high,
                        wf_error *err) {
  long number;
  if (!wf_parse_long(text, &number) || number < low || number > high)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--%s %s: expected a whole number %ld..%ld", option,
                   text, low, high);
  *to = (unsigned)number;
  return true;
}

static bool take_option(request *r, int option, wf_error *err) {
  wf_sweep_spread *s = &r->spread;
  switch (option) {
  case DRY:
    return r->dry_run = true;
  case STORE:
    s->job.store = optarg;
    return *optarg || wf_fail(err, WF_EXIT_BAD_INPUT, "--store: expected the name of a file");
  case JOBS:
    return take_number(&s->job.jobs, "jobs", optarg, 1, 4096, err);
  case ENGINE:
    r->engine = optarg;
    return !strcmp(optarg, "local") || !strcmp(optarg, "parallel") || !strcmp(optarg, "slurm") ||
           wf_fail(err, WF_EXIT_BAD_INPUT, "--engine %s: expected local, parallel or slurm",
                   optarg);
  case PER_TASK:
    return take_number(&s->points_per_task, "points-per-task", optarg, 1, 1000000, err);
  case AT_ONCE:
    return take_number(&s->at_once, "at-once", optarg, 1, 1000000, err);
  case HOSTS:
    return s->hosts = optarg, true;
  case TASK:
    return r->has_task = true, take_number(&r->task, "task", optarg, 0, INT_MAX, err);
  case WAIT:
    return r->wait = true;
  default:
    return r->help = true;
  }
}

static bool take_words(request *r, int argc, char **argv, wf_error *err) {
  for (int i = optind; i < argc; i++) {
    bool verb = false;
    for (size_t v = 0; v < sizeof verbs / sizeof *verbs && !r->verb; v++)
      if (!strcmp(argv[i], verbs[v])) verb = true;
    if (verb)
      r->verb = argv[i];
    else if (!r->file)
      r->file = argv[i];
    else
      return wf_fail(err, WF_EXIT_BAD_INPUT, "sweep: '%s': expected one FILE.ini", argv[i]);
  }
  if (!r->verb) r->verb = "run";
  return r->file ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "sweep: expected FILE.ini; `warpfab sweep --help`");
}

static bool check_request(const request *r, wf_error *err) {
  const bool parallel = !strcmp(r->engine, "parallel"), slurm = !strcmp(r->engine, "slurm");
  if (parallel != (r->spread.hosts != NULL))
    return wf_fail(err, WF_EXIT_BAD_INPUT, "sweep: --engine parallel and --hosts go together");
  if (r->wait && !slurm)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "sweep: --wait goes with --engine slurm");
  return is(r, "task") == r->has_task ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "sweep: task and --task N go together");
}

static bool parse(request *r, int argc, char **argv, wf_error *err) {
  static const char *const once[] = {"--store", "--jobs",    "--engine", "--points-per-task",
                                     "--hosts", "--at-once", "--task",   NULL};
  *r = (request){.engine = "local", .spread = {.points_per_task = 50}};
  if (!wf_options_once(argc, argv, once, err)) return false;
  optind = 1;
  opterr = 0;
  for (int c; (c = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
    if (c == ':' || c == '?')
      return wf_fail(err, WF_EXIT_BAD_INPUT, "sweep: %s: %s", argv[optind - 1],
                     c == ':' ? "expects a value" : "unknown option; `warpfab sweep --help`");
    if (!take_option(r, c, err)) return false;
  }
  return r->help || (take_words(r, argc, argv, err) && check_request(r, err));
}

/* ---- what it is about ---- */

static unsigned processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

/* Points are checked as `run` would, before the first of them is run. */
static bool check_points(const request *r, wf_error *err) {
  enum { SOME = 2000 };
  size_t n;
  bool ok = true;
  uint64_t *points = wf_sweep_some(r->spread.job.sweep, SOME, &n);
  for (size_t i = 0; ok && i < n; i++) {
    char **words;
    wf_error why = {0};
    const size_t n_words = wf_sweep_words(r->spread.job.sweep, points[i], &words);
    char **argv = wf_calloc(n_words + 2, sizeof *argv);
    argv[0] = "run";
    memcpy(argv + 1, words, n_words * sizeof *words);
    ok = wf_cli_run_check((int)n_words + 1, argv, &why);
    if (!ok) {
      char *text = wf_identity_text(words, n_words);
      const int line = wf_sweep_line(r->spread.job.sweep, points[i], why.text);
      char *where = line ? wf_text("%s:%d", r->file, line) : wf_strdup(r->file);
      wf_fail(err, WF_EXIT_BAD_INPUT, "%s: point %" PRIu64 ", run %.300s: %.500s", where, points[i],
              text, why.text);
      free(where);
      free(text);
    }
    free(argv);
    wf_identity_words_free(words, n_words);
  }
  free(points);
  return ok;
}

/* Two sweeps of one file would run the same points. */
static int lock(const request *r, wf_error *err) {
  const int fd = open(r->file, O_RDONLY | O_CLOEXEC);
  if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %s", r->file,
          errno == EWOULDBLOCK ? "is being run by another `warpfab sweep`" : strerror(errno));
  if (fd >= 0) close(fd);
  return -1;
}

static bool there(const char *path) {
  return access(path, F_OK) == 0;
}

/* What tasks elsewhere have done comes into the store first; none of them may be at work. */
static bool bring_in(const request *r, bool all_ended, wf_error *err) {
  uint64_t added;
  char *parts = wf_sweep_parts_path(&r->spread.job), *queue = NULL;
  bool ok = true;
  if (there(parts)) {
    queue = all_ended ? wf_sweep_slurm_queue(&r->spread.job, err) : wf_strdup("");
    ok = queue &&
         (!*queue || wf_fail(err, WF_EXIT_BAD_INPUT,
                             "sweep: still in Slurm's queue: %s; wait, or scancel them", queue));
    if (ok && all_ended) wf_sweep_parts_wait(&r->spread.job);
    ok = ok && wf_sweep_collect(&r->spread.job, &added, err);
    if (ok) fprintf(stderr, "sweep: %" PRIu64 " runs of tasks brought in\n", added);
  }
  free(queue);
  free(parts);
  return ok;
}

static uint64_t *missing(const request *r, wf_sweep_count *count, size_t *n, wf_error *err) {
  const char *path = r->spread.job.store;
  struct stat about;
  const bool any = stat(path, &about) == 0 && about.st_size;
  wf_store *store = any ? wf_store_open(path, WF_STORE_READ, err) : NULL;
  if (any && !store) return NULL;
  uint64_t *points = wf_sweep_missing(&r->spread.job, store, NULL, 0, count, n, err);
  wf_store_close(store);
  return points;
}

/* ---- verbs ---- */

static int tell(const request *r, const wf_sweep_count *c) {
  printf("%" PRIu64 " points: %" PRIu64 " were there, %" PRIu64 " run, %" PRIu64
         " failed; store %s\n",
         c->points, c->there, c->run, c->failed, r->spread.job.store);
  if (c->failed || (c->failed_before && !r->spread.job.retry))
    printf("failed: `warpfab results list %s --where exit=1` (2, 3) shows them, `warpfab sweep "
           "retry %s` runs them again\n",
           r->spread.job.store, r->file);
  if (c->stopped)
    printf("ended from outside: %" PRIu64 "; `warpfab sweep resume %s` runs them\n", c->stopped,
           r->file);
  return c->failed || c->stopped ? WF_EXIT_WRONG : WF_OK;
}

/* Ends as the signal would have ended it. */
static int interrupted(const request *r, const wf_sweep_count *c) {
  printf("sweep: interrupted: %" PRIu64 " of %" PRIu64
         " points are in %s; `warpfab sweep resume %s` goes on\n",
         c->there + c->run, c->points, r->spread.job.store, r->file);
  fflush(stdout);
  signal(c->signal, SIG_DFL);
  raise(c->signal);
  return WF_EXIT_HANG;
}

static void print_points(const request *r, const uint64_t *points, size_t n) {
  for (size_t i = 0; i < n && !ferror(stdout); i++) {
    char **words;
    const size_t n_words = wf_sweep_words(r->spread.job.sweep, points[i], &words);
    char *text = wf_identity_text(words, n_words);
    printf("%6" PRIu64 "  %s\n", points[i], text);
    free(text);
    wf_identity_words_free(words, n_words);
  }
}

/* Shows how far they are, until none of them is in the queue. */
static bool wait_for_slurm(const request *r, wf_error *err) {
  for (;;) {
    char *queue = wf_sweep_slurm_queue(&r->spread.job, err);
    const bool ended = queue && !*queue;
    if (!queue) return false;
    if (wf_progress_due()) wf_progress_line("in Slurm's queue: %s", queue);
    free(queue);
    if (ended) return wf_progress_clear(), true;
    sleep(1);
  }
}

static int count_again(const request *r, wf_error *err) {
  wf_sweep_count count;
  size_t n;
  uint64_t *points = missing(r, &count, &n, err);
  if (!points) return wf_cli_report(err);
  free(points);
  printf("%" PRIu64 " points: %" PRIu64 " are there, %" PRIu64 " of them failed; store %s\n",
         count.points, count.there, count.failed_before, r->spread.job.store);
  return count.there < count.points || count.failed_before ? WF_EXIT_WRONG : WF_OK;
}

static int run_elsewhere(const request *r, const uint64_t *points, size_t n, wf_error *err) {
  unsigned tasks;
  uint64_t added;
  const wf_sweep_job *job = &r->spread.job;
  if (!wf_sweep_parts_remove(job, err) || !wf_sweep_parts_plan(&r->spread, points, n, &tasks, err))
    return wf_cli_report(err);
  if (!strcmp(r->engine, "slurm")) {
    if (!wf_sweep_slurm_submit(&r->spread, tasks, stdout, err)) return wf_cli_report(err);
    fflush(stdout);
    if (!r->wait) return WF_OK;
    if (!wait_for_slurm(r, err)) return wf_cli_report(err);
  } else if (!wf_sweep_build_models(job, err)) {
    return wf_cli_report(err);
  } else if (!wf_sweep_parallel(&r->spread, tasks, err)) {
    wf_cli_report(err); /* what was done is collected all the same */
    wf_sweep_parts_wait(job);
  }
  if (!wf_sweep_collect(job, &added, err)) return wf_cli_report(err);
  const int code = count_again(r, err);
  if (code == WF_OK) wf_sweep_parts_remove(job, NULL);
  return code;
}

static int run_here(const request *r, const uint64_t *points, size_t n, wf_sweep_count *count,
                    wf_error *err) {
  if (n && !wf_sweep_build_models(&r->spread.job, err)) return wf_cli_report(err);
  if (n && !wf_sweep_run_points(&r->spread.job, points, n, count, err)) return wf_cli_report(err);
  if (!count->signal) return tell(r, count);
  /* A run that was ended when its row was written is there as well: the store knows. */
  wf_sweep_count now;
  size_t left;
  uint64_t *points_left = missing(r, &now, &left, err);
  if (points_left) count->there = now.there, count->run = 0;
  free(points_left);
  return interrupted(r, count);
}

static int run_missing(request *r, wf_error *err) {
  wf_sweep_count count;
  size_t n;
  int code;
  r->spread.job.retry = is(r, "retry");
  if (!check_points(r, err) || (!r->dry_run && !bring_in(r, true, err))) return wf_cli_report(err);
  uint64_t *points = missing(r, &count, &n, err);
  if (!points) return wf_cli_report(err);
  if (r->dry_run) {
    print_points(r, points, n);
    printf("%" PRIu64 " points: %" PRIu64 " are there, %zu to be run; store %s\n", count.points,
           count.there, n, r->spread.job.store);
    code = WF_OK;
  } else if (n && strcmp(r->engine, "local") != 0) {
    code = run_elsewhere(r, points, n, err);
  } else {
    code = run_here(r, points, n, &count, err);
  }
  free(points);
  return code;
}

static int run_task(const request *r, wf_error *err) {
  wf_sweep_count count;
  if (!wf_sweep_task(&r->spread, r->task, &count, err)) return wf_cli_report(err);
  return count.signal ? interrupted(r, &count) : tell(r, &count);
}

static int execute(request *r, wf_error *err) {
  if (is(r, "models"))
    return wf_sweep_build_models(&r->spread.job, err) ? WF_OK : wf_cli_report(err);
  if (is(r, "task")) return run_task(r, err);
  if (is(r, "collect") || is(r, "status"))
    return !bring_in(r, false, err) ? wf_cli_report(err) : count_again(r, err);
  const int fd = lock(r, err);
  if (fd < 0) return wf_cli_report(err);
  const int code = run_missing(r, err);
  close(fd);
  return code;
}

int wf_cli_sweep(int argc, char **argv) {
  request r;
  wf_error err = {0};
  char program[PATH_MAX] = "";
  if (!parse(&r, argc, argv, &err)) return wf_cli_report(&err);
  if (r.help) return fputs(usage, stdout), WF_OK;
  wf_sweep *sweep = wf_sweep_read(r.file, &err);
  const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  if (sweep && n <= 0) wf_fail(&err, WF_EXIT_BAD_INPUT, "/proc/self/exe: %s", strerror(errno));
  if (!sweep || n <= 0) return wf_sweep_destroy(sweep), wf_cli_report(&err);
  wf_sweep_job *job = &r.spread.job;
  job->sweep = sweep;
  job->file = r.file;
  job->program = program;
  if (!job->store) job->store = wf_sweep_store(sweep);
  if (!job->jobs) job->jobs = is(&r, "task") || r.spread.hosts ? 1 : processors();
  const int code = execute(&r, &err);
  wf_sweep_destroy(sweep);
  return code;
}
