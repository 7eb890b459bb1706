//! Noun phrases: "the longest river in the states that border Texas".

use super::{DEEPEST, English};
use crate::question::{
    operation::{
        behind::Behind,
        called::Name,
        lemma,
        lexicon::{self, Adjective, Degree},
        query::{Measure, Set},
        reading::{Item, Items},
    },
    path::{self, Step},
};
use factmask_schema::Iri;

/// Words before a noun that say nothing of which things are meant.
const DETERMINERS: &[&str] =
    &["the", "a", "an", "all", "any", "some", "every", "each", "of", "different", "various", "other"];
/// Prepositions by which a noun is tied to another.
const PREPOSITIONS: &[&str] = &["of", "in", "on", "from", "within", "inside", "at", "for", "by"];
/// Words that lead a name that was said of a thing before: "the river called".
const CALLED: &[&str] = &["named", "called"];
/// Words for what is left out.
const EXCEPT: &[&str] =
    &["other than", "apart from", "excluding", "except for", "except", "besides", "but not", "and excluding"];

/// How a noun is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// As it stands.
    Plain,
    /// Each one by itself.
    Each,
    /// Several, among whom one is picked or counted.
    Several,
}

impl English<'_> {
    /// A noun phrase from here, with whatever stands behind it. `each` members are meant one by one.
    pub(super) fn noun_phrase(&self, at: usize) -> Items<Set> {
        if let Some(known) = self.known.borrow().get(&at) {
            return known.clone();
        }
        if *self.depth.borrow() >= DEEPEST || at >= self.tokens.len() {
            return Vec::new();
        }
        *self.depth.borrow_mut() += 1;
        let found = self.tidy(self.any_noun_phrase(at));
        *self.depth.borrow_mut() -= 1;
        self.known.borrow_mut().insert(at, found.clone());
        found
    }

    fn any_noun_phrase(&self, at: usize) -> Items<Set> {
        let mut start = at;
        let mut each = false;
        while self.is(start, DETERMINERS) && (start > at || !self.is(start, &["of"])) {
            each |= self.is(start, &["each", "every"]);
            start += 1;
        }
        let mut found = Vec::new();
        if let Some((adjective, end, behind)) = self.superlative(start) {
            // "The largest of the states that …"
            let among = if self.is(behind, &["of"]) {
                self.noun_phrase(behind + 1)
            } else {
                self.nominal(behind, How::Several)
            };
            for item in among {
                if let Some((set, cost)) = self.sense.extreme(item.value.clone(), &adjective, end) {
                    found.push(Item::new(set, item.end, item.cost + cost));
                }
                // "The largest state by population".
                for (name, stop) in self.by_measure(&item.value, item.end).into_iter().filter(|_| adjective.general) {
                    let set = item.value.clone().extreme(Measure::Value(name.relation), end);
                    found.push(Item::new(set, stop, item.cost + name.cost));
                }
            }
        }
        found.extend(self.nominal(start, if each { How::Each } else { How::Plain }));
        found
    }

    /// "By population", "in area": a measure with the place behind it.
    pub(super) fn by_measure(&self, base: &Set, at: usize) -> Vec<(Name, usize)> {
        let behind = self.past_any(at, &["in terms of", "by", "in"]).unwrap_or(self.tokens.len());
        let named = |(end, phrase): (usize, String)| {
            self.sense.measures(base, &phrase).into_iter().map(move |name| (name, end)).collect::<Vec<_>>()
        };
        self.phrases(behind, 4).flat_map(named).collect()
    }

    /// A noun and what stands behind it.
    pub(super) fn nominal(&self, at: usize, how: How) -> Items<Set> {
        let mut found = Vec::new();
        for head in self.heads(at) {
            self.behind(&head.value, Vec::new(), head.end, head.cost, &mut found);
        }
        for head in self.relational(at, how) {
            self.behind(&head.value, Vec::new(), head.end, head.cost, &mut found);
        }
        self.tidy(found)
    }

    /// Names and classes.
    fn heads(&self, at: usize) -> Items<Set> {
        let mut found = self.named(at);
        for (end, classes) in self.classes_at(at) {
            for class in classes {
                found.push(Item::new(Set::Class(class.clone()), end, 0));
                // "State Texas", "state of Texas", "cities named Austin".
                let behind = if self.is(end, &["of"]) { end + 1 } else { end };
                let names = self.names_at(behind).into_iter();
                found.extend(names.filter(|item| self.is_named(&item.value, &class)));
            }
        }
        found.extend(self.attributive(at));
        found
    }

    /// "Neighbouring states of Texas".
    fn attributive(&self, at: usize) -> Items<Set> {
        let mut found = Vec::new();
        for (behind, verb) in self.verbs_at(at).into_iter().filter(|_| self.text(at).ends_with("ing")) {
            for (end, classes) in
                self.classes_at(behind).into_iter().filter(|(end, _)| self.is(*end, &["of", "for", "to"]))
            {
                for base in classes.into_iter().map(Set::Class) {
                    for item in self.objects(&base, &verb.step, end + 1, verb.cost) {
                        found.push(item.with(Behind::all(base.clone(), std::slice::from_ref(&item.value))));
                    }
                }
            }
        }
        found
    }

    /// A name, with the class of its bearer or with where it lies: "Mississippi river", "Austin Texas".
    fn named(&self, at: usize) -> Items<Set> {
        let mut found = Vec::new();
        for name in self.names_at(at) {
            for (end, classes) in self.classes_at(name.end).into_iter().filter(|(end, _)| !self.is_plural(end - 1)) {
                if classes.iter().any(|class| self.is_named(&name.value, class)) {
                    found.push(Item::new(name.value.clone(), end, name.cost));
                }
            }
            for place in self.names_at(name.end) {
                let tied = self.sense.tied(&name.value, &place.value, false);
                let tied = tied.into_iter().filter(|(_, cost)| *cost == 0);
                found.extend(
                    tied.map(|(within, _)| {
                        Item::new(name.value.clone().and(within), place.end, name.cost + place.cost)
                    }),
                );
            }
            found.push(name);
        }
        found
    }

    fn is_plural(&self, at: usize) -> bool {
        let text = self.text(at);
        text.ends_with('s') && !text.ends_with("ss")
    }

    fn is_named(&self, set: &Set, class: &Iri) -> bool {
        matches!(set, Set::Named(id) if self.sense.is_of(*id, class))
    }

    /// Names that begin here. One that could as well be a word costs more.
    pub(super) fn names_at(&self, at: usize) -> Items<Set> {
        let at = if self.is(at, &["the"]) { at + 1 } else { at };
        let mut found = Vec::new();
        for (end, bearers) in self.names.get(at).into_iter().flatten() {
            let phrase = self.phrase(at, *end);
            let ordinary =
                self.sense.called.classes.contains_key(&phrase) || self.sense.called.nouns.contains_key(&phrase);
            let cost = if ordinary { 2 } else { 0 };
            // "Red River" is sooner a river called Red than something else called Red River.
            let last = self.sense.called.classes.get(&self.phrase(end - 1, *end)).filter(|_| *end > at + 1);
            let other = |id| last.is_some_and(|classes| !classes.iter().any(|class| self.sense.is_of(id, class)));
            found.extend(
                bearers.iter().map(|id| Item::new(Set::Named(*id), *end, cost + if other(*id) { 2 } else { 0 })),
            );
        }
        found
    }

    /// Classes whose name stands here.
    pub(super) fn classes_at(&self, at: usize) -> Vec<(usize, Vec<Iri>)> {
        let named = |(end, phrase): (usize, String)| {
            Some((end, self.sense.called.classes.get(&phrase)?.iter().cloned().collect()))
        };
        self.phrases(at, 4).filter_map(named).take(1).collect()
    }

    /// Relations whose name stands here as a noun, the longest name only.
    pub(super) fn relations_at(&self, at: usize) -> Vec<(usize, Vec<Name>)> {
        let named = |(end, phrase): (usize, String)| {
            Some((end, self.sense.called.nouns.get(&phrase)?.iter().cloned().collect()))
        };
        self.phrases(at, 6).filter_map(named).take(1).collect()
    }

    /// Nouns that need another: "the capital of Texas", "Texas's capital", "state capitals", and "capitals" for all of them.
    fn relational(&self, at: usize, how: How) -> Items<Set> {
        let mut found = Vec::new();
        for (end, names) in self.relations_at(at) {
            let (plural, said) = (self.is_plural(end - 1), self.phrase_text(at, end));
            for name in &names {
                let adjective = self.superlative_in(name, &said);
                // "The capital" alone, or of what has several, is no question for all of them.
                let several = plural || how == How::Several || adjective.is_some();
                let bare = self.sense.domain(&name.relation).map(|domain| Item::new(Set::Class(domain), end, 0));
                let of = if self.is(end, &["of", "in", "for", "at", "from", "within", "on"]) {
                    self.noun_phrase(end + 1)
                } else {
                    Vec::new()
                };
                let each = ["each", "every"];
                let one_by_one = plural || how == How::Each || self.is(end + 1, &each) || self.is(end + 2, &each);
                for item in bare.into_iter().filter(|_| several).chain(of) {
                    for (set, cost) in self.sense.of(name, &item.value) {
                        if cost > name.cost && !several {
                            continue;
                        }
                        let set = match &adjective {
                            Some(adjective) if !one_by_one => self.as_superlative(set, adjective),
                            _ => set,
                        };
                        found.push(Item::new(set, item.end, item.cost + cost));
                    }
                }
            }
        }
        // "Texas's capital", "state capitals".
        let mut owners = self.named(at);
        for (end, classes) in self.classes_at(at) {
            owners.extend(classes.into_iter().map(|class| Item::new(Set::Class(class), end, 0)));
        }
        for owner in owners {
            found.extend(self.owned(&owner));
        }
        found
    }

    /// What belongs to the owner before it.
    fn owned(&self, owner: &Item<Set>) -> Items<Set> {
        let possessive = self.is(owner.end, &["'s", "’s"]);
        let at = if possessive { owner.end + 1 } else { owner.end };
        let mut found = Vec::new();
        for (end, names) in self.relations_at(at) {
            for name in &names {
                for (set, cost) in self.sense.of(name, &owner.value) {
                    let item = Item::new(set, end, owner.cost + cost + u32::from(!possessive));
                    if possessive || matches!(owner.value, Set::Named(_)) {
                        found.extend(self.owned(&item));
                    }
                    found.push(item);
                }
            }
        }
        let superlative = if possessive { self.superlative(at) } else { None };
        if let Some((adjective, end, behind)) = superlative {
            for (stop, classes) in self.classes_at(behind) {
                for class in classes.into_iter().map(Set::Class) {
                    for (within, cost) in self.sense.tied(&class, &owner.value, true) {
                        let among = class.clone().and(within);
                        let extreme = self.sense.extreme(among, &adjective, end);
                        found.extend(extreme.map(|(set, more)| Item::new(set, stop, owner.cost + cost + more)));
                    }
                }
            }
        }
        found
    }

    fn phrase_text(&self, from: usize, to: usize) -> String {
        (from..to).map(|at| self.text(at)).collect::<Vec<_>>().join(" ")
    }

    /// The superlative that a relation's own name begins with: "highest point".
    fn superlative_in(&self, name: &Name, said: &str) -> Option<Adjective> {
        let (first, _) = said.split_once(' ')?;
        let (adjective, _) = lexicon::english_adjective(first).filter(|(_, degree)| *degree == Degree::Superlative)?;
        let own = self.sense.called.nouns.get(&lemma::phrase(said))?;
        own.iter().any(|own| own.relation == name.relation && own.cost == 0).then_some(adjective)
    }

    /// "The highest point" of several states is the highest of theirs.
    fn as_superlative(&self, set: Set, adjective: &Adjective) -> Set {
        let several = matches!(&set, Set::Image { of, .. } if self.several(of));
        let extreme = self.sense.extreme(set.clone(), adjective, adjective.end).filter(|_| several);
        extreme.map_or(set, |(extreme, _)| extreme)
    }

    fn several(&self, set: &Set) -> bool {
        match set {
            Set::Named(_) | Set::Extreme { .. } => false,
            Set::Both(one, other) => {
                self.several(one) && self.several(other)
                    || matches!((&**one, &**other), (Set::Class(_), Set::Image { .. }))
            }
            _ => true,
        }
    }

    /// Everything that may stand behind a noun, any number of them; all readings, the bare noun too.
    fn behind(&self, base: &Set, said: Vec<Behind>, at: usize, cost: u32, found: &mut Items<Set>) {
        found.push(Item::new(Behind::all(base.clone(), &said), at, cost));
        if said.len() >= 3 || at >= self.tokens.len() || !self.step() {
            return;
        }
        let far = u32::from(!said.is_empty());
        for item in self.modifiers(base, at, !said.is_empty()) {
            let mut all = said.clone();
            all.push(item.value);
            self.behind(base, all, item.end, cost + item.cost + far, found);
        }
    }

    fn modifiers(&self, base: &Set, at: usize, further: bool) -> Items<Behind> {
        let mut found: Items<Behind> = Vec::new();
        if self.is(at, PREPOSITIONS) {
            for item in self.noun_phrase(at + 1) {
                for (set, cost) in self.sense.tied(base, &item.value, true) {
                    found.push(Item::new(Behind::In(set), item.end, item.cost + cost));
                }
            }
        }
        found.extend(self.called(base, at));
        if let Some(behind) = self.past_any(at, EXCEPT) {
            let out = |item: Item<Set>| item.with(Behind::Out(item.value.clone()));
            found.extend(
                self.noun_phrase(behind).into_iter().filter(|item| self.sense.meet(base, &item.value)).map(out),
            );
        }
        if self.is(at, &["with", "having"]) {
            found.extend(self.having(base, at + 1));
        }
        if self.is(at, &["that", "which", "who"]) {
            found.extend(self.predicate(base, at + 1));
            found.extend(self.done_to(base, at + 1, None));
        }
        if further && self.is(at, &["and"]) {
            found
                .extend(self.predicate(base, if self.is(at + 1, &["that", "which", "who"]) { at + 2 } else { at + 1 }));
        }
        if self.is(at, &["whose"]) {
            found.extend(self.whose(base, at + 1));
        }
        if at + 1 < self.tokens.len() && self.is(at + 1, &["which", "whom"]) && !self.is(at, &["of"]) {
            found.extend(self.done_to(base, at + 2, Some(at)));
        }
        found.extend(self.participle(base, at));
        found.extend(self.than(base, at));
        // "States Alabama borders".
        if !self.is(at, &["that", "which", "who"]) {
            found.extend(self.done_to(base, at, None));
        }
        found
    }

    /// "Named Austin": all of them who bear the name.
    pub(super) fn called(&self, base: &Set, at: usize) -> Option<Item<Behind>> {
        let names =
            self.names_at(at + 1).into_iter().filter(|item| self.is(at, CALLED) && self.sense.meet(base, &item.value));
        let names: Vec<Item<Set>> = names.collect();
        let end = names.iter().map(|item| item.end).max()?;
        let bearers = names.into_iter().filter(|item| item.end == end).map(|item| item.value);
        let all = bearers.reduce(|one, other| Set::Either(Box::new(one), Box::new(other)))?;
        Some(Item::new(Behind::In(all), end, 0))
    }

    /// "Whose capital is Austin", "whose population is greater than 5 million".
    pub(super) fn whose(&self, base: &Set, at: usize) -> Items<Behind> {
        let mut found = Vec::new();
        for (end, names) in self.relations_at(at) {
            if !self.is(end, &["is", "are", "was", "were", "has", "have"]) {
                continue;
            }
            for name in &names {
                found.extend(self.measured(base, name, end + 1));
                let step = Step { relation: name.relation.clone(), forward: true };
                if !self.sense.takes(base, &step) {
                    continue;
                }
                let back = path::back(self.sense.snapshot.schema(), &step);
                for item in self.noun_phrase(end + 1) {
                    if self.sense.takes(&item.value, &back) {
                        let set = item.value.clone().image(back.clone());
                        found.push(Item::new(Behind::In(set), item.end, item.cost + name.cost));
                    }
                }
            }
        }
        found
    }
}
