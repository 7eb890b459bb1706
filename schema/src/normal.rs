//! One normal form for matching words: NFKC, lower case, white space folded.
//!
//! Everything that compares words (aliases, wordings, questions) folds both sides here, so that "ＡＰＰＬＥ  Inc." and
//! "apple inc." meet. [`Folded`] also remembers where each folded byte came from, because a citation must point at the bytes
//! of the source and not at those of its normal form.

use std::ops::Range;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// The normal form: NFKC, lower case (character by character), runs of white space to one space, none at the ends.
pub fn fold(text: &str) -> String {
    Folded::new(text).text
}

/// Without accents and other marks that letters decompose into: "Amélie" and "Amelie" meet.
pub fn without_accents(text: &str) -> String {
    text.nfkd().filter(|char| canonical_combining_class(*char) == 0).nfc().collect()
}

/// Folded text that knows where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded {
    /// The normal form.
    pub text: String,
    /// For each byte of `text` the byte offset in the source at which the characters it was made from begin; one entry more
    /// at the end, for the end of the last of them. Never falls.
    pub offsets: Vec<usize>,
}

impl Folded {
    /// Folds `source`.
    pub fn new(source: &str) -> Self {
        let mut folded =
            Self { text: String::with_capacity(source.len()), offsets: Vec::with_capacity(source.len() + 1) };
        // A space is owed and written once a word follows, which keeps the ends free of white space.
        let mut space: Option<usize> = None;
        let mut end = 0;
        for chunk in chunks(source) {
            let words = source.get(chunk.clone()).unwrap_or_default();
            for char in words.nfkc() {
                if char.is_whitespace() {
                    space.get_or_insert(chunk.start);
                    continue;
                }
                if let Some(start) = space.take().filter(|_| !folded.text.is_empty()) {
                    folded.push(' ', start);
                }
                for lower in char.to_lowercase() {
                    folded.push(lower, chunk.start);
                }
                end = chunk.end;
            }
        }
        folded.offsets.push(end);
        folded
    }

    /// The bytes of the source that `folded` (a byte range of [`Folded::text`]) was made from. A range that cuts through
    /// characters that were composed into one gives all of them; an empty or outlying range gives an empty one.
    pub fn source_range(&self, folded: Range<usize>) -> Range<usize> {
        let at = |index: usize| self.offsets.get(index).or(self.offsets.last()).copied().unwrap_or_default();
        let start = at(folded.start);
        if folded.end <= folded.start || folded.start >= self.text.len() {
            return start..start;
        }
        // Several folded bytes may share one origin; the origin ends where the next one begins.
        let last = at(folded.end - 1);
        let end = self.offsets.iter().skip(folded.end).copied().find(|&offset| offset > last);
        start..end.unwrap_or_else(|| at(self.text.len()))
    }

    fn push(&mut self, char: char, origin: usize) {
        self.text.push(char);
        self.offsets.resize(self.text.len(), origin);
    }
}

/// Cuts `source` into pieces that normalise independently of each other: NFKC of the whole is NFKC of the pieces in a row.
fn chunks(source: &str) -> impl Iterator<Item = Range<usize>> {
    let mut chars = source.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, first) = chars.next()?;
        let mut last = first;
        let mut end = start + first.len_utf8();
        while let Some((_, next)) =
            chars.next_if(|&(_, next)| joins(source.get(start..end).unwrap_or_default(), last, next))
        {
            end += next.len_utf8();
            last = next;
        }
        Some(start..end)
    })
}

/// Whether `next` changes under normalisation when it follows `chunk`, which ends with `last`.
fn joins(chunk: &str, last: char, next: char) -> bool {
    // Nearly all text: ASCII, and Han characters, neither of which ever composes with what stands before it.
    if next.is_ascii() || ('\u{4e00}'..='\u{9fff}').contains(&next) {
        return false;
    }
    let leads_with_mark = std::iter::once(next).nfkd().next().is_some_and(|char| canonical_combining_class(char) != 0);
    if leads_with_mark {
        return true;
    }
    // Starters that compose with the starter before them (Hangul syllables, some Indic vowel signs).
    let apart = chunk.nfkc().chain(std::iter::once(next).nfkc());
    let together = chunk.chars().chain(std::iter::once(next)).nfkc();
    !last.is_ascii() && !together.eq(apart)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The normal form by its definition, without regard to where things come from.
    fn plain(text: &str) -> String {
        let lower: String = text.nfkc().flat_map(char::to_lowercase).collect();
        lower.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn folds() {
        for (text, expected) in [
            ("  Apple\t\n Inc. ", "apple inc."),
            ("ＡＰＰＬＥ", "apple"),
            ("①㎞²", "1km2"),
            ("e\u{301}É", "éé"),
            ("ΣΑΣ", "σασ"),
            ("苹果　公司", "苹果 公司"),
            ("\u{ff76}\u{ff9e}", "ガ"),
            ("\u{1112}\u{1161}\u{11ab}", "한"),
            ("ﬁn", "fin"),
            ("", ""),
            (" \u{3000}", ""),
        ] {
            assert_eq!(fold(text), expected, "{text:?}");
        }
    }

    #[test]
    fn accents() {
        for (text, expected) in
            [("Amélie", "Amelie"), ("Nguyễn", "Nguyen"), ("Łódź", "Łodz"), ("각", "각"), ("カ", "カ"), ("", "")]
        {
            assert_eq!(without_accents(text), expected);
        }
    }

    #[test]
    fn points_back_at_the_source() {
        for (source, wanted, expected) in [
            ("Die ＡＰＰＬＥ  Inc. wuchs", "apple inc.", "ＡＰＰＬＥ  Inc."),
            ("un cafe\u{301} noir", "café", "cafe\u{301}"),
            ("研发投入为299.15亿美元。", "299.15亿美元", "299.15亿美元"),
            ("ﬁnal", "fi", "ﬁ"),
            ("ﬁnal", "i", "ﬁ"),
            ("a b", "b", "b"),
            ("  end  ", "end", "end"),
        ] {
            let folded = Folded::new(source);
            let start = folded.text.find(wanted).unwrap();
            let range = folded.source_range(start..start + wanted.len());
            assert_eq!(&source[range], expected, "{source:?}");
        }
        let folded = Folded::new("ab");
        for range in [0..0, 2..2, 5..9, 2..9] {
            assert!(folded.source_range(range).is_empty());
        }
        assert!(Folded::new("").source_range(0..1).is_empty());
    }

    /// Text with much that composes, decomposes and reorders.
    fn hard_text() -> impl Strategy<Value = String> {
        let hard = prop::sample::select(
            "aAeE \t\u{301}\u{307}\u{323}\u{328}\u{345}ÅﬁΣςİ①²\u{3000}中カ\u{ff76}\u{ff9e}\u{3099}\u{1100}\u{1161}\u{11a8}각\u{9c7}\u{9be}\u{fb1d}\u{5b4}\u{1d15e}\u{344}\u{f73}\u{feff}"
                .chars()
                .collect::<Vec<_>>(),
        );
        prop::collection::vec(prop_oneof![4 => hard, 1 => any::<char>()], 0..14)
            .prop_map(|chars| chars.into_iter().collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn pieces_fold_as_the_whole(text in hard_text()) {
            let folded = Folded::new(&text);
            prop_assert_eq!(&folded.text, &plain(&text));
            prop_assert_eq!(folded.offsets.len(), folded.text.len() + 1);
            prop_assert!(folded.offsets.is_sorted());
            prop_assert!(folded.offsets.iter().all(|&offset| text.is_char_boundary(offset)));
            // All of it points back at all of it but the white space around.
            let range = folded.source_range(0..folded.text.len());
            prop_assert_eq!(fold(&text[range]), folded.text);
        }
    }
}
