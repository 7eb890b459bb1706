//! What the pairs of a relation show: whether one object is the rule, and which relation says the same the other way round.

use super::profile::{NameId, Profile, Profiles, share};
use std::collections::{BTreeMap, HashMap};

/// Of the pairs, this part must stand the other way round, or it is only said in a note.
const MIRRORED: f64 = 0.9;
/// From here on a note is worth it.
const PARTLY: f64 = 0.3;

/// How relations mirror themselves and each other.
#[derive(Default)]
pub(super) struct Mirrors {
    pub(super) symmetric: Vec<String>,
    /// Both ways.
    pub(super) inverse: BTreeMap<String, String>,
    pub(super) notes: BTreeMap<String, Vec<String>>,
}

/// Compares all pairs with all pairs, through an index of who is paired with whom.
pub(super) fn mirrors(profiles: &Profiles) -> Mirrors {
    let mut holders: HashMap<(NameId, NameId), Vec<u32>> = HashMap::new();
    let all: Vec<(&String, &Profile)> = profiles.relations.iter().collect();
    for ((_, profile), number) in all.iter().zip(0..) {
        for pair in profile.pairs.iter().filter(|(one, other)| one != other) {
            holders.entry(*pair).or_default().push(number);
        }
    }
    let mut both: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for ((one, other), here) in &holders {
        for there in holders.get(&(*other, *one)).into_iter().flatten() {
            for here in here {
                *both.entry((*here, *there)).or_default() += 1;
            }
        }
    }
    let mut result = Mirrors::default();
    let mut best: BTreeMap<u32, (f64, u32)> = BTreeMap::new();
    for ((here, there), count) in both {
        let (Some((iri, one)), Some((_, other))) = (all.get(here as usize), all.get(there as usize)) else { continue };
        // Few pairs mirror each other by chance.
        let enough = one.pairs.len().min(other.pairs.len()) >= super::kinds::FEW;
        let mirrored = share(count, one.pairs.len()).min(share(count, other.pairs.len()));
        if mirrored >= MIRRORED && enough {
            if here == there {
                result.symmetric.push((*iri).clone());
            } else if best.get(&here).is_none_or(|(known, _)| *known < mirrored) {
                best.insert(here, (mirrored, there));
            }
        } else if mirrored >= PARTLY && enough {
            let note = match here == there {
                true => format!(
                    "{:.0} % of its facts also stand the other way round: perhaps owl:SymmetricProperty",
                    share(count, one.pairs.len()) * 100.0
                ),
                false => format!(
                    "{:.0} % of its facts stand the other way round in {}: perhaps owl:inverseOf",
                    share(count, one.pairs.len()) * 100.0,
                    other.name
                ),
            };
            result.notes.entry((*iri).clone()).or_default().push(note);
        }
    }
    for (here, (_, there)) in &best {
        if best.get(there).is_some_and(|(_, back)| back == here)
            && let (Some((one, _)), Some((other, _))) = (all.get(*here as usize), all.get(*there as usize))
            && !result.symmetric.contains(one)
            && !result.symmetric.contains(other)
        {
            result.inverse.insert((*one).clone(), (*other).clone());
        }
    }
    result
}
