//! What serial RAG retrieves: passages by BM25.

use bm25::{SearchEngine, SearchEngineBuilder, Tokenizer};
use factmask_engine::question::words;
use std::collections::BTreeMap;

/// Passages pasted for one question.
const PASTED: usize = 5;
/// The most characters of a passage of prose: about 200 tokens.
pub const MOST_CHARS: usize = 800;

/// Texts that can be searched by words.
pub struct Passages {
    engine: SearchEngine<u32, u32, Words>,
    texts: Vec<String>,
    /// Numbers of a document's passages.
    by_document: BTreeMap<String, Vec<usize>>,
}

/// The same words that questions are read with: stemmed, and pairs of characters for Chinese.
#[derive(Clone, Debug, Default)]
struct Words;

impl Tokenizer for Words {
    fn tokenize(&self, text: &str) -> Vec<String> {
        words::terms(text)
    }
}

impl Passages {
    /// Indexes documents, each a name and a text; texts of more than `most_chars` characters are cut at sentence ends.
    pub fn new(documents: impl IntoIterator<Item = (String, String)>, most_chars: usize) -> Self {
        let (mut texts, mut by_document) = (Vec::new(), BTreeMap::<String, Vec<usize>>::new());
        for (name, text) in documents {
            for passage in cut(&text, most_chars) {
                by_document.entry(name.clone()).or_default().push(texts.len());
                texts.push(passage);
            }
        }
        let engine = SearchEngineBuilder::<u32, u32, Words>::with_tokenizer_and_corpus(Words, texts.clone()).build();
        Self { engine, texts, by_document }
    }

    /// The passages for a question, best first, joined. With `only`, those of these documents alone.
    pub fn for_question(&self, question: &str, only: Option<&[String]>) -> String {
        let found: Vec<&str> = match only {
            Some(names) => {
                let numbers = names.iter().filter_map(|name| self.by_document.get(name)).flatten();
                let own: Vec<String> = numbers.filter_map(|at| self.texts.get(*at)).cloned().collect();
                let own = Self::new(own.into_iter().map(|text| (String::new(), text)), usize::MAX);
                return own.for_question(question, None);
            }
            None => {
                let results = self.engine.search(question, PASTED);
                results
                    .iter()
                    .filter_map(|found| self.texts.get(found.document.id as usize))
                    .map(String::as_str)
                    .collect()
            }
        };
        found.join("\n")
    }
}

/// Pieces of at most `most` characters, cut after sentences where there are any.
fn cut(text: &str, most: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let (mut piece, mut length) = (String::new(), 0usize);
    for sentence in text.split_inclusive(['.', '。', '!', '！', '?', '？', '\n']) {
        let chars = sentence.chars().count();
        if length.saturating_add(chars) > most && !piece.is_empty() {
            pieces.push(std::mem::take(&mut piece));
            length = 0;
        }
        // A sentence that is longer than a passage by itself is cut where it has to be.
        let mut rest = sentence.chars().peekable();
        while rest.peek().is_some() {
            let taken: String = rest.by_ref().take(most).collect();
            length += taken.chars().count();
            piece.push_str(&taken);
            if rest.peek().is_some() {
                pieces.push(std::mem::take(&mut piece));
                length = 0;
            }
        }
    }
    if !piece.trim().is_empty() {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::{MOST_CHARS, Passages, cut};

    #[test]
    fn nothing_is_lost_in_cutting() {
        let long = "no end ".repeat(400);
        for text in ["One. Two! 三。", long.as_str(), "", "a\nb"] {
            let pieces = cut(text, MOST_CHARS);
            assert_eq!(pieces.concat(), text);
            assert!(pieces.iter().all(|piece| piece.chars().count() <= MOST_CHARS), "{text}");
        }
    }

    #[test]
    fn words_find_their_passage() {
        let documents = [
            ("a", "The capital of Freedonia is Marxville."),
            ("b", "研发投入为三亿元。"),
            ("c", "Sylvania has a queen."),
        ];
        let passages = Passages::new(documents.map(|(name, text)| (name.to_owned(), text.to_owned())), MOST_CHARS);
        assert!(passages.for_question("Which city is Freedonia's capital?", None).starts_with("The capital"));
        assert!(passages.for_question("研发投入是多少", None).starts_with("研发"));
        let only = ["c".to_owned()];
        assert!(!passages.for_question("capital of Freedonia", Some(&only)).contains("Marxville"));
    }
}
