//! From examples to an extractor, and to what held-out examples say of it.

use super::classifier::{Classifier, Instance};
use super::locate::{locate, value_of};
use super::tagger::{Tagged, Tagger, tags, token_features};
use super::tokens::Text;
use super::{Aim, Bars, Extractor, TextExample, pairs};
use crate::text::sentences;
use factmask_schema::normal::fold;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Parts into which the examples are cut to hold each out once.
const FOLDS: usize = 3;
/// How much mentions are leant towards, by turns; the best is kept. Scores of the tagger are sums of steps of one.
const LEANS: [f32; 3] = [0.0, 20.0, 60.0];
/// Facts that are less likely are not looked at.
const LEAST: f32 = 0.05;

/// An example with its tokens and the places of what its facts name.
struct Prepared<'e> {
    text: Text<'e>,
    features: Vec<Vec<super::features::Feature>>,
    places: BTreeMap<&'e str, Vec<Range<usize>>>,
    triples: &'e [[String; 3]],
}

impl<'e> Prepared<'e> {
    fn new(example: &'e TextExample) -> Self {
        let text = Text::new(&example.text);
        let features = (0..text.tokens.len()).map(|at| token_features(&text, at)).collect();
        let mut places = BTreeMap::new();
        for name in example.triples.iter().flat_map(|[subject, _, object]| [subject, object]) {
            places.entry(name.as_str()).or_insert_with(|| locate(&text, name));
        }
        Self { text, features, places, triples: &example.triples }
    }

    fn mentions(&self) -> Vec<Range<usize>> {
        self.places.values().flatten().cloned().collect()
    }

    /// What the example states, as it compares with what is found.
    fn gold(&self) -> BTreeSet<[String; 3]> {
        self.triples.iter().map(|[subject, relation, object]| [said(subject), relation.clone(), said(object)]).collect()
    }
}

/// A name or value in a form that all ways to write it share.
fn said(text: &str) -> String {
    value_of(text).unwrap_or_else(|| {
        let folded = fold(text);
        let words =
            folded.split(|char: char| !char.is_alphanumeric()).filter(|word| !matches!(*word, "" | "a" | "an" | "the"));
        words.collect::<Vec<_>>().join(" ")
    })
}

/// Each sentence as an example of its own, with the facts whose ends both stand in it.
pub(super) fn by_sentence(examples: &[TextExample]) -> Vec<TextExample> {
    let mut all = Vec::new();
    for example in examples {
        for range in sentences(&example.text) {
            let sentence = example.text.get(range).unwrap_or_default();
            let text = Text::new(sentence);
            let said = |name: &String| !locate(&text, name).is_empty();
            let triples = example.triples.iter().filter(|[subject, _, object]| said(subject) && said(object));
            all.push(TextExample { text: sentence.to_owned(), triples: triples.cloned().collect() });
        }
    }
    all
}

/// Learns from all examples; the bars come from learning thrice without a third of them.
pub(super) fn train(examples: &[TextExample]) -> (Extractor, Bars) {
    let prepared: Vec<Prepared<'_>> = examples.iter().map(Prepared::new).collect();
    let relations: BTreeSet<&str> =
        examples.iter().flat_map(|example| &example.triples).map(|[_, relation, _]| relation.as_str()).collect();
    let relations: Vec<String> = relations.into_iter().map(str::to_owned).collect();
    let tagged: Vec<Tagged> =
        prepared.iter().map(|example| (example.features.clone(), tags(&example.text, &example.mentions()))).collect();
    // How far to lean is told by the first part alone, which costs a third of telling it by all.
    let lean = LEANS
        .into_iter()
        .map(|lean| (lean, held_out(&prepared, &tagged, &relations, lean, &[0]).held(Aim::Balance).f1()))
        .fold((0.0, -1.0), |best, own| if own.1 > best.1 { own } else { best })
        .0;
    let bars = held_out(&prepared, &tagged, &relations, lean, &(0..FOLDS).collect::<Vec<_>>());
    let all: Vec<usize> = (0..prepared.len()).collect();
    (extractor(&prepared, &tagged, &relations, lean, &all), bars)
}

fn held_out(prepared: &[Prepared<'_>], tagged: &[Tagged], relations: &[String], lean: f32, parts: &[usize]) -> Bars {
    let mut bars = Bars::default();
    for part in parts {
        let (held, kept): (Vec<usize>, Vec<usize>) = (0..prepared.len()).partition(|number| number % FOLDS == *part);
        let extractor = extractor(prepared, tagged, relations, lean, &kept);
        for example in held.iter().filter_map(|number| prepared.get(*number)) {
            let gold = example.gold();
            let mut found: BTreeMap<[String; 3], f32> = BTreeMap::new();
            for fact in extractor.facts(&example.text, LEAST) {
                let Some(relation) = relations.get(fact.relation) else { continue };
                let [subject, object] = [&fact.subject, &fact.object].map(|tokens| said(example.text.written(tokens)));
                let best = found.entry([subject, relation.clone(), object]).or_default();
                *best = best.max(fact.probability);
            }
            bars.gold += gold.len();
            bars.facts.extend(found.into_iter().map(|(triple, probability)| (probability, gold.contains(&triple))));
        }
    }
    bars.facts.sort_by(|a, b| b.0.total_cmp(&a.0));
    bars
}

fn extractor(
    prepared: &[Prepared<'_>],
    tagged: &[Tagged],
    relations: &[String],
    lean: f32,
    examples: &[usize],
) -> Extractor {
    let tagger = Tagger::train(&examples.iter().filter_map(|number| tagged.get(*number)).collect::<Vec<_>>());
    let mut instances: Vec<Instance> = Vec::new();
    for example in examples.iter().filter_map(|number| prepared.get(*number)) {
        instances_of(example, &tagger, relations, lean, &mut instances);
    }
    let classifier = Classifier::train(&instances.iter().collect::<Vec<_>>(), relations.len() + 1);
    Extractor { tagger, lean, classifier, relations: relations.to_vec() }
}

/// Each pair of mentions with the relation that the example states; pairs of which it says nothing are of none.
fn instances_of(example: &Prepared<'_>, tagger: &Tagger, relations: &[String], lean: f32, into: &mut Vec<Instance>) {
    let mut stated: BTreeMap<(usize, usize, usize, usize), BTreeSet<usize>> = BTreeMap::new();
    for [subject, relation, object] in example.triples {
        let Ok(class) = relations.binary_search(relation) else { continue };
        let places = |name: &String| example.places.get(name.as_str()).into_iter().flatten();
        for (s, o) in places(subject).flat_map(|s| places(object).map(move |o| (s, o))) {
            stated.entry((s.start, s.end, o.start, o.end)).or_default().insert(class + 1);
        }
    }
    let mut mentions = tagger.mentions(&example.text, lean);
    mentions.extend(example.mentions());
    mentions.sort_by_key(|mention| (mention.start, mention.end));
    mentions.dedup();
    for (subject, object) in pairs::pairs(&example.text, &mentions) {
        let features = pairs::features(&example.text, subject, object, &mentions);
        match stated.get(&(subject.start, subject.end, object.start, object.end)) {
            Some(classes) => into.extend(classes.iter().map(|class| (features.clone(), *class))),
            None => into.push((features, 0)),
        }
    }
}
