/* The functions of OpenACC's runtime, of one device that does all in order. */
#ifndef WF_OPENACC_H
#define WF_OPENACC_H

#include <stddef.h>

#define _OPENACC 201711

typedef enum acc_device_t {
  acc_device_none,
  acc_device_default,
  acc_device_host,
  acc_device_not_host,
  acc_device_nvidia
} acc_device_t;
enum { acc_async_noval = -1, acc_async_sync = -2 };

void acc_init(acc_device_t type);
void acc_shutdown(acc_device_t type);
int acc_get_num_devices(acc_device_t type); /* of the host's type: 0 */
void acc_set_device_type(acc_device_t type);
acc_device_t acc_get_device_type(void);
void acc_set_device_num(int number, acc_device_t type); /* one that is not there ends the program */
int acc_get_device_num(acc_device_t type);
void acc_wait(int queue);
void acc_wait_all(void);
int acc_async_test(int queue);
int acc_async_test_all(void);

void *acc_malloc(size_t bytes);
void acc_free(void *device);
void *acc_copyin(void *host, size_t bytes); /* these two: the device's address */
void *acc_create(void *host, size_t bytes);
void acc_copyout(void *host, size_t bytes);
void acc_delete(void *host, size_t bytes);
void acc_update_device(void *host, size_t bytes);
void acc_update_self(void *host, size_t bytes);
int acc_is_present(void *host, size_t bytes);
void *acc_deviceptr(void *host); /* NULL: not there */
void acc_memcpy_to_device(void *device, void *host, size_t bytes);
void acc_memcpy_from_device(void *host, void *device, size_t bytes);

#endif
