//! One form for the inflections of an English word, so that "rivers", "traverses" and "bordering" meet what a schema says.

/// Forms that no rule gives.
const IRREGULAR: &[(&str, &str)] = &[
    ("men", "man"),
    ("women", "woman"),
    ("children", "child"),
    ("persons", "people"),
    ("person", "people"),
    ("feet", "foot"),
    ("ran", "run"),
    ("won", "win"),
    ("wrote", "write"),
    ("written", "write"),
    ("born", "bear"),
    ("bore", "bear"),
    ("built", "build"),
    ("led", "lead"),
    ("held", "hold"),
    ("made", "make"),
    ("bought", "buy"),
    ("took", "take"),
    ("taken", "take"),
    ("lay", "lie"),
    ("lain", "lie"),
    ("lying", "lie"),
    ("sat", "sit"),
    ("stood", "stand"),
    ("went", "go"),
    ("goes", "go"),
    ("gone", "go"),
    ("wed", "wed"),
    ("died", "die"),
    ("dying", "die"),
    ("flew", "fly"),
    ("flown", "fly"),
    ("sang", "sing"),
    ("sung", "sing"),
    ("spoke", "speak"),
    ("spoken", "speak"),
    ("taught", "teach"),
    ("sold", "sell"),
    ("grew", "grow"),
    ("grown", "grow"),
    ("gave", "give"),
    ("given", "give"),
    ("met", "meet"),
    ("left", "leave"),
    ("lost", "lose"),
    ("found", "found"),
];

/// The form that all inflections of a word share. Not a word: "traverses" and "traverse" are "travers".
pub fn lemma(word: &str) -> String {
    if let Some((_, base)) = IRREGULAR.iter().find(|(form, _)| *form == word) {
        return reduced(base);
    }
    let long = |stem: &&str| stem.chars().count() >= 3 && stem.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() >= 2) {
        return format!("{stem}y");
    }
    if let Some(stem) = word.strip_suffix("ied").filter(|stem| stem.len() >= 2) {
        return format!("{stem}y");
    }
    let stem = ["ing", "ed", "es"].iter().find_map(|ending| word.strip_suffix(ending).filter(long));
    let stem = stem.or_else(|| word.strip_suffix('s').filter(|stem| long(stem) && !stem.ends_with(['s', 'u', 'i'])));
    reduced(stem.unwrap_or(word))
}

/// Without a silent e and the second of two consonants at the end.
fn reduced(word: &str) -> String {
    let word = word.strip_suffix('e').filter(|stem| stem.chars().count() >= 3).unwrap_or(word);
    let mut chars: Vec<char> = word.chars().collect();
    if let [.., one, other] = chars.as_slice()
        && one == other
        && !"aeiou".contains(*one)
        && one.is_ascii_alphabetic()
        && chars.len() > 3
    {
        chars.pop();
    }
    chars.into_iter().collect()
}

/// Lemmas of all words of a text, with a space between.
pub fn phrase(text: &str) -> String {
    words(text).map(lemma).collect::<Vec<_>>().join(" ")
}

/// The words of a folded text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::lemma;

    #[test]
    fn inflections_meet() {
        let table: &[&[&str]] = &[
            &["traverse", "traverses", "traversed", "traversing"],
            &["run", "runs", "running", "ran"],
            &["border", "borders", "bordered", "bordering"],
            &["pass", "passes", "passing", "passed"],
            &["city", "cities"],
            &["state", "states"],
            &["cross", "crosses", "crossing"],
            &["direct", "directs", "directed"],
            &["locate", "located"],
            &["write", "wrote", "written", "writes"],
            &["people", "person", "persons"],
            &["house", "houses"],
            &["lake", "lakes"],
        ];
        for forms in table {
            assert!(forms.iter().all(|form| lemma(form) == lemma(forms[0])), "{forms:?}");
        }
        for (one, other) in [("river", "rive"), ("state", "stay"), ("found", "find"), ("bus", "buy")] {
            assert_ne!(lemma(one), lemma(other));
        }
    }
}
