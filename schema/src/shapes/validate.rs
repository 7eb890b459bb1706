//! Rules against data.

use super::{Bound, Constraint, Data, Pattern, Rule, Severity, compare};
use crate::vocabulary::RDF_TYPE;
use crate::{Iri, Schema};
use oxrdf::{Literal, Term};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// A rule that is broken: one result of a SHACL validation report.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation<'a> {
    /// The thing of which something is not as it must be.
    pub focus: Term,
    /// The class whose rule it is.
    pub class: &'a Iri,
    /// The rule; `None` where the class is closed and no rule names the relation.
    pub rule: Option<&'a Rule>,
    /// The relation.
    pub relation: Iri,
    /// What of the rule is broken.
    pub constraint: Constraint,
    /// The value that is wrong; `None` where their number is, or one is missing.
    pub value: Option<Term>,
}

impl Violation<'_> {
    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.rule.and_then(|rule| rule.severity).unwrap_or_default()
    }
}

/// Everything that breaks a rule of a schema, class by class and rule by rule.
pub fn validate<'a>(schema: &'a Schema, data: &dyn Data) -> Vec<Violation<'a>> {
    let mut found = Vec::new();
    for class in schema.classes.values().filter(|class| class.closed || !class.rules.is_empty()) {
        let things = data.instances(&class.iri);
        for rule in &class.rules {
            let mut asked = Asked { data, class: &class.iri, rule, pattern: pattern(rule), found: &mut found };
            things.iter().for_each(|thing| asked.about(thing));
        }
        if class.closed {
            let rules = class.rules.iter().filter(|rule| !rule.inverse);
            let known: BTreeSet<&str> = rules.map(|rule| rule.relation.as_str()).chain([RDF_TYPE]).collect();
            for thing in &things {
                let said = data.said_of(thing).into_iter().filter(|(relation, _)| !known.contains(relation.as_str()));
                found.extend(said.map(|(relation, value)| Violation {
                    focus: thing.clone(),
                    class: &class.iri,
                    rule: None,
                    relation,
                    constraint: Constraint::Closed,
                    value: Some(value),
                }));
            }
        }
    }
    found
}

/// The rule's expression; a schema that was checked has none that cannot be read.
fn pattern(rule: &Rule) -> Option<Pattern> {
    Pattern::new(rule.pattern.as_ref()?, rule.flags.as_deref().unwrap_or_default()).ok()
}

/// A rule that is asked about one thing after another.
struct Asked<'a, 'b> {
    data: &'b dyn Data,
    class: &'a Iri,
    rule: &'a Rule,
    pattern: Option<Pattern>,
    found: &'b mut Vec<Violation<'a>>,
}

impl Asked<'_, '_> {
    fn about(&mut self, thing: &Term) {
        let rule = self.rule;
        let values = self.data.values(thing, &rule.relation, rule.inverse);
        let number = values.len() as u64;
        let mut broken: Vec<(Constraint, Option<Term>)> = Vec::new();
        if rule.min_count.is_some_and(|least| number < least) {
            broken.push((Constraint::MinCount, None));
        }
        if rule.max_count.is_some_and(|most| number > most) {
            broken.push((Constraint::MaxCount, None));
        }
        let missing = rule.has_value.iter().filter(|named| !values.iter().any(|value| self.data.is_same(value, named)));
        broken.extend(missing.map(|_| (Constraint::HasValue, None)));
        for value in values.iter() {
            broken.extend(self.breaks(value).map(|constraint| (constraint, Some(value.clone()))));
        }
        if rule.unique_lang {
            let mut languages: BTreeMap<String, usize> = BTreeMap::new();
            for lang in values.iter().filter_map(language) {
                *languages.entry(lang.to_lowercase()).or_default() += 1;
            }
            let several = languages.values().filter(|count| **count > 1);
            broken.extend(several.map(|_| (Constraint::UniqueLang, None)));
        }
        self.found.extend(broken.into_iter().map(|(constraint, value)| Violation {
            focus: thing.clone(),
            class: self.class,
            rule: Some(rule),
            relation: rule.relation.clone(),
            constraint,
            value,
        }));
    }

    /// What the rule asks of each value, and this one is not.
    fn breaks(&self, value: &Term) -> impl Iterator<Item = Constraint> {
        let (rule, data) = (self.rule, self.data);
        let literal = if let Term::Literal(literal) = value { Some(literal) } else { None };
        let in_datatype = |datatype: &Iri| literal.is_some_and(|literal| data.in_datatype(literal, datatype).is_some());
        let text = match value {
            Term::NamedNode(iri) => Some(iri.as_str()),
            Term::Literal(literal) => Some(literal.value()),
            Term::BlankNode(_) | Term::Triple(_) => None,
        };
        let length = text.map(|text| text.chars().count() as u64);
        let speaks = |range: &String| language(value).is_some_and(|lang| is_in_range(lang, range));
        let within = rule.bounds().map(|(bound, limit)| {
            let is_within = literal.is_some_and(|literal| is_within(data, literal, bound, limit));
            (bound.constraint(), !is_within)
        });
        let asked = [
            (Constraint::Class, rule.class.as_ref().is_some_and(|class| !data.is_instance(value, class))),
            (Constraint::Datatype, rule.datatype.as_ref().is_some_and(|datatype| !in_datatype(datatype))),
            (Constraint::NodeKind, rule.node_kind.is_some_and(|kind| !kind.holds(value))),
            (
                Constraint::Pattern,
                self.pattern.as_ref().is_some_and(|pattern| !text.is_some_and(|text| pattern.is_match(text))),
            ),
            (Constraint::MinLength, rule.min_length.is_some_and(|least| length.is_none_or(|length| length < least))),
            (Constraint::MaxLength, rule.max_length.is_some_and(|most| length.is_none_or(|length| length > most))),
            (Constraint::In, !rule.one_of.is_empty() && !rule.one_of.iter().any(|named| data.is_same(value, named))),
            (Constraint::LanguageIn, !rule.language_in.is_empty() && !rule.language_in.iter().any(speaks)),
        ];
        let broken: Vec<Constraint> =
            asked.into_iter().chain(within).filter(|(_, broken)| *broken).map(|(constraint, _)| constraint).collect();
        broken.into_iter()
    }
}

/// Whether a literal lies on the right side of a bound.
fn is_within(data: &dyn Data, literal: &Literal, bound: Bound, limit: &Literal) -> bool {
    let like = data.in_datatype(literal, &limit.datatype().into_owned());
    let order = compare(like.as_ref().unwrap_or(literal), limit);
    order.is_some_and(|order| match bound {
        Bound::MinInclusive => order != Ordering::Less,
        Bound::MaxInclusive => order != Ordering::Greater,
        Bound::MinExclusive => order == Ordering::Greater,
        Bound::MaxExclusive => order == Ordering::Less,
    })
}

fn language(value: &Term) -> Option<&str> {
    if let Term::Literal(literal) = value { literal.language() } else { None }
}

/// Basic filtering of RFC 4647, as `langMatches` does.
fn is_in_range(lang: &str, range: &str) -> bool {
    let (lang, range) = (lang.to_lowercase(), range.to_lowercase());
    lang == range || range == "*" || lang.strip_prefix(&range).is_some_and(|rest| rest.starts_with('-'))
}
