//! Names out of IRIs, for what has no label.

/// The last part of an IRI: behind the last `#`, else the last `/`, else the last `:`. A trailing separator does not count;
/// an IRI without any is its own local name.
pub fn local_name(iri: &str) -> &str {
    let trimmed = iri.trim_end_matches(['#', '/', ':']);
    let tail = trimmed.rsplit_once('#').or_else(|| trimmed.rsplit_once('/')).or_else(|| trimmed.rsplit_once(':'));
    match tail {
        Some((_, local)) if !local.is_empty() => local,
        _ if !trimmed.is_empty() => trimmed,
        _ => iri,
    }
}

/// A local name as words: `researchAndDevelopment` is "research and development", `people.person.place_of_birth` is
/// "people person place of birth", `GDPPerCapita` is "GDP per capita". Percent-encoding is undone.
pub fn split_words(local: &str) -> String {
    let decoded = percent_decode(local);
    let mut words: Vec<String> = Vec::new();
    for part in decoded.split(|char: char| char.is_whitespace() || matches!(char, '_' | '.' | '-' | '/')) {
        split_camel(part, &mut words);
    }
    if words.is_empty() { decoded } else { words.join(" ") }
}

/// Undoes percent-encoding where it gives UTF-8; else the text as it is.
pub fn percent_decode(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte == b'%'
            && let Some((digits, behind)) = tail.split_at_checked(2)
            && let Some(decoded) = hex_pair(digits)
        {
            bytes.push(decoded);
            rest = behind;
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn hex_pair(digits: &[u8]) -> Option<u8> {
    let digits =
        std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u8::from_str_radix(digits, 16).ok()
}

/// Breaks before a capital that follows a small letter, and before the last capital of a run that a small letter follows.
/// A word of several capitals is an abbreviation and keeps them.
fn split_camel(part: &str, words: &mut Vec<String>) {
    let chars: Vec<char> = part.chars().collect();
    let mut word = String::new();
    for (index, &char) in chars.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| chars.get(before));
        let after = chars.get(index + 1);
        let starts = char.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_numeric()
                    || (before.is_uppercase() && after.is_some_and(|after| after.is_lowercase()))
            });
        if starts {
            push_word(&mut word, words);
        }
        word.push(char);
    }
    push_word(&mut word, words);
}

fn push_word(word: &mut String, words: &mut Vec<String>) {
    if word.is_empty() {
        return;
    }
    let word = std::mem::take(word);
    let abbreviation = word.chars().filter(|char| char.is_uppercase()).count() > 1;
    words.push(if abbreviation { word } else { word.to_lowercase() });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_names() {
        for (iri, expected) in [
            ("http://example.com/a#capital", "capital"),
            ("http://example.com/a/b", "b"),
            ("http://example.com/a/b/", "b"),
            ("urn:factmask:entity:Company:apple%20inc.", "apple%20inc."),
            ("urn:x", "x"),
            ("urn:", "urn"),
            ("#", "#"),
            ("", ""),
        ] {
            assert_eq!(local_name(iri), expected, "{iri}");
        }
    }

    #[test]
    fn words() {
        for (local, expected) in [
            ("researchAndDevelopment", "research and development"),
            ("people.person.place_of_birth", "people person place of birth"),
            ("GDPPerCapita", "GDP per capita"),
            ("capital", "capital"),
            ("directed_by", "directed by"),
            ("apple%20inc", "apple inc"),
            ("100%", "100%"),
            ("%e4%b8%ad", "中"),
            ("研发投入", "研发投入"),
            ("...", "..."),
            ("", ""),
        ] {
            assert_eq!(split_words(local), expected, "{local}");
        }
    }
}
