//! Sentences of English and Chinese text.

use super::is_cjk;
use std::ops::Range;

/// The byte ranges of the sentences of one paragraph, in order, without white space around them. A line break does not end a
/// sentence (text files are wrapped); an empty line does.
pub(crate) fn sentences(text: &str) -> Vec<Range<usize>> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut found = Vec::new();
    let mut start = 0;
    let mut index = 0;
    while let Some(&(at, char)) = chars.get(index) {
        let mut end = index + 1;
        let ends = match char {
            '。' | '！' | '？' | '!' | '?' => true,
            '.' => ends_at_dot(&chars, index, text.get(start..at).unwrap_or_default()),
            '\n' => blank_line(&chars, index),
            _ => false,
        };
        if ends {
            // Closing quotes and brackets, and doubled marks, belong to the sentence that they close.
            while chars.get(end).is_some_and(|&(_, next)| {
                matches!(next, '"' | '”' | '’' | ')' | '）' | '」' | '』' | '!' | '?' | '！' | '？' | '。')
            }) {
                end += 1;
            }
            let stop = chars.get(end).map_or(text.len(), |&(at, _)| at);
            push(text, start..stop, &mut found);
            start = stop;
        }
        index = end;
    }
    push(text, start..text.len(), &mut found);
    found
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let raw = text.get(range.clone()).unwrap_or_default();
    let trimmed = raw.trim();
    if !trimmed.is_empty() {
        let start = range.start + (raw.len() - raw.trim_start().len());
        found.push(start..start + trimmed.len());
    }
}

/// A line break that is followed by an empty line.
fn blank_line(chars: &[(usize, char)], index: usize) -> bool {
    let rest = chars.iter().skip(index + 1).map(|&(_, char)| char);
    rest.take_while(|char| char.is_whitespace()).any(|char| char == '\n')
}

/// Words that are written with a dot and seldom end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "vs", "etc", "e.g", "i.e", "cf", "no", "nos", "vol", "fig",
    "figs", "eq", "approx", "ca", "al", "gen", "gov", "sen", "rep", "col", "lt", "sgt", "jan", "feb", "mar", "apr",
    "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "mt", "ft", "u.s", "u.k", "u.n", "e.u", "ph.d", "a.m",
    "p.m", "pp", "ed", "eds", "est", "dept",
];

/// Words that end a company's name, and may end a sentence with it.
const COMPANY_WORDS: &[&str] = &["inc", "corp", "co", "ltd", "llc", "plc", "bros", "s.a", "n.v", "s.p.a", "l.p", "cos"];

fn ends_at_dot(chars: &[(usize, char)], index: usize, before: &str) -> bool {
    let next = chars.get(index + 1).map(|&(_, char)| char);
    match next {
        None => return true,
        Some(next) if next.is_whitespace() || matches!(next, '"' | '”' | '’' | ')' | ']') => {}
        // "3.5", "U.S.", "example.com"; but Chinese text may follow at once.
        Some(next) => return is_cjk(next),
    }
    let word =
        before.rsplit(|char: char| char.is_whitespace() || matches!(char, '(' | '"' | '“')).next().unwrap_or_default();
    let follows = chars.iter().skip(index + 1).map(|&(_, char)| char).find(|char| !char.is_whitespace());
    let capital = follows.is_none_or(|char| char.is_uppercase() || is_cjk(char) || !char.is_alphanumeric());
    let folded = word.to_lowercase();
    let folded = folded.trim_start_matches(|char: char| !char.is_alphanumeric());
    if ABBREVIATIONS.contains(&folded) {
        return false;
    }
    if COMPANY_WORDS.contains(&folded) {
        return capital && starts_clause(chars, index + 1);
    }
    // A single capital is an initial: "J. Smith". "Vitamin C. The" loses a break, which costs less than a broken name.
    let mut letters = folded.chars();
    let initial = letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none();
    !(initial && word.chars().all(char::is_uppercase)) && (capital || follows.is_some_and(char::is_numeric))
}

/// Whether the next word opens a sentence rather than going on with a name: "Apple Inc. The company" against "Apple Inc. Chief".
fn starts_clause(chars: &[(usize, char)], from: usize) -> bool {
    const OPENERS: &[&str] = &[
        "the", "it", "its", "in", "a", "an", "this", "that", "these", "he", "she", "they", "his", "her", "their", "at",
        "on", "as", "for", "with", "by", "and", "but", "however", "after", "before", "since", "when", "while", "we",
        "our", "there", "both",
    ];
    let word: String = chars
        .iter()
        .skip(from)
        .map(|&(_, char)| char)
        .skip_while(|char| char.is_whitespace())
        .take_while(|char| char.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    word.is_empty() || word.chars().all(is_cjk) || OPENERS.contains(&word.as_str())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn splits() {
        for (text, expected) in [
            ("One. Two! Three?", &["One.", "Two!", "Three?"][..]),
            ("Apple Inc. reported $3.5 billion. It grew.", &["Apple Inc. reported $3.5 billion.", "It grew."]),
            ("He works at Apple Inc. The firm is big.", &["He works at Apple Inc.", "The firm is big."]),
            ("Dr. J. Smith met Mr. Lee in the U.S. Senate.", &["Dr. J. Smith met Mr. Lee in the U.S. Senate."]),
            ("wrapped\nline. Next", &["wrapped\nline.", "Next"]),
            ("Title\n\nBody text", &["Title", "Body text"]),
            ("首都是巴黎。人口是多少？很多！", &["首都是巴黎。", "人口是多少？", "很多！"]),
            ("他说：“是。”然后走了。", &["他说：“是。”", "然后走了。"]),
            ("Sales rose 5%. 2023 was good.", &["Sales rose 5%.", "2023 was good."]),
            ("Version 1.2.3 is out", &["Version 1.2.3 is out"]),
            ("   ", &[]),
        ] {
            let found: Vec<&str> = sentences(text).into_iter().map(|range| text.get(range).unwrap()).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
