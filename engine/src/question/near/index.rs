//! The names of a snapshot by their words, by their letters, and where spaces part no words by how they begin.

use super::spelling::{self, most_slips};
use crate::question::language::is_cjk;
use factmask_graph::{EntityId, Snapshot};
use factmask_schema::{Text, normal};
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

/// Characters of a name without spaces by which its beginning is known.
pub(super) const HEAD: usize = 4;

/// All names of a snapshot's entities, by number.
pub(super) struct Index {
    names: Vec<Name>,
    /// The words of all names one after another, as numbers.
    spelled: Vec<u32>,
    /// Where each name begins in `spelled`; one entry more for the end of the last.
    starts: Vec<u32>,
    words: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u32>,
    /// Words that begin and are as long alike, by first letter and number of letters: few enough to be looked through. Each with which
    /// letters it has.
    alike: HashMap<(char, usize), Vec<(u32, u32)>>,
    /// Names by word.
    holders: Vec<Vec<u32>>,
    /// Hash of a name's letters run together, and the name; sorted.
    letters: Vec<(u64, u32)>,
    /// Hash of the first characters of a name that has no spaces, and the name; sorted.
    heads: Vec<(u64, u32)>,
    /// What stands before a bracket at a name's end, folded, and the names; sorted.
    bare: Vec<(String, u32)>,
}

/// One way an entity is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub entity: EntityId,
    /// Its place among labels and, behind them, aliases.
    place: u32,
}

impl Index {
    pub fn new(snapshot: &Snapshot) -> Self {
        let mut index = Self {
            names: Vec::new(),
            spelled: Vec::new(),
            starts: vec![0],
            words: Vec::new(),
            numbers: HashMap::new(),
            alike: HashMap::new(),
            holders: Vec::new(),
            letters: Vec::new(),
            heads: Vec::new(),
            bare: Vec::new(),
        };
        for (number, entity) in snapshot.entities().iter().enumerate() {
            for (place, text) in entity.labels.iter().chain(&entity.aliases).enumerate() {
                index.add(Name { entity: EntityId(number as u32), place: place as u32 }, &text.text);
            }
        }
        index.letters.sort_unstable();
        index.heads.sort_unstable();
        index.bare.sort_unstable();
        index
    }

    fn add(&mut self, name: Name, text: &str) {
        let folded = normal::fold(text);
        let number = self.names.len() as u32;
        let words = spelling::words(&folded);
        if !words.is_empty() {
            self.letters.push((hash(words.iter().map(|word| word.letters.as_str())), number));
        }
        for word in words {
            let word = self.word(&word.letters);
            self.spelled.push(word);
            let holders = &mut self.holders[word as usize];
            if holders.last() != Some(&number) {
                holders.push(number);
            }
        }
        if let Some(head) = head(&folded).filter(|head| head.len() < folded.len()) {
            self.heads.push((hash([head]), number));
        }
        if let Some(bare) = without_bracket(&folded) {
            self.bare.push((bare.to_owned(), number));
        }
        self.names.push(name);
        self.starts.push(self.spelled.len() as u32);
    }

    fn word(&mut self, letters: &str) -> u32 {
        if let Some(known) = self.numbers.get(letters) {
            return *known;
        }
        let number = self.words.len() as u32;
        self.words.push(letters.into());
        self.numbers.insert(letters.into(), number);
        self.holders.push(Vec::new());
        if let Some(first) = letters.chars().next() {
            self.alike.entry((first, letters.chars().count())).or_default().push((letters_in(letters), number));
        }
        number
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn name(&self, number: u32) -> Name {
        self.names[number as usize]
    }

    /// How a name is written.
    pub fn text<'a>(&self, snapshot: &'a Snapshot, number: u32) -> &'a Text {
        let Name { entity, place } = self.name(number);
        let entity = snapshot.entity(entity);
        let place = place as usize;
        entity.labels.get(place).unwrap_or_else(|| &entity.aliases[place - entity.labels.len()])
    }

    /// The words of a name.
    pub fn words(&self, name: u32) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        let range = self.starts[name as usize] as usize..self.starts[name as usize + 1] as usize;
        self.spelled[range].iter().map(|word| &*self.words[*word as usize])
    }

    /// The names that hold a word; none for a word that no name has.
    pub fn holding(&self, word: &str) -> &[u32] {
        self.numbers.get(word).map_or(&[], |number| &self.holders[*number as usize])
    }

    /// The words of names that `typed` may be a slip for, itself left out.
    pub fn near(&self, typed: &str) -> impl Iterator<Item = &str> {
        let letters = typed.chars().count();
        let most = usize::from(most_slips(letters).unwrap_or(0));
        let first = typed.chars().next();
        let lengths = letters.saturating_sub(most)..=letters + most;
        let own = letters_in(typed);
        // A slip takes a letter away or brings one in, or both.
        let may_be = move |has: u32| (has ^ own).count_ones() as usize <= 2 * most;
        let words = lengths.filter_map(move |length| self.alike.get(&(first?, length))).flatten();
        let words = words.filter(move |(has, _)| may_be(*has)).map(|(_, word)| &*self.words[*word as usize]);
        words.filter(move |word| *word != typed && spelling::slips(typed, word).is_some())
    }

    /// The names whose letters, run together, are those of these words.
    pub fn with_letters<'a>(&'a self, words: &'a [&str]) -> impl Iterator<Item = u32> + 'a {
        let same = |name: &u32| {
            let own = self.words(*name).flat_map(str::chars);
            own.eq(words.iter().flat_map(|word| word.chars()))
        };
        hashed(&self.letters, hash(words.iter().copied())).filter(same)
    }

    /// The names that may begin as a text without spaces does.
    pub fn beginning<'a>(&'a self, text: &str) -> impl Iterator<Item = u32> + 'a {
        head(text).map(|head| hashed(&self.heads, hash([head]))).into_iter().flatten()
    }

    /// What stands before a bracket at the end of names, each once.
    pub fn bare(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.bare.iter().map(|(bare, _)| bare.as_str()).collect();
        all.dedup();
        all
    }

    /// The names that are this with a bracket behind it.
    pub fn bracketed<'a>(&'a self, bare: &'a str) -> impl Iterator<Item = u32> + 'a {
        let start = self.bare.partition_point(|(known, _)| known.as_str() < bare);
        self.bare[start..].iter().take_while(move |(known, _)| known == bare).map(|(_, name)| *name)
    }
}

fn hashed(sorted: &[(u64, u32)], wanted: u64) -> impl Iterator<Item = u32> + '_ {
    let start = sorted.partition_point(|(hash, _)| *hash < wanted);
    sorted[start..].iter().take_while(move |(hash, _)| *hash == wanted).map(|(_, name)| *name)
}

/// Which letters a word has, as bits; letters beyond 26 share them.
fn letters_in(word: &str) -> u32 {
    word.chars().fold(0, |bits, c| bits | 1 << (u32::from(c) % 32))
}

/// Of the letters alone, wherever they are parted.
fn hash<'a>(words: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    words.into_iter().flat_map(str::chars).for_each(|c| c.hash(&mut hasher));
    hasher.finish()
}

/// The first characters of a text, where it has so many without spaces.
fn head(text: &str) -> Option<&str> {
    let mut places = text.char_indices();
    let (last, char) = places
        .by_ref()
        .take(HEAD)
        .take_while(|(_, c)| is_cjk(*c))
        .enumerate()
        .find_map(|(at, found)| (at + 1 == HEAD).then_some(found))?;
    text.get(..last + char.len_utf8())
}

/// "红楼梦" of "红楼梦(小说)".
fn without_bracket(folded: &str) -> Option<&str> {
    let inner = folded.strip_suffix([')', ']', '）', '】'])?;
    let bare = inner.rsplit_once(['(', '[', '（', '【'])?.0.trim_end();
    (!bare.is_empty()).then_some(bare)
}

#[cfg(test)]
mod tests {
    use super::{head, without_bracket};

    #[test]
    fn beginnings_and_brackets() {
        assert_eq!(head("北京大学附属中学"), Some("北京大学"));
        assert_eq!(head("北京大学"), Some("北京大学"));
        assert_eq!(head("北京大a学"), None);
        assert_eq!(head(""), None);
        let table = [
            ("红楼梦(小说)", Some("红楼梦")),
            ("halloween (1978)", Some("halloween")),
            ("(500) days", None),
            ("(x)", None),
            ("a)", None),
            ("", None),
        ];
        for (name, expected) in table {
            assert_eq!(without_bracket(name), expected, "{name}");
        }
    }
}
