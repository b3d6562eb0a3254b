import { randomUUID } from 'node:crypto';
import { readingAppCalls, type IntakeSession } from '#contract/calls/reading-app.ts';
import { NoServer, ServerError, send, type SimulationEnvironment } from './device.ts';
import { type Habit, makeHabit, skillAfter } from './habits.ts';
import { type Random, randomFrom } from './random.ts';
import { type BookText, readSession, toBookText } from './reading-session.ts';

export interface SimulationOptions {
  /** Where the server is, without a slash at the end. */
  url: string;
  pupils: number;
  minutes: number;
  password: string;
  /** Usernames are this and a number. */
  prefix: string;
  /** The number of the first pupil; after the last one, those from 1 follow. 1 if absent. */
  firstNumber?: number;
}

/** The reading that the server confirmed. */
export interface Tally {
  sessions: number;
  /** Seconds. */
  readingTime: number;
  wordsAttempted: number;
  wordsCorrect: number;
  /** Distinct books, summed over pupils. */
  booksCompleted: number;
  /** Sessions sent again on purpose, which the server recognised. */
  sentTwice: number;
  /** Sessions without a reply: the server may or may not have stored them. */
  unconfirmed: number;
  rejected: number;
}

/** Receives progress to show to the user. */
export interface ProgressListener {
  say(line: string): void;
  /** @param share of the elapsed time, 0 to 1 */
  progress(share: number, tally: Tally): void;
}

/** An error that the user can fix; the message says how. */
export class SimulationError extends Error {}

/** Concurrent logins: each costs the server a password hash. */
const LOGINS_AT_ONCE = 4;
/** After this many unknown usernames in a row there are no more pupils. */
const UNKNOWN_IN_A_ROW = 8;
/** The maximum time for a login and for the last submission, in milliseconds. */
const PATIENCE = 30_000;
/** Seconds between two submissions of a pupil: two or three a minute, which stands for a school day. */
const BETWEEN = [18, 34] as const;
/** The share of submissions with two sessions, as of a device that was offline. */
const TWO_SESSIONS = 0.2;
/** What a simulated minute is, for the user. */
export const PACE =
  'Each minute stands for a school day: every pupil reads two or three times, some twenty minutes in all.';

interface SimulatedPupil {
  token: string;
  books: BookText[];
  habit: Habit;
  random: Random;
  open: { book: BookText; pagesRead: number } | undefined;
  /** IDs of the books completed so far. A book completed twice counts once, as on the dashboard. */
  completed: Set<number>;
}

/** Simulates pupils for some minutes. The signal ends it early and cleanly. Throws SimulationError. */
export async function simulate(
  options: SimulationOptions,
  world: SimulationEnvironment,
  watcher: ProgressListener,
  signal: AbortSignal,
): Promise<{ pupils: number; tally: Tally }> {
  const players = await logInAll(options, world, watcher, signal);
  const tally: Tally = {
    sessions: 0,
    readingTime: 0,
    wordsAttempted: 0,
    wordsCorrect: 0,
    booksCompleted: 0,
    sentTwice: 0,
    unconfirmed: 0,
    rejected: 0,
  };
  const start = world.now();
  const length = options.minutes * 60_000;
  const readers = players.filter(({ books }) => books.length > 0);
  if (readers.length < players.length)
    watcher.say(`${players.length - readers.length} of them have no books and do not read.`);
  await Promise.all(
    readers.map(async (player) => {
      // Not all at the same time, and everyone at least once.
      await world.pause(player.random.between(0, Math.min(BETWEEN[0] * 1000, length / 2)), signal);
      while (!signal.aborted && world.now() < start + length) {
        await handIn(options.url, world, player, start + length + PATIENCE, tally, signal);
        watcher.progress(Math.min(1, (world.now() - start) / length), tally);
        await world.pause(player.random.between(...BETWEEN) * 1000, signal);
      }
    }),
  );
  if (!signal.aborted) watcher.progress(1, tally);
  return { pupils: players.length, tally };
}

async function logInAll(
  options: SimulationOptions,
  world: SimulationEnvironment,
  watcher: ProgressListener,
  signal: AbortSignal,
): Promise<SimulatedPupil[]> {
  const { firstNumber = 1 } = options;
  // The first one alone and without retries, so that a missing server is reported at once.
  const first = await logIn(options, world, firstNumber, 0, signal);
  const players = first ? [first] : [];
  const logInRange = async (start: number, end: number) => {
    let unknown = 0;
    for (let from = start; from < end && unknown < UNKNOWN_IN_A_ROW && !signal.aborted;) {
      const size = Math.min(LOGINS_AT_ONCE, end - from, options.pupils - players.length);
      if (size <= 0) return;
      const numbers = Array.from({ length: size }, (_, index) => from + index);
      from += size;
      for (const player of await Promise.all(
        numbers.map((number) => logIn(options, world, number, PATIENCE, signal)),
      )) {
        unknown = player ? 0 : unknown + 1;
        if (player) players.push(player);
      }
    }
  };
  await logInRange(firstNumber + 1, Infinity);
  await logInRange(1, firstNumber);
  if (signal.aborted) return players;
  if (players.length === 0)
    throw new SimulationError(
      `No pupil could log in as ${options.prefix}${firstNumber}, ${options.prefix}${firstNumber + 1} … at ${options.url}. Does the server run with DEMO=on? Else name its pupils with --prefix and --password.`,
    );
  watcher.say(
    players.length < options.pupils
      ? `Only ${players.length} of ${options.pupils} pupils could log in; those read.`
      : `${players.length} pupils are logged in.`,
  );
  return players;
}

/** A pupil with their assigned books; undefined if the login fails. */
async function logIn(
  options: SimulationOptions,
  world: SimulationEnvironment,
  number: number,
  patience: number,
  signal: AbortSignal,
): Promise<SimulatedPupil | undefined> {
  const { url, password, prefix } = options;
  const until = world.now() + patience;
  try {
    const { meta } = await send(
      world,
      readingAppCalls.logInPupil,
      { username: `${prefix}${number}`, password },
      { url, signal, until },
    );
    const { books } = await send(world, readingAppCalls.listPupilBooks, undefined, {
      url,
      token: meta.token,
      signal,
      until,
    });
    const random = randomFrom(`${prefix}${number} at ${world.now()}`);
    const lowest = Math.min(...books.map((book) => book.reading_level), 6);
    return {
      token: meta.token,
      books: books.map(toBookText),
      habit: makeHabit(random, Math.max(2, lowest + 1)),
      random,
      open: undefined,
      completed: new Set(),
    };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (error instanceof NoServer)
      throw new SimulationError(`No server answers at ${url}. Start it with npm start, or name another with --url.`, {
        cause: error,
      });
    if (error instanceof ServerError && (error.status === 401 || error.status === 429)) return undefined;
    if (error instanceof ServerError || error instanceof SyntaxError)
      throw new SimulationError(`The server at ${url} does not answer as a school portal: ${error.message}`, {
        cause: error,
      });
    throw error;
  }
}

/** Reads one or two sessions and submits them in one batch, occasionally twice, as a device with a bad connection does. */
async function handIn(
  url: string,
  world: SimulationEnvironment,
  player: SimulatedPupil,
  until: number,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const sessions = Array.from({ length: player.random.chance(TWO_SESSIONS) ? 2 : 1 }, () =>
    readOn(player, world.now()),
  );
  const twice = player.random.chance(0.15);
  const sending = { url, token: player.token, signal, until };
  try {
    const { rejected } = await send(world, readingAppCalls.storeSessions, { sessions }, sending);
    const rejectedIds = new Set(rejected.map(({ id }) => id));
    count(
      tally,
      player.completed,
      sessions.filter(({ id }) => !rejectedIds.has(id)),
    );
    tally.rejected += rejectedIds.size;
  } catch (error) {
    if (!(error instanceof NoServer || error instanceof ServerError)) throw error;
    tally.unconfirmed += sessions.length;
    return;
  }
  if (!twice || signal.aborted) return;
  const { duplicates } = await send(world, readingAppCalls.storeSessions, { sessions }, sending).catch(() => ({
    duplicates: 0,
  }));
  tally.sentTwice += duplicates;
}

/** One session that ends now. */
function readOn(player: SimulatedPupil, now: number): IntakeSession {
  const { random, habit } = player;
  const { book, pagesRead } = player.open ?? { book: random.pick(player.books), pagesRead: 0 };
  const minutes = Math.max(2.5, random.around(habit.minutes, 3.5));
  const session = readSession(random, book, pagesRead, skillAfter(random, habit, 0, book.level), minutes);
  player.open = session.has_completed_book ? undefined : { book, pagesRead: session.last_page };
  // A session's ID must be new each time, even if the clock and therefore the seed repeat.
  return {
    id: randomUUID(),
    book_id: book.id,
    started_at: new Date(now - session.reading_time * 1000).toISOString(),
    ...session,
  };
}

function count(tally: Tally, completed: Set<number>, sessions: readonly IntakeSession[]): void {
  for (const session of sessions) {
    tally.sessions += 1;
    tally.readingTime += session.reading_time;
    tally.wordsAttempted += session.words_attempted;
    tally.wordsCorrect += session.words_correct;
    if (!session.has_completed_book || completed.has(session.book_id)) continue;
    completed.add(session.book_id);
    tally.booksCompleted += 1;
  }
}
