//! The sentence encoder.

use crate::support::{model_file, pulled};
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

/// Values as the C program that comes with the file gives them, which rounds activations to eight bits and scatters by some
/// thousandths; another cut into tokens moves them by some hundredths.
#[test]
fn the_packed_encoder_is_that_of_its_own_program() {
    let Some(path) = pulled("multilingual-e5-small", "e5-small-q4.bin") else { return };
    let encoder = SentenceEncoder::open(&path).unwrap();
    let table = [
        ("Which town is the political centre of country?", [0.0645, -0.0438, -0.0128, -0.048, 0.0376, -0.034]),
        ("苹果公司2023财年的研发投入是多少？", [0.0544, 0.0121, -0.012, -0.0132, 0.081, 0.0111]),
        // Ligatures, wide letters and spaces are normalised; characters without a piece are unknown.
        ("  ﬁne  Ｔｅｘｔ　☃ \u{1F9EA} ", [0.0406, -0.0324, -0.0452, -0.0835, 0.0731, -0.0229]),
        ("哪座城是国家的政治中心？", [0.0812, 0.0114, -0.0245, -0.0389, 0.0664, -0.0468]),
    ];
    let found = encoder.encode(&table.map(|(text, _)| text)).unwrap();
    for (row, (text, expected)) in found.iter().zip(table) {
        assert_eq!(row.len(), encoder.width());
        for (found, expected) in row.iter().zip(expected) {
            assert!((found - expected).abs() < 5e-3, "{text}: {:?}, not {expected:?}", &row[..6]);
        }
    }
    // The same question in two languages is nearer than two questions in one.
    let [other_language, other_question] = [(0, 3), (1, 3)].map(|(a, b)| cosine(&found[a], &found[b]));
    assert!((other_language - 0.8556).abs() < 1e-2 && (other_question - 0.7864).abs() < 1e-2);
    assert_eq!(encoder.encode(&["", &"词".repeat(5_000)]).unwrap().len(), 2);
}

#[test]
fn damaged_packed_files_are_refused() {
    let Some(path) = pulled("multilingual-e5-small", "e5-small-q4.bin") else { return };
    let whole = fs::read(path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("packed.bin");
    let refused = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        let error = SentenceEncoder::open(&file).expect_err("refused").to_string();
        assert!(error.contains("is damaged") && error.contains("factmask model pull"), "{error:?}");
    };
    for len in [0, 3, 20, 70, 1_000_000, 4_000_000, 4_636_000, whole.len() - 1] {
        refused(&whole[..len]);
    }
    // Version, heads, vocabulary, longest text, pieces, and the length of their text.
    for at in [4, 16, 26, 29, 46, 66] {
        let mut turned = whole.clone();
        turned[at] ^= 0x55;
        refused(&turned);
    }
}
