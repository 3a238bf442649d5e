#include "synth/result.h"

#include <math.h>
#include <string.h>

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
