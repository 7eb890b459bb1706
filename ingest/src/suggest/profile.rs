//! What the triples show of each relation: who its subjects and objects are, and how its objects look.

use super::Triple;
use crate::text::Letters;
use crate::values::{ColumnUnit, guess, whole};
use factmask_graph::Value;
use factmask_schema::normal::fold;
use factmask_schema::{ValueKind, ValueType};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A name, by number; equal names in folded form are one.
pub(super) type NameId = u32;

/// Everything that is counted, relations by name in order.
pub(super) struct Profiles {
    pub(super) names: Vec<String>,
    pub(super) relations: BTreeMap<String, Profile>,
    /// Names that are a subject anywhere.
    pub(super) subjects: HashSet<NameId>,
}

/// One relation.
#[derive(Default)]
pub(super) struct Profile {
    /// As the source writes it.
    pub(super) name: String,
    /// Distinct pairs of subject and object.
    pub(super) pairs: HashSet<(NameId, NameId)>,
    /// Distinct objects of each subject, counted.
    pub(super) subjects: HashMap<NameId, u32>,
    pub(super) objects: HashSet<NameId>,
}

/// How the distinct objects of a relation look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Looks {
    pub(super) all: usize,
    pub(super) years: usize,
    /// Dates with a month, and years.
    pub(super) dates: usize,
    pub(super) whole_dates: usize,
    pub(super) numbers: usize,
    /// The units of the numbers that have one.
    pub(super) units: BTreeMap<String, usize>,
    pub(super) truths: usize,
    /// Digits that are no amount: "007", numbers all of one length, too long to count with.
    pub(super) codes: usize,
    /// Short enough for a name, and more letters than digits.
    pub(super) names: usize,
    pub(super) lengths: BTreeSet<usize>,
}

/// What is longer says something rather than names it, in letters of one word each (Chinese) or of several.
const LONGEST_NAME: usize = 60;
const LONGEST_CHINESE_NAME: usize = 24;

impl Profiles {
    /// Counts. Relations and names that are empty are passed over, as the reader does.
    pub(super) fn of(triples: &[Triple]) -> Self {
        let mut ids: HashMap<String, NameId> = HashMap::new();
        let mut written: HashMap<&str, NameId> = HashMap::new();
        let mut names = Vec::new();
        let mut relations: BTreeMap<String, Profile> = BTreeMap::new();
        let mut subjects = HashSet::new();
        for triple in triples {
            let (relation, subject, object) = (triple.relation.trim(), triple.subject.trim(), triple.object.trim());
            if relation.is_empty() || subject.is_empty() || object.is_empty() {
                continue;
            }
            let mut id = |name| {
                *written.entry(name).or_insert_with(|| {
                    let next = NameId::try_from(names.len()).unwrap_or(NameId::MAX);
                    *ids.entry(fold(name)).or_insert_with(|| {
                        names.push(name.to_owned());
                        next
                    })
                })
            };
            let (subject, object) = (id(subject), id(object));
            subjects.insert(subject);
            if !relations.contains_key(relation) {
                relations.insert(relation.to_owned(), Profile { name: relation.to_owned(), ..Profile::default() });
            }
            let Some(profile) = relations.get_mut(relation) else { continue };
            if profile.pairs.insert((subject, object)) {
                *profile.subjects.entry(subject).or_default() += 1;
                profile.objects.insert(object);
            }
        }
        Self { names, relations: joined(relations), subjects }
    }

    pub(super) fn name(&self, id: NameId) -> &str {
        self.names.get(id as usize).map_or("", String::as_str)
    }

    /// Looks at every distinct object of a relation.
    pub(super) fn looks(&self, profile: &Profile) -> Looks {
        let mut looks = Looks::default();
        for &object in &profile.objects {
            looks.add(self.name(object));
        }
        looks
    }
}

impl Profile {
    /// The share of subjects that have one object.
    pub(super) fn single(&self) -> f64 {
        share(self.subjects.values().filter(|count| **count == 1).count(), self.subjects.len())
    }
}

impl Looks {
    fn add(&mut self, text: &str) {
        let none = ColumnUnit::default();
        let is = |kind| whole(text, &ValueType { kind, unit: None }, false, &none).is_some();
        let digits = text.chars().filter(char::is_ascii_digit).count();
        self.all += 1;
        self.truths += usize::from(digits == 0 && is(ValueKind::Boolean));
        if digits == 0 && !text.chars().any(|char| Letters::new(char.encode_utf8(&mut [0; 4])).digit(0).is_some()) {
            self.name(text, digits);
            return;
        }
        let plausible =
            text.get(..4).and_then(|year| year.parse().ok()).is_none_or(|year: u32| (1000..2200).contains(&year));
        let year = digits == 4 && text.chars().count() <= 5 && plausible && is(ValueKind::Year);
        self.years += usize::from(year);
        let guessed = guess(text);
        // A height of 6194 metres is no year far ahead.
        let date = plausible && (matches!(guessed, Value::Date(_)) || (!year && is(ValueKind::Date)));
        self.whole_dates += usize::from(date && !year);
        self.dates += usize::from(date || year);
        if let Value::Number(number) = guessed {
            self.numbers += 1;
            if let Some(unit) = number.unit {
                *self.units.entry(unit).or_default() += 1;
            }
        }
        let plain = digits == text.len();
        self.codes += usize::from(plain && (digits > 15 || (digits > 1 && text.starts_with('0'))));
        if plain {
            self.lengths.insert(digits);
        }
        self.name(text, digits);
    }

    fn name(&mut self, text: &str, digits: usize) {
        let letters = text.chars().count();
        let longest = if text.chars().any(crate::text::is_cjk) { LONGEST_CHINESE_NAME } else { LONGEST_NAME };
        let sentence = text.contains(['。', '；', '！', '？', '\n']) || text.contains(". ") && letters > longest / 2;
        self.names += usize::from(letters <= longest && digits * 2 < letters && !sentence);
    }
}

/// Spellings of one relation that the reader takes for the same are one.
fn joined(relations: BTreeMap<String, Profile>) -> BTreeMap<String, Profile> {
    let mut all: BTreeMap<String, Profile> = BTreeMap::new();
    for (name, profile) in relations {
        let known = all.entry(crate::table::relation_iri(&name).into_string()).or_default();
        if known.name.is_empty() {
            *known = profile;
            continue;
        }
        for (subject, object) in profile.pairs {
            if known.pairs.insert((subject, object)) {
                *known.subjects.entry(subject).or_default() += 1;
                known.objects.insert(object);
            }
        }
    }
    all
}

/// `part` of `whole`, 0 of nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of facts are far below 2^52")]
pub(crate) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
