import { accessCalls } from '#contract/calls/access.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listJobs } from '../app.ts';
import { openQueue } from '../jobs/queue.ts';
import { testApp } from '../testing/app.ts';
import type { Delivery } from './mail.ts';

const app = testApp({ HIDE_ACCOUNTS: 'on' });

/** Queues 3,000 invitations as `sendMail` would, in two statements. */
async function queueInvitations(): Promise<void> {
  await sql`insert into outbox (kind, recipient, subject, html, text, created_at)
    select 'invite', 'guest' || n || '@test.example', 's', 'h', 't', now() from generate_series(1, 3000) n`.execute(
    app.database.kysely,
  );
  await sql`insert into pgboss.job (name, data, retry_limit)
    select 'mail', jsonb_build_object('id', id), 10 from outbox where kind = 'invite'`.execute(app.database.kysely);
}

test('mails that reset passwords and confirm addresses overtake 3,000 queued invitations', async () => {
  const school = await app.build.school();
  await app.runJobs();
  await queueInvitations();
  const [batchStarted, allDelivered, mailServerAnswers] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  let invitations = 0;
  const delivered: string[] = [];
  const deliver: Delivery = async (_id, { kind }) => {
    if (kind === 'invite') {
      invitations += 1;
      if (invitations === 10) batchStarted.resolve();
      return mailServerAnswers.promise;
    }
    delivered.push(kind);
    if (delivered.length === 3) allDelivered.resolve();
  };
  const queue = await openQueue(app.database, listJobs(app.services, deliver), (error) => {
    throw error;
  });
  try {
    await queue.work();
    await batchStarted.promise;
    await app.call(passwordCalls.requestPasswordReset, { body: { email: school.teacher.email } });
    const body = { first_name: 'Ada', last_name: 'Byron', password: 'kettle over 7 hills' };
    for (const email of ['new@test.example', school.admin.email])
      await app.call(accessCalls.register, { body: { ...body, email } });
    await allDelivered.promise;
    // Every worker of ordinary mails is still busy with its first batch.
    expect(invitations).toBe(10);
    expect(delivered.sort()).toEqual(['already_registered', 'email_confirmation', 'password_reset']);
  } finally {
    mailServerAnswers.resolve();
    await queue.stop();
  }
});
