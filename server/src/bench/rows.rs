//! The rows of the table: one question seen in ten ways.

use super::{
    TENANT,
    cases::Case,
    counterfactual::{Without, World},
    random::Random,
    tally::{Outcome, Outcomes, Row},
};
use anyhow::{Context as _, Result};
use factmask_engine::{
    AskOptions, Engine,
    answer::{Mode, PathView},
    decode::{Features, LeafScores},
    fusion::{
        AttentionPlan, CardMaker, Fuser, Guidance, Layout, PlannedCard, Readings,
        plan::{self, Compiler, PossibleAnswer},
        run::{Cost, RunOptions, Source},
    },
    question::path::{Path, Step, Trail},
};
use factmask_graph::{EntityId, FactId, Snapshot, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Instant,
};

/// Strength of the emphasis in the trial rows, as in the design's trials.
const STRENGTH: f32 = 2.0;
/// Cards of other subjects beside the right one.
const DISTRACTORS: usize = 3;

/// The product's modes and what the table calls them.
pub const MODES: &[(Mode, &str)] = &[
    (Mode::Fused, "fused"),
    (Mode::GraphOnly, "graph only"),
    (Mode::Uniform, "uniform logits"),
    (Mode::ExactPrompt, "short exact prompt"),
];

/// Runs cases and collects the rows.
pub struct Trial<'a> {
    /// The engine under test.
    pub engine: &'a Engine,
    /// The world.
    pub world: &'a World,
    /// The world as a snapshot.
    pub snapshot: Arc<Snapshot>,
    /// `en` or `zh`.
    pub lang: &'a str,
    /// The rows so far.
    pub rows: BTreeMap<String, Row>,
    /// Inputs and outcome of every decision, for fitting the weights.
    pub witnesses: Vec<(Features, bool)>,
    /// The paths in view with the fact there and the right value as it is said, for weighing what chooses among them.
    pub views: Vec<(Vec<PathView>, String)>,
}

/// What a row shows and how.
struct View<'a> {
    cards: Vec<PlannedCard>,
    emphasised: BTreeSet<FactId>,
    path: Option<(&'a Path, &'a Trail)>,
}

impl Trial<'_> {
    /// Runs one case through all rows.
    pub fn run(&mut self, number: usize, case: &Case, random: &mut Random) -> Result<()> {
        let fuser = self.engine.fuser().context("bench mask needs a language model")?;
        let snapshot = self.snapshot.clone();
        let gold = FactId::of(&case.gold.statement);
        let prompt = self.engine.prompt(fuser, self.lang)?;
        let compiler = Compiler { snapshot: &snapshot, tokenizer: fuser.model().tokenizer(), prompt: &prompt };
        let maker = CardMaker { snapshot: &snapshot, tokenizer: fuser.model().tokenizer(), lang: self.lang };
        let Some((cards, at)) = shown(&maker, case, gold, random)? else { return Ok(()) };
        let answers = plan::possible_answers(&maker, &cards, std::slice::from_ref(&case.gold.statement.object));

        let linking = Instant::now();
        let reader = self.engine.reader(TENANT, &snapshot)?;
        let prepared = self.engine.prepare(TENANT, &reader, &case.question, Some(self.lang))?;
        let link_ms = linking.elapsed().as_secs_f64() * 1e3;
        let best = prepared.best.and_then(|best| prepared.reading.candidates.get(best));
        let linked = best.and_then(|best| Some((&best.path, best.found.trails.first()?)));
        let lines: BTreeSet<FactId> =
            best.iter().flat_map(|best| &best.found.trails).flat_map(|trail| trail.facts.iter().copied()).collect();
        let topic: Option<EntityId> = best.map(|best| best.path.topic);
        let masked: Vec<PlannedCard> = cards.iter().filter(|card| Some(card.card.entity) == topic).cloned().collect();
        let none = BTreeSet::new();
        let gold_only = BTreeSet::from([gold]);

        let plan = |view: View<'_>, answers: &[PossibleAnswer]| -> Result<AttentionPlan> {
            let (stem, spaced) = match view.path {
                Some((path, trail)) => compiler.stem(&maker, path, Some(trail))?,
                None => (Vec::new(), false),
            };
            let guidance = [Guidance { facts: view.emphasised, strength: STRENGTH, stem, spaced }];
            Ok(compiler.plan(view.cards, &case.question, answers.to_vec(), &guidance, self.lang)?)
        };
        let blocks = RunOptions::default();
        let no_stem = |plain: &Option<LeafScores>| plain.clone().context("the plain reading was asked for");
        let pasted = RunOptions { layout: Layout::Pasted, plain: true, ..blocks };
        let uniform = RunOptions { source: Source::Uniform, ..blocks };
        let wanted = &case.gold.statement.object;
        let mut results: Vec<(String, Option<Outcome>)> = Vec::new();
        let mut add = |row: &str, outcome: Option<Outcome>| results.push((row.to_owned(), outcome));

        // Everything pasted, and the one right card pasted: the baselines. Their plain reading has no stem.
        let all = plan(View { cards: cards.clone(), emphasised: none.clone(), path: linked }, &answers)?;
        let readings = fuser.run(TENANT, &all, pasted, |_| Ok(0))?;
        add("serial RAG (four cards pasted)", Some(outcome(&all, &readings.guided, wanted, &readings.cost, link_ms)));
        add("serial RAG, no stem", Some(outcome(&all, &no_stem(&readings.plain)?, wanted, &readings.cost, link_ms)));
        if masked.is_empty() {
            for row in [
                "short exact prompt",
                "short exact prompt, no stem",
                "masked",
                "masked, no stem",
                "masked + emphasis (own linker)",
                "fused, uniform logits",
            ] {
                add(row, None);
            }
        } else {
            let exact = plan(View { cards: masked.clone(), emphasised: none.clone(), path: linked }, &answers)?;
            let readings = fuser.run(TENANT, &exact, pasted, |_| Ok(0))?;
            add("short exact prompt", Some(outcome(&exact, &readings.guided, wanted, &readings.cost, link_ms)));
            add(
                "short exact prompt, no stem",
                Some(outcome(&exact, &no_stem(&readings.plain)?, wanted, &readings.cost, link_ms)),
            );
            // Cold first: a store of its own that knows the prefix alone. The second run finds everything warm.
            let cold = Fuser::new(fuser.shared_model(), 1 << 28);
            cold.warm(TENANT, &AttentionPlan { cards: Vec::new(), ..exact.clone() })?;
            let guided = plan(View { cards: masked.clone(), emphasised: lines.clone(), path: linked }, &answers)?;
            let readings = cold.run(TENANT, &guided, blocks, |_| Ok(0))?;
            add(
                "masked + emphasis (own linker), cold cards",
                Some(outcome(&guided, &readings.guided, wanted, &readings.cost, link_ms)),
            );
            let readings = cold.run(TENANT, &guided, blocks, |_| Ok(0))?;
            add(
                "masked + emphasis (own linker)",
                Some(outcome(&guided, &readings.guided, wanted, &readings.cost, link_ms)),
            );
            let readings = cold.run(TENANT, &exact, RunOptions { plain: true, ..blocks }, |_| Ok(0))?;
            add("masked", Some(outcome(&exact, &readings.guided, wanted, &readings.cost, link_ms)));
            add("masked, no stem", Some(outcome(&exact, &no_stem(&readings.plain)?, wanted, &readings.cost, link_ms)));
            let readings = fuser.run(TENANT, &exact, uniform, |_| Ok(0))?;
            add("fused, uniform logits", Some(outcome(&exact, &readings.guided, wanted, &readings.cost, link_ms)));
        }
        fuser.warm(TENANT, &all)?;
        let readings = fuser.run(TENANT, &all, blocks, |_| Ok(0))?;
        add("unmasked", Some(outcome(&all, &readings.guided, wanted, &readings.cost, link_ms)));

        // Oracles: the path is given.
        let right_card = vec![cards[at].clone()];
        let path = Path {
            topic: right_card[0].card.entity,
            steps: vec![Step { relation: case.gold.statement.relation.clone(), forward: true }],
        };
        let trail = Trail { facts: vec![gold], value: wanted.clone() };
        let given = Some((&path, &trail));
        let oracle = plan(View { cards: right_card.clone(), emphasised: gold_only, path: given }, &answers)?;
        let readings = fuser.run(TENANT, &oracle, blocks, |_| Ok(0))?;
        add(
            "masked + emphasis (gold line: oracle)",
            Some(outcome(&oracle, &readings.guided, wanted, &readings.cost, 0.0)),
        );
        if let Some(wrong) = other_line(&right_card[0], gold, random) {
            let wrong =
                plan(View { cards: right_card.clone(), emphasised: BTreeSet::from([wrong]), path: given }, &answers)?;
            let readings = fuser.run(TENANT, &wrong, blocks, |_| Ok(0))?;
            add(
                "wrong line emphasised (gold stem)",
                Some(outcome(&wrong, &readings.guided, wanted, &readings.cost, 0.0)),
            );
        }
        if let Some(absent) = without(&right_card[0], gold) {
            let absent = plan(View { cards: vec![absent], emphasised: none, path: given }, &answers)?;
            let readings = fuser.run(TENANT, &absent, blocks, |_| Ok(0))?;
            add("fact absent (gold stem; right = refused)", Some(absent_outcome(&absent, &readings, wanted)));
        }
        for (row, outcome) in results {
            let refused = Outcome { verdict: Outcomes::Refused, probability: 0.0, first_token_ms: link_ms };
            self.rows.entry(row).or_default().outcomes.insert(number, outcome.unwrap_or(refused));
        }
        Ok(())
    }

    /// The product's own decision, to answer or to refuse, with the fact there, with the fact gone and with the relation unknown.
    pub fn product(&mut self, number: usize, case: &Case, modes: &[(Mode, &str)]) -> Result<()> {
        let said = self.snapshot.said(&case.gold.statement.object, self.lang);
        let relation = case.gold.statement.relation.clone();
        let gone = Arc::new(self.world.snapshot(&Without::Fact(case.gold.fact)));
        let unknown = Arc::new(self.world.snapshot(&Without::Relation(relation)));
        let whole = self.snapshot.clone();
        let worlds = [(&whole, ""), (&gone, ", fact absent"), (&unknown, ", relation unknown")];
        for (mode, name) in modes {
            for (snapshot, without) in worlds {
                let there = without.is_empty();
                let options = AskOptions {
                    tenant: TENANT.to_owned(),
                    mode: *mode,
                    explain: true,
                    bar: None,
                    lang: Some(self.lang.to_owned()),
                    ..AskOptions::default()
                };
                let answer = self.engine.answer(snapshot, &case.question, &options)?;
                let verdict = Outcomes::of(&answer, there.then_some(&case.gold.statement.object));
                let row = format!("product: {name}{without}");
                let outcome =
                    Outcome { verdict, probability: answer.confidence, first_token_ms: answer.timings.first_token_ms };
                self.rows.entry(row).or_default().outcomes.insert(number, outcome);
                let explained = answer.explanation.filter(|_| *mode == Mode::Fused);
                if let Some((witnesses, explanation)) = explained.and_then(|e| Some((e.witnesses?, e))) {
                    self.witnesses.push((witnesses, there && explanation.proposed == [said.clone()]));
                    if there {
                        self.views.push((explanation.view, said.clone()));
                    }
                }
            }
        }
        Ok(())
    }
}

/// The right card among cards of other subjects that have the same relation, in random order; the right one's place.
fn shown(
    maker: &CardMaker<'_>,
    case: &Case,
    gold: FactId,
    random: &mut Random,
) -> Result<Option<(Vec<PlannedCard>, usize)>> {
    let snapshot = maker.snapshot;
    let holding = |entity: EntityId, wanted: &dyn Fn(FactId) -> bool| -> Result<Option<PlannedCard>> {
        let found = maker.cards(entity)?.into_iter().find(|card| card.lines.iter().any(|line| wanted(line.fact)));
        Ok(found.map(|card| PlannedCard { card, hidden: BTreeSet::new() }))
    };
    let Some(subject) = snapshot.find(&case.gold.statement.subject) else { return Ok(None) };
    let Some(right) = holding(subject, &|fact| fact == gold)? else { return Ok(None) };
    let mut others: Vec<EntityId> = (0..snapshot.entities().len() as u32)
        .map(EntityId)
        .filter(|id| *id != subject && has(snapshot, *id, case).is_some())
        .collect();
    random.shuffle(&mut others);
    let mut cards = vec![right];
    for other in others.into_iter().take(DISTRACTORS) {
        let same = has(snapshot, other, case);
        cards.extend(holding(other, &|fact| Some(fact) == same)?);
    }
    random.shuffle(&mut cards);
    let Some(at) = cards.iter().position(|card| card.card.entity == subject) else { return Ok(None) };
    Ok(Some((cards, at)))
}

fn has(snapshot: &Snapshot, entity: EntityId, case: &Case) -> Option<FactId> {
    snapshot.facts_of(entity).find(|fact| fact.statement.relation == case.gold.statement.relation).map(|fact| fact.id)
}

fn other_line(card: &PlannedCard, gold: FactId, random: &mut Random) -> Option<FactId> {
    let others: Vec<FactId> = card.card.lines.iter().map(|line| line.fact).filter(|fact| *fact != gold).collect();
    others.get(random.below(others.len())).copied()
}

fn without(card: &PlannedCard, gold: FactId) -> Option<PlannedCard> {
    let mut card = card.clone();
    card.card.lines.retain(|line| line.fact != gold);
    (!card.card.lines.is_empty()).then_some(card)
}

fn outcome(plan: &AttentionPlan, scores: &LeafScores, wanted: &Value, cost: &Cost, link_ms: f64) -> Outcome {
    let right = plan.answers.iter().position(|answer| answer.value.as_ref() == Some(wanted));
    let chosen = top(&scores.probabilities);
    let verdict = match chosen.and_then(|leaf| plan.answers.get(leaf)) {
        Some(answer) if answer.value.is_none() => Outcomes::Refused,
        Some(_) if chosen == right => Outcomes::Right,
        _ => Outcomes::Wrong,
    };
    let at = |values: &[f32]| right.and_then(|leaf| values.get(leaf)).copied().unwrap_or(0.0);
    let spent = cost.encode + cost.place + cost.prefill + cost.read;
    Outcome { verdict, probability: at(&scores.probabilities), first_token_ms: link_ms + spent.as_secs_f64() * 1e3 }
}

/// With the fact gone the right thing is to refuse; its probability is that of the branch that says so.
fn absent_outcome(plan: &AttentionPlan, readings: &Readings, wanted: &Value) -> Outcome {
    let outcome = outcome(plan, &readings.guided, wanted, &readings.cost, 0.0);
    let verdict = if outcome.verdict == Outcomes::Refused { Outcomes::Right } else { Outcomes::Wrong };
    let refusal = readings.guided.probabilities.last().copied().unwrap_or(0.0);
    Outcome { verdict, probability: refusal, ..outcome }
}

/// The likeliest answer. Of answers that are exactly alike (a model that knows nothing) the place in the card decides, as good a
/// draw as any, since the facts were dealt out at random.
fn top(probabilities: &[f32]) -> Option<usize> {
    (0..probabilities.len()).rev().max_by(|a, b| probabilities[*a].total_cmp(&probabilities[*b]))
}
