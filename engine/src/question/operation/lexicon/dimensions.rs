//! What things are measured by.

/// A dimension with its nouns in each language.
#[derive(Clone, Copy, Debug)]
pub struct Dimension {
    /// What adjectives call it.
    pub name: &'static str,
    /// Its nouns, in English singular and Chinese.
    pub nouns: &'static [&'static str],
}

const fn dimension(name: &'static str, nouns: &'static [&'static str]) -> Dimension {
    Dimension { name, nouns }
}

/// All dimensions.
pub const DIMENSIONS: &[Dimension] = &[
    dimension("length", &["length", "长度", "全长", "总长", "总长度", "长"]),
    dimension("height", &["height", "elevation", "altitude", "高度", "海拔", "海拔高度", "身高", "高"]),
    dimension("depth", &["depth", "深度", "水深", "深"]),
    dimension("width", &["width", "breadth", "宽度", "宽"]),
    dimension("area", &["area", "size", "surface area", "land area", "面积", "总面积", "占地面积", "国土面积"]),
    dimension(
        "population",
        &[
            "population",
            "inhabitant",
            "resident",
            "citizen",
            "people",
            "人口",
            "总人口",
            "人口数",
            "人口数量",
            "人口总数",
            "居民",
        ],
    ),
    dimension("density", &["density", "population density", "密度", "人口密度"]),
    dimension("weight", &["weight", "mass", "重量", "体重", "质量"]),
    dimension("speed", &["speed", "top speed", "maximum speed", "速度", "时速", "最高时速"]),
    dimension("price", &["price", "cost", "价格", "售价", "票价"]),
    dimension("temperature", &["temperature", "温度", "气温"]),
    dimension("volume", &["volume", "capacity", "容积", "容量", "体积"]),
    dimension("duration", &["duration", "running time", "runtime", "时长", "片长"]),
    dimension("age", &["age", "年龄"]),
    dimension(
        "beginning",
        &[
            "birth",
            "birth date",
            "date of birth",
            "birthdate",
            "born",
            "year of birth",
            "birth year",
            "founded",
            "founding date",
            "foundation",
            "date founded",
            "year founded",
            "founding year",
            "established",
            "establishment",
            "year established",
            "built",
            "year built",
            "completed",
            "completion",
            "opened",
            "opening date",
            "opening year",
            "inception",
            "release",
            "release date",
            "release year",
            "released",
            "publication date",
            "publication year",
            "date",
            "year",
            "出生日期",
            "出生年份",
            "生日",
            "出生",
            "成立时间",
            "成立日期",
            "成立年份",
            "成立",
            "创立时间",
            "创办时间",
            "创建时间",
            "建立时间",
            "建成时间",
            "始建时间",
            "开业时间",
            "上映时间",
            "上映日期",
            "上映年份",
            "出版时间",
            "出版日期",
            "发行时间",
            "发行日期",
            "年份",
            "日期",
            "时间",
        ],
    ),
];

/// Words in a relation's name that add nothing to its dimension.
pub const NEUTRAL: &[&str] =
    &["total", "overall", "number", "of", "the", "in", "count", "value", "figure", "approximate"];
