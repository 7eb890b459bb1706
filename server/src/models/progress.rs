//! What someone sees while a model is pulled: a bar on a terminal, plain lines elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::{io::IsTerminal, time::Duration};

/// Hears how a pull goes on.
pub trait Progress {
    /// A line that stays.
    fn line(&mut self, text: &str);
    /// A stage begins; `bytes` is its expected size.
    fn stage(&mut self, text: &str, bytes: u64);
    /// How far the stage is.
    fn at(&mut self, bytes: u64);
    /// The stage has ended.
    fn end(&mut self);
}

/// A bar where standard error is a terminal, else lines.
pub fn for_terminal() -> Box<dyn Progress> {
    if std::io::stderr().is_terminal() { Box::new(Bars::default()) } else { Box::new(Plain::default()) }
}

/// One bar at a time.
#[derive(Default)]
pub struct Bars {
    bar: Option<ProgressBar>,
}

impl Progress for Bars {
    fn line(&mut self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => eprintln!("{text}"),
        }
    }

    fn stage(&mut self, text: &str, bytes: u64) {
        self.end();
        let bar = ProgressBar::new(bytes).with_message(text.to_owned());
        if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:30}] {bytes}/{total_bytes} {eta}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        self.bar = Some(bar);
    }

    fn at(&mut self, bytes: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(bytes);
        }
    }

    fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// A line a stage and a line each quarter of it, for logs.
#[derive(Default)]
pub struct Plain {
    text: String,
    total: u64,
    told: u64,
}

impl Progress for Plain {
    fn line(&mut self, text: &str) {
        eprintln!("{text}");
    }

    fn stage(&mut self, text: &str, bytes: u64) {
        *self = Self { text: text.to_owned(), total: bytes.max(1), told: 0 };
        eprintln!("{text} ({})", megabytes(bytes));
    }

    fn at(&mut self, bytes: u64) {
        let quarter = (bytes.saturating_mul(4) / self.total).min(4);
        // A small file needs no lines between.
        if quarter > self.told && self.total > 10_000_000 {
            self.told = quarter;
            eprintln!("{}: {} %", self.text, quarter * 25);
        }
    }

    fn end(&mut self) {}
}

/// "92.9 MB".
pub(crate) fn megabytes(bytes: u64) -> String {
    let tenths = bytes / 100_000;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}
