# "@p bra A; bra.uni B; A:" becomes "@!p bra B; A:", which every assembler does and this compiler leaves undone where it had to
# split an edge.
function flush(  i) { for (i = 1; i <= held; i++) print line[i]; held = 0 }
held == 0 && /^\t@!?%p[0-9]+ bra \t[A-Za-z_0-9$]+;$/ { line[++held] = $0; next }
held == 1 && /^\tbra\.uni \t[A-Za-z_0-9$]+;$/ { line[++held] = $0; next }
held == 2 {
  split(line[1], test, /[ \t;]+/); split(line[2], back, /[ \t;]+/)
  if ($0 == test[4] ":") {
    guard = test[2]
    if (!sub(/^@!/, "@", guard)) sub(/^@/, "@!", guard)
    print "\t" guard " bra \t" back[3] ";"
    held = 0
  }
}
{ flush(); if (/^\t@!?%p[0-9]+ bra \t[A-Za-z_0-9$]+;$/) line[++held] = $0; else print }
END { flush() }
