//! All passages of an epoch, found by words (BM25).
//!
//! Its own hundred lines and no crate: what is unchanged from one epoch to the next is taken over by document, some documents alone
//! can be searched, and how rare a word is, is asked for by the [evidence](super::evidence) too. The design's tantivy does the first
//! two by writing segments, and builds for minutes.

use super::{Library, Passage, cut};
use crate::question::words;
use factmask_graph::{ContentHash, DocumentId, GraphError};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

/// How soon a word's further occurrences stop counting, and how much the length of a passage does. The usual values.
const SATURATION: f32 = 1.2;
const LENGTH: f32 = 0.75;

/// See the module.
#[derive(Debug, Default)]
pub struct Index {
    documents: BTreeMap<DocumentId, Arc<Read>>,
    /// Document and number of each passage within it, in order.
    places: Vec<(DocumentId, usize)>,
    /// The passages with each word and how often it stands there.
    postings: HashMap<String, Vec<(usize, u32)>>,
    lengths: Vec<u32>,
    mean: f32,
}

/// One document as it was cut, once for each revision.
#[derive(Debug)]
struct Read {
    revision: ContentHash,
    passages: Vec<Passage>,
    /// Of each passage: its words and how often each stands there.
    counts: Vec<BTreeMap<String, u32>>,
}

impl Read {
    fn new(revision: ContentHash, passages: Vec<Passage>) -> Self {
        let count = |passage: &Passage| {
            let mut counts = BTreeMap::new();
            for word in words::terms(&passage.text()) {
                *counts.entry(word).or_default() += 1;
            }
            counts
        };
        Self { revision, counts: passages.iter().map(count).collect(), passages }
    }
}

impl Index {
    /// Reads what the library holds; documents that `before` has in the same revision are not read again.
    ///
    /// # Errors
    /// A document that cannot be read.
    pub fn build(library: &dyn Library, before: Option<&Self>) -> Result<Self, GraphError> {
        let mut index = Self::default();
        for (document, revision) in library.documents()? {
            let known = before.and_then(|before| before.documents.get(&document));
            let read = match known.filter(|known| known.revision == revision) {
                Some(known) => Arc::clone(known),
                None => Arc::new(Read::new(revision, cut(library.paragraphs(&document, revision)?))),
            };
            index.documents.insert(document, read);
        }
        for (document, read) in &index.documents {
            for (number, counts) in read.counts.iter().enumerate() {
                let at = index.places.len();
                index.places.push((document.clone(), number));
                index.lengths.push(counts.values().sum());
                for (word, count) in counts {
                    match index.postings.get_mut(word) {
                        Some(postings) => postings.push((at, *count)),
                        None => _ = index.postings.insert(word.clone(), vec![(at, *count)]),
                    }
                }
            }
        }
        let all: f32 = index.lengths.iter().map(|length| *length as f32).sum();
        index.mean = all / index.lengths.len().max(1) as f32;
        Ok(index)
    }

    /// Number of passages.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// A passage with its document, by its number.
    pub fn passage(&self, number: usize) -> Option<(&DocumentId, &Passage)> {
        let (document, at) = self.places.get(number)?;
        let passage = self.documents.get(document)?.passages.get(*at)?;
        Some((document, passage))
    }

    /// Whether a document has a word anywhere.
    pub fn says(&self, document: &DocumentId, word: &str) -> bool {
        self.documents.get(document).is_some_and(|read| read.counts.iter().any(|counts| counts.contains_key(word)))
    }

    /// How rare a word is: its inverse document frequency, greater than 0.
    pub fn rarity(&self, word: &str) -> f32 {
        let holding = self.postings.get(word).map_or(0, Vec::len) as f32;
        (1.0 + (self.places.len() as f32 - holding + 0.5) / (holding + 0.5)).ln()
    }

    /// The `most` best passages for these words with their scores, best first; of the documents in `only` alone, where it is given.
    /// A passage that has none of the words is not found.
    pub fn search(
        &self,
        words: &BTreeSet<String>,
        only: Option<&BTreeSet<DocumentId>>,
        most: usize,
    ) -> Vec<(usize, f32)> {
        let mut scores: HashMap<usize, f32> = HashMap::new();
        for word in words {
            let rarity = self.rarity(word);
            for (at, count) in self.postings.get(word).into_iter().flatten() {
                let asked = |(document, _): &(DocumentId, usize)| only.is_none_or(|only| only.contains(document));
                if !self.places.get(*at).is_some_and(asked) {
                    continue;
                }
                let length = self.lengths.get(*at).map_or(0.0, |length| *length as f32);
                let (count, norm) = (*count as f32, 1.0 - LENGTH + LENGTH * length / self.mean.max(1.0));
                *scores.entry(*at).or_default() += rarity * count * (SATURATION + 1.0) / (count + SATURATION * norm);
            }
        }
        let mut found: Vec<(usize, f32)> = scores.into_iter().collect();
        found.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        found.truncate(most);
        found
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::super::Paragraph;
    use super::*;
    use factmask_graph::PlacedText;
    use std::cell::RefCell;

    /// Documents of one paragraph, and which of them were read.
    struct Shelf {
        documents: Vec<(&'static str, &'static str)>,
        read: RefCell<Vec<String>>,
    }

    fn id(name: &str) -> DocumentId {
        DocumentId::new(name).unwrap()
    }

    impl Shelf {
        fn new(documents: &[(&'static str, &'static str)]) -> Self {
            Self { documents: documents.to_vec(), read: RefCell::default() }
        }
    }

    impl Library for Shelf {
        fn documents(&self) -> Result<Vec<(DocumentId, ContentHash)>, GraphError> {
            let all = self.documents.iter().map(|(name, text)| (id(name), ContentHash::of(text.as_bytes())));
            Ok(all.collect())
        }

        fn paragraphs(&self, document: &DocumentId, _: ContentHash) -> Result<Vec<Paragraph>, GraphError> {
            self.read.borrow_mut().push(document.as_str().to_owned());
            let (_, text) = self.documents.iter().find(|(name, _)| *name == document.as_str()).unwrap();
            Ok(vec![Paragraph { heading: String::new(), sentences: vec![PlacedText::plain(text, 0)] }])
        }
    }

    const DOCUMENTS: &[(&str, &str)] = &[
        ("a", "The capital of Freedonia is Marxville, and Marxville is large."),
        ("b", "研发投入为三亿元。"),
        ("c", "Sylvania has a queen and a capital."),
        ("d", "The queen of Freedonia lives in a castle that many people come to see each year in spring."),
    ];

    #[test]
    fn words_find_their_passages() {
        let index = Index::build(&Shelf::new(DOCUMENTS), None).unwrap();
        type Row<'a> = (&'a str, Option<&'a [&'a str]>, &'a [&'a str]);
        let table: &[Row<'_>] = &[
            ("Which city is Freedonia's capital?", None, &["a", "c", "d"]),
            ("Who is the queen of Freedonia?", None, &["d", "c", "a"]),
            ("Who is the queen of Freedonia?", Some(&["a", "b"]), &["a"]),
            ("Who is the queen?", Some(&[]), &[]),
            ("研发投入是多少", None, &["b"]),
            ("Who is it?", None, &[]),
            ("xyzzy", None, &[]),
        ];
        for (question, only, expected) in table {
            let only = only.map(|names| names.iter().map(|name| id(name)).collect());
            let found = index.search(&words::units(question), only.as_ref(), 3);
            let names: Vec<&str> = found.iter().map(|(at, _)| index.passage(*at).unwrap().0.as_str()).collect();
            assert_eq!(names, *expected, "{question} {found:?}");
        }
        assert!(index.rarity("marxville") > index.rarity("capital"));
        assert!(index.rarity("xyzzy") > index.rarity("marxville"));
        assert_eq!(index.passage(index.len()), None);
        assert!(index.says(&id("a"), "marxville"));
        assert!(!index.says(&id("b"), "marxville") && !index.says(&id("z"), "marxville"));
    }

    #[test]
    fn what_is_unchanged_is_not_read_again_and_what_is_gone_is_not_found() {
        let before = Index::build(&Shelf::new(DOCUMENTS), None).unwrap();
        let changed = [DOCUMENTS[0], DOCUMENTS[1], ("c", "Sylvania has a king."), ("e", "A queen.")];
        let shelf = Shelf::new(&changed);
        let after = Index::build(&shelf, Some(&before)).unwrap();
        assert_eq!(*shelf.read.borrow(), ["c", "e"]);
        let afresh = Index::build(&Shelf::new(&changed), None).unwrap();
        for question in ["queen of Freedonia", "capital of Sylvania", "castle", "研发投入"] {
            let words = words::units(question);
            assert_eq!(after.search(&words, None, 9), afresh.search(&words, None, 9), "{question}");
        }
        assert!(after.search(&words::units("castle"), None, 9).is_empty());
    }
}
