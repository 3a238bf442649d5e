MORE_CHECKS += "sweep/command: BUILD=$(BUILD) tests/sweep/sweep.sh"
# A real Slurm on this machine: munged, slurmctld, slurmd.
MORE_CHECKS += "sweep/slurm: BUILD=$(BUILD) tests/sweep/slurm.sh"
