#include "sim/report/facts.h"

#include <stdlib.h>
#include <string.h>

#include "sim/report/compare.h"
#include "sim/store/table.h"

static const struct {
  const char *key, *name, *what;
} parts[WF_PARTS] = {
    {"issue", "Issue", "instructions issued, of one a scheduler and SM cycle"},
    {"l1", "L1 look-ups", "loads, stores and atomics, of one an SM and SM cycle"},
    {"request", "Crossbar to the L2", "flits, of one a port and crossbar cycle"},
    {"reply", "Crossbar to the SMs", "flits, of one a port and crossbar cycle"},
    {"l2", "L2 look-ups", "requests of SMs and units, of one a slice and L2 cycle"},
    {"dram", "DRAM bandwidth", "cycles with data on the bus, of all channels' cycles"},
};

const char *wf_part_key(wf_part part) {
  return parts[part].key;
}
const char *wf_part_name(wf_part part) {
  return parts[part].name;
}
const char *wf_part_what(wf_part part) {
  return parts[part].what;
}

double wf_facts_number(const wf_facts *facts, const char *path) {
  double v;
  return wf_result_number(facts->result, path, &v) ? v : 0;
}

const cJSON *wf_facts_item(const wf_facts *facts, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(facts->result, key);
}

const char *wf_facts_text(const wf_facts *facts, const char *key) {
  const char *text = cJSON_GetStringValue(wf_facts_item(facts, key));
  return text ? text : "";
}

static bool set(wf_gpu_config *config, const cJSON *item, wf_error *err) {
  if (!wf_gpu_config_has(item->string)) return true;
  char *text = wf_store_text(item);
  const bool ok = wf_gpu_config_set(config, item->string, text, err);
  free(text);
  return ok;
}

/* The machine, as `run` puts it together. */
static bool find_machine(wf_facts *f, const cJSON *configuration, wf_error *err) {
  const cJSON *item, *settings = configuration ? configuration : wf_facts_item(f, "settings");
  const char *name = configuration ? "gtx480" : wf_facts_text(f, "config");
  if (!wf_gpu_config_load(&f->config, name, err)) return false;
  cJSON_ArrayForEach(item, settings) if (!set(&f->config, item, err)) return false;
  return wf_gpu_config_check(&f->config, err);
}

static void add_speed(wf_facts *f, wf_part part, double done, double peak) {
  f->speed[part] = (wf_speed){done, peak, peak > 0 ? done / peak : 0};
}

static void find_speeds(wf_facts *f) {
  const wf_gpu_config *c = &f->config;
  const double cycles = wf_facts_number(f, "cycles"), core = c->mem.core_mhz,
               ports = c->n_sm < c->mem.n_part ? c->n_sm : c->mem.n_part,
               noc = ports * cycles * c->mem.noc_mhz / core;
  f->seconds = cycles / (core * 1e6);
  add_speed(f, WF_PART_L1,
            wf_facts_number(f, "l1.accesses") + wf_facts_number(f, "l1.stores") +
                wf_facts_number(f, "l1.atomics"),
            f->schedulers / c->schedulers);
  add_speed(f, WF_PART_REQUEST, wf_facts_number(f, "noc.request_flits"), noc);
  add_speed(f, WF_PART_REPLY, wf_facts_number(f, "noc.reply_flits"), noc);
  add_speed(f, WF_PART_L2,
            wf_facts_number(f, "l2.reads") + wf_facts_number(f, "l2.writes") +
                wf_facts_number(f, "l2.atomics") + wf_facts_number(f, "l2.unit_reads") +
                wf_facts_number(f, "l2.unit_writes"),
            c->mem.n_part * cycles * c->mem.l2_mhz / core);
}

/* Where keys are read, there are keys. */
static bool has_objects(const wf_facts *f) {
  const cJSON *unit, *units = wf_facts_item(f, "unit"), *sm = wf_facts_item(f, "sm");
  const cJSON *objects[] = {units, wf_facts_item(f, "settings"), wf_facts_item(f, "energy_joules"),
                            cJSON_GetObjectItemCaseSensitive(sm, "scheduler_cycles")};
  for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
    if (objects[i] && !cJSON_IsObject(objects[i])) return false;
  cJSON_ArrayForEach(unit, units) if (!cJSON_IsObject(unit)) return false;
  return cJSON_IsObject(sm);
}

bool wf_facts_read_reference(wf_facts *f, const char *label, const cJSON *result, wf_error *err) {
  double cycles;
  *f = (wf_facts){.label = label, .result = result};
  return (wf_result_number(result, "cycles", &cycles) && *wf_facts_text(f, "app")) ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "%s: no `app` and `cycles`: expected a result of "
                 "`warpfab run --json`, or an array of objects with these",
                 label);
}

bool wf_facts_read(wf_facts *f, const char *label, const cJSON *result, const cJSON *configuration,
                   wf_error *err) {
  const cJSON *c;
  double cycles;
  *f = (wf_facts){.label = label, .result = result};
  if (!wf_result_number(result, "cycles", &cycles) || !*wf_facts_text(f, "app") || !has_objects(f))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s: no `app`, `cycles` and `sm`: not a result of `warpfab run --json`", label);
  cJSON_ArrayForEach(c,
                     cJSON_GetObjectItemCaseSensitive(wf_facts_item(f, "sm"), "scheduler_cycles"))
      f->schedulers += cJSON_IsNumber(c) ? c->valuedouble : 0;
  add_speed(f, WF_PART_ISSUE, wf_facts_number(f, "sm.scheduler_cycles.issue"), f->schedulers);
  add_speed(f, WF_PART_DRAM, wf_facts_number(f, "dram.busy_cycles"),
            wf_facts_number(f, "dram.cycles"));
  f->machine = find_machine(f, configuration, &f->unknown);
  if (f->machine) find_speeds(f);
  return true;
}

double wf_facts_product(const cJSON *object, const char *key) {
  double product = 1;
  const cJSON *n;
  cJSON_ArrayForEach(n, cJSON_GetObjectItemCaseSensitive(object, key)) product *= n->valuedouble;
  return product;
}
