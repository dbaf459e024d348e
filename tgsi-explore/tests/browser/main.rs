//! Drives the page in headless Chromium: types a shader, makes a mistake, changes the chip, follows a line.
//!
//! Without Chromium and ChromeDriver it says so on a line of its own and does nothing.
//! `SCREENSHOTS=DIR` writes pictures of the page into a folder. `SITE=DIR` tries the static page of that folder instead, over
//! HTTP and from its file.

#![allow(clippy::print_stdout, reason = "who runs this should see whether a browser was there")]

mod driver;

use std::path::{Path, PathBuf};
use std::{env, fs};

use fantoccini::Locator;
use serde_json::json;
use tgsi_explore::{Explorer, Limits};
use tokio::runtime::Runtime;

use driver::{Driver, Page, serve_files};

pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const SHADER: &str =
    "FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\nRSQ OUT[0], IN[0].xxxx\nEND\n";

/// A loop, with less before and after it than in it.
const LOOP: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0][0..3]
DCL TEMP[0..2]
IMM[0] INT32 {0, 1, 0, 0}
MUL TEMP[1], IN[0], CONST[0][1]
MOV TEMP[2].x, IMM[0].xxxx
BGNLOOP
  ISGE TEMP[2].y, TEMP[2].xxxx, CONST[0][0].xxxx
  UIF TEMP[2].yyyy
    BRK
  ENDIF
  MAD TEMP[1], TEMP[1], TEMP[1].yzwx, CONST[0][2]
  ADD TEMP[1], TEMP[1], -CONST[0][3]
  UADD TEMP[2].x, TEMP[2].xxxx, IMM[0].yyyy
ENDLOOP
EX2 OUT[0], TEMP[1].xxxx
END
";

fn main() -> Result<()> {
    let Some(driver) = Driver::start()? else {
        println!("browser test: skipped, as there is no chromedriver with Chromium here");
        return Ok(());
    };
    let runtime = Runtime::new()?;
    runtime.block_on(async {
        let site = env::var_os("SITE").map(PathBuf::from);
        let url = match &site {
            Some(folder) => serve_files(folder.clone()).await?,
            None => {
                let explorer = Explorer::bind(0, None, Limits::default()).await?;
                let url = explorer.url();
                tokio::spawn(explorer.serve(std::future::pending()));
                url
            }
        };
        let page = Page::open(&driver, &url).await?;
        let mut ended = page.try_everything(&url).await;
        if let (Some(folder), Ok(())) = (&site, &ended) {
            ended = page.works_from_a_file(folder).await;
        }
        page.client.close().await?;
        ended
    })?;
    println!("browser test: passed");
    Ok(())
}

impl Page {
    async fn try_everything(&self, url: &str) -> Result<()> {
        self.shows_an_example().await?;
        self.shows_what_is_typed().await?;
        self.follows_the_chip().await?;
        self.underlines_a_mistake().await?;
        self.is_never_blank().await?;
        self.highlights_lines().await?;
        self.draws().await?;
        self.shows_two_side_by_side().await?;
        self.colours_words().await?;
        self.zooms().await?;
        self.starts_at_the_cursor().await?;
        self.remembers_in_its_address(url).await?;
        self.keeps_up_with_long_shaders().await?;
        self.reveals_lines().await?;
        self.fits_narrow_windows(url).await
    }

    async fn shows_an_example(&self) -> Result<()> {
        self.wait(
            "an example",
            "document.querySelector('.listing pre').textContent.includes('EXP_DONE')",
        )
        .await?;
        self.wait("costs", "document.querySelector('#costs tbody').rows.length === 3").await?;
        // The line of an RSQ, whose slots light up.
        self.script(
            "const text = document.getElementById('text'), at = text.value.indexOf('RSQ');
             text.focus(); text.setSelectionRange(at, at); text.scrollTop = 0",
            Vec::new(),
        )
        .await?;
        self.wait("lines", "document.querySelector('.listing .lit-line')").await?;
        self.screenshot("good.png").await
    }

    async fn shows_what_is_typed(&self) -> Result<()> {
        self.type_text(SHADER).await?;
        self.wait(
            "typing",
            "document.querySelector('.listing pre').textContent.includes('RECIPSQRT')",
        )
        .await?;
        let listing = self.listing().await?;
        if !listing.contains("t: RECIPSQRT") {
            return Err(format!("no trans slot on rv770: {listing}").into());
        }
        Ok(())
    }

    async fn follows_the_chip(&self) -> Result<()> {
        let chip = self.client.find(Locator::Id("chip")).await?;
        chip.select_by_value("cayman").await?;
        self.wait(
            "the chip",
            "document.querySelector('.listing pre').textContent.includes('CF_END')",
        )
        .await?;
        let listing = self.listing().await?;
        if listing.contains("t: ") || !listing.contains("INTERP_X") {
            return Err(format!("not for Cayman: {listing}").into());
        }
        chip.select_by_value("rv770").await?;
        self.wait(
            "the chip",
            "!document.querySelector('.listing pre').textContent.includes('CF_END')",
        )
        .await
    }

    async fn underlines_a_mistake(&self) -> Result<()> {
        self.type_text(&SHADER.replace("IN[0].xxxx", "INN[0].xxxx")).await?;
        self.wait("a mistake", "document.querySelector('.editor .marks .error')").await?;
        self.wait("its message", "document.querySelector('#problems').innerText.includes('INN')")
            .await?;
        let place = self
            .script(
                "const mark = document.querySelector('.editor .marks .error').style;
                 return [mark.top, mark.left, mark.width]",
                Vec::new(),
            )
            .await?;
        if place != json!(["calc(3 * var(--row))", "12ch", "3ch"]) {
            return Err(format!("the mistake is underlined at {place}").into());
        }
        self.screenshot("error.png").await?;
        self.type_text(SHADER).await?;
        self.wait("the mend", "!document.querySelector('.editor .marks .error')").await
    }

    /// Whoever answers may fail, in any view: the pane says so, and shows the next answer.
    async fn is_never_blank(&self) -> Result<()> {
        let said = "!document.querySelector('.message').hidden
                    && document.querySelector('.message').innerText.includes('nobody answers')";
        for view in ["listing", "schedule", "pass"] {
            self.script(
                "answers.kept ??= answers.ask;
                 answers.ask = () => Promise.reject(new Error('nobody answers'));",
                Vec::new(),
            )
            .await?;
            self.client.find(Locator::Id(&format!("tab-{view}"))).await?.click().await?;
            self.wait("the failure", said).await?;
            self.script("answers.ask = answers.kept", Vec::new()).await?;
            self.client.find(Locator::Id("tab-listing")).await?.click().await?;
            self.wait(
                "the listing after a failure",
                "!document.querySelector('.listing').hidden && document.querySelector('.message').hidden
                 && document.querySelector('.listing pre').textContent.includes('RECIPSQRT')",
            )
            .await?;
        }
        Ok(())
    }

    async fn highlights_lines(&self) -> Result<()> {
        self.wait(
            "the listing",
            "document.querySelector('.listing pre').textContent.includes('t: RECIPSQRT')",
        )
        .await?;
        self.script(
            "const pre = document.querySelector('.listing pre'), box = pre.getBoundingClientRect();
             const lines = pre.textContent.split('\\n').length - 1;
             const row = pre.textContent.split('\\n').findIndex((line) => line.includes('RECIPSQRT'));
             const clientY = box.top + (row + 0.5) * box.height / (lines + 1);
             pre.dispatchEvent(new MouseEvent('mousemove', { bubbles: true, clientX: box.left + 9, clientY }))",
            Vec::new(),
        )
        .await?;
        self.wait(
            "the source of a line",
            "document.querySelector('.editor .lit-line')?.style.top === 'calc(3 * var(--row))'",
        )
        .await
    }

    async fn draws(&self) -> Result<()> {
        for view in ["schedule", "cfg", "deps", "passes"] {
            self.client.find(Locator::Id(&format!("tab-{view}"))).await?.click().await?;
            let drawn = format!(
                "document.documentElement.dataset.answered === '{view}' && document.querySelector('.picture svg')"
            );
            self.wait(view, &drawn).await?;
            if view == "schedule" {
                self.screenshot("slots.png").await?;
            }
        }
        self.client.find(Locator::Id("tab-pass")).await?.click().await?;
        // The answer lists the passes anew.
        self.wait("the passes", "document.documentElement.dataset.answered === 'pass'").await?;
        self.client.find(Locator::Id("pass")).await?.select_by_value("select").await?;
        self.wait(
            "a pass",
            "document.querySelector('.listing pre').textContent.includes('block0:')",
        )
        .await?;
        self.client.find(Locator::Id("tab-listing")).await?.click().await?;
        self.wait(
            "the listing",
            "document.querySelector('.listing pre').textContent.includes('EXP_DONE')",
        )
        .await
    }

    async fn remembers_in_its_address(&self, url: &str) -> Result<()> {
        self.wait("the address", "location.hash.length > 20").await?;
        let address = self.client.current_url().await?;
        self.client.goto("about:blank").await?;
        self.client.goto(address.as_str()).await?;
        self.wait(
            "the same shader",
            "document.getElementById('text').value.includes('RSQ OUT[0]')",
        )
        .await?;
        self.client.goto("about:blank").await?;
        self.client.goto(url).await?;
        self.wait(
            "a fresh page",
            "document.querySelector('.listing pre').textContent.includes('EXP_DONE')",
        )
        .await
    }

    /// Reports how long the listing of a long shader takes, from the key to the text.
    async fn keeps_up_with_long_shaders(&self) -> Result<()> {
        let body = "const [source, done] = arguments;
            const text = document.getElementById('text'), pre = document.querySelector('.listing pre');
            text.value = source + '\\n';
            text.dispatchEvent(new Event('input'));
            const seen = (ready) => new MutationObserver((_, observer) => {
              if (!ready()) return;
              observer.disconnect();
              next();
            }).observe(pre, { childList: true });
            let times = [], begun = 0, left = 6;
            const next = () => {
              if (begun) times.push(performance.now() - begun);
              if (left-- === 0) { done(times); return; }
              setTimeout(() => {
                seen(() => true);
                begun = performance.now();
                text.value = source + '\\n'.repeat(left + 2);
                text.dispatchEvent(new Event('input'));
              }, 1500);
            };
            seen(() => pre.textContent.length > 50000);";
        let times = self.client.execute_async(body, vec![json!(long_shader(3000))]).await?;
        let times: Vec<f64> = serde_json::from_value(times)?;
        let best = times.iter().copied().fold(f64::INFINITY, f64::min);
        println!(
            "browser test: 3000 instructions, key to listing {best:.0} ms at best of {times:.0?}"
        );
        Ok(())
    }

    async fn shows_two_side_by_side(&self) -> Result<()> {
        self.client.find(Locator::Id("other")).await?.select_by_value("chip cayman").await?;
        self.wait(
            "the other listing",
            "document.querySelector('.listing.other pre').textContent.includes('EXP_DONE')
             && document.querySelector('.listing.other .differs')",
        )
        .await?;
        self.screenshot("beside.png").await?;
        self.client.find(Locator::Id("other")).await?.select_by_value("").await?;
        self.wait("one listing", "document.querySelector('.listing.other').hidden").await
    }

    async fn colours_words(&self) -> Result<()> {
        self.wait("words of TGSI", "document.querySelector('.paint .is-opcode')").await?;
        self.wait("words of the listing", "document.querySelector('.listing .is-opcode')").await
    }

    /// Pictures zoom by button, the slots begin as wide as the pane.
    async fn zooms(&self) -> Result<()> {
        self.client.find(Locator::Id("tab-schedule")).await?.click().await?;
        let svg = "document.querySelector('.picture svg')";
        let fits = format!(
            "{svg}?.getBoundingClientRect().width <= document.getElementById('view').clientWidth"
        );
        self.wait("slots that fit", &fits).await?;
        self.script(&format!("window.before = {svg}.getBoundingClientRect().width"), Vec::new())
            .await?;
        self.client.find(Locator::Css("[data-zoom='1.25']")).await?.click().await?;
        self.wait(
            "a larger picture",
            &format!("{svg}.getBoundingClientRect().width > window.before * 1.2"),
        )
        .await?;
        self.client.find(Locator::Id("tab-listing")).await?.click().await?;
        self.wait("the listing", "!document.querySelector('.listing').hidden").await
    }

    /// Dependences are those of the block where the cursor is, with its part in view, and move by dragging.
    async fn starts_at_the_cursor(&self) -> Result<()> {
        self.type_text(LOOP).await?;
        self.wait("the loop", "state.answer?.instruction_lines.length === 13").await?;
        let go = |line: &str| {
            format!(
                "const text = document.getElementById('text'), at = text.value.indexOf('{line}');
                 text.focus(); text.setSelectionRange(at, at)"
            )
        };
        let in_view = "(() => {
            const part = document.querySelector('.picture svg') && partAtCursor()?.getBoundingClientRect();
            const box = document.getElementById('view').getBoundingClientRect();
            return part && part.top >= box.top && part.bottom <= box.bottom && part.left >= box.left;
        })()";
        self.script(&go("MUL TEMP[1]"), Vec::new()).await?;
        self.client.find(Locator::Id("tab-deps")).await?.click().await?;
        self.wait("the part at the cursor", in_view).await?;
        self.script(&go("EX2 OUT[0]"), Vec::new()).await?;
        self.wait("the part in another block", in_view).await?;
        self.script(
            "const view = document.getElementById('view'), svg = document.querySelector('.picture svg');
             for (let n = 0; n < 12; n++) zoom.by(1.25);
             [view.scrollLeft, view.scrollTop] = [50, 50];
             const send = (type, x, y) => svg.dispatchEvent(
               new PointerEvent(type, { bubbles: true, button: 0, clientX: x, clientY: y }));
             send('pointerdown', 300, 300);
             send('pointermove', 280, 290);
             send('pointerup', 280, 290)",
            Vec::new(),
        )
        .await?;
        let view = "document.getElementById('view')";
        self.wait(
            "a picture that moved",
            &format!("{view}.scrollLeft === 70 && {view}.scrollTop === 60"),
        )
        .await?;
        self.client.find(Locator::Id("tab-listing")).await?.click().await?;
        self.type_text(SHADER).await?;
        let listed = "document.querySelector('.listing pre').textContent.includes('RECIPSQRT')";
        self.wait("the listing", listed).await
    }

    /// Pointing at a line scrolls the lines that come from it into view.
    async fn reveals_lines(&self) -> Result<()> {
        self.wait("the last line", "state.answer?.instruction_lines.length > 3").await?;
        self.script(
            "const text = document.getElementById('text'), at = text.value.lastIndexOf('MUL TEMP');
             document.getElementById('view').scrollTop = 0;
             text.focus(); text.setSelectionRange(at, at)",
            Vec::new(),
        )
        .await?;
        self.wait(
            "a line in view",
            "(() => {
               const lit = document.querySelector('.listing .lit-line')?.getBoundingClientRect();
               const box = document.getElementById('view').getBoundingClientRect();
               return lit && lit.top >= box.top && lit.bottom <= box.bottom;
             })()",
        )
        .await
    }

    /// A browser that reads no file beside a page still gets its module.
    async fn works_from_a_file(&self, folder: &Path) -> Result<()> {
        let page = fs::canonicalize(folder.join("index.html"))?;
        self.client.goto(&format!("file://{}", page.display())).await?;
        self.wait(
            "an example from a file",
            "document.querySelector('.listing pre').textContent.includes('EXP_DONE')",
        )
        .await
    }

    async fn fits_narrow_windows(&self, url: &str) -> Result<()> {
        self.client.set_window_size(420, 860).await?;
        self.client.goto("about:blank").await?;
        self.client.goto(url).await?;
        self.wait(
            "a narrow page",
            "document.querySelector('.listing pre').textContent.includes('EXP_DONE')",
        )
        .await?;
        self.wait("no overflow", "document.documentElement.scrollWidth <= innerWidth").await?;
        self.screenshot("narrow.png").await
    }
}

/// A shader of as many instructions, with work for every pass.
fn long_shader(instructions: usize) -> String {
    let mut text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n\
                    DCL CONST[0][0..7]\nDCL TEMP[0..15]\nMOV TEMP[0], IN[0]\n"
        .to_owned();
    for n in 1..instructions - 2 {
        let (to, from, other) = (n % 16, (n + 15) % 16, (n + 11) % n.clamp(1, 16));
        let line = match n % 4 {
            0 => format!("MAD TEMP[{to}], TEMP[{from}].yzwx, CONST[0][{}], TEMP[{other}]\n", n % 8),
            1 => format!("ADD TEMP[{to}], TEMP[{from}], -CONST[0][{}]\n", n % 8),
            2 => format!("MUL TEMP[{to}], TEMP[{from}], TEMP[{other}].wzyx\n"),
            _ => format!("MAX TEMP[{to}], TEMP[{from}].xxzz, TEMP[{other}]\n"),
        };
        text.push_str(&line);
    }
    text + &format!("MOV OUT[0], TEMP[{}]\nEND\n", (instructions - 3) % 16)
}
