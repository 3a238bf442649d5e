#include "sim/units/rtl_thread.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/units/rtl_set.h"

/* Looks before a waiting thread lets go of its core: an edge of a large module takes some 10 us. */
enum { LOOKS = 4000 };
enum { REST, EDGE, QUIT };

struct wf_rtl_thread {
  wf_rtl *rtl;
  pthread_t thread;
  pthread_mutex_t lock; /* of `asleep`, with `wake` */
  pthread_cond_t wake;
  atomic_int asked;   /* REST: the thread is done with all it was asked for */
  atomic_bool asleep; /* it waits for `wake` */
  uint64_t now;
  bool ok;
  wf_error err;
};

/* Leaves a core's other thread more of it. */
static void pause_core(void) {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

static int next_order(wf_rtl_thread *t) {
  int order;
  for (unsigned looks = 0; looks < LOOKS; looks++) {
    if ((order = atomic_load(&t->asked)) != REST) return order;
    pause_core();
  }
  pthread_mutex_lock(&t->lock);
  atomic_store(&t->asleep, true);
  while ((order = atomic_load(&t->asked)) == REST) pthread_cond_wait(&t->wake, &t->lock);
  atomic_store(&t->asleep, false);
  pthread_mutex_unlock(&t->lock);
  return order;
}

static void *evaluate(void *of) {
  wf_rtl_thread *t = of;
  while (next_order(t) == EDGE) {
    t->ok = wf_rtl_clock(t->rtl, t->now, &t->err);
    atomic_store(&t->asked, REST);
  }
  return NULL;
}

static void ask(wf_rtl_thread *t, int order) {
  atomic_store(&t->asked, order);
  if (!atomic_load(&t->asleep)) return;
  pthread_mutex_lock(&t->lock);
  pthread_cond_signal(&t->wake);
  pthread_mutex_unlock(&t->lock);
}

wf_rtl_thread *wf_rtl_thread_open(wf_rtl *rtl) {
  wf_rtl_thread *t = wf_calloc(1, sizeof *t);
  t->rtl = rtl;
  t->ok = true;
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->wake, NULL);
  if (pthread_create(&t->thread, NULL, evaluate, t) == 0) return t;
  free(t);
  return NULL;
}

void wf_rtl_thread_close(wf_rtl_thread **at) {
  wf_rtl_thread *t = *at;
  *at = NULL;
  if (!t) return;
  wf_rtl_thread_end(t, NULL);
  ask(t, QUIT);
  pthread_join(t->thread, NULL);
  pthread_cond_destroy(&t->wake);
  pthread_mutex_destroy(&t->lock);
  free(t);
}

void wf_rtl_thread_begin(wf_rtl_thread *t, uint64_t now) {
  t->now = now;
  ask(t, EDGE);
}

bool wf_rtl_thread_end(wf_rtl_thread *t, wf_error *err) {
  for (unsigned looks = 0; atomic_load(&t->asked) != REST; looks++)
    looks < LOOKS ? pause_core() : (void)sched_yield();
  if (!t->ok && err) *err = t->err;
  return t->ok;
}
