//! Runs the steps of question reading in turn.

use super::{
    account::{self, Lexicon},
    chain,
    constraint::{self, Constraints, Expected},
    language,
    link::{Linker, Mention},
    operation::{Ground, Operation},
    ordinary,
    path::{self, Onward, Path, Yield},
    rank::{self, Asked, Meaning, Meant},
    wordings, words,
};
use crate::{
    EngineError,
    learn::{
        Clues, Example, PathModel,
        features::{self, Labels, Plain},
        model::probabilities,
        train::{Choice, Instance},
    },
    represent::{Shelf, Space},
};
use factmask_graph::{EntityId, Snapshot, Value};
use factmask_schema::{Iri, Schema, normal};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

/// How many homonyms of a name are considered; a name shared by more says too little to answer from.
const MOST_HOMONYMS: usize = 8;

/// Topics from which paths are walked.
const MOST_TOPICS: usize = 8;
/// Steps of a path at most.
const MOST_STEPS: usize = 3;
/// Paths that are followed, the likeliest first.
const MOST_FOLLOWED: usize = 256;
/// Of paths that were learned, those less likely than this share of the likeliest are not followed.
const LEAST_FOLLOWED: f32 = 1e-3;
/// Examples that must have had a word that narrows or turns round, before it is taken for learned.
const PRACTISED: u32 = 5;
/// What an answer of another kind or class than asked for costs a path's account, in nats a unit of [`rank::unfit`].
const UNFIT: f32 = 15.0;
/// What things cost where somebody is asked for.
const NOBODY: f32 = 2.0;
/// Where no path yields exactly an example's answers, one whose answers are as near as this (F1) is taken for meant.
const NEAR_ENOUGH: f32 = 0.6;

/// Reads questions over one snapshot.
pub struct Reader {
    snapshot: Arc<Snapshot>,
    linker: Linker,
    shelf: Arc<Shelf>,
    /// The middle of the schema in the language model's space, by language.
    spaces: Mutex<BTreeMap<String, Arc<Space>>>,
    /// What words stand for in the schema, by language.
    lexicons: Mutex<BTreeMap<String, Arc<Lexicon>>>,
    /// Made with the first question that needs it.
    onward: OnceLock<Onward>,
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
        let linker = Linker::new(&snapshot)?;
        Ok(Self {
            linker,
            snapshot,
            shelf,
            spaces: Mutex::default(),
            lexicons: Mutex::default(),
            onward: OnceLock::new(),
            ground: OnceLock::new(),
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
        let wanted = learned.map_or_else(Wanted::default, |model| Wanted {
            most_steps: model.most_steps,
            observed: true,
            meant: &model.meant,
        });
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
        let taught = learned.filter(|model| model.taught());
        let unheard = taught.map_or(0, |model| words.iter().filter(|word| model.heard(word) == 0).count());
        Ok(Reading { lang, folded, mentions, constraints, by_meaning, calibration, unheard, unpractised, candidates })
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
    fn follow(&self, walked: &Walked, walk: &Walk) -> (Yield, Vec<usize>) {
        let found = path::follow(&self.snapshot, &walk.path, &walked.constraints.years);
        self.meet(found, walked.topics[walk.topic].mention, &walked.named)
    }

    /// An example made ready for training: all paths, and which of them yield its answers.
    ///
    /// # Errors
    /// A text that the encoder cannot take.
    pub fn instance(&self, example: &Example, meanings: &Meanings) -> Result<Instance, EngineError> {
        let lang = example.lang.as_deref().unwrap_or_else(|| language::detect(&example.question));
        let walked =
            self.walk(&example.question, lang, meanings, &Wanted { most_steps: MOST_STEPS, ..Wanted::default() })?;
        let wanted = example.wanted();
        let (mut quality, mut yields) = (Vec::new(), Vec::new());
        for walk in &walked.paths {
            let (found, _) = self.follow(&walked, walk);
            quality.push(wanted.quality(&self.snapshot, &found.values(), &walked.lang));
            yields.push(found.fingerprint());
        }
        let best = quality.iter().copied().fold(0.0, f32::max);
        let (clues, mut choices) = walked.features(self.snapshot.schema());
        choices.iter_mut().zip(yields).for_each(|(choice, yields)| choice.yields = yields);
        let choices = choices.into_iter().zip(quality).filter(|(choice, quality)| {
            // As in `read`.
            *quality >= 0.0 || choice.steps.len() < 3
        });
        let choices = choices.map(|(mut choice, quality)| {
            choice.right = best >= NEAR_ENOUGH && quality >= best;
            choice
        });
        Ok(Instance { text: walked.folded, clues, choices: choices.collect() })
    }

    /// Adds to an example made ready those of the paths that examples mean which its topics do not have.
    ///
    /// # Errors
    /// A text that the encoder cannot take.
    pub fn add_absent(
        &self,
        instance: &mut Instance,
        example: &Example,
        meant: &[Vec<String>],
        meanings: &Meanings,
    ) -> Result<(), EngineError> {
        let lang = example.lang.as_deref().unwrap_or_else(|| language::detect(&example.question));
        let wanted = Wanted { most_steps: MOST_STEPS, observed: false, meant };
        let walked = self.walk(&example.question, lang, meanings, &wanted)?;
        let (_, absent) = walked.features(self.snapshot.schema());
        let known: HashSet<(usize, Vec<String>)> =
            instance.choices.iter().map(|choice| (choice.topic, choice.steps.clone())).collect();
        instance
            .choices
            .extend(absent.into_iter().filter(|choice| !known.contains(&(choice.topic, choice.steps.clone()))));
        Ok(())
    }

    /// The wanted paths from the question's topics, with the fit of their wordings.
    fn walk(
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
            ordinary::sort_out(&mut mentions, &folded, self.lexicon(lang, meant)?.as_ref(), &vectors);
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
                let observed =
                    if wanted.observed { path::candidates(&self.snapshot, *topic, onward) } else { Vec::new() };
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
    fn account(
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

    fn lexicon(&self, lang: &str, meant: Meant<'_>) -> Result<Arc<Lexicon>, EngineError> {
        let known = || self.lexicons.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lexicon) = known().get(lang) {
            return Ok(lexicon.clone());
        }
        let lexicon = Arc::new(Lexicon::new(self.snapshot.schema(), lang, meant)?);
        known().insert(lang.to_owned(), lexicon.clone());
        Ok(lexicon)
    }

    fn asked(
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
        let class = constraint::asked_class(folded, self.snapshot.schema(), lang);
        let meaning = meant.map(|meant| meant.meaning.of(&sentence)).transpose()?.unwrap_or_default();
        Ok(Asked { units: words::units(&bare), sentence, meaning, expected: constraints.expected, class })
    }

    /// A second name in the question narrows the answer: the values that are tied to it, where there are any. A value that the
    /// question itself names is not its answer. Also the mentions of names that have no part in the path.
    fn meet(&self, mut found: Yield, topic: usize, named: &[Named]) -> (Yield, Vec<usize>) {
        let mut unused = Vec::new();
        for other in named.iter().filter(|other| other.beside(topic)) {
            if other.doubtful {
                // A word that may be a name after all narrows nothing, and where it could nothing is sure.
                let tied = found.trails.iter().filter(|trail| other.is_tied_to(&trail.value)).count();
                unused.extend(other.places.first().filter(|_| tied > 0 && tied < found.trails.len()));
                continue;
            }
            found.trails.retain(|trail| !other.is(&trail.value));
            if found.trails.iter().any(|trail| other.is_tied_to(&trail.value)) {
                found.trails.retain(|trail| other.is_tied_to(&trail.value));
                continue;
            }
            let on_the_way = found.trails.iter().flat_map(|trail| &trail.facts).any(|id| {
                let fact = self.snapshot.fact(*id);
                fact.is_some_and(|fact| other.is(&fact.statement.object) || other.own.contains(&fact.statement.subject))
            });
            unused.extend(other.places.first().filter(|_| !on_the_way));
        }
        (found, unused)
    }

    /// The names of a question, each once, with what the graph ties to them; none where there is but one.
    fn named(&self, mentions: &[Mention]) -> Vec<Named> {
        let mut distinct: Vec<(&Mention, Vec<usize>)> = Vec::new();
        for (number, mention) in mentions.iter().enumerate() {
            if let Some((_, places)) = distinct.iter_mut().find(|(known, _)| known.entities == mention.entities) {
                places.push(number);
            } else if distinct.len() <= MOST_TOPICS {
                distinct.push((mention, vec![number]));
            }
        }
        if distinct.len() < 2 {
            return Vec::new();
        }
        let name = |(mention, places): (&Mention, Vec<usize>)| {
            let own = mention.entities.iter().map(|id| self.snapshot.entity(*id).iri.clone()).collect();
            let tied = mention.entities.iter().flat_map(|id| {
                let objects = self.snapshot.facts_of(*id).filter_map(|fact| match &fact.statement.object {
                    Value::Entity(iri) => Some(iri.clone()),
                    _ => None,
                });
                objects.chain(self.snapshot.facts_to(*id).map(|fact| fact.statement.subject.clone()))
            });
            Named { places, own, tied: tied.collect(), doubtful: mention.doubtful }
        };
        distinct.into_iter().map(name).collect()
    }
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

/// A name in a question.
struct Named {
    /// The mentions of it, by number.
    places: Vec<usize>,
    /// What bears it.
    own: HashSet<Iri>,
    /// What is one fact away from that.
    tied: HashSet<Iri>,
    /// Whether it may be no name.
    doubtful: bool,
}

impl Named {
    fn beside(&self, topic: usize) -> bool {
        !self.places.contains(&topic)
    }

    fn is(&self, value: &Value) -> bool {
        matches!(value, Value::Entity(iri) if self.own.contains(iri))
    }

    fn is_tied_to(&self, value: &Value) -> bool {
        matches!(value, Value::Entity(iri) if self.tied.contains(iri))
    }
}

/// Which paths are looked for.
struct Wanted<'a> {
    /// Up to this many steps, or as many as the question's possessives ask for.
    most_steps: usize,
    /// Those that the data shows and the schema allows.
    observed: bool,
    /// These, whether or not a topic has them, as their steps' signs.
    meant: &'a [Vec<String>],
}

impl Default for Wanted<'_> {
    fn default() -> Self {
        Self { most_steps: 0, observed: true, meant: &[] }
    }
}

impl Wanted<'_> {
    /// Those that are not among the observed ones.
    fn absent(&self, topic: EntityId, observed: &[Path]) -> Vec<Path> {
        let known: HashSet<&[path::Step]> = observed.iter().map(|path| path.steps.as_slice()).collect();
        let steps =
            |signs: &Vec<String>| signs.iter().map(|sign| path::Step::of_sign(sign)).collect::<Option<Vec<_>>>();
        let absent = self.meant.iter().filter_map(steps).filter(|steps| !known.contains(steps.as_slice()));
        absent.map(|steps| Path { topic, steps }).collect()
    }
}

/// Whether words of a language are aligned with paths: where spaces part them.
fn aligned(lang: &str) -> bool {
    lang != "zh"
}

/// A question about one name.
struct About<'a> {
    folded: &'a str,
    name: &'a std::ops::Range<usize>,
    /// All names and years.
    others: &'a [std::ops::Range<usize>],
    /// Where words with a capital begin.
    capitals: &'a [usize],
    asked: &'a Asked,
}

/// All paths of a question, before any is followed.
struct Walked {
    lang: String,
    folded: String,
    mentions: Vec<Mention>,
    named: Vec<Named>,
    constraints: Constraints,
    by_meaning: bool,
    topics: Vec<Topic>,
    paths: Vec<Walk>,
}

/// A thing that the question may be about.
struct Topic {
    mention: usize,
    asked: Asked,
    /// Steps that the possessives behind it ask for.
    links: usize,
}

struct Walk {
    path: Path,
    score: f32,
    account: Option<f32>,
    /// Whether the graph has no such path from the topic.
    absent: bool,
    topic: usize,
}

impl Walked {
    /// What the path model sees: clues by topic, choices by path.
    fn features(&self, schema: &Schema) -> (Vec<Clues>, Vec<Choice>) {
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

    fn scores(&self, schema: &Schema, model: &PathModel) -> Vec<f32> {
        let (clues, choices) = self.features(schema);
        let asked: Vec<_> = clues.iter().map(|clues| model.ask(clues)).collect();
        choices.iter().map(|choice| asked[choice.topic].score(&choice.parts, &choice.shared)).collect()
    }
}
