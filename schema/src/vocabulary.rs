//! The terms that a schema file is written in.
//!
//! Ours have the prefix `fm:`; everything that RDF, RDFS, OWL or SKOS already has a word for is said with that word.

/// `fm:`
pub const FM: &str = "urn:factmask:schema#";
/// `rdf:`
pub const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
/// `rdfs:`
pub const RDFS: &str = "http://www.w3.org/2000/01/rdf-schema#";
/// `owl:`
pub const OWL: &str = "http://www.w3.org/2002/07/owl#";
/// `skos:`
pub const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
/// `xsd:`
pub const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// `sh:`
pub const SH: &str = "http://www.w3.org/ns/shacl#";

/// The prefixes by name, as a schema file declares them; `sh:` only where it has rules.
pub const PREFIXES: [(&str, &str); 7] =
    [("fm", FM), ("rdf", RDF), ("rdfs", RDFS), ("owl", OWL), ("skos", SKOS), ("xsd", XSD), ("sh", SH)];

macro_rules! terms {
    ($($(#[$doc:meta])* $name:ident = $iri:literal;)*) => { $($(#[$doc])* pub const $name: &str = $iri;)* };
}

terms! {
    /// `a fm:Qualifier`: something that a fact can be qualified with.
    FM_QUALIFIER = "urn:factmask:schema#Qualifier";
    /// `fm:unit "USD"`: the unit that is meant when a source gives none.
    FM_UNIT = "urn:factmask:schema#unit";
    /// `fm:functionalPer QUALIFIER`: at most one object for each value of the qualifier.
    FM_FUNCTIONAL_PER = "urn:factmask:schema#functionalPer";
    /// `fm:question "..."@en`: how people ask.
    FM_QUESTION = "urn:factmask:schema#question";
    /// `fm:statement "..."@en`: how a fact is said.
    FM_STATEMENT = "urn:factmask:schema#statement";
    /// `fm:calendar "fiscal"`: the years of a qualifier are fiscal years.
    FM_CALENDAR = "urn:factmask:schema#calendar";
    /// The schema itself, of which is said what it keeps.
    FM_SCHEMA = "urn:factmask:schema";
    /// `fm:keeps "<a> <b> <c> ."`: a triple of an imported file that is carried along.
    FM_KEEPS = "urn:factmask:schema#keeps";
    /// `rdf:type`
    RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
    /// `rdf:Property`
    RDF_PROPERTY = "http://www.w3.org/1999/02/22-rdf-syntax-ns#Property";
    /// `rdf:langString`
    RDF_LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString";
    /// `rdf:reifies`
    RDF_REIFIES = "http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies";
    /// `rdfs:Class`
    RDFS_CLASS = "http://www.w3.org/2000/01/rdf-schema#Class";
    /// `rdfs:Resource`: any entity.
    RDFS_RESOURCE = "http://www.w3.org/2000/01/rdf-schema#Resource";
    /// `rdfs:label`
    RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label";
    /// `rdfs:subClassOf`
    RDFS_SUB_CLASS_OF = "http://www.w3.org/2000/01/rdf-schema#subClassOf";
    /// `rdfs:domain`
    RDFS_DOMAIN = "http://www.w3.org/2000/01/rdf-schema#domain";
    /// `rdfs:range`
    RDFS_RANGE = "http://www.w3.org/2000/01/rdf-schema#range";
    /// `skos:altLabel`
    SKOS_ALT_LABEL = "http://www.w3.org/2004/02/skos/core#altLabel";
    /// `owl:Class`
    OWL_CLASS = "http://www.w3.org/2002/07/owl#Class";
    /// `owl:Thing`: any entity.
    OWL_THING = "http://www.w3.org/2002/07/owl#Thing";
    /// `owl:Ontology`: the file's own heading.
    OWL_ONTOLOGY = "http://www.w3.org/2002/07/owl#Ontology";
    /// `owl:ObjectProperty`
    OWL_OBJECT_PROPERTY = "http://www.w3.org/2002/07/owl#ObjectProperty";
    /// `owl:DatatypeProperty`
    OWL_DATATYPE_PROPERTY = "http://www.w3.org/2002/07/owl#DatatypeProperty";
    /// `owl:FunctionalProperty`: at most one object.
    OWL_FUNCTIONAL_PROPERTY = "http://www.w3.org/2002/07/owl#FunctionalProperty";
    /// `owl:SymmetricProperty`
    OWL_SYMMETRIC_PROPERTY = "http://www.w3.org/2002/07/owl#SymmetricProperty";
    /// `owl:inverseOf`
    OWL_INVERSE_OF = "http://www.w3.org/2002/07/owl#inverseOf";
    /// `sh:NodeShape`
    SH_NODE_SHAPE = "http://www.w3.org/ns/shacl#NodeShape";
    /// `sh:PropertyShape`
    SH_PROPERTY_SHAPE = "http://www.w3.org/ns/shacl#PropertyShape";
    /// `sh:targetClass`
    SH_TARGET_CLASS = "http://www.w3.org/ns/shacl#targetClass";
    /// `sh:property`
    SH_PROPERTY = "http://www.w3.org/ns/shacl#property";
    /// `sh:path`
    SH_PATH = "http://www.w3.org/ns/shacl#path";
    /// `sh:inversePath`
    SH_INVERSE_PATH = "http://www.w3.org/ns/shacl#inversePath";
    /// `sh:closed`
    SH_CLOSED = "http://www.w3.org/ns/shacl#closed";
    /// `sh:ignoredProperties`
    SH_IGNORED_PROPERTIES = "http://www.w3.org/ns/shacl#ignoredProperties";
    /// `sh:deactivated`
    SH_DEACTIVATED = "http://www.w3.org/ns/shacl#deactivated";
    /// `sh:minCount`
    SH_MIN_COUNT = "http://www.w3.org/ns/shacl#minCount";
    /// `sh:maxCount`
    SH_MAX_COUNT = "http://www.w3.org/ns/shacl#maxCount";
    /// `sh:class`
    SH_CLASS = "http://www.w3.org/ns/shacl#class";
    /// `sh:datatype`
    SH_DATATYPE = "http://www.w3.org/ns/shacl#datatype";
    /// `sh:nodeKind`
    SH_NODE_KIND = "http://www.w3.org/ns/shacl#nodeKind";
    /// `sh:pattern`
    SH_PATTERN = "http://www.w3.org/ns/shacl#pattern";
    /// `sh:flags`
    SH_FLAGS = "http://www.w3.org/ns/shacl#flags";
    /// `sh:minLength`
    SH_MIN_LENGTH = "http://www.w3.org/ns/shacl#minLength";
    /// `sh:maxLength`
    SH_MAX_LENGTH = "http://www.w3.org/ns/shacl#maxLength";
    /// `sh:minInclusive`
    SH_MIN_INCLUSIVE = "http://www.w3.org/ns/shacl#minInclusive";
    /// `sh:maxInclusive`
    SH_MAX_INCLUSIVE = "http://www.w3.org/ns/shacl#maxInclusive";
    /// `sh:minExclusive`
    SH_MIN_EXCLUSIVE = "http://www.w3.org/ns/shacl#minExclusive";
    /// `sh:maxExclusive`
    SH_MAX_EXCLUSIVE = "http://www.w3.org/ns/shacl#maxExclusive";
    /// `sh:in`
    SH_IN = "http://www.w3.org/ns/shacl#in";
    /// `sh:hasValue`
    SH_HAS_VALUE = "http://www.w3.org/ns/shacl#hasValue";
    /// `sh:languageIn`
    SH_LANGUAGE_IN = "http://www.w3.org/ns/shacl#languageIn";
    /// `sh:uniqueLang`
    SH_UNIQUE_LANG = "http://www.w3.org/ns/shacl#uniqueLang";
    /// `sh:severity`
    SH_SEVERITY = "http://www.w3.org/ns/shacl#severity";
    /// `sh:message`
    SH_MESSAGE = "http://www.w3.org/ns/shacl#message";
    /// `rdf:first`
    RDF_FIRST = "http://www.w3.org/1999/02/22-rdf-syntax-ns#first";
    /// `rdf:rest`
    RDF_REST = "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest";
    /// `rdf:nil`
    RDF_NIL = "http://www.w3.org/1999/02/22-rdf-syntax-ns#nil";
    /// `xsd:integer`
    XSD_INTEGER = "http://www.w3.org/2001/XMLSchema#integer";
    /// `xsd:string`
    XSD_STRING = "http://www.w3.org/2001/XMLSchema#string";
    /// `xsd:decimal`
    XSD_DECIMAL = "http://www.w3.org/2001/XMLSchema#decimal";
    /// `xsd:boolean`
    XSD_BOOLEAN = "http://www.w3.org/2001/XMLSchema#boolean";
    /// `xsd:date`
    XSD_DATE = "http://www.w3.org/2001/XMLSchema#date";
    /// `xsd:gYearMonth`
    XSD_G_YEAR_MONTH = "http://www.w3.org/2001/XMLSchema#gYearMonth";
    /// `xsd:gYear`
    XSD_G_YEAR = "http://www.w3.org/2001/XMLSchema#gYear";
}

/// A full IRI as a schema file would write it: with its prefix where it has one of ours, else in angle brackets.
pub fn short(iri: &str) -> String {
    PREFIXES
        .iter()
        .find_map(|(prefix, namespace)| iri.strip_prefix(namespace).map(|local| format!("{prefix}:{local}")))
        .unwrap_or_else(|| format!("<{iri}>"))
}
