/* Loads a program's host part into this process and runs its main(). */
#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_temporary.h"
#include "sim/base/wf_text.h"
#include "sim/cuda/compile.h"
#include "sim/cuda/context.h"
#include "sim/units/registry.h"

struct wf_cuda_job {
  const wf_cuda_request *request;
  ptx_module *module; /* NULL: the GPU has it */
  char *ptx;
  char *object; /* the file of the host's part */
  int noted;
  wf_cuda_verdict said;
};

wf_cuda_context *wf_cuda;

/* ---- compiling ---- */

enum { MOST_PTX = 64 << 20 };

static bool open_device(wf_cuda_job *job, wf_error *err) {
  size_t bytes, n_ops;
  job->ptx = job->request->library ? wf_file_read(job->request->path, MOST_PTX, &bytes, err)
                                   : wf_cuda_compile_device(job->request, &bytes, err);
  if (!job->ptx) return false;
  char *name = wf_text("%s (its PTX)", job->request->path);
  ptx_custom_op *ops = wf_unit_ops(&n_ops);
  job->module = ptx_parse_text(name, job->ptx, bytes, ops, n_ops, err);
  free(ops);
  free(name);
  return job->module != NULL;
}

static bool open_host(wf_cuda_job *job, wf_error *err) {
  const char *folder = getenv("TMPDIR");
  if (job->request->library) return (job->object = wf_strdup(job->request->library)) != NULL;
  job->object = wf_text("%s/warpfab-XXXXXX", folder && *folder ? folder : "/tmp");
  const int fd = mkstemp(job->object);
  if (fd < 0)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be written: %s", job->object,
                   strerror(errno));
  close(fd);
  job->noted = wf_temporary_note(job->object, false);
  return wf_cuda_compile_host(job->request, job->object, err);
}

wf_cuda_job *wf_cuda_open(const wf_cuda_request *request, wf_error *err) {
  wf_cuda_job *job = wf_calloc(1, sizeof *job);
  job->request = request;
  job->noted = -1;
  if (access(request->path, R_OK) != 0)
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be read: %s", request->path, strerror(errno));
  else if (wf_cuda_check_arch(request->arch, err) && open_device(job, err) && open_host(job, err))
    return job;
  wf_cuda_close(job);
  return NULL;
}

wf_cuda_verdict wf_cuda_said(const wf_cuda_job *job) {
  return job->said;
}

/* The library stays loaded when its file is gone. */
static void remove_object(wf_cuda_job *job) {
  if (job->noted >= 0) {
    wf_temporary_remove(job->noted);
    wf_temporary_forget(job->noted);
  }
  job->noted = -1;
}

void wf_cuda_close(wf_cuda_job *job) {
  if (!job) return;
  remove_object(job);
  ptx_module_destroy(job->module);
  free(job->ptx);
  free(job->object);
  free(job);
}

/* ---- running: main() comes back by returning, by exit(), or by a signal ---- */

enum { RETURNED = 1, SIGNAL, STOPPED };
static sigjmp_buf back;
static int exit_status, signal_number;
static void *signal_address;
static wf_error stopped;

void __wrap_exit(int status);
void __wrap_exit(int status) {
  exit_status = status;
  if (!wf_cuda) _exit(status); /* from a function that is called at the process's end */
  siglongjmp(back, RETURNED);
}

void wf_cuda_end(const wf_error *err) {
  stopped = *err;
  siglongjmp(back, STOPPED);
}

static void on_signal(int number, siginfo_t *info, void *context) {
  (void)context;
  if (wf_cuda && !wf_cuda->simulating) {
    signal_number = number;
    signal_address = info->si_addr;
    siglongjmp(back, SIGNAL);
  }
  signal(number, SIG_DFL);
  raise(number);
}

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};
enum { SIGNALS = sizeof signals / sizeof *signals };

static void catch_signals(struct sigaction old[SIGNALS]) {
  struct sigaction catch = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigemptyset(&catch.sa_mask);
  for (unsigned i = 0; i < SIGNALS; i++) sigaction(signals[i], &catch, &old[i]);
}

/* What a signal in the host's part means. */
static bool tell_signal(const char *path, wf_error *err) {
  const uint64_t at = (uintptr_t)signal_address;
  const bool memory = signal_number == SIGSEGV || signal_number == SIGBUS;
  const wf_cuda_block *b = memory ? wf_cuda_find_block(at) : NULL;
  if (b)
    return wf_fail(err, WF_EXIT_WRONG,
                   "%s: the host part read or wrote 0x%" PRIx64 ", which is device memory, of "
                   "cudaMalloc's %" PRIu64 " bytes at 0x%" PRIx64
                   ": cudaMemcpy brings them, or cudaMallocManaged gives memory of both sides",
                   path, at, b->bytes, b->at);
  if (memory && wf_cuda_is_device_address(at))
    return wf_fail(err, WF_EXIT_WRONG,
                   "%s: the host part read or wrote 0x%" PRIx64 ", which is a device address", path,
                   at);
  if (memory)
    return wf_fail(err, WF_EXIT_WRONG, "%s: the host part read or wrote 0x%" PRIx64 ": %s", path,
                   at, strsignal(signal_number));
  return wf_fail(err, WF_EXIT_WRONG, "%s: the host part ended by a signal: %s", path,
                 strsignal(signal_number));
}

/* What a launch that failed says if the program has not asked. */
static bool check_unseen(const char *path, wf_error *err) {
  if (wf_cuda->sticky) return *err = wf_cuda->fault, false;
  return !wf_cuda->unseen ||
         wf_fail(err, WF_EXIT_WRONG,
                 "%s: %s failed, and the program did not ask (cudaGetLastError): %s: %s", path,
                 wf_cuda->unseen, cudaGetErrorName(wf_cuda->told_of), wf_cuda->detail);
}

typedef int main_function(int argc, char **argv, char **envp);
extern char **environ;

static bool call_main(const wf_cuda_job *job, void *library, int *status, wf_error *err) {
  const wf_cuda_request *r = job->request;
  struct sigaction old[SIGNALS];
  main_function *start;
  *(void **)&start = dlsym(library, "main");
  if (!start) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: there is no main()", r->path);
  char **argv = wf_calloc(r->n_args + 2, sizeof *argv);
  argv[0] = (char *)(uintptr_t)r->path;
  memcpy(argv + 1, r->args, r->n_args * sizeof *argv);
  optind = opterr = 1;
  catch_signals(old);
  const int how = sigsetjmp(back, 1);
  if (!how) exit_status = start((int)r->n_args + 1, argv, environ);
  for (unsigned i = 0; i < SIGNALS; i++) sigaction(signals[i], &old[i], NULL);
  *status = exit_status;
  free(argv);
  if (how == SIGNAL) return tell_signal(r->path, err);
  if (how == STOPPED) return *err = stopped, false;
  return check_unseen(r->path, err);
}

static bool load_and_call(wf_cuda_job *job, int *status, wf_error *err) {
  void *library = dlopen(job->object, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be loaded: %s", job->request->path,
                   dlerror());
  remove_object(job);
  const bool ok = call_main(job, library, status, err);
  fflush(stdout);
  if (ok) dlclose(library); /* and so it ends; after a signal or a hang nothing of it is run */
  return ok;
}

bool wf_cuda_run(wf_cuda_job *job, wf_gpu *gpu, int *status, wf_error *err) {
  wf_cuda_context context = {.gpu = gpu,
                             .module = job->module,
                             .path = job->request->path,
                             .ptx = job->ptx,
                             .arch = (unsigned)atoi(job->request->arch + 3)};
  ptx_module *module = job->module;
  job->module = NULL;
  *status = 0;
  if (!wf_gpu_add_module(gpu, module, err)) return false;
  wf_cuda = &context;
  wf_cuda_reserve(&context);
  const bool ok = load_and_call(job, status, err);
  wf_cuda = NULL;
  if (context.judged) job->said = context.wrong ? WF_CUDA_WRONG : WF_CUDA_RIGHT;
  wf_cuda_free_memory(&context);
  free(context.functions);
  free(context.variables);
  return ok;
}
