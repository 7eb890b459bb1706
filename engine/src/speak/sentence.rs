//! An answer as a sentence: the wordings of the schema's relations with the plan's values in their slots, each clause with the numbers
//! of the facts that it says. Nothing is written freely, so nothing is said that no fact says.

use super::Speaker;
use crate::answer::{Answer, Clause, Sentence, Status};
use factmask_graph::{Fact, Snapshot, Value};
use factmask_schema::{Iri, local_name};

/// Facts that are said one by one; of more only the outcome is said.
const MOST_SAID: usize = 40;

/// Facts that differ in one end alone, said in one clause.
struct Group<'a> {
    facts: Vec<(usize, &'a Fact)>,
    side: Side,
}

/// The end in which facts differ.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Neither,
    Subject,
    Object,
}

impl Answer {
    /// The answer in sentences; `snapshot` is the one that was asked.
    pub fn in_sentences(&self, snapshot: &Snapshot) -> Sentence {
        Speaker { snapshot, lang: &self.lang }.sentence(self)
    }
}

impl Speaker<'_> {
    /// The answer in sentences. What is asked back and what is refused are sentences already.
    fn sentence(&self, answer: &Answer) -> Sentence {
        let clauses = match answer.status {
            Status::Answered if answer.computed || answer.facts.len() > MOST_SAID => vec![self.outcome(answer)],
            Status::Answered => self.groups(&answer.facts).iter().map(|group| self.clause(group)).collect(),
            Status::FromText => vec![Clause { text: self.quoted(&answer.text), facts: Vec::new() }],
            Status::NotInKb | Status::Ambiguous => vec![Clause { text: answer.text.clone(), facts: Vec::new() }],
        };
        let texts: Vec<&str> = clauses.iter().map(|clause| clause.text.as_str()).collect();
        Sentence { text: texts.join(if self.chinese() { "" } else { " " }), clauses }
    }

    fn chinese(&self) -> bool {
        self.lang == "zh"
    }

    fn clause(&self, group: &Group<'_>) -> Clause {
        let facts: Vec<usize> = group.facts.iter().map(|(number, _)| *number).collect();
        let Some((_, first)) = group.facts.first() else { return Clause { text: String::new(), facts } };
        let statement = &first.statement;
        let all = |side: fn(&Fact) -> Value| -> Vec<String> {
            group.facts.iter().map(|(_, fact)| self.snapshot.said(&side(fact), self.lang)).collect()
        };
        let subject = |fact: &Fact| Value::Entity(fact.statement.subject.clone());
        let object = |fact: &Fact| fact.statement.object.clone();
        let (mut subjects, mut objects) = (all(subject), all(object));
        match group.side {
            Side::Subject => objects.truncate(1),
            Side::Object => subjects.truncate(1),
            Side::Neither => {}
        }
        let qualifiers = statement.qualifiers.iter().map(|(iri, _)| iri);
        let wording = self.snapshot.schema().statement_for(&statement.relation, self.lang, qualifiers);
        let qualifier = |slot: &str| {
            let (_, value) = statement.qualifiers.iter().find(|(iri, _)| local_name(iri.as_str()) == slot)?;
            Some(self.snapshot.said(value, self.lang))
        };
        let said = wording.statement(&self.list(&subjects), &self.list(&objects), &qualifier);
        Clause { text: self.cited(&said, &facts), facts }
    }

    /// Facts in their order, those together that say the same of several things. Several subjects would ask for another form of the verb
    /// than the wording has, so they are joined only where verbs have but one.
    fn groups<'f>(&self, facts: &'f [Fact]) -> Vec<Group<'f>> {
        let mut groups: Vec<Group<'f>> = Vec::new();
        for (at, fact) in facts.iter().enumerate() {
            let joined = groups.iter_mut().find_map(|group| {
                let (_, first) = group.facts.first()?;
                let side = differs_in(first, fact).filter(|side| *side == Side::Object || self.chinese())?;
                (group.side == Side::Neither || group.side == side).then_some((group, side))
            });
            match joined {
                Some((group, side)) => {
                    group.side = side;
                    group.facts.push((at + 1, fact));
                }
                None => groups.push(Group { facts: vec![(at + 1, fact)], side: Side::Neither }),
            }
        }
        groups
    }

    /// "Computed from 3 facts [1][2][3]: 12."
    fn outcome(&self, answer: &Answer) -> Clause {
        let facts: Vec<usize> = (1..=answer.facts.len()).collect();
        let values = answer.text.as_str();
        let text = match (self.chinese(), answer.computed) {
            (true, _) if facts.is_empty() => format!("知识库中：{values}。"),
            (false, _) if facts.is_empty() => format!("In the knowledge base: {values}."),
            (true, true) => format!("由{}条事实得出{}：{values}。", facts.len(), numbers(&facts)),
            (true, false) => format!("共{}条事实{}：{values}。", facts.len(), numbers(&facts)),
            (false, true) => format!("Computed from {} {}: {values}.", counted(facts.len()), numbers(&facts)),
            (false, false) => format!("By {} {}: {values}.", counted(facts.len()), numbers(&facts)),
        };
        Clause { text, facts }
    }

    fn quoted(&self, span: &str) -> String {
        if self.chinese() {
            format!("文档原文：“{span}”。")
        } else {
            format!("In the words of a document: \u{201c}{span}\u{201d}.")
        }
    }

    /// "A, B and C".
    fn list(&self, said: &[String]) -> String {
        match said {
            [] => String::new(),
            [only] => only.clone(),
            all if self.chinese() => all.join("、"),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
        }
    }

    /// Numbers of facts before the sign that ends a sentence.
    fn cited(&self, said: &str, facts: &[usize]) -> String {
        let body = said.trim_end_matches(['.', '。', ' ']);
        let (space, end) = if self.chinese() { ("", "。") } else { (" ", ".") };
        format!("{body}{space}{}{end}", numbers(facts))
    }
}

fn counted(facts: usize) -> String {
    if facts == 1 { "1 fact".to_owned() } else { format!("{facts} facts") }
}

/// "[1][2]"; a long run is said by its ends.
fn numbers(facts: &[usize]) -> String {
    match facts {
        [first, .., last] if facts.len() > 8 && last - first + 1 == facts.len() => format!("[{first}–{last}]"),
        all => all.iter().map(|number| format!("[{number}]")).collect(),
    }
}

/// The only end in which two facts of one relation and the same qualifiers differ.
fn differs_in(one: &Fact, other: &Fact) -> Option<Side> {
    let key = |fact: &Fact| -> (Iri, Vec<(Iri, Value)>) {
        (fact.statement.relation.clone(), fact.statement.qualifiers.clone())
    };
    if key(one) != key(other) {
        return None;
    }
    match (one.statement.subject == other.statement.subject, one.statement.object == other.statement.object) {
        (true, false) => Some(Side::Object),
        (false, true) => Some(Side::Subject),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;
    use crate::answer::Timings;
    use factmask_graph::{FactId, Statement};
    use factmask_schema::Schema;

    const SCHEMA: &str = r#"@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
        @prefix ex: <urn:x:> . @prefix fm: <urn:factmask:schema#> .
        ex:Film a rdfs:Class ; rdfs:label "film"@en . ex:Person a rdfs:Class ; rdfs:label "person"@en .
        ex:Genre a rdfs:Class ; rdfs:label "genre"@en .
        ex:director a rdf:Property ; rdfs:label "director"@en , "导演"@zh ; rdfs:domain ex:Film ; rdfs:range ex:Person ;
            fm:statement "{s} was directed by {o}."@en , "{s}由{o}执导。"@zh .
        ex:genre a rdf:Property ; rdfs:label "genre"@en , "类型"@zh ; rdfs:domain ex:Film ; rdfs:range ex:Genre ."#;

    fn fact(said: &str) -> Fact {
        let iri = |name: &str| Iri::new_unchecked(format!("urn:x:{name}"));
        let words: Vec<&str> = said.split(' ').collect();
        let statement = Statement::new(iri(words[0]), iri(words[1]), Value::Entity(iri(words[2])), Vec::new());
        Fact { id: FactId::of(&statement), statement, evidence: Vec::new() }
    }

    fn said(facts: &[&str], computed: bool, status: Status, text: &str, lang: &str) -> Sentence {
        let facts: Vec<Fact> = facts.iter().map(|said| fact(said)).collect();
        let snapshot = Snapshot::build(1, Schema::parse(SCHEMA, "test").unwrap(), vec![], facts.clone());
        let answer = Answer {
            status,
            text: text.to_owned(),
            values: Vec::new(),
            confidence: 1.0,
            facts,
            computed,
            choices: Vec::new(),
            read_as: Vec::new(),
            understood_as: None,
            spans: Vec::new(),
            conflicts: Vec::new(),
            doubt: None,
            lang: lang.to_owned(),
            timings: Timings::default(),
            explanation: None,
        };
        answer.in_sentences(&snapshot)
    }

    #[test]
    fn sentences() {
        type Row = (&'static [&'static str], bool, Status, &'static str, &'static str, &'static str);
        let table: &[Row] = &[
            (&["Alien director Scott"], false, Status::Answered, "", "en", "Alien was directed by Scott [1]."),
            (&["Alien director Scott"], false, Status::Answered, "", "zh", "Alien由Scott执导[1]。"),
            (
                &["Matrix director Lana", "Matrix director Lilly"],
                false,
                Status::Answered,
                "",
                "en",
                "Matrix was directed by Lana and Lilly [1][2].",
            ),
            (
                &["Alien director Scott", "Legend director Scott"],
                false,
                Status::Answered,
                "",
                "en",
                "Alien was directed by Scott [1]. Legend was directed by Scott [2].",
            ),
            (
                &["Alien director Scott", "Hannibal director Scott", "Legend director Scott"],
                false,
                Status::Answered,
                "",
                "zh",
                "Alien、Hannibal、Legend由Scott执导[1][2][3]。",
            ),
            (
                &["Alien director Scott", "Alien genre Horror"],
                false,
                Status::Answered,
                "",
                "en",
                "Alien was directed by Scott [1]. The genre of Alien is Horror [2].",
            ),
            (
                &["Alien director Scott", "Legend director Scott"],
                true,
                Status::Answered,
                "2",
                "en",
                "Computed from 2 facts [1][2]: 2.",
            ),
            (&["Alien director Scott"], true, Status::Answered, "1", "zh", "由1条事实得出[1]：1。"),
            (&[], false, Status::FromText, "a span", "en", "In the words of a document: \u{201c}a span\u{201d}."),
            (&[], false, Status::NotInKb, "Not in the knowledge base.", "en", "Not in the knowledge base."),
            (&[], false, Status::Ambiguous, "请说明指的是：甲；乙", "zh", "请说明指的是：甲；乙"),
        ];
        for (facts, computed, status, text, lang, expected) in table {
            let sentence = said(facts, *computed, *status, text, lang);
            assert_eq!(sentence.text, *expected);
            let cited: Vec<usize> = sentence.clauses.iter().flat_map(|clause| clause.facts.clone()).collect();
            assert_eq!(cited, (1..=facts.len()).collect::<Vec<_>>(), "{expected}");
        }
    }
}
