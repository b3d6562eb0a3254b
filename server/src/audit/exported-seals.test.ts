import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inPlatform } from '../database/platform.ts';
import { inSchool } from '../database/school.ts';
import { testApp } from '../testing/app.ts';
import type { BuiltSchool } from '../testing/builder.ts';
import { recordChange } from './audit-log.queries.ts';
import { eraseDetails } from './erase-details.queries.ts';
import type { ExportedSeal } from './exported-seals.queries.ts';
import { sealPending } from './seal-audit.queries.ts';

const app = testApp();
const folder = mkdtempSync(join(tmpdir(), 'portal-export-'));
afterAll(() => rmSync(folder, { recursive: true }));
const NOW = new Date('2026-11-18T12:00:00.000Z');
const VERIFIER = join(import.meta.dirname, '../../../scripts/verify-audit-export.mjs');
let school: BuiltSchool;

interface Line {
  id: number;
  action: string;
  seal: ExportedSeal | null;
}

const write = (actorId: number | null) =>
  inSchool(app.database, school.id, (db) =>
    recordChange(db, { userId: actorId, impersonatorId: null }, NOW, {
      action: 'pupils_moved',
      subjectKind: 'class',
      subjectId: 1,
      details: { from: null, to: 'Owls “é”', pupils: [3, 1] },
    }),
  );
const seal = () => inPlatform(app.database, (db) => sealPending(db, app.services.config, school.id, NOW));

async function download(): Promise<Line[]> {
  const { bytes, status } = await app.call(downloadCalls.exportAuditLog, {
    params: { id: school.id },
    query: { output: 'jsonl' },
    token: school.admin.token,
  });
  expect(status).toBe(200);
  const lines = new TextDecoder().decode(bytes).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Line);
}

/** Verifies lines as a school would, with Node and the file alone. */
function verify(lines: readonly Line[], ...known: string[]) {
  const file = join(folder, 'changes.jsonl');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { status, stdout, stderr } = spawnSync(process.execPath, [VERIFIER, file, ...known], { encoding: 'utf8' });
  return { status, text: stdout + stderr };
}

/** The same lines, with the entry of one number changed. */
const changeLine = (lines: readonly Line[], number: number, change: (line: Line & { seal: ExportedSeal }) => void) =>
  structuredClone(lines).map((line) => {
    if (line.seal?.number === number) change(line as Line & { seal: ExportedSeal });
    return line;
  });

describe('the downloaded audit log', () => {
  let lines: Line[];
  beforeAll(async () => {
    app.setTime(NOW.toISOString());
    school = await app.build.school();
    for (const actor of [school.teacher.id, null, school.teacher.id]) await write(actor);
    await seal();
    const [entry] = await app.database.kysely
      .selectFrom('audit_log')
      .select('id')
      .where('school_id', '=', school.id)
      .orderBy('id')
      .execute();
    const erasure = { config: app.services.config, receipt: Buffer.alloc(32, 7) };
    await inPlatform(app.database, (db) => eraseDetails(db, school.id, [entry!.id], erasure));
    await write(school.teacher.id);
    lines = await download();
  });

  test('the downloaded audit log has the number and digest of each sealed entry, which a school can verify without the portal', () => {
    expect(lines.map(({ seal: line }) => line?.number ?? null)).toEqual([null, 3, 2, 1]);
    const { status, text } = verify(lines);
    expect(text).toContain('3 entries are sealed, 1 wait to be.');
    expect(text).toContain(`Keep these two for the next time: 3 ${lines[1]?.seal?.digest}`);
    expect(text).toContain('✓ every entry matches its digest');
    expect(status).toBe(0);
  });

  test.each<[string, (line: Line & { seal: ExportedSeal }) => void, string]>([
    ['another action', (line) => (line.action = 'x'), 'it was changed'],
    ['another author', (line) => (line.seal.actor_user_id = 1), 'it was changed'],
    ['another time of its seal', (line) => (line.seal.sealed_at = '2026-01-01T00:00:00.000Z'), 'it was changed'],
    ['other details', (line) => (line.seal.details_text = '{}'), 'its details were changed'],
    ['another digest', (line) => (line.seal.digest = '00'.repeat(32)), 'it was changed'],
  ])('the downloaded audit log does not verify when an entry has %s', (_, change, fault) => {
    const { status, text } = verify(changeLine(lines, 2, change));
    expect(text).toContain(fault);
    expect(text).not.toContain('✓');
    expect(status).toBe(1);
  });

  test('the downloaded audit log does not verify when an entry was replaced by one that matches its own digest', () => {
    const other = changeLine(lines, 3, (line) => (line.seal.previous_digest = '00'.repeat(32)));
    expect(verify(other)).toMatchObject({ status: 1, text: expect.stringContaining('it was changed') });
    expect(
      verify(changeLine(lines, 2, (line) => Object.assign(line, lines[3], { seal: { ...lines[3]?.seal, number: 2 } })))
        .text,
    ).toContain('the chain is broken before it');
  });

  test('the downloaded audit log verifies with gaps where a filter left entries out', () => {
    const { status, text } = verify(lines.filter(({ seal: line }) => line?.number !== 2));
    expect(text).toContain('1 gaps: other entries are not in this file.');
    expect(status).toBe(0);
  });

  test('the downloaded audit log is compared with the number and digest of an earlier download', async () => {
    const [, latest] = lines;
    const known = [String(latest?.seal?.number), latest?.seal?.digest ?? ''];
    await seal();
    const later = await download();
    expect(later.length).toBeGreaterThan(lines.length);
    expect(verify(later, ...known).status).toBe(0);
    expect(verify(later, known[0]!, '00'.repeat(32)).text).toContain('number 3 has another digest than');
    expect(verify(later, '99', known[1]!).text).toContain('number 99 is not in this file');
    expect(verify(later, '99').text).toContain('Usage');
  });
});
