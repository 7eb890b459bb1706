//! How numbers and dates are said in a reader's language where the source's own words are in another script.
//!
//! Said is said exactly: a scale word (billion, 亿) is used where a few decimals are enough for all digits, and never where
//! one would have to be rounded away.

use super::{Date, Number};
use factmask_schema::Text;

/// A language with words of its own for numbers, units and dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tongue {
    Chinese,
    English,
}

/// How one unit is called.
struct UnitWords {
    symbol: &'static str,
    /// Stands behind the number.
    chinese: &'static str,
    /// Stands before the number; for money alone.
    english: Option<&'static str>,
}

const fn money(symbol: &'static str, chinese: &'static str, english: &'static str) -> UnitWords {
    UnitWords { symbol, chinese, english: Some(english) }
}

const fn measure(symbol: &'static str, chinese: &'static str) -> UnitWords {
    UnitWords { symbol, chinese, english: None }
}

/// A sign that means two currencies ("¥") is written as the code.
const UNITS: [UnitWords; 33] = [
    money("USD", "美元", "$"),
    money("EUR", "欧元", "€"),
    money("GBP", "英镑", "£"),
    money("CNY", "元", "CNY "),
    money("JPY", "日元", "JPY "),
    money("HKD", "港元", "HK$"),
    money("TWD", "新台币", "NT$"),
    money("KRW", "韩元", "₩"),
    money("INR", "卢比", "₹"),
    money("CHF", "瑞士法郎", "CHF "),
    money("CAD", "加元", "C$"),
    money("AUD", "澳元", "A$"),
    money("SEK", "瑞典克朗", "SEK "),
    money("DKK", "丹麦克朗", "DKK "),
    measure("%", "%"),
    measure("km²", "平方公里"),
    measure("mi²", "平方英里"),
    measure("m²", "平方米"),
    measure("ha", "公顷"),
    measure("km", "公里"),
    measure("m", "米"),
    measure("cm", "厘米"),
    measure("mm", "毫米"),
    measure("mi", "英里"),
    measure("t", "吨"),
    measure("kg", "千克"),
    measure("g", "克"),
    measure("mg", "毫克"),
    measure("months", "个月"),
    measure("years", "年"),
    measure("days", "天"),
    measure("hours", "小时"),
    measure("minutes", "分钟"),
];

/// How a language shortens large numbers.
struct Scales {
    /// Powers of ten with their words, the largest first.
    words: [(u32, &'static str); 3],
    /// Decimals before such a word, at most. With more, the digits are easier to read as they are.
    decimals: u32,
    /// How the digits before such a word are written.
    digits: fn(&Number) -> String,
}

const CHINESE: Scales = Scales { words: [(12, "万亿"), (8, "亿"), (4, "万")], decimals: 4, digits: Number::plain };
/// For money; other amounts are said in digits.
const ENGLISH: Scales =
    Scales { words: [(12, " trillion"), (9, " billion"), (6, " million")], decimals: 3, digits: Number::grouped };

impl Number {
    /// The number in words of `lang`: as the source wrote it where a reader of `lang` can read that, else composed, with its
    /// unit: "29,915,000,000" US dollars are `$29.915 billion` and `299.15亿美元`. Always exact.
    pub fn said(&self, lang: &str) -> String {
        match readable(self.written.as_deref(), lang) {
            Some(written) => written.to_owned(),
            None => match tongue(lang) {
                Tongue::Chinese => self.chinese(),
                Tongue::English => self.english(),
            },
        }
    }

    fn chinese(&self) -> String {
        let number = self.scaled(&CHINESE);
        match self.unit.as_deref() {
            None => number,
            Some(unit) => match words(unit) {
                Some(words) => format!("{number}{}", words.chinese),
                None => format!("{number} {unit}"),
            },
        }
    }

    fn english(&self) -> String {
        match self.unit.as_deref() {
            None => self.grouped(),
            Some("%") => format!("{}%", self.grouped()),
            Some(unit) => match words(unit).and_then(|words| words.english) {
                Some(sign) => {
                    let number = self.scaled(&ENGLISH);
                    match number.strip_prefix('-') {
                        Some(positive) => format!("-{sign}{positive}"),
                        None => format!("{sign}{number}"),
                    }
                }
                None => format!("{} {unit}", self.grouped()),
            },
        }
    }

    /// Before the largest scale word that does not exceed it where so many decimals hold all digits; else grouped digits.
    fn scaled(&self, scales: &Scales) -> String {
        let (mantissa, scale) = self.normalised();
        let reaches = |power: u32| {
            let one = 10_u128.checked_pow(scale.saturating_add(power));
            one.is_some_and(|one| mantissa.unsigned_abs() >= one)
        };
        let word = scales.words.iter().find(|(power, _)| reaches(*power)).and_then(|(power, word)| {
            let (mantissa, scale) = Self::new(mantissa, scale.saturating_add(*power)).normalised();
            (scale <= scales.decimals).then(|| format!("{}{word}", (scales.digits)(&Self::new(mantissa, scale))))
        });
        word.unwrap_or_else(|| self.grouped())
    }
}

impl Date {
    /// The date in words of `lang`: as the source wrote it where a reader of `lang` can read that, else `2023年9月30日` in
    /// Chinese and ISO 8601 elsewhere. A year is said as its digits: a wording brings its own "fiscal year" or "财年", and what
    /// stood around the year in the source would double it.
    pub fn said(&self, lang: &str) -> String {
        let Some(month) = self.month else { return self.iso() };
        if let Some(written) = readable(self.written.as_deref(), lang) {
            return written.to_owned();
        }
        match (tongue(lang), self.year, self.day) {
            (Tongue::Chinese, 1.., Some(day)) => format!("{}年{month}月{day}日", self.year),
            (Tongue::Chinese, 1.., None) => format!("{}年{month}月", self.year),
            _ => self.iso(),
        }
    }
}

fn tongue(lang: &str) -> Tongue {
    if Text::same_language(lang, "zh") { Tongue::Chinese } else { Tongue::English }
}

fn words(unit: &str) -> Option<&'static UnitWords> {
    UNITS.iter().find(|words| words.symbol == unit)
}

/// The source's words, unless they are in a script that the reader's language is not written with: Han characters for most,
/// Latin letters alone for Chinese. Figures and signs ("$5") are everybody's.
fn readable<'a>(written: Option<&'a str>, lang: &str) -> Option<&'a str> {
    let han =
        |char: char| matches!(char, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}');
    let reads_han = ["zh", "ja", "ko"].iter().any(|other| Text::same_language(lang, other));
    written.filter(|words| match (tongue(lang), words.contains(han)) {
        (_, true) => reads_han,
        (Tongue::Chinese, false) => !words.contains(char::is_alphabetic),
        (Tongue::English, false) => true,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn numbers_in_both_languages() {
        for (digits, unit, written, english, chinese) in [
            ("29915000000", "USD", "$29.915 billion", "$29.915 billion", "299.15亿美元"),
            ("29915000000", "USD", "299.15 亿美元", "$29.915 billion", "299.15 亿美元"),
            ("29915000000.00", "USD", "", "$29.915 billion", "299.15亿美元"),
            // Not one digit is rounded away.
            ("29915000001", "USD", "", "$29,915,000,001", "29,915,000,001美元"),
            ("-3500000", "USD", "", "-$3.5 million", "-350万美元"),
            ("1400000000000", "CNY", "1.4万亿元", "CNY 1.4 trillion", "1.4万亿元"),
            ("164691000000", "CNY", "CNY 164.691 billion", "CNY 164.691 billion", "1646.91亿元"),
            ("999999.99", "EUR", "", "€999,999.99", "999,999.99欧元"),
            ("5", "USD", "$5", "$5", "$5"),
            ("161000", "", "", "161,000", "16.1万"),
            ("126012510", "", "", "126,012,510", "126,012,510"),
            ("9999", "", "", "9,999", "9,999"),
            ("10000", "", "", "10,000", "1万"),
            ("12.50", "%", "", "12.50%", "12.50%"),
            ("14", "%", "14 percent", "14 percent", "14%"),
            ("179800", "km²", "17.98万平方公里", "179,800 km²", "17.98万平方公里"),
            ("357022", "km²", "357,022 km²", "357,022 km²", "35.7022万平方公里"),
            ("10", "mg/m2", "10 mg/m2", "10 mg/m2", "10 mg/m2"),
            ("-999", "", "", "-999", "-999"),
            ("0.005", "", "", "0.005", "0.005"),
            ("0", "USD", "", "$0", "0美元"),
        ] {
            let number = Number::parse_plain(digits).unwrap().with_unit(unit).with_written(written);
            assert_eq!(
                (number.said("en").as_str(), number.said("zh-CN").as_str()),
                (english, chinese),
                "{digits} {unit}"
            );
        }
        assert_eq!(Number::new(i128::MIN, 0).said("zh"), "-170,141,183,460,469,231,731,687,303,715,884,105,728");
    }

    #[test]
    fn dates_in_both_languages() {
        for (iso, written, english, chinese) in [
            ("2023-09-30", "", "2023-09-30", "2023年9月30日"),
            ("2023-09-30", "September 30, 2023", "September 30, 2023", "2023年9月30日"),
            ("2023-09-30", "2023 年 9 月 30 日", "2023-09-30", "2023 年 9 月 30 日"),
            ("2023-09-30", "2023/9/30", "2023/9/30", "2023/9/30"),
            ("2023-09", "", "2023-09", "2023年9月"),
            ("2023", "2023年", "2023", "2023"),
            ("-0044-03-15", "", "-0044-03-15", "-0044-03-15"),
        ] {
            let date = Date::from_xsd(iso).unwrap().with_written(written);
            assert_eq!((date.said("en").as_str(), date.said("zh").as_str()), (english, chinese), "{iso} {written}");
        }
    }
}
