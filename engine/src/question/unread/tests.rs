#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::{Ground, Said, words};
use crate::question::{constraint, words as matching};
use factmask_schema::normal;

/// What is said of a path that gives the chief executive officer of a company.
const EXECUTIVE: &str = "chief executive officer CEO who runs company corporation person";
const REVENUE: &str = "revenue net sales turnover how much did report take in fiscal year US dollars company";

fn unread(question: &str, name: &str, said: &str, unnamed: bool) -> String {
    let folded = normal::fold(question);
    let lang = crate::question::language::detect(question);
    let start = folded.find(name).unwrap();
    let mut names: Vec<_> = std::iter::once(start..start + name.len()).collect();
    names.extend(constraint::read(&folded, &names).year_spans);
    names.sort_by_key(|name| name.start);
    let said = Said::new(said.split(' ').flat_map(matching::units).collect());
    let near = |words: &str| words == "boss";
    let heard = |word: &str| word == "jersey";
    let ground = Ground {
        folded: &folded,
        lang,
        names: &names,
        said: &said,
        unnamed,
        unnamed_end: unnamed,
        heard: &heard,
        near: &near,
        compared: true,
    };
    words(&ground).join(" ")
}

#[test]
fn what_narrows_is_not_read() {
    let table = [
        ("Who is the chief executive officer of Apple?", EXECUTIVE, ""),
        ("Who is the chief financial officer of Apple?", EXECUTIVE, "financial"),
        ("Who is the former CEO of Apple?", EXECUTIVE, "former"),
        ("Who currently heads Apple as CEO?", EXECUTIVE, ""),
        ("Please tell me who is the present CEO of Apple", EXECUTIVE, ""),
        ("who is the boss of Apple", EXECUTIVE, ""),
        ("who is the assistant boss of Apple", EXECUTIVE, "assistant boss"),
        ("who is the ceo of apple bank", EXECUTIVE, "bank"),
        ("Which person manages Apple?", EXECUTIVE, ""),
        ("Who does Apple fire as its CEO?", EXECUTIVE, "fire"),
        ("What was Apple's revenue in 2023?", REVENUE, ""),
        ("What was Apple's iPhone revenue in 2023?", REVENUE, "iphone"),
        ("What was the revenue forecast of Apple for 2023?", REVENUE, "forecast"),
        ("What was the revenue of Apple in euros in 2023?", REVENUE, "euros"),
        ("What was the revenue of Apple in dollars in 2023?", REVENUE, ""),
        ("How much revenue was reported by Apple?", REVENUE, ""),
        ("What was the annual revenue figure of Apple?", REVENUE, ""),
        ("what is the jersey revenue of apple", REVENUE, ""),
    ];
    for (question, said, expected) in table {
        assert_eq!(unread(question, "apple", said, false), expected, "{question}");
    }
}

#[test]
fn things_without_a_class_name_may_be_called_anything_where_something_is_done_by_them() {
    let table = [
        ("which genres have the movies directed by ann lee", true, ""),
        ("which genres have the movies directed by ann lee", false, "movies"),
        ("which tongues are the genres of ann lee", true, ""),
        ("which tongues are the genres of ann lee", false, "tongues"),
        ("which genres have the short movies directed by ann lee", true, "short movies"),
    ];
    for (question, unnamed, expected) in table {
        assert_eq!(unread(question, "ann lee", "directed by genre has", unnamed), expected, "{question}");
    }
}

#[test]
fn chinese_letters_between_a_name_and_what_is_said() {
    const SAID: &str = "首席执行官 员工人数 员工 总部 创办 营业收入 收入";
    let table = [
        ("苹果的首席执行官是谁?", ""),
        ("苹果的首席财务官是谁?", "财务官"),
        ("苹果2023年的女员工有多少?", "女"),
        ("苹果2023年有多少名员工?", ""),
        ("苹果手机2023年的收入是多少?", "手机"),
        ("苹果银行的总部在哪里?", "银行"),
        ("请问苹果现在的老板是谁?", ""),
        ("苹果的欧洲总部在哪里?", "欧洲"),
    ];
    for (question, expected) in table {
        assert_eq!(unread(question, "苹果", SAID, false), expected, "{question}");
    }
}
