import type { Call } from '#contract/call.ts';
import type { FastifyReply } from 'fastify';

/** A reply that is a file instead of JSON. `name` is what a download is called. */
export class FileReply {
  readonly type: string;
  readonly name: string;
  readonly content: string | Buffer;
  constructor(type: string, name: string, content: string | Buffer) {
    this.type = type;
    this.name = name;
    this.content = content;
  }
}

/**
 * Answers a call, with JSON or a file; neither is kept by anybody on the way.
 * @param checkReplies parse the reply by its schema too
 */
export function sendReply(reply: FastifyReply, call: Call, answer: unknown, checkReplies: boolean): FastifyReply {
  reply.header('cache-control', 'no-store');
  if (answer instanceof FileReply)
    return reply
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(answer.name)}`)
      .type(answer.type)
      .send(answer.content);
  if (checkReplies) call.reply.parse(answer);
  return reply.send(answer);
}
