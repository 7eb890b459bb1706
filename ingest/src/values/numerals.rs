//! Digits and scale words, in English and Chinese.

use super::units::{unit_at, word_at};
use crate::text::Letters;
use factmask_schema::normal::fold;

/// `mantissa × 10^-scale`, exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    pub(crate) mantissa: i128,
    pub(crate) scale: u32,
}

impl Decimal {
    /// Times `10^power`; `None` when it does not fit.
    pub(crate) fn scaled(self, power: u32) -> Option<Self> {
        if power <= self.scale {
            return Some(Self { mantissa: self.mantissa, scale: self.scale - power });
        }
        let factor = 10_i128.checked_pow(power - self.scale)?;
        Some(Self { mantissa: self.mantissa.checked_mul(factor)?, scale: 0 })
    }

    fn plus(self, other: Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let raise = |value: Self| value.mantissa.checked_mul(10_i128.checked_pow(scale - value.scale)?);
        Some(Self { mantissa: raise(self)?.checked_add(raise(other)?)?, scale })
    }
}

/// Digits (or Chinese numerals) with everything that multiplies them: "3.5 billion", "3亿5000万", "两百万".
pub(super) fn body(letters: &Letters<'_>, at: usize, money: bool) -> Option<(Decimal, usize)> {
    let (digits, mut end) = match digits(letters, at) {
        Some(found) => found,
        None => return chinese_numeral(letters, at),
    };
    let (power, behind) = chinese_scale(letters, end);
    if power > 0 {
        let mut value = digits.scaled(power)?;
        end = behind;
        // "3亿5000万": the rest is smaller than what it is added to.
        if letters.digit(end).is_some()
            && let Some((rest, stop)) = body(letters, end, money)
            && rest.scale == 0
            && rest.mantissa < 10_i128.checked_pow(power)?
        {
            value = value.plus(rest)?;
            end = stop;
        }
        return Some((value, end));
    }
    match english_scale(letters, end, money) {
        Some((power, behind)) => Some((digits.scaled(power)?, behind)),
        None => Some((digits, end)),
    }
}

/// "1,234,567.89": groups of three behind a comma, an apostrophe or a no-break space.
fn digits(letters: &Letters<'_>, at: usize) -> Option<(Decimal, usize)> {
    let mut end = at;
    let mut mantissa: i128 = 0;
    let mut group = 0;
    let mut push = |digit: u8| -> Option<()> {
        mantissa = mantissa.checked_mul(10)?.checked_add(i128::from(digit))?;
        Some(())
    };
    let mut grouped = false;
    loop {
        if let Some(digit) = letters.digit(end) {
            push(digit)?;
            group += 1;
            end += 1;
            continue;
        }
        let three = (1..=3).all(|ahead| letters.digit(end + ahead).is_some()) && letters.digit(end + 4).is_none();
        let full = if grouped { group == 3 } else { (1..=3).contains(&group) };
        let separator = match letters.at(end) {
            ',' | '\'' => true,
            ' ' => matches!(letters.written(end..end + 1), "\u{a0}" | "\u{202f}" | "\u{2009}"),
            _ => false,
        };
        if !(separator && three && full) {
            break;
        }
        grouped = true;
        group = 0;
        end += 1;
    }
    if end == at {
        return None;
    }
    let mut scale = 0;
    if letters.at(end) == '.' && letters.digit(end + 1).is_some() {
        end += 1;
        while let Some(digit) = letters.digit(end) {
            push(digit)?;
            scale += 1;
            end += 1;
        }
    }
    Some((Decimal { mantissa, scale }, end))
}

/// "1.5e9", as `xsd:double` is written.
pub(super) fn exponent(letters: &Letters<'_>, at: usize) -> Option<(i32, usize)> {
    if letters.at(at) != 'e' {
        return None;
    }
    let (negative, mut end) = match letters.at(at + 1) {
        '-' => (true, at + 2),
        '+' => (false, at + 2),
        _ => (false, at + 1),
    };
    let first = end;
    let mut power: i32 = 0;
    while let Some(digit) = letters.digit(end) {
        power = power.checked_mul(10)?.checked_add(i32::from(digit))?;
        end += 1;
    }
    let fits = end > first && power <= 30 && !letters.at(end).is_alphabetic();
    fits.then_some((if negative { -power } else { power }, end))
}

const ENGLISH_SCALES: &[(&str, u32)] = &[
    ("hundred", 2),
    ("thousand", 3),
    ("thousands", 3),
    ("million", 6),
    ("millions", 6),
    ("mn", 6),
    ("mln", 6),
    ("billion", 9),
    ("billions", 9),
    ("bn", 9),
    ("bln", 9),
    ("trillion", 12),
    ("trillions", 12),
    ("tn", 12),
    ("trn", 12),
];

/// Single letters multiply money alone: "5m" may be five metres.
const MONEY_SCALES: &[(&str, u32)] = &[("k", 3), ("m", 6), ("mm", 6), ("b", 9), ("t", 12)];

fn english_scale(letters: &Letters<'_>, at: usize, money: bool) -> Option<(u32, usize)> {
    let word = match letters.at(at) {
        ' ' | '-' => at + 1,
        _ => at,
    };
    let among = |scales: &[(&str, u32)], from: usize| {
        scales.iter().find_map(|(name, power)| word_at(letters, from, name).map(|end| (*power, end)))
    };
    among(ENGLISH_SCALES, word).or_else(|| if money { among(MONEY_SCALES, at) } else { None })
}

/// The power of ten of a scale word by itself ("million", "millions", "亿", "百万"), for column headers.
pub(crate) fn scale_word(word: &str) -> Option<u32> {
    let folded = fold(word);
    if let Some((_, power)) = ENGLISH_SCALES.iter().find(|(name, _)| *name == folded) {
        return Some(*power);
    }
    let letters = Letters::new(&folded);
    match chinese_scale(&letters, 0) {
        (power, end) if power > 0 && end == letters.len() => Some(power),
        _ => None,
    }
}

fn chinese_scale(letters: &Letters<'_>, at: usize) -> (u32, usize) {
    let mut power = 0;
    let mut end = at;
    // "5千克" are five kilograms and not five thousand grams: a unit's word may begin like a scale word.
    while let Some(step) = chinese_power(letters.at(end)).filter(|_| unit_at(letters, end).is_none()) {
        power += step;
        end += 1;
        if power > 30 {
            return (0, at);
        }
    }
    (power, end)
}

fn chinese_power(char: char) -> Option<u32> {
    match char {
        '十' => Some(1),
        '百' => Some(2),
        '千' => Some(3),
        '万' | '萬' => Some(4),
        '亿' | '億' => Some(8),
        '兆' => Some(12),
        _ => None,
    }
}

/// A digit of Chinese writing.
pub(crate) fn chinese_digit(char: char) -> Option<u8> {
    "〇一二三四五六七八九".chars().position(|digit| digit == char).and_then(|place| u8::try_from(place).ok()).or(
        match char {
            '零' => Some(0),
            '两' => Some(2),
            _ => None,
        },
    )
}

/// "三百二十一", "两百万", "一亿五千万". Digits in a row ("二〇二三") are a year or a code and no number.
fn chinese_numeral(letters: &Letters<'_>, at: usize) -> Option<(Decimal, usize)> {
    let (mut total, mut section, mut digit): (i128, i128, Option<i128>) = (0, 0, None);
    let mut end = at;
    let mut powers = 0;
    loop {
        let char = letters.at(end);
        if let Some(value) = chinese_digit(char) {
            if digit.is_some_and(|before| before != 0) {
                return None;
            }
            digit = Some(i128::from(value));
        } else if let Some(power) = chinese_power(char) {
            powers += 1;
            let factor = 10_i128.checked_pow(power)?;
            if power >= 4 {
                section = section.checked_add(digit.take().unwrap_or(0))?;
                let below =
                    if total > 0 && power >= 8 { std::mem::take(&mut total).checked_add(section)? } else { section };
                total = total.checked_add(below.max(1).checked_mul(factor)?)?;
                section = 0;
            } else {
                section = section.checked_add(digit.take().unwrap_or(1).checked_mul(factor)?)?;
            }
        } else {
            break;
        }
        end += 1;
    }
    // A single digit is a word more often than a number ("一种", "三星"), unless a unit follows.
    if end == at
        || (powers == 0 && unit_at(letters, end).is_none())
        || chinese_power(letters.at(at)).is_some_and(|power| power > 1)
    {
        return None;
    }
    let mantissa = total.checked_add(section)?.checked_add(digit.unwrap_or(0))?;
    Some((Decimal { mantissa, scale: 0 }, end))
}
