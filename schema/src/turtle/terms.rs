//! Which terms a schema file may use, and on what.

use crate::ValueKind;
use crate::vocabulary::*;
use oxrdf::Term;

/// What a subject of a schema file declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Class,
    Relation,
    Qualifier,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Relation => "relation",
            Self::Qualifier => "qualifier",
        }
    }
}

/// What a type says of the subject that has it.
pub(super) enum Type {
    Declares(Kind),
    /// The file's heading, shapes, and the like.
    Ignored,
}

/// A term in a message.
pub(super) fn shown(term: &Term) -> String {
    match term {
        Term::NamedNode(iri) => short(iri.as_str()),
        Term::BlankNode(_) => "[]".to_owned(),
        other => other.to_string(),
    }
}

/// The types we know, by IRI.
pub(super) fn type_of(iri: &str) -> Option<Type> {
    match iri {
        RDFS_CLASS | OWL_CLASS => Some(Type::Declares(Kind::Class)),
        RDF_PROPERTY
        | OWL_OBJECT_PROPERTY
        | OWL_DATATYPE_PROPERTY
        | OWL_FUNCTIONAL_PROPERTY
        | OWL_SYMMETRIC_PROPERTY => Some(Type::Declares(Kind::Relation)),
        FM_QUALIFIER => Some(Type::Declares(Kind::Qualifier)),
        OWL_ONTOLOGY | SH_NODE_SHAPE | SH_PROPERTY_SHAPE => Some(Type::Ignored),
        _ => None,
    }
}

/// All types, for suggestions.
pub(super) const TYPES: [&str; 9] = [
    RDFS_CLASS,
    OWL_CLASS,
    RDF_PROPERTY,
    OWL_OBJECT_PROPERTY,
    OWL_DATATYPE_PROPERTY,
    OWL_FUNCTIONAL_PROPERTY,
    OWL_SYMMETRIC_PROPERTY,
    FM_QUALIFIER,
    SH_NODE_SHAPE,
];

const ALL: &[Kind] = &[Kind::Class, Kind::Relation, Kind::Qualifier];
const RELATION: &[Kind] = &[Kind::Relation];

/// The properties we read, and what may have them.
pub(super) const PROPERTIES: [(&str, &[Kind]); 12] = [
    (RDF_TYPE, ALL),
    (RDFS_LABEL, ALL),
    (SKOS_ALT_LABEL, ALL),
    (RDFS_SUB_CLASS_OF, &[Kind::Class]),
    (RDFS_DOMAIN, RELATION),
    (RDFS_RANGE, &[Kind::Relation, Kind::Qualifier]),
    (FM_UNIT, &[Kind::Relation, Kind::Qualifier]),
    (FM_CALENDAR, &[Kind::Qualifier]),
    (FM_FUNCTIONAL_PER, RELATION),
    (OWL_INVERSE_OF, RELATION),
    (FM_QUESTION, RELATION),
    (FM_STATEMENT, RELATION),
];

/// Notes for readers, which we pass over although they are in a vocabulary that we otherwise know in full.
pub(super) const NOTES: [&str; 5] = [
    "http://www.w3.org/2000/01/rdf-schema#comment",
    "http://www.w3.org/2000/01/rdf-schema#seeAlso",
    "http://www.w3.org/2000/01/rdf-schema#isDefinedBy",
    "http://www.w3.org/2002/07/owl#versionInfo",
    "http://www.w3.org/2002/07/owl#versionIRI",
];

/// Whether an unknown term in this namespace is a fault. In the vocabularies that schemas are written in, an unknown term is a
/// typing error, or a constraint that we would break in silence; terms of other vocabularies are somebody's notes.
pub(super) fn closed(iri: &str) -> bool {
    [FM, RDF, RDFS, OWL, XSD].iter().any(|namespace| iri.starts_with(namespace))
}

/// The kind of values that a datatype has; `None` where a schema has none like them.
pub fn value_kind(datatype: &str) -> Option<ValueKind> {
    if datatype == RDF_LANG_STRING {
        return Some(ValueKind::Text);
    }
    Some(match datatype.strip_prefix(XSD)? {
        "string" | "normalizedString" | "token" | "anyURI" => ValueKind::Text,
        "decimal" | "integer" | "double" | "float" | "long" | "int" | "short" | "byte" | "nonNegativeInteger"
        | "positiveInteger" | "nonPositiveInteger" | "negativeInteger" | "unsignedLong" | "unsignedInt"
        | "unsignedShort" | "unsignedByte" => ValueKind::Number,
        "date" | "dateTime" | "dateTimeStamp" | "gYearMonth" => ValueKind::Date,
        "gYear" => ValueKind::Year,
        "boolean" => ValueKind::Boolean,
        _ => return None,
    })
}

/// The datatype that we write for a kind of value.
pub(super) fn datatype(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Text => XSD_STRING,
        ValueKind::Number => XSD_DECIMAL,
        ValueKind::Date => XSD_DATE,
        ValueKind::Year => XSD_G_YEAR,
        ValueKind::Boolean => XSD_BOOLEAN,
    }
}

/// The datatypes that values of a kind are written in.
pub(super) fn datatypes_of(kind: ValueKind) -> &'static [&'static str] {
    match kind {
        ValueKind::Text => &[XSD_STRING, RDF_LANG_STRING],
        ValueKind::Number => &[
            XSD_DECIMAL,
            XSD_INTEGER,
            "http://www.w3.org/2001/XMLSchema#double",
            "http://www.w3.org/2001/XMLSchema#float",
        ],
        ValueKind::Date => &[XSD_DATE, "http://www.w3.org/2001/XMLSchema#dateTime", XSD_G_YEAR_MONTH, XSD_G_YEAR],
        ValueKind::Year => &[XSD_G_YEAR],
        ValueKind::Boolean => &[XSD_BOOLEAN],
    }
}

/// The datatypes that an error message offers.
pub(super) const COMMON_DATATYPES: [&str; 9] = [
    XSD_STRING,
    RDF_LANG_STRING,
    XSD_DECIMAL,
    "http://www.w3.org/2001/XMLSchema#integer",
    "http://www.w3.org/2001/XMLSchema#double",
    XSD_DATE,
    "http://www.w3.org/2001/XMLSchema#dateTime",
    XSD_G_YEAR,
    XSD_BOOLEAN,
];
