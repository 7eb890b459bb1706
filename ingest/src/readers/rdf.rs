//! Turtle and N-Triples.
//!
//! `rdf:type`, labels and alternative labels describe entities; every other triple with an IRI as subject is a fact. Qualifiers
//! come as RDF 1.2 annotations (`{| ex:fiscalYear 2023 |}`) or on a reifier (`<< s p o >> ex:fiscalYear 2023`). A reified triple that
//! the file does not assert is a fact only when nothing but qualifiers is said of it: "it is denied that" is no fact.

use super::turtle_spans::{TurtleSpans, iri_key, literal_key};
use super::{Format, Malformed, Reader};
use crate::draft::{Draft, Found, Place};
use crate::text::Decoded;
use crate::values::{ColumnUnit, QualifierWords, whole};
use factmask_graph::{Locator, Statement, Value};
use factmask_schema::{Iri, Range as Objects, Text, ValueKind, ValueType, local_name};
use oxrdf::{Literal, NamedOrBlankNode, Term, Triple};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const RDFS: &str = "http://www.w3.org/2000/01/rdf-schema#";
const OWL: &str = "http://www.w3.org/2002/07/owl#";
const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
const FACTMASK: &str = "urn:factmask:schema#";
const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// A triple with the bytes it stands in.
struct Located {
    triple: Triple,
    span: Option<Range<usize>>,
}

pub(super) fn declare(format: Format, decoded: &Decoded, draft: &mut Draft<'_, '_>) -> Result<(), Malformed> {
    describe(&triples(format, decoded)?, draft);
    Ok(())
}

pub(super) fn read(
    reader: &Reader<'_>,
    format: Format,
    decoded: &Decoded,
    draft: &mut Draft<'_, '_>,
) -> Result<(), Malformed> {
    let triples = triples(format, decoded)?;
    let vocabulary = describe(&triples, draft);
    if !vocabulary.is_empty() {
        draft.warn(
            None,
            format!(
                "{} classes, relations or qualifiers are declared here; a schema is no fact (load it with --schema)",
                vocabulary.len()
            ),
        );
    }
    let extractor = if format == Format::Turtle { "turtle" } else { "ntriples" };
    let facts = Facts::collect(reader, &triples, &vocabulary, draft, decoded);
    facts.write(reader, extractor, decoded, draft);
    Ok(())
}

fn triples(format: Format, decoded: &Decoded) -> Result<Vec<Located>, Malformed> {
    let content = decoded.text.get(decoded.start..).unwrap_or_default();
    let mut found = match format {
        Format::NTriples => ntriples(content)?,
        _ => turtle(content)?,
    };
    for span in found.iter_mut().filter_map(|located| located.span.as_mut()) {
        *span = span.start + decoded.start..span.end + decoded.start;
    }
    Ok(found)
}

/// Fed line by line: the line that completes a triple is where it stands.
fn ntriples(content: &str) -> Result<Vec<Located>, Malformed> {
    let mut parser = oxttl::NTriplesParser::new().low_level();
    let mut found = Vec::new();
    let mut at = 0;
    for line in content.split_inclusive('\n') {
        let span = at..at + line.trim_end().len();
        at += line.len();
        parser.extend_from_slice(line.as_bytes());
        if at == content.len() {
            parser.extend_from_slice(b"\n");
            parser.end();
        }
        while let Some(triple) = parser.parse_next() {
            let triple = triple.map_err(|error| malformed(&error))?;
            found.push(Located { triple, span: Some(span.clone()) });
        }
    }
    Ok(found)
}

fn turtle(content: &str) -> Result<Vec<Located>, Malformed> {
    let triples: Vec<Triple> =
        oxttl::TurtleParser::new().for_slice(content).collect::<Result<_, _>>().map_err(|error| malformed(&error))?;
    let mut spans = TurtleSpans::new(content);
    let place = |triple: Triple| {
        let subject = match &triple.subject {
            NamedOrBlankNode::NamedNode(iri) => Some(iri_key(iri.as_str())),
            NamedOrBlankNode::BlankNode(_) => None,
        };
        let span = spans.take(subject, triple.predicate.as_str(), object_key(&triple.object));
        Located { triple, span }
    };
    let mut located: Vec<Located> = triples.into_iter().map(place).collect();
    // A reified triple stands where its inner statement does.
    for located in &mut located {
        if let (None, Term::Triple(inner)) = (&located.span, &located.triple.object)
            && let NamedOrBlankNode::NamedNode(subject) = &inner.subject
        {
            located.span =
                spans.take(Some(iri_key(subject.as_str())), inner.predicate.as_str(), object_key(&inner.object));
        }
    }
    Ok(located)
}

fn object_key(object: &Term) -> Option<String> {
    match object {
        Term::NamedNode(iri) => Some(iri_key(iri.as_str())),
        Term::Literal(literal) => Some(literal_key(literal.value())),
        _ => None,
    }
}

fn malformed(error: &oxttl::TurtleSyntaxError) -> Malformed {
    let start = error.location().start;
    Malformed { line: start.line + 1, column: Some(start.column + 1), message: error.message().to_owned() }
}

/// Describes the entities; gives the IRIs that are vocabulary and no entities.
fn describe(triples: &[Located], draft: &mut Draft<'_, '_>) -> BTreeSet<Iri> {
    let mut vocabulary = BTreeSet::new();
    for Located { triple, .. } in triples {
        if let (NamedOrBlankNode::NamedNode(subject), Term::NamedNode(class)) = (&triple.subject, &triple.object)
            && triple.predicate.as_str().strip_prefix(RDF) == Some("type")
            && is_vocabulary_class(class.as_str())
        {
            vocabulary.insert(subject.clone());
        }
    }
    for Located { triple, .. } in triples {
        let NamedOrBlankNode::NamedNode(subject) = &triple.subject else { continue };
        if vocabulary.contains(subject) {
            continue;
        }
        match (description(triple.predicate.as_str()), &triple.object) {
            (Some(Description::Class), Term::NamedNode(class)) => {
                let class = class.clone();
                draft.describe(subject, |entity| add(&mut entity.classes, class));
            }
            (Some(Description::Label), Term::Literal(words)) => {
                let label = text(words);
                draft.describe(subject, |entity| add(&mut entity.labels, label));
            }
            (Some(Description::Alias), Term::Literal(words)) => {
                let alias = text(words);
                draft.describe(subject, |entity| add(&mut entity.aliases, alias));
            }
            _ => {}
        }
    }
    vocabulary
}

enum Description {
    Class,
    Label,
    Alias,
}

fn description(predicate: &str) -> Option<Description> {
    match (predicate.strip_prefix(RDF), predicate.strip_prefix(RDFS), predicate.strip_prefix(SKOS)) {
        (Some("type"), _, _) => Some(Description::Class),
        (_, Some("label"), _) | (_, _, Some("prefLabel")) => Some(Description::Label),
        (_, _, Some("altLabel" | "hiddenLabel")) => Some(Description::Alias),
        _ => None,
    }
}

fn is_vocabulary_class(class: &str) -> bool {
    match (class.strip_prefix(RDFS), class.strip_prefix(RDF), class.strip_prefix(OWL), class.strip_prefix(FACTMASK)) {
        (Some(local), _, _, _) => local == "Class" || local == "Datatype",
        (_, Some(local), _, _) => local == "Property",
        (_, _, Some(local), _) => local.ends_with("Class") || local.ends_with("Property") || local == "Ontology",
        (_, _, _, Some(local)) => local == "Qualifier",
        _ => false,
    }
}

fn text(words: &Literal) -> Text {
    Text::new(words.language().unwrap_or_default().to_lowercase(), words.value())
}

fn add<T: PartialEq>(into: &mut Vec<T>, item: T) {
    if !into.contains(&item) {
        into.push(item);
    }
}

/// A triple with its place.
type Placed<'t> = (&'t Triple, Option<Range<usize>>);

/// Statements with what their reifiers say of them.
struct Facts<'t> {
    asserted: Vec<Placed<'t>>,
    /// Reified triples, once for each reifier, with what is said of the reifier.
    reified: Vec<(Placed<'t>, Vec<Placed<'t>>)>,
}

impl<'t> Facts<'t> {
    fn collect(
        reader: &Reader<'_>,
        triples: &'t [Located],
        vocabulary: &BTreeSet<Iri>,
        draft: &mut Draft<'_, '_>,
        decoded: &Decoded,
    ) -> Self {
        let mut reifiers: BTreeMap<String, Vec<Placed<'_>>> = BTreeMap::new();
        // In the order of the file: the names of blank nodes are drawn by chance.
        let mut order: Vec<String> = Vec::new();
        for Located { triple, span } in triples {
            if let Term::Triple(inner) = &triple.object
                && triple.predicate.as_str().strip_prefix(RDF) == Some("reifies")
            {
                let reifier = triple.subject.to_string();
                if !reifiers.contains_key(&reifier) {
                    order.push(reifier.clone());
                }
                reifiers.entry(reifier).or_default().push((inner.as_ref(), span.clone()));
            }
        }
        let mut said: HashMap<String, Vec<Placed<'_>>> = HashMap::new();
        let mut asserted = Vec::new();
        let mut blank = 0;
        for Located { triple, span } in triples {
            let subject = triple.subject.to_string();
            if matches!(triple.object, Term::Triple(_)) {
                continue;
            }
            if reifiers.contains_key(&subject) {
                said.entry(subject).or_default().push((triple, span.clone()));
                continue;
            }
            match &triple.subject {
                NamedOrBlankNode::BlankNode(_) => blank += 1,
                NamedOrBlankNode::NamedNode(iri) => {
                    let meta = [RDF, RDFS, OWL, SKOS].iter().any(|space| triple.predicate.as_str().starts_with(space));
                    if !meta && !vocabulary.contains(iri) {
                        asserted.push((triple, span.clone()));
                    }
                }
            }
        }
        if blank > 0 {
            draft.warn(None, format!("{blank} triples about blank nodes are left out; give the nodes IRIs"));
        }
        let stands: HashSet<&Triple> = asserted.iter().map(|(triple, _)| *triple).collect();
        let mut reified = Vec::new();
        for reifier in order {
            let inner = reifiers.remove(&reifier).unwrap_or_default();
            let about = said.remove(&reifier).unwrap_or_default();
            for (triple, span) in inner {
                let qualified = !about.is_empty()
                    && about.iter().all(|(triple, _)| reader.schema.qualifiers.contains_key(&triple.predicate));
                if stands.contains(triple) || qualified {
                    reified.push(((triple, span), about.clone()));
                } else {
                    let place = span.map(|span| Place::Line(decoded.line(span.start)));
                    draft.warn(place, "a reified triple that is not asserted, with more than qualifiers said of it, is no fact; left out");
                }
            }
        }
        Self { asserted, reified }
    }

    fn write(self, reader: &Reader<'_>, extractor: &'static str, decoded: &Decoded, draft: &mut Draft<'_, '_>) {
        let mut writer = Writer { reader, extractor, decoded };
        let places: HashMap<&Triple, Range<usize>> =
            self.asserted.iter().filter_map(|(triple, span)| Some((*triple, span.clone()?))).collect();
        let mut qualified = HashSet::new();
        for ((triple, span), about) in self.reified {
            let span = places.get(triple).cloned().or(span);
            let mut qualifiers = Vec::new();
            let mut whole = span.clone();
            for (qualifier, at) in about {
                let Some(words) = reader.qualifiers.iter().find(|words| words.iri == qualifier.predicate) else {
                    continue;
                };
                if let Some(value) = writer.qualifier(words, &qualifier.object, at.as_ref(), draft) {
                    qualifiers.push((words.iri.clone(), value));
                }
                // The statement and what is said of it close by are shown together.
                if let (Some(whole), Some(at)) = (&mut whole, at)
                    && at.end > whole.end
                    && at.end - whole.start < 500
                {
                    whole.end = at.end;
                }
            }
            if !qualifiers.is_empty() {
                qualified.insert(triple);
                writer.fact(triple, qualifiers, whole, draft);
            }
        }
        for (triple, span) in self.asserted {
            if !qualified.contains(triple) {
                writer.fact(triple, Vec::new(), span, draft);
            }
        }
    }
}

struct Writer<'a, 's> {
    reader: &'a Reader<'s>,
    extractor: &'static str,
    decoded: &'a Decoded,
}

impl Writer<'_, '_> {
    fn fact(
        &mut self,
        triple: &Triple,
        qualifiers: Vec<(Iri, Value)>,
        span: Option<Range<usize>>,
        draft: &mut Draft<'_, '_>,
    ) {
        let NamedOrBlankNode::NamedNode(subject) = &triple.subject else { return };
        let Some(span) = span else {
            draft.warn(None, format!("the place of a triple with {} could not be told; it is left out (write it as a statement of its own)", triple.predicate));
            return;
        };
        let line = self.decoded.line(span.start);
        let Some(object) = self.object(triple, line, draft) else { return };
        self.classify(subject, &triple.predicate, &object, draft);
        let statement = Statement { subject: subject.clone(), relation: triple.predicate.clone(), object, qualifiers };
        draft.fact(
            statement,
            Found { span, locator: Some(Locator::Row(line)), extractor: self.extractor, confidence: 1.0 },
        );
    }

    /// Gives entities that nobody has typed the classes that the relation asks for.
    fn classify(&self, subject: &Iri, relation: &Iri, object: &Value, draft: &mut Draft<'_, '_>) {
        let Some(relation) = self.reader.schema.relations.get(relation) else { return };
        let mut give = |iri: &Iri, class: &Iri| {
            if draft.names.entity(iri).is_some_and(|known| known.classes.is_empty()) {
                draft.describe(iri, |entity| add(&mut entity.classes, class.clone()));
            }
        };
        if let Some(domain) = &relation.domain {
            give(subject, domain);
        }
        if let (Objects::Entity(Some(range)), Value::Entity(object)) = (&relation.range, object) {
            give(object, range);
        }
    }

    fn object(&self, triple: &Triple, line: u32, draft: &mut Draft<'_, '_>) -> Option<Value> {
        let place = Some(Place::Line(line));
        let name = local_name(triple.predicate.as_str());
        let range = self.reader.schema.relations.get(&triple.predicate).map(|relation| &relation.range);
        match (range, &triple.object) {
            (Some(Objects::Value(_)), Term::NamedNode(iri)) => {
                draft.warn(place, format!("{name} takes a value, and <{}> is an IRI; left out", iri.as_str()));
                None
            }
            (_, Term::NamedNode(iri)) => Some(Value::Entity(iri.clone())),
            (Some(Objects::Entity(class)), Term::Literal(words)) => {
                Some(Value::Entity(draft.entity(words.value(), class.as_ref(), place)))
            }
            (Some(Objects::Value(wanted)), Term::Literal(words)) => {
                let value = typed(words, wanted, false);
                if value.is_none() {
                    draft.warn(
                        place,
                        format!(
                            "\"{}\" is no value for {name}; left out (see the relation's range and unit)",
                            words.value()
                        ),
                    );
                }
                value
            }
            (None, Term::Literal(words)) => Some(by_datatype(words)),
            _ => {
                draft.warn(
                    place,
                    format!("a blank node or triple as the object of {name} is left out; give the node an IRI"),
                );
                None
            }
        }
    }

    fn qualifier(
        &self,
        words: &QualifierWords,
        object: &Term,
        span: Option<&Range<usize>>,
        draft: &mut Draft<'_, '_>,
    ) -> Option<Value> {
        let value = match object {
            Term::Literal(literal) => typed(literal, &words.qualifier.value, words.qualifier.fiscal),
            _ => None,
        };
        if value.is_none() {
            let place = span.map(|span| Place::Line(self.decoded.line(span.start)));
            draft.warn(
                place,
                format!("{object} is no value for the qualifier {}; the fact goes without it", words.slot),
            );
        }
        value
    }
}

fn typed(words: &Literal, wanted: &ValueType, fiscal: bool) -> Option<Value> {
    match wanted.kind {
        ValueKind::Text => Some(words_of(words)),
        _ => whole(words.value(), wanted, fiscal, &ColumnUnit::default()),
    }
}

fn words_of(words: &Literal) -> Value {
    Value::Text { text: words.value().to_owned(), lang: words.language().map(str::to_lowercase) }
}

/// A literal of a relation that no schema declares.
fn by_datatype(words: &Literal) -> Value {
    let kind = match words.datatype().as_str().strip_prefix(XSD) {
        Some(
            "decimal" | "integer" | "double" | "float" | "int" | "long" | "short" | "byte" | "nonNegativeInteger"
            | "positiveInteger" | "negativeInteger" | "nonPositiveInteger" | "unsignedInt" | "unsignedLong"
            | "unsignedShort" | "unsignedByte",
        ) => ValueKind::Number,
        Some("date" | "dateTime" | "dateTimeStamp" | "gYearMonth") => ValueKind::Date,
        Some("gYear") => ValueKind::Year,
        Some("boolean") => ValueKind::Boolean,
        _ => ValueKind::Text,
    };
    typed(words, &ValueType { kind, unit: None }, false).unwrap_or_else(|| words_of(words))
}
