//! PowerPoint's presentations: a slide is a page, its title a heading; tables and speaker's notes are read too.

use crate::convert::package::Package;
use crate::convert::xml::{attribute, events, words};
use crate::convert::{Block, Reading, Unreadable, Writer};
use quick_xml::events::{BytesStart, Event};

pub(in crate::convert) fn read(bytes: Vec<u8>) -> Result<Reading, Unreadable> {
    let mut package = Package::open(bytes, "presentation", ".pptx")?;
    let main = package.main_part("ppt/presentation.xml")?;
    let Some(text) = package.text(&main)? else {
        return Err(Unreadable::new("is no presentation: it has no main part; save it as .pptx anew"));
    };
    let mut order = Vec::new();
    events(&text, |event| {
        if let Event::Start(tag) | Event::Empty(tag) = event
            && tag.local_name().as_ref() == b"sldId"
        {
            // The plain attribute `id` is a number; the one of the relationships' namespace names the part.
            let id = tag.attributes().flatten().find(|attribute| attribute.key.as_ref().ends_with(b":id"));
            order.extend(id.map(|id| String::from_utf8_lossy(&id.value).into_owned()));
        }
    })
    .map_err(|error| Unreadable::new(format!("is damaged: its part {main} breaks off ({error}); save it anew")))?;
    let related = package.relationships(&main)?;
    let mut writer = Writer::default();
    let mut warnings = Vec::new();
    for (index, id) in order.iter().enumerate() {
        if index > 0 {
            writer.page();
        }
        let Some(slide) = related.get(id).and_then(|to| to.target.clone()) else { continue };
        if hidden(&package.text(&slide)?.unwrap_or_default()) {
            warnings.push(format!("slide {} is hidden and not read", index + 1));
            continue;
        }
        shapes(&mut package, &slide, false, &mut writer)?;
        let notes = package.relationships(&slide)?.into_values().find(|to| to.kind == "notesSlide");
        if let Some(notes) = notes.and_then(|to| to.target) {
            shapes(&mut package, &notes, true, &mut writer)?;
        }
    }
    Ok(Reading { text: writer.finish(), warnings })
}

/// Whether a slide is not shown.
fn hidden(text: &str) -> bool {
    let mut hidden = false;
    let _ = events(text, |event| {
        if let Event::Start(tag) = event
            && tag.local_name().as_ref() == b"sld"
        {
            hidden = attribute(tag, "show").is_some_and(|show| matches!(show.as_str(), "0" | "false"));
        }
    });
    hidden
}

/// What the shapes of a slide, or of its notes, say.
fn shapes(package: &mut Package, part: &str, notes: bool, writer: &mut Writer) -> Result<(), Unreadable> {
    let Some(text) = package.text(part)? else { return Ok(()) };
    let mut slide = Slide { notes, ..Slide::default() };
    events(&text, |event| slide.take(event))
        .map_err(|error| Unreadable::new(format!("is damaged: its part {part} breaks off ({error}); save it anew")))?;
    // A title stands wherever it was drawn, and belongs first.
    slide.blocks.sort_by_key(|block| !matches!(block, Block::Heading(..)));
    slide.blocks.into_iter().for_each(|block| writer.block(block));
    Ok(())
}

#[derive(Default)]
struct Slide {
    notes: bool,
    blocks: Vec<Block>,
    /// What the shape is for: a title, the slide's number.
    purpose: String,
    text: String,
    in_text: bool,
    rows: Option<Vec<Vec<String>>>,
    fallback: usize,
}

impl Slide {
    fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::Empty(tag) => {
                self.start(tag);
                self.end(tag.local_name().as_ref());
            }
            Event::End(tag) => self.end(tag.local_name().as_ref()),
            Event::Text(text) if self.in_text && self.fallback == 0 => self.text.push_str(&words(text)),
            _ => {}
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>) {
        match tag.local_name().as_ref() {
            b"Fallback" => self.fallback += 1,
            b"sp" => self.purpose.clear(),
            b"ph" => self.purpose = attribute(tag, "type").unwrap_or_default(),
            b"t" => self.in_text = true,
            b"br" => self.text.push('\n'),
            b"tbl" => self.rows = Some(Vec::new()),
            b"tr" => self.rows.iter_mut().for_each(|rows| rows.push(Vec::new())),
            b"tc" => self.text.clear(),
            _ => {}
        }
    }

    fn end(&mut self, name: &[u8]) {
        match name {
            b"Fallback" => self.fallback = self.fallback.saturating_sub(1),
            b"t" => self.in_text = false,
            b"tc" => {
                let cell = std::mem::take(&mut self.text);
                if let Some(row) = self.rows.as_mut().and_then(|rows| rows.last_mut()) {
                    row.push(cell.trim().to_owned());
                }
            }
            b"tbl" => self.blocks.extend(self.rows.take().map(Block::Table)),
            b"p" if self.rows.is_some() => self.text.push('\n'),
            b"p" => {
                let text = std::mem::take(&mut self.text);
                // The slide's own number, date and footer, and the picture of the slide above its notes, say nothing new.
                let furniture = matches!(self.purpose.as_str(), "sldNum" | "dt" | "ftr" | "hdr" | "sldImg");
                if !furniture && !text.trim().is_empty() {
                    let title = !self.notes && matches!(self.purpose.as_str(), "title" | "ctrTitle");
                    self.blocks.push(if title { Block::Heading(2, text) } else { Block::Paragraph(text) });
                }
            }
            _ => {}
        }
    }
}
