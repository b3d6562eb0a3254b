import { accessCalls } from '#contract/calls/access.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { sessionCalls } from '#contract/calls/sessions.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { sql } from 'kysely';
import type { TokenKind } from '../auth/one-time-tokens.queries.ts';
import { hashToken, sessionIdOf } from '../auth/tokens.ts';
import type { TestApp } from './app.ts';
import type { BuiltSchool } from './builder.ts';
import { SoftwarePasskey } from './software-passkey.ts';

/** Where the portal of a story is. */
export const ORIGIN = 'https://portal.test.example';
const RP_ID = 'portal.test.example';

export type Who = 'owner' | 'stranger';
export const PROOFS = ['reset', 'confirm', 'set-up', 'accept', 'stop', 'remove'] as const;

/** The call that uses a link without changing more than it must. */
const USES = {
  email_confirmation: accessCalls.confirmEmail,
  email_change: accessCalls.stopEmailChange,
  end_session: sessionCalls.endSessionByLink,
  password_reset: passwordCalls.verifyPasswordReset,
};
type MailedKind = keyof typeof USES & TokenKind;

interface Link {
  kind: MailedKind;
  token: string;
  /** Whose mailbox it was sent to. */
  recipient: Who;
}

interface Proof {
  /** The session that carried the proof out, which goes on. */
  session?: string;
  /** The proof makes the device known. */
  trustsDevice?: boolean;
}

let counter = 0;

/** Two people and an account whose address only the owner reads. Steps that make no sense at the time do nothing. */
export class Story {
  readonly #email = `owner-${(counter += 1)}@test.example`;
  readonly #app: TestApp;
  readonly #school: BuiltSchool;
  readonly #id: number;
  readonly #passwords: Partial<Record<Who, string>>;
  #sessions: { who: Who; token: string }[];
  /** Begun logins. */
  #steps: string[] = [];
  #passkeys: { who: Who; passkey: SoftwarePasskey }[] = [];
  #links: Link[] = [];
  proofs = 0;
  /** What gave something after a proof, though it was issued before. */
  readonly left: string[] = [];

  /** Someone registers the owner's address. */
  static async begin(app: TestApp, school: BuiltSchool, who: Who): Promise<Story> {
    const password = `first of ${who}`;
    const body = { first_name: 'Ada', last_name: 'Baker', email: `owner-${counter + 1}@test.example`, password };
    const { reply } = await app.call(accessCalls.register, { body });
    const story = new Story(app, school, reply.user.id, who, password, reply.meta.token);
    await story.#mail('email_confirmation', 'owner', story.#email);
    return story;
  }

  private constructor(app: TestApp, school: BuiltSchool, id: number, who: Who, password: string, token: string) {
    this.#app = app;
    this.#school = school;
    this.#id = id;
    this.#passwords = { [who]: password };
    this.#sessions = [{ who, token }];
  }

  /** Stores the link that a mail brings. */
  async #mail(kind: MailedKind, recipient: Who, target?: string): Promise<void> {
    this.#links.push({ kind, recipient, token: await this.#app.build.link(kind, this.#id, target) });
  }

  #addressOf = (who: Who) => `elsewhere-of-${who}-${this.#email}`;
  #sessionOf = (who: Who) => this.#sessions.findLast((session) => session.who === who)?.token;
  #linkOf = (kind: MailedKind, recipient: Who) =>
    this.#links.findLast((link) => link.kind === kind && link.recipient === recipient)?.token;

  async #account() {
    const users = this.#app.database.kysely
      .selectFrom('users')
      .leftJoin('user_schools', 'user_id', 'id')
      .select(['email', 'email_confirmed_at', 'school_id']);
    return users.where('id', '=', this.#id).executeTakeFirstOrThrow();
  }

  async logIn(who: Who): Promise<void> {
    const password = this.#passwords[who];
    if (password === undefined) return;
    const { email } = await this.#account();
    const { status, reply, error } = await this.#app.call(accessCalls.logIn, { body: { email, password } });
    if (error?.second_factor) this.#steps.push(error.second_factor.token);
    if (status !== 200) return;
    this.#sessions.push({ who, token: reply.meta.token });
    await this.#mail('end_session', 'owner', sessionIdOf(hashToken(reply.meta.token)));
  }

  async logInWithPasskey(who: Who): Promise<void> {
    const own = this.#passkeys.find((passkey) => passkey.who === who);
    const answered = own && (await this.#answer(own.passkey));
    if (answered?.status === 200) this.#sessions.push({ who, token: answered.reply.meta.token });
  }

  async #answer(passkey: SoftwarePasskey) {
    const { reply } = await this.#app.call(secondFactorCalls.getPasskeyLoginOptions, {});
    const answer = passkey.get({ challenge: reply.options.challenge, rpId: RP_ID });
    return this.#app.call(secondFactorCalls.logInWithPasskey, { body: { passkey: answer } });
  }

  async addPasskey(who: Who): Promise<void> {
    const token = this.#sessionOf(who);
    if (token === undefined) return;
    const begun = await this.#app.call(secondFactorCalls.beginPasskey, { token });
    if (begun.status !== 200) return;
    const passkey = new SoftwarePasskey(ORIGIN);
    const answer = passkey.create({ challenge: begun.reply.options.challenge, rpId: RP_ID });
    const body = { passkey: answer, name: 'Laptop' };
    const { status } = await this.#app.call(secondFactorCalls.addPasskey, { token, body });
    if (status === 200) this.#passkeys.push({ who, passkey });
  }

  async requestChange(who: Who): Promise<void> {
    const [token, current_password] = [this.#sessionOf(who), this.#passwords[who]];
    if (token === undefined || current_password === undefined) return;
    const email = this.#addressOf(who);
    const { status } = await this.#app.call(accessCalls.updateMe, { token, body: { email, current_password } });
    if (status !== 200) return;
    await this.#mail('email_confirmation', who, email);
    if ((await this.#account()).email_confirmed_at) await this.#mail('email_change', 'owner');
  }

  /** Opens the link that came to the person's other mailbox. */
  async confirmChange(who: Who): Promise<void> {
    const token = who === 'stranger' && this.#linkOf('email_confirmation', who);
    if (token) await this.#app.call(accessCalls.confirmEmail, { body: { token } });
  }

  requestReset = (): Promise<void> => this.#mail('password_reset', 'owner');

  /** The owner proves that the account is theirs, if they can this way. Then nothing from before gives anything. */
  async prove(how: (typeof PROOFS)[number]): Promise<void> {
    const before = await this.#account();
    const isTakenOver = before.email !== this.#email;
    // A stranger can move an account that no one has confirmed. It is not the owner's then.
    if (isTakenOver) return;
    const done = await this.#proofs[how]();
    if (!done) return;
    this.proofs += 1;
    this.left.push(...(await this.#listLeft(before.email_confirmed_at !== null, done)));
  }

  readonly #proofs: Record<(typeof PROOFS)[number], () => Promise<Proof | undefined>> = {
    reset: async () => {
      const password = `reset ${this.proofs} of owner`;
      const body = { token: await this.#app.build.link('password_reset', this.#id), password };
      const { status } = await this.#app.call(passwordCalls.resetPassword, { body });
      delete this.#passwords.stranger;
      this.#passwords.owner = password;
      return status === 200 ? { trustsDevice: true } : undefined;
    },
    confirm: async () => {
      const token = this.#linkOf('email_confirmation', 'owner');
      if (!token || (await this.#account()).email_confirmed_at) return undefined;
      const session = this.#sessionOf('owner');
      const confirmation = { body: { token }, ...(session && { token: session }) };
      if ((await this.#app.call(accessCalls.confirmEmail, confirmation)).status !== 200) return undefined;
      return session === undefined ? {} : { session };
    },
    'set-up': async () => {
      const body = { token: await this.#app.build.link('set_up', this.#id) };
      const { status, reply } = await this.#app.call(passwordCalls.exchangeSetUpLink, { body });
      return status === 200 ? { session: reply.meta.token } : undefined;
    },
    accept: async () => {
      const session = this.#sessionOf('owner');
      if (session === undefined) return undefined;
      const { link } = await this.#app.build.invite(this.#school, this.#email);
      const accept = { token: session, params: { inviteId: link } };
      return (await this.#app.call(inviteCalls.acceptInvite, accept)).status === 200 ? { session } : undefined;
    },
    stop: async () => {
      const token = this.#linkOf('email_change', 'owner');
      if (!token) return undefined;
      return (await this.#app.call(accessCalls.stopEmailChange, { body: { token } })).status === 200 ? {} : undefined;
    },
    remove: async () => {
      if ((await this.#account()).school_id === null) return undefined;
      const params = { id: this.#school.id, userId: this.#id };
      const { status } = await this.#app.call(teacherCalls.removeTeacher, { token: this.#school.admin.token, params });
      return status === 200 ? {} : undefined;
    },
  };

  /** Lists what was issued before and still gives something. */
  async #listLeft(wasConfirmed: boolean, { session, trustsDevice }: Proof): Promise<string[]> {
    const left: string[] = [];
    const check = (what: string, isOver: boolean) => isOver || left.push(what);
    for (const { token } of this.#sessions.filter((started) => started.token !== session).slice(-1))
      check('a session', (await this.#app.call(accessCalls.getMe, { token })).status === 401);
    for (const token of this.#steps.slice(-1)) {
      const body = { token, code: '123456' };
      const { error } = await this.#app.call(secondFactorCalls.logInWithFactor, { body });
      check('a begun login', error.code === 'login_attempt_expired');
    }
    for (const { kind, token } of this.#links.slice(-1))
      check(kind, (await this.#app.call(USES[kind], { body: { token } })).status === 404);
    if (!wasConfirmed)
      for (const { passkey } of this.#passkeys)
        check('a passkey', (await this.#answer(passkey)).error?.code === 'passkey_failed');
    const counts = await this.#countRows();
    const expected = {
      sessions: session === undefined ? 0 : 1,
      devices: session !== undefined || trustsDevice ? 1 : 0,
    };
    for (const [rows, count] of Object.entries(counts))
      check(`${count} ${rows}`, count === (expected[rows as keyof typeof expected] ?? 0));
    this.#sessions = this.#sessions.filter(({ token }) => token === session);
    if (!wasConfirmed) this.#passkeys = [];
    this.#steps = [];
    this.#links = [];
    return left;
  }

  async #countRows(): Promise<Record<string, number>> {
    const count = (table: string) => sql`(select count(*) from ${sql.table(table)} where user_id = ${this.#id})::int`;
    const { rows } = await sql<Record<string, number>>`
      select ${count('sessions')} as sessions, ${count('login_steps')} as steps, ${count('email_changes')} as changes,
        (select count(*) from one_time_links where user_id = ${this.#id} and used_at is null)::int as links,
        ${count('devices')} as devices`.execute(this.#app.database.kysely);
    return rows[0] ?? {};
  }

  /** The answer to a login with the stranger's password; undefined when the account is no longer the owner's. */
  async logInAsStranger(): Promise<number | undefined> {
    const { email } = await this.#account();
    if (email !== this.#email) return undefined;
    const body = { email, password: 'first of stranger' };
    return (await this.#app.call(accessCalls.logIn, { body })).status;
  }
}
