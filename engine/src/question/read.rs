//! Runs the steps of question reading in turn.

use super::{
    account::{self, Lexicon},
    chain,
    constraint::{self, Constraints},
    language,
    link::{Linker, Mention},
    near::{self, Near, Restored},
    operation::{Ground, Operation},
    path::{self, Onward, Path, Step, Yield},
    rank::{Meaning, Meant},
    shared::SharedNames,
    walk::{Walk, Walked, Wanted, aligned},
    wordings, words,
};
use crate::{
    EngineError,
    learn::{PathModel, features, model::probabilities},
    represent::{Shelf, Space},
};
use factmask_graph::{EntityId, Snapshot};
use factmask_schema::{Iri, Schema, normal};
use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

/// Paths that are followed, the likeliest first.
const MOST_FOLLOWED: usize = 256;
/// Of paths that were learned, those less likely than this share of the likeliest are not followed.
const LEAST_FOLLOWED: f32 = 1e-3;
/// Examples that must have had a word that narrows or turns round, before it is taken for learned.
const PRACTISED: u32 = 5;

/// Reads questions over one snapshot.
pub struct Reader {
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) linker: Linker,
    pub(super) shelf: Arc<Shelf>,
    /// The middle of the schema in the language model's space, by language.
    spaces: Mutex<BTreeMap<String, Arc<Space>>>,
    /// What words stand for in the schema, by language.
    pub(super) lexicons: Mutex<BTreeMap<String, Arc<Lexicon>>>,
    /// Made with the first question that needs it.
    pub(super) onward: OnceLock<Onward>,
    /// Names that are not written exactly.
    near: Near,
    /// Names that several things seem to share, made with the first question.
    shared: OnceLock<SharedNames>,
    /// Ranks where no example has taught.
    untaught: PathModel,
    /// What computes, made with the first question that needs it.
    ground: OnceLock<Ground>,
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
    /// How the learned probability of a path becomes that of its answer being right, where a path model has ranked them.
    pub calibration: Option<[f32; 2]>,
    /// Content words that no example of the path model had.
    pub unheard: usize,
    /// Whether it narrows, turns round or computes something in a word that hardly any example had.
    pub unpractised: bool,
    /// Words with a capital that belong to no known name and stood in no example: somebody or something that the graph does not know.
    pub strangers: Vec<String>,
    /// Paths, best first.
    pub candidates: Vec<Candidate>,
}

/// A path with its score and what it yields under the constraints.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The path.
    pub path: Path,
    /// How well its wordings fit, 0 to about 1.
    pub score: f32,
    /// How far it accounts for the question's words, in nats, 0 at best; none in a language whose words are not aligned.
    pub account: Option<f32>,
    /// Its probability among all paths of the question, where a path model ranked them.
    pub learned: Option<f32>,
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
        self.says_beyond(schema, path, constraint::restrictions(&self.folded))
    }

    /// Whether the question names something unknown that is no word of the path's wordings either.
    pub fn names_strangers(&self, schema: &Schema, path: &Path) -> bool {
        self.says_beyond(schema, path, self.strangers.iter().map(String::as_str).collect())
    }

    fn says_beyond(&self, schema: &Schema, path: &Path, said: Vec<&str>) -> bool {
        if said.is_empty() {
            return false;
        }
        let known = wordings::vocabulary(schema, path, &self.lang);
        said.iter().any(|word| !words::units(word).is_subset(&known))
    }
}

impl Reader {
    /// Indexes the names of a snapshot; `shelf` holds the vectors of its tenant.
    pub fn new(snapshot: Arc<Snapshot>, shelf: Arc<Shelf>) -> Result<Self, EngineError> {
        let linker = Linker::new(&snapshot)?;
        Ok(Self {
            linker,
            snapshot,
            shelf,
            spaces: Mutex::default(),
            lexicons: Mutex::default(),
            onward: OnceLock::new(),
            ground: OnceLock::new(),
            near: Near::default(),
            shared: OnceLock::new(),
            untaught: PathModel::untaught(),
        })
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

    /// A question with its names written as in the graph, where they were not and it is sure which are meant.
    pub fn restore(&self, question: &str, lang: &str, meanings: &Meanings) -> Restored {
        let meaning = meanings.get(lang);
        let knows = |word: &str| meaning.is_some_and(|meaning| meaning.knows(word));
        let ground = near::Ground { snapshot: &self.snapshot, linker: &self.linker, lang, knows: &knows };
        self.near.restore(&ground, question)
    }

    /// The relation that says that several things share a thing's name, where one does.
    pub fn shares_name(&self, thing: EntityId) -> Option<&Iri> {
        self.shared.get_or_init(|| SharedNames::new(&self.snapshot)).told_by(thing)
    }

    /// The names in a question that are written as in the graph.
    pub fn names(&self, question: &str) -> Vec<Mention> {
        self.linker.link(question)
    }

    /// Who is called like this, in whatever letters.
    pub fn bearers(&self, name: &str) -> &[EntityId] {
        self.linker.exact(&normal::fold(name)).unwrap_or_default()
    }

    /// Whether the schema says all that a text does.
    pub fn schema_says(&self, text: &str) -> bool {
        self.near.schema_says(&self.snapshot, text)
    }

    /// Links, reads constraints, and ranks paths: as the path model has learned it, else by their wordings. `lang` overrides detection.
    ///
    /// # Errors
    /// A text that the encoder cannot take.
    pub fn read(
        &self,
        question: &str,
        lang: Option<&str>,
        meanings: &Meanings,
        learned: Option<&PathModel>,
    ) -> Result<Reading, EngineError> {
        let lang = lang.unwrap_or_else(|| language::detect(question));
        let learned = learned.or_else(|| (aligned(lang) && meanings.contains_key(lang)).then_some(&self.untaught));
        let wanted =
            learned.map_or_else(Wanted::default, |model| Wanted { most_steps: model.most_steps, meant: &model.meant });
        let walked = self.walk(question, lang, meanings, &wanted)?;
        let scores = match learned {
            Some(model) => walked.scores(self.snapshot.schema(), model),
            None => walked.paths.iter().map(|walk| walk.score).collect(),
        };
        let probabilities = learned.map(|_| probabilities(&scores));
        let mut order: Vec<usize> = (0..walked.paths.len()).filter(|at| !walked.paths[*at].absent).collect();
        order.sort_by(|a, b| {
            let (one, other) = (&walked.paths[*a], &walked.paths[*b]);
            scores[*b].total_cmp(&scores[*a]).then_with(|| one.path.cmp(&other.path))
        });
        order.truncate(MOST_FOLLOWED);
        if let (Some(all), Some(first)) = (&probabilities, order.first().copied()) {
            order.retain(|at| all[*at] >= LEAST_FOLLOWED * all[first]);
        }
        // "Film" and "actor" may be names too, but are words where many examples had them.
        let ordinary = |mention: usize| {
            let text = &walked.folded[walked.mentions[mention].span.clone()];
            learned.is_some_and(|model| model.heard(text) >= PRACTISED)
        };
        let candidates = order.into_iter().map(|at| {
            let walk = &walked.paths[at];
            let (found, unused) = self.follow(&walked, walk);
            let unused_names = unused.into_iter().filter(|mention| !ordinary(*mention)).count();
            let learned = probabilities.as_ref().map(|all| all[at]);
            let (path, score, account) = (walk.path.clone(), walk.score, walk.account);
            Candidate { path, score, account, learned, found, unused_names }
        });
        // What three hops yield nothing was never asked for.
        let candidates = candidates.filter(|one| one.path.steps.len() < 3 || !one.found.trails.is_empty());
        let candidates = if learned.is_some() { by_yield(candidates) } else { candidates.collect() };
        let Walked { lang, folded, mentions, constraints, by_meaning, .. } = walked;
        let calibration = learned.filter(|model| model.taught()).map(|model| model.calibration);
        let practised = |word: &&str| learned.is_some_and(|model| model.heard(word) >= PRACTISED);
        let unpractised = !constraint::restrictions(&folded).iter().all(practised);
        let names: Vec<_> =
            mentions.iter().map(|mention| mention.span.clone()).chain(constraints.year_spans.iter().cloned()).collect();
        let words = features::content_words(&folded, &names);
        let strangers = strangers(question, &folded, &names);
        let heard = |word: &String| learned.is_some_and(|model| model.heard(word) > 0);
        let strangers = strangers.into_iter().filter(|word| !heard(word)).collect();
        let taught = learned.filter(|model| model.taught());
        let unheard = taught.map_or(0, |model| words.iter().filter(|word| model.heard(word) == 0).count());
        Ok(Reading {
            lang,
            folded,
            mentions,
            constraints,
            by_meaning,
            calibration,
            unheard,
            unpractised,
            strangers,
            candidates,
        })
    }

    /// Whether words of the question say every step of a path. Where words are not aligned with steps, a step must be called by its name.
    ///
    /// # Errors
    /// A text that the encoder cannot take.
    pub fn says_all(&self, reading: &Reading, path: &Path, meanings: &Meanings) -> Result<bool, EngineError> {
        let lang = reading.lang.as_str();
        let name = reading.mentions.iter().find(|mention| mention.entities.contains(&path.topic));
        let Some(name) = name else { return Ok(true) };
        let Some(meaning) = meanings.get(lang).filter(|_| aligned(lang)) else {
            return Ok(path.steps.iter().all(|step| self.calls(reading, step)));
        };
        let lexicon = self.lexicon(lang, Meant { meaning, shelf: &self.shelf })?;
        let names = reading.mentions.iter().map(|mention| mention.span.clone());
        let names: Vec<_> = names.chain(reading.constraints.year_spans.iter().cloned()).collect();
        let question = account::Question::new(&reading.folded, &name.span, &names, &[]);
        let vectors = meaning.of_words(&question.texts)?;
        let meant = question.texts.iter().zip(&vectors).map(|(text, vector)| lexicon.meanings(text, vector));
        let classes: Vec<usize> = lexicon.classes(&self.snapshot.entity(path.topic).classes).collect();
        Ok(account::says_all(&question, &meant.collect::<Vec<_>>(), &lexicon, self.snapshot.schema(), &classes, path))
    }

    /// Whether the question has a word of a step's own names, or of those of its inverse or of what it leads to.
    fn calls(&self, reading: &Reading, step: &Step) -> bool {
        let mut bare = reading.folded.clone();
        for mention in reading.mentions.iter().rev() {
            bare.replace_range(mention.span.clone(), " ");
        }
        let asked = words::units(&bare);
        wordings::names(self.snapshot.schema(), step, &reading.lang)
            .iter()
            .any(|name| asked.iter().any(|unit| words::units(name).contains(unit) || is_letter_of(unit, name)))
    }

    /// What a question asks to be computed, where that is understood.
    pub fn operation(&self, question: &str, lang: &str) -> Option<Operation> {
        let folded = normal::fold(question);
        let spans: Vec<_> = self.linker.link(question).into_iter().map(|mention| mention.span).collect();
        let constraints = constraint::read(&folded, &spans);
        let ground = self.ground.get_or_init(|| Ground::new(&self.snapshot));
        ground.operation(&self.snapshot, &self.linker, &folded, lang, &constraints)
    }

    /// Whether the question counts what a path's numbers do not speak of.
    pub fn counts_beside(&self, reading: &Reading, path: &Path) -> bool {
        let ground = self.ground.get_or_init(|| Ground::new(&self.snapshot));
        let relation = path.steps.last().map(|last| &last.relation);
        relation.is_some_and(|relation| ground.counts_beside(&self.snapshot, &reading.folded, relation))
    }

    /// What a path yields within the question, and the mentions of names that have no part in that.
    pub(super) fn follow(&self, walked: &Walked, walk: &Walk) -> (Yield, Vec<usize>) {
        let found = path::follow(&self.snapshot, &walk.path, &walked.constraints.years);
        self.meet(found, walked.topics[walk.topic].mention, &walked.named)
    }
}

/// Whether a word is one CJK letter, and of a name: "哪个省" asks for 所属省份.
fn is_letter_of(word: &str, name: &str) -> bool {
    // "哪" asks and is cut away; the measure word is left.
    let word = word.strip_prefix('个').unwrap_or(word);
    let mut letters = word.chars();
    letters.next().is_some_and(language::is_cjk) && letters.next().is_none() && name.contains(word)
}

/// The content words outside of some stretches that are typed with a capital.
fn strangers(question: &str, folded: &str, without: &[Range<usize>]) -> Vec<String> {
    let outside = |at: &usize| !without.iter().any(|stretch| stretch.contains(at));
    let words = account::way::capitals(question).into_iter().filter(outside).filter_map(|at| {
        let rest = folded.get(at..)?;
        rest.split(|c: char| !c.is_alphanumeric()).next()
    });
    words.filter(|word| !words::is_function_word(word)).map(str::to_owned).collect()
}

/// Candidates that yield the same say the same: the likeliest stands for all, with the probability of all.
fn by_yield(candidates: impl Iterator<Item = Candidate>) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> = Vec::new();
    let mut places: HashMap<u64, usize> = HashMap::new();
    for candidate in candidates {
        let known = candidate.found.fingerprint().map(|print| *places.entry(print).or_insert(kept.len()));
        match known.and_then(|place| kept.get_mut(place)) {
            Some(first) => first.learned = first.learned.zip(candidate.learned).map(|(one, other)| one + other),
            None => kept.push(candidate),
        }
    }
    kept.sort_by(|a, b| b.learned.unwrap_or(0.0).total_cmp(&a.learned.unwrap_or(0.0)));
    kept
}
