import { appendFileSync } from 'node:fs';
import { loadModule } from 'libpg-query';
import pg from 'pg';
import { inspectStatement } from './cluster-rules.ts';

/*
 * Records every statement that the product sends to a PostgreSQL server in tests, and checks it by the cluster's rules
 * (cluster-rules.ts). Statements of the tests themselves are excluded.
 */

/** What the transaction of a connection has done. */
interface Transaction {
  role: 'school' | 'platform';
  /** The role in which school tables were written; undefined while none was. */
  writtenAs: 'school' | 'platform' | undefined;
}

/** The role in which a statement was sent, and its text. */
export type RecordedStatement = readonly [role: 'school' | 'platform', text: string];

type Inspected = ReturnType<typeof inspectStatement> & { key: string };

const inspected = new Map<string, Inspected>();
const fromTests = new Set<string>();
const transactions = new WeakMap<pg.Client, Transaction>();
/** By rule and statement: where it was sent from. */
const breaches = new Map<string, string>();
let unwritten: RecordedStatement[] = [];

/** Normalises lists, so that their length does not matter. */
export const normalize = (text: string): string =>
  text
    .replaceAll(/\$\d+/g, '$$1')
    .replaceAll(/\((\$1(?:::[\w[\]]+)?, )+\$1(?:::[\w[\]]+)?\)/g, '($$1)')
    .replaceAll(/\(\$1\)(, \(\$1\))+/g, '($$1)')
    .replaceAll(/'\d+'/g, "'1'");

const MACHINERY =
  /node_modules|server\/src\/(database\/[^/]+\.ts|testing\/(statement-recorder|databases|dump)\.ts)|node:/;

/** The files in the stack, the nearest first. As text they would be mapped back to the sources. */
function listCallers(): string[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 60;
  Error.prepareStackTrace = (_error, sites) => sites;
  const sites = new Error('where').stack as unknown as NodeJS.CallSite[];
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return sites.map((site) => site.getScriptNameOrSourceURL() ?? '');
}

/** The nearest file of the product that sent the statement. */
const callerOf = (): string =>
  listCallers()
    .find((path) => /\/(server|seeds|contract)\//.test(path) && (!MACHINERY.test(path) || /\.test\.ts/.test(path)))
    ?.replace(/^.*\/(?=(server|seeds)\/)/, '') ?? 'unknown';

/** A statement with only the first of several equal rows: the others break the same rules. */
const withOneRow = (text: string): string =>
  text.replaceAll(/\$\d+/g, '$$1').replaceAll(/(\((?:\$1, )*\$1\))(?:, \1)+/g, '$1');

/** The normalised text of a statement and its findings. */
function inspect(text: string): Inspected {
  const known = inspected.get(text);
  if (known) return known;
  const shorter = withOneRow(text);
  const result = inspected.get(shorter) ?? { ...inspectStatement(shorter), key: normalize(text) };
  inspected.set(shorter, result);
  inspected.set(text, result);
  return result;
}

const note = (rule: string, text: string, caller: string): void => {
  const key = `${rule}: ${normalize(text).replaceAll(/\s+/g, ' ').slice(0, 600)}`;
  if (!breaches.has(key)) breaches.set(key, caller);
};

function record(client: pg.Client, text: string): void {
  const statement = inspect(text);
  const transaction = transactions.get(client) ?? { role: 'platform', writtenAs: undefined };
  transactions.set(client, transaction);
  if (statement.transaction) Object.assign(transaction, { role: 'platform', writtenAs: undefined });
  if (statement.takesRole) transaction.role = statement.takesRole;
  const { key } = statement;
  const touches = statement.readsSchool || statement.writesSchool || statement.breaches.length > 0;
  const caller = touches ? callerOf() : '';
  const isTests = /\.test\.ts$|server\/src\/testing\//.test(caller);
  if (isTests) return void fromTests.add(key);
  const sent = `${transaction.role} ${key}`;
  if (!seen.has(sent)) {
    seen.add(sent);
    unwritten.push([transaction.role, text]);
  }
  for (const rule of statement.breaches) note(rule, text, caller);
  if (transaction.role === 'school' && statement.unbound.length > 0)
    note(`${[...new Set(statement.unbound)].join(', ')} not bound to a school by value`, text, caller);
  const { role, writtenAs } = transaction;
  if ((statement.readsSchool || statement.writesSchool) && writtenAs && writtenAs !== role)
    note(`a school table is used in the ${role}’s role after one was written in the ${writtenAs}’s`, text, caller);
  if (statement.writesSchool) transaction.writtenAs ??= role;
}
const seen = new Set<string>();

/** The databases to record: those in which the whole portal runs. */
const databases = new Set<string>();
let isRecording = false;
let isPaused = false;

/** Pauses recording where processor time is measured: parsing a statement takes longer than sending it. */
export const pauseRecording = (paused: boolean): void => {
  isPaused = paused;
};

/** Records every connection of this process to a database from now on. */
export async function recordStatements(name: string): Promise<void> {
  databases.add(name);
  if (isRecording) return;
  isRecording = true;
  await loadModule();
  const driver = pg.Client.prototype.query;
  pg.Client.prototype.query = function recorded(this: pg.Client, ...args: unknown[]) {
    const [query] = args as [string | { text?: string }];
    const text = typeof query === 'string' ? query : query.text;
    if (text && !isPaused && databases.has(this.database ?? '')) record(this, text);
    return (driver as (...all: unknown[]) => unknown).apply(this, args);
  } as typeof driver;
}

/** Appends the statements recorded since the last call to one file, and the broken rules to another. */
export function flushStatements(file: string): void {
  appendFileSync(file, unwritten.map((statement) => `${JSON.stringify(statement)}\n`).join(''));
  unwritten = [];
  const found = [...breaches].map(([rule, caller]) => `${caller}: ${rule}`);
  breaches.clear();
  // Reported at the end of the run: a statement that breaks a rule still works on one server.
  appendFileSync(`${file}.breaches`, found.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
