//! Proves the rewrites: each row, for each set of modifiers that it allows, is a query to a solver.
//!
//! A row is proved if the solver finds no values for which pattern and result differ by more than the row's freedoms
//! allow. Two kinds of rows are tried on a lattice of edge-case values instead: approximations, which no solver knows,
//! and rows on which the solver gives up. Without a condition a row must be wrong somewhere: the lattice shows where.

mod claim;
mod concrete;
mod domain;
mod formula;
mod lattice;
mod smt;
mod solver;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;

use crate::codegen::rewrites::book::Book;

pub(crate) use self::lattice::constants_with;

use self::claim::{Claim, FactClaim};
use self::domain::Outputs;
use self::formula::Format;
use self::smt::Query;
use self::solver::{Answer, PROGRAMS, Solver};

/// Options of `cargo xtask prove`.
#[derive(Args)]
pub(crate) struct Options {
    /// The solver; default: the first of bitwuzla, z3 and cvc5 that is found.
    #[arg(long, value_name = "PROGRAM")]
    solver: Option<PathBuf>,
    /// Proves in 16-bit floats and integers, which takes seconds.
    #[arg(long)]
    half: bool,
    /// Seconds that a query may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    seconds: u64,
    /// Proves only rows whose names have this prefix.
    #[arg(long, value_name = "NAME", default_value = "")]
    row: String,
    /// Writes the queries into this folder as well.
    #[arg(long, value_name = "FOLDER")]
    emit: Option<PathBuf>,
    /// Number of queries at a time.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
}

impl Options {
    /// The options for continuous integration.
    pub(crate) fn quick() -> Self {
        let (solver, row, emit) = (None, String::new(), None);
        Self { solver, half: true, seconds: 20, row, emit, threads: 2 }
    }
}

/// A proof task.
struct Task {
    name: String,
    query: Result<Query, String>,
    /// The row to try on the lattice if no solver decides.
    row: Option<usize>,
}

/// Results of the tasks.
#[derive(Default)]
struct Tally {
    proved: usize,
    /// Names of rows that only the lattice checked, and why.
    undecided: Vec<(String, String)>,
    wrong: Vec<String>,
}

/// Proves everything. Fails if anything is wrong.
pub(crate) fn run(options: &Options) -> Result<()> {
    let limit = Duration::from_secs(options.seconds);
    let solver = Solver::find(options.solver.as_deref(), limit)
        .with_context(|| format!("no solver is found: install one of {}", PROGRAMS.join(", ")))?;
    prove(options, &solver)
}

/// As [`run`], but without a solver it prints a note and succeeds.
pub(crate) fn run_where_possible(options: &Options) -> Result<()> {
    match Solver::find(options.solver.as_deref(), Duration::from_secs(options.seconds)) {
        Some(solver) => prove(options, &solver),
        None => {
            println!("prove: NOT PROVED: found none of {}", PROGRAMS.join(", "));
            Ok(())
        }
    }
}

fn prove(options: &Options, solver: &Solver) -> Result<()> {
    let start = Instant::now();
    let book = Book::read(&crate::workspace::root())?;
    let format = if options.half { Format::HALF } else { Format::SINGLE };
    let tasks = tasks(&book, options, format);
    if tasks.is_empty() {
        bail!("no fact and no row has a name that begins with `{}`", options.row);
    }
    if let Some(folder) = &options.emit {
        emit(folder, &tasks)?;
    }
    let mut tally = ask_all(solver, &tasks, options.threads)?;
    let mut rows: Vec<usize> = Vec::new();
    for (task, why) in std::mem::take(&mut tally.undecided).into_iter().filter_map(|(name, why)| {
        let task = tasks.iter().find(|task| task.name == name)?;
        Some((task, why))
    }) {
        let row = task.row.ok_or_else(|| anyhow!("{} is not decided: {why}", task.name))?;
        if !rows.contains(&row) {
            rows.push(row);
            try_on_lattice(&book, row, &mut tally)?;
            tally.undecided.push((book.rows[row].name.clone(), why));
        }
    }
    let weakened = check_conditions(&book, options, &mut tally)?;
    report(solver, &tally, &tasks, weakened, start.elapsed());
    if tally.wrong.is_empty() { Ok(()) } else { bail!("{} claims are wrong", tally.wrong.len()) }
}

/// A query for each fact of each operation, and for each row with each set of modifiers.
fn tasks(book: &Book, options: &Options, format: Format) -> Vec<Task> {
    let mut tasks = Vec::new();
    for claim in FactClaim::all(book) {
        let query = smt::fact_query(book, &claim, format);
        tasks.push(Task { name: claim.name(), query, row: None });
    }
    for (number, row) in book.rows.iter().enumerate() {
        let claim = Claim::of(row);
        for outputs in claim.outputs(book) {
            let name = format!("{}{}", row.name, described(&outputs));
            let query = smt::query(book, &claim, &outputs, format);
            tasks.push(Task { name, query, row: Some(number) });
        }
    }
    tasks.retain(|task| task.name.starts_with(&options.row));
    tasks
}

/// The modifiers as text, for a report.
fn described(outputs: &Outputs) -> String {
    let mut text = outputs.root.suffix();
    for (name, output) in &outputs.any {
        let suffix = output.suffix();
        let signs = outputs.signs.get(name).copied().unwrap_or_default();
        let neg = if signs.neg { "-" } else { "" };
        let read = if signs.abs { format!("{neg}|{name}|") } else { format!("{neg}{name}") };
        if !suffix.is_empty() || read.len() > name.len() {
            text.push_str(&format!(" of {read}{suffix}"));
        }
    }
    text
}

fn emit(folder: &std::path::Path, tasks: &[Task]) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    for (number, task) in tasks.iter().enumerate() {
        if let Ok(query) = &task.query {
            let text = format!("; {}\n{}", task.name, query.text);
            std::fs::write(folder.join(format!("{number:04}.smt2")), text)?;
        }
    }
    Ok(())
}

fn ask_all(solver: &Solver, tasks: &[Task], threads: usize) -> Result<Tally> {
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    let work = || -> Result<()> {
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let answer = match &task.query {
                Ok(query) => solver.ask(query)?,
                Err(why) => Answer::Unknown(why.clone()),
            };
            let mut tally = tally.lock().map_err(|_| anyhow!("a thread stopped"))?;
            match answer {
                Answer::Proved => tally.proved += 1,
                Answer::Wrong(values) => tally.wrong.push(format!("{}: {values}", task.name)),
                Answer::Unknown(why) => tally.undecided.push((task.name.clone(), why)),
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        all.into_iter()
            .try_for_each(|thread| thread.join().map_err(|_| anyhow!("a thread stopped"))?)
    })?;
    tally.into_inner().map_err(|_| anyhow!("a thread stopped"))
}

/// Tries a row that no solver decides.
fn try_on_lattice(book: &Book, row: usize, tally: &mut Tally) -> Result<()> {
    let claim = Claim::of(&book.rows[row]);
    if let Some(wrong) = lattice::search(book, &claim).map_err(|why| anyhow!(why))? {
        let [left, right] = wrong.results;
        tally.wrong.push(format!(
            "{}{}: {:x?} gives {left:#x} and {right:#x}",
            claim.name(),
            described(&wrong.outputs),
            wrong.names
        ));
    }
    Ok(())
}

/// Checks that each row is wrong without each of its conditions. Returns the number of conditions.
fn check_conditions(book: &Book, options: &Options, tally: &mut Tally) -> Result<usize> {
    let mut count = 0;
    for row in book.rows.iter().filter(|row| row.name.starts_with(&options.row)) {
        for claim in Claim::of(row).weakened() {
            count += 1;
            if lattice::search(book, &claim).map_err(|why| anyhow!(why))?.is_none() {
                tally.wrong.push(format!("{} is right as well", claim.name()));
            }
        }
    }
    Ok(count)
}

fn report(solver: &Solver, tally: &Tally, tasks: &[Task], weakened: usize, time: Duration) {
    for (name, why) in &tally.undecided {
        println!("prove: {name} holds on the lattice; {why}");
    }
    for wrong in &tally.wrong {
        println!("prove: WRONG: {wrong}");
    }
    println!(
        "prove: {} of {} claims proved by {}, {} rows on the lattice, {weakened} conditions each needed, {:.1} s",
        tally.proved,
        tasks.len(),
        solver.name(),
        tally.undecided.len(),
        time.as_secs_f64()
    );
}
