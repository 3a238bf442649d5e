/* real-gpu: an application of `warpfab run` on an NVIDIA GPU. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/apps/apps.h"
#include "sim/base/wf_out.h"
#include "tools/real-gpu/device.h"

static const char usage[] =
    "usage: real-gpu --app APP [--graph FILE|GENERATOR] [options]\n"
    "Runs the host program and the PTX of `warpfab run --app APP` on an NVIDIA GPU, compares its\n"
    "results with the CPU reference, and tells what each kernel took.\n"
    "  --set app.KEY=VALUE     options of the application (`warpfab list apps`)\n"
    "  --seed N                of data and weights (1)\n"
    "  --repeat N              so many times (1); launches of all are told\n"
    "  --device N              of those that the driver has (0)\n"
    "  --driver FILE           the driver's library (libcuda.so.1)\n"
    "  --json FILE             card, driver, date, and each launch with its time\n"
    "Exit codes: 0 right, 1 wrong result or the driver failed, 2 bad input or no driver.\n"
    "The page: tools/real-gpu/README.md\n";

typedef struct request {
  const char *app, *graph, *driver, *json;
  wf_options set;
  long seed, repeat, device;
  bool help;
} request;

enum { APP = 1, GRAPH, SET, SEED, REPEAT, DEVICE, DRIVER, JSON, HELP };
static const struct option options[] = {{"app", 1, NULL, APP},       {"graph", 1, NULL, GRAPH},
                                        {"set", 1, NULL, SET},       {"seed", 1, NULL, SEED},
                                        {"repeat", 1, NULL, REPEAT}, {"device", 1, NULL, DEVICE},
                                        {"driver", 1, NULL, DRIVER}, {"json", 1, NULL, JSON},
                                        {"help", 0, NULL, HELP},     {NULL, 0, NULL, 0}};

static bool number(const char *option, long low, long high, long *to, wf_error *err) {
  return (wf_parse_long(optarg, to) && *to >= low && *to <= high) ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "--%s %s: expected a whole number %ld..%ld", option,
                 optarg, low, high);
}

static bool take(request *r, int option, wf_error *err) {
  switch (option) {
  case APP:
    return (r->app = optarg) != NULL;
  case GRAPH:
    return (r->graph = optarg) != NULL;
  case DRIVER:
    return (r->driver = optarg) != NULL;
  case JSON:
    return (r->json = optarg) != NULL;
  case SET:
    return wf_options_add(&r->set, optarg, err);
  case SEED:
    return number("seed", 0, 0x7fffffff, &r->seed, err);
  case REPEAT:
    return number("repeat", 1, 10000, &r->repeat, err);
  case DEVICE:
    return number("device", 0, 1023, &r->device, err);
  default:
    return r->help = true;
  }
}

static bool parse(request *r, int argc, char **argv, wf_error *err) {
  static const char *const once[] = {"--app",    "--graph",  "--seed", "--repeat",
                                     "--device", "--driver", "--json", NULL};
  *r = (request){.driver = "libcuda.so.1", .seed = 1, .repeat = 1};
  if (!wf_options_once(argc, argv, once, err)) return false;
  opterr = 0;
  for (int c; (c = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
    if (c == ':' || c == '?')
      return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %s", argv[optind - 1],
                     c == ':' ? "expects a value" : "unknown option; `real-gpu --help`");
    if (!take(r, c, err)) return false;
  }
  if (optind < argc)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "'%s': expected an option; `real-gpu --help`",
                   argv[optind]);
  return r->help || r->app ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "expected --app APP; `warpfab list apps` shows them");
}

/* ---- what came out ---- */

static cJSON *device_json(const wf_device_facts *f) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "name", f->name);
  cJSON_AddNumberToObject(o, "driver", f->driver);
  cJSON_AddNumberToObject(o, "capability", f->major * 10 + f->minor);
  cJSON_AddNumberToObject(o, "sms", f->sms);
  cJSON_AddNumberToObject(o, "clock_mhz", f->clock_khz / 1e3);
  cJSON_AddNumberToObject(o, "memory_clock_mhz", f->memory_khz / 1e3);
  cJSON_AddNumberToObject(o, "memory_bus_bits", f->memory_bits);
  cJSON_AddNumberToObject(o, "memory_bytes", (double)f->memory_bytes);
  cJSON_AddNumberToObject(o, "l2_bytes", f->l2_bytes);
  cJSON_AddNumberToObject(o, "mark_cycles", f->mark_cycles);
  return o;
}

static cJSON *launch_json(const wf_device_launch *l) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "kernel", l->kernel);
  cJSON *grid = cJSON_AddArrayToObject(o, "grid"), *block = cJSON_AddArrayToObject(o, "block");
  for (int d = 0; d < 3; d++) {
    cJSON_AddItemToArray(grid, cJSON_CreateNumber(l->grid[d]));
    cJSON_AddItemToArray(block, cJSON_CreateNumber(l->block[d]));
  }
  cJSON_AddNumberToObject(o, "shared_bytes", l->shared_bytes);
  cJSON_AddNumberToObject(o, "milliseconds", l->milliseconds);
  if (l->cycles >= 0)
    cJSON_AddNumberToObject(o, "cycles", l->cycles);
  else
    cJSON_AddNullToObject(o, "cycles");
  return o;
}

static cJSON *result_json(const request *r, const wf_app_run *run) {
  char date[32];
  size_t n;
  const time_t now = time(NULL);
  const wf_device_launch *launches = wf_device_launches(run->gpu, &n);
  cJSON *o = cJSON_CreateObject();
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  cJSON_AddStringToObject(o, "app", r->app);
  if (r->graph) cJSON_AddStringToObject(o, "graph", r->graph);
  cJSON *set = cJSON_AddObjectToObject(o, "settings");
  for (size_t i = 0; i < r->set.count; i++)
    cJSON_AddStringToObject(set, r->set.items[i].key, r->set.items[i].value);
  cJSON_AddNumberToObject(o, "seed", (double)r->seed);
  cJSON_AddStringToObject(o, "date", date);
  cJSON_AddItemToObject(o, "device", device_json(wf_device_get_facts(run->gpu)));
  cJSON_AddBoolToObject(o, "verified", run->verified);
  cJSON_AddNumberToObject(o, "cycles", (double)wf_gpu_cycles(run->gpu));
  cJSON *metrics = cJSON_AddObjectToObject(o, "metrics");
  for (size_t i = 0; i < run->n_metrics; i++)
    cJSON_AddNumberToObject(metrics, run->metrics[i].name, run->metrics[i].value);
  cJSON *all = cJSON_AddArrayToObject(o, "launches");
  for (size_t i = 0; i < n; i++) cJSON_AddItemToArray(all, launch_json(&launches[i]));
  return o;
}

static void tell(const wf_app_run *run) {
  size_t n;
  double ms = 0;
  const wf_device_facts *f = wf_device_get_facts(run->gpu);
  const wf_device_launch *launches = wf_device_launches(run->gpu, &n);
  for (size_t i = 0; i < n; i++) ms += launches[i].milliseconds;
  printf("card      %s, %d SMs at %.0f MHz, driver %d\n", f->name, f->sms, f->clock_khz / 1e3,
         f->driver);
  printf("%s  %s\n", run->verified ? "verified:" : "WRONG:   ", run->verdict);
  printf("launches  %zu in %.3f ms, %llu cycles\n", n, ms,
         (unsigned long long)wf_gpu_cycles(run->gpu));
  for (size_t i = 0; i < run->n_metrics; i++)
    printf("%-30s %g\n", run->metrics[i].name, run->metrics[i].value);
}

static bool execute(const request *r, wf_app_run *run, wf_error *err) {
  const wf_app *app = wf_app_find(r->app, err);
  for (long i = 0; app && i < r->repeat; i++) {
    if (!wf_app_start(app, run, err)) return false;
    if (!run->verified) break;
  }
  return app != NULL;
}

static bool work(const request *r, const wf_driver *driver, bool *wrong, wf_error *err) {
  wf_out_file json;
  wf_app_run run = {.seed = (uint64_t)r->seed};
  if (!wf_app_find(r->app, err)) return false;
  if (r->graph && !(run.graph = wf_graph_open(r->graph, run.seed, err))) return false;
  bool ok = !r->json || wf_out_open(&json, r->json, err);
  const bool open = ok && r->json;
  run.gpu = ok ? wf_device_create(driver, (int)r->device, &r->set, err) : NULL;
  ok = run.gpu && execute(r, &run, err);
  if (ok) {
    *wrong = !run.verified;
    tell(&run);
    cJSON *result = open ? result_json(r, &run) : NULL;
    ok = !open || wf_json_write(&json, result, err);
    cJSON_Delete(result);
  } else if (open) {
    wf_out_abandon(&json);
  }
  wf_device_destroy(run.gpu);
  wf_graph_destroy(run.graph);
  return ok;
}

int main(int argc, char **argv) {
  request r;
  wf_driver driver = {0};
  wf_error err = {0};
  bool wrong = false;
  wf_process_guard();
  bool ok = parse(&r, argc, argv, &err);
  if (ok && r.help) return fputs(usage, stdout), WF_OK;
  ok = ok && wf_driver_open(&driver, r.driver, &err) && work(&r, &driver, &wrong, &err);
  wf_driver_close(&driver);
  wf_options_free(&r.set);
  if (!ok) fprintf(stderr, "real-gpu: %s\n", err.text);
  return !ok ? err.code : wrong ? WF_EXIT_WRONG : WF_OK;
}
