# What a description (rtl/*/*.ini) says in [synth], for scripts that read this in.
# key KEY INI: a key's value, or nothing
key() { sed -n "/^\[synth\]/,/^\[[^s]/s/^$1 *= *//p" "$2" | head -n 1; }
# kept INI: NAME of each gpu.NAME, what the GPU keeps for the unit
kept() { sed -n "/^\[synth\]/,/^\[[^s]/s/^gpu\.\([a-z_0-9]*\) *=.*/\1/p" "$1"; }
