//! A world made up from a seed: towns with 1, 10 or 100 facts, and a question about each of them whose answer is known.
//!
//! The facts are written as Turtle and go through the product's own ingest. A town's facts belong to one group of four relations of
//! `towns.ttl`: one thing that it mainly sells (buys, makes), which is asked for, and lists of what it sells, once sold and will sell.

use crate::bench::{corpus::ingest, random::Random};
use anyhow::{Context as _, Result, ensure};
use factmask_graph::{Snapshot, Value};
use factmask_schema::Schema;
use std::{fmt::Write as _, sync::Arc};

/// Numbers of facts that a question has in view.
pub const VISIBLE: [usize; 3] = [1, 10, 100];
/// Fewest towns: one in twenty has the most facts, nine have the middle number.
pub const FEWEST: usize = 20;
/// Most towns, one for each name that can be made.
pub const MOST: usize = ONSETS.len() * VOWELS.len() * ONSETS.len() * VOWELS.len() * CODAS.len();

const SCHEMA: &str = include_str!("../../../../data/bench/towns.ttl");
const VERBS: [&str; 3] = ["Sell", "Buy", "Make"];
const ONSETS: &[u8] = b"bdfgklmnprstvz";
const VOWELS: &[u8] = b"aeiou";
const CODAS: &[u8] = b"kz";
/// What towns sell, buy and make.
pub const GOODS: [&str; 40] = [
    "wheat", "barley", "oats", "rye", "rice", "corn", "beans", "peas", "apples", "pears", "grapes", "cherries",
    "plums", "honey", "salt", "sugar", "tea", "coffee", "milk", "butter", "cheese", "eggs", "fish", "wool", "silk",
    "cotton", "linen", "leather", "timber", "paper", "glass", "iron", "copper", "tin", "silver", "gold", "coal",
    "stone", "clay", "wax",
];

/// A question about one town.
#[derive(Clone, Debug)]
pub struct Case {
    /// As people put it, in other words than the schema's.
    pub question: String,
    /// The answer as cards say it.
    pub said: String,
    /// The answer.
    pub gold: Value,
    /// Facts on the town's cards.
    pub facts: usize,
}

/// The facts, and a question about each town.
pub struct World {
    /// The facts.
    pub snapshot: Arc<Snapshot>,
    /// By popularity, the most asked-for town first.
    pub cases: Vec<Case>,
}

impl World {
    /// Makes up a world.
    ///
    /// # Errors
    /// Fewer towns than [`FEWEST`] or more than [`MOST`], or a temporary folder that cannot be written.
    pub fn generate(towns: usize, seed: u64) -> Result<Self> {
        ensure!((FEWEST..=MOST).contains(&towns), "--towns {towns}: between {FEWEST} and {MOST} are meant");
        let random = &mut Random::new(seed);
        let mut names: Vec<usize> = (0..MOST).collect();
        random.shuffle(&mut names);
        let mut sizes: Vec<usize> = (0..towns).map(size).collect();
        random.shuffle(&mut sizes);
        let (mut turtle, mut cases) = ("@prefix ex: <https://example.org/towns/> .\n".to_owned(), Vec::new());
        turtle.push_str("@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n");
        for (number, facts) in names.into_iter().zip(sizes) {
            cases.push(town(&name(number), facts, &mut turtle, random)?);
        }
        let folder = tempfile::tempdir().context("no temporary folder (check TMPDIR)")?;
        let file = folder.path().join("towns.ttl");
        std::fs::write(&file, turtle).with_context(|| format!("{}: cannot be written", file.display()))?;
        let snapshot = ingest(&file, &Schema::parse(SCHEMA, "towns.ttl")?)?;
        Ok(Self { snapshot, cases })
    }

    /// The question with this number among those that have so many facts in view, by its place in `cases`. Behind the last one the
    /// first follows; none where there are none.
    pub fn numbered(&self, facts: usize, number: usize) -> Option<usize> {
        let own = || self.cases.iter().enumerate().filter(|(_, case)| case.facts == facts);
        own().nth(number.checked_rem(own().count())?).map(|(at, _)| at)
    }
}

/// Facts of a town by its number, before the order is shuffled.
fn size(number: usize) -> usize {
    let [few, some, many] = VISIBLE;
    match number % FEWEST {
        0 => many,
        1..=9 => some,
        _ => few,
    }
}

/// The name of the town with a number below [`MOST`]: "Vamik". Made so that it is seldom a word.
pub fn name(mut number: usize) -> String {
    let letters = [ONSETS, VOWELS, ONSETS, VOWELS, CODAS].map(|letters| {
        let letter = letters.get(number % letters.len()).copied().map_or('-', char::from);
        number /= letters.len();
        letter
    });
    let [first, rest @ ..] = letters;
    first.to_uppercase().chain(rest).collect()
}

/// Writes the facts of one town and asks for the first of them.
fn town(name: &str, facts: usize, turtle: &mut String, random: &mut Random) -> Result<Case> {
    let verb = VERBS.get(random.below(VERBS.len())).copied().unwrap_or_default();
    let said = GOODS.get(random.below(GOODS.len())).copied().unwrap_or_default();
    writeln!(turtle, "ex:{name} a ex:Town ; rdfs:label \"{name}\"@en ; ex:mainly{verb} \"{said}\" .")?;
    let lists = [verb.to_lowercase(), format!("once{verb}"), format!("plansTo{verb}")];
    let others = facts - 1;
    for (number, relation) in lists.iter().enumerate() {
        // Thirds, the first ones taking what is left over.
        let share = (others + lists.len() - 1 - number) / lists.len();
        let mut goods = GOODS;
        random.shuffle(&mut goods);
        for good in goods.iter().take(share) {
            writeln!(turtle, "ex:{name} ex:{relation} \"{good}\" .")?;
        }
    }
    let question = format!("What does {name} mainly {}?", verb.to_lowercase());
    Ok(Case { question, said: said.to_owned(), gold: Value::text(said), facts })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::{FEWEST, MOST, VISIBLE, World, name};
    use std::collections::BTreeSet;

    #[test]
    fn a_town_has_as_many_facts_as_its_label_says_and_the_answer_is_one_of_them() {
        let world = World::generate(60, 5).unwrap();
        assert_eq!(world.cases.len(), 60);
        let mut found = BTreeSet::new();
        for case in &world.cases {
            let name = case.question.split(' ').nth(2).unwrap();
            let town = world.snapshot.entities().iter().position(|entity| entity.labels[0].text == name).unwrap();
            let facts: Vec<_> = world.snapshot.facts_of(factmask_graph::EntityId(town as u32)).collect();
            assert_eq!(facts.len(), case.facts, "{}", case.question);
            let main: Vec<_> =
                facts.iter().filter(|fact| fact.statement.relation.as_str().contains("mainly")).collect();
            assert_eq!(main.len(), 1, "{}", case.question);
            assert_eq!(main[0].statement.object, case.gold, "{}", case.question);
            found.insert(case.facts);
        }
        assert_eq!(found.into_iter().collect::<Vec<_>>(), VISIBLE);
        // Of 60 towns 3 have a hundred facts.
        let numbered = |number| world.numbered(100, number);
        assert_eq!(numbered(0), numbered(3));
        assert_ne!(numbered(0), numbered(1));
        assert_eq!(world.numbered(7, 0), None);
    }

    #[test]
    fn names_are_all_different_and_the_seed_decides() {
        assert_eq!((0..MOST).map(name).collect::<BTreeSet<_>>().len(), MOST);
        let questions = |seed| {
            let world = World::generate(FEWEST, seed).unwrap();
            world.cases.into_iter().map(|case| case.question + &case.said).collect::<Vec<_>>()
        };
        assert_eq!(questions(1), questions(1));
        assert_ne!(questions(1), questions(2));
    }

    #[test]
    fn too_few_and_too_many_towns_are_refused() {
        for towns in [0, FEWEST - 1, MOST + 1] {
            let fault = World::generate(towns, 1).err().map(|fault| fault.to_string());
            assert!(fault.is_some_and(|fault| fault.starts_with("--towns")), "{towns}");
        }
    }
}
