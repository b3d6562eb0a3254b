import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErasureKind } from '#contract/calls/privacy.ts';
import type { Config } from '../../../config.ts';
import { digestSecret } from '../../../auth/secrets-key.ts';
import type { Subject } from './erasure.queries.ts';

/*
 * The list of erasures beside the backups. A backup that is restored contains people who were erased since; the list
 * says which, by keyed digests, without naming anyone.
 */

/** The name of the list in the folder of the backups. */
const FILE = 'erasures.txt';
const LINE = /^(pupil|staff|school) (\d+) ([0-9a-f]{64})$/;

type KeyConfig = Pick<Config, 'secretsKeys' | 'dataDir'>;

/** A line of the list: whom a school erased. */
export interface ListedErasure {
  kind: ErasureKind;
  schoolId: number;
  /** Hexadecimal. */
  digest: string;
}

/** The keyed digests of someone, one for each key of the installation; the first is stored. */
export const digestsOf = (config: KeyConfig, kind: ErasureKind, { id, createdAt }: Subject) =>
  digestSecret(config, 'erasures', `${kind} ${id} ${createdAt.toISOString()}`);

const formatLine = ({ kind, schoolId, digest }: ListedErasure) => `${kind} ${schoolId} ${digest}`;

/** The list in a folder; empty if the folder has none. */
export async function readErasureList(folder: string): Promise<ListedErasure[]> {
  const text = await readFile(join(folder, FILE), 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    const [, kind, schoolId, digest] = LINE.exec(line) ?? [];
    return kind && digest ? [{ kind: kind as ErasureKind, schoolId: Number(schoolId), digest }] : [];
  });
}

/** Adds an erasure to the list in a folder, unless it is there. Someone who left two schools is listed for each. */
export async function addToErasureList(folder: string, erasure: ListedErasure): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const listed = await readErasureList(folder);
  if (listed.some(({ schoolId, digest }) => schoolId === erasure.schoolId && digest === erasure.digest)) return;
  // Starts with a line break, in case a process died while it wrote the line before.
  await appendFile(join(folder, FILE), `\n${formatLine(erasure)}\n`, { mode: 0o600, flush: true });
}
