/* Flat device memory. The host maps it without committing pages, so a 6 GB card costs only what
 * the application touches; fresh pages read as zero. */
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "sim/base/wf_alloc.h"
#include "sim/mem/mem.h"

#define ALLOC_ALIGN 256u
#define MAP_ALIGN 65536u /* whole lines at the end of memory are always mapped */

struct wf_image {
  uint8_t *data;
  uint64_t bytes, mapped, used;
  wf_allocation *allocations;
  size_t n_allocations, room;
};

wf_image *wf_image_create(uint64_t bytes, wf_error *err) {
  if (bytes == 0 || bytes > UINT64_C(1) << 40) {
    wf_fail(err, WF_EXIT_BAD_INPUT, "device memory of %" PRIu64 " bytes: want 1 .. 2^40", bytes);
    return NULL;
  }
  uint64_t mapped = (bytes + MAP_ALIGN - 1) / MAP_ALIGN * MAP_ALIGN;
  void *data = mmap(NULL, mapped, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) {
    wf_fail(err, WF_EXIT_BAD_INPUT,
            "device memory: the host cannot map %" PRIu64 " bytes; configure a smaller one",
            mapped);
    return NULL;
  }
  wf_image *image = wf_calloc(1, sizeof *image);
  *image = (wf_image){.data = data, .bytes = bytes, .mapped = mapped};
  return image;
}

void wf_image_destroy(wf_image *image) {
  if (!image) return;
  munmap(image->data, image->mapped);
  free(image->allocations);
  free(image);
}

uint8_t *wf_image_data(wf_image *image) {
  return image->data;
}
uint64_t wf_image_bytes(const wf_image *image) {
  return image->bytes;
}
uint64_t wf_image_used(const wf_image *image) {
  return image->used;
}

const wf_allocation *wf_image_allocations(const wf_image *image, size_t *count) {
  *count = image->n_allocations;
  return image->allocations;
}

static void note_allocation(wf_image *image, uint64_t start, uint64_t bytes) {
  if (image->n_allocations == image->room) {
    image->room = image->room ? 2 * image->room : 16;
    image->allocations = wf_realloc(image->allocations, image->room, sizeof *image->allocations);
  }
  image->allocations[image->n_allocations++] = (wf_allocation){WF_IMAGE_BASE + start, bytes};
}

uint64_t wf_image_alloc(wf_image *image, uint64_t bytes, const char *what, wf_error *err) {
  uint64_t start = image->used; /* always a multiple of ALLOC_ALIGN, or the end of memory */
  if (bytes > image->bytes - start) {
    wf_fail(err, WF_EXIT_BAD_INPUT,
            "%s: %" PRIu64 " bytes do not fit in device memory: %" PRIu64 " of %" PRIu64
            " bytes are in use",
            what, bytes, start, image->bytes);
    return 0;
  }
  uint64_t padded = (bytes + ALLOC_ALIGN - 1) / ALLOC_ALIGN * ALLOC_ALIGN;
  if (padded == 0) padded = ALLOC_ALIGN; /* two empty buffers still differ in address */
  image->used = padded > image->bytes - start ? image->bytes : start + padded;
  note_allocation(image, start, bytes);
  return WF_IMAGE_BASE + start;
}

void *wf_image_at(wf_image *image, uint64_t address, uint64_t bytes, wf_error *err) {
  uint64_t offset = address - WF_IMAGE_BASE; /* wraps to a huge value below the base */
  if (offset <= image->bytes && bytes <= image->bytes - offset) return image->data + offset;
  wf_fail(err, WF_EXIT_BAD_INPUT,
          "device address 0x%" PRIx64 " (%" PRIu64 " bytes) is outside memory: 0x%x .. 0x%" PRIx64,
          address, bytes, WF_IMAGE_BASE, WF_IMAGE_BASE + image->bytes - 1);
  return NULL;
}
