//! A crate's modules, and what of them can be reached from outside.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::file::{Item, Kind, items};
use super::paths::named;

/// A module by its path from the root of the crate.
type ModulePath = Vec<String>;

/// A crate.
pub(super) struct Crate {
    name: String,
    modules: BTreeMap<ModulePath, Vec<Item>>,
}

impl Crate {
    /// Reads all files under `folder`.
    pub(super) fn read(folder: &Path, name: &str) -> Result<Self> {
        let mut this = Self { name: name.to_owned(), modules: BTreeMap::new() };
        this.read_module(folder, Vec::new())?;
        Ok(this)
    }

    /// Reads the module at `path`, and those that it declares.
    fn read_module(&mut self, folder: &Path, path: ModulePath) -> Result<()> {
        let file = match path.as_slice() {
            [] => folder.join("lib.rs"),
            path => {
                path.iter().fold(folder.to_owned(), |at, part| at.join(part)).with_extension("rs")
            }
        };
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        self.add_module(folder, path, items(&text))
    }

    fn add_module(&mut self, folder: &Path, path: ModulePath, items: Vec<Item>) -> Result<()> {
        for item in &items {
            let inner = [path.as_slice(), std::slice::from_ref(&item.name)].concat();
            match &item.kind {
                Kind::Module => self.read_module(folder, inner)?,
                Kind::Inline(items) => self.add_module(folder, inner, items.clone())?,
                _ => {}
            }
        }
        self.modules.insert(path, items);
        Ok(())
    }

    /// Every item that others can name, by its path there, with what can be done with it.
    pub(super) fn listing(&self) -> String {
        let mut found = BTreeMap::new();
        self.visit(&[], &self.name, &mut BTreeSet::new(), &mut found);
        let mut out = String::new();
        for (path, lines) in found {
            let _ = writeln!(out, "{path}");
            lines.iter().for_each(|line| {
                let _ = writeln!(out, "    {line}");
            });
        }
        out
    }

    /// Lists the public items of a module, which others call `shown`.
    fn visit(
        &self,
        module: &[String],
        shown: &str,
        seen: &mut BTreeSet<(ModulePath, String)>,
        found: &mut BTreeMap<String, Vec<String>>,
    ) {
        if !seen.insert((module.to_vec(), shown.to_owned())) {
            return;
        }
        if is_generated(module) {
            found.insert(shown.to_owned(), vec!["tables of the spec".to_owned()]);
            return;
        }
        for item in self.modules.get(module).into_iter().flatten().filter(|item| item.is_public) {
            match &item.kind {
                Kind::Impl => {}
                Kind::Module | Kind::Inline(_) => {
                    let inner = [module, std::slice::from_ref(&item.name)].concat();
                    self.visit(&inner, &format!("{shown}::{}", item.name), seen, found);
                }
                Kind::Use(tree) => {
                    for used in named(tree) {
                        self.list_used(module, &used.path, (shown, &used.name), seen, found);
                    }
                }
                Kind::Other => {
                    found.insert(format!("{shown}::{}", item.name), self.lines(module, item));
                }
            }
        }
    }

    /// Lists what `path` means in `module` as `name`.
    fn list_used(
        &self,
        module: &[String],
        path: &[String],
        (shown, name): (&str, &str),
        seen: &mut BTreeSet<(ModulePath, String)>,
        found: &mut BTreeMap<String, Vec<String>>,
    ) {
        let full = format!("{shown}::{name}");
        match self.resolve(module, path) {
            Some(Target::Module(inner)) if name == "*" => self.visit(&inner, shown, seen, found),
            Some(Target::Module(inner)) => self.visit(&inner, &full, seen, found),
            Some(Target::Item(home, item)) => {
                found.insert(full, self.lines(&home, item));
            }
            // Of another crate, or made by a macro.
            None => {
                found.insert(full, vec![format!("use {}", path.join("::"))]);
            }
        }
    }

    /// What a path means in a module of this crate.
    fn resolve(&self, module: &[String], path: &[String]) -> Option<Target<'_>> {
        let (first, rest) = path.split_first()?;
        let (mut at, rest) = match first.as_str() {
            "crate" => (Vec::new(), rest),
            "self" => (module.to_vec(), rest),
            "super" => (module[..module.len().checked_sub(1)?].to_vec(), rest),
            _ => (module.to_vec(), path),
        };
        let (last, between) = rest.split_last()?;
        at.extend(between.iter().cloned());
        let items = self.modules.get(&at)?;
        if last == "*" {
            return Some(Target::Module(at));
        }
        let inner = [at.as_slice(), std::slice::from_ref(last)].concat();
        if self.modules.contains_key(&inner) {
            return Some(Target::Module(inner));
        }
        let is_it = |item: &&Item| item.kind == Kind::Other && item.name == *last;
        if let Some(item) = items.iter().find(is_it) {
            return Some(Target::Item(at, item));
        }
        items.iter().find_map(|item| {
            let Kind::Use(tree) = &item.kind else { return None };
            let used = named(tree).into_iter().find(|used| used.name == *last)?;
            self.resolve(&at, &used.path)
        })
    }

    /// What a listing shows of an item: of generated ones that they are there, since their tables say the rest.
    fn lines(&self, home: &[String], item: &Item) -> Vec<String> {
        if is_generated(home) {
            return item.lines.iter().filter(|line| !line.starts_with(' ')).cloned().collect();
        }
        let is_clear =
            self.modules.values().flatten().filter(|other| is_same(other, item)).count() == 1;
        let mut lines = item.lines.clone();
        for (module, items) in &self.modules {
            if is_clear || module == home {
                let of_it = items.iter().filter(|i| i.kind == Kind::Impl && i.name == item.name);
                lines.extend(of_it.flat_map(|own| own.lines.iter().cloned()));
            }
        }
        lines
    }
}

/// Whether a module is made of a spec.
fn is_generated(module: &[String]) -> bool {
    module.iter().any(|part| part == "generated")
}

fn is_same(other: &Item, item: &Item) -> bool {
    other.kind == Kind::Other && other.name == item.name
}

/// What a path means.
enum Target<'a> {
    Module(ModulePath),
    Item(ModulePath, &'a Item),
}
