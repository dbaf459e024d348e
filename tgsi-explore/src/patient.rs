//! Closes stalled connections: idle ones, half-sent requests, answers that nobody fetches.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep, sleep};

/// Accepts connections that time out.
#[derive(Debug)]
pub(crate) struct PatientListener {
    pub(crate) listener: TcpListener,
    pub(crate) patience: Duration,
}

impl Listener for PatientListener {
    type Io = PatientStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (PatientStream, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        (PatientStream::new(stream, self.patience), address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection with a timeout. It fails if a request is not received and answered within that time from its first
/// byte, or if no request begins within that time after an answer. Bytes that trickle in do not extend it.
#[derive(Debug)]
pub(crate) struct PatientStream {
    stream: TcpStream,
    patience: Duration,
    end: Pin<Box<Sleep>>,
    /// Whether the next byte begins a request.
    is_idle: bool,
}

impl PatientStream {
    fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, patience, end: Box::pin(sleep(patience)), is_idle: true }
    }

    fn restart(&mut self, is_idle: bool) {
        self.is_idle = is_idle;
        self.end.as_mut().reset(Instant::now() + self.patience);
    }

    /// Pending until the time is up; then an error.
    fn poll_end<T>(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        ready!(self.end.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    fn written<T>(
        &mut self,
        cx: &mut Context<'_>,
        done: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if done.is_pending() {
            return self.poll_end(cx);
        }
        self.restart(true);
        done
    }
}

impl AsyncRead for PatientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if done.is_pending() {
            return self.poll_end(cx);
        }
        if self.is_idle {
            self.restart(false);
        }
        done
    }
}

impl AsyncWrite for PatientStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.written(cx, done)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.written(cx, done)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
