//! A second scorer, `tests/score.py`, which shares nothing with the first, agrees with what `factmask eval` dumps; and it
//! tells a wrong score from a right one.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use factmask_server::eval::{
    score::{Given, Rule, score},
    set::EvalSet,
};
use serde_json::{Value, json};
use std::{fs, path::Path, process::Command};

/// What `score.py` says of a dump: every disagreement, as it reports it.
fn disagreements(dump: &Path, questions: &Path) -> Vec<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("score.py");
    let run = Command::new("python3").arg(script).args([dump, questions]).arg("--json").output().unwrap();
    let complaint = String::from_utf8_lossy(&run.stderr);
    let report: Value = serde_json::from_slice(&run.stdout).unwrap_or_else(|error| panic!("{error}: {complaint}"));
    let found = report["disagreements"].as_array().unwrap().clone();
    assert_eq!(run.status.code(), Some(i32::from(!found.is_empty())), "{complaint}");
    found
}

#[test]
fn both_scorers_agree_on_the_goldens() {
    let work = tempfile::tempdir().unwrap();
    let golden = factmask_tests::data().join("golden");
    let run = Command::new(factmask_tests::program().unwrap())
        .current_dir(work.path())
        .arg("eval")
        .arg(&golden)
        .args(["--mode", "graph-only,fused", "--dump", "dump.jsonl"])
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let dump = work.path().join("dump.jsonl");
    assert_eq!(fs::read_to_string(&dump).unwrap().lines().count(), 2 * 60);
    let found = disagreements(&dump, &golden.join("questions.jsonl"));
    assert!(found.is_empty(), "{found:#?}");
}

/// Answers to `gold` that are right, half right, wrong, and next to right.
fn spoiled(gold: &[String], other: &str) -> Vec<Given> {
    let text = |index: usize| gold.get(index).or(gold.last()).map_or("Marxville", String::as_str);
    let (first, last) = (text(0), text(usize::MAX));
    let half: String = first.chars().take(first.chars().count().div_ceil(2)).collect();
    let sevens = first.replace(|char: char| char.is_ascii_digit(), "7");
    let given = |free: bool, values: &[&[&str]]| Given {
        values: values.iter().map(|forms| forms.iter().map(|form| (*form).to_owned()).collect()).collect(),
        free,
    };
    let mut all = Vec::new();
    for free in [false, true] {
        let whole: Vec<[&str; 1]> = gold.iter().map(|answer| [answer.as_str()]).collect();
        all.push(given(free, &whole.iter().map(<[&str; 1]>::as_slice).collect::<Vec<_>>()));
        all.extend([&[first, other][..], &[other, first], &[last, last, other]].map(|values| {
            let values: Vec<[&str; 1]> = values.iter().map(|value| [*value]).collect();
            given(free, &values.iter().map(<[&str; 1]>::as_slice).collect::<Vec<_>>())
        }));
        all.extend([given(free, &[&[other, last], &[other]]), given(free, &[]), given(free, &[&["…"]])]);
        for form in [
            first.to_uppercase(),
            format!("It is {last}."),
            format!("答案是{last}。"),
            format!("{first}{other}"),
            format!("{other} and the {first}!"),
            first.replace(' ', ""),
            first.replace(' ', "-"),
            first.replace(['.', ','], ""),
            format!("1{first}0"),
            half.clone(),
            sevens.clone(),
        ] {
            all.push(given(free, &[&[form.as_str()]]));
        }
    }
    all
}

#[test]
fn both_scorers_agree_on_spoiled_goldens() {
    let work = tempfile::tempdir().unwrap();
    let golden = factmask_tests::data().join("golden");
    let questions = EvalSet::open(&golden, false).unwrap().questions;
    let dump = work.path().join("dump.jsonl");
    for (set, documents) in [("metaqa", false), ("golden", true), ("cmrc2018_zh", true)] {
        let mut lines = String::new();
        for (question, next) in questions.iter().zip(questions.iter().cycle().skip(1)) {
            let other = next.answers.first().map_or("Harpo Marx", String::as_str);
            for (number, given) in spoiled(&question.answers, other).iter().enumerate() {
                let score = score(Rule::of(set, documents), question, given);
                let verdict = ["wrong", "right"][usize::from(score.right)];
                let verdict = if given.values.is_empty() { "refused" } else { verdict };
                let shown: Vec<_> = given.values.iter().filter_map(|forms| forms.first()).collect();
                let line = json!({"set": set, "mode": number.to_string(), "id": question.id, "gold": question.answers,
                    "answerable": question.is_answerable(), "verdict": verdict, "score": score, "given": shown,
                    "forms": given.values, "free_text": given.free, "confidence": 1.0, "bar": 0.5});
                lines += &format!("{line}\n");
            }
        }
        fs::write(&dump, lines).unwrap();
        let found = disagreements(&dump, &golden.join("questions.jsonl"));
        assert!(found.is_empty(), "{set}: {} of which {:#?}", found.len(), &found[..found.len().min(5)]);
    }
}

/// (set, language, gold answers, values given in all their forms, score as dumped) => the fields that are wrong.
/// A score is `right hit exact | precision recall f1`.
type Row<'a> = (&'a str, &'a str, &'a [&'a str], &'a [&'a [&'a str]], &'a str, &'a str);

const SCORES: &[Row<'_>] = &[
    // One full set of answers.
    ("metaqa", "en", &["The Fly", "Big"], &[&["the fly"], &["BIG"]], "y y y | 1 1 1", ""),
    ("metaqa", "en", &["The Fly", "Big"], &[&["Big"]], "y y n | 1 0.5 0.666666666", ""),
    ("metaqa", "en", &["The Fly", "Big"], &[&["Big"]], "y y y | 1 1 1", "exact recall f1"),
    ("metaqa", "en", &["The Fly", "Big"], &[&["Up"], &["Big"]], "n n n | 0.5 0.5 0.5", ""),
    ("metaqa", "en", &["The Fly", "Big"], &[&["Up"], &["Big"]], "y y n | 0.5 0.5 0.5", "right hit"),
    ("metaqa", "en", &["Big"], &[&["Bigger"]], "n n n | 0 0 0", ""),
    ("metaqa", "en", &["Big"], &[&["Bigger"]], "y y y | 1 1 1", "right hit exact precision recall f1"),
    ("geo880", "en", &["266807"], &[&["266,807 square miles", "266,807.0"]], "y y y | 1 1 1", ""),
    ("geo880", "en", &["2.5"], &[&["25"]], "n n n | 0 0 0", ""),
    ("geo880", "en", &["2.5"], &[&["25"]], "y y y | 1 1 1", "right hit exact precision recall f1"),
    ("geo880", "en", &[], &[&["ohio"]], "n n n | 0 0 0", ""),
    ("geo880", "en", &[], &[&["ohio"]], "y y y | 1 1 1", "right hit exact precision recall f1"),
    ("nlpcc_kbqa_zh", "zh", &["《诗经》，楚辞"], &[&["诗经 楚辞。"]], "y y y | 1 1 1", ""),
    // Each gold answer says the one answer.
    ("squad2", "en", &["in the 1060s", "1060s"], &[&["1060s"]], "y y y | 1 1 1", ""),
    ("squad2", "en", &["10th century"], &[&["The 10th-century."]], "n n n | 0 0 0", ""),
    ("squad2", "en", &["May 29, 2020"], &[&["29th of May 2020"]], "y y y | 1 1 1", ""),
    ("squad2", "en", &["2-1"], &[&["21"]], "y y y | 1 1 1", "right hit exact precision recall f1"),
    ("squad2", "en", &["$11.42 million"], &[&["1142 million"]], "y y y | 1 1 1", "right hit exact precision recall f1"),
    ("squad2", "en", &["1998"], &[&["in 1998"]], "y y n | 0.5 1 0.666666666", ""),
    ("squad2", "en", &["1998"], &[&["in 1998"]], "n n n | 0 0 0", "right hit precision recall f1"),
    ("squad2", "en", &["12"], &[&["2012"]], "n n n | 0 0 0", ""),
    ("squad2", "en", &["12"], &[&["2012"]], "y y n | 0 0 0", "right hit"),
    ("affairqa_zh", "zh", &["2016/1/1"], &[&["2016年1月1日"]], "y y y | 1 1 1", ""),
    ("affairqa_zh", "zh", &["2016/1/1"], &[&["建于2016/1/1。"]], "n n n | 0 0 0", "right hit precision recall f1"),
    ("affairqa_zh", "zh", &["29915"], &[&["299亿", "29,915"], &["x"]], "n y n | 0.5 1 0.666666666", ""),
    ("affairqa_zh", "zh", &["永康市"], &[&["省级"], &["永康市"]], "n y n | 0.6 1 0.75", "hit"),
    ("affairqa_zh", "zh", &["永康市"], &[&["永嘉市"]], "n n n | 0.666666666 0.666666666 0.666666666", ""),
    ("affairqa_zh", "zh", &["永康市"], &[&["永嘉市"]], "n n n | 0 0 0", "precision recall f1"),
    // The longest run of characters, not those in common.
    ("cmrc2018_zh", "zh", &["光荣和平"], &[&["和光荣"]], "n n n | 0.666666666 0.5 0.571428571", ""),
    ("cmrc2018_zh", "zh", &["光荣和平"], &[&["和光荣"]], "n n n | 1 0.75 0.857142857", "precision recall f1"),
];

fn dumped(score: &str) -> Value {
    let parts: Vec<&str> = score.split(' ').filter(|part| *part != "|").collect();
    let [right, hit, exact, precision, recall, f1] = parts[..] else { panic!("{score}") };
    let number = |text: &str| text.parse::<f64>().unwrap();
    json!({"right": right == "y", "hit": hit == "y", "exact": exact == "y",
        "precision": number(precision), "recall": number(recall), "f1": number(f1)})
}

#[test]
fn a_wrong_score_is_told_from_a_right_one() {
    let work = tempfile::tempdir().unwrap();
    let (mut questions, mut dump) = (String::new(), String::new());
    for (row, (set, lang, gold, given, score, _)) in SCORES.iter().enumerate() {
        let (answerable, score) = (!gold.is_empty(), dumped(score));
        let verdict = if score["right"] == true { "right" } else { "wrong" };
        let first: Vec<&str> = given.iter().map(|forms| forms[0]).collect();
        let question = json!({"id": row.to_string(), "answers": gold, "lang": lang, "answerable": answerable});
        let line = json!({"set": set, "mode": "graph-only", "id": row.to_string(), "gold": gold,
            "answerable": answerable, "verdict": verdict, "score": score, "given": first, "forms": given,
            "free_text": false, "confidence": 0.9, "bar": 0.5});
        questions += &format!("{question}\n");
        dump += &format!("{line}\n");
    }
    let (questions_file, dump_file) = (work.path().join("questions.jsonl"), work.path().join("dump.jsonl"));
    fs::write(&questions_file, questions).unwrap();
    fs::write(&dump_file, dump).unwrap();
    let found = disagreements(&dump_file, &questions_file);
    let mut faults = Vec::new();
    for (row, case) in SCORES.iter().enumerate() {
        let of_row = found.iter().filter(|fault| fault["id"] == row.to_string().as_str());
        // The verdict follows from `right`, so it parts with it.
        let fields: Vec<&str> =
            of_row.filter_map(|fault| fault["field"].as_str()).filter(|f| *f != "verdict").collect();
        if fields.join(" ") != case.5 {
            faults.push(format!("{case:?}\n  parts in: {}", fields.join(" ")));
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
