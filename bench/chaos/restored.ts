import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runCommand } from '#server/testing/portal-process.ts';
import { freePort } from '../harness/postgres.ts';
import { PortalProcess, SECRETS_KEY } from './portal-process.ts';
import { injectFault, TIMEOUT_MS } from './report.ts';
import { query, type ServerEnvironment } from './server-environment.ts';

const COPY = 'portal_yesterday';
const HEADS = ['head@willowbank.example', 'head@otherschool.example'];
/** Whose mail waits at the moment of the backup, and is delivered after it. */
const WAITING = 'teacher@willowbank.example';
const RECORDS = ['last-numbers.json', 'erasures.txt'];

const CONTACT = {
  contact_name: 'Grace Lim',
  address_line_1: '1 School Lane',
  postcode: 'SW1A 1AA',
  telephone: '020 7946 0000',
  email: 'office@school.example',
};

async function waitUntil(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`Never happened: ${what}.`);
    await wait(50);
  }
}

interface Login {
  portal: PortalProcess;
  token: string;
  schoolId: number;
}

async function logIn(portal: PortalProcess, email: string): Promise<Login> {
  const { status, reply } = await portal.request('/v1/auth', { email, password: 'reading-1' });
  if (status !== 200) throw new Error(`${email} could not log in: ${status} ${JSON.stringify(reply)}`);
  const { user, meta } = reply as { user: { enterprise: { id: number } }; meta: { token: string } };
  return { portal, token: meta.token, schoolId: user.enterprise.id };
}

/** Buys the largest package and returns the number of the invoice. */
async function buyPackage({ portal, token, schoolId }: Login): Promise<string> {
  const path = `/v1/enterprises/${schoolId}/subscriptions`;
  const { reply } = await portal.request(`${path}/packages`, undefined, token);
  const { packages } = reply as { packages: { id: number }[] };
  const answers: string[] = [];
  for (const { id } of packages.toReversed()) {
    const bought = await portal.request(path, { package_id: id, contact: CONTACT }, token);
    if (bought.status === 200) return (bought.reply as { invoice: { number: string } }).invoice.number;
    answers.push(`${bought.status} ${JSON.stringify(bought.reply)}`);
  }
  throw new Error(`No package could be bought: ${answers.join(', ')}`);
}

async function erasePupil({ portal, token, schoolId }: Login, pupilId: number): Promise<void> {
  const path = `/v1/enterprises/${schoolId}/archive`;
  const archived = await portal.getStatus(path, { reader_ids: [pupilId] }, token);
  const erased = await fetch(`${portal.url}${path}/${pupilId}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  if (archived !== 200 || erased.status !== 200)
    throw new Error(`The pupil was not erased: ${archived}, ${erased.status} ${await erased.text()}`);
}

/** What happened after the backup, which the restored database has forgotten. */
interface Forgotten {
  backup: string;
  invoices: string[];
  pupilId: number;
}

async function actAfterBackup(environment: ServerEnvironment, run: (...words: string[]) => Promise<string>) {
  const { backupFolder, databaseUrl, mailServer, portal } = environment;
  let openGate = (): void => undefined;
  const gate = new Promise<void>((resolve) => (openGate = resolve));
  mailServer.beforeAccepting = () => gate;
  await portal.getStatus('/v1/users/resetpassword', { email: WAITING });
  const unsent = 'select from outbox where sent_at is null and text is not null';
  await waitUntil('a mail waits', async () => (await query(databaseUrl, unsent)).length > 0);
  const backup = join(backupFolder, 'yesterday.backup');
  await run('backup', backup);
  openGate();
  await waitUntil('the waiting mail is delivered', () => mailServer.recipients.includes(WAITING));

  const logins = [];
  for (const email of HEADS) logins.push(await logIn(portal, email));
  const invoices = [];
  for (const login of logins) invoices.push(await buyPackage(login));
  const [pupil] = await query<{ id: string }>(
    databaseUrl,
    'select max(id) as id from pupils where school_id = $1 and archived_at is null',
    [logins[1]!.schoolId],
  );
  await erasePupil(logins[1]!, Number(pupil!.id));
  const last = Number(invoices.at(-1)!.slice('INV-'.length));
  const read = (name: string) => readFileSync(join(backupFolder, name), 'utf8');
  await waitUntil('the invoices are recorded', () => JSON.parse(read('last-numbers.json')).invoice >= last);
  await waitUntil('the erasure is recorded', () => {
    try {
      return read('erasures.txt').includes('pupil');
    } catch {
      return false;
    }
  });
  return { backup, invoices, pupilId: Number(pupil!.id) } satisfies Forgotten;
}

async function assertRejected(portal: PortalProcess): Promise<void> {
  const ready = await portal
    .start()
    .waitUntilReady()
    .then(
      () => true,
      () => false,
    );
  if (ready || portal.isRunning) throw new Error('A process served the restored database before after-restore.');
}

/** The restored portal sells and delivers: with new numbers, without the pupil, and without what was delivered before. */
async function assertContinues(
  { mailServer, serverUrl }: ServerEnvironment,
  portal: PortalProcess,
  { invoices, pupilId }: Forgotten,
): Promise<void> {
  const before = mailServer.recipients.length;
  const next = await buyPackage(await logIn(portal, HEADS[0]!));
  if (invoices.some((number) => number >= next)) throw new Error(`${next} was given again: ${invoices.join(', ')}`);
  const url = serverUrl(COPY);
  const pupils = await query(url, 'select from pupils where id = $1', [pupilId]);
  if (pupils.length > 0) throw new Error('A pupil who was erased is back.');
  const twice = await query(url, 'select number from invoices group by number having count(*) > 1');
  if (twice.length > 0) throw new Error('An invoice number was given twice.');
  const delivered = () => mailServer.recipients.slice(before);
  await waitUntil('the new invoice is delivered', () => delivered().includes(CONTACT.email));
  if (delivered().includes(WAITING)) throw new Error('A mail that was held was sent.');
}

/**
 * Yesterday's backup is restored beside the portal under load and becomes a portal of its own, after packages were
 * bought and a pupil was erased. The first portal then goes on, as after a decision against the restored one.
 */
export const restoreYesterday = async (environment: ServerEnvironment) => {
  const { backupFolder, databaseUrl, dataFolder, folder, portal, readers, serverUrl } = environment;
  await injectFault("yesterday's backup restored beside the portal, then served", readers, 1, async () => {
    // The restored portal records its own numbers, which the first one is behind.
    const records = join(folder, 'records');
    mkdirSync(records, { mode: 0o700 });
    const run = async (url: string, backups: string, ...words: string[]): Promise<string> => {
      const settings = {
        STAGE: 'local',
        SECRETS_KEY,
        DATABASE_URL: url,
        DATA_DIR: dataFolder,
        BACKUP_DIR: backups,
      };
      const { code, stdout, stderr } = await runCommand('backup.ts', words, settings, folder);
      if (code !== 0) throw new Error(`${words[0]} failed:\n${stdout}${stderr}`);
      return stdout;
    };
    const forgotten = await actAfterBackup(environment, (...words) => run(databaseUrl, backupFolder, ...words));
    await run(databaseUrl, backupFolder, 'restore', forgotten.backup, '--into', COPY);
    await portal.end('SIGTERM');
    for (const name of RECORDS) copyFileSync(join(backupFolder, name), join(records, name));
    const restored = new PortalProcess(await freePort(), {
      DATABASE_URL: serverUrl(COPY),
      DATA_DIR: dataFolder,
      SMTP_URL: environment.smtpUrl,
      BACKUP_DIR: records,
    });
    try {
      await assertRejected(restored);
      const report = await run(serverUrl(COPY), records, 'after-restore');
      for (const words of [...forgotten.invoices.slice(0, 1), 'Held emails, which may have been sent before'])
        if (!report.includes(words)) throw new Error(`The report lacks “${words}”:\n${report}`);
      await restored.start().waitUntilReady();
      await assertContinues(environment, restored, forgotten);
    } finally {
      await restored.end('SIGTERM');
    }
    portal.start();
    await portal.waitUntilReady();
  });
};
