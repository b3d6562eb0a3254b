import type { MediaType } from '#contract/call.ts';
import type { Readable } from 'node:stream';

/** A reply that is a file instead of JSON, as a whole or a stream. `name` is the name of the download. */
export class FileReply<Type extends MediaType = MediaType> {
  readonly type: Type;
  readonly name: string;
  readonly content: string | Buffer | Readable;
  constructor(type: Type, name: string, content: string | Buffer | Readable) {
    this.type = type;
    this.name = name;
    this.content = content;
  }
}
