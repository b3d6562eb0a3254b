import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
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

/**
 * Resolves once every connection that has reached the port is accepted. Connections wait in the system until the process
 * accepts them, and are cut when the port closes: a proxy whose POST is cut does not send it again. So the port has to be
 * closed at once afterwards.
 */
export function acceptWaitingConnections(server: Server): Promise<void> {
  const address = server.address();
  if (address === null || typeof address === 'string') return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  // The system returns connections in their order, so this one comes after those that wait.
  const last = connect(address.port, address.address);
  const note = (socket: Socket) => {
    if (socket.remotePort === last.localPort) resolve();
  };
  server.on('connection', note);
  last.once('error', () => resolve());
  return promise.finally(() => {
    server.off('connection', note);
    last.destroy();
  });
}
