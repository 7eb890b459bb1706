//! A node shape and the class that it is about.

use super::super::read::{Node, Statement, Statements};
use super::super::terms::shown;
use super::found::{Found, Shape};
use super::property::{Mistake, list, rule};
use super::terms::truth;
use crate::Iri;
use crate::vocabulary::*;
use oxrdf::{Term, Triple};
use std::collections::{BTreeMap, BTreeSet};

/// A node shape with the class that it is about; `None` where it is about anything else, or nothing.
pub(super) fn shape(
    iri: &Iri,
    all: &[Statement],
    statements: &Statements,
    properties: &BTreeMap<&Iri, usize>,
    mistakes: &mut Vec<Mistake>,
) -> Option<(Iri, Shape)> {
    let node = Node::from(iri.clone());
    let with = |property: &'static str| all.iter().filter(move |statement| statement.predicate.as_str() == property);
    let is_a = |types: &[&str]| {
        with(RDF_TYPE)
            .any(|statement| matches!(&statement.object, Term::NamedNode(found) if types.contains(&found.as_str())))
    };
    let is_class = is_a(&[RDFS_CLASS, OWL_CLASS]);
    let mut classes: BTreeSet<&Iri> = is_class.then_some(iri).into_iter().collect();
    for statement in with(SH_TARGET_CLASS) {
        let Term::NamedNode(class) = &statement.object else { return None };
        classes.insert(class);
    }
    let elsewhere = all.iter().any(|statement| {
        let target = statement.predicate.as_str().strip_prefix(SH).is_some_and(|local| local.starts_with("target"));
        target && statement.predicate.as_str() != SH_TARGET_CLASS || statement.predicate.as_str() == SH_PATH
    });
    let is_off = with(SH_DEACTIVATED).any(|statement| truth(&statement.object) != Some(false));
    let [class] = classes.iter().copied().collect::<Vec<_>>()[..] else { return None };
    if elsewhere || is_off {
        return None;
    }

    let mut head: Vec<Triple> = all
        .iter()
        .filter(|statement| match (statement.predicate.as_str(), &statement.object) {
            (RDF_TYPE, Term::NamedNode(found)) => found.as_str() == SH_NODE_SHAPE,
            (SH_TARGET_CLASS, _) => class != iri,
            _ => false,
        })
        .map(|statement| statement.triple(&node))
        .collect();
    let mut rules = Vec::new();
    let mut whole = true;
    for statement in with(SH_PROPERTY) {
        let of = match &statement.object {
            Term::NamedNode(iri) if properties.get(iri).is_some_and(|users| *users == 1) => Node::from(iri.clone()),
            Term::BlankNode(blank) if statements.references(blank) == 1 => Node::from(blank.clone()),
            other => {
                let message = "is not a property shape of this shape alone; describe one here".to_owned();
                let of = vec![node.clone()];
                mistakes.push(Mistake { line: statement.line, term: shown(other), message, of });
                whole = false;
                continue;
            }
        };
        match rule(&of, statements, statement.line) {
            Ok((mut rule, mut used)) => {
                used.push(statement.triple(&node));
                rule.shape = (class != iri).then(|| iri.clone());
                rules.push(Found { rule, node: of, used });
            }
            Err(mut found) => {
                found.iter_mut().for_each(|mistake| mistake.of = vec![of.clone(), node.clone()]);
                mistakes.extend(found);
                whole = false;
            }
        }
    }
    let mut closed = false;
    for statement in with(SH_CLOSED).filter(|statement| truth(&statement.object) == Some(true)) {
        // What else bears on what is told when it is broken.
        let plain = with(SH_MESSAGE).chain(with(SH_SEVERITY)).next().is_none();
        match ignored(with(SH_IGNORED_PROPERTIES), &node, statements) {
            Some(triples) if whole && plain && (class == iri || !rules.is_empty()) => {
                head.push(statement.triple(&node));
                head.extend(triples);
                closed = true;
            }
            _ => mistakes.push(Mistake {
                line: statement.line,
                term: short(SH_CLOSED),
                message: "closes a shape that is not understood whole; say `sh:ignoredProperties ( rdf:type )`, and rules alone".to_owned(),
                of: vec![node.clone()],
            }),
        }
    }
    Some((class.clone(), Shape { iri: iri.clone(), rules, closed, head }))
}

/// The triples that let a closed shape say `rdf:type` of an entity, where they let it say that and nothing else.
fn ignored<'a>(
    mut all: impl Iterator<Item = &'a Statement>,
    node: &Node,
    statements: &Statements,
) -> Option<Vec<Triple>> {
    let (Some(statement), None) = (all.next(), all.next()) else { return None };
    let mut used = vec![statement.triple(node)];
    let members = list(&statement.object, statements, &mut used)?;
    matches!(members.as_slice(), [Term::NamedNode(iri)] if iri.as_str() == RDF_TYPE).then_some(used)
}
