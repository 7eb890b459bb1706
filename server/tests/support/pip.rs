//! A pip that serves wheels out of a folder: the real program runs, only the package index is ours.

use std::{
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// A script that copies `<folder>/<package>.whl` to the folder after `--dest`, and notes each call.
pub fn fake_pip(folder: &Path) -> PathBuf {
    let script = format!(
        r#"#!/bin/sh
while [ $# -gt 1 ]; do
    [ "$1" = --dest ] && dest="$2"
    shift
done
package="${{1%%==*}}"
version="${{1##*==}}"
echo "$1" >>'{0}/calls'
if [ -f '{0}'/"$package.slow" ]; then exec sleep 60; fi
if [ ! -f '{0}'/"$package.whl" ]; then
    echo "ERROR: Could not find a version that satisfies the requirement $1" >&2
    echo "ERROR: No matching distribution found for $1" >&2
    echo "[notice] A new release of pip is available" >&2
    exit 1
fi
[ -f '{0}'/"$package.lost" ] || cp '{0}'/"$package.whl" "$dest/$package-$version-py3-none-any.whl"
"#,
        folder.display()
    );
    let path = folder.join("fake-pip");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// How often the pip of `folder` was called.
pub fn calls(folder: &Path) -> usize {
    fs::read_to_string(folder.join("calls")).unwrap_or_default().lines().count()
}

/// Puts a wheel with these members where the pip of `folder` finds it.
pub fn wheel(folder: &Path, package: &str, members: &[(&str, &[u8])]) {
    let mut zip = ZipWriter::new(fs::File::create(folder.join(format!("{package}.whl"))).unwrap());
    for (name, bytes) in members {
        zip.start_file(*name, SimpleFileOptions::default().compression_method(CompressionMethod::Deflated)).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
}
