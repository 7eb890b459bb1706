//! What is wrong with a schema, all of it at once.

use std::fmt;

/// Every fault that was found in one schema file, in the order of its lines; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    /// The faults.
    pub faults: Vec<Fault>,
}

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file or other source, as the caller named it.
    pub source: String,
    /// Line, from 1.
    pub line: u64,
    /// The term that is at fault, as a schema file writes it (`fm:statment`, `<http://example.com/Person>`).
    pub term: String,
    /// What is wrong, and the remedy.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}: {}", self.source, self.line, self.term, self.message)
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            fault.fmt(out)?;
        }
        Ok(())
    }
}

impl std::error::Error for SchemaError {}
