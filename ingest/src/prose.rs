//! The running text of a document that is stored, for whoever answers from text.

use crate::readers::{Format, Reader};
use crate::text::{Decoded, sentences};
use factmask_graph::PlacedText;

/// Sentences that stand together, under one heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prose {
    /// The headings above, outermost first, joined; empty where there is none.
    pub heading: String,
    /// The sentences in order, each with its bytes in the source.
    pub sentences: Vec<PlacedText>,
}

/// Whether documents of this media type have running text.
pub fn has_prose(media_type: &str) -> bool {
    Format::by_media_type(media_type).is_some_and(Format::is_prose)
}

/// The paragraphs of a source as the store keeps it. Tables, code, and formats that hold statements have none; neither has what is
/// no UTF-8, which the store does not take in.
pub fn prose(media_type: &str, source: Vec<u8>) -> Vec<Prose> {
    let format = Format::by_media_type(media_type).filter(|format| format.is_prose());
    let Some((format, text)) = format.zip(String::from_utf8(source).ok()) else { return Vec::new() };
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let blocks = Reader::prose(format, &Decoded::new(text, start, None));
    let paragraph = |(heading, text): (String, PlacedText)| Prose {
        heading,
        sentences: sentences(text.as_str()).into_iter().map(|range| text.slice(range)).collect(),
    };
    blocks.into_iter().map(paragraph).filter(|prose| !prose.sentences.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_with_headings_and_places() {
        type Row<'a> = (&'a str, &'a str, &'a [(&'a str, &'a [&'a str])]);
        let table: &[Row<'_>] = &[
            ("text/plain", "One. Two!\n\nThree\nwraps.", &[("", &["One.", "Two!"]), ("", &["Three\nwraps."])]),
            ("text/plain;transcoded-from=gbk", "\u{feff}首都是巴黎。人口多。", &[("", &["首都是巴黎。", "人口多。"])]),
            ("text/plain", "The Normans\n\nThey came. They saw.", &[("The Normans", &["They came.", "They saw."])]),
            ("text/plain", "A line alone", &[("", &["A line alone"])]),
            (
                "text/markdown",
                "# Top\n\nA **bold** one.\n\n## Below\n\n- item\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| c | d |\n",
                &[("Top", &["A bold one."]), ("Top: Below", &["item"])],
            ),
            ("text/csv", "a,b\nc,d", &[]),
            ("text/turtle", "<urn:a> <urn:b> \"One. Two.\" .", &[]),
            ("image/png", "One.", &[]),
            ("text/plain", "", &[]),
        ];
        for (media_type, source, expected) in table {
            let found = prose(media_type, source.as_bytes().to_vec());
            let shown: Vec<(&str, Vec<&str>)> = found
                .iter()
                .map(|prose| (prose.heading.as_str(), prose.sentences.iter().map(PlacedText::as_str).collect()))
                .collect();
            let expected: Vec<(&str, Vec<&str>)> =
                expected.iter().map(|(heading, sentences)| (*heading, sentences.to_vec())).collect();
            assert_eq!(shown, expected, "{source}");
            assert_eq!(has_prose(media_type), media_type.contains("plain") || media_type.contains("markdown"));
            for sentence in found.iter().flat_map(|prose| &prose.sentences) {
                let cited = source.get(sentence.source(0..sentence.as_str().len())).unwrap_or_default();
                assert_eq!(cited.replace("**", ""), sentence.as_str(), "{source}");
            }
        }
        assert!(prose("text/plain", vec![0xff, 0xfe]).is_empty());
    }
}
