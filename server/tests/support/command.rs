//! The real binary, in a folder of its own and with nothing of this machine's settings.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};
use tempfile::TempDir;

/// A folder that is working folder, home, data folder and model cache of the commands run in it.
pub struct Room {
    folder: TempDir,
}

#[allow(dead_code, reason = "each test file uses some of it")]
impl Room {
    pub fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// `factmask` with these arguments, ready to run.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_factmask"));
        command.args(arguments).current_dir(self.folder()).env_clear();
        command.env("HOME", self.folder()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command that must succeed, and gives what it printed.
    pub fn succeed(&self, arguments: &[&str]) -> String {
        let out = self.run(arguments);
        assert!(out.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    }

    /// The same room with a schema and a document in the store.
    pub fn with_documents(self) -> Self {
        fs::write(self.folder().join("schema.ttl"), SCHEMA).unwrap();
        fs::create_dir_all(self.folder().join("docs")).unwrap();
        fs::write(self.folder().join("docs/countries.ttl"), FACTS).unwrap();
        self.succeed(&["ingest", "docs", "--schema", "schema.ttl"]);
        self
    }
}

pub const SCHEMA: &str = r#"@prefix fm: <urn:factmask:schema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix e: <http://example.com/> .
e:Country a rdfs:Class ; rdfs:label "country"@en .
e:City a rdfs:Class ; rdfs:label "city"@en .
e:capital a rdf:Property, owl:FunctionalProperty ; rdfs:label "capital"@en ; rdfs:domain e:Country ; rdfs:range e:City ;
    fm:question "What is the capital of {s}?"@en ; fm:statement "The capital of {s} is {o}."@en .
"#;

pub const FACTS: &str = r#"@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix e: <http://example.com/> .
e:freedonia a e:Country ; rdfs:label "Freedonia"@en ; e:capital e:marxville .
e:marxville a e:City ; rdfs:label "Marxville"@en .
"#;
