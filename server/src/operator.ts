// npm run operator -- …: who of the company may act across schools, links that begin an account, and what becomes of invoices.
import { systemClock } from './clock.ts';
import { readConfig } from './config.ts';
import { type Database, prepareDatabase } from './database/database.ts';
import { openDatabase } from './database/open-database.ts';
import { inPlatform } from './database/platform.ts';
import type { PlatformDb } from './database/platform-db.ts';
import { findLogin, makeSetUpLink } from './features/access/access.public.ts';
import { isInvoiceCommand, runInvoiceCommand } from './features/billing-console/billing-console.public.ts';
import { appointOperator, removeOperator } from './features/operators/operators.public.ts';

const USAGE = `Usage:
  npm run operator -- add EMAIL      the account may log in at /admin, find schools and log in as their staff;
                                     its address has to be confirmed, and its sessions end
  npm run operator -- remove EMAIL   takes that away again, and ends what was begun with it
  npm run operator -- set-up EMAIL   makes a link that works once, for 7 days: its person logs in with it and chooses a password
  npm run operator -- invoices due                          lists the unpaid invoices
  npm run operator -- invoices paid NUMBER [REFERENCE]      notes a payment by bank transfer
  npm run operator -- invoices uncollectible NUMBER REASON  gives an invoice up, and what was bought with it
  npm run operator -- invoices credit NUMBER REASON         issues a credit note over all of it`;

type Command = (
  db: PlatformDb,
  account: { id: number; school_id: number | null; email_confirmed_at: Date | null },
  email: string,
  publicUrl: string,
) => Promise<string>;

const commands: Record<string, Command> = {
  async add(db, account, email) {
    await appointOperator(db, account, email, systemClock.now());
    return `${email} is an operator now. Their sessions have ended: they have to log in again.`;
  },
  async remove(db, { id }, email) {
    await removeOperator(db, id);
    return `${email} is no operator now.`;
  },
  'set-up': async (db, { id, school_id }, _email, publicUrl) =>
    `${publicUrl}/setup/${await makeSetUpLink(db, { userId: id, schoolId: school_id }, systemClock.now())}`,
};

async function carryOut(database: Database, command: Command, email: string, publicUrl: string): Promise<string> {
  return prepareDatabase(database, () =>
    inPlatform(database, async (db) => {
      const account = await findLogin(db, email);
      if (!account) throw new Error(`There is no account of ${email}. Register it first, at ${publicUrl}/register`);
      return command(db, account, email, publicUrl);
    }),
  );
}

async function run(): Promise<void> {
  const [name = '', email = '', ...rest] = process.argv.slice(2);
  const command = commands[name];
  const isInvoices = name === 'invoices' && isInvoiceCommand(email, rest);
  if (!isInvoices && (!command || !email)) throw new Error(USAGE);
  const config = readConfig(process.env);
  const { database, release } = await openDatabase(
    config,
    () => undefined,
    () => undefined,
  );
  try {
    const said = command
      ? await carryOut(database, command, email, config.publicUrl)
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
