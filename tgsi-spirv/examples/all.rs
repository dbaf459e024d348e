use std::{fs, path::Path};
fn main() {
    let mut args = std::env::args().skip(1);
    let out = args.next().unwrap();
    let (mut ok, mut all) = (0, 0);
    for file in args {
        all += 1;
        let bytes = fs::read(&file).unwrap();
        let stem = Path::new(&file).file_stem().unwrap().to_string_lossy().into_owned();
        match tgsi_spirv::translate(&bytes, &Default::default()) {
            Ok(list) => {
                for one in list {
                    let findings = tgsi_ir::validate::validate(&one.shader, tgsi_ir::validate::Profile::Full);
                    for f in &findings {
                        if f.severity() == tgsi_ir::validate::Severity::Error { println!("{stem}: {f}"); break; }
                    }
                    if tgsi_ir::validate::is_valid(&findings) { ok += 1; }
                    let text = tgsi_text::print(&one.shader, tgsi_text::Style::Lossless);
                    fs::write(format!("{out}/{stem}.tgsi"), text).unwrap();
                }
            }
            Err(error) => println!("{stem}: {error}"),
        }
    }
    println!("{ok} of {all}");
}
