import { backgroundWorkCalls } from '#contract/calls/background-work.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { mailDeliveryCalls } from '#contract/calls/mail-delivery.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listJobs } from '../app.ts';
import { inPlatform } from '../database/platform.ts';
import { inSchool } from '../database/school.ts';
import { openQueue, type Queue } from '../jobs/queue.ts';
import { testApp } from '../testing/app.ts';
import { exchangeBounce, gmailBounce, postfixBounce } from '../testing/bounce-mails.ts';
import { type BuiltSchool, CONTACT } from '../testing/builder.ts';
import { type ImapCounterpart, type SmtpCounterpart, startImap, startSmtp } from '../testing/mail-servers.ts';
import { readBounceMailbox } from './bounce-mailbox.ts';
import { deliverBySmtp, sendMail } from './mail.ts';
import { listBlockedAddresses } from './delivery.queries.ts';
import { NO_PEOPLE } from './outbox.queries.ts';

const app = testApp();
let smtp: SmtpCounterpart;
let imap: ImapCounterpart;
let queue: Queue;
let school: BuiltSchool;

beforeAll(async () => {
  smtp = await startSmtp();
  imap = await startImap();
  const sender = { from: 'Storylark <no-reply@test.example>', returnAddress: 'bounces@test.example' };
  queue = await openQueue(app.database, listJobs(app.services, deliverBySmtp(smtp.url, sender)), () => undefined);
});
beforeEach(async () => {
  school = await app.build.school();
});
afterEach(() => {
  smtp.answers.clear();
  smtp.received.length = 0;
});
afterAll(async () => {
  await queue.stop();
  await smtp.stop();
  await imap.stop();
});

/** Sends what is due. A mail that could not be sent yet throws. */
const send = () => queue.drain();
const sendAndFail = () => expect(queue.drain()).rejects.toThrow();
/** Makes the next tries of mails due, as time does. */
const waitForNextTry = () =>
  sql`update pgboss.job set start_after = now() where name in ('mail', 'priority-mail') and state in ('created', 'retry')`.execute(
    app.database.kysely,
  );

let count = 0;
const newAddress = () => `colleague-${String((count += 1))}@school.test.example`;
const invite = async (email: string) => {
  const { reply } = await app.call(inviteCalls.sendInvites, {
    token: school.admin.token,
    params: { id: school.id },
    body: { email: [email], name: ['Robin'] },
  });
  const [sent] = reply.sent;
  if (!sent) throw new Error(JSON.stringify(reply.failed));
  return sent.id;
};
const resend = (inviteId: string) =>
  app.call(inviteCalls.resendInvite, { token: school.admin.token, params: { id: school.id, inviteId } });
const deliveryOf = async (email: string) =>
  (
    await app.call(inviteCalls.listInvites, { token: school.admin.token, params: { id: school.id } })
  ).reply.invites.find((listed) => listed.email === email)?.delivery;
/** The token of the link in a mail as it arrived, whose long lines are folded. */
const linkIn = ({ content }: { content: string }): string =>
  /invite\/([\da-f-]{36})/.exec(content.replace(/=\n/g, ''))?.[1] ?? '';
const open = (link: string) => app.call(inviteCalls.getInvite, { params: { inviteId: link } });
const keyIn = ({ content }: { content: string }): string => /^X-Mail-ID: (.+)$/m.exec(content)?.[1] ?? '';
const isBlocked = async (email: string) =>
  (await inPlatform(app.database, (db) => listBlockedAddresses(db, [email]))).has(email);

describe('the state of a mail', () => {
  test('an invitation is queued, then sent, then opened', async () => {
    const email = newAddress();
    await invite(email);
    expect(await deliveryOf(email)).toMatchObject({ state: 'queued', reason: null });
    await send();
    expect(await deliveryOf(email)).toMatchObject({ state: 'sent', reason: null });
    expect((await open(linkIn(smtp.received.find(({ to }) => to === email)!))).status).toBe(200);
    expect(await deliveryOf(email)).toMatchObject({ state: 'opened', reason: null });
  });

  test.each([
    ['RCPT', { rcpt: '550 5.1.1 no such mailbox' }],
    ['DATA', { data: '554 5.1.1 no such mailbox' }],
  ])('a permanent rejection at %s ends the mail at once, with the words of the server', async (_, answer) => {
    const email = newAddress();
    smtp.answers.set(email, answer);
    await invite(email);
    await send();
    expect(await deliveryOf(email)).toMatchObject({ state: 'rejected', reason: Object.values(answer)[0] });
    smtp.answers.clear();
    await waitForNextTry();
    expect(await send()).toBe(0);
    expect(smtp.received).toEqual([]);
  });

  test.each([
    ['a greylisted mail', { rcpt: '450 4.7.1 greylisted, try again in five minutes' }],
    ['a mail to a full mailbox', { data: '552 5.2.2 mailbox full' }],
    ['a mail of a server that closes', 'close'],
  ] as const)('%s is tried again, and does not count against the address', async (_, answer) => {
    const email = newAddress();
    smtp.answers.set(email, answer);
    await invite(email);
    await sendAndFail();
    expect(await deliveryOf(email)).toMatchObject({ state: 'queued', reason: expect.any(String) });
    smtp.answers.clear();
    await waitForNextTry();
    await send();
    expect(await deliveryOf(email)).toMatchObject({ state: 'sent', reason: null });
  });

  test('a mail that was tried for a day in vain is shown as rejected', async () => {
    const email = newAddress();
    await invite(email);
    await app.database.kysely.updateTable('outbox').set({ text: null }).where('recipient', '=', email).execute();
    await send();
    expect(await deliveryOf(email)).toMatchObject({
      state: 'rejected',
      reason: 'The mail server did not accept it within a day.',
    });
  });
});

describe('addresses that bounce', () => {
  test('an address that rejects two mails gets no third, until an operator tries it again', async () => {
    const email = newAddress();
    smtp.answers.set(email, { rcpt: '550 5.1.1 no such mailbox' });
    const id = await invite(email);
    await send();
    expect(await isBlocked(email)).toBe(false);
    await resend(id);
    await send();
    expect(await isBlocked(email)).toBe(true);
    smtp.answers.clear();
    await resend(id);
    await send();
    expect(smtp.received).toEqual([]);
    expect(await deliveryOf(email)).toMatchObject({ state: 'rejected', reason: expect.stringContaining('two emails') });

    const { token } = await app.build.operator();
    const list = async () =>
      (await app.call(mailDeliveryCalls.listBouncedAddresses, { token })).reply.addresses.find(
        (address) => address.email === email,
      );
    expect(await list()).toMatchObject({ bounces: 2, is_blocked: true, reason: '550 5.1.1 no such mailbox' });
    await app.call(mailDeliveryCalls.retryAddress, { token, body: { email } });
    expect(await list()).toBeUndefined();
    await resend(id);
    await send();
    expect(smtp.received.map(({ to }) => to)).toEqual([email]);
  });

  test('a rejection of ours (5.7.x) does not count against the address, and operators see it', async () => {
    const email = newAddress();
    const { token } = await app.build.operator();
    const blamed = async () =>
      (await app.call(backgroundWorkCalls.getBackgroundWork, { token })).reply.mails.blamed_on_us;
    const before = await blamed();
    smtp.answers.set(email, { data: '550 5.7.26 unauthenticated sender' });
    const id = await invite(email);
    await send();
    await resend(id);
    await send();
    expect(await isBlocked(email)).toBe(false);
    expect(await blamed()).toBe(before + 2);
  });

  test('a link that is opened shows that the address works', async () => {
    const email = newAddress();
    const id = await invite(email);
    await send();
    const link = linkIn(smtp.received.find(({ to }) => to === email)!);
    smtp.answers.set(email, { rcpt: '550 5.1.1 no such mailbox' });
    for (let n = 0; n < 2; n += 1) {
      // The link in the first mail was replaced, but another mail to the person may be opened at any time.
      await inSchool(app.database, school.id, (db) =>
        sendMail(db, { kind: 'invite', recipient: email, subject: 's', html: 'h', text: 't' }, NO_PEOPLE, new Date()),
      );
      await send();
    }
    expect(await isBlocked(email)).toBe(true);
    expect((await open(link)).status).toBe(200);
    expect(await isBlocked(email)).toBe(false);
    expect(id).toBeTruthy();
  });

  test('questions of schools are sent to the company, whatever came back before', async () => {
    const recipient = newAddress();
    smtp.answers.set(recipient, { rcpt: '550 5.1.1 no such mailbox' });
    const mail = { kind: 'contact_request', recipient, subject: 's', html: 'h', text: 't' } as const;
    const ask = async () => {
      await inSchool(app.database, school.id, (db) => sendMail(db, mail, NO_PEOPLE, new Date()));
      await send();
    };
    await ask();
    await ask();
    smtp.answers.clear();
    await ask();
    expect(smtp.received.map(({ to }) => to)).toEqual([recipient]);
  });
});

describe('a mail that is sent twice', () => {
  test('both copies have the same link and Message-ID, and the link works once', async () => {
    const { teacher } = school;
    smtp.answers.set(teacher.email, 'lose-reply');
    await app.call(passwordCalls.requestPasswordReset, { body: { email: teacher.email } });
    await sendAndFail();
    smtp.answers.clear();
    await waitForNextTry();
    await send();
    const [first, second] = smtp.received.filter(({ to }) => to === teacher.email);
    const tokens = [first, second].map(
      (mail) => /reset\?token=3D([\w-]{43})/.exec(mail?.content.replace(/=\n/g, '') ?? '')?.[1] ?? '',
    );
    expect(tokens[0]).toHaveLength(43);
    expect(tokens[1]).toBe(tokens[0]);
    expect(keyIn(first!)).toBe(keyIn(second!));
    const reset = (token = '') =>
      app.call(passwordCalls.resetPassword, { body: { token, password: 'kettle over 7 hills' } });
    expect((await reset(tokens[0])).status).toBe(200);
    expect((await reset(tokens[1])).status).toBe(404);
  });

  test('both copies of an invitation open it, and only one that is sent again replaces them', async () => {
    const email = newAddress();
    smtp.answers.set(email, 'lose-reply');
    const id = await invite(email);
    await sendAndFail();
    smtp.answers.clear();
    await waitForNextTry();
    await send();
    const [first, second] = smtp.received.filter(({ to }) => to === email).map(linkIn);
    expect(first).toBe(second);
    expect((await open(first ?? '')).status).toBe(200);
    app.setTime('2026-11-20T12:00:00.000Z');
    await resend(id);
    const { status, error } = await open(first ?? '');
    expect({ status, text: error.error }).toEqual({
      status: 409,
      text: 'A newer invitation was sent on 20 November 2026. Use the link in that email.',
    });
    await send();
    expect((await open(linkIn(smtp.received.findLast(({ to }) => to === email)!))).status).toBe(200);
  });
});

describe('the list of deliveries', () => {
  const list = async (token: string) =>
    (await app.call(mailDeliveryCalls.listMailDeliveries, { token, params: { id: school.id } })).reply.deliveries;
  const write = (recipient: string, about?: string) =>
    inSchool(app.database, school.id, (db) =>
      sendMail(
        db,
        { kind: 'invoice', recipient, subject: 's', html: 'h', text: 't', ...(about ? { about } : {}) },
        NO_PEOPLE,
        app.services.clock.now(),
      ),
    );

  test('an admin sees the mails to themselves and the contacts and about invoices, a teacher those to themselves alone', async () => {
    const { number } = await app.build.invoice(school);
    const billing = newAddress();
    const saveBilling = (email: string) =>
      app.call(schoolDetailsCalls.updateContact, {
        token: school.admin.token,
        params: { id: school.id },
        body: { contact: { ...CONTACT, type: 'billing', email } },
      });
    expect((await saveBilling(billing)).status).toBe(200);
    smtp.answers.set(billing, { rcpt: '550 5.1.1 no such mailbox' });
    await send();
    for (const [recipient, about] of [
      [school.admin.email, undefined],
      [school.teacher.email, undefined],
      [billing, `invoice:${number}`],
      [billing, `invoice:${number}`],
    ] as const)
      await write(recipient, about);
    await send();
    const failed = { email: billing, state: 'rejected', reason: expect.any(String), is_blocked: true };
    expect(await list(school.admin.token)).toEqual([
      expect.objectContaining({ about: 'account', email: school.admin.email, state: 'sent', is_blocked: false }),
      expect.objectContaining({ about: 'billing_contact', invoice_number: null, ...failed }),
      expect.objectContaining({ about: 'invoice', invoice_number: number, ...failed }),
    ]);
    expect(await list(school.teacher.token)).toEqual([
      expect.objectContaining({ about: 'account', email: school.teacher.email }),
    ]);
    // The school gives the address up, which ends its state.
    expect((await saveBilling(newAddress())).status).toBe(200);
    expect(await isBlocked(billing)).toBe(false);
  });
});

describe('the mailbox for bounces', () => {
  const receive = (source: string) => imap.mails.set(imap.mails.size + 1 + (count += 1), { source, isSeen: false });
  const keyOf = (email: string) => keyIn(smtp.received.findLast(({ to }) => to === email)!);
  const readMailbox = () => readBounceMailbox(app.services, imap.url);
  /** A mail that was accepted, and its key. */
  async function sendInvite() {
    const email = newAddress();
    const id = await invite(email);
    await send();
    return { email, id, messageKey: keyOf(email) };
  }

  test.each([
    ['Postfix', postfixBounce],
    ['Exchange', exchangeBounce],
    ['Gmail', gmailBounce],
  ])('a report of %s makes its mail bounced, and is deleted', async (_, write) => {
    const { email, messageKey } = await sendInvite();
    const diagnostic = '550 5.1.1 The email account does not exist';
    receive(write({ messageKey, recipient: email, status: '5.1.1', diagnostic }));
    expect(await readMailbox()).toBe(1);
    expect(await deliveryOf(email)).toMatchObject({ state: 'bounced', reason: diagnostic });
    expect(imap.mails.size).toBe(0);
  });

  test('a report that arrives twice counts once, and one of a stranger about an address counts never', async () => {
    const { email, messageKey } = await sendInvite();
    const bounce = { messageKey, recipient: email, status: '5.1.1', diagnostic: '550 5.1.1 no such mailbox' };
    receive(postfixBounce(bounce));
    receive(exchangeBounce(bounce));
    receive(postfixBounce({ ...bounce, messageKey: '3f0c2b6e-9d1a-4f7b-8c25-5e7a1d9b4c33' }));
    receive('From: a@b.example\r\nSubject: Re: Join us\r\n\r\nI am away.\r\n');
    expect(await readMailbox()).toBe(1);
    expect(await isBlocked(email)).toBe(false);
    // What is not about our mails stays for a person, and is not read again.
    expect([...imap.mails.values()].map(({ isSeen }) => isSeen)).toEqual([true, true, true]);
    expect(await readMailbox()).toBe(0);
    imap.mails.clear();
  });

  test('two mails that came back block the address for every school', async () => {
    const { email, id, messageKey } = await sendInvite();
    receive(gmailBounce({ messageKey, recipient: email, status: '5.1.1', diagnostic: '550-5.1.1 does not exist' }));
    await readMailbox();
    await resend(id);
    await send();
    const again = keyOf(email);
    receive(
      gmailBounce({ messageKey: again, recipient: email, status: '5.1.1', diagnostic: '550-5.1.1 does not exist' }),
    );
    await readMailbox();
    expect(await isBlocked(email)).toBe(true);
  });
});
