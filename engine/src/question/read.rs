//! Runs the steps of question reading in turn.

use super::{
    chain,
    constraint::{self, Constraints},
    language,
    link::{Linker, Mention},
    path::{self, Path, Yield},
    rank::{self, Asked, Meaning, Meant},
    wordings, words,
};
use crate::{
    EngineError,
    represent::{Shelf, Space},
};
use factmask_graph::{EntityId, Snapshot, Value};
use factmask_schema::{Schema, normal};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

/// How many homonyms of a name are considered; a name shared by more says too little to answer from.
const MOST_HOMONYMS: usize = 8;

/// Topics from which paths are walked.
const MOST_TOPICS: usize = 8;

/// Reads questions over one snapshot.
pub struct Reader {
    snapshot: Arc<Snapshot>,
    linker: Linker,
    shelf: Arc<Shelf>,
    /// The middle of the schema in the language model's space, by language.
    spaces: Mutex<BTreeMap<String, Arc<Space>>>,
}

/// The sentence encoders by language.
pub type Meanings = BTreeMap<String, Meaning>;

/// What was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// `en` or `zh`.
    pub lang: String,
    /// The folded question; all spans lie in it.
    pub folded: String,
    /// Names found.
    pub mentions: Vec<Mention>,
    /// Years and the kind of answer.
    pub constraints: Constraints,
    /// Whether the sentence encoder had a say in the scores.
    pub by_meaning: bool,
    /// Paths, best first.
    pub candidates: Vec<Candidate>,
}

/// A path with its score and what it yields under the constraints.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The path.
    pub path: Path,
    /// 0 to about 1.
    pub score: f32,
    /// What it yields.
    pub found: Yield,
    /// Names in the question that have no part in it: not its topic, not on its way, not tied to its values.
    pub unused_names: usize,
}

impl Reading {
    /// Whether the question's possessives ask for more steps than the path has.
    pub fn asks_beyond(&self, schema: &Schema, path: &Path) -> bool {
        let name = self.mentions.iter().find(|mention| mention.entities.contains(&path.topic));
        name.is_some_and(|name| {
            let asked = chain::links(&self.folded, &name.span, &self.constraints, &self.lang);
            asked > chain::capacity(schema, path, &self.lang)
        })
    }

    /// Whether the question narrows, turns round or computes something that the path's wordings do not say.
    pub fn restricted_beyond(&self, schema: &Schema, path: &Path) -> bool {
        let restrictions = constraint::restrictions(&self.folded);
        if restrictions.is_empty() {
            return false;
        }
        let known = wordings::vocabulary(schema, path, &self.lang);
        restrictions.iter().any(|word| !words::units(word).is_subset(&known))
    }
}

impl Reader {
    /// Indexes the names of a snapshot; `shelf` holds the vectors of its tenant.
    pub fn new(snapshot: Arc<Snapshot>, shelf: Arc<Shelf>) -> Result<Self, EngineError> {
        Ok(Self { linker: Linker::new(&snapshot)?, snapshot, shelf, spaces: Mutex::default() })
    }

    /// The snapshot that is read over.
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }

    /// The vectors of the snapshot's tenant.
    pub fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// The space of the schema's sentences in one language, made at its first use.
    ///
    /// # Errors
    /// Whatever `make` fails with.
    pub fn space(
        &self,
        lang: &str,
        make: impl FnOnce() -> Result<Space, EngineError>,
    ) -> Result<Arc<Space>, EngineError> {
        let known = || self.spaces.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(space) = known().get(lang) {
            return Ok(space.clone());
        }
        // Made outside the lock: two questions at once may both do it, neither waits for the other.
        let space = Arc::new(make()?);
        known().insert(lang.to_owned(), space.clone());
        Ok(space)
    }

    /// Links, reads constraints, and ranks paths. `lang` overrides detection.
    pub fn read(&self, question: &str, lang: Option<&str>, meanings: &Meanings) -> Result<Reading, EngineError> {
        let lang = lang.unwrap_or_else(|| language::detect(question)).to_owned();
        let folded = normal::fold(question);
        let mentions = self.linker.link(question);
        let spans: Vec<_> = mentions.iter().map(|mention| mention.span.clone()).collect();
        let constraints = constraint::read(&folded, &spans);
        let meant = meanings.get(&lang).map(|meaning| Meant { meaning, shelf: &self.shelf });
        let mut candidates = Vec::new();
        let mut topics = BTreeSet::new();
        for mention in mentions.iter().filter(|mention| mention.entities.len() <= MOST_HOMONYMS) {
            for topic in &mention.entities {
                // A name said again is the same topic, and a question about very many things is about none of them.
                if topics.len() == MOST_TOPICS || !topics.insert(*topic) {
                    continue;
                }
                let asked = self.asked(&folded, mention, *topic, &constraints, &lang);
                let paths = path::candidates(&self.snapshot, *topic);
                let scores = rank::score(&self.snapshot, &paths, &asked, &lang, meant)?;
                candidates.extend(paths.into_iter().zip(scores).map(|(path, score)| {
                    let found = path::follow(&self.snapshot, &path, &constraints.years);
                    let (found, unused_names) = self.meet(found, mention, &mentions);
                    Candidate { path, score, found, unused_names }
                }));
            }
        }
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
        Ok(Reading { lang, folded, mentions, constraints, by_meaning: meant.is_some(), candidates })
    }

    fn asked(&self, folded: &str, mention: &Mention, topic: EntityId, constraints: &Constraints, lang: &str) -> Asked {
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
        let class = constraint::asked_class(folded, self.snapshot.schema(), lang);
        Asked { units: words::units(&bare), sentence, expected: constraints.expected, class }
    }

    /// A second name in the question narrows the answer: the values that are tied to it, where there are any. A value that the
    /// question itself names is not its answer. Also counts the names that have no part in the path.
    fn meet(&self, mut found: Yield, topic: &Mention, mentions: &[Mention]) -> (Yield, usize) {
        let mut others: Vec<&Mention> = Vec::new();
        for other in mentions.iter().filter(|other| other.entities != topic.entities) {
            if others.len() < MOST_TOPICS && others.iter().all(|known| known.entities != other.entities) {
                others.push(other);
            }
        }
        let mut unused = 0;
        for other in others {
            let named = |value: &Value| {
                path::entity_of(&self.snapshot, value).is_some_and(|entity| other.entities.contains(&entity))
            };
            found.trails.retain(|trail| !named(&trail.value));
            let tied = |value: &Value| {
                path::entity_of(&self.snapshot, value).is_some_and(|entity| {
                    let out = self.snapshot.facts_of(entity).map(|fact| &fact.statement.object).any(&named);
                    out || self
                        .snapshot
                        .facts_to(entity)
                        .any(|fact| named(&Value::Entity(fact.statement.subject.clone())))
                })
            };
            let on_the_way = found.trails.iter().flat_map(|trail| &trail.facts).any(|id| {
                self.snapshot.fact(*id).is_some_and(|fact| {
                    named(&fact.statement.object) || named(&Value::Entity(fact.statement.subject.clone()))
                })
            });
            if found.trails.iter().any(|trail| tied(&trail.value)) {
                found.trails.retain(|trail| tied(&trail.value));
            } else if !on_the_way {
                unused += 1;
            }
        }
        (found, unused)
    }
}
