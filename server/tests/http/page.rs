//! The page and its files.

use super::support::{get, is, problem, real_app, send};
use axum::http::{StatusCode, header};

#[tokio::test]
async fn the_page_comes_with_every_file_it_names_and_runs_nothing_else() {
    let app = real_app();
    let (status, headers, body) = send(&app, get("/")).await;
    assert_eq!((status, &headers[header::CACHE_CONTROL]), (StatusCode::OK, &"no-cache".parse().unwrap()));
    let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"), "{policy}");
    let page = String::from_utf8(body).unwrap();
    let named: Vec<&str> = page.split('"').filter(|part| part.starts_with("/assets/")).collect();
    assert!(named.len() >= 2, "{page}");
    for (ending, kind) in [(".js", "text/javascript"), (".css", "text/css")] {
        let name = named.iter().find(|name| name.ends_with(ending)).unwrap();
        let (status, headers, body) = send(&app, get(name)).await;
        assert_eq!((status, headers[header::CONTENT_TYPE].to_str().unwrap()), (StatusCode::OK, kind), "{name}");
        assert!(!body.is_empty() && headers[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"), "{name}");
    }
    assert!(!page.contains("://") || !page.contains("src=\"http"), "{page}");
    for path in ["/assets/absent.js", "/assets/..%2Findex.html", "/assets/%2e%2e%2fCargo.toml"] {
        problem(&app, get(path), 404, &is("no-file")).await;
    }
}
