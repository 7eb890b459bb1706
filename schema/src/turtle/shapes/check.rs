//! Rules that do not hold together.

use super::super::faults::{Faults, suggestion};
use super::super::read::Statements;
use super::found::Shapes;
use crate::shapes::{compare, is_datatype, is_valid};
use crate::vocabulary::*;
use crate::{Bound, Iri, NodeKind, Rule, Schema, shapes::Pattern};
use oxrdf::{Literal, Term};
use std::cmp::Ordering;

/// Relations that every schema has: what an entity is, and how it is called.
const GIVEN: [&str; 3] = [RDF_TYPE, RDFS_LABEL, SKOS_ALT_LABEL];

/// Tells which rules name what is not declared, or ask what nothing can be.
pub(crate) fn check(schema: &Schema, shapes: &Shapes, statements: &Statements, faults: &mut Faults) {
    for (class, all) in &shapes.of {
        for shape in all {
            if !schema.classes.contains_key(class) && (shape.closed || !shape.rules.is_empty()) {
                let line = statements.line(&shape.iri, SH_TARGET_CLASS, None);
                let hint = suggestion(class.as_str(), schema.classes.keys().map(Iri::as_str));
                let message = format!("is not a declared class; declare it with `a rdfs:Class`{hint}");
                faults.add(line, short(class.as_str()), message);
            }
            for found in &shape.rules {
                for Flaw { property, term, message } in flaws(schema, &found.rule) {
                    let all = statements.of_node(&found.node);
                    let at = all.iter().find(|statement| statement.predicate.as_str() == property).or(all.first());
                    faults.add(at.map_or(1, |statement| statement.line), term, message);
                }
            }
        }
    }
}

/// What is wrong with a rule, and which of its properties says it.
pub(crate) struct Flaw {
    property: &'static str,
    term: String,
    message: String,
}

/// Everything that is wrong with a rule within a schema.
pub(crate) fn flaws(schema: &Schema, rule: &Rule) -> Vec<Flaw> {
    let mut found = Flaws(Vec::new());
    let relation = rule.relation.as_str();
    if !GIVEN.contains(&relation) && !schema.relations.contains_key(&rule.relation) {
        let hint = suggestion(relation, schema.relations.keys().map(Iri::as_str));
        found.add(
            SH_PATH,
            short(relation),
            format!("is not a declared relation; declare it with `a rdf:Property`{hint}"),
        );
    }
    if let Some(class) = rule.class.as_ref().filter(|class| !schema.classes.contains_key(*class)) {
        let hint = suggestion(class.as_str(), schema.classes.keys().map(Iri::as_str));
        found.add(
            SH_CLASS,
            short(class.as_str()),
            format!("is not a declared class; declare it with `a rdfs:Class`{hint}"),
        );
    }
    if let Some(datatype) = rule.datatype.as_ref().map(Iri::as_str)
        && datatype.starts_with(XSD)
        && !is_datatype(datatype)
    {
        found.add(SH_DATATYPE, short(datatype), "is not a datatype of XML Schema".to_owned());
    }
    found.counts(rule);
    found.kinds(rule);
    found.bounds(rule);
    found.words(rule);
    found.values(rule);
    found.0
}

struct Flaws(Vec<Flaw>);

impl Flaws {
    fn add(&mut self, property: &'static str, term: String, message: String) {
        self.0.push(Flaw { property, term, message });
    }

    fn on(&mut self, property: &'static str, message: String) {
        self.add(property, short(property), message);
    }

    fn counts(&mut self, rule: &Rule) {
        let pairs = [
            (SH_MIN_COUNT, rule.min_count, SH_MAX_COUNT, rule.max_count),
            (SH_MIN_LENGTH, rule.min_length, SH_MAX_LENGTH, rule.max_length),
        ];
        for (least, from, most, to) in pairs {
            if let (Some(from), Some(to)) = (from, to)
                && from > to
            {
                self.on(most, format!("is {to}, less than {} {from}; nothing can be both", short(least)));
            }
        }
        if rule.max_count.is_some_and(|most| (rule.has_value.len() as u64) > most) {
            self.on(SH_HAS_VALUE, "names more values than sh:maxCount allows".to_owned());
        }
    }

    /// What is a node with a class is no literal.
    fn kinds(&mut self, rule: &Rule) {
        let words = rule.datatype.is_some()
            || !rule.language_in.is_empty()
            || rule.unique_lang
            || rule.bounds().next().is_some();
        let literal = [NodeKind::Literal, NodeKind::BlankNodeOrLiteral, NodeKind::IriOrLiteral];
        let message = if !words {
            let node = rule.node_kind == Some(NodeKind::Literal) && (rule.class.is_some() || rule.inverse);
            node.then_some((SH_NODE_KIND, "asks for literals, which are of no class and of which nothing is said"))
        } else if rule.class.is_some() {
            Some((
                SH_CLASS,
                "asks for things of a class, and another part of the rule for literals; nothing can be both",
            ))
        } else if rule.inverse {
            Some((SH_PATH, "goes the other way round, where no literals are, for which another part of the rule asks"))
        } else {
            let node = rule.node_kind.is_some_and(|kind| !literal.contains(&kind));
            node.then_some((SH_NODE_KIND, "leaves no literals, for which another part of the rule asks"))
        };
        if let Some((property, message)) = message {
            self.on(property, message.to_owned());
        }
    }

    fn bounds(&mut self, rule: &Rule) {
        for (bound, limit) in rule.bounds() {
            let property = property(bound);
            if !is_valid(limit) {
                let message = format!("is not written as a {} is", short(limit.datatype().as_str()));
                self.add(property, limit.to_string(), message);
            } else if compare(limit, limit).is_none() {
                let message = format!("has no order, which {} needs; take a number, a date or words", short(property));
                self.add(property, limit.to_string(), message);
            }
        }
        let is_below = |bound: &Bound| matches!(bound, Bound::MinInclusive | Bound::MinExclusive);
        let valid = |(_, limit): &(Bound, &Literal)| is_valid(limit) && compare(limit, limit).is_some();
        let (lower, upper): (Vec<_>, Vec<_>) = rule.bounds().filter(valid).partition(|(bound, _)| is_below(bound));
        for (low, from) in &lower {
            for (high, to) in &upper {
                let strict = *low == Bound::MinExclusive || *high == Bound::MaxExclusive;
                let (low, high) = (property(*low), property(*high));
                match compare(from, to) {
                    None => self.on(high, format!("cannot be compared with {}; say both in one datatype", short(low))),
                    Some(order) if order == Ordering::Greater || strict && order == Ordering::Equal => {
                        self.on(high, format!("lies below {}; nothing can be both", short(low)));
                    }
                    Some(_) => {}
                }
            }
        }
    }

    fn words(&mut self, rule: &Rule) {
        match (&rule.pattern, &rule.flags) {
            (None, Some(_)) => self.on(SH_FLAGS, "stands without sh:pattern, which it is about".to_owned()),
            (Some(pattern), flags) => {
                if let Err(message) = Pattern::new(pattern, flags.as_deref().unwrap_or_default()) {
                    self.add(SH_PATTERN, format!("{pattern:?}"), message);
                }
            }
            (None, None) => {}
        }
        for tag in &rule.language_in {
            let tag_like = Literal::new_language_tagged_literal("", tag).is_ok();
            if !tag_like {
                self.add(SH_LANGUAGE_IN, format!("{tag:?}"), "is not a language tag; say en, zh or pt-BR".to_owned());
            }
        }
    }

    fn values(&mut self, rule: &Rule) {
        for value in rule.has_value.iter().filter(|_| !rule.one_of.is_empty()) {
            if !rule.one_of.contains(value) {
                self.add(
                    SH_HAS_VALUE,
                    value.to_string(),
                    "is not among those of sh:in; nothing can be both".to_owned(),
                );
            }
        }
        let named = rule.has_value.iter().map(|value| (SH_HAS_VALUE, value));
        for (property, value) in named.chain(rule.one_of.iter().map(|value| (SH_IN, value))) {
            if let Term::Literal(literal) = value
                && !is_valid(literal)
            {
                let message = format!("is not written as a {} is", short(literal.datatype().as_str()));
                self.add(property, literal.to_string(), message);
            }
        }
    }
}

fn property(bound: Bound) -> &'static str {
    match bound {
        Bound::MinInclusive => SH_MIN_INCLUSIVE,
        Bound::MaxInclusive => SH_MAX_INCLUSIVE,
        Bound::MinExclusive => SH_MIN_EXCLUSIVE,
        Bound::MaxExclusive => SH_MAX_EXCLUSIVE,
    }
}
