import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A TCP proxy to a database server on this machine that can be slow or silent, or cut its connections. */
export class DatabaseProxy {
  readonly #sockets = new Set<Socket>();
  readonly #target: URL;
  #server: Server | undefined;
  /** Milliseconds by which each message is delayed. */
  delayMs = 0;
  /** Drops all messages without closing a connection, as a firewall does that has lost its state. */
  isSilent = false;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  /** Starts listening and returns the URL of the database through the proxy. */
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
            if (!this.isSilent) last = last.then(() => this.#forward(bytes, to));
          })
          .on('error', () => undefined)
          .on('close', () => {
            this.#sockets.delete(from);
            to.destroy();
          });
      }
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxied = new URL(this.#target);
    proxied.port = String((server.address() as { port: number }).port);
    return proxied.href;
  }

  async #forward(bytes: Buffer, to: Socket): Promise<void> {
    if (this.delayMs > 0) await wait(this.delayMs);
    if (to.writable) to.write(bytes);
  }

  /** Closes all connections, whatever is in flight. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server?.close();
    this.cut();
  }
}
