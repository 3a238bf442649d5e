/* See wf_acc.h. */
#include "wf_acc.h"

#include "openacc.h"
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

typedef struct wf_acc_mapping {
  const char *host, *base;
  char *device;
  size_t bytes;
  int count; /* regions and enter data that hold it */
  struct wf_acc_mapping *next;
} wf_acc_mapping;

static wf_acc_mapping *table;
static wf_acc_region *open_data; /* data regions begun, the last one at the end */
static unsigned n_open, compared, differing, unchecked, unchecked_memory;

static void stop(const wf_acc_region *r, const char *name, const char *what) {
  fflush(stdout);
  fprintf(stderr, "%s:%d: %s: %s\n", r->file, r->line, name, what);
  exit(2);
}

static void must(const wf_acc_region *r, const char *what, cudaError_t error) {
  if (error != cudaSuccess) stop(r, what, cudaGetErrorString(error));
}

/* ---- the table ---- */

static wf_acc_mapping *holding(const void *from, size_t bytes) {
  const char *at = from;
  for (wf_acc_mapping *m = table; m; m = m->next)
    if (at >= m->host && at + bytes <= m->host + m->bytes && (at < m->host + m->bytes || !bytes))
      return m;
  return NULL;
}

static wf_acc_mapping *overlapping(const void *from, size_t bytes) {
  const char *at = from;
  for (wf_acc_mapping *m = table; m; m = m->next)
    if (at < m->host + m->bytes && m->host < at + bytes) return m;
  return NULL;
}

/* By an address in it, else by the pointer whose elements were moved from some further on. */
static wf_acc_mapping *of_base(const void *base) {
  wf_acc_mapping *m = table;
  while (m && !((const char *)base >= m->host && (const char *)base < m->host + m->bytes))
    m = m->next;
  if (m) return m;
  for (m = table; m && m->base != base;) m = m->next;
  return m;
}

static wf_acc_mapping *add(const wf_acc_region *r, const char *name, const void *base,
                           const void *from, size_t bytes) {
  if (overlapping(from, bytes))
    stop(r, name,
         "a part of it is on the device already, and another part is not; move it at once");
  wf_acc_mapping *m = calloc(1, sizeof *m);
  if (!m) stop(r, name, "out of memory");
  *m = (wf_acc_mapping){.host = from, .base = base, .bytes = bytes, .next = table};
  must(r, name, cudaMalloc((void **)&m->device, bytes ? bytes : 1));
  table = m;
  return m;
}

static void drop(const wf_acc_region *r, wf_acc_mapping *m) {
  wf_acc_mapping **at = &table;
  while (*at != m) at = &(*at)->next;
  *at = m->next;
  must(r, "release", cudaFree(m->device));
  free(m);
}

/* ---- moves ---- */

wf_acc_region wf_acc_begin(const char *file, int line, int device) {
  return (wf_acc_region){.file = file, .line = line, .device = device != 0};
}

static void note_move(wf_acc_region *r, wf_acc_mapping *m, const char *name, int writes_back) {
  if (r->n_moves == WF_ACC_MAX_MOVES) stop(r, name, "more than 64 arrays in one directive");
  m->count++;
  r->moves[r->n_moves].mapping = m;
  r->moves[r->n_moves++].writes_back = writes_back;
}

static void enter(wf_acc_region *r, wf_acc_action action, const char *name, const void *base,
                  const void *from, size_t bytes) {
  wf_acc_mapping *m = holding(from, bytes);
  const int copies_in = action == WF_ACC_COPY || action == WF_ACC_COPYIN;
  const int fresh = !m;
  if (fresh) m = add(r, name, base, from, bytes);
  if (fresh && copies_in) must(r, name, cudaMemcpy(m->device, from, bytes, cudaMemcpyHostToDevice));
  note_move(r, m, name, fresh && (action == WF_ACC_COPY || action == WF_ACC_COPYOUT));
}

static wf_acc_mapping *present(wf_acc_region *r, const char *name, const void *base,
                               const void *from, size_t bytes) {
  wf_acc_mapping *m = bytes ? holding(from, bytes) : of_base(base);
  if (!m) stop(r, name, "is not on the device; move it by a data clause, as in copy(a[0:n])");
  return m;
}

static void update(wf_acc_region *r, const char *name, const void *base, const void *from,
                   size_t bytes, int to_host) {
  if (r->if_present && !holding(from, bytes)) return;
  const wf_acc_mapping *m = present(r, name, base, from, bytes);
  char *device = m->device + ((const char *)from - m->host);
  must(r, name,
       to_host ? cudaMemcpy((void *)from, device, bytes, cudaMemcpyDeviceToHost)
               : cudaMemcpy(device, from, bytes, cudaMemcpyHostToDevice));
}

/* exit data: the last one to hold it frees it. */
static void release(wf_acc_region *r, const char *name, const void *base, const void *from,
                    size_t bytes, int copies_out) {
  wf_acc_mapping *m = present(r, name, base, from, bytes);
  if (copies_out) update(r, name, base, from, bytes, 1);
  if (--m->count <= 0) drop(r, m);
}

void wf_acc_move(wf_acc_region *r, wf_acc_action action, const char *name, const void *base,
                 const void *from, size_t bytes) {
  switch (action) {
  case WF_ACC_PRESENT:
    note_move(r, present(r, name, base, from, bytes), name, 0);
    return;
  case WF_ACC_DELETE:
  case WF_ACC_TAKE_OUT:
    release(r, name, base, from, bytes, action == WF_ACC_TAKE_OUT);
    return;
  case WF_ACC_TO_HOST:
  case WF_ACC_TO_DEVICE:
    update(r, name, base, from, bytes, action == WF_ACC_TO_HOST);
    return;
  case WF_ACC_IMPLIED:
  case WF_ACC_IMPLIED_IN:
    if (!of_base(base))
      enter(r, action == WF_ACC_IMPLIED ? WF_ACC_COPY : WF_ACC_COPYIN, name, base, from, bytes);
    return;
  default:
    enter(r, action, name, base, from, bytes);
  }
}

void wf_acc_within(wf_acc_region *r, const char *name, long lower, long count, long all) {
  char text[128];
  if (count >= 0 && (all < 0 || (lower >= 0 && lower + count <= all))) return;
  snprintf(text, sizeof text, "[%ld:%ld] is not in its %ld elements", lower, count, all);
  stop(r, name, all < 0 ? "a range of less than no elements" : text);
}

/* What is the same stays untouched: it may be memory that nobody may write, as of const arrays. */
static void bring_back(const wf_acc_region *r, const wf_acc_mapping *m) {
  void *now = malloc(m->bytes ? m->bytes : 1);
  if (!now) stop(r, "copyout", "out of memory");
  must(r, "copyout", cudaMemcpy(now, m->device, m->bytes, cudaMemcpyDeviceToHost));
  if (memcmp(m->host, now, m->bytes) != 0) memcpy((void *)m->host, now, m->bytes);
  free(now);
}

static void undo(wf_acc_region *r) {
  for (int i = r->n_moves - 1; i >= 0; i--) {
    wf_acc_mapping *m = r->moves[i].mapping;
    if (r->moves[i].writes_back) bring_back(r, m);
    if (--m->count <= 0) drop(r, m);
  }
}

void wf_acc_end(wf_acc_region *r) {
  must(r, "region", cudaDeviceSynchronize());
  undo(r);
}

void wf_acc_keep(wf_acc_region *r) {
  open_data = realloc(open_data, (n_open + 1) * sizeof *open_data);
  if (!open_data) stop(r, "data", "out of memory");
  open_data[n_open++] = *r;
}

void wf_acc_end_data(void) {
  undo(&open_data[--n_open]);
}

void wf_acc_end_declared(wf_acc_region *r) {
  undo(r);
}

void wf_acc_leave(wf_acc_region *r) {
  (void)r;
}

void *wf_acc_device(wf_acc_region *r, const char *name, const void *base) {
  const wf_acc_mapping *m = present(r, name, base, base, 0);
  return m->device + ((const char *)base - m->host);
}

void *wf_acc_use(wf_acc_region *r, const char *name, const void *base, int if_present) {
  const int stays = !r->device || (if_present && !of_base(base));
  return stays ? (void *)base : wf_acc_device(r, name, base);
}

int wf_acc_extent(wf_acc_region *r, const char *name, const void *base, size_t bytes, int behind) {
  const wf_acc_mapping *m = present(r, name, base, base, 0);
  const long first = (m->host - (const char *)base) / (long)bytes;
  return (int)(behind ? first + (long)(m->bytes / bytes) : first);
}

/* ---- launches ---- */

long wf_acc_trips(wf_acc_region *r, long first, long limit, long step, int down, int inclusive) {
  const long span = down ? first - limit : limit - first;
  if (span < 0 || (!span && !inclusive)) return 0;
  if (step <= 0) stop(r, "loop", "its step is not above 0, so that it leads away from its limit");
  if (inclusive) return span < 0 ? 0 : span / step + 1;
  return span <= 0 ? 0 : (span + step - 1) / step;
}

long wf_acc_scaled_trips(wf_acc_region *r, long first, long limit, long step, int down,
                         int inclusive) {
  long trips = 0;
  for (long i = first;
       down ? i > limit || (inclusive && i == limit) : i < limit || (inclusive && i == limit);
       trips++) {
    long next = i;
    if (step < 2 || i <= 0 || (!down && __builtin_mul_overflow(i, step, &next)))
      stop(r, "loop", "multiplied or divided by its step it does not come to its limit");
    i = down ? i / step : next;
  }
  return trips;
}

long wf_acc_blocks(wf_acc_region *r, const long *trips, const unsigned *block, unsigned loops,
                   int by_block) {
  long blocks = 1, threads = 1;
  for (unsigned i = 0; i < 3; i++) threads *= block[i];
  if (threads < 1 || threads > 1024) stop(r, "vector", "a block has 1 to 1024 threads");
  for (unsigned i = 0; i < loops; i++) {
    if (trips[i] > 0x7fffffff) stop(r, "loop", "more than 2^31 - 1 iterations");
    const long along = by_block ? trips[i] : (trips[i] + block[i] - 1) / block[i];
    if (i && along > 65535) stop(r, "loop", "more than 65535 thread blocks along y or z");
    blocks *= along;
  }
  return blocks;
}

void wf_acc_whole_blocks(wf_acc_region *r, const long *trips, const unsigned *block,
                         unsigned loops) {
  for (unsigned i = 0; i < loops; i++)
    if (trips[i] % block[i])
      stop(r, "cache",
           "--width=fixed needs iterations that fill whole thread blocks; "
           "--width=arguments does not");
}

void wf_acc_apart(wf_acc_region *r, const char *a, const void *at_a, const char *b,
                  const void *at_b) {
  char text[200];
  const wf_acc_mapping *m = of_base(at_a);
  if (!m || m != of_base(at_b)) return;
  snprintf(text, sizeof text,
           "and '%s' are of one array, and the loop sets one of them; say `loop independent` if no "
           "iteration needs another's, else `loop seq`",
           b);
  stop(r, a, text);
}

void wf_acc_launched(wf_acc_region *r, const char *kernel, int error) {
  must(r, kernel, (cudaError_t)error);
  must(r, kernel, cudaDeviceSynchronize());
}

/* The host's copy lies behind its size. */
void *wf_acc_partials(wf_acc_region *r, long blocks, size_t bytes) {
  size_t *device;
  const size_t all = (size_t)(blocks ? blocks : 1) * bytes;
  must(r, "reduction", cudaMalloc((void **)&device, all + sizeof all));
  must(r, "reduction", cudaMemcpy(device, &all, sizeof all, cudaMemcpyHostToDevice));
  return device + 1;
}

void *wf_acc_partials_read(wf_acc_region *r, const void *device) {
  size_t all;
  must(r, "reduction",
       cudaMemcpy(&all, (const size_t *)device - 1, sizeof all, cudaMemcpyDeviceToHost));
  void *host = malloc(all);
  if (!host) stop(r, "reduction", "out of memory");
  must(r, "reduction", cudaMemcpy(host, device, all, cudaMemcpyDeviceToHost));
  return host;
}

void wf_acc_partials_free(wf_acc_region *r, void *device, void *host) {
  free(host);
  must(r, "reduction", cudaFree((size_t *)device - 1));
}

/* ---- comparison ---- */

/* 0: regions are not compared. */
#ifndef WF_ACC_COMPARES
#define WF_ACC_COMPARES 1
#endif
static int asked; /* there was a region */

int wf_acc_checks(const wf_acc_region *r) {
  asked = WF_ACC_COMPARES;
  return asked && !r->blind;
}

static int summary(int status) {
  fflush(stdout);
  if (!asked) return status;
#ifdef WARPFAB_CUDA_RUNTIME_API_H /* NVIDIA's has no such function */
  if (compared) warpfabVerified(!differing);
#endif
  fprintf(stderr, "acc: %u compute regions compared with the host's results, %u differ", compared,
          differing);
  if (unchecked) fprintf(stderr, "; %u whose iterations communicate not compared", unchecked);
  if (unchecked_memory)
    fprintf(stderr, "; %u on memory of no data clause not compared", unchecked_memory);
  fprintf(stderr, "\n");
  return status ? status : differing != 0;
}

int wf_acc_main(int argc, char **argv, char **envp);
void wf_acc_exit(int status) __attribute__((noreturn));

int main(int argc, char **argv, char **envp) {
  return summary(wf_acc_main(argc, argv, envp));
}

void wf_acc_exit(int status) {
  exit(summary(status));
}

void wf_acc_unchecked(wf_acc_region *r) {
  unchecked += (unsigned)wf_acc_checks(r);
}

static char *copy_of(wf_acc_region *r, const char *name, wf_acc_mapping *m, wf_acc_kind kind) {
  int i = 0;
  while (i < r->n_shadows && r->shadows[i].mapping != m) i++;
  if (i == WF_ACC_MAX_MOVES) stop(r, name, "more than 64 arrays in one region");
  if (i == r->n_shadows) {
    void *copy = malloc(m->bytes ? m->bytes : 1);
    if (!copy) stop(r, name, "out of memory");
    must(r, name, cudaMemcpy(copy, m->device, m->bytes, cudaMemcpyDeviceToHost));
    r->n_shadows++;
    r->shadows[i].mapping = m;
    r->shadows[i].before = copy;
    r->shadows[i].name = name;
    r->shadows[i].kind = kind;
  }
  return r->shadows[i].before;
}

void *wf_acc_before(wf_acc_region *r, const char *name, const void *base, wf_acc_kind kind) {
  if (!wf_acc_checks(r)) return NULL;
  wf_acc_mapping *m = present(r, name, base, base, 0);
  return copy_of(r, name, m, kind) + ((const char *)base - m->host);
}

void *wf_acc_before_raw(wf_acc_region *r, const char *name, const void *device, wf_acc_kind kind) {
  const char *at = device;
  wf_acc_mapping *m = table;
  while (m && !(m->device <= at && at < m->device + m->bytes)) m = m->next;
  if (wf_acc_checks(r) && m) return copy_of(r, name, m, kind) + (at - m->device);
  if (!r->blind) unchecked_memory += (unsigned)wf_acc_checks(r);
  r->blind = 1; /* not memory that a data clause has brought: of unknown size */
  return NULL;
}

/* ---- a block's iterations as coroutines ---- */

enum { STACK_BYTES = 64 << 10, MAX_VIEWS = 16, VIEW_MARGIN = 4096 };

typedef struct coroutine {
  ucontext_t context;
  long at[3];
  int done;
} coroutine;

static struct {
  const wf_acc_region *region;
  void (*thread)(void **values, const long *at);
  void **values;
  ucontext_t all;
  coroutine *now;
  char *views[MAX_VIEWS], *fresh[MAX_VIEWS]; /* fresh: an address in the copy as `base` is */
} block_run;

static void run_one(void) {
  block_run.thread(block_run.values, block_run.now->at);
  block_run.now->done = 1;
}

void wf_acc_meet(void) {
  swapcontext(&block_run.now->context, &block_run.all);
}

static int shadow_of(const void *at) {
  const wf_acc_region *r = block_run.region;
  for (int i = 0; i < r->n_shadows; i++) {
    const char *from = r->shadows[i].before;
    if ((const char *)at >= from && (const char *)at < from + r->shadows[i].mapping->bytes)
      return i;
  }
  return -1;
}

int wf_acc_held(const void *element) {
  return shadow_of(element) >= 0;
}

void *wf_acc_view(unsigned number, void *base, int fetches) {
  if (number >= MAX_VIEWS) stop(block_run.region, "fcw", "more than 16 arrays");
  if (block_run.views[number]) return block_run.fresh[number];
  const int i = shadow_of(base);
  if (i < 0) stop(block_run.region, "fcw", "an array's own beginning is not on the device");
  const char *from = block_run.region->shadows[i].before;
  const size_t bytes = block_run.region->shadows[i].mapping->bytes;
  char *copy = malloc(bytes + 2 * VIEW_MARGIN);
  if (!copy) stop(block_run.region, "fcw", "out of memory");
  memset(copy, 0xff, bytes + 2 * VIEW_MARGIN);
  if (fetches) memcpy(copy + VIEW_MARGIN, from, bytes);
  block_run.views[number] = copy;
  return block_run.fresh[number] = copy + VIEW_MARGIN + ((char *)base - from);
}

void wf_acc_unview(unsigned number) {
  free(block_run.views[number]);
  block_run.views[number] = NULL;
}

static void begin(coroutine *c, char *stack) {
  c->done = 0;
  getcontext(&c->context);
  c->context.uc_stack.ss_sp = stack;
  c->context.uc_stack.ss_size = STACK_BYTES;
  c->context.uc_link = &block_run.all;
  makecontext(&c->context, run_one, 0);
}

/* The block's iterations that there are: all come to the next meeting before any goes on. */
static void run_block(coroutine *list, char *stacks, const long *first, const long *trips,
                      const unsigned *block) {
  unsigned n = 0, left;
  for (unsigned k = 0; k < block[0] * block[1] * block[2]; k++) {
    const long at[3] = {first[0] + k % block[0], first[1] + k / block[0] % block[1],
                        first[2] + k / block[0] / block[1]};
    if (at[0] >= trips[0] || at[1] >= trips[1] || at[2] >= trips[2]) continue;
    memcpy(list[n].at, at, sizeof at);
    begin(&list[n], stacks + (size_t)n * STACK_BYTES);
    n++;
  }
  do {
    left = 0;
    for (unsigned i = 0; i < n; i++) {
      if (list[i].done) continue;
      block_run.now = &list[i];
      swapcontext(&block_run.all, &list[i].context);
      left += !list[i].done;
    }
  } while (left);
}

void wf_acc_coroutines(wf_acc_region *r, void (*thread)(void **values, const long *at),
                       void **values, const long *trips, const unsigned *block) {
  const size_t threads = (size_t)block[0] * block[1] * block[2];
  coroutine *list = malloc(threads * sizeof *list);
  char *stacks = malloc(threads * STACK_BYTES);
  if (!list || !stacks) stop(r, "fcw", "out of memory");
  block_run.region = r;
  block_run.thread = thread;
  block_run.values = values;
  long first[3];
  for (first[2] = 0; first[2] < trips[2]; first[2] += block[2])
    for (first[1] = 0; first[1] < trips[1]; first[1] += block[1])
      for (first[0] = 0; first[0] < trips[0]; first[0] += block[0])
        run_block(list, stacks, first, trips, block);
  free(stacks);
  free(list);
}

static double number(const char *at, char letter) {
  float f;
  double d;
  if (letter == 'd') return memcpy(&d, at, sizeof d), d;
  memcpy(&f, at, sizeof f);
  return f;
}

static double largest(const char *at, size_t n, size_t width, char letter) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(number(at + i * width, letter)));
  return isfinite(most) ? most : 0;
}

/* What sums cancel is only as good as their terms. */
static int close_enough(double x, double y, double most, char letter) {
  const double share = letter == 'f' ? 1e-4 : 1e-9;
  if (x == y || (isnan(x) && isnan(y))) return 1;
  return fabs(x - y) <= share * fmax(0.01 * most, fmax(fabs(x), fabs(y)));
}

/* The first byte that is wrong; -1: none. */
static long difference(const char *a, const char *b, size_t bytes, wf_acc_kind kind) {
  const size_t width = strlen(kind), n = width ? bytes / width : 0;
  long found = -1;
  if (!memcmp(a, b, bytes)) return -1;
  for (size_t k = 0; k < width; k++) {
    const char letter = kind[k];
    if (letter == ' ') continue;
    const double most = letter == '.' ? 0 : largest(b + k, n, width, letter);
    for (size_t i = 0; i < n && (found < 0 || i * width + k < (size_t)found); i++) {
      const char *x = a + i * width + k, *y = b + i * width + k;
      if (letter == '.' ? *x == *y
                        : close_enough(number(x, letter), number(y, letter), most, letter))
        continue;
      found = (long)(i * width + k);
    }
  }
  return found;
}

static int tell(const wf_acc_region *r, const char *name, const void *device, const void *host,
                size_t bytes, wf_acc_kind kind) {
  const long at = difference(device, host, bytes, kind);
  if (at < 0) return 0;
  const char *x = (const char *)device + at, *y = (const char *)host + at;
  const long width = (long)strlen(kind);
  const char letter = kind[at % width];
  fflush(stdout);
  if (letter == '.')
    fprintf(stderr, "%s:%d: byte %ld of '%s' differs from the host's: %u instead of %u\n", r->file,
            r->line, at, name, *(const unsigned char *)x, *(const unsigned char *)y);
  else
    fprintf(stderr, "%s:%d: element %ld of '%s' differs from the host's: %.9g instead of %.9g\n",
            r->file, r->line, at / width, name, number(x, letter), number(y, letter));
  return 1;
}

void wf_acc_same(wf_acc_region *r, const char *name, const void *device, const void *host,
                 size_t bytes, wf_acc_kind kind) {
  differing += (unsigned)tell(r, name, device, host, bytes, kind);
}

void wf_acc_after(wf_acc_region *r) {
  int differs = 0;
  for (int i = 0; i < r->n_shadows; i++) {
    const wf_acc_mapping *m = r->shadows[i].mapping;
    void *after = malloc(m->bytes ? m->bytes : 1);
    if (!after) stop(r, r->shadows[i].name, "out of memory");
    must(r, r->shadows[i].name, cudaMemcpy(after, m->device, m->bytes, cudaMemcpyDeviceToHost));
    differs |=
        tell(r, r->shadows[i].name, after, r->shadows[i].before, m->bytes, r->shadows[i].kind);
    free(after);
    free(r->shadows[i].before);
  }
  compared++;
  differing += (unsigned)differs;
}

/* ---- openacc.h ---- */

static wf_acc_region called(void) {
  return wf_acc_begin("openacc.h", 0, 1);
}

void acc_init(acc_device_t type) {
  (void)type;
}

void acc_shutdown(acc_device_t type) {
  (void)type;
}

int acc_get_num_devices(acc_device_t type) {
  return type != acc_device_none && type != acc_device_host;
}

void acc_set_device_type(acc_device_t type) {
  const wf_acc_region r = called();
  if (!acc_get_num_devices(type)) stop(&r, "acc_set_device_type", "the host is no device here");
}

acc_device_t acc_get_device_type(void) {
  return acc_device_nvidia;
}

void acc_set_device_num(int number, acc_device_t type) {
  const wf_acc_region r = called();
  if (number) stop(&r, "acc_set_device_num", "there is device 0, and no other");
  acc_set_device_type(type);
}

int acc_get_device_num(acc_device_t type) {
  (void)type;
  return 0;
}

void acc_wait(int queue) {
  (void)queue;
}

void acc_wait_all(void) {}

int acc_async_test(int queue) {
  (void)queue;
  return 1;
}

int acc_async_test_all(void) {
  return 1;
}

void *acc_malloc(size_t bytes) {
  const wf_acc_region r = called();
  void *device;
  must(&r, "acc_malloc", cudaMalloc(&device, bytes ? bytes : 1));
  return device;
}

void acc_free(void *device) {
  const wf_acc_region r = called();
  must(&r, "acc_free", cudaFree(device));
}

static void *brought(void *host, size_t bytes, wf_acc_action action) {
  wf_acc_region r = called();
  wf_acc_move(&r, action, "acc_copyin", host, host, bytes);
  return wf_acc_device(&r, "acc_copyin", host);
}

void *acc_copyin(void *host, size_t bytes) {
  return brought(host, bytes, WF_ACC_COPYIN);
}

void *acc_create(void *host, size_t bytes) {
  return brought(host, bytes, WF_ACC_CREATE);
}

static void moved(const char *name, void *host, size_t bytes, wf_acc_action action) {
  wf_acc_region r = called();
  wf_acc_move(&r, action, name, host, host, bytes);
}

void acc_copyout(void *host, size_t bytes) {
  moved("acc_copyout", host, bytes, WF_ACC_TAKE_OUT);
}

void acc_delete(void *host, size_t bytes) {
  moved("acc_delete", host, bytes, WF_ACC_DELETE);
}

void acc_update_device(void *host, size_t bytes) {
  moved("acc_update_device", host, bytes, WF_ACC_TO_DEVICE);
}

void acc_update_self(void *host, size_t bytes) {
  moved("acc_update_self", host, bytes, WF_ACC_TO_HOST);
}

int acc_is_present(void *host, size_t bytes) {
  return holding(host, bytes) != NULL;
}

void *acc_deviceptr(void *host) {
  const wf_acc_mapping *m = of_base(host);
  return m ? m->device + ((const char *)host - m->host) : NULL;
}

void acc_memcpy_to_device(void *device, void *host, size_t bytes) {
  const wf_acc_region r = called();
  must(&r, "acc_memcpy_to_device", cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
}

void acc_memcpy_from_device(void *host, void *device, size_t bytes) {
  const wf_acc_region r = called();
  must(&r, "acc_memcpy_from_device", cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
}
