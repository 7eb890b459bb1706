//! Questions of a made-up land, each with what must come out of it, in the graph and by the SPARQL that is shown.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod world;

use factmask_engine::question::{
    constraint,
    link::Linker,
    operation::{
        Ground, Operation,
        query::{Query, Set},
        sparql,
    },
};
use factmask_graph::{Answer, Snapshot, Store, Value};
use factmask_schema::normal;
use std::collections::BTreeSet;

/// The operation of a question, where it gives something.
fn ask(ground: &Ground, snapshot: &Snapshot, linker: &Linker, question: &str, lang: &str) -> Option<Operation> {
    let folded = normal::fold(question);
    let spans: Vec<_> = linker.link(question).into_iter().map(|mention| mention.span).collect();
    let constraints = constraint::read(&folded, &spans);
    ground.operation(snapshot, linker, &folded, lang, &constraints).filter(|operation| operation.outcome.is_ok())
}

/// What the operation's SPARQL gives on the store, as terms.
fn by_sparql(store: &Store, snapshot: &Snapshot, operation: &Operation) -> BTreeSet<String> {
    let text = sparql::of_query(snapshot, &operation.query, &operation.years);
    match store.query(&text).unwrap_or_else(|fault| panic!("{text}: {fault}")) {
        Answer::Boolean(truth) => BTreeSet::from([truth.to_string()]),
        Answer::Solutions { rows, .. } => {
            rows.into_iter().flatten().flatten().map(|term| plain(&term.to_string())).collect()
        }
        Answer::Triples(_) => BTreeSet::new(),
    }
}

/// A term without what tells its type.
fn plain(term: &str) -> String {
    let value = term.split("^^").next().unwrap_or(term).trim_matches('"');
    value.trim_start_matches("<urn:land:").trim_end_matches('>').to_owned()
}

fn term(value: &Value) -> String {
    match value {
        Value::Entity(iri) => iri.as_str().trim_start_matches("urn:land:").to_owned(),
        Value::Number(number) => number.plain(),
        Value::Date(date) => date.iso(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Text { text, .. } => text.clone(),
    }
}

fn check(lang: &str, table: &[(&str, &str)]) {
    let store = world::store();
    let snapshot = store.snapshot().unwrap();
    let (ground, linker) = (Ground::new(&snapshot), Linker::new(&snapshot).unwrap());
    let mut faults = Vec::new();
    for (question, expected) in table {
        let operation = ask(&ground, &snapshot, &linker, question, lang);
        let given = operation.as_ref().map_or_else(BTreeSet::new, |operation| {
            operation.outcome.as_ref().unwrap().values.iter().map(term).collect::<BTreeSet<_>>()
        });
        let expected: BTreeSet<String> =
            expected.split(", ").filter(|one| !one.is_empty()).map(str::to_owned).collect();
        if given != expected {
            faults.push(format!("{question}: {given:?}, not {expected:?} ({:?})", operation.map(|one| one.query)));
            continue;
        }
        let Some(operation) = operation else { continue };
        let shown = by_sparql(&store, &snapshot, &operation);
        if shown != given {
            faults.push(format!("{question}: SPARQL gives {shown:?}, not {given:?}"));
        }
        let outcome = operation.outcome.unwrap();
        if outcome.facts.is_empty()
            && !matches!(operation.query, Query::List(Set::Class(_)) | Query::Count(Set::Class(_)))
        {
            faults.push(format!("{question}: no facts"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn english() {
    check(
        "en",
        &[
            // Counts.
            ("How many rivers run through Ostmark?", "2"),
            ("How many rivers are there in Nordheim?", "2"),
            ("How many rivers does Suedland have?", "2"),
            ("How many towns are in Avaria?", "7"),
            ("How many provinces are there?", "5"),
            ("How many provinces border Ostmark?", "3"),
            ("How many provinces does the Alda flow through?", "3"),
            ("How many companies are headquartered in Lindau?", "2"),
            ("How many people live in Lindau?", "300000"),
            ("How many inhabitants does Marin have?", "700000"),
            ("How many provinces border Ostmark and border Nordheim?", "1"),
            ("What is the number of provinces that border Westmark?", "2"),
            // Superlatives.
            ("What is the longest river?", "Alda"),
            ("What is the longest river in Suedland?", "Brine"),
            ("Which is the shortest river?", "Dunn"),
            ("What is the largest province?", "Nordheim"),
            ("What is the largest town in Avaria?", "Marin"),
            ("Which province has the largest population?", "Suedland"),
            ("Which province has the most inhabitants?", "Suedland"),
            ("Which town has the smallest population?", "Hafen"),
            ("What is the highest mountain in Westmark?", "Spitz"),
            ("What is the highest point of Ostmark?", "Hohe"),
            ("What is the highest point in the provinces that border Suedland?", "Hohe"),
            ("Which province has the most rivers?", "Nordheim, Ostmark, Suedland"),
            ("Which province borders the most provinces?", "Ostmark"),
            ("Which river flows through the most provinces?", "Alda"),
            ("What is the most populous province that the Alda runs through?", "Ostmark"),
            ("What is the capital of the smallest province?", "Hafen"),
            ("What is the population of the capital of the largest province?", "80000"),
            ("What are the rivers of the province with the highest point?", "Alda, Cress"),
            ("Which is the oldest company?", "Quill"),
            ("What is the newest company headquartered in Lindau?", "Ember"),
            ("Which company had the highest revenue in 2023?", "Vex"),
            ("Which company had the highest revenue in fiscal year 2022?", "Quill"),
            ("Of the rivers in Nordheim, which is the longest?", "Alda"),
            ("What is the largest province by population?", "Suedland"),
            ("Which province is the largest in area?", "Nordheim"),
            ("What are the highest points of the provinces that border Suedland?", "Hohe"),
            // Comparisons.
            ("Which provinces have rivers longer than 500 km?", "Nordheim, Ostmark, Westmark"),
            ("Which provinces are more populous than Ostmark?", "Suedland"),
            ("Which provinces have a population greater than 500,000?", "Ostmark, Suedland"),
            ("Which provinces have more than 300 thousand inhabitants?", "Ostmark, Suedland, Westmark"),
            ("Which rivers are longer than the Brine?", "Alda"),
            ("Which rivers are longer than 300 km?", "Alda, Brine, Cress"),
            ("Which provinces border at least three provinces?", "Ostmark"),
            ("Which provinces have an area of less than 4,000 square kilometres?", "Insel, Suedland"),
            ("Which companies were founded before 2000?", "Quill, Vex"),
            ("Which companies were founded in 2010?", "Ember"),
            ("Which is longer, the Alda or the Brine?", "Alda"),
            ("Which has the larger area, Ostmark or Westmark?", "Westmark"),
            ("Which river is shorter, the Dunn or the Cress?", "Dunn"),
            // Yes and no.
            ("Does the Alda run through Ostmark?", "true"),
            ("Does the Alda run through Suedland?", "false"),
            ("Is Lindau the capital of Ostmark?", "true"),
            ("Is Tarn the capital of Ostmark?", "false"),
            ("Is the Alda longer than the Brine?", "true"),
            ("Is Ostmark larger than Westmark?", "false"),
            ("Is Tarn in Ostmark?", "true"),
            ("Does Ostmark border Insel?", "false"),
            // Lists, intersections, negation.
            ("List the rivers in Ostmark.", "Alda, Brine"),
            ("Which rivers run through Ostmark and Suedland?", "Brine"),
            ("Which rivers in Ostmark also run through Suedland?", "Brine"),
            ("Which rivers run through provinces that border Suedland?", "Alda, Brine"),
            ("Which provinces border no other province?", "Insel"),
            ("Which rivers do not run through Ostmark?", "Cress, Dunn"),
            ("What are the capitals of the provinces bordering Suedland?", "Lindau"),
            ("Which towns are in provinces through which the Cress flows?", "Skarn"),
            ("Which province's capital is Brenn?", "Westmark"),
            ("What is the population of the province whose capital is Skarn?", "250000"),
            ("What are the neighbouring provinces of Suedland?", "Ostmark"),
            ("Which peaks are found in Westmark?", "Spitz"),
            ("Where is Tarn?", "Ostmark"),
            ("Who is the chief executive of the oldest company headquartered in Lindau?", "Ada_Lind"),
            // Figures.
            ("What is the total population of the provinces that border Suedland?", "900000"),
            ("What is the average length of the rivers in Ostmark?", "565"),
            ("What is the total area of Avaria?", "28700"),
        ],
    );
}

#[test]
fn chinese() {
    check(
        "zh",
        &[
            ("奥斯马克有多少条河流？", "2"),
            ("有多少条河流流经奥斯马克？", "2"),
            ("流经奥斯马克的河流有多少条？", "2"),
            ("阿尔达河流经多少个省份？", "3"),
            ("阿瓦里亚一共有几个城市？", "7"),
            ("与奥斯马克接壤的省份有几个？", "3"),
            ("最长的河流是哪条？", "Alda"),
            ("苏德兰最长的河流是什么？", "Brine"),
            ("哪条河流最短？", "Dunn"),
            ("哪个省份的人口最多？", "Suedland"),
            ("面积最大的省份是哪个？", "Nordheim"),
            ("面积最小的省份的首府是哪里？", "Hafen"),
            ("最大的省份的首府的人口是多少？", "80000"),
            ("流经省份最多的河流是哪条？", "Alda"),
            ("哪个省份接壤的省份最多？", "Ostmark"),
            ("诺德海姆的河流中最长的是哪条？", "Alda"),
            ("成立时间最早的公司是哪家？", "Quill"),
            ("2023年营收最高的公司是哪家？", "Vex"),
            ("2022年营业收入最高的公司是哪家？", "Quill"),
            ("人口超过50万的省份有哪些？", "Ostmark, Suedland"),
            ("哪些河流的长度超过300公里？", "Alda, Brine, Cress"),
            ("哪些河流比布林河长？", "Alda"),
            ("2000年以前成立的公司有哪些？", "Quill, Vex"),
            ("阿尔达河和布林河哪条更长？", "Alda"),
            ("奥斯马克和韦斯马克哪个面积更大？", "Westmark"),
            ("阿尔达河流经奥斯马克吗？", "true"),
            ("阿尔达河是否流经苏德兰？", "false"),
            ("林道是奥斯马克的首府吗？", "true"),
            ("塔恩是奥斯马克的首府吗？", "false"),
            ("阿尔达河比布林河长吗？", "true"),
            ("奥斯马克的人口比苏德兰多吗？", "false"),
            ("奥斯马克与因瑟尔接壤吗？", "false"),
            ("既流经奥斯马克又流经苏德兰的河流有哪些？", "Brine"),
            ("流经奥斯马克和苏德兰的河流是哪条？", "Brine"),
            ("不流经奥斯马克的河流有哪些？", "Cress, Dunn"),
            ("不与任何省份接壤的省份是哪个？", "Insel"),
            ("首府是斯卡恩的省份的人口是多少？", "250000"),
            ("与苏德兰接壤的省份的总人口是多少？", "900000"),
            ("奥斯马克的河流的平均长度是多少？", "565"),
            // Refused.
            ("最长的通航河流是哪条？", ""),
            ("最深的河流是哪条？", ""),
            ("第二长的河流是哪条？", ""),
            ("有多少条河流发源于奥斯马克？", ""),
            ("有多少条河流流经因瑟尔？", ""),
            ("阿尔达河比莱茵河长吗？", ""),
            ("营收最高的公司是哪家？", ""),
            ("1999年营收最高的公司是哪家？", ""),
            ("长度超过300公斤的河流有哪些？", ""),
            ("阿尔达河和奥斯马克哪个更大？", ""),
        ],
    );
}

#[test]
fn refused() {
    check(
        "en",
        &[
            // Words that nothing in the land explains.
            ("What is the longest navigable river?", ""),
            ("How many major rivers run through Ostmark?", ""),
            ("Which rivers rise in Ostmark?", ""),
            ("What is the second longest river?", ""),
            ("Which province has the largest rural population?", ""),
            ("How many rivers will run through Ostmark?", ""),
            ("Which rivers used to run through Ostmark?", ""),
            ("What is the longest river that almost reaches Insel?", ""),
            ("Which rivers run only through Suedland?", ""),
            // What the land does not measure.
            ("What is the deepest river?", ""),
            ("Which is the richest province?", ""),
            ("Which town is the coldest?", ""),
            // Of what is not known.
            ("How many rivers run through Insel?", ""),
            ("How many rivers run through Atlantis?", ""),
            ("What is the longest river in Atlantis?", ""),
            ("Is the Alda longer than the Rhine?", ""),
            ("Does the Alda run through Atlantis?", ""),
            ("Is Insel the capital of Ostmark?", ""),
            // Several values, several units, other years.
            ("Which company has the highest revenue?", ""),
            ("Which company had the highest revenue in 1999?", ""),
            ("Which is larger, the Alda or Ostmark?", ""),
            ("Which rivers are longer than 300 kg?", ""),
            ("Which province has the fewest rivers?", ""),
            ("How long is Ostmark?", ""),
            ("What is the capital of Avaria?", ""),
            ("What is the population?", ""),
            ("What was the revenue of Vex?", ""),
            ("", ""),
        ],
    );
}

#[test]
fn long_questions_end() {
    let long =
        format!("Which rivers {} are there?", "in the provinces that border Ostmark and run through ".repeat(60));
    let longer = format!("{}河流有多少条？", "流经与奥斯马克接壤的省份的".repeat(60));
    check("en", &[(&long, "")]);
    check("zh", &[(&longer, "")]);
}
