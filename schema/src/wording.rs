//! Wordings: sentences with slots.
//!
//! A statement wording is a full sentence such as
//! `{s}'s research and development expense[ in fiscal year {fiscalYear}] was {o}.`
//! `{s}` is the subject, `{o}` the object, any other slot names a qualifier by its IRI's local name, and a part in brackets
//! stands only when every qualifier in it has a value. A question wording has `{s}` and no `{o}`. A brace or bracket that is
//! meant as such is written twice: `{{`, `]]`.

/// A parsed wording in one language. Round-trips: [`Wording::source`] gives back what was parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wording {
    /// BCP 47 tag in lower case; empty where none was given.
    pub lang: String,
    /// As written.
    pub source: String,
    pub(crate) parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Literal(String),
    Subject,
    Object,
    Qualifier(String),
    Optional(Vec<Part>),
}

/// A read-only view of one part of a wording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Words that stand as they are.
    Literal(&'a str),
    /// The subject's place.
    Subject,
    /// The object's place.
    Object,
    /// The place of the qualifier with this local name.
    Qualifier(&'a str),
    /// Stands only when every qualifier in it has a value. Never holds another optional part, the subject or the object.
    Optional(Vec<Piece<'a>>),
}

/// A statement filled up to its object: what the model is made to say before it names the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stem {
    /// The words before the object ("The capital of Freedonia is"), without trailing white space.
    pub before: String,
    /// Whether white space stood between the stem and the object (it does in English, not in Chinese).
    pub spaced: bool,
    /// The words after the object (".").
    pub after: String,
}

/// Why a wording cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordingError {
    /// `{` without `}` or the other way round.
    #[error("`{0}` has no partner; a brace that is meant as such is written twice")]
    UnbalancedBrace(char),
    /// `[` without `]` or the other way round.
    #[error("`{0}` has no partner; a bracket that is meant as such is written twice")]
    UnbalancedBracket(char),
    /// `[a [b]]`
    #[error("a bracketed part inside a bracketed part; use two parts side by side")]
    Nested,
    /// `{}`
    #[error("an empty slot `{{}}`; name the subject {{s}}, the object {{o}} or a qualifier")]
    EmptySlot,
    /// `[ in short]`
    #[error("a bracketed part without a qualifier slot would never be left out; drop the brackets")]
    NothingOptional,
    /// `[ of {s}]`
    #[error("`{{{0}}}` inside a bracketed part could be left out; move it outside")]
    OptionalRole(&'static str),
    /// A statement without `{s}`, a question without it.
    #[error("has no subject slot {{s}}")]
    NoSubject,
    /// A question with two.
    #[error("has {0} subject slots {{s}}; a question has exactly one")]
    ManySubjects(usize),
    /// A statement without `{o}`.
    #[error("has no object slot {{o}}")]
    NoObject,
    /// A statement with two.
    #[error("has {0} object slots {{o}}; a statement has exactly one")]
    ManyObjects(usize),
    /// A question with `{o}`.
    #[error("has an object slot {{o}}; a question asks for the object and cannot name it")]
    ObjectInQuestion,
}

impl Wording {
    /// A wording as it stands, for a schema that is only written, to be read and checked then. Nothing can be said with it.
    pub fn unchecked(lang: &str, text: &str) -> Self {
        Self { lang: lang.to_owned(), source: text.to_owned(), parts: vec![Part::Literal(text.to_owned())] }
    }

    /// Parses a wording. What a statement or a question needs besides is checked by [`Wording::check_statement`] and
    /// [`Wording::check_question`].
    pub fn parse(lang: &str, text: &str) -> Result<Self, WordingError> {
        let mut parts = Vec::new();
        // The parts of the bracket that is open, if one is.
        let mut optional: Option<Vec<Part>> = None;
        let mut literal = String::new();
        let mut rest = text.chars().peekable();
        while let Some(char) = rest.next() {
            if matches!(char, '{' | '}' | '[' | ']') && rest.next_if_eq(&char).is_some() {
                literal.push(char);
                continue;
            }
            match char {
                '{' => {
                    let mut name = String::new();
                    loop {
                        match rest.next() {
                            Some('}') => break,
                            Some(inner) if !matches!(inner, '{' | '[' | ']') => name.push(inner),
                            _ => return Err(WordingError::UnbalancedBrace('{')),
                        }
                    }
                    let target = optional.as_mut().unwrap_or(&mut parts);
                    flush(&mut literal, target);
                    target.push(slot(name.trim())?);
                }
                '}' => return Err(WordingError::UnbalancedBrace('}')),
                '[' if optional.is_some() => return Err(WordingError::Nested),
                '[' => {
                    flush(&mut literal, &mut parts);
                    optional = Some(Vec::new());
                }
                ']' => {
                    let mut inner = optional.take().ok_or(WordingError::UnbalancedBracket(']'))?;
                    flush(&mut literal, &mut inner);
                    check_optional(&inner)?;
                    parts.push(Part::Optional(inner));
                }
                other => literal.push(other),
            }
        }
        if optional.is_some() {
            return Err(WordingError::UnbalancedBracket('['));
        }
        flush(&mut literal, &mut parts);
        Ok(Self { lang: lang.to_lowercase(), source: text.to_owned(), parts })
    }

    /// Whether it can serve as a statement: at least one `{s}`, exactly one `{o}`.
    pub fn check_statement(&self) -> Result<(), WordingError> {
        match (self.count(&Part::Subject), self.count(&Part::Object)) {
            (0, _) => Err(WordingError::NoSubject),
            (_, 0) => Err(WordingError::NoObject),
            (_, 1) => Ok(()),
            (_, many) => Err(WordingError::ManyObjects(many)),
        }
    }

    /// Whether it can serve as a question: exactly one `{s}`, no `{o}`.
    pub fn check_question(&self) -> Result<(), WordingError> {
        match (self.count(&Part::Subject), self.count(&Part::Object)) {
            (_, 1..) => Err(WordingError::ObjectInQuestion),
            (0, _) => Err(WordingError::NoSubject),
            (1, _) => Ok(()),
            (many, _) => Err(WordingError::ManySubjects(many)),
        }
    }

    /// The full sentence. `qualifier` gives the words for a qualifier's value by the qualifier's local name.
    pub fn statement(&self, subject: &str, object: &str, qualifier: &dyn Fn(&str) -> Option<String>) -> String {
        let mut out = String::new();
        fill(&self.parts, subject, Some(object), qualifier, &mut out);
        out
    }

    /// The sentence cut at its object. A wording whose object comes first has an empty stem: see
    /// [`Wording::leads_to_object`].
    pub fn stem(&self, subject: &str, qualifier: &dyn Fn(&str) -> Option<String>) -> Stem {
        let cut = self.parts.iter().position(|part| *part == Part::Object).unwrap_or(self.parts.len());
        let (head, tail) = self.parts.split_at(cut);
        let (mut before, mut after) = (String::new(), String::new());
        fill(head, subject, None, qualifier, &mut before);
        fill(tail.get(1..).unwrap_or_default(), subject, None, qualifier, &mut after);
        let spaced = before.ends_with(char::is_whitespace);
        before.truncate(before.trim_end().len());
        Stem { before, spaced, after }
    }

    /// The question about a subject.
    pub fn question(&self, subject: &str, qualifier: &dyn Fn(&str) -> Option<String>) -> String {
        let mut out = String::new();
        fill(&self.parts, subject, None, qualifier, &mut out);
        out
    }

    /// Whether the subject is named before the object, so that the stem says what is asked.
    pub fn leads_to_object(&self) -> bool {
        let place = |wanted: &Part| self.parts.iter().position(|part| part == wanted);
        matches!((place(&Part::Subject), place(&Part::Object)), (Some(subject), Some(object)) if subject < object)
    }

    /// The literal pieces in order, those in brackets among them: the wording's own words, for matching.
    pub fn literals(&self) -> impl Iterator<Item = &str> {
        flat(&self.parts).filter_map(|part| match part {
            Part::Literal(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The local names of the qualifiers it has slots for, in order.
    pub fn slots(&self) -> impl Iterator<Item = &str> {
        flat(&self.parts).filter_map(|part| match part {
            Part::Qualifier(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The parts, for readers that match the wording against text.
    pub fn pieces(&self) -> Vec<Piece<'_>> {
        self.parts.iter().map(piece).collect()
    }

    fn count(&self, wanted: &Part) -> usize {
        flat(&self.parts).filter(|part| *part == wanted).count()
    }
}

/// Doubles braces and brackets, so that `words` stand in a wording as they are.
pub fn escape(words: &str) -> String {
    words
        .chars()
        .flat_map(|char| [Some(char), matches!(char, '{' | '}' | '[' | ']').then_some(char)])
        .flatten()
        .collect()
}

/// The text that parses to these parts.
pub(crate) fn source_of(parts: &[Part]) -> String {
    parts
        .iter()
        .map(|part| match part {
            Part::Literal(words) => escape(words),
            Part::Subject => "{s}".to_owned(),
            Part::Object => "{o}".to_owned(),
            Part::Qualifier(name) => format!("{{{name}}}"),
            Part::Optional(inner) => format!("[{}]", source_of(inner)),
        })
        .collect()
}

fn slot(name: &str) -> Result<Part, WordingError> {
    match name {
        "" => Err(WordingError::EmptySlot),
        "s" => Ok(Part::Subject),
        "o" => Ok(Part::Object),
        other => Ok(Part::Qualifier(other.to_owned())),
    }
}

fn check_optional(inner: &[Part]) -> Result<(), WordingError> {
    if inner.contains(&Part::Subject) {
        return Err(WordingError::OptionalRole("s"));
    }
    if inner.contains(&Part::Object) {
        return Err(WordingError::OptionalRole("o"));
    }
    if !inner.iter().any(|part| matches!(part, Part::Qualifier(_))) {
        return Err(WordingError::NothingOptional);
    }
    Ok(())
}

fn flush(literal: &mut String, into: &mut Vec<Part>) {
    if !literal.is_empty() {
        into.push(Part::Literal(std::mem::take(literal)));
    }
}

/// All parts, those in brackets in place of their bracket.
fn flat(parts: &[Part]) -> impl Iterator<Item = &Part> {
    parts.iter().flat_map(|part| match part {
        Part::Optional(inner) => inner.as_slice(),
        other => std::slice::from_ref(other),
    })
}

fn piece(part: &Part) -> Piece<'_> {
    match part {
        Part::Literal(text) => Piece::Literal(text),
        Part::Subject => Piece::Subject,
        Part::Object => Piece::Object,
        Part::Qualifier(name) => Piece::Qualifier(name),
        Part::Optional(inner) => Piece::Optional(inner.iter().map(piece).collect()),
    }
}

fn fill(
    parts: &[Part],
    subject: &str,
    object: Option<&str>,
    qualifier: &dyn Fn(&str) -> Option<String>,
    out: &mut String,
) {
    for part in parts {
        match part {
            Part::Literal(text) => push_words(out, text),
            Part::Subject => out.push_str(subject),
            Part::Object => out.push_str(object.unwrap_or_default()),
            Part::Qualifier(name) => out.push_str(&qualifier(name).unwrap_or_default()),
            Part::Optional(inner) => {
                // All or nothing: a half-filled bracket would say something that the fact does not.
                let complete = inner.iter().all(|part| match part {
                    Part::Qualifier(name) => qualifier(name).is_some(),
                    _ => true,
                });
                if complete {
                    fill(inner, subject, object, qualifier, out);
                }
            }
        }
    }
}

/// Adds words; where an empty slot has left two spaces side by side, one is enough.
fn push_words(out: &mut String, words: &str) {
    if out.ends_with(' ') && words.starts_with(' ') {
        out.push_str(words.trim_start_matches(' '));
    } else {
        out.push_str(words);
    }
}
