import type { Call, MediaType } from '#contract/call.ts';
import type { FastifyReply } from 'fastify';

/** A reply that is a file instead of JSON. `name` is what a download is called. */
export class FileReply<Type extends MediaType = MediaType> {
  readonly type: Type;
  readonly name: string;
  readonly content: string | Buffer;
  constructor(type: Type, name: string, content: string | Buffer) {
    this.type = type;
    this.name = name;
    this.content = content;
  }
}

/**
 * Answers a call, with JSON or a file; neither is kept by anybody on the way.
 * @param checkReplies parse the reply by its schema, compare a file with the declared types
 */
export function sendReply(reply: FastifyReply, call: Call, answer: unknown, checkReplies: boolean): FastifyReply {
  reply.header('cache-control', 'no-store');
  if (answer instanceof FileReply) {
    if (checkReplies && !call.files.includes(answer.type)) throw new Error(`${call.name} declares no ${answer.type}`);
    return reply
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(answer.name)}`)
      .type(answer.type.startsWith('text/') ? `${answer.type}; charset=utf-8` : answer.type)
      .send(answer.content);
  }
  if (checkReplies) call.reply.parse(answer);
  return reply.send(answer);
}
