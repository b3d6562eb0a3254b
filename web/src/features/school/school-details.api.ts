import { changeContact, changeSchool } from '#contract/calls/school-details.ts';
import type { BodyInputOf } from '#contract/call.ts';
import { call } from '../../shared/api-client.ts';

interface Details {
  school: { name: string; urn: string | null };
  contact: BodyInputOf<typeof changeContact>['contact'];
}

/** Saves the school's name and URN, then its primary contact. Sent again it changes nothing more. */
export async function saveSchoolDetails(schoolId: number, { school, contact }: Details): Promise<void> {
  const params = { id: schoolId };
  await call(changeSchool, { params, body: school });
  await call(changeContact, { params, body: { contact: { ...contact, type: 'primary' } } });
}
