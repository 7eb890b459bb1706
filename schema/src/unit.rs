//! Units by name: the words for each, and which of them measure the same thing.

use crate::normal::fold;

/// What a unit measures. Amounts of different kinds are never taken for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Money.
    Currency,
    /// Parts of a whole.
    Share,
    /// Areas.
    Area,
    /// Lengths.
    Length,
    /// Masses.
    Mass,
    /// Durations.
    Time,
    /// "161,000 people": a noun that says what was counted, and no unit.
    Count,
}

/// One unit with its words in folded form. Several symbols: the word alone does not say which.
#[derive(Debug)]
pub struct Unit {
    /// What it measures.
    pub kind: Kind,
    /// As they are stored; several where the words alone do not say which.
    pub symbols: &'static [&'static str],
    /// In folded form.
    pub words: &'static [&'static str],
}

const fn unit(kind: Kind, symbols: &'static [&'static str], words: &'static [&'static str]) -> Unit {
    Unit { kind, symbols, words }
}

/// All that are known.
pub static UNITS: &[Unit] = &[
    unit(
        Kind::Currency,
        &["USD"],
        &[
            "us$",
            "$",
            "usd",
            "us dollars",
            "us dollar",
            "u.s. dollars",
            "u.s. dollar",
            "american dollars",
            "dollars",
            "dollar",
            "美元",
            "美金",
        ],
    ),
    unit(Kind::Currency, &["EUR"], &["€", "eur", "euros", "euro", "欧元"]),
    unit(Kind::Currency, &["GBP"], &["£", "gbp", "pounds sterling", "british pounds", "英镑"]),
    unit(Kind::Currency, &["CNY", "JPY"], &["¥"]),
    unit(Kind::Currency, &["JPY"], &["jpy", "yen", "japanese yen", "日元", "日圆"]),
    unit(Kind::Currency, &["CNY"], &["cny", "rmb", "yuan", "renminbi", "元人民币", "人民币元", "人民币", "元"]),
    unit(Kind::Currency, &["HKD"], &["hk$", "hkd", "hong kong dollars", "港元", "港币"]),
    unit(Kind::Currency, &["TWD"], &["nt$", "twd", "新台币", "新台币元"]),
    unit(Kind::Currency, &["KRW"], &["₩", "krw", "won", "korean won", "韩元"]),
    unit(Kind::Currency, &["INR"], &["₹", "inr", "rupees", "indian rupees", "卢比"]),
    unit(Kind::Currency, &["CHF"], &["chf", "swiss francs", "swiss franc", "瑞士法郎"]),
    unit(Kind::Currency, &["CAD"], &["c$", "ca$", "cad", "canadian dollars", "加元"]),
    unit(Kind::Currency, &["AUD"], &["a$", "au$", "aud", "australian dollars", "澳元"]),
    unit(Kind::Currency, &["SEK"], &["sek", "swedish kronor", "瑞典克朗"]),
    unit(Kind::Currency, &["DKK"], &["dkk", "danish kroner", "丹麦克朗"]),
    unit(Kind::Share, &["%"], &["%", "percent", "per cent"]),
    unit(
        Kind::Area,
        &["km²"],
        &[
            "km2",
            "sq km",
            "sq. km",
            "square kilometers",
            "square kilometres",
            "square kilometer",
            "square kilometre",
            "平方公里",
            "平方千米",
        ],
    ),
    unit(Kind::Area, &["mi²"], &["mi2", "sq mi", "sq. mi", "square miles", "square mile", "平方英里"]),
    unit(Kind::Area, &["m²"], &["m2", "sq m", "square meters", "square metres", "平方米"]),
    unit(Kind::Area, &["ha"], &["ha", "hectares", "hectare", "公顷"]),
    unit(Kind::Area, &["mu"], &["亩"]),
    unit(Kind::Length, &["km"], &["km", "kilometers", "kilometres", "kilometer", "kilometre", "公里", "千米"]),
    unit(Kind::Length, &["m"], &["m", "meters", "metres", "meter", "metre", "米"]),
    unit(Kind::Length, &["cm"], &["cm", "centimeters", "centimetres", "厘米"]),
    unit(Kind::Length, &["mm"], &["mm", "millimeters", "millimetres", "毫米"]),
    unit(Kind::Length, &["mi"], &["mi", "miles", "mile", "英里"]),
    unit(Kind::Mass, &["t"], &["t", "tonnes", "tonne", "metric tons", "吨"]),
    unit(Kind::Mass, &["kg"], &["kg", "kilograms", "kilogram", "千克", "公斤"]),
    unit(Kind::Mass, &["g"], &["g", "grams", "gram", "克"]),
    unit(Kind::Mass, &["mg"], &["mg", "milligrams", "milligram", "毫克"]),
    unit(Kind::Time, &["months"], &["months", "month", "个月"]),
    unit(Kind::Time, &["years"], &["years", "year"]),
    unit(Kind::Time, &["days"], &["days", "day", "天"]),
    unit(Kind::Time, &["hours"], &["h", "hours", "hour", "小时"]),
    unit(Kind::Time, &["minutes"], &["min", "minutes", "minute", "分钟"]),
    unit(
        Kind::Count,
        &[],
        &[
            "people",
            "persons",
            "inhabitants",
            "residents",
            "employees",
            "staff",
            "人",
            "名员工",
            "名",
            "位",
            "个",
            "家",
        ],
    ),
];

/// The unit that a word or symbol stands for.
pub fn named(word: &str) -> Option<&'static Unit> {
    let word = fold(word);
    UNITS.iter().find(|unit| unit.words.contains(&word.as_str()))
}

impl Unit {
    /// The symbol to store, in the schema's own spelling where the schema means this unit. `None` where the word alone does not
    /// say which unit is meant, or where a count needs none.
    pub fn symbol(&self, expected: Option<&str>) -> Option<String> {
        if let Some(expected) = expected {
            let folded = fold(expected);
            let same =
                self.symbols.iter().any(|symbol| fold(symbol) == folded) || self.words.contains(&folded.as_str());
            if same {
                return Some(expected.to_owned());
            }
        }
        match self.symbols {
            [only] => Some((*only).to_owned()),
            _ => None,
        }
    }
}
