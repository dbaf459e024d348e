//! A browser, the page in it, and a server of files.

use std::future::IntoFuture as _;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, fs};

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::http::{StatusCode, Uri};
use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::Result;

/// Serves a folder as any host of static files does, and gives its address.
pub(crate) async fn serve_files(folder: PathBuf) -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/", listener.local_addr()?);
    let answer = move |uri: Uri| async move {
        let name = match uri.path() {
            "/" => "index.html",
            path => path.trim_start_matches('/'),
        };
        let media_type = match name.rsplit('.').next() {
            Some("html") => "text/html",
            Some("js") => "text/javascript",
            Some("css") => "text/css",
            _ => "application/wasm",
        };
        match fs::read(folder.join(name)) {
            Ok(bytes) => (StatusCode::OK, [(CONTENT_TYPE, media_type)], bytes),
            Err(_) => (StatusCode::NOT_FOUND, [(CONTENT_TYPE, "text/plain")], Vec::new()),
        }
    };
    tokio::spawn(axum::serve(listener, Router::new().fallback(answer)).into_future());
    Ok(url)
}

/// A running ChromeDriver.
pub(crate) struct Driver {
    process: Child,
    port: u16,
    profile: PathBuf,
}

impl Driver {
    /// `None` where there is none.
    pub(crate) fn start() -> Result<Option<Self>> {
        let has = |name| find_program(name).is_some();
        if !has("chromedriver") || !(has("chromium") || has("google-chrome")) {
            return Ok(None);
        }
        let mut process =
            Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn()?;
        let output = process.stdout.take().ok_or("ChromeDriver has no output")?;
        let port =
            BufReader::new(output).lines().map_while(std::result::Result::ok).find_map(|line| {
                line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok()
            });
        let profile = env::temp_dir().join(format!("tgsi-explore-browser-{}", process.id()));
        Ok(Some(Self { process, port: port.ok_or("ChromeDriver did not start")?, profile }))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It is gone already when it does not end by this.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.profile);
    }
}

fn find_program(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// The page in a browser.
pub(crate) struct Page {
    pub(crate) client: Client,
}

impl Page {
    pub(crate) async fn open(driver: &Driver, url: &str) -> Result<Self> {
        let profile = format!("--user-data-dir={}", driver.profile.display());
        let mut capabilities = Capabilities::new();
        let options = json!({ "args": [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-dev-shm-usage", "--window-size=1180,760", profile,
        ]});
        capabilities.insert("goog:chromeOptions".to_owned(), options);
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{}", driver.port))
            .await?;
        client.goto(url).await?;
        Ok(Self { client })
    }

    pub(crate) async fn script(&self, body: &str, args: Vec<Value>) -> Result<Value> {
        Ok(self.client.execute(body, args).await?)
    }

    /// Waits until the script gives true.
    pub(crate) async fn wait(&self, what: &str, condition: &str) -> Result<()> {
        let body = format!("return Boolean({condition})");
        for _ in 0..300 {
            if self.script(&body, Vec::new()).await? == json!(true) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let seen = self.script("return document.body.innerText.slice(-2000)", Vec::new()).await?;
        Err(format!("{what}: waited in vain for {condition}; the page shows {seen}").into())
    }

    pub(crate) async fn listing(&self) -> Result<String> {
        let text =
            self.script("return document.querySelector('.listing pre').textContent", Vec::new());
        Ok(text.await?.as_str().unwrap_or_default().to_owned())
    }

    /// Replaces the source by way of the keyboard.
    pub(crate) async fn type_text(&self, text: &str) -> Result<()> {
        let area = self.client.find(Locator::Id("text")).await?;
        area.clear().await?;
        area.send_keys(text).await?;
        Ok(())
    }

    pub(crate) async fn screenshot(&self, name: &str) -> Result<()> {
        if let Some(folder) = env::var_os("SCREENSHOTS") {
            let png = self.client.screenshot().await?;
            fs::write(Path::new(&folder).join(name), png)?;
        }
        Ok(())
    }
}
