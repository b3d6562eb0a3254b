import { createReadStream } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ChainHead } from './audit-chain.ts';

/*
 * The heads of the chains, written beside the backups each night and copied off-site with them. Someone who puts back an
 * older database, or replaces a chain, cannot change the copy.
 */

/** The name of the file in the folder of the backups. */
export const ANCHOR_FILE = 'audit-heads.txt';
const LINE = /^(head|restart) (\d+) (\d+) ([0-9a-f]{64}) (\d+) (\d{4}-\d\d-\d\dT\S+Z)$/;

/** A line of the file. */
export interface Anchor {
  /** `restart`: from here on the chain may differ from earlier lines, because a backup was restored or the chain began again. */
  kind: 'head' | 'restart';
  schoolId: number;
  number: number;
  /** The digest at that number, hexadecimal. */
  digest: string;
  /** Entries whose details were erased until then. */
  erased: number;
  at: string;
}

/** The latest head of each school in a file. */
export interface Anchors {
  heads: ReadonlyMap<number, Anchor>;
  /** What the file shows by itself: a chain whose numbers or digests went back. */
  breaches: string[];
  notices: string[];
}

/** A longer list would not be read. */
const MAX_LINES = 20;

export const anchorOf = (kind: Anchor['kind'], schoolId: number, head: ChainHead, now: Date): Anchor => ({
  kind,
  schoolId,
  number: head.last_number,
  digest: head.last_digest.toString('hex'),
  erased: head.erased,
  at: now.toISOString(),
});

export const formatAnchor = ({ kind, schoolId, number, digest, erased, at }: Anchor): string =>
  `${kind} ${schoolId} ${number} ${digest} ${erased} ${at}`;

function parseAnchor(line: string): Anchor | undefined {
  const [, kind, schoolId, number, digest, erased, at] = LINE.exec(line) ?? [];
  if (!kind || !digest || !at) return undefined;
  return {
    kind: kind as Anchor['kind'],
    schoolId: Number(schoolId),
    number: Number(number),
    digest,
    erased: Number(erased),
    at,
  };
}

/** Reads a file of heads, of any length; undefined if it is missing. */
export async function readAnchors(file: string): Promise<Anchors | undefined> {
  const heads = new Map<number, Anchor>();
  const breaches: string[] = [];
  const notices: string[] = [];
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      const anchor = parseAnchor(line);
      if (!anchor) continue;
      const { schoolId, at } = anchor;
      const previous = heads.get(schoolId);
      const isBack = previous && (anchor.number < previous.number || anchor.erased < previous.erased);
      const isOther = anchor.number === previous?.number && anchor.digest !== previous.digest;
      if (anchor.kind === 'restart')
        notices.push(`school ${schoolId}: the chain goes on from entry ${anchor.number} since ${at.slice(0, 10)}`);
      else if (isBack || isOther) breaches.push(`school ${schoolId}: the heads of ${at.slice(0, 10)} go back`);
      heads.set(schoolId, anchor);
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
  return { heads, breaches: breaches.slice(0, MAX_LINES), notices: notices.slice(-MAX_LINES) };
}

/** Reads the heads in a folder of backups; undefined if it has none. */
export const readAnchorsIn = (folder: string): Promise<Anchors | undefined> => readAnchors(join(folder, ANCHOR_FILE));

/** Adds heads to the file in a folder of backups. */
export async function appendAnchors(folder: string, anchors: readonly Anchor[]): Promise<void> {
  if (anchors.length === 0) return;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Starts with a line break, in case a process died while it wrote the line before.
  const text = `\n${anchors.map(formatAnchor).join('\n')}\n`;
  await appendFile(join(folder, ANCHOR_FILE), text, { mode: 0o600, flush: true });
}
