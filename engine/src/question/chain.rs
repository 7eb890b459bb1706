//! How many steps a question asks for by its possessives: "the wife of the CEO of Apple" asks for two, whatever the schema knows.
//!
//! A path with fewer steps answers something else: who the CEO is.

use super::{constraint::Constraints, path::Path, words};
use factmask_schema::{Relation, Schema, Text, normal};
use std::ops::Range;

/// Nouns that stand before "of" and ask for no further step: "what kind of", "the name of".
const EMPTY_HEADS: &[&str] =
    &["kind", "sort", "type", "name", "names", "number", "amount", "value", "list", "set", "one", "any", "all", "some"];

/// The possessives between a name (its range in the folded question) and what is asked of it.
pub fn links(folded: &str, name: &Range<usize>, constraints: &Constraints, lang: &str) -> usize {
    let (before, after) = (folded.get(..name.start).unwrap_or_default(), folded.get(name.end..).unwrap_or_default());
    if lang == "zh" {
        return chinese(folded, name.end, constraints);
    }
    // "'s" behind the name and behind each further noun; what stands before the name may be "what's".
    let owned = after.match_indices("'s").filter(|(at, _)| ends_word(&after[at + 2..])).count();
    of_chain(before) + owned
}

/// "of" from the name to the left, as long as nothing but nouns stands between.
fn of_chain(before: &str) -> usize {
    let mut pieces = before.rsplit(" of ");
    // Between the last "of" and the name stand articles and the class of the thing at most; else the name is not possessed.
    let Some(rest) = pieces.next() else { return 0 };
    if before.len() == rest.len() || rest.split_whitespace().count() > 3 {
        return 0;
    }
    let heads = pieces.filter(|piece| {
        let head = piece.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        !EMPTY_HEADS.contains(&head) && !words::is_function_word(head)
    });
    heads.count()
}

/// "的" behind the name, without those behind a year and at the end of a sentence ("是哪年成立的？").
fn chinese(folded: &str, from: usize, constraints: &Constraints) -> usize {
    let after = folded.get(from..).unwrap_or_default();
    let counts = |at: usize| {
        let behind_year = constraints.year_spans.iter().any(|span| span.end == from + at);
        let rest = &after[at + "的".len()..];
        !behind_year && rest.chars().next().is_some_and(char::is_alphanumeric)
    };
    after.match_indices("的").filter(|(at, _)| counts(*at)).count()
}

fn ends_word(rest: &str) -> bool {
    rest.chars().next().is_none_or(|next| !next.is_alphanumeric())
}

/// How many possessives a path can stand for: one a step, and those inside its relations' own names ("head of government").
pub fn capacity(schema: &Schema, path: &Path, lang: &str) -> usize {
    let steps = path.steps.iter().map(|step| 1 + inside(&schema.relation(&step.relation), lang));
    steps.sum()
}

fn inside(relation: &Relation, lang: &str) -> usize {
    let own = |tag: &str| Text::same_language(tag, lang);
    let count = |text: &str| {
        let text = format!(" {} ", normal::fold(text));
        if lang == "zh" { text.matches('的').count() } else { text.matches(" of ").count() }
    };
    let names = relation.labels.iter().chain(&relation.aliases).filter(|name| own(&name.lang));
    // In a sentence one of them leads to the subject.
    let sentences = relation.questions.iter().chain(&relation.statements).filter(|wording| own(&wording.lang));
    let sentences = sentences.map(|wording| wording.literals().map(count).sum::<usize>().saturating_sub(1));
    names.map(|name| count(&name.text)).chain(sentences).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;
    use crate::question::constraint;

    #[test]
    fn possessives() {
        let table: &[(&str, &str, &str, usize)] = &[
            ("who is the wife of the ceo of apple?", "apple", "en", 2),
            ("who is the ceo of apple?", "apple", "en", 1),
            ("who is apple's ceo?", "apple", "en", 1),
            ("what's the gender of apple 's ceo 's wife ?", "apple", "en", 3),
            ("what kind of company is apple?", "apple", "en", 0),
            ("what is the name of the capital of apple?", "apple", "en", 1),
            ("how much did apple spend in 2023?", "apple", "en", 0),
            ("who of all people runs the company apple?", "apple", "en", 0),
            ("腾讯的创始人的出生地是哪里？", "腾讯", "zh", 2),
            ("腾讯2023年的收入是多少？", "腾讯", "zh", 0),
            ("腾讯是哪年成立的？", "腾讯", "zh", 0),
        ];
        for (question, name, lang, expected) in table {
            let start = question.find(name).unwrap();
            let span = start..start + name.len();
            let constraints = constraint::read(question, std::slice::from_ref(&span));
            assert_eq!(links(question, &span, &constraints, lang), *expected, "{question}");
        }
    }
}
