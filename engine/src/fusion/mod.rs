//! Where graph and attention meet: facts become cards, cards become blocks, and a question's paths become an attention plan.
//!
//! Reading order: [`card`] (an entity's facts as lines) → [`prompt`] (what stands around the cards) → [`plan`] (which cards and
//! lines are visible, what is emphasised, which answers are possible, and why) → `prefill` (the plan as keys and
//! values) → [`run`] (the plan on the model: one prefill, one reading) → [`align`] (which path the model takes the question for).
//! [`passages`] is the same for text that stands in documents. Beside it [`ahead`]: cards encoded before a question asks for them; and [`generate`]: free text, for the baselines.

pub mod ahead;
pub mod align;
pub mod attention;
pub mod card;
pub mod generate;
pub mod passages;
pub mod plan;
mod prefill;
pub mod prompt;
pub mod run;

pub use align::Aligner;
pub use attention::Attention;
pub use card::{Card, CardMaker};
pub use plan::{AttentionPlan, Guidance, Guide, PlannedCard};
pub use prompt::Prompt;
pub use run::{Fuser, Layout, Readings};
