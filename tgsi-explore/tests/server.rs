//! What the server lets in, and what it answers.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use r600_codegen::OptLevel;
use tgsi_explore::{
    Complaint, ComplaintPlace, Explorer, Language, Limits, Question, Shown, Translated, Translator,
    View, answer, answer_with,
};
use tokio::runtime::Runtime;

const SHADER: &str = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\nMOV OUT[0], CONST[0]\nEND\n";

/// A server for one test.
struct Server {
    _runtime: Runtime,
    address: SocketAddr,
}

impl Server {
    fn start(limits: Limits) -> Self {
        let runtime = Runtime::new().unwrap();
        let explorer = runtime.block_on(Explorer::bind(0, None, limits)).unwrap();
        let url = explorer.url();
        let address = url.trim_start_matches("http://").trim_end_matches('/').parse().unwrap();
        runtime.spawn(explorer.serve(std::future::pending()));
        Self { _runtime: runtime, address }
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}", self.address.port())
    }

    /// Status and the whole answer to a request with these headers.
    fn send(&self, line: &str, headers: &[&str], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let head = headers.join("\r\n");
        let length = body.len();
        let request = format!(
            "{line} HTTP/1.1\r\n{head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        // A server that refuses a body by its length may close before all of it is sent.
        let _ = stream.write_all(body.as_bytes());
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response);
        let text = String::from_utf8_lossy(&response).into_owned();
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, text)
    }

    fn ask(&self, headers: &[&str], body: &str) -> (u16, String) {
        let host = self.host();
        let mut all = vec![host.as_str(), "Content-Type: application/json"];
        all.extend(headers);
        self.send("POST /answer", &all, body)
    }
}

fn question(text: &str, view: View) -> Question {
    Question {
        text: text.to_owned(),
        chip: "rv770".to_owned(),
        level: OptLevel::O2,
        precise: false,
        view,
        pass: None,
        row: None,
    }
}

fn body() -> String {
    serde_json::to_string(&question(SHADER, View::Listing)).unwrap()
}

#[test]
fn the_page_asks_and_is_answered() {
    let server = Server::start(Limits::default());
    let origin = format!("Origin: http://{}", server.address);
    let (status, text) = server.ask(&[&origin, "Sec-Fetch-Site: same-origin"], &body());
    assert_eq!(status, 200, "{text}");
    assert!(text.contains("EXP_DONE"), "{text}");
    let localhost = format!("Host: localhost:{}", server.address.port());
    assert_eq!(server.send("GET /", &[&localhost], "").0, 200);
}

#[test]
fn other_origins_are_refused() {
    let server = Server::start(Limits::default());
    let other_port = format!("Origin: http://127.0.0.1:{}", server.address.port() ^ 1);
    for header in [
        "Origin: http://example.org",
        "Origin: null",
        other_port.as_str(),
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
    ] {
        let (status, text) = server.ask(&[header], &body());
        assert_eq!(status, 403, "{header}: {text}");
        assert!(text.ends_with("this page answers to itself only"), "{text}");
    }
}

#[test]
fn other_names_of_this_machine_are_refused() {
    let server = Server::start(Limits::default());
    for host in ["Host: example.org", "Host: 127.0.0.1", "Host: 127.0.0.1:1"] {
        assert_eq!(server.send("GET /", &[host], "").0, 403, "{host}");
    }
}

#[test]
fn the_page_loads_nothing_from_elsewhere() {
    let server = Server::start(Limits::default());
    assert!(server.address.ip().is_loopback());
    for path in ["/", "/style.css", "/script.js", "/setup"] {
        let (status, text) = server.send(&format!("GET {path}"), &[&server.host()], "");
        assert_eq!(status, 200, "{path}");
        assert!(text.contains("content-security-policy: default-src 'none'"), "{path}");
        let content = text.split_once("\r\n\r\n").unwrap().1;
        assert!(!content.contains("http://") && !content.contains("https://"), "{path}");
    }
    assert_eq!(server.send("GET /elsewhere", &[&server.host()], "").0, 404);
}

#[test]
fn oversized_bodies_are_refused() {
    let server = Server::start(Limits { body: 10_000, ..Limits::default() });
    let text = format!("{SHADER}{}", " ".repeat(20_000));
    let body = serde_json::to_string(&question(&text, View::Listing)).unwrap();
    assert_eq!(server.ask(&[], &body).0, 413);
    assert_eq!(server.ask(&[], &self::body()).0, 200);
}

#[test]
fn malformed_questions_are_refused() {
    let server = Server::start(Limits::default());
    let refused = |body: &str| {
        let (status, text) = server.ask(&[], body);
        assert!(text.contains("{\"error\":\""), "{text}");
        status
    };
    assert_eq!(refused("{\"text\": "), 400);
    assert_eq!(refused("{}"), 422);
    assert_eq!(refused("{\"text\":\"\",\"chip\":\"rv770\",\"shell\":true}"), 422);
    assert_eq!(refused("{\"text\":\"\",\"chip\":\"rv770\",\"view\":\"files\"}"), 422);
    let plain = server.send("POST /answer", &[&server.host(), "Content-Type: text/plain"], &body());
    assert_eq!(plain.0, 415);
}

fn shown(question: &Question, limits: &Limits) -> Shown {
    answer(question, limits).shown.unwrap()
}

#[test]
fn every_view_shows_something() {
    for view in [View::Listing, View::Schedule, View::Cfg, View::Passes, View::Deps] {
        let shown = shown(&question(SHADER, view), &Limits::default());
        assert!(!matches!(shown, Shown::Message { .. }), "{view:?}: {shown:?}");
    }
    let pass = Some("lower".to_owned());
    let after = Question { pass, ..question(SHADER, View::Pass) };
    let Shown::Text { text, .. } = shown(&after, &Limits::default()) else { unreachable!() };
    assert!(text.contains("export"), "{text}");
}

#[test]
fn lines_of_the_listing_lead_to_lines_of_the_source() {
    let shader = SHADER.replace("MOV OUT[0], CONST[0]", "MUL OUT[0], CONST[0], CONST[0].yyyy");
    let answer = answer(&question(&shader, View::Listing), &Limits::default());
    let Some(Shown::Text { text, origins }) = answer.shown else { unreachable!() };
    assert_eq!(text.lines().count(), origins.len());
    let export = text.lines().position(|line| line.contains("EXP_DONE")).unwrap();
    let lines: Vec<_> =
        origins[export].iter().map(|id| answer.instruction_lines[*id as usize]).collect();
    assert_eq!(lines, [Some(3)]);
}

#[test]
fn mistakes_have_their_places() {
    let text = SHADER.replace("MOV", "MOVE");
    let answer = answer(&question(&text, View::Listing), &Limits::default());
    assert_eq!((answer.problems[0].start, answer.problems[0].end), ((3, 0), (3, 4)));
    assert_eq!((answer.problems[0].severity, answer.costs), ("error", None));
}

#[test]
fn what_the_compiler_refuses_is_a_problem_with_its_place() {
    let text = "GEOM\nDCL OUT[0], COLOR\nEND\n";
    let answer = answer(&question(text, View::Listing), &Limits::default());
    assert!(answer.problems.iter().any(|problem| problem.severity == "error"), "{answer:?}");
}

#[test]
fn old_shaders_compile_and_keep_their_lines() {
    let text = "# dialect: 2010\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL ADDR[0]\n\
                IMM FLT32 { 1.0, 2.0, 3.0, 4.0 }\nIMM FLT32 { 5.0, 6.0, 7.0, 8.0 }\n\
                ARL ADDR[0].x, IN[0].xxxx\nSUB OUT[0], IMM[ADDR[0].x], IN[0]\nEND\n";
    let answer = answer(&question(text, View::Listing), &Limits::default());
    assert!(answer.problems.is_empty(), "{answer:?}");
    let Some(Shown::Text { text, origins }) = answer.shown else { unreachable!() };
    let add = text.lines().position(|line| line.contains(" ADD ")).unwrap();
    let line = |id: &u32| answer.instruction_lines[*id as usize];
    assert_eq!(origins[add].iter().map(line).collect::<Vec<_>>(), [Some(8)]);
}

/// Takes one text as GLSL.
#[derive(Debug)]
struct OneText;

const GLSL: &str = "#version 450\nvoid main() {\n  color = tint;\n}\n";

impl Translator for OneText {
    fn translate(
        &self,
        text: &str,
        language: Language,
        _: Duration,
    ) -> Result<Translated, Vec<Complaint>> {
        assert_eq!(language, Language::Glsl);
        match text == GLSL {
            true => Ok(Translated {
                shader: tgsi_text::parse(&SHADER.replace("MOV", "FRC")).shader,
                lines: vec![Some(2), None],
            }),
            false => Err(vec![Complaint::new("another text", ComplaintPlace::Line(2))]),
        }
    }
}

#[test]
fn other_languages_are_translated_where_somebody_does() {
    let asked = question(GLSL, View::Listing);
    let translated = answer_with(&asked, &Limits::default(), &OneText);
    assert_eq!(translated.instruction_lines, [Some(2), None]);
    let Some(Shown::Text { text, origins }) = translated.shown else { unreachable!() };
    let fract = text.lines().position(|line| line.contains(" FRACT ")).unwrap();
    assert_eq!(origins[fract], [0]);

    let wrong = question(&GLSL.replace("tint", "hue"), View::Listing);
    let translated = answer_with(&wrong, &Limits::default(), &OneText);
    let [problem] = &translated.problems[..] else { unreachable!() };
    assert_eq!((problem.start, problem.end), ((2, 2), (2, 14)));
    assert_eq!((&*problem.message, translated.shown), ("another text", None));

    let Some(Shown::Message { text }) = answer(&asked, &Limits::default()).shown else {
        unreachable!()
    };
    assert!(text.starts_with("This is GLSL, and this page takes TGSI only."), "{text}");
}

fn long_shader(instructions: usize) -> String {
    let mut text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n\
                    DCL CONST[0][0..1]\nDCL TEMP[0..15]\nMOV TEMP[0], IN[0]\n"
        .to_owned();
    for n in 1..instructions - 2 {
        let (to, from) = (n % 16, (n + 15) % 16);
        text.push_str(&format!("MAD TEMP[{to}], TEMP[{from}].yzwx, CONST[0][0], CONST[0][1]\n"));
    }
    text + &format!("MOV OUT[0], TEMP[{}]\nEND\n", (instructions - 3) % 16)
}

#[test]
fn shaders_over_the_limits_get_a_message() {
    let limits = Limits { instructions: 100, ..Limits::default() };
    let Shown::Message { text } = shown(&question(&long_shader(101), View::Listing), &limits)
    else {
        unreachable!()
    };
    assert!(text.starts_with("The shader has 101 instructions. This page compiles up to 100"));
}

#[test]
fn work_without_time_ends_with_a_message() {
    let limits = Limits { time: Duration::ZERO, ..Limits::default() };
    let begin = Instant::now();
    let Shown::Message { text } = shown(&question(&long_shader(3000), View::Listing), &limits)
    else {
        unreachable!()
    };
    assert!(text.starts_with("Compiling takes too long"), "{text}");
    // Generous: without the limit this takes longer only on the slowest machines, but never this long.
    assert!(begin.elapsed() < Duration::from_secs(60));
}

#[test]
fn an_unknown_chip_or_pass_gets_a_message() {
    let unknown = Question { chip: "gtx970".to_owned(), ..question(SHADER, View::Listing) };
    assert!(matches!(shown(&unknown, &Limits::default()), Shown::Message { .. }));
    let pass = Some("polish".to_owned());
    let unknown = Question { pass, ..question(SHADER, View::Pass) };
    assert!(matches!(shown(&unknown, &Limits::default()), Shown::Message { .. }));
}

/// How long the server leaves a connection open on which `sent` arrives, and then a byte of `trickle` every 50 ms.
fn lasts(patience: u64, sent: &str, trickle: &str) -> Duration {
    let patience = Duration::from_millis(patience);
    let server = Server::start(Limits { patience, ..Limits::default() });
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.write_all(sent.replace("HOST", &server.host()).as_bytes()).unwrap();
    let mut writer = stream.try_clone().unwrap();
    let trickle = trickle.to_owned();
    std::thread::spawn(move || {
        for byte in trickle.bytes() {
            std::thread::sleep(Duration::from_millis(50));
            if writer.write_all(&[byte]).is_err() {
                break;
            }
        }
    });
    let begun = Instant::now();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut answer = Vec::new();
    // A reset ends it as well as a close.
    let ended = stream.read_to_end(&mut answer);
    assert!(!ended.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock));
    begun.elapsed()
}

#[test]
fn connections_of_which_nothing_comes_are_closed() {
    let cases = [
        ("idle", "", ""),
        ("half a head", "GET / HTTP/1.1\r\nHOST\r\nAcc", ""),
        (
            "half a body",
            "POST /answer HTTP/1.1\r\nHOST\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
            "",
        ),
        ("idle after an answer", "GET /style.css HTTP/1.1\r\nHOST\r\n\r\n", ""),
        (
            "a trickle",
            "GET / HTTP/1.1\r\nHOST\r\n",
            "Accept: something-that-takes-ten-seconds-to-arrive,something-that-takes-ten-seconds-to-arrive,something-that-takes-ten-seconds-to-arrive",
        ),
    ];
    for (name, sent, trickle) in cases {
        let lasted = lasts(400, sent, trickle);
        assert!((350..4_000).contains(&lasted.as_millis()), "{name}: {lasted:?}");
    }
}

#[test]
fn a_connection_in_use_stays_open() {
    let server = Server::start(Limits { patience: Duration::from_secs(1), ..Limits::default() });
    let mut stream = TcpStream::connect(server.address).unwrap();
    let request = format!("GET /style.css HTTP/1.1\r\n{}\r\n\r\n", server.host());
    let mut buffer = vec![0; 1 << 16];
    for _ in 0..6 {
        stream.write_all(request.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(400));
        assert!(stream.read(&mut buffer).unwrap() > 0, "the connection was closed while in use");
    }
}
