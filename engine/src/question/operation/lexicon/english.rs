//! English.

use super::{super::query::End, Adjective};

const fn most(word: &'static str, by: &'static [&'static str]) -> Adjective {
    Adjective { word, end: End::Most, by, general: false }
}

const fn least(word: &'static str, by: &'static [&'static str]) -> Adjective {
    Adjective { word, end: End::Least, by, general: false }
}

const fn general(adjective: Adjective) -> Adjective {
    Adjective { general: true, ..adjective }
}

/// Size is area before anything else; of what has none, how many live there; of what has neither, how long it is.
const SIZE: &[&str] = &["area", "population", "length"];

/// The adjectives.
pub const ADJECTIVES: &[Adjective] = &[
    general(most("long", &["length", "duration"])),
    general(least("short", &["length", "height", "duration"])),
    general(most("high", &["height"])),
    general(least("low", &["height"])),
    most("tall", &["height"]),
    most("deep", &["depth"]),
    least("shallow", &["depth"]),
    most("wide", &["width"]),
    most("broad", &["width"]),
    least("narrow", &["width"]),
    general(most("large", SIZE)),
    general(most("big", SIZE)),
    general(most("great", SIZE)),
    general(least("small", SIZE)),
    general(least("tiny", SIZE)),
    general(least("little", &[])),
    most("populous", &["population"]),
    most("populated", &["population"]),
    general(most("dense", &["density"])),
    general(least("sparse", &["density"])),
    most("heavy", &["weight"]),
    least("light", &["weight"]),
    most("fast", &["speed"]),
    least("slow", &["speed"]),
    most("expensive", &["price"]),
    most("costly", &["price"]),
    least("cheap", &["price"]),
    most("hot", &["temperature"]),
    most("warm", &["temperature"]),
    least("cold", &["temperature"]),
    least("old", &["beginning"]),
    most("young", &["beginning"]),
    most("new", &["beginning"]),
    most("recent", &["beginning"]),
    general(least("early", &["beginning"])),
    general(most("late", &["beginning"])),
];

/// Verbs, some with their particle, that say the same of two things. Each in the form in which a dictionary has it.
pub const SYNONYMS: &[&[&str]] = &[
    &[
        "traverse",
        "cross",
        "cross over",
        "run through",
        "run across",
        "flow through",
        "flow across",
        "pass through",
        "pass",
        "go through",
        "cut through",
    ],
    &["border", "adjoin", "abut", "neighbour", "neighbor", "touch", "surround", "adjacent to", "next to", "border on"],
    &["locate", "lie", "situate", "sit", "stand", "find", "base", "headquarter"],
    &["contain", "include", "comprise", "hold"],
    &["found", "establish", "create", "start", "set up", "launch", "begin", "incorporate"],
    &["write", "author", "pen", "script"],
    &["direct", "helm"],
    &["compose", "score"],
    &["star", "act", "appear", "play", "feature", "actor", "cast"],
    &["produce", "make", "manufacture"],
    &["own", "possess"],
    &["lead", "head", "chair", "govern", "run", "rule", "manage"],
    &["approve", "authorise", "authorize", "license", "clear"],
    &["die", "death", "pass away"],
    &["speak", "language"],
    &["spend", "invest"],
    &["marry", "wed"],
    &["bear", "birth", "birth place", "place of birth", "birthplace"],
    &["live", "reside", "dwell"],
    &["attend", "study at", "graduate from"],
    &["employ", "work for", "work at"],
    &["buy", "acquire", "purchase", "take over"],
    &["release", "publish", "issue"],
    &["win", "receive", "award"],
    &["build", "construct", "erect"],
    &["design", "plan"],
    &["treat", "cure"],
    &["inhibit", "block"],
    &["belong to", "part of", "member of"],
];

/// Words by which a relation says that one thing lies in or belongs to another.
pub const PLACES: &[&str] = &["in", "within", "located", "location", "situated", "part", "belongs", "lies", "inside"];
