//! Where words are not parted: what is left of the question between what is accounted for.

use super::{Ground, talk};
use crate::question::{language::is_cjk, words as matching};
use factmask_schema::unit;

/// Ends of what points at a thing by its class.
const POINTING: &[&str] =
    &["这部", "这本", "这个", "这首", "这位", "这家", "这座", "这种", "该", "这", "那", "那个", "这所", "这款"];
/// Words that ask how many.
const COUNTING: &[&str] = &["多少", "几"];
/// Words that ask for something of a kind.
const ASKING: &[&str] = &["什么", "哪", "谁", "有何"];
/// Letters of a unit's word at least: "元" stands in other words.
const SHORTEST_UNIT: usize = 2;
/// Ends of letters that the longest stretch has by which examples are told: pairs of letters.
const LONGEST_HEARD: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Name,
    Said,
    Talk,
    Unknown,
}

/// What stands between a name and something that is accounted for, or beside such a thing, and is not accounted for itself.
pub(super) fn words(ground: &Ground<'_>) -> Vec<String> {
    let pieces = pieces(ground);
    let kind = |at: Option<usize>| at.and_then(|at| pieces.get(at)).map(|(kind, _)| *kind);
    let text = |at: usize| pieces.get(at).map_or("", |(_, text)| *text);
    let something_said = pieces.iter().any(|(kind, _)| *kind == Kind::Said);
    let narrows = |at: usize| {
        let (before, after) = (kind(at.checked_sub(1)), kind(Some(at + 1)));
        let said = Some(Kind::Said);
        // "这部电影" only says what the thing is.
        let pointed_at = at > 0 && POINTING.iter().any(|end| text(at - 1).ends_with(end));
        let owns = text(at + 1) == "的" && kind(Some(at + 2)) == said && !pointed_at;
        // "在欧洲"
        let there = at > 0 && text(at - 1).ends_with('在') && after != Some(Kind::Name);
        // "多少亩", but "多少页" for 页数: a letter of what is said counts it.
        let letter_of_said = ground.said.units.iter().any(|said| said.contains(text(at)));
        let counted = at > 0 && COUNTING.iter().any(|word| text(at - 1).contains(word)) && !letter_of_said;
        // "是哪国人", "是谁设计的", "是哪国的设计师" ask beyond what is said.
        let asked = |at: usize| at > 0 && ASKING.iter().any(|word| text(at - 1).contains(word));
        let of_asked = at > 1 && text(at - 1) == "的" && (0..at).any(asked);
        let further = (something_said && asked(at)) || of_asked;
        // Alike by its letters alone, the whole question may be about something else.
        let anything = !ground.compared && !something_said;
        anything || there || counted || further || before == said || after == said || owns || before == Some(Kind::Name)
    };
    let heard = |piece: &str| {
        let ends: Vec<usize> = piece.char_indices().map(|(at, _)| at).chain([piece.len()]).collect();
        let mut parts = ends.windows(LONGEST_HEARD.min(ends.len()));
        parts.all(|part| (ground.heard)(&piece[part[0]..part[part.len() - 1]]))
    };
    // Another unit than that of the answer.
    let units = unit::UNITS.iter().filter(|unit| unit.kind != unit::Kind::Count).flat_map(|unit| unit.words);
    let mut left: Vec<String> = units
        .filter(|word| word.starts_with(is_cjk) && word.chars().count() >= SHORTEST_UNIT)
        .filter(|word| ground.folded.contains(**word) && !matching::units(word).is_subset(&ground.said.units))
        .map(|word| (*word).to_owned())
        .collect();
    let otherwise = |piece: &str| super::said_otherwise(ground, piece);
    let unknown = (0..pieces.len()).filter(|at| pieces[*at].0 == Kind::Unknown && !heard(pieces[*at].1));
    let unknown = unknown.filter(|at| narrows(*at) && !otherwise(text(*at))).map(|at| text(at).to_owned());
    left.extend(unknown);
    left
}

/// The question cut where the kind of its letters changes; marks part too.
fn pieces<'a>(ground: &Ground<'a>) -> Vec<(Kind, &'a str)> {
    let folded = ground.folded;
    let letters: Vec<(usize, char)> = folded.char_indices().collect();
    let mut kinds = vec![Kind::Unknown; folded.len()];
    for (start, _) in &letters {
        let rest = &folded[*start..];
        if let Some(length) = talk::chinese(rest) {
            kinds[*start..*start + length]
                .iter_mut()
                .filter(|kind| **kind == Kind::Unknown)
                .for_each(|kind| *kind = Kind::Talk);
        }
    }
    // What is said goes before talk: "人" is talk and stands in "创始人".
    for pair in letters.windows(2) {
        let end = pair[1].0 + pair[1].1.len_utf8();
        if ground.said.units.contains(&folded[pair[0].0..end]) {
            kinds[pair[0].0..end].fill(Kind::Said);
        }
    }
    let mut at = 0;
    while let Some(offset) = folded[at..].find(|c: char| c.is_ascii_alphanumeric()) {
        let start = at + offset;
        let end = start + folded[start..].find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(folded.len() - start);
        let said = matching::units(&folded[start..end]).is_subset(&ground.said.units);
        kinds[start..end].fill(if said { Kind::Said } else { Kind::Unknown });
        at = end;
    }
    ground.names.iter().for_each(|name| kinds[name.clone()].fill(Kind::Name));
    let mut pieces: Vec<(Kind, &str)> = Vec::new();
    let mut start = 0;
    for (at, c) in letters {
        let same = at > start && kinds[at] == kinds[start];
        if at > start && (!same || !c.is_alphanumeric()) {
            pieces.push((kinds[start], &folded[start..at]));
            start = at;
        }
        if !c.is_alphanumeric() {
            // A mark is talk: nothing reaches over it.
            pieces.push((Kind::Talk, &folded[at..at + c.len_utf8()]));
            start = at + c.len_utf8();
        }
    }
    if start < folded.len() {
        pieces.push((kinds[start], &folded[start..]));
    }
    pieces
}
