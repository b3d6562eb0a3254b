import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';
import { errorAnswer } from './error-answers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes proxies leave: `/v1/health` answers 503, and each reply closes its connection. Requests are still served. */
    startDraining(): void;
  }
}

/** After how many seconds a client that asks for the health tries again: another process may have started by then. */
const RETRY_S = 5;

/** Prepares the app for the time between the signal to stop and the closing of its port. */
export function prepareDraining(app: FastifyInstance): void {
  let isDraining = false;
  app.decorate('startDraining', () => void (isDraining = true));
  app.addHook('onRequest', async (request, reply) => {
    if (!isDraining || request.routeOptions.url !== '/v1/health') return undefined;
    // Not thrown, because the log counts thrown errors of this kind as load.
    const { status, body } = errorAnswer(new AppError('unavailable'));
    return reply.status(status).header('retry-after', String(RETRY_S)).send(body);
  });
  // A proxy that reuses the connection after the port is closed would lose the request, and does not send a POST again.
  app.addHook('onSend', async (_request, reply) => {
    if (isDraining) reply.header('connection', 'close');
  });
}

/** A process that accepts its own connection this quickly has accepted all that came before, and hardly any came after. */
const QUICK_MS = 0.5;
/** A process that is too busy for this long closes its port all the same. */
const PATIENCE_MS = 1000;

/**
 * Closes the port once every connection that has reached it is accepted. Connections wait in the system until the process
 * accepts them, and are cut when the port closes: a proxy whose POST is cut does not send it again. While the process is
 * busy, others come behind the one that it waits for, so it tries again.
 */
export async function closePort(server: Server): Promise<void> {
  const address = server.address();
  if (address === null || typeof address === 'string') return;
  const end = performance.now() + PATIENCE_MS;
  while (server.listening && performance.now() < end) await tryClosing(server, address);
  if (server.listening) server.close();
}

/** Connects to the port, and closes it in the moment of accepting this connection, if that was quick. */
function tryClosing(server: Server, { port, address }: AddressInfo): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begin = performance.now();
  // The system returns connections in their order, so this one comes after those that wait.
  const own = connect(port, address);
  const note = (socket: Socket) => {
    if (socket.remotePort !== own.localPort) return;
    if (performance.now() - begin < QUICK_MS) server.close();
    resolve();
  };
  server.on('connection', note);
  // Also one that failed, or that a server with too many connections has dropped.
  own.once('error', () => undefined).once('close', () => resolve());
  return promise.finally(() => {
    server.off('connection', note);
    own.destroy();
  });
}
