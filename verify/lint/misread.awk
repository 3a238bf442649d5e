# What Yosys 0.23 reads otherwise than the simulators do, without a word: '1 as the value of a constant or parameter of
# several bits (it takes 1), and a register of an array that a constant of its own width's cast names (it takes x).
{ text = $0; sub(/\/\/.*/, "", text) }
text ~ /(localparam|parameter) *(\[[^\]]*\])? *[A-Za-z_0-9]+ *= *'1 *([;,)]|$)/ {
  print FILENAME ":" FNR ": '1 is 1 for Yosys here: write {N{1'b1}}"
}
match(text, /localparam *(\[[^\]]*\])? *[A-Za-z_0-9]+ *= *[A-Za-z_0-9]+'\(/) {
  name = substr(text, RSTART, RLENGTH); sub(/ *=.*/, "", name); sub(/.*[\] ]/, "", name); cast[name] = 1
}
match(text, /mem2reg \*\) *reg *(\[[^\]]*\])? *[A-Za-z_0-9]+ *\[/) {
  name = substr(text, RSTART, RLENGTH); sub(/ *\[$/, "", name); sub(/.*[\] ]/, "", name); array[name] = 1
}
{
  for (a in array)
    for (c in cast)
      if (text ~ "(^|[^A-Za-z_0-9])" a "\\[" c "\\]") print FILENAME ":" FNR ": " a "[" c "] is x for Yosys: write the value"
}
