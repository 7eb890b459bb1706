//! The cheapest alignment of a question's words with a path's steps, for all paths of a topic at once.

use super::{
    lexicon::{Lexicon, Meanings, NEVER},
    way::{Question, Token, Way},
};
use crate::question::path::{Path, Step};
use factmask_schema::Schema;

// Costs in nats, beside the log-probabilities of what words stand for.

/// A step that no word says.
const MISSING: f32 = -4.0;
/// A step that only the class it arrives at says: "the films of ..." for what somebody directed.
const BY_CLASS: f32 = -1.0;
/// Back over the relation just taken, where no word says that something is shared.
const ROUND: f32 = -3.0;
/// A step against the direction that the relation is named for.
const BACK: f32 = -0.3;
/// Each step: of two paths that say the same the shorter one is meant.
const LENGTH: f32 = -0.25;
/// A further word for a step that has one.
const AGAIN: f32 = -0.3;
/// The same beyond a possessive, where another thing is spoken of.
const AGAIN_BEYOND: f32 = -6.0;
/// A word that stands for nothing, beside what it is nearest to.
const FOR_NOTHING: f32 = -0.5;
/// A name that is not known.
const UNKNOWN_NAME: f32 = -6.0;
/// A word of a possessive chain that stands for nothing.
const POSSESSED_FOR_NOTHING: f32 = -5.0;
/// What is asked for standing for nothing.
const HEAD_FOR_NOTHING: f32 = -2.5;
/// A word for something shared, and the path does not go back over a relation.
const NOTHING_SHARED: f32 = -1.5;
/// The words behind the name taken for the last ones.
const TURNED: f32 = -0.5;

/// How far each path from one topic accounts for the question: nats, 0 at best. `paths` must be sorted, so that those that begin alike
/// stand together; `topic` are the units of the topic's classes, `meanings` what each piece may stand for.
pub fn account(
    question: &Question,
    meanings: &[Meanings],
    lexicon: &Lexicon,
    schema: &Schema,
    topic: &[usize],
    paths: &[Path],
) -> Vec<f32> {
    let mut best = vec![f32::NEG_INFINITY; paths.len()];
    for way in &question.ways {
        let mut aligner = Aligner::new(way, meanings, lexicon, schema, topic);
        for (path, best) in paths.iter().zip(&mut best) {
            *best = best.max(aligner.path(&path.steps));
        }
    }
    best
}

/// Whether words say every step of a path, so that reading it without steps that none says would be no cheaper.
pub fn says_all(
    question: &Question,
    meanings: &[Meanings],
    lexicon: &Lexicon,
    schema: &Schema,
    topic: &[usize],
    path: &Path,
) -> bool {
    let best = |silent: bool| {
        let cost = |way| Aligner { silent, ..Aligner::new(way, meanings, lexicon, schema, topic) }.path(&path.steps);
        question.ways.iter().map(cost).fold(f32::NEG_INFINITY, f32::max)
    };
    best(false) >= best(true)
}

/// How likely a word must stand for a step to say it for certain: one tenth.
const CLEAR: f32 = -2.3;

/// Best costs by place along the way; the second where a possessive was passed since the last word that was explained.
type Row = Vec<[f32; 2]>;

struct Aligner<'a> {
    way: &'a Way,
    meanings: &'a [Meanings],
    lexicon: &'a Lexicon,
    schema: &'a Schema,
    shares: bool,
    /// Whether there may be steps that no word says.
    silent: bool,
    /// Cost of each token standing for nothing.
    nothing: Vec<f32>,
    /// Pieces by their first token.
    pieces: Vec<Vec<usize>>,
    /// The steps so far, and the row behind each of them; the first is the topic's.
    steps: Vec<Step>,
    rows: Vec<Row>,
}

impl<'a> Aligner<'a> {
    fn new(way: &'a Way, meanings: &'a [Meanings], lexicon: &'a Lexicon, schema: &'a Schema, topic: &[usize]) -> Self {
        let mut pieces = vec![Vec::new(); way.tokens.len()];
        let mut nothing = vec![0.0; way.tokens.len()];
        for (number, piece) in way.pieces.iter().enumerate() {
            pieces[piece.tokens.start].push(number);
            let token = &way.tokens[piece.tokens.start];
            if piece.tokens.len() == 1 && !token.shares() {
                let least = |mark: bool, cost: f32| if mark { cost } else { 0.0 };
                nothing[piece.tokens.start] = (FOR_NOTHING + meanings[piece.text].nothing)
                    .min(least(token.names, UNKNOWN_NAME))
                    .min(least(token.possessed, POSSESSED_FOR_NOTHING))
                    .min(least(token.head, HEAD_FOR_NOTHING));
            }
        }
        let shares = way.tokens.iter().any(Token::shares);
        let mut aligner = Self {
            way,
            meanings,
            lexicon,
            schema,
            shares,
            silent: true,
            nothing,
            pieces,
            steps: Vec::new(),
            rows: Vec::new(),
        };
        let mut row = aligner.empty();
        row[0][0] = if way.turned { TURNED } else { 0.0 };
        // Before the name may stand what it is: "the film X".
        aligner.walk(&mut row, &[], topic, |token| token.before && !token.possessed);
        aligner.rows.push(row);
        aligner
    }

    fn empty(&self) -> Row {
        vec![[f32::NEG_INFINITY; 2]; self.way.tokens.len() + 1]
    }

    /// The cost of a whole path.
    fn path(&mut self, steps: &[Step]) -> f32 {
        let same = self.steps.iter().zip(steps).take_while(|(one, other)| one == other).count();
        self.steps.truncate(same);
        self.rows.truncate(same + 1);
        for step in &steps[same..] {
            let row = self.step(step);
            self.steps.push(step.clone());
            self.rows.push(row);
        }
        let end = self.rows.last().and_then(|row| row.last()).map_or(NEVER, |[near, beyond]| near.max(*beyond));
        let round = steps.windows(2).any(|pair| goes_back(&pair[0], &pair[1]));
        let unshared = if self.shares && !round { NOTHING_SHARED } else { 0.0 };
        let back = steps.iter().filter(|step| !step.forward).count() as f32;
        end + unshared + BACK * back + LENGTH * steps.len() as f32
    }

    /// The row behind one step more.
    fn step(&self, step: &Step) -> Row {
        let before = self.rows.last().cloned().unwrap_or_default();
        let relation = self.lexicon.relation(step);
        let class = self.lexicon.reached(self.schema, step);
        let round = self.steps.last().is_some_and(|last| goes_back(last, step));
        let missing = match (round, self.shares) {
            (true, true) => 0.0,
            (true, false) => ROUND,
            (false, _) if self.silent => MISSING,
            (false, _) => NEVER,
        };
        let mut row = self.empty();
        for (at, costs) in before.iter().enumerate() {
            let best = costs[0].max(costs[1]);
            raise(&mut row[at][usize::from(costs[1] > costs[0])], best + missing);
            for piece in self.pieces.get(at).into_iter().flatten().map(|number| &self.way.pieces[*number]) {
                let meanings = &self.meanings[piece.text];
                let words = piece.words as f32;
                let said = |unit: Option<usize>| unit.and_then(|unit| meanings.units.get(unit)).copied();
                let clear = |said: &f32| self.silent || *said >= CLEAR;
                if let Some(said) = said(relation).filter(clear) {
                    raise(&mut row[piece.tokens.end][0], best + said * words);
                }
                if let Some(said) = said(class).filter(|said| !step.forward && clear(said)) {
                    raise(&mut row[piece.tokens.end][0], best + said * words + BY_CLASS);
                }
            }
        }
        self.walk(&mut row, relation.as_slice(), class.as_slice(), |_| true);
        row
    }

    /// Goes on along the way without a further step: over words that stand for nothing, and further words for the relation taken last
    /// or the class arrived at.
    fn walk(&self, row: &mut Row, relation: &[usize], classes: &[usize], may: impl Fn(&Token) -> bool) {
        for at in 0..self.way.tokens.len() {
            let token = &self.way.tokens[at];
            let costs = row[at];
            for (passed, cost) in costs.into_iter().enumerate().filter(|(_, cost)| *cost > NEVER) {
                if token.plain {
                    let passed = passed.max(usize::from(token.parts_things()));
                    raise(&mut row[at + 1][passed], cost);
                    continue;
                }
                raise(&mut row[at + 1][passed], cost + self.nothing[at]);
                if !may(token) {
                    continue;
                }
                let beyond = passed == 1;
                let again = [(relation, beyond), (classes, beyond && token.possessed)];
                for (units, beyond) in again {
                    for piece in self.pieces[at].iter().map(|number| &self.way.pieces[*number]) {
                        let said = units.iter().filter_map(|unit| self.meanings[piece.text].units.get(*unit));
                        let said = said.copied().fold(NEVER, f32::max);
                        let more = if beyond { AGAIN_BEYOND } else { AGAIN };
                        raise(&mut row[piece.tokens.end][0], cost + said * piece.words as f32 + more);
                    }
                }
            }
        }
    }
}

fn goes_back(before: &Step, step: &Step) -> bool {
    before.relation == step.relation && before.forward != step.forward
}

fn raise(place: &mut f32, cost: f32) {
    *place = place.max(cost);
}
