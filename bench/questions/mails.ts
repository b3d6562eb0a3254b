import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '#server/clock.ts';
import { connectServer } from '#server/database/database.ts';
import { openQueue } from '#server/jobs/queue.ts';
import { mailJobs } from '#server/mail/mail.ts';
import { query } from '../harness/environment.ts';
import { atLeast, type Bench, type Figure, perSecond, info, times } from '../harness/figures.ts';
import { inTurns, median } from '../harness/rounds.ts';

/** A separate queue, which the measured portal does not process. */
const QUEUE = 'bench-mail';
const MAIL_SERVER_MS = 50;
/** More than any contender sends in a round. */
const QUEUED_MAILS = 5000;

/** How many mails does one process send, in batches and one by one? */
export async function measureMails({ environment, pace }: Bench): Promise<Figure[]> {
  const database = connectServer(environment.url);
  let sent = 0;
  const deliver = async () => {
    await wait(MAIL_SERVER_MS);
    sent += 1;
  };
  const job = mailJobs(database, deliver, systemClock).find(({ name }) => name === 'mail')!;
  const send = (concurrency: number | undefined) => async (seconds: number) => {
    const queue = await openQueue(database, [{ ...job, name: QUEUE, concurrency: concurrency ?? 1 }], (error) => {
      throw error;
    });
    await query(
      environment.url,
      `with mails as (
        insert into outbox (kind, recipient, subject, html, text, created_at)
        select 'weekly_digest', 'bench@test.example', 's', 'h', 't', now() from generate_series(1, $1::int) returning id)
      insert into pgboss.job (name, data) select $2, jsonb_build_object('id', id) from mails`,
      [QUEUED_MAILS, QUEUE],
    );
    sent = 0;
    const start = performance.now();
    await queue.work();
    await wait(seconds * 1000);
    const rate = (sent * 1000) / (performance.now() - start);
    await queue.stop();
    await query(environment.url, 'delete from pgboss.job where name = $1', [QUEUE]);
    await query(environment.url, "delete from outbox where recipient = 'bench@test.example'");
    return rate;
  };
  try {
    const rounds = await inTurns(pace, { single: send(undefined), batches: send(job.concurrency) });
    const rate = median(rounds.map(({ batches }) => batches));
    return [
      info(`Mails of one process, to a mail server that takes ${MAIL_SERVER_MS} ms`, perSecond(rate)),
      atLeast('Of mails fetched one by one', median(rounds.map(({ single, batches }) => batches / single)), 20, times),
    ];
  } finally {
    await database.close();
  }
}
