//! Whom a name means in an epoch.

use crate::names::{NameIndex, Names};
use factmask_graph::{EntityId, Snapshot};
use factmask_schema::Iri;
use std::sync::Arc;

/// All entities of an epoch by their names.
pub(super) struct Known<'s> {
    pub(super) snapshot: &'s Snapshot,
    pub(super) names: Names<'s>,
}

impl<'s> Known<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> Self {
        let mut index = NameIndex::default();
        for entity in snapshot.entities() {
            index.learn(entity, None);
        }
        Self { snapshot, names: Names::over(snapshot.schema(), Arc::new(index)) }
    }

    /// Who is meant, with the classes that the schema declares.
    pub(super) fn entity(&self, name: &str) -> Option<(EntityId, Vec<Iri>)> {
        let meant = self.names.meant(name, None)?;
        let id = self.snapshot.find(&meant.entity.iri)?;
        let declared = |class: &&Iri| self.snapshot.schema().classes.contains_key(*class);
        Some((id, self.snapshot.entity(id).classes.iter().filter(declared).cloned().collect()))
    }
}
