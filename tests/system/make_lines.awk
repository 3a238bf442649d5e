# Of what `make -n BUILD=(build) build` would run, each word that is not as usual: FILE: WORD, or the line. With
# -v objects=1 instead the objects of the program. -v here=REGEX: the fabric's folders; -v sources="FILE...": its files.
function tell(text) { if (!objects) print text }
function words(first, what, name, i) {
  for (i = first; i <= NF; i++) if ($i !~ what && $i != from && $i != to) tell(name ": " $i)
}
function compile(i) {
  gsub(/='"[^"]*"'/, "=")
  for (i = 2; i < NF; i++) if ($i == "-c") from = $(i + 1)
  to = from
  if (from !~ "^" build "/gen/") to = build "/obj/" from
  else sub(build "/gen/", build "/obj/gen/", to)
  sub(/\.[cS]$/, ".o", to)
  made[to] = 1
  if (from !~ "^(sim/.*\\.c|" build "/gen/.*\\.[cS])$") tell(from ": not of sim")
  words(2, from ~ here || from == build "/gen/units.c" ? flags : flags "|" flags_elsewhere, from)
}
function archive(i) {
  if ($2 != "rcs") tell($3 ": " $2)
  for (i = 4; i <= NF; i++) linked[$i] = 1
  words(4, "^" build "/obj/(sim|gen)/[a-z0-9_/]+\\.o$", $3)
}
function link(i) {
  to = $0
  sub(/.* -o /, "", to)
  sub(/ .*/, "", to)
  for (i = 2; i <= NF; i++) if (to == build "/warpfab" && $i ~ /\.o$/) linked[$i] = 1
  words(2, flags "|" parts, to)
}
BEGIN {
  flags = "^(-std=c11|-D_POSIX_C_SOURCE=200809L|-D_DEFAULT_SOURCE|-I\\.|-I" build "/gen|-ffp-contract=off|-fPIC|" \
    "-W[a-z]+(-[a-z]+)*(=[a-z-]+)?|-O3|-march=native|-g|-MMD|-MP|-c|-o)$"
  flags_elsewhere = "^(-fno-math-errno|-f(no-)?trapping-math|-frounding-math|-isystem|/usr/lib/llvm-14/include|" \
    "-DWF_(BUILD|CLANG|CUFLAGS|HOME|VERSION)=)$"
  parts = "^(-rdynamic|-Wl,--(no-)?whole-archive|" build "/(obj/sim|lib)/[a-z0-9_/]+\\.[oa]|-L/usr/lib/llvm-14/lib|" \
    "-l(clang-14|inih|cjson|sqlite3|z|lzma|zstd|m|dl|pthread))$"
  # Recipes of texts, of which an object is made as of any other: each a command that writes one file, or a list of
  # texts that goes into one.
  file = "[-A-Za-z0-9_./]+"
  texts = "^(clang[-0-9.]* -x cuda [-+=.,a-zA-Z0-9_/ ]+" \
    "( && awk -f sim/apps/fall_through\\.awk " file " > " file "\\.ptx)?|" \
    "sh sim/apps/embed\\.sh( " file "\\.ptx)+ > " file "\\.S\\.new && mv " file "\\.S\\.new " file "\\.S|" \
    "\\{ printf '#include \"sim/(report/page_internal|seam/unit)\\.h\"[^<>|]*\\} >" build "/gen/(page_texts\\.c|" \
    "units\\.c\\.new && +\\{ cmp -s (" file " ?)+\\|\\| cp (" file " ?)+; rm " file "; touch " file "; \\}))$"
}
/\\$/ { line = line substr($0, 1, length($0) - 1); next }
{
  $0 = line $0
  line = from = to = ""
}
$1 == "gcc" && / -c / { compile(); next }
$1 == "gcc" && $0 ~ " -o " build "/warpfab(-acc|-replay)? " { link(); next }
$1 == "ar" { archive(); next }
$0 ~ "^mkdir -p " build "/[a-z0-9_/]+$" || /^echo "  [A-Z]+ [^"`$\\]+"$/ { next }
$0 ~ "^rm -f " build "/lib/[a-z]+\\.a$" { next }
# Nor may they touch what else is built, or copy into the list.
$0 ~ texts && !/^\{[^>]*[^a-z](cp|mv|ln|dd|tee|install|awk) / && $0 !~ build "/(obj|lib|warpfab)" && !/\.\.\// &&
  !(index($0, build "/gen/") && /\.h( |$)/) { next }
{ tell($0) }
END {
  if (objects) for (to in linked) print to
  n = split(sources, source)
  for (i = 1; i <= n; i++) {
    to = build "/obj/" source[i]
    sub(/c$/, "o", to)
    if (!made[to] || !linked[to]) tell(source[i] ": not in the program")
  }
}
