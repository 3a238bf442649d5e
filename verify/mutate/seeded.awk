# Reads a table of hand-written bugs, FILE | TEXT | TEXT IN ITS PLACE | MEANING a line, with "\|" for a "|" within a
# field. Prints a line for each: NUMBER, file, text, replacement, meaning, with \002 between. A text must stand in its
# file exactly once: otherwise standard error says which does not, and the exit status is 2.
#   awk -f seeded.awk -v rtl=FOLDER TABLE
function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); gsub("\001", "|", s); return s }
function text_of(name, line, text) {
  if (name in texts) return texts[name]
  while ((getline line < (rtl "/" name)) > 0) text = text line "\n"
  close(rtl "/" name)
  return texts[name] = text
}
/^#/ || /^$/ { next }
{
  gsub(/\\\|/, "\001")
  split($0, field, "|")
  name = trim(field[1]); find = trim(field[2])
  text = text_of(name)
  at = index(text, find)
  if (!at || index(substr(text, at + length(find)), find)) {
    printf "%s:%d: not found exactly once in %s: %s\n", FILENAME, FNR, name, find > "/dev/stderr"
    bad = 1
  }
  printf "%d\002%s\002%s\002%s\002%s\n", FNR, name, find, trim(field[3]), trim(field[4])
}
END { exit bad ? 2 : 0 }
