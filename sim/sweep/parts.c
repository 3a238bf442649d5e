/* STORE.parts: the plan of what is run elsewhere, and a store for each task of it. Locks of SQLite
 * are not to be trusted where machines share a file system, so none shares a store. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_options.h"
#include "sim/base/wf_out.h"
#include "sim/base/wf_text.h"
#include "sim/sweep/internal.h"

enum { PLAN_BYTES = 1 << 30 };

char *wf_sweep_parts_path(const wf_sweep_job *job) {
  return wf_text("%s.parts", job->store);
}

static char *in_parts(const wf_sweep_job *job, const char *format, unsigned number) {
  char *folder = wf_sweep_parts_path(job), *name = wf_text(format, number);
  char *path = wf_text("%s/%s", folder, name);
  free(name);
  free(folder);
  return path;
}

bool wf_sweep_parts_remove(const wf_sweep_job *job, wf_error *err) {
  glob_t files = {0};
  bool ok = true;
  char *folder = wf_sweep_parts_path(job), *pattern = wf_text("%s/*", folder);
  if (glob(pattern, 0, NULL, &files) == 0)
    for (size_t i = 0; i < files.gl_pathc; i++) ok = unlink(files.gl_pathv[i]) == 0 && ok;
  globfree(&files);
  if ((rmdir(folder) != 0 && errno != ENOENT) || !ok)
    ok = wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be removed: %s", folder, strerror(errno));
  free(pattern);
  free(folder);
  return ok;
}

/* ---- the plan: points per task, then a point in each line ---- */

bool wf_sweep_parts_plan(const wf_sweep_spread *spread, const uint64_t *points, size_t n,
                         unsigned *tasks, wf_error *err) {
  wf_out_file out;
  char *folder = wf_sweep_parts_path(&spread->job);
  bool ok = mkdir(folder, 0777) == 0 ||
            wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be made: %s", folder, strerror(errno));
  char *path = in_parts(&spread->job, "plan", 0);
  ok = ok && wf_out_open(&out, path, err);
  if (ok) {
    fprintf(out.file, "%u\n", spread->points_per_task);
    for (size_t i = 0; i < n; i++) fprintf(out.file, "%" PRIu64 "\n", points[i]);
    ok = wf_out_commit(&out, err);
  }
  *tasks = (unsigned)((n + spread->points_per_task - 1) / spread->points_per_task);
  free(path);
  free(folder);
  return ok;
}

/* The task's points, of the lines of the plan. */
static uint64_t *points_of(char *text, unsigned task, size_t *n) {
  char *line = strsep(&text, "\n");
  uint64_t each, *points;
  *n = 0;
  if (!line || !wf_parse_u64(line, &each) || !each) return NULL;
  points = wf_calloc(each, sizeof *points);
  for (uint64_t i = 0; (line = strsep(&text, "\n")) && *line; i++)
    if (i / each == task && !wf_parse_u64(line, &points[(*n)++])) break;
  if (*n && (!line || !*line)) return points;
  free(points);
  return NULL;
}

static uint64_t *read_plan(const wf_sweep_job *job, unsigned task, size_t *n, wf_error *err) {
  size_t bytes;
  char *path = in_parts(job, "plan", 0), *text = wf_file_read(path, PLAN_BYTES, &bytes, err);
  uint64_t *points = text ? points_of(text, task, n) : NULL;
  bool ok = points != NULL;
  for (size_t i = 0; ok && i < *n; i++) ok = points[i] < wf_sweep_points(job->sweep);
  if (text && !ok) {
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: has no task %u of this sweep: was its file changed?", path,
            task);
    free(points);
    points = NULL;
  }
  free(text);
  free(path);
  return points;
}

/* ---- a task ---- */

/* One at a time: a queue may start a task again while its processes are still there. */
static int lock(const wf_sweep_job *job, unsigned task, wf_error *err) {
  char *path = in_parts(job, "task-%u.lock", task);
  const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0 || flock(fd, LOCK_EX) != 0)
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be locked: %s", path, strerror(errno));
  free(path);
  return fd;
}

static bool run_missing(const wf_sweep_job *part, const uint64_t *points, size_t n,
                        wf_sweep_count *count, wf_error *err) {
  size_t missing;
  wf_store *store = wf_store_open(part->store, WF_STORE_APPEND, err);
  uint64_t *some = store ? wf_sweep_missing(part, store, points, n, count, &missing, err) : NULL;
  wf_store_close(store);
  const bool ok = some && wf_sweep_run_points(part, some, missing, count, err);
  free(some);
  return ok;
}

bool wf_sweep_task(const wf_sweep_spread *spread, unsigned task, wf_sweep_count *count,
                   wf_error *err) {
  size_t n;
  uint64_t *points = read_plan(&spread->job, task, &n, err);
  const int fd = points ? lock(&spread->job, task, err) : -1;
  char *store = in_parts(&spread->job, "task-%u.db", task);
  wf_sweep_job part = spread->job;
  part.store = store;
  part.retry = false;
  const bool ok = fd >= 0 && run_missing(&part, points, n, count, err);
  if (fd >= 0) close(fd);
  free(store);
  free(points);
  return ok;
}

void wf_sweep_parts_wait(const wf_sweep_job *job) {
  glob_t files = {0};
  bool told = false;
  char *folder = wf_sweep_parts_path(job), *pattern = wf_text("%s/task-*.lock", folder);
  if (glob(pattern, 0, NULL, &files) == 0)
    for (size_t i = 0; i < files.gl_pathc; i++) {
      const int fd = open(files.gl_pathv[i], O_RDWR | O_CLOEXEC);
      if (fd < 0) continue;
      if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (!told) fprintf(stderr, "sweep: a task still runs (%s): waiting\n", files.gl_pathv[i]);
        told = true;
        flock(fd, LOCK_EX);
      }
      close(fd);
    }
  globfree(&files);
  free(pattern);
  free(folder);
}

bool wf_sweep_collect(const wf_sweep_job *job, uint64_t *added, wf_error *err) {
  glob_t files = {0};
  char *folder = wf_sweep_parts_path(job), *pattern = wf_text("%s/task-*.db", folder);
  wf_store *store = wf_store_open(job->store, WF_STORE_APPEND, err);
  bool ok = store != NULL;
  *added = 0;
  if (ok && glob(pattern, 0, NULL, &files) == 0)
    for (size_t i = 0; ok && i < files.gl_pathc; i++) {
      uint64_t more = 0;
      struct stat about;
      /* one that is just being made has nothing */
      if (stat(files.gl_pathv[i], &about) == 0 && !about.st_size) continue;
      ok = wf_store_merge(store, files.gl_pathv[i], &more, err);
      *added += more;
    }
  globfree(&files);
  wf_store_close(store);
  free(pattern);
  free(folder);
  return ok;
}
