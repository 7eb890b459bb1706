//! Predicates: "borders Texas", "does not run through Ohio", "has the largest population", "are longer than 500 km".

use super::{English, noun::How};
use crate::question::{
    operation::{
        behind::Behind,
        called::{Name, Verb},
        lexicon::{self, Degree},
        query::{End, Measure, Order, Set, Test, Than},
        reading::{Item, Items},
    },
    path::{self, Step},
};
use factmask_schema::Iri;

/// Particles of verbs.
const PARTICLES: &[&str] =
    &["through", "over", "across", "into", "in", "from", "to", "on", "at", "with", "for", "of", "by"];
/// Auxiliaries before a verb.
const AUXILIARIES: &[&str] = &["do", "does", "did", "is", "are", "was", "were", "has", "have", "had"];
const BE: &[&str] = &["is", "are", "was", "were", "be"];
const HAVE: &[&str] = &["has", "have", "had", "having", "contains", "contain", "containing"];
/// How the most of something is said before a noun.
const MOST: &[&str] = &[
    "the highest number of",
    "the largest number of",
    "the greatest number of",
    "the most number of",
    "the most",
    "most",
];
const FEWEST: &[&str] = &[
    "the lowest number of",
    "the smallest number of",
    "the least number of",
    "the fewest number of",
    "the fewest",
    "fewest",
    "the least",
    "least",
];

impl English<'_> {
    /// What a verb phrase says of the members of a set.
    pub(super) fn predicate(&self, base: &Set, at: usize) -> Items<Behind> {
        let mut found = Vec::new();
        let negated = if self.is(at, AUXILIARIES) && self.is(at + 1, &["not"]) {
            Some(at + 2)
        } else {
            self.past_any(at, &["don t", "doesn t", "didn t", "isn t", "aren t", "never"])
        };
        if let Some(behind) = negated {
            let positive = if self.is(at, BE) { self.complement(base, behind) } else { self.doing(base, behind) };
            found.extend(positive.into_iter().filter_map(|item| Some(item.with(item.value.clone().denied()?))));
            return found;
        }
        if self.is(at, HAVE) {
            found.extend(self.having(base, at + 1));
        }
        if self.is(at, BE) {
            found.extend(self.complement(base, at + 1));
        }
        let start = if self.is(at, &["do", "does", "did", "also"]) { at + 1 } else { at };
        found.extend(self.doing(base, start));
        found
    }

    /// What stands behind "is".
    pub(super) fn complement(&self, base: &Set, at: usize) -> Items<Behind> {
        let at = if self.is(at, &["also"]) { at + 1 } else { at };
        let mut found = self.participle(base, at);
        found.extend(self.called(base, at));
        if self.is(at, &["in", "on", "within", "inside", "from", "of"]) {
            for item in self.noun_phrase(at + 1) {
                for (set, cost) in self.sense.tied(base, &item.value, true) {
                    found.push(Item::new(Behind::In(set), item.end, item.cost + cost));
                }
            }
        }
        found.extend(self.than(base, at));
        // "Is the longest", "is the largest in Texas" is a noun phrase.
        let start = if self.is(at, &["the"]) { at + 1 } else { at };
        if let Some((adjective, end, behind)) = self.superlative(start)
            && let Some((relation, cost)) = self.sense.by(base, &adjective)
        {
            found.push(Item::new(Behind::Extreme(Measure::Value(relation), end), behind, cost));
        }
        // "Is the largest in population".
        if let Some((adjective, end, behind)) = self.superlative(start) {
            for (name, stop) in self.by_measure(base, behind).into_iter().filter(|_| adjective.general) {
                found.push(Item::new(Behind::Extreme(Measure::Value(name.relation), end), stop, name.cost));
            }
        }
        for item in self.noun_phrase(at) {
            if self.sense.meet(base, &item.value) {
                found.push(item.with(Behind::In(item.value.clone())));
            }
        }
        found
    }

    /// "Longer than the Rhine", "larger than 500 km²", "more populous than Ohio".
    pub(super) fn than(&self, base: &Set, at: usize) -> Items<Behind> {
        let adjective = |at: usize| lexicon::english_adjective(self.text(at));
        let (found, order) = match (adjective(at), self.text(at)) {
            (Some((found, Degree::Comparative)), _) => (Some((found, at + 1)), Order::More),
            (_, "more") => (adjective(at + 1).map(|(found, _)| (found, at + 2)), Order::More),
            (_, "less") => (adjective(at + 1).map(|(found, _)| (found, at + 2)), Order::Less),
            _ => (None, Order::More),
        };
        let Some((adjective, behind)) = found.filter(|(_, behind)| self.is(*behind, &["than"])) else {
            return Vec::new();
        };
        let Some((relation, cost)) = self.sense.by(base, &adjective) else { return Vec::new() };
        let order = if adjective.end == End::Most { order } else { order.opposite() };
        let compared = self.compared(&relation, order, behind + 1).into_iter();
        compared.map(|item| Item { cost: item.cost + cost, ..item }).collect()
    }

    /// "Bordering Texas", "traversed by the Mississippi", "located in Ohio", "adjacent to Ohio".
    pub(super) fn participle(&self, base: &Set, at: usize) -> Items<Behind> {
        let (text, mut placed) = (self.text(at), Vec::new());
        // "Located in", "found in" says where, as "in" does.
        if self.is(at, &["located", "found", "situated", "lying"]) && self.is(at + 1, &["in", "within", "on", "inside"])
        {
            for item in self.noun_phrase(at + 2) {
                let tied = self.sense.tied(base, &item.value, true).into_iter();
                placed.extend(tied.map(|(set, cost)| Item::new(Behind::In(set), item.end, item.cost + cost)));
            }
        }
        if text.ends_with("ing") {
            return self.doing(base, at);
        }
        let mut found = placed;
        for (behind, verb) in self.verbs_at(at) {
            if self.is(behind, &["by"]) {
                // Whoever does it stands behind "by".
                found.extend(self.objects(base, &self.back(&verb.step), behind + 1, verb.cost));
            } else if text.ends_with("ed")
                || self.tokens.get(at).is_some_and(|token| token.lemma != text)
                || behind > at + 1
            {
                found.extend(self.objects(base, &verb.step, self.past_particle(behind), verb.cost));
                found.extend(self.timed(&verb, behind));
            }
        }
        found
    }

    /// A verb in the active voice with its object.
    fn doing(&self, base: &Set, at: usize) -> Items<Behind> {
        let mut found = Vec::new();
        for (behind, verb) in self.verbs_at(at) {
            found.extend(self.objects(base, &verb.step, behind, verb.cost));
            let past = self.past_particle(behind);
            if past > behind {
                found.extend(self.objects(base, &verb.step, past, verb.cost));
            }
        }
        found
    }

    /// What the noun phrase before it is the object of: "(states that) the Mississippi runs through", "(states through which) it runs".
    pub(super) fn done_to(&self, base: &Set, at: usize, particle: Option<usize>) -> Items<Behind> {
        let mut found = Vec::new();
        let start = if self.is(at, &["do", "does", "did"]) { at + 1 } else { at };
        for who in self.noun_phrase(start) {
            for (behind, verb) in self.verbs_with(who.end, particle) {
                found.extend(
                    self.landing(base, &who, &verb).map(|set| Item::new(Behind::In(set), behind, who.cost + verb.cost)),
                );
            }
            // "Texas has": what it has.
            if self.is(who.end, &["have", "has", "had"]) {
                let direct = self.sense.has(&who.value, base).map(|(step, cost)| (who.value.clone().image(step), cost));
                let had = if direct.is_some() { Vec::new() } else { self.sense.tied(base, &who.value, true) };
                found.extend(
                    direct
                        .into_iter()
                        .chain(had)
                        .map(|(set, cost)| Item::new(Behind::In(set), who.end + 1, who.cost + cost)),
                );
            }
        }
        found
    }

    fn landing(&self, base: &Set, who: &Item<Set>, verb: &Verb) -> Option<Set> {
        let back = self.back(&verb.step);
        let fits = self.sense.takes(&who.value, &verb.step) && self.sense.takes(base, &back);
        fits.then(|| who.value.clone().image(verb.step.clone()))
    }

    /// Verbs that begin here, with their particle where they have one of their own.
    pub(super) fn verbs_at(&self, at: usize) -> Vec<(usize, Verb)> {
        self.verbs_with(at, None)
    }

    /// The same where the particle was said before: "through which it runs".
    fn verbs_with(&self, at: usize, particle: Option<usize>) -> Vec<(usize, Verb)> {
        let verbs = &self.sense.called.verbs;
        let mut found: Vec<(usize, Verb)> = Vec::new();
        let mut add = |end: usize, phrase: &str| {
            found.extend(verbs.get(phrase).into_iter().flatten().map(|verb| (end, verb.clone())));
        };
        for (end, phrase) in self.phrases(at, 3) {
            add(end, &phrase);
            if let Some(particle) = particle {
                add(end, &format!("{phrase} {}", self.phrase(particle, particle + 1)));
                // "Through which it runs through".
                if end == at + 2 && self.text(end - 1) == self.text(particle) {
                    add(end, &phrase);
                }
            }
        }
        found
    }

    fn past_particle(&self, at: usize) -> usize {
        if self.is(at, PARTICLES) && !self.is(at, &["by"]) { at + 1 } else { at }
    }

    fn back(&self, step: &Step) -> Step {
        path::back(self.sense.snapshot.schema(), step)
    }

    /// What stands as the object of a hop: a noun phrase, none of something, the most of something, a number of something.
    pub(super) fn objects(&self, base: &Set, step: &Step, at: usize, cost: u32) -> Items<Behind> {
        let mut found = Vec::new();
        if !self.sense.takes(base, step) {
            return found;
        }
        let back = self.back(step);
        let counted = |set: &Set| Measure::Count { step: step.clone(), among: Box::new(set.clone()) };
        let fits = |set: &Set| self.sense.takes(set, &back);
        for (words, end) in [(MOST, End::Most), (FEWEST, End::Least)] {
            if let Some(behind) = self.past_any(at, words) {
                let things = self.nominal(behind, How::Several).into_iter().filter(|item| fits(&item.value));
                found.extend(
                    things
                        .map(|item| Item::new(Behind::Extreme(counted(&item.value), end), item.end, item.cost + cost)),
                );
            }
        }
        if self.is(at, &["no", "not"]) {
            let start = self.past_any(at + 1, &["any other", "any", "other"]).unwrap_or(at + 1);
            let things = self.nominal(start, How::Several).into_iter().filter(|item| fits(&item.value));
            found.extend(things.map(|item| {
                Item::new(Behind::Out(item.value.clone().image(back.clone())), item.end, item.cost + cost)
            }));
        }
        if let Some((order, number, behind)) = self.quantity(at) {
            let start = if self.is(behind, &["other"]) { behind + 1 } else { behind };
            let things = self.nominal(start, How::Several).into_iter().filter(|item| fits(&item.value));
            found.extend(things.map(|item| {
                let test = Test { order, than: Than::Amount(number.clone()) };
                Item::new(Behind::Where(counted(&item.value), test), item.end, item.cost + cost)
            }));
        }
        for item in self.noun_phrase(at).into_iter().filter(|item| fits(&item.value)) {
            let mut set = item.value.clone().image(back.clone());
            let mut end = item.end;
            // "Texas and Ohio": both of them.
            while self.is(end, &["and", "both"]) {
                let Some(more) = self.names_at(end + 1).into_iter().find(|more| fits(&more.value)) else { break };
                set = set.and(more.value.image(back.clone()));
                end = more.end;
            }
            found.push(Item::new(Behind::In(item.value.clone().image(back.clone())), item.end, item.cost + cost));
            if end > item.end {
                found.push(Item::new(Behind::In(set), end, item.cost + cost));
            }
        }
        found
    }

    /// "Founded before 1990", "built in 1889".
    fn timed(&self, verb: &Verb, at: usize) -> Items<Behind> {
        let orders: &[(&str, Order)] =
            &[("before", Order::Less), ("after", Order::More), ("since", Order::AtLeast), ("in", Order::Equal)];
        let order = orders.iter().find(|(word, _)| self.is(at, &[word]));
        let (Some((_, order)), Some(year)) = (order, self.year(at + 1)) else { return Vec::new() };
        let test = Test { order: *order, than: Than::Time(year) };
        vec![Item::new(Behind::Where(Measure::Value(verb.step.relation.clone()), test), at + 2, verb.cost)]
    }

    /// What stands behind "has" or "with".
    pub(super) fn having(&self, base: &Set, at: usize) -> Items<Behind> {
        let mut found = Vec::new();
        let start = if self.is(at, &["the", "a", "an"]) { at + 1 } else { at };
        // "The largest population", "the most inhabitants".
        let superlative = self.superlative(start).map(|(adjective, end, behind)| (adjective.general, end, behind));
        let quantified = [(MOST, End::Most), (FEWEST, End::Least)]
            .into_iter()
            .find_map(|(words, end)| Some((true, end, self.past_any(at, words)?)));
        for (general, end, behind) in superlative.into_iter().chain(quantified) {
            for (stop, phrase) in self.phrases(behind, 4).filter(|_| general) {
                for name in self.sense.measures(base, &phrase) {
                    found.push(Item::new(Behind::Extreme(Measure::Value(name.relation), end), stop, name.cost));
                }
            }
        }
        // "A population of more than 5 million", "the capital Austin".
        for (end, names) in self.relations_at(start) {
            for name in &names {
                found.extend(self.measured(base, name, end));
                let step = Step { relation: name.relation.clone(), forward: true };
                let behind = if self.is(end, &["of", "named", "called"]) { end + 1 } else { end };
                if self.sense.takes(base, &step) {
                    let back = self.back(&step);
                    let named = self.names_at(behind).into_iter().filter(|item| self.sense.takes(&item.value, &back));
                    found.extend(named.map(|item| {
                        Item::new(Behind::In(item.value.clone().image(back.clone())), item.end, item.cost + name.cost)
                    }));
                }
            }
        }
        // "More than 5 million inhabitants".
        if let Some((order, number, behind)) = self.quantity(at) {
            for (stop, phrase) in self.phrases(behind, 4) {
                for name in self.sense.measures(base, &phrase) {
                    let test = Test { order, than: Than::Amount(number.clone()) };
                    found.push(Item::new(Behind::Where(Measure::Value(name.relation), test), stop, name.cost));
                }
            }
        }
        // What they have: by the hop that ties it to them.
        let mut steps: Vec<(Step, u32)> = Vec::new();
        for skip in [at, start] {
            for phrase in self.had(skip) {
                if let Some((step, cost)) = self.sense.has(base, &phrase)
                    && !steps.iter().any(|(known, _)| *known == step)
                {
                    steps.push((step, cost));
                }
            }
        }
        for (step, cost) in steps {
            found.extend(self.objects(base, &step, at, cost));
        }
        // "No bordering states".
        let quantity =
            self.past_any(at, &["no", "any"]).or_else(|| self.past_any(at, MOST)).or_else(|| self.past_any(at, FEWEST));
        let doing = quantity.unwrap_or(at);
        if self.text(doing).ends_with("ing") {
            for (behind, verb) in self.verbs_at(doing) {
                for item in self
                    .nominal(behind, How::Several)
                    .into_iter()
                    .filter(|item| self.sense.takes(&item.value, &verb.step))
                {
                    let step = self.back(&verb.step);
                    let counted = Measure::Count { step: step.clone(), among: Box::new(item.value.clone()) };
                    let said = match () {
                        () if self.is(at, &["no"]) => Behind::Out(item.value.clone().image(verb.step.clone())),
                        () if self.past_any(at, MOST).is_some() => Behind::Extreme(counted, End::Most),
                        () if self.past_any(at, FEWEST).is_some() => Behind::Extreme(counted, End::Least),
                        () => Behind::In(item.value.clone().image(verb.step.clone())),
                    };
                    found.push(Item::new(said, item.end, item.cost + verb.cost));
                }
            }
        }
        // "Rivers running through it" says once more how they are had.
        for item in &mut found {
            item.end = self.past_echo(item.end);
        }
        found
    }

    /// The things that could be had: whatever noun stands behind the words of quantity.
    fn had(&self, at: usize) -> Vec<Set> {
        let start = self.past_any(at, MOST).or_else(|| self.past_any(at, FEWEST));
        let start = start.or_else(|| self.quantity(at).map(|(_, _, behind)| behind));
        let start = start.or_else(|| self.past_any(at, &["no other", "no", "any"])).unwrap_or(at);
        self.noun_phrase(start).into_iter().map(|item| item.value).collect()
    }

    fn past_echo(&self, at: usize) -> usize {
        let verbs = self.verbs_at(at);
        let end = verbs.iter().map(|(end, _)| self.past_particle(*end)).max().unwrap_or(at);
        match () {
            () if end > at && self.is(end, &["it", "them"]) => end + 1,
            () if self.is(at, &["in"]) && self.is(at + 1, &["it", "them"]) => at + 2,
            () => at,
        }
    }

    /// A measure of the base that is compared: "(population) of more than 5 million", "(population) greater than that of Ohio".
    pub(super) fn measured(&self, base: &Set, name: &Name, at: usize) -> Items<Behind> {
        let classes = self.sense.classes(base);
        if !classes.iter().any(|class| self.sense.ties.measures(class).any(|own| *own == name.relation)) {
            return Vec::new();
        }
        let start = if self.is(at, &["of"]) { at + 1 } else { at };
        let mut found = Vec::new();
        if let Some((order, behind)) = self.order(start) {
            found.extend(self.compared(&name.relation, order, behind));
        } else if start > at || self.is(at - 1, &["is", "was"]) {
            found.extend(self.compared(&name.relation, Order::Equal, start));
        }
        found.into_iter().map(|item| Item { cost: item.cost + name.cost, ..item }).collect()
    }

    /// What a measure is compared with: an amount, a year, or the same measure of something named.
    fn compared(&self, relation: &Iri, order: Order, at: usize) -> Items<Behind> {
        let test = |than| Behind::Where(Measure::Value(relation.clone()), Test { order, than });
        let mut found = Vec::new();
        if let Some((number, end)) = self.amount(at, relation) {
            found.push(Item::new(test(Than::Amount(number)), end, 0));
        } else {
            let start = self.past_any(at, &["that of", "the one of"]).unwrap_or(at);
            let step = Step { relation: relation.clone(), forward: true };
            for item in self.noun_phrase(start).into_iter().filter(|item| self.sense.takes(&item.value, &step)) {
                found.push(Item::new(test(Than::Of(Box::new(item.value.clone()))), item.end, item.cost));
            }
        }
        found
    }
}
