//! The server: a page, its set-up, and answers.

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use pass_manager::Clock;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tracing::info;

use crate::answer::answer_until;
use crate::deadline::Deadline;
use crate::foreign::Translator;
use crate::guard::{OwnAddress, guard};
use crate::limits::Limits;
use crate::page::{self, File};
use crate::patient::PatientListener;
use crate::question::Question;
use crate::setup::Setup;

/// A server that is bound but not yet answering.
#[derive(Debug)]
pub struct Explorer {
    listener: TcpListener,
    home: SocketAddr,
    text: Option<String>,
    limits: Limits,
    translator: Option<Arc<dyn Translator>>,
}

impl Explorer {
    /// Binds to `port` of 127.0.0.1, or to any free port if it is 0. The page begins with `text`.
    ///
    /// # Errors
    /// If the port is taken.
    pub async fn bind(port: u16, text: Option<String>, limits: Limits) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let home = listener.local_addr()?;
        Ok(Self { listener, home, text, limits, translator: None })
    }

    /// Also accepts the languages of `translator`.
    #[must_use]
    pub fn with_translator(self, translator: Arc<dyn Translator>) -> Self {
        Self { translator: Some(translator), ..self }
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}/", self.home)
    }

    /// Answers requests until `stop` is ready.
    ///
    /// # Errors
    /// If the socket fails.
    pub async fn serve(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        info!(url = self.url(), "serving");
        let router = router(self.home, self.text, self.limits, self.translator);
        let patience = self.limits.patience;
        let listener = PatientListener { listener: self.listener, patience };
        axum::serve(listener, router).with_graceful_shutdown(stop).await
    }
}

struct Shared {
    setup: Setup,
    limits: Limits,
    translator: Option<Arc<dyn Translator>>,
    turns: Arc<Semaphore>,
}

/// The routes of a server at `home`.
pub fn router(
    home: SocketAddr,
    text: Option<String>,
    limits: Limits,
    translator: Option<Arc<dyn Translator>>,
) -> Router {
    let shared = Shared {
        setup: Setup::new(text, &limits),
        limits,
        translator,
        turns: Arc::new(Semaphore::new(limits.parallel)),
    };
    let files = page::FILES.into_iter().chain([page::SERVED]);
    let router = files.fold(Router::new(), |router, file| {
        let path = if file.name == "index.html" { "" } else { file.name };
        router.route(&format!("/{path}"), get(move || async move { served(file) }))
    });
    router
        .route("/setup", get(setup))
        .route("/answer", post(answer))
        .layer(DefaultBodyLimit::max(limits.body))
        .layer(middleware::from_fn_with_state(OwnAddress(home), guard))
        .with_state(Arc::new(shared))
}

fn served(file: File) -> impl IntoResponse {
    ([(CONTENT_TYPE, file.media_type)], file.text)
}

async fn setup(State(shared): State<Arc<Shared>>) -> Response {
    Json(&shared.setup).into_response()
}

async fn answer(
    State(shared): State<Arc<Shared>>,
    question: Result<Json<Question>, JsonRejection>,
) -> Response {
    let question = match question {
        Ok(Json(question)) => question,
        Err(error) => return refusal(error.status(), &error.body_text()),
    };
    let deadline = Deadline::after(shared.limits.time, Clock::default());
    // If the page sends a new request, it drops this one, and the guard with it.
    let _guard = deadline.guard();
    let work = async {
        let turn = Arc::clone(&shared.turns).acquire_owned().await;
        let (shared, limits, deadline) = (Arc::clone(&shared), shared.limits, deadline.clone());
        let job = move || {
            // The slot is released when the work ends, even if the request is gone.
            let _turn = turn;
            answer_until(&question, &limits, shared.translator.as_deref(), &deadline)
        };
        tokio::task::spawn_blocking(job).await
    };
    match tokio::time::timeout(shared.limits.time, work).await {
        Ok(Ok(answer)) => Json(answer).into_response(),
        Ok(Err(_)) => {
            refusal(StatusCode::INTERNAL_SERVER_ERROR, "the compiler broke; please report it")
        }
        Err(_) => {
            refusal(StatusCode::SERVICE_UNAVAILABLE, "compiling takes too long for this page")
        }
    }
}

fn refusal(status: StatusCode, why: &str) -> Response {
    (status, Json(json!({ "error": why }))).into_response()
}
