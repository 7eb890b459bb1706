//! Files that are no text: what is read out of them, and where it is cited.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod made;
mod world;

use factmask_graph::{DocumentId, Locator};
use factmask_ingest::{Converter, FileStatus, reading};
use made::{archive, docx, epub, paragraph, pdf, pdf_of, pptx, xlsx};
use std::fs;
use world::World;

/// The reading of a file of this name and these bytes.
fn read(name: &str, bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    match reading(&path, &Converter::Here) {
        Ok(reading) => reading.text,
        Err(fault) => fault.to_string(),
    }
}

#[test]
fn every_format_gives_facts_that_stand_in_its_reading() {
    let france = "The capital of France is Paris.";
    let page = |words| vec![(72.0, 700.0, 11.0, words)];
    let files: [(&str, Vec<u8>, Option<u32>); 7] = [
        ("a.pdf", pdf(&[page("Nothing here."), page(france)]), Some(2)),
        ("b.docx", docx(&paragraph(france)), None),
        ("c.pptx", pptx(&[("One", "Words."), ("Two", "Words."), ("Three", france)]), Some(3)),
        ("d.xlsx", xlsx("Countries", &[&["Country", "Capital"], &["France", "Paris"]]), None),
        (
            "e.html",
            format!("<html><body><nav>The capital of Spain is Rome.</nav><p>{france}</p></body></html>").into(),
            None,
        ),
        ("f.epub", epub(&["<p>Last.</p>", &format!("<p>{france}</p>")]), None),
        ("g.json", br#"[{"country": "France", "capital": "Paris"}]"#.to_vec(), None),
    ];
    let world = World::new(&[]);
    for (name, bytes, _) in &files {
        world.write(name, bytes);
    }
    let report = world.run();
    assert_eq!(report.failures(), [], "{:?}", report.failures());
    for (name, _, page) in files {
        assert_eq!(world.facts()[name], ["france capital paris"], "{name}");
        let snapshot = world.store.snapshot().unwrap();
        let document = DocumentId::new(name).unwrap();
        let source = world.store.source(&document).unwrap();
        let evidence: Vec<_> = snapshot
            .facts()
            .iter()
            .flat_map(|fact| &fact.evidence)
            .filter(|evidence| evidence.document == document)
            .cloned()
            .collect();
        assert_eq!(evidence.len(), 1, "{name}");
        let span = usize::try_from(evidence[0].span.start).unwrap()..usize::try_from(evidence[0].span.end).unwrap();
        let quoted = std::str::from_utf8(&source[span]).unwrap();
        assert!(quoted == france || quoted == "Paris", "{name}: {quoted}");
        match page {
            Some(page) => assert_eq!(evidence[0].locator, Some(Locator::Page(page)), "{name}"),
            None => assert!(matches!(evidence[0].locator, Some(Locator::Row(_))), "{name}"),
        }
    }
    let report = world.run();
    assert_eq!((report.unchanged.len(), report.files.len()), (7, 7));
    assert!(report.files.iter().all(|file| file.status == FileStatus::Unchanged && file.facts == 1));
}

#[test]
fn a_page_is_read_as_people_read_it() {
    let left = [
        "The first column goes down the",
        "page to its end, and a word is hy-",
        "phenated there. Only then comes",
        "what stands beside it.",
    ];
    let right = [
        "The second column begins here and",
        "nothing of it stands in between.",
        "A third line, and then the fourth",
        "ends the page.",
    ];
    let mut words = vec![(72.0, 780.0, 20.0, "A title across both")];
    for (line, text) in (0_u8..).zip(left) {
        words.push((72.0, 740.0 - 13.0 * f32::from(line), 10.0, text));
    }
    for (line, text) in (0_u8..).zip(right) {
        words.push((300.0, 740.0 - 13.0 * f32::from(line), 10.0, text));
    }
    // Drawn in whatever order.
    words.reverse();
    assert_eq!(
        read("a.pdf", &pdf(&[words])),
        "# A title across both\n\nThe first column goes down the\npage to its end, and a word is hyphenated there. Only then comes\nwhat stands beside it.\n\nThe second column begins here and\nnothing of it stands in between.\nA third line, and then the fourth\nends the page.\n"
    );
}

#[test]
fn tables_of_a_page() {
    let rows = [
        ["Country", "Capital", "Area"],
        ["France", "Paris", "643,801"],
        ["Spain", "Madrid", "505,990"],
        ["Italy", "Rome", "301,340"],
    ];
    let mut words = vec![(72.0, 760.0, 11.0, "Some countries and what they have.")];
    for (line, row) in (0_u8..).zip(rows) {
        for (column, cell) in (0_u8..).zip(row) {
            words.push((72.0 + 120.0 * f32::from(column), 700.0 - 14.0 * f32::from(line), 11.0, cell));
        }
    }
    assert_eq!(
        read("a.pdf", &pdf(&[words])),
        "Some countries and what they have.\n\n| Country | Capital | Area |\n| --- | --- | --- |\n| France | Paris | 643,801 |\n| Spain | Madrid | 505,990 |\n| Italy | Rome | 301,340 |\n"
    );
}

#[test]
fn what_a_page_shows_and_what_it_does_not() {
    // Bold by printing twice; words by their places and not by spaces; a page of nothing.
    let twice = "BT /F1 12 Tf 72 700 Td (Bold) Tj 0.2 0 Td (Bold) Tj ET\n".to_owned();
    let apart = "BT /F1 12 Tf 72 700 Td [(Two) -600 (words)] TJ ET\n".to_owned();
    assert_eq!(read("a.pdf", &pdf_of(&[twice, apart, String::new()])), "Bold\n\n\u{c}\n\nTwo words\n\n\u{c}\n");
    for (bytes, problem) in [
        (pdf_of(&[String::new()]), "has no text on any of its 1 pages"),
        (Vec::new(), "is empty"),
        (b"%PDF-1.7 and no more".to_vec(), "is damaged and cannot be read as a PDF"),
        (include_bytes!("made/locked.pdf").to_vec(), "is encrypted and asks for a password"),
    ] {
        let found = read("a.pdf", &bytes);
        assert!(found.contains(problem), "{found}");
    }
}

#[test]
fn word_documents() {
    let body = [
        r#"<w:p><w:pPr><w:pStyle w:val="Mine"/></w:pPr><w:r><w:t>Heading</w:t></w:r></w:p>"#,
        r#"<w:p><w:r><w:t xml:space="preserve">One </w:t></w:r><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:br/><w:t>A&amp;B *</w:t></w:r></w:p>"#,
        r#"<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>item</w:t></w:r></w:p>"#,
        r#"<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b|c</w:t></w:r></w:p></w:tc></w:tr>
           <w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr><w:p><w:r><w:t>d</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>e</w:t></w:r></w:p></w:tc></w:tr>
           <w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc><w:tc><w:p><w:r><w:t>f</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"#,
        r#"<w:p><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:p><w:r><w:t>in a box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent></w:p>"#,
    ];
    assert_eq!(
        read("a.docx", &docx(&body.concat())),
        "## Heading\n\nOne new\nA&B \\*\n\n- item\n\n| a | b\\|c |\n| --- | --- |\n| d | e |\n| d | f |\n\nin a box\n\nA note at the foot.\n"
    );
}

#[test]
fn sheets_are_cut_where_they_are_blank() {
    let sheet = xlsx(
        "Q1",
        &[
            &["Sales of all"],
            &["Name", "", "Sum"],
            &["A", "", "1.5"],
            &["B", "", "2"],
            &[],
            &["x", "y", "", "other"],
            &["1", "2", "", ""],
            &["3", "4", "", ""],
        ],
    );
    assert_eq!(
        read("a.xlsx", &sheet),
        "## Q1\n\nSales of all\n\n| Name |  | Sum |\n| --- | --- | --- |\n| A |  | 1.5 |\n| B |  | 2 |\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n\nother\n"
    );
}

#[test]
fn web_pages() {
    let page = r#"<!doctype html><html><head><meta charset="windows-1252"><title>About Ada</title></head><body>
        <nav><a href="/">Home</a></nav><p>Ada&nbsp;was &lt;here&gt; caf\xe9.</p><p hidden>Say that 2 is 3.</p>
        <table><tr><th colspan=2>Ada Lovelace</th></tr><tr><th>Born</th><td>1815</td></tr><tr><th>Known for</th><td>programs</td></tr></table>
        <table><tr><th>Year</th><th>Work</th></tr><tr><td rowspan=2>1843</td><td>Notes</td></tr><tr><td>Letters</td></tr></table>
        <script>alert(1)</script><footer>(c)</footer></body></html>"#;
    let bytes: Vec<u8> =
        page.replace("\\xe9", "\u{e9}").chars().map(|char| u8::try_from(u32::from(char)).unwrap()).collect();
    assert_eq!(
        read("a.html", &bytes),
        "# About Ada\n\nAda was \\<here> café.\n\n| Name | Born | Known for |\n| --- | --- | --- |\n| Ada Lovelace | 1815 | programs |\n\n| Year | Work |\n| --- | --- |\n| 1843 | Notes |\n| 1843 | Letters |\n"
    );
}

#[test]
fn linked_data_in_a_page() {
    let page = r#"<html><body><p>Words.</p><script type="application/ld+json">
        {"@context": "https://schema.org", "@id": "http://e/x", "@type": "Country", "name": "X", "http://e/capital": {"@id": "http://e/y"}}
        </script><script type="application/ld+json">{"@context": "https://elsewhere.example/c"}</script></body></html>"#;
    let world = World::new(&[("a.html", page.as_bytes())]);
    let report = world.run();
    assert_eq!(world.facts()["a.html"][0], "x capital y");
    assert!(
        report.files[0].warnings.iter().any(|warning| warning.contains("never fetched")),
        "{:?}",
        report.files[0].warnings
    );
}

#[test]
fn archives_that_are_none_or_too_much() {
    for (name, bytes, problem) in [
        ("a.docx", b"no archive".to_vec(), "is no Word document"),
        ("a.docx", archive(&[("other.xml", "<x/>")]), "it has no main part"),
        ("a.pptx", archive(&[("other.xml", "<x/>")]), "it has no main part"),
        ("a.docx", [&[0xd0, 0xcf, 0x11, 0xe0][..], &[0; 512]].concat(), "is encrypted or in the old binary format"),
        ("a.docx", docx(&" ".repeat(300 << 20)), "unpacks to more than 256 MiB"),
        (
            "a.docx",
            archive(&[("word/document.xml", "<w:document><w:body><w:p/></w:body></w:document>")]),
            "has no text",
        ),
        ("a.epub", archive(&[("mimetype", "application/epub+zip")]), "its container is missing"),
        ("a.xlsx", archive(&[("other.xml", "<x/>")]), "is no spreadsheet that can be read"),
        ("a.html", b"<p hidden>x</p>".to_vec(), "has no text"),
    ] {
        let found = read(name, &bytes);
        assert!(found.contains(problem), "{name}: {}", found.chars().take(200).collect::<String>());
    }
}

#[test]
fn objects_are_rows() {
    let world = World::new(&[
        (
            "a.json",
            br#"{"data": {"items": [{"country": "France", "capital": "Paris", "size": {"area": 643801}},
                     {"country": "Spain", "capital": "Madrid", "size": {"area": null}}]}, "version": 2}"#,
        ),
        (
            "b.jsonl",
            "{\"country\": \"Italy\", \"capital\": \"Rome\"}\n\n{\"country\": \"日本\", \"capital\": \"東\\u4eac\"}\n"
                .as_bytes(),
        ),
        ("c.json", br#"{"@context": {"@vocab": "http://e/"}, "@id": "http://e/x", "capital": {"@id": "http://e/y"}}"#),
        ("d.json", br#"{"country": "France", "capital": }"#),
        ("e.jsonl", b"\n{\"country\": 1,}\n"),
        ("f.json", b"[1, 2]"),
    ]);
    let report = world.run();
    let facts = world.facts();
    assert_eq!(facts["a.json"], ["france capital paris", "spain capital madrid"]);
    assert_eq!(facts["b.jsonl"].len(), 2);
    assert_eq!(facts["c.json"].len(), 1);
    let faults: Vec<String> = report.failures().iter().map(ToString::to_string).collect();
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].contains("d.json:1:") && faults[1].contains("e.jsonl:2:"), "{faults:?}");
    let rows: Vec<_> = world.store.snapshot().unwrap().facts().iter().flat_map(|fact| fact.evidence.clone()).collect();
    let row = rows.iter().filter(|evidence| evidence.document.as_str() == "b.jsonl").map(|evidence| evidence.locator);
    assert!(row.clone().any(|row| row == Some(Locator::Row(3))), "the line of the file: {:?}", row.collect::<Vec<_>>());
    assert!(report.warnings.iter().any(|(file, warning)| file == "f.json" && warning.message.contains("no objects")));
}

/// Places of the cells of a table of a page, each with its column and its distance from the top.
fn placed<'a>(rows: &[(f32, &[(f32, &'a str)])]) -> Vec<made::Placed<'a>> {
    let cell = |y: f32| move |(x, words): &(f32, &'a str)| (*x, 700.0 - y, 10.0, *words);
    rows.iter().flat_map(|(y, cells)| cells.iter().map(cell(*y))).collect()
}

#[test]
fn cells_on_several_lines_and_tables_side_by_side() {
    let lines = placed(&[
        (0.0, &[(72.0, "Company"), (200.0, "Leader"), (300.0, "Sum")]),
        (18.0, &[(72.0, "Very Long"), (200.0, "Jane")]),
        (24.0, &[(300.0, "1")]),
        (30.0, &[(72.0, "Name Corp"), (200.0, "Roe")]),
        (48.0, &[(72.0, "Short"), (200.0, "Jo"), (300.0, "2")]),
        (66.0, &[(72.0, "Third"), (200.0, "Al"), (300.0, "3")]),
    ]);
    assert_eq!(
        read("a.pdf", &pdf(&[lines])),
        "| Company | Leader | Sum |\n| --- | --- | --- |\n| Very Long Name Corp | Jane Roe | 1 |\n| Short | Jo | 2 |\n| Third | Al | 3 |\n"
    );
    let beside = placed(&[
        (0.0, &[(72.0, "Name"), (130.0, "Sum"), (250.0, "Name"), (320.0, "Age")]),
        (14.0, &[(72.0, "A"), (130.0, "1"), (250.0, "C"), (320.0, "3")]),
        (28.0, &[(72.0, "B"), (130.0, "2"), (250.0, "D"), (320.0, "4")]),
    ]);
    assert_eq!(
        read("a.pdf", &pdf(&[beside])),
        "| Name | Sum |\n| --- | --- |\n| A | 1 |\n| B | 2 |\n\n| Name | Age |\n| --- | --- |\n| C | 3 |\n| D | 4 |\n"
    );
}

#[test]
fn what_is_raised_deleted_or_spans_is_no_part_of_a_number() {
    let raised = "BT /F1 10 Tf 72 700 Td (Sum 12) Tj /F1 6 Tf 34.5 4 Td (3) Tj ET\n".to_owned();
    assert_eq!(read("a.pdf", &pdf_of(&[raised])), "Sum 12^3\n");
    let html = "<p>Sum 12<sup>3</sup> and 7<sup>[4]</sup>, <del>10</del><ins>20</ins>.</p>
        <table><tr><th rowspan=2>Name</th><th colspan=2>Sum</th></tr><tr><th>2021</th><th>2022</th></tr>
        <tr><td>A</td><td colspan=2>40</td></tr><tr><td>B</td><td>1</td><td>2</td></tr></table>";
    assert_eq!(
        read("a.html", html.as_bytes()),
        "Sum 12^3 and 7, 20.\n\n| Name | Sum (2021) | Sum (2022) |\n| --- | --- | --- |\n| A | 40 |  |\n| B | 1 | 2 |\n"
    );
    let cell = |words: &str| format!("<w:tc>{}</w:tc>", paragraph(words));
    let row = |properties: &str, a: &str, b: &str| {
        format!("<w:tr><w:trPr>{properties}</w:trPr>{}{}</w:tr>", cell(a), cell(b))
    };
    let raised = r#"<w:p><w:r><w:t>12</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>3</w:t></w:r></w:p>"#;
    let table = format!(
        "<w:tbl>{}{}{}</w:tbl>{raised}",
        row("", "a", "b"),
        row(r#"<w:del w:id="1"/>"#, "x", "y"),
        row("", "c", "d")
    );
    assert_eq!(read("a.docx", &docx(&table)), "| a | b |\n| --- | --- |\n| c | d |\n\n12^3\n\nA note at the foot.\n");
}

#[test]
fn units_above_a_table_and_rows_of_totals() {
    let world = World::new(&[
        (
            "a.md",
            b"Areas (in thousand km\xc2\xb2)\n\n| Country | Area |\n|---|---|\n| France | 643 |\n| Total | 643 |\n",
        ),
        (
            "b.xlsx",
            &xlsx("S", &[&["Area of all"], &["Country", "Area"], &["Spain", "505"], &["\u{5408}\u{8ba1}", "505"]]),
        ),
    ]);
    let report = world.run();
    assert_eq!(world.facts()["a.md"], ["france area 643000"]);
    assert_eq!(world.facts()["b.xlsx"], ["spain area 505"]);
    let totals = report.warnings.iter().filter(|(_, warning)| warning.message.contains("row of totals"));
    assert_eq!(totals.count(), 2);
}

#[test]
fn a_file_is_what_it_holds() {
    for (name, bytes, told) in [
        ("a.docx", pdf(&[vec![(72.0, 700.0, 10.0, "x")]]), "is a PDF (.pdf) by its content"),
        ("a.pdf", docx(&paragraph("x")), "is a Word document (.docx) by its content"),
        ("a.xlsx", docx(&paragraph("x")), "is a Word document (.docx) by its content"),
    ] {
        let found = read(name, &bytes);
        assert!(found.contains(told), "{found}");
    }
    let world = World::new(&[("a.txt", &pdf(&[vec![(72.0, 700.0, 10.0, "x")]]))]);
    assert!(world.run().failures()[0].to_string().contains("is a PDF (.pdf) by its content"));
}

#[test]
fn objects_that_do_not_say_whom_they_are_about() {
    let world = World::new(&[
        ("parent.json", br#"[{"country": "France", "history": [{"area": 1}, {"area": 2}]}]"#),
        ("nobody.json", br#"[{"when": 2021, "area": 5}]"#),
        ("several.json", br#"[{"country": ["France", "Spain"], "area": [1, 2]}, {"country": "Italy", "area": 3}]"#),
    ]);
    let report = world.run();
    assert_eq!(world.facts()["parent.json"], ["france area 1", "france area 2"]);
    assert_eq!(world.facts().get("nobody.json"), None);
    assert_eq!(world.facts()["several.json"], ["italy area 3"]);
    for (file, told) in [("nobody.json", "do not say whom"), ("several.json", "several at once")] {
        let told = report.warnings.iter().any(|(of, warning)| of == file && warning.message.contains(told));
        assert!(told, "{file}: {:?}", report.warnings);
    }
}

#[test]
fn an_array_says_several_things_of_one() {
    let world = World::new(&[("a.json", br#"[{"name": "Europe", "country": [{"name": "France", "capital": "Paris"}, {"name": "Spain", "capital": "Madrid"}]}]"#)]);
    world.run();
    let facts = world.facts();
    assert_eq!(facts["a.json"], ["france capital paris", "spain capital madrid"], "{facts:?}");
}
