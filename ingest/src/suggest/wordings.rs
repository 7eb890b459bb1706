//! How a relation is called, asked for and said, from its name alone.

use super::english::{self, PREPOSITIONS};
use super::name::{Grammar, Name};
use factmask_schema::{Range, Text, ValueKind, Wording, escape};

/// What the words depend on beside the name.
pub(super) struct Said<'a> {
    pub(super) range: &'a Range,
    /// One object is the rule.
    pub(super) single: bool,
}

/// The words of a relation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) labels: Vec<Text>,
    pub(super) aliases: Vec<Text>,
    pub(super) questions: Vec<Wording>,
    /// The first leads to the object.
    pub(super) statements: Vec<Wording>,
}

/// The words in `lang`. For another language than English and Chinese the name stands alone, and the schema's general sentence
/// says the facts.
pub(super) fn words(name: &Name, lang: &str, said: &Said<'_>) -> Words {
    let mut draft = Draft { lang: lang.to_owned(), words: Words::default() };
    match lang {
        "zh" => draft.chinese(&name.label(), said),
        "en" => draft.english(name, said),
        _ => draft.label(&name.label()),
    }
    draft.words
}

struct Draft {
    lang: String,
    words: Words,
}

impl Draft {
    fn label(&mut self, label: &str) {
        if !label.is_empty() {
            self.words.labels.push(Text::new(self.lang.as_str(), label));
        }
    }

    fn alias(&mut self, alias: impl Into<String>) {
        let alias = Text::new(self.lang.as_str(), alias);
        let known = self.words.labels.iter().chain(&self.words.aliases).any(|text| *text == alias);
        if !known && !alias.text.trim().is_empty() {
            self.words.aliases.push(alias);
        }
    }

    fn question(&mut self, text: String) {
        // Words from a name are escaped, so this parses.
        if let Ok(wording) = Wording::parse(&self.lang, &text)
            && wording.check_question().is_ok()
            && !self.words.questions.contains(&wording)
        {
            self.words.questions.push(wording);
        }
    }

    fn statement(&mut self, text: String) {
        if let Ok(wording) = Wording::parse(&self.lang, &text)
            && wording.check_statement().is_ok()
            && !self.words.statements.contains(&wording)
        {
            self.words.statements.push(wording);
        }
    }

    fn chinese(&mut self, label: &str, said: &Said<'_>) {
        self.label(label);
        let label = &escape(label);
        self.statement(format!("{{s}}的{label}是{{o}}。"));
        match said.range {
            Range::Value(value) if value.kind == ValueKind::Number => {
                self.question(format!("{{s}}的{label}是多少？"));
                self.question(format!("{{s}}的{label}有多少？"));
            }
            Range::Value(value) if matches!(value.kind, ValueKind::Date | ValueKind::Year) => {
                self.question(format!("{{s}}的{label}是什么时候？"));
                self.question(format!("{{s}}的{label}是哪一年？"));
            }
            _ => {
                self.question(format!("{{s}}的{label}是什么？"));
                if label.ends_with(['者', '人', '员', '家', '师', '长', '主']) {
                    self.question(format!("{{s}}的{label}是谁？"));
                    self.question(format!("谁是{{s}}的{label}？"));
                }
                if !said.single {
                    self.question(format!("{{s}}的{label}有哪些？"));
                }
                self.question(format!("{{s}}是什么{label}？"));
            }
        }
    }

    fn english(&mut self, name: &Name, said: &Said<'_>) {
        self.label(&name.label());
        let grammar = name.grammar();
        if name.turned {
            return self.turned(&grammar);
        }
        match &grammar {
            Grammar::Noun(words) => self.noun(words, said),
            Grammar::Passive { verb, preposition, noun } => self.passive(verb, preposition, noun, said),
            Grammar::Active { base, third, preposition, noun } => {
                let noun = &escape(&noun.join(" "));
                let behind = preposition.as_deref().map(|word| format!(" {word}")).unwrap_or_default();
                let the = if noun.is_empty() { String::new() } else { format!(" the {noun}") };
                self.statement(format!("{{s}} {third}{behind}{the} {{o}}."));
                match noun.is_empty() {
                    true => self.question(format!("What does {{s}} {base}{behind}?")),
                    false => {
                        self.question(format!("Which {noun} does {{s}} {base}{behind}?"));
                        self.question(format!("What is the {noun} of {{s}}?"));
                        self.question(format!("What {noun} does {{s}} {base}{behind}?"));
                        self.alias(noun.clone());
                    }
                }
                self.alias(format!("{base}{behind}"));
            }
            Grammar::Role { noun, preposition } => {
                let noun = &escape(&noun.join(" "));
                self.statement(format!("{{s}} is the {noun} {preposition} {{o}}."));
                self.question(format!("What is {{s}} the {noun} {preposition}?"));
                self.question(format!("{} what is {{s}} the {noun}?", capital(preposition)));
            }
            Grammar::Within { preposition, noun } => {
                let noun = &escape(&noun.join(" "));
                if noun.is_empty() {
                    self.statement(format!("{{s}} is {preposition} {{o}}."));
                    self.question(format!("What is {{s}} {preposition}?"));
                    return;
                }
                self.statement(format!("The {noun} of {{s}} is {{o}}."));
                self.statement(format!("{{s}} is {preposition} the {noun} {{o}}."));
                self.question(format!("Which {noun} is {{s}} {preposition}?"));
                self.question(format!("{} which {noun} is {{s}}?", capital(preposition)));
                self.question(format!("What is the {noun} of {{s}}?"));
                self.alias(noun.clone());
            }
            Grammar::Being { participle, base } => {
                self.statement(format!("{{s}} is {} {{o}}.", escape(participle)));
                self.question(format!("How {} is {{s}}?", escape(participle)));
                self.question(format!("What is {{s}} {}?", escape(participle)));
                self.measured(base);
                self.alias(participle.clone());
                self.alias(base.clone());
            }
        }
    }

    /// "capital", "place of birth", "children", "release year".
    fn noun(&mut self, words: &[String], said: &Said<'_>) {
        let label = &escape(&words.join(" "));
        let single = words.iter().take_while(|word| !PREPOSITIONS.contains(&word.as_str())).last();
        let one = single.and_then(|word| english::singular(word));
        let many = one.is_some();
        let (verb, leads) = match (many, said.single) {
            (true, false) => ("are", "include"),
            (true, true) => ("are", "are"),
            (false, _) => ("is", "is"),
        };
        self.statement(format!("The {label} of {{s}} {leads} {{o}}."));
        // "borders" may be a verb as well as a noun.
        if let [word] = words
            && let Some(base) = english::base_of_third_person(word)
        {
            self.statement(format!("{{s}} {label} {{o}}."));
            self.question(format!("What does {{s}} {}?", escape(&base)));
        }
        self.statement(format!("{{s}}'s {label} {leads} {{o}}."));
        let who = single.is_some_and(|word| english::is_person(word));
        match said.range {
            Range::Value(value) if value.kind == ValueKind::Number => {
                self.question(format!("What is the {label} of {{s}}?"));
                self.question(format!("How much is the {label} of {{s}}?"));
                if let Some(word) = single {
                    self.measured(word);
                }
            }
            Range::Value(value) if matches!(value.kind, ValueKind::Date | ValueKind::Year) => {
                self.question(format!("What is the {label} of {{s}}?"));
                self.question(format!("When was the {label} of {{s}}?"));
            }
            _ if who => {
                self.question(format!("Who {verb} the {label} of {{s}}?"));
                self.question(format!("Who {verb} {{s}}'s {label}?"));
            }
            _ => {
                self.question(format!("What {verb} the {label} of {{s}}?"));
                self.question(format!("What {verb} {{s}}'s {label}?"));
                self.question(format!("Which {label} does {{s}} have?"));
            }
        }
        self.circumstances(words, said);
        self.noun_forms(words, one);
    }

    /// Other forms of a noun phrase: one and many, "birth place" for "place of birth", the verb in "retired captains".
    fn noun_forms(&mut self, words: &[String], one: Option<String>) {
        if let [.., last] = words
            && let Some(one) = one
        {
            let mut single = words.to_vec();
            if let Some(place) = single.iter_mut().rev().find(|word| *word == last) {
                *place = one.clone();
            }
            self.alias(single.join(" "));
            self.alias(one);
        }
        if let Some(at) = words.iter().position(|word| word == "of")
            && let (Some(head), Some(of)) = (words.get(..at), words.get(at + 1..))
            && !head.is_empty()
            && !of.is_empty()
        {
            self.alias(format!("{} {}", of.join(" "), head.join(" ")));
        }
        if let [first, _, ..] = words
            && let Some(verb) = english::verb_of_participle(first)
        {
            self.question(format!("Who {} in {{s}}?", escape(&verb.past)));
            self.alias(verb.base);
        }
    }

    /// "When was {s} built?" of "build time", "Where was {s} born?" of "place of birth".
    fn circumstances(&mut self, words: &[String], said: &Said<'_>) {
        let (head, event) = match words {
            [head, of, event] if of == "of" => (head, event),
            [event, head] => (head, event),
            _ => return,
        };
        let time = matches!(said.range, Range::Value(value) if matches!(value.kind, ValueKind::Date | ValueKind::Year));
        let ask = match head.as_str() {
            "place" | "location" | "site" => "Where",
            "date" | "year" | "time" | "day" if time => "When",
            _ => return,
        };
        let Some((auxiliary, verb)) = english::event(event) else { return };
        let verb = escape(&verb);
        self.question(format!("{ask} {auxiliary} {{s}} {verb}?"));
        if head == "year" {
            self.question(format!("In which year {auxiliary} {{s}} {verb}?"));
        }
        self.alias(verb);
    }

    fn measured(&mut self, noun: &str) {
        if let Some(adjective) = english::measure(noun) {
            self.question(format!("How {adjective} is {{s}}?"));
            self.alias(adjective);
        }
    }

    /// "painted by", "moored in harbour", "named after".
    fn passive(&mut self, verb: &english::Verb, preposition: &str, noun: &[String], said: &Said<'_>) {
        let noun = &escape(&noun.join(" "));
        let (base, past, participle) = (&escape(&verb.base), &escape(&verb.past), &escape(&verb.participle));
        let time = matches!(said.range, Range::Value(value) if matches!(value.kind, ValueKind::Date | ValueKind::Year));
        let was = if time || preposition == "by" || participle == "born" { "was" } else { "is" };
        let the = if noun.is_empty() { String::new() } else { format!(" the {noun}") };
        self.statement(format!("{{s}} {was} {participle} {preposition}{the} {{o}}."));
        if preposition == "by" {
            let doer = &english::doer(base);
            self.statement(format!("The {doer} of {{s}} is {{o}}."));
            self.statement(format!("{{o}} {past} {{s}}."));
            self.question(format!("Who {past} {{s}}?"));
            self.question(format!("Who was {{s}} {participle} by?"));
            self.question(format!("Who is the {doer} of {{s}}?"));
            self.question(format!("By whom was {{s}} {participle}?"));
            self.alias(doer.clone());
        } else if !noun.is_empty() {
            self.question(format!("Which {noun} {was} {{s}} {participle} {preposition}?"));
            self.question(format!("{} which {noun} {was} {{s}} {participle}?", capital(preposition)));
            self.question(format!("What is the {noun} of {{s}}?"));
        } else {
            let place = matches!(preposition, "in" | "at" | "on" | "near") && !time;
            let ask = if time { "When" } else { "Where" };
            if time || place {
                self.question(format!("{ask} {was} {{s}} {participle}?"));
            }
            self.question(format!("What {was} {{s}} {participle} {preposition}?"));
        }
        if !noun.is_empty() {
            self.alias(noun.clone());
        }
        self.alias(base.clone());
    }

    /// A relation that turns another one round is said by that one, with the two in each other's place.
    fn turned(&mut self, grammar: &Grammar) {
        let said = match grammar {
            Grammar::Noun(words) => format!("{{s}} is the {} of {{o}}.", escape(&words.join(" "))),
            Grammar::Passive { verb, preposition, noun } => {
                format!("{{o}} is {} {preposition} {} {{s}}.", escape(&verb.participle), escape(&noun.join(" ")))
            }
            Grammar::Active { third, preposition, noun, .. } => {
                let words = [Some(third.clone()), preposition.clone(), Some(noun.join(" "))];
                let words: Vec<String> = words.into_iter().flatten().filter(|word| !word.is_empty()).collect();
                format!("{{o}} {} {{s}}.", escape(&words.join(" ")))
            }
            Grammar::Role { noun, preposition } => {
                format!("{{o}} is the {} {preposition} {{s}}.", escape(&noun.join(" ")))
            }
            Grammar::Within { preposition, noun } => {
                format!("{{o}} is {preposition} {} {{s}}.", escape(&noun.join(" ")))
            }
            Grammar::Being { participle, .. } => format!("{{o}} is {} {{s}}.", escape(participle)),
        };
        match grammar.subject_noun() {
            Some(noun) => {
                let many = english::plural(&noun);
                self.words.labels = vec![Text::new(self.lang.as_str(), many.as_str())];
                let words = escape(&many);
                self.statement(format!("The {words} of {{s}} include {{o}}."));
                self.question(format!("Who are the {words} of {{s}}?"));
                self.question(format!("Which {words} does {{s}} have?"));
                self.alias(noun);
            }
            None => {
                let label = self.words.labels.first().map(|label| format!("what {}", label.text)).unwrap_or_default();
                self.words.labels = vec![Text::new(self.lang.as_str(), label)];
            }
        }
        let said = said.replace("  ", " ");
        self.question(said.replace("{o}", "What").replace('.', "?"));
        self.statement(said);
    }
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use factmask_schema::ValueType;

    fn shown(name: &str, lang: &str, range: &Range) -> (String, Vec<String>, Vec<String>, Vec<String>) {
        let words = words(&Name::new(name, false), lang, &Said { range, single: true });
        let source = |wordings: &[Wording]| wordings.iter().map(|wording| wording.source.clone()).collect();
        let texts = |texts: &[Text]| texts.iter().map(|text| text.text.clone()).collect::<Vec<_>>();
        (texts(&words.labels).join("|"), texts(&words.aliases), source(&words.questions), source(&words.statements))
    }

    #[test]
    fn facts_are_said_by_the_grammar_of_the_name() {
        let anyone = Range::Entity(None);
        let value = |kind| Range::Value(ValueType { kind, unit: None });
        for (name, lang, range, statement, question, alias) in [
            ("painted_by", "en", anyone.clone(), "{s} was painted by {o}.", "Who painted {s}?", "painter"),
            (
                "moored_in_harbour",
                "en",
                anyone.clone(),
                "{s} is moored in the harbour {o}.",
                "Which harbour is {s} moored in?",
                "harbour",
            ),
            (
                "sails_for_company",
                "en",
                anyone.clone(),
                "{s} sails for the company {o}.",
                "Which company does {s} sail for?",
                "sail for",
            ),
            ("in_dialect", "en", anyone.clone(), "The dialect of {s} is {o}.", "Which dialect is {s} in?", "dialect"),
            (
                "place_of_launch",
                "en",
                anyone.clone(),
                "The place of launch of {s} is {o}.",
                "Where was {s} launched?",
                "launch place",
            ),
            (
                "launch_year",
                "en",
                value(ValueKind::Year),
                "The launch year of {s} is {o}.",
                "When was {s} launched?",
                "launched",
            ),
            (
                "has_colours",
                "en",
                anyone.clone(),
                "The colours of {s} are {o}.",
                "Which colours does {s} have?",
                "colour",
            ),
            ("length", "en", value(ValueKind::Number), "The length of {s} is {o}.", "How long is {s}?", "long"),
            ("母港", "zh", anyone, "{s}的母港是{o}。", "{s}的母港是什么？", ""),
            ("排水量", "zh", value(ValueKind::Number), "{s}的排水量是{o}。", "{s}的排水量是多少？", ""),
        ] {
            let (label, aliases, questions, statements) = shown(name, lang, &range);
            assert!(!label.is_empty(), "{name}");
            assert_eq!(statements.first().map(String::as_str), Some(statement), "{name}");
            assert!(questions.iter().any(|known| known == question), "{name}: {questions:?}");
            assert!(alias.is_empty() || aliases.iter().any(|known| known == alias), "{name}: {aliases:?}");
        }
    }

    #[test]
    fn a_turned_relation_is_said_the_other_way_round() {
        let (_, aliases, _, statements) = shown("sails_for_company_inverse", "en", &Range::Entity(None));
        assert_eq!(statements, ["The sailors of {s} include {o}.", "{o} sails for company {s}."]);
        assert_eq!(aliases, ["sailor"]);
    }

    #[test]
    fn brackets_in_names_are_no_slots() {
        let (label, _, questions, statements) = shown("cost {net}", "en", &Range::Entity(None));
        assert_eq!(label, "cost {net}");
        assert_eq!(statements.first().map(String::as_str), Some("The cost {{net}} of {s} is {o}."));
        assert!(!questions.is_empty());
    }
}
