//! Whole questions: which, how many, how large, where, how much together.

use super::English;
use crate::question::{
    operation::{
        behind::Behind,
        lexicon::{self, Degree},
        query::{Figure, Query, Set},
        reading::{Item, Items},
    },
    path::{self, Step},
};
use factmask_schema::Iri;

/// What may stand before a question and says nothing.
const OPENINGS: &[&str] = &[
    "can you tell me",
    "could you tell me",
    "please tell me",
    "tell me",
    "please list",
    "please show me",
    "please give me",
    "show me",
    "give me",
    "please name",
    "list",
    "name",
    "show",
    "find",
    "give",
    "please",
    "return",
];
const WHICH: &[&str] = &["what", "which", "who", "whom"];
const BE: &[&str] = &["is", "are", "was", "were", "s"];

impl English<'_> {
    /// All readings of the whole question.
    pub(super) fn question(&self) -> Items<Query> {
        let start = self.past_any(0, OPENINGS).unwrap_or(0);
        let start = self.past_any(start, &["the names of", "the name of", "names of"]).unwrap_or(start);
        let mut found = Vec::new();
        // "Rivers in New York", "list the states".
        if !self.is(start, WHICH) && !self.is(start, &["how", "in", "through", "of"]) {
            found.extend(self.noun_phrase(start).into_iter().map(|item| item.with(Query::List(item.value.clone()))));
        }
        found.extend(self.which(start));
        found.extend(self.how_many(start));
        found.extend(self.how_much(start));
        found.extend(self.how_large(start));
        found.extend(self.figure(start));
        found.extend(self.whether(start));
        found.extend(self.choice(start));
        found.extend(self.whereabouts(start));
        self.tidy(found)
    }

    /// "Which states border Texas", "what is the longest river", "which states does the Ohio run through", "in which state is Reno".
    fn which(&self, at: usize) -> Items<Query> {
        let list = |item: &Item<Set>| item.with(Query::List(item.value.clone()));
        let mut found = Vec::new();
        let particle = self.is(at, &["in", "through", "of", "on", "from", "at"]);
        let start = if particle { at + 1 } else { at };
        if self.is(start, WHICH) {
            let mut behind = start + 1;
            if self.is(behind, BE) && !particle {
                let behind = self.past_any(behind + 1, &["the names of", "the name of"]).unwrap_or(behind + 1);
                // "What is the longest river", also "what is Texas's capital".
                found.extend(self.noun_phrase(behind).iter().map(list));
            }
            if self.is(behind, &["of"]) {
                behind += 1;
            }
            for base in self.bases(behind) {
                found.extend(self.of_base(&base, particle.then_some(at)));
            }
        }
        // "Of the rivers in Ohio, which is the longest".
        if self.is(at, &["of", "among"]) {
            for base in self.noun_phrase(at + 1).into_iter().filter(|base| self.is(base.end, WHICH)) {
                let end = if self.is(base.end + 1, &["one", "ones"]) { base.end + 2 } else { base.end + 1 };
                found.extend(self.of_base(&Item { end, ..base }, None));
            }
        }
        // "Sacramento is the capital of which state".
        for owned in self.noun_phrase(at).into_iter().filter(|owned| self.is(owned.end, &["is", "was"])) {
            found.extend(self.reversed(&owned, owned.end + 1));
        }
        found
    }

    /// A noun that a question asks for, before its verb.
    fn bases(&self, at: usize) -> Items<Set> {
        self.noun_phrase(at)
    }

    /// What is said of the noun that is asked for.
    fn of_base(&self, base: &Item<Set>, particle: Option<usize>) -> Items<Query> {
        let mut found = Vec::new();
        for item in self.said_of(base, particle) {
            found.push(item.with(Query::List(item.value.clone())));
        }
        found
    }

    fn said_of(&self, base: &Item<Set>, particle: Option<usize>) -> Items<Set> {
        let (set, at) = (&base.value, base.end);
        let mut all: Items<Behind> = self.predicate(set, at);
        // "Does the Ohio run through", "do they border": the noun is the object.
        if self.is(at, &["do", "does", "did"]) {
            all.extend(self.done_to(set, at, particle));
        }
        if self.is(at, BE) {
            all.extend(self.copula(set, at + 1, particle));
        }
        // "Which state's capital is Dover".
        all.extend(self.whose(set, if self.is(at, &["'s", "’s"]) { at + 1 } else { at }));
        let mut found = Vec::new();
        for one in all {
            found.push(Item::new(
                Behind::all(set.clone(), std::slice::from_ref(&one.value)),
                one.end,
                base.cost + one.cost,
            ));
            // "Border Texas and have a river", "have the smallest area that border Texas".
            if self.is(one.end, &["and", "that"]) {
                for other in self.predicate(set, one.end + 1) {
                    let said = [one.value.clone(), other.value];
                    found.push(Item::new(
                        Behind::all(set.clone(), &said),
                        other.end,
                        base.cost + one.cost + other.cost,
                    ));
                }
            }
        }
        found
    }

    /// Behind "which states are": "there in Texas", and with another subject: "(which state is) Reno in", "Austin the capital of".
    fn copula(&self, base: &Set, at: usize, particle: Option<usize>) -> Items<Behind> {
        let mut found = Vec::new();
        let there = if self.is(at, &["there"]) { at + 1 } else { at };
        if there > at {
            found.extend(self.complement(base, there));
            found.extend(self.participle(base, there));
        }
        for who in self.noun_phrase(at) {
            let end = who.end;
            let located = if self.is(end, &["located", "situated"]) { end + 1 } else { end };
            let last =
                if particle.is_some() { Some(located) } else { self.is(located, &["in", "on"]).then_some(located + 1) };
            if let Some(last) = last {
                for (step, cost) in self.sense.lies_in(&who.value, base) {
                    found.push(Item::new(Behind::In(who.value.clone().image(step)), last, who.cost + cost));
                }
            }
            // "Austin the capital of".
            let noun = if self.is(end, &["the", "a", "an"]) { end + 1 } else { end };
            for (stop, names) in self.relations_at(noun).into_iter().filter(|(stop, _)| self.is(*stop, &["of"])) {
                for name in names {
                    let step =
                        path::back(self.sense.snapshot.schema(), &Step { relation: name.relation, forward: true });
                    if self.sense.takes(&who.value, &step) {
                        found.push(Item::new(
                            Behind::In(who.value.clone().image(step)),
                            stop + 1,
                            who.cost + name.cost,
                        ));
                    }
                }
            }
        }
        found
    }

    /// "(Sacramento is) the capital of which state".
    fn reversed(&self, who: &Item<Set>, at: usize) -> Items<Query> {
        let noun = if self.is(at, &["the", "a", "an"]) { at + 1 } else { at };
        let mut found = Vec::new();
        for (stop, names) in
            self.relations_at(noun).into_iter().filter(|(stop, _)| self.is(*stop, &["of"]) && self.is(stop + 1, WHICH))
        {
            let classes = self
                .classes_at(stop + 2)
                .into_iter()
                .flat_map(|(end, classes)| classes.into_iter().map(move |class| (end, Some(class))));
            for (end, class) in classes.chain([(stop + 2, None)]) {
                for name in &names {
                    let step = Step { relation: name.relation.clone(), forward: true };
                    let step = path::back(self.sense.snapshot.schema(), &step);
                    if self.sense.takes(&who.value, &step) {
                        let found_in = who.value.clone().image(step);
                        let set = class.clone().map_or(found_in.clone(), |class| Set::Class(class).and(found_in));
                        found.push(Item::new(Query::List(set), end, who.cost + name.cost));
                    }
                }
            }
        }
        found
    }

    /// "How many rivers run through Texas", "how many people live in Austin".
    fn how_many(&self, at: usize) -> Items<Query> {
        let Some(start) =
            self.past_any(at, &["how many", "what is the number of", "what is the total number of", "the number of"])
        else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let number_of = !self.is(start - 1, &["many"]);
        for base in self.noun_phrase(start) {
            let count = |item: &Item<Set>| item.with(Query::Count(item.value.clone()));
            // "How many rivers are there (in Texas)".
            let there = self.past_any(base.end, &["are there", "there are", "exist", "do you know"]);
            for end in there.into_iter().chain(number_of.then_some(base.end)) {
                found.push(Item::new(Query::Count(base.value.clone()), end, base.cost));
            }
            found.extend(self.said_of(&base, None).iter().map(count));
            // "How many cities does Texas have".
            if self.is(base.end, &["do", "does", "did"]) {
                found.extend(self.done_to(&base.value, base.end, None).into_iter().map(|item| {
                    let set = Behind::all(base.value.clone(), &[item.value]);
                    Item::new(Query::Count(set), item.end, item.cost + base.cost)
                }));
            }
        }
        found.extend(self.measured_in_words(start));
        found
    }

    /// "How much population does Texas have".
    fn how_much(&self, at: usize) -> Items<Query> {
        self.past(at, "how much").map(|start| self.measured_in_words(start)).unwrap_or_default()
    }

    /// "(How many) people live in Austin", "inhabitants does Austin have".
    fn measured_in_words(&self, at: usize) -> Items<Query> {
        let mut found = Vec::new();
        for (end, names) in self.relations_at(at) {
            let subjects: Items<Set> = if let Some(behind) = self.past_any(
                end,
                &[
                    "live in",
                    "are living in",
                    "reside in",
                    "stay in",
                    "are there in",
                    "are in",
                    "lived in",
                    "is in",
                    "in",
                ],
            ) {
                self.noun_phrase(behind)
            } else if self.is(end, &["does", "do", "did"]) {
                let who = self.noun_phrase(end + 1).into_iter();
                who.filter(|who| self.is(who.end, &["have"])).map(|who| Item { end: who.end + 1, ..who }).collect()
            } else {
                Vec::new()
            };
            for (name, who) in names.iter().flat_map(|name| subjects.iter().map(move |who| (name, who))) {
                found.extend(self.value_of(&name.relation, who, name.cost));
            }
        }
        found
    }

    /// The numbers that a relation gives to a set.
    fn value_of(&self, relation: &Iri, who: &Item<Set>, cost: u32) -> Option<Item<Query>> {
        let step = Step { relation: relation.clone(), forward: true };
        let measures = self
            .sense
            .classes(&who.value)
            .iter()
            .any(|class| self.sense.ties.measures(class).any(|own| own == relation));
        (measures && self.sense.takes(&who.value, &step))
            .then(|| Item::new(Query::List(who.value.clone().image(step)), who.end, who.cost + cost))
    }

    /// "How long is the Rhine".
    fn how_large(&self, at: usize) -> Items<Query> {
        if !self.is(at, &["how"]) || !self.is(at + 2, BE) {
            return Vec::new();
        }
        let Some((adjective, Degree::Plain)) = lexicon::english_adjective(self.text(at + 1)) else { return Vec::new() };
        let mut found = Vec::new();
        for who in self.noun_phrase(at + 3) {
            if let Some((relation, cost)) = self.sense.by(&who.value, &adjective) {
                found.extend(self.value_of(&relation, &who, cost));
            }
        }
        found
    }

    /// "Where is Reno": what it lies in.
    fn whereabouts(&self, at: usize) -> Items<Query> {
        let mut found = Vec::new();
        if !self.is(at, &["where"]) || !self.is(at + 1, BE) {
            return found;
        }
        for who in self.noun_phrase(at + 2) {
            let end = if self.is(who.end, &["located", "situated"]) { who.end + 1 } else { who.end };
            let place = self.sense.whereabouts(&who.value).map(|step| Query::List(who.value.clone().image(step)));
            found.extend(place.map(|query| Item::new(query, end, who.cost)));
        }
        found
    }

    /// "What is the total population of the states that border Texas".
    fn figure(&self, at: usize) -> Items<Query> {
        const FIGURES: &[(&str, Figure)] = &[
            ("total", Figure::Sum),
            ("combined", Figure::Sum),
            ("sum of the", Figure::Sum),
            ("average", Figure::Mean),
            ("mean", Figure::Mean),
        ];
        let start = self.past_any(at, &["what is the", "what is", "what are the", "what was the", "the"]).unwrap_or(at);
        let mut found = Vec::new();
        for (words, figure) in FIGURES {
            let Some(behind) = self.past(start, words) else { continue };
            for item in self.noun_phrase(behind) {
                found.extend(self.sense.figure(item.value.clone(), *figure).map(|query| item.with(query)));
            }
            // "The total area of the USA": of what lies in it.
            for (end, names) in self.relations_at(behind).into_iter().filter(|(end, _)| self.is(*end, &["of", "in"])) {
                for (name, whole) in
                    names.iter().flat_map(|name| self.noun_phrase(end + 1).into_iter().map(move |whole| (name, whole)))
                {
                    let query = self.sense.figure_of_parts(&name.relation, &whole.value, *figure);
                    found.extend(query.map(|(query, cost)| Item::new(query, whole.end, whole.cost + name.cost + cost)));
                }
            }
        }
        // "The area of all the states combined".
        for item in self
            .noun_phrase(start)
            .into_iter()
            .filter(|item| self.is(item.end, &["combined", "together"]) || self.past(item.end, "in total").is_some())
        {
            let end = self.past(item.end, "in total").unwrap_or(item.end + 1);
            found.extend(
                self.sense.figure(item.value.clone(), Figure::Sum).map(|query| Item::new(query, end, item.cost)),
            );
        }
        found
    }
}
