//! Relations that say a subject's class or name outright, whatever the schema: `type`, `name`.

use factmask_schema::normal::fold;
use factmask_schema::{local_name, split_words};

const TYPES: &[&str] = &["type", "instance of", "is a", "类型", "类别", "种类"];
const NAMES: &[&str] = &["name", "label", "full name", "名称", "名字", "姓名", "全名"];

/// Whether a relation of this name says what its subject is.
pub(crate) fn says_class(relation: &str) -> bool {
    is_one_of(relation, TYPES)
}

/// Whether a relation of this name says what its subject is called.
pub(crate) fn says_name(relation: &str) -> bool {
    is_one_of(relation, NAMES)
}

fn is_one_of(relation: &str, words: &[&str]) -> bool {
    let local = local_name(relation.trim());
    words.contains(&fold(&split_words(local)).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_name() {
        for (relation, class, name) in [
            ("type", true, false),
            ("rdf:type", true, false),
            ("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", true, false),
            ("instanceOf", true, false),
            ("类型", true, false),
            ("blood type", false, false),
            ("Name", false, true),
            ("rdfs:label", false, true),
            ("user name", false, false),
            ("", false, false),
        ] {
            assert_eq!((says_class(relation), says_name(relation)), (class, name), "{relation}");
        }
    }
}
