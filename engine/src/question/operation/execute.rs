//! Runs an operation on a snapshot. What cannot be computed exactly is not computed.

use super::{
    compare::{as_precise, in_its_unit, order},
    query::{End, Figure, Measure, Query, Set, Test, Than, Truth},
    ties::Ties,
};
use crate::question::path::{self, Reached, Step};
use factmask_graph::{EntityId, Fact, FactId, Number, Snapshot, Value};
use factmask_schema::{Functional, Iri};
use std::{
    cell::Cell,
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

/// Members of a set at most; beyond that nobody reads the answer.
const MOST_MEMBERS: usize = 100_000;
/// Of those among whom an extreme is sought, the share that must be measured.
const LEAST_MEASURED: f64 = 0.8;
/// Facts that an answer cites at most.
pub const MOST_CITED: usize = 100;

/// Members with the facts that make each one.
type Members = BTreeMap<Value, Vec<FactId>>;

/// What came of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The values, in order.
    pub values: Vec<Value>,
    /// The facts that they stand on, at most [`MOST_CITED`].
    pub facts: Vec<FactId>,
    /// Whether the values were made from facts and stand in none.
    pub made: bool,
}

/// Why an operation gives nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No member.
    #[error("nothing in the graph is like that")]
    Empty,
    /// Values of several units or kinds, or dates of which one lies within the other.
    #[error("values of different units or kinds cannot be compared")]
    Mixed,
    /// A thing with several values where one is compared.
    #[error("a thing has several values where one is compared")]
    Several,
    /// Too many things have no value.
    #[error("too few of them are measured")]
    Unmeasured,
    /// Names where numbers are needed, or numbers where names are.
    #[error("not a thing of the kind that is needed")]
    Kind,
    /// More than anybody reads.
    #[error("too many members")]
    TooMany,
    /// No fact of the year that the question names.
    #[error("no fact of that year")]
    Year,
    /// The graph is silent on it, which does not say no.
    #[error("the graph is silent on it")]
    Silent,
}

/// Runs operations.
pub struct Executor<'a> {
    snapshot: &'a Snapshot,
    ties: &'a Ties,
    years: &'a [i32],
    /// Whether a fact honoured a year.
    dated: Cell<bool>,
}

impl<'a> Executor<'a> {
    /// Over one snapshot. With years, facts that carry a year in a qualifier must carry one of these, and some must.
    pub fn new(snapshot: &'a Snapshot, ties: &'a Ties, years: &'a [i32]) -> Self {
        Self { snapshot, ties, years, dated: Cell::new(false) }
    }

    /// Computes what is asked.
    ///
    /// # Errors
    /// Why it cannot be computed exactly.
    pub fn run(&self, query: &Query) -> Result<Outcome, Refusal> {
        let outcome = match query {
            Query::List(set) => {
                let members = self.members(set)?;
                let facts = cited(members.values());
                Outcome { values: members.into_keys().collect(), facts, made: false }
            }
            Query::Count(set) => {
                let members = self.members(set)?;
                // A text or a number may itself say how many.
                if members.keys().any(|member| member.as_entity().is_none()) {
                    return Err(Refusal::Kind);
                }
                let count = Value::Number(Number::new(members.len() as i128, 0));
                // Nothing found is no proof that there is nothing.
                let values = if members.is_empty() { Vec::new() } else { vec![count] };
                Outcome { values, facts: cited(members.values()), made: true }
            }
            Query::Figure { of, relation, figure } => self.figure(of, relation, *figure)?,
            Query::Truth(truth) => self.truth(truth)?,
        };
        match () {
            () if outcome.values.is_empty() => Err(Refusal::Empty),
            () if !self.years.is_empty() && !self.dated.get() => Err(Refusal::Year),
            () => Ok(outcome),
        }
    }

    fn truth(&self, Truth { of, within, known }: &Truth) -> Result<Outcome, Refusal> {
        let things = self.members(of)?;
        let within = self.members(within)?;
        let said = |truth, facts| Outcome { values: vec![Value::Boolean(truth)], facts, made: true };
        if !things.is_empty() && things.keys().all(|thing| within.contains_key(thing)) {
            let facts = things.keys().filter_map(|thing| within.get(thing));
            return Ok(said(true, cited(facts)));
        }
        let known = self.members(known)?;
        if known.is_empty() { Err(Refusal::Silent) } else { Ok(said(false, cited(known.values()))) }
    }

    fn figure(&self, of: &Set, relation: &Iri, figure: Figure) -> Result<Outcome, Refusal> {
        let members = self.members(of)?;
        let (mut numbers, mut facts) = (Vec::new(), Vec::new());
        for member in members.keys() {
            // A sum over some is no sum.
            let (value, own) = self.value(member, relation)?.ok_or(Refusal::Unmeasured)?;
            let Value::Number(number) = value else { return Err(Refusal::Kind) };
            numbers.push(number);
            facts.push(own);
        }
        let first = numbers.first().ok_or(Refusal::Empty)?;
        if numbers.iter().any(|number| number.unit != first.unit) {
            return Err(Refusal::Mixed);
        }
        let scale = numbers.iter().map(|number| number.scale).max().unwrap_or(0);
        let sum = numbers.iter().try_fold(0_i128, |sum, number| {
            sum.checked_add(number.mantissa.checked_mul(10_i128.checked_pow(scale - number.scale)?)?)
        });
        let sum = sum.ok_or(Refusal::TooMany)?;
        let number = match figure {
            Figure::Sum => Number::new(sum, scale),
            Figure::Mean => mean(sum, scale, numbers.len()).ok_or(Refusal::TooMany)?,
        };
        let number = Number { unit: first.unit.clone(), ..number };
        Ok(Outcome { values: vec![Value::Number(number)], facts: cited(facts.iter()), made: true })
    }

    /// The members of a set.
    fn members(&self, set: &Set) -> Result<Members, Refusal> {
        let members = match set {
            Set::Named(id) => Members::from([(self.thing(*id), Vec::new())]),
            Set::Class(class) => {
                let all = self.ties.members(class);
                if all.len() > MOST_MEMBERS {
                    return Err(Refusal::TooMany);
                }
                all.iter().map(|id| (self.thing(*id), Vec::new())).collect()
            }
            Set::Image { of, step } => self.image(&self.members(of)?, step)?,
            Set::Both(one, other) => {
                let (one, mut other) = (self.members(one)?, self.members(other)?);
                let both = one.into_iter().filter_map(|(value, mut facts)| {
                    facts.append(&mut other.remove(&value)?);
                    Some((value, facts))
                });
                both.collect()
            }
            Set::Either(one, other) => {
                let mut all = self.members(one)?;
                for (value, facts) in self.members(other)? {
                    all.entry(value).or_default().extend(facts);
                }
                all
            }
            Set::Without(one, other) => {
                let (mut one, other) = (self.members(one)?, self.members(other)?);
                // What stays stands on what took the others out.
                let taken = other.iter().filter(|(value, _)| one.contains_key(*value)).map(|(_, facts)| facts);
                let taken = cited(taken);
                one.retain(|value, _| !other.contains_key(value));
                one.values_mut().for_each(|facts| facts.extend(&taken));
                one
            }
            Set::Where { of, measure, test } => self.tested(self.members(of)?, measure, test)?,
            Set::Extreme { of, measure, end } => self.extreme(self.members(of)?, measure, *end)?,
        };
        if members.len() > MOST_MEMBERS { Err(Refusal::TooMany) } else { Ok(members) }
    }

    fn image(&self, of: &Members, step: &Step) -> Result<Members, Refusal> {
        let mut found = Members::new();
        for (member, before) in of {
            let Some(id) = path::entity_of(self.snapshot, member) else { return Err(Refusal::Kind) };
            let hops: Vec<_> =
                path::hop(self.snapshot, id, step).into_iter().filter(|(fact, _)| self.honours(fact)).collect();
            if self.disagree(step, &hops) {
                return Err(Refusal::Several);
            }
            for (fact, reached) in hops {
                let facts = found.entry(reached.value()).or_default();
                facts.extend(before.iter().copied().take(MOST_CITED));
                facts.push(fact.id);
            }
            if found.len() > MOST_MEMBERS {
                return Err(Refusal::TooMany);
            }
        }
        Ok(found)
    }

    /// Whether facts say different things of one thing where one is expected: of several years, or of a relation with one value.
    fn disagree(&self, step: &Step, hops: &[(&Fact, Reached<'_>)]) -> bool {
        let Some(((first, reached), rest)) = hops.split_first() else { return false };
        let times = |fact: &Fact| -> Vec<Value> {
            let qualifiers = fact.statement.qualifiers.iter().map(|(_, value)| value);
            qualifiers.filter(|value| matches!(value, Value::Date(_))).cloned().collect()
        };
        let schema = self.snapshot.schema();
        let one = step.forward
            && schema.relations.get(&step.relation).is_some_and(|relation| relation.functional != Functional::No);
        rest.iter().any(|(fact, other)| other != reached && (one || times(fact) != times(first)))
    }

    fn tested(&self, members: Members, measure: &Measure, test: &Test) -> Result<Members, Refusal> {
        let measure = &self.ready(measure)?;
        let (than, beside) = match &test.than {
            Than::Amount(number) => (Value::Number(number.clone()), Vec::new()),
            Than::Time(date) => (Value::Date(date.clone()), Vec::new()),
            Than::Of(set) => {
                let fellow = self.members(set)?;
                let [(fellow, _)] =
                    <[_; 1]>::try_from(fellow.into_iter().collect::<Vec<_>>()).map_err(|_| Refusal::Several)?;
                self.measure(&fellow, measure)?.ok_or(Refusal::Unmeasured)?
            }
        };
        let mut passed = Members::new();
        for (member, mut facts) in members {
            let Some((value, own)) = self.measure(&member, measure)? else { continue };
            if test.order.holds(order(&as_precise(&value, &than), &in_its_unit(&than, &value)).ok_or(Refusal::Mixed)?) {
                facts.extend(own);
                facts.extend(&beside);
                passed.insert(member, facts);
            }
        }
        Ok(passed)
    }

    fn extreme(&self, members: Members, measure: &Measure, end: End) -> Result<Members, Refusal> {
        let all = members.len();
        let counts = matches!(measure, Measure::Count { .. });
        let measure = &self.ready(measure)?;
        let mut measured: Vec<(Value, Value, Vec<FactId>)> = Vec::new();
        for (member, mut facts) in members {
            if let Some((value, own)) = self.measure(&member, measure)? {
                facts.extend(own);
                measured.push((value, member, facts));
            }
        }
        if measured.is_empty() {
            return Err(Refusal::Empty);
        }
        // What has none of what is counted has the fewest, if the graph knows it all.
        let enough = match (counts, end) {
            (true, End::Most) => 0,
            (true, End::Least) => all,
            (false, _) => (LEAST_MEASURED * all as f64).ceil() as usize,
        };
        if measured.len() < enough {
            return Err(Refusal::Unmeasured);
        }
        let mut best = measured.first().map(|(value, _, _)| value.clone()).ok_or(Refusal::Empty)?;
        for (value, _, _) in &measured {
            let found = order(value, &best).ok_or(Refusal::Mixed)?;
            if found
                == match end {
                    End::Most => Ordering::Greater,
                    End::Least => Ordering::Less,
                }
            {
                best = value.clone();
            }
        }
        let mut winners = Members::new();
        for (value, member, facts) in measured {
            if order(&value, &best).ok_or(Refusal::Mixed)?.is_eq() {
                winners.insert(member, facts);
            }
        }
        Ok(winners)
    }

    fn ready<'m>(&self, measure: &'m Measure) -> Result<Ready<'m>, Refusal> {
        Ok(match measure {
            Measure::Value(relation) => Ready::Value(relation),
            Measure::Count { step, among } => Ready::Count(step, self.members(among)?),
        })
    }

    /// The measure of one thing with its facts; none where it has none.
    fn measure(&self, of: &Value, measure: &Ready<'_>) -> Result<Option<(Value, Vec<FactId>)>, Refusal> {
        match measure {
            Ready::Value(relation) => self.value(of, relation),
            Ready::Count(step, among) => {
                let mut counted = self.image(&Members::from([(of.clone(), Vec::new())]), step)?;
                counted.retain(|value, _| among.contains_key(value));
                // Nothing counted is no proof that there is nothing.
                let count = Value::Number(Number::new(counted.len() as i128, 0));
                Ok((!counted.is_empty()).then(|| (count, cited(counted.values()))))
            }
        }
    }

    fn value(&self, of: &Value, relation: &Iri) -> Result<Option<(Value, Vec<FactId>)>, Refusal> {
        let id = path::entity_of(self.snapshot, of).ok_or(Refusal::Kind)?;
        let mut found: Option<(Value, Vec<FactId>)> = None;
        for fact in self.snapshot.facts_of_relation(id, relation).filter(|fact| self.honours(fact)) {
            let value = &fact.statement.object;
            match &mut found {
                None => found = Some((value.clone(), vec![fact.id])),
                Some((known, facts)) if known == value => facts.push(fact.id),
                Some(_) => return Err(Refusal::Several),
            }
        }
        match found {
            Some((Value::Number(_) | Value::Date(_), _)) | None => Ok(found),
            Some(_) => Err(Refusal::Kind),
        }
    }

    fn honours(&self, fact: &Fact) -> bool {
        let honoured = path::honours(fact, self.years);
        self.dated.set(self.dated.get() || honoured == Some(true));
        honoured.is_some()
    }

    fn thing(&self, id: EntityId) -> Value {
        Value::Entity(self.snapshot.entity(id).iri.clone())
    }
}

/// A measure whose set has been computed.
enum Ready<'m> {
    Value(&'m Iri),
    Count(&'m Step, Members),
}

/// The mean to six places more than the numbers have, without zeros at the end.
fn mean(sum: i128, scale: u32, count: usize) -> Option<Number> {
    const PLACES: u32 = 6;
    let count = i128::try_from(count).ok().filter(|count| *count > 0)?;
    let enlarged = sum.checked_mul(10_i128.pow(PLACES))?;
    let half = if sum < 0 { -count / 2 } else { count / 2 };
    let (mantissa, scale) = Number::new(enlarged.checked_add(half)?.checked_div(count)?, scale + PLACES).normalised();
    Some(Number::new(mantissa, scale))
}

/// Each fact once, the first [`MOST_CITED`].
fn cited<'f>(facts: impl Iterator<Item = &'f Vec<FactId>>) -> Vec<FactId> {
    let mut seen = BTreeSet::new();
    facts.flatten().filter(|fact| seen.insert(**fact)).take(MOST_CITED).copied().collect()
}
