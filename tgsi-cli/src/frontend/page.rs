//! Translation of other languages than TGSI in the explorer's page.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tgsi_explore::{Complaint, ComplaintPlace, Language, Translated, Translator};
use tgsi_spirv::Origin;

use super::{FrontEnd, SOURCES, assembly, glslang, module_options, program};
use crate::input::TextInput;
use crate::problem::Problems;

/// Translates with the installed compilers.
#[derive(Debug)]
pub(crate) struct PageTranslator {
    options: FrontEnd,
}

/// The name of the source in modules.
pub(super) const NAME: &str = "shader";

impl PageTranslator {
    /// A translator with the options of the command line.
    pub(crate) fn installed() -> Self {
        Self { options: FrontEnd::in_force() }
    }
}

impl Translator for PageTranslator {
    fn translate(
        &self,
        text: &str,
        language: Language,
        time: Duration,
    ) -> Result<Translated, Vec<Complaint>> {
        let module = match language {
            Language::Glsl => glsl(text, &self.options, time)?,
            Language::Wgsl => wgsl(text, &self.options)?,
            Language::SpirvAssembly => assembled(text, time)?,
            _ => return Err(whole(format!("{language} is not taken"))),
        };
        let lines = Lines { text, language, module: &module };
        let mut options = module_options(&self.options);
        let names = tgsi_spirv::entry_points(&module, &options);
        let names = names.map_err(|error| vec![lines.complaint(error)])?;
        // The page shows the first entry point. The others are translated only if they share its name.
        options.entry = names.into_iter().next();
        let list = tgsi_spirv::translate(&module, &options);
        let list = list.map_err(|error| vec![lines.complaint(error)])?;
        let one = list.into_iter().next();
        let one = one.ok_or_else(|| whole("the module has no entry point of that name"))?;
        let lines = one.origins.iter().map(|origin| lines.of(origin.as_ref()?)).collect();
        Ok(Translated { shader: one.shader, lines })
    }
}

/// The initial text of the page. Sources stay as they are; modules are translated.
pub(crate) fn text_for_page(path: &Path) -> Result<String, Problems> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if SOURCES.contains(&ending) || matches!(ending, "wgsl" | "spvasm") {
        let text = TextInput::read(path)?.text;
        // A source whose text does not reveal its language is translated to TGSI once.
        if Language::of(&text) != Language::Tgsi || ending == "spvasm" {
            return Ok(text);
        }
    }
    Ok(TextInput::read_shader(path)?.text)
}

/// Lines of a text.
struct Lines<'a> {
    text: &'a str,
    language: Language,
    module: &'a [u8],
}

impl Lines<'_> {
    /// The line, counted from 0, that an instruction comes from.
    fn of(&self, origin: &Origin) -> Option<usize> {
        if self.language == Language::SpirvAssembly {
            return assembly::line(self.text, self.module, origin.word);
        }
        let line = origin.line.as_ref()?;
        let is_own = Path::new(&*line.file).file_stem().is_some_and(|stem| stem == NAME);
        (line.line as usize).checked_sub(1).filter(|_| is_own)
    }

    fn complaint(&self, mut error: tgsi_spirv::Error) -> Complaint {
        let line = match error.place.word {
            Some(word) => self.of(&Origin { word, line: error.place.line.take() }),
            None => None,
        };
        error.place.line = None;
        let place = line.map_or(ComplaintPlace::Whole, ComplaintPlace::Line);
        Complaint::new(error.to_string(), place)
    }
}

fn whole(message: impl Into<String>) -> Vec<Complaint> {
    vec![Complaint::new(message, ComplaintPlace::Whole)]
}

/// Compiles GLSL with glslang.
fn glsl(text: &str, options: &FrontEnd, time: Duration) -> Result<Vec<u8>, Vec<Complaint>> {
    let stage = options.source_stage.clone().unwrap_or_else(|| stage(text).to_owned());
    let failed = |error: std::io::Error| whole(format!("the source cannot be compiled: {error}"));
    let folder = tempfile::tempdir().map_err(failed)?;
    let path = folder.path().join(NAME).with_extension(&stage);
    std::fs::write(&path, text).map_err(failed)?;
    let options = FrontEnd { source_stage: Some(stage), ..options.clone() };
    let folder = folder.path();
    let job = glslang::Job { path: &path, folder, is_traced: true, depfile: None, time };
    job.run(&options).map_err(|failure| match failure {
        glslang::Failure::Wrong(messages) => {
            messages.iter().map(|message| glslang_complaint(message, text)).collect()
        }
        glslang::Failure::Missing(message) => {
            let mut complaint = Complaint::new(message, ComplaintPlace::Whole);
            complaint.help = Some(glslang::HELP.to_owned());
            vec![complaint]
        }
        glslang::Failure::Other(message) => whole(message),
    })
}

/// The stage of a GLSL source, from names that other stages do not have.
fn stage(text: &str) -> &'static str {
    let has = |name: &str| text.contains(name);
    match () {
        () if has("local_size_") => "comp",
        () if has("EmitVertex") => "geom",
        () if has("gl_TessLevelOuter") || has("vertices") && has("gl_InvocationID") => "tesc",
        () if has("gl_TessCoord") => "tese",
        () if has("gl_Position") => "vert",
        () => "frag",
    }
}

/// Parses a message such as `…/shader.frag:3: 'y' : undeclared identifier`. The place is the quoted word, if the line
/// contains it.
fn glslang_complaint(message: &str, text: &str) -> Complaint {
    let place = message.split_once(&format!("/{NAME}.")).and_then(|(_, rest)| {
        let mut parts = rest.splitn(3, ':');
        let (line, said) = (parts.nth(1)?.parse::<usize>().ok()?, parts.next()?);
        Some((line.checked_sub(1)?, said.trim()))
    });
    let Some((line, said)) = place else {
        return Complaint::new(message, ComplaintPlace::Whole);
    };
    let word = said.strip_prefix('\'').and_then(|rest| rest.split_once('\'')).map(|(word, _)| word);
    let start = text.split_inclusive('\n').take(line).map(str::len).sum::<usize>();
    let found = word.filter(|word| !word.is_empty()).and_then(|word| {
        let at = start + text[start..].lines().next()?.find(word)?;
        Some(at..at + word.len())
    });
    Complaint::new(said, found.map_or(ComplaintPlace::Line(line), ComplaintPlace::Span))
}

#[cfg(feature = "wgsl")]
fn wgsl(text: &str, options: &FrontEnd) -> Result<Vec<u8>, Vec<Complaint>> {
    use crate::problem::Place;
    let module = super::wgsl::module(text, Some(NAME), &options.specialize);
    let module = module.map_err(|finding| {
        let place = match finding.place {
            Place::Whole => ComplaintPlace::Whole,
            Place::Span(span) => ComplaintPlace::Span(span),
        };
        let message = match &*finding.label {
            "" => finding.message,
            label => format!("{}: {label}", finding.message),
        };
        vec![Complaint::new(message, place)]
    })?;
    Ok(module.into_iter().flat_map(u32::to_le_bytes).collect())
}

#[cfg(not(feature = "wgsl"))]
fn wgsl(_: &str, _: &FrontEnd) -> Result<Vec<u8>, Vec<Complaint>> {
    Err(whole("this program was built without the feature `wgsl`"))
}

/// Assembles a module with spirv-as.
fn assembled(text: &str, time: Duration) -> Result<Vec<u8>, Vec<Complaint>> {
    let failed = |error: std::io::Error| whole(format!("the text cannot be assembled: {error}"));
    let folder = tempfile::tempdir().map_err(failed)?;
    let [source, module] =
        ["spvasm", "spv"].map(|ending| folder.path().join(NAME).with_extension(ending));
    std::fs::write(&source, text).map_err(failed)?;
    let mut command = Command::new("spirv-as");
    command.arg("--preserve-numeric-ids").arg("-o").arg(&module).arg(&source);
    match program::run(&mut command, folder.path(), time) {
        Ok(said) if said.status.is_some_and(|status| status.success()) => {
            std::fs::read(&module).map_err(failed)
        }
        Ok(said) if said.status.is_none() => Err(whole("assembling takes too long for this page")),
        Ok(said) => Err(vec![assembly::complaint(&said.text, text)]),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let mut complaint = Complaint::new(
                "is SPIR-V assembly, and no `spirv-as` is found",
                ComplaintPlace::Whole,
            );
            complaint.help = Some("install the package `spirv-tools`".to_owned());
            Err(vec![complaint])
        }
        Err(error) => Err(failed(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_recognised_by_names() {
        let check = |text: &str, wanted: &str| assert_eq!(stage(text), wanted, "{text}");
        check("void main() {}", "frag");
        check("void main() { gl_Position = vec4(0); }", "vert");
        check("layout(local_size_x = 1) in; void main() {}", "comp");
        check("void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); }", "geom");
        check("layout(vertices = 3) out; void main() { gl_TessLevelOuter[0] = 1.0; }", "tesc");
        check("void main() { gl_Position = gl_TessCoord.xyzx; }", "tese");
    }

    #[test]
    fn errors_of_glslang_get_positions() {
        let text = "#version 450\nvoid main() {\n  float x = y;\n}\n";
        let place = |message: &str| glslang_complaint(message, text).place;
        let unknown = "/tmp/a/shader.frag:3: 'y' : undeclared identifier";
        assert_eq!(place(unknown), ComplaintPlace::Span(39..40));
        assert_eq!(glslang_complaint(unknown, text).message, "'y' : undeclared identifier");
        assert_eq!(place("/tmp/a/shader.frag:3: '' : syntax error"), ComplaintPlace::Line(2));
        assert_eq!(place("/tmp/a/other.h:3: 'y' : bad"), ComplaintPlace::Whole);
        assert_eq!(place("/tmp/a/shader.frag:99: 'y' : bad"), ComplaintPlace::Line(98));
    }

    /// The translation of a text; `None` if its compiler is not installed.
    fn translated(text: &str, language: Language) -> Option<Result<Translated, Vec<Complaint>>> {
        let translator = PageTranslator { options: FrontEnd::default() };
        let done = translator.translate(text, language, Duration::from_secs(60));
        let is_missing = matches!(&done, Err(list) if list.iter().any(|one| one.help.is_some()));
        (!is_missing).then_some(done)
    }

    #[test]
    fn glsl_leads_to_its_lines() {
        let text = "#version 450\nlayout(location = 0) in vec4 a;\nlayout(location = 0) out vec4 b;\n\
                    void main() {\n  b = sqrt(a);\n}\n";
        let Some(done) = translated(text, Language::Glsl) else { return };
        let Translated { shader, lines } = done.unwrap();
        assert_eq!(shader.instructions.len(), lines.len());
        assert_eq!(lines[0], Some(4));
        let wrong = text.replace("sqrt(a)", "sqrt(c)");
        let complaints = translated(&wrong, Language::Glsl).unwrap().unwrap_err();
        let at = wrong.rfind("(c)").unwrap() + 1;
        assert_eq!(complaints[0].place, ComplaintPlace::Span(at..at + 1));
    }

    #[cfg(feature = "wgsl")]
    #[test]
    fn wgsl_leads_to_its_lines() {
        let text = "@fragment\nfn main(@location(0) a: vec4f) -> @location(0) vec4f {\n  return sqrt(a);\n}\n";
        let Translated { lines, .. } = translated(text, Language::Wgsl).unwrap().unwrap();
        assert!(lines.contains(&Some(2)), "{lines:?}");
        let wrong = text.replace("(a);", "(c);");
        let complaints = translated(&wrong, Language::Wgsl).unwrap().unwrap_err();
        let at = wrong.rfind("(c)").unwrap() + 1;
        assert_eq!(complaints[0].place, ComplaintPlace::Span(at..at + 1));
    }

    /// The second entry point uses more shared memory than a group has.
    #[cfg(feature = "wgsl")]
    #[test]
    fn the_first_entry_point_is_shown() {
        let text = "var<workgroup> many: array<u32, 20000>;\n\
                    @fragment fn first(@location(0) a: vec4f) -> @location(0) vec4f { return a; }\n\
                    @compute @workgroup_size(1) fn second() { many[0] = 1u; }\n";
        let done = translated(text, Language::Wgsl).unwrap().unwrap();
        assert_eq!(done.shader.processor, tgsi_ir::Processor::Fragment);
        let options = FrontEnd { entry: Some("second".to_owned()), ..FrontEnd::default() };
        let refused =
            PageTranslator { options }.translate(text, Language::Wgsl, Duration::from_secs(60));
        assert!(refused.unwrap_err()[0].message.contains("a group shares more than"));
    }

    #[test]
    fn assembly_leads_to_its_own_lines() {
        let text = include_str!("../../../tgsi-spirv/tests/shaders/edges.spvasm");
        let Some(done) = translated(text, Language::SpirvAssembly) else { return };
        let Translated { lines, .. } = done.unwrap();
        let line = |line: &Option<usize>| text.lines().nth((*line)?);
        let first = lines.iter().find_map(line).unwrap();
        assert!(first.contains("Op"), "{first}");
        let wrong = text.replacen("OpReturn", "OpReturm", 1);
        let complaints = translated(&wrong, Language::SpirvAssembly).unwrap().unwrap_err();
        let at = wrong.find("OpReturmValue").unwrap();
        assert_eq!(complaints[0].place, ComplaintPlace::Span(at..at + 13));
    }
}
