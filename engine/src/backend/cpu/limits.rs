//! What the machine can do at most, measured the way the kernels use it: the other half of every speed that a bench states.

#![allow(unsafe_code, reason = "an instruction that no library repeats in a loop")]

use super::{
    Isa,
    matmul::matmul,
    matrix::{Matrix, Weight},
    pages::{Arena, Piece},
};
use crate::{
    EngineError,
    model::quantised::{Bits, GROUP, Groups, Scaling, Tensor},
};
use half::f16;
use std::hint::black_box;

/// Bytes that are read to find how fast memory is: more than any cache holds.
const READ: usize = 256 << 20;
/// Instructions of each of sixteen chains that one thread repeats.
const REPEATS: u64 = 1 << 22;

/// The machine's memory and arithmetic.
#[derive(Debug)]
pub struct Machine {
    isa: Isa,
    memory: Piece,
}

impl Machine {
    /// Takes memory to read, laid out as weights are.
    ///
    /// # Errors
    /// When there is none.
    pub fn new() -> Result<Self, EngineError> {
        let mut memory = Arena::default().take(READ).map_err(EngineError::Memory)?;
        memory.fill(1);
        Ok(Self { isa: Isa::detect(), memory })
    }

    /// Reads memory once on so many threads; returns the bytes.
    pub fn read(&self, threads: usize) -> usize {
        let parts = self.memory.chunks(READ.div_ceil(threads.max(1)));
        on_threads(parts.map(|part| {
            move || {
                let mut sums = [0_u64; 8];
                for line in part.as_chunks::<64>().0 {
                    for (sum, eight) in sums.iter_mut().zip(line.as_chunks::<8>().0) {
                        *sum ^= u64::from_le_bytes(*eight);
                    }
                }
                black_box(sums);
            }
        }));
        READ
    }

    /// Multiplies and adds bytes on so many threads, in registers only; returns the number of multiplications and additions. 0 where no
    /// vector set does that.
    pub fn multiply_bytes(&self, threads: usize) -> u64 {
        let isa = self.isa;
        on_threads((0..threads.max(1)).map(|_| move || _ = black_box(repeat(isa))));
        let width = match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => 64,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => 32,
            Isa::Portable => 0,
        };
        threads.max(1) as u64 * 16 * REPEATS * width * 2
    }
}

fn on_threads<F: FnOnce() + Send>(work: impl Iterator<Item = F>) {
    std::thread::scope(|scope| work.for_each(|work| _ = scope.spawn(work)));
}

fn repeat(isa: Isa) -> i32 {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: an `Isa` is only made when the machine has it.
        Isa::Avx512 => unsafe { x86::avx512() },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Isa::Avx2 => unsafe { x86::avx2() },
        Isa::Portable => 0,
    }
}

/// A product of the kind that most of a forward pass is, with random values.
#[derive(Debug)]
pub struct Product {
    isa: Isa,
    x: Matrix,
    weight: Weight,
    pool: rayon::ThreadPool,
}

impl Product {
    /// Rows times a four-bit weight of `depth` (a multiple of 32) inputs, with a minimum a group (as Q4_1) or without (as Q4_0).
    ///
    /// # Errors
    /// When there is no memory or thread.
    pub fn new(threads: usize, [rows, depth, outputs]: [usize; 3], minima: bool) -> Result<Self, EngineError> {
        let groups = outputs * depth / GROUP;
        let scales = vec![f16::from_f32(0.01); groups];
        let scaling = match minima {
            true => Scaling::Minima { minima: vec![f16::from_f32(-0.08); groups], scales },
            false => Scaling::Centred { scales, centre: 8 },
        };
        let stored = (0..groups * GROUP).map(|at| (at * 7919 % 16) as u8).collect();
        let weight = Tensor::Groups(Groups { bits: Bits::Four, scaling, stored });
        let x: Vec<f32> = (0..rows * depth).map(|at| (at * 104_729 % 2_003) as f32 / 1_000.0 - 1.0).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Self {
            isa: Isa::detect(),
            x: Matrix { columns: depth, values: x.into() },
            weight: Weight::pack(&weight, depth, &Arena::default()).map_err(EngineError::Memory)?,
            pool: pool.map_err(|error| EngineError::Memory(std::io::Error::other(error)))?,
        })
    }

    /// Rounds the rows and multiplies them; returns the number of multiplications and additions.
    pub fn run(&self) -> u64 {
        self.pool.install(|| black_box(matmul(self.isa, &self.x, [&self.weight])));
        2 * (self.x.rows() * self.weight.depth * self.weight.columns) as u64
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{REPEATS, black_box};
    use std::arch::x86_64::*;

    /// # Safety
    /// AVX-512 F and VNNI are there.
    #[target_feature(enable = "avx512f,avx512vnni")]
    pub unsafe fn avx512() -> i32 {
        let (a, b) = (black_box(_mm512_set1_epi8(3)), black_box(_mm512_set1_epi8(1)));
        let mut sums = [_mm512_setzero_si512(); 16];
        for _ in 0..REPEATS {
            for sum in &mut sums {
                *sum = _mm512_dpbusd_epi32(*sum, a, b);
            }
            for sum in &mut sums {
                // SAFETY: no instruction at all. The register is said to change, so that sixteen chains do not become one product.
                unsafe { std::arch::asm!("/* {0} */", inout(zmm_reg) * sum, options(nomem, nostack, preserves_flags)) };
            }
        }
        sums.into_iter().fold(0, |total, sum| total ^ _mm512_reduce_add_epi32(sum))
    }

    /// # Safety
    /// AVX2 is there.
    #[target_feature(enable = "avx2")]
    pub unsafe fn avx2() -> i32 {
        let (a, b, ones) = (black_box(_mm256_set1_epi8(3)), _mm256_set1_epi8(1), _mm256_set1_epi16(1));
        let mut sums = [_mm256_setzero_si256(); 16];
        for _ in 0..REPEATS {
            for sum in &mut sums {
                // The input changes with the sum, so that no product can be used twice.
                let pairs = _mm256_maddubs_epi16(_mm256_xor_si256(a, *sum), b);
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
            }
        }
        sums.into_iter().fold(0, |total, sum| total ^ _mm256_extract_epi32::<0>(sum))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn work_is_counted_as_it_is_done() {
        let machine = Machine::new().unwrap();
        assert_eq!(machine.read(3), READ);
        assert_eq!(machine.multiply_bytes(2), 2 * machine.multiply_bytes(1));
        for minima in [true, false] {
            assert_eq!(Product::new(2, [5, 64, 48], minima).unwrap().run(), 2 * 5 * 64 * 48);
        }
    }
}
