#!/bin/bash
# Runs a command whose files may have 1 KiB: what a full disk does to it.
ulimit -f 1
exec "$@"
