//! What a question asks for beside the relation and the kind of answer: years, and words that narrow or turn round.

use super::expected::{self, Expected};
use std::ops::Range;

/// Constraints read from a folded question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraints {
    /// Years named outside of mentions, in order, each once.
    pub years: Vec<i32>,
    /// Where they stand (byte ranges in the folded question), with a "fy" or "年" that belongs to them.
    pub year_spans: Vec<Range<usize>>,
    /// The kind of answer.
    pub expected: Expected,
}

/// Reads the constraints of a folded question; what lies inside a mention is part of a name and no constraint.
pub fn read(folded: &str, mentions: &[Range<usize>]) -> Constraints {
    let inside = |span: &Range<usize>| mentions.iter().any(|m| m.start < span.end && span.start < m.end);
    let mut years = Vec::new();
    let mut year_spans = Vec::new();
    for (span, year) in year_candidates(folded) {
        if !inside(&span) {
            if !years.contains(&year) {
                years.push(year);
            }
            year_spans.push(span);
        }
    }
    Constraints { years, year_spans, expected: expected::of(folded) }
}

/// Words that narrow, turn round or compute what is asked for. None of it can be done yet, so a question that has one is answered
/// only when the path's own wordings say it too ("largest city", "revenue growth").
const RESTRICTING: &[&str] = &[
    "not",
    "no",
    "never",
    "except",
    "without",
    "before",
    "after",
    "since",
    "until",
    "between",
    "quarter",
    "quarterly",
    "q1",
    "q2",
    "q3",
    "q4",
    "half",
    "month",
    "monthly",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "week",
    "daily",
    "growth",
    "grow",
    "grew",
    "increase",
    "increased",
    "decrease",
    "decreased",
    "change",
    "changed",
    "ratio",
    "per",
    "average",
    "mean",
    "median",
    "difference",
    "compared",
    "compare",
    "greater",
    "larger",
    "bigger",
    "more",
    "less",
    "fewer",
    "higher",
    "lower",
    "most",
    "least",
    "highest",
    "lowest",
    "largest",
    "smallest",
    "biggest",
    "longest",
    "oldest",
    "newest",
    "both",
    "total",
    "combined",
    "previous",
    "deputy",
    "vice",
    "acting",
    "interim",
    "next",
    "upcoming",
    "future",
    "former",
    "formerly",
    "previously",
    "used",
    "once",
    "ex",
    "first",
    "last",
    "outgoing",
    "incoming",
    "percent",
    "percentage",
    "除了",
    "不是",
    "没有",
    "之前",
    "前任",
    "上一任",
    "前首",
    "下一任",
    "下任",
    "未来",
    "即将",
    "曾任",
    "原来",
    "首任",
    "历任",
    "副总",
    "副主",
    "副省",
    "副市",
    "以前",
    "之后",
    "以后",
    "季度",
    "月",
    "上半年",
    "下半年",
    "增长",
    "下降",
    "减少",
    "增加",
    "变化",
    "平均",
    "相比",
    "同比",
    "环比",
    "比例",
    "占比",
    "差额",
    "最大",
    "最小",
    "最高",
    "最低",
    "最多",
    "最少",
    "更多",
    "更少",
    "合计",
    "总共",
    "一共有",
];

/// The restricting words of a folded question.
pub fn restrictions(folded: &str) -> Vec<&'static str> {
    let words: Vec<&str> = folded.split(|c: char| !c.is_alphanumeric()).collect();
    let named = |word: &&&str| if word.is_ascii() { words.contains(*word) } else { folded.contains(**word) };
    RESTRICTING.iter().filter(named).copied().collect()
}

fn year_candidates(text: &str) -> Vec<(Range<usize>, i32)> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(offset) = text[start..].find(|c| digit(c).is_some()) {
        let begin = start + offset;
        let run = &text[begin..];
        let length = run.find(|c| digit(c).is_none()).unwrap_or(run.len());
        let mut end = begin + length;
        let digits: Vec<i32> = text[begin..end].chars().filter_map(digit).collect();
        let before = &text[..begin];
        let after = &text[end..];
        start = end;
        // Digits beside a separator and further digits ("2,023", "3.2023") or glued to letters ("b2023") are no year.
        let number_goes_on =
            after.strip_prefix([',', '.']).is_some_and(|rest| rest.starts_with(|c| digit(c).is_some()))
                || before.strip_suffix([',', '.']).is_some_and(|rest| rest.ends_with(|c| digit(c).is_some()));
        let fiscal = before.ends_with("fy") || before.ends_with("fy ");
        let glued = !fiscal && before.chars().next_back().is_some_and(|c| c.is_ascii_alphabetic());
        if number_goes_on || glued {
            continue;
        }
        let value = digits.iter().fold(0, |sum, digit| (sum * 10 + digit) % 100_000);
        let year = match digits.len() {
            4 if (1000..2200).contains(&value) => value,
            2 if fiscal => 2000 + value,
            _ => continue,
        };
        let begin = if fiscal { begin - if before.ends_with(' ') { 3 } else { 2 } } else { begin };
        for suffix in ["年度", "财年", "年"] {
            if after.starts_with(suffix) {
                end += suffix.len();
                break;
            }
        }
        found.push((begin..end, year));
    }
    found
}

/// A decimal digit, also as it is written in Chinese years (二〇二三).
fn digit(c: char) -> Option<i32> {
    const CHINESE: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let c = if c == '零' { '〇' } else { c };
    c.to_digit(10)
        .map(|digit| digit as i32)
        .or_else(|| CHINESE.iter().position(|written| *written == c).map(|digit| digit as i32))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::{Expected, read};

    #[test]
    fn years_and_kinds() {
        let table: &[(&str, &[i32], Expected)] = &[
            ("what was apple's revenue in 2023?", &[2023], Expected::Anything),
            ("苹果公司2023年研发投入是多少?", &[2023], Expected::Quantity),
            ("二〇二三年苹果公司的营收", &[2023], Expected::Anything),
            ("二零二三年苹果公司的营收", &[2023], Expected::Anything),
            ("how old is the ceo of apple", &[], Expected::Quantity),
            ("fy23 revenue", &[2023], Expected::Anything),
            ("fy 2023 and fy2022", &[2023, 2022], Expected::Anything),
            ("how many of 2,023 people", &[], Expected::Quantity),
            ("model b2023", &[], Expected::Anything),
            ("when was it founded", &[], Expected::Time),
            ("谁是首席执行官", &[], Expected::Someone),
            ("12345678901234567890", &[], Expected::Anything),
            ("", &[], Expected::Anything),
        ];
        for (question, years, kind) in table {
            let found = read(question, &[]);
            assert_eq!((found.years.as_slice(), found.expected), (*years, *kind), "{question}");
        }
    }

    #[test]
    fn restricting_words() {
        let table: &[(&str, &[&str])] = &[
            ("what was apple's revenue in the third quarter of 2023?", &["quarter"]),
            ("who is not the ceo of apple?", &["not"]),
            ("apple's revenue per employee", &["per"]),
            ("the person who notes it", &[]),
            ("苹果公司2023年第三季度的营收是多少?", &["季度"]),
            ("中国最大的城市", &["最大"]),
            ("", &[]),
        ];
        for (question, expected) in table {
            assert_eq!(super::restrictions(question), *expected, "{question}");
        }
    }

    #[test]
    fn a_year_inside_a_name_is_no_constraint() {
        let question = "who won expo 2010 in 2011?";
        let span = 8..17;
        assert_eq!(&question[span.clone()], "expo 2010");
        assert_eq!(read(question, &[span]).years, [2011]);
    }
}
