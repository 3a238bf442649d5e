#!/bin/bash
# Long work says how far it is: on a terminal from two seconds on, and nothing in a pipe.
. "$(dirname "$0")/expect.sh"
long="$warpfab run --app pagerank --graph rgg:scale=19 --max-cycles 400000000"
# on_terminal SECONDS COMMAND: what a terminal shows of it until it ends or is ended
on_terminal() { timeout $(($1 + 20)) script -qefc "timeout $1 $2" /dev/null </dev/null 2>&1 | tr '\r' '\n'; }

said=$(on_terminal 6 "$long")
grep -qE '[0-9]+: [a-z_]+, cycle [0-9]+, [0-9]+ kcycles/s, [0-9]+ % of blocks, .* left' <<<"$said"
check "a run shows its kernel, cycle, rate and share" $? || tail -n 5 <<<"$said"
said=$(on_terminal 6 "$warpfab graph info rgg:scale=24")
grep -qE '(linking points|reading|drawing edges): +[0-9]+ %' <<<"$said"
check "reading and making graphs do" $? || tail -n 5 <<<"$said"
said=$(on_terminal 20 "$warpfab run --app mm --set app.n=16")
grep -q 'verified: ' <<<"$said" && ! grep -q 'kcycles/s' <<<"$said"
check "a short run shows its result alone" $?
timeout 5 $long >/dev/null 2>$scratch/quiet </dev/null
same "nothing in a pipe" "$(wc -c <$scratch/quiet)" 0
timeout 5 $long --progress >/dev/null 2>$scratch/asked </dev/null
grep -qE '[0-9]+ %' $scratch/asked && ! grep -q $'\r' $scratch/asked
check "but with --progress, in lines" $?
finish
