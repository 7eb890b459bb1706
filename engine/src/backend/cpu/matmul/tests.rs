#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::backend::cpu::{made::values, pages::Arena};
use crate::model::quantised::{BLOCK, Bits, GROUP, Groups, Scaling, Tensor};
use half::f16;
use proptest::prelude::*;

/// Every set against sums in f64, and each row alone against the row among others.
fn check(rows: usize, depth: usize, widths: [usize; 2], seed: u64) -> Result<(), TestCaseError> {
    let x = Matrix { columns: depth, values: values(rows * depth, seed).into() };
    let plain = widths.map(|width| values(width * depth, seed ^ width as u64));
    let packed = plain.each_ref().map(|plain| pack(&Tensor::Plain(plain.clone()), depth));
    let mut fused: Option<[Matrix; 2]> = None;
    for isa in Isa::available() {
        let found = matmul(isa, &x, packed.each_ref());
        for (found, plain) in found.iter().zip(&plain) {
            for (row, found) in found.values.chunks_exact(found.columns).enumerate() {
                for (weight, found) in plain.chunks_exact(depth).zip(found) {
                    let products = x.row(row).iter().zip(weight).map(|(x, w)| f64::from(*x) * f64::from(*w));
                    let (exact, size) = products.fold((0.0, 0.0), |(sum, size), p| (sum + p, size + p.abs()));
                    let error = (f64::from(*found) - exact).abs();
                    // Each addition may round by half a unit of a partial sum, which is never above `size`.
                    let bound = depth as f64 * f64::from(f32::EPSILON) * size + 1e-12;
                    prop_assert!(error <= bound, "{isa:?} {rows}x{depth}: {found} is {error:e} from {exact}");
                }
            }
        }
        alone_and_elsewhere(isa, &x, &packed, &found, &mut fused)?;
    }
    Ok(())
}

/// Each row alone gives what it gives among others, and sets that fuse agree; `fused` holds what the first of them gave.
fn alone_and_elsewhere(
    isa: Isa,
    x: &Matrix,
    packed: &[Weight; 2],
    found: &[Matrix; 2],
    fused: &mut Option<[Matrix; 2]>,
) -> Result<(), TestCaseError> {
    for row in 0..x.rows() {
        let alone = Matrix { columns: x.columns, values: x.row(row).to_vec().into() };
        for (alone, found) in matmul(isa, &alone, packed.each_ref()).iter().zip(found) {
            prop_assert_eq!(alone.row(0), found.row(row), "{:?}: row {} of {} differs alone", isa, row, x.rows());
        }
    }
    if isa.fuses() {
        let first = fused.get_or_insert_with(|| found.clone());
        prop_assert_eq!(&*first, found, "{:?} differs from another fused set", isa);
    }
    Ok(())
}

fn pack(tensor: &Tensor, depth: usize) -> Weight {
    Weight::pack(tensor, depth, &Arena::default()).unwrap()
}

/// The variants of [`Scaling`].
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Centred,
    Minima,
    Steps,
    Halves,
}

/// Those that fill so many groups, with any number of bits.
fn forms(groups: usize) -> impl Iterator<Item = (Bits, Form)> {
    let each = [Form::Centred, Form::Minima, Form::Steps, Form::Halves].into_iter();
    let fit = each.filter(move |form| groups.is_multiple_of(BLOCK) || matches!(form, Form::Centred | Form::Minima));
    fit.flat_map(|form| [Bits::Four, Bits::Five, Bits::Six, Bits::Eight].map(|bits| (bits, form)))
}

/// Any weight of `width` outputs.
fn weight(bits: Bits, form: Form, width: usize, groups: usize, seed: u64) -> Groups {
    let seed = seed ^ width as u64;
    let top: u8 = match bits {
        Bits::Four => 15,
        Bits::Five => 31,
        Bits::Six => 63,
        Bits::Eight => 255,
    };
    let all = width * groups;
    let halves = |count: usize, seed: u64| values(count, seed).into_iter().map(f16::from_f32).collect::<Vec<_>>();
    let whole = |count: usize, seed: u64| values(count, seed).into_iter().map(|value| (value * 127.0) as i8);
    let steps = || whole(2 * all, seed ^ 3).collect::<Vec<_>>();
    let centre = top / 2 + 1;
    let scaling = match form {
        Form::Centred => Scaling::Centred { scales: halves(all, seed ^ 1), centre },
        Form::Minima => Scaling::Minima { scales: halves(all, seed ^ 1), minima: halves(all, seed ^ 2) },
        Form::Steps => Scaling::Steps {
            scales: halves(all / BLOCK, seed ^ 1),
            minima: halves(all / BLOCK, seed ^ 2),
            steps: steps().as_chunks::<2>().0.iter().map(|pair| pair.map(|step| step as u8 & 63)).collect(),
        },
        Form::Halves => Scaling::Halves {
            scales: halves(all / BLOCK, seed ^ 1),
            steps: steps().as_chunks::<2>().0.to_vec(),
            centre,
        },
    };
    let stored = values(all * GROUP, seed ^ 4);
    let stored = stored.into_iter().map(|value| ((value + 1.0) / 2.0 * f32::from(top)).round() as u8).collect();
    Groups { bits, scaling, stored }
}

/// Every set against sums in f64 over the rounded rows, each row alone against the row among others, and the sets against each other.
fn check_groups(rows: usize, groups: usize, widths: [usize; 2], seed: u64) -> Result<(), TestCaseError> {
    let depth = groups * GROUP;
    let x = Matrix { columns: depth, values: values(rows * depth, seed).into() };
    for (bits, form) in forms(groups) {
        let plain = widths.map(|width| weight(bits, form, width, groups, seed));
        let packed = plain.each_ref().map(|plain| pack(&Tensor::Groups(plain.clone()), depth));
        let mut fused: Option<[Matrix; 2]> = None;
        for isa in Isa::available() {
            let found = matmul(isa, &x, packed.each_ref());
            for (found, plain) in found.iter().zip(&plain) {
                for (row, found) in found.values.chunks_exact(found.columns).enumerate() {
                    for (column, found) in found.iter().enumerate() {
                        let (mut exact, mut size) = (0.0, 0.0);
                        for (group, values) in x.row(row).chunks_exact(GROUP).enumerate() {
                            let largest = values.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
                            let scale = f64::from(largest / 127.0);
                            for (at, value) in values.iter().enumerate() {
                                let at = column * depth + group * GROUP + at;
                                let rounded = f64::from((value * (127.0 / largest)).round_ties_even()) * scale;
                                exact += rounded * f64::from(plain.value(at));
                                // Before what is stored and what it is above cancel.
                                let above = f32::from(plain.stored[at]) * plain.scale(at).0;
                                size += (rounded * f64::from(above)).abs() * 2.0;
                                size += (rounded * f64::from(plain.value(at))).abs();
                            }
                        }
                        // Whole numbers are exact; two products and two additions a group are rounded.
                        let bound = size * (4 * groups + 4) as f64 * f64::from(f32::EPSILON) + 1e-6;
                        let error = (f64::from(*found) - exact).abs();
                        prop_assert!(
                            error <= bound,
                            "{isa:?} {bits:?} {form:?} {rows}x{depth}: {found} is not {exact}"
                        );
                    }
                }
            }
            alone_and_elsewhere(isa, &x, &packed, &found, &mut fused)?;
        }
        for (packed, plain) in packed.iter().zip(&plain) {
            let mut row = vec![0.0; depth];
            for column in 0..packed.columns {
                packed.unpack(column, &mut row);
                for (at, value) in row.iter().enumerate() {
                    let expected = plain.value(column * depth + at);
                    prop_assert!((value - expected).abs() <= 1e-5 * (1.0 + expected.abs()), "{value} {expected}");
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_shape(rows in 1_usize..40, depth in 1_usize..80, a in 1_usize..100, b in 1_usize..70, seed: u64) {
        check(rows, depth, [a, b], seed)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_shape_of_groups(rows in 1_usize..30, groups in prop_oneof![1_usize..5, Just(8), Just(16)], a in 1_usize..40, b in 1_usize..70, seed: u64) {
        check_groups(rows, groups, [a, b], seed)?;
    }
}

#[test]
fn ragged_ends_of_groups() {
    for rows in [1, 11, 12, 13, 25] {
        for width in [1, 15, 16, 17] {
            if let Err(error) = check_groups(rows, 8, [width, 48], 7) {
                unreachable!("{rows} rows, {width} columns: {error}");
            }
        }
    }
}

#[test]
fn ragged_ends() {
    for rows in [1, 7, 8, 9, 127, 128, 129] {
        for width in [1, 31, 32, 33] {
            if let Err(error) = check(rows, 65, [width, 64], 7) {
                unreachable!("{rows} rows, {width} columns: {error}");
            }
        }
    }
}

#[test]
fn tables_are_read_back() {
    let plain = values(70 * 9, 3);
    let packed = pack(&Tensor::Plain(plain.clone()), 9);
    for (column, expected) in plain.chunks_exact(9).enumerate() {
        let mut found = [0.0; 9];
        packed.unpack(column, &mut found);
        assert_eq!(found, expected);
    }
}
