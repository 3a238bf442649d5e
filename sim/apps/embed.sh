#!/bin/sh
# Prints an assembler file that holds the given PTX files and the table wf_app_kernels_table of
# {name, text, bytes}, ended by a null name. Usage: embed.sh FILE.ptx...
set -eu
echo '.section .rodata'
i=0
for f in "$@"; do
  printf '.Lname%d: .asciz "%s"\n.Ltext%d: .incbin "%s"\n.Lend%d: .byte 0\n' \
    $i "$(basename "$f" .ptx)" $i "$f" $i
  i=$((i + 1))
done
echo '.section .data.rel.ro, "aw"'
echo '.balign 8'
echo '.globl wf_app_kernels_table'
echo 'wf_app_kernels_table:'
n=0
while [ $n -lt $i ]; do
  printf '.quad .Lname%d, .Ltext%d, .Lend%d - .Ltext%d\n' $n $n $n $n
  n=$((n + 1))
done
echo '.quad 0, 0, 0'
echo '.section .note.GNU-stack, "", @progbits'
