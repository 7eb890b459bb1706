//! Risk-coverage curves as an SVG that is read on light and on dark ground.

use super::curve::{Point, RISKS};
use std::fmt::Write as _;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
/// Left, top, right, bottom of the field.
const FIELD: [f64; 4] = [64.0, 24.0, 480.0, 340.0];
/// The share of wrong answers at the lower edge; what is less lies on it.
const LEAST: f64 = 0.001;
/// Colours that are told apart by the colour-blind too (Okabe and Ito 2008).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const STYLE: &str = "text{font:12px sans-serif;fill:#222}.axis{stroke:#222;fill:none}.grid{stroke:#ccc}\
    .line{fill:none;stroke-width:2}.bound{stroke:#222;stroke-dasharray:5 4}\
    @media(prefers-color-scheme:dark){text{fill:#ddd}.axis,.bound{stroke:#ddd}.grid{stroke:#444}}";

/// Draws named curves: coverage to the right, share of wrong answers upwards on a logarithmic scale.
pub fn svg(title: &str, curves: &[(String, &[Point])]) -> String {
    let [left, top, right, bottom] = FIELD;
    let height = HEIGHT.max(2.0 * top + 20.0 * curves.len() as f64);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n",
        escaped(title)
    );
    let mut put = |element: String| svg.push_str(&(element + "\n"));
    for share in [LEAST, 0.01, 0.1, 1.0] {
        put(format!("<path class=\"grid\" d=\"M{left} {y:.1}H{right}\"/>", y = y(share)));
        let least = if share <= LEAST { "≤ " } else { "" };
        put(format!(
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{least}{}%</text>",
            left - 8.0,
            y(share) + 4.0,
            share * 100.0
        ));
    }
    for tenth in [0, 2, 4, 6, 8, 10] {
        let coverage = f64::from(tenth) / 10.0;
        put(format!(
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}%</text>",
            x(coverage),
            bottom + 18.0,
            tenth * 10
        ));
    }
    put(format!("<path class=\"axis\" d=\"M{left} {top}V{bottom}H{right}\"/>"));
    let bound = RISKS[0];
    put(format!("<path class=\"bound\" d=\"M{left} {y:.1}H{right}\"/>", y = y(bound)));
    put(format!("<text x=\"{}\" y=\"{:.1}\">{}%</text>", right + 6.0, y(bound) + 4.0, bound * 100.0));
    put(format!(
        "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">answered, of those with an answer</text>",
        f64::midpoint(left, right),
        bottom + 40.0
    ));
    put(format!(
        "<text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">wrong, of those answered</text>",
        f64::midpoint(top, bottom)
    ));
    for (number, ((name, points), colour)) in curves.iter().zip(COLOURS.iter().cycle()).enumerate() {
        let dashes = if number < COLOURS.len() { "" } else { " stroke-dasharray=\"6 3\"" };
        let stroke = format!("class=\"line\" stroke=\"{colour}\"{dashes}");
        put(format!("<path {stroke} d=\"{}\"/>", way(points)));
        let at = top + 12.0 + 20.0 * number as f64;
        put(format!("<path {stroke} d=\"M{} {}h20\"/>", right + 16.0, at - 4.0));
        put(format!("<text x=\"{}\" y=\"{at}\">{}</text>", right + 42.0, escaped(name)));
    }
    svg + "</svg>\n"
}

fn way(points: &[Point]) -> String {
    points.iter().enumerate().fold(String::new(), |mut way, (number, point)| {
        let letter = if number == 0 { 'M' } else { 'L' };
        // Writing to a string cannot fail.
        let _ = write!(way, "{letter}{:.1} {:.1}", x(point.coverage), y(point.wrong_share));
        way
    })
}

fn x(coverage: f64) -> f64 {
    FIELD[0] + coverage.clamp(0.0, 1.0) * (FIELD[2] - FIELD[0])
}

fn y(share: f64) -> f64 {
    let up = 1.0 - share.clamp(LEAST, 1.0).log10() / LEAST.log10();
    FIELD[3] - up * (FIELD[3] - FIELD[1])
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_lies_where_it_should() {
        let point = |coverage: f64, wrong_share: f64| Point {
            confidence: 0.5,
            answered: 1,
            wrong: 0,
            coverage,
            wrong_share,
            wrong_upper95: 1.0,
        };
        assert_eq!(way(&[point(0.0, 0.0), point(1.0, 1.0), point(0.5, 0.001)]), "M64.0 340.0L480.0 24.0L272.0 340.0");
        let (points, none) = ([point(0.2, 0.01)], []);
        let svg = svg("a < b & c", &[("fused".to_owned(), &points), ("graph-only".to_owned(), &none)]);
        for part in
            ["<title>a &lt; b &amp; c</title>", ">fused<", ">graph-only<", ">0.3%<", "prefers-color-scheme:dark"]
        {
            assert!(svg.contains(part), "{part}: {svg}");
        }
        assert_eq!(svg.matches("class=\"line\"").count(), 4);
    }
}
