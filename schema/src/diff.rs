//! What differs between two schemas, in sentences.

use crate::shapes::Constraint;
use crate::{
    Class, Functional, Iri, Qualifier, Range, Relation, Rule, Schema, Text, ValueKind, ValueType, Wording, vocabulary,
};
use std::collections::{BTreeMap, BTreeSet};

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What happened to the term.
    pub kind: DifferenceKind,
    /// What the term is: `class`, `relation`, `qualifier`, or `schema` for what it carries along.
    pub of: &'static str,
    /// The term; of a renamed one its name of now.
    pub iri: Iri,
    /// All of it in one English sentence.
    pub sentence: String,
}

/// What happened to a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    /// It was not there before.
    Added,
    /// It is not there any more.
    Removed,
    /// Something is said otherwise of it.
    Changed,
    /// It is called otherwise, or was merged into another.
    Renamed,
    /// A part of another term became it.
    Split,
}

/// The differences from `before` to `after`, classes first, then qualifiers and relations, each by IRI. `renamed` holds old and new
/// names of terms of any kind.
pub fn differences(before: &Schema, after: &Schema, renamed: &[(Iri, Iri)]) -> Vec<Difference> {
    let mut found = Vec::new();
    let names = Names { before, after, renamed: renamed.iter().map(|(from, to)| (from, to)).collect() };
    names.of_kind("class", &before.classes, &after.classes, Names::class, |class| &class.rules, &mut found);
    names.of_kind("qualifier", &before.qualifiers, &after.qualifiers, Names::qualifier, |_| &[], &mut found);
    names.of_kind("relation", &before.relations, &after.relations, Names::relation, |_| &[], &mut found);
    let gone = before.kept.difference(&after.kept).count();
    let new = after.kept.difference(&before.kept).count();
    if gone + new > 0 {
        let sentence = format!("Of the triples that are carried along, {gone} are gone and {new} are new.");
        let iri = Iri::new_unchecked(vocabulary::FM_SCHEMA);
        found.push(Difference { kind: DifferenceKind::Changed, of: "schema", iri, sentence });
    }
    found
}

struct Names<'a> {
    before: &'a Schema,
    after: &'a Schema,
    renamed: BTreeMap<&'a Iri, &'a Iri>,
}

/// What is said of a term: the property in words, and its value in words. Names of terms are those of now.
type Said = Vec<(&'static str, String)>;

impl Names<'_> {
    fn of_kind<T>(
        &self,
        of: &'static str,
        before: &BTreeMap<Iri, T>,
        after: &BTreeMap<Iri, T>,
        said: fn(&Self, &T) -> Said,
        rules: fn(&T) -> &[Rule],
        found: &mut Vec<Difference>,
    ) {
        let mut add = |kind, iri: &Iri, sentence| found.push(Difference { kind, of, iri: iri.clone(), sentence });
        for (iri, earlier) in before {
            let now = self.now(iri);
            let renamed = now != iri;
            match after.get(now) {
                None => add(DifferenceKind::Removed, iri, format!("The {of} {} is removed.", self.name(iri))),
                Some(_) if renamed && before.contains_key(now) => {
                    let sentence = format!("The {of} {} is merged into {}.", self.name(iri), self.name(now));
                    add(DifferenceKind::Renamed, now, sentence);
                }
                Some(later) => {
                    if renamed {
                        let sentence = format!("The {of} <{}> is called <{}> now.", iri.as_str(), now.as_str());
                        add(DifferenceKind::Renamed, now, sentence);
                    }
                    let mut changes = changes(&said(self, earlier), &said(self, later));
                    changes.extend(self.rules(rules(earlier), rules(later)));
                    if !changes.is_empty() {
                        let sentence = format!("Of the {of} {}, {}.", self.name(now), changes.join("; "));
                        add(DifferenceKind::Changed, now, sentence);
                    }
                }
            }
        }
        let earlier: BTreeSet<&Iri> = before.keys().map(|iri| self.now(iri)).collect();
        for (iri, term) in after.iter().filter(|(iri, _)| !earlier.contains(iri)) {
            let mut told: Vec<String> =
                Some(listed(&said(self, term))).filter(|told| !told.is_empty()).into_iter().collect();
            told.extend(
                rules(term).iter().map(|rule| format!("a rule on {}: {}", self.about(rule), listed(&self.asks(rule)))),
            );
            let with = if told.is_empty() { String::new() } else { format!(" with {}", told.join("; ")) };
            add(DifferenceKind::Added, iri, format!("The {of} {} is new{with}.", self.name(iri)));
        }
    }

    fn class(&self, class: &Class) -> Said {
        let mut said = texts(&class.labels, &class.aliases);
        said.push(("parents", self.iris(&class.parents)));
        said.push(("what may be said", if class.closed { "only what its rules name" } else { "" }.to_owned()));
        said
    }

    /// Which rules of a class are new, gone or changed, each in a sentence.
    fn rules(&self, before: &[Rule], after: &[Rule]) -> Vec<String> {
        let before: Vec<Rule> = before.iter().map(|rule| self.rule_of_now(rule)).collect();
        let mut left: Vec<&Rule> = before.iter().filter(|rule| !after.contains(rule)).collect();
        let mut told = Vec::new();
        for rule in after.iter().filter(|rule| !before.contains(rule)) {
            let about = self.about(rule);
            let same = |other: &&Rule| (&other.relation, other.inverse) == (&rule.relation, rule.inverse);
            match left.iter().position(same) {
                None => told.push(format!("the rule on {about} is new: {}", listed(&self.asks(rule)))),
                Some(at) => {
                    let changes = changes(&self.asks(left.remove(at)), &self.asks(rule)).join("; ");
                    let what = if changes.is_empty() { "names and notes".to_owned() } else { changes };
                    told.push(format!("the rule on {about} changes: {what}"));
                }
            }
        }
        told.extend(
            left.iter().map(|rule| format!("the rule on {} is gone: {}", self.about(rule), listed(&self.asks(rule)))),
        );
        if told.is_empty() && before != after {
            told.push("its rules stand in another order".to_owned());
        }
        told
    }

    fn rule_of_now(&self, rule: &Rule) -> Rule {
        let now = |iri: &Iri| self.now(iri).clone();
        Rule { relation: now(&rule.relation), class: rule.class.as_ref().map(now), ..rule.clone() }
    }

    fn about(&self, rule: &Rule) -> String {
        let given = [vocabulary::RDF_TYPE, vocabulary::RDFS_LABEL, vocabulary::SKOS_ALT_LABEL];
        let name = match given.contains(&rule.relation.as_str()) {
            true => vocabulary::short(rule.relation.as_str()),
            false => self.name(&rule.relation),
        };
        if rule.inverse { format!("{name} the other way round") } else { name }
    }

    /// What a rule asks, kind by kind.
    fn asks(&self, rule: &Rule) -> Said {
        let asked: BTreeMap<Constraint, String> = rule.asks(self.after).into_iter().collect();
        let mut said: Said = Constraint::all()
            .map(|constraint| (constraint.words(), asked.get(&constraint).cloned().unwrap_or_default()))
            .collect();
        let severity = rule.severity.unwrap_or_default().local_name().to_lowercase();
        said.push(("severity", if rule.severity.is_some() { severity } else { String::new() }));
        let message = |text: &Text| tagged(&text.text, &text.lang);
        said.push(("message", rule.message.iter().map(message).collect::<Vec<_>>().join(", ")));
        said
    }

    fn qualifier(&self, qualifier: &Qualifier) -> Said {
        let mut said = texts(&qualifier.labels, &qualifier.aliases);
        said.push(("values", value(&qualifier.value)));
        said.push(("calendar", if qualifier.fiscal { "fiscal".to_owned() } else { String::new() }));
        said
    }

    fn relation(&self, relation: &Relation) -> Said {
        let mut said = texts(&relation.labels, &relation.aliases);
        let any = || "anything".to_owned();
        said.push(("domain", relation.domain.as_ref().map_or_else(any, |class| self.name(self.now(class)))));
        said.push((
            "range",
            match &relation.range {
                Range::Entity(class) => class.as_ref().map_or_else(any, |class| self.name(self.now(class))),
                Range::Value(kind) => value(kind),
            },
        ));
        said.push((
            "values for one subject",
            match &relation.functional {
                Functional::No => "any number".to_owned(),
                Functional::Per(qualifiers) if qualifiers.is_empty() => "one".to_owned(),
                Functional::Per(qualifiers) => format!("one per {}", self.iris(qualifiers)),
            },
        ));
        said.push(("symmetry", if relation.symmetric { "both ways".to_owned() } else { String::new() }));
        said.push(("inverse", relation.inverse.iter().map(|iri| self.name(self.now(iri))).collect()));
        said.push(("questions", wordings(&relation.questions)));
        said.push(("statements", wordings(&relation.statements)));
        said
    }

    fn iris(&self, iris: &[Iri]) -> String {
        let names: Vec<String> = iris.iter().map(|iri| self.name(self.now(iri))).collect();
        names.join(", ")
    }

    fn now<'a>(&'a self, iri: &'a Iri) -> &'a Iri {
        self.renamed.get(iri).copied().unwrap_or(iri)
    }

    /// The English label, by which people know it.
    fn name(&self, iri: &Iri) -> String {
        let of = |schema: &Schema| {
            let class = schema.classes.get(iri).map(|class| class.label("en").into_owned());
            let relation = || schema.relations.get(iri).map(|relation| relation.label("en").into_owned());
            let qualifier = || schema.qualifiers.get(iri).map(|qualifier| qualifier.label("en").into_owned());
            class.or_else(relation).or_else(qualifier)
        };
        let name = of(self.after).or_else(|| of(self.before));
        name.map_or_else(|| format!("<{}>", iri.as_str()), |name| format!("“{name}”"))
    }
}

/// What is said, property by property.
fn listed(said: &Said) -> String {
    let said = said.iter().filter(|(_, value)| !value.is_empty());
    said.map(|(property, value)| format!("{property} {value}")).collect::<Vec<_>>().join("; ")
}

fn changes(before: &Said, after: &Said) -> Vec<String> {
    let changed = before.iter().zip(after).filter(|((_, before), (_, after))| before != after);
    let told = |((property, before), (_, after)): (&(&str, String), &(&str, String))| match (
        before.is_empty(),
        after.is_empty(),
    ) {
        (true, _) => format!("{property} {after} is new"),
        (_, true) => format!("{property} {before} is gone"),
        _ => format!("{property} {before} becomes {after}"),
    };
    changed.map(told).collect()
}

fn texts(labels: &[Text], aliases: &[Text]) -> Said {
    let all = |texts: &[Text]| {
        let mut all: Vec<String> = texts.iter().map(|text| tagged(&text.text, &text.lang)).collect();
        all.sort();
        all.join(", ")
    };
    vec![("label", all(labels)), ("other names", all(aliases))]
}

fn wordings(wordings: &[Wording]) -> String {
    // In their order, since the first of a language is the one that cards use.
    wordings.iter().map(|wording| tagged(&wording.source, &wording.lang)).collect::<Vec<_>>().join(", ")
}

fn tagged(text: &str, lang: &str) -> String {
    if lang.is_empty() { format!("“{text}”") } else { format!("“{text}” ({lang})") }
}

fn value(value: &ValueType) -> String {
    let kind = match value.kind {
        ValueKind::Text => "text",
        ValueKind::Number => "number",
        ValueKind::Date => "date",
        ValueKind::Year => "year",
        ValueKind::Boolean => "truth value",
    };
    value.unit.as_ref().map_or_else(|| kind.to_owned(), |unit| format!("{kind} in {unit}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    fn schema(turtle: &str) -> Schema {
        let prefixes = "@prefix e: <http://example.com/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
            @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix fm: <urn:factmask:schema#> .
            @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .";
        Schema::parse(&format!("{prefixes}\n{turtle}"), "test").unwrap()
    }

    fn iri(name: &str) -> Iri {
        Iri::new_unchecked(format!("http://example.com/{name}"))
    }

    #[test]
    fn every_difference_is_a_sentence() {
        let before = schema(
            "e:City a rdfs:Class ; rdfs:label \"city\"@en . e:Town a rdfs:Class ; rdfs:label \"town\"@en .
             e:Land a rdfs:Class . e:old a rdf:Property ; rdfs:range xsd:string .
             e:capital a rdf:Property ; rdfs:label \"capital\"@en ; rdfs:domain e:Land ; rdfs:range e:City .",
        );
        let after = schema(
            "e:City a rdfs:Class ; rdfs:label \"city\"@en . e:Country a rdfs:Class .
             e:size a rdf:Property ; rdfs:range xsd:decimal ; fm:unit \"km²\" .
             e:capital a rdf:Property, owl:FunctionalProperty ; rdfs:label \"chief town\"@en ; rdfs:domain e:Country ; rdfs:range e:City .",
        );
        let renamed = [(iri("Town"), iri("City")), (iri("Land"), iri("Country"))];
        let found: Vec<String> = differences(&before, &after, &renamed).into_iter().map(|one| one.sentence).collect();
        assert_eq!(
            found,
            [
                "The class <http://example.com/Land> is called <http://example.com/Country> now.",
                "The class “town” is merged into “city”.",
                "Of the relation “chief town”, label “capital” (en) becomes “chief town” (en); values for one subject any number becomes one.",
                "The relation “old” is removed.",
                "The relation “size” is new with domain anything; range number in km²; values for one subject any number.",
            ]
        );
        assert_eq!(differences(&after, &after, &[]), []);
    }
}
