# A Liberty file whose flops hold D, not its inverse:  awk -f synth/flops.awk LIBRARY
# ff (A,B) { next_state : "!D"; clear : C; preset : P; } is ff (B,A) { next_state : "D"; clear : P; preset : C; }: outputs
# name A and B as before. Yosys takes the inversion for one of the output, and resets such a flop to the wrong value
# (its issue 5186).
function other(line) {
  if (line ~ /^[ \t]*clear[ \t]*:/) sub(/clear/, "preset", line)
  else if (line ~ /^[ \t]*preset[ \t]*:/) sub(/preset/, "clear", line)
  else if (line ~ /clear_preset_var1/) sub(/var1/, "var2", line)
  else if (line ~ /clear_preset_var2/) sub(/var2/, "var1", line)
  else if (line ~ /next_state/) sub(/"!/, "\"", line)
  else if (match(line, /\(.*,.*\)/)) {
    split(substr(line, RSTART + 1, RLENGTH - 2), name, /[ \t]*,[ \t]*/)
    line = substr(line, 1, RSTART) name[2] "," name[1] ")" substr(line, RSTART + RLENGTH)
  }
  return line
}
/^[ \t]*ff[ \t]*\(/ { n = 0; inverse = 0; inside = 1 }
inside {
  held[++n] = $0
  if (/next_state[ \t]*:[ \t]*"![A-Za-z0-9_]+"/) inverse = 1
  if (/}/) {
    for (i = 1; i <= n; i++) print inverse ? other(held[i]) : held[i]
    inside = 0
  }
  next
}
{ print }
