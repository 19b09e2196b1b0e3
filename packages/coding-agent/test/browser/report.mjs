// Opens the page of `pi-mend report` in Chromium, in light and dark, wide and narrow, and looks for what a reader would mind. Run
// after a build: npm run test:browser [-- --shots FOLDER]
// Chromium is the one of CHROMIUM or /usr/bin/chromium. Lives in a temporary home and profile, and ends both.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { CASES, NOW } from "../memory/support/health-cases.ts";

const { values: options } = parseArgs({ options: { shots: { type: "string" } } });
const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const FLAGS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];
const LOOKS = [
  { colorScheme: "light", width: 1100 },
  { colorScheme: "dark", width: 1100 },
  { colorScheme: "light", width: 390 },
];
/** Text that is hard to tell from what is behind it; 4.5 is what readers with weak eyes need. */
const LEAST_CONTRAST = 4.5;

if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is not there; CHROMIUM names another one`);
const home = mkdtempSync(join(tmpdir(), "pi-mend-browser-"));
const failures = [];
try {
  const page = writeReport();
  for (const look of LOOKS) await lookAt(page, look);
} finally {
  rmSync(home, { recursive: true, force: true });
}
for (const failure of failures) console.error(failure);
process.exitCode = failures.length > 0 ? 1 : 0;

/** The page of the shell command, over records that are as old now as those of the other tests are at their time. */
function writeReport() {
  const agentDir = join(home, "agent");
  const folder = join(agentDir, "pi-mend");
  mkdirSync(folder, { recursive: true });
  const later = Date.now() - NOW;
  const records = CASES.records.map((record) => JSON.stringify({ ...record, at: record.at + later }));
  // A model whose name is as long as names get.
  const long = {
    ...CASES.records[0],
    provider: "a-gateway-with-a-long-name",
    model: `vendor/${"model-".repeat(12)}instruct`,
  };
  records.push(JSON.stringify({ ...long, at: Date.now() }));
  writeFileSync(join(folder, "telemetry.jsonl"), `${records.join("\n")}\n`);
  const adaptation = { version: 1, hosts: { pi: Object.fromEntries(CASES.memories) } };
  // Every number of that size is a time.
  const aged = (_key, value) => (typeof value === "number" && value > 1e12 ? value + later : value);
  writeFileSync(join(folder, "adaptation.json"), JSON.stringify(adaptation, aged));
  const env = { PATH: process.env.PATH, HOME: home, PI_CODING_AGENT_DIR: agentDir };
  return execFileSync(process.execPath, [CLI, "report"], { cwd: home, env, encoding: "utf8" }).trim();
}

async function lookAt(file, { colorScheme, width }) {
  const name = `${colorScheme}-${width}`;
  const profile = mkdtempSync(join(home, "profile-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    args: FLAGS,
    colorScheme,
    viewport: { width, height: 900 },
  });
  try {
    const page = await context.newPage();
    const requests = [];
    const complaints = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    const url = pathToFileURL(file).href;
    await page.goto(url);
    const seen = await page.evaluate(facts);
    if (options.shots) {
      mkdirSync(options.shots, { recursive: true });
      await page.screenshot({ path: join(options.shots, `${name}.png`), fullPage: true });
    }
    const say = (holds, what) => {
      if (!holds) failures.push(`${name}: ${what}`);
    };
    say(
      requests.every((request) => request === url),
      `the page asked for ${requests.join(", ")}`,
    );
    say(complaints.length === 0, `the browser complains: ${complaints.join("; ")}`);
    say(seen.charts.length >= 8, `${seen.charts.length} charts`);
    for (const { label, boxes, empty } of seen.charts)
      say(boxes > 0 && empty === 0, `${label}: ${boxes} boxes, ${empty} empty`);
    for (const text of seen.outside) say(false, `text leaves its place: ${text}`);
    for (const pair of seen.overlaps) say(false, `texts overlap: ${pair}`);
    say(seen.scrolls === 0, `the page is ${seen.scrolls} px wider than the window`);
    for (const { text, contrast } of seen.pale)
      say(contrast >= LEAST_CONTRAST, `contrast ${contrast.toFixed(1)}: ${text}`);
    say(seen.hasRule, "no rule is shown");
    say(seen.smallest >= 10, `text of ${seen.smallest.toFixed(1)} px`);
    say(seen.isDark === (colorScheme === "dark"), `the page is ${seen.isDark ? "dark" : "light"}`);
    console.log(`${name}: ${seen.charts.length} charts, ${seen.texts} texts`);
  } finally {
    await context.close();
  }
}

/** Runs in the page. */
function facts() {
  const shown = (element) => element.getClientRects().length > 0;
  const lightness = (color) => {
    const channels = color
      .match(/[\d.]+/g)
      .slice(0, 3)
      .map((channel) => {
        const value = Number(channel) / 255;
        return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2];
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (!/rgba\(.*, 0\)|transparent/.test(backgroundColor)) return backgroundColor;
    }
    return "rgb(255, 255, 255)";
  };
  const charts = [...document.querySelectorAll("svg")].map((svg) => {
    const boxes = [...svg.querySelectorAll("rect")].map((rect) => rect.getBoundingClientRect());
    const label = svg.getAttribute("aria-label");
    return { label, boxes: boxes.length, empty: boxes.filter(({ width, height }) => width <= 0 || height <= 0).length };
  });
  const outside = [];
  const overlaps = [];
  for (const svg of document.querySelectorAll("svg")) {
    const place = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].map((text) => ({
      text: text.textContent,
      box: text.getBoundingClientRect(),
    }));
    for (const { text, box } of texts) {
      if (
        box.left < place.left - 1 ||
        box.right > place.right + 1 ||
        box.top < place.top - 1 ||
        box.bottom > place.bottom + 1
      ) {
        outside.push(text);
      }
    }
    for (const [index, one] of texts.entries()) {
      for (const other of texts.slice(index + 1)) {
        const [a, b] = [one.box, other.box];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1 && high > 3) overlaps.push(`${one.text} / ${other.text}`);
      }
    }
  }
  for (const element of document.querySelectorAll("h1,h2,h3,p,li,td,th,b")) {
    if (
      shown(element) &&
      element.scrollWidth > element.clientWidth + 1 &&
      getComputedStyle(element).display !== "inline"
    ) {
      outside.push(element.textContent);
    }
  }
  const pale = [];
  let smallest = Number.POSITIVE_INFINITY;
  const leaves = [...document.querySelectorAll("main *")].filter(
    (element) =>
      shown(element) &&
      [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "") &&
      element.tagName !== "title",
  );
  for (const leaf of leaves) {
    const style = getComputedStyle(leaf);
    const [a, b] = [lightness(leaf instanceof SVGElement ? style.fill : style.color), lightness(ground(leaf))];
    pale.push({ text: leaf.textContent, contrast: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) });
    const scale = leaf instanceof SVGElement ? leaf.ownerSVGElement.getBoundingClientRect().width / 840 : 1;
    smallest = Math.min(smallest, Number.parseFloat(style.fontSize) * scale);
  }
  const scrolls = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const hasRule = [...document.querySelectorAll("th")].some(
    ({ textContent }) => textContent === "What the model reads",
  );
  const isDark = lightness(getComputedStyle(document.body).backgroundColor) < 0.2;
  return { charts, outside, overlaps, pale, smallest, scrolls, isDark, hasRule, texts: leaves.length };
}
