//! `factmask align`.

use super::{ModelArgs, open, output};
use crate::{Settings, eval::json_lines};
use anyhow::{Context as _, ensure};
use clap::Args;
use factmask_engine::{
    answer::MAX_QUESTION_CHARS,
    learn::{Example, Held, PathModel},
    learn_paths,
    question::language,
};
use factmask_schema::Schema;
use std::{fs, path::PathBuf, time::Instant};

/// Learn from example questions which paths questions mean
#[derive(Args, Debug)]
#[command(after_help = "\
A file of examples has one JSON object a line: {\"question\": \"Who runs Apple?\", \"answers\": [\"Tim Cook\"]}, with all the answers that
the documents give, and none for a question that must be refused (confidence is fitted on those too). The path is not said: whichever paths yield the answers share the
credit. Learn again when documents or schema have changed much; what was learned of a relation lasts until then.

Examples:
  factmask align --examples questions.jsonl
  factmask align --examples questions.jsonl --dry-run    say how well it would do, keep nothing
  factmask align --forget                                 read questions by the schema's wordings alone again")]
pub(super) struct AlignArgs {
    /// Questions with their answers, a JSON object a line
    #[arg(long, value_name = "FILE", required_unless_present = "forget")]
    examples: Option<PathBuf>,
    /// Say how well it would do and keep nothing
    #[arg(long)]
    dry_run: bool,
    /// Forget what was learned
    #[arg(long, conflicts_with_all = ["examples", "dry_run"])]
    forget: bool,
    #[command(flatten)]
    pub(super) model: ModelArgs,
}

/// Examples with an answer in reach below which nothing can be said of the rest.
const LEAST: usize = 20;
/// Confusions that are shown.
const SHOWN: usize = 5;

pub(super) fn run(args: &AlignArgs, settings: &Settings) -> anyhow::Result<()> {
    let Some(file) = args.examples.as_deref().filter(|_| !args.forget) else {
        return forget(settings);
    };
    let examples: Vec<Example> = json_lines(file)?;
    ensure!(!examples.is_empty(), "{}: no examples (write one JSON object a line)", file.display());
    for (number, example) in examples.iter().enumerate() {
        let lang = example.lang.as_deref().filter(|lang| !language::READ.contains(lang));
        ensure!(
            lang.is_none(),
            "{}: example {}: language `{}`; questions are read in en and zh",
            file.display(),
            number + 1,
            lang.unwrap_or_default()
        );
    }
    for (number, example) in examples.iter().enumerate() {
        let count = example.question.chars().count();
        ensure!(
            count <= MAX_QUESTION_CHARS,
            "{}: example {}: {count} characters; a question has {MAX_QUESTION_CHARS} at most",
            file.display(),
            number + 1
        );
    }
    let opened = open::service(settings)?;
    let (engine, snapshot) = (opened.service.engine(), opened.service.snapshot(&settings.tenant)?);
    let started = Instant::now();
    eprintln!("{} examples: walking their paths ...", examples.len());
    let reader = engine.reader(&settings.tenant, &snapshot)?;
    let instances = engine.instances(&reader, &examples)?;
    eprintln!("learning ...");
    let learned = learn_paths(&instances.iter().collect::<Vec<_>>());
    for (lang, (mut model, held)) in learned {
        output::print(&report(&lang, snapshot.schema(), &model, &held))?;
        ensure!(
            held.reached >= LEAST,
            "{lang}: the documents give the answers of {} examples; {LEAST} are needed to learn from, so nothing is kept",
            held.reached
        );
        model.encoder = engine.encoder_of(&lang);
        if !args.dry_run {
            let file = engine.learned_file(&settings.tenant, &lang);
            let file = file.with_context(|| format!("tenant {}: has no folder to keep it in", settings.tenant))?;
            model.save(&file)?;
        }
    }
    let kept = if args.dry_run { "nothing kept (--dry-run)" } else { "kept" };
    output::print(&format!("{:.1} s; {kept}\n", started.elapsed().as_secs_f64()))
}

fn forget(settings: &Settings) -> anyhow::Result<()> {
    open::existing_store(settings)?;
    let folder = open::learned_folder(settings)?;
    match fs::remove_dir_all(&folder) {
        Ok(()) => output::print("forgotten\n"),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => output::print("nothing was learned\n"),
        Err(error) => Err(error).with_context(|| format!("{}: cannot be removed", folder.display())),
    }
}

fn report(lang: &str, schema: &Schema, model: &PathModel, held: &Held) -> String {
    let Held { examples, reached, right, brier, .. } = held;
    let share = |part: &usize| 100.0 * *part as f64 / (*examples).max(1) as f64;
    let mut text = format!(
        "{lang}: {examples} examples; the answers of {reached} ({:.1}%) are at the end of some path of up to three steps\n\
         {lang}: left out in turn, {right} ({:.1}%) get their answers from the likeliest path; Brier score {brier:.3}\n",
        share(reached),
        share(right),
    );
    let [constant, factor] = model.calibration;
    text.push_str(&format!("{lang}: confidence = 1 / (1 + exp(-({constant:.2} + {factor:.2} log-odds)))\n"));
    for (meant, taken, count) in held.confusions(schema, lang).iter().take(SHOWN) {
        text.push_str(&format!("{lang}: {count} times `{taken}` was taken for `{meant}`\n"));
    }
    text
}
