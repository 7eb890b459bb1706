//! The revision marker of a document: one line of JSON that says which revision the store holds.

use crate::{ContentHash, Document, DocumentId, DocumentInfo};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Marker {
    id: String,
    hash: String,
    recipe: String,
    #[serde(rename = "type")]
    media_type: String,
    title: String,
    bytes: u64,
    facts: u64,
}

impl DocumentInfo {
    /// What the store will say of a document once it is put.
    pub(crate) fn of(document: &Document, hash: ContentHash, facts: u64) -> Self {
        Self {
            id: document.id.clone(),
            hash,
            recipe: document.recipe,
            media_type: document.media_type.clone(),
            title: document.title.clone(),
            bytes: document.source.len() as u64,
            facts,
        }
    }

    pub(crate) fn to_marker(&self) -> Result<String, String> {
        let marker = Marker {
            id: self.id.as_str().to_owned(),
            hash: self.hash.to_string(),
            recipe: self.recipe.to_string(),
            media_type: self.media_type.clone(),
            title: self.title.clone(),
            bytes: self.bytes,
            facts: self.facts,
        };
        serde_json::to_string(&marker).map_err(|error| error.to_string())
    }

    pub(crate) fn from_marker(json: &str) -> Result<Self, String> {
        let marker: Marker =
            serde_json::from_str(json).map_err(|error| format!("is not a revision marker: {error}"))?;
        let hash = |text: &str| text.parse().map_err(|error: crate::GraphError| error.to_string());
        Ok(Self {
            id: DocumentId::new(marker.id).map_err(|error| error.to_string())?,
            hash: hash(&marker.hash)?,
            recipe: hash(&marker.recipe)?,
            media_type: marker.media_type,
            title: marker.title,
            bytes: marker.bytes,
            facts: marker.facts,
        })
    }
}
