#include "synth/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_file.h"

enum { LIMIT_BYTES = 1 << 28 };

cJSON *result_read(const char *path, wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(path, LIMIT_BYTES, &bytes, err);
  if (!text) return NULL;
  cJSON *json = cJSON_Parse(text);
  free(text);
  if (cJSON_IsObject(json)) return json;
  cJSON_Delete(json);
  wf_fail(err, WF_EXIT_BAD_INPUT, "%s: no JSON object", path);
  return NULL;
}

bool result_write(const char *path, const cJSON *json, wf_error *err) {
  FILE *out = fopen(path, "w");
  char *text = cJSON_Print(json);
  bool ok = out && text && fprintf(out, "%s\n", text) > 0;
  free(text);
  if (out && fclose(out)) ok = false;
  return ok || wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be written", path);
}

double result_number(const cJSON *object, const char *dotted_path) {
  char key[128];
  for (const char *at = dotted_path; *at && object;) {
    size_t n = strcspn(at, ".");
    snprintf(key, sizeof key, "%.*s", (int)n, at);
    object = cJSON_GetObjectItemCaseSensitive(object, key);
    at += n + (at[n] == '.');
  }
  return cJSON_IsNumber(object) ? object->valuedouble : NAN;
}

const char *result_text(const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  return cJSON_IsString(item) ? item->valuestring : "";
}

void result_put(cJSON *object, const char *key, double value, int digits) {
  double scale = pow(10, digits);
  if (!isnan(value)) cJSON_AddNumberToObject(object, key, round(value * scale) / scale);
}
