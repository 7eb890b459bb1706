//! Numbers, units and orders: "more than 5 million", "at least one", "500 km".

use super::English;
use crate::question::operation::{
    lexicon::{self, Degree},
    query::{End, Order},
};
use factmask_graph::{Date, Number};
use factmask_schema::{Iri, normal};

const ORDERS: &[(&str, Order)] = &[
    ("greater than or equal to", Order::AtLeast),
    ("less than or equal to", Order::AtMost),
    ("more than", Order::More),
    ("greater than", Order::More),
    ("less than", Order::Less),
    ("fewer than", Order::Less),
    ("at least", Order::AtLeast),
    ("at most", Order::AtMost),
    ("not more than", Order::AtMost),
    ("no more than", Order::AtMost),
    ("no less than", Order::AtLeast),
    ("no fewer than", Order::AtLeast),
    ("exactly", Order::Equal),
    ("exceeding", Order::More),
    ("over", Order::More),
    ("above", Order::More),
    ("under", Order::Less),
    ("below", Order::Less),
    ("after", Order::More),
    ("before", Order::Less),
];

const NUMBERS: &[&str] =
    &["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

const SCALES: &[(&str, u32)] = &[("hundred", 2), ("thousand", 3), ("million", 6), ("billion", 9), ("trillion", 12)];

/// Units in words, with their signs.
const UNITS: &[(&str, &[&str])] = &[
    ("km", &["km", "kilometer", "kilometers", "kilometre", "kilometres"]),
    ("m", &["m", "meter", "meters", "metre", "metres"]),
    ("cm", &["cm", "centimeters", "centimetres"]),
    ("km²", &["km2", "square kilometers", "square kilometres", "sq km", "square km"]),
    ("mi", &["mi", "mile", "miles"]),
    ("ft", &["ft", "foot", "feet"]),
    ("kg", &["kg", "kilogram", "kilograms"]),
    ("t", &["t", "tons", "tonnes"]),
    ("%", &["percent", "per cent"]),
    ("USD", &["usd", "dollars", "us dollars"]),
    ("EUR", &["eur", "euros", "euro"]),
];

impl English<'_> {
    /// An order before an amount, with the place behind it.
    pub(super) fn order(&self, at: usize) -> Option<(Order, usize)> {
        if let Some((order, end)) = ORDERS.iter().find_map(|(words, order)| Some((*order, self.past(at, words)?))) {
            return Some((order, end));
        }
        let (adjective, degree) = lexicon::english_adjective(self.text(at))?;
        let order = if adjective.end == End::Most { Order::More } else { Order::Less };
        (degree == Degree::Comparative && adjective.general && self.is(at + 1, &["than"])).then_some((order, at + 2))
    }

    /// A number of things: "more than 3", "at least one", "two".
    pub(super) fn quantity(&self, at: usize) -> Option<(Order, Number, usize)> {
        let (order, start) = self.order(at).unwrap_or((Order::Equal, at));
        let (number, end) = self.number(start)?;
        Some((order, number, end))
    }

    /// A number in digits or in a word, with what it is multiplied by.
    pub(super) fn number(&self, at: usize) -> Option<(Number, usize)> {
        let text = self.text(at);
        let mut number = match NUMBERS.iter().position(|word| *word == text) {
            Some(value) => Number::new(value as i128, 0),
            None => Number::parse_plain(&text.replace(',', ""))
                .filter(|_| text.starts_with(|c: char| c.is_ascii_digit()))?,
        };
        let mut end = at + 1;
        while let Some((_, zeros)) = SCALES.iter().find(|(word, _)| self.is(end, &[word])) {
            let taken = number.scale.min(*zeros);
            number.scale -= taken;
            number.mantissa = number.mantissa.checked_mul(10_i128.checked_pow(zeros - taken)?)?;
            end += 1;
        }
        Some((number, end))
    }

    /// An amount of a relation's kind; one with a unit that is not the relation's is none.
    pub(super) fn amount(&self, at: usize, relation: &Iri) -> Option<(Number, usize)> {
        let (number, end) = self.number(at)?;
        let own = self.sense.ties.unit(relation);
        let named = UNITS.iter().flat_map(|(unit, words)| words.iter().map(move |word| (*unit, *word)));
        let unit = named.filter_map(|(unit, words)| Some((unit, self.past(end, words)?))).max_by_key(|(_, end)| *end);
        match (unit, own) {
            (None, _) => Some((number, end)),
            (Some((unit, behind)), Some(own)) if normal::fold(own) == normal::fold(unit) => {
                Some((number.with_unit(own), behind))
            }
            (Some(_), _) => None,
        }
    }

    /// A year.
    pub(super) fn year(&self, at: usize) -> Option<Date> {
        let text = self.text(at);
        let year = text.parse::<i32>().ok().filter(|year| text.len() == 4 && (1000..2200).contains(year))?;
        Some(Date::from_year(year))
    }
}
