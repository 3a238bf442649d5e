# What Verilog of a unit may not have, since a simulator does more with it than hardware would: FILE:LINE: WORD.
# C++ ($c, `systemc_...), functions of the system or of C ($..., import), a text that only one tool sees (`ifdef,
# `else, comments and attributes that tell a synthesizer what to do), a file or a macro from elsewhere, delays, and
# signs that hide such. Other comments, Verilator's too, and texts are left out.
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
    if (line ~ /^\/[\/*].*(translate_o|full_case|parallel_case|pragma|synopsys|synthesis +[a-z]*_)/)
      tell("comment for a tool")
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
  if (word ~ /^`(ifdef|ifndef|elsif|else)$/ && FILENAME ~ /^rtl\/common\//)
    return word == "`else" || next_word ~ /^(FORMAL|SYNTHESIS|WF_[A-Z_]+)$/
  if (word == "`ifdef") return next_word == "WF_ASSERT_LIVE"
  if (word == "`include") return $0 ~ /^ *`include "wf_[a-z_]+\.vh"$/
  if (word == "`define") mine[FILENAME, "`" next_word]
  return word ~ /^`(define|undef|endif|default_nettype|WF_[A-Z_]+)$/ || (FILENAME, word) in mine
}
BEGIN { never = "\\\\|#[0-9.]|^(bind|export|import|real|shortreal|string|full_case|parallel_case)$" }
FNR == 1 { within = 0 }
{
  code = code_of($0)
  gsub(/``/, "", code)
  sub(/\\$/, "", code)
  gsub(/[`$][A-Za-z_0-9]*|\\|[A-Za-z_][A-Za-z_0-9]*/, " & ", code)
  n = split(code, word)
  for (i = 1; i <= n; i++)
    if ((word[i] ~ /^[`$]/ && !allowed(word[i], word[i + 1])) || word[i] ~ never ||
        (word[i] ~ /^(black|white)box$/ && FILENAME !~ /^rtl\/common\//))
      tell(word[i])
}
