//! `factmask ask`.

use super::{ModelArgs, open, output};
use crate::{
    Ask, Settings,
    service::check_question,
    wire::{AnswerBody, EvidenceBody, FactBody, StatusBody, TimingsBody, ValueBody},
};
use clap::Args;
use factmask_engine::{AskOptions, FromText};

/// Ask one question.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  factmask ask \"What was Apple's R&D expense in fiscal year 2023?\"
  factmask ask 苹果公司2023年研发投入是多少? --explain
  factmask ask --json 'Who leads the agency?' | jq .facts")]
pub(super) struct AskArgs {
    /// The question, 1 to 4,000 characters
    question: String,
    /// Print the answer as the HTTP service sends it
    #[arg(long)]
    json: bool,
    /// Show how the answer came about
    #[arg(long)]
    explain: bool,
    /// Answer from facts alone, never from a document's text
    #[arg(long)]
    no_text: bool,
    /// Look at the documents' text also where the facts hold an answer, and show what says otherwise
    #[arg(long, conflicts_with = "no_text")]
    compare_text: bool,
    /// Language of names and sentences (en, zh) [default: that of the question]
    #[arg(long, value_name = "TAG")]
    lang: Option<String>,
    #[command(flatten)]
    pub(super) model: ModelArgs,
}

pub(super) fn run(args: &AskArgs, settings: &Settings) -> anyhow::Result<()> {
    check_question(&args.question)?;
    let opened = open::service(settings)?;
    let options = AskOptions {
        tenant: settings.tenant.clone(),
        explain: args.explain,
        lang: args.lang.clone(),
        text: match (args.no_text, args.compare_text) {
            (true, _) => FromText::Never,
            (false, true) => FromText::Beside,
            (false, false) => FromText::Allowed,
        },
        ..AskOptions::default()
    };
    let answer = opened.service.ask(&Ask { question: args.question.clone(), options })?;
    if args.json {
        return output::print_line(&serde_json::to_string_pretty(&answer)?);
    }
    output::print(&shown(&answer))
}

/// An answer for people: text, confidence, facts with where each stands, timings, and the plan where there is one.
pub(super) fn shown(answer: &AnswerBody) -> String {
    let mut text = format!("{}\n", answer.text);
    let status = match answer.status {
        StatusBody::Answered => "answered",
        StatusBody::FromText => "from a document's text",
        StatusBody::NotInKb => "not in the knowledge base",
        StatusBody::Ambiguous => "ambiguous",
    };
    let computed = if answer.computed { ", computed from the facts below" } else { "" };
    text.push_str(&format!("  {status}, confidence {:.2}{computed}\n", answer.confidence));
    for choice in &answer.choices {
        text.push_str(&format!("  could mean: {choice}\n"));
    }
    for (index, fact) in answer.facts.iter().enumerate() {
        text.push_str(&format!("  [{}] {}\n", index + 1, sentence(fact)));
        for evidence in &fact.evidence {
            text.push_str(&format!("      {}\n", citation(evidence)));
        }
    }
    for span in &answer.spans {
        text.push_str(&format!("      {}\n", citation(span)));
    }
    for span in &answer.conflicts {
        text.push_str(&format!("  a document says otherwise: {}\n", citation(span)));
    }
    text.push_str(&format!("  {}\n", times(&answer.timings)));
    if let Some(explanation) = &answer.explanation
        && let Ok(pretty) = serde_json::to_string_pretty(explanation)
    {
        text.push_str(&format!("{pretty}\n"));
    }
    text
}

fn sentence(fact: &FactBody) -> String {
    let qualifiers: Vec<_> =
        fact.qualifiers.iter().map(|found| format!("{} {}", found.qualifier.name, value(&found.value))).collect();
    let qualified = if qualifiers.is_empty() { String::new() } else { format!(" ({})", qualifiers.join(", ")) };
    format!("{}: {}{qualified}: {}", fact.subject.name, fact.relation.name, value(&fact.object))
}

fn citation(evidence: &EvidenceBody) -> String {
    let place = match (evidence.page, evidence.row) {
        (Some(page), _) => format!(", page {page}"),
        (None, Some(row)) => format!(", row {row}"),
        (None, None) => String::new(),
    };
    let quote = evidence.quote.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{}, bytes {}..{}{place}: \u{201c}{quote}\u{201d}", evidence.document, evidence.start, evidence.end)
}

fn value(value: &ValueBody) -> String {
    match value {
        ValueBody::Entity { name, .. } => name.clone(),
        ValueBody::Text { text, .. } => text.clone(),
        ValueBody::Number { written: Some(written), .. } | ValueBody::Date { written: Some(written), .. } => {
            written.clone()
        }
        ValueBody::Number { value, unit: Some(unit), .. } => format!("{value} {unit}"),
        ValueBody::Number { value, .. } | ValueBody::Date { value, .. } => value.clone(),
        ValueBody::Boolean { value } => value.to_string(),
    }
}

fn times(timings: &TimingsBody) -> String {
    format!(
        "link {:.1} ms, plan {:.1} ms (cold cards {:.1}), prefill {:.1} ms, decode {:.1} ms; first token {:.1} ms, all {:.1} ms",
        timings.link_ms,
        timings.plan_ms,
        timings.encode_ms,
        timings.prefill_ms,
        timings.decode_ms,
        timings.first_token_ms,
        timings.total_ms,
    )
}
