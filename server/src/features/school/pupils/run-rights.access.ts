import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { StaffMember } from '../../../context.ts';

/** Whether a user can see and undo a run of the table `runs`: admins all, teachers the lists that they added. */
export const canSeeRun = (me: StaffMember): RawBuilder<SqlBool> =>
  me.role === 'admin' ? sql<SqlBool>`true` : sql<SqlBool>`(runs.kind = 'list' and runs.created_by = ${me.userId})`;
