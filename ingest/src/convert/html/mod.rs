//! Web pages: the main content with its headings, paragraphs and lists, all tables that hold data, and the JSON-LD inside.
//!
//! What the main content is (and not navigation, advertising and comments) is told by `dom_smoothie`, a port of Mozilla's
//! Readability. It finds articles; a page that is none is read whole, without its navigation. Nothing is fetched, no script runs.

mod blocks;
mod encoding;
mod tables;

use super::{Block, Container, Reading, Unreadable, Writer};
use dom_query::Document;
use dom_smoothie::{Config, Readability};
use std::collections::HashSet;

/// An article that holds less of the page's words than this share is not what the page is about.
const LEAST_SHARE: f64 = 0.25;

/// Reads a page of a site or a saved file.
pub(super) fn read(bytes: Vec<u8>) -> Result<Reading, Unreadable> {
    let text = encoding::decode(bytes)?;
    let page = Document::from(text.as_str());
    let title = title(&page);
    let name = title.as_deref().unwrap_or_default();
    let whole = blocks::of(&page.root(), blocks::Scope::Page, name);
    let article = Readability::new(text.as_str(), None, Some(Config { disable_json_ld: true, ..Config::default() }))
        .and_then(|mut readability| readability.parse())
        .ok()
        .map(|article| blocks::of(&Document::from(article.content.as_ref()).root(), blocks::Scope::Article, name));
    let mut warnings = Vec::new();
    let found = match article.filter(|article| share(article, &whole) >= LEAST_SHARE) {
        Some(article) => {
            let (kept, all) = (letters(&article), letters(&whole));
            if kept < all {
                let message =
                    format!("{kept} of {all} letters are the main content; navigation and the like are left out");
                warnings.push(message);
            }
            with_tables(article, &whole)
        }
        None => whole,
    };
    let mut writer = Writer::default();
    if let Some(title) = &title
        && !found.iter().any(
            |block| matches!(block, Block::Heading(1, words) if same(words, title) || title.contains(words.trim())),
        )
    {
        writer.heading(1, title);
    }
    found.into_iter().for_each(|block| writer.block(block));
    for script in page.select("script[type='application/ld+json']").nodes() {
        writer.code(Container::LINKED_DATA, &script.text());
    }
    Ok(Reading { text: writer.finish(), warnings })
}

/// Reads a chapter of a book, which is all content.
pub(super) fn chapter(text: &str) -> Vec<Block> {
    let page = Document::from(text);
    let title = title(&page).unwrap_or_default();
    blocks::of(&page.root(), blocks::Scope::Article, &title)
}

fn title(page: &Document) -> Option<String> {
    let words = |selector: &str| {
        let text = page.select(selector).nodes().first()?.text();
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (!line.is_empty()).then_some(line)
    };
    words("h1").or_else(|| words("title"))
}

/// The article with those tables of the page that it has lost: facts stand in tables, and what is good to read is chosen by prose.
fn with_tables(mut article: Vec<Block>, whole: &[Block]) -> Vec<Block> {
    let said =
        |rows: &[Vec<String>]| rows.iter().flatten().flat_map(|cell| cell.split_whitespace()).collect::<String>();
    let known: HashSet<String> = article
        .iter()
        .filter_map(|block| match block {
            Block::Table(rows) => Some(said(rows)),
            _ => None,
        })
        .collect();
    let lost = whole.iter().filter(|block| matches!(block, Block::Table(rows) if !known.contains(&said(rows))));
    article.extend(lost.cloned());
    article
}

fn letters(blocks: &[Block]) -> usize {
    let count = |words: &str| words.chars().filter(|char| !char.is_whitespace()).count();
    let of_block = |block: &Block| match block {
        Block::Heading(_, words) | Block::Paragraph(words) | Block::Item(words) => count(words),
        Block::Table(rows) => rows.iter().flatten().map(|cell| count(cell)).sum(),
    };
    blocks.iter().map(of_block).sum()
}

fn share(part: &[Block], whole: &[Block]) -> f64 {
    let count = |blocks| f64::from(u32::try_from(letters(blocks)).unwrap_or(u32::MAX));
    count(part) / count(whole).max(1.0)
}

fn same(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}
