//! A corpus folder, a store and a job folder, for tests of the pipeline.
#![allow(dead_code, reason = "each test file uses its part")]

use factmask_graph::{Store, TenantId, Value};
use factmask_ingest::{Pipeline, PipelineOptions, Report};
use factmask_schema::{Schema, local_name};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

const SCHEMA: &str = r#"
@prefix ex: <http://e/> .
@prefix fm: <urn:factmask:schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:Country a rdfs:Class ; rdfs:label "country"@en .
ex:City a rdfs:Class ; rdfs:label "city"@en .
ex:capital a rdf:Property , owl:FunctionalProperty ; rdfs:label "capital"@en , "首都"@zh ; rdfs:domain ex:Country ; rdfs:range ex:City ;
    fm:statement "The capital of {s} is {o}."@en , "{s}的首都是{o}。"@zh .
ex:area a rdf:Property ; rdfs:label "area"@en ; rdfs:domain ex:Country ; rdfs:range xsd:decimal ; fm:unit "km²" ;
    fm:statement "{s} covers {o}."@en .
"#;

/// A corpus folder, a store and a job folder.
pub struct World {
    pub folder: TempDir,
    pub store: Store,
    pub schema: Schema,
}

impl World {
    pub fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("corpus")).unwrap();
        let store = Store::in_memory(&TenantId::new("test").unwrap()).unwrap();
        let schema = Schema::parse(SCHEMA, "test.ttl").unwrap_or_else(|faults| panic!("{faults}"));
        let world = Self { folder, store, schema };
        for (name, content) in files {
            world.write(name, content);
        }
        world
    }

    pub fn corpus(&self) -> PathBuf {
        self.folder.path().join("corpus")
    }

    pub fn jobs(&self) -> PathBuf {
        self.folder.path().join("jobs")
    }

    pub fn write(&self, name: &str, content: &[u8]) {
        let path = self.corpus().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub fn options(&self) -> PipelineOptions {
        PipelineOptions::new(self.jobs())
    }

    pub fn run_with(&self, options: PipelineOptions) -> Report {
        self.run_on(options, &[self.corpus()])
    }

    pub fn run_on(&self, options: PipelineOptions, paths: &[PathBuf]) -> Report {
        let pipeline = Pipeline::new(&self.store, &self.schema, options).unwrap();
        pipeline.ingest_paths(paths, &mut |_| {}).unwrap()
    }

    pub fn run(&self) -> Report {
        self.run_with(self.options())
    }

    /// Each document with its facts as "subject relation object".
    pub fn facts(&self) -> BTreeMap<String, Vec<String>> {
        let snapshot = self.store.snapshot().unwrap();
        let mut facts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for fact in snapshot.facts() {
            let object = match &fact.statement.object {
                Value::Entity(iri) => local_name(iri.as_str()).to_owned(),
                Value::Number(number) => number.mantissa.to_string(),
                other => format!("{other:?}"),
            };
            let line = format!(
                "{} {} {object}",
                local_name(fact.statement.subject.as_str()),
                local_name(fact.statement.relation.as_str())
            );
            for evidence in &fact.evidence {
                facts.entry(evidence.document.as_str().to_owned()).or_default().push(line.clone());
            }
        }
        facts.values_mut().for_each(|lines| lines.sort());
        facts
    }
}
