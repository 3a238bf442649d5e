# Of `nm -A` of the program's objects, and of the program itself, each name that another file could hold in place of the
# fabric's own. -v here=REGEX: the fabric's folders; -v below=REGEX: those that it may call; -v program=FILE.
# A name that stands in two objects: the linker takes the first, and asks no more. One that the fabric, or what it
# calls, takes from any other folder, as a function of the system's that is there anew. A function among the generated
# tables. A name of the fabric that the program has not.
function of_fabric(file) { return file ~ here || file == "gen/units.o" }
{
  name = $NF
  type = $(NF - 1)
  file = $0
  sub(/:[^:]*$/, "", file)
  sub(/.*\/obj\//, "", file)
}
file == program { in_program[name] = type != "U"; next }
type ~ /^[Uwv]$/ { if (of_fabric(file) || file ~ below) asker[name] = file; next }
file ~ /^gen\// && type ~ /^[TtWi]$/ { print name ": a function in " file }
type ~ /^[a-hj-tx-z]$/ { next }
name in home { print name ": in " home[name] " and in " file }
{ home[name] = file }
END {
  for (name in home) {
    if (of_fabric(home[name]) && !in_program[name]) print name ": of " home[name] ", not in the program"
    if (name in asker && !of_fabric(home[name]) && home[name] !~ below)
      print name ": " asker[name] " takes it from " home[name]
  }
}
