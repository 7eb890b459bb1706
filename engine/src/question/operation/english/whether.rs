//! Whether something is so, and which of two is more.

use super::{English, noun::How};
use crate::question::operation::{
    lexicon::{self, Degree},
    query::{End, Measure, Query, Set},
    reading::{Item, Items},
};

/// What a question begins with that is answered by yes or no.
pub(super) const WHETHER: &[&str] = &["is", "are", "was", "were", "does", "do", "did", "has", "have"];
const WHICH: &[&str] = &["what", "which", "who"];

impl English<'_> {
    /// "Does the Ohio run through Texas", "is Austin the capital of Texas", "is Texas larger than Ohio".
    pub(super) fn whether(&self, at: usize) -> Items<Query> {
        let mut found = Vec::new();
        if !self.is(at, WHETHER) {
            return found;
        }
        for who in self.names_at(at + 1).into_iter().chain(self.named_fully(at + 1)) {
            let set = &who.value;
            let said = match self.text(at) {
                "is" | "are" | "was" | "were" => self.complement(set, who.end),
                "has" | "have" => self.having(set, who.end),
                _ if self.is(who.end, &["have"]) => self.having(set, who.end + 1),
                _ => self.predicate(set, who.end),
            };
            for item in said {
                found.extend(
                    self.sense.truth(set, &item.value).map(|query| Item::new(query, item.end, who.cost + item.cost)),
                );
            }
        }
        found
    }

    fn named_fully(&self, at: usize) -> Items<Set> {
        let at = if self.is(at, &["the"]) { at + 1 } else { at };
        let all = self.nominal(at, How::Plain).into_iter();
        all.filter(|item| matches!(item.value, Set::Named(_))).collect()
    }

    /// "Which is longer, the Ohio or the Missouri", "which river is longer, …", "is the Ohio or the Missouri longer".
    pub(super) fn choice(&self, at: usize) -> Items<Query> {
        let mut found = Vec::new();
        let either = |one: &Set, other: &Set| Set::Either(Box::new(one.clone()), Box::new(other.clone()));
        if self.is(at, WHICH) {
            let class = self.classes_at(at + 1).into_iter().map(|(end, _)| end).next();
            for behind in [Some(at + 1), class].into_iter().flatten() {
                let Some(said) = self.past_any(behind, &["is", "are", "was", "has", "have"]) else { continue };
                for (one, other, end) in self.pairs_after(said) {
                    if let Some((measure, picked, cost)) = self.comparative(said, &one, one.end) {
                        let set = either(&one.value, &other.value).extreme(measure, picked);
                        found.push(Item::new(Query::List(set), end, cost + one.cost + other.cost));
                    }
                }
            }
        }
        if self.is(at, &["is", "are"]) {
            for one in self.named_fully(at + 1).into_iter().filter(|one| self.is(one.end, &["or"])) {
                for other in self.named_fully(one.end + 1) {
                    if let Some((adjective, Degree::Comparative)) = lexicon::english_adjective(self.text(other.end))
                        && let Some((relation, cost)) = self.sense.by(&one.value, &adjective)
                    {
                        let set = either(&one.value, &other.value).extreme(Measure::Value(relation), adjective.end);
                        found.push(Item::new(Query::List(set), other.end + 1, cost + one.cost + other.cost));
                    }
                }
            }
        }
        found
    }

    /// Two names with "or" between, somewhere behind a comparative.
    fn pairs_after(&self, at: usize) -> Vec<(Item<Set>, Item<Set>, usize)> {
        let mut found = Vec::new();
        for start in at + 1..(at + 6).min(self.tokens.len()) {
            for one in self.named_fully(start).into_iter().filter(|one| self.is(one.end, &["or", "and"])) {
                for other in self.named_fully(one.end + 1) {
                    let end = other.end;
                    // Where the first name begins is kept in its end, for the comparative before it.
                    found.push((Item { end: start, ..one.clone() }, other, end));
                }
            }
        }
        found
    }

    /// "Longer", "the larger population", "more inhabitants", up to where the names begin.
    fn comparative(&self, at: usize, one: &Item<Set>, names: usize) -> Option<(Measure, End, u32)> {
        let names = if self.is(names - 1, &["the"]) { names - 1 } else { names };
        let names = if self.is(names - 1, &["between", "of"]) { names - 1 } else { names };
        let start = if self.is(at, &["the", "a"]) { at + 1 } else { at };
        if self.is(start, &["more", "fewer", "less"]) {
            let end = if self.is(start, &["more"]) { End::Most } else { End::Least };
            if let Some((adjective, Degree::Plain)) =
                lexicon::english_adjective(self.text(start + 1)).filter(|_| start + 2 == names)
            {
                let (relation, cost) = self.sense.by(&one.value, &adjective)?;
                let end = if end == End::Most { adjective.end } else { adjective.end.opposite() };
                return Some((Measure::Value(relation), end, cost));
            }
            let name = self.sense.measures(&one.value, &self.phrase(start + 1, names)).into_iter().next()?;
            return Some((Measure::Value(name.relation), end, name.cost));
        }
        let (adjective, degree) = lexicon::english_adjective(self.text(start))?;
        if degree != Degree::Comparative {
            return None;
        }
        if start + 1 == names {
            let (relation, cost) = self.sense.by(&one.value, &adjective)?;
            return Some((Measure::Value(relation), adjective.end, cost));
        }
        let name = self
            .sense
            .measures(&one.value, &self.phrase(start + 1, names))
            .into_iter()
            .next()
            .filter(|_| adjective.general)?;
        Some((Measure::Value(name.relation), adjective.end, name.cost))
    }
}
