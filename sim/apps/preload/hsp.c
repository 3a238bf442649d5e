/* Temperature of a chip as in Rodinia (hotspot): the plain form, a step a launch, and the one
 * through shared memory, several. */
#include <string.h>

#include "sim/apps/cache/suite.h"

enum { TILE = 16 };

typedef struct settings {
  uint32_t form, rows, cols, turns, pyramid, strip;
} settings;
static const wf_parameter options[] = {
    WF_APP_CHOICE(
        settings, form, wf_suite_forms, 0,
        "plain: a step a launch; shared: several, in tiles that overlap; double: a thread goes "
        "down a column, the row after the next loaded ahead; copy: a block does, rows copied ahead "
        "(cp.async)"),
    WF_SUITE_STRIP_OPTION(settings),
    WF_APP_NUMBER(settings, rows, 1, 8192, 512, "rows"),
    WF_APP_NUMBER(settings, cols, 1, 8192, 512, "columns"),
    WF_APP_NUMBER(settings, turns, 1, 10000, 4, "steps in time"),
    WF_APP_NUMBER(settings, pyramid, 1, TILE / 2 - 1, 2,
                  "steps a launch of the shared form, at most"),
    {0}};

/* As Rodinia has them: a chip of 16 x 16 x 0.5 mm, its heat capacity, resistances of a cell, the
 * longest step that is safe. */
typedef struct material {
  float step, rx, ry, rz; /* r: 1 / resistance */
} material;

static material silicon(uint32_t rows, uint32_t cols) {
  const float thick = 0.0005f, side = 0.016f, conducts = 100, heat = 0.5f * 1.75e6f * thick,
              most = 3.0e6f, precise = 0.001f;
  const float high = side / (float)rows, wide = side / (float)cols;
  return (material){precise / (most / heat) / (heat * wide * high),
                    2 * conducts * thick * high / wide, 2 * conducts * thick * wide / high,
                    conducts * high * wide / thick};
}

static void reference_turn(uint32_t rows, uint32_t cols, const float *t, const float *power,
                           float *out, material m) {
  for (uint32_t y = 0; y < rows; y++)
    for (uint32_t x = 0; x < cols; x++) {
      const uint64_t i = (uint64_t)y * cols + x;
      const float here = t[i], n = y ? t[i - cols] : here, s = y + 1 < rows ? t[i + cols] : here,
                  w = x ? t[i - 1] : here, e = x + 1 < cols ? t[i + 1] : here;
      out[i] = here + m.step * (power[i] + (s + n - 2.0f * here) * m.ry +
                                (e + w - 2.0f * here) * m.rx + (80.0f - here) * m.rz);
    }
}

typedef struct device_buffers {
  uint64_t in, power, out;
} device_buffers;

/* `now` steps in time. */
static bool launch(wf_app_run *run, const settings *s, uint32_t now, device_buffers d,
                   const material *m, wf_error *err) {
  if (s->form >= WF_SUITE_DOUBLE)
    return WF_SUITE_LAUNCH(run, s->form == WF_SUITE_COPY ? "hsp_copy" : "hsp_double",
                           wf_suite_strips(s->form, s->rows, s->cols, s->strip), err, &d.in,
                           &d.power, &d.out, &s->rows, &s->cols, &m->step, &m->rx, &m->ry, &m->rz,
                           &s->strip);
  const uint32_t tile = s->form == WF_SUITE_SHARED ? TILE - 2 * now : TILE;
  wf_suite_shape shape = wf_suite_plane(s->cols, s->rows, tile, tile);
  shape.block_x = shape.block_y = TILE;
  return s->form == WF_SUITE_SHARED
             ? WF_SUITE_LAUNCH(run, "hsp_shared", shape, err, &d.in, &d.power, &d.out, &s->rows,
                               &s->cols, &m->step, &m->rx, &m->ry, &m->rz, &now)
             : WF_SUITE_LAUNCH(run, "hsp_plain", shape, err, &d.in, &d.power, &d.out, &s->rows,
                               &s->cols, &m->step, &m->rx, &m->ry, &m->rz);
}

static bool hsp(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err) ||
      !wf_suite_strip_takes(run, s.form, s.cols, err) ||
      !wf_suite_forms_take(run, "app.pyramid", s.form, 1u << WF_SUITE_SHARED, err))
    return false;
  const uint32_t rows = s.rows, cols = s.cols, turns = s.turns;
  const uint64_t words = (uint64_t)rows * cols;
  const material m = silicon(rows, cols);
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  float *in = wf_suite_floats(host, &rng, words, 320.0f, 340.0f),
        *power = wf_suite_floats(host, &rng, words, 0.0f, 0.01f),
        *out = wf_suite_array(host, words, sizeof *out);
  uint64_t device_in, device_out, device_power;
  if (!(device_in = wf_app_upload(run->gpu, in, words * 4, "temperature", err)) ||
      !(device_power = wf_app_upload(run->gpu, power, words * 4, "power", err)) ||
      !(device_out = wf_app_reserve(run->gpu, 0xff, words * 4, "temperature", err)))
    return false;
  while (run->supersteps < turns) {
    const uint32_t left = turns - run->supersteps, most = s.form == WF_SUITE_SHARED ? s.pyramid : 1,
                   now = left < most ? left : most;
    if (!launch(run, &s, now, (device_buffers){device_in, device_power, device_out}, &m, err))
      return false;
    for (uint32_t i = 0; i < now; i++, run->supersteps++) {
      reference_turn(rows, cols, in, power, out, m);
      float *swap = in;
      in = out;
      out = swap;
    }
    const uint64_t device_swap = device_in;
    device_in = device_out;
    device_out = device_swap;
  }
  return wf_suite_check_f32(run, host, "temperature", device_in, in, words, err);
}

WF_SUITE_APP(hsp, "temperature of a chip as in Rodinia, plain or through shared memory", options,
             false, hsp);
