//! All paths of a question with what is found out about each, before any is followed.

use super::{
    account::{self, Lexicon},
    chain,
    constraint::{self, Constraints},
    expected::{self, Expected},
    link::Mention,
    meet::Named,
    ordinary,
    path::{self, Onward, Path},
    rank::{self, Asked, Meant},
    read::{Meanings, Reader},
    wordings, words,
};
use crate::{
    EngineError,
    learn::{
        Clues, PathModel,
        features::{self, Labels, Plain},
        train::Choice,
    },
};
use factmask_graph::EntityId;
use factmask_schema::{Schema, normal};
use std::{
    collections::{BTreeSet, HashSet},
    sync::{Arc, PoisonError},
};

/// How many homonyms of a name are considered; a name shared by more says too little to answer from.
const MOST_HOMONYMS: usize = 8;
/// Topics from which paths are walked.
pub(super) const MOST_TOPICS: usize = 8;
/// Steps of a path at most.
pub(super) const MOST_STEPS: usize = 3;
/// What an answer of another kind or class than asked for costs a path's account, in nats a unit of [`rank::unfit`].
const UNFIT: f32 = 15.0;
/// What things cost where somebody is asked for.
const NOBODY: f32 = 2.0;

/// Which paths are looked for.
#[derive(Default)]
pub(super) struct Wanted<'a> {
    /// Up to this many steps, or as many as the question's possessives ask for.
    pub(super) most_steps: usize,
    /// Beside those that the data shows and the schema allows these, whether or not a topic has them, as their steps' signs.
    pub(super) meant: &'a [Vec<String>],
}

impl Wanted<'_> {
    /// Those that are not among the observed ones.
    pub(super) fn absent(&self, topic: EntityId, observed: &[Path]) -> Vec<Path> {
        let known: HashSet<&[path::Step]> = observed.iter().map(|path| path.steps.as_slice()).collect();
        let steps =
            |signs: &Vec<String>| signs.iter().map(|sign| path::Step::of_sign(sign)).collect::<Option<Vec<_>>>();
        let absent = self.meant.iter().filter_map(steps).filter(|steps| !known.contains(steps.as_slice()));
        absent.map(|steps| Path { topic, steps }).collect()
    }
}

/// Whether words of a language are aligned with paths: where spaces part them.
pub(crate) fn aligned(lang: &str) -> bool {
    lang != "zh"
}

/// A question about one name.
pub(super) struct About<'a> {
    pub(super) folded: &'a str,
    pub(super) name: &'a std::ops::Range<usize>,
    /// All names and years.
    pub(super) others: &'a [std::ops::Range<usize>],
    /// Where words with a capital begin.
    pub(super) capitals: &'a [usize],
    pub(super) asked: &'a Asked,
}

/// All paths of a question, before any is followed.
pub(super) struct Walked {
    pub(super) lang: String,
    pub(super) folded: String,
    pub(super) mentions: Vec<Mention>,
    pub(super) named: Vec<Named>,
    pub(super) constraints: Constraints,
    pub(super) by_meaning: bool,
    pub(super) topics: Vec<Topic>,
    pub(super) paths: Vec<Walk>,
}

/// A thing that the question may be about.
pub(super) struct Topic {
    pub(super) mention: usize,
    pub(super) asked: Asked,
    /// Steps that the possessives behind it ask for.
    pub(super) links: usize,
}

pub(super) struct Walk {
    pub(super) path: Path,
    pub(super) score: f32,
    pub(super) account: Option<f32>,
    /// Whether the graph has no such path from the topic.
    pub(super) absent: bool,
    pub(super) topic: usize,
}

impl Walked {
    /// What the path model sees: clues by topic, choices by path.
    pub(super) fn features(&self, schema: &Schema) -> (Vec<Clues>, Vec<Choice>) {
        let clues = self
            .topics
            .iter()
            .map(|topic| Clues::new(&self.folded, &self.mentions[topic.mention].span, topic.asked.meaning.clone()));
        let mut labels = Labels::new(schema, &self.lang);
        let single = self.paths.iter().filter(|walk| walk.path.steps.len() == 1);
        let best = single.map(|walk| walk.score).fold(f32::NEG_INFINITY, f32::max);
        let choices = self.paths.iter().map(|walk| {
            let topic = &self.topics[walk.topic];
            let mention = &self.mentions[topic.mention];
            let plain = Plain { folded: &self.folded, units: &topic.asked.units };
            let share = mention.span.len() as f32 / self.folded.len().max(1) as f32;
            let of_topic = features::Topic { share, homonyms: mention.entities.len() };
            let beyond = topic.links > chain::capacity(schema, &walk.path, &self.lang);
            let lag = if walk.path.steps.len() == 1 { walk.score - best } else { 0.0 };
            let found = features::Found { fit: walk.score, lag, account: walk.account, beyond };
            let shared = features::shared(&mut labels, &plain, of_topic, &walk.path, found);
            Choice {
                parts: features::parts(&walk.path),
                steps: walk.path.steps.iter().map(path::Step::sign).collect(),
                absent: walk.absent,
                shared,
                topic: walk.topic,
                yields: None,
                right: false,
            }
        });
        (clues.collect(), choices.collect())
    }

    pub(super) fn scores(&self, schema: &Schema, model: &PathModel) -> Vec<f32> {
        let (clues, choices) = self.features(schema);
        let asked: Vec<_> = clues.iter().map(|clues| model.ask(clues)).collect();
        choices.iter().map(|choice| asked[choice.topic].score(&choice.parts, &choice.shared)).collect()
    }
}

impl Reader {
    /// The wanted paths from the question's topics, with the fit of their wordings.
    pub(super) fn walk(
        &self,
        question: &str,
        lang: &str,
        meanings: &Meanings,
        wanted: &Wanted<'_>,
    ) -> Result<Walked, EngineError> {
        let folded = normal::fold(question);
        let mut mentions = self.linker.link(question);
        let meant = meanings.get(lang).map(|meaning| Meant { meaning, shelf: &self.shelf });
        if let Some(meant) = meant.filter(|_| aligned(lang) && mentions.len() > 1) {
            let texts: Vec<String> = mentions.iter().map(|mention| folded[mention.span.clone()].to_owned()).collect();
            let vectors = meant.meaning.of_words(&texts)?;
            let knows = |word: &str| meant.meaning.knows(word);
            ordinary::sort_out(&mut mentions, &folded, self.lexicon(lang, meant)?.as_ref(), &vectors, knows);
        }
        let names = || mentions.iter().filter(|mention| !mention.doubtful);
        let spans: Vec<_> = names().map(|mention| mention.span.clone()).collect();
        let constraints = constraint::read(&folded, &spans);
        let capitals = account::way::capitals(question);
        let (mut paths, mut topics) = (Vec::new(), Vec::new());
        let mut known = BTreeSet::new();
        for (number, mention) in mentions.iter().enumerate().filter(|(_, mention)| !mention.doubtful) {
            for topic in mention.entities.iter().filter(|_| mention.entities.len() <= MOST_HOMONYMS) {
                // A name said again is the same topic, and a question about very many things is about none of them.
                if known.len() == MOST_TOPICS || !known.insert(*topic) {
                    continue;
                }
                let asked = self.asked(&folded, mention, *topic, &constraints, lang, meant)?;
                let links = chain::links(&folded, &mention.span, &constraints, lang);
                let onward = (wanted.most_steps.max(links) >= 3)
                    .then(|| self.onward.get_or_init(|| Onward::new(&self.snapshot)));
                let observed = path::candidates(&self.snapshot, *topic, onward);
                let absent = wanted.absent(*topic, &observed);
                let mut own: Vec<(Path, bool)> = observed
                    .into_iter()
                    .map(|path| (path, false))
                    .chain(absent.into_iter().map(|path| (path, true)))
                    .collect();
                own.sort();
                let (own, absent): (Vec<Path>, Vec<bool>) = own.into_iter().unzip();
                let scores = rank::score(&self.snapshot, &own, &asked, lang, meant)?;
                let about =
                    About { folded: &folded, name: &mention.span, others: &spans, capitals: &capitals, asked: &asked };
                let accounts = self.account(&about, *topic, &own, lang, meant)?;
                let walk = |(at, ((path, score), absent))| Walk {
                    path,
                    score,
                    account: accounts.get(at).copied(),
                    absent,
                    topic: topics.len(),
                };
                paths.extend(own.into_iter().zip(scores).zip(absent).enumerate().map(walk));
                topics.push(Topic { mention: number, asked, links });
            }
        }
        let named = self.named(&mentions);
        Ok(Walked {
            lang: lang.to_owned(),
            folded,
            mentions,
            named,
            constraints,
            by_meaning: meant.is_some(),
            topics,
            paths,
        })
    }

    /// How far each path from a topic accounts for the question's words; empty in a language whose words are not aligned.
    pub(super) fn account(
        &self,
        about: &About<'_>,
        topic: EntityId,
        paths: &[Path],
        lang: &str,
        meant: Option<Meant<'_>>,
    ) -> Result<Vec<f32>, EngineError> {
        let Some(meant) = meant.filter(|_| aligned(lang)) else { return Ok(Vec::new()) };
        let schema = self.snapshot.schema();
        let lexicon = self.lexicon(lang, meant)?;
        let question = account::Question::new(about.folded, about.name, about.others, about.capitals);
        let vectors = meant.meaning.of_words(&question.texts)?;
        let meanings: Vec<_> =
            question.texts.iter().zip(&vectors).map(|(text, vector)| lexicon.meanings(text, vector)).collect();
        let classes: Vec<usize> = lexicon.classes(&self.snapshot.entity(topic).classes).collect();
        let mut accounts = account::account(&question, &meanings, &lexicon, schema, &classes, paths);
        for (account, path) in accounts.iter_mut().zip(paths) {
            *account -= UNFIT * rank::unfit(schema, path, about.asked);
            let things = path.steps.last().is_some_and(|last| lexicon.leads_to_things(schema, last));
            if about.asked.expected == Expected::Someone && things {
                *account -= NOBODY;
            }
        }
        Ok(accounts)
    }

    pub(crate) fn lexicon(&self, lang: &str, meant: Meant<'_>) -> Result<Arc<Lexicon>, EngineError> {
        let known = || self.lexicons.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lexicon) = known().get(lang) {
            return Ok(lexicon.clone());
        }
        let lexicon = Arc::new(Lexicon::new(self.snapshot.schema(), lang, meant)?);
        known().insert(lang.to_owned(), lexicon.clone());
        Ok(lexicon)
    }

    pub(super) fn asked(
        &self,
        folded: &str,
        mention: &Mention,
        topic: EntityId,
        constraints: &Constraints,
        lang: &str,
        meant: Option<Meant<'_>>,
    ) -> Result<Asked, EngineError> {
        let class = wordings::class_word(self.snapshot.schema(), &self.snapshot.entity(topic).classes, lang);
        let mut cuts: Vec<_> = constraints.year_spans.iter().map(|span| (span.clone(), "")).collect();
        cuts.push((mention.span.clone(), class.as_str()));
        cuts.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        let (mut sentence, mut bare) = (folded.to_owned(), folded.to_owned());
        for (span, word) in cuts {
            sentence.replace_range(span.clone(), word);
            bare.replace_range(span, " ");
        }
        // "in fiscal year" without its year is left over from a constraint and says nothing about the relation.
        let class = expected::asked_class(folded, self.snapshot.schema(), lang);
        let meaning = meant.map(|meant| meant.meaning.of(&sentence)).transpose()?.unwrap_or_default();
        Ok(Asked { units: words::units(&bare), sentence, meaning, expected: constraints.expected, class })
    }
}
