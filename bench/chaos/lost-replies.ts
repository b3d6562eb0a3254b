import { startSmtp } from '#server/testing/mail-servers.ts';
import type { Portal } from '../harness/portal.ts';
import { waitUntil } from '../harness/program.ts';

const LOGIN = { email: 'head@willowbank.example', password: 'reading-1' };
const RECIPIENT = 'new-colleague@willowbank.example';

/** The ID of the link in an invitation, whose long lines are folded. */
const linkIn = (content: string): string | undefined =>
  /invite\/([\da-f-]{36})/.exec(content.replace(/=\r?\n/g, ''))?.[1];

async function ask(portal: Portal, method: 'GET' | 'POST', path: string, body?: object, token?: string) {
  const response = await fetch(portal.url + path, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
  });
  return { status: response.status, reply: (await response.json()) as Record<string, unknown> };
}

/** Invites a colleague to the demonstration school. */
async function invite(portal: Portal): Promise<void> {
  const { reply } = await ask(portal, 'POST', '/v1/auth', LOGIN);
  const { token } = reply.meta as { token: string };
  const school = (reply.user as { enterprise_id: number }).enterprise_id;
  const path = `/v1/enterprises/${String(school)}/invites`;
  const { status } = await ask(portal, 'POST', path, { email: [RECIPIENT], name: ['Robin'] }, token);
  if (status !== 200) throw new Error(`The invitation was answered ${String(status)}.`);
}

/**
 * A mail server that takes an invitation and loses its reply, so that the person gets two copies, between which the portal
 * is killed. Returns how many links of the first copy no longer work.
 * @param startPortal starts a portal that uses the mail server
 */
export async function countDeadLinks(startPortal: (smtpUrl: string) => Promise<Portal>): Promise<number> {
  const smtp = await startSmtp();
  try {
    const portal = await startPortal(smtp.url);
    const links = () => smtp.received.flatMap(({ to, content }) => (to === RECIPIENT ? (linkIn(content) ?? []) : []));
    smtp.answers.set(RECIPIENT, 'lose-reply');
    await invite(portal);
    await waitUntil('the first copy of the mail', () => links().length > 0);
    smtp.answers.clear();
    await portal.restart();
    await waitUntil('the second copy of the mail', () => links().length > 1);
    const [first = ''] = links();
    return (await ask(portal, 'GET', `/v1/enterprises/invites/${first}`)).status === 200 ? 0 : 1;
  } finally {
    await smtp.stop();
  }
}
