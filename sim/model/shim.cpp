// The C face of one Verilated unit: compiled with its model_tables.h into the unit's library.
// Nothing of C++ crosses into C: exceptions are caught, and Verilator's finish, stop and fatal
// (replaced below) become statuses. Each instance has its own VerilatedContext.
#include "shim_print.h"

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <string>

#include "Vmodel.h"
#include "Vmodel___024root.h"
#include "model_tables.h"
#include "sim/model/wf_model_abi.h"
#ifdef WF_BENCH
#include "Vmodel__Syms.h"
#endif
#if VM_TRACE
#include "verilated_fst_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

// The fast form. Rising edges are all that counts (WF_RISING_ONLY, found in the netlist), so the
// clock stays 1 and an edge is made by clearing Verilator's record of the clock's previous value
// (WF_CLOCK_BEFORE, found in the generated class): one evaluation a cycle instead of two.
#if WF_RISING_ONLY && defined(WF_CLOCK_BEFORE) && !VM_TRACE
#define SINGLE_EDGE 1
#else
#define SINGLE_EDGE 0
#endif

#if SINGLE_EDGE
void Vmodel___024root___eval(Vmodel___024root *root);
#endif

namespace {

enum { OK = 0, FINISH = 1, ASSERTION = 2, FATAL = 3, WAVE = 5 };

struct Instance {
  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<Vmodel> top;
  uint64_t serial = 0;
  int status = OK;
  std::string printed, message; // the last error printed; why the instance stopped
  bool initialised = false;     // the initial blocks have run
  bool reset = false;           // level of the reset port at the last evaluation
  bool looks_always = false;    // a bench's model: at the rules, at each edge
#ifdef WF_BENCH
  unsigned edges = 0;           // that were made, from 0 again after 2^32
#endif
#if VM_TRACE
  std::unique_ptr<VerilatedFstC> wave;
  uint64_t first = 0, end = UINT64_MAX, time_base = 0, last_cycle = 0;
#endif

  void stop(int why, const std::string &text) {
    if (status != OK) return; // the first reason is the one to tell
    status = why;
    message = text;
  }
};

// The instance being evaluated by this thread: Verilator's call-backs carry no handle. Its serial
// number tells it from a later instance at the same address.
thread_local Instance *current = nullptr;
thread_local uint64_t current_serial = 0;

// Makes an instance the current one, for our call-backs and for Verilator's own.
inline void enter(Instance *self) {
  if (current_serial == self->serial) return;
  current = self;
  current_serial = self->serial;
  Verilated::threadContextp(self->context.get());
}

// "[12] %Error: wf_fifo.v:97: Assertion failed in TOP.x.u: Rule 1" -> "wf_fifo.v:97: x.u: Rule 1".
std::string cleaned(std::string text) {
  const auto cut = [&text](const char *noise) {
    const size_t at = text.find(noise);
    if (at != std::string::npos) text.erase(at, std::strlen(noise));
  };
  const size_t error = text.find("%Error: ");
  if (error != std::string::npos) text.erase(0, error + std::strlen("%Error: "));
  cut("Assertion failed in ");
  cut("TOP.");
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string place(const char *file, int line, const std::string &text) {
  return std::string(file && file[0] ? file : "unit") + ":" + std::to_string(line) + ": " + text;
}

struct Fatal : std::exception {};

#if VM_TRACE
// The writer threw (shim_wave.cpp): it can be neither used nor destroyed.
int lose_wave(Instance *self, const std::string &path, const char *why) {
  self->wave.release();
  self->message = path + "cannot be written: " + why;
  return -1;
}

int close_wave(Instance *self) {
  if (!self->wave) return self->status == WAVE ? -1 : 0;
  try {
    self->wave->close();
    self->wave.reset();
  } catch (const std::exception &e) {
    self->stop(WAVE, "");
    return lose_wave(self, "the wave file: ", e.what());
  }
  return 0;
}

void dump_wave(Instance *self, uint64_t time) {
  if (!self->wave) return;
  try {
    self->wave->dump(time);
  } catch (const std::exception &e) {
    self->stop(WAVE, "");
    lose_wave(self, "the wave file: ", e.what());
  }
}
#endif

} // namespace

extern "C" int wf_shim_printf(const char *format, ...) {
  char text[4096];
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (!current) return n;
  // An error's text is kept for vl_stop, which follows it; anything else the unit displays is
  // passed on.
  if (std::strstr(text, "%Error"))
    current->printed = text;
  else
    std::fputs(text, stderr);
  return n;
}

void vl_finish(const char *file, int line, const char *) {
  if (current) current->stop(FINISH, place(file, line, "$finish"));
}

void vl_stop(const char *file, int line, const char *) {
  if (!current) return;
  current->stop(ASSERTION,
                current->printed.empty() ? place(file, line, "$stop") : cleaned(current->printed));
  current->printed.clear();
}

void vl_fatal(const char *file, int line, const char *, const char *text) {
  if (current) current->stop(FATAL, place(file, line, text ? text : "fatal"));
  throw Fatal(); // the model cannot go on; caught in evaluate()
}

namespace {

// eval() less its bookkeeping for models of several threads, which costs as much as a small unit.
inline void evaluate_single(Instance *self) {
#if SINGLE_EDGE
  if (self->initialised) return Vmodel___024root___eval(self->top->rootp);
  self->initialised = true;
#endif
  self->top->eval();
}

int evaluate(Instance *self) {
  enter(self);
  try {
    evaluate_single(self);
  } catch (const Fatal &) {
  } catch (const std::exception &e) {
    self->stop(FATAL, std::string("exception: ") + e.what());
  } catch (...) {
    self->stop(FATAL, "unknown exception");
  }
  return self->status;
}

const wf_abi_port kPorts[] = {
#define X(name, width, bytes, out) {#name, width, bytes, out},
    WF_PORTS(X)
#undef X
};
const wf_abi_parameter kParameters[] = {
#define X(name, value) {#name, value},
    WF_PARAMETERS(X)
#undef X
        {nullptr, 0}};
const char *const kCounters[] = {
#define X(name) #name,
    WF_COUNTERS(X)
#undef X
        nullptr};

void bind_ports(Vmodel *top, void **data) {
  size_t i = 0;
#define X(name, width, bytes, out)                                                                 \
  static_assert(sizeof(top->name) == bytes, "storage of port " #name);                             \
  std::memset(&top->name, 0, out ? 0 : bytes);                                                     \
  data[i++] = &top->name;
  WF_PORTS(X)
#undef X
}

void *create(const char *name, uint64_t seed, void **data) {
  try {
    static std::atomic<uint64_t> serials{0};
    auto self = std::make_unique<Instance>();
    self->serial = ++serials;
    self->context = std::make_unique<VerilatedContext>();
    self->context->randReset(2); // only the xrand variant looks at it
    self->context->randSeed(static_cast<int>(seed & 0x3fffffff) + 1);
    self->context->threads(1); // no pool of worker threads
    self->context->fatalOnError(false);
    self->context->assertOn(true);
#if VM_TRACE
    self->context->traceEverOn(true);
#endif
    enter(self.get());
    self->top = std::make_unique<Vmodel>(self->context.get(), name);
    bind_ports(self->top.get(), data);
    self->top->WF_RESET = !WF_RESET_ACTIVE_LOW;
    self->top->WF_CLOCK = 0;
    evaluate(self.get());
#if SINGLE_EDGE
    self->top->WF_CLOCK = 1;
    self->top->rootp->WF_CLOCK_BEFORE = 1;
#endif
    return self.release();
  } catch (...) {
    return nullptr;
  }
}

void destroy(void *instance) {
  Instance *self = static_cast<Instance *>(instance);
  if (!self) return;
  enter(self);
  try {
#if VM_TRACE
    close_wave(self);
#endif
    self->top->final();
  } catch (...) {
  }
  delete self;
  current = nullptr;
  current_serial = 0;
}

// A bench's model looks at its rules at 8 edges in a row of each 127 (rtl/common/wf_assert.vh), when
// what it keeps is of the edge before: some rules compare the two. 127 is prime: what breaks with a
// period of its own is seen. Or at each edge, if it was asked to.
inline void choose_look([[maybe_unused]] Instance *self) {
#ifdef WF_BENCH
  auto &look = self->top->rootp->vlSymsp->TOP__wf_look;
  const bool in_reset = self->top->WF_RESET != WF_RESET_ACTIVE_LOW, kept = look.keep;
  look.keep = (self->looks_always || self->edges++ % 127 < 9) && !in_reset;
  look.now = look.keep && kept;
#endif
}

#if SINGLE_EDGE

int settle(void *instance) {
  Instance *self = static_cast<Instance *>(instance);
  self->reset = self->top->WF_RESET;
  return evaluate(self);
}

int edge(void *instance, uint64_t) {
  Instance *self = static_cast<Instance *>(instance);
  // A change of the asynchronous reset comes before the edge, not with it.
  if (self->reset != static_cast<bool>(self->top->WF_RESET))
    if (int status = settle(self)) return status;
  choose_look(self);
  self->top->rootp->WF_CLOCK_BEFORE = 0;
  return evaluate(self);
}

#else

int settle(void *instance) {
  Instance *self = static_cast<Instance *>(instance);
  self->top->WF_CLOCK = 0;
  return evaluate(self);
}

#if VM_TRACE
// Cycle c is recorded at time 2c (clock low, inputs settled) and 2c + 1 (after the edge). Time goes
// on across a reset, which starts the cycle count again.
bool dumping(Instance *self, uint64_t cycle) {
  if (cycle < self->last_cycle) self->time_base += 2 * (self->last_cycle + 1);
  self->last_cycle = cycle;
  return self->wave && cycle >= self->first && cycle < self->end;
}
#endif

int edge(void *instance, uint64_t cycle) {
  Instance *self = static_cast<Instance *>(instance);
  self->top->WF_CLOCK = 0;
  if (int status = evaluate(self)) return status;
#if VM_TRACE
  const bool dump = dumping(self, cycle);
  if (dump) dump_wave(self, self->time_base + 2 * cycle);
#else
  (void)cycle;
#endif
  choose_look(self);
  self->top->WF_CLOCK = 1;
  evaluate(self);
#if VM_TRACE
  if (dump) dump_wave(self, self->time_base + 2 * cycle + 1);
#endif
  return self->status;
}

#endif

int status(void *instance) {
  return static_cast<Instance *>(instance)->status;
}

const char *message(void *instance) {
  return static_cast<Instance *>(instance)->message.c_str();
}

int wave_open(void *instance, const char *path) {
  Instance *self = static_cast<Instance *>(instance);
#if VM_TRACE
  try {
    self->wave = std::make_unique<VerilatedFstC>();
    self->top->trace(self->wave.get(), 99);
    self->wave->open(path);
    if (self->wave->isOpen()) return 0;
    return lose_wave(self, std::string(path) + ": ", std::strerror(errno));
  } catch (const std::exception &e) {
    return lose_wave(self, std::string(path) + ": ", e.what());
  }
#else
  (void)path;
  self->message =
      "this library is the variant \"" WF_VARIANT "\"; waves need the variant \"trace\"";
  return -1;
#endif
}

void wave_window(void *instance, uint64_t first, uint64_t end) {
#if VM_TRACE
  Instance *self = static_cast<Instance *>(instance);
  self->first = first;
  self->end = end;
#else
  (void)instance, (void)first, (void)end;
#endif
}

int wave_close(void *instance) {
#if VM_TRACE
  return close_wave(static_cast<Instance *>(instance));
#else
  return (void)instance, 0;
#endif
}

void look_always(void *instance) {
  static_cast<Instance *>(instance)->looks_always = true;
}

int coverage_write(void *instance, const char *path) {
  Instance *self = static_cast<Instance *>(instance);
#if VM_COVERAGE
  enter(self);
  try {
    self->context->coveragep()->write(path);
    if (std::FILE *f = std::fopen(path, "r")) return std::fclose(f), 0;
  } catch (...) {
  }
  self->message = std::string(path) + ": cannot be written";
#else
  (void)path;
  self->message =
      "this library is the variant \"" WF_VARIANT "\"; coverage needs the variant \"cov\"";
#endif
  return -1;
}

const wf_model_abi kAbi = {
    WF_MODEL_ABI_VERSION,
    sizeof(wf_model_abi),
    WF_UNIT,
    WF_CONFIG,
    WF_VARIANT,
    WF_RESET_ACTIVE_LOW,
    SINGLE_EDGE,
    sizeof kPorts / sizeof *kPorts,
    sizeof kParameters / sizeof *kParameters - 1,
    sizeof kCounters / sizeof *kCounters - 1,
    kPorts,
    kParameters,
    kCounters,
    WF_ROLES,
    create,
    destroy,
    settle,
    edge,
    status,
    message,
    wave_open,
    wave_window,
    wave_close,
    coverage_write,
    look_always,
};

} // namespace

extern "C" __attribute__((visibility("default"))) const wf_model_abi *wf_model_abi_table() {
  return &kAbi;
}
