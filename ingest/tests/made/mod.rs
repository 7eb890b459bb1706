//! Files as other programs make them, made here.
#![allow(dead_code, reason = "each test file uses its part")]

use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Words at a place of a page: from the left, from the bottom, size, words; in points.
pub type Placed<'a> = (f32, f32, f32, &'a str);

/// A PDF of these pages, in Helvetica.
pub fn pdf(pages: &[Vec<Placed<'_>>]) -> Vec<u8> {
    let contents: Vec<String> = pages
        .iter()
        .map(|words| {
            let shown = words.iter().map(|(x, y, size, words)| {
                let escaped = words.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
                format!("BT /F1 {size} Tf {x} {y} Td ({escaped}) Tj ET\n")
            });
            shown.collect()
        })
        .collect();
    pdf_of(&contents)
}

/// A PDF whose pages have these contents.
pub fn pdf_of(contents: &[String]) -> Vec<u8> {
    let kids: Vec<String> = (0..contents.len()).map(|page| format!("{} 0 R", 4 + 2 * page)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), contents.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    for (page, content) in contents.iter().enumerate() {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents {} 0 R >>",
            5 + 2 * page
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{content}endstream", content.len()));
    }
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        places.push(file.len());
        write!(file, "{} 0 obj\n{object}\nendobj\n", number + 1).unwrap();
    }
    let table = file.len();
    write!(file, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).unwrap();
    for place in places {
        writeln!(file, "{place:010} 00000 n ").unwrap();
    }
    write!(file, "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1).unwrap();
    file
}

/// An archive of parts.
pub fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A Word document with this body.
pub fn docx(body: &str) -> Vec<u8> {
    archive(&[
        (
            "_rels/.rels",
            r#"<Relationships><Relationship Id="r1" Type="http://x/officeDocument" Target="word/document.xml"/></Relationships>"#,
        ),
        (
            "word/_rels/document.xml.rels",
            r#"<Relationships><Relationship Id="r1" Type="http://x/styles" Target="styles.xml"/>
               <Relationship Id="r2" Type="http://x/footnotes" Target="/word/footnotes.xml"/>
               <Relationship Id="r3" Type="http://x/header" Target="http://elsewhere/header.xml" TargetMode="External"/></Relationships>"#,
        ),
        (
            "word/styles.xml",
            r#"<w:styles xmlns:w="w"><w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style>
               <w:style w:styleId="Mine"><w:name w:val="mine"/><w:basedOn w:val="H2"/></w:style></w:styles>"#,
        ),
        (
            "word/footnotes.xml",
            r#"<w:footnotes xmlns:w="w"><w:footnote><w:p><w:r><w:t>A note at the foot.</w:t></w:r></w:p></w:footnote></w:footnotes>"#,
        ),
        (
            "word/document.xml",
            &format!(r#"<?xml version="1.0"?><w:document xmlns:w="w"><w:body>{body}</w:body></w:document>"#),
        ),
    ])
}

/// A paragraph of Word.
pub fn paragraph(words: &str) -> String {
    format!("<w:p><w:r><w:t>{words}</w:t></w:r></w:p>")
}

/// A workbook with one sheet of texts.
pub fn xlsx(sheet: &str, rows: &[&[&str]]) -> Vec<u8> {
    let rows: String = rows
        .iter()
        .zip(1..)
        .map(|(row, number)| {
            let cells: String = row
                .iter()
                .zip('A'..)
                .filter(|(cell, _)| !cell.is_empty())
                .map(|(cell, column)| match cell.parse::<f64>() {
                    Ok(value) => format!(r#"<c r="{column}{number}"><v>{value}</v></c>"#),
                    Err(_) => format!(r#"<c r="{column}{number}" t="inlineStr"><is><t>{cell}</t></is></c>"#),
                })
                .collect();
            format!(r#"<row r="{number}">{cells}</row>"#)
        })
        .collect();
    xlsx_of(sheet, &rows)
}

fn xlsx_of(sheet: &str, rows: &str) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    archive(&[
        (
            "[Content_Types].xml",
            r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>"#,
        ),
        (
            "_rels/.rels",
            &format!(
                r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="{relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            &format!(
                r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="{relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#
            ),
        ),
        (
            "xl/workbook.xml",
            &format!(
                r#"<workbook xmlns="{main}" xmlns:r="{relations}"><sheets><sheet name="{sheet}" sheetId="1" r:id="r1"/></sheets></workbook>"#
            ),
        ),
        (
            "xl/worksheets/sheet1.xml",
            &format!(r#"<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>"#),
        ),
    ])
}

/// A workbook of two cells in opposite corners: a table of 17 thousand million cells, for whoever makes one of it.
pub fn vast_xlsx() -> Vec<u8> {
    let far = r#"<c r="XFD1048576"><v>1</v></c>"#;
    xlsx_of("Vast", &format!(r#"<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576">{far}</row>"#))
}

/// A presentation of slides, each a title and a text.
pub fn pptx(slides: &[(&str, &str)]) -> Vec<u8> {
    let ids: String = (1..=slides.len()).map(|n| format!(r#"<p:sldId id="{}" r:id="r{n}"/>"#, 255 + n)).collect();
    let targets: String = (1..=slides.len())
        .map(|n| format!(r#"<Relationship Id="r{n}" Type="http://x/slide" Target="slides/slide{n}.xml"/>"#))
        .collect();
    let mut parts = vec![
        (
            "ppt/presentation.xml".to_owned(),
            format!(r#"<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"#),
        ),
        ("ppt/_rels/presentation.xml.rels".to_owned(), format!("<Relationships>{targets}</Relationships>")),
    ];
    for ((title, text), n) in slides.iter().zip(1..) {
        let shape = |kind: &str, words: &str| {
            format!(
                r#"<p:sp><p:nvPr>{kind}</p:nvPr><p:txBody><a:p><a:r><a:t>{words}</a:t></a:r></a:p></p:txBody></p:sp>"#
            )
        };
        let shapes =
            shape("", text) + &shape(r#"<p:ph type="title"/>"#, title) + &shape(r#"<p:ph type="sldNum"/>"#, "7");
        parts.push((format!("ppt/slides/slide{n}.xml"), format!(r#"<p:sld xmlns:p="p" xmlns:a="a">{shapes}</p:sld>"#)));
    }
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    archive(&parts)
}

/// A book of chapters.
pub fn epub(chapters: &[&str]) -> Vec<u8> {
    let items: String = (1..=chapters.len()).map(|n| format!(r#"<item id="c{n}" href="c%20{n}.xhtml"/>"#)).collect();
    // The order of reading is the spine's, not the list's.
    let spine: String = (1..=chapters.len()).rev().map(|n| format!(r#"<itemref idref="c{n}"/>"#)).collect();
    let mut parts = vec![
        (
            "META-INF/container.xml".to_owned(),
            r#"<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>"#.to_owned(),
        ),
        ("OPS/book.opf".to_owned(), format!("<package><manifest>{items}</manifest><spine>{spine}</spine></package>")),
    ];
    for (chapter, n) in chapters.iter().zip(1..) {
        parts.push((format!("OPS/c {n}.xhtml"), format!("<html><body>{chapter}</body></html>")));
    }
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    archive(&parts)
}
