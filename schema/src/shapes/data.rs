//! What rules are asked about.

use crate::vocabulary::{RDF_TYPE, RDFS_SUB_CLASS_OF};
use crate::{Iri, Schema, shapes::is_valid};
use oxrdf::{Graph, Literal, NamedNodeRef, NamedOrBlankNode, Term, TermRef};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Things with what is said of them. Each answer has a thing once.
pub trait Data {
    /// The things of a class and of the classes below it.
    fn instances(&self, class: &Iri) -> Vec<Term>;

    /// Whether a thing is of a class or of one below it.
    fn is_instance(&self, thing: &Term, class: &Iri) -> bool;

    /// The values that a relation has of a thing; with `inverse` those that it is a value of.
    fn values(&self, thing: &Term, relation: &Iri, inverse: bool) -> Vec<Term>;

    /// Everything that is said of a thing.
    fn said_of(&self, thing: &Term) -> Vec<(Iri, Term)>;

    /// A literal as one of a datatype, where it is one. What has kept no datatypes of its own says here which it could have.
    fn in_datatype(&self, literal: &Literal, datatype: &Iri) -> Option<Literal> {
        (literal.datatype() == datatype.as_ref() && is_valid(literal)).then(|| literal.clone())
    }

    /// Whether a value is the one that a rule names.
    fn is_same(&self, value: &Term, named: &Term) -> bool {
        value == named
    }
}

/// The triples of files, with the subclasses that they and a schema say.
pub struct Triples {
    graph: Graph,
    /// Of each class those right below it.
    below: BTreeMap<Iri, BTreeSet<Iri>>,
}

impl Triples {
    /// Takes up a graph.
    pub fn new(graph: Graph, schema: &Schema) -> Self {
        let mut below: BTreeMap<Iri, BTreeSet<Iri>> = BTreeMap::new();
        let mut add = |class: Iri, parent: Iri| below.entry(parent).or_default().insert(class);
        for triple in graph.triples_for_predicate(NamedNodeRef::new_unchecked(RDFS_SUB_CLASS_OF)) {
            if let (oxrdf::NamedOrBlankNodeRef::NamedNode(class), TermRef::NamedNode(parent)) =
                (triple.subject, triple.object)
            {
                add(class.into_owned(), parent.into_owned());
            }
        }
        for class in schema.classes.values() {
            class.parents.iter().for_each(|parent| {
                add(class.iri.clone(), parent.clone());
            });
        }
        Self { graph, below }
    }

    /// The class and all below it.
    fn with_descendants<'a>(&'a self, class: &'a Iri) -> BTreeSet<&'a Iri> {
        let mut seen = BTreeSet::from([class]);
        let mut open = vec![class];
        while let Some(class) = open.pop() {
            for child in self.below.get(class).into_iter().flatten() {
                if seen.insert(child) {
                    open.push(child);
                }
            }
        }
        seen
    }
}

impl Data for Triples {
    fn instances(&self, class: &Iri) -> Vec<Term> {
        let a = NamedNodeRef::new_unchecked(RDF_TYPE);
        let classes = self.with_descendants(class);
        let all = classes.into_iter().flat_map(|class| self.graph.subjects_for_predicate_object(a, class));
        let mut seen = HashSet::new();
        all.filter(|subject| seen.insert(*subject)).map(|subject| subject.into_owned().into()).collect()
    }

    fn is_instance(&self, thing: &Term, class: &Iri) -> bool {
        let Some(subject) = subject(thing) else { return false };
        let a = NamedNodeRef::new_unchecked(RDF_TYPE);
        let classes = self.with_descendants(class);
        self.graph.objects_for_subject_predicate(&subject, a).any(|found| match found {
            TermRef::NamedNode(iri) => classes.iter().any(|class| class.as_ref() == iri),
            _ => false,
        })
    }

    fn values(&self, thing: &Term, relation: &Iri, inverse: bool) -> Vec<Term> {
        if inverse {
            let subjects = self.graph.subjects_for_predicate_object(relation, thing);
            return subjects.map(|subject| subject.into_owned().into()).collect();
        }
        let Some(subject) = subject(thing) else { return Vec::new() };
        self.graph.objects_for_subject_predicate(&subject, relation).map(TermRef::into_owned).collect()
    }

    fn said_of(&self, thing: &Term) -> Vec<(Iri, Term)> {
        let Some(subject) = subject(thing) else { return Vec::new() };
        let all = self.graph.triples_for_subject(&subject);
        all.map(|triple| (triple.predicate.into_owned(), triple.object.into_owned())).collect()
    }
}

fn subject(thing: &Term) -> Option<NamedOrBlankNode> {
    match thing {
        Term::NamedNode(iri) => Some(iri.clone().into()),
        Term::BlankNode(blank) => Some(blank.clone().into()),
        Term::Literal(_) | Term::Triple(_) => None,
    }
}
