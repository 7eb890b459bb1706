//! Noun phrases: 流经奥斯马克的最长的河流.

use super::{Chinese, tidy, words::Operator};
use crate::question::{
    operation::{
        behind::Behind,
        called::{Name, Verb},
        lexicon::{self, Adjective},
        query::{End, Measure, Order, Set, Test, Than},
        reading::{Item, Items},
    },
    path::{self, Step},
};
use factmask_graph::Number;
use factmask_schema::Iri;

/// Things said of one noun at most.
const MOST_SAID: usize = 4;

impl Chinese<'_> {
    pub(super) fn is(&self, at: usize, operator: Operator) -> bool {
        self.words.get(at).is_some_and(|word| word.is(operator))
    }

    /// The stretch without 的 and 境内 at its end and 在 at its beginning.
    pub(super) fn bare(&self, start: usize, end: usize) -> (usize, usize) {
        let (mut start, mut end) = (start, end);
        while end > start && [Operator::Of, Operator::Inside].iter().any(|operator| self.is(end - 1, *operator)) {
            end -= 1;
        }
        while start < end && [Operator::In, Operator::Any].iter().any(|operator| self.is(start, *operator)) {
            start += 1;
        }
        (start, end)
    }

    pub(super) fn back(&self, step: &Step) -> Step {
        path::back(self.sense.snapshot.schema(), step)
    }

    /// All that a whole stretch can be as a noun phrase.
    pub(super) fn noun_phrase(&self, start: usize, end: usize) -> Items<Set> {
        let (start, end) = self.bare(start, end);
        if start >= end {
            return Vec::new();
        }
        if let Some(known) = self.known.borrow().get(&(start, end)) {
            return known.clone();
        }
        let found = tidy(self.any_noun_phrase(start, end));
        self.known.borrow_mut().insert((start, end), found.clone());
        found
    }

    fn any_noun_phrase(&self, start: usize, end: usize) -> Items<Set> {
        let mut found = Vec::new();
        let Some(head) = self.words.get(end - 1) else { return found };
        if end == start + 1 {
            found.extend(head.names.iter().map(|id| Item::new(Set::Named(*id), end, 0)));
        }
        // A name with its class: "阿尔达 河".
        if end == start + 2
            && let Some(before) = self.words.get(start)
        {
            let classed =
                |id: &&factmask_graph::EntityId| head.classes.iter().any(|class| self.sense.is_of(**id, class));
            found.extend(before.names.iter().filter(classed).map(|id| Item::new(Set::Named(*id), end, 0)));
        }
        for class in &head.classes {
            let base = Set::Class(class.clone());
            for item in self.said_before(&base, start, end - 1, MOST_SAID) {
                found.push(Item::new(Behind::all(base.clone(), &item.value), end, item.cost));
            }
        }
        for name in &head.nouns {
            let owners = match start + 1 == end {
                true => self
                    .sense
                    .domain(&name.relation)
                    .map(|domain| Item::new(Set::Class(domain), end, 0))
                    .into_iter()
                    .collect(),
                false => self.noun_phrase(start, end - 1),
            };
            for owner in owners {
                // 国家的首府 is no question for all of its provinces' capitals.
                let parts = |cost: u32| cost == name.cost || self.is_superlative(name);
                for (set, cost) in self.sense.of(name, &owner.value).into_iter().filter(|(_, cost)| parts(*cost)) {
                    let set = self.as_superlative(set, name, &owner.value);
                    found.push(Item::new(set, end, owner.cost + cost));
                }
            }
        }
        found
    }

    fn is_superlative(&self, name: &Name) -> bool {
        self.superlative_in(name).is_some()
    }

    /// The superlative that a relation's own name begins with: 最高点.
    fn superlative_in(&self, name: &Name) -> Option<&'static Adjective> {
        let label = self.sense.snapshot.schema().relation(&name.relation).label("zh").into_owned();
        let rest = label.strip_prefix('最').filter(|_| name.cost == 0)?;
        lexicon::chinese::ADJECTIVES.iter().find(|adjective| rest.starts_with(adjective.word))
    }

    /// 最高点 of several is the highest of theirs.
    fn as_superlative(&self, set: Set, name: &Name, owner: &Set) -> Set {
        let several = !matches!(owner, Set::Named(_) | Set::Extreme { .. });
        match self.superlative_in(name).filter(|_| several) {
            Some(adjective) => {
                self.sense.extreme(set.clone(), adjective, adjective.end).map_or(set, |(extreme, _)| extreme)
            }
            None => set,
        }
    }

    /// What a stretch before a noun says of it, piece by piece.
    fn said_before(&self, base: &Set, start: usize, end: usize, most: usize) -> Items<Vec<Behind>> {
        if start >= end {
            return vec![Item::new(Vec::new(), end, 0)];
        }
        let mut found = Vec::new();
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        if most == 0 || left == 0 {
            return found;
        }
        for cut in start..end {
            for last in self.modifier(base, cut, end) {
                for before in self.said_before(base, start, cut, most - 1) {
                    let mut said = before.value;
                    said.push(last.value.clone());
                    found.push(Item::new(said, end, before.cost + last.cost + u32::from(cut > start)));
                }
            }
        }
        found
    }

    /// One thing said of a noun by a whole stretch before it.
    fn modifier(&self, base: &Set, start: usize, end: usize) -> Items<Behind> {
        let (from, to) = self.bare(start, end);
        let mut found = Vec::new();
        if from >= to {
            return found;
        }
        for item in self.noun_phrase(from, to) {
            let tied = self.sense.tied(base, &item.value, true);
            found.extend(tied.into_iter().map(|(set, cost)| Item::new(Behind::In(set), end, item.cost + cost)));
        }
        found.extend(self.predicate(base, from, to));
        // 既…又…
        for cut in from + 1..to {
            if self.is(cut, Operator::Both) {
                let first = if self.is(from, Operator::Both) { from + 1 } else { from };
                for one in self.predicate(base, first, cut) {
                    for other in self.predicate(base, cut + 1, to) {
                        if let (Behind::In(one_set), Behind::In(other_set)) = (&one.value, &other.value) {
                            let both = one_set.clone().and(other_set.clone());
                            found.push(Item::new(Behind::In(both), end, one.cost + other.cost));
                        }
                    }
                }
            }
        }
        found
    }

    /// What a whole stretch says of a subject before it.
    pub(super) fn predicate(&self, base: &Set, start: usize, end: usize) -> Items<Behind> {
        let mut found = Vec::new();
        let Some(last) = end.checked_sub(1).filter(|last| *last >= start).and_then(|last| self.words.get(last)) else {
            return found;
        };
        if self.is(start, Operator::Not) {
            let denied = self.predicate(base, start + 1, end).into_iter();
            found.extend(denied.filter_map(|item| Some(item.with(item.value.clone().denied()?))));
        }
        if self.is(start, Operator::Both) {
            return self.predicate(base, start + 1, end);
        }
        // 最长
        if end == start + 1
            && let Some((adjective, pick)) = last.superlative
        {
            let by = self.sense.by(base, &adjective);
            found.extend(
                by.map(|(relation, cost)| Item::new(Behind::Extreme(Measure::Value(relation), pick), end, cost)),
            );
        }
        // 人口最多, 流经省份最多, 河流最多
        if let Some((adjective, pick)) = last.superlative.filter(|(adjective, _)| adjective.general) {
            let noun_end = if self.is(end.saturating_sub(2), Operator::Number) { end - 2 } else { end - 1 };
            if end == start + 2
                && let Some(noun) = self.words.get(start)
            {
                let measures = noun.nouns.iter().filter(|name| self.measures(base, &name.relation));
                found.extend(measures.map(|name| {
                    Item::new(Behind::Extreme(Measure::Value(name.relation.clone()), pick), end, name.cost)
                }));
            }
            if matches!(adjective.word, "多" | "少") {
                for (step, among, cost) in self.counted(base, start, noun_end) {
                    found.push(Item::new(
                        Behind::Extreme(Measure::Count { step, among: Box::new(among) }, pick),
                        end,
                        cost,
                    ));
                }
            }
        }
        found.extend(self.doing(base, start, end));
        found.extend(self.compared(base, start, end));
        // 首府是林道
        if let Some(noun) = self.words.get(start)
            && self.is(start + 1, Operator::Is)
        {
            for name in &noun.nouns {
                let step = Step { relation: name.relation.clone(), forward: true };
                let back = self.back(&step);
                if self.sense.takes(base, &step) {
                    let named = self
                        .noun_phrase(start + 2, end)
                        .into_iter()
                        .filter(|item| self.sense.takes(&item.value, &back));
                    found.extend(named.map(|item| {
                        Item::new(Behind::In(item.value.clone().image(back.clone())), end, item.cost + name.cost)
                    }));
                }
            }
        }
        // 有最高点…, 有河流
        if self.is(start, Operator::Has) {
            for item in self.noun_phrase(start + 1, end) {
                if let Some((step, cost)) = self.sense.has(base, &item.value) {
                    found.push(Item::new(
                        Behind::In(item.value.clone().image(self.back(&step))),
                        end,
                        item.cost + cost,
                    ));
                }
            }
        }
        found
    }

    /// Whether a relation gives members of a set a number or a date.
    pub(super) fn measures(&self, set: &Set, relation: &Iri) -> bool {
        self.sense.classes(set).iter().any(|class| self.sense.ties.measures(class).any(|own| own == relation))
    }

    /// What is counted of a subject: 流经省份, 接壤的省份, 河流.
    pub(super) fn counted(&self, base: &Set, start: usize, end: usize) -> Vec<(Step, Set, u32)> {
        let mut found = Vec::new();
        if let Some(word) = self.words.get(start).filter(|_| end > start + 1) {
            let things = if self.is(start + 1, Operator::Of) { start + 2 } else { start + 1 };
            for verb in word.verbs.iter().filter(|verb| self.sense.takes(base, &verb.step)) {
                let back = self.back(&verb.step);
                let among =
                    self.noun_phrase(things, end).into_iter().filter(|item| self.sense.takes(&item.value, &back));
                found.extend(among.map(|item| (verb.step.clone(), item.value, item.cost + verb.cost)));
            }
        }
        for item in self.noun_phrase(start, end) {
            if let Some((step, cost)) = self.sense.has(base, &item.value) {
                found.push((step, item.value, item.cost + cost));
            }
        }
        found
    }

    /// 流经奥斯马克, 与奥斯马克接壤, 阿尔达河流经, 2000年以前成立, 成立于2000年
    fn doing(&self, base: &Set, start: usize, end: usize) -> Items<Behind> {
        let mut found = Vec::new();
        for at in start..end {
            for verb in self.words.get(at).into_iter().flat_map(|word| &word.verbs) {
                match () {
                    () if at == start => {
                        found.extend(self.timed(base, verb, at + 1, end));
                        found.extend(self.objects(base, &verb.step, verb.cost, at + 1, end));
                    }
                    // 与…接壤, 和…接壤
                    () if at + 1 == end && self.is(start, Operator::And) => {
                        found.extend(self.objects(base, &verb.step, verb.cost, start + 1, at));
                    }
                    () if at + 1 == end => {
                        found.extend(self.timed(base, verb, start, at));
                        found.extend(self.subjects(base, verb, start, at));
                    }
                    () => {}
                }
            }
        }
        found
    }

    fn objects(&self, base: &Set, step: &Step, cost: u32, start: usize, end: usize) -> Items<Behind> {
        if !self.sense.takes(base, step) {
            return Vec::new();
        }
        let back = self.back(step);
        let fitting = |start, end| {
            let items = self.noun_phrase(start, end).into_iter().filter(|item| self.sense.takes(&item.value, &back));
            items.map(|item| item.with(item.value.clone().image(back.clone()))).collect::<Items<Set>>()
        };
        let mut found: Items<Behind> = fitting(start, end)
            .into_iter()
            .map(|item| Item::new(Behind::In(item.value), end, item.cost + cost))
            .collect();
        // A和B: both of them.
        for cut in (start + 1..end).filter(|cut| self.is(*cut, Operator::And)) {
            for one in fitting(start, cut) {
                for other in fitting(cut + 1, end) {
                    found.push(Item::new(
                        Behind::In(one.value.clone().and(other.value.clone())),
                        end,
                        one.cost + other.cost + cost,
                    ));
                }
            }
        }
        // 至少三个省份
        let (order, at) = self.order(start);
        if let Some(number) = self.words.get(at).and_then(|word| word.number.clone()) {
            for item in self.noun_phrase(at + 1, end).into_iter().filter(|item| self.sense.takes(&item.value, &back)) {
                let measure = Measure::Count { step: step.clone(), among: Box::new(item.value.clone()) };
                let test = Test { order, than: Than::Amount(number.clone()) };
                found.push(Item::new(Behind::Where(measure, test), end, item.cost + cost));
            }
        }
        found
    }

    fn subjects(&self, base: &Set, verb: &Verb, start: usize, end: usize) -> Items<Behind> {
        if !self.sense.takes(base, &self.back(&verb.step)) {
            return Vec::new();
        }
        let who = self.noun_phrase(start, end).into_iter().filter(|who| self.sense.takes(&who.value, &verb.step));
        who.map(|who| Item::new(Behind::In(who.value.clone().image(verb.step.clone())), end + 1, who.cost + verb.cost))
            .collect()
    }

    fn timed(&self, base: &Set, verb: &Verb, start: usize, end: usize) -> Option<Item<Behind>> {
        let start = if self.is(start, Operator::In) { start + 1 } else { start };
        let year = self.words.get(start)?.year.clone()?;
        let order = match end - start {
            1 => Order::Equal,
            2 if self.is(start + 1, Operator::Before) => Order::Less,
            2 if self.is(start + 1, Operator::After) => Order::More,
            _ => return None,
        };
        let test = Test { order, than: Than::Time(year) };
        self.measures(base, &verb.step.relation)
            .then(|| Item::new(Behind::Where(Measure::Value(verb.step.relation.clone()), test), end, verb.cost))
    }

    fn order(&self, at: usize) -> (Order, usize) {
        match self.words.get(at).and_then(|word| word.operator) {
            Some(Operator::Compare(order)) => (order, at + 1),
            _ => (Order::Equal, at),
        }
    }

    /// 人口超过50万, 比布林河长, 人口比韦斯马克多
    fn compared(&self, base: &Set, start: usize, end: usize) -> Items<Behind> {
        let mut found = Vec::new();
        let Some(last) = end.checked_sub(1).and_then(|last| self.words.get(last)) else { return found };
        let test = |relation: &Iri, order, than| Behind::Where(Measure::Value(relation.clone()), Test { order, than });
        if let Some(noun) = self.words.get(start) {
            let names = noun.nouns.iter().filter(|name| self.measures(base, &name.relation));
            for name in names {
                let (order, at) = self.order(start + 1);
                if at == start + 2
                    && at + 1 == end
                    && let Some(number) = self.words.get(at).and_then(|word| self.amount(&word.number, &name.relation))
                {
                    found.push(Item::new(test(&name.relation, order, Than::Amount(number)), end, name.cost));
                }
                if self.is(start + 1, Operator::Than)
                    && let Some(adjective) = last.adjective.filter(|adjective| adjective.general)
                {
                    let order = if adjective.end == End::Most { Order::More } else { Order::Less };
                    for than in self.noun_phrase(start + 2, self.before_more(end)) {
                        found.push(Item::new(
                            test(&name.relation, order, Than::Of(Box::new(than.value.clone()))),
                            end,
                            than.cost + name.cost,
                        ));
                    }
                }
            }
        }
        if self.is(start, Operator::Than)
            && let Some(adjective) = last.adjective
            && let Some((relation, cost)) = self.sense.by(base, &adjective)
        {
            let order = if adjective.end == End::Most { Order::More } else { Order::Less };
            for than in self.noun_phrase(start + 1, self.before_more(end)) {
                found.push(Item::new(
                    test(&relation, order, Than::Of(Box::new(than.value.clone()))),
                    end,
                    than.cost + cost,
                ));
            }
        }
        found
    }

    fn before_more(&self, end: usize) -> usize {
        if self.is(end.saturating_sub(2), Operator::More) { end - 2 } else { end - 1 }
    }

    /// An amount that fits the unit of a relation.
    fn amount(&self, number: &Option<Number>, relation: &Iri) -> Option<Number> {
        let number = number.clone()?;
        let own = self.sense.ties.unit(relation);
        (number.unit.is_none() || number.unit.as_deref() == own).then_some(number)
    }
}
