import { dayIn, formatLongDay } from '../../../clock.ts';
import type { TableName } from '../../../database/table-kinds.ts';
import { runInWorker } from '../../../workers/worker-pool.ts';
import { digestsOf } from './erasure-list.service.ts';
import { type ErasureConfig, type FinishedErasure, lastBackupExpiry } from './erasure.service.ts';
import type { StoredErasure } from './erasure-receipts.queries.ts';
import { titleOf } from '../registry/registry.public.ts';

const FILE_LIMITS = { cpuMs: 10_000 };
const TIME_ZONE = 'Europe/London';
const clockTime = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: TIME_ZONE });

type Erasure = Pick<StoredErasure, 'kind' | 'digest' | 'counts' | 'erasedAt' | 'isAutomatic' | 'backupsExpireOn'>;

/** The rows of a receipt by what they are a part of; kinds without rows are left out. */
function countByTitle(counts: StoredErasure['counts']): { title: string; rows: number }[] {
  const sums = new Map<string, number>();
  for (const [table, rows] of Object.entries(counts) as [TableName, number][])
    if (rows > 0) sums.set(titleOf(table), (sums.get(titleOf(table)) ?? 0) + rows);
  return [...sums].map(([title, rows]) => ({ title, rows }));
}

const WHO = { pupil: 'a pupil', staff: 'a former member of staff', school: 'a school' };

const BY_NO_ADMIN = {
  pupil: 'automatically, after its time in the archive',
  staff: 'automatically',
  school: 'automatically, after its time as a closed school',
};

const REMAINS = {
  pupil: ['Encrypted login cards and replies, which no one can open without their link, are deleted within 24 hours.'],
  staff: ['What the person did stays in the audit log of the school under a number without a name, for its period.'],
  school: [
    'Encrypted login cards and replies, which no one can open without their link, are deleted within 24 hours.',
    'Invoices remain for as long as the law requires, with the name and address of the school and without pupils.',
  ],
};

const notesOf = ({ kind, backupsExpireOn }: Erasure): string[] => [
  backupsExpireOn
    ? `Backups: the last one that contains the data is deleted on ${formatLongDay(backupsExpireOn)}. If one is restored before then, the data is erased again.`
    : 'Backups: this installation makes none each night. Ask the operator of the server about others.',
  ...REMAINS[kind],
  'We cannot erase emails that were delivered, printed pages, or files that staff downloaded.',
];

/** The receipt of an erasure as a PDF. `heading` is the line under its title. */
export async function renderReceipt(product: string, erasure: Erasure, heading: string): Promise<Buffer> {
  const { kind, digest, counts, erasedAt, isAutomatic } = erasure;
  const by = isAutomatic ? BY_NO_ADMIN[kind] : 'by an admin of the school';
  const day = formatLongDay(dayIn(TIME_ZONE, erasedAt));
  const receipt = {
    product,
    heading,
    kind,
    who: WHO[kind],
    when: `on ${day} at ${clockTime.format(erasedAt)}, ${by}`,
    counts: countByTitle(counts),
    digest: digest.toString('hex'),
    notes: notesOf(erasure),
  };
  return Buffer.from(await runInWorker('renderErasureReceipt', receipt, FILE_LIMITS));
}

/** The receipt of the erasure of a school. Its heading does not name the school. */
export function renderSchoolReceipt(
  product: string,
  config: ErasureConfig,
  now: Date,
  { kind, subject, counts }: FinishedErasure,
): Promise<Buffer> {
  const [digest] = digestsOf(config, kind, subject);
  const backupsExpireOn = lastBackupExpiry(config, now);
  return renderReceipt(
    product,
    { kind, digest, counts, erasedAt: now, isAutomatic: true, backupsExpireOn },
    'A school with its pupils, staff and settings',
  );
}
