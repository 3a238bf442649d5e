# OpenACC programs beside what a C compiler makes of them, and what is refused.
MORE_CHECKS += "acc/programs: BUILD=$(BUILD) tests/acc/acc.sh"
