//! Rejects every request that does not come from the page itself.
//!
//! Any page open in the browser can reach a server on loopback. A request must therefore name this server as its host,
//! which defeats DNS names rebound to 127.0.0.1, and must not come from another origin.

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

/// The address of the server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnAddress(pub(crate) SocketAddr);

/// Headers of every answer: they forbid loading from elsewhere, type sniffing, caching and framing.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; \
         img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CACHE_CONTROL, "no-store"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
];

/// Rejects foreign requests, and adds headers to answers.
pub(crate) async fn guard(State(own): State<OwnAddress>, request: Request, next: Next) -> Response {
    let mut response = if own.admits(request.headers()) {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "this page answers to itself only").into_response()
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

impl OwnAddress {
    /// Whether a request is meant for this server and does not come from elsewhere.
    fn admits(self, headers: &HeaderMap) -> bool {
        let text = |name: HeaderName| headers.get(name).map(HeaderValue::as_bytes);
        let names =
            [format!("127.0.0.1:{}", self.0.port()), format!("localhost:{}", self.0.port())];
        let is_host = |host: &[u8]| names.iter().any(|name| name.as_bytes() == host);
        let is_origin =
            |origin: &[u8]| origin.strip_prefix(b"http://".as_slice()).is_some_and(is_host);
        let is_site = |site: &[u8]| site == b"same-origin" || site == b"none";
        text(header::HOST).is_some_and(is_host)
            && text(header::ORIGIN).is_none_or(is_origin)
            && text(HeaderName::from_static("sec-fetch-site")).is_none_or(is_site)
    }
}
