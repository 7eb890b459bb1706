//! English word forms: what a participle comes from, who does it, one and many.
//!
//! General morphology and the irregular forms that every grammar lists; nothing here knows a relation.

/// Base, past and participle of the irregular verbs that relation names are made of.
const IRREGULAR: &[(&str, &str, &str)] = &[
    ("bear", "bore", "born"),
    ("become", "became", "become"),
    ("begin", "began", "begun"),
    ("break", "broke", "broken"),
    ("bring", "brought", "brought"),
    ("build", "built", "built"),
    ("buy", "bought", "bought"),
    ("choose", "chose", "chosen"),
    ("come", "came", "come"),
    ("draw", "drew", "drawn"),
    ("drive", "drove", "driven"),
    ("fall", "fell", "fallen"),
    ("fight", "fought", "fought"),
    ("find", "found", "found"),
    ("fly", "flew", "flown"),
    ("give", "gave", "given"),
    ("grow", "grew", "grown"),
    ("hold", "held", "held"),
    ("keep", "kept", "kept"),
    ("know", "knew", "known"),
    ("lead", "led", "led"),
    ("lose", "lost", "lost"),
    ("make", "made", "made"),
    ("meet", "met", "met"),
    ("pay", "paid", "paid"),
    ("run", "ran", "run"),
    ("see", "saw", "seen"),
    ("sell", "sold", "sold"),
    ("send", "sent", "sent"),
    ("shoot", "shot", "shot"),
    ("sing", "sang", "sung"),
    ("speak", "spoke", "spoken"),
    ("take", "took", "taken"),
    ("teach", "taught", "taught"),
    ("tell", "told", "told"),
    ("wear", "wore", "worn"),
    ("win", "won", "won"),
    ("write", "wrote", "written"),
];

/// Verbs on a consonant whose doer ends in "or" all the same; the others that do end in "ct", "ate" or "sess".
const DOER_IN_OR: &[&str] = &["edit", "invent", "invest", "audit", "visit", "conquer", "survey", "sail", "sponsor"];

/// Plurals that are not made with "s".
const PLURALS: &[(&str, &str)] = &[
    ("child", "children"),
    ("man", "men"),
    ("woman", "women"),
    ("person", "people"),
    ("foot", "feet"),
    ("medium", "media"),
    ("criterion", "criteria"),
];

/// Nouns of an event, with the verb in a question for its circumstances: "where was {s} born", "when did {s} die".
const EVENTS: &[(&str, &str, &str)] =
    &[("birth", "was", "born"), ("death", "did", "die"), ("marriage", "was", "married")];

/// Things that end like doers.
const THINGS: &[&str] = &[
    "number",
    "chapter",
    "character",
    "center",
    "order",
    "border",
    "letter",
    "quarter",
    "river",
    "cover",
    "layer",
    "factor",
    "sector",
    "water",
    "header",
    "folder",
    "corner",
    "finger",
    "danger",
    "answer",
    "power",
    "tower",
    "paper",
    "motor",
    "monitor",
    "meter",
    "liter",
    "after",
    "under",
    "inner",
    "outer",
];

/// What a noun of measure is asked for with.
const MEASURES: &[(&str, &str)] = &[
    ("age", "old"),
    ("height", "tall"),
    ("altitude", "high"),
    ("elevation", "high"),
    ("length", "long"),
    ("width", "wide"),
    ("depth", "deep"),
    ("weight", "heavy"),
    ("size", "big"),
    ("area", "big"),
    ("distance", "far"),
    ("speed", "fast"),
    ("duration", "long"),
];

/// Prepositions that a relation's name may hold.
pub(super) const PREPOSITIONS: &[&str] = &[
    "by", "in", "at", "on", "of", "to", "from", "for", "with", "under", "over", "through", "into", "as", "about",
    "near", "after", "before", "against", "during", "within", "between",
];

/// A verb's forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verb {
    pub(super) base: String,
    pub(super) past: String,
    pub(super) participle: String,
}

/// The verb that a past participle is of; `None` where the word does not look like one.
pub(super) fn verb_of_participle(word: &str) -> Option<Verb> {
    if let Some((base, past, participle)) = IRREGULAR.iter().find(|(_, _, participle)| *participle == word) {
        // "founded" is regular; a bare "found" hardly ever names what was found.
        return Some(Verb { base: (*base).into(), past: (*past).into(), participle: (*participle).into() });
    }
    let base = if let Some(stem) = word.strip_suffix("ied").filter(|stem| stem.len() > 1) {
        format!("{stem}y")
    } else {
        let stem = word.strip_suffix("ed").filter(|stem| stem.len() > 1 && stem.contains(is_vowel) && *stem != "ne")?;
        match undoubled(stem) {
            Some(single) => single,
            None if wants_e(stem) => format!("{stem}e"),
            None => stem.to_owned(),
        }
    };
    Some(Verb { base, past: word.to_owned(), participle: word.to_owned() })
}

/// The verb with this base.
pub(super) fn verb(base: &str) -> Verb {
    if let Some((base, past, participle)) = IRREGULAR.iter().find(|(known, _, _)| *known == base) {
        return Verb { base: (*base).into(), past: (*past).into(), participle: (*participle).into() };
    }
    let past = if base.ends_with('e') {
        format!("{base}d")
    } else if let Some(stem) = base.strip_suffix('y').filter(|stem| !stem.ends_with(is_vowel)) {
        format!("{stem}ied")
    } else {
        format!("{base}ed")
    };
    Verb { base: base.to_owned(), past: past.clone(), participle: past }
}

/// The base of "plays", "carries", "passes"; `None` where the word is no third person.
pub(super) fn base_of_third_person(word: &str) -> Option<String> {
    if word == "has" {
        return Some("have".to_owned());
    }
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with(['s', 'u', 'i', '\'']))?;
    if let Some(stem) = stem.strip_suffix("ie") {
        return Some(format!("{stem}y"));
    }
    let sibilant = |stem: &&str| ["ss", "sh", "ch", "x", "zz"].iter().any(|end| stem.ends_with(end));
    Some(stem.strip_suffix('e').filter(sibilant).unwrap_or(stem).to_owned())
}

/// The forms of "be" and "have" that the rules do not give.
const AUXILIARIES: &[(&str, &[&str])] =
    &[("be", &["am", "is", "are", "was", "were", "been", "being"]), ("have", &["has", "had"])];

/// Whether a word looks like a verb in the third person, in the past or as a participle.
pub(crate) fn is_verb(word: &str) -> bool {
    base_form(word) != word || AUXILIARIES.iter().any(|(base, _)| *base == word)
}

/// What a verb's form is of ("acquires" and "acquired" are of "acquire"); any other word as it is.
pub(crate) fn base_form(word: &str) -> String {
    if let Some((base, _)) = AUXILIARIES.iter().find(|(_, forms)| forms.contains(&word)) {
        return (*base).to_owned();
    }
    if let Some((base, _, _)) = IRREGULAR.iter().find(|(_, past, _)| *past == word) {
        return (*base).to_owned();
    }
    let verb = verb_of_participle(word).map(|verb| verb.base);
    verb.or_else(|| base_of_third_person(word)).unwrap_or_else(|| word.to_owned())
}

/// Who does what the verb says: "inspect" gives "inspector", "bake" "baker", "plan" "planner".
pub(super) fn doer(base: &str) -> String {
    if let Some(stem) = base.strip_suffix("ate") {
        return format!("{stem}ator");
    }
    if base.ends_with("ct") || base.ends_with("sess") || DOER_IN_OR.contains(&base) {
        return format!("{base}or");
    }
    if base.ends_with('e') {
        return format!("{base}r");
    }
    if let Some(stem) = base.strip_suffix('y').filter(|stem| !stem.ends_with(is_vowel)) {
        return format!("{stem}ier");
    }
    match base.chars().next_back().filter(|_| doubles(base)) {
        Some(last) => format!("{base}{last}er"),
        None => format!("{base}er"),
    }
}

/// Whether a noun says a person by its ending: doers and followers.
pub(super) fn is_person(noun: &str) -> bool {
    let one = singular(noun).unwrap_or_else(|| noun.to_owned());
    let ends = |endings: &[&str]| endings.iter().any(|ending| one.ends_with(ending) && one.len() >= ending.len() + 2);
    (ends(&["tor", "sor", "ter", "ger", "ner", "ver", "cer", "yer", "der", "ker", "ler", "ser", "ist", "man", "woman"])
        && !THINGS.contains(&one.as_str()))
        || PLURALS.iter().take(4).any(|(single, _)| *single == one)
}

/// The singular of a plural; `None` where the word is none.
pub(super) fn singular(word: &str) -> Option<String> {
    if let Some((one, _)) = PLURALS.iter().find(|(_, many)| *many == word) {
        return Some((*one).to_owned());
    }
    if word.len() < 4 || ["ss", "us", "is", "series", "species", "news", "sports"].iter().any(|end| word.ends_with(end))
    {
        return None;
    }
    base_of_third_person(word)
}

/// The plural of a singular.
pub(super) fn plural(word: &str) -> String {
    if let Some((_, many)) = PLURALS.iter().find(|(one, _)| *one == word) {
        return (*many).to_owned();
    }
    if let Some(stem) = word.strip_suffix('y').filter(|stem| !stem.ends_with(is_vowel)) {
        return format!("{stem}ies");
    }
    let hisses = ["s", "sh", "ch", "x", "z"].iter().any(|end| word.ends_with(end));
    if hisses { format!("{word}es") } else { format!("{word}s") }
}

/// How an event's circumstances are asked: the auxiliary and the verb ("was", "born"). From the noun of an event, or from a noun
/// that is the verb itself ("release") or made from it ("construction", "establishment").
pub(super) fn event(noun: &str) -> Option<(&'static str, String)> {
    if let Some((_, auxiliary, verb)) = EVENTS.iter().find(|(name, _, _)| *name == noun) {
        return Some((auxiliary, (*verb).to_owned()));
    }
    if let Some(base) = noun.strip_suffix("ment").filter(|base| base.len() > 3) {
        return Some(("was", verb(base).participle));
    }
    if let Some(base) = noun.strip_suffix("ion").filter(|_| noun.ends_with("ction")) {
        return Some(("was", verb(base).participle));
    }
    let abstracted = ["ion", "ity", "ness", "ship", "hood", "ism", "al", "ic", "ing", "s", "er", "or"];
    let verbal = noun.len() > 3 && noun.is_ascii() && !abstracted.iter().any(|end| noun.ends_with(end));
    verbal.then(|| ("was", verb(noun).participle))
}

/// The adjective that asks for a measure: "length" gives "long".
pub(super) fn measure(noun: &str) -> Option<&'static str> {
    MEASURES.iter().find(|(name, _)| *name == noun).map(|(_, adjective)| *adjective)
}

fn is_vowel(char: char) -> bool {
    matches!(char, 'a' | 'e' | 'i' | 'o' | 'u')
}

/// "stirr" is "stir", "plann" is "plan"; "miss", "call" and "stuff" keep their letters.
fn undoubled(stem: &str) -> Option<String> {
    let mut back = stem.chars().rev();
    let (last, before) = (back.next()?, back.next()?);
    let kept = is_vowel(last) || matches!(last, 's' | 'l' | 'f' | 'z');
    (last == before && !kept).then(|| stem.strip_suffix(last).unwrap_or(stem).to_owned())
}

/// Whether a last consonant is doubled before an ending: one short syllable of consonant, vowel, consonant.
fn doubles(base: &str) -> bool {
    let mut back = base.chars().rev();
    let (Some(last), Some(vowel)) = (back.next(), back.next()) else { return false };
    let short = !is_vowel(last) && !matches!(last, 'w' | 'x' | 'y') && is_vowel(vowel);
    short
        && back.next().is_none_or(|before| !is_vowel(before))
        && base.chars().filter(|char| is_vowel(*char)).count() == 1
}

/// Whether the verb behind a stem without its "ed" ends in "e": "produc", "creat", "rais", "nam".
fn wants_e(stem: &str) -> bool {
    let chars: Vec<char> = stem.chars().collect();
    let [.., before, last] = chars.as_slice() else { return false };
    let vowels = chars.iter().filter(|char| is_vowel(**char)).count();
    let behind = chars.len().checked_sub(3).and_then(|at| chars.get(at)).copied().unwrap_or(' ');
    match last {
        'c' | 'v' | 'z' | 'u' => true,
        's' => *before != 's',
        'g' => matches!(before, 'a' | 'd' | 'r' | 'u') || (*before == 'n' && behind == 'a'),
        'l' => matches!(before, 'b' | 'c' | 'd' | 'f' | 'g' | 'k' | 'p' | 't' | 'z') || stem.ends_with("ul"),
        't' => *before == 'a' && behind != 'e' || stem.ends_with("creat") || stem.ends_with("ut") && vowels > 1,
        'r' => matches!(before, 'i' | 'u') && !is_vowel(behind),
        'n' => stem.ends_with("in") && vowels > 1 && !is_vowel(behind),
        'd' => matches!(before, 'u' | 'i') && !is_vowel(behind),
        'm' => *before == 'u' || (vowels == 1 && is_vowel(*before)),
        'b' | 'k' | 'p' => vowels == 1 && is_vowel(*before),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn participles_doers_and_plurals() {
        for (participle, base, agent) in [
            ("inspected", "inspect", "inspector"),
            ("written", "write", "writer"),
            ("created", "create", "creator"),
            ("located", "locate", "locator"),
            ("produced", "produce", "producer"),
            ("composed", "compose", "composer"),
            ("published", "publish", "publisher"),
            ("designed", "design", "designer"),
            ("stirred", "stir", "stirrer"),
            ("edited", "edit", "editor"),
            ("founded", "found", "founder"),
            ("owned", "own", "owner"),
            ("carried", "carry", "carrier"),
            ("released", "release", "releaser"),
            ("named", "name", "namer"),
            ("influenced", "influence", "influencer"),
            ("managed", "manage", "manager"),
            ("belonged", "belong", "belonger"),
            ("settled", "settle", "settler"),
            ("treated", "treat", "treater"),
            ("called", "call", "caller"),
            ("planned", "plan", "planner"),
            ("led", "lead", "leader"),
            ("inspired", "inspire", "inspirer"),
            ("repaired", "repair", "repairer"),
            ("used", "use", "user"),
        ] {
            let verb = verb_of_participle(participle).unwrap();
            assert_eq!((verb.base.as_str(), doer(&verb.base).as_str()), (base, agent), "{participle}");
        }
        for word in ["red", "capital", "need", "bed"] {
            assert_eq!(verb_of_participle(word), None, "{word}");
        }
        for (many, one) in [
            ("tags", Some("tag")),
            ("children", Some("child")),
            ("countries", Some("country")),
            ("boxes", Some("box")),
            ("status", None),
            ("series", None),
            ("class", None),
            ("city", None),
        ] {
            assert_eq!(singular(many).as_deref(), one, "{many}");
            assert!(one.is_none_or(|one| plural(one) == many), "{many}");
        }
    }

    #[test]
    fn events_and_third_persons() {
        for (noun, expected) in [
            ("birth", Some(("was", "born"))),
            ("death", Some(("did", "die"))),
            ("release", Some(("was", "released"))),
            ("build", Some(("was", "built"))),
            ("construction", Some(("was", "constructed"))),
            ("establishment", Some(("was", "established"))),
            ("population", None),
            ("nationality", None),
        ] {
            let found = event(noun);
            assert_eq!(found.as_ref().map(|(auxiliary, verb)| (*auxiliary, verb.as_str())), expected, "{noun}");
        }
        for (word, expected) in [
            ("plays", Some("play")),
            ("carries", Some("carry")),
            ("passes", Some("pass")),
            ("is", None),
            ("status", None),
        ] {
            assert_eq!(base_of_third_person(word).as_deref(), expected, "{word}");
        }
    }
}
