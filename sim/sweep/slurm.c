/* Slurm: a job for the models, arrays of tasks that wait for it, a job that collects. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_text.h"
#include "sim/sweep/internal.h"

enum { MOST_WORDS = 64, JOBS_BYTES = 1 << 16 };

/* The words of a call of sbatch. */
typedef struct call {
  char *words[MOST_WORDS];
  size_t n;
} call;

static void add(call *c, char *word) {
  if (c->n < MOST_WORDS - 1)
    c->words[c->n++] = word;
  else
    free(word);
}

static void call_free(call *c) {
  for (size_t i = 0; i < c->n; i++) free(c->words[i]);
}

static char *jobs_path(const wf_sweep_job *job) {
  char *folder = wf_sweep_parts_path(job), *path = wf_text("%s/jobs", folder);
  free(folder);
  return path;
}

/* Names of files and this program in a job's script. */
static char *script_of(const wf_sweep_job *job, const char *verb, const char *more) {
  char *words[] = {(char *)job->program, "sweep",   (char *)verb,
                   (char *)job->file,    "--store", (char *)job->store};
  char *text = wf_identity_text(words, sizeof words / sizeof *words);
  char *script = wf_text("exec %s %s", text, more);
  free(text);
  return script;
}

/* What sbatch says: the job's number, alone on a line. */
static bool number_of(const char *said, char *id, size_t bytes) {
  const size_t n = strspn(said, "0123456789");
  if (!n || n >= bytes || (said[n] && said[n] != '\n' && said[n] != ';')) return false;
  memcpy(id, said, n);
  id[n] = '\0';
  return true;
}

/* Its number is told on `out` and kept, so that resume knows what is still in the queue. */
static bool submit(const wf_sweep_spread *spread, call *c, const char *what, char *id, size_t bytes,
                   FILE *out, wf_error *err) {
  char *said = NULL;
  c->words[c->n] = NULL;
  const int code = sweep_command(c->words, &said);
  const bool ok = code == 0 && said && number_of(said, id, bytes);
  free(said);
  if (code < 0)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "sweep: `sbatch` cannot be run: is Slurm installed?");
  if (!ok) return wf_fail(err, WF_EXIT_BAD_INPUT, "sweep: sbatch refused the job of %s", what);
  fprintf(out, "job %s: %s\n", id, what);
  char *path = jobs_path(&spread->job);
  FILE *jobs = fopen(path, "a");
  if (jobs) fprintf(jobs, "%s\n", id);
  const bool kept = jobs && fclose(jobs) == 0;
  if (!kept) wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be written", path);
  free(path);
  return kept;
}

static void begin(const wf_sweep_spread *spread, call *c, const char *what) {
  char here[4096], *folder = wf_sweep_parts_path(&spread->job);
  *c = (call){.n = 0};
  add(c, wf_strdup("sbatch"));
  add(c, wf_strdup("--parsable"));
  add(c, wf_text("--job-name=warpfab-%s", what));
  if (getcwd(here, sizeof here)) add(c, wf_text("--chdir=%s", here));
  add(c, wf_text("--output=%s/%s-%%j.log", folder, what));
  for (size_t i = 0; wf_sweep_slurm(spread->job.sweep, i) && i < 32; i++)
    add(c, wf_strdup(wf_sweep_slurm(spread->job.sweep, i)));
  free(folder);
}

/* after: a job, "" for none. */
static bool submit_models(const wf_sweep_spread *spread, char *id, size_t bytes, FILE *out,
                          wf_error *err) {
  size_t n;
  call c;
  free(wf_sweep_of_models(spread->job.sweep, &n));
  *id = '\0';
  if (!n) return true;
  begin(spread, &c, "models");
  char *script = script_of(&spread->job, "models", "");
  add(&c, wf_text("--wrap=%s", script));
  free(script);
  const bool ok = submit(spread, &c, "models of RTL", id, bytes, out, err);
  call_free(&c);
  return ok;
}

/* models, before: jobs to wait for, "" for none. The second array of a sweep waits for the first if
 * there is a limit of tasks at once, which Slurm knows of each array alone. */
static bool submit_array(const wf_sweep_spread *spread, unsigned first, unsigned n,
                         const char *models, const char *before, char *id, size_t bytes, FILE *out,
                         wf_error *err) {
  call c;
  begin(spread, &c, "task");
  add(&c, spread->at_once ? wf_text("--array=0-%u%%%u", n - 1, spread->at_once)
                          : wf_text("--array=0-%u", n - 1));
  const bool waits = spread->at_once && *before;
  if (*models || waits)
    add(&c, wf_text("--dependency=%s%s%s%s%s", *models ? "afterok:" : "", models,
                    *models && waits ? "," : "", waits ? "afterany:" : "", waits ? before : ""));
  if (*models) add(&c, wf_strdup("--kill-on-invalid-dep=yes"));
  char *more =
      wf_text("--task $((%u + SLURM_ARRAY_TASK_ID)) --jobs ${SLURM_CPUS_PER_TASK:-1}", first);
  char *script = script_of(&spread->job, "task", more),
       *what = wf_text("%u tasks of %u points", n, spread->points_per_task);
  add(&c, wf_text("--wrap=%s", script));
  const bool ok = submit(spread, &c, what, id, bytes, out, err);
  free(what);
  free(script);
  free(more);
  call_free(&c);
  return ok;
}

static bool submit_collect(const wf_sweep_spread *spread, const char *after, FILE *out,
                           wf_error *err) {
  call c;
  char id[32], *script = script_of(&spread->job, "collect", "");
  begin(spread, &c, "collect");
  add(&c, wf_text("--dependency=afterany%s", after));
  add(&c, wf_text("--wrap=%s", script));
  const bool ok =
      submit(spread, &c, "brings the tasks' runs into the store", id, sizeof id, out, err);
  free(script);
  call_free(&c);
  return ok;
}

/* Tasks that one array may have: MaxArraySize of the site, 1001 where it does not say. */
static unsigned array_limit(void) {
  char *words[] = {"scontrol", "show", "config", NULL}, *said = NULL;
  long limit = 1001;
  if (sweep_command(words, &said) == 0) {
    const char *at = strstr(said, "MaxArraySize");
    if (at && (at = strchr(at, '='))) limit = strtol(at + 1, NULL, 10);
  }
  free(said);
  return limit > 1 ? (unsigned)limit - 1 : 1;
}

bool wf_sweep_slurm_submit(const wf_sweep_spread *spread, unsigned tasks, FILE *out,
                           wf_error *err) {
  const unsigned limit = array_limit();
  char models[32], before[32] = "", id[32], *arrays = wf_strdup("");
  bool ok = submit_models(spread, models, sizeof models, out, err);
  for (unsigned first = 0; ok && first < tasks; first += limit) {
    const unsigned n = tasks - first < limit ? tasks - first : limit;
    ok = submit_array(spread, first, n, models, before, id, sizeof id, out, err);
    if (!ok) break;
    memcpy(before, id, sizeof before);
    char *more = wf_text("%s:%s", arrays, id);
    free(arrays);
    arrays = more;
  }
  ok = ok && submit_collect(spread, arrays, out, err);
  free(arrays);
  return ok;
}

/* Is this one of the numbers that stand in lines? */
static bool has_line(const char *lines, const char *number) {
  const size_t n = strlen(number);
  for (const char *at = lines; *at; at += strcspn(at, "\n"), at += *at == '\n')
    if (!strncmp(at, number, n) && (at[n] == '\n' || !at[n])) return true;
  return false;
}

/* What was submitted and is queued; lines of numbers both. Tasks of an array have its number. */
static char *both(char *submitted, const char *queued) {
  char *list = wf_strdup("");
  for (char *id; (id = strsep(&submitted, "\n"));) {
    if (!*id || !has_line(queued, id)) continue;
    char *more = wf_text("%s%s%s", list, *list ? " " : "", id);
    free(list);
    list = more;
  }
  return list;
}

char *wf_sweep_slurm_queue(const wf_sweep_job *job, wf_error *err) {
  size_t bytes;
  char *words[] = {"squeue", "-a", "-h", "-o", "%F", NULL}, *queued = NULL, *list = NULL;
  char *path = jobs_path(job);
  const bool any = access(path, R_OK) == 0;
  char *jobs = any ? wf_file_read(path, JOBS_BYTES, &bytes, err) : wf_strdup("");
  free(path);
  if (jobs && *jobs) {
    if (sweep_command(words, &queued) == 0)
      list = both(jobs, queued);
    else
      wf_fail(err, WF_EXIT_BAD_INPUT,
              "sweep: `squeue` cannot be asked what of job %.40s is still in the queue", jobs);
    free(queued);
    free(jobs);
    return list;
  }
  return jobs;
}
