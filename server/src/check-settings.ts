import { accessSync, constants, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Config } from './config.ts';
import { fingerprintsOf } from './auth/secrets-key.ts';
import { connectServer, pingDatabase } from './database/database.ts';
import { readKeyProblem } from './database/secret-keys.ts';
import { type SettingIssue, settingNames } from './settings.ts';

/** How many single-character edits turn one text into the other; swapping two neighbours counts as one. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? beforePrevious[j - 2]! + 1 : Infinity;
      row.push(Math.min(substitution, previous[j]! + 1, row[j - 1]! + 1, swap));
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length]!;
}

const MAX_EDITS = 2;
/** Short names are close to many others: of these only one edit is reported. */
const SHORT_NAME_LENGTH = 6;

/** Variables that are no settings but close to the name of one. */
export function findMisspeltNames(environment: Record<string, string | undefined>): SettingIssue[] {
  const known = new Set<string>(settingNames);
  return Object.keys(environment)
    .filter((name) => !known.has(name) && environment[name])
    .flatMap((setting) => {
      const upperCase = setting.toUpperCase();
      const near = settingNames.find(
        (name) => editDistance(upperCase, name) <= (name.length <= SHORT_NAME_LENGTH ? 1 : MAX_EDITS),
      );
      return near ? [{ setting, text: `is not a setting: do you mean ${near}?` }] : [];
    });
}

/** Settings that are valid but probably not what a school wants. */
export function findDoubtfulSettings(config: Config): SettingIssue[] {
  if (config.stage !== 'production' || config.demo) return [];
  const { protocol, hostname } = new URL(config.publicUrl);
  const warnings: [boolean, string, string][] = [
    [
      protocol === 'http:' && hostname !== 'localhost',
      'PUBLIC_URL',
      'is not https: browsers send the session cookie unencrypted',
    ],
    [!config.smtpUrl, 'SMTP_URL', `is not set: emails are written to ${config.dataDir}/outbox and reach no one`],
    [!config.backupDir, 'BACKUP_DIR', 'is not set: no backup is made at night'],
    [
      config.backupDir !== undefined && config.backupRecipients.length === 0,
      'BACKUP_RECIPIENTS',
      "is not set: backups contain children's names and are not encrypted. Make a key on another machine with age-keygen and set its public key",
    ],
    [
      !config.seller.bankAccount && !config.stripe,
      'BANK_ACCOUNT',
      'and STRIPE_SECRET_KEY are not set: invoices cannot be paid',
    ],
    [
      config.trustProxy?.split(',').some((entry) => entry.trim().endsWith('/0')) ?? false,
      'TRUST_PROXY',
      'trusts every address: any visitor can choose the address that rate limits count',
    ],
  ];
  return warnings.flatMap(([applies, setting, text]) => (applies ? [{ setting, text }] : []));
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? (error as Error).message;

function findFolderError(setting: string, folder: string): SettingIssue[] {
  try {
    if (!statSync(folder).isDirectory())
      return [{ setting, text: `must be a folder: ${folder} is a file. Move it away, or choose another folder` }];
    accessSync(folder, constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    return [
      {
        setting,
        text: `must be a folder that the portal may write to: ${folder} (${codeOf(error)}). Create it or give it to the account that runs the portal (chown), or choose another folder`,
      },
    ];
  }
}

function findProgramError(setting: string, path: string): SettingIssue[] {
  try {
    accessSync(path, constants.X_OK);
    if (statSync(path).isFile()) return [];
    return [{ setting, text: `must be a program: ${path} is not a file` }];
  } catch (error) {
    return [{ setting, text: `must be a program that the portal may run: ${path} (${codeOf(error)})` }];
  }
}

/** The nearest folder above a path that exists. */
function existingParent(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found || dirname(path) === path ? path : existingParent(dirname(path));
}

/** Folders that cannot be written to, and programs that cannot be run. `DATA_DIR` may be missing: it is created. */
export const findFolderErrors = ({ dataDir, databaseUrl, backupDir, backupHook }: Config): SettingIssue[] => [
  // The database may belong to another account than the folder, for example after a start with sudo.
  ...findFolderError('DATA_DIR', existingParent(databaseUrl ? dataDir : join(dataDir, 'postgres'))),
  ...(backupDir ? findFolderError('BACKUP_DIR', backupDir) : []),
  ...(backupHook ? findProgramError('BACKUP_HOOK', backupHook) : []),
];

const ANSWER_TIMEOUT_MS = 5000;

/** Why the mail server cannot be used. It may be away for a while, so this does not prevent a start. */
export async function findMailServerError(smtpUrl: string | undefined): Promise<SettingIssue[]> {
  if (!smtpUrl) return [];
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: ANSWER_TIMEOUT_MS,
    greetingTimeout: ANSWER_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
  });
  try {
    await transport.verify();
    return [];
  } catch (error) {
    return [{ setting: 'SMTP_URL', text: `names a mail server that cannot be used: ${(error as Error).message}` }];
  } finally {
    transport.close();
  }
}

const POOLER_HINT = ' (a connection pooler: set DATABASE_PREPARED_STATEMENTS=off and DATABASE_DIRECT_URL)';

const databaseIssue = (error: Error): SettingIssue => ({
  setting: 'DATABASE_URL',
  text: `names a database that cannot be used: ${error.message || codeOf(error)}${
    error.message.includes('unsupported startup parameter') ? POOLER_HINT : ''
  }`,
});

/** Why the database server cannot be used, or not with these keys. */
export async function findDatabaseError(config: Config): Promise<SettingIssue[]> {
  const { databaseUrl, isDatabasePooled, secretsKeys } = config;
  if (!databaseUrl) return [];
  const database = connectServer(databaseUrl, {
    connections: 1,
    connectTimeoutMs: ANSWER_TIMEOUT_MS,
    isPooled: isDatabasePooled,
  });
  try {
    await pingDatabase(database);
    // Without the setting the key is in the data folder, where a check creates no file.
    const problem = secretsKeys.length > 0 ? await readKeyProblem(database, fingerprintsOf(config)) : undefined;
    return problem === undefined ? [] : [{ setting: 'SECRETS_KEY', text: problem }];
  } catch (error) {
    return [databaseIssue(error as Error)];
  } finally {
    await database.close();
  }
}

/** A key that the database may still need, because it was not retired. */
export const missingKeyIssue = (fingerprint: string): SettingIssue => ({
  setting: 'SECRETS_KEY',
  text: `lacks the key ${fingerprint}, which is not retired: add it at the end and run npm run operator -- rotate-key`,
});

/** Errors of the network, of authentication, and of a database that does not exist. */
const CANNOT_CONNECT = /^(E[A-Z]+|08...|28...|3D000|57P03)$/;

/** Why an address cannot be listened on, and what to do. */
function listenIssue(error: Error, setting: 'PORT' | 'METRICS_PORT', host: string, port: number): SettingIssue {
  const code = codeOf(error);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return {
      setting: setting === 'PORT' ? 'HOST' : 'METRICS_HOST',
      text: `${host} is not an address of this machine (${code}). Use 127.0.0.1, or 0.0.0.0 for all its addresses`,
    };
  const other = `${setting}=${port < 65_535 ? port + 1 : 8080} npm start`;
  const reason =
    code === 'EADDRINUSE'
      ? 'is in use by another program. Stop that program, or choose another port'
      : code === 'EACCES'
        ? 'may not be used by this account (EACCES). Choose a port above 1023'
        : `cannot be listened on (${code}). Choose another port`;
  return { setting, text: `${port} ${reason}: ${code === 'EACCES' ? `${setting}=8080 npm start` : other}` };
}

/** Listens on an address and stops again. Throws the error of the system. */
const tryToListen = (port: number, host: string): Promise<void> =>
  new Promise((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen({ port, host, exclusive: true }, () => server.close(() => done()));
  });

/** A portal that is stopping closes its port a little later. */
const PORT_WAIT_MS = 2000;
const PORT_POLL_MS = 100;

async function findPortError(setting: 'PORT' | 'METRICS_PORT', host: string, port: number): Promise<SettingIssue[]> {
  const giveUpAt = performance.now() + PORT_WAIT_MS;
  for (;;)
    try {
      await tryToListen(port, host);
      return [];
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE' || performance.now() >= giveUpAt)
        return [listenIssue(error as Error, setting, host, port)];
      await wait(PORT_POLL_MS);
    }
}

/** Ports that cannot be listened on, found before the database is opened. */
export async function findPortErrors({ host, port, metricsHost, metricsPort }: Config): Promise<SettingIssue[]> {
  return [
    ...(await findPortError('PORT', host, port)),
    ...(metricsPort === undefined ? [] : await findPortError('METRICS_PORT', metricsHost, metricsPort)),
  ];
}

/** The setting that explains why a start failed; undefined if none does. */
export function findCauseOfFailedStart(error: Error, config: Config): SettingIssue | undefined {
  const { host, port, metricsHost, metricsPort, databaseUrl } = config;
  if ('syscall' in error && error.syscall === 'listen') {
    return metricsPort !== undefined && metricsPort !== port && 'port' in error && error.port === metricsPort
      ? listenIssue(error, 'METRICS_PORT', metricsHost, metricsPort)
      : listenIssue(error, 'PORT', host, port);
  }
  if (databaseUrl && codeOf(error) === '53100')
    return {
      setting: 'DATABASE_URL',
      text: 'names a server whose disk is full. Free some space there and start again',
    };
  return databaseUrl && CANNOT_CONNECT.test(codeOf(error)) ? databaseIssue(error) : undefined;
}
