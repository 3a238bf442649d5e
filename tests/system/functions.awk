# Names of the functions that C files define, as .clang-format lays them out.
FNR == 1 { open = 0 }
/^[A-Za-z_].*\(/ && !/;[[:space:]]*(\/\*.*)?$/ && !/^(typedef|#)/ { text = $0; open = 1 }
open && !/^[A-Za-z_]/ { text = text $0 }
open && /\{$/ { name = text; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name); print name; open = 0 }
open && /;[[:space:]]*$/ { open = 0 }
