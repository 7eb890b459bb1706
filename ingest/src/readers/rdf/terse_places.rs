//! Where the triples of a Turtle or TriG file stand.
//!
//! The parser says where an error is, not where a triple was. This scanner walks the tokens of a file that the parser has
//! *accepted* and notes subject, predicate and object of each statement with their bytes. It is not a second parser: what it does
//! not understand it passes over, and a triple without a place is reported by its reader instead of being given a wrong one.

use super::terse_tokens::{Token, next_token};
use oxiri::Iri;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::Range;

/// A term as far as it can be told from the tokens: an IRI, or a literal's words. `None`: a blank node or a nested statement.
type Key = Option<String>;

/// The places of all statements, each handed out once.
pub(super) struct TersePlaces {
    places: HashMap<(Key, String, Key), VecDeque<Range<usize>>>,
}

pub(super) fn iri_key(iri: &str) -> String {
    format!("<{iri}>")
}

pub(super) fn literal_key(words: &str) -> String {
    format!("\"{words}")
}

impl TersePlaces {
    /// Walks the tokens; `base` is what relative IRIs are relative to before the file says otherwise.
    pub(super) fn new(source: &str, base: &str) -> Self {
        let mut walker = Walker { base: Iri::parse(base.to_owned()).ok(), ..Walker::default() };
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
    base: Option<Iri<String>>,
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
            Token::Word(word) if self.frame.expect == Expect::Subject && word.eq_ignore_ascii_case("graph") => {}
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
            ("base", Token::Iri(iri)) => self.base = Iri::parse(self.resolve(&iri)).ok(),
            _ => {}
        }
    }

    fn resolve(&self, iri: &str) -> String {
        let resolved = self.base.as_ref().and_then(|base| base.resolve(iri).ok());
        resolved.map_or_else(|| iri.to_owned(), Iri::into_inner)
    }

    fn expand(&self, name: &str) -> Key {
        let (prefix, local) = name.split_once(':')?;
        let namespace = self.prefixes.get(prefix)?;
        let local: String = local.chars().filter(|char| *char != '\\').collect();
        Some(iri_key(&format!("{namespace}{local}")))
    }

    fn mark(&mut self, mark: &'static str, range: Range<usize>) {
        match mark {
            // The braces of TriG begin and end a graph; what stood before one is the graph's name.
            "." | "{" | "}" => {
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
GRAPH ex:g { ex:a ex:r ex:b . ex:a ex:r ex:c }
ex:h { ex:a ex:r ex:d ; ex:r ex:f } [] { <a> ex:r <../b> }
"#;
        let mut spans = TersePlaces::new(source, "http://d/dir/file");
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
            (e("a"), "http://e/r", e("b"), "ex:a ex:r ex:b"),
            (e("a"), "http://e/r", e("c"), "ex:a ex:r ex:c"),
            (e("a"), "http://e/r", e("d"), "ex:a ex:r ex:d"),
            (e("a"), "http://e/r", e("f"), "ex:r ex:f"),
            (Some(iri_key("http://d/dir/a")), "http://e/r", Some(iri_key("http://d/b")), "<a> ex:r <../b>"),
        ] {
            let found = spans.take(subject, predicate, object).map(|span| &source[span]);
            assert_eq!(found, Some(expected));
        }
        assert_eq!(spans.take(e("a"), "http://e/p", e("b.c")), None, "each place is handed out once");
    }
}
