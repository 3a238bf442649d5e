# For its fuzzing (tests/fuzz).
FUZZ_NEEDS_sweep := store
