//! Words for matching: folded, cut at word boundaries, CJK as character pairs, endings taken off.

use super::language::is_cjk;
use factmask_schema::normal;
use std::collections::BTreeSet;

/// Words that say nothing about which relation is meant. Function words of the two languages only.
const STOP: &[&str] = &[
    "a", "an", "the", "of", "in", "on", "at", "to", "for", "by", "with", "from", "as", "is", "are", "was", "were",
    "be", "been", "do", "does", "did", "has", "have", "had", "what", "which", "who", "whom", "whose", "when", "where",
    "how", "that", "this", "these", "those", "it", "its", "and", "or", "there", "s", "me", "tell", "please", "can",
    "you", "i", "so", "would", "many", "much", "name", "give", "show", "的", "是", "了", "在", "吗", "呢", "有", "和",
    "与", "于", "为", "什么", "哪", "哪个", "哪些", "谁", "多少", "请问",
];

/// Whether a folded word says nothing about which relation or thing is meant.
pub fn is_function_word(word: &str) -> bool {
    STOP.contains(&word)
}

/// The content units of a text: stemmed words, and for CJK runs every pair of neighbouring characters.
pub fn units(text: &str) -> BTreeSet<String> {
    let folded = normal::fold(text);
    let mut units = BTreeSet::new();
    for run in folded.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        let mut rest = run;
        while let Some(first) = rest.chars().next() {
            let cjk = is_cjk(first);
            let end = rest.find(|c| is_cjk(c) != cjk).unwrap_or(rest.len());
            let (piece, tail) = rest.split_at(end);
            if cjk {
                pairs(piece, &mut units);
            } else if !STOP.contains(&piece) {
                units.insert(stem(piece).to_owned());
            }
            rest = tail;
        }
    }
    units
}

/// The units of a text as often as they stand there, for counting.
pub fn terms(text: &str) -> Vec<String> {
    text.split(|char: char| !char.is_alphanumeric()).flat_map(units).collect()
}

fn pairs(run: &str, units: &mut BTreeSet<String>) {
    let mut run = run.to_owned();
    for stop in STOP.iter().filter(|word| word.chars().all(is_cjk)) {
        run = run.replace(stop, " ");
    }
    for piece in run.split(' ').filter(|piece| !piece.is_empty()) {
        let chars: Vec<char> = piece.chars().collect();
        if let [only] = chars.as_slice() {
            units.insert(only.to_string());
        }
        units.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
    }
}

/// Takes off the commonest English endings one by one, so that "headquartered" meets "headquarters". Light on purpose: a wrong
/// merge costs more than a missed one, and the sentence encoder covers the rest.
pub fn stem(mut word: &str) -> &str {
    const ENDINGS: &[&str] = &["ing", "ed", "er", "es", "s"];
    const SHORTEST: usize = 4;
    while let Some(shorter) =
        ENDINGS.iter().find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.chars().count() >= SHORTEST))
    {
        word = shorter;
    }
    word
}

/// Share of units that two texts have in common (Dice), 0 to 1.
pub fn overlap(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f32 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    2.0 * a.intersection(b).count() as f32 / (a.len() + b.len()) as f32
}

#[cfg(test)]
mod tests {
    use super::{overlap, units};

    #[test]
    fn units_of_both_scripts() {
        let table: &[(&str, &[&str])] = &[
            ("Where is the headquarters?", &["headquart"]),
            ("headquartered", &["headquart"]),
            ("研发投入是多少", &["发投", "投入", "研发"]),
            ("R&D spending", &["d", "r", "spend"]),
            ("2023年研发", &["2023", "年研", "研发"]),
            ("", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(units(text).iter().map(String::as_str).collect::<Vec<_>>(), *expected, "{text}");
        }
    }

    #[test]
    fn overlap_is_symmetric_and_bounded() {
        let (a, b) = (units("capital city of"), units("the capital"));
        assert_eq!(overlap(&a, &b), overlap(&b, &a));
        assert!((overlap(&a, &b) - 2.0 / 3.0).abs() < 1e-6);
        assert_eq!(overlap(&a, &a), 1.0);
        assert_eq!(overlap(&a, &units("")), 0.0);
    }
}
