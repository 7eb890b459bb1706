//! What people have decided of two entities.

use super::hex;
use factmask_schema::Iri;
use serde::{Deserialize, Serialize};

/// A decision of a person, which goes before every rule. A record of its own in the store: it belongs to no document and stays when
/// documents are read again or deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The one whose IRI comes first.
    #[serde(with = "as_text")]
    pub one: Iri,
    /// The other.
    #[serde(with = "as_text")]
    pub other: Iri,
    /// What they are.
    pub verdict: Verdict,
    /// Who has decided.
    pub author: String,
    /// Why.
    pub reason: String,
}

/// What two entities are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// One.
    Same,
    /// Two.
    Different,
    /// What the rules say: takes a decision back.
    Undecided,
}

impl Decision {
    /// A decision on two entities; their order does not matter.
    pub fn new(one: Iri, other: Iri, verdict: Verdict, author: &str, reason: &str) -> Self {
        let (one, other) = if one <= other { (one, other) } else { (other, one) };
        Self { one, other, verdict, author: author.to_owned(), reason: reason.to_owned() }
    }

    /// What its record is said of in the store: one record a pair.
    pub(crate) fn subject(&self) -> String {
        format!("urn:factmask:identity:{}", hex(&[self.one.as_str(), self.other.as_str()], 16))
    }
}

mod as_text {
    use super::Iri;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(iri: &Iri, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(iri.as_str())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Iri, D::Error> {
        Iri::new(String::deserialize(from)?).map_err(D::Error::custom)
    }
}
