//! Full queues, slow and broken work.

use super::support::{app, problem, question, send};
use axum::http::{StatusCode, header};
use factmask_server::{ServiceError, http::Reply};
use std::{
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// Holds questions until it is opened, and counts those that were begun.
#[derive(Default)]
struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
    begun: AtomicUsize,
}

impl Gate {
    fn answer(&self) -> Reply {
        self.begun.fetch_add(1, Ordering::SeqCst);
        let open = self.open.lock().unwrap();
        drop(self.opened.wait_while(open, |open| !*open).unwrap());
        Err(ServiceError::NoTenant("held".to_owned()))
    }

    fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.opened.notify_all();
    }

    async fn until_begun(&self, count: usize) {
        for _ in 0..1_000 {
            if self.begun.load(Ordering::SeqCst) >= count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{count} questions were not begun");
    }
}

#[tokio::test]
async fn a_full_queue_refuses_and_a_client_that_leaves_takes_its_question_back() {
    let gate = Arc::new(Gate::default());
    let held = Arc::clone(&gate);
    let app = app(move |_| held.answer(), 1, Duration::from_secs(60));
    let ask = || {
        let app = app.clone();
        tokio::spawn(async move { send(&app, question(r#"{"question": "x"}"#)).await.0 })
    };
    let first = ask();
    gate.until_begun(1).await;
    let second = ask();
    // The second takes the one place. How soon cannot be seen from here, so ask until it has.
    let mut refused = None;
    for _ in 0..1_000 {
        let (status, headers, _) =
            tokio::time::timeout(Duration::from_millis(50), send(&app, question(r#"{"question": "x"}"#)))
                .await
                .unwrap_or_default();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            refused = Some(headers);
            break;
        }
    }
    let headers = refused.expect("the queue is full");
    assert_eq!(headers[header::RETRY_AFTER], "1");
    assert_eq!(headers[header::CONTENT_TYPE], "application/problem+json");

    second.abort();
    let _ = second.await;
    gate.open();
    assert_eq!(first.await.unwrap(), StatusCode::NOT_FOUND);
    // The place of the one that was taken back is free as soon as the thread has seen that it was.
    while ask().await.unwrap() == StatusCode::SERVICE_UNAVAILABLE {}
    assert_eq!(gate.begun.load(Ordering::SeqCst), 2, "what waited and was taken back was never begun");
}

#[tokio::test]
async fn slow_and_broken_answers_are_problems_and_the_next_question_is_answered() {
    let gate = Arc::new(Gate::default());
    let held = Arc::clone(&gate);
    let app = app(
        move |ask| match ask.question.as_str() {
            "slow" => held.answer(),
            "broken" => panic!("of the inside"),
            _ => Err(ServiceError::NoTenant("reached".to_owned())),
        },
        4,
        // Long enough for a panic to be printed with its backtrace on a busy machine.
        Duration::from_secs(8),
    );
    problem(&app, question(r#"{"question": "slow"}"#), 504, "urn:factmask:problem:timeout").await;
    gate.open();
    let (body, _) = problem(&app, question(r#"{"question": "broken"}"#), 500, "urn:factmask:problem:internal").await;
    assert!(!body.to_string().contains("inside"), "what broke is for the log: {body}");
    problem(&app, question(r#"{"question": "next"}"#), 404, "urn:factmask:problem:no-tenant").await;
}
