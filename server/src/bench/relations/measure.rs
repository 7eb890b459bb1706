//! Reads questions and sentences in every representation and counts.

use super::{
    asked::{Asked, Own, Trial},
    likeness::{Likeness, Right, by_directions, by_vectors, by_words, right, sum},
};
use anyhow::Result;
use factmask_engine::{
    embed::SentenceEncoder,
    fusion::{CardMaker, Prompt},
    model::LanguageModel,
    represent::{HiddenStates, hidden::States},
};
use factmask_graph::Snapshot;
use factmask_schema::normal;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What a run found.
#[derive(Serialize)]
pub struct Measured {
    /// Single representations and sums without the layers.
    pub rows: Vec<Row>,
    /// Hidden states by where they are read.
    pub hidden: Vec<Source>,
}

/// One representation, or one sum.
#[derive(Serialize)]
pub struct Row {
    pub name: String,
    pub right: Right,
    pub synthetic: Right,
}

/// One way of reading hidden states.
#[derive(Serialize)]
pub struct Source {
    pub name: &'static str,
    /// The layer whose sum with the encoder is best on the synthetic questions; of several the one that is best alone there.
    pub chosen: usize,
    pub layers: Vec<Layer>,
}

/// One layer, counted from 0.
#[derive(Serialize)]
pub struct Layer {
    pub layer: usize,
    pub synthetic: Right,
    pub synthetic_with_encoder: Right,
    pub alone: Right,
    pub with_words: Right,
    pub with_encoder: Right,
    pub three: Right,
}

/// Weight of representations beside shared words, and what is left for the words.
const MEANING: f32 = 0.65;
const WORDS: f32 = 1.0 - MEANING;

/// One way of reading hidden states: for every own sentence, and for every question of both sets, a vector a layer.
struct Way {
    name: &'static str,
    own: Vec<Vec<Vec<f32>>>,
    asked: [Vec<Vec<Vec<f32>>>; 2],
}

/// The questions of a run, and what they can be about.
struct Set<'a> {
    asked: &'a [Asked],
    fitting: Vec<Vec<bool>>,
}

/// What is measured on.
pub struct Measure<'a> {
    pub snapshot: &'a Snapshot,
    pub trial: &'a Trial,
    pub lang: &'a str,
}

impl Measure<'_> {
    pub fn run(&self, model: &LanguageModel, encoder: &SentenceEncoder, cards: bool) -> Result<Measured> {
        let own = &self.trial.own;
        let sets = [self.set(&self.trial.asked), self.set(&self.trial.synthetic)];
        let words = sets.each_ref().map(|set| by_words(set.asked, own));
        let [raw, centred] = self.encoded(encoder, &sets)?;
        let count = |likeness: &[Likeness; 2]| {
            let [scored, synthetic] = [0, 1].map(|at| right(&likeness[at], sets[at].asked, own, &sets[at].fitting));
            (scored, synthetic)
        };
        let mut rows = Vec::new();
        let mut note = |name: String, parts: &[(f32, &[Likeness; 2])]| {
            let both = [0, 1].map(|at| sum(&parts.iter().map(|(w, part)| (*w, &part[at])).collect::<Vec<_>>()));
            let (right, synthetic) = count(&both);
            rows.push(Row { name, right, synthetic });
        };
        note("words".to_owned(), &[(1.0, &words)]);
        note("encoder".to_owned(), &[(1.0, &raw)]);
        note("encoder, centred".to_owned(), &[(1.0, &centred)]);
        for weight in [0.5, MEANING, 0.8, 0.9] {
            let rest = 1.0 - weight;
            note(format!("{rest:.2} words + {weight:.2} encoder"), &[(rest, &words), (weight, &raw)]);
            note(format!("{rest:.2} words + {weight:.2} encoder, centred"), &[(rest, &words), (weight, &centred)]);
        }
        let mut hidden = Vec::new();
        for Way { name, own: own_states, asked: asked_states } in self.hidden(model, &sets, cards)? {
            let layers = own_states.first().map_or(0, Vec::len);
            let mut source = Source { name, chosen: 0, layers: Vec::new() };
            let mut likenesses = Vec::new();
            for layer in 0..layers {
                let at = |states: &'_ [Vec<Vec<f32>>]| {
                    states.iter().filter_map(|state| state.get(layer).cloned()).collect::<Vec<_>>()
                };
                let own_at = at(&own_states);
                let own_at = slices(&own_at);
                let both = asked_states.each_ref().map(|states| by_vectors(&slices(&at(states)), &own_at));
                let scored = |parts: &[(f32, &Likeness)]| right(&sum(parts), sets[0].asked, own, &sets[0].fitting);
                let (alone, synthetic) = count(&both);
                let with_encoder = [0, 1].map(|at| sum(&[(1.0, &centred[at]), (1.0, &both[at])]));
                let (with_encoder, synthetic_with_encoder) = count(&with_encoder);
                source.layers.push(Layer {
                    layer,
                    synthetic,
                    synthetic_with_encoder,
                    alone,
                    with_words: scored(&[(WORDS, &words[0]), (MEANING, &both[0])]),
                    with_encoder,
                    three: scored(&[(WORDS, &words[0]), (MEANING / 2.0, &centred[0]), (MEANING / 2.0, &both[0])]),
                });
                likenesses.push(both);
            }
            let by_sum = |layer: &&Layer| (layer.synthetic_with_encoder.of_all, layer.synthetic.of_all);
            let best = source.layers.iter().max_by_key(by_sum);
            source.chosen = best.map_or(0, |layer| layer.layer);
            if let Some(chosen) = likenesses.get(source.chosen) {
                let at = format!("hidden ({name}, layer {})", source.chosen);
                note(at.clone(), &[(1.0, chosen)]);
                note(format!("words + {at}"), &[(WORDS, &words), (MEANING, chosen)]);
                for share in [0.25, 0.5, 0.75] {
                    let rest = 1.0 - share;
                    note(format!("{rest:.2} encoder + {share:.2} {at}"), &[(rest, &centred), (share, chosen)]);
                    for weight in [0.0, 0.1, WORDS] {
                        let meaning = 1.0 - weight;
                        let parts = [(weight, &words), (meaning * rest, &centred), (meaning * share, chosen)];
                        if weight > 0.0 {
                            note(format!("{weight:.2} words + {rest:.2} encoder + {share:.2} {at}"), &parts);
                        }
                    }
                }
            }
            hidden.push(source);
        }
        Ok(Measured { rows, hidden })
    }

    fn set<'a>(&self, asked: &'a [Asked]) -> Set<'a> {
        let fitting = asked.iter().map(|asked| self.trial.fitting(self.snapshot, asked.entity)).collect();
        Set { asked, fitting }
    }

    /// Likeness by sentence embeddings, as the ranker takes it and centred, for each set. Questions are put as the reader puts them: folded, with
    /// the class in place of the name.
    fn encoded(&self, encoder: &SentenceEncoder, sets: &[Set<'_>; 2]) -> Result<[[Likeness; 2]; 2]> {
        let own = encoder.encode(&texts(&self.trial.own))?;
        let asked = sets.each_ref().map(|set| {
            let folded: Vec<String> = set.asked.iter().map(|asked| normal::fold(&asked.general)).collect();
            encoder.encode(&folded.iter().map(String::as_str).collect::<Vec<_>>())
        });
        let [scored, synthetic] = asked;
        let (scored, synthetic) = (scored?, synthetic?);
        let sets = [&scored, &synthetic];
        let plain = sets.map(|asked| by_directions(asked, &own, encoder.unlike()));
        Ok([plain, sets.map(|asked| by_vectors(&slices(asked), &slices(&own)))])
    }

    /// Every way of reading hidden states: its name, those of the own sentences and those of both sets.
    fn hidden(&self, model: &LanguageModel, sets: &[Set<'_>; 2], cards: bool) -> Result<Vec<Way>> {
        let layers: Vec<usize> = (0..model.config().layers).collect();
        let prompt = Prompt::new(model, self.lang)?;
        let states = HiddenStates::new(model, &prompt)?;
        let mut read_once: BTreeMap<String, States> = BTreeMap::new();
        let mut each = |texts: &[&str]| -> Result<Vec<States>> {
            let new: BTreeSet<&str> = texts.iter().copied().filter(|text| !read_once.contains_key(*text)).collect();
            let new: Vec<&str> = new.into_iter().collect();
            read_once.extend(new.iter().map(|text| (*text).to_owned()).zip(states.of(&new, &layers)?));
            Ok(texts.iter().filter_map(|text| read_once.get(*text).cloned()).collect())
        };
        let own = each(&texts(&self.trial.own))?;
        let mut read = |say: &dyn Fn(&Asked) -> &str| -> Result<[Vec<States>; 2]> {
            let mut of = |set: &Set<'_>| each(&set.asked.iter().map(say).collect::<Vec<_>>());
            Ok([of(&sets[0])?, of(&sets[1])?])
        };
        let named = read(&|asked| &asked.named)?;
        let general = read(&|asked| &asked.general)?;
        let question = |states: &Vec<States>| states.iter().map(|state| state.question.clone()).collect::<Vec<_>>();
        let answer = |states: &Vec<States>| states.iter().map(|state| state.answer.clone()).collect::<Vec<_>>();
        let mut ways = vec![
            Way { name: "name, end of question", own: question(&own), asked: named.each_ref().map(question) },
            Way { name: "name, start of answer", own: answer(&own), asked: named.each_ref().map(answer) },
            Way { name: "class, end of question", own: question(&own), asked: general.each_ref().map(question) },
            Way { name: "class, start of answer", own: answer(&own), asked: general.each_ref().map(answer) },
        ];
        if cards {
            let [scored, synthetic] = sets.each_ref().map(|set| self.in_sight(model, &states, set, &layers));
            let seen = [scored?, synthetic?];
            let (at_end, at_start) = (seen.each_ref().map(question), seen.each_ref().map(answer));
            ways.push(Way { name: "card in view, end of question", own: question(&own), asked: at_end });
            ways.push(Way { name: "card in view, start of answer", own: answer(&own), asked: at_start });
        }
        Ok(ways)
    }

    /// States of named questions behind the first card of their entity.
    fn in_sight(
        &self,
        model: &LanguageModel,
        states: &HiddenStates<'_>,
        set: &Set<'_>,
        layers: &[usize],
    ) -> Result<Vec<States>> {
        let maker = CardMaker { snapshot: self.snapshot, tokenizer: model.tokenizer(), lang: self.lang };
        let mut by_entity: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (number, asked) in set.asked.iter().enumerate() {
            by_entity.entry(asked.entity).or_default().push(number);
        }
        let mut found: Vec<Option<States>> = set.asked.iter().map(|_| None).collect();
        for (entity, numbers) in by_entity {
            let card = maker.cards(entity)?.into_iter().next().map(|card| card.tokens()).unwrap_or_default();
            let behind = if card.is_empty() { None } else { Some(states.behind(&card)?) };
            let questions: Vec<&str> = numbers.iter().map(|number| set.asked[*number].named.as_str()).collect();
            let read = behind.as_ref().unwrap_or(states).of(&questions, layers)?;
            for (number, state) in numbers.into_iter().zip(read) {
                found[number] = Some(state);
            }
        }
        Ok(found.into_iter().flatten().collect())
    }
}

fn texts(own: &[Own]) -> Vec<&str> {
    own.iter().map(|own| own.text.as_str()).collect()
}

fn slices(vectors: &[Vec<f32>]) -> Vec<&[f32]> {
    vectors.iter().map(Vec::as_slice).collect()
}
