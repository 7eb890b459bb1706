//! A question cut into words.

use crate::question::{
    link::Linker,
    operation::{
        MOST_HOMONYMS,
        called::{Name, Verb},
        lexicon::{self, Adjective, chinese::MEASURE_WORDS},
        other_names,
        query::{End, Order},
        sense::Sense,
    },
    words::is_function_word,
};
use factmask_graph::{Date, EntityId, Number};
use factmask_schema::Iri;

/// Characters in a word at most.
const LONGEST: usize = 24;
/// A stretch of the question with all that it can be.
#[derive(Clone, Debug, Default)]
pub(super) struct Word {
    /// Who bears it as a name.
    pub names: Vec<EntityId>,
    /// Classes called so.
    pub classes: Vec<Iri>,
    /// Relations called so.
    pub nouns: Vec<Name>,
    /// Relations that it says as a verb.
    pub verbs: Vec<Verb>,
    /// An adjective by itself.
    pub adjective: Option<Adjective>,
    /// An adjective behind 最, with the end that it names.
    pub superlative: Option<(Adjective, End)>,
    /// A number, with a unit where it has one.
    pub number: Option<Number>,
    /// A year.
    pub year: Option<Date>,
    /// What it does in the sentence.
    pub operator: Option<Operator>,
}

/// Words of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Of,
    Is,
    Has,
    Which,
    HowMany,
    HowMuch,
    More,
    Than,
    And,
    Both,
    Not,
    Any,
    In,
    Inside,
    Whether,
    Total,
    Mean,
    Number,
    Before,
    After,
    Most,
    Fewest,
    Compare(Order),
}

const OPERATORS: &[(&str, Operator)] = &[
    ("的", Operator::Of),
    ("之", Operator::Of),
    ("是", Operator::Is),
    ("为", Operator::Is),
    ("有", Operator::Has),
    ("拥有", Operator::Has),
    ("哪", Operator::Which),
    ("哪一", Operator::Which),
    ("哪些", Operator::Which),
    ("哪几", Operator::Which),
    ("什么", Operator::Which),
    ("谁", Operator::Which),
    ("哪里", Operator::Which),
    ("多少", Operator::HowMany),
    ("几", Operator::HowMany),
    ("多", Operator::HowMuch),
    ("更", Operator::More),
    ("比较", Operator::More),
    ("比", Operator::Than),
    ("和", Operator::And),
    ("与", Operator::And),
    ("跟", Operator::And),
    ("同", Operator::And),
    ("以及", Operator::And),
    ("及", Operator::And),
    ("、", Operator::And),
    ("且", Operator::Both),
    ("并且", Operator::Both),
    ("并", Operator::Both),
    ("又", Operator::Both),
    ("既", Operator::Both),
    ("同时", Operator::Both),
    ("也", Operator::Both),
    ("不", Operator::Not),
    ("没有", Operator::Not),
    ("没", Operator::Not),
    ("任何", Operator::Any),
    ("其他", Operator::Any),
    ("所有", Operator::Any),
    ("全部", Operator::Any),
    ("在", Operator::In),
    ("境内", Operator::Inside),
    ("中", Operator::Inside),
    ("里", Operator::Inside),
    ("内", Operator::Inside),
    ("当中", Operator::Inside),
    ("之中", Operator::Inside),
    ("吗", Operator::Whether),
    ("是否", Operator::Whether),
    ("是不是", Operator::Whether),
    ("总", Operator::Total),
    ("总计", Operator::Total),
    ("合计", Operator::Total),
    ("平均", Operator::Mean),
    ("数量", Operator::Number),
    ("个数", Operator::Number),
    ("以前", Operator::Before),
    ("之前", Operator::Before),
    ("以后", Operator::After),
    ("之后", Operator::After),
    ("最多", Operator::Most),
    ("最少", Operator::Fewest),
    ("超过", Operator::Compare(Order::More)),
    ("大于", Operator::Compare(Order::More)),
    ("高于", Operator::Compare(Order::More)),
    ("多于", Operator::Compare(Order::More)),
    ("长于", Operator::Compare(Order::More)),
    ("小于", Operator::Compare(Order::Less)),
    ("低于", Operator::Compare(Order::Less)),
    ("少于", Operator::Compare(Order::Less)),
    ("不足", Operator::Compare(Order::Less)),
    ("至少", Operator::Compare(Order::AtLeast)),
    ("不少于", Operator::Compare(Order::AtLeast)),
    ("不低于", Operator::Compare(Order::AtLeast)),
    ("至多", Operator::Compare(Order::AtMost)),
    ("不超过", Operator::Compare(Order::AtMost)),
];

/// What says nothing, at the beginning or the end or anywhere.
const FILLERS: &[&str] = &[
    "请问",
    "请列出",
    "请告诉我",
    "告诉我",
    "列出",
    "列举",
    "给出",
    "一共",
    "总共",
    "共",
    "都",
    "呢",
    "啊",
    "了",
    "？",
    "?",
    "。",
    ".",
    "，",
    ",",
    "！",
    " ",
];

const SCALES: &[(&str, u32)] = &[("万亿", 12), ("千万", 7), ("百万", 6), ("亿", 8), ("万", 4), ("千", 3), ("百", 2)];
const UNITS: &[(&str, &str)] = &[
    ("平方公里", "km²"),
    ("平方千米", "km²"),
    ("公里", "km"),
    ("千米", "km"),
    ("米", "m"),
    ("美元", "USD"),
    ("公斤", "kg"),
    ("千克", "kg"),
    ("人", ""),
];
const DIGITS: &[(char, i128)] = &[
    ('一', 1),
    ('二', 2),
    ('两', 2),
    ('三', 3),
    ('四', 4),
    ('五', 5),
    ('六', 6),
    ('七', 7),
    ('八', 8),
    ('九', 9),
    ('十', 10),
];

impl Word {
    pub fn is(&self, operator: Operator) -> bool {
        self.operator == Some(operator)
    }

    fn says_something(&self) -> bool {
        !self.names.is_empty()
            || !self.classes.is_empty()
            || !self.nouns.is_empty()
            || !self.verbs.is_empty()
            || self.adjective.is_some()
            || self.superlative.is_some()
            || self.operator.is_some()
    }
}

/// Cuts a folded question into words, the longest at each place; none where something is no word.
pub(super) fn cut(sense: &Sense<'_>, linker: &Linker, folded: &str) -> Option<Vec<Word>> {
    let mut words: Vec<Word> = Vec::new();
    let mut rest = folded;
    while !rest.is_empty() {
        if let Some(behind) = FILLERS.iter().find_map(|filler| rest.strip_prefix(filler)) {
            rest = behind;
            continue;
        }
        let (mut word, behind) = number(rest).or_else(|| longest(sense, linker, rest))?;
        let counting = word.number.is_some() || matches!(word.operator, Some(Operator::Which | Operator::HowMany));
        rest = behind;
        if counting && let Some(behind) = rest.strip_prefix(MEASURE_WORDS) {
            rest = behind;
        }
        // "最大面积": the end of an order by itself.
        if word.operator == Some(Operator::Most) || word.operator == Some(Operator::Fewest) {
            word.superlative = superlative(if word.operator == Some(Operator::Most) { "最多" } else { "最少" });
        }
        words.push(word);
    }
    Some(words)
}

fn longest<'t>(sense: &Sense<'_>, linker: &Linker, text: &'t str) -> Option<(Word, &'t str)> {
    let ends: Vec<usize> = text.char_indices().map(|(at, char)| at + char.len_utf8()).take(LONGEST).collect();
    ends.into_iter().rev().find_map(|end| {
        let (said, rest) = text.split_at_checked(end)?;
        // A foreign word is not cut in two.
        let inside = |a: Option<char>, b: Option<char>| {
            a.is_some_and(|a| a.is_ascii_alphanumeric()) && b.is_some_and(|b| b.is_ascii_alphanumeric())
        };
        if inside(said.chars().next_back(), rest.chars().next()) {
            return None;
        }
        let word = word(sense, linker, said);
        word.says_something().then_some((word, rest))
    })
}

fn word(sense: &Sense<'_>, linker: &Linker, said: &str) -> Word {
    let operator = OPERATORS.iter().find(|(word, _)| *word == said).map(|(_, operator)| *operator);
    let adjective = lexicon::chinese::ADJECTIVES.iter().find(|adjective| adjective.word == said).copied();
    let bearers = linker.exact(said).or_else(|| other_names(said).find_map(|name| linker.exact(name)));
    let plain = operator.is_none() && adjective.is_none() && !is_function_word(said);
    let names = bearers.filter(|bearers| plain && bearers.len() <= MOST_HOMONYMS).unwrap_or_default().to_vec();
    let called = sense.called;
    Word {
        names,
        classes: called.classes.get(said).into_iter().flatten().cloned().collect(),
        nouns: called
            .nouns
            .get(said)
            .into_iter()
            .flatten()
            .filter(|_| operator.is_none() && adjective.is_none())
            .cloned()
            .collect(),
        verbs: called.verbs.get(said).into_iter().flatten().filter(|_| operator.is_none()).cloned().collect(),
        adjective,
        superlative: superlative(said),
        number: None,
        year: None,
        operator,
    }
}

fn superlative(said: &str) -> Option<(Adjective, End)> {
    let word = said.strip_prefix("最")?;
    lexicon::chinese::ADJECTIVES
        .iter()
        .find(|adjective| adjective.word == word)
        .map(|adjective| (*adjective, adjective.end))
}

/// A number with its scale and unit, or a year.
fn number(text: &str) -> Option<(Word, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, ',' | '.')).unwrap_or(text.len());
    let (mut number, mut rest) =
        match text.get(..digits).filter(|digits| digits.starts_with(|c: char| c.is_ascii_digit())) {
            Some(plain) => (Number::parse_plain(&plain.replace(',', ""))?, text.get(digits..)?),
            None => {
                let first = text.chars().next()?;
                let (_, value) = DIGITS.iter().find(|(digit, _)| *digit == first)?;
                let rest = text.get(first.len_utf8()..)?;
                // "一" begins many words; only before what is counted it is a number.
                rest.starts_with(MEASURE_WORDS).then_some((Number::new(*value, 0), rest))?
            }
        };
    if let Some(behind) = rest.strip_prefix('年').filter(|_| digits == 4) {
        let year = i32::try_from(number.mantissa).ok()?;
        return Some((Word { year: Some(Date::from_year(year)), ..Word::default() }, behind));
    }
    while let Some((behind, zeros)) = SCALES.iter().find_map(|(word, zeros)| Some((rest.strip_prefix(word)?, *zeros))) {
        let taken = number.scale.min(zeros);
        number.scale -= taken;
        number.mantissa = number.mantissa.checked_mul(10_i128.checked_pow(zeros - taken)?)?;
        rest = behind;
    }
    if let Some((behind, unit)) = UNITS.iter().find_map(|(word, unit)| Some((rest.strip_prefix(word)?, *unit))) {
        number = number.with_unit(unit);
        rest = behind;
    }
    Some((Word { number: Some(number), ..Word::default() }, rest))
}
