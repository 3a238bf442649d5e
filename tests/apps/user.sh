#!/bin/bash
# user.sh GRAPH...: on each, the applications with the strategy they choose take at most 1.05 times the cycles of
# searches, shortest paths, components and PageRank that a user wrote for himself. The user's results are right if no
# edge could improve a value and each comes from somewhere: paths from an edge, labels from a vertex that keeps its own.
. "$(dirname "$0")/../system/expect.sh"
[ $# -gt 0 ] || { echo "user.sh: no graph; expected user.sh GRAPH..." >&2; exit 2; }
number() { sed -n "s/^\t*\"$1\":[[:space:]]*\([0-9]*\).*/\1/p" "$scratch/$2.json" | head -1; }
words() { od -An -v -tu4 -w4 "$scratch/$1" | awk '{ printf "%.0f\n", $1 }' >"$scratch/$1.txt"; }

# of_app NAME GRAPH [OPTION...]: $cycles, and $n, vertices
of_app() {
  expect 0 'verified: ' $warpfab run --app "$1" --graph "$2" "${@:3}" --json "$scratch/$1.json"
  cycles=$(number cycles "$1") n=$(sed -n 's/.*"verdict":.* all \([0-9]*\) .*".*/\1/p' "$scratch/$1.json")
}
# of_user NAME FILE GRAPH GRID BLOCK PARAMETERS...: as many blocks as are resident. Parameters named FILE=KIND:VALUE are
# left in that file, a word a line.
of_user() {
  local name=$1 file=$2 graph=$3 grid=$4 block=$5 theirs kept=() i=0 options=()
  shift 5
  for p in "$@"; do
    case $p in *=*) options+=(--dump "$i:$scratch/${p%%=*}") kept+=("${p%%=*}") ;; esac
    options+=(--param "${p#*=}")
    i=$((i + 1))
  done
  expect 0 "u$name on .* cycles" $warpfab run --ptx "$file" --kernel "u$name" --graph "$graph" --grid "$grid" \
    --block "$block" --json "$scratch/own.json" "${options[@]}"
  for p in "${kept[@]}"; do words "$p"; done
  theirs=$(number cycles own)
  [ -n "$theirs" ] && [ "$cycles" -le $((theirs + theirs / 20)) ]
  check "$name on $graph: $cycles cycles, the user's kernel $theirs" $?
}
# paths SOURCE: are those of value.txt the shortest? 4294967295: not reached.
paths() {
  awk -v source="$1" 'FNR == 1 { file++ }
    file == 1 { row[n++] = $1 }
    file == 2 { col[m++] = $1 }
    file == 3 { weight[w++] = $1 }
    file == 4 { value[k++] = $1 }
    END {
      bad = value[source] != 0 || n < 2 || k != n - 1
      for (v = 0; v < n - 1; v++)
        for (e = row[v]; value[v] < 4294967295 && e < row[v + 1]; e++) {
          offer = value[v] + weight[e]
          bad += offer < value[col[e]]
          if (offer == value[col[e]]) reached[col[e]] = 1
        }
      for (v = 0; v < n - 1; v++) bad += v != source && value[v] < 4294967295 && !(v in reached)
      exit bad > 0 }' "$scratch"/{row,col,weight,value}.txt
}
# labels COMPONENTS: is each of value.txt the same along edges, and of a vertex that has its own?
labels() {
  awk -v components="$1" 'FNR == 1 { file++ }
    file == 1 { row[n++] = $1 }
    file == 2 { col[m++] = $1 }
    file == 3 { value[k++] = $1 }
    END {
      bad = n < 2 || k != n - 1
      for (v = 0; v < n - 1; v++) {
        for (e = row[v]; e < row[v + 1]; e++) bad += value[v] != value[col[e]]
        bad += value[v] > v || value[value[v]] != value[v]
        own += value[v] == v
      }
      exit bad > 0 || own != components }' "$scratch"/{row,col,value}.txt
}

# floats FILE PERL: the file's words are what the expression makes of $n and of $d, a vertex's out-edges.
floats() {
  perl -e 'my ($n, $of, @row) = (shift, shift, map { split } <STDIN>);
    for my $v (0 .. $n - 1) { my $d = $row[$v + 1] - $row[$v]; print pack "f", eval $of }' "$n" "$2" \
    <"$scratch/out_row.txt" >"$scratch/$1"
}
# ranks: are those of rank.txt the sums of 1 / n / out-edges, to four digits?
ranks() {
  perl -e 'sub lines { open my $f, "<", $_[0]; map { split } <$f> }
    my ($dir, $n) = @ARGV;
    my @out = lines("$dir/out_row.txt"), my @row = lines("$dir/row.txt"), my @col = lines("$dir/col.txt");
    open my $f, "<:raw", "$dir/rank"; local $/; my @rank = unpack "f*", <$f>;
    my $bad = @row < 2 || @rank < $n;
    for my $v (0 .. $n - 1) {
      my $sum = 0;
      $sum += 1 / $n / ($out[$_ + 1] - $out[$_]) for @col[$row[$v] .. $row[$v + 1] - 1];
      my $r = 0.15 / $n + 0.85 * $sum;
      $bad++ if abs($rank[$v] - $r) > 1e-4 * $r;
    }
    exit($bad > 0)' "$scratch" "$n"
}

user=tests/apps/user sync=65536
for graph in "$@"; do
  of_app bfs "$graph"
  source=$(number source bfs) v=$((4 * n))
  of_user bfs $user/bfs.cu "$graph" 15 256 row=graph:out_row col=graph:out_col level=buf:$v \
    buf:$((2 * v + 8)) buf:$sync buf:$sync buf:$sync "u32:$source" buf:4 buf:$((n / 8 + 8))
  awk '{ printf "%.0f\n", $1 ? $1 - 1 : 4294967295 }' "$scratch/level.txt" >"$scratch/value.txt"
  sed 's/.*/1/' "$scratch/col.txt" >"$scratch/weight.txt"
  paths "$source"
  check "bfs on $graph: the user's levels" $?

  of_app sssp "$graph"
  of_user sssp $user/sssp.cu "$graph" 30 128 row=graph:out_row col=graph:out_col weight=graph:out_weight value=buf:$v \
    buf:$v buf:$v buf:$v buf:64 buf:64 "u32:$source" "u32:$n"
  paths "$source"
  check "sssp on $graph: the user's distances" $?

  of_app wcc "$graph"
  of_user wcc $user/wcc.cu "$graph" 30 256 row=graph:out_row col=graph:out_col graph:in_row graph:in_col value=buf:$v \
    buf:64 "u32:$n"
  labels "$(number components wcc)"
  check "wcc on $graph: the user's labels" $?

  of_app pagerank "$graph" --set app.supersteps=1
  cp "$scratch/row.txt" "$scratch/out_row.txt"
  floats inverse '$d ? 1 / $d : 0'
  floats contribution '$d ? 1 / $n / $d : 0'
  of_user pagerank $user/pagerank.cu "$graph" $(((n + 255) / 256)) 256 "u32:$n" row=graph:in_row col=graph:in_col \
    "file:$scratch/inverse" "file:$scratch/contribution" buf:$v rank=buf:$v
  ranks
  check "pagerank on $graph: the user's ranks" $?
done
finish
