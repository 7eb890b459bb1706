//! `POST /v1/answers`.

use super::{App, Problem, extract::Object};
use crate::{
    Ask,
    service::check_question,
    wire::{AnswerBody, AskBody, TurnBody},
};
use axum::{Json, extract::State};
use factmask_engine::{AskOptions, FromText, Turn};
use std::sync::Arc;

/// Ask a question
///
/// The answer is a value of the knowledge base with the facts it stands on; or `from_text`, a literal span of a document, where the
/// facts hold none; or `not_in_kb`, or `ambiguous` with choices.
#[utoipa::path(
    post,
    path = "/v1/answers",
    request_body = AskBody,
    responses(
        (status = 200, description = "What came of the question", body = AnswerBody),
        (status = 400, description = "Not JSON", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "No such tenant", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "Body over 1 MiB", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "Not application/json", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "Unknown or missing field, or a question that is empty or too long", body = Problem,
            content_type = "application/problem+json"),
        (status = 503, description = "Queue full; see Retry-After", body = Problem,
            content_type = "application/problem+json"),
        (status = 504, description = "No answer in time", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(super) async fn ask(State(app): State<App>, Object(body): Object<AskBody>) -> Result<Json<AnswerBody>, Problem> {
    // Before it takes a place in the queue.
    for question in body.history.iter().map(|turn| &turn.question).chain([&body.question]) {
        check_question(question).map_err(|error| Problem::from(crate::ServiceError::from(error)))?;
    }
    let what = format!("a question of tenant {} of {} characters", body.tenant, body.question.chars().count());
    let text = match (body.from_text, body.compare_text) {
        (true, true) => FromText::Beside,
        (true, false) => FromText::Allowed,
        (false, _) => FromText::Never,
    };
    let turn = |turn: TurnBody| Turn { question: turn.question, answer: turn.answer };
    let options = AskOptions {
        tenant: body.tenant,
        explain: body.explain,
        lang: body.lang,
        text,
        history: body.history.into_iter().map(turn).collect(),
        ..AskOptions::default()
    };
    let ask = Ask { question: body.question, options, sentence: body.sentence };
    let answer = Arc::clone(&app.answer);
    Ok(Json(app.answers.run(what, move || answer(&ask)).await?))
}
