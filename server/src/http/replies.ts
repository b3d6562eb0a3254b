import type { Call } from '#contract/call.ts';
import type { FastifyReply } from 'fastify';
import { FileReply } from '../file-reply.ts';

/**
 * Sends the reply to a call, JSON or a file, which no cache may store.
 * @param checkReplies validates the reply by its schema, and a file by the declared types
 */
export function sendReply(reply: FastifyReply, call: Call, answer: unknown, checkReplies: boolean): FastifyReply {
  reply.header('cache-control', 'no-store');
  if (answer instanceof FileReply) {
    if (checkReplies && !call.files.includes(answer.type))
      throw new Error(`${call.name} does not declare ${answer.type}`);
    return reply
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(answer.name)}`)
      .type(answer.type.startsWith('text/') ? `${answer.type}; charset=utf-8` : answer.type)
      .send(answer.content);
  }
  if (checkReplies) call.reply.parse(answer);
  return reply.send(answer);
}
