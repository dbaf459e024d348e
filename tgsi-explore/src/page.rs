//! The files of the page, embedded in the program.

/// A file of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name relative to the page; the page itself is `index.html`.
    pub name: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// Its contents.
    pub text: &'static str,
}

/// Every file of the page except `answers.js`, which selects the backend: a server or WebAssembly (`cargo xtask site`).
pub const FILES: [File; 6] = [
    File {
        name: "index.html",
        media_type: "text/html; charset=utf-8",
        text: include_str!("../page/index.html"),
    },
    File {
        name: "style.css",
        media_type: "text/css; charset=utf-8",
        text: include_str!("../page/style.css"),
    },
    File { name: "script.js", media_type: JAVASCRIPT, text: include_str!("../page/script.js") },
    File { name: "colours.js", media_type: JAVASCRIPT, text: include_str!("../page/colours.js") },
    File { name: "compare.js", media_type: JAVASCRIPT, text: include_str!("../page/compare.js") },
    File { name: "zoom.js", media_type: JAVASCRIPT, text: include_str!("../page/zoom.js") },
];

/// `answers.js` for a page backed by a server.
pub const SERVED: File = File {
    name: "answers.js",
    media_type: JAVASCRIPT,
    text: include_str!("../page/answers/served.js"),
};

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
