// The functions of a library, each of which jumps to where cuda_library.cpp finds it. What it was called with, in registers and on
// the stack, stays as it is, whatever that may be.
//
// CUVEC_SYMBOLS   a file with a line `function NAME` for each
// CUVEC_ADDRESS   the function of cuda_library.cpp that returns the address

#define FINDER_OF(address) find_by_##address
#define FINDER_NAMED(address) FINDER_OF(address)
#define FIND FINDER_NAMED(CUVEC_ADDRESS)

// The address, null at first, with the name behind it: a struct Function.
.macro record name
  .section .data.\name, "aw", %progbits
  .balign 8
record_\name:
  .quad 0
  .asciz "\name"
.endm

.macro begin name
  .section .text.\name, "ax", %progbits
  .balign 16
  .weak \name // two libraries may have a function of one name
  .hidden \name
  .type \name, %function
\name:
  .cfi_startproc
.endm

.macro end name
  .cfi_endproc
  .size \name, . - \name
.endm

#if defined(__x86_64__)

.macro function name
  record \name
  begin \name
  endbr64
  movq record_\name(%rip), %r11
  testq %r11, %r11
  jz 1f
  jmpq *%r11
1:
  leaq record_\name(%rip), %r11
  jmp FIND
  end \name
.endm

begin FIND
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  subq $192, %rsp
  movq %rdi, 0(%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movq %rax, 48(%rsp)
  movaps %xmm0, 64(%rsp)
  movaps %xmm1, 80(%rsp)
  movaps %xmm2, 96(%rsp)
  movaps %xmm3, 112(%rsp)
  movaps %xmm4, 128(%rsp)
  movaps %xmm5, 144(%rsp)
  movaps %xmm6, 160(%rsp)
  movaps %xmm7, 176(%rsp)
  movq %r11, %rdi
  call CUVEC_ADDRESS
  movq %rax, %r11
  movq 0(%rsp), %rdi
  movq 8(%rsp), %rsi
  movq 16(%rsp), %rdx
  movq 24(%rsp), %rcx
  movq 32(%rsp), %r8
  movq 40(%rsp), %r9
  movq 48(%rsp), %rax
  movaps 64(%rsp), %xmm0
  movaps 80(%rsp), %xmm1
  movaps 96(%rsp), %xmm2
  movaps 112(%rsp), %xmm3
  movaps 128(%rsp), %xmm4
  movaps 144(%rsp), %xmm5
  movaps 160(%rsp), %xmm6
  movaps 176(%rsp), %xmm7
  leave
  .cfi_def_cfa %rsp, 8
  jmpq *%r11
end FIND

#elif defined(__aarch64__)

.macro function name
  record \name
  begin \name
  hint #34 // bti c
  adrp x16, record_\name
  add x16, x16, :lo12:record_\name
  ldr x17, [x16]
  cbz x17, 1f
  br x17
1:
  b FIND
  end \name
.endm

begin FIND
  stp x29, x30, [sp, #-224]!
  .cfi_def_cfa_offset 224
  .cfi_offset x29, -224
  .cfi_offset x30, -216
  mov x29, sp
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  str x8, [sp, #80]
  stp q0, q1, [sp, #96]
  stp q2, q3, [sp, #128]
  stp q4, q5, [sp, #160]
  stp q6, q7, [sp, #192]
  mov x0, x16
  bl CUVEC_ADDRESS
  mov x17, x0
  ldp x0, x1, [sp, #16]
  ldp x2, x3, [sp, #32]
  ldp x4, x5, [sp, #48]
  ldp x6, x7, [sp, #64]
  ldr x8, [sp, #80]
  ldp q0, q1, [sp, #96]
  ldp q2, q3, [sp, #128]
  ldp q4, q5, [sp, #160]
  ldp q6, q7, [sp, #192]
  ldp x29, x30, [sp], #224
  .cfi_restore x30
  .cfi_restore x29
  .cfi_def_cfa_offset 0
  br x17
end FIND

#else
#error "cuda_libraries: only x86_64 and aarch64 are supported"
#endif

#include CUVEC_SYMBOLS

.section .note.GNU-stack, "", %progbits
