# The fuzzer of trace readers also follows what it read.
FUZZ_NEEDS_trace := graph ptx
