//! What a publication changes in a schema, in sentences.

use crate::rename::Renames;
use crate::{Rename, Split};
use factmask_schema::{Difference, DifferenceKind, Iri, Schema, differences};

/// The differences between two schemas: first what is split on the way from the one to the other, then term by term.
pub fn schema_differences(before: &Schema, after: &Schema, renames: &[Rename], splits: &[Split]) -> Vec<Difference> {
    let split = |split: &Split| Difference {
        kind: DifferenceKind::Split,
        of: split.kind().word(),
        iri: split.to.clone(),
        sentence: split.sentence(before, after),
    };
    // What is still declared is called as before, though something of it went elsewhere.
    let gone = renames.iter().filter(|rename| !rename.kind.declares(after, &rename.from));
    let renames: Renames = gone.cloned().collect();
    let renames: Vec<(Iri, Iri)> = renames.iter().map(|rename| (rename.from, rename.to)).collect();
    splits.iter().map(split).chain(differences(before, after, &renames)).collect()
}
