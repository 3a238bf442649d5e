# What Verilog of a unit may not have, since a simulator does more with it than hardware would: FILE:LINE: WORD.
# C++ ($c, `systemc_...), functions of the system or of C ($..., import), a text that only one simulator sees (`ifdef),
# a file or a macro from elsewhere, and signs that hide such. Comments, Verilator's too, and texts are left out.
function tell(word) { print FILENAME ":" FNR ": " word }
function code_of(line, out, at) {
  for (;;) {
    if (within) {
      if (!(at = index(line, "*/"))) return out
      line = substr(line, at + 2)
      within = 0
    }
    if (!match(line, /"|\/[\/*]/)) return out line
    out = out substr(line, 1, RSTART - 1) " "
    line = substr(line, RSTART)
    if (line ~ /^\/\//) return out
    if (line ~ /^\/\*/) {
      within = 1
      line = substr(line, 3)
    } else {
      if (!match(line, /^"([^"\\]|\\.)*"/)) tell("a text that does not close")
      line = substr(line, RLENGTH > 0 ? RLENGTH + 1 : 2)
    }
  }
}
function allowed(word, next_word) {
  if (word ~ /^\$(bits|clog2|countones|fatal|signed|unsigned)$/) return 1
  if (word ~ /^`(ifdef|ifndef|elsif)$/)
    return next_word ~ /^(FORMAL|SYNTHESIS|WF_ASSERT_LIVE)$/ || (FILENAME ~ /^rtl\/common\// && next_word ~ /^WF_/)
  if (word == "`include") return $0 ~ /^ *`include "wf_[a-z_]+\.vh"$/
  if (word == "`define") mine[FILENAME, "`" next_word]
  return word ~ /^`(define|undef|else|endif|default_nettype|WF_[A-Z_]+)$/ || (FILENAME, word) in mine
}
FNR == 1 { within = 0 }
{
  code = code_of($0)
  gsub(/``/, "", code)
  sub(/\\$/, "", code)
  gsub(/[`$][A-Za-z_0-9]*|\\|[A-Za-z_][A-Za-z_0-9]*/, " & ", code)
  n = split(code, word)
  for (i = 1; i <= n; i++)
    if ((word[i] ~ /^[`$]/ && !allowed(word[i], word[i + 1])) || word[i] ~ /\\|^(bind|export|import)$/) tell(word[i])
}
