//! The shapes of a file, as far as they are understood.

use super::super::faults::{Faults, suggestion};
use super::super::read::{Node, Statements};
use super::node::shape;
use super::property::Mistake;
use super::terms::{PROPERTIES, is_note, truth};
use crate::vocabulary::*;
use crate::{Iri, Rule, Schema};
use oxrdf::{Term, Triple};
use std::collections::{BTreeMap, HashSet};

/// The shapes of a file, as far as they are understood.
#[derive(Default)]
pub(crate) struct Shapes {
    /// Of each class the shapes that are about it, by name.
    pub(crate) of: BTreeMap<Iri, Vec<Shape>>,
    /// What stands in place of a rule that could not be read.
    mistakes: Vec<Mistake>,
}

/// What is understood of a node shape.
pub(crate) struct Shape {
    pub(crate) iri: Iri,
    pub(crate) rules: Vec<Found>,
    /// Nothing but what the rules name may be said.
    pub(crate) closed: bool,
    /// The triples that make it a shape of its class.
    pub(super) head: Vec<Triple>,
}

/// A rule with where it was found.
pub(crate) struct Found {
    pub(crate) rule: Rule,
    pub(crate) node: Node,
    pub(super) used: Vec<Triple>,
}

impl Shape {
    /// Lets other things be said than what the rules name.
    fn open(&mut self) {
        self.closed = false;
        let closing = |triple: &Triple| {
            matches!(triple.predicate.as_str(), SH_CLOSED | SH_IGNORED_PROPERTIES | RDF_FIRST | RDF_REST)
        };
        self.head.retain(|triple| !closing(triple));
    }
}

impl Shapes {
    /// The triples that are understood, blank nodes among them.
    pub(crate) fn used(&self) -> HashSet<&Triple> {
        let shapes = self.of.values().flatten().filter(|shape| shape.closed || !shape.rules.is_empty());
        shapes.flat_map(|shape| shape.head.iter().chain(shape.rules.iter().flat_map(|found| &found.used))).collect()
    }

    /// Leaves out the rules that do not hold together; a shape that lacks one is not closed.
    pub(crate) fn retain(&mut self, holds: impl Fn(&Iri, &Rule) -> bool) {
        for (class, shapes) in &mut self.of {
            for shape in shapes {
                let before = shape.rules.len();
                shape.rules.retain(|found| holds(class, &found.rule));
                if shape.rules.len() < before {
                    shape.open();
                }
            }
        }
    }

    /// Tells what is not understood.
    pub(crate) fn tell(&mut self, statements: &Statements, faults: &mut Faults) {
        let mut told: HashSet<Node> = HashSet::new();
        for Mistake { line, term, message, of } in self.mistakes.drain(..) {
            faults.add(line, term, message);
            told.extend(of);
        }
        let told = below(told, statements);
        let used = self.used();
        let understood: HashSet<&Node> = used.iter().map(|triple| &triple.subject).collect();
        for (node, all) in statements.all().filter(|(node, _)| !told.contains(node)) {
            if matches!(node, Node::BlankNode(_)) {
                if let Some(first) = all.first().filter(|_| !understood.contains(&node)) {
                    faults.add(first.line, "[]", "a node without a name has no place in a schema; give it an IRI");
                }
                continue;
            }
            for statement in all.iter().filter(|statement| statement.predicate.as_str().starts_with(SH)) {
                let triple = statement.triple(&node);
                let predicate = statement.predicate.as_str();
                let is_so_anyway = match predicate {
                    SH_TARGET_CLASS => triple.object == Term::from(node.clone()),
                    SH_CLOSED => truth(&triple.object) == Some(false),
                    _ => is_note(predicate, &triple.object),
                };
                if !is_so_anyway && !used.contains(&triple) {
                    let hint = suggestion(predicate, PROPERTIES);
                    let message = format!(
                        "is not understood here; rules are `sh:property [ sh:path RELATION ; ... ]` of a class that is `a sh:NodeShape`{hint}"
                    );
                    faults.add(statement.line, short(predicate), message);
                }
            }
        }
    }

    /// Gives the classes their rules.
    pub(crate) fn give(self, schema: &mut Schema) {
        for (class, shapes) in self.of {
            if let Some(class) = schema.classes.get_mut(&class) {
                class.closed = shapes.iter().any(|shape| shape.closed);
                class.rules = shapes.into_iter().flat_map(|shape| shape.rules).map(|found| found.rule).collect();
            }
        }
    }

    /// The subjects that are shapes or parts of them.
    pub(crate) fn parts(&self) -> HashSet<&Iri> {
        let shapes = self.of.values().flatten();
        shapes
            .flat_map(|shape| shape.rules.iter().filter_map(|found| found.rule.iri.as_ref()).chain([&shape.iri]))
            .collect()
    }
}

/// Reads every shape whose target is one class.
pub(crate) fn read(statements: &Statements) -> Shapes {
    let mut shapes = Shapes::default();
    let mut properties: BTreeMap<&Iri, usize> = BTreeMap::new();
    for (_, all) in statements.all() {
        for statement in all.iter().filter(|statement| statement.predicate.as_str() == SH_PROPERTY) {
            if let Term::NamedNode(iri) = &statement.object {
                *properties.entry(iri).or_default() += 1;
            }
        }
    }
    for (iri, all) in &statements.subjects {
        if let Some((class, shape)) = shape(iri, all, statements, &properties, &mut shapes.mistakes) {
            shapes.of.entry(class).or_default().push(shape);
        }
    }
    for (class, all) in &mut shapes.of {
        // The class itself comes first, then others by name.
        all.sort_by_key(|shape| (shape.iri != *class, shape.iri.clone()));
        let several = all.iter().filter(|shape| shape.closed || !shape.rules.is_empty()).count() > 1;
        for shape in all.iter_mut().filter(|shape| several && shape.closed) {
            shape.open();
            shapes.mistakes.push(Mistake {
                line: statements.line(&shape.iri, SH_CLOSED, None),
                term: short(SH_CLOSED),
                message: format!("closes one of several shapes of {}; put their rules into one", short(class.as_str())),
                of: vec![shape.iri.clone().into()],
            });
        }
    }
    shapes
}

/// These nodes and those without a name that they lead to.
fn below(mut nodes: HashSet<Node>, statements: &Statements) -> HashSet<Node> {
    let mut open: Vec<Node> = nodes.iter().cloned().collect();
    while let Some(node) = open.pop() {
        for statement in statements.of_node(&node) {
            if let Term::BlankNode(blank) = &statement.object
                && nodes.insert(blank.clone().into())
            {
                open.push(blank.clone().into());
            }
        }
    }
    nodes
}
