//! Diagnostics as editors show them.

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Uri,
};
use tgsi_text::{Finding, Severity};

use crate::document::Document;

/// The findings on the text and on its shader.
pub(crate) fn of(document: &Document, uri: &Uri) -> Vec<Diagnostic> {
    let findings = document.parsed.findings(&document.text);
    findings.iter().map(|finding| diagnostic(document, uri, finding)).collect()
}

fn diagnostic(document: &Document, uri: &Uri, finding: &Finding) -> Diagnostic {
    let related = finding.related.iter().map(|label| DiagnosticRelatedInformation {
        location: Location::new(uri.clone(), document.range(label.span)),
        message: label.text.clone(),
    });
    let related: Vec<_> = related.collect();
    let message = match &finding.help {
        Some(help) => format!("{}\n{help}", finding.message),
        None => finding.message.clone(),
    };
    Diagnostic {
        range: document.range(finding.primary.span),
        severity: Some(match finding.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(finding.code.to_owned())),
        source: Some("tgsi".to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}
