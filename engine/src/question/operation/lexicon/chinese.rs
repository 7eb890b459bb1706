//! Chinese.

use super::{super::query::End, Adjective};

const fn most(word: &'static str, by: &'static [&'static str]) -> Adjective {
    Adjective { word, end: End::Most, by, general: false }
}

const fn least(word: &'static str, by: &'static [&'static str]) -> Adjective {
    Adjective { word, end: End::Least, by, general: false }
}

const fn general(adjective: Adjective) -> Adjective {
    Adjective { general: true, ..adjective }
}

const SIZE: &[&str] = &["area", "population", "length"];

/// The adjectives.
pub const ADJECTIVES: &[Adjective] = &[
    general(most("长", &["length", "duration"])),
    general(least("短", &["length", "duration"])),
    general(most("高", &["height"])),
    general(least("低", &["height"])),
    general(least("矮", &["height"])),
    general(most("大", SIZE)),
    general(least("小", SIZE)),
    general(most("多", &[])),
    general(least("少", &[])),
    most("深", &["depth"]),
    least("浅", &["depth"]),
    most("宽", &["width"]),
    least("窄", &["width"]),
    most("重", &["weight"]),
    least("轻", &["weight"]),
    most("快", &["speed"]),
    least("慢", &["speed"]),
    most("贵", &["price"]),
    least("便宜", &["price"]),
    most("热", &["temperature"]),
    least("冷", &["temperature"]),
    least("古老", &["beginning"]),
    least("老", &["beginning"]),
    general(least("早", &["beginning"])),
    general(most("晚", &["beginning"])),
    most("新", &["beginning"]),
    most("年轻", &["beginning"]),
];

/// Verbs that say the same of two things.
pub const SYNONYMS: &[&[&str]] = &[
    &["流经", "经过", "穿过", "流过", "途经", "横穿"],
    &["接壤", "相邻", "毗邻", "交界", "邻接", "相接"],
    &["位于", "坐落于", "地处", "坐落在", "所在"],
    &["属于", "隶属于", "隶属"],
    &["成立于", "创立于", "成立", "创立", "创建", "创办", "建立"],
    &["总部位于", "总部设在", "总部在"],
    &["出生于", "生于", "出生在"],
    &["执导", "导演"],
    &["生产", "制造"],
];

/// What a number of things is counted in.
pub const MEASURE_WORDS: &[char] = &[
    '个', '条', '座', '家', '名', '位', '部', '支', '款', '本', '项', '种', '只', '片', '所', '张', '首', '艘', '辆',
    '架',
];
