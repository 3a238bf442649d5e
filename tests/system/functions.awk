# Names of the functions that C files define. With -v bodies=1 a line for each function, each macro with parameters, and
# of each file what stands outside of these (includes, macros, enums, types, tables): NAME TOKENS SUM. Layout, comments
# and messages do not change it: a message is a text with a space, without a digit and without an escape but \n and \";
# any other text may be a table, and counts.
# What it cannot read, or may not be, gets a name that no list has, ?FILE:LINE:WHY (contract.sh says what each means):
#   include   of what is neither "sim/....h" nor a header of the system that stands below, or is a file of ours too
#   asm       assembler, but of configs.c, which takes in its .ini files by it
#   name      a definition without one    brace, end   braces that do not close, or not in an #if's branch    digraph
function odd(why) { print "?" file ":" FNR ":" why (bodies ? " 0 0" : "") }
function begin(to) { n[to] = sum[to] = 0 }
function put(to, token, j) {
  if (token ~ /^(__)?asm(__)?$/ && file != "sim/gpu/configs.c") odd("asm")
  n[to]++
  for (j = 1; j <= length(token); j++)
    sum[to] = (sum[to] * 257 + index(letters, substr(token, j, 1))) % 4294967291
  sum[to] = (sum[to] * 257 + 1) % 4294967291
}
function print_body(name, of) { printf "%s %d %08x\n", name, n[of], sum[of] }

# ---- text without comments; messages are "", and what stands in quotes is no brace ----

function quoted(text, i, c, out) {
  if (text ~ /^"/) {
    if (text ~ / / && text !~ /[0-9]|\\[^n"]/) return "\"\""
    for (i = 2; i < length(text); i++) {
      c = substr(text, i, 1)
      out = out (c ~ /[A-Za-z0-9]/ ? c : "_" index(letters, c) "_")
    }
    return "\"" out "\""
  }
  if (text == "'\"'") return "'q'"
  return text ~ /[(){};=]/ ? "'c" index(letters, substr(text, 2, 1)) "'" : text
}
function code_of(line, out, at) {
  out = ""
  for (;;) {
    if (within) {
      at = index(line, "*/")
      if (!at) return out
      within = 0
      out = out " "
      line = substr(line, at + 2)
    }
    if (!match(line, /["']|\/[\/*]/)) return out line
    out = out substr(line, 1, RSTART - 1)
    line = substr(line, RSTART)
    if (line ~ /^\/\//) return out
    if (line ~ /^\/\*/) {
      within = 1
      line = substr(line, 3)
      continue
    }
    if (!match(line, /^("([^"\\]|\\.)*"|'([^'\\]|\\.)*')/)) RLENGTH = length(line)
    out = out quoted(substr(line, 1, RLENGTH))
    line = substr(line, RLENGTH + 1)
  }
}
function tokens_of(code) {
  gsub(/[^A-Za-z0-9_]/, " & ", code)
  return split(code, token)
}

# ---- what stands at the top: declarations, each in top[1..m] until its brace or semicolon ----

function is_tag(word) { return word == "struct" || word == "union" || word == "enum" }
# After the attributes; a macro that stands before it without a semicolon names it, and is in no list.
function called(i, deep) {
  for (i = 1; i < m; i++) {
    if (top[i] == "__attribute__") {
      deep = 0
      do {
        i++
        deep += (top[i] == "(") - (top[i] == ")")
      } while (deep && i < m)
    } else if (top[i + 1] == "(" && top[i] ~ /^[A-Za-z_]/ && top[i] !~ types) {
      return top[i]
    }
  }
  return "?" file ":" FNR ":name"
}
function declared(to, i) {
  for (i = 1; i <= m; i++) put(to, top[i])
  m = given = 0
}
function opens() {
  where = given || is_tag(top[m - 1]) || is_tag(top[m - 2]) ? "outside" : "function"
  if (where == "function") {
    name = called()
    begin(where)
  }
  declared(where)
  depth = 1
}
function take(word) {
  if (depth) {
    put(where, word)
    depth += (word == "{") - (word == "}")
    if (!depth && where == "function") {
      if (bodies) print_body(name, where)
      else print name
    }
    return
  }
  top[++m] = word
  paren += (word == "(") - (word == ")")
  if (paren) return
  if (word == "=") given = 1
  else if (word == "{" && m == 5 && top[1] == "extern" && top[2] == "\"") within_c++ # extern "C" {
  else if (word == "{") opens()
  else if (word == ";") declared("outside")
  else if (word == "}" && !within_c--) odd("brace")
  if (word == "}" || (word == "{" && !depth)) declared("outside")
}
function is_file(path, first, got) {
  got = (getline first < path) >= 0
  close(path)
  return got
}
# By -I. any file of ours can stand in <>: only these names may, of which we have none.
function may_include(raw) {
  if (raw ~ /^#include "sim\/[a-z0-9_\/]+\.h"([ \t]|$)/) return 1
  if (raw !~ /^#include <[A-Za-z0-9_\/]+\.h>([ \t]|$)/) return 0
  sub(/^#include </, "", raw)
  sub(/\.h>.*/, "", raw)
  return index(system_headers, " " raw " ") && !is_file(raw ".h")
}
function directive(code, raw, count, i, to) {
  if (code ~ /^[ \t]*#[ \t]*(include|import|embed)/ && !may_include(raw)) odd("include")
  to = depth ? where : "outside"
  if (!depth && code ~ /^[ \t]*#[ \t]*define[ \t]+[A-Za-z_0-9]+\(/) begin(to = "macro")
  count = tokens_of(code)
  for (i = 1; i <= count; i++) put(to, token[i])
  if (to == "macro" && bodies) print_body("#" token[3], to)
}
function end_file() {
  if (!file) return
  if (depth || paren || within || within_c) odd("end")
  declared("outside")
  sub(/.*\//, "", file)
  if (bodies) print_body("outside:" file, "outside")
}
BEGIN {
  letters = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
  system_headers = " assert ctype errno inttypes limits math stdarg stdatomic stdbool stddef stdint stdio stdlib " \
    "string time immintrin pthread sched sys/mman unistd cjson/cJSON ini uthash "
  types = "^(void|bool|char|short|int|long|float|double|signed|unsigned|u?int[0-9]+_t|size_t|const)$"
}
FNR == 1 {
  end_file()
  file = FILENAME
  depth = m = paren = given = within = within_c = 0
  line = ""
  begin("outside")
}
/\\$/ { line = line substr($0, 1, length($0) - 1); next }
{
  line = line $0
  code = code_of(line)
  if (code ~ /^[ \t]*#/) {
    directive(code, line)
  } else {
    if (code ~ /<[%:]|[%:]>|%:/) odd("digraph")
    count = tokens_of(code)
    for (i = 1; i <= count; i++) take(token[i])
  }
  line = ""
}
END { end_file() }
