//! What the name of a relation says: its words, the class it mentions, its unit, and the grammar of its fact.

use super::english::{self, PREPOSITIONS, Verb};
use crate::text::is_cjk;
use crate::values::unit_named;
use factmask_schema::split_words;

/// A relation's name, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// The words that say the relation, without the class before and the unit behind.
    pub(super) words: Vec<String>,
    /// `zoo.animal.place_of_origin` is said of an animal.
    pub(super) class: Option<String>,
    /// The unit's symbol, where the last word is one: `draught_m`.
    pub(super) unit: Option<String>,
    /// The name says that it turns another relation round.
    pub(super) turned: bool,
    pub(super) chinese: bool,
}

/// How a fact is said with the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Grammar {
    /// "cargo", "port of call": the object is the subject's noun.
    Noun(Vec<String>),
    /// "painted by", "moored in harbour": the subject is, the object is behind the preposition.
    Passive { verb: Verb, preposition: String, noun: Vec<String> },
    /// "sails for company", "carries flag": the subject does.
    Active { base: String, third: String, preposition: Option<String>, noun: Vec<String> },
    /// "in dialect", "is on island": the subject is there.
    Within { preposition: String, noun: Vec<String> },
    /// "parent of", "is captain of": the subject is that of the object.
    Role { noun: Vec<String>, preposition: String },
    /// "is nicknamed": the subject is, and the object says how.
    Being { participle: String, base: String },
}

impl Name {
    /// Takes a name apart. `number`: the objects are numbers, so that a last word may be their unit.
    pub(super) fn new(name: &str, number: bool) -> Self {
        let name = name.trim();
        let local = name.rsplit(['/', '#']).find(|part| !part.is_empty()).unwrap_or(name);
        // "ex:country": a prefix; a colon inside words is no such thing.
        let local = local.rsplit_once(':').map_or(local, |(_, local)| local);
        let mut parts: Vec<&str> = local.split('.').filter(|part| !part.is_empty()).collect();
        let last = parts.pop().unwrap_or(local);
        let dotted = parts.len() > 1 && !parts.iter().any(|part| part.chars().any(char::is_whitespace));
        let class = parts.last().filter(|_| dotted).map(|part| split_words(part));
        let mut words: Vec<String> =
            split_words(if dotted { last } else { local }).split_whitespace().map(str::to_owned).collect();
        let turned = words.len() > 1 && words.last().is_some_and(|word| matches!(word.as_str(), "inverse" | "reverse"));
        if turned {
            words.pop();
        }
        let chinese = words.iter().any(|word| word.chars().any(is_cjk));
        let unit = words.last().filter(|_| number && !chinese && words.len() > 1).and_then(|word| symbol(word));
        if unit.is_some() {
            words.pop();
        }
        Self { words, class, unit, turned, chinese }
    }

    /// The name as people read it.
    pub(super) fn label(&self) -> String {
        let skip = usize::from(self.words.len() > 1 && self.words.first().is_some_and(|word| word == "has"));
        self.words.get(skip..).unwrap_or_default().join(" ")
    }

    /// The grammar of an English name.
    pub(super) fn grammar(&self) -> Grammar {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let preposition = |word: &&str| PREPOSITIONS.contains(word);
        match words.as_slice() {
            ["has", noun @ ..] if !noun.is_empty() => Grammar::Noun(owned(noun)),
            ["is" | "was" | "are" | "were", rest @ ..] if !rest.is_empty() => match rest {
                [word] if !preposition(word) => match english::verb_of_participle(word) {
                    Some(verb) => Grammar::Being { participle: (*word).to_owned(), base: verb.base },
                    None => Grammar::Noun(owned(rest)),
                },
                [place, noun @ ..] if preposition(place) => {
                    Grammar::Within { preposition: (*place).to_owned(), noun: owned(noun) }
                }
                _ => passive(rest).or_else(|| role(rest)).unwrap_or_else(|| Grammar::Noun(owned(rest))),
            },
            [place, noun @ ..] if preposition(place) && !noun.is_empty() => {
                Grammar::Within { preposition: (*place).to_owned(), noun: owned(noun) }
            }
            [third, rest @ ..] if !rest.is_empty() => match english::base_of_third_person(third) {
                // "sails for company", "carries flag"; "port of call" has no third person, and "parts of speech" is rare.
                Some(base) if rest.first() != Some(&"of") => {
                    let place = rest.first().filter(|word| preposition(word));
                    Grammar::Active {
                        base,
                        third: (*third).to_owned(),
                        preposition: place.map(|word| (*word).to_owned()),
                        noun: owned(rest.get(usize::from(place.is_some())..).unwrap_or_default()),
                    }
                }
                _ => passive(&words).or_else(|| role(&words)).unwrap_or_else(|| Grammar::Noun(owned(&words))),
            },
            _ => Grammar::Noun(owned(&words)),
        }
    }
}

impl Grammar {
    /// The noun that calls the object: "painter" of "painted by", "company" of "sails for company".
    pub(super) fn object_noun(&self) -> Option<String> {
        match self {
            Self::Noun(words) => head(words),
            Self::Passive { verb, preposition, noun } if noun.is_empty() && preposition == "by" => {
                Some(english::doer(&verb.base))
            }
            Self::Passive { noun, .. } | Self::Active { noun, .. } | Self::Within { noun, .. } => head(noun),
            Self::Being { .. } | Self::Role { .. } => None,
        }
    }

    /// The noun that calls the subject: "sailor" of "sails for".
    pub(super) fn subject_noun(&self) -> Option<String> {
        match self {
            Self::Active { base, .. } if base != "have" => Some(english::doer(base)),
            Self::Role { noun, .. } => head(noun),
            _ => None,
        }
    }
}

/// A noun with a preposition behind it and nothing after.
fn role(words: &[&str]) -> Option<Grammar> {
    let (preposition, noun) = words.split_last()?;
    let said = PREPOSITIONS.contains(preposition) && !noun.is_empty();
    said.then(|| Grammar::Role {
        noun: noun.iter().map(|word| (*word).to_owned()).collect(),
        preposition: (*preposition).to_owned(),
    })
}

/// The noun that a noun phrase is about, in the singular: "port" of "port of call", "captain" of "retired captains", "deepest
/// hold" as a whole, since an adjective narrows it.
fn head(words: &[String]) -> Option<String> {
    let end = words.iter().position(|word| PREPOSITIONS.contains(&word.as_str())).unwrap_or(words.len());
    let mut phrase: Vec<String> = words.get(..end)?.to_vec();
    if phrase.len() > 1 && phrase.first().is_some_and(|word| english::verb_of_participle(word).is_some()) {
        phrase.remove(0);
    }
    // "port name" names a port.
    if phrase.len() > 1 && phrase.last().is_some_and(|word| matches!(word.as_str(), "name" | "names")) {
        phrase.pop();
    }
    let last = phrase.last_mut()?;
    *last = english::singular(last).unwrap_or_else(|| last.clone());
    Some(phrase.join(" "))
}

/// Participle and preposition somewhere: "painted by", "moored in harbour".
fn passive(words: &[&str]) -> Option<Grammar> {
    let [participle, place, noun @ ..] = words else { return None };
    let verb = english::verb_of_participle(participle).filter(|_| PREPOSITIONS.contains(place) && *place != "of")?;
    let noun = noun.iter().map(|word| (*word).to_owned()).collect();
    Some(Grammar::Passive { verb, preposition: (*place).to_owned(), noun })
}

/// A unit's symbol; a word such as "people" is none, and neither is a single letter that stands for many things but the metre.
fn symbol(word: &str) -> Option<String> {
    unit_named(word).and_then(|unit| unit.symbol(None)).filter(|symbol| !symbol.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_apart() {
        for (name, number, label, class, unit, turned) in [
            ("painted_by", false, "painted by", None, None, false),
            ("zoo.animal.place_of_origin", false, "place of origin", Some("animal"), None, false),
            ("has_colours", false, "colours", None, None, false),
            ("chiefEngineer", false, "chief engineer", None, None, false),
            ("draught_m", true, "draught", None, Some("m"), false),
            ("surface_km2", true, "surface", None, Some("km²"), false),
            ("draught_m", false, "draught m", None, None, false),
            ("year", true, "year", None, None, false),
            ("keeps_bees_inverse", false, "keeps bees", None, None, true),
            ("ex:homePort", false, "home port", None, None, false),
            ("http://example.com/ns#homePort", false, "home port", None, None, false),
            ("母港", false, "母港", None, None, false),
        ] {
            let found = Name::new(name, number);
            let shown = (found.label(), found.class.as_deref(), found.unit.as_deref(), found.turned);
            assert_eq!(shown, (label.to_owned(), class, unit, turned), "{name}");
        }
    }

    #[test]
    fn grammar_by_name() {
        for (name, object, subject) in [
            ("painted_by", Some("painter"), None),
            ("moored_in_harbour", Some("harbour"), None),
            ("sails_for_company", Some("company"), Some("sailor")),
            ("carries_flag", Some("flag"), Some("carrier")),
            ("in_dialect", Some("dialect"), None),
            ("is_on_island", Some("island"), None),
            ("is_nicknamed", None, None),
            ("has_colours", Some("colour"), None),
            ("retired_captains", Some("captain"), None),
            ("port_of_call", Some("port"), None),
            ("deepest_hold", Some("deepest hold"), None),
            ("cargo", Some("cargo"), None),
            ("port_name", Some("port"), None),
            ("children", Some("child"), None),
        ] {
            let grammar = Name::new(name, false).grammar();
            let found = (grammar.object_noun(), grammar.subject_noun());
            assert_eq!((found.0.as_deref(), found.1.as_deref()), (object, subject), "{name}");
        }
    }
}
