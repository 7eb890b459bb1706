//! `factmask bench`: opens what a bench measures.

use super::open;
use crate::{
    Settings,
    bench::{self, BenchArgs, BenchCommand},
};

/// Runs one bench, or the whole.
pub(super) fn run(args: &BenchArgs, settings: &Settings) -> anyhow::Result<()> {
    match &args.command {
        None => bench::whole(&args.whole, &open::language_model_file(settings)?, &|threads| {
            open::engine(&Settings { threads, ..settings.clone() })
        }),
        Some(BenchCommand::Mask(args)) => bench::mask(args, &open::engine(settings)?),
        Some(BenchCommand::Relations(args)) => {
            let opened = open::representations(settings, args.encoder.as_deref(), &args.lang)?;
            bench::relations(args, &opened.model, &opened.encoder, &opened.encoder_name)
        }
        Some(BenchCommand::Speed(args)) => bench::speed(args, &open::language_model_file(settings)?),
        Some(BenchCommand::Cards(args)) => bench::cards(args, &open::language_model_file(settings)?),
    }
}
