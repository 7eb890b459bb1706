//! Answers made comparable: NFKC, lower case, no punctuation, no articles (English), no spaces (Chinese), numbers by their value,
//! dates in ISO 8601.

use unicode_categories::UnicodeCategories;
use unicode_normalization::UnicodeNormalization;

/// An answer made comparable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Normal {
    /// All of it: a number by its value, a date in ISO 8601, or the words.
    whole: String,
    /// The words, whatever they are.
    words: String,
}

impl Normal {
    /// Of an answer as it was written.
    pub fn of(text: &str) -> Self {
        let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
        let folded = folded.trim();
        let words = words(folded);
        let whole = number(folded).or_else(|| date(folded)).or_else(|| date_in_words(folded));
        Self { whole: whole.unwrap_or_else(|| words.clone()), words }
    }

    /// A number by its value, a date in ISO 8601, or the words.
    pub fn whole(&self) -> &str {
        &self.whole
    }

    /// Whether both are the same answer. Fractions may part in the seventh place: not all programs work them out alike.
    pub fn is(&self, other: &Self) -> bool {
        let close = || {
            let (one, other) = (self.whole.parse::<f64>().ok()?, other.whole.parse::<f64>().ok()?);
            Some((one - other).abs() <= 1e-6 * one.abs().max(other.abs()))
        };
        self.whole == other.whole
            || self.words == other.words
            || (self.whole.contains('.') || other.whole.contains('.')) && close().unwrap_or_default()
    }

    /// Whether this text says the other one somewhere, at word boundaries (Chinese without).
    pub fn says(&self, other: &Self) -> bool {
        contains(&self.words, &other.words)
    }

    /// Whether the other one's letters stand anywhere in it, within a word too.
    pub fn has(&self, other: &Self) -> bool {
        self.words.contains(&other.words)
    }

    /// The tokens for F1: words, and single characters where a script has no spaces.
    pub fn tokens(&self) -> Vec<String> {
        let mut tokens = Vec::new();
        for word in self.words.split(' ').filter(|word| !word.is_empty()) {
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
}

fn contains(text: &str, part: &str) -> bool {
    if part.is_empty() {
        return false;
    }
    let joined = |a: Option<char>, b: Option<char>| match (a, b) {
        // What is left of points stands within numbers.
        (Some(a), Some(b)) => [a, b].iter().all(|char| *char == '.' || char.is_alphanumeric() && !is_han(*char)),
        _ => false,
    };
    text.match_indices(part).any(|(at, found)| {
        let (before, after) = (&text[..at], &text[at + found.len()..]);
        !joined(before.chars().next_back(), found.chars().next())
            && !joined(found.chars().next_back(), after.chars().next())
    })
}

/// The words without marks and articles; spaces beside Han characters fall away. What is nothing but marks stays as it is.
fn words(folded: &str) -> String {
    const ARTICLES: [&str; 3] = ["a", "an", "the"];
    let mut words = String::new();
    for word in unmarked(folded).split_whitespace().filter(|word| !ARTICLES.contains(word)) {
        if !(words.is_empty() || words.ends_with(is_han) || word.starts_with(is_han)) {
            words.push(' ');
        }
        words.push_str(word);
    }
    if words.is_empty() { folded.to_owned() } else { words }
}

/// The text without punctuation, each number in its shortest writing. A mark inside a word ("o'brien", "u.s.") falls away, as in the
/// scripts of the sets, but one between two digits never makes one number of two.
fn unmarked(folded: &str) -> String {
    let (mut plain, mut rest, mut before) = (String::new(), folded, ' ');
    while let Some(char) = rest.chars().next() {
        let inside = before == '.' || before.is_ascii_alphanumeric();
        let run = rest.find(|char: char| !char.is_ascii_digit() && !matches!(char, '.' | ',')).unwrap_or(rest.len());
        let figures = rest.get(..run).unwrap_or_default().trim_end_matches(['.', ',']);
        if char.is_ascii_digit()
            && !inside
            && let Some(number) = number(figures)
        {
            plain.push_str(&number);
            before = char;
            rest = rest.get(figures.len()..).unwrap_or_default();
            continue;
        }
        before = char;
        rest = rest.get(char.len_utf8()..).unwrap_or_default();
        if !is_punctuation(char) {
            plain.push(char);
        } else if plain.ends_with(|char: char| char.is_ascii_digit())
            && rest.starts_with(|char: char| char.is_ascii_digit())
        {
            plain.push(if char == '.' { '.' } else { ' ' });
        }
    }
    plain
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

/// "2016/1/5", "2016-01-05", "2016年1月5日", "2016年1月", "2016年" → ISO 8601. Anything else is none.
fn date(text: &str) -> Option<String> {
    let year = text.strip_suffix('年').filter(|year| year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()));
    if let Some(year) = year {
        return Some(year.to_owned());
    }
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

/// "may 29, 2020", "29th of may 2020", "may. 2020" → ISO 8601. Anything else is none.
fn date_in_words(text: &str) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let (mut year, mut month, mut day) = (None, None, None);
    for word in text.split([' ', ',', '.']).filter(|word| !word.is_empty() && *word != "of") {
        let named = MONTHS.iter().position(|name| word.len() >= 3 && name.starts_with(word));
        let figures = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
        let (place, value) = match (named, figures.parse::<usize>().ok()) {
            (Some(at), _) => (&mut month, at + 1),
            (None, Some(year_number)) if figures.len() == 4 && figures == word => (&mut year, year_number),
            (None, Some(day_number @ 1..=31)) if figures.len() <= 2 => (&mut day, day_number),
            _ => return None,
        };
        if place.replace(value).is_some() {
            return None;
        }
    }
    let day = day.map_or_else(String::new, |day| format!("-{day:02}"));
    Some(format!("{:04}-{:02}{day}", year?, month?))
}

#[cfg(test)]
mod tests {
    use super::Normal;

    #[test]
    fn forms() {
        let table = [
            ("The Godfather", "godfather"),
            ("1,234.50", "1234.5"),
            ("1,2", "1 2"),
            ("-0.0", "0"),
            ("007", "7"),
            ("2016/1/5", "2016-01-05"),
            ("2016年1月5日", "2016-01-05"),
            ("2016年1月", "2016-01"),
            ("2016-13-01", "2016 13 1"),
            ("Ｊ.Ｋ. Rowling", "jk rowling"),
            ("上海市 黄浦区", "上海市黄浦区"),
            ("《红楼梦》", "红楼梦"),
            ("142页", "142页"),
            ("O'Brien's", "obriens"),
            ("1998年", "1998"),
            ("May. 29, 2020", "2020-05-29"),
            ("29th of May, 2020", "2020-05-29"),
            ("Sept 2020", "2020-09"),
            ("May 2020 2021", "may 2020 2021"),
            ("32 May 2020", "32 may 2020"),
            ("$29.915 billion", "29.915 billion"),
            ("约3,400,000.50挺", "约3400000.5挺"),
            ("2-1", "2 1"),
            ("1.2.30", "1.2.30"),
            ("$", "$"),
            ("…", "..."),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(Normal::of(text).whole, expected, "{text}");
        }
    }

    #[test]
    fn pieces() {
        let table: [(&str, &[&str]); 4] = [
            ("The U.S. 总统 Obama", &["us", "总", "统", "obama"]),
            ("a b", &["b"]),
            ("2016年1月5日", &["2016", "年", "1", "月", "5", "日"]),
            ("11.42亿元", &["11.42", "亿", "元"]),
        ];
        for (text, expected) in table {
            assert_eq!(Normal::of(text).tokens(), expected, "{text}");
        }
    }

    #[test]
    fn same_and_said() {
        // (one, other, whether it is the other, whether it says the other)
        let table = [
            ("in paris france", "Paris", false, true),
            ("comparison", "paris", false, false),
            ("在上海市", "上海", false, true),
            ("2016/1/5", "Jan 5, 2016", true, false),
            ("建于2016/1/5。", "2016/1/5", false, true),
            ("about 8.1 percent", "8.1%", false, true),
            ("about 8.1 percent", "8", false, false),
            ("8.957506", "8.957505576015354", true, false),
            ("8.9575", "8.957505576015354", true, false),
            ("8.957", "8.957505576015354", false, false),
            ("4591001", "4591000", false, false),
            ("11.42亿元", "1142亿元", false, false),
            ("2-1", "21", false, false),
            ("The 2016/1/5", "2016/1/5", true, true),
            ("Pennant,1769.0", "pennant,1769", true, true),
            ("$", "?", false, false),
        ];
        for (one, other, is, says) in table {
            let found = (Normal::of(one).is(&Normal::of(other)), Normal::of(one).says(&Normal::of(other)));
            assert_eq!(found, (is, says), "{one} {other}");
        }
    }
}
