//! Answers made comparable: NFKC, lower case, no punctuation, no articles (English), no spaces (Chinese), numbers by their value,
//! dates in ISO 8601.

use unicode_categories::UnicodeCategories;
use unicode_normalization::UnicodeNormalization;

/// The comparable form of an answer. Two answers with equal forms are the same answer.
pub fn normal(text: &str) -> String {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
    let folded = folded.trim();
    if let Some(number) = number(folded) {
        return number;
    }
    if let Some(date) = date(folded) {
        return date;
    }
    words(folded).join(" ")
}

/// The tokens of an answer for F1: words, and single characters where a script has no spaces.
pub fn tokens(text: &str) -> Vec<String> {
    let normal = normal(text);
    let mut tokens = Vec::new();
    for word in normal.split(' ').filter(|word| !word.is_empty()) {
        let mut run = String::new();
        for char in word.chars() {
            if is_han(char) {
                tokens.extend((!run.is_empty()).then(|| std::mem::take(&mut run)));
                tokens.push(char.to_string());
            } else {
                run.push(char);
            }
        }
        tokens.extend((!run.is_empty()).then_some(run));
    }
    tokens
}

/// Whether a text holds another one, both normalised, at word boundaries (Chinese without).
pub fn contains(text: &str, part: &str) -> bool {
    if part.is_empty() {
        return false;
    }
    let joined = |a: Option<char>, b: Option<char>| match (a, b) {
        (Some(a), Some(b)) => a.is_alphanumeric() && b.is_alphanumeric() && !is_han(a) && !is_han(b),
        _ => false,
    };
    text.match_indices(part).any(|(at, found)| {
        let (before, after) = (&text[..at], &text[at + found.len()..]);
        !joined(before.chars().next_back(), found.chars().next())
            && !joined(found.chars().next_back(), after.chars().next())
    })
}

/// Words without punctuation and articles; spaces beside Han characters fall away.
fn words(folded: &str) -> Vec<String> {
    const ARTICLES: [&str; 3] = ["a", "an", "the"];
    // A mark between two words parts them, one inside a word ("o'brien", "u.s.") falls away, as in the scripts of the sets.
    let plain: String = folded.chars().filter(|char| !is_punctuation(*char)).collect();
    let mut words: Vec<String> = Vec::new();
    for word in plain.split_whitespace().filter(|word| !ARTICLES.contains(word)) {
        match words.last_mut() {
            Some(last) if last.ends_with(is_han) || word.starts_with(is_han) => last.push_str(word),
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// Unicode's punctuation, and the ASCII symbols that the sets' scripts take for it.
fn is_punctuation(char: char) -> bool {
    char.is_ascii_punctuation() || UnicodeCategories::is_punctuation(char)
}

fn is_han(char: char) -> bool {
    matches!(char, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' | '\u{3040}'..='\u{30ff}')
}

/// "1,234.50" → "1234.5", "+07" → "7", "-0.0" → "0". Anything but one plain decimal is none.
fn number(text: &str) -> Option<String> {
    let (minus, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = ungrouped(whole)?;
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(&whole) || !all_digits(fraction) || whole.is_empty() || digits.ends_with('.') {
        return None;
    }
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    let sign = if minus && (whole != "0" || !fraction.is_empty()) { "-" } else { "" };
    Some(format!("{sign}{whole}{point}{fraction}"))
}

/// Without its thousands separators, which must stand where they belong.
fn ungrouped(whole: &str) -> Option<String> {
    let groups: Vec<&str> = whole.split(',').collect();
    let well = groups.len() == 1
        || (groups.iter().skip(1).all(|group| group.len() == 3)
            && groups.first().is_some_and(|group| (1..=3).contains(&group.len())));
    well.then(|| groups.concat())
}

/// "2016/1/5", "2016-01-05", "2016年1月5日", "2016年1月" → ISO 8601. Anything else is none.
fn date(text: &str) -> Option<String> {
    let text = text.trim_end_matches(['日', '号']);
    let parts: Vec<&str> = text.split(['/', '-', '年', '月']).map(str::trim).filter(|part| !part.is_empty()).collect();
    let separators = text.chars().filter(|char| matches!(char, '/' | '-' | '年' | '月')).count();
    let digits = parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    let trailing = usize::from(text.ends_with('月'));
    if !digits || separators != parts.len().saturating_sub(1) + trailing {
        return None;
    }
    let number = |at: usize| parts.get(at).and_then(|part| part.parse::<u32>().ok());
    let (year, month) = (number(0).filter(|_| parts.first().is_some_and(|y| y.len() == 4))?, number(1)?);
    if !(1..=12).contains(&month) {
        return None;
    }
    match parts.len() {
        2 => Some(format!("{year:04}-{month:02}")),
        3 => number(2).filter(|day| (1..=31).contains(day)).map(|day| format!("{year:04}-{month:02}-{day:02}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{contains, normal, tokens};

    #[test]
    fn forms() {
        let table = [
            ("The Godfather", "godfather"),
            ("1,234.50", "1234.5"),
            ("1,2", "12"),
            ("-0.0", "0"),
            ("007", "7"),
            ("2016/1/5", "2016-01-05"),
            ("2016年1月5日", "2016-01-05"),
            ("2016年1月", "2016-01"),
            ("2016-13-01", "20161301"),
            ("Ｊ.Ｋ. Rowling", "jk rowling"),
            ("上海市 黄浦区", "上海市黄浦区"),
            ("《红楼梦》", "红楼梦"),
            ("142页", "142页"),
            ("O'Brien's", "obriens"),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(normal(text), expected, "{text}");
        }
    }

    #[test]
    fn pieces() {
        let table: [(&str, &[&str]); 3] =
            [("The U.S. 总统 Obama", &["us", "总", "统", "obama"]), ("a b", &["b"]), ("2016年1月5日", &["2016-01-05"])];
        for (text, expected) in table {
            assert_eq!(tokens(text), expected, "{text}");
        }
        let table = [
            ("in paris france", "paris", true),
            ("comparison", "paris", false),
            ("在上海市", "上海", true),
            ("x", "", false),
        ];
        for (text, part, expected) in table {
            assert_eq!(contains(text, part), expected, "{text} {part}");
        }
    }
}
