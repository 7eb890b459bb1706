//! A question's words in the order in which a path from its topic would say them.

use crate::question::words;
use factmask_schema::normal::Folded;
use std::ops::Range;

/// Content words that one piece holds at most.
const MOST_WORDS: usize = 3;
/// Tokens from the first to the last of a piece at most: "place of death".
const LONGEST: usize = 4;
/// Words that say that something is shared, which leads from the topic to it and back: "films with the same director".
const SHARING: &[&str] =
    &["same", "share", "shares", "shared", "sharing", "also", "common", "too", "co", "fellow", "together"];
/// Words that ask for a place, which stand for the last step.
pub(super) const WHERE: &str = "where";
/// What they are taken for.
pub(super) const PLACE: &str = "location";
/// What somebody does who is asked after with "do".
const OCCUPATION: &str = "occupation";
/// Letters of an acronym that names no thing in question.
const LONGEST_ACRONYM: usize = 3;
/// Words that ask.
const ASKING: &[&str] = &["what", "which", "who", "whom", "whose", "when", WHERE, "how"];

/// A word along the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Folded.
    pub text: String,
    /// A function word, a possessive sign, or part of another name: it needs no explanation.
    pub plain: bool,
    /// It stands in a chain of possessives, so a step must account for it.
    pub possessed: bool,
    /// It is what is asked for: the noun behind "which".
    pub head: bool,
    /// It is typed with a capital, so it names something.
    pub names: bool,
    /// It belongs to another name.
    pub other: bool,
    /// It asks: "which", "who".
    pub asks: bool,
    /// Whether it stands before the name.
    pub before: bool,
}

impl Token {
    /// Whether it says that something is shared.
    pub fn shares(&self) -> bool {
        SHARING.contains(&self.text.as_str())
    }

    /// Whether what follows it on the way is another thing's: "of", "'s".
    pub fn parts_things(&self) -> bool {
        matches!(self.text.as_str(), "of" | "'s")
    }
}

/// Neighbouring words that may say one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its tokens, by their places along the way.
    pub tokens: Range<usize>,
    /// How many of them are content words.
    pub words: usize,
    /// Number of its text in [`Question::texts`].
    pub text: usize,
}

/// One order of the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// From the topic outwards.
    pub tokens: Vec<Token>,
    /// Every piece.
    pub pieces: Vec<Piece>,
    /// Whether the question's last words were taken for its first clause's: "the films by X | starred who".
    pub turned: bool,
}

/// A question about one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The orders in which its words may be meant.
    pub ways: Vec<Way>,
    /// Texts of the pieces, each once.
    pub texts: Vec<String>,
}

impl Question {
    /// Of a folded question about the name at `name`; the words in `others` (further names, years) say nothing of the path.
    ///
    /// The words behind the name come first ("X's mother"), then those before it from right to left ("the capital of the country of X");
    /// where a clause about X ends with the name, those behind it may come last ("the films written by X were released when").
    ///
    /// Words that begin in `capitals` (places in the folded question) name something that is not known.
    pub fn new(folded: &str, name: &Range<usize>, others: &[Range<usize>], capitals: &[usize]) -> Self {
        let mut before = side(folded, 0..name.start, others, capitals);
        let mut after = side(folded, name.end..folded.len(), others, capitals);
        before.iter_mut().for_each(|token| token.before = true);
        mark(&mut before);
        mark(&mut after);
        let mut texts = Vec::new();
        // What belongs to the name by a possessive comes first.
        let owned = after.iter().rposition(|token| token.text == "'s").map_or(0, |at| at + 1);
        // What asks is the end: words before it, as far as they are not the name's, lead there.
        let asks = |token: &Token| token.asks;
        let last = after.iter().position(asks).map_or(after.len(), |at| at.max(owned));
        // Without words before the name there is but one order.
        let (owned, last) = match before.iter().any(|token| !token.plain) {
            true => (owned, last),
            false => (after.len(), after.len()),
        };
        let ways = (owned..=last).rev().filter(|cut| {
            // A cut before a plain word is the same as one behind it.
            *cut == last || after.get(*cut).is_some_and(|token| !token.plain)
        });
        let ways = ways.map(|cut| {
            let turned = cut < last;
            let (first, last) = after.split_at(cut);
            let reversed: Vec<Token> = before.iter().rev().cloned().collect();
            let mut pieces = forward_pieces(first, 0, &mut texts);
            pieces.extend(forward_pieces(&before, 0, &mut texts).into_iter().map(|piece| {
                // The same words, counted from the other end.
                let end = cut + before.len();
                Piece { tokens: end - piece.tokens.end..end - piece.tokens.start, ..piece }
            }));
            pieces.extend(forward_pieces(last, cut + before.len(), &mut texts));
            let tokens = first.iter().cloned().chain(reversed).chain(last.iter().cloned()).collect();
            Way { tokens, pieces, turned }
        });
        let mut distinct: Vec<Way> = Vec::new();
        for way in ways {
            // What is turned and says the same is the same.
            if !distinct.iter().any(|known| known.tokens == way.tokens) {
                distinct.push(way);
            }
        }
        Self { ways: distinct, texts }
    }
}

/// Where words that are typed with a capital begin in the folded text, but for the first one and short acronyms ("which US state").
/// None where most words are typed so.
pub fn capitals(question: &str) -> Vec<usize> {
    let map = Folded::new(question);
    let (mut found, mut words, mut inside) = (Vec::new(), 0, false);
    for (at, c) in map.text.char_indices() {
        if c.is_alphanumeric() && !inside {
            words += 1;
            let typed = question.get(map.source_range(at..at + c.len_utf8())).unwrap_or_default();
            let word = map.text[at..].split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            let acronym = word.len() <= LONGEST_ACRONYM
                && question
                    .get(map.source_range(at..at + word.len()))
                    .is_some_and(|typed| !typed.contains(char::is_lowercase));
            if words > 1 && typed.starts_with(char::is_uppercase) && !acronym {
                found.push(at);
            }
        }
        inside = c.is_alphanumeric();
    }
    // The first one is not among them.
    if 3 * found.len() >= 2 * words { Vec::new() } else { found }
}

fn side(folded: &str, within: Range<usize>, others: &[Range<usize>], capitals: &[usize]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let text = folded.get(within.clone()).unwrap_or_default();
    let mut at = 0;
    while let Some(offset) = text[at..].find(char::is_alphanumeric) {
        let start = at + offset;
        let rest = &text[start..];
        let end = start + rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let owns = &text[start..end] == "s" && text[..start].ends_with(['\'', '’']);
        let word = if owns { "'s" } else { &text[start..end] };
        let place = within.start + start..within.start + end;
        let other = others.iter().any(|other| other.start < place.end && place.start < other.end);
        let plain = owns || other || (words::is_function_word(word) && word != WHERE);
        let text = if word == WHERE { PLACE } else { word };
        let asks = !other && ASKING.contains(&word);
        let names = capitals.contains(&place.start);
        let (possessed, head, before) = (false, false, false);
        tokens.push(Token { text: text.to_owned(), plain, possessed, head, names, asks, before, other });
        at = end;
    }
    // "What does X do?"
    let rest = tokens.split_last_mut();
    if let Some((last, _)) = rest.filter(|(last, _)| last.text == "do" && folded[..within.start].starts_with("what do"))
    {
        (last.text, last.plain) = (OCCUPATION.to_owned(), false);
    }
    // What stands right before another name says what that one is: "for club Y".
    for at in (1..tokens.len()).rev() {
        tokens[at - 1].plain |= tokens[at].other && !tokens[at - 1].asks;
    }
    tokens
}

/// Marks what a chain of possessives holds, and what is asked for.
fn mark(tokens: &mut [Token]) {
    let text = |tokens: &[Token], at: usize| tokens.get(at).map(|token| token.text.clone()).unwrap_or_default();
    let plain = |tokens: &[Token], at: usize| tokens.get(at).is_none_or(|token| token.plain);
    for at in 0..tokens.len() {
        if plain(tokens, at) {
            continue;
        }
        let owner = matches!(text(tokens, at + 1).as_str(), "'s" | "of");
        let phrase = tokens[..at].iter().rposition(|token| token.plain);
        let owned = plain(tokens, at + 1) && phrase.is_some_and(|before| text(tokens, before) == "'s");
        tokens[at].possessed = owner || owned;
        let asked = phrase.is_some_and(|before| matches!(text(tokens, before).as_str(), "what" | "which"));
        tokens[at].head = asked && plain(tokens, at + 1);
    }
}

fn forward_pieces(tokens: &[Token], from: usize, texts: &mut Vec<String>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for start in (0..tokens.len()).filter(|at| !tokens[*at].plain) {
        let mut words = 0;
        for end in start + 1..=tokens.len().min(start + LONGEST) {
            let last = &tokens[end - 1];
            // A name that is not known is a part of nothing else.
            if last.text == "'s" || (end - start > 1 && (last.names || tokens[start].names)) {
                break;
            }
            if last.plain {
                continue;
            }
            words += 1;
            if words > MOST_WORDS {
                break;
            }
            let said: Vec<&str> = tokens[start..end].iter().map(|token| token.text.as_str()).collect();
            let said = said.join(" ");
            let text = texts.iter().position(|known| *known == said).unwrap_or_else(|| {
                texts.push(said);
                texts.len() - 1
            });
            pieces.push(Piece { tokens: from + start..from + end, words, text });
        }
    }
    pieces
}
