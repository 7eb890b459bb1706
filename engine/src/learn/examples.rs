//! Example questions, and which paths yield their answers.

use factmask_graph::{Snapshot, Value};
use factmask_schema::normal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A question whose answers are known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Example {
    /// As people put it.
    pub question: String,
    /// All its answers: names, numbers, dates, as they are written or said.
    pub answers: Vec<String>,
    /// `en` or `zh`; detected when it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
}

impl Example {
    /// The answers ready to compare.
    pub fn wanted(&self) -> Wanted {
        Wanted(self.answers.iter().map(|answer| plain(answer)).collect())
    }
}

/// Folded answers.
pub struct Wanted(BTreeSet<String>);

impl Wanted {
    /// How near some values are to the answers (F1): 1 for the same, -1 where there are no values at all.
    pub fn quality(&self, snapshot: &Snapshot, values: &[Value], lang: &str) -> f32 {
        // Many more values than answers cannot be near.
        if values.is_empty() {
            return -1.0;
        }
        if values.len() > 4 * self.0.len() + 16 {
            return 0.0;
        }
        let (mut right, mut found) = (0, BTreeSet::new());
        for value in values {
            let said = forms(snapshot, value, lang).into_iter().find_map(|form| self.0.get(&plain(&form)));
            right += usize::from(said.is_some());
            found.extend(said);
        }
        if right == 0 {
            return 0.0;
        }
        let (precision, recall) = (right as f32 / values.len() as f32, found.len() as f32 / self.0.len() as f32);
        2.0 * precision * recall / (precision + recall)
    }
}

/// Folded, letters and digits only.
fn plain(text: &str) -> String {
    normal::fold(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The ways to write a value: as it is said, all names of an entity, plain figures, ISO dates.
pub fn forms(snapshot: &Snapshot, value: &Value, lang: &str) -> Vec<String> {
    let mut forms = vec![snapshot.said(value, lang)];
    match value {
        Value::Entity(iri) => {
            if let Some(id) = snapshot.find(iri) {
                let entity = snapshot.entity(id);
                forms.extend(entity.labels.iter().chain(&entity.aliases).map(|name| name.text.clone()));
            }
        }
        Value::Number(number) => {
            forms.push(number.plain());
            forms.extend(number.written.clone());
        }
        Value::Date(date) => {
            forms.push(date.iso());
            forms.extend(date.written.clone());
        }
        Value::Text { .. } | Value::Boolean(_) => {}
    }
    forms.dedup();
    forms
}
