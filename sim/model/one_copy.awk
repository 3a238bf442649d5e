# One copy of the code for all instances of a module that Verilator did not inline: it merges functions of instances
# whose text is the same, but assertions name their instance. Here the instance is told by its own name(), and functions
# that are then the same are left out, their calls led to the first.
#   awk -f sim/model/one_copy.awk OUT=FOLDER FOLDER/*.cpp
# Writes OUT/FILE.one, to be put in the place of FILE, if a function was left out.
function path_of(name) { # of the function's instance, as messages tell it
  sub(/.*___nba_[a-z]+__TOP__/, "", name)
  sub(/__[0-9]+$/, "", name)
  gsub(/__BRA__/, "[", name); gsub(/__KET__/, "]", name); gsub(/__DOT__/, ".", name)
  return "%N" name "."
}
function end_of_function(   key, at) {
  while ((at = index(body, name)) > 0) { key = key substr(body, 1, at - 1); body = substr(body, at + length(name)) }
  key = key body
  if (key in first) { instead[name] = first[key]; last[FILENAME, begin] = FNR }
  else first[key] = name
}
FNR == 1 { files[++n] = FILENAME }
/^(VL_INLINE_OPT )?void Vmodel_[A-Za-z0-9_]+___nba_[A-Za-z0-9_]+\(.*\{$/ && !/ Vmodel___024root___/ {
  name = $0
  sub(/\(.*/, "", name); sub(/.* /, "", name)
  path = path_of(name)
  body = ""
  begin = FNR
  inside = 1
  told = 0
}
inside {
  if ((at = index($0, path)) > 0) {
    $0 = line[FILENAME, FNR] = substr($0, 1, at + 1) substr($0, at + length(path) - 1)
    told = 1
  }
  if (told && sub(/vlSymsp->name\(\)/, "vlSelf->name()")) { line[FILENAME, FNR] = $0; told = 0 }
  body = body $0 "\n"
  if (/^}/) { inside = 0; end_of_function() }
}

function write(file,   out, text, at, name) {
  out = file
  sub(/.*\//, OUT "/", out)
  while ((getline text <file) > 0) {
    at++
    if ((file, at) in last) for (to = last[file, at]; at < to; at++) getline text <file
    else {
      if ((file, at) in line) text = line[file, at]
      name = text
      sub(/^ +/, "", name); sub(/\(.*/, "", name)
      if (name in instead) sub(name, instead[name], text)
      print text >(out ".one")
    }
  }
}
END {
  for (name in instead) some = 1
  if (some) for (i = 1; i <= n; i++) if (files[i] !~ /__(Slow|Syms)\.cpp$/) write(files[i])
}
