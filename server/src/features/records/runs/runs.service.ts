import type { Run } from '#contract/calls/runs.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { findStaffAccounts } from '../../accounts/access/access.public.ts';
import { findRun, RUN_MS, type RunRow } from './runs.queries.ts';
import { findUndoDeadline } from './undo.service.ts';

/** True while an admin can apply or discard a planned run. */
export const isOpen = ({ state, created_at }: RunRow, now: Date): boolean =>
  state === 'planned' && created_at.getTime() > now.getTime() - RUN_MS;

/** Runs as the API shows them. */
export async function toRuns(db: SchoolDb, rows: readonly RunRow[], now: Date): Promise<Run[]> {
  const accounts = await findStaffAccounts(
    db,
    rows.flatMap(({ created_by, closed_by }) => [created_by, closed_by]),
  );
  const toPerson = (id: number | null) => {
    const account = accounts.get(id ?? 0);
    return account ? { id: account.id, name: `${account.first_name} ${account.last_name}` } : null;
  };
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    origin: row.origin,
    title: row.title,
    state: row.state === 'planned' && !isOpen(row, now) ? 'expired' : row.state,
    created_at: row.created_at.toISOString(),
    created_by: toPerson(row.created_by),
    closed_at: row.closed_at?.toISOString() ?? null,
    closed_by: toPerson(row.closed_by),
    is_automatic: row.origin === 'nightly' && row.closed_at !== null && row.closed_by === null,
    counts: row.counts,
    undo_until: findUndoDeadline(row, now)?.toISOString() ?? null,
  }));
}

export async function toRun(db: SchoolDb, row: RunRow | undefined, now: Date): Promise<Run> {
  const [run] = row ? await toRuns(db, [row], now) : [];
  if (!run) throw new AppError('not_found');
  return run;
}

/** A run of the school as the API shows it. Throws `not_found`. */
export const getShownRun = async (db: SchoolDb, runId: number, now: Date): Promise<Run> =>
  toRun(db, await findRun(db, runId), now);
