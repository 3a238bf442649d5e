// Verilator's FST writer, of a model built for waves. It checks none of its writes: on a full disk
// it leaves a torn file or dies of SIGBUS in a mapping of what was not written. Here each call that
// can fail is checked, and the first that does throws; shim.cpp catches it and drops the writer.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "verilated.h"
#include "verilated_fst_c.h"

namespace {

[[noreturn]] void fail() {
  throw std::runtime_error(std::strerror(errno ? errno : EIO));
}

size_t checked_fwrite(const void *from, size_t bytes, size_t count, FILE *to) {
  if (bytes && std::fwrite(from, bytes, count, to) != count) fail();
  return count;
}

int checked_fputc(int c, FILE *to) {
  if (std::fputc(c, to) == EOF) fail();
  return c;
}

int checked_fflush(FILE *to) {
  if (std::fflush(to) != 0 || std::ferror(to)) fail();
  return 0;
}

int checked_fclose(FILE *of) {
  const bool failed = std::ferror(of) != 0;
  if (std::fclose(of) != 0 || failed) fail();
  return 0;
}

// The writer maps files that it has written: all of their bytes must be there.
void *checked_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t from) {
  struct stat now;
  if (fstat(fd, &now) != 0 || static_cast<uint64_t>(now.st_size) < from + bytes) fail();
  void *mapped = mmap(at, bytes, protection, flags, fd, from);
  if (mapped == MAP_FAILED) fail();
  return mapped;
}

void *checked(void *memory, size_t bytes) {
  if (!memory && bytes) throw std::bad_alloc();
  return memory;
}

} // namespace

#define fwrite(from, bytes, count, to) checked_fwrite(from, bytes, count, to)
#define fputc(c, to) checked_fputc(c, to)
#define fflush(to) checked_fflush(to)
#define fclose(of) checked_fclose(of)
#define mmap(at, bytes, protection, flags, fd, from)                                               \
  checked_mmap(at, bytes, protection, flags, fd, from)
#define malloc(bytes) checked(std::malloc(bytes), bytes)
#define calloc(count, bytes) checked(std::calloc(count, bytes), (count) * (bytes))
#define realloc(old, bytes) checked(std::realloc(old, bytes), bytes)

#include "verilated_fst_c.cpp"
