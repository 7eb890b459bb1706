//! A property shape as a rule.

use super::super::faults::suggestion;
use super::super::read::{Node, Statement, Statements};
use super::super::terms::shown;
use super::terms::{PROPERTIES, count, is_note, node_kind, severity, truth, words};
use crate::vocabulary::*;
use crate::{Iri, Rule, Text};
use oxrdf::{Literal, Term, Triple};
use std::collections::{BTreeSet, HashSet};

/// Why something is not understood.
pub(super) struct Mistake {
    pub(super) line: u64,
    pub(super) term: String,
    pub(super) message: String,
    /// What is not understood for it.
    pub(super) of: Vec<Node>,
}

/// A property shape as a rule, with the triples that it is made of.
pub(super) fn rule(node: &Node, statements: &Statements, line: u64) -> Result<(Rule, Vec<Triple>), Vec<Mistake>> {
    let mut reading =
        Reading { statements, rule: Rule::about(Iri::new_unchecked(RDF_NIL)), used: Vec::new(), mistakes: Vec::new() };
    reading.rule.iri = if let Node::NamedNode(iri) = node { Some(iri.clone()) } else { None };
    let mut seen = BTreeSet::new();
    for statement in statements.of_node(node) {
        let predicate = statement.predicate.as_str();
        reading.used.push(statement.triple(node));
        let again = !seen.insert(predicate);
        if again && PROPERTIES.contains(&predicate) && !matches!(predicate, SH_HAS_VALUE | SH_MESSAGE) {
            reading.mistake(statement, short(predicate), "is said several times; one is allowed".to_owned());
        } else {
            reading.statement(statement);
        }
    }
    if !seen.contains(SH_PATH) {
        let message = "has no sh:path; say the relation that it is about".to_owned();
        let term = reading.rule.iri.as_ref().map_or_else(|| short(SH_PROPERTY), |iri| short(iri.as_str()));
        reading.mistakes.push(Mistake { line, term, message, of: Vec::new() });
    }
    if reading.mistakes.is_empty() { Ok((reading.rule, reading.used)) } else { Err(reading.mistakes) }
}

struct Reading<'a> {
    statements: &'a Statements,
    rule: Rule,
    used: Vec<Triple>,
    mistakes: Vec<Mistake>,
}

impl Reading<'_> {
    fn statement(&mut self, statement: &Statement) {
        let object = &statement.object;
        let predicate = statement.predicate.as_str();
        match predicate {
            SH_PATH => self.path(statement),
            SH_MIN_COUNT => self.rule.min_count = self.needs(statement, count(object), "a whole number"),
            SH_MAX_COUNT => self.rule.max_count = self.needs(statement, count(object), "a whole number"),
            SH_MIN_LENGTH => self.rule.min_length = self.needs(statement, count(object), "a whole number"),
            SH_MAX_LENGTH => self.rule.max_length = self.needs(statement, count(object), "a whole number"),
            SH_CLASS => self.rule.class = self.needs(statement, iri(object), "a class"),
            SH_DATATYPE => self.rule.datatype = self.needs(statement, iri(object), "a datatype"),
            SH_NODE_KIND => {
                let kinds =
                    "sh:IRI, sh:Literal, sh:BlankNode, sh:BlankNodeOrIRI, sh:BlankNodeOrLiteral or sh:IRIOrLiteral";
                self.rule.node_kind = self.needs(statement, node_kind(object), kinds);
            }
            SH_PATTERN => self.rule.pattern = self.needs(statement, text(object), "words without a language"),
            SH_FLAGS => self.rule.flags = self.needs(statement, text(object), "words without a language"),
            SH_MIN_INCLUSIVE => self.rule.min_inclusive = self.needs(statement, literal(object), "a literal"),
            SH_MAX_INCLUSIVE => self.rule.max_inclusive = self.needs(statement, literal(object), "a literal"),
            SH_MIN_EXCLUSIVE => self.rule.min_exclusive = self.needs(statement, literal(object), "a literal"),
            SH_MAX_EXCLUSIVE => self.rule.max_exclusive = self.needs(statement, literal(object), "a literal"),
            SH_SEVERITY => {
                self.rule.severity = self.needs(statement, severity(object), "sh:Violation, sh:Warning or sh:Info");
            }
            SH_UNIQUE_LANG if truth(object) != Some(false) => {
                self.rule.unique_lang = self.needs(statement, truth(object), "true or false").unwrap_or_default();
            }
            SH_HAS_VALUE => {
                let value = matches!(object, Term::NamedNode(_) | Term::Literal(_)).then(|| object.clone());
                let value = self.needs(statement, value, "an IRI or a literal");
                self.rule.has_value.extend(value);
            }
            SH_MESSAGE => {
                // A tag in capitals could not be written as it stands.
                let message = words(object).map(|words| Text::new("", words)).or_else(|| match object {
                    Term::Literal(literal) => literal
                        .language()
                        .filter(|lang| lang.to_lowercase() == **lang && literal.direction().is_none())
                        .map(|lang| Text::new(lang, literal.value())),
                    _ => None,
                });
                let message = self.needs(statement, message, "words");
                self.rule.message.extend(message);
            }
            SH_IN => {
                let members = list(object, self.statements, &mut self.used).filter(|members| !members.is_empty());
                self.rule.one_of = self.needs(statement, members, "a list of IRIs and literals").unwrap_or_default();
            }
            SH_LANGUAGE_IN => {
                let members = list(object, self.statements, &mut self.used).filter(|members| !members.is_empty());
                let tags = members.and_then(|members| members.iter().map(text).collect::<Option<Vec<_>>>());
                self.rule.language_in = self.needs(statement, tags, "a list of language tags").unwrap_or_default();
            }
            _ if is_note(predicate, object) => self.rule.notes.push((statement.predicate.clone(), object.clone())),
            _ => {
                let hint = suggestion(predicate, PROPERTIES);
                self.mistake(statement, short(predicate), format!("is not something that a rule says{hint}"));
            }
        }
    }

    /// The relation, or one the other way round.
    fn path(&mut self, statement: &Statement) {
        let (relation, inverse) = match &statement.object {
            Term::NamedNode(relation) => (Some(relation.clone()), false),
            Term::BlankNode(blank) if self.statements.references(blank) == 1 => {
                let node = Node::from(blank.clone());
                match self.statements.of_node(&node) {
                    [only] if only.predicate.as_str() == SH_INVERSE_PATH => {
                        self.used.push(only.triple(&node));
                        (iri(&only.object), true)
                    }
                    _ => (None, false),
                }
            }
            _ => (None, false),
        };
        if let Some(relation) = self.needs(statement, relation, "a relation, or `[ sh:inversePath RELATION ]`") {
            (self.rule.relation, self.rule.inverse) = (relation, inverse);
        }
    }

    fn needs<T>(&mut self, statement: &Statement, found: Option<T>, what: &str) -> Option<T> {
        if found.is_none() {
            let message = format!("is not {what}, which {} takes", short(statement.predicate.as_str()));
            self.mistake(statement, shown(&statement.object), message);
        }
        found
    }

    fn mistake(&mut self, statement: &Statement, term: String, message: String) {
        self.mistakes.push(Mistake { line: statement.line, term, message, of: Vec::new() });
    }
}

fn iri(term: &Term) -> Option<Iri> {
    if let Term::NamedNode(iri) = term { Some(iri.clone()) } else { None }
}

fn literal(term: &Term) -> Option<Literal> {
    if let Term::Literal(literal) = term { Some(literal.clone()) } else { None }
}

fn text(term: &Term) -> Option<String> {
    words(term).map(str::to_owned)
}

/// The members of a list of named and literal things that nothing else refers to.
pub(super) fn list(head: &Term, statements: &Statements, used: &mut Vec<Triple>) -> Option<Vec<Term>> {
    let mut members = Vec::new();
    let mut seen = HashSet::new();
    let mut at = head.clone();
    loop {
        let blank = match &at {
            Term::NamedNode(iri) if iri.as_str() == RDF_NIL => return Some(members),
            Term::BlankNode(blank) if statements.references(blank) == 1 && seen.insert(blank.clone()) => blank.clone(),
            _ => return None,
        };
        let node = Node::from(blank);
        let [one, two] = statements.of_node(&node) else { return None };
        let (first, rest) = if one.predicate.as_str() == RDF_FIRST { (one, two) } else { (two, one) };
        if first.predicate.as_str() != RDF_FIRST || rest.predicate.as_str() != RDF_REST {
            return None;
        }
        if !matches!(first.object, Term::NamedNode(_) | Term::Literal(_)) {
            return None;
        }
        members.push(first.object.clone());
        used.extend([first.triple(&node), rest.triple(&node)]);
        at = rest.object.clone();
    }
}
