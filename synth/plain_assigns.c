/* plain_assigns <IN >OUT: rewrites `assign { a, b[3:0] } = { ... };` of a Yosys netlist as one
 * assign per bit, the only form that OpenSTA 2.0 reads. Everything else passes unchanged. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "sim/base/wf_alloc.h"

typedef struct net {
  char *name;
  int left, right; /* [left:right]; a single wire has scalar set */
  bool scalar;
  UT_hash_handle hh;
} net;

typedef struct bits {
  char **items; /* text of each bit, most significant first */
  size_t count;
} bits;

static void add_bit(bits *b, const char *text) {
  b->items = wf_realloc(b->items, b->count + 1, sizeof *b->items);
  b->items[b->count++] = wf_strdup(text);
}

static void free_bits(bits *b) {
  for (size_t i = 0; i < b->count; i++) free(b->items[i]);
  free(b->items);
  *b = (bits){0};
}

static void forget(net **nets) {
  net *n, *next;
  HASH_ITER(hh, *nets, n, next) {
    HASH_DEL(*nets, n);
    free(n->name);
    free(n);
  }
}

/* An identifier at *at, escaped ones with the blank that ends them; NULL if there is none. */
static char *identifier(const char **at) {
  const char *start = *at, *end = start;
  if (*end == '\\')
    end += strcspn(end, " \t\n") + (strcspn(end, " \t\n") < strlen(end));
  else
    while (isalnum((unsigned char)*end) || *end == '_' || *end == '$') end++;
  if (end == start) return NULL;
  char *name = wf_calloc((size_t)(end - start) + 1, 1);
  memcpy(name, start, (size_t)(end - start));
  *at = end;
  return name;
}

/* "input [3:0] name;" and its like. */
static void declaration(net **nets, const char *line) {
  static const char *const words[] = {"input ", "output ", "inout ", "wire ", "reg "};
  const char *at = line + strspn(line, " ");
  net n = {.scalar = true};
  size_t w = 0;
  for (; w < sizeof words / sizeof *words; w++)
    if (strncmp(at, words[w], strlen(words[w])) == 0) break;
  if (w == sizeof words / sizeof *words) return;
  at += strlen(words[w]);
  if (*at == '[') {
    n.scalar = sscanf(at, "[%d:%d]", &n.left, &n.right) != 2;
    at += strcspn(at, "]");
    at += strspn(at, "] ");
  }
  char *name = identifier(&at);
  net *found = NULL;
  if (!name) return;
  HASH_FIND_STR(*nets, name, found);
  if (found) {
    free(name);
    return;
  }
  net *fresh = wf_calloc(1, sizeof *fresh);
  *fresh = n;
  fresh->name = name;
  HASH_ADD_KEYPTR(hh, *nets, fresh->name, strlen(fresh->name), fresh);
}

static void add_range(bits *b, const char *name, int left, int right) {
  int step = left >= right ? -1 : 1;
  char text[4096];
  for (int i = left;; i += step) {
    snprintf(text, sizeof text, "%s[%d]", name, i);
    add_bit(b, text);
    if (i == right) break;
  }
}

/* 4'ha, 2'hx, 3'b0z1, 32'd7: bit by bit. */
static bool constant(bits *b, const char **at) {
  char *end;
  long width = strtol(*at, &end, 10);
  if (*end != '\'' || width < 1) return false;
  int base = (unsigned char)end[1];
  const char *digits = end + 2, *stop = digits + strspn(digits, "0123456789abcdefABCDEFxXzZ_");
  int per_digit = base == 'h' ? 4 : base == 'b' ? 1 : 0;
  if (base == 'd' && width <= 64) { /* Yosys writes 32 bits so */
    const unsigned long long number = strtoull(digits, &end, 10);
    for (long i = width - 1; i >= 0; i--) add_bit(b, number >> i & 1 ? "1'b1" : "1'b0");
    *at = end;
    return true;
  }
  if (!per_digit) return false;
  for (long i = width - 1; i >= 0; i--) {
    const char *digit = stop - 1 - i / per_digit;
    char c = digit < digits ? '0' : *digit, text[8];
    int value = isxdigit((unsigned char)c) ? (int)strtol((char[2]){c, 0}, NULL, 16) : -1;
    /* an unknown constant may be either: 0, as synthesis would choose */
    snprintf(text, sizeof text, "1'b%d", value < 0 ? 0 : (value >> (i % per_digit)) & 1);
    add_bit(b, text);
  }
  *at = stop;
  return true;
}

/* One element or a braced list; nested braces are flattened. */
static bool expression(net **nets, const char **at, bits *b) {
  *at += strspn(*at, " ");
  if (**at == '{') {
    ++*at;
    do {
      if (!expression(nets, at, b)) return false;
      *at += strspn(*at, " ");
    } while (**at == ',' && ++*at);
    return *(*at)++ == '}';
  }
  if (isdigit((unsigned char)**at)) return constant(b, at);
  char *name = identifier(at);
  if (!name) return false;
  int left, right, used = 0;
  bool ok = true;
  const char *range = *at + strspn(*at, " ");
  if (*range == '[') {
    if (sscanf(range, "[%d:%d]%n", &left, &right, &used) == 2 && used) {
      add_range(b, name, left, right);
    } else if (sscanf(range, "[%d]%n", &left, &used) == 1 && used) {
      add_range(b, name, left, left);
    } else {
      ok = false;
    }
    *at = range + used;
  } else {
    net *n = NULL;
    HASH_FIND_STR(*nets, name, n);
    if (n && !n->scalar)
      add_range(b, name, n->left, n->right);
    else
      add_bit(b, name);
  }
  free(name);
  return ok;
}

/* False: not understood; nothing was printed. */
static bool rewrite(net **nets, const char *line) {
  const char *at = line + strspn(line, " ") + strlen("assign ");
  bits to = {0}, from = {0};
  bool ok = expression(nets, &at, &to);
  at += strspn(at, " ");
  ok = ok && *at == '=' && ++at && expression(nets, &at, &from) && to.count == from.count;
  for (size_t i = 0; ok && i < to.count; i++)
    printf("  assign %s = %s;\n", to.items[i], from.items[i]);
  free_bits(&to);
  free_bits(&from);
  return ok;
}

int main(void) {
  net *nets = NULL;
  char *line = NULL;
  size_t room = 0;
  int status = 0;
  for (long n = 1; getline(&line, &room, stdin) > 0; n++) {
    const char *text = line + strspn(line, " ");
    if (strncmp(text, "endmodule", 9) == 0) forget(&nets);
    declaration(&nets, line);
    if (strncmp(text, "assign ", 7) != 0) {
      fputs(line, stdout);
    } else if (!rewrite(&nets, line)) {
      fprintf(stderr, "plain_assigns: line %ld is not understood: %.100s\n", n, line);
      status = 1;
    }
  }
  forget(&nets);
  free(line);
  if (fflush(stdout) || ferror(stdout)) {
    fprintf(stderr, "plain_assigns: cannot write the netlist\n");
    status = 2;
  }
  return status;
}
