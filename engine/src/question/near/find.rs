//! Which names the words of a question may be meant for.

use super::{
    index::{HEAD, Index},
    spelling,
    typed::{Sentence, Typed},
};
use factmask_graph::{EntityId, Snapshot};
use factmask_schema::normal;
use std::ops::Range;

/// Names of one word that are looked at; a word of more names tells little, and another word of the same name tells more.
const MOST_HOLDERS: usize = 4_000;
/// Words of a name that is found by its letters alone, at most.
const LONGEST: usize = 10;
/// Letters of a name whose words are parted in other places, at least.
const FEWEST_RUN_TOGETHER: usize = 6;
/// Letters of a word that stands for a name, at least.
const FEWEST_IN_PART: usize = 3;
/// Letters of a lone word in small letters that may be misspelt, at least.
const FEWEST_SMALL: usize = 8;

/// Words that are left out before a name.
const ARTICLES: &[&str] = &["the", "a", "an"];

/// In what way a name is written otherwise, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Manner {
    /// Other accents, signs, spaces.
    Signs,
    /// Without its article: "Matrix".
    Article,
    /// Without the bracket at its end that tells it from others.
    Bracket,
    /// With so many slips of the pen.
    Slips(u8),
    /// First names as initials.
    Initials,
    /// A part of it.
    Part,
    /// The beginning of a name that has no spaces.
    Beginning,
}

/// Words of a question that may be meant for a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub manner: Manner,
    /// Byte range in the folded question.
    pub span: Range<usize>,
    /// How many words or, without spaces, characters of the question it takes.
    pub size: usize,
    /// The name, by number.
    pub name: u32,
    /// Whether a misspelt word of it is a word of the language, so that it may well be meant as it stands.
    pub real: bool,
}

/// Looks for names.
pub(super) struct Finder<'a> {
    pub snapshot: &'a Snapshot,
    pub index: &'a Index,
    /// An entity that is taken for unknown.
    pub without: Option<EntityId>,
}

/// How a word of a name is written.
struct Agreement {
    slips: u8,
    initial: bool,
    owner: bool,
    real: bool,
}

impl Finder<'_> {
    /// The names that a sentence's words may be meant for.
    pub fn by_words(&self, sentence: &Sentence) -> Vec<Match> {
        let mut found = self.by_letters(sentence);
        for at in (0..sentence.words.len()).filter(|at| sentence.calls(*at)) {
            let word = &sentence.words[at].word;
            let spellings = [Some(&word.letters), word.owner.as_ref().map(|(owner, _)| owner)];
            for letters in spellings.into_iter().flatten() {
                if self.is_known(letters) {
                    self.holding(letters, sentence, at, &mut found);
                } else {
                    for near in self.index.near(letters) {
                        self.holding(near, sentence, at, &mut found);
                    }
                }
            }
        }
        found
    }

    /// Whether a name has this very word.
    fn is_known(&self, word: &str) -> bool {
        self.index.holding(word).iter().any(|name| self.is_there(*name))
    }

    fn is_there(&self, name: u32) -> bool {
        Some(self.index.name(name).entity) != self.without
    }

    /// Names whose letters are those of neighbouring words.
    fn by_letters(&self, sentence: &Sentence) -> Vec<Match> {
        let mut found = Vec::new();
        for start in 0..sentence.words.len() {
            for end in start + 1..=sentence.words.len().min(start + LONGEST) {
                let (range, words) = (start..end, &sentence.words[start..end]);
                let content = words.iter().any(|typed| !typed.plain);
                if !content || !sentence.stands_alone(&range) || self.is_one_mention(words) {
                    continue;
                }
                for owner in [false, true] {
                    let Some(letters) = letters(words, owner) else { continue };
                    for name in self.index.with_letters(&letters).filter(|name| self.is_there(*name)) {
                        let parted = !self.index.words(name).eq(letters.iter().copied());
                        let long =
                            letters.iter().map(|word| word.chars().count()).sum::<usize>() >= FEWEST_RUN_TOGETHER;
                        if !parted || (long && words.iter().all(|typed| !typed.function)) {
                            let span = sentence.span(&range, owner);
                            let size = end - start;
                            found.push(Match { manner: Manner::Signs, span, size, name, real: false });
                        }
                    }
                }
            }
        }
        found
    }

    fn is_one_mention(&self, words: &[Typed]) -> bool {
        words.iter().all(|typed| typed.named.is_some() && typed.named == words[0].named)
    }

    /// Names that hold `word` in the place of the word at `at`.
    fn holding(&self, word: &str, sentence: &Sentence, at: usize, found: &mut Vec<Match>) {
        let names = self.index.holding(word);
        if names.len() > MOST_HOLDERS {
            return;
        }
        for name in names.iter().filter(|name| self.is_there(**name)) {
            let words: Vec<&str> = self.index.words(*name).collect();
            let places = words.iter().enumerate().filter(|(_, own)| **own == word);
            found.extend(places.filter_map(|(place, _)| self.align(sentence, at, &words, place, *name)));
        }
    }

    /// Lays a name's words over the question's, one of each on the other.
    fn align(&self, sentence: &Sentence, at: usize, words: &[&str], place: usize, name: u32) -> Option<Match> {
        let middle = self.agree(&sentence.words[at], words[place])?;
        let step = |(typed, word): (&Typed, &&str)| self.agree(typed, word);
        let before: Vec<Agreement> =
            sentence.words[..at].iter().rev().zip(words[..place].iter().rev()).map_while(step).collect();
        let after: Vec<Agreement> = sentence.words[at + 1..].iter().zip(&words[place + 1..]).map_while(step).collect();
        let (range, covered) = (at - before.len()..at + 1 + after.len(), place - before.len()..place + 1 + after.len());
        let owner = after.last().unwrap_or(&middle).owner;
        let all = || before.iter().chain([&middle]).chain(&after);
        let slips: u8 = all().map(|one| one.slips).fold(0, u8::saturating_add);
        let initials = all().filter(|one| one.initial).count();
        let missing = words[..covered.start].iter().chain(&words[covered.end..]);
        let whole = covered.len() == words.len();
        let only_articles = missing.clone().all(|word| ARTICLES.contains(word));
        let has_number = missing.clone().any(|word| spelling::numbers(word));
        let spoken = words[covered].iter().any(|word| word.chars().count() >= FEWEST_IN_PART);
        let manner = match (slips, initials) {
            (0, 0) if whole => Manner::Signs,
            (0, 0) if only_articles => Manner::Article,
            (0, 0) if spoken && !has_number && sentence.capitals && sentence.words[at].capital => Manner::Part,
            (1..=2, 0) if whole => Manner::Slips(slips),
            (0, _) if whole && initials < words.len() && spoken => Manner::Initials,
            _ => return None,
        };
        // A lone word in small letters is a name only where it is too long to be another word by chance.
        let small = !sentence.capitals && range.len() == 1;
        let long = sentence.words[at].word.letters.chars().count() >= FEWEST_SMALL;
        let number_follows = sentence.words.get(range.end).is_some_and(|next| spelling::numbers(&next.word.letters));
        let fits = sentence.stands_alone(&range)
            && (!small || (long && slips < 2))
            && !(number_follows && manner == Manner::Part);
        let real = all().any(|one| one.real);
        let span = sentence.span(&range, owner);
        fits.then_some(Match { manner, span, size: range.len(), name, real })
    }

    fn agree(&self, typed: &Typed, word: &str) -> Option<Agreement> {
        let plain = |owner| Agreement { slips: 0, initial: false, owner, real: false };
        let letters = &typed.word.letters;
        if letters == word {
            return Some(plain(false));
        }
        let owner = typed.word.owner.as_ref().map(|(owner, _)| owner);
        if owner.is_some_and(|owner| owner == word) {
            return Some(plain(true));
        }
        if typed.capital && letters.chars().count() == 1 && word.starts_with(letters.as_str()) {
            return Some(Agreement { initial: true, ..plain(false) });
        }
        let slips = |typed: &String, owner: bool| {
            let slips = spelling::slips(typed, word).filter(|_| !self.is_known(typed))?;
            Some(Agreement { slips, ..plain(owner) })
        };
        let found = owner.and_then(|owner| slips(owner, true)).or_else(|| slips(letters, false))?;
        Some(Agreement { real: !typed.strange, ..found })
    }

    /// Names of which a text without spaces holds the beginning.
    pub fn by_beginning(&self, folded: &str, within: &[Range<usize>], ends: &dyn Fn(&str) -> bool) -> Vec<Match> {
        let mut found = Vec::new();
        for (start, _) in folded.char_indices() {
            let text = &folded[start..];
            for name in self.index.beginning(text).filter(|name| self.is_there(*name)) {
                let own = normal::fold(&self.index.text(self.snapshot, name).text);
                let shared = own.chars().zip(text.chars()).take_while(|(own, typed)| own == typed);
                let (size, bytes) = shared.fold((0, 0), |(size, bytes), (c, _)| (size + 1, bytes + c.len_utf8()));
                let span = start..start + bytes;
                let free = within.iter().all(|known| known.end <= span.start || span.end <= known.start);
                if size >= HEAD && bytes < own.len() && free && ends(&folded[span.end..]) {
                    found.push(Match { manner: Manner::Beginning, span, size, name, real: false });
                }
            }
        }
        found
    }
}

/// The letters of words, the last one without its possessive ending where `owner` says so.
fn letters(words: &[Typed], owner: bool) -> Option<Vec<&str>> {
    let mut letters: Vec<&str> = words.iter().map(|typed| typed.word.letters.as_str()).collect();
    if owner {
        *letters.last_mut()? = words.last()?.word.owner.as_ref()?.0.as_str();
    }
    Some(letters)
}
