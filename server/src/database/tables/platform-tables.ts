import type { Generated, JSONColumnType } from 'kysely';
import type { Id, Timestamp } from './columns.ts';

interface Users {
  id: Id;
  email: string;
  /** The address as it is compared: NFKC, lower case. */
  email_key: string;
  first_name: string;
  last_name: string;
  password_hash: string;
  user_type: 'enterprise' | 'standard';
  school_id: number | null;
  require_password_reset: Generated<boolean>;
  created_at: Timestamp;
}
interface OwnReaders {
  id: Id;
  user_id: number;
  name: string;
  type: string;
}
interface Sessions {
  token_hash: Buffer;
  school_id: number | null;
  user_id: number | null;
  pupil_id: number | null;
  impersonator_id: number | null;
  created_at: Timestamp;
  last_used_at: Timestamp;
  expires_at: Timestamp;
}
/** A link or code that works once; `reason` is why an operator made it. */
interface OneTimeLinks {
  token_hash: Buffer;
  kind: 'password_reset' | 'set_up' | 'impersonation';
  user_id: number;
  school_id: number | null;
  operator_id: number | null;
  reason: string | null;
  created_at: Timestamp;
  expires_at: Timestamp;
  used_at: Timestamp | null;
}
/** The company's own people. */
interface Operators {
  user_id: number;
  added_at: Timestamp;
}
interface PupilLogins {
  username: string;
  school_id: number;
  pupil_id: number;
}
interface InviteLinks {
  id: string;
  school_id: number;
}
interface IdempotencyKeys {
  actor: string;
  key_hash: Buffer;
  school_id: number | null;
  request_hash: Buffer;
  /** The reply, sealed with the key that the client holds. */
  sealed_reply: Buffer | null;
  created_at: Timestamp;
}
interface RateLimits {
  key: string;
  window_ends_at: Timestamp;
  tries: number;
}
/** A one-time link that a mail brings: it is made when the mail is delivered. `lasts` in milliseconds. */
export interface MailLink {
  kind: OneTimeLinks['kind'];
  userId: number;
  schoolId: number | null;
  lasts: number;
}
interface Outbox {
  id: Id;
  kind: string;
  recipient: string;
  /** Null once the mail is delivered, like its texts. */
  subject: string | null;
  html: string | null;
  text: string | null;
  headers: JSONColumnType<Record<string, string>> | null;
  /** The one-time link that is made when the mail is delivered. */
  link: JSONColumnType<MailLink> | null;
  created_at: Timestamp;
  /** Until then one process alone may try to send it. */
  sending_until: Timestamp | null;
  sent_at: Timestamp | null;
}
/** Links that end the weekly digest of one person. */
interface DigestLinks {
  token_hash: Buffer;
  school_id: number;
  user_id: number;
  created_at: Timestamp;
}

/** What is known before a school is: accounts, sessions, links, counters. Reached by `PlatformDb`. */
export interface PlatformTables {
  users: Users;
  own_readers: OwnReaders;
  sessions: Sessions;
  one_time_links: OneTimeLinks;
  operators: Operators;
  pupil_logins: PupilLogins;
  invite_links: InviteLinks;
  idempotency_keys: IdempotencyKeys;
  rate_limits: RateLimits;
  outbox: Outbox;
  digest_links: DigestLinks;
}
