//! Sentences that do not state what they say.

use crate::text::{Letters, is_cjk};

/// Words that take back or put off the whole sentence.
const HEDGES: &[&str] = &[
    "if",
    "whether",
    "expect",
    "expects",
    "expected",
    "expecting",
    "forecast",
    "forecasts",
    "forecasted",
    "projected",
    "projects",
    "would",
    "could",
    "might",
    "may",
    "should",
    "will",
    "plans",
    "planned",
    "hopes",
    "aims",
    "targeting",
    "rumored",
    "rumoured",
    "allegedly",
    "reportedly",
    "supposedly",
    "denied",
    "denies",
    "deny",
    "false",
    "falsely",
    "untrue",
    "wrong",
    "hypothetically",
    "suppose",
    "assuming",
    "imagine",
    "predicted",
    "predicts",
    "believe",
    "believes",
    "believed",
    "nobody",
    "perhaps",
    "maybe",
    "rumor",
    "rumors",
    "rumour",
    "rumours",
    "dream",
    "dreams",
    "dreamt",
    "pretend",
    "pretends",
    "pretended",
    "estimated to",
];

/// Words that deny within their clause.
const DENIALS: &[&str] = &[
    "not",
    "never",
    "no",
    "cannot",
    "neither",
    "nor",
    "without",
    "hardly",
    "unlike",
    "former",
    "formerly",
    "previously",
    "once",
];

const CHINESE_HEDGES: &[&str] = &[
    "预计",
    "预期",
    "预测",
    "可能",
    "如果",
    "假如",
    "假设",
    "倘若",
    "据传",
    "传闻",
    "否认",
    "有望",
    "将会",
    "或将",
    "是否",
    "计划",
    "并非事实",
    "错误",
    "谣言",
    "传言",
    "也许",
    "或许",
    "梦见",
    "没人相信",
];
const CHINESE_DENIALS: &[&str] = &["不", "未", "没有", "并非", "非", "无", "曾经", "原来", "前任"];

/// Periods that are finer than a year.
const FINER: &[&str] =
    &["quarter", "quarterly", "q1", "q2", "q3", "q4", "half", "h1", "h2", "months", "month", "week", "monthly"];
const CHINESE_FINER: &[&str] = &["季度", "上半年", "下半年", "半年", "个月", "单月", "第一季", "首季"];

pub(super) fn is_question(letters: &Letters<'_>) -> bool {
    let mut end = letters.len();
    while matches!(letters.before(end), '"' | ')' | '」' | '』') {
        end -= 1;
    }
    matches!(letters.before(end), '?' | '吗')
}

/// Whether the words in `before` (the sentence up to the match) or a slot hedge or deny what follows. `before` must not hold the
/// wording's own words.
pub(super) fn takes_back(letters: &Letters<'_>, before: usize) -> bool {
    let clause = (0..before).rev().find(|at| is_clause_mark(letters, *at)).map_or(0, |at| at + 1);
    has_word(letters, 0, before, HEDGES)
        || has_word(letters, clause, before, DENIALS)
        || has_part(letters, 0, before, CHINESE_HEDGES)
        || has_part(letters, clause, before, CHINESE_DENIALS)
}

/// Words that make something else of what a sentence seems to say, wherever they stand.
const TURNS: &[&str] =
    &["nearly", "almost", "until", "except", "besides", "thinks", "says", "said", "claims", "claimed"];
const CHINESE_TURNS: &[&str] = &["曾", "差点", "几乎", "不再", "据说", "声称", "有人"];

/// Whether any word of a sentence hedges, denies or puts off.
pub(super) fn takes_anything_back(letters: &Letters<'_>) -> bool {
    let end = letters.len();
    [HEDGES, DENIALS, TURNS].iter().any(|words| has_word(letters, 0, end, words))
        || [CHINESE_HEDGES, CHINESE_DENIALS, CHINESE_TURNS].iter().any(|parts| has_part(letters, 0, end, parts))
}

/// Whether a period finer than a year is named between `from` and `to`.
pub(super) fn is_finer_than_a_year(letters: &Letters<'_>, from: usize, to: usize) -> bool {
    has_word(letters, from, to, FINER) || has_part(letters, from, to, CHINESE_FINER)
}

/// Whether Chinese words of expecting or doubting stand between `from` and `to`.
pub(super) fn hedged(letters: &Letters<'_>, from: usize, to: usize) -> bool {
    has_part(letters, from, to, CHINESE_HEDGES)
}

/// Whether a name holds words that no name has.
pub(super) fn is_no_name(letters: &Letters<'_>, from: usize, to: usize) -> bool {
    has_word(letters, from, to, HEDGES)
        || has_word(
            letters,
            from,
            to,
            &["not", "never", "is", "was", "are", "were", "which", "that", "who", "be", "been", "has", "had", "have"],
        )
}

/// A mark that separates clauses; a comma in a number does not.
pub(super) fn is_clause_mark(letters: &Letters<'_>, at: usize) -> bool {
    match letters.at(at) {
        ',' | '.' | ':' => {
            !(letters.digit(at + 1).is_some() && letters.before(at).is_ascii_digit())
                && (is_cjk(letters.at(at + 1))
                    || letters.at(at + 1) == ' '
                    || letters.at(at + 1) == '\0'
                    || is_cjk(letters.before(at)))
        }
        ';' | '!' | '?' | '(' | ')' | '。' | '、' | '"' | '“' | '”' | '《' | '》' | '[' | ']' | '\0' => true,
        _ => false,
    }
}

/// Whole words, in small letters: "may" is a hedge, "May" a month. Only the sentence's first word may be capitalised and count.
fn has_word(letters: &Letters<'_>, from: usize, to: usize, words: &[&str]) -> bool {
    let counts = |at: usize, word: &str| !letters.is_upper(at) || (at == 0 && !matches!(word, "may" | "will"));
    let whole = |at: usize| {
        words.iter().any(|word| letters.words_at(at, word).is_some_and(|end| end <= to) && counts(at, word))
    };
    (from..to).any(|at| (letters.is_edge(at) && whole(at)) || (at + 3 <= to && letters.key(at..at + 3) == "n't"))
}

fn has_part(letters: &Letters<'_>, from: usize, to: usize, parts: &[&str]) -> bool {
    let words = letters.key(from..to.max(from));
    parts.iter().any(|part| words.contains(part))
}
