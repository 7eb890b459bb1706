//! Two runs side by side.

use super::totals::Verdict;
use crate::bench::tally::mcnemar;
use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use std::{collections::BTreeMap, fs, path::Path};

#[derive(Deserialize)]
struct Run {
    set: String,
    mode: String,
    model: String,
    verdicts: BTreeMap<String, Verdict>,
    #[serde(flatten)]
    figures: BTreeMap<String, serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum File {
    One(Box<Run>),
    Several(Vec<Run>),
}

/// The figures of two runs beside each other, and the paired test over the questions that both were asked. Files with several runs
/// are compared run by run, those of one set and, where both have it, one mode.
///
/// # Errors
/// A file that is no report, or none of whose runs are of one set.
pub fn compare(first: &Path, second: &Path) -> Result<String> {
    let (first, second) = (read(first)?, read(second)?);
    let single = first.len() == 1 && second.len() == 1;
    let mut text = String::new();
    for one in &first {
        for other in second.iter().filter(|other| other.set == one.set && (single || other.mode == one.mode)) {
            text.push_str(&pair(one, other));
        }
    }
    if text.is_empty() {
        bail!("the files have no run of the same set and mode in common (compare what `factmask eval --json` wrote)");
    }
    Ok(text)
}

fn read(path: &Path) -> Result<Vec<Run>> {
    let bytes = fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let file = serde_json::from_slice(&bytes)
        .with_context(|| format!("{}: no report of `factmask eval --json`", path.display()))?;
    Ok(match file {
        File::One(run) => vec![*run],
        File::Several(runs) => runs,
    })
}

fn pair(one: &Run, other: &Run) -> String {
    let mut text = format!(
        "{}: {} ({}) against {} ({})\n{:<24} {:>12} {:>12} {:>12}\n",
        one.set, one.mode, one.model, other.mode, other.model, "", "first", "second", "difference"
    );
    for (key, value) in &one.figures {
        let (Some(a), Some(b)) = (value.as_f64(), other.figures.get(key).and_then(serde_json::Value::as_f64)) else {
            continue;
        };
        text.push_str(&format!("{key:<24} {a:>12.4} {b:>12.4} {:>+12.4}\n", b - a));
    }
    let both: Vec<(Verdict, Verdict)> =
        one.verdicts.iter().filter_map(|(id, verdict)| Some((*verdict, *other.verdicts.get(id)?))).collect();
    text.push_str(&format!("{} questions in both\n", both.len()));
    for (name, wanted) in [("right", Verdict::Right), ("wrong", Verdict::Wrong)] {
        let first = both.iter().filter(|(a, b)| *a == wanted && *b != wanted).count();
        let second = both.iter().filter(|(a, b)| *a != wanted && *b == wanted).count();
        let p = mcnemar(first, second);
        text.push_str(&format!(
            "{name} only in the first {first}, only in the second {second}; exact McNemar p = {p:.4}\n"
        ));
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::compare;
    use std::fs;

    #[test]
    fn pairs_by_question() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, set: &str, verdicts: &str| {
            let path = folder.path().join(name);
            let json =
                format!("{{\"set\":\"{set}\",\"mode\":\"fused\",\"model\":\"m\",\"f1\":0.5,\"verdicts\":{verdicts}}}");
            fs::write(&path, json).unwrap();
            path
        };
        let one = file("a", "s", r#"{"1":"right","2":"wrong","3":"right","4":"refused"}"#);
        let other = file("b", "s", r#"{"1":"right","2":"right","3":"refused","5":"right"}"#);
        let text = compare(&one, &other).unwrap();
        assert!(text.contains("3 questions in both\nright only in the first 1, only in the second 1"), "{text}");
        assert!(text.contains("wrong only in the first 1, only in the second 0"), "{text}");
        assert!(text.contains("f1 "), "{text}");
        let foreign = file("c", "t", "{}");
        assert!(compare(&one, &foreign).unwrap_err().to_string().contains("no run of the same set"));
        fs::write(folder.path().join("d"), "[]").unwrap();
        assert!(compare(&one, &folder.path().join("d")).is_err());
    }
}
