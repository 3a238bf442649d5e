# Marks of a page filled from the tables of docs/results (scripts/figures): awk -f scripts/figures.awk RESULTS... PAGE
# A row of figures | FIGURE | QUANTITY | paper | ours | ... has the keys "UNIT {FIGURE: QUANTITY}" and "UNIT {paper ...}"; of
# one with brackets, how far the orders of arbitration go apart, "UNIT {spread ...}".
# Tables of synthesis have "NAME {CONFIG: COLUMN}" and "NAME {CONFIG MODULE + MODULE: COLUMN}": logic, RAM, um2 (both),
# mm2, flops, RAM bits; of a configuration MHz, MHz without wires, leakage, kGE, and pJ, logic pJ and RAM pJ (of a
# recorded run) as well; by event "NAME {CONFIG EVENT: pJ}", and "NAME {CONFIG: by events over measured}".
BEGIN { FS = " *[|] *" }
function unit_of(path) { sub(/.*\//, "", path); sub(/\.md$/, "", path); return path }
function area(key, logic, ram) {
  logic *= scale; ram *= scale
  row[key ": logic}"] = logic
  row[key ": RAM}"] = ram
  row[key ": um2}"] = logic + ram
  row[key ": mm2}"] = (logic + ram) / 1e6
}
function synthesis(key) {
  if (/^[|] (configuration [|] library|module) /)
    scale = /logic mm2/ ? 1e6 : 1
  else if ($2 ~ /^`.*`$/ && NF == 13) {
    key = synth " {" substr($2, 2, length($2) - 2)
    if ((key ": um2}") in row) return # of the first library
    area(key, $4, $8)
    row[key ": kGE}"] = $5; row[key ": flops}"] = $6; row[key ": RAM bits}"] = $7; row[key ": MHz}"] = $9
    row[key ": MHz without wires}"] = $10; row[key ": leakage}"] = $12
  } else if ($2 ~ /^`.*`$/ && NF == 8 && $3 ~ /^`/) {
    key = synth " {" substr($2, 2, length($2) - 2)
    row[key ": logic pJ}"] = $5; row[key ": RAM pJ}"] = $6; row[key ": pJ}"] = $7
  } else if ($2 ~ /^`.*`$/ && NF == 5) {
    row[synth " {" substr($2, 2, length($2) - 2) " " $3 ": pJ}"] = $4
  } else if ($2 ~ /^`.*`$/ && NF == 10 && $3 ~ /^`/) {
    row[synth " {" substr($2, 2, length($2) - 2) ": by events over measured}"] = $9
  } else if (/^By module/) {
    split($0, word, "`"); config = word[2]
  } else if (NF == 8 && $3 ~ /^[0-9]+$/) {
    key = synth " {" config " " $2
    area(key, $4, $7)
    row[key ": flops}"] = $5; row[key ": RAM bits}"] = $6
  }
}
# The sum over the modules that a key names; "" if one of them is not there.
function sum(key, name, column, part, n, i, total) {
  if (key in row) return row[key]
  if (!match(key, /^[a-z0-9_]+ [{][a-z0-9]+ /)) return ""
  name = substr(key, 1, RLENGTH - 1)
  column = key; sub(/.*: /, "", column)
  n = split(substr(key, RLENGTH + 1, length(key) - RLENGTH - length(column) - 2), part, " [+] ")
  for (i = 1; i <= n; i++) {
    if (!((name " " part[i] ": " column) in row)) return ""
    total += row[name " " part[i] ": " column]
  }
  return total
}
function shown(key, value) {
  value = sum(key)
  if (value == "") { print FILENAME ":" FNR ": no row " key >"/dev/stderr"; missing = 1; return "" }
  sub(/ [(].*/, "", value); sub(/ x$/, "", value)
  if (key ~ /: mm2}$/) return sprintf("%.4f", value)
  if (key ~ /: (logic|RAM|um2|RAM bits|flops)}$/)
    while (match(value, /^[0-9]+[0-9][0-9][0-9](,|$)/)) {
      match(value, /^[0-9]+/)
      value = substr(value, 1, RLENGTH - 3) "," substr(value, RLENGTH - 2)
    }
  return value
}
FILENAME != ARGV[ARGC - 1] {
  if (/^<!-- synthesis /) { split($0, word, /[ :]/); synth = word[3] }
  else if (/^<!-- end of synthesis/) synth = ""
  else if (synth != "") synthesis()
  else if (NF >= 6) {
    key = unit_of(FILENAME) " {"
    row[key $2 ": " $3 "}"] = $5
    row[key "paper " $2 ": " $3 "}"] = $4
    if (match($5, /[(].* [.][.] .*[)]/)) row[key "spread " $2 ": " $3 "}"] = substr($5, RSTART + 1, RLENGTH - 2)
  }
  next
}
{
  rest = $0; line = ""
  if (/^ *<!-- [a-z0-9_]+ [{]/) { # Markdown would take the line for HTML
    print FILENAME ":" FNR ": a line may not begin with a number" >"/dev/stderr"; missing = 1
  }
  while (match(rest, /<!-- [a-z0-9_]+ [{][^}]*[}] -->[^<]*<!-- -->/)) {
    key = substr(rest, RSTART + 5, RLENGTH - 5); sub(/ -->.*/, "", key)
    line = line substr(rest, 1, RSTART - 1)
    rest = substr(rest, RSTART + RLENGTH)
    line = line "<!-- " key " -->" shown(key) "<!-- -->"
  }
  print line rest
}
END { exit missing }
