//! Whole questions: 哪, 多少, 吗.

use super::{Chinese, tidy, words::Operator};
use crate::question::{
    operation::{
        behind::Behind,
        query::{Figure, Measure, Query, Set},
        reading::{Item, Items},
    },
    path::Step,
};

impl Chinese<'_> {
    /// All readings of the whole question.
    pub(super) fn question(&self) -> Items<Query> {
        let all = self.words.len();
        let end = all - usize::from(all > 0 && self.is(all - 1, Operator::Whether));
        let mut found = Vec::new();
        if end < all {
            found.extend(self.whether(0, end, None));
        } else if let Some(at) = (0..all).find(|at| self.is(*at, Operator::Whether)) {
            found.extend(self.whether(0, all, Some(at)));
        } else {
            found.extend(self.count(0, all));
            found.extend(self.which(0, all));
            found.extend(self.choice(0, all));
            found.extend(self.figure(0, all));
            found.extend(self.noun_phrase(0, all).into_iter().map(|item| item.with(Query::List(item.value.clone()))));
        }
        tidy(found)
    }

    /// The place of the only word that does this.
    fn only(&self, operator: Operator) -> Option<usize> {
        let mut places = (0..self.words.len()).filter(|at| self.is(*at, operator));
        places.next().filter(|_| places.next().is_none())
    }

    fn count(&self, start: usize, end: usize) -> Items<Query> {
        let mut found = Vec::new();
        let Some(how) = self.only(Operator::HowMany) else { return found };
        // 流经奥斯马克的河流有多少条; 河流的数量是多少
        if how + 1 == end && how > start {
            let mut last = how;
            let says =
                |at: usize| self.is(at, Operator::Has) || self.is(at, Operator::Is) || self.is(at, Operator::Number);
            let mut counted = false;
            while last > start && says(last - 1) {
                counted |= !self.is(last - 1, Operator::Is);
                last -= 1;
            }
            for item in self.noun_phrase(start, last) {
                if self.is_measure(&item.value) {
                    found.push(item.with(Query::List(item.value.clone())));
                } else if counted {
                    found.push(item.with(Query::Count(item.value.clone())));
                }
            }
            return found;
        }
        // 奥斯马克有多少条河流; 有多少条河流流经奥斯马克; 阿尔达河流经多少个省份
        for stop in how + 2..=end {
            for things in self.noun_phrase(how + 1, stop) {
                let base = &things.value;
                let before = if how > start && self.is(how - 1, Operator::Has) { how - 1 } else { how };
                let mut said: Items<Vec<Behind>> = vec![Item::new(Vec::new(), stop, 0)];
                if before > start {
                    let mut led: Items<Behind> = Vec::new();
                    let verb =
                        self.words.get(before - 1).filter(|_| before == how).into_iter().flat_map(|word| &word.verbs);
                    for verb in verb.filter(|verb| self.sense.takes(base, &self.back(&verb.step))) {
                        for who in self
                            .noun_phrase(start, before - 1)
                            .into_iter()
                            .filter(|who| self.sense.takes(&who.value, &verb.step))
                        {
                            led.push(Item::new(
                                Behind::In(who.value.clone().image(verb.step.clone())),
                                stop,
                                who.cost + verb.cost,
                            ));
                        }
                    }
                    // 奥斯马克与多少个省份接壤
                    if self.is(before - 1, Operator::And) && before == how && stop + 1 == end {
                        for verb in self.words.get(stop).into_iter().flat_map(|word| &word.verbs) {
                            for who in self
                                .noun_phrase(start, before - 1)
                                .into_iter()
                                .filter(|who| self.sense.takes(&who.value, &verb.step))
                            {
                                let set = base.clone().and(who.value.clone().image(verb.step.clone()));
                                found.push(Item::new(Query::Count(set), end, who.cost + verb.cost + things.cost));
                            }
                        }
                    }
                    for who in self.noun_phrase(start, before).into_iter().filter(|_| before < how) {
                        let tied = self.sense.tied(base, &who.value, true).into_iter();
                        led.extend(tied.map(|(set, cost)| Item::new(Behind::In(set), stop, who.cost + cost)));
                    }
                    said = led.into_iter().map(|item| item.with(vec![item.value.clone()])).collect();
                }
                for before in said {
                    if stop == end {
                        found.push(Item::new(
                            Query::Count(Behind::all(base.clone(), &before.value)),
                            end,
                            things.cost + before.cost,
                        ));
                        continue;
                    }
                    for behind in self.predicate(base, stop, end) {
                        let mut all = before.value.clone();
                        all.push(behind.value);
                        found.push(Item::new(
                            Query::Count(Behind::all(base.clone(), &all)),
                            end,
                            things.cost + before.cost + behind.cost,
                        ));
                    }
                }
            }
        }
        found
    }

    /// Whether a set holds numbers or dates.
    fn is_measure(&self, set: &Set) -> bool {
        matches!(set, Set::Image { of, step } if step.forward && self.measures(of, &step.relation))
    }

    fn which(&self, start: usize, end: usize) -> Items<Query> {
        let mut found = Vec::new();
        let Some(which) = self.only(Operator::Which) else { return found };
        let list = |item: &Item<Set>| item.with(Query::List(item.value.clone()));
        // 最长的河流是哪条; 流经奥斯马克的河流有哪些; 奥斯马克的河流中最长的是哪条
        if which > start {
            let mut last = which;
            while last > start && (self.is(last - 1, Operator::Is) || self.is(last - 1, Operator::Has)) {
                last -= 1;
            }
            if last < which && which + 1 == end {
                found.extend(self.noun_phrase(start, last).iter().map(list));
                found.extend(self.picked(start, last));
            }
            for stop in which + 2..=end {
                for things in self.noun_phrase(which + 1, stop).into_iter().filter(|_| stop == end) {
                    // 最长的河流是哪条河流; 奥斯马克有哪些河流
                    for who in self.noun_phrase(start, last).into_iter().filter(|_| last < which) {
                        if self.is(which - 1, Operator::Is) && self.sense.meet(&who.value, &things.value) {
                            found.push(Item::new(Query::List(who.value.clone()), end, who.cost + things.cost));
                        }
                        if self.is(which - 1, Operator::Has) {
                            for (set, cost) in self.sense.tied(&things.value, &who.value, true) {
                                found.push(Item::new(
                                    Query::List(things.value.clone().and(set)),
                                    end,
                                    who.cost + things.cost + cost,
                                ));
                            }
                        }
                    }
                    // 阿尔达河流经哪些省份; 林道是哪个省份的首府 is a path
                    let verbs = self.words.get(which - 1).into_iter().flat_map(|word| &word.verbs);
                    for verb in verbs.filter(|verb| self.sense.takes(&things.value, &self.back(&verb.step))) {
                        for who in self
                            .noun_phrase(start, which - 1)
                            .into_iter()
                            .filter(|who| self.sense.takes(&who.value, &verb.step))
                        {
                            let set = things.value.clone().and(who.value.clone().image(verb.step.clone()));
                            found.push(Item::new(Query::List(set), end, who.cost + verb.cost + things.cost));
                        }
                    }
                }
            }
            // 奥斯马克与哪些省份接壤
            if self.is(which - 1, Operator::And)
                && let Some(word) = self.words.get(end - 1)
            {
                for things in self.noun_phrase(which + 1, end - 1) {
                    for verb in word.verbs.iter().filter(|verb| self.sense.takes(&things.value, &self.back(&verb.step)))
                    {
                        for who in self
                            .noun_phrase(start, which - 1)
                            .into_iter()
                            .filter(|who| self.sense.takes(&who.value, &verb.step))
                        {
                            let set = things.value.clone().and(who.value.clone().image(verb.step.clone()));
                            found.push(Item::new(Query::List(set), end, who.cost + verb.cost + things.cost));
                        }
                    }
                }
            }
            return found;
        }
        // 哪条河流最长; 哪个省份的人口最多; 哪些河流流经奥斯马克
        for stop in start + 2..end {
            for things in self.noun_phrase(start + 1, stop) {
                let from = if self.is(stop, Operator::Of) { stop + 1 } else { stop };
                for said in self.predicate(&things.value, from, end) {
                    let set = Behind::all(things.value.clone(), std::slice::from_ref(&said.value));
                    found.push(Item::new(Query::List(set), end, things.cost + said.cost));
                }
            }
        }
        found
    }

    /// (奥斯马克的河流中)最长的
    fn picked(&self, start: usize, end: usize) -> Items<Query> {
        let (_, end) = self.bare(start, end);
        let mut found = Vec::new();
        for cut in (start + 1..end).filter(|cut| self.is(cut - 1, Operator::Inside)) {
            for among in self.noun_phrase(start, cut) {
                for said in self.predicate(&among.value, cut, end) {
                    if matches!(said.value, Behind::Extreme(..)) {
                        let set = Behind::all(among.value.clone(), std::slice::from_ref(&said.value));
                        found.push(Item::new(Query::List(set), end, among.cost + said.cost));
                    }
                }
            }
        }
        found
    }

    /// 阿尔达河和布林河哪条更长; 奥斯马克和韦斯马克哪个面积更大
    fn choice(&self, start: usize, end: usize) -> Items<Query> {
        let mut found = Vec::new();
        let Some(which) = self.only(Operator::Which).filter(|which| *which > start + 2) else { return found };
        let Some(adjective) = self.words.get(end - 1).and_then(|word| word.adjective) else { return found };
        let behind = if self.is(which + 1, Operator::Of) { which + 2 } else { which + 1 };
        for cut in (start + 1..which).filter(|cut| self.is(*cut, Operator::And)) {
            for one in self.noun_phrase(start, cut).into_iter().filter(|one| matches!(one.value, Set::Named(_))) {
                for other in
                    self.noun_phrase(cut + 1, which).into_iter().filter(|other| matches!(other.value, Set::Named(_)))
                {
                    let last = if self.is(end - 2, Operator::More) { end - 2 } else { end - 1 };
                    let by = match last.checked_sub(behind) {
                        Some(0) => self.sense.by(&one.value, &adjective),
                        Some(1) => self.words.get(behind).and_then(|word| {
                            let name = word.nouns.iter().find(|name| self.measures(&one.value, &name.relation))?;
                            adjective.general.then(|| (name.relation.clone(), name.cost))
                        }),
                        _ => None,
                    };
                    if let Some((relation, cost)) = by {
                        let both = Set::Either(Box::new(one.value.clone()), Box::new(other.value.clone()));
                        let set = both.extreme(Measure::Value(relation), adjective.end);
                        found.push(Item::new(Query::List(set), end, one.cost + other.cost + cost));
                    }
                }
            }
        }
        found
    }

    /// 与苏德兰接壤的省份的总人口是多少
    fn figure(&self, start: usize, end: usize) -> Items<Query> {
        let mut found = Vec::new();
        for (operator, figure) in [(Operator::Total, Figure::Sum), (Operator::Mean, Figure::Mean)] {
            let Some(at) = self.only(operator) else { continue };
            let Some(noun) = self.words.get(at + 1) else { continue };
            let mut rest = at + 2;
            while rest < end
                && (self.is(rest, Operator::Is) || self.is(rest, Operator::HowMany) || self.is(rest, Operator::Has))
            {
                rest += 1;
            }
            if rest < end {
                continue;
            }
            for who in self.noun_phrase(start, at) {
                for name in &noun.nouns {
                    let step = Step { relation: name.relation.clone(), forward: true };
                    let own = self
                        .sense
                        .figure(who.value.clone().image(step), figure)
                        .filter(|_| self.measures(&who.value, &name.relation));
                    let parts = || self.sense.figure_of_parts(&name.relation, &who.value, figure);
                    let query = own.map(|query| (query, 0)).or_else(parts);
                    found.extend(query.map(|(query, cost)| Item::new(query, end, who.cost + name.cost + cost)));
                }
            }
        }
        found
    }

    /// 阿尔达河流经奥斯马克吗; 林道是奥斯马克的首府吗; 阿尔达河是否流经奥斯马克
    fn whether(&self, start: usize, end: usize, marked: Option<usize>) -> Items<Query> {
        let mut found = Vec::new();
        for cut in start + 1..end {
            if marked.is_some_and(|at| at != cut) {
                continue;
            }
            let behind = if marked.is_some() { cut + 1 } else { cut };
            for who in self.noun_phrase(start, cut).into_iter().filter(|who| matches!(who.value, Set::Named(_))) {
                let is = self.is(behind, Operator::Is) || marked.is_some();
                let said_from = if self.is(behind, Operator::Is) { behind + 1 } else { behind };
                if is {
                    for what in self
                        .noun_phrase(said_from, end)
                        .into_iter()
                        .filter(|what| self.sense.meet(&who.value, &what.value))
                    {
                        let query = self.sense.truth(&who.value, &Behind::In(what.value.clone()));
                        found.extend(query.map(|query| Item::new(query, end, who.cost + what.cost)));
                    }
                }
                if self.is(behind, Operator::In) {
                    for place in self.noun_phrase(behind + 1, end) {
                        for (set, cost) in self.sense.tied(&who.value, &place.value, false) {
                            let query = self.sense.truth(&who.value, &Behind::In(set));
                            found.extend(query.map(|query| Item::new(query, end, who.cost + place.cost + cost)));
                        }
                    }
                }
                let from = if self.is(behind, Operator::Of) { behind + 1 } else { behind };
                for said in self.predicate(&who.value, from, end) {
                    let query = self.sense.truth(&who.value, &said.value);
                    found.extend(query.map(|query| Item::new(query, end, who.cost + said.cost)));
                }
            }
        }
        found
    }
}
