import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureCharts } from './charts.ts';
import { openEnvironment } from './database.ts';
import { measureIntake } from './intake.ts';
import { measureLighthouse } from './lighthouse.ts';
import { measureLogin, measureRefusals } from './login.ts';
import type { Bench, Figure } from './measure.ts';
import { measureReadingNeeds } from './needs.ts';
import { servePortal } from './processes.ts';
import { measurePupils } from './pupils.ts';
import { measureRendering } from './rendering.ts';
import { type RunDescription, showTable, storeResults } from './results.ts';
import { measureSchools } from './schools.ts';
import { measureUploads } from './uploads.ts';
import { measureWeb } from './web.ts';

/*
 * npm run bench: ratios of the portal on a full PostgreSQL, each against a limit measured in the same run; a whole run
 * writes RESULTS.md. --only NAME,NAME: some benches. --small: 20 schools and short rounds, to try a bench out.
 * --save FILE: also writes the figures as JSON. --before FILE: shows such figures of another version in a column.
 */
const BENCHES: Record<string, (bench: Bench) => Promise<Figure[]>> = {
  pupils: measurePupils,
  charts: measureCharts,
  needs: measureReadingNeeds,
  intake: measureIntake,
  uploads: measureUploads,
  login: measureLogin,
  refusals: measureRefusals,
  rendering: measureRendering,
  web: measureWeb,
  lighthouse: measureLighthouse,
};
/** Runs last, on a database of its own. */
const SCHOOLS = 'schools';
const NAMES = [...Object.keys(BENCHES), SCHOOLS];

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
const chosen = only?.split(',') ?? NAMES;
if (chosen.some((name) => !NAMES.includes(name))) throw new Error(`--only takes ${NAMES.join(', ')}.`);

const figures: Figure[] = [];
function addFigures(more: readonly Figure[]): void {
  figures.push(...more);
  // After each bench, so that a run that is interrupted has saved the ones before.
  if (save) writeFileSync(save, JSON.stringify(figures, null, 2));
}

async function runBenches(names: readonly string[]): Promise<RunDescription> {
  const world = await openEnvironment(small ? 20 : 500, say);
  const portal = await servePortal(world.url).catch(async (error: unknown) => {
    await world.postgres.stop();
    throw error;
  });
  const stop = () => portal.stop().then(world.postgres.stop);
  const interrupt = () => void stop().then(() => process.exit(130));
  process.once('SIGINT', interrupt);
  try {
    for (const name of names) {
      say(`Measuring ${name} …`);
      const measure = BENCHES[name]!;
      addFigures(await measure({ world, portal, pace: { rounds: 5, seconds: small ? 1.5 : 4 } }));
    }
    return { schools: world.schools, postgresVersion: world.postgres.version };
  } finally {
    process.off('SIGINT', interrupt);
    await stop();
  }
}

const names = Object.keys(BENCHES).filter((name) => chosen.includes(name));
const run = names.length > 0 ? await runBenches(names) : undefined;
if (chosen.includes(SCHOOLS)) addFigures(await measureSchools(small ? 20 : 200, small ? 5 : 60, say));
console.log(showTable(figures, earlier));
if (!only && !small && run) storeResults(figures, earlier, run);
process.exitCode = figures.some(({ met }) => met === false) ? 1 : 0;
