//! The pages of a reading.

use crate::readers::Format;

/// The page, from 1, of a byte of a stored source, where the document has pages.
pub fn page_in(media_type: &str, source: &[u8], at: u64) -> Option<u32> {
    let original = media_type.split_once(READ_FROM).and_then(|(_, original)| Format::by_media_type(original))?;
    let paged = matches!(original, Format::Converted(container) if container.has_pages());
    paged.then(|| Pages::of(std::str::from_utf8(source).unwrap_or_default()).page(at))
}

/// How the media type of a reading says what it was read from.
pub(crate) const READ_FROM: &str = ";read-from=";

/// Where the pages of a text begin that is parted by form feeds.
///
/// ```
/// use factmask_ingest::Pages;
///
/// let pages = Pages::of("One.\n\n\u{c}\n\nTwo.\n");
/// assert_eq!((pages.page(0), pages.page(9)), (1, 2));
/// ```
#[derive(Clone, Debug)]
pub struct Pages {
    /// Bytes at which a page ends.
    ends: Vec<u64>,
}

impl Pages {
    /// Looks for the form feeds.
    pub fn of(text: &str) -> Self {
        let ends = text.bytes().zip(0..).filter(|(byte, _)| *byte == b'\x0c').map(|(_, at)| at).collect();
        Self { ends }
    }

    /// The page, from 1, in which a byte stands.
    pub fn page(&self, at: u64) -> u32 {
        let before = self.ends.partition_point(|end| *end < at);
        u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
    }
}
