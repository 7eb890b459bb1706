//! A schema as a shapes graph, for those who validate with SHACL.

use super::super::terms::datatypes_of;
use super::super::write::Writer;
use crate::vocabulary::*;
use crate::{Functional, Range, Relation};

/// What a relation says of its ends, as a shape of everything that it is said of. What SHACL's core has no word for is left out: at most one
/// value for each combination of qualifiers, and that one fact implies another (`owl:SymmetricProperty`, `owl:inverseOf`).
pub(crate) fn relation_shape(writer: &Writer<'_>, relation: &Relation) -> String {
    let (iri, term) = (|iri| writer.iri(iri), |iri| writer.term(iri));
    let values = match &relation.range {
        Range::Entity(None) => format!("{} {}", term(SH_NODE_KIND), term("http://www.w3.org/ns/shacl#BlankNodeOrIRI")),
        Range::Entity(Some(class)) => format!("{} {}", term(SH_CLASS), iri(class)),
        Range::Value(value) => match datatypes_of(value.kind) {
            [only] => format!("{} {}", term(SH_DATATYPE), term(only)),
            several => {
                let each = several.iter().map(|datatype| format!("[ {} {} ]", term(SH_DATATYPE), term(datatype)));
                format!("{} ( {} )", term("http://www.w3.org/ns/shacl#or"), each.collect::<Vec<_>>().join(" "))
            }
        },
    };
    let mut property = vec![format!("{} {}", term(SH_PATH), iri(&relation.iri)), values];
    if relation.functional == Functional::Per(Vec::new()) {
        property.push(format!("{} 1", term(SH_MAX_COUNT)));
    }
    let target = format!("{} {}", term("http://www.w3.org/ns/shacl#targetSubjectsOf"), iri(&relation.iri));
    let mut said = vec![format!("a {}", term(SH_NODE_SHAPE)), target];
    said.extend(relation.domain.iter().map(|class| format!("{} {}", term(SH_CLASS), iri(class))));
    said.push(format!("{} [\n            {}\n        ]", term(SH_PROPERTY), property.join(" ;\n            ")));
    format!("\n[] {} .\n", said.join(" ;\n    "))
}
