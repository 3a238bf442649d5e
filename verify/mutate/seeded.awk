# What a table of hand-written bugs asks for must stand in its file exactly once: says which does not, and how many
# lines there are that ask.
#   awk -f seeded.awk -v rtl=FOLDER TABLE
function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
function text_of(name, line, text) {
  if (name in texts) return texts[name]
  while ((getline line < (rtl "/" name)) > 0) text = text line "\n"
  close(rtl "/" name)
  return texts[name] = text
}
/^#/ || /^$/ { next }
{
  asked++
  gsub(/\\\|/, "\001") # "\|" stands for a "|" within a field
  split($0, field, "|")
  name = trim(field[1]); find = trim(field[2]); gsub("\001", "|", find)
  text = text_of(name)
  at = index(text, find)
  if (!at || index(substr(text, at + length(find)), find))
    printf "%s:%d: not found exactly once in %s: %s\n", FILENAME, FNR, name, find
}
END { print asked + 0 }
