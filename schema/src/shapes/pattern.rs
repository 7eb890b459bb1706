//! Regular expressions of XPath, which SHACL's are.

use regex::{Regex, RegexBuilder};

/// A regular expression with its flags, ready to be used.
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

impl Pattern {
    /// Reads an expression; what is wrong with it otherwise. It matches where any part of a text does.
    ///
    /// # Errors
    /// Where it is no expression, or has what takes unbounded time (look-around and back-references).
    pub fn new(pattern: &str, flags: &str) -> Result<Self, String> {
        if let Some(flag) = flags.chars().find(|flag| !"ismxq".contains(*flag)) {
            return Err(format!("has {flag:?} among its flags; they are i, s, m, x and q"));
        }
        let has = |flag: char| flags.contains(flag);
        let expression = match (has('q'), has('x')) {
            (true, _) => regex::escape(pattern),
            (false, true) => translated(&without_space(pattern)),
            (false, false) => translated(pattern),
        };
        let built = RegexBuilder::new(&expression)
            .case_insensitive(has('i'))
            .dot_matches_new_line(has('s') && !has('q'))
            .multi_line(has('m') && !has('q'))
            .build();
        built.map(Self).map_err(|error| {
            let told = error.to_string();
            let last = told.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            format!("is not a regular expression: {last}")
        })
    }

    /// Whether some part of a text matches.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

/// The expression in the syntax of the library: within brackets XPath knows `-[...]` for what is taken out, and gives no meaning to
/// `&&`, `~~` and a lone `[`.
fn translated(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut depth = 0_usize;
    let mut chars = pattern.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\\' => {
                out.push(char);
                out.extend(chars.next());
            }
            '[' if depth == 0 => {
                depth = 1;
                out.push(char);
                out.extend(chars.next_if_eq(&'^'));
            }
            '-' if depth > 0 && chars.peek() == Some(&'[') => {
                depth += 1;
                out.push_str("--[");
                chars.next();
                out.extend(chars.next_if_eq(&'^'));
            }
            ']' if depth > 0 => {
                depth -= 1;
                out.push(char);
            }
            '[' | '&' | '~' if depth > 0 => out.extend(['\\', char]),
            _ => out.push(char),
        }
    }
    out
}

/// Without white space, except within brackets.
fn without_space(pattern: &str) -> String {
    let mut depth = 0_usize;
    let mut escaped = false;
    let keep = |char: &char| {
        match (*char, escaped) {
            ('[', false) => depth += 1,
            (']', false) => depth = depth.saturating_sub(1),
            _ => {}
        }
        escaped = *char == '\\' && !escaped;
        depth > 0 || !matches!(char, '\t' | '\n' | '\r' | ' ')
    };
    pattern.chars().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn what_matches() {
        for (pattern, flags, text, expected) in [
            ("Joh", "", "Hi John", true),
            ("joh", "", "Hi John", false),
            ("joh", "i", "Hi John", true),
            ("^\\d{3}-\\d{2}-\\d{4}$", "", "123-45-6789", true),
            ("^\\d{3}-\\d{2}-\\d{4}$", "", "987-65-432A", false),
            ("^a.b$", "", "a\nb", false),
            ("^a.b$", "s", "a\nb", true),
            ("^b$", "", "a\nb", false),
            ("^b$", "m", "a\nb", true),
            ("a b [ ]", "x", "ab ", true),
            ("a.b", "q", "axb", false),
            ("a.b", "q", "a.b", true),
            // What is taken out of a class.
            ("^[a-z-[aeiou]]+$", "", "xyz", true),
            ("^[a-z-[aeiou]]+$", "", "xyaz", false),
            ("^[a&&b]+$", "", "a&b", true),
            ("^\\p{Lu}", "", "Ärger", true),
        ] {
            assert_eq!(Pattern::new(pattern, flags).unwrap().is_match(text), expected, "{pattern} {flags} {text}");
        }
    }

    #[test]
    fn what_is_no_expression() {
        for (pattern, flags) in [("(", ""), ("[a", ""), ("a", "z"), ("(?=a)", ""), ("(a)\\1", ""), ("a{1000000}", "")] {
            assert!(Pattern::new(pattern, flags).is_err(), "{pattern}");
        }
    }
}
