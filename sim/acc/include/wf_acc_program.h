/* Goes before all of a translated program: its main and its exit are called, and call, by the
 * runtime's, which tells at the end what was compared (wf_acc.c). */
#ifndef WF_ACC_PROGRAM_H
#define WF_ACC_PROGRAM_H

int main() __asm__("wf_acc_main");
void exit(int) __asm__("wf_acc_exit") __attribute__((noreturn));

#endif
