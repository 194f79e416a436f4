//! Functions of floating-point numbers that are instructions.

macro_rules! unary {
    ($float:ident $register:ident $($name:ident: $($instruction:expr),+;)*) => {
        $(
            #[inline(always)]
            pub fn $name(x: $float) -> $float {
                let value;
                // SAFETY: arithmetic.
                unsafe {
                    core::arch::asm!(
                        concat!($($instruction,)+ stringify!($float), " {}, {};"),
                        out($register) value, in($register) x,
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                value
            }
        )*
    };
}

/// Fast, and right to about 22 bits.
pub mod fast {
    unary! {
        f32 reg32
        sin: "sin.approx.";
        cos: "cos.approx.";
        exp2: "ex2.approx.ftz.";
        log2: "lg2.approx.";
        sqrt: "sqrt.approx.";
        rsqrt: "rsqrt.approx.";
        recip: "rcp.approx.ftz.";
    }
}

macro_rules! functions {
    ($($float:ident $register:ident;)*) => {
        $(pub mod $float {
            use core::arch::asm;

            unary! {
                $float $register
                sqrt: "sqrt.rn.";
                floor: "cvt.rmi.", stringify!($float), ".";
                ceil: "cvt.rpi.", stringify!($float), ".";
                trunc: "cvt.rzi.", stringify!($float), ".";
            }

            #[inline(always)]
            pub fn mul_add(x: $float, factor: $float, term: $float) -> $float {
                let value;
                // SAFETY: arithmetic.
                unsafe {
                    asm!(
                        concat!("fma.rn.", stringify!($float), " {}, {}, {}, {};"),
                        out($register) value, in($register) x, in($register) factor, in($register) term,
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                value
            }
        })*
    };
}
functions! {
    f32 reg32;
    f64 reg64;
}

/// 32 bits of which these are the upper half. A shift would be an instruction more, since two
/// elements of a pack lie in one register.
#[inline(always)]
pub fn from_upper_half(bits: u16) -> u32 {
    let whole;
    // SAFETY: arithmetic.
    unsafe {
        core::arch::asm!(
            "mov.b32 {}, {{{}, {}}};",
            out(reg32) whole, in(reg16) 0_u16, in(reg16) bits,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    whole
}

/// The upper half of 32 bits.
#[inline(always)]
pub fn upper_half(whole: u32) -> u16 {
    let bits;
    // SAFETY: arithmetic.
    unsafe {
        core::arch::asm!(
            "mov.b32 {{{}, {}}}, {};",
            out(reg16) _, out(reg16) bits, in(reg32) whole,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    bits
}

/// The float16 of these bits.
#[inline(always)]
pub fn from_half(bits: u16) -> f32 {
    let value;
    // SAFETY: arithmetic.
    unsafe {
        core::arch::asm!(
            "cvt.f32.f16 {}, {};",
            out(reg32) value, in(reg16) bits,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    value
}

macro_rules! extreme {
    ($(#[$doc:meta])* $name:ident $greater:literal $most:literal) => {
        $(#[$doc])*
        #[inline(always)]
        pub fn $name(value: f32, other: f32) -> f32 {
            let most;
            // SAFETY: arithmetic.
            unsafe {
                core::arch::asm!(
                    concat!(
                        "{{ .reg .pred p, q; setp.", $greater, ".f32 p, {2}, {1}; setp.nan.f32 q, {2}, {2}; or.pred p, p, q; ",
                        "selp.f32 {0}, {2}, {1}, p; }} // from sm_80: ", $most, ".NaN.f32 {0}, {1}, {2};",
                    ),
                    out(reg32) most, in(reg32) value, in(reg32) other,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            most
        }
    };
}

extreme!(
    /// The larger of two, or what is not a number.
    larger "gt" "max"
);
extreme!(
    /// The smaller of two, or what is not a number.
    smaller "lt" "min"
);

/// The bits of the nearest bfloat16, in the upper half. Written out: what a GPU gets that has the instruction for numbers is
/// behind the line.
#[inline(always)]
pub fn to_upper_half(value: f32) -> u32 {
    let whole;
    // SAFETY: arithmetic.
    unsafe {
        core::arch::asm!(
            concat!(
                "{{ .reg .pred p; .reg .b32 odd, nan; bfe.u32 odd, {1}, 16, 1; add.u32 odd, odd, 0x7fff; ",
                "add.u32 {0}, {1}, odd; setp.nan.f32 p, {1}, {1}; and.b32 nan, {1}, 0x80000000; ",
                "or.b32 nan, nan, 0x7fc00000; selp.b32 {0}, nan, {0}, p; }} // from sm_80: ",
                "{{ .reg .b32 sign; cvt.rn.bf16x2.f32 {0}, {1}, 0f00000000; min.s32 {0}, {0}, 0x7fc00000; ",
                "and.b32 sign, {1}, 0x80000000; or.b32 {0}, {0}, sign; }}",
            ),
            out(reg32) whole, in(reg32) value,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    whole
}

/// A macro for both formats: the bits of the nearest float of 8 bits, which the caller has computed. Of GPUs that have the
/// instruction, it is used instead, and nothing computed; as on the CPU, what is beyond is no number, with its sign.
macro_rules! to_byte {
    ($name:ident $format:literal $beyond:literal $limit:literal $nan:literal) => {
        #[inline(always)]
        pub fn $name(value: f32, computed: u32) -> u32 {
            let bits;
            // SAFETY: arithmetic.
            unsafe {
                core::arch::asm!(
                    concat!(
                        "mov.b32 {0}, {2}; // from sm_89: {{ .reg .pred p, q; .reg .b16 pair; .reg .b32 size, special; ",
                        "cvt.rn.satfinite.", $format, "x2.f32 pair, 0f00000000, {1}; cvt.u32.u16 {0}, pair; ",
                        "abs.f32 size, {1}; setp.geu.f32 p, size, ", $beyond, "; setp.nan.f32 q, {1}, {1}; ",
                        "selp.b32 special, ", $nan, ", ", $limit, ", q; @p shr.u32 {0}, {1}, 24; ",
                        "@p lop3.b32 {0}, {0}, 0x80, special, 0xea; }}", // its sign, and the special one
                    ),
                    out(reg32) bits, in(reg32) value, in(reg32) computed,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            bits
        }
    };
}

to_byte!(to_e4m3 "e4m3" "0f43E80001" "0x7f" "0x7f");
to_byte!(to_e5m2 "e5m2" "0f47700000" "0x7c" "0x7e");

/// The bits of the nearest float16.
#[inline(always)]
pub fn to_half(value: f32) -> u16 {
    let bits;
    // SAFETY: arithmetic.
    unsafe {
        core::arch::asm!(
            "cvt.rn.f16.f32 {}, {};",
            out(reg16) bits, in(reg32) value,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    bits
}
