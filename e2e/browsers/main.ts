/**
 * `npm run browsers`: the main journeys in Firefox, WebKit and old Chromiums, and the situations of people
 * (e2e/situations) in today's browsers, with a contact sheet of all screens in test-results/browsers. `scripts/test.mjs`
 * installs the browsers and passes their programs.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSchool } from '../school.ts';
import { startPortal } from '../server.ts';
import { BrowserPage } from './browser-page.ts';
import { startChromium } from './chromium.ts';
import { type Picture, writeContactSheet } from './contact-sheet.ts';
import type { Engine } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { type Journey, journeys } from './journeys.ts';
import { type MatrixBrowser, matrixChromium, matrixFirefox, matrixWebKit, runMatrix } from './situations.ts';
import { tooOldJourneys } from './too-old-journeys.ts';
import { startWebKit, type WebKitPrograms } from './webkit.ts';

/** The programs found on this machine, as JSON. */
interface Programs {
  Chromium?: string;
  Firefox?: string;
  WebKit?: WebKitPrograms;
  'Chromium 113'?: string;
  'Chromium 92'?: string;
}

interface Report {
  passed: number;
  failures: { file: string; name: string; text: string }[];
}

const FOLDER = resolve(import.meta.dirname, '../../test-results/browsers');
const CLASSES = {
  'Year 4 Larks': ['Ada Finch', 'Ben Crane', 'Cleo Wren', 'Dev Heron'],
  'Year 5 Jays': ['Gus Kite'],
  'Year 6 Owls': ['Hal Raven'],
};

const programs = JSON.parse(process.env.BROWSER_PROGRAMS ?? '{}') as Programs;
const { Chromium: chromium, Firefox: firefox, WebKit: webkit } = programs;
const { 'Chromium 113': oldest, 'Chromium 92': tooOld } = programs;

/** `npm test -- --all` leaves them to the journey, which checks a sample in Chromium. */
const hasMatrix = process.env.SITUATIONS === 'all';
const matrix: MatrixBrowser[] = [
  ...(hasMatrix && chromium ? [matrixChromium(chromium)] : []),
  ...(hasMatrix && firefox ? [matrixFirefox(firefox)] : []),
  ...(hasMatrix && webkit ? [matrixWebKit(webkit)] : []),
];

const report: Report = { passed: 0, failures: [] };
const pictures: Picture[] = [];

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const portal = await startPortal();
const folder = mkdtempSync(join(tmpdir(), 'portal-browsers-'));
try {
  if (firefox) await runIn('Firefox', () => startFirefox(firefox), journeys);
  if (webkit) await runIn('WebKit', () => startWebKit(webkit), journeys);
  if (oldest) await runIn('Chromium 113', () => startChromium(oldest), journeys);
  if (tooOld) await runIn('Chromium 92', () => startChromium(tooOld), tooOldJourneys);
  for (const browser of matrix) await runSituations(browser);
} finally {
  await portal.stop();
  rmSync(folder, { recursive: true, force: true });
}
writeContactSheet(FOLDER, pictures);
writeFileSync(resolve(FOLDER, '../browsers.json'), JSON.stringify(report));
console.log(`Pictures: test-results/browsers/index.html`);
process.exitCode = report.failures.length > 0 ? 1 : 0;

function addPicture(browser: string, name: string, width: number, png: Uint8Array): void {
  const file = `${browser}-${name.replaceAll(/[^\w-]+/g, '-')}-${width}.png`.toLowerCase();
  writeFileSync(join(FOLDER, file), png);
  pictures.push({ browser, name, width, file });
}

/** Runs the situations that a browser can emulate. */
async function runSituations(browser: MatrixBrowser): Promise<void> {
  const { name } = browser;
  const onPicture = (screen: string, width: number, png: Uint8Array) => addPicture(name, screen, width, png);
  await runMatrix(browser, portal.url, onPicture, (title, faults) => {
    const text = faults.join('\n');
    if (faults.length === 0) report.passed += 1;
    else report.failures.push({ file: name, name: `${name}: ${title}`, text });
    console.log(faults.length === 0 ? `✓ ${name}: ${title}` : `✗ ${name}: ${title}\n${text}`);
  });
}

/** Runs journeys in one browser. After a failure the next journeys still run, because most start by a path. */
async function runIn(browser: string, start: () => Promise<Engine>, list: readonly Journey[]): Promise<void> {
  const school = await buildSchool(portal, { classes: CLASSES });
  const engine = await start();
  const page = new BrowserPage(engine, portal.url, (name, width, png) => addPicture(browser, name, width, png));
  try {
    await engine.resize(1280, 900);
    for (const [name, run] of list) {
      const begin = performance.now();
      const errors = engine.errors().length;
      try {
        await run({ page, school, folder });
        const faults = [...page.takeFaults(), ...engine.errors().slice(errors)];
        if (faults.length > 0) throw new Error(faults.join('\n'));
        report.passed += 1;
        console.log(`✓ ${browser}: ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        report.failures.push({ file: browser, name: `${browser}: ${name}`, text });
        console.log(`✗ ${browser}: ${name}\n${text}`);
        await page.show(`failure of ${name}`).catch(() => undefined);
        page.takeFaults();
      }
    }
  } finally {
    await engine.close();
  }
}
