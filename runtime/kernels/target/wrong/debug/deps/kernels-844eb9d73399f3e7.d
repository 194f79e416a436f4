/tmp/w/wt/rust/runtime/kernels/target/wrong/debug/deps/kernels-844eb9d73399f3e7.d: kernels/src/lib.rs kernels/src/call.rs kernels/src/grid/mod.rs kernels/src/grid/atom.rs kernels/src/grid/atom/change.rs kernels/src/grid/complex.rs kernels/src/grid/cpu.rs kernels/src/grid/element.rs kernels/src/grid/exp.rs kernels/src/grid/fast.rs kernels/src/grid/float.rs kernels/src/grid/float/consts.rs kernels/src/grid/float/small.rs kernels/src/grid/fold.rs kernels/src/grid/found.rs kernels/src/grid/layout.rs kernels/src/grid/near.rs kernels/src/grid/near/cached.rs kernels/src/grid/optional.rs kernels/src/grid/over.rs kernels/src/grid/pack.rs kernels/src/grid/panic.rs kernels/src/grid/real.rs kernels/src/grid/shared.rs kernels/src/grid/small_float.rs kernels/src/grid/solved.rs kernels/src/grid/sum.rs kernels/src/grid/team.rs kernels/src/grid/values.rs kernels/src/grid/view.rs kernels/src/kernel/mod.rs kernels/src/kernel/entry.rs kernels/src/kernel/form.rs kernels/src/kernel/option.rs kernels/src/kernel/read.rs kernels/src/kernel/row.rs kernels/src/library.rs kernels/src/plan/mod.rs kernels/src/plan/cpu.rs kernels/src/plan/gpu.rs kernels/src/plan/host.rs kernels/src/plan/parameters.rs kernels/src/plan/prepare.rs kernels/src/row/mod.rs kernels/src/row/check.rs kernels/src/row/extents.rs kernels/src/row/text.rs /tmp/w/wt/rust/runtime/kernels/target/wrong/debug/build/cuvec-kernels-912633b3a51ae2ed/out/functions.rs /tmp/w/wrongk/wrong.rs

/tmp/w/wt/rust/runtime/kernels/target/wrong/debug/deps/libkernels-844eb9d73399f3e7.rmeta: kernels/src/lib.rs kernels/src/call.rs kernels/src/grid/mod.rs kernels/src/grid/atom.rs kernels/src/grid/atom/change.rs kernels/src/grid/complex.rs kernels/src/grid/cpu.rs kernels/src/grid/element.rs kernels/src/grid/exp.rs kernels/src/grid/fast.rs kernels/src/grid/float.rs kernels/src/grid/float/consts.rs kernels/src/grid/float/small.rs kernels/src/grid/fold.rs kernels/src/grid/found.rs kernels/src/grid/layout.rs kernels/src/grid/near.rs kernels/src/grid/near/cached.rs kernels/src/grid/optional.rs kernels/src/grid/over.rs kernels/src/grid/pack.rs kernels/src/grid/panic.rs kernels/src/grid/real.rs kernels/src/grid/shared.rs kernels/src/grid/small_float.rs kernels/src/grid/solved.rs kernels/src/grid/sum.rs kernels/src/grid/team.rs kernels/src/grid/values.rs kernels/src/grid/view.rs kernels/src/kernel/mod.rs kernels/src/kernel/entry.rs kernels/src/kernel/form.rs kernels/src/kernel/option.rs kernels/src/kernel/read.rs kernels/src/kernel/row.rs kernels/src/library.rs kernels/src/plan/mod.rs kernels/src/plan/cpu.rs kernels/src/plan/gpu.rs kernels/src/plan/host.rs kernels/src/plan/parameters.rs kernels/src/plan/prepare.rs kernels/src/row/mod.rs kernels/src/row/check.rs kernels/src/row/extents.rs kernels/src/row/text.rs /tmp/w/wt/rust/runtime/kernels/target/wrong/debug/build/cuvec-kernels-912633b3a51ae2ed/out/functions.rs /tmp/w/wrongk/wrong.rs

kernels/src/lib.rs:
kernels/src/call.rs:
kernels/src/grid/mod.rs:
kernels/src/grid/atom.rs:
kernels/src/grid/atom/change.rs:
kernels/src/grid/complex.rs:
kernels/src/grid/cpu.rs:
kernels/src/grid/element.rs:
kernels/src/grid/exp.rs:
kernels/src/grid/fast.rs:
kernels/src/grid/float.rs:
kernels/src/grid/float/consts.rs:
kernels/src/grid/float/small.rs:
kernels/src/grid/fold.rs:
kernels/src/grid/found.rs:
kernels/src/grid/layout.rs:
kernels/src/grid/near.rs:
kernels/src/grid/near/cached.rs:
kernels/src/grid/optional.rs:
kernels/src/grid/over.rs:
kernels/src/grid/pack.rs:
kernels/src/grid/panic.rs:
kernels/src/grid/real.rs:
kernels/src/grid/shared.rs:
kernels/src/grid/small_float.rs:
kernels/src/grid/solved.rs:
kernels/src/grid/sum.rs:
kernels/src/grid/team.rs:
kernels/src/grid/values.rs:
kernels/src/grid/view.rs:
kernels/src/kernel/mod.rs:
kernels/src/kernel/entry.rs:
kernels/src/kernel/form.rs:
kernels/src/kernel/option.rs:
kernels/src/kernel/read.rs:
kernels/src/kernel/row.rs:
kernels/src/library.rs:
kernels/src/plan/mod.rs:
kernels/src/plan/cpu.rs:
kernels/src/plan/gpu.rs:
kernels/src/plan/host.rs:
kernels/src/plan/parameters.rs:
kernels/src/plan/prepare.rs:
kernels/src/row/mod.rs:
kernels/src/row/check.rs:
kernels/src/row/extents.rs:
kernels/src/row/text.rs:
/tmp/w/wt/rust/runtime/kernels/target/wrong/debug/build/cuvec-kernels-912633b3a51ae2ed/out/functions.rs:
/tmp/w/wrongk/wrong.rs:

# env-dep:OUT_DIR=/tmp/w/wt/rust/runtime/kernels/target/wrong/debug/build/cuvec-kernels-912633b3a51ae2ed/out
