# awk -v out=CELLS -f synth/one_edge.awk cells.v netlist.v >NETLIST: flops wait for the event wf_edge.tick, and have no
# clock pin. Icarus needs time with the square of a net's listeners: a unit of 77,000 flops was not compiled in seven
# minutes, and is in one so. Resets are seen at an edge, of which the player gives two while reset is on.
FNR == NR {
  if (/^module /) {
    name = $2
    sub(/\(.*/, "", name)
    text = pin = ""
  }
  if (match($0, /@\(posedge [A-Za-z_0-9]+/)) {
    pin = substr($0, RSTART + 10, RLENGTH - 10)
    sub(/@.*/, "@(wf_edge.tick)")
  }
  text = text $0 "\n"
  if (/^endmodule/) {
    if (pin != "") {
      clock[name] = pin
      gsub("(input|wire) " pin ";", "", text)
      sub(pin ", ", "", text)
    }
    printf "%s", text >out
  }
  next
}
/^  [A-Z]/ { pin = $1 in clock ? clock[$1] : "" }
pin != "" && $1 ~ ("^[.]" pin "[(]") { next }
{ print }
