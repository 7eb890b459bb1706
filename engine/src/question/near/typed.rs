//! What is known of each word of a question before its names are looked for.

use super::spelling::{self, Word};
use crate::question::{link::Mention, words};
use factmask_schema::normal::Folded;
use std::ops::Range;

/// A word of a question.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub word: Word,
    /// It is typed with a capital.
    pub capital: bool,
    /// It is a word of the language or of the schema, or a number: it names nothing by itself.
    pub plain: bool,
    /// It is a function word.
    pub function: bool,
    /// The language has no such word, as far as is known.
    pub strange: bool,
    /// The name that it belongs to, which is written exactly, by number.
    pub named: Option<usize>,
}

/// A question's words.
pub(super) struct Sentence {
    pub words: Vec<Typed>,
    /// Whether names are told by capitals: some word but the first has one.
    pub capitals: bool,
}

impl Sentence {
    /// `says` tells whether the schema says a word or, where the second is true, one that it may be misspelt for; `knows` whether the
    /// language has it.
    pub fn new(
        question: &str,
        map: &Folded,
        mentions: &[Mention],
        says: &dyn Fn(&str, bool) -> bool,
        knows: &dyn Fn(&str) -> bool,
    ) -> Self {
        let typed = spelling::words(&map.text).into_iter().map(|word| {
            let written = question.get(map.source_range(word.span.clone())).unwrap_or_default();
            let text = &map.text[word.span.clone()];
            let bare = word.owner.as_ref().map_or(text, |(_, end)| &map.text[word.span.start..*end]);
            let function = [text, bare].iter().any(|text| words::is_function_word(text));
            let number = word.letters.chars().all(char::is_numeric);
            let inside = |mention: &Mention| mention.span.start < word.span.end && word.span.start < mention.span.end;
            let capital = written.starts_with(char::is_uppercase);
            Typed {
                capital,
                plain: function || number || says(bare, !capital),
                function,
                strange: !knows(bare) && !knows(&word.letters),
                named: mentions.iter().position(inside),
                word,
            }
        });
        let words: Vec<Typed> = typed.collect();
        let capitals = words.iter().skip(1).any(|typed| typed.capital);
        Self { words, capitals }
    }

    /// A name by itself, as somebody writes it who knows of capitals.
    pub fn of_name(words: &[&str], knows: &dyn Fn(&str) -> bool) -> Self {
        let typed = |(at, letters): (usize, &&str)| Typed {
            word: Word { span: at..at + 1, letters: (*letters).to_owned(), owner: None },
            capital: true,
            plain: words::is_function_word(letters),
            function: words::is_function_word(letters),
            strange: !knows(letters),
            named: None,
        };
        Self { words: words.iter().enumerate().map(typed).collect(), capitals: true }
    }

    /// Whether a name may be found by this word: it is part of none that is known, and looks like a name.
    pub fn calls(&self, at: usize) -> bool {
        let typed = &self.words[at];
        let shown = if self.capitals { typed.capital } else { typed.strange };
        typed.named.is_none() && !typed.plain && shown
    }

    /// Whether words are all of a name as far as it is seen: no word beside them looks like a further part of it, and of names that are
    /// written exactly none is cut.
    pub fn stands_alone(&self, range: &Range<usize>) -> bool {
        let before = self.goes_on((0..range.start).rev());
        let behind = self.goes_on(range.end..self.words.len());
        let inside = |at: usize| self.words.get(at).and_then(|typed| typed.named);
        let cut = |within: usize, beside: Option<usize>| {
            inside(within).is_some_and(|name| beside.and_then(inside) == Some(name))
        };
        !before
            && !behind
            && !cut(range.start, range.start.checked_sub(1))
            && !cut(range.end.saturating_sub(1), Some(range.end))
    }

    /// Whether the next of these words, from a name outwards, looks like a further part of the name: it has a capital that neither the
    /// beginning of the question nor the schema explains. "Children of Men" goes on over its "of", where no known name stands behind it.
    fn goes_on(&self, outwards: impl Iterator<Item = usize>) -> bool {
        const JOINING: &[&str] = &["of", "the", "to", "a", "an", "on"];
        let mut joined = false;
        for at in outwards {
            let Some(typed) = self.words.get(at).filter(|_| self.capitals) else { return false };
            if !typed.capital && JOINING.contains(&typed.word.letters.as_str()) {
                joined = true;
                continue;
            }
            let explained = typed.plain && !(typed.function && at > 0);
            return typed.capital && !explained && !(joined && typed.named.is_some());
        }
        false
    }

    /// Where words stand in the folded question; a possessive ending of the last is left out where `owner` says so.
    pub fn span(&self, range: &Range<usize>, owner: bool) -> Range<usize> {
        let (first, last) = (&self.words[range.start], &self.words[range.end - 1]);
        let end = last.word.owner.as_ref().filter(|_| owner).map_or(last.word.span.end, |(_, end)| *end);
        first.word.span.start..end
    }
}
