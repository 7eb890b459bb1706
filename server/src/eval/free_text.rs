//! Answers in free text: what the model writes, and the values that stand in it. The product never answers so.

use super::{modes::EvalMode, score::Given};
use anyhow::Result;
use factmask_engine::fusion::{Fuser, generate::Generated, prompt::Words};

/// Longest free answer, in tokens.
const MOST_TOKENS: usize = 48;
/// What the free answers are told to say when they do not know, and what models say instead; a reply that holds it is a refusal.
const REFUSALS: [&str; 9] = [
    "not in the knowledge base",
    "don't know",
    "do not know",
    "not mentioned",
    "not provided",
    "no information",
    "知识库中没有",
    "不知道",
    "没有提到",
];

/// What was written and what it cost.
#[derive(Debug)]
pub struct FreeText {
    /// The values in it; none for a refusal.
    pub given: Given,
    /// The text, with its times.
    pub generated: Generated,
}

/// Lets the model write an answer behind `facts`, in the words of a mode that answers in free text.
///
/// # Errors
/// A prompt beyond the model's context.
pub fn reply(fuser: &Fuser, mode: EvalMode, lang: &str, facts: &str, question: &str) -> Result<FreeText> {
    let generated = fuser.generate(&words(mode, lang), facts, question, MOST_TOKENS)?;
    let text = &generated.text;
    let refused = text.is_empty() || REFUSALS.iter().any(|refusal| text.to_lowercase().contains(refusal));
    let values = pieces(text).into_iter().map(|piece| vec![piece.to_owned()]).collect();
    Ok(FreeText { given: if refused { Given::default() } else { Given { values, free: true } }, generated })
}

/// The values that a free text names, parted by commas and the like; a comma within a number (29,915) parts nothing.
fn pieces(text: &str) -> Vec<&str> {
    let within_number = |at: usize| {
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default());
        let digits = after.chars().take_while(char::is_ascii_digit).count();
        before.ends_with(|char: char| char.is_ascii_digit()) && digits == 3
    };
    let (mut pieces, mut start) = (Vec::new(), 0);
    for (at, mark) in text.match_indices([',', '，', '、', ';', '；', '\n']) {
        if mark != "," || !within_number(at) {
            pieces.extend(text.get(start..at));
            start = at + mark.len();
        }
    }
    pieces.extend(text.get(start..));
    let pieces = pieces.into_iter().map(|piece| piece.trim().trim_end_matches(['.', '。']));
    pieces.filter(|piece| !piece.is_empty()).collect()
}

fn words(mode: EvalMode, lang: &str) -> Words {
    match (mode, lang) {
        (EvalMode::ClosedBook, "zh") => {
            Words { system: "只回答数值或名称本身。", facts: "", question: "问题：" }
        }
        (EvalMode::ClosedBook, _) => Words {
            system: "Reply with only the value. If you do not know it, reply: I don't know.",
            facts: "",
            question: "Question: ",
        },
        (_, "zh") => Words {
            system: "只根据给出的资料回答问题。只回答数值或名称本身。资料中没有答案时，回答：知识库中没有。",
            facts: "资料：\n",
            question: "\n问题：",
        },
        _ => Words {
            system: "Answer the question using only the passages. Reply with only the value. If the passages do not hold it, reply: not in the knowledge base.",
            facts: "Passages:\n",
            question: "\nQuestion: ",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn free_text_parts_at_commas_outside_numbers() {
        let table: &[(&str, &[&str])] = &[
            ("Harpo, Zeppo; Chico.", &["Harpo", "Zeppo", "Chico"]),
            ("北京、上海，广州。", &["北京", "上海", "广州"]),
            ("$29,915,000,000", &["$29,915,000,000"]),
            ("1,200 and 3,5", &["1,200 and 3", "5"]),
            ("May 29, 2020", &["May 29", "2020"]),
            ("1998,2001", &["1998", "2001"]),
            (" , \n", &[]),
            ("", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(pieces(text), *expected, "{text}");
        }
    }
}
