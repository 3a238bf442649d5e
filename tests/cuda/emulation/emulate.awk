# A CUDA program as C++ for emulation/cuda_runtime.h: launches become calls, and dynamic shared memory a pointer.
#   kernel<<<grid, block>>>(a, b)  ->  emulation::at(grid, block)([](auto... a_) { kernel(a_...); }, a, b)
{ text = text $0 "\n" }
END {
  print "#line 1 \"" FILENAME "\""
  gsub(/extern[ ]+__shared__[ ]+/, "\001", text)
  while (match(text, /\001[^\[;]*\[\][ ]*;/)) {
    declaration = substr(text, RSTART + 1, RLENGTH - 1)
    sub(/[ ]*\[\][ ]*;$/, "", declaration)
    name = declaration
    sub(/^.*[ *]/, "", name)
    type = substr(declaration, 1, length(declaration) - length(name))
    text = substr(text, 1, RSTART - 1) type "*" name " = (" type "*)emulation::dynamic_shared();" \
      substr(text, RSTART + RLENGTH)
  }
  while ((at = index(text, "<<<"))) {
    before = substr(text, 1, at - 1)
    after = substr(text, at + 3)
    match(before, /[A-Za-z_][A-Za-z0-9_:]*(<[^<>;{}]*>)?[ ]*$/)
    kernel = substr(before, RSTART)
    end = index(after, ">>>")
    rest = substr(after, end + 3)
    sub(/^[ \n]*\(/, "", rest)
    comma = rest ~ /^[ \n]*\)/ ? "" : ", "
    text = substr(before, 1, RSTART - 1) "emulation::at(" substr(after, 1, end - 1) \
      ")([](auto... a_) { " kernel "(a_...); }" comma rest
  }
  printf "%s", text
}
