import { listJobs } from '../app.ts';
import { systemClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { connectServer } from '../database/database.ts';
import { inPlatform } from '../database/platform.ts';
import { openQueue } from '../jobs/queue.ts';
import { sendMail } from '../mail/mail.ts';
import { NO_PEOPLE } from '../mail/outbox.queries.ts';
import { testSettings } from './test-settings.ts';

/** Queues the mails of this many invitations in a database whose portal is stopped. */
export async function queueInvitations(databaseUrl: string, folder: string, count: number): Promise<void> {
  const config = readConfig({ ...testSettings, DATABASE_URL: databaseUrl, DATA_DIR: folder });
  const database = connectServer(databaseUrl);
  const queue = await openQueue(
    database,
    listJobs({ config, database, clock: systemClock }, async () => undefined),
    (error) => {
      throw error;
    },
  );
  try {
    await inPlatform(database, async (db) => {
      for (let n = 1; n <= count; n += 1) {
        const recipient = `invited-${n}@school.example`;
        const mail = { kind: 'invite', recipient, subject: 'Join us', html: 'Join us', text: 'Join us' } as const;
        await sendMail(db, mail, NO_PEOPLE, systemClock.now());
      }
    });
  } finally {
    await queue.stop();
    await database.close();
  }
}
