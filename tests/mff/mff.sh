#!/bin/bash
# The MFF unit as a user meets it: what it refuses.
. "$(dirname "$0")/../system/expect.sh"
expect 2 'neither units nor launches' $warpfab run --app bfs --graph random:n=500,degree=4 --unit mff --set sample.launches=none
expect 2 'mff.tag_entries: no such parameter' $warpfab run --app bfs --graph random:n=500,degree=4 --set mff.tag_entries=64
expect 2 'mff.tag_entries=0: expected a whole number' $warpfab run --app bfs --graph random:n=500,degree=4 --unit mff --set mff.tag_entries=0
finish
