//! Where the triples of a JSON-LD file stand.
//!
//! The parser reads the whole file before it gives the first triple, so its position says nothing. A triple's place is that of a
//! value of the file which can mean the triple's object, under a key that can mean its predicate, in an object whose `@id` can mean
//! its subject. What a word *can mean* is told by the file's contexts without their scopes, which is enough to choose among the
//! places that hold a value that the parser did find; a triple that fits no place is reported by its reader, and never given
//! another's.

use super::RDF;
use crate::readers::json_tree::{Kind, Node};
use oxrdf::{Literal, NamedOrBlankNode, Term, Triple};
use std::collections::HashMap;
use std::ops::Range;

/// Values that are looked at for one triple: those of a file come in the order of its triples, but for what stands far off.
const MOST_TRIED: usize = 1_000;

/// Containers between a value and the key of its property: value objects, lists, language and index maps.
const MOST_BETWEEN: usize = 6;

/// Longer ones are cut down to the value itself.
const LONGEST: usize = 400;

/// The same for those of `@reverse`, which cannot be cut: longer ones have no place.
const LONGEST_REVERSE: usize = 2_000;

/// Terms that mean terms: `name` is `schema:name`, whose prefix is an address.
const MOST_STEPS: usize = 4;

pub(super) struct JsonPlaces<'t> {
    tree: &'t [Node],
    words: Words<'t>,
    /// The text that is the `@id` of an object, by the object's number.
    ids: HashMap<usize, usize>,
    values: HashMap<Sought, Values>,
}

/// What a value is found by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Sought {
    Words(String),
    /// The bits of a number, however it is written.
    Number(u64),
    /// The last part of an IRI.
    Iri(String),
    /// Any object or array, as JSON literals are.
    Json,
}

#[derive(Default)]
struct Values {
    nodes: Vec<usize>,
    /// Where the last search ended.
    next: usize,
}

impl<'t> JsonPlaces<'t> {
    pub(super) fn new(tree: &'t [Node]) -> Self {
        let words = Words::of(tree);
        let mut ids = HashMap::new();
        let mut values: HashMap<Sought, Values> = HashMap::new();
        for (number, node) in tree.iter().enumerate() {
            if let (Kind::Text(_), Some(key), Some(parent)) = (&node.kind, &node.key, node.parent)
                && words.can_mean(&key.text, "@id")
            {
                ids.insert(parent, number);
            }
            for sought in words.of_value(&node.kind) {
                values.entry(sought).or_default().nodes.push(number);
            }
        }
        Self { tree, words, ids, values }
    }

    /// The bytes of the property with its value, or of the value alone where they stand far apart.
    pub(super) fn find(&mut self, triple: &Triple) -> Option<Range<usize>> {
        let Triple { subject, predicate, object } = triple;
        // Classes describe entities and need no evidence.
        if predicate.as_str().strip_prefix(RDF) == Some("type") {
            return None;
        }
        match (object, subject) {
            (Term::Literal(literal), _) => self.search(&of_literal(literal), subject, triple).map(|(_, span)| span),
            (Term::NamedNode(iri), _) => {
                let sought = [Sought::Iri(tail(iri.as_str()).to_owned())];
                let found = self.search(&sought, subject, triple).map(|(_, span)| span);
                found.or_else(|| self.find_reverse(triple))
            }
            _ => None,
        }
    }

    /// A triple that is said from its other end, by `@reverse`: the outer object is the triple's object, and its `@id` belongs to
    /// the place.
    fn find_reverse(&mut self, triple: &Triple) -> Option<Range<usize>> {
        let (Term::NamedNode(outer), NamedOrBlankNode::NamedNode(inner)) = (&triple.object, &triple.subject) else {
            return None;
        };
        let turned = Triple::new(outer.clone(), triple.predicate.clone(), inner.clone());
        let sought = [Sought::Iri(tail(inner.as_str()).to_owned())];
        let (value, span) = self.search(&sought, &turned.subject, &turned)?;
        let id = self.tree.get(self.identity(self.tree.get(value)?.parent)?)?;
        let start = id.key.as_ref().map_or(id.span.start, |key| key.start);
        let whole = start.min(span.start)..id.span.end.max(span.end);
        (whole.len() <= LONGEST_REVERSE).then_some(whole)
    }

    /// The value that fits, and its place.
    fn search(
        &mut self,
        sought: &[Sought],
        subject: &NamedOrBlankNode,
        triple: &Triple,
    ) -> Option<(usize, Range<usize>)> {
        sought.iter().find_map(|sought| {
            let values = self.values.get(sought)?;
            let order = (values.next..values.nodes.len()).chain(0..values.next).take(MOST_TRIED);
            let found = order
                .filter_map(|place| Some((place, *values.nodes.get(place)?)))
                .find_map(|(place, number)| Some((place, number, self.place(number, subject, triple)?)));
            let (place, number, span) = found?;
            if let Some(values) = self.values.get_mut(sought) {
                values.next = place + 1;
            }
            Some((number, span))
        })
    }

    /// The place of a value, when it stands under the predicate in the subject.
    fn place(&self, value: usize, subject: &NamedOrBlankNode, triple: &Triple) -> Option<Range<usize>> {
        let leaf = self.tree.get(value)?;
        if let (Kind::Text(text), Term::NamedNode(iri)) = (&leaf.kind, &triple.object)
            && !self.words.can_mean(text, iri.as_str())
        {
            return None;
        }
        let mut number = value;
        for _ in 0..MOST_BETWEEN {
            let node = self.tree.get(number)?;
            if let Some(key) = &node.key
                && self.words.can_mean(&key.text, triple.predicate.as_str())
                && self.is_said_of(node.parent, subject)
            {
                let whole = key.start..leaf.span.end;
                return Some(if whole.len() > LONGEST { leaf.span.clone() } else { whole });
            }
            // What stands in an object with an identity of its own is said of that one.
            if self.ids.get(&number).is_some_and(|id| *id != value) {
                return None;
            }
            number = node.parent?;
        }
        None
    }

    /// Whether the nearest object with an identity is the subject; one without any is a blank node.
    fn is_said_of(&self, object: Option<usize>, subject: &NamedOrBlankNode) -> bool {
        let id = self.identity(object).and_then(|id| self.tree.get(id));
        match (id, subject) {
            (Some(Node { kind: Kind::Text(id), .. }), NamedOrBlankNode::NamedNode(iri)) => {
                self.words.can_mean(id, iri.as_str())
            }
            (Some(Node { kind: Kind::Text(id), .. }), NamedOrBlankNode::BlankNode(_)) => id.starts_with("_:"),
            (_, NamedOrBlankNode::NamedNode(iri)) => self.is_keyed_by(object, iri.as_str()),
            (_, NamedOrBlankNode::BlankNode(_)) => true,
        }
    }

    /// The value that is the `@id` of the nearest object that has one, from this object outwards.
    fn identity(&self, object: Option<usize>) -> Option<usize> {
        self.outwards(object).find_map(|number| self.ids.get(&number).copied())
    }

    /// Whether an object stands in a map by id, where the key is the identity.
    fn is_keyed_by(&self, object: Option<usize>, iri: &str) -> bool {
        let keys = self.outwards(object).filter_map(|number| self.tree.get(number)?.key.as_ref());
        keys.take(MOST_BETWEEN).any(|key| self.words.can_mean(&key.text, iri))
    }

    fn outwards(&self, object: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(object, |number| self.tree.get(*number)?.parent)
    }
}

/// The part of an IRI that a compact or relative one ends with too.
fn tail(iri: &str) -> &str {
    iri.rsplit(['/', '#', ':', '?']).next().unwrap_or(iri)
}

fn of_literal(literal: &Literal) -> Vec<Sought> {
    if literal.datatype().as_str().strip_prefix(RDF) == Some("JSON") {
        return vec![Sought::Json, Sought::Words(literal.value().trim_matches('"').to_owned())];
    }
    let number = literal.value().parse::<f64>().ok().map(|number| Sought::Number(number.to_bits()));
    std::iter::once(Sought::Words(literal.value().to_owned())).chain(number).collect()
}

/// What words can mean by the contexts of a file.
struct Words<'t> {
    terms: HashMap<&'t str, Vec<&'t str>>,
    vocabularies: Vec<&'t str>,
}

impl<'t> Words<'t> {
    fn of(tree: &'t [Node]) -> Self {
        let mut words = Self { terms: HashMap::new(), vocabularies: Vec::new() };
        let mut within = vec![false; tree.len()];
        for (number, node) in tree.iter().enumerate() {
            let is = |number: usize| within.get(number).copied().unwrap_or(false);
            let key = node.key.as_ref().map(|key| key.text.as_str());
            let here = node.parent.is_some_and(is);
            if let Some(within) = within.get_mut(number) {
                *within = here || key == Some("@context");
            }
            let (true, Some(key), Kind::Text(text)) = (here, key, &node.kind) else { continue };
            let defined = match key {
                "@vocab" => {
                    words.vocabularies.push(text);
                    None
                }
                "@id" | "@reverse" => {
                    let definition = node.parent.and_then(|parent| tree.get(parent));
                    definition.and_then(|definition| definition.key.as_ref()).map(|key| key.text.as_str())
                }
                key => (!key.starts_with('@')).then_some(key),
            };
            if let Some(term) = defined {
                words.terms.entry(term).or_default().push(text);
            }
        }
        words
    }

    fn can_mean(&self, word: &str, iri: &str) -> bool {
        self.reaches(word, iri, MOST_STEPS)
    }

    fn reaches(&self, word: &str, iri: &str, steps: usize) -> bool {
        let Some(left) = steps.checked_sub(1) else { return false };
        let by_term = |term: &str, iri: &str| {
            let meant = self.terms.get(term).into_iter().flatten();
            meant.filter(|meant| **meant != term).any(|meant| self.reaches(meant, iri, left))
        };
        if word == iri || by_term(word, iri) {
            return true;
        }
        if let Some((prefix, local)) = word.split_once(':') {
            return iri.strip_suffix(local).is_some_and(|space| by_term(prefix, space));
        }
        if iri.starts_with('@') {
            return false;
        }
        let by_vocabulary = |vocabulary: &&str| {
            iri.strip_suffix(word).is_some_and(|space| space == *vocabulary || self.reaches(vocabulary, space, left))
        };
        self.vocabularies.iter().any(by_vocabulary) || ends_with_path(iri, word)
    }

    /// All that a value is found by.
    fn of_value(&self, kind: &Kind) -> Vec<Sought> {
        match kind {
            Kind::Text(text) => {
                let meant = self.terms.get(text.as_str()).into_iter().flatten().copied();
                let iris = meant.chain([text.as_str()]).map(|iri| Sought::Iri(tail(iri).to_owned()));
                iris.chain([Sought::Words(text.clone())]).collect()
            }
            Kind::Number(number) => {
                number.parse::<f64>().ok().map(|number| Sought::Number(number.to_bits())).into_iter().collect()
            }
            Kind::Truth(truth) => vec![Sought::Words(truth.to_string())],
            Kind::Container => vec![Sought::Json],
            Kind::Null => Vec::new(),
        }
    }
}

/// Whether a relative reference can stand for the IRI: they end alike, from a separator on.
fn ends_with_path(iri: &str, reference: &str) -> bool {
    let path = reference.trim_start_matches("../").trim_start_matches("./").trim_start_matches('/');
    let Some(space) = iri.strip_suffix(path) else { return false };
    path.starts_with(['#', '?']) || space.ends_with(['/', '#', '?', ':'])
}
