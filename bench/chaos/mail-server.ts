import { SMTPServer } from 'smtp-server';
import { freePort } from '../harness/postgres.ts';

/** A mail server on this machine. */
export class MailServer {
  /** Of the mails accepted, in order. */
  readonly recipients: string[] = [];
  /** Runs while a mail is in flight; the mail is accepted once it returns. */
  beforeAccepting: (recipient: string) => Promise<void> = async () => undefined;
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, accept) => {
      const recipient = envelope.rcptTo[0]?.address ?? '';
      stream.resume();
      const receive = async () => {
        await this.beforeAccepting(recipient);
        this.recipients.push(recipient);
        accept();
      };
      stream.once('end', () => void receive());
    },
  });

  /** Starts listening and returns the value of `SMTP_URL`. */
  async open(): Promise<string> {
    this.#server.on('error', () => undefined);
    const port = await freePort();
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    return `smtp://127.0.0.1:${port}`;
  }

  close = (): Promise<void> =>
    new Promise((resolve) => {
      this.#server.close(resolve);
    });
}
