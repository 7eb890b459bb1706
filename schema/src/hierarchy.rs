//! Questions about all classes at once. Walking up from each class anew would take the square of their number in a long chain.

use crate::{Class, Iri, Schema};
use std::collections::{BTreeMap, BTreeSet};

impl Schema {
    /// The class and everything below it.
    pub fn with_descendants<'a>(&'a self, class: &'a Iri) -> BTreeSet<&'a Iri> {
        let mut below: BTreeMap<&Iri, Vec<&Iri>> = BTreeMap::new();
        for own in self.classes.values() {
            own.parents.iter().for_each(|parent| below.entry(parent).or_default().push(&own.iri));
        }
        let mut seen = BTreeSet::from([class]);
        let mut open = vec![class];
        while let Some(class) = open.pop() {
            open.extend(below.get(class).into_iter().flatten().copied().filter(|child| seen.insert(child)));
        }
        seen
    }

    /// A number for each class, the same for two that lead up to each other. So a link up to a class of the same number is part of a
    /// circle, and every other link is part of none.
    pub(crate) fn circles(&self) -> BTreeMap<&Iri, usize> {
        let numbers: BTreeMap<&Iri, usize> = self.classes.keys().zip(0..).collect();
        let parents =
            |class: &Class| class.parents.iter().filter_map(|parent| numbers.get(parent).copied()).collect::<Vec<_>>();
        let up: Vec<Vec<usize>> = self.classes.values().map(parents).collect();
        let mut down: Vec<Vec<usize>> = vec![Vec::new(); up.len()];
        for (class, parents) in up.iter().enumerate() {
            parents.iter().for_each(|parent| down[*parent].push(class));
        }
        // Kosaraju's way: whoever is done last with all above it goes down first, and reaches just those that lead up to it and are not
        // numbered yet.
        let mut circle = vec![usize::MAX; up.len()];
        for start in done_in_order(&up).into_iter().rev() {
            let mut open = vec![start];
            while let Some(class) = open.pop() {
                if circle[class] == usize::MAX {
                    circle[class] = start;
                    open.extend(&down[class]);
                }
            }
        }
        self.classes.keys().zip(circle).collect()
    }
}

/// All nodes in the order in which a walk in depth is done with them.
fn done_in_order(edges: &[Vec<usize>]) -> Vec<usize> {
    let (mut seen, mut done) = (vec![false; edges.len()], Vec::with_capacity(edges.len()));
    for start in 0..edges.len() {
        let mut way = Vec::new();
        if !std::mem::replace(&mut seen[start], true) {
            way.push((start, edges[start].iter()));
        }
        while let Some((node, rest)) = way.last_mut() {
            match rest.find(|next| !seen[**next]) {
                Some(next) => {
                    seen[*next] = true;
                    way.push((*next, edges[*next].iter()));
                }
                None => {
                    done.push(*node);
                    way.pop();
                }
            }
        }
    }
    done
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;
    use crate::vocabulary::RDFS_CLASS;

    fn iri(number: usize) -> Iri {
        Iri::new_unchecked(format!("http://example.com/{number:06}"))
    }

    /// Classes with these parents, as they may be made by hand.
    fn schema(parents: &[Vec<usize>]) -> Schema {
        let classes = (0..parents.len()).map(|number| format!("{} a <{RDFS_CLASS}> .\n", iri(number)));
        let mut schema = Schema::parse(&classes.collect::<String>(), "test").unwrap();
        for (class, parents) in schema.classes.values_mut().zip(parents) {
            class.parents = parents.iter().map(|number| iri(*number)).collect();
        }
        schema
    }

    #[test]
    fn circles_are_what_leads_back() {
        // 0 → 1 → 2 → 0 with 3 below and 4 above, 5 ↔ 6 between 3 and 7, 8 its own, 9 alone.
        let parents =
            [vec![1], vec![2, 4], vec![0], vec![0, 5], vec![], vec![6], vec![5, 7], vec![], vec![8], vec![42]];
        let schema = schema(&parents);
        let circles = schema.circles();
        for (class, parents) in parents.iter().enumerate() {
            for parent in parents.iter().filter(|parent| **parent < 10) {
                let (class, parent) = (iri(class), iri(*parent));
                assert_eq!(circles[&class] == circles[&parent], schema.is_a(&parent, &class), "{class} {parent}");
            }
            let below = schema.with_descendants(&iri(class)).len();
            assert_eq!(below, (0..10).filter(|other| schema.is_a(&iri(*other), &iri(class))).count(), "{class}");
        }
    }

    /// Were each class walked up anew, this would take minutes.
    #[test]
    fn a_chain_and_a_ring_of_many_classes_are_seen_through() {
        const MANY: usize = 20_000;
        let chain: Vec<Vec<usize>> = (0..MANY).map(|class| if class > 0 { vec![class - 1] } else { vec![] }).collect();
        let mut ring = chain.clone();
        ring[0] = vec![MANY - 1];
        let (chain, ring) = (schema(&chain), schema(&ring));
        assert_eq!(chain.circles().into_values().collect::<BTreeSet<_>>().len(), MANY);
        assert_eq!(ring.circles().into_values().collect::<BTreeSet<_>>().len(), 1);
        assert_eq!((chain.with_descendants(&iri(0)).len(), ring.with_descendants(&iri(9)).len()), (MANY, MANY));
        let turtle = chain.to_turtle();
        assert_eq!(Schema::parse(&turtle, "chain").unwrap().to_turtle(), turtle);
        assert!(Schema::parse(&ring.to_turtle(), "ring").is_err());
        assert_eq!(Schema::import(&turtle, "chain").unwrap().schema, chain);
    }
}
