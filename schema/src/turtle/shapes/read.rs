//! Shapes to rules.

use super::super::faults::{Faults, suggestion};
use super::super::read::{Node, Statement, Statements};
use super::super::terms::shown;
use super::terms::{PROPERTIES, count, is_note, node_kind, severity, truth, words};
use crate::vocabulary::*;
use crate::{Iri, Rule, Schema, Text};
use oxrdf::{Literal, Term, Triple};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The shapes of a file, as far as they are understood.
#[derive(Default)]
pub(crate) struct Shapes {
    /// Of each class the shapes that are about it, by name.
    pub(crate) of: BTreeMap<Iri, Vec<Shape>>,
    /// What stands in place of a rule that could not be read.
    mistakes: Vec<Mistake>,
}

/// What is understood of a node shape.
pub(crate) struct Shape {
    pub(crate) iri: Iri,
    pub(crate) rules: Vec<Found>,
    /// Nothing but what the rules name may be said.
    pub(crate) closed: bool,
    /// The triples that make it a shape of its class.
    head: Vec<Triple>,
}

/// A rule with where it was found.
pub(crate) struct Found {
    pub(crate) rule: Rule,
    pub(crate) node: Node,
    used: Vec<Triple>,
}

/// Why something is not understood.
struct Mistake {
    line: u64,
    term: String,
    message: String,
    /// What is not understood for it.
    of: Vec<Node>,
}

impl Shape {
    /// Lets other things be said than what the rules name.
    fn open(&mut self) {
        self.closed = false;
        let closing = |triple: &Triple| {
            matches!(triple.predicate.as_str(), SH_CLOSED | SH_IGNORED_PROPERTIES | RDF_FIRST | RDF_REST)
        };
        self.head.retain(|triple| !closing(triple));
    }
}

impl Shapes {
    /// The triples that are understood, blank nodes among them.
    pub(crate) fn used(&self) -> HashSet<&Triple> {
        let shapes = self.of.values().flatten().filter(|shape| shape.closed || !shape.rules.is_empty());
        shapes.flat_map(|shape| shape.head.iter().chain(shape.rules.iter().flat_map(|found| &found.used))).collect()
    }

    /// Leaves out the rules that do not hold together; a shape that lacks one is not closed.
    pub(crate) fn retain(&mut self, holds: impl Fn(&Iri, &Rule) -> bool) {
        for (class, shapes) in &mut self.of {
            for shape in shapes {
                let before = shape.rules.len();
                shape.rules.retain(|found| holds(class, &found.rule));
                if shape.rules.len() < before {
                    shape.open();
                }
            }
        }
    }

    /// Tells what is not understood.
    pub(crate) fn tell(&mut self, statements: &Statements, faults: &mut Faults) {
        let mut told: HashSet<Node> = HashSet::new();
        for Mistake { line, term, message, of } in self.mistakes.drain(..) {
            faults.add(line, term, message);
            told.extend(of);
        }
        let told = below(told, statements);
        let used = self.used();
        let understood: HashSet<&Node> = used.iter().map(|triple| &triple.subject).collect();
        for (node, all) in statements.all().filter(|(node, _)| !told.contains(node)) {
            if matches!(node, Node::BlankNode(_)) {
                if let Some(first) = all.first().filter(|_| !understood.contains(&node)) {
                    faults.add(first.line, "[]", "a node without a name has no place in a schema; give it an IRI");
                }
                continue;
            }
            for statement in all.iter().filter(|statement| statement.predicate.as_str().starts_with(SH)) {
                let triple = statement.triple(&node);
                let predicate = statement.predicate.as_str();
                let is_so_anyway = match predicate {
                    SH_TARGET_CLASS => triple.object == Term::from(node.clone()),
                    SH_CLOSED => truth(&triple.object) == Some(false),
                    _ => is_note(predicate, &triple.object),
                };
                if !is_so_anyway && !used.contains(&triple) {
                    let hint = suggestion(predicate, PROPERTIES);
                    let message = format!(
                        "is not understood here; rules are `sh:property [ sh:path RELATION ; ... ]` of a class that is `a sh:NodeShape`{hint}"
                    );
                    faults.add(statement.line, short(predicate), message);
                }
            }
        }
    }

    /// Gives the classes their rules.
    pub(crate) fn give(self, schema: &mut Schema) {
        for (class, shapes) in self.of {
            if let Some(class) = schema.classes.get_mut(&class) {
                class.closed = shapes.iter().any(|shape| shape.closed);
                class.rules = shapes.into_iter().flat_map(|shape| shape.rules).map(|found| found.rule).collect();
            }
        }
    }

    /// Whether a subject is a shape or a part of one.
    pub(crate) fn is_part(&self, iri: &Iri) -> bool {
        let is = |found: &Found| found.rule.iri.as_ref() == Some(iri);
        self.of.values().flatten().any(|shape| shape.iri == *iri || shape.rules.iter().any(is))
    }
}

/// Reads every shape whose target is one class.
pub(crate) fn read(statements: &Statements) -> Shapes {
    let mut shapes = Shapes::default();
    let mut properties: BTreeMap<&Iri, usize> = BTreeMap::new();
    for (_, all) in statements.all() {
        for statement in all.iter().filter(|statement| statement.predicate.as_str() == SH_PROPERTY) {
            if let Term::NamedNode(iri) = &statement.object {
                *properties.entry(iri).or_default() += 1;
            }
        }
    }
    for (iri, all) in &statements.subjects {
        if let Some((class, shape)) = shape(iri, all, statements, &properties, &mut shapes.mistakes) {
            shapes.of.entry(class).or_default().push(shape);
        }
    }
    for (class, all) in &mut shapes.of {
        // The class itself comes first, then others by name.
        all.sort_by_key(|shape| (shape.iri != *class, shape.iri.clone()));
        let several = all.iter().filter(|shape| shape.closed || !shape.rules.is_empty()).count() > 1;
        for shape in all.iter_mut().filter(|shape| several && shape.closed) {
            shape.open();
            shapes.mistakes.push(Mistake {
                line: statements.line(&shape.iri, SH_CLOSED, None),
                term: short(SH_CLOSED),
                message: format!("closes one of several shapes of {}; put their rules into one", short(class.as_str())),
                of: vec![shape.iri.clone().into()],
            });
        }
    }
    shapes
}

/// These nodes and those without a name that they lead to.
fn below(mut nodes: HashSet<Node>, statements: &Statements) -> HashSet<Node> {
    let mut open: Vec<Node> = nodes.iter().cloned().collect();
    while let Some(node) = open.pop() {
        for statement in statements.of_node(&node) {
            if let Term::BlankNode(blank) = &statement.object
                && nodes.insert(blank.clone().into())
            {
                open.push(blank.clone().into());
            }
        }
    }
    nodes
}

/// A node shape with the class that it is about; `None` where it is about anything else, or nothing.
fn shape(
    iri: &Iri,
    all: &[Statement],
    statements: &Statements,
    properties: &BTreeMap<&Iri, usize>,
    mistakes: &mut Vec<Mistake>,
) -> Option<(Iri, Shape)> {
    let node = Node::from(iri.clone());
    let with = |property: &'static str| all.iter().filter(move |statement| statement.predicate.as_str() == property);
    let is_a = |types: &[&str]| {
        with(RDF_TYPE)
            .any(|statement| matches!(&statement.object, Term::NamedNode(found) if types.contains(&found.as_str())))
    };
    let is_class = is_a(&[RDFS_CLASS, OWL_CLASS]);
    let mut classes: BTreeSet<&Iri> = is_class.then_some(iri).into_iter().collect();
    for statement in with(SH_TARGET_CLASS) {
        let Term::NamedNode(class) = &statement.object else { return None };
        classes.insert(class);
    }
    let elsewhere = all.iter().any(|statement| {
        let target = statement.predicate.as_str().strip_prefix(SH).is_some_and(|local| local.starts_with("target"));
        target && statement.predicate.as_str() != SH_TARGET_CLASS || statement.predicate.as_str() == SH_PATH
    });
    let is_off = with(SH_DEACTIVATED).any(|statement| truth(&statement.object) != Some(false));
    let [class] = classes.iter().copied().collect::<Vec<_>>()[..] else { return None };
    if elsewhere || is_off {
        return None;
    }

    let mut head: Vec<Triple> = all
        .iter()
        .filter(|statement| match (statement.predicate.as_str(), &statement.object) {
            (RDF_TYPE, Term::NamedNode(found)) => found.as_str() == SH_NODE_SHAPE,
            (SH_TARGET_CLASS, _) => class != iri,
            _ => false,
        })
        .map(|statement| statement.triple(&node))
        .collect();
    let mut rules = Vec::new();
    let mut whole = true;
    for statement in with(SH_PROPERTY) {
        let of = match &statement.object {
            Term::NamedNode(iri) if properties.get(iri).is_some_and(|users| *users == 1) => Node::from(iri.clone()),
            Term::BlankNode(blank) if statements.references(blank) == 1 => Node::from(blank.clone()),
            other => {
                let message = "is not a property shape of this shape alone; describe one here".to_owned();
                let of = vec![node.clone()];
                mistakes.push(Mistake { line: statement.line, term: shown(other), message, of });
                whole = false;
                continue;
            }
        };
        match rule(&of, statements, statement.line) {
            Ok((mut rule, mut used)) => {
                used.push(statement.triple(&node));
                rule.shape = (class != iri).then(|| iri.clone());
                rules.push(Found { rule, node: of, used });
            }
            Err(mut found) => {
                found.iter_mut().for_each(|mistake| mistake.of = vec![of.clone(), node.clone()]);
                mistakes.extend(found);
                whole = false;
            }
        }
    }
    let mut closed = false;
    for statement in with(SH_CLOSED).filter(|statement| truth(&statement.object) == Some(true)) {
        // What else bears on what is told when it is broken.
        let plain = with(SH_MESSAGE).chain(with(SH_SEVERITY)).next().is_none();
        match ignored(with(SH_IGNORED_PROPERTIES), &node, statements) {
            Some(triples) if whole && plain && (class == iri || !rules.is_empty()) => {
                head.push(statement.triple(&node));
                head.extend(triples);
                closed = true;
            }
            _ => mistakes.push(Mistake {
                line: statement.line,
                term: short(SH_CLOSED),
                message: "closes a shape that is not understood whole; say `sh:ignoredProperties ( rdf:type )`, and rules alone".to_owned(),
                of: vec![node.clone()],
            }),
        }
    }
    Some((class.clone(), Shape { iri: iri.clone(), rules, closed, head }))
}

/// The triples that let a closed shape say `rdf:type` of an entity, where they let it say that and nothing else.
fn ignored<'a>(
    mut all: impl Iterator<Item = &'a Statement>,
    node: &Node,
    statements: &Statements,
) -> Option<Vec<Triple>> {
    let (Some(statement), None) = (all.next(), all.next()) else { return None };
    let mut used = vec![statement.triple(node)];
    let members = list(&statement.object, statements, &mut used)?;
    matches!(members.as_slice(), [Term::NamedNode(iri)] if iri.as_str() == RDF_TYPE).then_some(used)
}

/// The members of a list of named and literal things that nothing else refers to.
fn list(head: &Term, statements: &Statements, used: &mut Vec<Triple>) -> Option<Vec<Term>> {
    let mut members = Vec::new();
    let mut seen = HashSet::new();
    let mut at = head.clone();
    loop {
        let blank = match &at {
            Term::NamedNode(iri) if iri.as_str() == RDF_NIL => return Some(members),
            Term::BlankNode(blank) if statements.references(blank) == 1 && seen.insert(blank.clone()) => blank.clone(),
            _ => return None,
        };
        let node = Node::from(blank);
        let [one, two] = statements.of_node(&node) else { return None };
        let (first, rest) = if one.predicate.as_str() == RDF_FIRST { (one, two) } else { (two, one) };
        if first.predicate.as_str() != RDF_FIRST || rest.predicate.as_str() != RDF_REST {
            return None;
        }
        if !matches!(first.object, Term::NamedNode(_) | Term::Literal(_)) {
            return None;
        }
        members.push(first.object.clone());
        used.extend([first.triple(&node), rest.triple(&node)]);
        at = rest.object.clone();
    }
}

/// A property shape as a rule, with the triples that it is made of.
fn rule(node: &Node, statements: &Statements, line: u64) -> Result<(Rule, Vec<Triple>), Vec<Mistake>> {
    let mut reading =
        Reading { statements, rule: Rule::about(Iri::new_unchecked(RDF_NIL)), used: Vec::new(), mistakes: Vec::new() };
    reading.rule.iri = if let Node::NamedNode(iri) = node { Some(iri.clone()) } else { None };
    let mut seen = BTreeSet::new();
    for statement in statements.of_node(node) {
        let predicate = statement.predicate.as_str();
        reading.used.push(statement.triple(node));
        let again = !seen.insert(predicate);
        if again && PROPERTIES.contains(&predicate) && !matches!(predicate, SH_HAS_VALUE | SH_MESSAGE) {
            reading.mistake(statement, short(predicate), "is said several times; one is allowed".to_owned());
        } else {
            reading.statement(statement);
        }
    }
    if !seen.contains(SH_PATH) {
        let message = "has no sh:path; say the relation that it is about".to_owned();
        let term = reading.rule.iri.as_ref().map_or_else(|| short(SH_PROPERTY), |iri| short(iri.as_str()));
        reading.mistakes.push(Mistake { line, term, message, of: Vec::new() });
    }
    if reading.mistakes.is_empty() { Ok((reading.rule, reading.used)) } else { Err(reading.mistakes) }
}

struct Reading<'a> {
    statements: &'a Statements,
    rule: Rule,
    used: Vec<Triple>,
    mistakes: Vec<Mistake>,
}

impl Reading<'_> {
    fn statement(&mut self, statement: &Statement) {
        let object = &statement.object;
        let predicate = statement.predicate.as_str();
        match predicate {
            SH_PATH => self.path(statement),
            SH_MIN_COUNT => self.rule.min_count = self.needs(statement, count(object), "a whole number"),
            SH_MAX_COUNT => self.rule.max_count = self.needs(statement, count(object), "a whole number"),
            SH_MIN_LENGTH => self.rule.min_length = self.needs(statement, count(object), "a whole number"),
            SH_MAX_LENGTH => self.rule.max_length = self.needs(statement, count(object), "a whole number"),
            SH_CLASS => self.rule.class = self.needs(statement, iri(object), "a class"),
            SH_DATATYPE => self.rule.datatype = self.needs(statement, iri(object), "a datatype"),
            SH_NODE_KIND => {
                let kinds =
                    "sh:IRI, sh:Literal, sh:BlankNode, sh:BlankNodeOrIRI, sh:BlankNodeOrLiteral or sh:IRIOrLiteral";
                self.rule.node_kind = self.needs(statement, node_kind(object), kinds);
            }
            SH_PATTERN => self.rule.pattern = self.needs(statement, text(object), "words without a language"),
            SH_FLAGS => self.rule.flags = self.needs(statement, text(object), "words without a language"),
            SH_MIN_INCLUSIVE => self.rule.min_inclusive = self.needs(statement, literal(object), "a literal"),
            SH_MAX_INCLUSIVE => self.rule.max_inclusive = self.needs(statement, literal(object), "a literal"),
            SH_MIN_EXCLUSIVE => self.rule.min_exclusive = self.needs(statement, literal(object), "a literal"),
            SH_MAX_EXCLUSIVE => self.rule.max_exclusive = self.needs(statement, literal(object), "a literal"),
            SH_SEVERITY => {
                self.rule.severity = self.needs(statement, severity(object), "sh:Violation, sh:Warning or sh:Info");
            }
            SH_UNIQUE_LANG if truth(object) != Some(false) => {
                self.rule.unique_lang = self.needs(statement, truth(object), "true or false").unwrap_or_default();
            }
            SH_HAS_VALUE => {
                let value = matches!(object, Term::NamedNode(_) | Term::Literal(_)).then(|| object.clone());
                let value = self.needs(statement, value, "an IRI or a literal");
                self.rule.has_value.extend(value);
            }
            SH_MESSAGE => {
                // A tag in capitals could not be written as it stands.
                let message = words(object).map(|words| Text::new("", words)).or_else(|| match object {
                    Term::Literal(literal) => literal
                        .language()
                        .filter(|lang| lang.to_lowercase() == **lang && literal.direction().is_none())
                        .map(|lang| Text::new(lang, literal.value())),
                    _ => None,
                });
                let message = self.needs(statement, message, "words");
                self.rule.message.extend(message);
            }
            SH_IN => {
                let members = list(object, self.statements, &mut self.used).filter(|members| !members.is_empty());
                self.rule.one_of = self.needs(statement, members, "a list of IRIs and literals").unwrap_or_default();
            }
            SH_LANGUAGE_IN => {
                let members = list(object, self.statements, &mut self.used).filter(|members| !members.is_empty());
                let tags = members.and_then(|members| members.iter().map(text).collect::<Option<Vec<_>>>());
                self.rule.language_in = self.needs(statement, tags, "a list of language tags").unwrap_or_default();
            }
            _ if is_note(predicate, object) => self.rule.notes.push((statement.predicate.clone(), object.clone())),
            _ => {
                let hint = suggestion(predicate, PROPERTIES);
                self.mistake(statement, short(predicate), format!("is not something that a rule says{hint}"));
            }
        }
    }

    /// The relation, or one the other way round.
    fn path(&mut self, statement: &Statement) {
        let (relation, inverse) = match &statement.object {
            Term::NamedNode(relation) => (Some(relation.clone()), false),
            Term::BlankNode(blank) if self.statements.references(blank) == 1 => {
                let node = Node::from(blank.clone());
                match self.statements.of_node(&node) {
                    [only] if only.predicate.as_str() == SH_INVERSE_PATH => {
                        self.used.push(only.triple(&node));
                        (iri(&only.object), true)
                    }
                    _ => (None, false),
                }
            }
            _ => (None, false),
        };
        if let Some(relation) = self.needs(statement, relation, "a relation, or `[ sh:inversePath RELATION ]`") {
            (self.rule.relation, self.rule.inverse) = (relation, inverse);
        }
    }

    fn needs<T>(&mut self, statement: &Statement, found: Option<T>, what: &str) -> Option<T> {
        if found.is_none() {
            let message = format!("is not {what}, which {} takes", short(statement.predicate.as_str()));
            self.mistake(statement, shown(&statement.object), message);
        }
        found
    }

    fn mistake(&mut self, statement: &Statement, term: String, message: String) {
        self.mistakes.push(Mistake { line: statement.line, term, message, of: Vec::new() });
    }
}

fn iri(term: &Term) -> Option<Iri> {
    if let Term::NamedNode(iri) = term { Some(iri.clone()) } else { None }
}

fn literal(term: &Term) -> Option<Literal> {
    if let Term::Literal(literal) = term { Some(literal.clone()) } else { None }
}

fn text(term: &Term) -> Option<String> {
    words(term).map(str::to_owned)
}
