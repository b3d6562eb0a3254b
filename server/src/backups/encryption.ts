import { ReadableStream } from 'node:stream/web';
import { Encrypter } from 'age-encryption';

/** Encrypts a stream for the owners of these public keys (`age1…`), 64 kB at a time. Debian's `age` opens the result. */
export async function* encrypt(
  content: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  yield* await encrypter.encrypt(ReadableStream.from(content) as ReadableStream<Uint8Array<ArrayBuffer>>);
}
