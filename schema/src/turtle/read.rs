//! Turtle text to triples that know their line.
//!
//! The parser says where a syntax error is but not where a triple was. So it is fed line by line: a triple that comes out
//! after a line was fed has its object on that line or, because the parser looks one token ahead, a little above it. The
//! term's own text decides which.

use super::faults::Faults;
use crate::{Iri, local_name};
use oxrdf::{BlankNode, Term, Triple};
use oxttl::TurtleParser;
use std::collections::{BTreeMap, HashMap};

/// What a triple can be about.
pub(super) type Node = oxrdf::NamedOrBlankNode;

/// All triples of a file, by subject.
#[derive(Default)]
pub(super) struct Statements {
    pub(super) subjects: BTreeMap<Iri, Vec<Statement>>,
    /// Those about nodes without a name.
    blanks: HashMap<BlankNode, Vec<Statement>>,
    /// How often each node without a name is an object.
    references: HashMap<BlankNode, usize>,
}

/// A predicate and object of some subject.
pub(super) struct Statement {
    pub(super) predicate: Iri,
    pub(super) object: Term,
    /// Line of the object, from 1.
    pub(super) line: u64,
}

impl Statement {
    /// The whole triple.
    pub(super) fn triple(&self, subject: &Node) -> Triple {
        Triple::new(subject.clone(), self.predicate.clone(), self.object.clone())
    }
}

impl Statements {
    /// Every subject with what is said of it.
    pub(super) fn all(&self) -> impl Iterator<Item = (Node, &[Statement])> {
        let named = self.subjects.iter().map(|(iri, all)| (iri.clone().into(), all.as_slice()));
        named.chain(self.blanks.iter().map(|(blank, all)| (blank.clone().into(), all.as_slice())))
    }

    /// What is said of a node.
    pub(super) fn of_node(&self, node: &Node) -> &[Statement] {
        match node {
            Node::NamedNode(iri) => self.subjects.get(iri),
            Node::BlankNode(blank) => self.blanks.get(blank),
        }
        .map_or(&[], Vec::as_slice)
    }

    /// In how many triples a node without a name is an object, or within one.
    pub(super) fn references(&self, blank: &BlankNode) -> usize {
        self.references.get(blank).copied().unwrap_or(0)
    }

    /// What is said of `subject` with `predicate`.
    pub(super) fn of<'a>(&'a self, subject: &Iri, predicate: &'a str) -> impl Iterator<Item = &'a Statement> {
        self.subjects
            .get(subject)
            .into_iter()
            .flatten()
            .filter(move |statement| statement.predicate.as_str() == predicate)
    }

    /// The line on which `subject` has `predicate` with `object`, else with anything, else where it first stands.
    pub(super) fn line(&self, subject: &Iri, predicate: &str, object: Option<&Iri>) -> u64 {
        let is = |statement: &&Statement| object.is_none_or(|iri| statement.object == Term::from(iri.clone()));
        self.of(subject, predicate)
            .find(is)
            .or_else(|| self.of(subject, predicate).next())
            .map_or_else(|| self.first_line(subject), |statement| statement.line)
    }

    /// The line on which something is first said of `subject`.
    pub(super) fn first_line(&self, subject: &Iri) -> u64 {
        self.subjects.get(subject).and_then(|all| all.first()).map_or(1, |statement| statement.line)
    }
}

/// Reads all triples; syntax errors become faults, and reading goes on behind them.
pub(super) fn read(turtle: &str, faults: &mut Faults) -> Statements {
    let mut statements = Statements::default();
    let mut parser = TurtleParser::new().low_level();
    // Every schema file may use our prefixes, but only by declaring them: what it says must stand in the file.
    let lines: Vec<&str> = turtle.split_inclusive('\n').collect();
    let mut previous = 0;
    for fed in 0..=lines.len() {
        match lines.get(fed) {
            Some(line) => parser.extend_from_slice(line.as_bytes()),
            None => parser.end(),
        }
        while let Some(result) = parser.parse_next() {
            match result {
                Ok(triple) => {
                    let last = fed.min(lines.len().saturating_sub(1));
                    let line = line_of(&triple.object, &lines, previous, last);
                    // What stands in the brackets of a node without a name may come after the triple that has the node.
                    if !matches!(triple.object, Term::BlankNode(_)) {
                        previous = line;
                    }
                    refer(&triple.object, &mut statements.references);
                    let statement =
                        Statement { predicate: triple.predicate, object: triple.object, line: number(line) };
                    match triple.subject {
                        Node::NamedNode(iri) => statements.subjects.entry(iri).or_default().push(statement),
                        Node::BlankNode(blank) => statements.blanks.entry(blank).or_default().push(statement),
                    }
                }
                Err(error) => faults.add(error.location().start.line + 1, "syntax", remedied(error.message())),
            }
        }
    }
    statements
}

/// Counts the nodes without a name in an object.
fn refer(object: &Term, references: &mut HashMap<BlankNode, usize>) {
    match object {
        Term::BlankNode(blank) => *references.entry(blank.clone()).or_default() += 1,
        Term::Triple(triple) => {
            if let Node::BlankNode(blank) = &triple.subject {
                *references.entry(blank.clone()).or_default() += 1;
            }
            refer(&triple.object, references);
        }
        Term::NamedNode(_) | Term::Literal(_) => {}
    }
}

/// The last line of `first..=last` (from 0) that the object's text stands on, else `last`.
fn line_of(object: &Term, lines: &[&str], first: usize, last: usize) -> usize {
    let wanted = match object {
        Term::NamedNode(iri) => local_name(iri.as_str()).to_owned(),
        // Up to the first character that may be written in another way; a long text may begin a few lines up.
        Term::Literal(literal) => {
            literal.value().split(['\n', '\r', '\t', '"', '\'', '\\']).next().unwrap_or("").to_owned()
        }
        _ => return last,
    };
    (first..=last).rev().find(|&at| lines.get(at).is_some_and(|line| line.contains(&wanted))).unwrap_or(last)
}

/// The parser's message; where it alone does not say what to do, with the remedy.
fn remedied(message: &str) -> String {
    match message.contains("No scheme found") {
        true => format!("{message}; write the IRI in full or declare @base"),
        false => message.to_owned(),
    }
}

fn number(line: usize) -> u64 {
    u64::try_from(line).unwrap_or(u64::MAX - 1) + 1
}
