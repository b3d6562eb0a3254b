import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureCharts } from './charts.ts';
import { measureDrawing } from './drawing.ts';
import { openEnvironment } from './database.ts';
import { measureImport } from './import.ts';
import { measureIntake } from './intake.ts';
import { measureLibrary } from './library.ts';
import { measureLighthouse } from './lighthouse.ts';
import { measureLogin, measureRefusals } from './login.ts';
import type { Bench, Figure } from './measure.ts';
import { servePortal } from './processes.ts';
import { measureSchools } from './schools.ts';
import { measureStatements } from './statement-costs.ts';
import { measureReadingNeeds } from './reading-needs.ts';
import { measurePupils } from './pupils.ts';
import { storeResults, showTable } from './results.ts';
import { measureUploads } from './uploads.ts';
import { measureWeb } from './web.ts';

/*
 * npm run bench: figures of the portal on a full PostgreSQL, each against a limit taken in the same run.
 * --only NAME,NAME: some measures; --only schools: a day of many schools, on a database of its own; --small: 20 schools and short rounds, for a quick trial;
 * --save FILE: keep the figures; --before FILE: show those that another version of the portal kept, in a column.
 */
const measures: Record<string, (bench: Bench) => Promise<Figure[]>> = {
  statements: measureStatements,
  pupils: measurePupils,
  charts: measureCharts,
  needs: measureReadingNeeds,
  intake: measureIntake,
  import: measureImport,
  uploads: measureUploads,
  login: measureLogin,
  refusals: measureRefusals,
  web: measureWeb,
  drawing: measureDrawing,
  lighthouse: measureLighthouse,
  library: measureLibrary,
};
/** Taken on a database of its own, and only when it is asked for: it takes minutes to fill. */
const ALONE = 'schools';
const say = (line: string) => void process.stderr.write(`${line}\n`);

const { only, small, save, before } = parseArgs({
  options: {
    only: { type: 'string' },
    small: { type: 'boolean', default: false },
    save: { type: 'string' },
    before: { type: 'string' },
  },
}).values;
const earlier = before ? (JSON.parse(readFileSync(before, 'utf8')) as Figure[]) : [];
const chosen = only?.split(',') ?? Object.keys(measures);
if (chosen.some((name) => name !== ALONE && !measures[name]))
  throw new Error(`--only takes ${[...Object.keys(measures), ALONE].join(', ')}.`);

if (chosen.includes(ALONE)) {
  const figures = await measureSchools(small ? 20 : 200, small ? 5 : 60, say);
  console.log(showTable(figures, earlier));
  process.exit(figures.some(({ met }) => met === false) ? 1 : 0);
}

const world = await openEnvironment(small ? 20 : 500, say);
const portal = await servePortal(world.url).catch(async (error: unknown) => {
  await world.postgres.stop();
  throw error;
});
const figures: Figure[] = [];
process.once(
  'SIGINT',
  () =>
    void portal
      .stop()
      .then(world.postgres.stop)
      .then(() => process.exit(130)),
);
try {
  for (const [name, measure] of Object.entries(measures)) {
    if (!chosen.includes(name)) continue;
    say(`Measuring ${name} …`);
    figures.push(...(await measure({ world, portal, pace: { rounds: 5, seconds: small ? 1.5 : 4 } })));
    // After each: a run that is broken off keeps what it has.
    if (save) writeFileSync(save, JSON.stringify(figures, null, 2));
  }
} finally {
  await portal.stop();
  await world.postgres.stop();
}
console.log(showTable(figures, earlier));
if (!only && !small) storeResults(figures, earlier, world);
process.exitCode = figures.some(({ met }) => met === false) ? 1 : 0;
