#include "sim/report/configuration.h"

#include "sim/gpu/settings.h"
#include "sim/units/registry.h"

static void add_value(void *user, const char *key, const char *text, bool number) {
  long value;
  if (number && wf_parse_long(text, &value))
    cJSON_AddNumberToObject(user, key, (double)value);
  else
    cJSON_AddStringToObject(user, key, text);
}

cJSON *wf_configuration_json(const wf_gpu_config *config, const wf_options *set, const wf_app *app,
                             const char *const *units, unsigned n_units) {
  cJSON *root = cJSON_CreateObject();
  wf_gpu_config_each(config, add_value, root);
  wf_parameters_each(wf_gpu_parameters, NULL, set, add_value, root);
  if (app) wf_parameters_each(app->options, "app", set, add_value, root);
  for (unsigned u = 0; u < n_units; u++) {
    const wf_unit_class *cls = wf_unit_find(units[u], NULL);
    if (cls) wf_parameters_each(cls->parameters, cls->name, set, add_value, root);
  }
  for (size_t i = 0; i < set->count; i++)
    if (!cJSON_HasObjectItem(root, set->items[i].key))
      add_value(root, set->items[i].key, set->items[i].value, true);
  return root;
}
