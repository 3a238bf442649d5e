#!/bin/bash
# `warpfab report`: pages about real runs that parsers and a browser take, and messages for what is no result.
. "$(dirname "$0")/expect.sh"
a=$scratch/a.json b=$scratch/b.json store=$scratch/r.db odd="$scratch/<b>&.json" page=$scratch/page.html
small="--app bfs --graph rgg:scale=10"
$warpfab run $small --json $a --set probe.loads=1 --set series.points=50 --store $store >/dev/null && cp $a "$odd"
check "a run with a table of loads and values over time" $?
$warpfab run $small --json $b --set l1.bytes=32768 --set l1.ways=8 --store $store >/dev/null
check "another" $?

# page NAME INPUT...: the report is made, is whole, and is well-formed XML (and so no text of a result is markup)
page() {
  local name=$1
  shift
  $warpfab report "$@" -o $page >$scratch/log 2>&1 && tail -n 1 $page | grep -q "</html>" &&
    grep -q "^$page: [0-9]* results*, for a browser$" $scratch/log
  check "a page of $name" $? || { cat $scratch/log; return; }
  if command -v xmllint >/dev/null; then
    xmllint --noout $page
    check "  well-formed" $?
  else
    echo "SKIPPED well-formedness of the page of $name: no xmllint"
  fi
  if command -v chromium >/dev/null; then
    browse
  else
    echo "SKIPPED the page of $name in a browser: no chromium"
  fi
}
# A browser takes it all, with nothing on its console, where a request of the page would be too (it forbids itself any);
# and what is drawn over time is what the page says: a script of the check counts it in the title.
dom() { # PAGE
  timeout 300 chromium --headless --no-sandbox --disable-gpu --user-data-dir=$scratch/chromium --enable-logging=stderr \
    --dump-dom "file://$1" >$scratch/dom 2>$scratch/console
}
browse() {
  awk '{ print } /^\/\/\]\]><\/script>$/ {
    print "<script>(function () { var values = 0, wrong = 0;"
    print "warpfabPlots.forEach(function (p) {"
    print "  var said = JSON.parse(p.figure.querySelector(\"script\").textContent);"
    print "  said.lines.forEach(function (l, i) { l.values.forEach(function (v, at) {"
    print "    values++;"
    print "    wrong += p.plot.data[i + 1][at] !== v || p.plot.data[0][at + 1] !== said.end[at]; }); }); });"
    print "document.title = warpfabPlots.length + \" drawn, \" + values + \" values, \" + wrong + \" wrong\";"
    print "})();</script>" }' $page >$scratch/watched.html
  dom $scratch/watched.html
  grep -q '</footer>' $scratch/dom && ! grep -q 'CONSOLE' $scratch/console
  check "  in a browser" $? || grep CONSOLE $scratch/console
  local figures=$(grep -c '<figure class="series"' $page)
  same "  which draws each picture over time" "$(grep -c '<div class="live">' $scratch/dom)" "$figures"
  [ $figures = 0 ] || grep -q "<title>$figures drawn, [1-9][0-9]* values, 0 wrong</title>" $scratch/dom
  check "  as the page says" $? || grep '<title>' $scratch/dom
  same "  with its marks" "$(grep -o 'data-key=' $scratch/dom | wc -l)" "$(grep -o 'data-key=' $page | wc -l)"
}
page "one result" $a
if command -v chromium >/dev/null; then # and that requests would be seen
  sed 's|</footer>|&<img src="http://127.0.0.1:9/x.png" alt="x"/>|' $page >$scratch/asks.html
  dom $scratch/asks.html
  grep -q 'CONSOLE.*Content Security Policy' $scratch/console
  check "a page that asks for something is seen" $?
fi
for heading in Summary "Speed of light" Roofline "Memory chart" "Schedulers and stall reasons" "Over time" \
  Kernels Loads Energy; do
  grep -q "<h2 id=\"[a-z0-9-]*\">$heading</h2>" $page
  check "  with $heading" $?
done
cycles() { sed -n 's/^\t"cycles":[[:space:]]*\([0-9]*\).*/\1/p' $1; }
said=$(grep -o 'data-key="cycles" data-value="[0-9]*"' $page | head -n 1 | tr -dc 0-9)
same "  with its cycles" "$said" "$(cycles $a)"
page "a store" $store
same "  with both runs" "$(grep -c '<article' $page)" 2
page "a store and a file with an odd name" $store "$odd"
grep -qF '&lt;b&gt;&amp;.json' $page
check "  which is escaped" $?
page "a store beside a reference" $store --reference $store
same "  of which each has its own" "$(grep -o '2 of 2 results have one to be compared' $page | wc -l)" 1
echo '[{"figure":"figure 1","quantity":"a","paper":1.5,"ours":1.2,"unit":"x","close":false}]' >$scratch/paper.json
page "a result beside a paper" $a $scratch/paper.json
grep -q "<h2 id=\"[a-z0-9-]*\">The paper&#39;s figures: paper</h2>" $page
check "  with its figures" $?
$warpfab report $scratch/paper.json -o $page >$scratch/log && grep -q ": 1 paper, for a browser" $scratch/log
check "a page of a paper alone" $?
page "one run of a store" $store --where l1.bytes=32768
same "  alone" "$(grep -c '<article' $page)" 1

echo '{"a": 1}' >$scratch/other.json
echo 'no json' >$scratch/none.json
: >$scratch/empty.json
printf before >$scratch/kept.html
kept="-o $scratch/kept.html"
expect 2 "nosuch.json" $warpfab report $scratch/nosuch.json $kept
expect 2 "other.json: .*not a result" $warpfab report $a $scratch/other.json $kept
expect 2 "none.json" $warpfab report $scratch/none.json $kept
expect 2 "empty.json" $warpfab report $scratch/empty.json $kept
expect 2 "no run with a result and these values" $warpfab report $store --where app=cc $kept
expect 2 "expected -o" $warpfab report $a
expect 2 "expected a store or results" $warpfab report $kept
expect 2 "an input" $warpfab report $a -o $a
expect 2 "expects a value" $warpfab report $a -o
expect 2 "given twice|once" $warpfab report $a -o $page -o $page
expect 2 "'--frobnicate'" $warpfab report $a --frobnicate $kept
expect 2 "other.json: .*expected a result" $warpfab report $a --reference $scratch/other.json $kept
expect 2 "none.json:[0-9]+: not a JSON object or array" $warpfab report $a --reference $scratch/none.json $kept
expect 2 "the reference" $warpfab report $a --reference $b -o $b
expect 2 "nosuchfolder" $warpfab report $a -o /nosuchfolder/page.html
# A store whose only run failed has no result.
$warpfab run $small --max-cycles 10 --store $scratch/failed.db >/dev/null 2>&1
expect 2 "failed.db: the store has no run with a result$" $warpfab report $scratch/failed.db $kept
same "what failed left the page as it was" "$(cat $scratch/kept.html)" before
same "and nothing beside it" "$(find $scratch -name '*.tmp' | wc -l)" 0
$warpfab report $a -o - >$scratch/out.html 2>$scratch/log && [ ! -s $scratch/log ] &&
  tail -n 1 $scratch/out.html | grep -q '</html>'
check "on standard output" $?
expect 0 "usage: warpfab report" $warpfab report --help
finish
