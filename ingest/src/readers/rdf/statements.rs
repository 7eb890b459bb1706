//! Which triples are facts, and what their reifiers say of them.

use super::values::Values;
use super::{Located, OWL, RDF, RDFS, SKOS};
use crate::draft::{Draft, Place};
use crate::readers::Reader;
use crate::text::Decoded;
use factmask_schema::Iri;
use oxrdf::{NamedOrBlankNode, Term, Triple};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

/// A triple with its place.
type Placed<'t> = (&'t Triple, Option<Range<usize>>);

/// Statements with what their reifiers say of them.
pub(super) struct Facts<'t> {
    asserted: Vec<Placed<'t>>,
    /// Reified triples, once for each reifier, with what is said of the reifier.
    reified: Vec<(Placed<'t>, Vec<Placed<'t>>)>,
}

impl<'t> Facts<'t> {
    pub(super) fn collect(
        reader: &Reader<'_>,
        triples: &'t [Located],
        vocabulary: &BTreeSet<Iri>,
        draft: &mut Draft<'_, '_>,
        decoded: &Decoded,
    ) -> Self {
        let mut reifiers: BTreeMap<String, Vec<Placed<'_>>> = BTreeMap::new();
        // In the order of the file: the names of blank nodes are drawn by chance.
        let mut order: Vec<String> = Vec::new();
        for Located { triple, span } in triples {
            if let Term::Triple(inner) = &triple.object
                && triple.predicate.as_str().strip_prefix(RDF) == Some("reifies")
            {
                let reifier = triple.subject.to_string();
                if !reifiers.contains_key(&reifier) {
                    order.push(reifier.clone());
                }
                reifiers.entry(reifier).or_default().push((inner.as_ref(), span.clone()));
            }
        }
        let mut said: HashMap<String, Vec<Placed<'_>>> = HashMap::new();
        let mut asserted = Vec::new();
        let mut blank = 0;
        for Located { triple, span } in triples {
            let subject = triple.subject.to_string();
            if matches!(triple.object, Term::Triple(_)) {
                continue;
            }
            if reifiers.contains_key(&subject) {
                said.entry(subject).or_default().push((triple, span.clone()));
                continue;
            }
            match &triple.subject {
                NamedOrBlankNode::BlankNode(_) => blank += 1,
                NamedOrBlankNode::NamedNode(iri) => {
                    let meta = [RDF, RDFS, OWL, SKOS].iter().any(|space| triple.predicate.as_str().starts_with(space));
                    if !meta && !vocabulary.contains(iri) {
                        asserted.push((triple, span.clone()));
                    }
                }
            }
        }
        if blank > 0 {
            draft.warn(None, format!("{blank} triples about blank nodes are left out; give the nodes IRIs"));
        }
        let stands: HashSet<&Triple> = asserted.iter().map(|(triple, _)| *triple).collect();
        let mut reified = Vec::new();
        for reifier in order {
            let inner = reifiers.remove(&reifier).unwrap_or_default();
            let about = said.remove(&reifier).unwrap_or_default();
            for (triple, span) in inner {
                let qualified = !about.is_empty()
                    && about.iter().all(|(triple, _)| reader.schema.qualifiers.contains_key(&triple.predicate));
                if stands.contains(triple) || qualified {
                    reified.push(((triple, span), about.clone()));
                } else {
                    let place = span.map(|span| Place::Line(decoded.line(span.start)));
                    draft.warn(place, "a reified triple that is not asserted, with more than qualifiers said of it, is no fact; left out");
                }
            }
        }
        Self { asserted, reified }
    }

    pub(super) fn write(
        self,
        reader: &Reader<'_>,
        extractor: &'static str,
        decoded: &Decoded,
        draft: &mut Draft<'_, '_>,
    ) {
        let values = Values { reader, extractor, decoded };
        let places: HashMap<&Triple, Range<usize>> =
            self.asserted.iter().filter_map(|(triple, span)| Some((*triple, span.clone()?))).collect();
        let mut qualified = HashSet::new();
        for ((triple, span), about) in self.reified {
            let span = places.get(triple).cloned().or(span);
            let mut qualifiers = Vec::new();
            let mut whole = span.clone();
            for (qualifier, at) in about {
                let Some(words) = reader.qualifiers.iter().find(|words| words.iri == qualifier.predicate) else {
                    continue;
                };
                if let Some(value) = values.qualifier(words, &qualifier.object, at.as_ref(), draft) {
                    qualifiers.push((words.iri.clone(), value));
                }
                // The statement and what is said of it close by are shown together.
                if let (Some(whole), Some(at)) = (&mut whole, at)
                    && at.end > whole.end
                    && at.end - whole.start < 500
                {
                    whole.end = at.end;
                }
            }
            if !qualifiers.is_empty() {
                qualified.insert(triple);
                values.fact(triple, qualifiers, whole, draft);
            }
        }
        for (triple, span) in self.asserted {
            if !qualified.contains(triple) {
                values.fact(triple, Vec::new(), span, draft);
            }
        }
    }
}
