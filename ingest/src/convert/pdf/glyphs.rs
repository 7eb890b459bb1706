//! What a page draws as text: glyphs with their places, in the order of the page's content.

use encoding_rs::Encoding;
use hayro_interpret::font::{Glyph as Drawn, GlyphRun};
use hayro_interpret::hayro_cmap::{BfString, WritingMode};
use hayro_interpret::hayro_syntax::object::{Array, Dict, Name};
use hayro_interpret::hayro_syntax::page::{Page, Resources};
use hayro_interpret::kurbo::{Affine, BezPath, Point, Rect};
use hayro_interpret::util::TransformExt;
use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
    InterpreterSettings, RenderContent, SoftMask, interpret_page,
};
use std::collections::{BTreeMap, HashMap};
use unicode_normalization::UnicodeNormalization;

/// A glyph in coordinates in which its line runs to the right and the next line lies below, in points.
#[derive(Clone, Debug)]
pub(super) struct Glyph {
    pub(super) text: String,
    /// Where it begins on its baseline.
    pub(super) x: f64,
    pub(super) y: f64,
    /// How far the next one stands.
    pub(super) advance: f64,
    /// The font's size.
    pub(super) size: f64,
}

/// All text of a page.
#[derive(Default)]
pub(super) struct Drawing {
    /// The glyphs by the direction of their lines, the page's main direction first.
    pub(super) directions: Vec<Vec<Glyph>>,
    /// Glyphs of which the file does not say what they mean.
    pub(super) unknown: usize,
    /// Whether it has pictures.
    pub(super) pictures: bool,
}

/// Reads a page.
pub(super) fn glyphs<'a>(page: &Page<'a>, cache: &InterpreterCache<'a>, settings: &InterpreterSettings) -> Drawing {
    let (width, height) = page.render_dimensions();
    let area = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    let transform = page.initial_transform(true).to_kurbo();
    let mut settings = settings.clone();
    if !is_filled_in(page) {
        // What is laid over a page (links, notes) repeats what stands there.
        settings.render_content.remove(RenderContent::ANNOTATIONS);
    }
    let mut context = Context::new(transform, area, cache, page.xref(), settings);
    let mut collector = Collector { encoding: encoding(page.resources()), ..Collector::default() };
    interpret_page(page, &mut context, &mut collector);
    let mut directions: Vec<Vec<Glyph>> = collector.directions.into_values().collect();
    directions.sort_by_key(|glyphs| std::cmp::Reverse(glyphs.len()));
    Drawing { directions, unknown: collector.unknown, pictures: collector.pictures }
}

/// Whether people have filled in forms or written on the page.
fn is_filled_in(page: &Page<'_>) -> bool {
    let Some(annotations) = page.raw().get::<Array<'_>>(b"Annots".as_slice()) else { return false };
    annotations.iter::<Dict<'_>>().any(|annotation| {
        let kind = annotation.get::<Name<'_>>(b"Subtype".as_slice());
        kind.is_some_and(|kind| matches!(kind.as_str(), "Widget" | "FreeText"))
    })
}

/// A direction of writing: its angle in steps of five degrees, and whether lines run from the top down.
type Direction = (i32, bool);

#[derive(Default)]
struct Collector {
    directions: BTreeMap<Direction, Vec<Glyph>>,
    /// Of one letter the places where it stands: bold is sometimes made by printing twice.
    printed: HashMap<(String, i64, i64), f64>,
    encoding: Option<&'static Encoding>,
    unknown: usize,
    pictures: bool,
}

impl Collector {
    fn take(&mut self, drawn: &Drawn<'_>, transform: Affine, vertical: bool) {
        let em = |x: f64, y: f64| (transform * Point::new(x, y) - transform * Point::ZERO).to_point();
        let (along, up) = (em(1000.0, 0.0), em(0.0, 1000.0));
        let size = up.to_vec2().hypot();
        if !(size.is_finite() && size > 0.1) {
            return;
        }
        let advance = match drawn {
            Drawn::Outline(glyph) => glyph.advance_width().map(f64::from),
            Drawn::Type3(glyph) => glyph.advance_width().map(f64::from),
        };
        let Some(text) = self.text(drawn) else {
            self.unknown += 1;
            return;
        };
        let angle = if vertical { 0.0 } else { along.y.atan2(along.x) };
        let place = transform * Point::ZERO;
        let (x, y, advance) = if vertical {
            // Lines run downwards and follow each other to the left; a glyph hangs from its origin.
            (place.y - size, -place.x, size)
        } else {
            let turned = Affine::rotate(-angle) * place;
            (turned.x, turned.y, advance.unwrap_or(500.0).max(0.0) / 1000.0 * along.to_vec2().hypot())
        };
        #[expect(clippy::cast_possible_truncation, reason = "an angle within a turn, and points on a page")]
        let (steps, cell) = ((angle.to_degrees() / 5.0).round() as i32, |at: f64| (at / (size * 0.06)).round() as i64);
        if !text.trim().is_empty() && self.is_printed(&text, cell(x), cell(y), size) {
            return;
        }
        self.directions.entry((steps, vertical)).or_default().push(Glyph { text, x, y, advance, size });
    }

    /// Whether the same letter stands in about the same place.
    fn is_printed(&mut self, text: &str, x: i64, y: i64, size: f64) -> bool {
        for (dx, dy) in [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)] {
            let known = self.printed.get(&(text.to_owned(), x.saturating_add(dx), y.saturating_add(dy)));
            if known.is_some_and(|known| (known - size).abs() < size * 0.1) {
                return true;
            }
        }
        self.printed.insert((text.to_owned(), x, y), size);
        false
    }

    fn text(&self, drawn: &Drawn<'_>) -> Option<String> {
        let text = match drawn.as_unicode() {
            Some(BfString::Char(char)) => char.to_string(),
            Some(BfString::String(text)) => text,
            None => self.by_encoding(drawn.char_code())?,
        };
        let mut plain = String::new();
        for char in text.chars() {
            match char {
                '\u{ad}' => plain.push('-'),
                // What word processors take their bullets from.
                '\u{f0b7}' | '\u{f0a7}' | '\u{f0d8}' | '\u{f0a8}' => plain.push('•'),
                '\u{e000}'..='\u{f8ff}' | '\u{fffd}' => return None,
                // Ligatures and the joined shapes of Arabic are letters.
                '\u{fb00}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' => plain.extend(char.nfkc()),
                _ if char.is_whitespace() => plain.push(' '),
                _ if char.is_control() => {}
                _ => plain.push(char),
            }
        }
        Some(plain)
    }

    /// The meaning of a code where the font names one of the encodings of East Asia and says nothing further.
    fn by_encoding(&self, code: u32) -> Option<String> {
        let bytes = code.to_be_bytes();
        let width = 4 - usize::try_from(code.leading_zeros() / 8).unwrap_or(3).min(3);
        let encoding = self.encoding?;
        let width = if encoding == encoding_rs::UTF_16BE { 2 } else { width };
        let (text, broken) = encoding.decode_without_bom_handling(bytes.get(4 - width..)?);
        (!broken && !text.is_empty()).then(|| text.into_owned())
    }
}

impl<'a> Device<'a> for Collector {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, _: &DrawMode) {
        let vertical = matches!(run.writing_mode(), WritingMode::Vertical);
        for glyph in run.glyphs() {
            self.take(glyph, props.transform * glyph.transform(), vertical);
        }
    }

    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {
        self.pictures = true;
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {}
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}

/// The encoding that the page's composite fonts name, where it is one.
fn encoding(resources: &Resources<'_>) -> Option<&'static Encoding> {
    let names = resources.fonts.keys().filter_map(|name| {
        let font = resources.get_font(&name)?;
        let kind = font.get::<Name<'_>>(b"Subtype".as_slice())?;
        (kind.as_str() == "Type0").then(|| named(&font)).flatten()
    });
    let mut found: Vec<&'static Encoding> = names.collect();
    found.dedup();
    match found.as_slice() {
        [one] => Some(one),
        _ => None,
    }
}

/// Of the predefined CMaps of the PDF specification (ISO 32000-1, table 118) the encoding behind the name.
fn named(font: &Dict<'_>) -> Option<&'static Encoding> {
    let name = font.get::<Name<'_>>(b"Encoding".as_slice())?;
    let name = name.as_str();
    let table: &[(&str, &'static Encoding)] = &[
        ("UCS2", encoding_rs::UTF_16BE),
        ("UTF16", encoding_rs::UTF_16BE),
        ("RKSJ", encoding_rs::SHIFT_JIS),
        ("GB", encoding_rs::GB18030),
        ("B5", encoding_rs::BIG5),
        ("ETen", encoding_rs::BIG5),
        ("HKscs", encoding_rs::BIG5),
        ("KSC", encoding_rs::EUC_KR),
        ("EUC-", encoding_rs::EUC_JP),
    ];
    table.iter().find(|(part, _)| name.contains(part)).map(|(_, encoding)| *encoding)
}
