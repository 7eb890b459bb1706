//! The command line.

mod align;
mod ask;
mod bench;
mod demo;
mod documents;
mod examples;
mod export;
mod identity;
mod ingest;
mod interrupt;
mod models;
mod open;
mod output;
mod read;
mod report;
mod schema;
mod serve;

use crate::{
    Flags, Settings,
    bench::BenchArgs,
    eval::{self, EvalArgs},
};
use clap::{Args, Parser, Subcommand};
use std::{path::PathBuf, process::ExitCode};

/// Answers questions with facts and says where each stands
#[derive(Parser, Debug)]
#[command(name = "factmask", version, arg_required_else_help = true, after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  factmask demo                                       try everything on the sample documents
  factmask ingest docs/ --schema schema.ttl           read documents
  factmask ask 'Who is the director of the agency?'   ask one question
  factmask serve                                      answer over HTTP on port 7878

Settings come from defaults, factmask.toml, FACTMASK_* in the environment and flags; later ones win.";

/// Flags of every command.
#[derive(Args, Debug)]
struct Common {
    /// Folder of the stores [default: the XDG data folder]
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Whose documents and questions these are [default: default]
    #[arg(long, global = true, value_name = "NAME")]
    tenant: Option<String>,
    /// Configuration file [default: factmask.toml, if there is one]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// Which model answers.
#[derive(Args, Debug, Default)]
struct ModelArgs {
    /// Catalogue name or GGUF file of the language model [default: smollm2-135m-instruct]
    #[arg(long, value_name = "NAME|PATH")]
    model: Option<String>,
    /// Answer from the graph alone, without a language model
    #[arg(long, conflicts_with = "model")]
    no_model: bool,
}

/// Where the service listens.
#[derive(Args, Debug, Default)]
struct ListenArgs {
    /// Address to listen on [default: 127.0.0.1]
    #[arg(long, value_name = "ADDRESS")]
    host: Option<String>,
    /// Port to listen on; 0 takes any free one [default: 7878]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Pull the default models, read the sample documents, ask three questions, then serve
    Demo(demo::DemoArgs),
    /// Read documents into the store: RDF, tables, texts, PDF, office documents, web pages, books
    Ingest(ingest::IngestArgs),
    /// Show the text that is read out of a file
    Read(read::ReadArgs),
    /// Ask one question, or several in a conversation
    Ask(ask::AskArgs),
    /// Learn from example questions which paths questions mean
    Align(align::AlignArgs),
    /// Answer over HTTP
    Serve(serve::ServeArgs),
    /// Pull, list and find models
    #[command(subcommand)]
    Model(models::ModelCommand),
    /// Check, propose, import and publish schemas, and go back to earlier ones
    #[command(subcommand)]
    Schema(schema::SchemaCommand),
    /// List and delete documents
    #[command(subcommand)]
    Documents(documents::DocumentsCommand),
    /// See and decide which entities are one
    Identity(identity::IdentityArgs),
    /// Print all facts, sorted; equal stores print equal bytes
    Export(export::ExportArgs),
    /// Measure what the engine does
    Bench(Box<BenchArgs>),
    /// Measure how right the answers are on a set of questions
    Eval(EvalArgs),
}

/// Reads the command line and does what it says. An error is one line on standard error and exit code 1; a command line that
/// cannot be read is exit code 2.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    // Before anything else takes memory or looks for settings.
    if let Command::Read(args) = &cli.command
        && let Some(code) = read::conversion(args)
    {
        return code;
    }
    output::start_log();
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => output::failure(&error),
    }
}

fn run(cli: Cli) -> anyhow::Result<()> {
    let settings = cli.settings()?;
    match cli.command {
        Command::Demo(args) => demo::run(&args, settings),
        Command::Ingest(args) => ingest::run(&args, &settings),
        Command::Read(args) => read::run(&args),
        Command::Ask(args) => ask::run(&args, &settings),
        Command::Align(args) => align::run(&args, &settings),
        Command::Serve(_) => serve::run(&settings),
        Command::Model(command) => models::run(&command, &settings),
        Command::Schema(command) => schema::run(&command, &settings),
        Command::Documents(command) => documents::run(&command, &settings),
        Command::Identity(args) => identity::run(&args, &settings),
        Command::Export(_) => export::run(&settings),
        Command::Bench(args) => bench::run(&args, &settings),
        Command::Eval(args) => eval::run(&args, || open::engine(&settings)),
    }
}

impl Cli {
    fn settings(&self) -> anyhow::Result<Settings> {
        let mut flags =
            Flags { data: self.common.data.clone(), tenant: self.common.tenant.clone(), ..Flags::default() };
        let (model, listen) = match &self.command {
            Command::Ask(args) => (Some(&args.model), None),
            Command::Align(args) => (Some(&args.model), None),
            Command::Serve(args) => (Some(&args.model), Some(&args.listen)),
            Command::Demo(args) => {
                flags.demo_no_serve = args.no_serve.then_some(true);
                (Some(&args.model), Some(&args.listen))
            }
            _ => (None, None),
        };
        if let Some(args) = model {
            flags.model.clone_from(&args.model);
            flags.no_model = args.no_model.then_some(true);
        }
        match &self.command {
            Command::Bench(args) => flags.model = args.model().cloned(),
            Command::Eval(EvalArgs { model, .. }) => flags.model.clone_from(model),
            _ => {}
        }
        // Naming a model on the command line outweighs a `no_model` of the file.
        if flags.model.is_some() {
            flags.no_model = Some(false);
        }
        if let Some(args) = listen {
            flags.host.clone_from(&args.host);
            flags.port = args.port;
        }
        Settings::load(self.common.config.as_deref(), &flags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
