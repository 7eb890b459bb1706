//! What HTTP sends and takes, and `factmask ask --json` prints, as JSON shapes.

mod answer;
mod browse;
mod change;
mod fact;
mod identity;
mod inspect;
mod publish;
mod rule;
mod schema;
mod split;
mod suggestion;
mod writer;

pub use answer::{AnswerBody, AskBody, ClauseBody, ReadAsBody, SentenceBody, StatusBody, TimingsBody, TurnBody};
pub use browse::{DocumentBody, DocumentPage, EntityBody, FactPage, TextBody};
pub use change::{
    FactSample, FaultBody, MisfitBody, NameSample, PreviewBody, RemovalBody, SchemaChangeBody, UploadBody,
    UploadOutcome, UploadedBody,
};
pub use fact::{EvidenceBody, FactBody, Named, QualifierBody, ValueBody};
pub use identity::{DecidedByBody, DecisionBody, IdentityBody, PairBody, PairStateBody, SamenessBody};
pub use inspect::{
    AnswerCounts, BlocksBody, BucketBody, FeedbackBody, FeedbackItem, FeedbackList, MinuteBody, NumbersBody, QueryBody,
    SourceBody, StageTimes, TableBody, TermBody, VerdictBody,
};
pub use publish::{
    BrokenRuleBody, BrokenRules, CheckBody, DifferenceBody, DraftBody, ImpactBody, MigratedBody, ProposalBody,
    QuestionChangeBody, RenameBody, RestoreBody, TermKindBody, VersionBody, VersionList,
};
pub use rule::{NodeKindBody, NoteBody, RuleBody, SeverityBody};
pub use schema::{
    ClassBody, ClassRangeBody, FunctionalBody, RangeBody, RelationBody, SchemaBody, SchemaQualifierBody, ValueKindBody,
    ValueTypeBody,
};
pub use split::{ObjectKindBody, SplitBody, SplitKindBody, WhenBody};
pub use suggestion::{
    SuggestedKind, SuggestionBody, SuggestionDecision, SuggestionList, SuggestionSource, SuggestionState,
};
pub use writer::{Quoting, Writer};

/// In which language things are called where a request does not say.
pub fn english() -> String {
    "en".to_owned()
}

/// Whose documents are meant where a request does not say.
pub fn default_tenant() -> String {
    "default".to_owned()
}
