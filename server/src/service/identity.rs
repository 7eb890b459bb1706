//! Who is who in a tenant's knowledge base, and what people decide of it.

use super::{Service, ServiceError};
use crate::wire::{DecidedByBody, IdentityBody, Named, PairBody, PairStateBody};
use factmask_graph::{Decision, Entity, Pair, PairState, Snapshot, Store, Verdict};
use factmask_schema::Iri;

impl Service {
    /// The pairs of a state, or all, the surest first; `limit` of them.
    pub fn identity(
        &self,
        tenant: &str,
        state: Option<PairState>,
        limit: usize,
        lang: &str,
    ) -> Result<IdentityBody, ServiceError> {
        let snapshot = self.tenants.store(tenant)?.snapshot()?;
        Ok(pairs(&snapshot, state, limit, lang))
    }

    /// Keeps what a person has decided of two entities, and gives the pair as it is then.
    ///
    /// # Errors
    /// Where an IRI is none of the knowledge base or both are one IRI, and nobody or no reason is given.
    pub fn decide(&self, tenant: &str, decision: &Decision, lang: &str) -> Result<PairBody, ServiceError> {
        decide(&self.tenants.store(tenant)?, decision, lang)
    }
}

/// As [`Service::identity`] for one epoch.
pub(crate) fn pairs(snapshot: &Snapshot, state: Option<PairState>, limit: usize, lang: &str) -> IdentityBody {
    let wanted = |pair: &&Pair| state.is_none_or(|state| pair.state == state);
    let found = || snapshot.identity().pairs().iter().filter(wanted);
    IdentityBody {
        pairs: found().take(limit).map(|pair| body(snapshot, pair, lang)).collect(),
        total: found().count(),
        epoch: snapshot.epoch(),
    }
}

/// As [`Service::decide`] for one store.
pub(crate) fn decide(store: &Store, decision: &Decision, lang: &str) -> Result<PairBody, ServiceError> {
    let parameter = |name, fault: &str| Err(ServiceError::Parameter { name, fault: fault.to_owned() });
    if decision.one == decision.other {
        return parameter("other", "is the same IRI; give two entities");
    }
    if decision.verdict != Verdict::Undecided {
        for (name, text) in [("author", &decision.author), ("reason", &decision.reason)] {
            if text.trim().is_empty() {
                return parameter(name, "is empty; whoever reads the decision later will ask for it");
            }
        }
    }
    let snapshot = store.snapshot()?;
    // A decision may be taken back when what it was about has gone.
    let stands =
        decision.verdict == Verdict::Undecided && snapshot.identity().pair(&decision.one, &decision.other).is_some();
    for iri in [&decision.one, &decision.other] {
        if !stands && snapshot.find(iri).is_none() {
            return Err(ServiceError::NoEntity(iri.as_str().to_owned()));
        }
    }
    store.decide(decision)?;
    let snapshot = store.snapshot()?;
    Ok(match snapshot.identity().pair(&decision.one, &decision.other) {
        Some(pair) => body(&snapshot, pair, lang),
        None => {
            let pair = Pair {
                one: decision.one.clone(),
                other: decision.other.clone(),
                score: 0.0,
                reasons: Vec::new(),
                state: PairState::Apart,
                by: factmask_graph::DecidedBy::Rule,
            };
            body(&snapshot, &pair, lang)
        }
    })
}

fn body(snapshot: &Snapshot, pair: &Pair, lang: &str) -> PairBody {
    PairBody {
        id: pair.id(),
        one: named(snapshot, &pair.one, lang),
        other: named(snapshot, &pair.other, lang),
        score: pair.score,
        reasons: pair.reasons.clone(),
        state: PairStateBody::from(pair.state),
        by: DecidedByBody::from(pair.by),
    }
}

/// One that was merged is called by its own name where its IRI says it, so that two names are seen.
fn named(snapshot: &Snapshot, iri: &Iri, lang: &str) -> Named {
    let own = snapshot.identity().canonical(iri) == iri;
    let name = match snapshot.find(iri).filter(|_| own) {
        Some(id) => snapshot.name(id, lang).to_owned(),
        None => Entity::name_in(iri),
    };
    Named { iri: iri.as_str().to_owned(), name }
}
