//! A service on a loopback address answers this machine alone, also where a browser is talked into asking for someone else.
//!
//! A foreign page can have its own name resolve to 127.0.0.1 (DNS rebinding), and can send forms to any address without
//! asking first. The name in `Host` gives the one away, `Origin` the other.

use super::Problem;
use axum::{
    extract::Request,
    http::{StatusCode, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::net::IpAddr;

/// Refuses what is not meant for this machine by name, or comes from a page of another one.
pub(super) async fn only(request: Request, next: Next) -> Response {
    match foreign(&request) {
        Some(problem) => problem.into_response(),
        None => next.run(request).await,
    }
}

fn foreign(request: &Request) -> Option<Problem> {
    let header = |name| request.headers().get(name).map(|value| value.to_str().unwrap_or_default());
    let host = request.uri().authority().map(Authority::as_str).or(header(header::HOST));
    if host.is_some_and(|host| !is_local(host)) {
        let detail = "this service listens on a loopback address and answers to localhost, 127.0.0.1 and [::1] alone; \
                      let it listen elsewhere with --host to give it another name";
        return Some(Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            "foreign-host",
            "Not the name of this service",
            detail,
        ));
    }
    let from = header(header::ORIGIN)?;
    let local = from.split_once("://").is_some_and(|(_, host)| is_local(host));
    let detail = "this service listens on a loopback address and takes requests of pages of this machine alone";
    (!local).then(|| Problem::new(StatusCode::FORBIDDEN, "foreign-origin", "From a page of another place", detail))
}

/// Whether a host, with or without port, is this machine.
fn is_local(host: &str) -> bool {
    let Ok(host) = host.parse::<Authority>() else { return false };
    let name = host.host().trim_end_matches('.').to_ascii_lowercase();
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name == "localhost" || address.is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::is_local;

    #[test]
    fn names_of_this_machine() {
        for (host, expected) in [
            ("localhost", true),
            ("LOCALHOST:7878", true),
            ("localhost.", true),
            ("127.0.0.1:7878", true),
            ("127.1.2.3", true),
            ("[::1]:80", true),
            ("[::ffff:127.0.0.1]", true),
            ("example.com", false),
            ("localhost.example.com", false),
            ("127.0.0.1.example.com:7878", false),
            ("10.0.0.1", false),
            ("0.0.0.0", false),
            ("user@example.com", false),
            ("", false),
            ("a b", false),
        ] {
            assert_eq!(is_local(host), expected, "{host}");
        }
    }
}
