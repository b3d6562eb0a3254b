import { sql } from 'kysely';
import type { PlatformDb } from '../database/platform-db.ts';

/** The state of the jobs of one name. Times are the database's. */
export interface JobState {
  name: string;
  /** Due, but not started yet. */
  waiting: number;
  active: number;
  /** Failed after all tries; retained for a week. */
  failed: number;
  /** How many seconds ago the oldest waiting job was due. */
  late_seconds: number;
  /** When the job starts by itself, as a cron expression in London time. */
  schedule: string | null;
  last_done_at: Date | null;
}

/** Lists the state of the jobs by name. Completed jobs are looked up only for scheduled names, which have few. */
export async function listJobStates(db: PlatformDb): Promise<JobState[]> {
  const { rows } = await sql<JobState>`
    select q.name, s.cron as schedule, coalesce(j.waiting, 0) as waiting, coalesce(j.active, 0) as active,
      coalesce(j.failed, 0) as failed, coalesce(j.late_seconds, 0) as late_seconds,
      case when s.cron is not null then
        (select max(d.completed_on) from pgboss.job d where d.name = q.name and d.state = 'completed') end as last_done_at
    from pgboss.queue q
    left join pgboss.schedule s on s.name = q.name
    left join (
      select name, count(*) filter (where state < 'active' and start_after <= now()) as waiting,
        count(*) filter (where state = 'active') as active, count(*) filter (where state = 'failed') as failed,
        extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now()))::int as late_seconds
      from pgboss.job where state <> 'completed' group by name
    ) j on j.name = q.name
    where q.name not like '\\_\\_%'
    order by q.name`.execute(db.tx);
  return rows;
}

/** Makes the next tries of the jobs of these names due now, if their last one failed with an error of this name. */
export async function retryNow(db: PlatformDb, names: readonly string[], errorName: string): Promise<void> {
  await sql`
    update pgboss.job set start_after = now()
    where name = any (${[...names]}) and state = 'retry' and start_after > now()
      and output ->> 'name' = ${errorName}`.execute(db.tx);
}

/** A job that failed after all tries. */
export interface FailedJob {
  id: string;
  name: string;
  /** The school of the job; null for a job without a school. */
  school_id: number | null;
  created_on: Date;
  completed_on: Date;
  tries: number;
  /** The message of the last failure. */
  error: string | null;
}

/** A page of the failed jobs, the latest first, and their total. */
export async function listFailedJobs(
  db: PlatformDb,
  page: { limit: number; offset: number },
): Promise<{ jobs: FailedJob[]; total: number }> {
  const { rows } = await sql<FailedJob>`
    select id, name, (data ->> 'schoolId')::bigint as school_id, created_on, completed_on, retry_count + 1 as tries,
      output ->> 'message' as error
    from pgboss.job where state = 'failed'
    order by completed_on desc, id limit ${page.limit} offset ${page.offset}`.execute(db.tx);
  const { rows: counted } = await sql<{ n: number }>`
    select count(*) as n from pgboss.job where state = 'failed'`.execute(db.tx);
  return { jobs: rows, total: counted[0]?.n ?? 0 };
}

/**
 * A database clock that was ahead leaves times in the future, until which the library would start no scheduled job and
 * look for no dead process. Once the clock is right again, they are set to now.
 * @param owner the library's connections: those that serve requests have no right to its tables
 */
export async function correctFutureTimes(owner: { executeSql(text: string): Promise<unknown> }): Promise<void> {
  await owner.executeSql(`update pgboss.version set cron_on = now() where cron_on > now() + interval '2 minutes'`);
  await owner.executeSql(`
    update pgboss.queue set monitor_on = least(monitor_on, now()), maintain_on = least(maintain_on, now()),
      monitor_claim_on = least(monitor_claim_on, now())
    where greatest(monitor_on, maintain_on, monitor_claim_on) > now() + interval '2 minutes'`);
}
