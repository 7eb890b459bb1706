//! From a question's words to ranked relation paths: links, constraints, path candidates and their scores.
//!
//! Reading order: [`language`] → [`follow`] (what a question takes over from earlier ones) → [`near`] (names that are not written exactly) → [`link`] (mentions to entities), [`ordinary`] (those that are words) → [`constraint`] (years), [`expected`] (the kind of answer) and
//! [`chain`] (possessives) → [`path`] (walks of up to three hops, executed on the graph) → [`wordings`] and [`rank`] (how well a path says
//! what was asked) → [`account`] (how far it accounts for the words) → [`walk`] (all paths of a question with that) → [`meet`] (further
//! names) → [`unread`] (what stays unanswered). [`shared`] finds names that several things seem to share. [`read`] runs them in turn, [`lesson`] for examples; [`operation`] is for what must be computed.

pub mod account;
pub mod chain;
pub mod constraint;
pub mod expected;
pub mod follow;
pub mod language;
mod lesson;
pub mod link;
mod meet;
pub mod near;
pub mod operation;
pub mod ordinary;
pub mod path;
pub mod rank;
pub mod read;
mod shared;
pub mod unread;
pub(crate) mod walk;
pub mod wordings;
pub mod words;

pub use read::{Reader, Reading};
