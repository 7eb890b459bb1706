//! What a change would do is what it does.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{document, entity, fact, id, iri, memory, number};
use factmask_graph::Difference;

#[test]
fn a_preview_is_what_comes_and_changes_nothing() {
    let store = memory();
    let shared = || fact("apple", "makes", entity("phone"));
    let before = vec![shared(), fact("apple", "staff", number(10)), fact("ann", "owns", entity("car"))];
    store.put_all(&[document("a", before.clone()), document("b", vec![shared()])]).unwrap();
    let (export, epoch) = (store.export().unwrap(), store.epoch());
    let changed = document("a", vec![fact("apple", "staff", number(11)), fact("bo", "owns", entity("boat"))]);
    let (now, would) = store.preview(std::slice::from_ref(&changed), &[]).unwrap();
    assert_eq!((store.export().unwrap(), store.epoch()), (export.clone(), epoch));
    let Difference { added, removed, weakened, orphans, touched } = now.difference(&would);
    assert_eq!((added.len(), removed.len()), (2, 2));
    assert_eq!(weakened, [shared().statement.id()]);
    assert_eq!(orphans, [iri("ann"), iri("car")]);
    assert_eq!(touched.into_iter().collect::<Vec<_>>(), ["ann", "apple", "bo", "boat", "car"].map(iri));

    store.put(&changed).unwrap();
    let after = store.snapshot().unwrap();
    assert_eq!(would.difference(&after), Difference::default());
    assert_eq!(after.difference(&would), Difference::default());

    // Deleting: a preview, then the deed, then everything as it was.
    store.put(&document("a", before)).unwrap();
    assert_eq!(store.export().unwrap(), export);
    let (now, would) = store.preview(&[], &[id("a")]).unwrap();
    assert_eq!(now.difference(&would).removed.len(), 2);
    store.delete(&id("a")).unwrap();
    assert_eq!(would.difference(&store.snapshot().unwrap()), Difference::default());
}
