//! What HTTP sends and takes, and `factmask ask --json` prints, as JSON shapes.

mod answer;
mod browse;
mod change;
mod fact;
mod identity;
mod writer;

pub use answer::{AnswerBody, AskBody, ClauseBody, ReadAsBody, SentenceBody, StatusBody, TimingsBody, TurnBody};
pub use browse::{DocumentBody, DocumentPage, EntityBody, FactPage, TextBody};
pub use change::{
    FactSample, FaultBody, MisfitBody, NameSample, PreviewBody, RemovalBody, SchemaChangeBody, UploadBody,
    UploadOutcome, UploadedBody,
};
pub use fact::{EvidenceBody, FactBody, Named, QualifierBody, ValueBody};
pub use identity::{DecidedByBody, DecisionBody, IdentityBody, PairBody, PairStateBody, VerdictBody};
pub use writer::{Quoting, Writer};

/// Whose documents are meant where a request does not say.
pub fn default_tenant() -> String {
    "default".to_owned()
}
