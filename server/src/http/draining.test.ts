import { connect } from 'node:net';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { acceptWaitingConnections } from './draining.ts';

/** Requests on connections that the system has completed and the server has not accepted yet. */
function sendRequests(port: number, count: number): Promise<string>[] {
  return Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n');
    return new Promise((done) => {
      let answer = '';
      socket.on('data', (text: string) => (answer += text));
      socket.once('error', (error: Error & { code: string }) => done(error.code));
      socket.once('close', () => done(answer.split('\r\n')[0] ?? ''));
    });
  });
}

test('requests whose connections wait for a busy process when it closes its port are served', async () => {
  const app = fastify({ forceCloseConnections: 'idle', return503OnClosing: false });
  app.post('/', async () => 'done');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  const answers = sendRequests(typeof address === 'object' && address ? address.port : 0, 20);
  // In the same turn, as after work that has blocked the process.
  await acceptWaitingConnections(app.server);
  await app.close();
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']));
});

test('a server that does not listen has no connections to wait for', async () => {
  const app = fastify();
  await app.ready();
  await acceptWaitingConnections(app.server);
  expect(app.server.listening).toBe(false);
  await app.close();
});
