# Names of the functions that C files define, as .clang-format lays them out. With -v bodies=1 a line for each function,
# and each macro with parameters but a list of ports: NAME TOKENS SUM, which layout, comments and texts do not change.
function begin() { n = sum = within = 0 }
function add(line, count, token, i, j) {
  gsub(/'"'/, "'q'", line)
  gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
  if (within && !sub(/^.*\*\//, "", line)) return
  within = 0
  gsub(/\/\*([^*]|\*[^\/])*\*\//, " ", line)
  sub(/\/\/.*/, "", line)
  within = sub(/\/\*.*/, "", line)
  gsub(/[^A-Za-z0-9_]/, " & ", line)
  count = split(line, token)
  n += count
  for (i = 1; i <= count; i++) {
    for (j = 1; j <= length(token[i]); j++)
      sum = (sum * 257 + index(letters, substr(token[i], j, 1))) % 4294967291
    sum = (sum * 257 + 1) % 4294967291
  }
}
function called(text) { sub(/\(.*/, "", text); sub(/.*[ *]/, "", text); return text }
function print_body(name) { printf "%s %d %08x\n", name, n, sum }
BEGIN {
  letters = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
}
FNR == 1 { open = inside = macro = 0 }
bodies && inside {
  add($0)
  if (/^}/) { print_body(name); inside = 0 }
  next
}
bodies && !macro && /^#define [A-Za-z_0-9]+\(/ && !/_PORTS\(/ {
  name = "#" $2
  sub(/\(.*/, "", name)
  begin()
  macro = 1
}
macro { add($0); if (!/\\$/) { print_body(name); macro = 0 } }
/^[A-Za-z_].*\(/ && !/;[[:space:]]*(\/\*.*)?$/ && !/^(typedef|#)/ { text = $0; open = 1; begin(); add($0) }
open && !/^[A-Za-z_]/ { text = text $0; add($0) }
open && /\) \{.*\}$/ {
  name = called(text)
  if (bodies) print_body(name); else print name
  open = 0
}
open && /\{$/ {
  name = called(text)
  if (bodies) inside = 1; else print name
  open = 0
}
open && /;[[:space:]]*$/ { open = 0 }
