//! Headers to roles.

use super::mapping::Mapping;
use super::triples::relation_iri;
use super::{Cell, Row};
use crate::values::{ColumnUnit, QualifierWords, comparable, scale_word, unit_named};
use factmask_graph::Value;
use factmask_schema::normal::fold;
use factmask_schema::{Functional, Iri, Range, Relation, Schema, Text, ValueKind, local_name, split_words};

/// What a column says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Role {
    /// Whom the row is about.
    Subject,
    /// A relation of the subject.
    Relation {
        iri: Iri,
        unit: ColumnUnit,
        /// Qualifiers that the header itself gives: "Population (2020 census)".
        fixed: Vec<(Iri, Value)>,
    },
    /// A qualifier of the row's facts.
    Qualifier(Iri),
    /// Another name of the subject.
    Alias,
    /// The first key of the subject's IRI.
    Key,
    /// Nothing that is read.
    Ignored,
}

/// The roles of a table's columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Columns {
    pub(crate) roles: Vec<Role>,
    /// The class of the subjects.
    pub(crate) class: Option<Iri>,
    /// Whether the subject's column is headed by a class or a word like "name", so that the row is surely a header.
    pub(crate) headed: bool,
    /// What was odd about the header.
    pub(crate) warnings: Vec<String>,
}

const NAME_HEADERS: &[&str] = &["name", "title", "entity", "subject", "label", "名称", "名字", "姓名", "主体"];
const KEY_HEADERS: &[&str] = &["id", "key", "code", "编号", "代码"];
const ALIAS_HEADERS: &[&str] = &[
    "alias",
    "aliases",
    "also known as",
    "other name",
    "other names",
    "abbreviation",
    "别名",
    "又名",
    "简称",
    "英文名",
    "中文名",
    "chinese name",
    "english name",
];

/// Tells the roles of the columns, or `None` when the header says nothing that the schema or the mapping knows.
pub(crate) fn map_columns(
    header: &Row,
    schema: &Schema,
    qualifiers: &[QualifierWords],
    mapping: Option<&Mapping>,
) -> Option<Columns> {
    let mapper = Mapper { schema, qualifiers, mapping };
    mapper.map(&header.cells)
}

impl Columns {
    /// Takes the unit that stands above a table ("in million USD") for the columns that have none of their own and can have it. A scale
    /// alone is one of amounts: how many there are is seldom counted in millions.
    pub(crate) fn in_unit_of(&mut self, caption: &str, schema: &Schema) {
        let Some(said) = unit_above(caption) else { return };
        for role in &mut self.roles {
            let Role::Relation { iri, unit, .. } = role else { continue };
            let Range::Value(wanted) = &schema.relation(iri).range else { continue };
            let fits = match (&said.unit, &wanted.unit) {
                (Some(said), wanted) => comparable(said, wanted.as_deref()),
                (None, wanted) => wanted.is_some(),
            };
            if *unit == ColumnUnit::default() && wanted.kind == ValueKind::Number && wanted.unit.is_some() && fits {
                *unit = said.clone();
            }
        }
    }
}

/// The unit that a line above a table says: in brackets, behind "in", behind 单位.
fn unit_above(caption: &str) -> Option<ColumnUnit> {
    if let Some((_, unit)) = split_unit(caption) {
        return Some(unit);
    }
    let end = |char: char| matches!(char, ',' | ';' | '.' | ')' | '，' | '；' | '。' | '）');
    let behind = caption
        .rsplit_once("单位")
        .map(|(_, behind)| behind.trim_start_matches([':', '：', ' ']))
        .or_else(|| Some(caption.rsplit_once(" in ").or_else(|| caption.rsplit_once("In "))?.1))?;
    column_unit(behind.split(end).next()?.trim())
}

struct Mapper<'a> {
    schema: &'a Schema,
    qualifiers: &'a [QualifierWords],
    mapping: Option<&'a Mapping>,
}

impl Mapper<'_> {
    fn map(&self, header: &[Cell]) -> Option<Columns> {
        let mut warnings = Vec::new();
        let subject = self.subject_column(header);
        let header_words = header.get(subject).map(|cell| fold(&cell.text)).unwrap_or_default();
        let headed = is_name_header(&header_words) || self.class_named(&header_words).is_some();
        let told = self.mapping.and_then(|mapping| mapping.class.clone());
        let class = told.or_else(|| header.get(subject).and_then(|cell| self.class_named(&cell.text)));
        let key = subject > 0 && named_by_key(header) == Some(subject);
        let mut roles: Vec<Role> = Vec::with_capacity(header.len());
        for (index, cell) in header.iter().enumerate() {
            let role = match index {
                _ if index == subject => Role::Subject,
                0 if key && !self.is_mapped(&cell.text) => Role::Key,
                _ => self.role(&cell.text, class.as_ref(), &mut warnings),
            };
            if let Role::Relation { iri, .. } | Role::Qualifier(iri) = &role
                && let Some(earlier) = roles.iter().position(|other| *other == role)
            {
                warnings.push(format!(
                    "columns {} and {} both say {}; both are read",
                    earlier + 1,
                    index + 1,
                    local_name(iri.as_str())
                ));
            }
            roles.push(role);
        }
        let known = roles.iter().any(|role| matches!(role, Role::Relation { .. } | Role::Qualifier(_)));
        if !known {
            return None;
        }
        let class = class.or_else(|| self.class_of_relations(&roles));
        Some(Columns { roles, class, headed, warnings })
    }

    /// The column that the mapping names; else one that is headed by a class; else the first. A first column headed "Name" is the
    /// subject even beside a class's column, which then says a relation ("Name, Country").
    fn subject_column(&self, header: &[Cell]) -> usize {
        if let Some(wanted) = self.mapping.and_then(|mapping| mapping.subject.as_deref()) {
            let wanted = fold(wanted);
            return header.iter().position(|cell| fold(&cell.text) == wanted).unwrap_or(0);
        }
        if header.first().is_some_and(|cell| is_name_header(&cell.text)) {
            return 0;
        }
        if let Some(named) = named_by_key(header) {
            return named;
        }
        let class = |cell: &Cell| self.class_named(&cell.text).is_some();
        let relation = |cell: &Cell| find_relation(self.schema, cell.text.trim(), None).is_some();
        // A header may name both: "Country" heads countries, or says a city's.
        let only_class = header.iter().position(|cell| class(cell) && !relation(cell));
        let key = || header.first().is_some_and(|cell| is_key_header(&cell.text)).then_some(0);
        let name = || header.iter().position(|cell| is_name_header(&cell.text));
        only_class.or_else(key).or_else(|| header.iter().position(class)).or_else(name).unwrap_or(0)
    }

    fn class_named(&self, header: &str) -> Option<Iri> {
        class_called(self.schema, header)
    }

    /// The most special of the relations' domains, where one is below all others.
    fn class_of_relations(&self, roles: &[Role]) -> Option<Iri> {
        let domains: Vec<&Iri> = roles
            .iter()
            .filter_map(|role| match role {
                Role::Relation { iri, .. } => {
                    self.schema.relations.get(iri).and_then(|relation| relation.domain.as_ref())
                }
                _ => None,
            })
            .collect();
        domains
            .iter()
            .find(|class| domains.iter().all(|other| self.schema.is_a(class, other)))
            .map(|class| (*class).clone())
    }

    fn is_mapped(&self, header: &str) -> bool {
        self.mapping.is_some_and(|mapping| mapping.columns.contains_key(&fold(header)))
    }

    fn role(&self, header: &str, class: Option<&Iri>, warnings: &mut Vec<String>) -> Role {
        let header = header.trim_end().trim_end_matches(['.', ':', '：', '。', '*']);
        let folded = fold(header);
        if folded.is_empty() {
            return Role::Ignored;
        }
        let target = self.mapping.and_then(|mapping| mapping.columns.get(&folded));
        if self.mapping.and_then(|mapping| mapping.key.as_deref()).is_some_and(|key| fold(key) == folded)
            && target.is_none()
        {
            return Role::Key;
        }
        match target.map(String::as_str) {
            Some("ignore") => return Role::Ignored,
            Some("alias" | "label") => return Role::Alias,
            Some("key") => return Role::Key,
            Some(target) => return self.mapped(header, target, class),
            None => {}
        }
        if is_alias_header(header) {
            return Role::Alias;
        }
        if let Some(qualifier) = self.qualifiers.iter().find(|qualifier| qualifier.is_named(header)) {
            return Role::Qualifier(qualifier.iri.clone());
        }
        if let Some(role) = self.relation_role(header, class) {
            return role;
        }
        warnings.push(format!("the column \"{}\" is neither a relation nor a qualifier of the schema; it is not read (add the name as an alias, or a mapping file)", header.trim()));
        Role::Ignored
    }

    /// A column whose target the mapping file gives: an IRI, or a name of the schema's.
    fn mapped(&self, header: &str, target: &str, class: Option<&Iri>) -> Role {
        if let Some(qualifier) =
            self.qualifiers.iter().find(|qualifier| qualifier.iri.as_str() == target || qualifier.is_named(target))
        {
            return Role::Qualifier(qualifier.iri.clone());
        }
        let unit = split_unit(header).map(|(_, unit)| unit).unwrap_or_default();
        match self.relation_named(&fold(target), class) {
            Some(relation) => Role::Relation { iri: relation.iri.clone(), unit, fixed: Vec::new() },
            None => Role::Relation { iri: Iri::new_unchecked(target), unit, fixed: Vec::new() },
        }
    }

    fn relation_role(&self, header: &str, class: Option<&Iri>) -> Option<Role> {
        if let Some(relation) = self.relation_named(&fold(header), class) {
            return Some(Role::Relation { iri: relation.iri.clone(), unit: ColumnUnit::default(), fixed: Vec::new() });
        }
        if let Some((name, unit)) = split_unit(header)
            && let Some(relation) = self.relation_named(&fold(&name), class)
        {
            return Some(Role::Relation { iri: relation.iri.clone(), unit, fixed: Vec::new() });
        }
        self.qualified_header(header, class)
    }

    /// "Population (2020 census)", "Revenue FY2023", "2023财年营收": a relation's name and one mention of a qualifier it has.
    fn qualified_header(&self, header: &str, class: Option<&Iri>) -> Option<Role> {
        let (name, unit) = split_unit(header).unwrap_or_else(|| (header.to_owned(), ColumnUnit::default()));
        let letters = crate::text::Letters::new(&name);
        for qualifier in self.qualifiers {
            for at in (0..letters.len()).filter(|at| letters.is_edge(*at)) {
                for mention in qualifier.mentions_at(&letters, at) {
                    let rest = format!("{} {}", letters.key(0..mention.start), letters.key(mention.end..letters.len()));
                    let rest: String = rest
                        .chars()
                        .map(|char| if matches!(char, '(' | ')' | ',' | '-' | ':') { ' ' } else { char })
                        .collect();
                    let words: Vec<&str> = rest
                        .split_whitespace()
                        .filter(|word| !matches!(*word, "in" | "for" | "census" | "普查" | "的"))
                        .collect();
                    let Some(relation) = self.relation_named(&words.join(" "), class) else { continue };
                    if matches!(&relation.functional, Functional::Per(per) if per.contains(&qualifier.iri)) {
                        let fixed = vec![(qualifier.iri.clone(), mention.value)];
                        return Some(Role::Relation { iri: relation.iri.clone(), unit, fixed });
                    }
                }
            }
        }
        None
    }

    /// The relation of this name (folded): one that subjects of `class` can have, before others.
    fn relation_named(&self, name: &str, class: Option<&Iri>) -> Option<&Relation> {
        find_relation(self.schema, name, class)
    }
}

/// The column that names what a first column of keys stands for: "Player" behind "Player id", a name behind "id".
pub(crate) fn named_by_key(header: &[Cell]) -> Option<usize> {
    let first = fold(&split_words(header.first()?.text.trim()));
    let own = KEY_HEADERS.iter().find_map(|key| first.strip_suffix(key)).map(str::trim)?;
    let named = |cell: &Cell| {
        let words = fold(&split_words(cell.text.trim()));
        is_name_header(&cell.text) || (!own.is_empty() && (words == own || words.strip_suffix(" name") == Some(own)))
    };
    header.iter().skip(1).position(named).map(|at| at + 1)
}

/// The class of this name.
pub(crate) fn class_called(schema: &Schema, header: &str) -> Option<Iri> {
    let (header, words) = (fold(header), fold(&split_words(header)));
    let named = |class: &&factmask_schema::Class| {
        [&header, &words].iter().any(|name| is_called(&class.labels, &class.aliases, &class.iri, name))
    };
    schema.classes.values().find(named).map(|class| class.iri.clone())
}

/// Whether a column of this name holds whom the rows are about.
pub(crate) fn is_name_header(header: &str) -> bool {
    NAME_HEADERS.contains(&fold(header).as_str())
}

/// Whether a first column of this name holds keys that stand for the subject.
pub(crate) fn is_key_header(header: &str) -> bool {
    KEY_HEADERS.contains(&fold(header).as_str())
}

/// Whether a column of this name holds other names of the subject.
pub(crate) fn is_alias_header(header: &str) -> bool {
    ALIAS_HEADERS.contains(&fold(header).as_str())
}

/// The names in a cell that may list several.
pub(super) fn separated(text: &str) -> impl Iterator<Item = &str> {
    text.split([';', '；', '|']).map(str::trim).filter(|name| !name.is_empty())
}

/// The relation with this IRI (given or minted from the name), label, alias or local name; among several the one whose domain fits `class`.
pub(crate) fn find_relation<'s>(schema: &'s Schema, name: &str, class: Option<&Iri>) -> Option<&'s Relation> {
    if let Some(relation) = schema.relations.get(&relation_iri(name)) {
        return Some(relation);
    }
    let folded = fold(name);
    let called = |relation: &&Relation| {
        is_called(&relation.labels, &relation.aliases, &relation.iri, &folded) || relation.iri.as_str() == name
    };
    let fits = |relation: &&Relation| match (class, &relation.domain) {
        (Some(class), Some(domain)) => schema.is_a(class, domain) || schema.is_a(domain, class),
        _ => true,
    };
    let found = || schema.relations.values().filter(called);
    match class {
        Some(_) => found().find(fits),
        None => found().next(),
    }
}

fn is_called(labels: &[Text], aliases: &[Text], iri: &Iri, folded: &str) -> bool {
    labels.iter().chain(aliases).any(|name| fold(&name.text) == folded)
        || fold(&split_words(local_name(iri.as_str()))) == folded
}

/// "Revenue (million USD)" is "Revenue" in millions of dollars. `None` when nothing in brackets says a unit or a scale.
fn split_unit(header: &str) -> Option<(String, ColumnUnit)> {
    let folded: String = header
        .chars()
        .map(|char| match char {
            '（' | '[' | '【' => '(',
            '）' | ']' | '】' => ')',
            other => other,
        })
        .collect();
    let open = folded.rfind('(')?;
    let inside = folded.get(open + 1..)?;
    let (unit, behind) = inside.split_once(')')?;
    let unit = column_unit(unit)?;
    let name = format!("{} {}", folded.get(..open)?, behind);
    Some((name.trim().to_owned(), unit))
}

fn column_unit(words: &str) -> Option<ColumnUnit> {
    let words = words.trim().trim_start_matches("in ").trim_start_matches("单位：").trim_start_matches("单位:").trim();
    if let Some(power) = scale_word(words) {
        return Some(ColumnUnit { unit: None, power });
    }
    if let Some(unit) = unit_of(words) {
        return Some(ColumnUnit { unit: Some(unit), power: 0 });
    }
    // The scale before the unit or behind it, with a space or (in Chinese) without: "million USD", "US$ millions", "亿元人民币".
    let cuts = words.char_indices().map(|(at, _)| at).filter(|at| *at > 0);
    for cut in cuts {
        let (before, behind) = words.split_at(cut);
        let (before, behind) = (before.trim(), behind.trim().trim_start_matches("of ").trim());
        for (scale, unit) in [(before, behind), (behind, before)] {
            let scale = scale_word(scale).or(match scale.to_lowercase().as_str() {
                "m" | "mm" => Some(6),
                "b" => Some(9),
                "k" => Some(3),
                _ => None,
            });
            if let (Some(power), Some(unit)) = (scale, unit_of(unit)) {
                return Some(ColumnUnit { unit: Some(unit), power });
            }
        }
    }
    None
}

fn unit_of(words: &str) -> Option<String> {
    unit_named(words).map(|unit| unit.symbol(None).unwrap_or_default()).filter(|symbol| !symbol.is_empty())
}

/// Whether the relation's objects are entities, so that a cell names one.
pub(crate) fn is_entity(relation: &Relation) -> bool {
    matches!(relation.range, Range::Entity(_))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn units_in_headers() {
        for (header, expected) in [
            ("Revenue (million USD)", Some(("Revenue", Some("USD"), 6))),
            ("Revenue (USD millions)", Some(("Revenue", Some("USD"), 6))),
            ("Revenue (in millions)", Some(("Revenue", None, 6))),
            ("Revenue ($bn)", Some(("Revenue", Some("USD"), 9))),
            ("营业收入（亿元人民币）", Some(("营业收入", Some("CNY"), 8))),
            ("研发投入（百万美元）", Some(("研发投入", Some("USD"), 6))),
            ("Area (km²)", Some(("Area", Some("km²"), 0))),
            ("面积（万平方公里）", Some(("面积", Some("km²"), 4))),
            ("Share (%)", Some(("Share", Some("%"), 0))),
            ("Population (2020)", None),
            ("Revenue", None),
            ("(", None),
        ] {
            let found = split_unit(header);
            let shown = found.as_ref().map(|(name, unit)| (name.as_str(), unit.unit.as_deref(), unit.power));
            assert_eq!(shown, expected, "{header}");
        }
    }
}
