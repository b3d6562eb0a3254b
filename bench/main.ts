import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureCharts } from './questions/charts.ts';
import { measureDocuments } from './questions/documents.ts';
import { measureFirstStart } from './questions/first-start.ts';
import { openEnvironment } from './harness/environment.ts';
import { measureIntake } from './questions/intake.ts';
import { measureLighthouse } from './questions/lighthouse.ts';
import { measureLogin, measureLoginTiming } from './questions/logins.ts';
import { measureMails } from './questions/mails.ts';
import type { Bench, Figure } from './harness/figures.ts';
import { measureReadingNeeds } from './questions/reading-needs.ts';
import { servePortal } from './harness/server-process.ts';
import { measurePupils } from './questions/pupils-list.ts';
import { measureRendering } from './questions/page-rendering.ts';
import { type RunDescription, showTable, storeDayOfSchools, storeResults } from './harness/results.ts';
import { measureDayOfSchools } from './questions/day-of-schools.ts';
import { measureUploads } from './questions/uploads.ts';
import { measurePupilsPage } from './questions/pupils-page.ts';

/*
 * npm run bench: ratios of the portal on a full PostgreSQL, each to a baseline measured in the same run. A full run stores
 * them in RESULTS.md. --only NAME,NAME: some questions. --small: 20 schools and short rounds, to try a question out.
 * --save FILE: also writes the figures as JSON. --before FILE: adds a column with such figures of another version.
 */
const QUESTIONS: Record<string, (bench: Bench) => Promise<Figure[]>> = {
  pupils: measurePupils,
  charts: measureCharts,
  needs: measureReadingNeeds,
  intake: measureIntake,
  uploads: measureUploads,
  documents: measureDocuments,
  login: measureLogin,
  loginTiming: measureLoginTiming,
  mails: measureMails,
  rendering: measureRendering,
  pupilsPage: measurePupilsPage,
  lighthouse: measureLighthouse,
};
/** On an embedded database of its own. */
const FIRST_START = 'firstStart';
/** Runs last, on its own database. */
const SCHOOLS = 'schools';
const NAMES = [FIRST_START, ...Object.keys(QUESTIONS), SCHOOLS];

const printLine = (line: string) => void process.stderr.write(`${line}\n`);
const { only, small, save, before } = parseArgs({
  options: {
    only: { type: 'string' },
    small: { type: 'boolean', default: false },
    save: { type: 'string' },
    before: { type: 'string' },
  },
}).values;
const earlier = before ? (JSON.parse(readFileSync(before, 'utf8')) as Figure[]) : [];
const chosen = only?.split(',') ?? NAMES;
if (chosen.some((name) => !NAMES.includes(name))) throw new Error(`--only takes ${NAMES.join(', ')}.`);

const figures: Figure[] = [];
function addFigures(more: readonly Figure[]): void {
  figures.push(...more);
  // After each question, so that an interrupted run keeps its figures.
  if (save) writeFileSync(save, JSON.stringify(figures, null, 2));
}

async function runQuestions(names: readonly string[]): Promise<RunDescription> {
  const environment = await openEnvironment(small ? 20 : 500, printLine);
  const portal = await servePortal(environment.url).catch(async (error: unknown) => {
    await environment.postgres.stop();
    throw error;
  });
  const stop = () => portal.stop().then(environment.postgres.stop);
  const interrupt = () => void stop().then(() => process.exit(130));
  process.once('SIGINT', interrupt);
  try {
    for (const name of names) {
      printLine(`Measuring ${name} …`);
      const measure = QUESTIONS[name]!;
      addFigures(await measure({ environment, portal, pace: { rounds: 5, seconds: small ? 1.5 : 4 } }));
    }
    return { schools: environment.schools, postgresVersion: environment.postgres.version };
  } finally {
    process.off('SIGINT', interrupt);
    await stop();
  }
}

if (chosen.includes(FIRST_START)) addFigures(await measureFirstStart(small ? 3 : 15));
const names = Object.keys(QUESTIONS).filter((name) => chosen.includes(name));
const run = names.length > 0 ? await runQuestions(names) : undefined;
if (!only && !small && run) storeResults(figures, earlier, run);
if (chosen.includes(SCHOOLS)) {
  const day = await measureDayOfSchools(small ? 20 : 200, small ? 5 : 60, printLine);
  if (!small) storeDayOfSchools(day, earlier);
  addFigures(day);
}
console.log(showTable(figures, earlier));
process.exitCode = figures.some(({ met }) => met === false) ? 1 : 0;
