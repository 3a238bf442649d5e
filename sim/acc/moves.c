/* Data clauses as calls: which bytes go where. */
#include <string.h>

#include "sim/acc/host.h"

static const char *action(const acc_directive *d, acc_clause_kind kind) {
  if (d->kind == ACC_EXIT && kind == ACC_COPYOUT) return "WF_ACC_TAKE_OUT";
  switch ((int)kind) {
  case ACC_COPY:
    return "WF_ACC_COPY";
  case ACC_COPYIN:
    return "WF_ACC_COPYIN";
  case ACC_COPYOUT:
    return "WF_ACC_COPYOUT";
  case ACC_CREATE:
    return "WF_ACC_CREATE";
  case ACC_PRESENT:
    return "WF_ACC_PRESENT";
  case ACC_DELETE:
    return "WF_ACC_DELETE";
  case ACC_HOST:
    return "WF_ACC_TO_HOST";
  case ACC_DEVICE:
    return "WF_ACC_TO_DEVICE";
  default:
    return NULL;
  }
}

/* Elements of the first dimension; rows are moved whole. */
static bool count_of(acc_source *s, const acc_item *item, const acc_symbol *symbol,
                     acc_clause_kind kind, const char **count, wf_error *err) {
  *count = item->n_ranges ? item->length[0] : symbol->dims[0];
  if (*count && item->n_ranges) return true;
  if (*count && symbol->shape == ACC_ARRAY) return true;
  if (symbol->dims[0] && item->n_ranges) {
    *count = acc_keep(s, "(%s) - (%s)", symbol->dims[0], item->lower[0] ? item->lower[0] : "0");
    return true;
  }
  *count = "0"; /* what is there already is found by its address */
  if (kind == ACC_PRESENT || kind == ACC_DELETE) return true;
  return acc_fail(s, item->at, err, "how much of '%s' is moved is not said; write %s[0:count]",
                  item->name, item->name);
}

static bool item_text(acc_source *s, const acc_directive *d, const acc_clause *c,
                      const acc_item *item, const char *region, char **text, wf_error *err) {
  acc_symbol symbol;
  const char *count;
  if (!acc_symbol_named(s, item->name, item->at, &symbol, err)) return false;
  if (symbol.shape == ACC_SCALAR || symbol.shape == ACC_RECORD) {
    if (c->kind == ACC_HOST || c->kind == ACC_DEVICE || d->kind == ACC_ENTER ||
        d->kind == ACC_EXIT || d->kind == ACC_DECLARE)
      return acc_fail(s, item->at, err,
                      "'%s' is a single value, which regions take by value; only "
                      "arrays stay on the device",
                      item->name);
    return true;
  }
  if (symbol.shape == ACC_NO_SHAPE)
    return acc_fail(s, item->at, err, "'%s' is no array of numbers or of structures of numbers",
                    item->name);
  if (!count_of(s, item, &symbol, c->kind, &count, err)) return false;
  const char *lower = item->n_ranges && item->lower[0] ? item->lower[0] : "0";
  if (item->n_ranges)
    *text = acc_keep(s, "%s wf_acc_within(&%s, \"%s\", (long)(%s), (long)(%s), %s);", *text, region,
                     item->name, lower, count,
                     symbol.shape == ACC_ARRAY ? acc_keep(s, "(long)(%s)", symbol.dims[0]) : "-1");
  *text = acc_keep(s, "%s wf_acc_move(&%s, %s, \"%s\", %s, %s + (%s), (size_t)(%s) * sizeof *%s);",
                   *text, region, action(d, c->kind), item->name, item->name, item->name, lower,
                   count, item->name);
  return true;
}

bool acc_moves_text(acc_source *s, const acc_directive *d, const char *region, char **text,
                    wf_error *err) {
  *text = acc_keep(s, "%s", "");
  for (unsigned i = 0; i < d->n_clauses; i++)
    for (unsigned j = 0; j < d->clauses[i].n_items && action(d, d->clauses[i].kind); j++)
      if (!item_text(s, d, &d->clauses[i], &d->clauses[i].items[j], region, text, err))
        return false;
  return true;
}
