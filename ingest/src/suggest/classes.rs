//! Which kinds of things there are: from a relation that says so, from the tables and prefixes they stand in, else from which
//! relations speak of the same things.

use super::english;
use super::name::Name;
use super::profile::{NameId, Profiles, share};
use crate::names::class_iri;
use crate::table::says_class;
use crate::text::is_cjk;
use factmask_schema::{Class, Iri, Range, Text, split_words};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Two slots hold the same kind of thing when this part of the smaller is in the larger.
const SAME_KIND: f64 = 0.5;
/// A class is the domain when it has this part of the subjects.
const DOMAIN: f64 = 0.98;
/// A class that has this part of all subjects also gets the relations that are too rare to tell.
const DOMINANT: f64 = 0.8;

/// A kind of thing while it is being found.
#[derive(Default)]
struct Kind {
    /// What it is called; `None` where nothing says.
    name: Option<String>,
    /// How sources write it, where that is not its name.
    written: Option<String>,
    alias: Option<String>,
    members: HashSet<NameId>,
    /// Relations whose subjects founded it or joined it.
    relations: Vec<String>,
    /// It was found by shared subjects alone.
    found: bool,
    /// A source names it, so it stands even where no relation is its alone.
    stands: bool,
}

/// A table's subjects and what their column or file is called.
pub(super) struct TableClass {
    pub(super) name: String,
    /// The words of the column, so that the reader finds the class by it.
    pub(super) column: Option<String>,
    pub(super) subjects: Vec<String>,
}

/// What was found.
#[derive(Default)]
pub(super) struct Classes {
    pub(super) classes: BTreeMap<Iri, Class>,
    /// By relation IRI.
    pub(super) domains: HashMap<String, Iri>,
    pub(super) ranges: HashMap<String, Iri>,
    /// What is doubtful, by class or relation IRI.
    pub(super) notes: BTreeMap<String, Vec<String>>,
    /// Members, by class IRI.
    pub(super) sizes: BTreeMap<String, usize>,
}

/// Finds the classes. `ranges`: what the objects of each relation are, by relation IRI.
pub(super) fn classes(profiles: &Profiles, ranges: &HashMap<String, Range>, tables: &[TableClass]) -> Classes {
    let mut finder = Finder { profiles, names: HashMap::new(), kinds: Vec::new(), nouns: tables.is_empty() };
    for (iri, profile) in &profiles.relations {
        finder.names.insert(iri, Name::new(&profile.name, false));
    }
    finder.said();
    finder.tables(tables);
    finder.dotted();
    finder.shared();
    finder.call(ranges);
    finder.finish(ranges)
}

struct Finder<'a> {
    profiles: &'a Profiles,
    names: HashMap<&'a str, Name>,
    kinds: Vec<Kind>,
    /// Whether the noun of a relation makes a class of its objects. Not in tables: their reader tells names apart by class, and
    /// one name in two columns would be two entities.
    nouns: bool,
}

/// Which kinds a name belongs to.
#[derive(Default)]
struct Index(HashMap<NameId, Vec<usize>>);

impl Index {
    fn of(kinds: &[Kind]) -> Self {
        let mut index = Self::default();
        for (place, kind) in kinds.iter().enumerate() {
            index.add(place, kind.members.iter().copied());
        }
        index
    }

    fn add(&mut self, place: usize, members: impl Iterator<Item = NameId>) {
        for member in members {
            let places = self.0.entry(member).or_default();
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }

    /// How many of `names` each kind has, by kind.
    fn counts(&self, names: impl Iterator<Item = NameId>) -> BTreeMap<usize, usize> {
        let mut counts = BTreeMap::new();
        for place in names.filter_map(|name| self.0.get(&name)).flatten() {
            *counts.entry(*place).or_default() += 1;
        }
        counts
    }
}

impl<'a> Finder<'a> {
    /// Kinds that a relation such as `type` says, where its values repeat as those of a type do.
    fn said(&mut self) {
        let profiles = self.profiles;
        let types = profiles
            .relations
            .values()
            .filter(|profile| says_class(&profile.name) && profile.objects.len() * 3 <= profile.subjects.len());
        let mut members: BTreeMap<NameId, HashSet<NameId>> = BTreeMap::new();
        for (subject, object) in types.flat_map(|profile| &profile.pairs) {
            members.entry(*object).or_default().insert(*subject);
        }
        for (object, members) in members.into_iter().filter(|(_, members)| members.len() > 1) {
            let written = profiles.name(object).to_owned();
            let local = written.rsplit(['/', '#', ':']).next().unwrap_or(&written);
            let name = Some(split_words(local));
            self.kinds.push(Kind { name, written: Some(written), members, stands: true, ..Kind::default() });
        }
    }

    fn tables(&mut self, tables: &[TableClass]) {
        let ids: HashMap<&str, NameId> = self.profiles.names.iter().map(String::as_str).zip(0..).collect();
        let said: HashSet<NameId> = self.kinds.iter().flat_map(|kind| kind.members.iter().copied()).collect();
        for table in tables {
            let members: HashSet<NameId> =
                table.subjects.iter().filter_map(|subject| ids.get(subject.as_str()).copied()).collect();
            if share(members.intersection(&said).count(), members.len()) < SAME_KIND {
                let (name, alias) = (Some(table.name.clone()), table.column.clone());
                self.kinds.push(Kind { name, alias, members, stands: true, ..Kind::default() });
            }
        }
    }

    /// Kinds that relations are prefixed with: `zoo.animal.place_of_origin`.
    fn dotted(&mut self) {
        let mut kinds: BTreeMap<String, Kind> = BTreeMap::new();
        for (iri, profile) in &self.profiles.relations {
            let Some(class) = self.names.get(iri.as_str()).and_then(|name| name.class.clone()) else { continue };
            let kind = kinds.entry(class.clone()).or_insert_with(|| Kind { name: Some(class), ..Kind::default() });
            kind.members.extend(profile.subjects.keys());
            kind.relations.push(iri.clone());
        }
        self.kinds.extend(kinds.into_values());
    }

    /// Kinds by shared subjects, of the relations that nothing else places: the largest first, each joins the kind that has most
    /// of its subjects, or founds one.
    fn shared(&mut self) {
        let profiles = self.profiles;
        let told: HashSet<NameId> = self.kinds.iter().flat_map(|kind| kind.members.iter().copied()).collect();
        let placed: HashSet<&str> =
            self.kinds.iter().flat_map(|kind| kind.relations.iter().map(String::as_str)).collect();
        let mut open: Vec<(&String, HashSet<NameId>)> = profiles
            .relations
            .iter()
            .filter(|(iri, _)| !placed.contains(iri.as_str()))
            .map(|(iri, profile)| (iri, profile.subjects.keys().copied().collect::<HashSet<_>>()))
            .filter(|(_, subjects)| share(subjects.intersection(&told).count(), subjects.len()) < SAME_KIND)
            .collect();
        open.sort_by(|one, other| other.1.len().cmp(&one.1.len()).then_with(|| one.0.cmp(other.0)));
        let (large, small): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|(_, subjects)| subjects.len() >= super::kinds::FEW);
        let mut found: Vec<Kind> = Vec::new();
        let mut index = Index::default();
        for (iri, subjects) in large {
            let best = index.counts(subjects.iter().copied()).into_iter().max_by_key(|(_, count)| *count);
            let best = best.filter(|(_, count)| share(*count, subjects.len()) >= SAME_KIND).map(|(place, _)| place);
            let place = best.unwrap_or(found.len());
            index.add(place, subjects.iter().copied());
            match found.get_mut(place) {
                Some(kind) => {
                    kind.members.extend(subjects);
                    kind.relations.push(iri.clone());
                }
                None => {
                    let relations = vec![iri.clone()];
                    found.push(Kind { members: subjects, relations, found: true, ..Kind::default() });
                }
            }
        }
        let dominant = |kind: &Kind| share(kind.members.len(), profiles.subjects.len()) >= DOMINANT;
        if let Some(kind) = found.iter_mut().find(|kind| dominant(kind)) {
            let own = small.into_iter().filter(|(_, subjects)| subjects.is_subset(&kind.members));
            kind.relations.extend(own.map(|(iri, _)| iri.clone()));
        }
        self.kinds.extend(found);
    }

    /// Names for the kinds that were found: the noun of a relation whose objects they are, else who does what their relations say.
    fn call(&mut self, ranges: &HashMap<String, Range>) {
        let index = Index::of(&self.kinds);
        // The relation whose objects are most of the kind.
        let mut objects: HashMap<usize, (usize, &str)> = HashMap::new();
        for (iri, profile) in &self.profiles.relations {
            if matches!(ranges.get(iri), Some(Range::Entity(_))) {
                for (place, count) in index.counts(profile.objects.iter().copied()) {
                    if objects.get(&place).is_none_or(|(most, _)| count > *most) {
                        objects.insert(place, (count, iri));
                    }
                }
            }
        }
        let mut called = Vec::new();
        for (place, kind) in self.kinds.iter().enumerate().filter(|(_, kind)| kind.found) {
            let of_objects = objects.get(&place).filter(|(count, _)| share(*count, kind.members.len()) >= SAME_KIND);
            let noun = of_objects.and_then(|(_, iri)| self.object_noun(iri)).or_else(|| {
                let mut votes: BTreeMap<String, usize> = BTreeMap::new();
                for noun in kind.relations.iter().filter_map(|iri| self.subject_noun(iri)) {
                    *votes.entry(noun).or_default() += 1;
                }
                let (noun, count) = votes.into_iter().max_by_key(|(_, count)| *count)?;
                (share(count, kind.relations.len()) >= SAME_KIND).then_some(noun)
            });
            called.push((place, noun));
        }
        for (place, noun) in called {
            if let Some(kind) = self.kinds.get_mut(place) {
                kind.name = noun;
            }
        }
    }

    fn finish(self, ranges: &HashMap<String, Range>) -> Classes {
        let mut result = Classes::default();
        let mut used: HashMap<usize, Iri> = HashMap::new();
        let index = Index::of(&self.kinds);
        let founded: HashMap<&str, usize> = self
            .kinds
            .iter()
            .enumerate()
            .flat_map(|(place, kind)| kind.relations.iter().map(move |iri| (iri.as_str(), place)))
            .collect();
        for (iri, profile) in &self.profiles.relations {
            let counts = index.counts(profile.subjects.keys().copied());
            let domain = match founded.get(iri.as_str()) {
                Some(place) => Some(*place).filter(|place| self.says_something(*place)),
                None => self.domain(&counts, profile.subjects.len()),
            };
            if let Some(place) = domain {
                let class = self.class(place, &mut result, &mut used);
                result.domains.insert(iri.clone(), class);
            } else {
                let mixed = self.mixed(&counts);
                if !mixed.is_empty() {
                    result.notes.entry(iri.clone()).or_default().push(format!("no domain: the subjects are {mixed}"));
                }
            }
            if !matches!(ranges.get(iri), Some(Range::Entity(_))) {
                continue;
            }
            // Of kinds that have as many of the objects the smaller one says more.
            let size = |place: usize| self.kinds.get(place).map_or(0, |kind| kind.members.len());
            let best = index
                .counts(profile.objects.iter().copied())
                .into_iter()
                .filter(|(place, count)| {
                    share(*count, profile.objects.len()) >= SAME_KIND && self.says_something(*place)
                })
                .max_by_key(|(place, count)| (*count, std::cmp::Reverse(size(*place))));
            match best {
                Some((place, count)) => {
                    let inside = share(count, profile.objects.len());
                    let class = self.class(place, &mut result, &mut used);
                    if inside < 0.9 {
                        let note = format!("range: {:.0} % of the objects are known to be of it", inside * 100.0);
                        result.notes.entry(iri.clone()).or_default().push(note);
                    }
                    result.ranges.insert(iri.clone(), class);
                }
                // A class for each of many rare relations would say nothing.
                None => {
                    let wanted = self.nouns && profile.pairs.len() >= super::kinds::SOME;
                    if let Some(noun) = self.object_noun(iri).filter(|_| wanted) {
                        let class = declare(&mut result.classes, &noun, None);
                        *result.sizes.entry(class.as_str().to_owned()).or_default() += profile.objects.len();
                        result.ranges.insert(iri.clone(), class);
                    }
                }
            }
        }
        for place in 0..self.kinds.len() {
            if self.kinds.get(place).is_some_and(|kind| kind.stands) {
                self.class(place, &mut result, &mut used);
            }
        }
        result
    }

    /// Whether a kind is worth a class: what shares nothing but one relation's subjects, and has no name, is not.
    fn says_something(&self, place: usize) -> bool {
        self.kinds.get(place).is_some_and(|kind| {
            let alone = kind.found && kind.name.is_none() && kind.relations.len() < 2;
            !alone || share(kind.members.len(), self.profiles.subjects.len()) >= DOMINANT
        })
    }

    /// The smallest kind that has all subjects of a relation.
    fn domain(&self, counts: &BTreeMap<usize, usize>, subjects: usize) -> Option<usize> {
        let kinds = counts.iter().filter_map(|(place, count)| Some((*place, *count, self.kinds.get(*place)?)));
        let fitting = kinds.filter(|(_, count, kind)| !kind.found && share(*count, subjects) >= DOMAIN);
        fitting.min_by_key(|(_, _, kind)| kind.members.len()).map(|(place, _, _)| place)
    }

    /// The kinds that the subjects of a relation without domain are of, the commonest first.
    fn mixed(&self, counts: &BTreeMap<usize, usize>) -> String {
        let kinds = counts.iter().filter_map(|(place, count)| Some((*count, self.kinds.get(*place)?.name.as_deref()?)));
        let mut kinds: Vec<(usize, &str)> = kinds.collect();
        kinds.sort_by(|one, other| other.cmp(one));
        kinds.iter().take(4).map(|(count, name)| format!("{name} ({count})")).collect::<Vec<_>>().join(", ")
    }

    fn class(&self, place: usize, result: &mut Classes, used: &mut HashMap<usize, Iri>) -> Iri {
        if let Some(iri) = used.get(&place) {
            return iri.clone();
        }
        let Some(kind) = self.kinds.get(place) else { return class_iri("") };
        let iri = match &kind.name {
            Some(name) => {
                let iri = declare(&mut result.classes, name, kind.written.as_deref());
                if let (Some(alias), Some(class)) = (&kind.alias, result.classes.get_mut(&iri)) {
                    class.aliases.push(Text::new(language(alias), alias));
                    class.aliases.sort();
                    class.aliases.dedup();
                }
                iri
            }
            None => {
                let relation = kind.relations.first().and_then(|iri| self.names.get(iri.as_str()));
                let iri = class_iri(&format!("subject of {}", relation.map(Name::label).unwrap_or_default()));
                result.classes.entry(iri.clone()).or_insert_with(|| Class::named(iri.clone()));
                let note = "nothing in the data says what these are: give the class an rdfs:label".to_owned();
                result.notes.entry(iri.as_str().to_owned()).or_default().push(note);
                iri
            }
        };
        *result.sizes.entry(iri.as_str().to_owned()).or_default() += kind.members.len();
        used.insert(place, iri.clone());
        iri
    }

    fn object_noun(&self, iri: &str) -> Option<String> {
        let name = self.names.get(iri)?;
        if name.chinese {
            return Some(name.label());
        }
        let grammar = name.grammar();
        if name.turned { grammar.subject_noun() } else { grammar.object_noun() }
    }

    fn subject_noun(&self, iri: &str) -> Option<String> {
        let name = self.names.get(iri).filter(|name| !name.chinese)?;
        let grammar = name.grammar();
        if name.turned { grammar.object_noun() } else { grammar.subject_noun() }
    }
}

/// The class of this name, made when there is none.
fn declare(classes: &mut BTreeMap<Iri, Class>, name: &str, written: Option<&str>) -> Iri {
    let iri = class_iri(written.unwrap_or(name));
    let lang = language(name);
    let many = english::plural(name);
    let irregular = lang == "en" && many != format!("{name}s");
    classes.entry(iri.clone()).or_insert_with(|| Class {
        labels: vec![Text::new(lang, name)],
        aliases: irregular.then(|| Text::new(lang, many)).into_iter().collect(),
        ..Class::named(iri.clone())
    });
    iri
}

fn language(words: &str) -> &'static str {
    if words.chars().any(is_cjk) { "zh" } else { "en" }
}
