import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { SimulationEnvironment } from './device.ts';
import { findPortalUrl } from './find-portal.ts';
import { PACE, simulate, SimulationError, type SimulationOptions, type Tally } from './simulation.ts';
import { Progress } from './progress.ts';
import { demoSchools } from './schools.ts';

const HELP = `Plays pupils who read, against a running server.

  npm run simulate -- --pupils 60 --minutes 1

  --pupils    how many (60)
  --minutes   for how long (1)
  --url       where the server is (the portal that runs on this machine)
  --prefix    what usernames begin with (demo-pupil-)
  --password  the password of all of them (reading-1)
`;

const world: SimulationEnvironment = {
  fetch,
  now: Date.now,
  pause: (milliseconds, signal) => wait(milliseconds, undefined, { signal }).catch(() => undefined),
};

const DEMO_PREFIX = 'demo-pupil-';

/** The number of the first pupil in the demonstration teacher's class, whose dashboard is the one to watch. */
function findFirstOfTeacher(): number {
  const [school] = demoSchools;
  const teachers = school?.staff.findIndex(({ email }) => email === 'teacher@willowbank.example');
  const before = school?.classes.slice(
    0,
    school.classes.findIndex(({ manager }) => manager === teachers),
  );
  return (before ?? []).reduce((sum, { pupils }) => sum + pupils.length, school?.firstPupil ?? 1);
}

const describeWatch = ({ url, prefix }: SimulationOptions): string =>
  prefix === DEMO_PREFIX
    ? `Watch ${url} as teacher@willowbank.example, password reading-1: on the dashboard the larks of "Reading this week"
move to the right and "Reading time over time" rises every half a minute, without a reload.`
    : `Watch the dashboard of their school at ${url}: its figures rise every half a minute, without a reload.`;

/** Reads the command line. Throws SimulationError on what makes no sense. */
function readOptions(): SimulationOptions | undefined {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        pupils: text('60'),
        minutes: text('1'),
        url: text(findPortalUrl(process.env)),
        prefix: text(DEMO_PREFIX),
        password: text('reading-1'),
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    throw new SimulationError(`${(error as Error).message}\n\n${HELP}`, { cause: error });
  }
  if (values.help) return undefined;
  const pupils = Number(values.pupils);
  const minutes = Number(values.minutes);
  if (!Number.isInteger(pupils) || pupils < 1) throw new SimulationError('--pupils is a whole number from 1.');
  if (!(minutes > 0 && minutes <= 1440)) throw new SimulationError('--minutes is a number above 0, at most 1440.');
  if (!URL.canParse(values.url)) throw new SimulationError('--url is an address such as http://localhost:8080.');
  return {
    url: values.url.replace(/\/+$/, ''),
    pupils,
    minutes,
    password: values.password,
    prefix: values.prefix,
    firstNumber: values.prefix === DEMO_PREFIX ? findFirstOfTeacher() : 1,
  };
}

function report(pupils: number, tally: Tally): string {
  const whole = (value: number) => value.toLocaleString('en-GB');
  const minutes = Math.round(tally.readingTime / 60);
  return `
What ${whole(pupils)} pupils read, and by what today's figures on the dashboard rise (on all of them together, where the pupils are of several schools):
  reading sessions   ${whole(tally.sessions)}
  reading time       ${whole(tally.readingTime)} s (${Math.floor(minutes / 60)} h ${minutes % 60} min)
  words attempted    ${whole(tally.wordsAttempted)}
  words correct      ${whole(tally.wordsCorrect)}
  books completed    ${whole(tally.booksCompleted)}
${tally.sentTwice > 0 ? `Sent again and not counted twice: ${whole(tally.sentTwice)} sessions.\n` : ''}${
    tally.rejected > 0 ? `Rejected by the server: ${whole(tally.rejected)} sessions.\n` : ''
  }${tally.unconfirmed > 0 ? `Without an answer, so that the server may have them or not: ${whole(tally.unconfirmed)} sessions.\n` : ''}`;
}

async function run(): Promise<void> {
  const options = readOptions();
  if (!options) return void process.stdout.write(HELP);
  const stop = new AbortController();
  // One listener for each waiting pupil.
  setMaxListeners(0, stop.signal);
  process.on('SIGINT', () => {
    // A second Ctrl-C stops without waiting for the last replies.
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  });
  const progress = new Progress(process.stdout);
  progress.say(`Logging ${options.pupils} pupils in at ${options.url} …`);
  progress.say(PACE);
  progress.say(describeWatch(options));
  const { pupils, tally } = await simulate(options, world, progress, stop.signal);
  progress.end();
  if (stop.signal.aborted) process.stdout.write('Stopped.\n');
  process.stdout.write(report(pupils, tally));
}

run().catch((error: unknown) => {
  process.stderr.write(`\n${error instanceof SimulationError ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
