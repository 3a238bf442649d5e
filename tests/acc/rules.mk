# OpenACC programs beside what a C compiler makes of them, and what is refused.
MORE_CHECKS += "acc/programs: BUILD=$(BUILD) tests/acc/acc.sh"
MORE_CHECKS += "acc/gcc: BUILD=$(BUILD) tests/acc/gcc.sh"
