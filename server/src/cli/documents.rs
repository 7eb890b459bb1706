//! `factmask documents`.

use super::{open, output};
use crate::Settings;
use clap::Subcommand;
use factmask_graph::DocumentId;

/// List and delete documents.
#[derive(Subcommand, Debug)]
pub(super) enum DocumentsCommand {
    /// List documents: id, media type, bytes, statements
    List,
    /// Delete documents with what only they state
    Delete {
        /// Ids from `factmask documents list`
        #[arg(required = true)]
        ids: Vec<String>,
    },
}

pub(super) fn run(command: &DocumentsCommand, settings: &Settings) -> anyhow::Result<()> {
    let store = open::existing_store(settings)?;
    match command {
        DocumentsCommand::List => {
            let mut text = String::new();
            for found in store.documents()? {
                text.push_str(&format!(
                    "{}\t{}\t{}\t{}\n",
                    found.id.as_str(),
                    found.media_type,
                    found.bytes,
                    found.facts
                ));
            }
            output::print(&text)
        }
        DocumentsCommand::Delete { ids } => {
            let ids = ids.iter().map(DocumentId::new).collect::<Result<Vec<_>, _>>()?;
            for id in ids {
                anyhow::ensure!(
                    store.delete(&id)?,
                    "document {}: not in the store (see `factmask documents list`)",
                    id.as_str()
                );
            }
            Ok(())
        }
    }
}
