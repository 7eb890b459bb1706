//! Questions that go on from earlier ones, made to stand by themselves.
//!
//! Nothing is kept between questions: whoever asks sends the earlier ones along. Each is read over the graph again; what it was about
//! and what came of it is what a later one may stand for. Of several such things the one is meant with which the graph has an answer.
//! Where two have one, it is asked back.

use super::{Engine, understand::Asked};
use crate::{
    EngineError,
    answer::{Answer, AskOptions, Mode, Status, Turn},
    question::{
        Reader, constraint,
        expected::Expected,
        follow::{self, Form, Kind, Pronoun},
        language,
        link::Mention,
    },
};
use factmask_graph::{EntityId, Snapshot, Value};
use factmask_schema::{Iri, normal::Folded};
use std::ops::Range;

/// Earlier questions that are looked at, the latest ones.
const MOST_TURNS: usize = 6;

/// What became of a question that may go on from others.
pub(super) enum Followed {
    /// It stands by itself, or was made to.
    Question(String),
    /// It may be meant in each of these ways.
    Several(Vec<String>),
}

/// An earlier question and what came of it.
struct Earlier {
    /// Standing by itself.
    question: String,
    lang: String,
    names: Vec<Mention>,
    /// What it may have made known.
    known: Vec<Known>,
}

/// Something that a later question may mean.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    name: String,
    classes: Vec<Iri>,
    /// It was the answer to "who".
    someone: bool,
}

impl Engine {
    /// Makes a question stand by itself.
    ///
    /// # Errors
    /// As for answers.
    pub(super) fn follow(
        &self,
        reader: &Reader,
        asked: &Asked<'_>,
        history: &[Turn],
        options: &AskOptions,
    ) -> Result<Followed, EngineError> {
        let whole = || Followed::Question(asked.question.to_owned());
        let names = reader.names(asked.question);
        let form = follow::form(asked.question, asked.lang, &names, reader.snapshot().schema());
        if history.is_empty() || form == Form::Whole {
            return Ok(whole());
        }
        let mut earlier: Option<Earlier> = None;
        for turn in &history[history.len().saturating_sub(MOST_TURNS)..] {
            earlier = self.earlier(reader, turn, earlier, options)?;
        }
        let Some(earlier) = earlier else { return Ok(whole()) };
        self.go_on(reader, asked, form, &earlier, options)
    }

    /// What is made of an earlier question, itself perhaps going on from one before.
    fn earlier(
        &self,
        reader: &Reader,
        turn: &Turn,
        before: Option<Earlier>,
        options: &AskOptions,
    ) -> Result<Option<Earlier>, EngineError> {
        let lang = options.lang.as_deref().unwrap_or_else(|| language::detect(&turn.question)).to_owned();
        let question = reader.restore(&turn.question, &lang, &self.meanings).question;
        let form = follow::form(&question, &lang, &reader.names(&question), reader.snapshot().schema());
        let question = match before {
            Some(before) if form != Form::Whole => {
                let asked = Asked { question: &question, lang: &lang };
                match self.go_on(reader, &asked, form, &before, options)? {
                    Followed::Question(question) => question,
                    Followed::Several(_) => return Ok(None),
                }
            }
            _ => question,
        };
        let answer = self.by_graph(reader, &question, &lang, options)?;
        let snapshot: &Snapshot = reader.snapshot();
        let mut known = Vec::new();
        let given = turn.answer.as_deref().map(|answer| reader.names(answer)).unwrap_or_default();
        let given: Vec<EntityId> = match given.as_slice() {
            [] => answer.values.iter().filter_map(|value| entity(snapshot, value)).collect(),
            names => names.iter().filter_map(|name| name.entities.first().copied()).collect(),
        };
        let who = constraint::read(&normal(&question), &[]).expected == Expected::Someone;
        // A list is no single thing that a later word stands for.
        if let [only] = given.as_slice() {
            known.push(Known { someone: who, ..of(snapshot, *only, &lang) });
        }
        let names = reader.names(&question);
        for topic in names.iter().filter_map(|name| name.entities.first()) {
            let topic = of(snapshot, *topic, &lang);
            if !known.iter().any(|known| known.name == topic.name) {
                known.push(topic);
            }
        }
        Ok(Some(Earlier { question, lang, names, known }))
    }

    fn by_graph(
        &self,
        reader: &Reader,
        question: &str,
        lang: &str,
        options: &AskOptions,
    ) -> Result<Answer, EngineError> {
        let options = AskOptions { mode: Mode::GraphOnly, explain: false, history: Vec::new(), ..options.clone() };
        self.answer_as_written(reader, question, lang, &options)
    }

    /// The question with what it takes over put in.
    fn go_on(
        &self,
        reader: &Reader,
        asked: &Asked<'_>,
        form: Form,
        earlier: &Earlier,
        options: &AskOptions,
    ) -> Result<Followed, EngineError> {
        let readings = match form {
            Form::Whole => vec![asked.question.to_owned()],
            Form::Stands(question, pronouns) => {
                let schema = reader.snapshot().schema();
                let people = follow::people(schema);
                let is = |known: &Known, class: &Iri| {
                    known.classes.iter().any(|own| schema.is_a(own, class) || schema.is_a(class, own))
                };
                let person = |known: &Known| known.someone || people.iter().any(|class| is(known, class));
                // "Who makes it?" is asked of companies too, so nobody is ruled out as a thing by that.
                let fits = |known: &Known, kind: &Kind| match kind {
                    Kind::Any | Kind::Thing => true,
                    Kind::Person => people.is_empty() || known.classes.is_empty() || person(known),
                    Kind::Member(class) => is(known, class),
                };
                let can = earlier.known.iter().filter(|known| pronouns.iter().all(|one| fits(known, &one.kind)));
                can.map(|known| put_in(&question, &pronouns, &known.name)).collect()
            }
            Form::Other(text) => self.other(reader, asked.lang, &text, earlier),
        };
        let mut readings: Vec<String> = readings;
        readings.dedup();
        if readings.len() > 1 {
            let mut answers: Vec<Answer> = Vec::new();
            let mut answered = Vec::new();
            for reading in &readings {
                let answer = self.by_graph(reader, reading, asked.lang, options)?;
                if matches!(answer.status, Status::Answered | Status::Ambiguous) {
                    answered.push(reading.clone());
                    answers.push(answer);
                }
            }
            // Where both are answered alike it does not matter which is meant.
            let alike = |pair: &[Answer]| match pair {
                [one, other] => {
                    one.status == Status::Answered && other.status == one.status && one.values == other.values
                }
                _ => false,
            };
            if answered.len() > 1 && !answers.windows(2).all(alike) {
                return Ok(Followed::Several(answered));
            }
            // With none the graph has an answer: what was said last is nearest.
            readings = if answered.is_empty() { readings } else { answered };
        }
        Ok(Followed::Question(readings.into_iter().next().unwrap_or_else(|| asked.question.to_owned())))
    }

    /// The earlier question with something else in the place of what it was about, or of when; or what is asked now of the same thing.
    fn other(&self, reader: &Reader, lang: &str, text: &str, earlier: &Earlier) -> Vec<String> {
        let chinese = lang == "zh";
        let names = reader.names(text);
        let folded = Folded::new(text);
        let spans: Vec<Range<usize>> = names.iter().map(|name| name.span.clone()).collect();
        let years = constraint::read(&folded.text, &spans).years;
        let mut rest = folded.text.clone();
        spans.iter().rev().for_each(|span| rest.replace_range(span.clone(), " "));
        match (names.as_slice(), years.as_slice()) {
            ([], [year]) => vec![in_year(earlier, *year)],
            ([name], []) if says_nothing(&rest) => {
                let snapshot = reader.snapshot();
                let own = folded.source_range(name.span.clone());
                let schema = snapshot.schema();
                let classes = |mention: &Mention| -> Vec<Iri> {
                    mention.entities.iter().flat_map(|id| snapshot.entity(*id).classes.clone()).collect()
                };
                let alike = |other: &&Mention| {
                    let new = classes(name);
                    classes(other)
                        .iter()
                        .any(|old| new.iter().any(|new| schema.is_a(new, old) || schema.is_a(old, new)))
                };
                let of_its_kind: Vec<&Mention> = earlier.names.iter().filter(alike).collect();
                let places = if of_its_kind.is_empty() { earlier.names.iter().collect() } else { of_its_kind };
                let name = text.get(own).unwrap_or(text);
                places.into_iter().map(|place| in_place(&earlier.question, place, name)).collect()
            }
            ([_, ..], _) => vec![text.to_owned()],
            _ if reader.schema_says(text) => earlier
                .known
                .iter()
                .map(
                    |known| {
                        if chinese { format!("{}的{text}", known.name) } else { format!("{text} of {}", known.name) }
                    },
                )
                .collect(),
            // A name that the graph does not know: asked of that, the graph has no answer.
            _ => earlier.names.first().map(|place| in_place(&earlier.question, place, text)).into_iter().collect(),
        }
    }
}

fn normal(text: &str) -> String {
    Folded::new(text).text
}

fn entity(snapshot: &Snapshot, value: &Value) -> Option<EntityId> {
    snapshot.find(value.as_entity()?)
}

fn of(snapshot: &Snapshot, id: EntityId, lang: &str) -> Known {
    let classes = snapshot.entity(id).classes.clone();
    Known { name: snapshot.name(id, lang).to_owned(), classes, someone: false }
}

/// Whether nothing but function words is left of a text.
fn says_nothing(rest: &str) -> bool {
    crate::question::words::units(rest).is_empty()
}

fn put_in(question: &str, pronouns: &[Pronoun], name: &str) -> String {
    let mut whole = question.to_owned();
    for one in pronouns.iter().rev() {
        // "其" stands for "它的".
        whole.replace_range(one.span.clone(), &format!("{name}{}", one.ending));
    }
    whole
}

fn in_place(question: &str, place: &Mention, name: &str) -> String {
    let mut whole = question.to_owned();
    whole.replace_range(Folded::new(question).source_range(place.span.clone()), name);
    whole
}

/// The earlier question with another year, or with one.
fn in_year(earlier: &Earlier, year: i32) -> String {
    let map = Folded::new(&earlier.question);
    let names: Vec<Range<usize>> = earlier.names.iter().map(|name| name.span.clone()).collect();
    let known = constraint::read(&map.text, &names).year_spans;
    let chinese = earlier.lang == "zh";
    let mut whole = earlier.question.clone();
    if known.is_empty() {
        let behind = earlier.names.first().map(|name| map.source_range(name.span.clone()).end).filter(|_| chinese);
        let end = whole.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '？')).len();
        let words = if chinese { format!("{year}年") } else { format!(" in {year}") };
        whole.insert_str(behind.unwrap_or(end), &words);
    }
    for span in known.into_iter().rev() {
        let range = map.source_range(span);
        let written = whole.get(range.clone()).unwrap_or_default();
        // "2023财年" keeps what says what kind of year.
        let behind = written.trim_start_matches(|c: char| c.is_alphanumeric() && !matches!(c, '年' | '财'));
        let words = format!("{year}{behind}");
        whole.replace_range(range, &words);
    }
    whole
}
