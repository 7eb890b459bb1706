//! Books: the chapters in the order of the spine.

use super::html;
use super::package::{Package, resolved};
use super::xml::{attribute as xml_attribute, events};
use super::{Reading, Unreadable, Writer};
use quick_xml::events::Event;
use std::collections::HashMap;

pub(super) fn read(bytes: Vec<u8>) -> Result<Reading, Unreadable> {
    let mut package = Package::open(bytes, "book", ".epub")?;
    let damaged = |part: &str| {
        Unreadable::new(format!("is no book that can be read: its {part} is missing; save it as .epub anew"))
    };
    if package.bytes("META-INF/encryption.xml")?.is_some_and(|bytes| holds(&bytes, b"EncryptedKey")) {
        return Err(Unreadable::new("is locked by digital rights management; only its seller's programs can read it"));
    }
    let container = package.text("META-INF/container.xml")?.ok_or_else(|| damaged("container"))?;
    let list =
        of_tags(&container, b"rootfile", "full-path").into_iter().next().ok_or_else(|| damaged("list of parts"))?;
    let text = package.text(&list)?.ok_or_else(|| damaged("list of parts"))?;
    let folder = list.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let ids = of_tags(&text, b"item", "id");
    let places = of_tags(&text, b"item", "href");
    let parts: HashMap<&String, &String> = ids.iter().zip(&places).collect();
    let mut writer = Writer::default();
    let mut warnings = Vec::new();
    for id in of_tags(&text, b"itemref", "idref") {
        let Some(place) = parts.get(&id) else { continue };
        let part = resolved(&folder, &unescaped(place));
        match package.text(&part)? {
            Some(chapter) => html::chapter(&chapter).into_iter().for_each(|block| writer.block(block)),
            None => warnings.push(format!("the chapter {part} is missing in the file")),
        }
    }
    Ok(Reading { text: writer.finish(), warnings })
}

/// The attribute of all tags of a name, in order; empty where a tag lacks it.
fn of_tags(text: &str, name: &[u8], attribute: &str) -> Vec<String> {
    let mut all = Vec::new();
    // A list that breaks off has named what it has named.
    let _ = events(text, |event| {
        if let Event::Start(tag) | Event::Empty(tag) = event
            && tag.local_name().as_ref() == name
        {
            all.push(xml_attribute(tag, attribute).unwrap_or_default());
        }
    });
    all
}

/// A place in the archive as its parts are named there: `%20` is a space.
fn unescaped(place: &str) -> String {
    let place = place.split('#').next().unwrap_or_default();
    let mut bytes = Vec::with_capacity(place.len());
    let mut rest = place.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let code = behind.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        match code.filter(|_| *first == b'%').and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = behind.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
