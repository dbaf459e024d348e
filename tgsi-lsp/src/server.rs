//! The connection to an editor: server capabilities, open texts, requests and responses.

use std::collections::HashMap;

use lsp_server::{Connection, ExtractError, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _,
    PublishDiagnostics,
};
use lsp_types::request::{
    Formatting, GotoDeclaration, GotoDefinition, HoverRequest, Request as _,
    SemanticTokensFullRequest,
};
use lsp_types::{
    DeclarationCapability, GotoDefinitionResponse, HoverProviderCapability, Location, OneOf,
    PublishDiagnosticsParams, SemanticTokensFullOptions, SemanticTokensOptions,
    SemanticTokensResult, ServerCapabilities, TextDocumentPositionParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, Uri,
};
use serde_json::Value;
use thiserror::Error;

use crate::document::Document;
use crate::{declaration, diagnostics, formatting, hover, tokens};

/// Why a server ends early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The client broke the protocol or disconnected.
    #[error("the client broke the protocol")]
    Protocol(#[from] lsp_server::ProtocolError),
    /// A response cannot be serialised, which is a bug in this crate.
    #[error("internal error: an answer is not JSON")]
    Json(#[from] serde_json::Error),
    /// The receiver of responses is gone.
    #[error("the client takes no more answers")]
    Gone,
    /// Reading or writing failed.
    #[error("cannot talk to the client")]
    Io(#[from] std::io::Error),
}

/// Serves an editor on standard input and output until it shuts down.
///
/// # Errors
/// If the editor breaks the protocol, or the connection breaks.
pub fn serve_stdio() -> Result<(), ServerError> {
    let (connection, threads) = Connection::stdio();
    let served = serve(&connection);
    // The threads end with the connection.
    drop(connection);
    served?;
    Ok(threads.join()?)
}

/// Serves the other end of a connection until it shuts down.
///
/// # Errors
/// If it breaks the protocol, or disconnects.
pub fn serve(connection: &Connection) -> Result<(), ServerError> {
    connection.initialize(serde_json::to_value(capabilities())?)?;
    let mut server = Server { connection, documents: HashMap::new() };
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request)? {
                    return Ok(());
                }
                let answer = server.answer(request);
                server.send(Message::Response(answer))?;
            }
            Message::Notification(notification) => server.take(notification)?,
            Message::Response(_) => {}
        }
    }
    Ok(())
}

fn capabilities() -> ServerCapabilities {
    let tokens = SemanticTokensOptions {
        legend: tokens::legend(),
        full: Some(SemanticTokensFullOptions::Bool(true)),
        ..SemanticTokensOptions::default()
    };
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        declaration_provider: Some(DeclarationCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        semantic_tokens_provider: Some(tokens.into()),
        ..ServerCapabilities::default()
    }
}

struct Server<'c> {
    connection: &'c Connection,
    documents: HashMap<String, Document>,
}

impl Server<'_> {
    fn send(&self, message: Message) -> Result<(), ServerError> {
        self.connection.sender.send(message).map_err(|_| ServerError::Gone)
    }

    /// Handles a notification of the editor; unknown ones are ignored.
    fn take(&mut self, notification: Notification) -> Result<(), ServerError> {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Some(opened) = read::<DidOpenTextDocument>(params) {
                    self.open(opened.text_document.uri, opened.text_document.text)?;
                }
            }
            DidChangeTextDocument::METHOD => {
                let changed = read::<DidChangeTextDocument>(params);
                // Each change carries the whole text.
                let last = changed.and_then(|changed| {
                    Some((changed.text_document.uri, changed.content_changes.into_iter().last()?))
                });
                if let Some((uri, change)) = last {
                    self.open(uri, change.text)?;
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Some(closed) = read::<DidCloseTextDocument>(params) {
                    let uri = closed.text_document.uri;
                    self.documents.remove(uri.as_str());
                    self.publish(uri, Vec::new())?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, uri: Uri, text: String) -> Result<(), ServerError> {
        let document = Document::new(text);
        let found = diagnostics::of(&document, &uri);
        self.documents.insert(uri.as_str().to_owned(), document);
        self.publish(uri, found)
    }

    fn publish(&self, uri: Uri, found: Vec<lsp_types::Diagnostic>) -> Result<(), ServerError> {
        let params = PublishDiagnosticsParams::new(uri, found, None);
        let method = PublishDiagnostics::METHOD.to_owned();
        self.send(Message::Notification(Notification::new(method, params)))
    }

    fn answer(&self, request: Request) -> Response {
        let id = request.id.clone();
        let answered = match request.method.as_str() {
            HoverRequest::METHOD => self.with::<HoverRequest>(request, |own, params| {
                let (document, at) = own.placed(&params.text_document_position_params)?;
                hover::at(document, at)
            }),
            GotoDeclaration::METHOD => self.with::<GotoDeclaration>(request, |own, params| {
                own.declaration(&params.text_document_position_params)
            }),
            GotoDefinition::METHOD => self.with::<GotoDefinition>(request, |own, params| {
                own.declaration(&params.text_document_position_params)
            }),
            Formatting::METHOD => self.with::<Formatting>(request, |own, params| {
                formatting::edits(own.document(&params.text_document.uri)?)
            }),
            SemanticTokensFullRequest::METHOD => {
                self.with::<SemanticTokensFullRequest>(request, |own, params| {
                    let document = own.document(&params.text_document.uri)?;
                    Some(SemanticTokensResult::Tokens(tokens::of(document)))
                })
            }
            method => {
                let message = format!("there is no method `{method}`");
                let code = lsp_server::ErrorCode::MethodNotFound as i32;
                return Response::new_err(id, code, message);
            }
        };
        match answered {
            Ok(value) => Response::new_ok(id, value),
            Err(message) => {
                Response::new_err(id, lsp_server::ErrorCode::InvalidParams as i32, message)
            }
        }
    }

    /// Answers a request of one kind.
    fn with<R>(
        &self,
        request: Request,
        answer: impl FnOnce(&Self, R::Params) -> R::Result,
    ) -> Result<Value, String>
    where
        R: lsp_types::request::Request,
    {
        let (_, params) = request.extract::<R::Params>(R::METHOD).map_err(|error| match error {
            ExtractError::JsonError { error, .. } => error.to_string(),
            ExtractError::MethodMismatch(request) => request.method,
        })?;
        serde_json::to_value(answer(self, params)).map_err(|error| error.to_string())
    }

    fn document(&self, uri: &Uri) -> Option<&Document> {
        self.documents.get(uri.as_str())
    }

    fn placed(
        &self,
        params: &TextDocumentPositionParams,
    ) -> Option<(&Document, lsp_types::Position)> {
        Some((self.document(&params.text_document.uri)?, params.position))
    }

    fn declaration(&self, params: &TextDocumentPositionParams) -> Option<GotoDefinitionResponse> {
        let (document, at) = self.placed(params)?;
        let range = declaration::find(document, at)?;
        let location = Location::new(params.text_document.uri.clone(), range);
        Some(GotoDefinitionResponse::Scalar(location))
    }
}

/// The parameters of a notification; `None` if they have the wrong form.
fn read<N: lsp_types::notification::Notification>(params: Value) -> Option<N::Params> {
    serde_json::from_value(params).ok()
}
