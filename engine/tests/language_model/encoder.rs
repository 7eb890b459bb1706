//! The sentence encoder.

use crate::support::model_file;
use factmask_engine::embed::SentenceEncoder;
use std::fs;

fn open() -> SentenceEncoder {
    SentenceEncoder::open(model_file("all-minilm-l6-v2", "model.safetensors").parent().unwrap()).unwrap()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn embeddings_are_those_of_the_original() {
    let encoder = open();
    // The two sentences of the model's own page and the first values that it is known to give for them.
    let found = encoder.encode(&["This is an example sentence", "Each sentence is converted"]).unwrap();
    for (row, expected) in found.iter().zip([[0.0677, 0.0635, 0.0487], [0.0864, 0.1028, 0.0053]]) {
        assert_eq!(row.len(), encoder.width());
        assert!((cosine(row, row) - 1.0).abs() < 1e-5);
        for (found, expected) in row.iter().zip(expected) {
            assert!((found - expected).abs() < 3e-4, "{:?}, not {expected:?}", &row[..3]);
        }
    }
}

#[test]
fn a_text_has_one_embedding_alone_and_in_any_batch() {
    let encoder = open();
    let mut texts: Vec<String> = (0..40).map(|i| format!("Sentence {i}{}", " and more".repeat(i % 7 * 3))).collect();
    texts.push(String::new());
    texts.push("word ".repeat(2_000));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let together = encoder.encode(&texts).unwrap();
    for index in [0, 6, 17, 39, 40, 41] {
        let alone = encoder.encode(&texts[index..=index]).unwrap();
        let likeness = cosine(&alone[0], &together[index]);
        assert!(likeness > 0.9999, "{:?}: {likeness}", texts[index].chars().take(20).collect::<String>());
    }
    assert!(encoder.encode(&[]).unwrap().is_empty());
}

#[test]
fn like_is_nearer_than_unlike() {
    let embeddings = open()
        .encode(&["What is the capital of France?", "Which city is France's capital?", "How to boil an egg"])
        .unwrap();
    let [like, unlike] = [1, 2].map(|other| cosine(&embeddings[0], &embeddings[other]));
    assert!(like > 0.8 && unlike < 0.3, "{like} and {unlike}");
}

#[test]
fn damaged_folders_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |expected: &str| {
        let error = SentenceEncoder::open(folder.path()).expect_err(expected).to_string();
        assert!(error.contains(expected) && error.contains("factmask model pull"), "{error:?}: not {expected:?}");
    };
    refused("config.json: cannot be read");
    let files = ["config.json", "tokenizer.json", "model.safetensors"];
    for name in files {
        fs::write(folder.path().join(name), "{").unwrap();
    }
    for name in files {
        refused(&format!("{name}: is damaged"));
        fs::copy(model_file("all-minilm-l6-v2", name), folder.path().join(name)).unwrap();
    }
}
