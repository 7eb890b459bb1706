//! Exact decimal numbers with units.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// An exact decimal: `mantissa × 10^-scale`, in base units (29.9 billion is stored as 29900000000).
///
/// Two numbers are equal when value and unit are; the words as written do not count, nor do zeros at the end. The order is by
/// value first, then by unit, and means nothing between different units.
#[derive(Clone, Debug)]
pub struct Number {
    /// All digits.
    pub mantissa: i128,
    /// How many of them stand behind the decimal point.
    pub scale: u32,
    /// `USD`, `km²`, `%`; `None` for a bare count.
    pub unit: Option<String>,
    /// The words as the source wrote them ("$29.9 billion"), where they differ from the plain decimal.
    pub written: Option<String>,
}

impl Number {
    /// `mantissa × 10^-scale` without unit.
    pub fn new(mantissa: i128, scale: u32) -> Self {
        Self { mantissa, scale, unit: None, written: None }
    }

    /// The same with a unit; an empty one is none.
    pub fn with_unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = Some(unit.into()).filter(|unit| !unit.is_empty());
        self
    }

    /// The same with the words that the source used; they are kept only where they say more than [`Number::plain`].
    pub fn with_written(mut self, written: impl Into<String>) -> Self {
        let written = written.into();
        self.written = (!written.is_empty() && written != self.plain()).then_some(written);
        self
    }

    /// Reads digits with an optional sign and decimal point (`-12.50`): no separators, no exponent, no unit. `None` for
    /// anything else and for more than 38 digits.
    pub fn parse_plain(text: &str) -> Option<Self> {
        let (negative, digits) = match text.strip_prefix(['-', '\u{2212}']) {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let mut mantissa: i128 = 0;
        for byte in whole.bytes().chain(fraction.bytes()) {
            let digit = i128::from(byte.checked_sub(b'0').filter(|digit| *digit <= 9)?);
            let digit = if negative { -digit } else { digit };
            mantissa = mantissa.checked_mul(10)?.checked_add(digit)?;
        }
        Some(Self::new(mantissa, u32::try_from(fraction.len()).ok()?))
    }

    /// Reads the lexical form of `xsd:decimal`, `xsd:integer` and their kin, and of `xsd:double` and `xsd:float` (`1.5E9`).
    /// `None` for `INF`, `NaN` and what does not fit into 38 digits.
    pub fn from_xsd(lexical: &str) -> Option<Self> {
        let lexical = lexical.trim();
        let Some((digits, exponent)) = lexical.split_once(['e', 'E']) else { return Self::parse_plain(lexical) };
        let number = Self::parse_plain(digits)?;
        let (mantissa, scale) = number.normalised();
        if mantissa == 0 {
            return Some(Self::new(0, 0));
        }
        let scale = i64::from(scale).checked_sub(exponent.parse::<i64>().ok()?)?;
        match u32::try_from(scale) {
            Ok(scale) if scale <= MAX_SCALE => Some(Self::new(mantissa, scale)),
            Ok(_) => None,
            Err(_) => {
                let shift = u32::try_from(scale.checked_neg()?).ok()?;
                Some(Self::new(mantissa.checked_mul(10_i128.checked_pow(shift)?)?, 0))
            }
        }
    }

    /// Mantissa and scale without zeros at the end of the fraction.
    pub fn normalised(&self) -> (i128, u32) {
        let (mut mantissa, mut scale) = (self.mantissa, self.scale);
        if mantissa == 0 {
            return (0, 0);
        }
        while scale > 0 && mantissa % 10 == 0 {
            mantissa /= 10;
            scale -= 1;
        }
        (mantissa, scale)
    }

    /// Digits alone, all decimal places kept: `29915000000`, `-12.50`.
    pub fn plain(&self) -> String {
        let (sign, whole, fraction) = self.digits();
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{fraction}")
    }

    /// As people read it, without a unit: `29,915,000,000`, `-12.50`.
    pub fn grouped(&self) -> String {
        let (sign, whole, fraction) = self.digits();
        let mut grouped = String::with_capacity(whole.len() + whole.len() / 3);
        for (index, digit) in whole.chars().enumerate() {
            if index > 0 && (whole.len() - index).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}{grouped}{point}{fraction}")
    }

    /// The nearest double, for scores and sorting by size; never for equality.
    pub fn to_f64(&self) -> f64 {
        self.plain().parse().unwrap_or(f64::NAN)
    }

    /// Compares values exactly and leaves the units aside.
    pub fn cmp_value(&self, other: &Self) -> Ordering {
        let ((one, scale), (other, its)) = (self.normalised(), other.normalised());
        match scale.cmp(&its) {
            Ordering::Equal => one.cmp(&other),
            Ordering::Less => shifted_cmp(one, its - scale, other),
            Ordering::Greater => shifted_cmp(other, scale - its, one).reverse(),
        }
    }

    fn digits(&self) -> (&'static str, String, String) {
        let sign = if self.mantissa < 0 { "-" } else { "" };
        let digits = self.mantissa.unsigned_abs().to_string();
        let scale = usize::try_from(self.scale.min(MAX_SCALE)).unwrap_or(0);
        // At least one digit before the point.
        let padded = format!("{digits:0>width$}", width = scale + 1);
        let (whole, fraction) = padded.split_at(padded.len() - scale);
        (sign, whole.to_owned(), fraction.to_owned())
    }
}

/// No number in a document has more decimal places; what claims to would fill the memory when written out.
pub(crate) const MAX_SCALE: u32 = 1_000;

/// Compares `one × 10^shift` with `other`.
fn shifted_cmp(one: i128, shift: u32, other: i128) -> Ordering {
    match 10_i128.checked_pow(shift).and_then(|factor| one.checked_mul(factor)) {
        Some(one) => one.cmp(&other),
        // Larger than any mantissa, so its sign decides.
        None => one.cmp(&0),
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.normalised() == other.normalised() && self.unit == other.unit
    }
}

impl Eq for Number {}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.normalised().hash(state);
        self.unit.hash(state);
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.cmp_value(other).then_with(|| self.unit.cmp(&other.unit))
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parses() {
        for (text, expected) in [
            ("0", Some((0, 0))),
            ("-12.50", Some((-1250, 2))),
            ("+7", Some((7, 0))),
            (".5", Some((5, 1))),
            ("5.", Some((5, 0))),
            ("29915000000", Some((29_915_000_000, 0))),
            ("", None),
            ("-", None),
            (".", None),
            ("1,000", None),
            ("1e3", None),
            ("1.2.3", None),
            ("170141183460469231731687303715884105727", Some((i128::MAX, 0))),
            ("-170141183460469231731687303715884105728", Some((i128::MIN, 0))),
            ("170141183460469231731687303715884105728", None),
        ] {
            let found = Number::parse_plain(text).map(|number| (number.mantissa, number.scale));
            assert_eq!(found, expected, "{text}");
        }
        for (text, expected) in [
            ("1.5E9", Some("1500000000")),
            ("1.5e-3", Some("0.0015")),
            ("-2E0", Some("-2")),
            (" 10 ", Some("10")),
            ("0e999999", Some("0")),
            ("1e40", None),
            ("1e-4000", None),
            ("INF", None),
            ("NaN", None),
            ("1e", None),
            ("1e99999999999999999999", None),
        ] {
            assert_eq!(Number::from_xsd(text).map(|number| number.plain()).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn equal_by_value_and_unit() {
        let one = Number::parse_plain("1.50").unwrap().with_unit("USD").with_written("a dollar fifty");
        assert_eq!(one, Number::parse_plain("1.5").unwrap().with_unit("USD"));
        assert_ne!(one, Number::parse_plain("1.5").unwrap().with_unit("EUR"));
        assert_ne!(one, Number::parse_plain("1.51").unwrap().with_unit("USD"));
        assert_eq!(Number::new(100, 2), Number::new(1, 0));
        assert_eq!(Number::new(0, 5), Number::new(0, 0));
    }

    proptest! {
        #[test]
        fn plain_round_trips(mantissa: i128, scale in 0u32..60) {
            let number = Number::new(mantissa, scale);
            let back = Number::parse_plain(&number.plain());
            prop_assert_eq!(back.as_ref().map(|back| (back.mantissa, back.scale)), Some((mantissa, scale)));
        }

        #[test]
        fn ordered_as_doubles(one in -1_000_000i128..1_000_000, s in 0u32..9, other in -1_000_000i128..1_000_000, t in 0u32..9) {
            let (one, other) = (Number::new(one, s), Number::new(other, t));
            let expected = one.to_f64().partial_cmp(&other.to_f64()).unwrap();
            prop_assert_eq!(one.cmp_value(&other), expected);
            prop_assert_eq!(one == other, expected == Ordering::Equal);
        }
    }
}
