/* Traces of GPU programs: what a reader of some format gives, and what is made of it.
 *
 * A reader (wf_trace_format) gives commands (copies, kernels) and within a kernel its warp
 * instructions, one at a time. wf_trace_open() reads all of a trace once, checks it, and keeps what
 * is static: programs (each instruction of a kernel once), the pages that are touched, counts. Then
 * kernels can be replayed (wf_trace_source) in bounded memory. */
#ifndef WF_TRACE_TRACE_H
#define WF_TRACE_TRACE_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "sim/ptx/warp_source.h"
#include "sim/trace/opcode.h"

/* ---- static instructions ---- */

typedef struct wf_trace_op {
  uint64_t pc; /* the trace's */
  ptx_inst
      inst;   /* what timing needs; registers are the trace's, 255 stands for asynchronous copies */
  bool known; /* false: taken for an ALU operation */
  bool jumps;
  bool addressed; /* has addresses in the trace */
  bool bulk;      /* a copy by descriptor: its addresses are passed over */
  bool async;     /* copies global to shared memory */
  bool is_exit;
  bool has_immediate;
  int64_t immediate; /* the first, from tracer version 5 on; 0 may stand for none */
  char *key;         /* its static text in the file, by which it is found again */
  size_t key_bytes;
  char *text;     /* opcode and registers, for people */
  uint32_t next;  /* of the same hash; UINT32_MAX: none */
  uint32_t index; /* in the program's kernel, once that is made; an exit has two: goes on, ends */
  uint64_t count, threads, lines,
      sectors;       /* dynamic: warp instructions, lanes, 128 B lines and 32 B sectors touched */
  uint64_t reuse[4]; /* of a load: lines it brought, by wf_reuse_type; with options.reuse */
} wf_trace_op;

typedef struct wf_trace_jump {
  uint64_t from, to; /* pcs, to <= from */
} wf_trace_jump;

/* All launches of one kernel share a program. */
typedef struct wf_trace_program {
  char *name;
  wf_sass_generation generation;
  wf_trace_op *ops; /* in the order in which they were met */
  uint32_t n_ops, capacity;
  uint32_t *hash, hash_size;
  wf_trace_jump *jumps; /* back, each once */
  uint32_t n_jumps;
  uint32_t registers; /* as the headers say, or 1 more than the highest */
  bool given;         /* read from our own header: classes and registers are exact, loops too */
  ptx_loop *loops;    /* given */
  uint32_t n_loops;
  uint64_t local_low, local_high; /* of the addresses of local memory: [low, high) */
  struct wf_flow *flow;           /* with options.flow; NULL if the trace mixes warps */
  ptx_kernel *kernel;             /* made of it */
} wf_trace_program;

/* The op of this text at this pc, or NULL. */
wf_trace_op *wf_trace_find(wf_trace_program *p, uint64_t pc, const char *key, size_t bytes);

/* Registers by number: R0 on, of which the last reads zero, then the uniform ones, UR0 on. */
enum { WF_TRACE_RZ = 255, WF_TRACE_UR0 = 256, WF_TRACE_URZ = 319, WF_TRACE_REGISTERS = 320 };
static inline bool wf_trace_no_register(unsigned reg) {
  return reg == WF_TRACE_RZ || reg >= WF_TRACE_URZ;
}

enum { WF_TRACE_MAX_SRC = 5, WF_TRACE_MAX_DST = 2 };
/* What a reader knows of an instruction it meets for the first time. */
typedef struct wf_trace_op_text {
  uint64_t pc;
  const char *opcode;
  size_t opcode_bytes;
  unsigned n_dst, n_src, width; /* width: bytes of a memory access, 0 if none */
  uint16_t dst[WF_TRACE_MAX_DST], src[WF_TRACE_MAX_SRC];
} wf_trace_op_text;
wf_trace_op *wf_trace_add(wf_trace_program *p, const wf_trace_op_text *text, const char *key,
                          size_t bytes);

/* ---- what readers give ---- */

typedef struct wf_trace_kernel {
  char *name, *file; /* name: mangled as in the trace; file: as listed */
  wf_trace_program *program;
  uint32_t grid[3], block[3];
  uint32_t id, shared_bytes, registers;
  unsigned binary_version, tracer_version;
  uint64_t stream, shared_base,
      local_base;       /* windows of the generic address space, 16 MiB each; 0: none */
  uint64_t memory_used; /* our own header: bytes of device memory in use at the launch, addresses
                           are the device's */
  bool device_addresses;
} wf_trace_kernel;

typedef enum wf_trace_command_kind { WF_TRACE_COPY, WF_TRACE_KERNEL } wf_trace_command_kind;
typedef struct wf_trace_command {
  wf_trace_command_kind kind;
  uint64_t address, bytes; /* of a copy to the device */
  wf_trace_kernel kernel;  /* the receiver frees it: wf_trace_kernel_free() */
} wf_trace_command;
void wf_trace_kernel_free(wf_trace_kernel *kernel);

typedef enum wf_trace_event_kind {
  WF_TRACE_INST,    /* op, mask, address of each lane in mask if op->addressed */
  WF_TRACE_CTA_END, /* all of a CTA was told. Not from formats that mix CTAs */
  WF_TRACE_END      /* of the kernel */
} wf_trace_event_kind;
typedef struct wf_trace_event {
  wf_trace_event_kind kind;
  uint32_t cta[3], warp;
  uint32_t op; /* index in the program's ops */
  uint32_t mask;
  uint64_t address[PTX_LANES];
} wf_trace_event;

typedef struct wf_trace_reader wf_trace_reader;
typedef struct wf_trace_format {
  const char *name;
  bool grouped; /* CTAs come one after the other, each ended by WF_TRACE_CTA_END */
  /* path: a folder or file that this format takes. */
  bool (*takes)(const char *path);
  wf_trace_reader *(*open)(const char *path, wf_error *err);
  /* 1: a command; 0: the end; -1: *err. After a kernel's command its events can be read, or not. */
  int (*command)(wf_trace_reader *, wf_trace_command *command, wf_error *err);
  /* False: *err. Events in command order; the reader adds ops to `program`. */
  bool (*next)(wf_trace_reader *, wf_trace_program *program, wf_trace_event *event, wf_error *err);
  /* True if the kernel just begun mixes CTAs although the format is grouped. */
  bool (*mixed)(const wf_trace_reader *);
  void (*close)(wf_trace_reader *);
} wf_trace_format;

/* NULL and *err if no format takes the path. */
const wf_trace_format *wf_trace_format_of(const char *path, wf_error *err);
extern const wf_trace_format wf_trace_accelsim, wf_trace_nvbit;

/* ---- a trace ---- */

typedef struct wf_trace wf_trace;

typedef struct wf_trace_launch {
  wf_trace_kernel kernel;
  uint64_t instructions, threads, loads, stores,
      atomics; /* warp instructions; threads: lanes in all */
  uint64_t load_lines, load_sectors;
} wf_trace_launch;

typedef struct wf_trace_step {
  bool is_copy;
  uint64_t address, bytes;
  uint32_t launch; /* index, of a kernel */
} wf_trace_step;

typedef struct wf_trace_options {
  bool reuse; /* keep what `trace info` tells of reuse: memory grows with the lines a kernel touches
               */
  bool flow;  /* keep who reads what (flow.h) */
} wf_trace_options;

/* Reads and checks all of it. options: may be NULL. */
wf_trace *wf_trace_open(const char *path, const wf_trace_options *options, wf_error *err);
void wf_trace_close(wf_trace *trace);
const wf_trace_step *wf_trace_steps(const wf_trace *trace, size_t *count);
const wf_trace_launch *wf_trace_launch_at(const wf_trace *trace, size_t index);
size_t wf_trace_launch_count(const wf_trace *trace);
const wf_trace_program *wf_trace_program_at(const wf_trace *trace,
                                            size_t index); /* NULL past the last */
const char *wf_trace_format_name(const wf_trace *trace);
/* Bytes of device memory that the trace's addresses need, from the start of it. */
uint64_t wf_trace_memory(const wf_trace *trace);
/* Where the trace's global addresses lie; call before replaying. base: a multiple of 65536. */
void wf_trace_place(wf_trace *trace, uint64_t base);
/* Start of the lowest page touched. */
uint64_t wf_trace_lowest(const wf_trace *trace);
/* The addresses are those of a device that we model: pages keep their places. */
bool wf_trace_own_addresses(const wf_trace *trace);
uint64_t wf_trace_translate(wf_trace *trace, uint64_t address); /* 0: not touched */
/* Opcodes that were taken for ALU operations, by name, with their counts: lines of text, "" if
 * none. */
char *wf_trace_unknown_text(const wf_trace *trace);

/* What the launch runs in the fabric; lives as long as the trace. */
const ptx_kernel *wf_trace_kernel_of(wf_trace *trace, size_t launch);

/* Follows a launch's instructions from its file. Launches are replayed in order, each at most once.
 */
typedef struct wf_trace_replay wf_trace_replay;
wf_trace_replay *wf_trace_replay_create(wf_trace *trace, wf_error *err);
/* Skips to the launch; the source serves it. NULL: *err. */
wf_warp_source *wf_trace_replay_launch(wf_trace_replay *replay, size_t launch, wf_error *err);
/* The most bytes that resident CTAs took. */
uint64_t wf_trace_replay_peak(const wf_trace_replay *replay);
void wf_trace_replay_destroy(wf_trace_replay *replay);

/* ---- command line ---- */
int wf_trace_info_main(int argc, char **argv); /* warpfab trace info; argv[0]: "info" */
const char *wf_trace_usage(void);
cJSON *wf_trace_info_json(const wf_trace *trace);
void wf_trace_info_print(FILE *out, const wf_trace *trace);

/* ---- writing ---- */
typedef struct wf_trace_writer wf_trace_writer;
/* Records runs as an Accel-Sim trace into a folder, which is made; "folder:gz", "folder:xz",
 * "folder:zst" pack the files. */
wf_trace_writer *wf_trace_writer_create(const char *folder, wf_error *err);
wf_warp_source *wf_trace_writer_source(wf_trace_writer *writer);
/* Ends the list of kernels; false if anything could not be written. */
bool wf_trace_writer_finish(wf_trace_writer *writer, wf_error *err);
void wf_trace_writer_destroy(wf_trace_writer *writer);

#endif
