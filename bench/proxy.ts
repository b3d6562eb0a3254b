import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A way to a database server on this machine that can be made slow, silent, or cut. */
export class DatabaseProxy {
  readonly #sockets = new Set<Socket>();
  readonly #target: URL;
  #server: Server | undefined;
  /** Milliseconds by which everything is late. */
  delay = 0;
  /** While true nothing passes and nobody is told, as behind a firewall that forgot a connection. */
  isSilent = false;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  /** Begins to listen; the address of the database through it. */
  async open(): Promise<string> {
    const server = createServer((client) => {
      const upstream = connect(Number(this.#target.port), this.#target.hostname);
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.#sockets.add(from);
        let last = Promise.resolve();
        from
          .on('data', (bytes: Buffer) => {
            if (!this.isSilent) last = last.then(() => this.#pass(bytes, to));
          })
          .on('error', () => undefined)
          .on('close', () => {
            this.#sockets.delete(from);
            to.destroy();
          });
      }
    });
    this.#server = server;
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const through = new URL(this.#target);
    through.port = String((server.address() as { port: number }).port);
    return through.href;
  }

  async #pass(bytes: Buffer, to: Socket): Promise<void> {
    if (this.delay > 0) await wait(this.delay);
    if (to.writable) to.write(bytes);
  }

  /** Ends all connections in the middle of whatever they do. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server?.close();
    this.cut();
  }
}
