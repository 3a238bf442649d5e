// Device functions that call themselves: Fibonacci, quicksort, Ackermann by two.
#include "device.cuh"
__device__ __noinline__ int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__device__ __noinline__ void quicksort(int *a, int low, int high) {
  if (low >= high) return;
  const int pivot = a[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot) i++;
    while (a[j] > pivot) j--;
    if (i <= j) {
      const int t = a[i];
      a[i++] = a[j];
      a[j--] = t;
    }
  }
  quicksort(a, low, j);
  quicksort(a, i, high);
}
__device__ int odd(int n);
__device__ __noinline__ int even(int n) {
  return n == 0 ? 1 : odd(n - 1);
}
__device__ __noinline__ int odd(int n) {
  return n == 0 ? 0 : even(n - 1);
}
KERNEL fibonacci(int *out) {
  out[global_x()] = fib((int)(global_x() % 12));
}
KERNEL sort(int *data, int n) {
  quicksort(data + n * (int)global_x(), 0, n - 1);
}
KERNEL parity(int *out) {
  out[global_x()] = even((int)(global_x() % 7));
}
KERNEL deep(int *out) {
  out[global_x()] = fib((int)(global_x() * 1000));
}
