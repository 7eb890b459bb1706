//! What was counted as terms that a schema can take.

use super::ledger::{Key, Ledger, Seen};
use super::{Discovery, DiscoverySource, Term};
use crate::names::class_iri;
use crate::suggest::{Triple, share, suggest_schema};
use crate::table::{find_relation, relation_iri};
use crate::text::is_cjk;
use factmask_graph::ContentHash;
use factmask_schema::normal::fold;
use factmask_schema::{Class, Functional, Iri, Range, Relation, Schema, Text, Wording, escape, split_words};
use std::collections::BTreeMap;

/// A relation is said of a class, or has its objects in one, where this share of them is in it.
const MOST: f64 = 0.8;

/// The terms, those with facts first, then by how often they come.
pub(super) fn proposals(ledger: Ledger, schema: &Schema, least: usize) -> Vec<Discovery> {
    let enough = |key: &Key, seen: &Seen| key.source != DiscoverySource::Phrase || seen.pairs.len() >= least;
    let Ledger { classes, relations } = ledger;
    let mut found: Vec<Discovery> = Vec::new();
    for (key, seen) in classes.into_iter().filter(|(key, seen)| enough(key, seen)) {
        let term = Term::Class(class(&key, &seen));
        found.push(discovery("class", key, seen, term));
    }
    for (key, seen) in relations.into_iter().filter(|(key, seen)| enough(key, seen)) {
        if let Some(relation) = relation(&key, &seen, schema) {
            found.push(discovery("relation", key, seen, Term::Relation(relation)));
        }
    }
    found.sort_by(|a, b| (a.source, b.count, &a.id).cmp(&(b.source, a.count, &b.id)));
    found
}

fn discovery(kind: &str, key: Key, seen: Seen, term: Term) -> Discovery {
    let hash = ContentHash::of(format!("{kind}\n{:?}\n{}", key.source, key.name).as_bytes()).to_string();
    let (count, subjects) = (seen.count, seen.subjects.len());
    Discovery {
        id: hash.chars().take(16).collect(),
        source: key.source,
        term,
        count,
        subjects,
        evidence: seen.evidence,
    }
}

fn class(key: &Key, seen: &Seen) -> Class {
    let label = split_words(seen.name());
    let iri = match key.source {
        DiscoverySource::Facts => Iri::new_unchecked(&key.name),
        _ => class_iri(&label),
    };
    Class {
        iri,
        labels: vec![Text::new(lang(&label), label)],
        aliases: Vec::new(),
        parents: Vec::new(),
        closed: false,
        rules: Vec::new(),
    }
}

/// `None` where the schema has it under another name after all.
fn relation(key: &Key, seen: &Seen, schema: &Schema) -> Option<Relation> {
    let name = seen.name();
    let iri = match key.source {
        DiscoverySource::Facts => Iri::new_unchecked(&key.name),
        _ => relation_iri(name),
    };
    if schema.relations.contains_key(&iri) || find_relation(schema, name, None).is_some() {
        return None;
    }
    let triple = |(subject, object): &(String, String)| Triple {
        subject: subject.clone(),
        relation: name.to_owned(),
        object: object.clone(),
    };
    let triples: Vec<Triple> = seen.sample.iter().map(triple).collect();
    let mut relation = suggest_schema(&triples, "").schema.relations.into_values().next()?;
    relation.iri = iri;
    relation.domain = most(&seen.domains, seen.count);
    let class = most(&seen.ranges, seen.count);
    relation.range = match relation.range {
        _ if share(seen.entities, seen.count) >= MOST => Range::Entity(class),
        Range::Entity(_) => Range::Entity(class),
        value => value,
    };
    if key.source == DiscoverySource::Phrase {
        // Text says one of several as soon as the only one.
        relation.functional = Functional::No;
        if !seen.noun {
            as_found(&mut relation, name);
        }
        verbatim(&mut relation, seen);
    } else if key.source == DiscoverySource::Column {
        // The header is what finds the column again.
        let known = relation.labels.iter().chain(&relation.aliases).any(|own| fold(&own.text) == fold(name));
        if !known {
            relation.aliases.push(Text::new(lang(name), name));
        }
    }
    Some(relation)
}

/// A verb's grammar is what it was found with: it is called by its words, and asked for by them where they turn by themselves ("was
/// founded by": "What was {s} founded by?").
fn as_found(relation: &mut Relation, name: &str) {
    relation.labels = vec![Text::new(lang(name), name)];
    relation.aliases.clear();
    relation.statements.clear();
    let asked = match name.split_once(' ') {
        Some((copula @ ("is" | "was" | "are" | "were"), rest)) => {
            Some(format!("What {copula} {{s}} {}?", escape(rest)))
        }
        _ if lang(name) == "zh" => Some(format!("{{s}}{}什么？", escape(name))),
        _ => None,
    };
    let wording = asked.and_then(|asked| Wording::parse(lang(name), &asked).ok());
    relation.questions = wording.filter(|wording| wording.check_question().is_ok()).into_iter().collect();
}

/// A phrase is said as it was found: that is what reads the sentences that it was found in.
fn verbatim(relation: &mut Relation, seen: &Seen) {
    for written in &seen.said {
        let chinese = written.chars().any(is_cjk);
        let said = match chinese {
            true => format!("{{s}}{}{{o}}。", escape(written)),
            false => format!("{{s}} {} {{o}}.", escape(written)),
        };
        let Ok(wording) = Wording::parse(lang(written), &said) else { continue };
        if wording.check_statement().is_ok() && !relation.statements.contains(&wording) {
            relation.statements.push(wording);
        }
    }
}

/// The class that most of them are in; the first in order of those.
fn most(classes: &BTreeMap<Iri, usize>, count: usize) -> Option<Iri> {
    let best = classes.values().max()?;
    let (class, found) = classes.iter().find(|(_, found)| *found == best)?;
    (share(*found, count) >= MOST).then(|| class.clone())
}

fn lang(words: &str) -> &'static str {
    if words.chars().any(is_cjk) { "zh" } else { "en" }
}
