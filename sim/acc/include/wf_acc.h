/* What a translated OpenACC program calls: data on the device, launches, and the comparison of
 * each region's results with those of the same statements on the host. */
#ifndef WF_ACC_H
#define WF_ACC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wf_acc_action {
  WF_ACC_COPY,
  WF_ACC_COPYIN,
  WF_ACC_COPYOUT,
  WF_ACC_CREATE,
  WF_ACC_PRESENT,
  WF_ACC_DELETE,
  WF_ACC_TAKE_OUT, /* exit data copyout */
  WF_ACC_TO_HOST,
  WF_ACC_TO_DEVICE,
  WF_ACC_IMPLIED,   /* as copy, of an array that no clause names */
  WF_ACC_IMPLIED_IN /* as copyin */
} wf_acc_action;

/* How results are compared, a letter for each byte of an element. f, d: a float or double begins,
 * which is right within 1e-4 or 1e-9 of its size, or of a hundredth of the largest one there is.
 * '.': right bit by bit. A blank: not looked at (their further bytes, and what fills gaps). */
typedef const char *wf_acc_kind;

enum { WF_ACC_MAX_MOVES = 64 };

typedef struct wf_acc_region {
  const char *file;
  int line;
  int device;     /* the if clause */
  int if_present; /* of update: what is not there is left out */
  int blind;      /* it cannot be compared */
  int n_moves, n_shadows;
  struct {
    struct wf_acc_mapping *mapping;
    int writes_back;
  } moves[WF_ACC_MAX_MOVES];
  struct {
    struct wf_acc_mapping *mapping;
    void *before;
    const char *name;
    wf_acc_kind kind;
  } shadows[WF_ACC_MAX_MOVES];
} wf_acc_region;

wf_acc_region wf_acc_begin(const char *file, int line, int device);
/* base: the program's own pointer; from, bytes: the part of it that is moved. */
void wf_acc_move(wf_acc_region *r, wf_acc_action action, const char *name, const void *base,
                 const void *from, size_t bytes);
/* Stops where [lower:count] leaves an array of `all` elements; all < 0: a pointer's. */
void wf_acc_within(wf_acc_region *r, const char *name, long lower, long count, long all);
void wf_acc_end(wf_acc_region *r);  /* of a compute region: undoes its moves */
void wf_acc_keep(wf_acc_region *r); /* of a data region: its moves last until wf_acc_end_data */
void wf_acc_end_data(void);         /* of the data region begun last */
void wf_acc_end_declared(wf_acc_region *r); /* declare: at the end of the block that it stands in */
void wf_acc_leave(wf_acc_region *r);        /* enter data, exit data, update: the moves stay */

/* The device's address of what the program finds at `base`. */
void *wf_acc_device(wf_acc_region *r, const char *name, const void *base);
/* As wf_acc_device, of host_data; where it need not be there, `base` itself if it is not. */
void *wf_acc_use(wf_acc_region *r, const char *name, const void *base, int if_present);
/* The first element, or the one behind the last, that the device holds, counted from `base`. */
int wf_acc_extent(wf_acc_region *r, const char *name, const void *base, size_t bytes, int behind);
/* Iterations of for (i = first; i < limit; i += step), or, scaled, i *= step; down: > and - or /.
 */
long wf_acc_trips(wf_acc_region *r, long first, long limit, long step, int down, int inclusive);
long wf_acc_scaled_trips(wf_acc_region *r, long first, long limit, long step, int down,
                         int inclusive);
/* Thread blocks of a launch; 0: nothing runs. */
long wf_acc_blocks(wf_acc_region *r, const long *trips, const unsigned *block, unsigned loops,
                   int by_block);
/* Stops where iterations do not fill the last thread blocks: --width=fixed counts on it. */
void wf_acc_whole_blocks(wf_acc_region *r, const long *trips, const unsigned *block,
                         unsigned loops);
/* Stops where two names lead to one array: the loop was taken for independent by them. */
void wf_acc_apart(wf_acc_region *r, const char *a, const void *at_a, const char *b,
                  const void *at_b);
void wf_acc_launched(wf_acc_region *r, const char *kernel, int error);
/* A reduction's values, one per thread block: on the device, read from it, given back. */
void *wf_acc_partials(wf_acc_region *r, long blocks, size_t bytes);
void *wf_acc_partials_read(wf_acc_region *r, const void *device);
void wf_acc_partials_free(wf_acc_region *r, void *device, void *host);

int wf_acc_checks(const wf_acc_region *r);
/* A copy of what the device holds of `base`'s array, for the host's statements to work on. */
void *wf_acc_before(wf_acc_region *r, const char *name, const void *base, wf_acc_kind kind);
/* The same of an address of the device: deviceptr. */
void *wf_acc_before_raw(wf_acc_region *r, const char *name, const void *device, wf_acc_kind kind);
void wf_acc_same(wf_acc_region *r, const char *name, const void *device, const void *host,
                 size_t bytes, wf_acc_kind kind);
void wf_acc_after(wf_acc_region *r);
/* Runs a region's iterations block by block; those of a block are coroutines, and meet where its
 * threads have a barrier. trips, block: along x, y, z. */
void wf_acc_coroutines(wf_acc_region *r, void (*thread)(void **values, const long *at),
                       void **values, const long *trips, const unsigned *block);
void wf_acc_meet(void);
/* The block's own copy of the array that `base` is of; with fetches as memory has it, else unset.
 * The first of its iterations to come makes it, the first one to leave it ends it. */
void *wf_acc_view(unsigned number, void *base, int fetches);
void wf_acc_unview(unsigned number);
int wf_acc_held(const void *element); /* is it of an array of the region? */
#define WF_ACC_ELEMENT1(a, i) (a)[i]
#define WF_ACC_ELEMENT2(a, i, j) (a)[i][j]
#define WF_ACC_AT1(i, a) (i) = (a)
#define WF_ACC_AT2(i, j, a, b) (i) = (a), (j) = (b)

/* Of a region whose iterations communicate: it is counted as not compared. */
void wf_acc_unchecked(wf_acc_region *r);

#ifdef __cplusplus
}
#endif
#endif
