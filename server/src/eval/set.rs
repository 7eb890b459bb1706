//! An evaluation set on disk: what it says (a knowledge base, tables or documents) and what it asks.

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// A set: where its knowledge is and what is asked.
#[derive(Clone, Debug)]
pub struct EvalSet {
    /// Name of its folder.
    pub name: String,
    /// Where the answers are.
    pub knowledge: Knowledge,
    /// What is asked, in the order of the file.
    pub questions: Vec<Question>,
}

/// Where the answers of a set are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// Triples, three tab-separated columns.
    Triples(PathBuf),
    /// A folder of tables.
    Tables(PathBuf),
    /// `corpus.jsonl`, and the schema for it where there is one.
    Corpus {
        /// One document a line.
        documents: PathBuf,
        /// A Turtle file.
        schema: Option<PathBuf>,
    },
}

/// A question with everything that the sets say of one.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Question {
    /// Unique in its set: where a set repeats an id, the second is `id#2`.
    #[serde(default)]
    pub id: String,
    /// As people put it.
    pub question: String,
    /// Gold answers: the full set, or alternatives of which one suffices, as the set's rule says; empty where there is none. Must
    /// be there, since a misspelt key would make every refusal right.
    pub answers: Vec<String>,
    /// Gold answers of which each slot needs one alternative.
    #[serde(default)]
    pub answer_slots: Vec<Vec<String>>,
    /// BCP 47 tag.
    #[serde(default)]
    pub lang: String,
    /// Whether the knowledge base holds the answer; where the set does not say, whether there is a gold answer.
    pub answerable: Option<bool>,
    /// What kind of trial it is, where the set has several.
    #[serde(default)]
    pub mode: String,
    /// The only documents that may be used, where the set closes them.
    pub context_docs: Option<Vec<String>>,
    /// The documents that hold the answer, where the set says so.
    #[serde(default)]
    pub supporting: Vec<String>,
    /// The gold facts, path order.
    #[serde(default)]
    pub gold_triples: Vec<[String; 3]>,
    /// The gold path's name.
    pub qtype: Option<String>,
    /// The gold query.
    pub sql: Option<String>,
    /// The gold query.
    pub sparql: Option<String>,
}

impl Question {
    /// Whether a right answer can be given.
    pub fn is_answerable(&self) -> bool {
        self.answerable.unwrap_or(!self.answers.is_empty())
    }
}

/// A row whose context holds edited documents: what is right there is not an answer. Left out, and told.
const COUNTERFACTUAL: &str = "counterfactual";

/// A document of a corpus.
#[derive(Clone, Debug, Deserialize)]
pub struct CorpusDocument {
    /// Unique in the corpus; may be a path with an extension that tells the format.
    pub doc_id: String,
    /// What it is called.
    #[serde(default)]
    pub title: String,
    /// All of it.
    pub text: String,
}

impl EvalSet {
    /// Reads the set in a folder. `tables` takes the raw tables even where a knowledge base made from them stands beside.
    ///
    /// # Errors
    /// A folder that is no set, or a line that cannot be read, with file and line.
    pub fn open(folder: &Path, tables: bool) -> Result<Self> {
        let questions = folder.join("questions.jsonl");
        if !questions.is_file() {
            bail!(
                "{}: no evaluation set (a set is a folder with questions.jsonl and kb.tsv, tables/ or corpus.jsonl)",
                folder.display()
            );
        }
        let [kb, tables_folder, corpus] = ["kb.tsv", "tables", "corpus.jsonl"].map(|name| folder.join(name));
        let knowledge = if kb.is_file() && !(tables && tables_folder.is_dir()) {
            Knowledge::Triples(kb)
        } else if tables_folder.is_dir() {
            Knowledge::Tables(tables_folder)
        } else if corpus.is_file() {
            // Our own set stands below the schema of its corpus.
            let schema = ["schema.ttl", "../schema.ttl"].map(|name| folder.join(name));
            Knowledge::Corpus { documents: corpus, schema: schema.into_iter().find(|path| path.is_file()) }
        } else {
            bail!(
                "{}: has questions and nothing to answer them from (kb.tsv, tables/ or corpus.jsonl)",
                folder.display()
            );
        };
        let name = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let name = name.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let mut asked: Vec<Question> = json_lines(&questions)?;
        // Verdicts and dumps go by the id, and some sets give the wordings of one question one id.
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for question in &mut asked {
            let times = times.entry(question.id.clone()).or_default();
            *times += 1;
            if *times > 1 {
                question.id = format!("{}#{times}", question.id);
            }
        }
        Ok(Self { name, knowledge, questions: asked })
    }

    /// Keeps `limit` questions, evenly over the file, since sets stand in order of difficulty or subject; 0 keeps all. Returns
    /// how many rows were left out because what is right there is not an answer.
    pub fn limit(&mut self, limit: usize) -> usize {
        let before = self.questions.len();
        self.questions.retain(|question| question.mode != COUNTERFACTUAL);
        let left_out = before - self.questions.len();
        let all = self.questions.len();
        if limit > 0 && limit < all {
            let questions = std::mem::take(&mut self.questions);
            let kept = |at: usize| (at * limit) / all != ((at + 1) * limit) / all;
            self.questions = questions.into_iter().enumerate().filter(|(at, _)| kept(*at)).map(|(_, q)| q).collect();
        }
        left_out
    }
}

/// Reads one JSON value a line; empty lines are passed over.
///
/// # Errors
/// With file and line.
pub fn json_lines<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Vec<T>> {
    let text = fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    text.trim_start_matches('\u{feff}')
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), number + 1)))
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn the_kind_of_a_set_follows_from_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(EvalSet::open(folder.path(), false).unwrap_err().to_string().contains("no evaluation set"));
        fs::write(at("questions.jsonl"), "{\"id\":\"1\",\"question\":\"who?\",\"answers\":[\"A\"]}\n\n").unwrap();
        assert!(EvalSet::open(folder.path(), false).unwrap_err().to_string().contains("nothing to answer"));
        fs::write(at("corpus.jsonl"), "").unwrap();
        let knowledge = |tables| EvalSet::open(folder.path(), tables).unwrap().knowledge;
        assert_eq!(knowledge(false), Knowledge::Corpus { documents: at("corpus.jsonl"), schema: None });
        fs::create_dir(at("tables")).unwrap();
        assert_eq!(knowledge(false), Knowledge::Tables(at("tables")));
        fs::write(at("kb.tsv"), "").unwrap();
        assert_eq!(knowledge(false), Knowledge::Triples(at("kb.tsv")));
        assert_eq!(knowledge(true), Knowledge::Tables(at("tables")));
        fs::write(at("questions.jsonl"), "{\"id\":\"1\",\"question\":\"who?\",\"answers\":[]}\n{").unwrap();
        let fault = format!("{:#}", EvalSet::open(folder.path(), false).unwrap_err());
        assert!(fault.contains("questions.jsonl:2"), "{fault}");
        fs::write(at("questions.jsonl"), "{\"id\":\"1\",\"question\":\"who?\",\"answers\":[]}\n".repeat(2)).unwrap();
        let ids = EvalSet::open(folder.path(), false).unwrap().questions.into_iter().map(|question| question.id);
        assert_eq!(ids.collect::<Vec<_>>(), ["1", "1#2"]);
        fs::write(at("questions.jsonl"), "{\"id\":\"1\",\"question\":\"who?\",\"answer\":[\"A\"]}\n").unwrap();
        let fault = format!("{:#}", EvalSet::open(folder.path(), false).unwrap_err());
        assert!(fault.contains("questions.jsonl:1") && fault.contains("answers"), "{fault}");
    }

    #[test]
    fn a_limit_spreads_over_the_file() {
        let question = |id: usize| Question { id: id.to_string(), ..Question::default() };
        let mut set = EvalSet {
            name: String::new(),
            knowledge: Knowledge::Triples(PathBuf::new()),
            questions: (0..10).map(question).collect(),
        };
        set.questions.push(Question { mode: COUNTERFACTUAL.to_owned(), ..Question::default() });
        assert_eq!(set.limit(4), 1);
        let ids: Vec<_> = set.questions.iter().map(|question| question.id.as_str()).collect();
        assert_eq!(ids, ["2", "4", "7", "9"]);
    }
}
