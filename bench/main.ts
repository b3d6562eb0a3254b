import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openEnvironment } from './harness/environment.ts';
import type { Bench, Figure } from './harness/figures.ts';
import { servePortal } from './harness/portal.ts';
import { cleanUpOnSignal, killAll } from './harness/program.ts';
import { showTable, storeResults } from './harness/results.ts';
import { measureCharts } from './questions/charts.ts';
import { measureDayOfSchools } from './questions/day-of-schools.ts';
import { measureFirstStart } from './questions/first-start.ts';
import { measureIntake } from './questions/intake.ts';
import { measureLogins, measureLoginTiming } from './questions/logins.ts';
import { measurePupils } from './questions/pupils-list.ts';
import { measurePupilsPage } from './questions/pupils-page.ts';
import { measureReadingNeeds } from './questions/reading-needs.ts';

/*
 * npm run bench: ratios of the portal on a full PostgreSQL, each to a baseline measured in the same run. A full run stores
 * them in RESULTS.md. --only NAME,NAME: some questions. --small: 20 schools and short rounds, to try a question out.
 * --save FILE: also writes the figures as JSON. --before FILE: adds a column with such figures of another version.
 */
const QUESTIONS: Record<string, (bench: Bench) => Promise<Figure[]>> = {
  firstStart: measureFirstStart,
  pupils: measurePupils,
  charts: measureCharts,
  needs: measureReadingNeeds,
  intake: measureIntake,
  login: measureLogins,
  loginTiming: measureLoginTiming,
  pupilsPage: measurePupilsPage,
  schools: measureDayOfSchools,
};
const NAMES = Object.keys(QUESTIONS);

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
cleanUpOnSignal(killAll);
try {
  const environment = await openEnvironment(small ? 20 : 500, printLine);
  const portal = await servePortal(environment.url);
  const pace = { rounds: 5, seconds: small ? 1.5 : 4 };
  for (const name of NAMES.filter((known) => chosen.includes(known))) {
    printLine(`Measuring ${name} …`);
    figures.push(...(await QUESTIONS[name]!({ environment, portal, pace, isSmall: small, printLine })));
    // After each question, so that an interrupted run keeps its figures.
    if (save) writeFileSync(save, JSON.stringify(figures, null, 2));
  }
  if (!only && !small) storeResults(figures, earlier, environment);
  await portal.stop();
  await environment.postgres.stop();
} finally {
  await killAll();
}
console.log(showTable(figures, earlier));
process.exitCode = figures.some(({ met }) => met === false) ? 1 : 0;
