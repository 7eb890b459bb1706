//! How relations, classes and qualifiers are called, and how a fact is said where the schema has no words of its own.

use crate::wording::Part;
use crate::{
    Class, Functional, Iri, Qualifier, Range, Relation, Schema, Text, Wording, local_name, split_words, wording,
};
use std::borrow::Cow;

impl Class {
    /// A class of which nothing is known but its IRI.
    pub fn named(iri: Iri) -> Self {
        Self { iri, labels: Vec::new(), aliases: Vec::new(), parents: Vec::new(), closed: false, rules: Vec::new() }
    }

    /// Its name in `lang`; without a label the local name as words.
    pub fn label(&self, lang: &str) -> Cow<'_, str> {
        label(&self.labels, &self.iri, lang)
    }
}

impl Qualifier {
    /// Its name in `lang`; without a label the local name as words.
    pub fn label(&self, lang: &str) -> Cow<'_, str> {
        label(&self.labels, &self.iri, lang)
    }

    /// The name of its slot in wordings.
    pub fn slot(&self) -> &str {
        local_name(self.iri.as_str())
    }
}

impl Relation {
    /// A relation that no schema declares: any subject, any object, called by its local name.
    pub fn undeclared(iri: Iri) -> Self {
        Self {
            iri,
            labels: Vec::new(),
            aliases: Vec::new(),
            domain: None,
            range: Range::Entity(None),
            functional: Functional::No,
            symmetric: false,
            inverse: None,
            questions: Vec::new(),
            statements: Vec::new(),
        }
    }

    /// Its name in `lang`; without a label the local name as words.
    pub fn label(&self, lang: &str) -> Cow<'_, str> {
        label(&self.labels, &self.iri, lang)
    }

    /// How a fact is said in `lang`: the relation's own wording in that language, else one made from its label. A wording that
    /// names the object first is passed over, because its stem would say nothing.
    pub fn statement_for(&self, lang: &str) -> Wording {
        let qualifiers = match &self.functional {
            Functional::Per(qualifiers) => qualifiers.as_slice(),
            Functional::No => &[],
        };
        self.own_statement(lang).cloned().unwrap_or_else(|| {
            let named = qualifiers.iter().map(|iri| local_name(iri.as_str())).map(|slot| (slot, split_words(slot)));
            generic(lang, &self.label(lang), named)
        })
    }

    fn own_statement(&self, lang: &str) -> Option<&Wording> {
        let usable = |wording: &&Wording| Text::same_language(&wording.lang, lang) && wording.leads_to_object();
        self.statements.iter().find(usable)
    }
}

impl Schema {
    /// Whether any relation is named, told or asked for in a language.
    pub fn speaks(&self, lang: &str) -> bool {
        self.relations.values().any(|relation| {
            let names = relation.labels.iter().chain(&relation.aliases).map(|name| &name.lang);
            let wordings = relation.questions.iter().chain(&relation.statements).map(|wording| &wording.lang);
            names.chain(wordings).any(|said| Text::same_language(said, lang))
        })
    }

    /// The relation as declared, else as one that is not ([`Relation::undeclared`]), so that bare RDF works.
    pub fn relation(&self, iri: &Iri) -> Cow<'_, Relation> {
        match self.relations.get(iri) {
            Some(relation) => Cow::Borrowed(relation),
            None => Cow::Owned(Relation::undeclared(iri.clone())),
        }
    }

    /// How a fact with these qualifiers is said. As [`Relation::statement_for`], but a wording made from labels calls each
    /// qualifier by its label in `lang`, and covers all of `qualifiers`: otherwise two facts that differ in a qualifier alone
    /// would read the same.
    pub fn statement_for<'a>(
        &self,
        relation: &Iri,
        lang: &str,
        qualifiers: impl IntoIterator<Item = &'a Iri>,
    ) -> Wording {
        let relation = self.relation(relation);
        let qualifiers: Vec<&Iri> = qualifiers.into_iter().collect();
        let covers = |wording: &&Wording| {
            qualifiers.iter().all(|iri| wording.slots().any(|slot| slot == local_name(iri.as_str())))
        };
        if let Some(own) = relation.own_statement(lang).filter(covers) {
            return own.clone();
        }
        let named = |iri: &Iri| match self.qualifiers.get(iri) {
            Some(qualifier) => qualifier.label(lang).into_owned(),
            None => split_words(local_name(iri.as_str())),
        };
        match relation.own_statement(lang) {
            // Its own words, and behind them what they have no slot for.
            Some(own) => {
                let missing = qualifiers.iter().filter(|iri| own.slots().all(|slot| slot != local_name(iri.as_str())));
                with_qualifiers(own, missing.map(|iri| (local_name(iri.as_str()), named(iri))))
            }
            None => {
                let named = qualifiers.iter().map(|iri| (local_name(iri.as_str()), named(iri)));
                generic(lang, &relation.label(lang), named)
            }
        }
    }
}

fn label<'a>(labels: &'a [Text], iri: &Iri, lang: &str) -> Cow<'a, str> {
    match Text::pick(labels, lang) {
        Some(label) => Cow::Borrowed(&label.text),
        None => Cow::Owned(split_words(local_name(iri.as_str()))),
    }
}

/// A sentence for any relation: "The {label} of {s}[ (fiscal year {fiscalYear})] is {o}."
fn generic<'a>(lang: &str, label: &str, qualifiers: impl Iterator<Item = (&'a str, String)>) -> Wording {
    let label = wording::escape(label);
    let base = match chinese(lang) {
        true => format!("{{s}}的{label}是{{o}}。"),
        false => format!("The {label} of {{s}} is {{o}}."),
    };
    // Braces in the label are doubled, so this parses; were it not to, the bare slots still say the fact.
    let base = Wording::parse(lang, &base).unwrap_or_else(|_| Wording {
        lang: lang.to_owned(),
        source: "{s} {o}".to_owned(),
        parts: vec![Part::Subject, Part::Literal(" ".to_owned()), Part::Object],
    });
    with_qualifiers(&base, qualifiers)
}

/// The wording with a bracketed part for each qualifier, placed right behind the subject, where it belongs to the stem.
fn with_qualifiers<'a>(base: &Wording, qualifiers: impl Iterator<Item = (&'a str, String)>) -> Wording {
    let mut wording = base.clone();
    let behind_subject = wording.parts.iter().position(|part| *part == Part::Subject).map_or(0, |place| place + 1);
    let (open, close) = if chinese(&base.lang) { ("（", "）") } else { (" (", ")") };
    for (at, (slot, name)) in (behind_subject..).zip(qualifiers) {
        let space = if name.is_ascii() { " " } else { "" };
        let part = vec![
            Part::Literal(format!("{open}{name}{space}")),
            Part::Qualifier(slot.to_owned()),
            Part::Literal(close.to_owned()),
        ];
        wording.parts.insert(at, Part::Optional(part));
    }
    wording.source = wording::source_of(&wording.parts);
    wording
}

fn chinese(lang: &str) -> bool {
    Text::same_language(lang, "zh")
}
