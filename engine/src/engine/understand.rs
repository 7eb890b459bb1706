//! What a question is taken for before it is read: standing by itself, with its names written as the graph writes them.

use super::{Engine, follow::Followed};
use crate::{
    EngineError,
    answer::{Answer, AskOptions, Status},
    decode,
    question::{
        Reader, language,
        near::{ReadAs, Restored},
    },
    speak::Speaker,
};
use factmask_graph::{EntityId, Snapshot};

/// A question in its language.
pub(super) struct Asked<'a> {
    pub question: &'a str,
    pub lang: &'a str,
}

/// A question that stands by itself.
pub(super) struct Understood {
    /// The question.
    pub question: String,
    /// Its language: that of what was asked, whatever names were put in.
    pub lang: String,
    read_as: Vec<ReadAs>,
    unsure: Vec<EntityId>,
    /// In which ways it may go on from earlier questions, where in several.
    readings: Vec<String>,
}

impl Engine {
    /// What a question is taken for.
    ///
    /// # Errors
    /// As for answers.
    pub(super) fn understand(
        &self,
        reader: &Reader,
        question: &str,
        options: &AskOptions,
    ) -> Result<Understood, EngineError> {
        let lang = options.lang.as_deref().unwrap_or_else(|| language::detect(question)).to_owned();
        let Restored { question, read_as, unsure } = reader.restore(question, &lang, &self.meanings);
        let asked = Asked { question: &question, lang: &lang };
        let (question, readings) = match self.follow(reader, &asked, &options.history, options)? {
            Followed::Question(question) => (question, Vec::new()),
            Followed::Several(readings) => (question, readings),
        };
        Ok(Understood { question, lang, read_as, unsure, readings })
    }
}

impl Understood {
    /// Tells in the answer what was taken for what, asks where that was not sure, and lets the doubt lower the confidence.
    pub fn tell(self, snapshot: &Snapshot, asked: &str, options: &AskOptions, answer: &mut Answer) {
        let lang = answer.lang.clone();
        let speaker = Speaker { snapshot, lang: &lang };
        let sure: f32 = self.read_as.iter().map(|read_as| 1.0 - read_as.doubt).product();
        answer.confidence *= sure;
        let unsafe_now = answer.confidence < options.bar.unwrap_or(decode::BAR);
        if answer.status == Status::Answered && (unsafe_now || !self.readings.is_empty()) {
            answer.status = Status::NotInKb;
            answer.values.clear();
            answer.facts.clear();
        }
        if !self.readings.is_empty() {
            answer.status = Status::Ambiguous;
            answer.choices = self.readings;
        } else if answer.status == Status::NotInKb && !self.unsure.is_empty() {
            answer.status = Status::Ambiguous;
            answer.choices = speaker.told_apart(&self.unsure);
        }
        answer.text = speaker.text(answer);
        answer.understood_as = (self.question != asked).then_some(self.question);
        answer.read_as = self.read_as;
    }
}
