//! What the tests that cross crates share. The tests are in `tests/tests/`, one file a promise.

use std::path::{Path, PathBuf};

/// The repository's `data` folder.
pub fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data")
}

/// The program as it was built beside the tests.
///
/// # Errors
/// Where it should be, when it is not there: it is built by `./run test` or `cargo build`.
pub fn program() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    // The tests lie in `<profile>/deps`, the program one folder up.
    let path = own.ancestors().nth(2).map(|folder| folder.join("factmask")).unwrap_or_default();
    if path.is_file() { Ok(path) } else { Err(format!("{}: not built; run `./run test`", path.display())) }
}
