# CUDA programs on the fabric: what they print, and how the command treats what is wrong.
MORE_CHECKS += "cuda/programs: BUILD=$(BUILD) tests/cuda/programs.sh"
MORE_CHECKS += "cuda/command: BUILD=$(BUILD) tests/cuda/command.sh"
MORE_CHECKS += "cuda/units: BUILD=$(BUILD) tests/cuda/units.sh"
MORE_CHECKS += "cuda/accuracy: tests/cuda/accuracy.sh"
