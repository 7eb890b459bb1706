//! Plain triples: three columns of subject, relation and object, mostly without a header.
//!
//! In such a file a name is all that tells an entity: the same name is the same entity, in either column and under every relation.
//! So its names are gathered first, with all the classes that the schema gives them, and then each is looked up once.

use super::columns::{find_relation, is_alias_header, separated};
use super::rows::kind_with_unit;
use super::typing::{says_class, says_name};
use super::{Cell, Row};
use crate::draft::{Draft, Found, Place};
use crate::names::{Meant, class_iri, mint, name_key, name_text, percent_encode};
use crate::values::{ColumnUnit, guess, whole};
use factmask_graph::{Locator, Statement, Value};
use factmask_schema::normal::fold;
use factmask_schema::{Iri, Range, Relation, Schema, ValueType};
use std::collections::{BTreeSet, HashMap};

/// Where relations that no schema declares live.
const RELATIONS: &str = "urn:factmask:relation:";

const HEADERS: &[[&str; 3]] = &[
    ["subject", "predicate", "object"],
    ["subject", "relation", "object"],
    ["s", "p", "o"],
    ["head", "relation", "tail"],
    ["主语", "谓语", "宾语"],
    ["主体", "关系", "客体"],
];

/// How many rows are looked at to tell triples from a table.
const SAMPLE: usize = 50;

/// Whether the rows are triples: nearly all have three cells, and the second names a relation, or the first row says so, or they
/// come from a format that is used for triples (`by_format`: tab-separated, and no header that the schema knows).
pub(crate) fn looks_like_triples(rows: &[Row], schema: &Schema, by_format: bool) -> bool {
    are_three(rows) && (by_format || is_header(rows) || rows.iter().take(SAMPLE).any(|row| names_relation(row, schema)))
}

/// Whether the rows are triples whatever the first of them looks like: the second cells of the rows behind it name relations,
/// which the values of a table's second column do not.
pub(crate) fn are_triples_of(rows: &[Row], schema: &Schema) -> bool {
    let behind = rows.get(1..).unwrap_or_default();
    let sample = behind.len().min(SAMPLE);
    let named = behind.iter().take(SAMPLE).filter(|row| names_relation(row, schema)).count();
    sample > 0 && named * 5 >= sample * 4 && are_three(rows)
}

fn are_three(rows: &[Row]) -> bool {
    let whole = |row: &&Row| row.cells.len() == 3 && row.cells.iter().all(|cell| !cell.text.trim().is_empty());
    // A bad row among many is left out with a warning; it does not make the file something else.
    !rows.is_empty() && rows.iter().filter(whole).count() * 20 >= rows.len() * 19
}

fn names_relation(row: &Row, schema: &Schema) -> bool {
    row.cells.get(1).is_some_and(|cell| find_relation(schema, unbracketed(&cell.text), None).is_some())
}

fn is_header(rows: &[Row]) -> bool {
    let Some(row) = rows.first() else { return false };
    let cells: Vec<String> = row.cells.iter().map(|cell| fold(&cell.text)).collect();
    HEADERS.iter().any(|header| cells.iter().eq(header.iter()))
}

/// The rows as subject, relation and object, a header left out.
pub(crate) fn triple_cells(rows: &[Row]) -> impl Iterator<Item = [&str; 3]> {
    data(rows).iter().filter_map(|row| match row.cells.as_slice() {
        [subject, relation, object] => Some([subject, relation, object].map(|cell| unbracketed(&cell.text))),
        _ => None,
    })
}

fn data(rows: &[Row]) -> &[Row] {
    rows.get(usize::from(is_header(rows))..).unwrap_or_default()
}

/// Reads triples. Objects that are subjects elsewhere in the file are entities, even where no schema says so. A value that does
/// not fit its relation's kind is kept as words. A relation such as `type` also gives the class, one such as `name` the name.
pub(crate) fn read_triples(rows: &[Row], extractor: &'static str, draft: &mut Draft<'_, '_>) {
    let mut gathering = Gathering::new(draft.schema);
    for row in data(rows) {
        if let Err(message) = gathering.row(row) {
            draft.warn(Some(Place::Row(row.number)), message);
        }
    }
    let Gathering { schema, relations, triples, mut entities, by_key, .. } = gathering;
    let used = |name: &str| by_key.get(&name_key(name)).copied();
    for triple in &triples {
        let (Some(said), Some(entity)) = (relations.get(triple.relation), entities.get_mut(triple.subject)) else {
            continue;
        };
        said.tell(triple.value, schema, entity);
    }
    // All are looked up before the first is made: in one file another name is another entity, even where it is an alias too.
    let mut found: Vec<Entity> = entities.iter().map(|named| Entity { meant: named.meant(draft), iri: None }).collect();
    let mut misfits: HashMap<usize, Misfits> = HashMap::new();
    for triple in &triples {
        let place = Place::Row(triple.row);
        let Some(said) = relations.get(triple.relation) else { continue };
        let Some(subject) = resolved(triple.subject, &entities, &mut found, place, draft) else { continue };
        let object = match said.declared.map(|relation| &relation.range) {
            Some(Range::Entity(_)) => used(triple.value),
            Some(Range::Value(_)) => None,
            None => used(triple.value),
        };
        let value = match (object, said.declared.map(|relation| &relation.range)) {
            (Some(object), _) => resolved(object, &entities, &mut found, place, draft).map(Value::Entity),
            (None, Some(Range::Value(wanted))) => {
                Some(whole(triple.value, wanted, false, &ColumnUnit::default()).unwrap_or_else(|| {
                    misfits.entry(triple.relation).or_insert_with(|| Misfits::new(triple, wanted)).count += 1;
                    crate::values::words(triple.value)
                }))
            }
            (None, _) => Some(undeclared(triple, draft)),
        };
        if let Some(value) = value {
            let statement = Statement { subject, relation: said.iri.clone(), object: value, qualifiers: Vec::new() };
            let locator = Some(Locator::Row(triple.row));
            draft.fact(statement, Found { span: triple.object.span.clone(), locator, extractor, confidence: 1.0 });
        }
    }
    for misfit in misfits.into_values().collect::<BTreeSet<_>>() {
        draft.warn(Some(Place::Row(misfit.row)), misfit.message());
    }
}

/// What the second column says.
struct Said<'s> {
    iri: Iri,
    declared: Option<&'s Relation>,
    class: bool,
    name: bool,
    alias: bool,
}

struct Triple<'r> {
    row: u32,
    subject: usize,
    relation: usize,
    value: &'r str,
    object: &'r Cell,
}

/// Who a name means: known before the file, or with its IRI once that is needed.
struct Entity {
    meant: Option<Meant>,
    iri: Option<Iri>,
}

/// A name with what the file says of its bearer.
#[derive(Default)]
struct Named {
    written: String,
    classes: BTreeSet<Iri>,
    /// What people call it, where the file's name is a mere key.
    labels: Vec<String>,
    aliases: Vec<String>,
}

/// The rows taken apart; relations and entities by number, each looked up once.
struct Gathering<'r, 's> {
    schema: &'s Schema,
    relations: Vec<Said<'s>>,
    by_words: HashMap<&'r str, usize>,
    triples: Vec<Triple<'r>>,
    entities: Vec<Named>,
    by_name: HashMap<&'r str, usize>,
    by_key: HashMap<String, usize>,
}

impl<'r, 's> Gathering<'r, 's> {
    fn new(schema: &'s Schema) -> Self {
        Self {
            schema,
            relations: Vec::new(),
            by_words: HashMap::new(),
            triples: Vec::new(),
            entities: Vec::new(),
            by_name: HashMap::new(),
            by_key: HashMap::new(),
        }
    }

    fn row(&mut self, row: &'r Row) -> Result<(), String> {
        let [subject, relation, object] = row.cells.as_slice() else {
            return Err(format!("{} cells where a triple has 3; the row is left out", row.cells.len()));
        };
        let (name, words, value) = (unbracketed(&subject.text), unbracketed(&relation.text), unbracketed(&object.text));
        if name.is_empty() || words.is_empty() || value.is_empty() {
            return Err("an empty cell where a triple needs three; the row is left out".to_owned());
        }
        let relation = self.relation(words);
        let declared = self.relations.get(relation).and_then(|said| said.declared);
        let subject = self.entity(name, declared.and_then(|relation| relation.domain.as_ref()));
        match declared.map(|relation| &relation.range) {
            Some(Range::Entity(class)) => {
                self.entity(value, class.as_ref());
            }
            None if given_iri(value).is_some() => {
                self.entity(value, None);
            }
            _ => {}
        }
        self.triples.push(Triple { row: row.number, subject, relation, value, object });
        Ok(())
    }

    fn relation(&mut self, words: &'r str) -> usize {
        if let Some(known) = self.by_words.get(words) {
            return *known;
        }
        let declared = find_relation(self.schema, words, None);
        self.by_words.insert(words, self.relations.len());
        self.relations.push(Said {
            iri: declared.map_or_else(|| relation_iri(words), |relation| relation.iri.clone()),
            declared,
            class: says_class(words),
            name: says_name(words),
            alias: is_alias_header(words),
        });
        self.relations.len() - 1
    }

    fn entity(&mut self, name: &'r str, class: Option<&Iri>) -> usize {
        let next = self.entities.len();
        let number = match self.by_name.get(name) {
            Some(known) => *known,
            None => *self.by_key.entry(name_key(name)).or_insert(next),
        };
        self.by_name.insert(name, number);
        if number == next {
            self.entities.push(Named { written: name.to_owned(), ..Named::default() });
        }
        if let (Some(entity), Some(class)) = (self.entities.get_mut(number), class)
            && !entity.classes.contains(class)
        {
            entity.classes.insert(class.clone());
        }
        number
    }
}

impl Said<'_> {
    /// What the fact says of its subject beside itself: a class, a name.
    fn tell(&self, value: &str, schema: &Schema, subject: &mut Named) {
        if self.class
            && let Some(class) = class_said(schema, value)
        {
            subject.classes.insert(class.clone());
        }
        if self.name && is_key(&subject.written) {
            subject.labels.push(value.to_owned());
        } else if self.name || self.alias {
            subject.aliases.extend(separated(value).map(str::to_owned));
        }
    }
}

/// Values that are not what their relation's range says, told in one warning.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Misfits {
    row: u32,
    count: usize,
    first: String,
    wanted: String,
}

impl Misfits {
    fn new(triple: &Triple<'_>, wanted: &ValueType) -> Self {
        Self { row: triple.row, count: 0, first: triple.value.to_owned(), wanted: kind_with_unit(wanted) }
    }

    fn message(&self) -> String {
        let more = match self.count {
            1 => String::new(),
            count => format!(", nor are {} more of this relation", count - 1),
        };
        format!("\"{}\" is no {}{more}; kept as words", self.first, self.wanted)
    }
}

/// The IRI of an entity of the file, looked up or made when it is first needed.
fn resolved(
    number: usize,
    entities: &[Named],
    found: &mut [Entity],
    place: Place,
    draft: &mut Draft<'_, '_>,
) -> Option<Iri> {
    let (named, entity) = (entities.get(number)?, found.get_mut(number)?);
    if entity.iri.is_none() {
        entity.iri = Some(named.resolve(entity.meant.as_ref(), place, draft));
    }
    entity.iri.clone()
}

impl Named {
    /// Whom the name means among those that fit one of its classes, else a new entity. Its IRI is minted from the class where
    /// there is one: of several, which one came first would depend on the order of the rows.
    fn resolve(&self, meant: Option<&Meant>, place: Place, draft: &mut Draft<'_, '_>) -> Iri {
        let iri = match given_iri(&self.written) {
            Some(iri) => iri,
            None => match meant {
                Some(meant) => {
                    let class = meant.entity.classes.first().cloned();
                    draft.mention_of_class(meant, &self.written, class.as_ref(), Some(place))
                }
                None => {
                    let mut classes = self.classes.iter();
                    let class = classes.next().filter(|_| classes.next().is_none());
                    let label = self.labels.first().unwrap_or(&self.written);
                    draft.create(mint(class, &self.written), class, name_text(label))
                }
            },
        };
        if !(self.classes.is_empty() && self.labels.is_empty() && self.aliases.is_empty()) {
            draft.describe(&iri, |entity| {
                for class in &self.classes {
                    if !entity.classes.contains(class) {
                        entity.classes.push(class.clone());
                    }
                }
                let labels = self.labels.iter().map(|label| name_text(label));
                let key = (!self.labels.is_empty()).then(|| name_text(&self.written));
                for alias in labels.chain(self.aliases.iter().map(|alias| name_text(alias))).chain(key) {
                    if !entity.labels.iter().chain(&entity.aliases).any(|name| name.text == alias.text) {
                        entity.aliases.push(alias);
                    }
                }
            });
        }
        iri
    }

    fn meant(&self, draft: &Draft<'_, '_>) -> Option<Meant> {
        match self.classes.is_empty() {
            true => draft.names.meant(&self.written, None),
            false => self.classes.iter().find_map(|class| draft.names.meant(&self.written, Some(class))),
        }
    }
}

/// The object of a relation that no schema declares and that is no entity of the file: one that is known, else a value by its looks.
fn undeclared(triple: &Triple<'_>, draft: &mut Draft<'_, '_>) -> Value {
    match draft.names.meant(triple.value, None) {
        Some(meant) => Value::Entity(draft.mention_of_class(&meant, triple.value, None, Some(Place::Row(triple.row)))),
        None => guess(triple.value),
    }
}

/// The declared class that a value such as "city" or "ex:City" names.
pub(crate) fn class_said<'s>(schema: &'s Schema, value: &str) -> Option<&'s Iri> {
    let minted = class_iri(value);
    if let Some((iri, _)) = schema.classes.get_key_value(&minted) {
        return Some(iri);
    }
    let folded = fold(value);
    let given = given_iri(value);
    let called = |class: &&factmask_schema::Class| {
        given.as_ref() == Some(&class.iri)
            || class.labels.iter().chain(&class.aliases).any(|name| fold(&name.text) == folded)
    };
    schema.classes.values().find(called).map(|class| &class.iri)
}

/// Whether a name is a key for machines: "city/12", "Q42", "ex:City".
fn is_key(name: &str) -> bool {
    let spaced = name.contains(char::is_whitespace);
    name.contains(['/', ':', '#', '_']) || (!spaced && name.contains(|char: char| char.is_ascii_digit()))
}

/// A name that is an IRI itself. "Title: subtitle" has a colon too, so only what an IRI of the web or a URN begins with counts.
fn given_iri(name: &str) -> Option<Iri> {
    let web = ["http://", "https://", "urn:"].iter().any(|scheme| name.starts_with(scheme));
    if web { Iri::new(name).ok() } else { None }
}

/// `<http://...>` as N-Triples writes it, without its brackets.
fn unbracketed(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('<').and_then(|text| text.strip_suffix('>')).unwrap_or(text)
}

/// The IRI of a relation that no schema declares: the IRI that the file gives, else one made from its name.
pub(crate) fn relation_iri(name: &str) -> Iri {
    given_iri(name).unwrap_or_else(|| Iri::new_unchecked(format!("{RELATIONS}{}", percent_encode(&fold(name)))))
}
