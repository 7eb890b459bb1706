//! Passages of a tenant's documents: what is looked at where the graph does not hold an answer.
//!
//! Reading order: [`index`] (all passages of an epoch, found by words) → [`retrieve`] (the best of them, words and meaning fused) →
//! [`kind`] (what a question asks for, and where in a sentence such a thing may begin and end) → [`view`] (which sentences are looked at)
//! → [`witness`] (what speaks for a span
//! that the language model reads) → [`evidence`] (which is the best, and whether it is sufficient). The model's part is in [`crate::fusion::passages`] and [`crate::decode`]; documents
//! are read by whoever implements [`Library`].

pub mod evidence;
pub mod index;
pub mod kind;
pub mod retrieve;
pub mod view;
pub mod witness;

pub use index::Index;
pub use retrieve::{Found, Retriever};

use factmask_graph::{ContentHash, DocumentId, GraphError, PlacedText};

/// The most bytes of sentences in a passage, unless a single one is longer: some 150 tokens of English, 200 of Chinese.
const MOST_BYTES: usize = 700;

/// Sentences that stand together under one heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paragraph {
    /// The headings above; empty where there is none.
    pub heading: String,
    /// The sentences in order.
    pub sentences: Vec<PlacedText>,
}

/// A piece of a document that is shown to a model as one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The headings above; empty where there is none.
    pub heading: String,
    /// The sentences in order, never none.
    pub sentences: Vec<PlacedText>,
}

/// Hands out the running text of one epoch's documents.
pub trait Library {
    /// The documents that have running text, each with the revision that the epoch holds; each once.
    fn documents(&self) -> Result<Vec<(DocumentId, ContentHash)>, GraphError>;

    /// The paragraphs of one of them.
    ///
    /// # Errors
    /// A source that cannot be read; [`GraphError::Superseded`] where the revision is gone.
    fn paragraphs(&self, document: &DocumentId, revision: ContentHash) -> Result<Vec<Paragraph>, GraphError>;
}

/// Passages of at most about 700 bytes: neighbouring paragraphs of one heading are joined, longer ones cut between sentences.
pub fn cut(paragraphs: Vec<Paragraph>) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    let mut bytes = 0;
    for Paragraph { heading, sentences } in paragraphs {
        for sentence in sentences {
            let size = sentence.as_str().len();
            match passages.last_mut() {
                Some(last) if last.heading == heading && bytes + size <= MOST_BYTES => {
                    bytes += size;
                    last.sentences.push(sentence);
                }
                _ => {
                    bytes = size;
                    passages.push(Passage { heading: heading.clone(), sentences: vec![sentence] });
                }
            }
        }
    }
    passages
}

impl Passage {
    /// A sentence as it is compared and embedded: with the headings above it, which say what "it" is.
    pub fn in_context(&self, sentence: usize) -> String {
        let words = self.sentences.get(sentence).map_or("", PlacedText::as_str);
        if self.heading.is_empty() { words.to_owned() } else { format!("{}: {words}", self.heading) }
    }

    /// Headings and sentences.
    pub fn text(&self) -> String {
        let sentences = self.sentences.iter().map(PlacedText::as_str);
        std::iter::once(self.heading.as_str()).chain(sentences).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(heading: &str, sentences: &[&str]) -> Paragraph {
        let sentences = sentences.iter().map(|sentence| PlacedText::plain(sentence, 0)).collect();
        Paragraph { heading: heading.to_owned(), sentences }
    }

    #[test]
    fn passages_are_cut_between_sentences_and_at_headings() {
        let long = "x".repeat(MOST_BYTES - 10);
        let table: &[(Vec<Paragraph>, &[usize])] = &[
            (vec![], &[]),
            (vec![paragraph("", &["One.", "Two."]), paragraph("", &["Three."])], &[3]),
            (vec![paragraph("a", &["One."]), paragraph("b", &["Two."])], &[1, 1]),
            (vec![paragraph("", &[&long, "Two.", "Three.", "Four."])], &[3, 1]),
            (vec![paragraph("", &["One.", &long.repeat(2), "Three."])], &[1, 1, 1]),
        ];
        for (paragraphs, expected) in table {
            let found: Vec<usize> = cut(paragraphs.clone()).iter().map(|passage| passage.sentences.len()).collect();
            assert_eq!(found, *expected, "{paragraphs:?}");
        }
    }
}
