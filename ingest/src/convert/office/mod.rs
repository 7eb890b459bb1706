//! Office documents: Word's, PowerPoint's, spreadsheets.
//!
//! The first two are archives of XML parts that point at each other; a part outside the archive is never fetched.

mod docx;
mod looks;
mod pptx;
mod workbook;

pub(super) use docx::read as docx;
pub(super) use pptx::read as pptx;
pub(super) use workbook::read as workbook;
