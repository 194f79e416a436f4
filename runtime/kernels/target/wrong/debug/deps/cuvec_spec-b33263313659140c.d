/tmp/w/wt/rust/runtime/kernels/target/wrong/debug/deps/cuvec_spec-b33263313659140c.d: spec/src/lib.rs spec/src/argument.rs spec/src/body.rs spec/src/c.rs spec/src/derivative.rs spec/src/dtype.rs spec/src/extent.rs spec/src/identifier.rs spec/src/report.rs spec/src/spec.rs spec/src/stub.rs spec/src/text.rs

/tmp/w/wt/rust/runtime/kernels/target/wrong/debug/deps/libcuvec_spec-b33263313659140c.rmeta: spec/src/lib.rs spec/src/argument.rs spec/src/body.rs spec/src/c.rs spec/src/derivative.rs spec/src/dtype.rs spec/src/extent.rs spec/src/identifier.rs spec/src/report.rs spec/src/spec.rs spec/src/stub.rs spec/src/text.rs

spec/src/lib.rs:
spec/src/argument.rs:
spec/src/body.rs:
spec/src/c.rs:
spec/src/derivative.rs:
spec/src/dtype.rs:
spec/src/extent.rs:
spec/src/identifier.rs:
spec/src/report.rs:
spec/src/spec.rs:
spec/src/stub.rs:
spec/src/text.rs:
