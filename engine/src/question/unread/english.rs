//! Where words are parted by spaces.

use super::{Ground, talk};
use crate::question::words as matching;
use std::ops::Range;

/// Words before a name that make what stands behind it a predicate: "is Apple based".
const AUXILIARIES: &[&str] =
    &["is", "are", "was", "were", "be", "been", "do", "does", "did", "has", "have", "had", "to"];
/// Words that part what a thing belongs to or is in from the thing: what stands behind a name then is no predicate of it.
const LINKING: &[&str] = &["of", "in", "on", "at", "for", "by", "with", "from", "s"];
/// Words behind which "us" is nobody's name.
const TELLING: &[&str] = &["tell", "let", "give", "show", "inform", "remind"];
/// Words of which a clause may be said: "who runs".
const SUBJECTS: &[&str] = &["who", "whom", "that", "which", "what"];
/// Of these the last word may be the predicate: "which company makes".
const ASKING_OF: &[&str] = &["which", "what"];
/// What may stand behind a predicate.
const BEHIND_PREDICATE: &[&str] =
    &["the", "a", "an", "by", "in", "on", "at", "for", "with", "from", "as", "to", "under", "this", "that"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Part of a name or a year.
    Name,
    /// A function word, or what is written between words.
    Plain,
    /// Accounted for.
    Said,
    /// Narrows nothing.
    Talk,
    Unknown,
}

struct Token<'a> {
    text: &'a str,
    kind: Kind,
    /// Whether a mark stands before it: "Apple, born".
    parted: bool,
}

/// The words of a question that are not accounted for.
pub(super) fn words(ground: &Ground<'_>) -> Vec<String> {
    let tokens = tokens(ground);
    runs(&tokens).into_iter().flat_map(|run| of_run(ground, &tokens, run)).collect()
}

fn tokens<'a>(ground: &Ground<'a>) -> Vec<Token<'a>> {
    let (folded, mut at, mut tokens) = (ground.folded, 0, Vec::new());
    while let Some(offset) = folded[at..].find(char::is_alphanumeric) {
        let start = at + offset;
        let end = word_end(folded, start);
        let text = &folded[start..end];
        let between = &folded[at..start];
        let named = ground.names.iter().any(|name| name.start < end && start < name.end);
        let owns = text == "s" && between.ends_with(['\'', '’']);
        // "Tell us", but not "US".
        let asks_us = text == "us" && tokens.last().is_some_and(|token: &Token<'_>| TELLING.contains(&token.text));
        let said = || super::is_said(ground, text) || (ground.heard)(text) || super::said_otherwise(ground, text);
        let kind = if named {
            Kind::Name
        } else if owns || (matching::is_function_word(text)) {
            Kind::Plain
        } else if said() {
            Kind::Said
        } else if asks_us || talk::english(text) {
            Kind::Talk
        } else {
            Kind::Unknown
        };
        let text = if owns { "'s" } else { text };
        tokens.push(Token { text, kind, parted: between.contains([',', ';', ':', '.', '?', '!', '(']) });
        at = end;
    }
    tokens
}

/// The end of the word that begins at `start`; what a hyphen joins is one word: "part-time".
fn word_end(folded: &str, start: usize) -> usize {
    let rest = &folded[start..];
    let inside = |(at, c): &(usize, char)| {
        c.is_alphanumeric() || (*c == '-' && rest[at + 1..].starts_with(|next: char| next.is_alphanumeric()) && *at > 0)
    };
    let length = rest.char_indices().find(|place| !inside(place)).map_or(rest.len(), |(at, _)| at);
    start + length
}

/// Stretches of words that are neither names nor function words.
fn runs(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let content = |at: usize| !matches!(tokens[at].kind, Kind::Name | Kind::Plain);
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in (0..tokens.len()).filter(|at| content(*at)) {
        match runs.last_mut() {
            Some(last) if last.end == at && !tokens[at].parted => last.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

fn of_run(ground: &Ground<'_>, tokens: &[Token<'_>], run: Range<usize>) -> Vec<String> {
    let unknown = |at: &usize| tokens[*at].kind == Kind::Unknown;
    let text = |at: usize| tokens[at].text;
    let done = predicate(tokens, &run);
    let thing = thing(ground, tokens, &run, done);
    let left: Vec<usize> = run.clone().filter(unknown).filter(|at| Some(*at) != thing).collect();
    let beside = run.clone().any(|at| tokens[at].kind == Kind::Said);
    let verbs = left.iter().any(|at| Some(*at) == done || talk::like_participle(text(*at)));
    if !left.is_empty() && !beside && !verbs {
        let whole: Vec<&str> = left.iter().map(|at| text(*at)).collect();
        if (ground.near)(&whole.join(" ")) || (whole.len() > 1 && whole.iter().all(|word| (ground.near)(word))) {
            return Vec::new();
        }
    }
    left.into_iter().map(|at| text(at).to_owned()).collect()
}

/// The place of the noun in a run that can only say the class of things that the schema has no name for: "movies directed by",
/// "which city is".
fn thing(ground: &Ground<'_>, tokens: &[Token<'_>], run: &Range<usize>, done: Option<usize>) -> Option<usize> {
    let said_to_be_done = |at: usize| tokens[at].kind == Kind::Said && talk::like_participle(tokens[at].text);
    let second = run.start + 1;
    let before = run.start.checked_sub(1).map_or("", |at| tokens[at].text);
    let followed = run.contains(&second) && (done == Some(second) || said_to_be_done(second));
    let asked = ASKING_OF.contains(&before) && run.len() == 1;
    ((ground.unnamed && followed) || (ground.unnamed_end && asked)).then_some(run.start)
}

/// The place of the word in a run that says what somebody does or what is done, where it is none of those accounted for.
fn predicate(tokens: &[Token<'_>], run: &Range<usize>) -> Option<usize> {
    let unknown = |at: usize| tokens[at].kind == Kind::Unknown;
    let only = || {
        let mut unknown = run.clone().filter(|at| unknown(*at));
        unknown.next().filter(|_| unknown.next().is_none())
    };
    let before = run.start.checked_sub(1).map(|at| &tokens[at]);
    let after = tokens.get(run.end);
    let last = run.end - 1;
    let goes_on = after.is_none_or(|next| next.kind == Kind::Name || BEHIND_PREDICATE.contains(&next.text));
    match before {
        // "Where is Apple based?", "What does it target?"
        Some(name) if name.kind == Kind::Name => {
            let mut back = tokens[..run.start].iter().rev();
            let subject = back.find(|token| AUXILIARIES.contains(&token.text) || LINKING.contains(&token.text));
            let asked = subject.is_some_and(|token| AUXILIARIES.contains(&token.text));
            let said = run.clone().any(|at| tokens[at].kind == Kind::Said);
            only().filter(|at| asked && !said && (*at == run.start || *at == last))
        }
        // "Who runs it?"; "which company makes it?"
        Some(subject) if SUBJECTS.contains(&subject.text) && goes_on => {
            let first = run.clone().find(|at| tokens[*at].kind != Kind::Talk)?;
            let asking_of = ASKING_OF.contains(&subject.text);
            let predicate = if asking_of { last } else { first };
            (unknown(predicate) && (!asking_of || run.len() > 1)).then_some(predicate)
        }
        // "It was sold to"
        Some(auxiliary) if AUXILIARIES.contains(&auxiliary.text) && goes_on => only().filter(|at| *at == run.start),
        _ => {
            let by = after.is_some_and(|next| next.text == "by");
            let done = talk::like_participle(tokens[last].text) && goes_on && after.is_some();
            (unknown(last) && (by || done)).then_some(last)
        }
    }
}
