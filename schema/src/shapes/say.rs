//! Broken rules in sentences, and rules in words.

use super::{Constraint, NodeKind, Rule, Violation, write_term};
use crate::vocabulary::short;
use crate::{Iri, Schema, Text};
use oxrdf::Term;

/// Members of a list that a sentence names.
const MOST_NAMED: usize = 10;

impl Violation<'_> {
    /// What is asked and not so, in one sentence without the thing and its value: the rule's own message in the language, else one of ours,
    /// in Chinese or in English.
    pub fn message(&self, schema: &Schema, lang: &str) -> String {
        let own = self.rule.and_then(|rule| Text::pick(&rule.message, lang));
        own.map_or_else(|| self.sentence(schema, lang), |own| own.text.clone())
    }

    fn sentence(&self, schema: &Schema, lang: &str) -> String {
        let zh = Text::same_language(lang, "zh");
        let label = schema.relation(&self.relation).label(lang).into_owned();
        let relation = match (self.rule.is_some_and(|rule| rule.inverse), zh) {
            (false, _) => format!("“{label}”"),
            (true, false) => format!("“{label}” the other way round"),
            (true, true) => format!("反向的“{label}”"),
        };
        let asked = self.rule.and_then(|rule| asked(rule, self.constraint, schema, lang)).unwrap_or_default();
        let (english, chinese) = match self.constraint {
            Constraint::MinCount => ("{r} must have at least {a} values.", "{r}至少要有 {a} 个值。"),
            Constraint::MaxCount => ("{r} may have at most {a} values.", "{r}最多只能有 {a} 个值。"),
            Constraint::Class => ("Each value of {r} must be of the class {a}.", "{r}的每个值都必须属于类{a}。"),
            Constraint::Datatype => ("Each value of {r} must be a {a}.", "{r}的每个值都必须是 {a}。"),
            Constraint::NodeKind => ("Each value of {r} must be {a}.", "{r}的每个值都必须是 {a}。"),
            Constraint::Pattern => ("Each value of {r} must match {a}.", "{r}的每个值都必须符合 {a}。"),
            Constraint::MinLength => {
                ("Each value of {r} must have at least {a} characters.", "{r}的每个值至少要有 {a} 个字符。")
            }
            Constraint::MaxLength => {
                ("Each value of {r} may have at most {a} characters.", "{r}的每个值最多只能有 {a} 个字符。")
            }
            Constraint::MinInclusive => ("Each value of {r} must be at least {a}.", "{r}的每个值都必须不小于 {a}。"),
            Constraint::MaxInclusive => ("Each value of {r} must be at most {a}.", "{r}的每个值都必须不大于 {a}。"),
            Constraint::MinExclusive => ("Each value of {r} must be more than {a}.", "{r}的每个值都必须大于 {a}。"),
            Constraint::MaxExclusive => ("Each value of {r} must be less than {a}.", "{r}的每个值都必须小于 {a}。"),
            Constraint::In => ("Each value of {r} must be one of {a}.", "{r}的每个值都必须是以下之一：{a}。"),
            Constraint::HasValue => ("{r} must have {a} among its values.", "{r}的值中必须有 {a}。"),
            Constraint::LanguageIn => {
                ("Each value of {r} must be in one of the languages {a}.", "{r}的每个值必须使用以下语言之一：{a}。")
            }
            Constraint::UniqueLang => ("{r} may have one value for each language.", "{r}每种语言只能有一个值。"),
            Constraint::Closed => (
                "No rule of the class names {r}, and nothing else may be said.",
                "该类的规则没有提到{r}，不允许有其他内容。",
            ),
        };
        // The relation's name may itself hold braces, so it comes last.
        if zh { chinese } else { english }.replace("{a}", &asked).replacen("{r}", &relation, 1)
    }
}

impl Rule {
    /// Everything that the rule asks, in words: its name and its value each.
    pub(crate) fn asks(&self, schema: &Schema) -> Vec<(Constraint, String)> {
        let told = |constraint| asked(self, constraint, schema, "en").map(|asked| (constraint, asked));
        Constraint::all().filter_map(told).collect()
    }
}

/// What a rule asks of one kind; `None` where it asks nothing.
fn asked(rule: &Rule, constraint: Constraint, schema: &Schema, lang: &str) -> Option<String> {
    let number = |count: Option<u64>| count.map(|count| count.to_string());
    let bound = |literal: &Option<oxrdf::Literal>| literal.clone().map(|literal| term(&literal.into()));
    let list = |all: Vec<String>| (!all.is_empty()).then(|| all.join(", "));
    let terms = |terms: &[Term]| {
        let mut named: Vec<String> = terms.iter().take(MOST_NAMED).map(term).collect();
        named.extend((terms.len() > MOST_NAMED).then(|| "…".to_owned()));
        list(named)
    };
    match constraint {
        Constraint::MinCount => number(rule.min_count),
        Constraint::MaxCount => number(rule.max_count),
        Constraint::Class => rule.class.as_ref().map(|class| class_name(schema, lang, class)),
        Constraint::Datatype => rule.datatype.as_ref().map(|datatype| short(datatype.as_str())),
        Constraint::NodeKind => rule.node_kind.map(|kind| node_kind(kind, lang).to_owned()),
        Constraint::Pattern => rule.pattern.as_ref().map(|pattern| match &rule.flags {
            Some(flags) => format!("/{pattern}/{flags}"),
            None => format!("/{pattern}/"),
        }),
        Constraint::MinLength => number(rule.min_length),
        Constraint::MaxLength => number(rule.max_length),
        Constraint::MinInclusive => bound(&rule.min_inclusive),
        Constraint::MaxInclusive => bound(&rule.max_inclusive),
        Constraint::MinExclusive => bound(&rule.min_exclusive),
        Constraint::MaxExclusive => bound(&rule.max_exclusive),
        Constraint::In => terms(&rule.one_of),
        Constraint::HasValue => terms(&rule.has_value),
        Constraint::LanguageIn => list(rule.language_in.clone()),
        Constraint::UniqueLang => rule.unique_lang.then(|| "one at most".to_owned()),
        Constraint::Closed => None,
    }
}

fn class_name(schema: &Schema, lang: &str, class: &Iri) -> String {
    let label = schema.classes.get(class).map(|class| format!("“{}”", class.label(lang)));
    label.unwrap_or_else(|| short(class.as_str()))
}

/// A literal's words, and an IRI in short.
fn term(term: &Term) -> String {
    match term {
        Term::NamedNode(iri) => short(iri.as_str()),
        Term::Literal(literal) if literal.language().is_none() => literal.value().to_owned(),
        other => write_term(other),
    }
}

fn node_kind(kind: NodeKind, lang: &str) -> &'static str {
    let (english, chinese) = match kind {
        NodeKind::Iri => ("an IRI", "IRI"),
        NodeKind::Literal => ("a literal", "字面值"),
        NodeKind::BlankNode => ("a node without a name", "空节点"),
        NodeKind::BlankNodeOrIri => ("an IRI or a node without a name", "IRI 或空节点"),
        NodeKind::BlankNodeOrLiteral => ("a literal or a node without a name", "字面值或空节点"),
        NodeKind::IriOrLiteral => ("an IRI or a literal", "IRI 或字面值"),
    };
    if Text::same_language(lang, "zh") { chinese } else { english }
}
