//! The server as an editor talks to it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::thread::JoinHandle;

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use tgsi_lsp::ServerError;

const URI: &str = "file:///a.tgsi";
const TEXT: &str = "FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
IMM[0] FLT32 {0.5, 0.0, 0.0, 0.0}
MUL OUT[0], IN[0], IMM[0].xxxx
END
";

/// An editor.
struct Editor {
    connection: Connection,
    server: JoinHandle<Result<(), ServerError>>,
    next: i32,
}

impl Editor {
    fn start() -> Self {
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || tgsi_lsp::serve(&server));
        let mut editor = Self { connection, server, next: 0 };
        let answer = editor.ask("initialize", json!({"capabilities": {}}));
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn tell(&self, method: &str, params: Value) {
        let notification = Notification::new(method.to_owned(), params);
        self.connection.sender.send(Message::Notification(notification)).unwrap();
    }

    fn send(&mut self, method: &str, params: Value) -> lsp_server::Response {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request::new(id.clone(), method.to_owned(), params);
        self.connection.sender.send(Message::Request(request)).unwrap();
        match self.connection.receiver.recv().unwrap() {
            Message::Response(response) if response.id == id => response,
            other => panic!("{other:?}"),
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        serde_json::to_value(self.send(method, params)).unwrap()["result"].clone()
    }

    /// What is wrong with a text.
    fn open(&self, text: &str) -> Vec<Value> {
        let document = json!({"uri": URI, "languageId": "tgsi", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
        self.published()
    }

    fn published(&self) -> Vec<Value> {
        match self.connection.receiver.recv().unwrap() {
            Message::Notification(notification)
                if notification.method == "textDocument/publishDiagnostics" =>
            {
                notification.params["diagnostics"].as_array().unwrap().clone()
            }
            other => panic!("{other:?}"),
        }
    }

    /// A request at a word of the text.
    fn at(&mut self, method: &str, text: &str, word: &str) -> Value {
        let offset = text.find(word).unwrap();
        let line = text[..offset].matches('\n').count();
        let column = offset - text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let position = json!({"line": line, "character": column});
        self.ask(method, json!({"textDocument": {"uri": URI}, "position": position}))
    }

    fn leave(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.server.join().unwrap().unwrap();
    }
}

#[test]
fn mistakes_are_shown_as_they_are_typed() {
    let editor = Editor::start();
    assert_eq!(editor.open(TEXT), [] as [Value; 0]);
    let changed = TEXT.replace("MUL OUT", "MLU OUT");
    let document = json!({"uri": URI, "version": 2});
    let change = json!({"textDocument": document, "contentChanges": [{"text": changed}]});
    editor.tell("textDocument/didChange", change);
    let found = editor.published();
    assert_eq!(found[0]["code"], "unknown-statement");
    assert_eq!(found[0]["range"]["start"], json!({"line": 4, "character": 0}));
    assert_eq!(found[0]["range"]["end"], json!({"line": 4, "character": 3}));
    assert!(found[0]["message"].as_str().unwrap().contains("did you mean `MUL`?"), "{found:?}");
    editor.tell("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    assert_eq!(editor.published(), [] as [Value; 0]);
    editor.leave();
}

#[test]
fn opcodes_and_registers_are_explained() {
    let mut editor = Editor::start();
    editor.open(TEXT);
    let shown = editor.at("textDocument/hover", TEXT, "MUL");
    let text = shown["contents"]["value"].as_str().unwrap();
    assert!(text.starts_with("### MUL\n") && text.contains("```text"), "{text}");
    let shown = editor.at("textDocument/hover", TEXT, "IN[0], IMM");
    assert_eq!(shown["contents"]["value"], "```tgsi\nDCL IN[0], GENERIC[0], LINEAR\n```");
    assert_eq!(editor.at("textDocument/hover", TEXT, "FRAG"), Value::Null);
    editor.leave();
}

#[test]
fn registers_lead_to_their_declarations() {
    let mut editor = Editor::start();
    editor.open(TEXT);
    for (word, line) in [("OUT[0], IN", 2), ("IN[0], IMM", 1), ("IMM[0].xxxx", 3)] {
        for method in ["textDocument/declaration", "textDocument/definition"] {
            let found = editor.at(method, TEXT, word);
            assert_eq!(found["range"]["start"], json!({"line": line, "character": 0}), "{word}");
        }
    }
    editor.leave();
}

#[test]
fn a_register_in_a_subscript_leads_to_its_own_declaration() {
    const TEXT: &str = "VERT
DCL OUT[0], POSITION
DCL CONST[0..7]
DCL TEMP[0..3], ARRAY(1), LOCAL
DCL ADDR[0]
MOV OUT[0], TEMP[ADDR[0].x](1)
MOV OUT[0], CONST[ADDR[0].y+2]
MOV OUT [0], TEMP[ADDR[0].z+9](2)
DCL TEMP[4..9], ARRAY(2), LOCAL
END
";
    let mut editor = Editor::start();
    editor.open(TEXT);
    for (word, line) in [
        ("ADDR[0].x", 4),
        ("ADDR[0].y", 4),
        ("TEMP[ADDR", 3),
        ("CONST[ADDR", 2),
        ("+2]", 2),
        ("OUT [0]", 1),
        ("TEMP[ADDR[0].z", 8),
    ] {
        let found = editor.at("textDocument/definition", TEXT, word);
        assert_eq!(found["range"]["start"], json!({"line": line, "character": 0}), "{word}");
    }
    let shown = editor.at("textDocument/hover", TEXT, "ADDR[0].y");
    assert_eq!(shown["contents"]["value"], "```tgsi\nDCL ADDR[0]\n```");
    editor.leave();
}

#[test]
fn a_declared_range_leads_to_itself() {
    const TEXT: &str = "VERT
DCL OUT[0], POSITION
DCL CONST[1][0..3]
DCL CONST[1][4 .. 7]
DCL TEMP[0..3]
DCL TEMP[4..7]
MOV OUT[0], TEMP[5]
END
";
    let mut editor = Editor::start();
    editor.open(TEXT);
    for (word, line) in [("CONST[1][4", 3), ("TEMP[0..3]", 4), ("TEMP[4..7]", 5), ("7]\nMOV", 5)] {
        let found = editor.at("textDocument/definition", TEXT, word);
        assert_eq!(found["range"]["start"], json!({"line": line, "character": 0}), "{word}");
    }
    let shown = editor.at("textDocument/hover", TEXT, "TEMP[4..7]");
    assert_eq!(shown["contents"]["value"], "```tgsi\nDCL TEMP[4..7]\n```");
    editor.leave();
}

/// For each word, the rest of its line was read, or of the text where a carriage return alone ends lines.
#[test]
fn many_words_of_a_line() {
    let lines = format!("FRAG\r{}END\r", "MOV OUT[0\r".repeat(40_000));
    let mut editor = Editor::start();
    for text in ["OUT[".repeat(40_000), "0..".repeat(40_000), lines] {
        editor.open(&text);
        let position = json!({"line": 0, "character": 0});
        let place = json!({"textDocument": {"uri": URI}, "position": position});
        assert_eq!(editor.ask("textDocument/hover", place), Value::Null, "{}", &text[..10]);
    }
    editor.leave();
}

/// Registers in registers end with their own brackets.
#[test]
fn the_innermost_register_of_a_line_is_the_one_under_the_cursor() {
    const TEXT: &str = "VERT\rDCL OUT[0], POSITION\rDCL CONST[1][0..3]\rDCL ADDR[0..1]\r\
                        MOV OUT[0], CONST[1] [ADDR[1].x+2]\rMOV OUT[0], CONST[1][ADDR[0\rEND\r";
    let mut editor = Editor::start();
    editor.open(TEXT);
    let position = |character| json!({"line": 4, "character": character});
    for (character, declared) in [(4, 1), (12, 2), (19, 2), (22, 3), (28, 3), (31, 2)] {
        let place = json!({"textDocument": {"uri": URI}, "position": position(character)});
        let found = editor.ask("textDocument/definition", place);
        let start = json!({"line": declared, "character": 0});
        assert_eq!(found["range"]["start"], start, "{character}");
    }
    let unclosed = json!({"line": 5, "character": 23});
    let place = json!({"textDocument": {"uri": URI}, "position": unclosed});
    assert_eq!(editor.ask("textDocument/definition", place), Value::Null);
    editor.leave();
}

#[test]
fn texts_are_formatted_as_the_program_does() {
    let mut editor = Editor::start();
    let request =
        json!({"textDocument": {"uri": URI}, "options": {"tabSize": 4, "insertSpaces": true}});
    editor.open(TEXT);
    let edits = editor.ask("textDocument/formatting", request.clone());
    assert!(
        edits[0]["newText"].as_str().unwrap().contains("  0: MUL OUT[0], IN[0], IMM[0].xxxx\n")
    );
    editor.open("FRAG\nMOV OUT[0], TMP[0]\nEND\n");
    assert_eq!(editor.ask("textDocument/formatting", request), Value::Null);
    editor.leave();
}

#[test]
fn words_have_colours() {
    let mut editor = Editor::start();
    editor.open(TEXT);
    let tokens =
        editor.ask("textDocument/semanticTokens/full", json!({"textDocument": {"uri": URI}}));
    let data = tokens["data"].as_array().unwrap();
    assert_eq!(data[..5], [json!(0), json!(0), json!(4), json!(1), json!(0)]);
    assert_eq!(data.len() % 5, 0);
    editor.leave();
}

#[test]
fn what_is_not_there_gets_an_answer() {
    let mut editor = Editor::start();
    for (method, params) in
        [("workspace/nothing", Value::Null), ("textDocument/hover", json!({"position": 1}))]
    {
        let answer = serde_json::to_value(editor.send(method, params)).unwrap();
        assert!(answer["error"]["message"].is_string(), "{answer}");
    }
    assert_eq!(editor.at("textDocument/hover", TEXT, "MUL"), Value::Null);
    editor.leave();
}
