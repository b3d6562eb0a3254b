import { createHash, randomBytes } from 'node:crypto';
import { utils, write } from '@e965/xlsx';
import type { ImportPreview, PupilsCreated } from '#contract/calls/pupil-import.ts';
import { hashPassword } from '#server/auth/password-hashing.ts';
import { ask } from './database.ts';
import { atMost, type Bench, type Figure, ms, times, told } from './measure.ts';
import { median } from './rounds.ts';

/** Rounds of creation: each hashes a thousand passwords twice. */
const ROUNDS = 3;
const CREATED = 1000;

const letters = (n: number, length: number): string =>
  Array.from({ length }, (_, index) => String.fromCharCode(97 + (Math.floor(n / 26 ** index) % 26))).join('');

/** A roll of pupils whom no school has yet, in classes of thirty, as an xlsx. */
function roll(count: number): Blob {
  const stem = letters(randomBytes(6).readUIntBE(0, 6), 9);
  const rows = Array.from({ length: count }, (_, n) => [
    `A${letters(n, 3)}`,
    `B${stem}${letters(n, 3)}`,
    `Class ${1 + Math.floor(n / 30)}`,
  ]);
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([['First name', 'Surname', 'Class'], ...rows]), 'Roll');
  return new Blob([write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Uint8Array<ArrayBuffer>]);
}

/** A school of the measure's own without a bound on pupils, and what takes it away again. */
async function openSchool(url: string): Promise<{ id: number; token: string; close: () => Promise<void> }> {
  const token = `bench-import-${randomBytes(8).toString('hex')}`;
  const [school] = await ask<{ id: string }>(
    url,
    `insert into schools (name, created_at) values ('Import', now()) returning id`,
  );
  const id = Number(school?.id);
  const [user] = await ask<{ id: string }>(
    url,
    `insert into users (email, email_key, first_name, last_name, password_hash, user_type, school_id, created_at)
     values ($1, $1, 'Import', 'Admin', 'none', 'enterprise', $2, now()) returning id`,
    [`${token}@bench.example`, id],
  );
  await ask(url, `insert into staff (school_id, user_id, role, joined_at) values ($1, $2, 'admin', now())`, [
    id,
    user?.id,
  ]);
  await ask(
    url,
    `insert into subscriptions (school_id, is_trial, max_readers, payment_amount_pence, starts_at, expires_at)
     values ($1, false, 999, 0, now(), now() + interval '1 year')`,
    [id],
  );
  await ask(
    url,
    `insert into sessions (token_hash, school_id, user_id, created_at, last_used_at, expires_at)
     values ($1, $2, $3, now(), now(), now() + interval '1 day')`,
    [createHash('sha256').update(token).digest(), id, user?.id],
  );
  return {
    id,
    token,
    close: async () => {
      for (const table of ['pupil_logins', 'sessions', 'pupils', 'classes', 'staff', 'users'])
        await ask(url, `delete from ${table} where school_id = $1`, [id]);
      await ask(url, 'delete from schools where id = $1', [id]);
    },
  };
}

async function timed<T>(work: () => Promise<T>): Promise<{ took: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { took: performance.now() - start, result };
}

/** Understanding a full file, creating a thousand pupils with their cards, and drawing three hundred cards. */
export async function measureImport({ world, portal }: Bench): Promise<Figure[]> {
  const school = await openSchool(world.url);
  const headers = { authorization: `Bearer ${school.token}` };
  const send = async <T>(path: string, file: Blob): Promise<T> => {
    const body = new FormData();
    body.append('readers_file', file, 'roll.xlsx');
    const response = await fetch(`${portal.url}/v1/enterprises/${school.id}${path}`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const fetchFile = async (link: string | undefined): Promise<number> => {
    const response = await fetch(`${portal.url}${new URL(link ?? '').pathname}`, { headers });
    if (!response.ok) throw new Error(`The file answered ${response.status}.`);
    return (await response.arrayBuffer()).byteLength;
  };
  const create = (file: Blob) => send<PupilsCreated>('/readers', file);
  try {
    const full = roll(5000);
    const previews: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const { took, result } = await timed(() => send<ImportPreview>('/readers/preview', full));
      if (result.counts.new !== 5000) throw new Error('The preview did not understand the file.');
      previews.push(took);
    }
    const { links } = await create(roll(300));
    const cards: number[] = [];
    for (let round = 0; round < 5; round += 1) cards.push((await timed(() => fetchFile(links?.logins))).took);

    const creations: { whole: number; alone: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const file = roll(CREATED);
      const whole = await timed(async () => {
        const made = await create(file);
        if (made.meta.created !== CREATED) throw new Error('Not all pupils were created.');
        await Promise.all([fetchFile(made.links?.logins), fetchFile(made.links?.spreadsheet)]);
      });
      const alone = await timed(() =>
        Promise.all(Array.from({ length: CREATED }, (_, n) => hashPassword(`bread${n}tree`, 'full'))),
      );
      creations.push({ whole: whole.took, alone: alone.took });
    }
    return [
      told(
        `${CREATED} pupils from an xlsx, with PDF and xlsx of their logins`,
        ms(median(creations.map(({ whole }) => whole))),
      ),
      told(`Hashing ${CREATED} passwords alone`, ms(median(creations.map(({ alone }) => alone)))),
      atMost('Creating of hashing alone', median(creations.map(({ whole, alone }) => whole / alone)), 1.3, times),
      atMost('5,000 rows of an xlsx understood', median(previews), 1500, ms),
      atMost('300 login cards as a PDF', median(cards), 500, ms),
    ];
  } finally {
    await school.close();
  }
}
