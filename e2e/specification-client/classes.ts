import { utils, write } from '@e965/xlsx';
import { expect } from '../portal.ts';
import type { Client } from './client.ts';
import type { Journey } from './journey.ts';
import type { School } from './registration.ts';
import type { Teacher } from './staff.ts';

export interface Pupils {
  /** The class Kingfishers. */
  group: number;
  /** IDs by name. */
  ids: Map<string, number>;
  /** The logins of Amara Bell and Ben Cole. */
  links: Record<string, string>;
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

function createWorkbook(names: string[]): File {
  const sheet = utils.aoa_to_sheet([['Name'], ...names.map((name) => [name])]);
  const bytes = write(
    { SheetNames: ['Pupils'], Sheets: { Pupils: sheet } },
    { type: 'buffer', bookType: 'xlsx' },
  ) as Buffer;
  return new File([new Uint8Array(bytes)], 'pupils.xlsx', { type: XLSX });
}

async function listNames(client: Client, id: number, group: number): Promise<string[]> {
  const reply = await client.call('GET enterprises/{id}/groups/{groupId}', [id, group]);
  expect(reply.group.readers_count).toBe(reply.group.readers.length);
  return reply.group.readers.map(({ name }) => name);
}

async function searchPupils({ id, admin }: School, text: string) {
  const { readers } = await admin.call('GET enterprises/{id}/readers', [id], { 'search[value]': text, length: 50 });
  return readers;
}

/** Creates three classes, and returns two of them. */
async function createClasses(journey: Journey, { id, admin }: School, teacher: Teacher): Promise<[number, number]> {
  return journey.step('Create, rename, staff and delete classes', async () => {
    const create = async (client: Client, name: string, assign_self: 0 | 1) =>
      (await client.call('POST enterprises/{id}/groups', [id], { name, assign_self })).group.id;
    const [kingfishers, herons] = [await create(admin, 'Kingfisher', 0), await create(admin, 'Herons', 1)];
    const { user: me } = await admin.call('GET users/me', []);
    const wrens = await create(teacher.client, 'Wrens', 1);
    await admin.call('POST enterprises/{id}/groups/{groupId}', [id, kingfishers], { name: 'Kingfishers' });
    const pathValues = [id, kingfishers, teacher.id];
    await admin.call('POST enterprises/{id}/groups/{groupId}/users/{userId}', pathValues);
    const readClasses = async () => (await admin.call('GET enterprises/{id}', [id])).enterprise.groups;
    expect((await readClasses()).map(({ name, manager_id }) => [name, manager_id]).sort()).toEqual([
      ['Herons', me.id],
      ['Kingfishers', teacher.id],
      ['Wrens', teacher.id],
    ]);
    await admin.call('DELETE enterprises/{id}/groups/{groupId}/users', [id, kingfishers]);
    await teacher.client.call('DELETE enterprises/{id}/groups/{groupId}', [id, wrens]);
    expect((await readClasses()).map(({ name, manager }) => [name, manager?.id]).sort()).toEqual([
      ['Herons', me.id],
      ['Kingfishers', undefined],
    ]);
    await admin.call('POST enterprises/{id}/groups/{groupId}/users/{userId}', pathValues);
    const { group } = await teacher.client.call('GET enterprises/{id}/groups/{groupId}', [id, kingfishers]);
    expect(group).toMatchObject({ name: 'Kingfishers', user_manages: true, manager: { id: teacher.id } });
    return [kingfishers, herons];
  });
}

/** Creates, changes and removes classes and pupils, and returns the remaining pupils. */
export async function manageClasses(journey: Journey, school: School, teacher: Teacher): Promise<Pupils> {
  const { id, admin } = school;
  const [kingfishers, herons] = await createClasses(journey, school, teacher);

  const links = await journey.step('Add pupils by rows and by files', async () => {
    const readers = [{ name: 'Amara Bell' }, { name: 'Ben Cole' }];
    const added = await admin.call('POST enterprises/{id}/readers', [id], { readers });
    const readers_file = new File(['Name\nCara Dunn\nDev Ellis\n'], 'pupils.csv', { type: 'text/csv' });
    await admin.call('POST enterprises/{id}/readers', [id], { readers_file });
    const existing = (await searchPupils(school, 'Amara')).map((reader) => reader.id);
    const pathValues = [id, kingfishers];
    await admin.call('POST enterprises/{id}/groups/{groupId}/readers', pathValues, {
      readers: { existing, new: [{ name: 'Eli Frost' }] },
    });
    const sheet = { readers_file: createWorkbook(['Fay Grant', 'Gus Hill']) };
    await teacher.client.call('POST enterprises/{id}/groups/{groupId}/readers', pathValues, sheet);
    expect((await listNames(admin, id, kingfishers)).sort()).toEqual([
      'Amara Bell',
      'Eli Frost',
      'Fay Grant',
      'Gus Hill',
    ]);
    const many = Array.from({ length: 25 }, (_, index) => ({ name: `Pupil ${String.fromCharCode(65 + index)}x` }));
    const { code } = await admin.expectError(422, 'POST enterprises/{id}/readers', [id], { readers: many });
    expect(code).toBe('max-readers-reached:admin:23');
    return added.links;
  });

  const ids = await journey.step('List pupils by page, class and search', async () => {
    const page = { page: 1, per_page: 50, is_ajax: 1, search: '', groups: '', 'sort[name]': 'desc' } as const;
    const list = async (changes: { search?: string; groups?: number }) => {
      const { readers, meta } = await admin.call('GET enterprises/{id}/readers', [id], { ...page, ...changes });
      expect(meta.total_filtered).toBe(readers.length);
      return readers;
    };
    const all = await list({});
    const names = all.map(({ name }) => name);
    expect(names).toHaveLength(7);
    expect(names).toEqual([...names].sort().toReversed());
    expect(await list({ groups: kingfishers })).toHaveLength(4);
    expect((await list({ search: 'amara' })).map(({ name, group }) => [name, group?.name])).toEqual([
      ['Amara Bell', 'Kingfishers'],
    ]);
    return new Map(all.map((reader) => [reader.name, reader.id]));
  });
  const getPupilId = (name: string): number => ids.get(name) ?? 0;

  await journey.step('Move pupils, take them out of the class and add them again', async () => {
    const moved = { reader_ids: [getPupilId('Fay Grant'), getPupilId('Gus Hill')], source: kingfishers };
    await admin.call('POST enterprises/{id}/groups/{groupId}/readers/move', [id, herons], moved);
    expect((await listNames(admin, id, herons)).sort()).toEqual(['Fay Grant', 'Gus Hill']);
    const eli = getPupilId('Eli Frost');
    await admin.call('DELETE enterprises/{id}/groups/{groupId}/readers/{pupilId}', [id, kingfishers, eli]);
    expect(await listNames(admin, id, kingfishers)).toEqual(['Amara Bell']);
    expect(await searchPupils(school, 'Eli')).toMatchObject([{ id: eli, group: null }]);
  });

  await journey.step('Rename a pupil, reset passwords and delete a pupil', async () => {
    const ben = getPupilId('Ben Cole');
    await admin.call('POST enterprises/{schoolId}/readers/{id}', [id, ben], { name: 'Benedict Cole' });
    const { reader } = await admin.call('GET enterprises/{schoolId}/readers/{id}', [id, ben]);
    expect(reader).toMatchObject({ name: 'Benedict Cole', can_update: true });
    const error = await admin.expectError(422, 'POST enterprises/{schoolId}/readers/{id}', [id, ben], { name: 'B3n' });
    expect(error.error_type).toBe('validation');
    await admin.call('POST enterprises/{id}/readers/password/reset', [id], { reader_ids: [ben] });
    await admin.call('DELETE readers/{id}', [getPupilId('Dev Ellis')]);
    expect(await searchPupils(school, 'Dev Ellis')).toEqual([]);
  });
  return { group: kingfishers, ids, links };
}
