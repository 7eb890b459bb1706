//! A name as far as it can mean the same as another: its words, its legal form, its initials, its sound.

use factmask_schema::normal::{fold, without_accents};
use pinyin::ToPinyinMulti;

/// A name taken to pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// Folded words without accents, marks, legal form and words such as "group"; a run of Chinese characters is one word.
    pub(super) words: Vec<String>,
    /// Its legal form in one spelling ("inc", "co ltd"); empty for a mere "公司".
    legal: Option<String>,
    /// It says that it is a group or holding, which its main company often is not.
    group: bool,
    /// Two to six capitals and nothing else.
    pub(super) capitals: bool,
}

/// How two names can mean one thing, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Likeness {
    /// A document says that they are one.
    Stated,
    /// The same words.
    Same,
    /// The same but for the legal form of one.
    Legal,
    /// Three and more syllables in Chinese characters and in Latin letters.
    Sound,
    /// The same but for "group" or "holding".
    Group,
    /// The same words in another order.
    Order,
    /// Two syllables, which many names share.
    ShortSound,
    /// The first letters of the other's words.
    Acronym,
    /// First and further characters of a longer Chinese name.
    Contraction,
    /// A first letter for a first name.
    Initials,
}

/// Spellings of legal forms at the end of names, and the one that stands for them.
const LEGAL: &[(&str, &str)] = &[
    ("incorporated", "inc"),
    ("inc", "inc"),
    ("corporation", "corp"),
    ("corp", "corp"),
    ("company", "co"),
    ("limited", "ltd"),
    ("ltd", "ltd"),
    ("llc", "llc"),
    ("llp", "llp"),
    ("plc", "plc"),
    ("gmbh", "gmbh"),
    ("kgaa", "kgaa"),
    ("sarl", "sarl"),
    ("srl", "srl"),
    ("spa", "spa"),
    ("asa", "asa"),
    ("oyj", "oyj"),
    ("pte", "pte"),
    ("pty", "pty"),
    ("pvt", "pvt"),
];

/// Those that are also syllables of people's names; taken for legal forms only where they are written in capitals.
const SHORT_LEGAL: &[&str] = &["ag", "se", "sa", "nv", "bv", "ab", "as", "kg", "lp", "oy", "kk"];

/// Legal forms of Chinese names, longest first. A mere "公司" says nothing of the form.
const CHINESE_LEGAL: &[(&str, &str)] =
    &[("股份有限公司", "股份"), ("有限责任公司", "有限"), ("有限公司", "有限"), ("公司", "")];

const GROUP: &[&str] = &["group", "holding", "holdings"];
const CHINESE_GROUP: &[&str] = &["投资控股", "集团", "控股"];

/// Words that have no letter in an acronym.
const SMALL: &[&str] = &["of", "and", "the", "for", "in", "de", "du", "la", "le", "et", "und", "der", "für"];

/// Readings of one Chinese name that are looked at; characters with several readings multiply.
const MOST_READINGS: usize = 8;

impl Name {
    pub(super) fn new(text: &str) -> Self {
        let capitals = (2..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase());
        let (words, written) = words(text);
        let mut name = Self { words, legal: None, group: false, capitals };
        name.strip(&written);
        name.strip_chinese();
        name
    }

    /// How the two can mean one thing; none where their words or legal forms part.
    pub(super) fn likeness(&self, other: &Self) -> Option<Likeness> {
        if self.words.is_empty() || other.words.is_empty() {
            return None;
        }
        if self.words == other.words {
            return match (&self.legal, &other.legal) {
                (Some(one), Some(other)) if one != other && !one.is_empty() && !other.is_empty() => None,
                _ if self.group != other.group => Some(Likeness::Group),
                (one, other) if one == other => Some(Likeness::Same),
                _ => Some(Likeness::Legal),
            };
        }
        let (one, two) = (sorted(&self.words), sorted(&other.words));
        if one == two && one.len() <= 4 {
            return Some(Likeness::Order);
        }
        None.or_else(|| self.sounds_like(other).or_else(|| other.sounds_like(self)))
            .or_else(|| (self.abbreviates(other) || other.abbreviates(self)).then_some(Likeness::Acronym))
            .or_else(|| (self.contracts(other) || other.contracts(self)).then_some(Likeness::Contraction))
            .or_else(|| (self.is_initials_of(other) || other.is_initials_of(self)).then_some(Likeness::Initials))
    }

    /// What names of the same words have in common.
    pub(super) fn key(&self) -> String {
        self.words.join(" ")
    }

    /// The same for words in whatever order.
    pub(super) fn unordered_key(&self) -> Option<String> {
        (2..=4).contains(&self.words.len()).then(|| sorted(&self.words).join(" "))
    }

    /// The first letters of its words, where there are at least two.
    pub(super) fn acronym(&self) -> Option<String> {
        let words: Vec<&String> = self.words.iter().filter(|word| !SMALL.contains(&word.as_str())).collect();
        let latin = words.iter().all(|word| word.starts_with(|char: char| char.is_ascii_alphabetic()));
        ((2..=6).contains(&words.len()) && latin).then(|| words.iter().filter_map(|word| word.chars().next()).collect())
    }

    /// A Chinese name in Latin letters without tones; several where its characters have several readings.
    pub(super) fn sounds(&self) -> Vec<(String, usize)> {
        let [word] = self.words.as_slice() else { return Vec::new() };
        let length = word.chars().count();
        if !word.chars().all(is_han) || !(2..=6).contains(&length) {
            return Vec::new();
        }
        let mut sounds = vec![String::new()];
        for readings in word.as_str().to_pinyin_multi() {
            let Some(readings) = readings else { return Vec::new() };
            let mut plain: Vec<&str> = readings.into_iter().map(|reading| reading.plain()).collect();
            plain.sort_unstable();
            plain.dedup();
            sounds = sounds
                .iter()
                .flat_map(|start| plain.iter().map(move |reading| format!("{start}{}", reading.replace('ü', "v"))))
                .take(MOST_READINGS)
                .collect();
        }
        sounds.into_iter().map(|sound| (sound, length)).collect()
    }

    /// What it may sound like: its Latin letters, also with the last word in front, as family names are turned.
    pub(super) fn letters(&self) -> Vec<String> {
        let latin = |word: &String| word.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !(1..=3).contains(&self.words.len()) || !self.words.iter().all(latin) {
            return Vec::new();
        }
        let mut all = vec![self.words.concat()];
        if let [first @ .., last] = self.words.as_slice()
            && !first.is_empty()
        {
            all.push(format!("{last}{}", first.concat()));
        }
        all
    }

    /// First letter of the first name and last name, of "J. Smith" as of "John Smith"; and whether the first name is but a letter.
    pub(super) fn initials(&self) -> Option<(String, bool)> {
        let [first, middle @ .., last] = self.words.as_slice() else { return None };
        let latin = |word: &String| word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let letter = first.chars().next().filter(char::is_ascii_alphabetic)?;
        (middle.len() <= 2 && latin(first) && last.chars().count() > 1 && !last.contains(is_han))
            .then(|| (format!("{letter} {last}"), first.len() == 1))
    }

    /// First and last character of a Chinese name of two to four.
    pub(super) fn ends(&self) -> Option<(char, char)> {
        let [word] = self.words.as_slice() else { return None };
        let chars: Vec<char> = word.chars().collect();
        match chars.as_slice() {
            [first, .., last] if chars.len() <= 4 && chars.iter().copied().all(is_han) => Some((*first, *last)),
            _ => None,
        }
    }

    /// The ends that contractions of a longer Chinese name may have.
    pub(super) fn possible_ends(&self) -> Vec<(char, char)> {
        let [word] = self.words.as_slice() else { return Vec::new() };
        let mut chars = word.chars();
        match chars.next() {
            Some(first) if word.chars().count() > 3 && word.chars().all(is_han) => {
                chars.map(|last| (first, last)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn sounds_like(&self, latin: &Self) -> Option<Likeness> {
        let letters = latin.letters();
        let found = self.sounds().into_iter().find(|(sound, _)| letters.contains(sound))?;
        Some(if found.1 > 2 { Likeness::Sound } else { Likeness::ShortSound })
    }

    fn abbreviates(&self, long: &Self) -> bool {
        self.capitals && long.acronym().is_some_and(|acronym| self.words.concat() == acronym)
    }

    fn contracts(&self, long: &Self) -> bool {
        let ([short], [word]) = (self.words.as_slice(), long.words.as_slice()) else { return false };
        if self.ends().is_none_or(|ends| !long.possible_ends().contains(&ends)) {
            return false;
        }
        let mut rest = word.chars();
        short.chars().all(|char| rest.any(|other| other == char))
    }

    fn is_initials_of(&self, full: &Self) -> bool {
        let (Some((one, true)), Some((other, false))) = (self.initials(), full.initials()) else { return false };
        // A middle name that both have begins alike.
        let middle = |name: &Self| name.words.get(1..name.words.len() - 1).unwrap_or_default().concat();
        let (own, others) = (middle(self), middle(full));
        one == other && (own.is_empty() || others.is_empty() || own.chars().next() == others.chars().next())
    }

    /// Takes legal form and group words off the end.
    fn strip(&mut self, written: &[String]) {
        let shouted = written.iter().all(|word| !word.contains(char::is_lowercase));
        let mut legal: Vec<&str> = Vec::new();
        while self.words.len() > 1 {
            let (Some(word), Some(raw)) = (self.words.last(), written.get(self.words.len() - 1)) else { break };
            let before = self.words.get(self.words.len() - 2).map(String::as_str);
            let form = LEGAL.iter().find(|(spelling, _)| spelling == word).map(|(_, form)| *form).or_else(|| {
                let short = SHORT_LEGAL.iter().copied().find(|form| form == word);
                let capitals = !shouted && raw.chars().all(char::is_uppercase);
                // "Co" is a family name too.
                let company = word == "co" && (!legal.is_empty() || before == Some("and") || raw.ends_with('.'));
                short.filter(|_| capitals).or(company.then_some("co"))
            });
            match form {
                Some(form) => legal.insert(0, form),
                None if GROUP.contains(&word.as_str()) => self.group = true,
                None if word == "and" && !legal.is_empty() => {}
                None => break,
            }
            self.words.pop();
        }
        if !legal.is_empty() {
            self.legal = Some(legal.join(" "));
        }
    }

    fn strip_chinese(&mut self) {
        let Some(word) = self.words.last_mut().filter(|word| word.ends_with(is_han)) else { return };
        let short_enough = |rest: &str| rest.chars().count() >= 2;
        for (ending, form) in CHINESE_LEGAL {
            if let Some(rest) = word.strip_suffix(ending).filter(|rest| short_enough(rest)) {
                *word = rest.to_owned();
                self.legal = Some((*form).to_owned());
                break;
            }
        }
        while let Some(rest) =
            CHINESE_GROUP.iter().find_map(|ending| word.strip_suffix(ending)).filter(|rest| short_enough(rest))
        {
            *word = rest.to_owned();
            self.group = true;
        }
    }
}

/// Folded words, and each as it was written.
fn words(text: &str) -> (Vec<String>, Vec<String>) {
    let turned = turned(text);
    let plain = if turned.is_ascii() { turned } else { without_accents(&turned) };
    let chars: Vec<char> = plain.chars().collect();
    let (mut written, mut word) = (Vec::new(), String::new());
    for (at, &char) in chars.iter().enumerate() {
        let next = |step: usize| chars.get(at + step).copied().unwrap_or(' ');
        let end = match char {
            // "J.Smith" is two words, "S.A." one; a dot at the end tells "Co." from a name.
            '.' if next(1).is_alphanumeric() => {
                word.chars().filter(|char| char.is_alphabetic()).count() == 1 && next(2).is_lowercase()
            }
            '.' => {
                if word.chars().count() > 1 {
                    word.push('.');
                }
                true
            }
            '\'' | '’' => false,
            '&' => {
                push(&mut written, &mut word);
                word.push_str("and");
                true
            }
            char if char.is_alphanumeric() => {
                if word.chars().next_back().is_some_and(|last| is_han(last) != is_han(char)) {
                    push(&mut written, &mut word);
                }
                word.push(char);
                false
            }
            _ => true,
        };
        if end {
            push(&mut written, &mut word);
        }
    }
    push(&mut written, &mut word);
    let folded = |word: &String| match word.is_ascii() {
        true => word.trim_end_matches('.').to_ascii_lowercase(),
        false => fold(word.trim_end_matches('.')),
    };
    (written.iter().map(folded).collect(), written)
}

fn push(words: &mut Vec<String>, word: &mut String) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

/// "Smith, John" as "John Smith".
fn turned(text: &str) -> String {
    match text.split_once(", ") {
        Some((last, first))
            if !last.contains(' ')
                && (1..=2).contains(&first.split(' ').count())
                && first.chars().all(|char| char.is_alphabetic() || " .-'’".contains(char))
                && LEGAL.iter().all(|(form, _)| !first.trim_end_matches('.').eq_ignore_ascii_case(form)) =>
        {
            format!("{first} {last}")
        }
        _ => text.to_owned(),
    }
}

fn sorted(words: &[String]) -> Vec<&str> {
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.sort_unstable();
    words
}

pub(super) fn is_han(char: char) -> bool {
    matches!(char, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_can_mean_one_thing() {
        use Likeness::*;
        for (one, other, expected) in [
            ("Apple Inc.", "APPLE, Inc", Some(Same)),
            ("Apple", "Apple Inc.", Some(Legal)),
            ("Johnson & Johnson", "Johnson and Johnson", Some(Same)),
            ("Merck & Co.", "Merck KGaA", None),
            ("Merck & Co.", "Merck", Some(Legal)),
            ("Acme Group", "Acme", Some(Group)),
            ("Zoë Müller", "Zoe Muller", Some(Same)),
            ("Smith, John", "John Smith", Some(Same)),
            ("J. Smith", "John Smith", Some(Initials)),
            ("J. A. Smith", "John Andrew Smith", Some(Initials)),
            ("J. B. Smith", "John Andrew Smith", None),
            ("J. Smith", "Mary Smith", None),
            ("IBM", "International Business Machines Corporation", Some(Acronym)),
            ("Ibm", "International Business Machines", None),
            ("FDA", "Food and Drug Administration", Some(Acronym)),
            ("李伟", "Li Wei", Some(ShortSound)),
            ("李小龙", "Xiaolong Li", Some(Sound)),
            ("百度", "Baidu", Some(ShortSound)),
            ("Wei Li", "Li Wei", Some(Order)),
            ("华为技术有限公司", "华为技术", Some(Legal)),
            ("腾讯公司", "腾讯", Some(Legal)),
            ("腾讯控股有限公司", "腾讯", Some(Group)),
            ("北大", "北京大学", Some(Contraction)),
            ("Maria Sa", "Maria", None),
            ("Nestlé SA", "Nestle", Some(Legal)),
            ("Jane Co", "Jane", None),
            ("Springfield", "Springfield, Illinois", None),
            ("Siemens", "Siemens Energy", None),
            ("O'Brien", "OBrien", Some(Same)),
            ("S.A.", "SA", Some(Same)),
            ("", "", None),
        ] {
            assert_eq!(Name::new(one).likeness(&Name::new(other)), expected, "{one} / {other}");
            assert_eq!(Name::new(other).likeness(&Name::new(one)), expected, "{other} / {one}");
        }
    }
}
