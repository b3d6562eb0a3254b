// npm run operator -- …: manages operators, creates set-up links, and settles or credits invoices.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { hashPassword } from '../auth/password-hashing.ts';
import { fingerprintsOf } from '../auth/secrets-key.ts';
import { systemClock } from '../clock.ts';
import { type Config, readConfig } from '../config.ts';
import { type Database, prepareDatabase } from '../database/database.ts';
import { admitKeys, forgetKey } from '../database/secret-keys.ts';
import { openExistingDatabase } from '../database/open-database.ts';
import { inPlatform } from '../database/platform.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { findLogin, insertUser, makeSetUpLink } from '../features/accounts/access/access.public.ts';
import { isInvoiceCommand, runInvoiceCommand } from '../features/billing/billing-console/billing-console.public.ts';
import { appointOperator, removeOperator, rotateKey } from '../features/company/operators/operators.public.ts';
import { resetOperator } from '../features/accounts/second-factor/second-factor.public.ts';

const USAGE = `Usage:
  npm run operator -- create EMAIL   creates the account of an operator, and prints a link to choose its password; the link
                                     works once, for 7 days. For the first operator, before anyone has registered
  npm run operator -- add EMAIL      makes an account an operator, who can log in at /admin, find schools and log in as their
                                     staff; its email address must be confirmed. It is logged out everywhere,
                                     and its second factors and linked accounts are shown and removed
  npm run operator -- remove EMAIL   removes this access, and ends the sessions that it started
  npm run operator -- reset-second-factor EMAIL
                                     for an operator who has lost their passkeys, apps and recovery codes: removes them and logs
                                     the operator out everywhere; the next login asks for a new one
  npm run operator -- set-up EMAIL   creates a link that works once, for 7 days: the user logs in with it and chooses a password
  npm run operator -- invoices due                          lists the unpaid invoices
  npm run operator -- invoices paid NUMBER [REFERENCE]      records a payment by bank transfer
  npm run operator -- invoices uncollectible NUMBER REASON  marks an invoice as uncollectible and reverts its purchase
  npm run operator -- invoices credit NUMBER REASON         issues a credit note for the whole invoice
  npm run operator -- rotate-key [--discard]                with SECRETS_KEY=NEW,OLD: encrypts and signs everything with NEW,
                                                            lists what still needs OLD, and retires OLD when nothing does;
                                                            --discard deletes recovery codes and digests of OLD
  npm run operator -- forget-key FINGERPRINT                lets the portal start without a key that is lost; what only that
                                                            key decrypts stays unreadable`;

type Command = (
  db: PlatformDb,
  account: { id: number; school_id: number | null; email_confirmed_at: Date | null },
  email: string,
  publicUrl: string,
) => Promise<string>;

const commands: Record<string, Command> = {
  async add(db, account, email) {
    const removed = await appointOperator(db, account, email, systemClock.now());
    const list = removed.map(({ name, addedAt }) => `  ${name}, added on ${addedAt.slice(0, 10)}`);
    return [
      `${email} is now an operator. They have been logged out everywhere, and add a second factor at the next login.`,
      ...(list.length > 0 ? ['Removed, because they were added before:', ...list] : []),
    ].join('\n');
  },
  async remove(db, { id }, email) {
    await removeOperator(db, id);
    return `${email} is no longer an operator.`;
  },
  async 'reset-second-factor'(db, { id }, email) {
    await resetOperator(db, { id, email }, systemClock.now());
    return `${email} has no second factor now, and adds a new one at the next login.`;
  },
  'set-up': async (db, { id, school_id }, _email, publicUrl) =>
    `${publicUrl}/setup/${await makeSetUpLink(db, { userId: id, schoolId: school_id }, systemClock.now())}`,
};

const emailSchema = z.email();

/** Creates an account without a school. The person who runs the command vouches for the address. */
async function createOperator(database: Database, email: string, { publicUrl, hashCost }: Config): Promise<string> {
  if (!emailSchema.safeParse(email).success) throw new Error(`${email} is not an email address.`);
  const passwordHash = await hashPassword(randomUUID(), hashCost);
  return prepareDatabase(database, () =>
    inPlatform(database, async (db) => {
      if (await findLogin(db, email))
        throw new Error(`An account uses ${email} already: npm run operator -- add ${email}`);
      const now = systemClock.now();
      const user = { email, firstName: 'Portal', lastName: 'Operator', passwordHash, userType: 'enterprise' as const };
      const id = await insertUser(db, { ...user, emailConfirmedAt: now }, now);
      await appointOperator(db, { id, email_confirmed_at: now }, email, now);
      return `${publicUrl}/setup/${await makeSetUpLink(db, { userId: id, schoolId: null }, now)}`;
    }),
  );
}

async function runCommand(database: Database, command: Command, email: string, publicUrl: string): Promise<string> {
  return prepareDatabase(database, () =>
    inPlatform(database, async (db) => {
      const account = await findLogin(db, email);
      if (!account) throw new Error(`No account uses ${email}. Register it first at ${publicUrl}/register`);
      return command(db, account, email, publicUrl);
    }),
  );
}

const isKeyCommand = (name: string, argument: string, rest: readonly string[]): boolean =>
  rest.length === 0 &&
  ((name === 'rotate-key' && ['', '--discard'].includes(argument)) ||
    (name === 'forget-key' && /^[0-9a-f]{16}$/.test(argument)));

async function runKeyCommand(database: Database, name: string, argument: string, config: Config): Promise<string> {
  const offered = fingerprintsOf(config);
  if (name === 'forget-key') {
    await prepareDatabase(database, () =>
      inPlatform(database, (db) => forgetKey(db, argument, offered, systemClock.now())),
    );
    return `The key ${argument} is retired as lost. The portal starts with ${offered[0]}.`;
  }
  await prepareDatabase(database, () => admitKeys(database, offered, systemClock.now()));
  // Outside the lock of a start: it takes a while, and processes may start meanwhile.
  const { lines, hasProblems } = await rotateKey((step) => inPlatform(database, step), config, systemClock.now(), {
    discards: argument === '--discard',
  });
  if (hasProblems) process.exitCode = 1;
  return lines.join('\n');
}

async function run(): Promise<void> {
  const [name = '', email = '', ...rest] = process.argv.slice(2);
  const command = commands[name];
  const isInvoices = name === 'invoices' && isInvoiceCommand(email, rest);
  const isKeys = isKeyCommand(name, email, rest);
  if (!isInvoices && !isKeys && ((!command && name !== 'create') || !email)) throw new Error(USAGE);
  const config = readConfig(process.env);
  const { database, release } = await openExistingDatabase(config, (line) => process.stderr.write(`${line}\n`));
  try {
    const said =
      name === 'create'
        ? await createOperator(database, email, config)
        : isKeys
          ? await runKeyCommand(database, name, email, config)
          : command
            ? await runCommand(database, command, email, config.publicUrl)
            : await prepareDatabase(database, () =>
                inPlatform(database, (db) => runInvoiceCommand(db, [email, ...rest], config, systemClock.now())),
              );
    process.stdout.write(`${said}\n`);
  } finally {
    await database.close();
    await release();
  }
}

run().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
});
