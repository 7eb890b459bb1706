//! `factmask ask`.

use super::{ModelArgs, open, output};
use crate::{
    Ask, Service, ServiceError, Settings,
    service::check_question,
    wire::{AnswerBody, EvidenceBody, FactBody, StatusBody, TimingsBody, ValueBody},
};
use anyhow::Context as _;
use clap::Args;
use factmask_engine::{AskOptions, FromText, Turn};
use std::io::{self, BufRead as _, IsTerminal};

/// Ask one question, or several in a conversation.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  factmask ask \"What was Apple's R&D expense in fiscal year 2023?\"
  factmask ask 苹果公司2023年研发投入是多少? --explain
  printf 'Who leads Apple?\\nAnd Microsoft?\\n' | factmask ask
  factmask ask --json 'Who leads the agency?' | jq .facts")]
pub(super) struct AskArgs {
    /// The question, 1 to 4,000 characters; without one, questions are read from standard input, a line each, and later ones may go on
    /// from earlier ones ("Who directed it?")
    question: Option<String>,
    /// Print the answer as the HTTP service sends it
    #[arg(long)]
    json: bool,
    /// Show how the answer came about
    #[arg(long)]
    explain: bool,
    /// Answer in sentences, each with the numbers of the facts that it says
    #[arg(long)]
    sentence: bool,
    /// Answer from facts alone, never from a document's text
    #[arg(long)]
    no_text: bool,
    /// Look at the documents' text also where the facts hold an answer, and show what says otherwise
    #[arg(long, conflicts_with = "no_text")]
    compare_text: bool,
    /// Language that the question is read in and answered in (en, zh) [default: that of the question]
    #[arg(long, value_name = "TAG")]
    lang: Option<String>,
    #[command(flatten)]
    pub(super) model: ModelArgs,
}

pub(super) fn run(args: &AskArgs, settings: &Settings) -> anyhow::Result<()> {
    if let Some(question) = &args.question {
        check_question(question)?;
    }
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
    let Some(question) = &args.question else { return talk(args, &opened.service, options) };
    show(args, &opened.service.ask(&Ask { question: question.clone(), options, sentence: args.sentence })?)
}

/// A conversation: each line of standard input is a question. One that fails does not end it.
fn talk(args: &AskArgs, service: &Service, mut options: AskOptions) -> anyhow::Result<()> {
    let prompt = || if io::stdin().is_terminal() { output::print("> ") } else { Ok(()) };
    prompt()?;
    for line in io::stdin().lock().split(b'\n') {
        let Ok(line) = String::from_utf8(line.context("standard input")?) else {
            // Neither the end of the conversation nor a question that later ones may go on from.
            output::tell(&anyhow::anyhow!("standard input: a line is not UTF-8; it was passed over"));
            prompt()?;
            continue;
        };
        let question = line.trim().to_owned();
        if !question.is_empty() {
            let answer = check_question(&question).map_err(ServiceError::from).and_then(|()| {
                let (question, options) = (question.clone(), options.clone());
                service.ask(&Ask { question, options, sentence: args.sentence })
            });
            match answer {
                Ok(answer) => {
                    show(args, &answer)?;
                    // What was asked back or not found is nothing that a later question may stand for.
                    let told = matches!(answer.status, StatusBody::Answered | StatusBody::FromText);
                    // Standing by itself it needs none before it.
                    let question = answer.understood_as.unwrap_or(question);
                    options.history = vec![Turn { question, answer: told.then_some(answer.text) }];
                }
                Err(error) => output::tell(&error.into()),
            }
        }
        prompt()?;
    }
    Ok(())
}

fn show(args: &AskArgs, answer: &AnswerBody) -> anyhow::Result<()> {
    if args.json {
        return output::print_line(&serde_json::to_string_pretty(answer)?);
    }
    output::print(&shown(answer))
}

/// An answer for people: text, confidence, facts with where each stands, timings, and the plan where there is one.
pub(super) fn shown(answer: &AnswerBody) -> String {
    let said = answer.sentence.as_ref().map_or(&answer.text, |sentence| &sentence.text);
    let mut text = format!("{said}\n");
    let status = match answer.status {
        StatusBody::Answered => "answered",
        StatusBody::FromText => "from a document's text",
        StatusBody::NotInKb => "not in the knowledge base",
        StatusBody::Ambiguous => "ambiguous",
    };
    let computed = if answer.computed { ", computed from the facts below" } else { "" };
    text.push_str(&format!("  {status}, confidence {:.2}{computed}\n", answer.confidence));
    if let Some(question) = &answer.understood_as {
        text.push_str(&format!("  understood as: {question}\n"));
    }
    for name in &answer.read_as {
        text.push_str(&format!("  \u{201c}{}\u{201d} was read as {}\n", name.written, name.meant));
    }
    if let Some(doubt) = &answer.doubt {
        text.push_str(&format!("  doubtful: {doubt}\n"));
    }
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
