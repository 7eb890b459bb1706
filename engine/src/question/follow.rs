//! Whether a question goes on from an earlier one: words that stand for what was said before, and questions cut down to what is new.
//!
//! Only the language is known here; what a word stands for is found in the graph by who asks.

use super::{language::is_cjk, link::Mention, words};
use factmask_schema::{Iri, Schema, Text, normal, normal::Folded};
use std::{collections::BTreeMap, ops::Range};

/// What a question takes over from an earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// Nothing.
    Whole,
    /// What these words stand for. The question is the text without "and" before it, and the ranges lie in it.
    Stands(String, Vec<Pronoun>),
    /// All but this: "what about Berlin?", "and in 2020?".
    Other(String),
}

/// A word that stands for something said before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pronoun {
    /// Its bytes in the question.
    pub span: Range<usize>,
    /// What it can stand for.
    pub kind: Kind,
    /// What takes its place behind the name: a possessive ending, or nothing.
    pub ending: &'static str,
}

/// What a word can stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Somebody.
    Person,
    /// Something.
    Thing,
    /// Either.
    Any,
    /// A member of a class: "that film".
    Member(Iri),
}

/// What leads to a question cut down; the longer ones first.
const LEADS: &[&str] =
    &["and what about", "and how about", "but what about", "what about", "how about", "and", "but", "also", "then"];
const CHINESE_LEADS: &[&str] = &["那么", "还有", "那"];
/// A question that begins so is whole.
const ASKING: &[&str] = &[
    "who", "whom", "whose", "what", "which", "when", "where", "why", "how", "is", "are", "was", "were", "do", "does",
    "did", "has", "have", "had", "can", "could", "will", "would", "should", "name", "list", "give", "tell", "show",
    "count",
];
const CHINESE_ASKING: &[&str] = &["谁", "什么", "哪", "多少", "几", "何", "吗", "怎么", "是否"];
const PRONOUNS: &[(&str, Kind, bool)] = &[
    ("he", Kind::Person, false),
    ("him", Kind::Person, false),
    ("his", Kind::Person, true),
    ("she", Kind::Person, false),
    ("her", Kind::Person, true),
    ("it", Kind::Thing, false),
    ("its", Kind::Thing, true),
    ("they", Kind::Any, false),
    ("them", Kind::Any, false),
    ("their", Kind::Any, true),
];
const CHINESE_PRONOUNS: &[(&str, Kind, &str)] = &[
    ("他们", Kind::Any, ""),
    ("她们", Kind::Person, ""),
    ("它们", Kind::Thing, ""),
    ("他", Kind::Person, ""),
    ("她", Kind::Person, ""),
    ("它", Kind::Thing, ""),
    ("其", Kind::Any, "的"),
];
/// Words in which a pronoun's character is none.
const NO_PRONOUNS: &[&str] = &["其他", "其它", "其中", "其余", "其实", "吉他", "尤其", "极其", "与其", "他人"];
const POINTING: &[&str] = &["this", "that", "the same", "the"];
const CHINESE_POINTING: &[&str] = &["这", "那", "该", "此"];

/// What a question takes over. `mentions` are the names in it; a word inside a name stands for nothing else.
pub fn form(question: &str, lang: &str, mentions: &[Mention], schema: &Schema) -> Form {
    let map = Folded::new(question);
    // "Her husband" speaks of no film "Her".
    let name = |mention: &&Mention| {
        !(mention.letters.small && PRONOUNS.iter().any(|(word, ..)| map.text[mention.span.clone()] == **word))
    };
    let names: Vec<Range<usize>> =
        mentions.iter().filter(name).map(|mention| map.source_range(mention.span.clone())).collect();
    let chinese = lang == "zh";
    let rest = if chinese { behind_chinese_lead(question) } else { behind_lead(question) };
    let pronouns =
        if chinese { chinese_pronouns(question, schema, &names) } else { pronouns(question, schema, &names) };
    let cut = rest.as_ref().is_some_and(|rest| !asks(&question[rest.clone()], chinese));
    if !pronouns.is_empty() {
        let rest = rest.unwrap_or(0..question.len());
        let inside = pronouns.into_iter().filter(|one| rest.start <= one.span.start && one.span.end <= rest.end);
        let moved = inside.map(|one| Pronoun { span: one.span.start - rest.start..one.span.end - rest.start, ..one });
        return Form::Stands(question[rest.clone()].to_owned(), moved.collect());
    }
    let whole = question.trim_end_matches(|c: char| c.is_whitespace() || c == '?' || c == '？');
    let text = question[rest.unwrap_or(0..whole.len())].trim();
    let bare = !asks(text, chinese) && only_names(question, &names) && !text.is_empty();
    if cut || bare { Form::Other(text.to_owned()) } else { Form::Whole }
}

/// Whether it asks by itself.
fn asks(text: &str, chinese: bool) -> bool {
    let folded = normal::fold(text);
    if chinese {
        return CHINESE_ASKING.iter().any(|word| folded.contains(word));
    }
    folded.split(|c: char| !c.is_alphanumeric()).next().is_some_and(|first| ASKING.contains(&first))
}

/// Whether a question says something, and nothing beside names, years and function words.
fn only_names(question: &str, names: &[Range<usize>]) -> bool {
    let mut rest = question.to_owned();
    names.iter().rev().for_each(|name| rest.replace_range(name.clone(), " "));
    let said = words::units(&rest);
    let year = |unit: &String| unit.len() == 4 && unit.chars().all(|c| c.is_ascii_digit());
    !(names.is_empty() && said.is_empty()) && said.iter().all(year)
}

fn behind_lead(question: &str) -> Option<Range<usize>> {
    let lower = question.to_ascii_lowercase();
    let start = question.len() - question.trim_start().len();
    let lead = LEADS.iter().find(|lead| {
        let rest = lower[start..].strip_prefix(**lead);
        rest.is_some_and(|rest| rest.starts_with([' ', ',']))
    })?;
    let from = start + lead.len();
    let from = from + question[from..].find(|c: char| c != ' ' && c != ',')?;
    let end = question.trim_end_matches(|c: char| c.is_whitespace() || c == '?').len();
    (from < end).then_some(from..end)
}

fn behind_chinese_lead(question: &str) -> Option<Range<usize>> {
    let start = question.len() - question.trim_start().len();
    let end = question.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '？')).len();
    let body = question.get(start..end)?;
    let lead = CHINESE_LEADS.iter().find(|lead| body.starts_with(**lead)).map_or(0, |lead| lead.len());
    let tail = if body.ends_with('呢') { '呢'.len_utf8() } else { 0 };
    let from = start + lead + body[lead..].find(|c: char| !matches!(c, ',' | '，' | ' '))?;
    let end = end - tail;
    (lead + tail > 0 && from < end).then_some(from..end)
}

/// Words of a text as byte ranges.
fn word_spans(text: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(char::is_alphanumeric).map(|at| from + at) {
        from = text[start..].find(|c: char| !c.is_alphanumeric()).map_or(text.len(), |at| start + at);
        spans.push(start..from);
    }
    spans
}

fn outside(span: &Range<usize>, names: &[Range<usize>]) -> bool {
    names.iter().all(|name| span.end <= name.start || name.end <= span.start)
}

fn pronouns(question: &str, schema: &Schema, names: &[Range<usize>]) -> Vec<Pronoun> {
    let spans = word_spans(question);
    let content =
        |at: usize| spans.get(at).is_some_and(|span| !words::is_function_word(&question[span.clone()].to_lowercase()));
    let word = |(at, span): (usize, &Range<usize>)| {
        let folded = question[span.clone()].to_lowercase();
        let (_, kind, possessive) = PRONOUNS.iter().find(|(word, ..)| *word == folded)?;
        // "Who married her?", "her husband".
        let owns = *possessive && (content(at + 1) || folded != "her");
        Some(Pronoun { span: span.clone(), kind: kind.clone(), ending: if owns { "'s" } else { "" } })
    };
    let mut found: Vec<Pronoun> = spans.iter().enumerate().filter_map(word).collect();
    let lower = question.to_ascii_lowercase();
    for (class, name) in class_names(schema, "en") {
        for pointing in POINTING.iter().filter(|pointing| **pointing != "the" || names.is_empty()) {
            let said = format!("{pointing} {name}");
            for (start, _) in lower.match_indices(&said) {
                let span = start..start + said.len();
                let whole =
                    spans.iter().any(|word| word.start == span.start) && spans.iter().any(|word| word.end == span.end);
                // "The capital of …", "the film with …", "the film studio": said of something else.
                let next = spans.iter().position(|word| word.start >= span.end);
                let goes_on = next
                    .is_some_and(|next| content(next) || ["of", "with", "in"].contains(&&lower[spans[next].clone()]));
                if whole && (*pointing != "the" || !goes_on) {
                    found.push(Pronoun { span, kind: Kind::Member(class.clone()), ending: "" });
                }
            }
        }
    }
    sorted(found, names)
}

fn chinese_pronouns(question: &str, schema: &Schema, names: &[Range<usize>]) -> Vec<Pronoun> {
    let hidden: Vec<Range<usize>> =
        NO_PRONOUNS.iter().flat_map(|word| question.match_indices(word).map(|(at, _)| at..at + word.len())).collect();
    let mut found = Vec::new();
    for (word, kind, ending) in CHINESE_PRONOUNS {
        let places = question.match_indices(word).map(|(at, _)| at..at + word.len());
        found.extend(places.filter(|span| outside(span, &hidden)).map(|span| Pronoun {
            span,
            kind: kind.clone(),
            ending,
        }));
    }
    for (class, name) in class_names(schema, "zh") {
        for (at, _) in question.match_indices(&name) {
            // "这部电影": one character counts the thing.
            let before: Vec<(usize, char)> = question[..at].char_indices().rev().take(2).collect();
            let start = before
                .iter()
                .find(|(_, c)| CHINESE_POINTING.contains(&c.to_string().as_str()))
                .map(|(start, _)| *start);
            let counted = before.iter().all(|(_, c)| is_cjk(*c));
            if let Some(start) = start.filter(|_| counted || before.len() == 1) {
                found.push(Pronoun { span: start..at + name.len(), kind: Kind::Member(class.clone()), ending: "" });
            }
        }
    }
    sorted(found, names)
}

/// From left to right, the longer of two that overlap, and none inside a name.
fn sorted(mut found: Vec<Pronoun>, names: &[Range<usize>]) -> Vec<Pronoun> {
    found.retain(|one| outside(&one.span, names));
    found.sort_by_key(|one| (one.span.start, std::cmp::Reverse(one.span.end)));
    let mut end = 0;
    found.retain(|one| {
        let free = one.span.start >= end;
        if free {
            end = one.span.end;
        }
        free
    });
    found
}

fn class_names(schema: &Schema, lang: &str) -> Vec<(Iri, String)> {
    let classes = schema.classes.values();
    let names = classes.flat_map(|class| class.labels.iter().chain(&class.aliases).map(move |name| (class, name)));
    let names = names.filter(|(_, name)| Text::same_language(&name.lang, lang));
    names
        .map(|(class, name)| (class.iri.clone(), normal::fold(&name.text)))
        .filter(|(_, name)| !name.is_empty())
        .collect()
}

/// Classes whose members the schema mostly asks for with "who", in any language: a company that makes something is seldom a "he".
pub fn people(schema: &Schema) -> Vec<&Iri> {
    let asks_who = |text: &str| {
        let folded = normal::fold(text);
        folded.contains('谁')
            || folded.split(|c: char| !c.is_alphanumeric()).any(|word| word == "who" || word == "whom")
    };
    let mut asked: BTreeMap<&Iri, (usize, usize)> = BTreeMap::new();
    for relation in schema.relations.values() {
        if let factmask_schema::Range::Entity(Some(class)) = &relation.range {
            let (all, who) = asked.entry(class).or_default();
            *all += relation.questions.len();
            *who += relation.questions.iter().filter(|wording| wording.literals().any(asks_who)).count();
        }
    }
    asked.into_iter().filter(|(_, (all, who))| 2 * who > *all).map(|(class, _)| class).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;
    use crate::question::link::Linker;
    use factmask_graph::{Entity, Snapshot};

    const SCHEMA: &str = r#"@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix ex: <urn:x:> .
        ex:Film a rdfs:Class ; rdfs:label "film"@en , "电影"@zh . ex:City a rdfs:Class ; rdfs:label "city"@en , "城市"@zh ."#;

    /// The form of a question, pronouns put as `<kind ending>` into it.
    fn told(question: &str, lang: &str) -> String {
        let schema = Schema::parse(SCHEMA, "test").unwrap();
        let entity = |name: &&str| Entity {
            iri: Iri::new_unchecked(format!("urn:x:{name}")),
            classes: vec![],
            labels: vec![Text::new("", *name)],
            aliases: vec![],
        };
        let entities = ["Berlin", "It", "Her", "Blade Runner", "柏林", "他和她"].iter().map(entity).collect();
        let snapshot = Snapshot::build(1, schema.clone(), entities, vec![]);
        let names = Linker::new(&snapshot).unwrap().link(question);
        match form(question, lang, &names, &schema) {
            Form::Whole => "whole".to_owned(),
            Form::Other(text) => format!("other: {text}"),
            Form::Stands(mut text, pronouns) => {
                for one in pronouns.iter().rev() {
                    let kind = match &one.kind {
                        Kind::Person => "person",
                        Kind::Thing => "thing",
                        Kind::Any => "any",
                        Kind::Member(class) => class.as_str(),
                    };
                    text.replace_range(one.span.clone(), &format!("<{kind}>{}", one.ending));
                }
                text
            }
        }
    }

    #[test]
    fn forms() {
        let table = [
            ("Who directed Blade Runner?", "en", "whole"),
            ("Who directed it?", "en", "Who directed <thing>?"),
            ("And who directed it?", "en", "who directed <thing>"),
            ("When was he born?", "en", "When was <person> born?"),
            ("Who is her husband?", "en", "Who is <person>'s husband?"),
            ("Who married her?", "en", "Who married <person>?"),
            ("And his wife?", "en", "<person>'s wife"),
            ("What is their capital?", "en", "What is <any>'s capital?"),
            ("Who directed that film?", "en", "Who directed <urn:x:Film>?"),
            ("Who directed the film?", "en", "Who directed <urn:x:Film>?"),
            ("Who directed the film Blade Runner?", "en", "whole"),
            ("What is the city with the most people?", "en", "whole"),
            ("Who directed It?", "en", "whole"),
            ("What about Berlin?", "en", "other: Berlin"),
            ("and berlin?", "en", "other: berlin"),
            ("And in 2020?", "en", "other: in 2020"),
            ("And the population?", "en", "other: the population"),
            ("What about its population?", "en", "<thing>'s population"),
            ("And what is the capital of Berlin?", "en", "whole"),
            ("Berlin?", "en", "other: Berlin"),
            ("Berlin's population?", "en", "whole"),
            ("Android?", "en", "whole"),
            ("", "en", "whole"),
            ("?", "en", "whole"),
            ("and?", "en", "whole"),
            ("它的导演是谁？", "zh", "<thing>的导演是谁？"),
            ("那他的妻子呢？", "zh", "<person>的妻子"),
            ("其导演是谁？", "zh", "<any>的导演是谁？"),
            ("这部电影的导演是谁？", "zh", "<urn:x:Film>的导演是谁？"),
            ("该城市有多少人？", "zh", "<urn:x:City>有多少人？"),
            ("其他导演是谁？", "zh", "whole"),
            ("他和她的导演是谁？", "zh", "whole"),
            ("那柏林呢？", "zh", "other: 柏林"),
            ("2020年呢？", "zh", "other: 2020年"),
            ("那人口呢", "zh", "other: 人口"),
            ("柏林？", "zh", "other: 柏林"),
            ("柏林有多少人？", "zh", "whole"),
            ("呢", "zh", "whole"),
        ];
        for (question, lang, expected) in table {
            assert_eq!(told(question, lang), expected, "{question}");
        }
    }
}
