import { parseArgs } from 'node:util';
import { measureCharts } from './charts.ts';
import { openEnvironment } from './database.ts';
import { measureImport } from './import.ts';
import { measureIntake } from './intake.ts';
import { measureLogin, measureRefusals } from './login.ts';
import type { Bench, Figure } from './measure.ts';
import { servePortal } from './processes.ts';
import { measurePupils } from './pupils.ts';
import { storeResults, showTable } from './results.ts';
import { measureWeb } from './web.ts';

/*
 * npm run bench: figures of the portal on a full PostgreSQL, each against a limit taken in the same run.
 * --only NAME: one measure; --small: 20 schools and short rounds, for a quick trial.
 */
const measures: Record<string, (bench: Bench) => Promise<Figure[]>> = {
  pupils: measurePupils,
  charts: measureCharts,
  intake: measureIntake,
  import: measureImport,
  login: measureLogin,
  refusals: measureRefusals,
  web: measureWeb,
};
const say = (line: string) => void process.stderr.write(`${line}\n`);

const { only, small } = parseArgs({
  options: { only: { type: 'string' }, small: { type: 'boolean', default: false } },
}).values;
if (only && !measures[only]) throw new Error(`--only takes ${Object.keys(measures).join(', ')}.`);

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
    if (only && only !== name) continue;
    say(`Measuring ${name} …`);
    figures.push(...(await measure({ world, portal, pace: { rounds: 5, seconds: small ? 1.5 : 4 } })));
  }
} finally {
  await portal.stop();
  await world.postgres.stop();
}
console.log(showTable(figures));
if (!only && !small) storeResults(figures, world);
process.exitCode = figures.some(({ met }) => met === false) ? 1 : 0;
