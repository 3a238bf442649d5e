// Lists in the device's heap.
#include "device.cuh"
struct link {
  int value;
  link *next;
};
KERNEL lists(int *out, int length) {
  link *head = nullptr;
  for (int k = 0; k < length; k++) {
    link *l = (link *)malloc(sizeof(link));
    if (!l) return;
    l->value = k + (int)global_x(), l->next = head, head = l;
  }
  int sum = 0;
  while (head) {
    link *next = head->next;
    sum += head->value;
    free(head);
    head = next;
  }
  out[global_x()] = sum;
}
KERNEL foreign(int *out) {
  free(out);
}
