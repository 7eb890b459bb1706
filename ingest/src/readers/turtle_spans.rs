//! Where the triples of a Turtle file stand.
//!
//! The parser says where an error is, not where a triple was. This scanner walks the tokens of a file that the parser has
//! *accepted* and notes subject, predicate and object of each statement with their bytes. It is not a second parser: what it does
//! not understand it passes over, and a triple without a place is reported by its reader instead of being given a wrong one.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::Range;

/// A term as far as it can be told from the tokens: an IRI, or a literal's words. `None`: a blank node or a nested statement.
type Key = Option<String>;

/// The places of all statements, each handed out once.
pub(super) struct TurtleSpans {
    places: HashMap<(Key, String, Key), VecDeque<Range<usize>>>,
}

pub(super) fn iri_key(iri: &str) -> String {
    format!("<{iri}>")
}

pub(super) fn literal_key(words: &str) -> String {
    format!("\"{words}")
}

impl TurtleSpans {
    pub(super) fn new(source: &str) -> Self {
        let mut walker = Walker::default();
        let mut at = 0;
        while let Some((token, range)) = next_token(source, at) {
            at = range.end.max(at + 1);
            walker.take(token, range);
        }
        let mut places: HashMap<_, VecDeque<_>> = HashMap::new();
        for spot in walker.spots {
            places.entry((spot.subject, spot.predicate, spot.object)).or_default().push_back(spot.span);
        }
        Self { places }
    }

    /// The bytes of the next statement with these terms: predicate and object, with the subject where it stands right before.
    pub(super) fn take(&mut self, subject: Key, predicate: &str, object: Key) -> Option<Range<usize>> {
        self.places.get_mut(&(subject, iri_key(predicate), object))?.pop_front()
    }
}

#[derive(Debug, PartialEq)]
enum Token {
    Iri(String),
    Prefixed(String),
    Blank,
    Literal(String),
    /// `a`, `@prefix`, `PREFIX`, `true`, numbers.
    Word(String),
    Mark(&'static str),
}

const MARKS: &[&str] = &["<<(", ")>>", "<<", ">>", "{|", "|}", "^^", "[", "]", "(", ")", "{", "}", ".", ";", ",", "~"];

fn next_token(source: &str, from: usize) -> Option<(Token, Range<usize>)> {
    let mut at = from;
    loop {
        let rest = source.get(at..)?;
        let char = rest.chars().next()?;
        if char.is_whitespace() {
            at += char.len_utf8();
        } else if char == '#' {
            at += rest.find('\n').unwrap_or(rest.len());
        } else {
            break;
        }
    }
    let rest = source.get(at..)?;
    let first = rest.chars().next()?;
    let token = |token: Token, len: usize| Some((token, at..at + len));
    if matches!(first, '"' | '\'') {
        let (words, len) = literal(rest, first)?;
        return token(Token::Literal(words), len);
    }
    if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark) && !starts_number(rest)) {
        return token(Token::Mark(mark), mark.len());
    }
    if first == '<' {
        let len = rest.find('>')? + 1;
        return token(Token::Iri(unescape(rest.get(1..len - 1)?)), len);
    }
    let len = word_len(rest).max(first.len_utf8());
    let word = rest.get(..len)?;
    if word.starts_with("_:") {
        return token(Token::Blank, len);
    }
    let directive_or_number = word.starts_with('@')
        || word.starts_with(|char: char| char.is_ascii_digit() || matches!(char, '+' | '-' | '.'));
    if word.contains(':') && !directive_or_number {
        return token(Token::Prefixed(word.to_owned()), len);
    }
    token(Token::Word(word.to_owned()), len)
}

/// ".5" is a number, "." a full stop.
fn starts_number(rest: &str) -> bool {
    rest.starts_with('.') && rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
}

/// The length of a name, number or directive. A dot belongs to it only when something follows ("ex:a.b", "1.5").
fn word_len(rest: &str) -> usize {
    let mut chars = rest.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let next = chars.peek().map_or(' ', |&(_, next)| next);
        let part = match char {
            '\\' => {
                chars.next();
                true
            }
            '.' => next.is_alphanumeric() || matches!(next, '_' | '-' | ':' | '%' | '.'),
            ';' | ',' | '[' | ']' | '(' | ')' | '<' | '>' | '"' | '\'' | '{' | '}' | '|' | '^' | '~' | '#' => false,
            other => !other.is_whitespace(),
        };
        if !part {
            return at;
        }
    }
    rest.len()
}

/// A quoted literal's words and its length with quotes.
fn literal(rest: &str, quote: char) -> Option<(String, usize)> {
    let long: String = std::iter::repeat_n(quote, 3).collect();
    let fence = if rest.starts_with(&long) { long } else { quote.to_string() };
    let mut at = fence.len();
    loop {
        let tail = rest.get(at..)?;
        if tail.starts_with(&fence) {
            // Quotes right before the closing fence belong to the words.
            let extra = if fence.len() == 3 {
                tail.chars().take_while(|char| *char == quote).count().saturating_sub(3).min(2)
            } else {
                0
            };
            let end = at + extra;
            return Some((unescape(rest.get(fence.len()..end)?), end + fence.len()));
        }
        let char = tail.chars().next()?;
        at += char.len_utf8();
        if char == '\\' {
            at += rest.get(at..)?.chars().next()?.len_utf8();
        }
    }
}

fn unescape(raw: &str) -> String {
    let mut words = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(char) = chars.next() {
        if char != '\\' {
            words.push(char);
            continue;
        }
        match chars.next() {
            Some('t') => words.push('\t'),
            Some('b') => words.push('\u{8}'),
            Some('n') => words.push('\n'),
            Some('r') => words.push('\r'),
            Some('f') => words.push('\u{c}'),
            Some(kind @ ('u' | 'U')) => {
                let digits: String = chars.by_ref().take(if kind == 'u' { 4 } else { 8 }).collect();
                words.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
            }
            Some(other) => words.push(other),
            None => {}
        }
    }
    words
}

struct Spot {
    subject: Key,
    predicate: String,
    object: Key,
    span: Range<usize>,
}

/// What the next term is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Expect {
    #[default]
    Subject,
    Predicate,
    Object,
    Done,
}

#[derive(Clone, Debug, Default)]
struct Frame {
    expect: Expect,
    subject: Key,
    predicate: String,
    /// Where a statement begins that the next object completes.
    start: Option<usize>,
    opened: usize,
    /// The statement that was completed last.
    last: Option<usize>,
}

#[derive(Default)]
struct Walker {
    frame: Frame,
    stack: Vec<Frame>,
    prefixes: BTreeMap<String, String>,
    base: String,
    /// Words of a directive so far.
    directive: Option<(String, Option<String>)>,
    /// The next term is a datatype or a reifier's name.
    skip: bool,
    spots: Vec<Spot>,
}

impl Walker {
    fn take(&mut self, token: Token, range: Range<usize>) {
        if self.directive.is_some() {
            return self.directive(token);
        }
        match token {
            Token::Mark(mark) => self.mark(mark, range),
            Token::Word(word) if word.starts_with('@') || is_directive(&word) => {
                let name = word.trim_start_matches('@').to_lowercase();
                if matches!(name.as_str(), "prefix" | "base" | "version") {
                    self.directive = Some((name, None));
                } else {
                    // A language tag belongs to its literal.
                    self.widen(range.end);
                }
            }
            Token::Word(word) if word == "a" && self.frame.expect == Expect::Predicate => {
                self.term(Some(iri_key("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")), range);
            }
            Token::Word(word) => self.term(Some(literal_key(&word)), range),
            Token::Literal(words) => self.term(Some(literal_key(&words)), range),
            Token::Iri(iri) => {
                let key = iri_key(&self.resolve(&iri));
                self.term(Some(key), range);
            }
            Token::Prefixed(name) => {
                let key = self.expand(&name);
                self.term(key, range);
            }
            Token::Blank => self.term(None, range),
        }
    }

    fn directive(&mut self, token: Token) {
        let Some((name, prefix)) = self.directive.take() else { return };
        match (name.as_str(), token) {
            ("prefix", Token::Prefixed(prefix)) => {
                self.directive = Some((name, Some(prefix.trim_end_matches(':').to_owned())))
            }
            ("prefix", Token::Iri(iri)) => {
                let iri = self.resolve(&iri);
                self.prefixes.insert(prefix.unwrap_or_default(), iri);
                self.frame = Frame::default();
            }
            ("base", Token::Iri(iri)) => self.base = self.resolve(&iri),
            _ => {}
        }
    }

    fn resolve(&self, iri: &str) -> String {
        // Only what has no scheme is relative; dots and queries are rare enough in data files to go without a place.
        let absolute = iri
            .split_once(':')
            .is_some_and(|(scheme, _)| !scheme.is_empty() && scheme.chars().all(|char| char.is_alphanumeric()));
        if absolute || self.base.is_empty() {
            return iri.to_owned();
        }
        match (iri.strip_prefix('#'), self.base.rfind('/')) {
            (Some(fragment), _) => format!("{}#{fragment}", self.base.split('#').next().unwrap_or_default()),
            (None, Some(slash)) if !iri.is_empty() => format!("{}{iri}", self.base.get(..=slash).unwrap_or_default()),
            _ => self.base.clone(),
        }
    }

    fn expand(&self, name: &str) -> Key {
        let (prefix, local) = name.split_once(':')?;
        let namespace = self.prefixes.get(prefix)?;
        let local: String = local.chars().filter(|char| *char != '\\').collect();
        Some(iri_key(&format!("{namespace}{local}")))
    }

    fn mark(&mut self, mark: &'static str, range: Range<usize>) {
        match mark {
            "." => {
                self.stack.clear();
                self.frame = Frame::default();
            }
            ";" => {
                self.frame.expect = Expect::Predicate;
                self.frame.start = None;
            }
            "," => {
                self.frame.expect = Expect::Object;
                self.frame.start = None;
            }
            "^^" | "~" => self.skip = true,
            "[" | "{|" => self.push(Expect::Predicate, range.start),
            "<<" | "<<(" => self.push(Expect::Subject, range.start),
            "(" => self.push(Expect::Object, range.start),
            "|}" => {
                self.pop();
                self.frame.expect = Expect::Done;
                // The annotation belongs to the statement that it stands behind.
                self.widen(range.end);
            }
            "]" | ">>" | ")>>" | ")" => {
                let opened = self.pop();
                self.term(None, opened..range.end);
            }
            _ => {}
        }
    }

    fn push(&mut self, expect: Expect, opened: usize) {
        let outer = std::mem::replace(&mut self.frame, Frame { expect, opened, ..Frame::default() });
        self.stack.push(outer);
    }

    /// Goes back to the outer frame; gives where the inner one was opened.
    fn pop(&mut self) -> usize {
        let opened = self.frame.opened;
        self.frame = self.stack.pop().unwrap_or_default();
        opened
    }

    /// The statement that was completed last goes on to `end`: a datatype, a language, an annotation.
    fn widen(&mut self, end: usize) {
        if let Some(spot) = self.frame.last.and_then(|last| self.spots.get_mut(last)) {
            spot.span.end = end;
        }
    }

    fn term(&mut self, key: Key, range: Range<usize>) {
        if std::mem::take(&mut self.skip) {
            return self.widen(range.end);
        }
        match self.frame.expect {
            Expect::Subject => {
                self.frame.subject = key;
                self.frame.start = Some(range.start);
                self.frame.expect = Expect::Predicate;
            }
            Expect::Predicate => {
                self.frame.predicate = key.unwrap_or_default();
                self.frame.start = self.frame.start.or(Some(range.start));
                self.frame.expect = Expect::Object;
            }
            Expect::Object => {
                let start = self.frame.start.take().unwrap_or(range.start);
                let spot = Spot {
                    subject: self.frame.subject.clone(),
                    predicate: self.frame.predicate.clone(),
                    object: key,
                    span: start..range.end,
                };
                self.frame.last = Some(self.spots.len());
                self.spots.push(spot);
                self.frame.expect = Expect::Done;
            }
            Expect::Done => {}
        }
    }
}

fn is_directive(word: &str) -> bool {
    word.eq_ignore_ascii_case("prefix") || word.eq_ignore_ascii_case("base") || word.eq_ignore_ascii_case("version")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn statements_know_their_bytes() {
        let source = r#"
@prefix ex: <http://e/> . # a comment with "quotes" and .
PREFIX : <http://d/>
ex:a a ex:T ; ex:n 1.5 , "two\"s"@en , """long
"quoted\""""" .
ex:a ex:p ex:b.c {| ex:y 2023 |} ; ex:q [ ex:in "x" ] .
<< ex:a ex:r "v" >> ex:y "2024"^^ex:year .
:s :p (1 2) .
"#;
        let mut spans = TurtleSpans::new(source);
        let e = |local: &str| Some(iri_key(&format!("http://e/{local}")));
        for (subject, predicate, object, expected) in [
            (e("a"), "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", e("T"), "ex:a a ex:T"),
            (e("a"), "http://e/n", Some(literal_key("1.5")), "ex:n 1.5"),
            (e("a"), "http://e/n", Some(literal_key("two\"s")), r#""two\"s"@en"#),
            (e("a"), "http://e/n", Some(literal_key("long\n\"quoted\"\"")), "\"\"\"long\n\"quoted\\\"\"\"\"\""),
            (e("a"), "http://e/p", e("b.c"), "ex:a ex:p ex:b.c {| ex:y 2023 |}"),
            (None, "http://e/y", Some(literal_key("2023")), "ex:y 2023"),
            (None, "http://e/in", Some(literal_key("x")), "ex:in \"x\""),
            (e("a"), "http://e/r", Some(literal_key("v")), "ex:a ex:r \"v\""),
            (None, "http://e/y", Some(literal_key("2024")), "<< ex:a ex:r \"v\" >> ex:y \"2024\"^^ex:year"),
        ] {
            let found = spans.take(subject, predicate, object).map(|span| &source[span]);
            assert_eq!(found, Some(expected));
        }
        assert_eq!(spans.take(e("a"), "http://e/p", e("b.c")), None, "each place is handed out once");
    }
}
