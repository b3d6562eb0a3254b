// Mail servers that behave as a test wants: SMTP for what the portal sends, IMAP for what comes back.
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** What the SMTP server does with a mail: accepts it, replies with an error to RCPT or DATA, or closes the connection. */
export type SmtpAnswer = 'accept' | 'lose-reply' | 'close' | { rcpt: string } | { data: string };

export interface SmtpCounterpart {
  url: string;
  /** The mails that it took, also those whose reply was lost. */
  received: { from: string; to: string; content: string }[];
  /** What it does with the next mails to an address; it accepts mails to all others. */
  answers: Map<string, SmtpAnswer>;
  stop(): Promise<void>;
}

const listen = (server: Server): Promise<number> =>
  new Promise((done) =>
    server.listen(0, '127.0.0.1', () => {
      done((server.address() as AddressInfo).port);
    }),
  );

/** Stops a server and its connections. */
function stopper(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  return () =>
    new Promise((done) => {
      server.close(() => done());
      for (const socket of sockets) socket.destroy();
    });
}

const addressIn = (line: string): string => /<(.*?)>/.exec(line)?.[1] ?? '';

/** An SMTP server without TLS or login. */
export async function startSmtp(): Promise<SmtpCounterpart> {
  const received: SmtpCounterpart['received'] = [];
  const answers: SmtpCounterpart['answers'] = new Map();
  const server = createServer((socket) => {
    let mail = { from: '', to: '', content: '' };
    let isData = false;
    let rest = '';
    const say = (line: string) => void socket.write(`${line}\r\n`);
    const answer = () => answers.get(mail.to) ?? 'accept';
    const endData = () => {
      const choice = answer();
      isData = false;
      if (typeof choice === 'object' && 'data' in choice) return say(choice.data);
      received.push(mail);
      return choice === 'lose-reply' ? void socket.destroy() : say('250 2.0.0 OK');
    };
    const take = (line: string) => {
      if (isData) {
        if (line === '.') return endData();
        mail.content += `${line}\n`;
        return undefined;
      }
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'MAIL') mail = { from: addressIn(line), to: '', content: '' };
      if (verb === 'RCPT') {
        mail.to = addressIn(line);
        const choice = answer();
        if (choice === 'close') return void socket.destroy();
        if (typeof choice === 'object' && 'rcpt' in choice) return say(choice.rcpt);
      }
      if (verb === 'DATA') {
        isData = true;
        return say('354 Go on');
      }
      say(verb === 'QUIT' ? '221 Bye' : '250 OK');
      return verb === 'QUIT' ? void socket.end() : undefined;
    };
    say('220 mail.test.example ESMTP');
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    });
  });
  const stop = stopper(server);
  return { url: `smtp://127.0.0.1:${String(await listen(server))}`, received, answers, stop };
}

export interface ImapCounterpart {
  /** With a user and password. */
  url: string;
  /** The mails in the inbox, by their UID. */
  mails: Map<number, { source: string; isSeen: boolean }>;
  stop(): Promise<void>;
}

/** An IMAP server with one folder and the commands that read, mark and delete its mails. Source: RFC 3501. */
export async function startImap(): Promise<ImapCounterpart> {
  const mails: ImapCounterpart['mails'] = new Map();
  const deleted = new Set<number>();
  const uids = () => [...mails.keys()].toSorted((a, b) => a - b);
  const server = createServer((socket) => {
    const say = (line: string) => void socket.write(`${line}\r\n`);
    const commands: Record<string, (rest: string) => void> = {
      CAPABILITY: () => say('* CAPABILITY IMAP4rev1 UIDPLUS'),
      LIST: () => say('* LIST (\\HasNoChildren) "/" "INBOX"'),
      SELECT: () => {
        say('* FLAGS (\\Seen \\Deleted)');
        say(`* ${String(mails.size)} EXISTS`);
        say('* OK [UIDVALIDITY 1] ok');
        say('* OK [PERMANENTFLAGS (\\Seen \\Deleted)] ok');
      },
      'UID SEARCH': () => {
        const unread = uids().filter((uid) => !mails.get(uid)?.isSeen);
        say(`* SEARCH ${unread.join(' ')}`.trim());
      },
      'UID FETCH': (rest) => {
        const uid = Number(/^\d+/.exec(rest)?.[0]);
        const mail = mails.get(uid);
        if (!mail) return;
        const source = Buffer.from(mail.source);
        socket.write(
          `* ${String(uids().indexOf(uid) + 1)} FETCH (UID ${String(uid)} BODY[]<0> {${String(source.length)}}\r\n`,
        );
        socket.write(source);
        say(')');
      },
      'UID STORE': (rest) => {
        const uid = Number(/^\d+/.exec(rest)?.[0]);
        const mail = mails.get(uid);
        if (mail && rest.includes('\\Seen')) mail.isSeen = true;
        if (mail && rest.includes('\\Deleted')) deleted.add(uid);
      },
      'UID EXPUNGE': () => {
        for (const uid of deleted) mails.delete(uid);
      },
    };
    let rest = '';
    say('* OK ready');
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [, tag = '', name = '', given = ''] = /^(\S+) (UID \w+|\w+) ?(.*)$/.exec(line) ?? [];
        commands[name.toUpperCase()]?.(given);
        if (name === 'LOGOUT') say('* BYE');
        say(`${tag} OK done`);
      }
    });
  });
  const stop = stopper(server);
  const port = await listen(server);
  return { url: `imap://bounces%40test.example:secret@127.0.0.1:${String(port)}/INBOX`, mails, stop };
}
