//! Words with their language.

/// A label, alias or wording in one language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text {
    /// BCP 47 tag in lower case (`en`, `zh`); empty where the source gave none.
    pub lang: String,
    /// The words.
    pub text: String,
}

impl Text {
    /// Words in a language.
    pub fn new(lang: impl Into<String>, text: impl Into<String>) -> Self {
        Self { lang: lang.into(), text: text.into() }
    }

    /// The text for `lang` among `texts`: the same primary tag first, then untagged, then English, then the first there is.
    pub fn pick<'a>(texts: &'a [Self], lang: &str) -> Option<&'a Self> {
        let tagged = |lang: &str| texts.iter().find(|text| Self::same_language(&text.lang, lang));
        tagged(lang).or_else(|| tagged("")).or_else(|| tagged("en")).or_else(|| texts.first())
    }

    /// Whether two tags name the same language, whatever script or region they add.
    pub fn same_language(one: &str, other: &str) -> bool {
        let primary = |tag: &str| tag.split(['-', '_']).next().map(str::to_lowercase);
        primary(one) == primary(other)
    }
}
