import { createHmac } from 'node:crypto';
import type { Call } from '#contract/call.ts';
import { IDEMPOTENCY_KEY_LENGTH } from '#contract/limits.ts';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Session } from '../auth/sessions.queries.ts';
import type { Tables } from '../database/tables.ts';
import { AppError } from '../errors.ts';
import { claimIdempotencyKey, type KeyUse, storeReply } from './idempotency.queries.ts';
import type { UploadedFile } from './upload.ts';

/** The validated parts of a request. */
interface KeyedCall {
  params: unknown;
  query: unknown;
  body: unknown;
  upload: UploadedFile | undefined;
  now: Date;
}

const { min: MIN_KEY_LENGTH, max: MAX_KEY_LENGTH } = IDEMPOTENCY_KEY_LENGTH;

/**
 * The `Idempotency-Key` of a request and its use; undefined without a key or without an identified caller. The digest of
 * the request is keyed with the key, which is not stored: without it, no one can guess a password from the digest.
 */
export function keyUseOf(
  call: Call,
  request: FastifyRequest,
  keyed: KeyedCall,
  me: Session | undefined,
): KeyUse | undefined {
  const key = call.method === 'POST' ? request.headers['idempotency-key'] : undefined;
  if (!me || typeof key !== 'string') return undefined;
  if (key.length < MIN_KEY_LENGTH || key.length > MAX_KEY_LENGTH)
    throw new AppError('validation', {
      text: `An Idempotency-Key has ${MIN_KEY_LENGTH} to ${MAX_KEY_LENGTH} characters. Use a new UUID.`,
    });
  return {
    actor: actorOf(me),
    key,
    schoolId: me.schoolId,
    requestHash: createHmac('sha256', key)
      .update(JSON.stringify([call.method, call.path, keyed.params, keyed.query, keyed.body]))
      .update(keyed.upload?.content ?? '')
      .digest(),
    now: keyed.now,
  };
}

const actorOf = (me: Session): string => {
  if (me.kind === 'reader') return `pupil:${me.schoolId}:${me.pupilId}`;
  return me.program ? `program:${me.schoolId ?? 0}:${me.program.id}` : `user:${me.userId}`;
};

/** Does the work of a key in its transaction. If another request with the key was faster, returns its reply. */
export async function handleOnce(
  tx: Kysely<Tables>,
  use: KeyUse | undefined,
  handle: () => Promise<unknown>,
): Promise<unknown> {
  if (!use) return handle();
  const first = await claimIdempotencyKey(tx, use);
  if (first) return first.reply;
  const answer = await handle();
  await storeReply(tx, use, answer);
  return answer;
}
