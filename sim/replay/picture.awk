# A timing diagram (SVG) of what a recording holds: make wave UNIT=u. First file: the script or recording with the
# lines that ask for it, second: what happened, cycle by cycle (warpfab-replay --save).
#   # picture A:B                    edges that are shown
#   # row STREAM[.LANE] TEXT [LABEL [N]]   a stream: a box where it transfers, grey where it waits; of field N not 0 only
#   # row PORT TEXT                  a level
# LABEL is written into a box, {N} is field N of the payload, from 0; ~ is a blank.
function blank(s) { gsub(/~/, " ", s); return s }
function escape(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); return s }
FNR == NR && $1 == "#" && $2 == "picture" { split($3, range, ":"); from = range[1]; to = range[2] }
FNR == NR && $1 == "#" && $2 == "row" { name[++rows] = $3; text[rows] = blank($4); label[rows] = $5; only[rows] = $6 }
FNR == NR { next }
$1 == "body" { body = 1; next }
!body || $1 == "end" { next }
/^\*/ { for (n = substr($1, 2); n > 0; n--) take(); next }
/^@/ { next }
{
  for (i = 1; i <= NF; i++) {
    equals = index($i, "=")
    now[substr($i, 1, equals - 1)] = substr($i, equals + 1)
  }
  take()
}
function take(   r) {
  for (r = 1; r <= rows; r++) seen[r, edge] = now[name[r]]
  edge++
}
function filled(r, value,   fields, n, i, s) {
  s = label[r]
  n = split(substr(value, 3), fields, ",")
  for (i = 1; i <= n; i++) gsub("[{]" (i - 1) "[}]", fields[i], s)
  return blank(s)
}
function wanted(r, value,   fields) {
  split(substr(value, 3), fields, ",")
  return only[r] == "" || fields[only[r] + 1] !~ /^0*$/
}
function box(x, y, class, s) {
  printf "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", class, x + 1, y, STEP - 2, HIGH
  if (s != "")
    printf "<text class=\"v\" x=\"%g\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x + STEP / 2, y + 11, escape(s)
}
function stream(r, y,   e, x, value) {
  printf "<path class=\"w\" d=\"M%d %dH%d\"/>\n", LEFT, y + HIGH, LEFT + (to - from) * STEP
  for (e = from; e < to; e++) {
    value = seen[r, e]; x = LEFT + (e - from) * STEP
    if (value !~ /^[tv]/ || !wanted(r, value)) continue
    if (value ~ /^t/) box(x, y, "t", filled(r, value))
    else box(x, y, "o", filled(r, value))
  }
}
function level(r, y,   e, x, value, old) {
  for (e = from; e < to; e++) {
    value = seen[r, e]; x = LEFT + (e - from) * STEP
    if (e == from) printf "<path class=\"w\" d=\"M%d %d", x, value == "0" ? y + HIGH : y
    else if (value != old) printf "V%d", value == "0" ? y + HIGH : y
    if (e > from && value != old && value != "0" && old != "0") printf "l0 %dl0 -%d", HIGH, HIGH
    printf "H%d", x + STEP
    old = value
  }
  print "\"/>"
  for (e = from; e < to; e++)
    if (seen[r, e] != "0" && seen[r, e] != "1" && (e == from || seen[r, e] != seen[r, e - 1]))
      printf "<text class=\"v\" x=\"%d\" y=\"%d\">%s</text>\n", LEFT + (e - from) * STEP + 4, y + 12, seen[r, e]
}
function scale(bottom,   e, x, every) {
  every = STEP < 12 ? 10 : 2
  for (e = 0; e < to - from; e++) {
    if (STEP < 12 && e % every) continue
    x = LEFT + e * STEP
    printf "<path class=\"g\" d=\"M%d %dV%d\"/>\n", x, TOP - 6, bottom
    if (e % every == 0)
      printf "<text class=\"n\" x=\"%g\" y=\"%d\" text-anchor=\"middle\">%d</text>\n", x + STEP / 2, TOP - 10, e
  }
}
END {
  if (!rows || to <= from || to > edge) {
    print "picture: no rows, or edges that there are not (" edge + 0 ")" >"/dev/stderr"
    exit 2
  }
  LEFT = 190; STEP = int(860 / (to - from))
  STEP = STEP > 34 ? 34 : STEP < 8 ? 8 : STEP
  ROW = 26; TOP = 30; HIGH = 15
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" role=\"img\">\n", \
    LEFT + (to - from) * STEP + 10, TOP + rows * ROW + 4
  print "<style>text{font:11px 'DejaVu Sans',Verdana,sans-serif;fill:#222}.w{fill:none;stroke:#4a6785}.g{stroke:#e4e4e4}"
  print ".v{font-size:9px}.n{font-size:9px;fill:#666}.t{fill:#fde3c8;stroke:#c0651a}.o{fill:#eee;stroke:#999}</style>"
  print "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
  scale(TOP + rows * ROW)
  for (r = 1; r <= rows; r++) {
    y = TOP + (r - 1) * ROW
    printf "<text x=\"6\" y=\"%d\">%s</text>\n", y + 12, escape(text[r])
    if (seen[r, from] ~ /^[.rvt]/) stream(r, y); else level(r, y)
  }
  print "</svg>"
}
