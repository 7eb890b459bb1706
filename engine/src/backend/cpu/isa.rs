//! Which instructions this machine has.

/// Whether the portable kernels may use fused multiply-add: only where every processor of the target has it, since elsewhere
/// `mul_add` becomes a slow library call.
pub const PORTABLE_FUSES: bool = cfg!(any(target_arch = "aarch64", target_feature = "fma"));

/// An instruction set that the kernels are compiled for. Values are only made by [`Isa::detect`] and [`Isa::available`], so
/// holding one is the proof that the machine has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Isa {
    /// 16 values a register, fused, with a dot product for bytes (VNNI).
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// 8 values a register, fused.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// What every processor of the target has.
    Portable,
}

impl Isa {
    /// The widest set of this machine.
    #[must_use]
    pub fn detect() -> Self {
        Self::available().next().unwrap_or(Self::Portable)
    }

    /// All sets of this machine, the widest first.
    pub fn available() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        use std::arch::is_x86_feature_detected as has;
        #[cfg(target_arch = "x86_64")]
        let wide = [
            (has!("avx512f") && has!("avx512bw") && has!("avx512vnni"), Self::Avx512),
            (has!("avx2") && has!("fma") && has!("f16c"), Self::Avx2),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let wide: [(bool, Self); 0] = [];
        wide.into_iter().filter(|(there, _)| *there).map(|(_, isa)| isa).chain([Self::Portable])
    }

    /// Whether products are added without rounding in between. Two sets that agree here give the same bits.
    #[must_use]
    pub fn fuses(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 | Self::Avx2 => true,
            Self::Portable => PORTABLE_FUSES,
        }
    }
}
