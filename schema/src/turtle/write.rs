//! A schema as canonical Turtle.

use super::import::says_range;
use super::shapes;
use super::terms::datatype;
use crate::shapes::write_term;
use crate::vocabulary::*;
use crate::{Class, Functional, Iri, Qualifier, Range, Relation, Schema, Text, ValueType, Wording, local_name};
use oxrdf::{Literal, Term, Triple};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

pub(super) fn write(schema: &Schema) -> String {
    let mut writer = written(schema, &[]);
    if !schema.kept.is_empty() {
        let kept: Vec<String> = schema.kept.iter().map(|line| Literal::from(line.as_str()).to_string()).collect();
        let (subject, keeps) = (writer.term(FM_SCHEMA), writer.term(FM_KEEPS));
        // Writing to a string cannot fail.
        let _ = writeln!(writer.out, "\n{subject} {keeps} {} .", kept.join(",\n        "));
    }
    writer.out
}

/// With what it keeps as triples of their own.
pub(super) fn write_full(schema: &Schema, kept: &[Triple]) -> String {
    let mut out = written(schema, kept).out;
    keep(schema, &mut out);
    out
}

/// The classes with their rules, and the relations as shapes.
pub(super) fn write_shacl(schema: &Schema) -> String {
    let mut writer = Writer { prefixes: prefixes(schema, true), kept: &[], out: String::new() };
    writer.head();
    schema.classes.values().for_each(|class| writer.class(class));
    for relation in schema.relations.values() {
        let shape = shapes::relation_shape(&writer, relation);
        writer.out.push_str(&shape);
    }
    keep(schema, &mut writer.out);
    writer.out
}

fn keep(schema: &Schema, out: &mut String) {
    for (index, line) in schema.kept.iter().enumerate() {
        out.push_str(if index == 0 { "\n" } else { "" });
        out.push_str(line);
        out.push('\n');
    }
}

fn written<'a>(schema: &Schema, kept: &'a [Triple]) -> Writer<'a> {
    let mut writer = Writer { prefixes: prefixes(schema, schema.has_rules()), kept, out: String::new() };
    writer.head();
    for class in schema.classes.values() {
        writer.class(class);
    }
    for qualifier in schema.qualifiers.values() {
        writer.qualifier(qualifier);
    }
    for relation in schema.relations.values() {
        writer.relation(relation);
    }
    writer
}

/// Namespaces with their prefixes: the standard ones, and one for each namespace that the schema declares something in.
fn prefixes(schema: &Schema, has_rules: bool) -> BTreeMap<String, String> {
    let standard = PREFIXES.iter().filter(|(_, namespace)| *namespace != SH || has_rules);
    let mut prefixes: BTreeMap<String, String> =
        standard.map(|(prefix, namespace)| ((*namespace).to_owned(), (*prefix).to_owned())).collect();
    let declared = schema.classes.keys().chain(schema.qualifiers.keys()).chain(schema.relations.keys());
    let own: BTreeSet<&str> = declared
        .filter_map(|iri| split(iri).map(|(namespace, _)| namespace))
        .filter(|own| !prefixes.contains_key(*own))
        .collect();
    let single = own.len() == 1;
    for (index, namespace) in own.iter().enumerate() {
        let prefix = if single { String::new() } else { format!("n{}", index + 1) };
        prefixes.insert((*namespace).to_owned(), prefix);
    }
    prefixes
}

/// Namespace and local name, where the local name is plain enough to be written behind a prefix.
fn split(iri: &Iri) -> Option<(&str, &str)> {
    let local = local_name(iri.as_str());
    let plain = local.starts_with(|char: char| char.is_ascii_alphabetic())
        && local.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '_'));
    plain.then_some(())?;
    iri.as_str().strip_suffix(local).filter(|namespace| !namespace.is_empty()).map(|namespace| (namespace, local))
}

pub(super) struct Writer<'a> {
    prefixes: BTreeMap<String, String>,
    /// What else stands in the text.
    kept: &'a [Triple],
    out: String,
}

impl Writer<'_> {
    fn head(&mut self) {
        for (namespace, prefix) in &self.prefixes {
            // Writing to a string cannot fail.
            let _ = writeln!(self.out, "@prefix {prefix}: <{namespace}> .");
        }
    }

    fn class(&mut self, class: &Class) {
        let parents = class.parents.iter().collect::<BTreeSet<_>>().into_iter().map(|iri| self.iri(iri)).collect();
        let mut types = vec![self.term(RDFS_CLASS)];
        let mut properties = vec![
            (RDFS_LABEL, texts(&class.labels)),
            (RDFS_SUB_CLASS_OF, parents),
            (SKOS_ALT_LABEL, texts(&class.aliases)),
        ];
        let own = properties.len();
        let has_rules = class.closed || !class.rules.is_empty();
        let blocks = if has_rules { shapes::block(self, class, &mut properties) } else { Vec::new() };
        if properties.len() > own {
            types.push(self.term(SH_NODE_SHAPE));
        }
        self.subject(&class.iri, types, properties);
        for (iri, types, properties) in blocks {
            self.subject(iri, types, properties);
        }
    }

    fn qualifier(&mut self, qualifier: &Qualifier) {
        let calendar = qualifier.fiscal.then(|| Literal::from("fiscal").to_string());
        self.subject(
            &qualifier.iri,
            vec![self.term(FM_QUALIFIER)],
            vec![
                (RDFS_LABEL, texts(&qualifier.labels)),
                (RDFS_RANGE, vec![self.term(datatype(qualifier.value.kind))]),
                (SKOS_ALT_LABEL, texts(&qualifier.aliases)),
                (FM_CALENDAR, calendar.into_iter().collect()),
                (FM_UNIT, unit(&qualifier.value)),
            ],
        );
    }

    fn relation(&mut self, relation: &Relation) {
        let mut types = vec![self.term(RDF_PROPERTY)];
        let mut per = Vec::new();
        match &relation.functional {
            Functional::No => {}
            Functional::Per(qualifiers) if qualifiers.is_empty() => types.push(self.term(OWL_FUNCTIONAL_PROPERTY)),
            Functional::Per(qualifiers) => {
                per = qualifiers.iter().collect::<BTreeSet<_>>().into_iter().map(|iri| self.iri(iri)).collect();
            }
        }
        if relation.symmetric {
            types.push(self.term(OWL_SYMMETRIC_PROPERTY));
        }
        let (range, unit) = match &relation.range {
            Range::Entity(None) => (self.term(RDFS_RESOURCE), Vec::new()),
            Range::Entity(Some(class)) => (self.iri(class), Vec::new()),
            Range::Value(value) => (self.term(datatype(value.kind)), unit(value)),
        };
        self.subject(
            &relation.iri,
            types,
            vec![
                (RDFS_DOMAIN, relation.domain.iter().map(|iri| self.iri(iri)).collect()),
                (RDFS_LABEL, texts(&relation.labels)),
                (RDFS_RANGE, if says_range(self.kept, &relation.iri) { Vec::new() } else { vec![range] }),
                (OWL_INVERSE_OF, relation.inverse.iter().map(|iri| self.iri(iri)).collect()),
                (SKOS_ALT_LABEL, texts(&relation.aliases)),
                (FM_FUNCTIONAL_PER, per),
                (FM_QUESTION, wordings(&relation.questions)),
                (FM_STATEMENT, wordings(&relation.statements)),
                (FM_UNIT, unit),
            ],
        );
    }

    fn subject(&mut self, iri: &Iri, types: Vec<String>, properties: Vec<(&str, Vec<String>)>) {
        let types = if types.is_empty() { None } else { Some(format!("a {}", types.join(", "))) };
        let said = properties.iter().filter(|(_, values)| !values.is_empty());
        // One value a line: a change of one wording is a change of one line.
        let said = said.map(|(property, values)| format!("{} {}", self.term(property), values.join(",\n        ")));
        let said: Vec<String> = types.into_iter().chain(said).collect();
        // Writing to a string cannot fail.
        let subject = self.iri(iri);
        let _ = writeln!(self.out, "\n{subject} {} .", said.join(" ;\n    "));
    }

    pub(super) fn term(&self, iri: &str) -> String {
        self.iri(&Iri::new_unchecked(iri))
    }

    /// An IRI or a literal.
    pub(super) fn value(&self, term: &Term) -> String {
        match term {
            Term::NamedNode(iri) => self.iri(iri),
            Term::Literal(literal) => self.literal(literal),
            other => other.to_string(),
        }
    }

    /// A literal, as short as Turtle has it.
    pub(super) fn literal(&self, literal: &Literal) -> String {
        let text = write_term(&literal.clone().into());
        // One with a datatype of its own is written with its prefix.
        match text.ends_with('>') && literal.language().is_none() && literal.datatype().as_str() != XSD_STRING {
            true => format!("{}^^{}", Literal::from(literal.value()), self.term(literal.datatype().as_str())),
            false => text,
        }
    }

    pub(super) fn iri(&self, iri: &Iri) -> String {
        split(iri)
            .and_then(|(namespace, local)| self.prefixes.get(namespace).map(|prefix| format!("{prefix}:{local}")))
            .unwrap_or_else(|| iri.to_string())
    }
}

fn unit(value: &ValueType) -> Vec<String> {
    value.unit.iter().map(|unit| Literal::from(unit.as_str()).to_string()).collect()
}

pub(super) fn texts(texts: &[Text]) -> Vec<String> {
    texts.iter().map(|text| literal(&text.lang, &text.text)).collect()
}

fn wordings(wordings: &[Wording]) -> Vec<String> {
    wordings.iter().map(|wording| literal(&wording.lang, &wording.source)).collect()
}

fn literal(lang: &str, text: &str) -> String {
    // A tag that is not one cannot be written; the words are worth more than it.
    Literal::new_language_tagged_literal(text, lang).unwrap_or_else(|_| Literal::from(text)).to_string()
}
