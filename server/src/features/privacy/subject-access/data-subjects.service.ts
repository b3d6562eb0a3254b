import { type DataSubject, MAX_DATA_SUBJECTS } from '#contract/calls/subject-requests.ts';
import { searchKey } from '#contract/fields.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { listStaff } from '../../accounts/access/access.public.ts';
import { listFormerMembers } from '../erasure/erasure.public.ts';
import { searchPupils } from './subject-requests.queries.ts';

/** Whom to list: people with a part of a name, or one person. */
export type SubjectSearch = { search: string } | { pupil: number } | { staff: number };

/** Pupils, then staff, current before former, by name; at most `MAX_DATA_SUBJECTS`. */
export async function listDataSubjects(db: SchoolDb, wanted: SubjectSearch): Promise<DataSubject[]> {
  const name = 'search' in wanted ? searchKey(wanted.search) : '';
  if ('search' in wanted && name === '') return [];
  const pupils =
    'staff' in wanted ? [] : await searchPupils(db, 'pupil' in wanted ? wanted.pupil : name, MAX_DATA_SUBJECTS);
  const staff = 'pupil' in wanted ? [] : [...(await listMembers(db, false)), ...(await listMembers(db, true))];
  const people = [
    ...pupils.map((pupil): DataSubject => ({
      kind: 'pupil',
      id: pupil.id,
      name: pupil.name,
      is_former: pupil.archived_at !== null,
      group: pupil.archived_at === null ? pupil.class_name : null,
    })),
    ...staff.filter((person) =>
      'staff' in wanted ? person.id === wanted.staff : searchKey(person.name).includes(name),
    ),
  ];
  return people.slice(0, MAX_DATA_SUBJECTS);
}

async function listMembers(db: SchoolDb, isFormer: boolean): Promise<DataSubject[]> {
  const members = await (isFormer ? listFormerMembers(db) : listStaff(db));
  return members.map(({ id, first_name, last_name }) => ({
    kind: 'staff',
    id,
    name: `${first_name} ${last_name}`,
    is_former: isFormer,
    group: null,
  }));
}
