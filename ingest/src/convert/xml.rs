//! What the parts of archives are written in.

use quick_xml::events::{BytesStart, BytesText, Event};
use std::borrow::Cow;

/// Hands out the events of an XML text in order.
pub(super) fn events(text: &str, mut on: impl FnMut(&Event<'_>)) -> Result<(), quick_xml::Error> {
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    loop {
        match reader.read_event()? {
            Event::Eof => return Ok(()),
            event => on(&event),
        }
    }
}

/// The attribute of this local name.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().flatten().find(|attribute| attribute.key.local_name().as_ref() == name.as_bytes())?;
    let raw = String::from_utf8_lossy(&found.value).into_owned();
    Some(quick_xml::escape::unescape(&raw).map_or_else(|_| raw.clone(), Cow::into_owned))
}

/// What stands between tags, with the five named and all numbered entities resolved; others stay as they are written.
pub(super) fn words(text: &BytesText<'_>) -> String {
    text.unescape().map_or_else(|_| String::from_utf8_lossy(text).into_owned(), Cow::into_owned)
}
