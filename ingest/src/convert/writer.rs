//! Markdown that reads back as the words that were put in.

/// A piece of a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// Level from 1, and its words.
    Heading(u8, String),
    /// Lines of running text.
    Paragraph(String),
    /// One of a list.
    Item(String),
    /// Rows of cells, the header first.
    Table(Vec<Vec<String>>),
}

/// Writes blocks. Words that would be read as markup are escaped, and no others, so that what is cited looks like its original.
#[derive(Default)]
pub(crate) struct Writer {
    text: String,
}

impl Writer {
    pub(crate) fn block(&mut self, block: Block) {
        match block {
            Block::Heading(level, words) => self.heading(level, &words),
            Block::Paragraph(words) => self.paragraph(&words),
            Block::Item(words) => self.item(&words),
            Block::Table(rows) => self.table(&rows),
        }
    }

    pub(crate) fn heading(&mut self, level: u8, words: &str) {
        let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
        if !line.is_empty() {
            let mut escaped = String::new();
            escape(&line, false, &mut escaped);
            // A row of number signs at the end would be taken for the heading's closing.
            let escaped = match escaped.strip_suffix('#') {
                Some(start) => format!("{start}\\#"),
                None => escaped,
            };
            self.put(&format!("{} {escaped}", "#".repeat(usize::from(level.clamp(1, 6)))));
        }
    }

    pub(crate) fn paragraph(&mut self, words: &str) {
        let lines = lines(words).join("\n");
        if !lines.is_empty() {
            self.put(&lines);
        }
    }

    pub(crate) fn item(&mut self, words: &str) {
        let lines = lines(words).join("\n  ");
        if !lines.is_empty() {
            self.put(&format!("- {lines}"));
        }
    }

    /// A table, or several that stand side by side; one of a single column or row is no table but paragraphs.
    pub(crate) fn table(&mut self, rows: &[Vec<String>]) {
        for part in side_by_side(rows) {
            self.one_table(&with_one_header(part));
        }
    }

    fn one_table(&mut self, rows: &[Vec<String>]) {
        let full: Vec<&Vec<String>> =
            rows.iter().filter(|row| row.iter().any(|cell| !cell.trim().is_empty())).collect();
        let width = full
            .iter()
            .map(|row| row.iter().rposition(|cell| !cell.trim().is_empty()).map_or(0, |last| last + 1))
            .max();
        let Some(width) = width else { return };
        if width < 2 || full.len() < 2 {
            for cell in full.into_iter().flatten() {
                self.paragraph(cell);
            }
            return;
        }
        let mut table = String::new();
        for (number, row) in full.into_iter().enumerate() {
            if number > 0 {
                table.push('\n');
            }
            table.push('|');
            for column in 0..width {
                let cell = row.get(column).map_or("", String::as_str);
                let words = cell.split_whitespace().collect::<Vec<_>>().join(" ");
                table.push(' ');
                escape(&words, true, &mut table);
                table.push_str(" |");
            }
            if number == 0 {
                table.push_str("\n|");
                table.push_str(&" --- |".repeat(width));
            }
        }
        self.put(&table);
    }

    /// Text in another language than people's, which says nothing to readers of Markdown.
    pub(crate) fn code(&mut self, language: &str, text: &str) {
        // The fence is longer than any row of backquotes in it.
        let longest = text.split(|char| char != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        self.put(&format!("{fence}{language}\n{}\n{fence}", text.trim_end()));
    }

    /// Begins the next page.
    pub(crate) fn page(&mut self) {
        self.put("\u{c}");
    }

    pub(crate) fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }

    fn put(&mut self, block: &str) {
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(block);
    }
}

/// The tables of a table whose header begins anew.
fn side_by_side(rows: &[Vec<String>]) -> Vec<Vec<Vec<String>>> {
    let header: Vec<&str> = rows.first().map(|row| row.iter().map(|cell| cell.trim()).collect()).unwrap_or_default();
    let first = header.first().copied().filter(|first| !first.is_empty());
    let again = (1..header.len()).filter(|at| first.is_some() && header.get(*at).copied() == first);
    // A cell that spans two columns is written twice, side by side.
    let starts: Vec<usize> = std::iter::once(0).chain(again.filter(|at| *at > 1)).chain([header.len()]).collect();
    if starts.len() < 3 {
        return vec![rows.to_vec()];
    }
    let part = |from: usize, to: usize| {
        rows.iter().map(|row| row.get(from..to.min(row.len())).unwrap_or_default().to_vec()).collect()
    };
    starts.windows(2).filter_map(|pair| Some(part(*pair.first()?, *pair.last()?))).collect()
}

/// A header of two rows ("Revenue" over "2021" and "2022") as one: "Revenue (2021)", "Revenue (2022)".
fn with_one_header(mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let [upper, lower, _, ..] = rows.as_slice() else { return rows };
    let cell = |row: &[String], at: usize| row.get(at).map_or("", |cell| cell.trim()).to_owned();
    let width = upper.len().max(lower.len());
    let continues = cell(lower, 0).is_empty() || cell(lower, 0) == cell(upper, 0);
    let says = |text: &str| !text.is_empty() && (is_year(text) || !text.chars().any(|char| char.is_ascii_digit()));
    let below: Vec<String> = (1..width).map(|at| cell(lower, at)).filter(|text| !text.is_empty()).collect();
    // Something in the upper row spans columns: the next cell is empty or says the same.
    let spans = (2..width).any(|at| {
        let (left, right) = (cell(upper, at - 1), cell(upper, at));
        !left.is_empty() && (right.is_empty() || right == left) && !cell(lower, at).is_empty()
    });
    if !continues || below.len() < 2 || !below.iter().all(|text| says(text)) || !spans {
        return rows;
    }
    let mut group = String::new();
    let mut header = Vec::new();
    for at in 0..width {
        let (over, under) = (cell(upper, at), cell(lower, at));
        if !over.is_empty() {
            group = over.clone();
        }
        header.push(match (under.is_empty(), group == under) {
            (true, _) => over,
            (false, true) => under,
            (false, false) if group.is_empty() => under,
            (false, false) => format!("{group} ({under})"),
        });
    }
    rows.splice(0..2, [header]);
    rows
}

fn is_year(text: &str) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.len() == 4 && digits.starts_with(['1', '2']) && text.chars().count() <= 8
}

/// The lines of running text as they may stand in a paragraph.
fn lines(words: &str) -> Vec<String> {
    let lines = words.split(['\n', '\u{c}', '\u{b}', '\u{2028}', '\u{85}']);
    let mut all = Vec::new();
    for line in lines {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if !line.is_empty() {
            let mut escaped = String::new();
            if let Some(at) = marks_a_block(&line) {
                let (before, behind) = line.split_at(at);
                escaped.push_str(before);
                escaped.push('\\');
                // The mark itself is plain now, and what stands behind it is escaped as ever.
                let mut rest = behind.chars();
                escaped.extend(rest.next());
                escape(rest.as_str(), false, &mut escaped);
            } else {
                escape(&line, false, &mut escaped);
            }
            all.push(escaped);
        }
    }
    all
}

/// Where the mark stands that would make this line something else than words: a heading, an item, a quotation, a rule, a link's
/// definition, the line below a table's header.
fn marks_a_block(line: &str) -> Option<usize> {
    let rest_is = |chars: &[char]| line.chars().all(|char| chars.contains(&char) || char == ' ');
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let behind = |at: usize| line.get(at..).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let first = line.chars().next()?;
    let marks = match first {
        '#' => behind(line.bytes().take_while(|byte| *byte == b'#').count()),
        '>' | '[' => true,
        '+' => behind(1),
        '-' => behind(1) || rest_is(&['-', '|', ':']),
        '=' => rest_is(&['=']),
        '|' | ':' => rest_is(&['-', '|', ':']),
        '0'..='9' if digits <= 9 => {
            return matches!(line.as_bytes().get(digits), Some(b'.' | b')'))
                .then_some(digits)
                .filter(|at| behind(at + 1));
        }
        // `*`, `_`, `~` and the backquote are escaped wherever they stand.
        _ => false,
    };
    marks.then_some(0)
}

/// Adds words with what would be markup among them escaped.
fn escape(words: &str, in_cell: bool, into: &mut String) {
    let mut before = ' ';
    for (at, char) in words.char_indices() {
        let behind = words.get(at + char.len_utf8()..).unwrap_or_default();
        let next = behind.chars().next().unwrap_or(' ');
        let escapes = match char {
            '\\' => next.is_ascii_punctuation() || next == ' ',
            '`' | '*' | '~' => true,
            '_' => !(before.is_alphanumeric() && next.is_alphanumeric()),
            '|' => in_cell,
            ']' => matches!(next, '(' | '[' | ':'),
            '<' => next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'),
            '&' => is_entity(behind),
            _ => false,
        };
        if escapes {
            into.push('\\');
        }
        into.push(char);
        before = char;
    }
}

/// Whether `&` and this are read as one character (`&amp;`, `&#38;`).
fn is_entity(behind: &str) -> bool {
    let name = behind.strip_prefix('#').unwrap_or(behind);
    let length = name.bytes().take_while(u8::is_ascii_alphanumeric).count();
    length > 0 && name.as_bytes().get(length) == Some(&b';')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn only_markup_is_escaped() {
        for (words, written) in [
            ("snake_case and 2 < 3, a|b [1] 50% A&B Co.", "snake_case and 2 < 3, a|b [1] 50% A&B Co."),
            ("&lt; or &#60;", "\\&lt; or \\&#60;"),
            ("# not a heading", "\\# not a heading"),
            ("1. Revenue", "1\\. Revenue"),
            ("1.5 million", "1.5 million"),
            ("- dash", "\\- dash"),
            ("-5 degrees", "-5 degrees"),
            ("a *b* <c> [d](e)", "a \\*b\\* \\<c> [d\\](e)"),
            ("text\n---", "text\n\\---"),
            ("x\u{c}y", "x\ny"),
        ] {
            let mut writer = Writer::default();
            writer.paragraph(words);
            assert_eq!(writer.finish().trim_end(), written);
        }
    }

    #[test]
    fn small_tables_are_paragraphs() {
        let mut writer = Writer::default();
        writer.table(&[vec!["only".to_owned(), String::new()], vec!["column".to_owned()]]);
        writer.table(&[
            vec!["a|b".to_owned(), "c".to_owned()],
            vec![String::new()],
            vec!["1".to_owned(), "2\n3".to_owned()],
        ]);
        assert_eq!(writer.finish(), "only\n\ncolumn\n\n| a\\|b | c |\n| --- | --- |\n| 1 | 2 3 |\n");
    }
}
