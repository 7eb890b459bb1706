//! Reading the store as RDF: SPARQL, and the canonical export.

use super::Store;
use crate::GraphError;
use crate::rdf::{EPOCH, VERSIONS};
use oxigraph::model::{GraphName, Term, Triple};
pub use oxigraph::sparql::CancellationToken;
use oxigraph::sparql::{QueryResults, SparqlEvaluator};

/// What a SPARQL query gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Of `SELECT`.
    Solutions {
        /// The names of the variables, without `?`.
        variables: Vec<String>,
        /// For each solution one term a variable; `None` where it is unbound.
        rows: Vec<Vec<Option<Term>>>,
    },
    /// Of `ASK`.
    Boolean(bool),
    /// Of `CONSTRUCT` and `DESCRIBE`.
    Triples(Vec<Triple>),
}

/// Longest query in bytes.
const MOST_BYTES: usize = 100_000;

/// Deepest nesting of groups; parsers call themselves for each, and a stack that overflows ends the process.
const DEEPEST: usize = 150;

/// Refuses what could make the parser call itself without end.
fn check_size(sparql: &str) -> Result<(), GraphError> {
    let refused = |message: String| Err(GraphError::Query { message });
    if sparql.len() > MOST_BYTES {
        return refused(format!("it has {} bytes, and may have {MOST_BYTES}", sparql.len()));
    }
    let mut depth = 0_usize;
    let mut signs = 0_usize;
    for char in sparql.chars() {
        match char {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        // Signs are nested too, one in the other.
        signs =
            if matches!(char, '!' | '-' | '+' | '^') || (signs > 0 && char.is_whitespace()) { signs + 1 } else { 0 };
        if depth > DEEPEST || signs > DEEPEST {
            return refused(format!("it is nested more than {DEEPEST} deep"));
        }
    }
    Ok(())
}

/// How far a query may go.
#[derive(Clone)]
pub struct Bounds {
    /// Solutions or triples, at most.
    pub rows: usize,
    /// Ends the query from another thread.
    pub cancelled: CancellationToken,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { rows: usize::MAX, cancelled: CancellationToken::new() }
    }
}

impl Store {
    /// Runs a read-only SPARQL 1.1 query over the union of all documents. The union keeps a triple once for each document
    /// that states it, so counts need `DISTINCT`. Updates and `SERVICE` are not possible.
    pub fn query(&self, sparql: &str) -> Result<Answer, GraphError> {
        self.query_within(sparql, &Bounds::default())
    }

    /// The same within bounds: of solutions or triples the first ones alone are given, and a query that is cancelled fails.
    pub fn query_within(&self, sparql: &str, bounds: &Bounds) -> Result<Answer, GraphError> {
        let failed = |error: &dyn std::error::Error| GraphError::Query { message: error.to_string() };
        // Built without oxigraph's HTTP client, so `SERVICE` has nothing to call.
        check_size(sparql)?;
        let evaluator = SparqlEvaluator::new().with_cancellation_token(bounds.cancelled.clone());
        let mut query = evaluator.parse_query(sparql).map_err(|error| failed(&error))?;
        if query.dataset().is_default_dataset() {
            query.dataset_mut().set_default_graph_as_union();
        }
        match query.on_store(&self.shared.database).execute().map_err(|error| failed(&error))? {
            QueryResults::Solutions(solutions) => {
                let variables = solutions.variables().iter().map(|variable| variable.as_str().to_owned()).collect();
                let rows = solutions
                    .take(bounds.rows)
                    .map(|solution| solution.map(|solution| solution.values().to_vec()))
                    .collect::<Result<_, _>>()
                    .map_err(|error| failed(&error))?;
                Ok(Answer::Solutions { variables, rows })
            }
            QueryResults::Boolean(truth) => Ok(Answer::Boolean(truth)),
            QueryResults::Graph(triples) => Ok(Answer::Triples(
                triples.take(bounds.rows).collect::<Result<_, _>>().map_err(|error| failed(&error))?,
            )),
        }
    }

    /// Everything as canonical N-Quads: one line a quad, sorted, without times, the epoch and the schema's earlier
    /// versions. Equal contents give
    /// equal bytes, however they came about.
    pub fn export(&self) -> Result<String, GraphError> {
        let mut lines = Vec::new();
        for quad in self.shared.database.iter() {
            let quad = quad.map_err(|error| self.database_error("read its facts", &error))?;
            // How often and when something was changed is not what is known.
            let history = matches!(&quad.graph_name, GraphName::NamedNode(graph) if graph.as_str() == VERSIONS);
            if !history && quad.predicate.as_str() != EPOCH {
                lines.push(format!("{quad} .\n"));
            }
        }
        lines.sort_unstable();
        Ok(lines.concat())
    }
}
