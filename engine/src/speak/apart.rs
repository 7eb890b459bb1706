//! By what things are told apart that bear one name.

use super::Speaker;
use crate::question::{path::Path, wordings};
use factmask_graph::{EntityId, Fact};
use factmask_schema::{Iri, normal};
use std::collections::{BTreeMap, BTreeSet};

impl Speaker<'_> {
    /// The names of things, each once; of those that share one also what differs: their class, else a relation's values, else their
    /// IRIs.
    pub fn told_apart(&self, things: &[EntityId]) -> Vec<String> {
        let mut by_name: BTreeMap<&str, Vec<EntityId>> = BTreeMap::new();
        for thing in things {
            by_name.entry(self.snapshot.name(*thing, self.lang)).or_default().push(*thing);
        }
        let said = |(name, bearers): (&str, Vec<EntityId>)| match bearers.as_slice() {
            [_] => vec![name.to_owned()],
            bearers => self.differences(bearers).into_iter().map(|what| format!("{name} ({what})")).collect(),
        };
        by_name.into_iter().flat_map(said).collect()
    }

    /// Why a name seems to be shared: `told_by` gives the thing what others have one of.
    pub fn shared_name(&self, thing: EntityId, told_by: &Iri) -> String {
        let name = self.snapshot.name(thing, self.lang);
        let label = self.snapshot.schema().relation(told_by).label(self.lang).into_owned();
        let values = self.values_of(thing, told_by);
        match self.lang {
            "zh" => format!("“{name}”可能指多个事物：{label} {values}"),
            _ => format!("“{name}” may be several things: {label} {values}"),
        }
    }

    /// Why the documents may be about several things that share a name, though nothing has told them apart: each says another value of
    /// what most things have one of. `facts` are those of an answer.
    pub fn said_apart(&self, thing: EntityId, facts: &[Fact]) -> Option<String> {
        let (first, others) = facts.split_first()?;
        let relation = &first.statement.relation;
        let own = |fact: &Fact| {
            self.snapshot.find(&fact.statement.subject) == Some(thing) && fact.statement.relation == *relation
        };
        let documents = |fact: &Fact| fact.evidence.iter().map(|found| found.document.clone()).collect::<BTreeSet<_>>();
        let each_alone = facts.iter().enumerate().all(|(at, one)| {
            let said = documents(one);
            !said.is_empty() && facts.iter().skip(at + 1).all(|other| said.is_disjoint(&documents(other)))
        });
        if others.is_empty() || !facts.iter().all(own) || !each_alone || !self.is_mostly_one(relation, thing) {
            return None;
        }
        let name = self.snapshot.name(thing, self.lang);
        Some(match self.lang {
            "zh" => format!("各文档所述不同，“{name}”可能指多个事物"),
            _ => format!("each document says another one, so “{name}” may be several things"),
        })
    }

    /// Whether most other subjects of a relation have one object; so it is where there are no others.
    fn is_mostly_one(&self, relation: &Iri, thing: EntityId) -> bool {
        let mut objects: BTreeMap<&Iri, usize> = BTreeMap::new();
        for fact in self.snapshot.facts().iter().filter(|fact| fact.statement.relation == *relation) {
            *objects.entry(&fact.statement.subject).or_default() += 1;
        }
        objects.retain(|subject, _| self.snapshot.find(subject) != Some(thing));
        let single = objects.values().filter(|count| **count == 1).count();
        single * 5 >= objects.len() * 4
    }

    /// That what was computed is so among what is known.
    pub fn as_far_as_known(&self) -> String {
        let said = match self.lang {
            "zh" => "只按知识库收录的内容得出，收录可能不全",
            _ => "true of what the knowledge base holds, which may not be all",
        };
        said.to_owned()
    }

    /// Why nothing is given: what the question says and the path found does not.
    pub fn unread(&self, words: &[String], path: &Path) -> String {
        if let [word] = words
            && self.names_the_way_back(word, path)
        {
            return match self.lang {
                "zh" => format!("没有找到它的“{word}”；找到的是以它为“{word}”的"),
                _ => format!("no “{word}” of it is known; what was found has it as “{word}”"),
            };
        }
        let last =
            path.steps.last().map(|step| self.snapshot.schema().relation(&step.relation).label(self.lang).into_owned());
        let (words, found) = (words.join(" "), last.unwrap_or_default());
        match self.lang {
            "zh" => format!("“{words}”不是“{found}”的已知说法"),
            _ => format!("“{words}” is no known wording of “{found}”, which is what was found"),
        }
    }

    /// Whether a word names the relation against which the path begins.
    fn names_the_way_back(&self, word: &str, path: &Path) -> bool {
        let schema = self.snapshot.schema();
        let Some(first) = path.steps.first() else { return false };
        let own = schema.relation(&first.relation);
        let back = if first.forward { own.inverse.as_ref() } else { Some(&first.relation) };
        back.is_some_and(|back| {
            let relation = schema.relation(back);
            relation.labels.iter().chain(&relation.aliases).any(|name| normal::fold(&name.text) == word)
        })
    }

    fn differences(&self, bearers: &[EntityId]) -> Vec<String> {
        let classes = bearers.iter().map(|id| {
            let classes = &self.snapshot.entity(*id).classes;
            wordings::class_word(self.snapshot.schema(), classes, self.lang)
        });
        let classes: Vec<String> = classes.collect();
        let differ = |said: &[String]| said.iter().collect::<BTreeSet<_>>().len() == said.len();
        if differ(&classes) {
            return classes;
        }
        let relations: BTreeSet<&Iri> = bearers.iter().flat_map(|id| self.snapshot.relations_of(*id)).collect();
        let values =
            |relation: &Iri| -> Vec<String> { bearers.iter().map(|id| self.values_of(*id, relation)).collect() };
        // The shortest way to tell them apart, of which every bearer has something.
        let telling = relations.into_iter().map(|relation| (relation, values(relation)));
        let telling = telling.filter(|(_, values)| differ(values) && values.iter().all(|value| !value.is_empty()));
        let shortest =
            telling.min_by_key(|(relation, values)| (values.iter().map(String::len).sum::<usize>(), *relation));
        match shortest {
            Some((relation, values)) => {
                let label = self.snapshot.schema().relation(relation).label(self.lang).into_owned();
                values.into_iter().map(|value| format!("{label} {value}")).collect()
            }
            None => bearers.iter().map(|id| self.snapshot.entity(*id).iri.as_str().to_owned()).collect(),
        }
    }

    fn values_of(&self, thing: EntityId, relation: &Iri) -> String {
        let facts = self.snapshot.facts_of_relation(thing, relation);
        let values: BTreeSet<String> =
            facts.map(|fact| self.snapshot.said(&fact.statement.object, self.lang)).collect();
        values.into_iter().collect::<Vec<_>>().join(if self.lang == "zh" { "、" } else { ", " })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;
    use factmask_graph::{Date, DocumentId, Entity, FactId, NewFact, Snapshot, Statement, Value};
    use factmask_schema::{Schema, Text};

    const SCHEMA: &str = r#"@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
        @prefix ex: <urn:x:> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        ex:Film a rdfs:Class ; rdfs:label "film"@en . ex:Town a rdfs:Class ; rdfs:label "town"@en .
        ex:year a rdf:Property ; rdfs:label "release year"@en ; rdfs:domain ex:Film ; rdfs:range xsd:gYear .
        ex:genre a rdf:Property ; rdfs:label "genre"@en ; rdfs:domain ex:Film ; rdfs:range xsd:string ."#;

    #[test]
    fn by_class_then_by_what_differs_then_by_iri() {
        let iri = |name: &str| Iri::new_unchecked(format!("urn:x:{name}"));
        let entity = |(id, name, class): &(&str, &str, &str)| Entity {
            iri: iri(id),
            classes: vec![iri(class)],
            labels: vec![Text::new("en", *name)],
            aliases: vec![],
        };
        let entities = [
            ("a1", "Halloween", "Film"),
            ("a2", "Halloween", "Film"),
            ("b1", "Paris", "Film"),
            ("b2", "Paris", "Town"),
            ("c1", "Emma", "Film"),
            ("c2", "Emma", "Film"),
            ("d1", "Alien", "Film"),
        ];
        let fact = |subject: &str, relation: &str, object: Value| {
            let statement = Statement::new(iri(subject), iri(relation), object, Vec::new());
            Fact { id: FactId::of(&statement), statement, evidence: Vec::new() }
        };
        let horror = || Value::Text { text: "horror".to_owned(), lang: None };
        let facts = vec![
            fact("a1", "genre", horror()),
            fact("a2", "genre", horror()),
            fact("a1", "year", Value::Date(Date::from_year(1978))),
            fact("a2", "year", Value::Date(Date::from_year(2007))),
            fact("c1", "year", Value::Date(Date::from_year(1996))),
        ];
        let snapshot =
            Snapshot::build(1, Schema::parse(SCHEMA, "test").unwrap(), entities.iter().map(entity).collect(), facts);
        let speaker = Speaker { snapshot: &snapshot, lang: "en" };
        let table: &[(&[&str], &[&str])] = &[
            (&["a1", "a2"], &["Halloween (release year 1978)", "Halloween (release year 2007)"]),
            (&["b1", "b2"], &["Paris (film)", "Paris (town)"]),
            (&["c1", "c2"], &["Emma (urn:x:c1)", "Emma (urn:x:c2)"]),
            (&["a1", "d1"], &["Alien", "Halloween"]),
            (&[], &[]),
        ];
        for (things, expected) in table {
            let things: Vec<EntityId> = things.iter().map(|name| snapshot.find(&iri(name)).unwrap()).collect();
            assert_eq!(speaker.told_apart(&things), *expected);
        }
    }

    #[test]
    fn documents_that_each_say_another_value() {
        let iri = |name: &str| Iri::new_unchecked(format!("urn:x:{name}"));
        let fact = |(subject, relation, object, document): &(&str, &str, &str, &str)| {
            let object = Value::Text { text: (*object).to_owned(), lang: None };
            let statement = Statement::new(iri(subject), iri(relation), object, Vec::new());
            NewFact { statement, span: 0..1, locator: None, extractor: "t".to_owned(), confidence: 1.0 }
                .into_fact(DocumentId::new(*document).unwrap())
        };
        let others =
            [("b", "year", "1", "x"), ("c", "year", "2", "x"), ("b", "genre", "1", "x"), ("b", "genre", "2", "x")];
        type Row<'a> = (&'a [(&'a str, &'a str, &'a str, &'a str)], bool);
        let table: &[Row<'_>] = &[
            (&[("a", "year", "1984", "one"), ("a", "year", "2021", "two")], true),
            // One document says both, so it knows of both.
            (&[("a", "year", "1984", "one"), ("a", "year", "2021", "one")], false),
            (&[("a", "year", "1984", "one")], false),
            // Others have several as well.
            (&[("a", "genre", "horror", "one"), ("a", "genre", "drama", "two")], false),
            // Two things were asked about.
            (&[("a", "year", "1984", "one"), ("d", "year", "2021", "two")], false),
        ];
        for (answer, expected) in table {
            let facts: Vec<Fact> = answer.iter().chain(&others).map(fact).collect();
            let entity = |name: &str| Entity { labels: vec![Text::new("en", name)], ..Entity::unnamed(iri(name)) };
            let entities = ["a", "b", "c", "d"].map(entity).to_vec();
            let snapshot = Snapshot::build(1, Schema::parse(SCHEMA, "test").unwrap(), entities, facts);
            let speaker = Speaker { snapshot: &snapshot, lang: "en" };
            let given: Vec<Fact> = answer.iter().map(fact).collect();
            let said = speaker.said_apart(snapshot.find(&iri("a")).unwrap(), &given);
            assert_eq!(said.is_some(), *expected, "{answer:?} {said:?}");
        }
    }
}
