//! The service as a process: it answers, it keeps its store to itself, and it stops when it is told to.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

#[path = "support/command.rs"]
mod command;

use command::Room;
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// A running service that is ended when the test ends, however it ends.
struct Running {
    child: Child,
    address: SocketAddr,
}

impl Running {
    fn start(room: &Room, arguments: &[&str]) -> Self {
        let mut child = room.command(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.find(|line| line.as_ref().unwrap().contains("http://")).unwrap().unwrap();
        let address = line.split("http://").nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap();
        Self { child, address }
    }

    /// Sends a request and gives status line and body.
    fn request(&self, method: &str, path: &str, body: &str) -> (String, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.lines().next().unwrap().to_owned(), body.to_owned())
    }

    fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap().success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_answers_keeps_its_store_and_stops_on_a_signal() {
    let room = Room::new().with_documents();
    for signal in ["-TERM", "-INT"] {
        let mut running = Running::start(&room, &["serve", "--no-model", "--port", "0"]);

        let (status, body) = running.request("GET", "/health", "");
        assert!(status.contains("200") && body.contains("\"facts\":1"), "{status} {body}");

        let (status, body) =
            running.request("POST", "/v1/answers", r#"{"question": "What is the capital of Freedonia?"}"#);
        assert!(status.contains("200") && body.contains("\"text\":\"Marxville\""), "{status} {body}");
        assert!(body.contains("\"document\":\"") && body.contains("e:capital e:marxville"), "it cites: {body}");

        for arguments in [&["ingest", "docs"][..], &["ask", "Who?", "--no-model"], &["documents", "list"]] {
            let out = room.run(arguments);
            let error = String::from_utf8(out.stderr).unwrap();
            assert_eq!(out.status.code(), Some(1), "{arguments:?}: {error}");
            assert!(error.contains("in use") && error.lines().count() == 1, "{arguments:?}: {error}");
        }

        running.signal(signal);
        let began = Instant::now();
        let code = loop {
            if let Some(status) = running.child.try_wait().unwrap() {
                break status.code();
            }
            assert!(began.elapsed() < Duration::from_secs(20), "{signal} does not stop it");
            std::thread::sleep(Duration::from_millis(20));
        };
        assert_eq!(code, Some(0), "{signal}");
        // The store is free again and whole.
        assert!(room.succeed(&["ask", "What is the capital of Freedonia?", "--no-model"]).contains("Marxville"));
    }
}
