# Statements and lines of kernels. Usage: awk -f teleport-lines.awk FILE.cu...; prints "kernel statements lines", a kernel a line.
# A kernel counts with the helpers of its file that it calls. Comments, blank lines and preprocessor lines do not count.
# statements: those that end with a semicolon, and each if, else, for, while. lines: lines with more than a brace, heads not counted.
function is_word(c) { return c ~ /[A-Za-z0-9_]/ }
function statements(body,   i, c, n, parens, word, next_c) {
  n = parens = 0
  word = ""
  for (i = 1; i <= length(body); i++) {
    c = substr(body, i, 1)
    if (is_word(c)) { word = word c; continue }
    if (word ~ /^(if|else|for|while)$/) n++
    word = ""
    if (c == "(") parens++
    else if (c == ")") parens--
    else if (c == ";" && parens == 0) n++
  }
  return n
}
function lines(body,   i, n, part, k) {
  k = split(body, part, "\n")
  for (i = n = 0; i <= k; i++) if (part[i] !~ /^[ \t{}]*$/) n++
  return n
}
function name_of(head,   before) {
  before = head
  sub(/^.*(KERNEL|DEVICE)/, "", before)
  sub(/\(.*$/, "", before)
  sub(/[ \t\n]+$/, "", before)
  sub(/^.*[^A-Za-z0-9_]/, "", before)
  return before
}
function need(name,   other) {
  if (name in needed) return
  needed[name] = 1
  for (other in bodies) if (other != name && match(bodies[name], "(^|[^A-Za-z0-9_])" other "\\(")) need(other)
}
function finish(   i, c, depth, head, body, name, order, n, s, l) {
  depth = 0; head = body = ""; n = 0
  delete bodies
  for (i = 1; i <= length(text); i++) {
    c = substr(text, i, 1)
    if (c == "{" && depth++ == 0) { body = ""; continue }
    if (c == "}" && --depth == 0) {
      if (head ~ /KERNEL|DEVICE/) {
        name = name_of(head)
        bodies[name] = body
        if (head ~ /KERNEL/) order[++n] = name
      }
      head = ""
      continue
    }
    if (depth) body = body c
    else head = (c == ";") ? "" : head c
  }
  for (i = 1; i <= n; i++) {
    delete needed
    need(order[i])
    s = l = 0
    for (name in needed) { s += statements(bodies[name]); l += lines(bodies[name]) }
    print order[i], s, l
  }
  text = ""
}
FNR == 1 && NR > 1 { finish() }
/^[ \t]*#/ { next }
{ sub(/\/\/.*$/, ""); text = text $0 "\n" }
END { finish() }
