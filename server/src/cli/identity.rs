//! `factmask identity`.

use super::{open, output};
use crate::Settings;
use crate::service::identity::{decide, pairs};
use crate::wire::{DecidedByBody, PairBody, PairStateBody};
use clap::{Args, Subcommand, ValueEnum};
use factmask_graph::{Decision, PairState, Verdict};
use factmask_schema::Iri;

/// See and decide which entities are one.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  factmask identity                                  all pairs: merged, proposed, and kept apart although they share a name
  factmask identity list --state proposed            what waits for a person to say
  factmask identity same IRI IRI --reason 'one firm, renamed in 2019'
  factmask identity different IRI IRI --reason 'father and son'
  factmask identity undecided IRI IRI                take a decision back; the rules decide again

What documents say is not changed by any of it. Who is who is decided over all documents together, by names, classes and by what
the things have in common or contradict each other in; a decision of a person goes before that, and stays when documents are read
again or deleted.")]
pub(super) struct IdentityArgs {
    #[command(subcommand)]
    command: Option<IdentityCommand>,
    /// As JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand, Debug)]
enum IdentityCommand {
    /// List pairs, the surest first
    List {
        /// Only those of this state
        #[arg(long, value_enum)]
        state: Option<State>,
        /// Pairs, at most
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: usize,
    },
    /// Two entities are one
    Same(DecisionArgs),
    /// Two entities are two
    Different(DecisionArgs),
    /// Leave two entities to the rules
    Undecided(DecisionArgs),
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum State {
    /// May be one
    Proposed,
    /// Are one
    Merged,
    /// Share a name and are two
    Apart,
}

#[derive(Args, Debug)]
struct DecisionArgs {
    /// IRI of the one, as `factmask identity list` shows it
    #[arg(value_name = "IRI")]
    one: String,
    /// IRI of the other
    #[arg(value_name = "IRI")]
    other: String,
    /// Why; kept with the decision
    #[arg(long, value_name = "TEXT", default_value = "no reason given")]
    reason: String,
    /// Who decides; kept with the decision [default: the user of this session]
    #[arg(long, value_name = "NAME")]
    author: Option<String>,
}

pub(super) fn run(args: &IdentityArgs, settings: &Settings) -> anyhow::Result<()> {
    let store = open::existing_store(settings)?;
    let (decision, verdict) = match &args.command {
        None => return list(&*store.snapshot()?, None, 100, args.json),
        Some(IdentityCommand::List { state, limit }) => {
            let state = state.map(|state| match state {
                State::Proposed => PairState::Proposed,
                State::Merged => PairState::Merged,
                State::Apart => PairState::Apart,
            });
            return list(&*store.snapshot()?, state, *limit, args.json);
        }
        Some(IdentityCommand::Same(decision)) => (decision, Verdict::Same),
        Some(IdentityCommand::Different(decision)) => (decision, Verdict::Different),
        Some(IdentityCommand::Undecided(decision)) => (decision, Verdict::Undecided),
    };
    let iri = |text: &str| {
        Iri::new(text).map_err(|error| anyhow::anyhow!("{text}: not an IRI: {error} (see `factmask identity list`)"))
    };
    let user = || std::env::var("USER").ok().filter(|user| !user.is_empty()).unwrap_or_else(|| "unknown".to_owned());
    let author = decision.author.clone().unwrap_or_else(user);
    let decision = Decision::new(iri(&decision.one)?, iri(&decision.other)?, verdict, &author, &decision.reason);
    let pair = decide(&store, &decision, "en")?;
    match args.json {
        true => output::print_line(&serde_json::to_string_pretty(&pair)?),
        false => output::print(&said(&pair)),
    }
}

fn list(snapshot: &factmask_graph::Snapshot, state: Option<PairState>, limit: usize, json: bool) -> anyhow::Result<()> {
    let body = pairs(snapshot, state, limit, "en");
    if json {
        return output::print_line(&serde_json::to_string_pretty(&body)?);
    }
    let mut text: String = body.pairs.iter().map(said).collect();
    match body.total - body.pairs.len() {
        0 if body.total == 0 => text.push_str("no pairs\n"),
        0 => {}
        more => text.push_str(&format!("and {more} more (--limit)\n")),
    }
    output::print(&text)
}

/// A pair in four lines: state and score, the two, the reasons.
fn said(pair: &PairBody) -> String {
    let state = match pair.state {
        PairStateBody::Proposed => "proposed",
        PairStateBody::Merged => "merged",
        PairStateBody::Apart => "apart",
    };
    let by = match pair.by {
        DecidedByBody::Rule => "by rule",
        DecidedByBody::Hand => "by hand",
    };
    let (one, other) = (&pair.one, &pair.other);
    let reasons = if pair.reasons.is_empty() { "nothing speaks for it".to_owned() } else { pair.reasons.join("; ") };
    format!(
        "{state} {by} ({:.2})\n  {} <{}>\n  {} <{}>\n  {reasons}\n",
        pair.score, one.name, one.iri, other.name, other.iri
    )
}
