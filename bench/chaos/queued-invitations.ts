import { setTimeout as wait } from 'node:timers/promises';
import { queueInvitations } from '#server/testing/queue-invitations.ts';
import { injectFault, TIMEOUT_MS } from './report.ts';
import type { ServerEnvironment } from './server-environment.ts';

const INVITATIONS = 3000;
/** Invitations that may be delivered between a request for a reset and its mail: a few batches. */
const MAX_OVERTAKEN = 300;
const RECIPIENT = 'head@otherschool.example';

/** With 3,000 invitations in the queue, the link for a new password is delivered before them. */
export const queueManyInvitations = async (environment: ServerEnvironment) => {
  const { databaseUrl, dataFolder, mailServer, portal, readers } = environment;
  await injectFault(`${INVITATIONS} invitations queued before a password reset`, readers, 1, async () => {
    await portal.end('SIGKILL');
    await queueInvitations(databaseUrl, dataFolder, INVITATIONS);
    let openGate = (): void => undefined;
    const gate = new Promise<void>((resolve) => (openGate = resolve));
    mailServer.beforeAccepting = () => gate;
    portal.start();
    await portal.waitUntilReady();
    const first = mailServer.recipients.length;
    const status = await portal.getStatus('/v1/users/resetpassword', { email: RECIPIENT });
    openGate();
    if (status !== 200) throw new Error(`The reset was answered with ${status}.`);
    const end = performance.now() + TIMEOUT_MS;
    const delivered = () => mailServer.recipients.slice(first);
    while (!delivered().includes(RECIPIENT) && performance.now() < end && delivered().length <= MAX_OVERTAKEN)
      await wait(20);
    const position = delivered().indexOf(RECIPIENT);
    if (position < 0) throw new Error(`${delivered().length} invitations were delivered and the reset's mail was not.`);
    if (position > MAX_OVERTAKEN) throw new Error(`The reset's mail came after ${position} invitations.`);
  });
};
