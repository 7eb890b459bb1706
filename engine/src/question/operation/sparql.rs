//! Operations as SPARQL, for people: what is executed on the snapshot, said over the store's triples. Tests run both.

use super::query::{End, Figure, Measure, Order, Query, Set, Test, Than};
use crate::question::path::{Path, Step};
use factmask_graph::{Date, EntityId, Snapshot};
use factmask_schema::{Functional, Iri, ValueKind, vocabulary::RDF_REIFIES};

/// A query in SPARQL; with years only facts of these where the schema says that facts are qualified by a year.
pub fn of_query(snapshot: &Snapshot, query: &Query, years: &[i32]) -> String {
    let mut writer = Writer { snapshot, years, variables: 0 };
    match query {
        Query::List(set) => format!("SELECT DISTINCT ?x WHERE {{ {} }}", writer.set(set, "?x")),
        Query::Count(set) => format!("SELECT (COUNT(DISTINCT ?x) AS ?count) WHERE {{ {} }}", writer.set(set, "?x")),
        Query::Figure { of, relation, figure } => {
            let made = match figure {
                Figure::Sum => "SUM",
                Figure::Mean => "AVG",
            };
            let inner = writer.set(of, "?x");
            let value = writer.hop("?x", &Step { relation: relation.clone(), forward: true }, "?v");
            format!("SELECT ({made}(?v) AS ?figure) WHERE {{ SELECT DISTINCT ?x ?v WHERE {{ {inner} {value} }} }}")
        }
        Query::Truth(truth) => {
            let (of, within) = (writer.set(&truth.of, "?x"), writer.set(&truth.within, "?x"));
            format!("ASK {{ {of}{within}}}")
        }
    }
}

/// A path in SPARQL: what it leads to, the topic never visited again.
pub fn of_path(snapshot: &Snapshot, path: &Path, years: &[i32]) -> String {
    let mut writer = Writer { snapshot, years, variables: 0 };
    let topic = writer.named(path.topic);
    let (mut at, mut said) = ("?topic".to_owned(), format!("VALUES ?topic {{ {topic} }} "));
    for (number, step) in path.steps.iter().enumerate() {
        let last = number + 1 == path.steps.len();
        let end = if last { "?x".to_owned() } else { writer.variable() };
        said += &writer.hop(&at, step, &end);
        said += &format!("FILTER({end} != ?topic) ");
        at = end;
    }
    format!("SELECT DISTINCT ?x WHERE {{ {said}}}")
}

struct Writer<'a> {
    snapshot: &'a Snapshot,
    years: &'a [i32],
    variables: usize,
}

impl Writer<'_> {
    fn variable(&mut self) -> String {
        self.variables += 1;
        format!("?v{}", self.variables)
    }

    fn named(&self, id: EntityId) -> String {
        self.snapshot.entity(id).iri.to_string()
    }

    /// Patterns that bind `it` to the members of a set.
    fn set(&mut self, set: &Set, it: &str) -> String {
        match set {
            Set::Named(id) => format!("VALUES {it} {{ {} }} ", self.named(*id)),
            Set::Class(class) => {
                let schema = self.snapshot.schema();
                let below = schema.classes.keys().filter(|own| *own != class && schema.is_a(own, class));
                let classes: Vec<String> = std::iter::once(class).chain(below).map(ToString::to_string).collect();
                let kind = self.variable();
                format!("{it} a {kind} . VALUES {kind} {{ {} }} ", classes.join(" "))
            }
            Set::Image { of, step } => {
                let from = self.variable();
                format!("{}{}", self.set(of, &from), self.hop(&from, step, it))
            }
            Set::Both(one, other) => format!("{}{}", self.set(one, it), self.set(other, it)),
            Set::Either(one, other) => format!("{{ {}}} UNION {{ {}}} ", self.set(one, it), self.set(other, it)),
            Set::Without(one, other) => format!("{}MINUS {{ {}}} ", self.set(one, it), self.set(other, it)),
            Set::Where { of, measure, test } => {
                let of = self.set(of, it);
                let (value, said) = self.measure(it, measure);
                format!("{of}{said}{}", self.test(&value, measure, test))
            }
            Set::Extreme { of, measure, end } => {
                let (own, other) = (self.set(of, it), self.variable());
                let others = self.set(of, &other);
                let ((value, said), (its, more)) = (self.measure(it, measure), self.measure(&other, measure));
                let best = self.variable();
                let pick = match end {
                    End::Most => "MAX",
                    End::Least => "MIN",
                };
                format!(
                    "{{ SELECT ({pick}({its}) AS {best}) WHERE {{ {others}{more}}} }} {own}{said}FILTER({value} = {best}) "
                )
            }
        }
    }

    /// A variable for the measure of `it`, and the patterns that bind it.
    fn measure(&mut self, it: &str, measure: &Measure) -> (String, String) {
        let value = self.variable();
        match measure {
            Measure::Value(relation) => {
                let said = self.hop(it, &Step { relation: relation.clone(), forward: true }, &value);
                (value, said)
            }
            Measure::Count { step, among } => {
                let counted = self.variable();
                let (hop, among) = (self.hop(it, step, &counted), self.set(among, &counted));
                let said = format!(
                    "{{ SELECT {it} (COUNT(DISTINCT {counted}) AS {value}) WHERE {{ {hop}{among}}} GROUP BY {it} }} "
                );
                (value, said)
            }
        }
    }

    fn test(&mut self, value: &str, measure: &Measure, test: &Test) -> String {
        let sign = test.order.sign();
        match &test.than {
            Than::Amount(number) => format!("FILTER({value} {sign} {}) ", number.plain()),
            Than::Time(date) => format!("FILTER({}) ", at_time(value, test.order, date)),
            Than::Of(set) => {
                let fellow = self.variable();
                let of = self.set(set, &fellow);
                let (other, said) = self.measure(&fellow, measure);
                format!("{of}{said}FILTER({value} {sign} {other}) ")
            }
        }
    }

    /// Patterns for one hop; an inverse or symmetric relation is stated either way.
    fn hop(&mut self, from: &str, step: &Step, to: &str) -> String {
        let relation = self.snapshot.schema().relations.get(&step.relation);
        let mut ways = vec![(step.relation.clone(), step.forward)];
        ways.extend(relation.and_then(|relation| relation.inverse.clone()).map(|inverse| (inverse, !step.forward)));
        if relation.is_some_and(|relation| relation.symmetric) {
            ways.push((step.relation.clone(), !step.forward));
        }
        let said: Vec<String> =
            ways.into_iter().map(|(relation, forward)| self.fact(from, &relation, forward, to)).collect();
        match said.as_slice() {
            [only] => only.clone(),
            several => several.iter().map(|way| format!("{{ {way}}} ")).collect::<Vec<_>>().join("UNION "),
        }
    }

    fn fact(&mut self, from: &str, relation: &Iri, forward: bool, to: &str) -> String {
        let (subject, object) = if forward { (from, to) } else { (to, from) };
        let triple = format!("{subject} {relation} {object}");
        match self.year_of(relation) {
            Some(qualifier) => {
                let (fact, year) = (self.variable(), self.variable());
                let says = |asked: &i32| format!("STRSTARTS(STR({year}), \"{asked}\")");
                let years = self.years.iter().map(says).collect::<Vec<_>>().join(" || ");
                format!("{triple} . {fact} <{RDF_REIFIES}> <<( {triple} )>> ; {qualifier} {year} . FILTER({years}) ")
            }
            None => format!("{triple} . "),
        }
    }

    /// The qualifier that says of which year a relation's facts are, where a year is asked for.
    fn year_of(&self, relation: &Iri) -> Option<Iri> {
        let schema = self.snapshot.schema();
        let Functional::Per(qualifiers) =
            &schema.relations.get(relation).filter(|_| !self.years.is_empty())?.functional
        else {
            return None;
        };
        let time = |iri: &&Iri| {
            schema
                .qualifiers
                .get(*iri)
                .is_some_and(|qualifier| matches!(qualifier.value.kind, ValueKind::Year | ValueKind::Date))
        };
        qualifiers.iter().find(time).cloned()
    }
}

/// A date against a year, a month or a day: compared to that precision.
fn at_time(value: &str, order: Order, date: &Date) -> String {
    let iso = date.iso();
    format!("SUBSTR(STR({value}), 1, {}) {} \"{iso}\"", iso.len(), order.sign())
}
